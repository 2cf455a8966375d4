//! What a key may hold: each type reads itself from the tree, checks itself, and writes itself as TOML.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ::config::{Value, ValueKind};
use serde::de::value::StrDeserializer;
use serde::{Deserialize, Serialize};

use super::near::nearest;
use super::value::{join, loose_text, shown, written};

/// A place that holds a key's value.
pub trait Setting {
    /// Takes a value. Where it is wrong it tells `wrong` what is, and with which item of it, and keeps the old value;
    /// of a list or a table it takes the items that are right.
    fn read(&mut self, value: &Value, wrong: &mut dyn FnMut(&Value, String));
    /// Returns the value as TOML; none for a key that is not set.
    fn write(&self) -> Option<toml::Value>;
}

/// A single value.
pub trait SettingValue: Sized {
    /// Reads it; the error is a clause that says what is wrong. Text of the environment or the command line that is no
    /// TOML is a string whatever it stands for (`is_loose`), so that whoever reads no string takes that as well.
    fn from_value(value: &Value) -> Result<Self, String>;
    /// Writes it.
    fn to_toml(&self) -> toml::Value;
}

impl<T: SettingValue> Setting for T {
    fn read(&mut self, value: &Value, wrong: &mut dyn FnMut(&Value, String)) {
        match T::from_value(value) {
            Ok(read) => *self = read,
            Err(what) => wrong(value, what),
        }
    }

    fn write(&self) -> Option<toml::Value> {
        Some(self.to_toml())
    }
}

impl<T: SettingValue> Setting for Option<T> {
    fn read(&mut self, value: &Value, wrong: &mut dyn FnMut(&Value, String)) {
        match T::from_value(value) {
            Ok(read) => *self = Some(read),
            Err(what) => wrong(value, what),
        }
    }

    fn write(&self) -> Option<toml::Value> {
        self.as_ref().map(T::to_toml)
    }
}

/// A list; one value stands for the list of it alone, and a loose text for its words between commas. What can be read
/// replaces the old list, even where no item is right: settings with a fault are never used.
impl<T: SettingValue> Setting for Vec<T> {
    fn read(&mut self, value: &Value, wrong: &mut dyn FnMut(&Value, String)) {
        let mut read = |item: &Value| T::from_value(item).map_err(|what| wrong(item, what)).ok();
        *self = match (&value.kind, loose_text(value)) {
            (ValueKind::Array(items), _) => items.iter().filter_map(read).collect(),
            (_, Some(text)) => {
                let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
                words.filter_map(|word| read(&loose_word(value, word))).collect()
            }
            _ => read(value).into_iter().collect(),
        };
    }

    fn write(&self) -> Option<toml::Value> {
        Some(toml::Value::Array(self.iter().map(T::to_toml).collect()))
    }
}

/// A list that may be absent; an empty one is refused, for whoever wrote it meant something by it.
impl<T: SettingValue> Setting for Option<Vec<T>> {
    fn read(&mut self, value: &Value, wrong: &mut dyn FnMut(&Value, String)) {
        let (mut items, mut faults) = (Vec::new(), 0);
        items.read(value, &mut |item, what| {
            faults += 1;
            wrong(item, what);
        });
        match items.is_empty() {
            true if faults == 0 => wrong(value, "an empty list; leave the key out".to_owned()),
            _ => *self = Some(items),
        }
    }

    fn write(&self) -> Option<toml::Value> {
        self.as_ref().and_then(Setting::write)
    }
}

/// A table of one's own keys; what is read is added to what is there.
impl<T: SettingValue> Setting for BTreeMap<String, T> {
    fn read(&mut self, value: &Value, wrong: &mut dyn FnMut(&Value, String)) {
        let ValueKind::Table(table) = &value.kind else {
            return wrong(value, format!("{}; write a table, as {{ key = \"value\" }}", shown(value)));
        };
        for (key, item) in table {
            match T::from_value(item) {
                Ok(read) => drop(self.insert(key.clone(), read)),
                Err(what) => wrong(item, format!("{}: {what}", join("", key))),
            }
        }
    }

    fn write(&self) -> Option<toml::Value> {
        Some(toml::Value::Table(self.iter().map(|(key, value)| (key.clone(), value.to_toml())).collect()))
    }
}

/// Makes a loose value of one word of a loose value.
fn loose_word(value: &Value, word: &str) -> Value {
    Value::new(value.origin().map(str::to_owned).as_ref(), word)
}

