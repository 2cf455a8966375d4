//! The options that say which settings and which profile hold, the same for every command.
//!
//! Without `--config` the main file is what `SEPTET_CONFIG` names, if it is not empty, else `/etc/septet/septet.toml`
//! if it is there. The files `*.toml` of the folder `conf.d` beside the main file come after it, in the order of their
//! names. A file that can't be read is bad configuration (exit 78), like one with faults: mail must not be
//! handled by other settings than those that were meant.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::config::settings::Origins;
use crate::config::{Findings, SetOption, SettingErrors, Settings, SettingsFile};
use crate::process::exit::{Exit, Failure};
use crate::process::ruled_profiles::RuledProfiles;

/// The main file, when nobody names one.
pub const DEFAULT_FILE: &str = "/etc/septet/septet.toml";

/// Where the settings come from.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ConfigArgs {
    /// Read the settings from FILE, and from the conf.d folder beside it
    ///
    /// Without it: the file that SEPTET_CONFIG names, else /etc/septet/septet.toml if it is there, else the
    /// built-in settings.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Set one key over all files, as limits.parts=500 or profile.utf8.iris=keep; may be repeated
    ///
    /// The value is a string with or without quotes, a number, a list with commas, or TOML in brackets. Environment
    /// variables do the same: SEPTET_LIMITS__PARTS=500.
    #[arg(long, value_name = "KEY=VALUE", value_parser = set_option)]
    pub set: Vec<SetOption>,
}

/// Which profile holds, out of which settings.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ProfileArgs {
    /// Use the profile NAME for all: keep, utf8, eai, seven-bit, utf7, ascii, or one of the settings
    ///
    /// Without it a message gets the profile of the first rule of the settings that matches it, else default_profile.
    /// Nothing here says who the client is, or whom the envelope names: rules that ask for either never hold. The
    /// sender is what Return-Path says, else the From_ line, else From.
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub config: ConfigArgs,
}

/// A file or folder of settings that can't be read.
#[derive(Debug, Error)]
#[error("{path} cannot be read")]
struct UnreadableSettings {
    path: PathBuf,
    source: io::Error,
}

/// Reads `KEY=VALUE`, without the blanks around either; whether there is such a key is seen when the settings are read.
fn set_option(text: &str) -> Result<SetOption, String> {
    match split_at_equals(text) {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok(SetOption { key: key.trim().to_owned(), value: value.trim().to_owned() })
        }
        _ => Err("write KEY=VALUE, as limits.parts=500".to_owned()),
    }
}

/// Splits at the first `=` outside quotes, since a key that somebody names himself may have one, as `"a=b"`; none
/// without such a `=`.
fn split_at_equals(text: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    let at = text.find(|c: char| match (c, quote) {
        ('=', None) => true,
        ('"' | '\'', None) => {
            quote = Some(c);
            false
        }
        _ => {
            quote = quote.filter(|open| *open != c);
            false
        }
    })?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

impl ConfigArgs {
    /// Reads the settings; the failure is exit 78 with every fault of them.
    pub fn settings(&self) -> Result<Settings, Failure> {
        self.settings_and_origins().map(|(settings, _)| settings)
    }

    /// Reads the settings, and where each key was made; the failure is that of [`settings`](ConfigArgs::settings).
    pub fn settings_and_origins(&self) -> Result<(Settings, Origins), Failure> {
        let (settings, found) = self.examine()?;
        SettingErrors::check(found.faults).map_err(|faults| Failure::new(Exit::BadConfig, faults))?;
        Ok((settings, found.origins))
    }

    /// Reads the settings with all their faults; only a file that can't be read is a failure.
    pub fn examine(&self) -> Result<(Settings, Findings), Failure> {
        let sources = self.sources().map_err(|unreadable| Failure::new(Exit::BadConfig, unreadable))?;
        Ok(Settings::examine(&sources, environment(), &self.set))
    }

    /// Returns the files that are read, the main one first, which may not be there.
    pub fn files(&self) -> Vec<PathBuf> {
        let main = self.named().unwrap_or_else(|| PathBuf::from(DEFAULT_FILE));
        // A folder that can't be read has ended the run when the settings were read.
        let others = files_of(&main.with_file_name("conf.d")).unwrap_or_default();
        [main].into_iter().chain(others).collect()
    }

    /// Returns the main file, if somebody named it.
    pub fn named(&self) -> Option<PathBuf> {
        let variable = std::env::var_os("SEPTET_CONFIG").filter(|path| !path.is_empty());
        self.config.clone().or_else(|| variable.map(PathBuf::from))
    }

    /// Reads the files, the main one first. That may be missing where nobody named it, and counts as empty then.
    fn sources(&self) -> Result<Vec<SettingsFile>, UnreadableSettings> {
        let named = self.named();
        let must_be_there = named.is_some();
        let main = named.unwrap_or_else(|| PathBuf::from(DEFAULT_FILE));
        let mut sources = match read_source(main.clone()) {
            Err(unreadable) if !must_be_there && unreadable.source.kind() == ErrorKind::NotFound => Vec::new(),
            read => vec![read?],
        };
        for file in files_of(&main.with_file_name("conf.d"))? {
            sources.push(read_source(file)?);
        }
        Ok(sources)
    }
}

/// Reads a file of settings, whole and without looking at what is in it.
fn read_source(path: PathBuf) -> Result<SettingsFile, UnreadableSettings> {
    match fs::read(&path) {
        Ok(bytes) => Ok(SettingsFile { path: path.display().to_string(), bytes }),
        Err(source) => Err(UnreadableSettings { path, source }),
    }
}

/// Lists the files `*.toml` of a conf.d folder in the order of their names, without hidden ones. A missing folder has
/// none; anything else than a file that is named so is an error.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>, UnreadableSettings> {
    let listed = match fs::read_dir(folder) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(Vec::new()),
        listed => listed.and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()),
    };
    let mut paths = listed.map_err(|source| UnreadableSettings { path: folder.to_owned(), source })?;
    paths.retain(|path| path.extension() == Some(OsStr::new("toml")) && !is_hidden(path));
    // What is no file, such as a FIFO that nobody writes to, would be waited for.
    if let Some(odd) = paths.iter().find(|path| fs::metadata(path).is_ok_and(|there| !there.is_file())) {
        let source = io::Error::new(ErrorKind::InvalidInput, "it is no file");
        return Err(UnreadableSettings { path: odd.clone(), source });
    }
    paths.sort();
    Ok(paths)
}

/// Returns `true` if the name of a file begins with a full stop.
fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Returns the variables of the environment; what is not UTF-8 in a value becomes U+FFFD, and is then found bad. A name
/// that is not UTF-8 is none of ours.
fn environment() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.to_string_lossy().into_owned())))
}

impl ProfileArgs {
    /// Returns the settings, and which profile messages get: the one that is asked for, whatever the rules say, or else
    /// by the rules, and the default one where none matches. A name that is no profile's is a usage error.
    pub fn settings_and_profiles(&self) -> Result<(Settings, RuledProfiles), Failure> {
        let (settings, origins) = self.config.settings_and_origins()?;
        let Some(name) = self.profile.as_deref() else {
            let profiles = RuledProfiles::by_rule(&settings, &origins);
            return Ok((settings, profiles));
        };
        let profile = settings.profile_named(name).cloned().map_err(|unknown| Failure::new(Exit::Usage, unknown))?;
        Ok((settings, RuledProfiles::one(profile)))
    }
}
