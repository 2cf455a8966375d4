//! Profiles as administrators write them: in TOML, by the keys that `docs/profiles.md` explains.

use std::sync::Arc;

use thiserror::Error;

use crate::config::{Settings, SettingsFile};
use crate::rewrite::Profile;

/// What is wrong with settings: every fault, with its line, its key and a hint; or that they have no profile of a name.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct SettingsError(Box<dyn std::error::Error + Send + Sync>);

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
    /// assert_eq!(profiles.named("seven-bit").unwrap().name, "seven-bit");
    /// let bad = profiles.named("archiv").unwrap_err();
    /// assert_eq!(bad.to_string(), "no profile is named \"archiv\"; did you mean \"archive\"?");
    ///
    /// let bad = Profiles::read("septet.toml", "[profile.archive]\nirris = \"keep\"\n").unwrap_err();
    /// assert!(bad.to_string().contains("profile.archive.irris"), "{bad}");
    /// ```
    ///
    /// # Errors
    ///
    /// [`SettingsError`], with all faults of the file.
    pub fn read(name: &str, toml: &str) -> Result<Profiles, SettingsError> {
        let source = SettingsFile { path: name.to_owned(), bytes: toml.as_bytes().to_vec() };
        let (settings, _) = Settings::read(&[source], [], &[]).map_err(|faults| SettingsError(faults.into()))?;
        Ok(Profiles(settings))
    }

    /// Returns a profile by its name, a built-in one or one of the file.
    ///
    /// # Errors
    ///
    /// [`SettingsError`], which says what name is near, if there is none.
    pub fn named(&self, name: &str) -> Result<Arc<Profile>, SettingsError> {
        self.0.profile_named(name).cloned().map_err(|unknown| SettingsError(unknown.into()))
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
