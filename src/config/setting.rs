//! What a key may hold: each type reads itself from the tree, checks itself, and writes itself as TOML.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::de::value::StrDeserializer;
use serde::{Deserialize, Serialize};

use super::fault::Origin;
use super::near::nearest;
use super::reader::join;
use super::tree::{Node, Value};

/// A place that holds a key's value.
pub trait Setting {
    /// Takes the value of `node`, or tells `wrong` what is wrong with it and keeps the old one.
    fn read(&mut self, node: &Node, wrong: &mut dyn FnMut(&Origin, String));
    /// Gives the value as TOML; none for a key that is not set.
    fn write(&self) -> Option<toml::Value>;
}

/// A single value.
pub trait Single: Sized {
    /// Reads it; the error is a clause that says what is wrong.
    fn from_value(value: &Value) -> Result<Self, String>;
    /// Writes it.
    fn to_toml(&self) -> toml::Value;
}

impl<T: Single> Setting for T {
    fn read(&mut self, node: &Node, wrong: &mut dyn FnMut(&Origin, String)) {
        match T::from_value(&node.value) {
            Ok(value) => *self = value,
            Err(what) => wrong(&node.origin, what),
        }
    }

    fn write(&self) -> Option<toml::Value> {
        Some(self.to_toml())
    }
}

impl<T: Single> Setting for Option<T> {
    fn read(&mut self, node: &Node, wrong: &mut dyn FnMut(&Origin, String)) {
        match T::from_value(&node.value) {
            Ok(value) => *self = Some(value),
            Err(what) => wrong(&node.origin, what),
        }
    }

    fn write(&self) -> Option<toml::Value> {
        self.as_ref().map(T::to_toml)
    }
}

/// A list; one value stands for the list of it alone.
impl<T: Single> Setting for Vec<T> {
    fn read(&mut self, node: &Node, wrong: &mut dyn FnMut(&Origin, String)) {
        let mut read = |value: &Value, origin: &Origin| T::from_value(value).map_err(|what| wrong(origin, what)).ok();
        *self = match &node.value {
            Value::List(items) => items.iter().filter_map(|item| read(&item.value, &item.origin)).collect(),
            Value::Loose(text) => {
                let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
                words.filter_map(|word| read(&Value::Loose(word.to_owned()), &node.origin)).collect()
            }
            value => read(value, &node.origin).into_iter().collect(),
        };
    }

    fn write(&self) -> Option<toml::Value> {
        Some(toml::Value::Array(self.iter().map(T::to_toml).collect()))
    }
}

/// A table of one's own keys; what is read is added to what is there.
impl<T: Single> Setting for BTreeMap<String, T> {
    fn read(&mut self, node: &Node, wrong: &mut dyn FnMut(&Origin, String)) {
        let Value::Table(table) = &node.value else {
            return wrong(&node.origin, format!("{}; this is a table", node.value.type_name()));
        };
        for (key, item) in table {
            match T::from_value(&item.value) {
                Ok(value) => drop(self.insert(key.clone(), value)),
                Err(what) => wrong(&item.origin, format!("{}: {what}", join("", key))),
            }
        }
    }

    fn write(&self) -> Option<toml::Value> {
        Some(toml::Value::Table(self.iter().map(|(key, value)| (key.clone(), value.to_toml())).collect()))
    }
}

impl Single for String {
    fn from_value(value: &Value) -> Result<String, String> {
        match value {
            Value::Text(text) | Value::Loose(text) => Ok(text.clone()),
            other => Err(format!("{}; this is a string, in quotes", other.type_name())),
        }
    }

    fn to_toml(&self) -> toml::Value {
        toml::Value::String(self.clone())
    }
}

impl Single for PathBuf {
    fn from_value(value: &Value) -> Result<PathBuf, String> {
        match String::from_value(value)? {
            path if path.starts_with('/') => Ok(PathBuf::from(path)),
            path => Err(format!("{path:?} is no absolute path; it starts with /")),
        }
    }

    fn to_toml(&self) -> toml::Value {
        toml::Value::String(self.display().to_string())
    }
}

impl Single for bool {
    fn from_value(value: &Value) -> Result<bool, String> {
        match value {
            Value::Boolean(boolean) => Ok(*boolean),
            Value::Loose(text) if text == "true" => Ok(true),
            Value::Loose(text) if text == "false" => Ok(false),
            Value::Text(text) | Value::Loose(text) => Err(format!("{text:?}; this is true or false, without quotes")),
            other => Err(format!("{}; this is true or false", other.type_name())),
        }
    }

    fn to_toml(&self) -> toml::Value {
        toml::Value::Boolean(*self)
    }
}

/// A count, at least 1.
impl Single for usize {
    fn from_value(value: &Value) -> Result<usize, String> {
        let number = match value {
            Value::Integer(integer) => usize::try_from(*integer).ok(),
            Value::Loose(text) => text.replace('_', "").parse().ok(),
            other => return Err(format!("{}; this is a number, without quotes", other.type_name())),
        };
        number.filter(|&number| number > 0).ok_or_else(|| "a count is a whole number, 1 or more".to_owned())
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

    fn unknown_variant(wrong: &str, good: &'static [&'static str]) -> WrongWord {
        let near = nearest(wrong, good.iter().copied()).map(|word| format!("; did you mean {word:?}?"));
        WrongWord(format!("{wrong:?} is none of {}{}", good.join(", "), near.unwrap_or_default()))
    }
}

/// Makes settings of types that serde reads from a word.
macro_rules! words {
    ($($word:ty),* $(,)?) => {$(
        impl $crate::config::setting::Single for $word {
            fn from_value(value: &$crate::config::tree::Value) -> Result<$word, String> {
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
        impl $crate::config::setting::Single for $string {
            fn from_value(value: &$crate::config::tree::Value) -> Result<$string, String> {
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
