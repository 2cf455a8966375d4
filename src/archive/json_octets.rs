//! Octets in JSON: as text where they are UTF-8, which is what nearly all are, else as a list of numbers.

use serde::{Deserialize, Serialize};

/// Octets that can be written as JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "TextOrOctets", into = "TextOrOctets")]
pub struct JsonOctets(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum TextOrOctets {
    Text(String),
    Octets(Vec<u8>),
}

impl From<JsonOctets> for TextOrOctets {
    fn from(octets: JsonOctets) -> TextOrOctets {
        String::from_utf8(octets.0).map_or_else(|error| TextOrOctets::Octets(error.into_bytes()), TextOrOctets::Text)
    }
}

impl From<TextOrOctets> for JsonOctets {
    fn from(written: TextOrOctets) -> JsonOctets {
        match written {
            TextOrOctets::Text(text) => JsonOctets(text.into_bytes()),
            TextOrOctets::Octets(octets) => JsonOctets(octets),
        }
    }
}
