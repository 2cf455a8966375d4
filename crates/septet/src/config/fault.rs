//! What is wrong with the settings, and where: every fault, not only the first.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use thiserror::Error;

/// Where a setting was made. Later kinds win over earlier ones.
///
/// A value carries it as text, since that is what [`::config::Value`] has room for; `Display` writes that text, and
/// `From<&str>` reads it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SettingOrigin {
    /// A line of a file, counted from 1.
    File {
        /// The file's path, as it was named.
        path: Arc<str>,
        /// The line of the key.
        line: usize,
    },
    /// A file as a whole.
    Whole(Arc<str>),
    /// A variable of the environment, by name.
    Variable(String),
    /// An option `--set` of the command line, by its key as it was written.
    Option(String),
}

/// The start of a variable's origin, as text.
const VARIABLE: &str = "environment ";

/// The start of an option's origin, as text.
const OPTION: &str = "--set ";

impl From<&str> for SettingOrigin {
    /// Reads what `Display` writes; TOML in a variable or an option has lines, too, which nobody needs to be told.
    fn from(text: &str) -> SettingOrigin {
        let (place, line) = match text.rsplit_once(':').and_then(|(place, line)| Some((place, line.parse().ok()?))) {
            Some((place, line)) => (place, Some(line)),
            None => (text, None),
        };
        match (place.strip_prefix(VARIABLE), place.strip_prefix(OPTION), line) {
            (Some(name), _, _) => SettingOrigin::Variable(name.to_owned()),
            (_, Some(key), _) => SettingOrigin::Option(key.to_owned()),
            (.., Some(line)) => SettingOrigin::File { path: place.into(), line },
            _ => SettingOrigin::Whole(text.into()),
        }
    }
}

impl fmt::Display for SettingOrigin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingOrigin::File { path, line } => write!(out, "{path}:{line}"),
            SettingOrigin::Whole(path) => write!(out, "{path}"),
            SettingOrigin::Variable(name) => write!(out, "{VARIABLE}{name}"),
            SettingOrigin::Option(key) => write!(out, "{OPTION}{key}"),
        }
    }
}

/// One fault of the settings.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Error)]
pub struct SettingError {
    /// Where it stands.
    pub origin: SettingOrigin,
    /// The key's path, as `profile.utf8.headers` or `listener[1].socket`; empty when no key is concerned.
    pub key: String,
    /// What is wrong, and a hint behind a semicolon.
    pub what: String,
}

impl fmt::Display for SettingError {
    /// Writes `septet.toml:12: profile.utf8.headrs: unknown key; did you mean "headers"?`; a key that an option
    /// has named is not said twice.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SettingError { origin, key, what } = self;
        let is_said = key.is_empty() || matches!(origin, SettingOrigin::Option(option) if option == key);
        if is_said { write!(out, "{origin}: {what}") } else { write!(out, "{origin}: {key}: {what}") }
    }
}

/// Every fault of the settings, in the order of files and lines.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct SettingErrors(Vec<SettingError>);

impl SettingErrors {
    /// Returns the faults as an error, sorted and each once; `Ok` where there are none. Those of keys on a line that is
    /// broken TOML, which has a fault without a key, are left out: what the line seems to say is not to be relied on.
    pub fn check(mut faults: Vec<SettingError>) -> Result<(), SettingErrors> {
        let broken: HashSet<SettingOrigin> =
            faults.iter().filter(|fault| fault.key.is_empty()).map(|fault| fault.origin.clone()).collect();
        faults.retain(|fault| fault.key.is_empty() || !broken.contains(&fault.origin));
        faults.sort();
        faults.dedup();
        if faults.is_empty() { Ok(()) } else { Err(SettingErrors(faults)) }
    }

    /// Returns the faults; there is at least one.
    pub fn as_slice(&self) -> &[SettingError] {
        &self.0
    }
}

impl fmt::Display for SettingErrors {
    /// Writes all of them on one line, `; ` between them.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        out.write_str(&faults.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_reads_what_it_writes() {
        let path = Arc::from("conf.d/10:20.toml");
        for origin in [
            SettingOrigin::File { path, line: 7 },
            SettingOrigin::Whole("septet.toml".into()),
            SettingOrigin::Variable("SEPTET_X".to_owned()),
            SettingOrigin::Option("listener[0].socket".to_owned()),
        ] {
            assert_eq!(SettingOrigin::from(origin.to_string().as_str()), origin);
        }
        assert_eq!(SettingOrigin::from("--set skip.clients:3"), SettingOrigin::Option("skip.clients".to_owned()));
    }

    #[test]
    fn a_fault_says_an_options_key_once() {
        for (option, said) in [("x_septet", "--set x_septet: wrong"), ("X", "--set X: x_septet: wrong")] {
            let origin = SettingOrigin::Option(option.to_owned());
            let fault = SettingError { origin, key: "x_septet".to_owned(), what: "wrong".to_owned() };
            assert_eq!(fault.to_string(), said);
        }
    }
}
