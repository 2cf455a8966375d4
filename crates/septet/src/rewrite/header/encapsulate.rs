//! Fields that no downgrading saves: their text moves to `Downgraded-NAME`, an unstructured field (RFC 6857 §3.1.10).
//!
//! An identifier in raw UTF-8 has no other form: `Message-ID: <jü@example.org>` is gone for who can't read UTF-8, and
//! `Downgraded-Message-ID: =?utf-8?Q?=3Cj=C3=BC=40example=2Eorg=3E?=` says what it was. So do links, results of checks
//! and all other fields of which every octet is grammar. A field of a delivery report becomes such text where it stands
//! (RFC 6533 §4).

use super::HeaderPlanner;
use super::ascii::behind_type;
use super::downgrade::LIST_ID;
use super::item::is_solid;
use super::planned::{TWO_CHANGES, applied};
use super::proof::is_same_text;
use super::target::FieldTarget;
use super::value::FieldValue;
use crate::coding::evidence::Origin;
use crate::message::{Field, FieldKind, FieldNames, SIZES};
use crate::rewrite::{Change, Reason};

/// What stands before the name of a field that was moved.
pub const DOWNGRADED: &str = "Downgraded-";

/// The fields that MIME can't do without, and those that `sizes.rs` takes out.
const STAYS: FieldNames = FieldNames::of("Content-Transfer-Encoding MIME-Version").and(SIZES);

/// Returns `true` if a field is one that may be moved, by its name: every octet of it is grammar, or it is List-ID, and
/// it is none of those that stay.
pub fn is_encapsulable(name: &[u8]) -> bool {
    !STAYS.names(name) && (FieldKind::of(name).shows_no_text() || LIST_ID.names(name))
}

/// The field that another one is moved to.
pub(in crate::rewrite) struct MovedField {
    /// Its name, `Downgraded-NAME`.
    pub name: String,
    /// All of it, with its line end.
    pub line: String,
    /// Its value, which is proved to say what the other one's said.
    pub proved: Box<[u8]>,
}

impl HeaderPlanner<'_> {
    /// Returns the field that says what a field of the header says; the error is the reason for which there is none.
    /// Whether the field may be moved, and how long the new one may be, is for the caller to see.
    pub(in crate::rewrite) fn encapsulated(&self, field: &Field) -> Result<MovedField, Reason> {
        let name = format!("{DOWNGRADED}{}", String::from_utf8_lossy(self.message.slice(field.name)));
        let text = self.encode_as_unstructured(field, name.len())?;
        let line = format!("{name}: {text}{}", self.message.line_end_at(field.line.start).as_str());
        Ok(MovedField { name, line, proved: text.into_bytes().into() })
    }

    /// Returns the value of a report's field as unstructured text in ASCII behind its type, and what was done; the
    /// error is the reason for which it can't be written so. The value must be no host and no address that has [a form
    /// of its own](super::own_ascii_form), and not be ASCII. No line is measured: that all of the report fits is for
    /// the caller to check.
    pub fn downgrade_report_text(&self, field: &Field) -> Result<(String, Change), Reason> {
        let value = self.message.slice(field.value);
        let behind = behind_type(self.message, field);
        let kind = String::from_utf8_lossy(value[..behind.value.start - field.value.start].trim_ascii());
        let space = if kind.is_empty() { "" } else { " " };
        let text = self.encode_as_unstructured(&behind, field.name.len() + kind.len() + space.len())?;
        let to = FieldTarget::writing(self.profile, self.beside, "").name();
        Ok((format!(" {kind}{space}{text}"), Change::Word { from: Origin::raw(None), to }))
    }

    /// Returns the value of a field, without the white space around it, in ASCII as the text of an unstructured field,
    /// in which nothing reads as a word that was none. `length` is how many octets will stand before it on its line, `:
    /// ` not counted. What is returned was proved to say the same; the error is the reason for which the value can't be
    /// written so.
    fn encode_as_unstructured(&self, field: &Field, length: usize) -> Result<String, Reason> {
        let HeaderPlanner { message, profile, beside } = *self;
        let (value, indent) = (message.slice(field.value), length + ": ".len());
        let fold = message.line_end_at(field.line.start).as_str();
        // What RFC 5322 knows as white space stands around it: a form feed is a control character.
        let start = value.iter().position(is_solid).unwrap_or(value.len());
        let value = &value[start..value.iter().rposition(is_solid).map_or(start, |last| last + 1)];
        // The caller measures what comes out.
        let target = FieldTarget { literal: true, most: None, ..FieldTarget::writing(profile, beside, fold) };
        // The name says that it is text, whatever the field is: its own may promise an address with its type.
        let planned = FieldValue { name: b"Diagnostic-Code", value, indent, target }.plan(None);
        let written = applied(&planned.edits, value).ok_or(TWO_CHANGES)?;
        match (planned.left.into_iter().next(), String::from_utf8(written)) {
            (Some(reason), _) => Err(reason),
            (None, Ok(text)) if text.is_ascii() && is_same_text(value, text.as_bytes(), profile, beside) => Ok(text),
            _ => Err(Reason::Stray),
        }
    }
}
