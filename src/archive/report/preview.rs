//! What a page shows of a message besides the decisions: its day, its subject, and samples of what changed.

use mail_parser::DateTime;
use serde::{Deserialize, Serialize};

use super::raw_field::raw_field;
use super::stored_sample::StoredSample;
use crate::archive::sums::Checksum;
use crate::coding::encoded_word::unfold;
use crate::coding::evidence::readings;
use crate::process::sample::field_text;
use crate::rewrite::Report;

/// How many octets of a field are looked at.
const LONGEST: usize = 4000;

/// How many characters of a subject are shown.
const SUBJECT: usize = 160;

/// How many characters of a sender are shown.
const SENDER: usize = 80;

/// What a page shows of a message.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Preview {
    /// Its day, where its Date says one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<String>,
    /// Its subject, decoded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The charset that its subject may be in, where nobody knows for sure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub may_be: Option<String>,
    /// Who wrote it, decoded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender: Option<String>,
    /// Samples of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<StoredSample>,
    /// The number of its piece of work.
    pub piece: usize,
    /// Its file and what became of it, where that is one message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<OwnFile>,
}

/// A file that is one message, and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OwnFile {
    /// The name of its output; empty where nothing is written.
    pub output: String,
    /// Its octets as they were.
    pub before: Checksum,
    /// Its octets as they are.
    pub after: Checksum,
}

impl Preview {
    /// Takes that of a message of which something was decided, as it was and as it is `now`, where it changed; of any
    /// other nothing is shown.
    pub fn of_decided(report: &Report, message: &[u8], now: Option<&[u8]>) -> Preview {
        if report.entries.is_empty() { Preview::default() } else { Preview::of(message).or_of(now) }
    }

    /// Takes day, subject and sender of a message.
    pub fn of(message: &[u8]) -> Preview {
        let day = field(message, b"date").and_then(|value| day(&value));
        let text = |name: &[u8], longest| field(message, name).as_deref().and_then(|value| text_of(value, longest));
        let (subject, may_be) = text(b"subject", SUBJECT).unzip();
        let sender = text(b"from", SENDER).map(|(text, _)| text);
        Preview { day, subject, may_be: may_be.flatten(), sender, ..Preview::default() }
    }

    /// Takes subject and sender from the message as it is `now`, if the charset of the subject had to be guessed
    /// before, and need not be now.
    fn or_of(self, now: Option<&[u8]>) -> Preview {
        let guessed = self.may_be.is_some();
        let Some(now) = now.filter(|_| guessed).map(Preview::of) else { return self };
        if now.may_be.is_some() {
            self
        } else {
            Preview { subject: now.subject, sender: now.sender, may_be: None, ..self }
        }
    }
}

/// Returns the day that a Date says, as `2003-04-02`; none where it can't be read.
fn day(value: &[u8]) -> Option<String> {
    let date = DateTime::parse_rfc822(&String::from_utf8_lossy(value)).filter(DateTime::is_valid)?;
    Some(format!("{}-{:02}-{:02}", date.year, date.month, date.day))
}

/// Reads a value as a person does, cut to `longest` characters; one that is no UTF-8 in the charset that it likeliest
/// is in, which is returned with it. None where there is nothing to read.
fn text_of(value: &[u8], longest: usize) -> Option<(String, Option<String>)> {
    let guess = if str::from_utf8(value).is_ok() { None } else { readings(value).first().copied() };
    let read = guess.and_then(|charset| charset.decode(value).ok());
    let text = field_text(read.as_deref().map_or(value, str::as_bytes))?;
    let cut = text.char_indices().nth(longest).map(|(at, _)| at);
    let text = cut.map_or_else(|| text.clone(), |at| format!("{}…", &text[..at]));
    Some((text, guess.map(|charset| charset.name().to_owned())))
}

/// Finds the first field of this name in a message's header, unfolded; none where there is none. Linear in the header.
/// A long one is cut at a blank, so that no encoded-word is, or where it has none between two characters.
fn field(message: &[u8], name: &[u8]) -> Option<Vec<u8>> {
    let value = raw_field(message, name)?.trim_ascii();
    let kept = value.get(..LONGEST).map_or(value.len(), end_of_whole);
    Some(unfold(&value[..kept]).into_owned())
}

/// Returns where the last word ends that is whole in what is left of a text; where there is no blank, the last
/// character.
fn end_of_whole(start: &[u8]) -> usize {
    let cut_character = str::from_utf8(start).err().filter(|error| error.error_len().is_none());
    let end = cut_character.map_or(start.len(), |error| error.valid_up_to());
    start.iter().rposition(u8::is_ascii_whitespace).unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subject_and_day_stand_in_the_header_alone() {
        for (message, subject, day) in [
            ("Subject: =?utf-8?q?caf=C3=A9?=\nDate: 2 Apr 2003 10:00:00 +0200\n\n", "café", "2003-04-02"),
            ("SUBJECT :x\r\n y\r\ndate:\r\n 2 Apr\r\n 2003 10:00:00 GMT\r\n\r\n", "x y", "2003-04-02"),
            ("A: b\n\nSubject: x\nDate: 2 Apr 2003\n", "", ""),
            ("Subject", "", ""),
            ("Subject:", "", ""),
            ("Subjects: x\n", "", ""),
            ("Subject: a\n\nb", "a", ""),
        ] {
            let preview = Preview::of(message.as_bytes());
            assert_eq!(preview.subject.unwrap_or_default(), subject, "{message:?}");
            assert_eq!(preview.day.unwrap_or_default(), day, "{message:?}");
        }
        let raw =
            Preview::of(b"Subject: \xdcberweisung f\xfcr M\xe4rz\nFrom: =?utf-8?q?J=C3=BCrgen?= <j@example.org>\n\n");
        assert_eq!(raw.subject.as_deref(), Some("Überweisung für März"));
        assert_eq!(
            (raw.may_be.as_deref(), raw.sender.as_deref()),
            (Some("windows-1252"), Some("Jürgen <j@example.org>"))
        );
        let now = raw.clone().or_of(Some("Subject: Überweisung\n\n".as_bytes()));
        assert_eq!((now.subject.as_deref(), now.may_be), (Some("Überweisung"), None));
        let long = format!("Subject: {}\n\n", "é ".repeat(5000));
        assert_eq!(Preview::of(long.as_bytes()).subject.map(|text| text.chars().count()), Some(SUBJECT + 1));
        let words =
            format!("Subject:{}\n\n", " =?utf-8?B?8J+YgPCfmIDwn5iA8J+YgPCfmIDwn5iA8J+YgPCfmIA=?=\n".repeat(100));
        let subject = Preview::of(words.as_bytes()).subject.expect("a subject");
        assert!(subject.trim_end_matches('…').chars().all(|character| character == '😀'), "{subject}");
        // Without a blank nothing was left, or half a character.
        for text in ["é".repeat(3000), format!("a{}", "é".repeat(3000))] {
            let preview = Preview::of(format!("Subject: {text}\n\n").as_bytes());
            let shown = preview.subject.expect("a subject");
            assert!(text.starts_with(shown.trim_end_matches('…')) && preview.may_be.is_none(), "{shown}");
            assert_eq!(shown.chars().count(), SUBJECT + 1);
        }
    }
}
