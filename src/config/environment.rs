//! Settings from the environment and from the command line.
//!
//! `SEPTET_LIMITS__PARTS=500` sets `limits.parts`: two underscores go one table down. A number counts in a
//! list, from 0: `SEPTET_LISTENER__0__SOCKET`. Variables have no `-`, so `SEPTET_PROFILE__SEVEN_BIT__IRIS`
//! means the profile `seven-bit`. A list is written with commas, or as TOML in brackets.
//!
//! Others own variables of this prefix too: Kubernetes gives every container `SEPTET_PORT`, when a service is
//! called septet. A variable that has no `__`, is no key, and looks like none is therefore left alone.

use super::fault::{Fault, Origin};
use super::near::nearest;
use super::parse;
use super::tree::{Node, Table, Value, set};
use crate::rewrite::BUILT_IN;

/// The start of every variable's name.
const PREFIX: &str = "SEPTET_";

/// Variables that are read elsewhere: the log filter and the path of the settings.
const ELSEWHERE: [&str; 2] = ["log", "config"];

/// Tables lie no deeper than this: `profile.NAME.charset_alias.LABEL`.
const DEPTH: usize = 6;

/// One option `--set KEY=VALUE` of the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetOption {
    /// The key's path, in TOML's way of writing it without quotes: `limits.parts`, `listener.0.socket`.
    pub key: String,
    /// The value: a string, a number, a boolean, a list with commas, or TOML in brackets or braces.
    pub value: String,
}

/// Lays the environment over `table`; `root` has the names of the root's keys.
pub fn overlay_environment(
    table: &mut Table,
    variables: impl IntoIterator<Item = (String, String)>,
    root: &[&'static str],
    faults: &mut Vec<Fault>,
) {
    let mut variables: Vec<_> = variables.into_iter().filter(|(name, _)| name.starts_with(PREFIX)).collect();
    variables.sort();
    for (name, value) in variables {
        let path: Vec<String> =
            name.get(PREFIX.len()..).unwrap_or_default().to_lowercase().split("__").map(str::to_owned).collect();
        let origin = Origin::Variable(name);
        match path.as_slice() {
            [word] if ELSEWHERE.contains(&word.as_str()) => {}
            [word] if !root.contains(&word.as_str()) => faults.extend(near_miss(word, origin, root)),
            _ => overlay(table, path, &value, origin, faults),
        }
    }
}

/// Finds fault with a variable that looks like a key and is none.
fn near_miss(word: &str, origin: Origin, root: &[&'static str]) -> Option<Fault> {
    let near = nearest(word, root.iter().copied())?;
    let what = format!("unknown variable; did you mean {PREFIX}{}?", near.to_uppercase());
    Some(Fault { origin, key: String::new(), what })
}

/// Lays the command line's options over `table`.
pub fn overlay_options(table: &mut Table, options: &[SetOption], faults: &mut Vec<Fault>) {
    for SetOption { key, value } in options {
        let path = key.split('.').map(|segment| segment.trim().to_owned()).collect();
        overlay(table, path, value, Origin::Option(format!("--set {key}={value}")), faults);
    }
}

fn overlay(table: &mut Table, mut path: Vec<String>, value: &str, origin: Origin, faults: &mut Vec<Fault>) {
    if path.len() > DEPTH || path.iter().any(String::is_empty) {
        faults.push(Fault { origin, key: path.join("."), what: "no path of a key; write TABLE.KEY".to_owned() });
        return;
    }
    if let [first, name, ..] = path.as_mut_slice()
        && first == "profile"
        && let Some(known) = profile_called(name, table)
    {
        *name = known;
    }
    let toml = value.starts_with(['[', '{']).then(|| parse::value(value, &origin)).flatten();
    let value = toml.unwrap_or_else(|| Value::Loose(value.to_owned()));
    set(table, &path, Node { origin, value });
}

/// Finds the profile that a variable means, whose name has no `-` and no case.
fn profile_called(name: &str, table: &Table) -> Option<String> {
    let plain = |name: &str| name.to_lowercase().replace(['-', '.'], "_");
    let configured = match table.get("profile").map(|node| &node.value) {
        Some(Value::Table(profiles)) => profiles.keys().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    let mut known = configured.into_iter().chain(BUILT_IN);
    known.find(|known| plain(known) == plain(name)).map(str::to_owned)
}
