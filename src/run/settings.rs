//! The options that say which settings and which profile hold, the same for every door.

use std::path::PathBuf;

use super::exit::{Exit, Failure};
use crate::rewrite::{BUILT_IN, Profile};

/// Where the settings come from.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ConfigArgs {
    /// Read the settings from FILE, and from the conf.d folder beside it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Set one key over all files, as limits.parts=500 or profile.utf8.iris=keep; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

/// Which profile holds, out of which settings.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ProfileArgs {
    /// Use the profile NAME: keep, utf8, eai, seven-bit, utf7, ascii, or one of the settings
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub config: ConfigArgs,
}

impl ProfileArgs {
    /// Gives the profile that is asked for, or the settings' default one.
    pub fn profile(&self) -> Result<Profile, Failure> {
        let name = self.profile.as_deref().unwrap_or("utf8");
        Profile::built_in(name).ok_or_else(|| {
            let names = BUILT_IN.join(", ");
            Failure::new(Exit::Usage, format!("no profile is named {name:?}; there are {names}"))
        })
    }
}
