//! Profiles as administrators write them: in TOML, by the keys that `docs/profiles.md` explains.

use std::sync::Arc;

use crate::config::{SettingFaults, Settings, SettingsFile};
use crate::rewrite::Profile;

/// What is wrong with settings: every fault, with its line, its key and a hint.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct BadSettings(#[from] SettingFaults);

/// The profiles of a file of settings, the built-in ones among them.
#[derive(Debug, Clone)]
pub struct Profiles(Settings);

impl Profiles {
    /// Reads a file of settings, as `septet.toml` is one; `name` is what faults call it.
    ///
    /// ```
    /// use septet::settings::Profiles;
    ///
    /// let toml = "default_profile = \"archive\"\n[profile.archive]\niris = \"keep\"\n";
    /// let profiles = Profiles::read("septet.toml", toml).unwrap();
    /// assert_eq!(profiles.default_profile().name, "archive");
    /// assert!(profiles.get("seven-bit").is_some());
    ///
    /// let bad = Profiles::read("septet.toml", "[profile.archive]\nirris = \"keep\"\n").unwrap_err();
    /// assert!(bad.to_string().contains("profile.archive.irris"), "{bad}");
    /// ```
    ///
    /// # Errors
    ///
    /// [`BadSettings`], with all faults of the file.
    pub fn read(name: &str, toml: &str) -> Result<Profiles, BadSettings> {
        let source = SettingsFile { path: name.to_owned(), bytes: toml.as_bytes().to_vec() };
        let (settings, _) = Settings::read(&[source], [], &[])?;
        Ok(Profiles(settings))
    }

    /// Returns a profile by its name, a built-in one or one of the file.
    pub fn get(&self, name: &str) -> Option<Arc<Profile>> {
        self.0.profile(name).cloned()
    }

    /// Returns the profile that `default_profile` names.
    pub fn default_profile(&self) -> Arc<Profile> {
        self.0.default_profile()
    }

    /// Returns the names of all profiles.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.profile_names()
    }
}
