//! What `config`'s values are to us: where they were made, what their paths are, and whether they were written as TOML.

use ::config::{Value, ValueKind};

use super::fault::SettingOrigin;

/// Returns where a value was made.
pub fn origin_of(value: &Value) -> SettingOrigin {
    // A value has one, but for those that tests make.
    SettingOrigin::from(value.origin().unwrap_or_default())
}

/// Returns `true` if a value is text of the environment or the command line that is no TOML: it stands for a string, a
/// number, a boolean or a list. What was written as TOML has a line, wherever it stands.
pub fn is_loose(value: &Value) -> bool {
    let line = value.origin().and_then(|origin| origin.rsplit_once(':')).map(|(_, line)| line);
    line.is_none_or(|line| line.parse::<usize>().is_err())
}

/// Returns the text of a loose value.
pub fn loose_text(value: &Value) -> Option<&str> {
    match &value.kind {
        ValueKind::String(text) if is_loose(value) => Some(text),
        _ => None,
    }
}

/// Joins a table's path and a key: as TOML writes it, quotes included.
pub fn join(path: &str, key: &str) -> String {
    let bare = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    let key = if bare { key.to_owned() } else { format!("{key:?}") };
    if path.is_empty() { key } else { format!("{path}.{key}") }
}

/// Shows a value that is of a wrong type: `7 is an integer`, or `this is a list`.
pub fn shown(value: &Value) -> String {
    format!("{} is {}", written(value), type_name(value))
}

/// Writes a single value as TOML does, and `this` for any other.
pub fn written(value: &Value) -> String {
    match &value.kind {
        ValueKind::String(text) => format!("{text:?}"),
        ValueKind::I64(_) | ValueKind::Boolean(_) | ValueKind::Float(_) => value.to_string(),
        _ => "this".to_owned(),
    }
}

/// Names the type, as a message about a wrong one does.
fn type_name(value: &Value) -> &'static str {
    match &value.kind {
        ValueKind::String(_) => "a string",
        ValueKind::I64(_) => "an integer",
        ValueKind::I128(_) | ValueKind::U64(_) | ValueKind::U128(_) => "an integer beyond 64 bits",
        ValueKind::Boolean(_) => "a boolean",
        ValueKind::Float(_) => "a number with a fraction",
        ValueKind::Nil => "a date",
        ValueKind::Array(_) => "a list",
        ValueKind::Table(_) => "a table",
    }
}
