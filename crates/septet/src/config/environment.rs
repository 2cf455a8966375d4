//! Settings from the environment and from the command line: one [`Assignment`] each.
//!
//! `SEPTET_LIMITS__PARTS=500` sets `limits.parts`: two underscores go one table down. A number counts in a
//! list, from 0: `SEPTET_LISTENER__0__SOCKET`. Variables have no `-`, so `SEPTET_PROFILE__SEVEN_BIT__IRIS`
//! means the profile `seven-bit`. A list is written with commas, or as TOML in brackets; what starts with a quote
//! is a string of TOML.
//!
//! Others own variables of this prefix too: Kubernetes gives every container `SEPTET_PORT`, when a service is
//! called septet. A variable that has no `__`, is no key, and looks like none is therefore left alone.

use ::config::Value;

use super::fault::{SettingError, SettingOrigin};
use super::keys::Paths;
use super::layers::Assignment;
use super::near::nearest;
use super::toml_lines;
use crate::rewrite::Profile;

/// The start of every variable's name.
const PREFIX: &str = "SEPTET_";

/// Variables that are read elsewhere: the log filter and the path of the settings.
const ELSEWHERE: [&str; 2] = ["log", "config"];

/// The most keys that a path may have; the longest, `profile.NAME.charset_alias.LABEL`, has four.
const DEPTH: usize = 6;

/// One option `--set KEY=VALUE` of the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetOption {
    /// The key's path as TOML writes it, or with a number in brackets: `limits.parts`, `listener.0.socket`,
    /// `listener[0].socket`, `profile.utf8.charset_alias."x.y"`.
    pub key: String,
    /// The value: a string with or without quotes, a number, a boolean, a list with commas, or TOML in brackets or
    /// braces.
    pub value: String,
}

/// Reads variables and options, and finds fault with them.
#[derive(Debug)]
pub struct Assigner<'a> {
    /// The paths of all keys.
    pub known: &'a Paths,
    /// The names of the profiles that the files have.
    pub profiles: Vec<String>,
    /// What is wrong.
    pub faults: Vec<SettingError>,
}

impl Assigner<'_> {
    /// Reads the environment; variables of other names are left alone.
    pub fn variables(&mut self, variables: impl IntoIterator<Item = (String, String)>) -> Vec<Assignment> {
        let mut ours: Vec<_> = variables.into_iter().filter(|(name, _)| name.starts_with(PREFIX)).collect();
        // A path goes before those below it, and an item of a list before the next one.
        ours.sort_by_cached_key(|(name, _)| in_order(name));
        ours.iter().filter_map(|(name, value)| self.variable(name, value)).collect()
    }

    /// Reads a variable, whose name must begin with [`PREFIX`]. None where it is read elsewhere, belongs to others, or
    /// is wrong, which adds a fault.
    fn variable(&mut self, name: &str, value: &str) -> Option<Assignment> {
        let word = name[PREFIX.len()..].to_lowercase();
        let path: Vec<String> = word.split("__").map(str::to_owned).collect();
        let known = self.known.is_root(&word);
        if path.len() == 1 && ELSEWHERE.contains(&word.as_str()) {
            return None;
        }
        if let Some(meant) =
            self.meant_by_underscores(&path, value).or_else(|| self.near_miss(&path).filter(|_| !known))
        {
            let what = format!("unknown variable; did you mean {PREFIX}{}?", meant.to_uppercase());
            self.faults.push(SettingError {
                origin: SettingOrigin::Variable(name.to_owned()),
                key: String::new(),
                what,
            });
            return None;
        }
        // As Kubernetes sets them.
        let foreign = path.len() == 1 && !known;
        if foreign { None } else { self.assign(path, value, &format!("environment {name}")) }
    }

    /// Finds what a variable means that has one underscore where two are meant, as `SEPTET_LIMITS_PARTS`.
    fn meant_by_underscores(&self, path: &[String], value: &str) -> Option<String> {
        let incomplete = match path {
            [word] => !self.known.is_root(word),
            // A value in brackets or braces may be all of a table that is meant.
            [table, _] => self.known.holds_tables(table) && !value.starts_with(['{', '[']),
            _ => false,
        };
        if incomplete { self.known.with_underscores(&path.join("_")) } else { None }
    }

    /// Finds the key or table of the root that a variable without `__` looks like.
    fn near_miss(&self, path: &[String]) -> Option<String> {
        match path {
            [word] => nearest(word, self.known.root()).map(str::to_owned),
            _ => None,
        }
    }

    /// Reads the command line's options.
    pub fn options(&mut self, options: &[SetOption]) -> Vec<Assignment> {
        options.iter().filter_map(|SetOption { key, value }| self.option(key, value)).collect()
    }

    /// Reads an option; none where it is wrong, which adds a fault.
    fn option(&mut self, key: &str, value: &str) -> Option<Assignment> {
        let quoted = key.contains(['"', '\'']);
        // What is no path is one without keys, which is none of ours.
        let path = if quoted { toml_lines::path(key).unwrap_or_default() } else { plain_path(key) };
        self.assign(path, value, &format!("--set {key}"))
    }

    /// Assigns what a text says to a path, in which the name of a profile may be written as a variable has it. None
    /// where the path or the value is wrong, which adds a fault.
    fn assign(&mut self, mut path: Vec<String>, text: &str, origin: &str) -> Option<Assignment> {
        if let [first, name, ..] = path.as_mut_slice()
            && first == "profile"
            && let Some(known) = self.profile_called(name)
        {
            *name = known;
        }
        let value = match path.len() {
            1..=DEPTH if !path.iter().any(String::is_empty) => read_value(text, origin),
            _ => Err("no path of a key; write TABLE.KEY".to_owned()),
        };
        match value {
            Ok(value) => Some(Assignment { path, value }),
            Err(what) => {
                self.faults.push(SettingError { origin: SettingOrigin::from(origin), key: path.join("."), what });
                None
            }
        }
    }

    /// Finds the profile that a variable or an option means: the one of this name, or else one that differs from it
    /// only in case and in `-`, `.` and `_`, of which a variable has `_` alone.
    fn profile_called(&self, name: &str) -> Option<String> {
        let mut all = self.profiles.iter().map(String::as_str).chain(Profile::BUILT_IN);
        let known = all.clone().find(|known| *known == name);
        known.or_else(|| all.find(|known| as_in_variable(known) == as_in_variable(name))).map(str::to_owned)
    }
}

/// Returns what variables are sorted by: the words of their path, of which numbers go by what they count.
fn in_order(name: &str) -> Vec<(Option<usize>, String)> {
    name.split("__").map(|word| (word.parse().ok(), word.to_owned())).collect()
}

/// Splits a path without quotes; `listener[0]` is `listener.0`.
fn plain_path(key: &str) -> Vec<String> {
    let key = key.replace('[', ".").replace(']', "");
    key.split('.').map(|segment| segment.trim().to_owned()).collect()
}

/// Reads a value as TOML where it starts like a string, a list or a table, and else takes it as it is.
fn read_value(text: &str, origin: &str) -> Result<Value, String> {
    if !text.starts_with(['[', '{', '"', '\'']) {
        return Ok(Value::new(Some(&origin.to_owned()), text));
    }
    toml_lines::value(text, origin)
        .map_err(|what| format!("{text:?} starts as TOML and isn't: {what}; put a string that starts so in quotes"))
}

/// Returns a profile's name as a variable may have it.
fn as_in_variable(name: &str) -> String {
    name.to_lowercase().replace(['-', '.'], "_")
}