impl SettingValue for String {
    fn from_value(value: &Value) -> Result<String, String> {
        match &value.kind {
            ValueKind::String(text) => Ok(text.clone()),
            _ => Err(format!("{}; write a string, in quotes", shown(value))),
        }
    }

    fn to_toml(&self) -> toml::Value {
        toml::Value::String(self.clone())
    }
}

impl SettingValue for PathBuf {
    fn from_value(value: &Value) -> Result<PathBuf, String> {
        match String::from_value(value)? {
            path if path.starts_with('/') => Ok(PathBuf::from(path)),
            path => Err(format!("{path:?} is not an absolute path: it must start with /")),
        }
    }

    fn to_toml(&self) -> toml::Value {
        toml::Value::String(self.display().to_string())
    }
}

impl SettingValue for bool {
    fn from_value(value: &Value) -> Result<bool, String> {
        match (&value.kind, loose_text(value)) {
            (ValueKind::Boolean(boolean), _) => Ok(*boolean),
            (_, Some("true")) => Ok(true),
            (_, Some("false")) => Ok(false),
            (_, Some(text)) => Err(format!("{text:?} is neither; write true or false")),
            _ => Err(format!("{}; write true or false, without quotes", shown(value))),
        }
    }

    fn to_toml(&self) -> toml::Value {
        toml::Value::Boolean(*self)
    }
}

/// A count, at least 1.
impl SettingValue for usize {
    fn from_value(value: &Value) -> Result<usize, String> {
        let number = match (&value.kind, loose_text(value)) {
            (ValueKind::I64(integer), _) => usize::try_from(*integer).ok(),
            (_, Some(text)) => text.replace('_', "").parse().ok(),
            _ => return Err(format!("{}; write a whole number, without quotes", shown(value))),
        };
        number
            .filter(|&number| number > 0)
            .ok_or_else(|| format!("{} is not a valid count; write a whole number, 1 or more", written(value)))
    }

    fn to_toml(&self) -> toml::Value {
        toml::Value::Integer(i64::try_from(*self).unwrap_or(i64::MAX))
    }
}

/// Reads a word that a type with a serde derive knows; the error has the list of good ones.
pub fn word<T: for<'de> Deserialize<'de>>(value: &Value) -> Result<T, String> {
    let text = String::from_value(value)?;
    T::deserialize(StrDeserializer::<WrongWord>::new(&text)).map_err(|error| error.0)
}

/// Writes such a word.
pub fn word_to_toml<T: Serialize>(word: &T) -> toml::Value {
    toml::Value::try_from(word).unwrap_or_else(|_| toml::Value::String(String::new()))
}

/// What serde says of a word that no variant has.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct WrongWord(String);

impl serde::de::Error for WrongWord {
    fn custom<T: std::fmt::Display>(message: T) -> WrongWord {
        WrongWord(message.to_string())
    }

    /// Says which words there are. Keys that take some other words than their type has, such as those of
    /// [`OwnFault`](super::action::OwnFault), replace them in this text: the list must stay in it, with commas, in
    /// order.
    fn unknown_variant(wrong: &str, good: &'static [&'static str]) -> WrongWord {
        let near = nearest(wrong, good.iter().copied());
        let near = near.map_or_else(String::new, |word| format!("; did you mean {word:?}?"));
        WrongWord(format!("{wrong:?} is none of {}{near}", good.join(", ")))
    }
}

/// Makes settings of types that serde reads from a word.
macro_rules! words {
    ($($word:ty),* $(,)?) => {$(
        impl $crate::config::setting::SettingValue for $word {
            fn from_value(value: &::config::Value) -> Result<$word, String> {
                $crate::config::setting::word(value)
            }

            fn to_toml(&self) -> toml::Value {
                $crate::config::setting::word_to_toml(self)
            }
        }
    )*};
}

/// Makes settings of types that are written as a string, with `FromStr` and `Display`.
macro_rules! strings {
    ($($string:ty),* $(,)?) => {$(
        impl $crate::config::setting::SettingValue for $string {
            fn from_value(value: &::config::Value) -> Result<$string, String> {
                let text = String::from_value(value)?;
                text.parse().map_err(|error| format!("{text:?}: {error}"))
            }

            fn to_toml(&self) -> toml::Value {
                toml::Value::String(self.to_string())
            }
        }
    )*};
}

pub(super) use {strings, words};
