//! What a page shows of a message besides the decisions: its day, its subject, and samples of what changed.

use memchr::memchr;
use serde::{Deserialize, Serialize};

use super::date::{Day, day};
use super::sums::Total;
use super::taken::Taken;
use crate::coding::encoded_word::unfold;
use crate::process::sample::field_text;

/// The octets of a field that are looked at.
const LONGEST: usize = 2000;

/// The characters of a subject that are shown.
const SUBJECT: usize = 160;

/// What a page shows of a message.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Glimpse {
    /// Its day, where its Date says one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<Day>,
    /// Its subject, decoded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Samples of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<Taken>,
    /// Its file and what became of it, where that is one message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<OwnFile>,
}

/// A file that is one message, and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OwnFile {
    /// The number of its piece of work.
    pub piece: usize,
    /// The name of its output; empty where nothing is written.
    pub output: String,
    /// Its octets as they were.
    pub before: Total,
    /// Its octets as they are.
    pub after: Total,
}

impl Glimpse {
    /// Takes the day of a message, and its subject if that is `wanted`.
    pub fn of(message: &[u8], wanted: bool) -> Glimpse {
        let day = field(message, b"date").and_then(|value| day(&value));
        let subject = wanted.then(|| field(message, b"subject")).flatten();
        Glimpse { day, subject: subject.as_deref().and_then(subject_text), ..Glimpse::default() }
    }
}

fn subject_text(value: &[u8]) -> Option<String> {
    let text = field_text(value)?;
    let cut = text.char_indices().nth(SUBJECT).map(|(at, _)| at);
    Some(cut.map_or_else(|| text.clone(), |at| format!("{}…", &text[..at])))
}

/// Finds a field of a message's header, unfolded; linear in the header.
fn field(message: &[u8], name: &[u8]) -> Option<Vec<u8>> {
    let mut rest = message;
    while !rest.is_empty() {
        let end = memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let line = &rest[..end];
        if line.trim_ascii().is_empty() && !matches!(line.first(), Some(b' ' | b'\t')) {
            return None;
        }
        if is_named(line, name) {
            let value = &rest[name.len()..whole(rest, end).min(LONGEST + name.len()).max(name.len())];
            let value = value.iter().position(|octet| *octet == b':').map(|at| &value[at + 1..])?;
            return Some(unfold(value.trim_ascii()).into_owned());
        }
        rest = &rest[end..];
    }
    None
}

fn is_named(line: &[u8], name: &[u8]) -> bool {
    let Some((start, after)) = line.split_at_checked(name.len()) else { return false };
    start.eq_ignore_ascii_case(name) && after.trim_ascii_start().starts_with(b":")
}

/// Returns where the field that starts here ends, its folded lines included.
fn whole(rest: &[u8], mut end: usize) -> usize {
    while matches!(rest.get(end), Some(b' ' | b'\t')) && end < LONGEST {
        end += memchr(b'\n', &rest[end..]).map_or(rest.len() - end, |at| at + 1);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subject_and_day_stand_in_the_header_alone() {
        for (message, subject, day) in [
            ("Subject: =?utf-8?q?caf=C3=A9?=\nDate: 2 Apr 2003\n\n", "café", "2003-04-02"),
            ("SUBJECT :x\r\n y\r\ndate:\r\n 2 Apr\r\n 2003\r\n\r\n", "x y", "2003-04-02"),
            ("A: b\n\nSubject: x\nDate: 2 Apr 2003\n", "", ""),
            ("Subject", "", ""),
            ("Subject:", "", ""),
            ("Subjects: x\n", "", ""),
            ("Subject: a\n\nb", "a", ""),
        ] {
            let glimpse = Glimpse::of(message.as_bytes(), true);
            assert_eq!(glimpse.subject.unwrap_or_default(), subject, "{message:?}");
            assert_eq!(glimpse.day.map(|day| day.to_string()).unwrap_or_default(), day, "{message:?}");
        }
        let long = format!("Subject: {}\n\n", "é ".repeat(5000));
        assert_eq!(Glimpse::of(long.as_bytes(), true).subject.map(|text| text.chars().count()), Some(SUBJECT + 1));
        assert_eq!(Glimpse::of(long.as_bytes(), false).subject, None);
    }
}
