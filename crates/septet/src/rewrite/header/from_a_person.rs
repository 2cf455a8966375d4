//! What a person typed, as the value of a field.

use thiserror::Error;

use super::planned::{Refused, ValuePlan, applied};
use super::target::FieldTarget;
use super::value::FieldValue;
use crate::coding::charset::{Charset, MappingError};
use crate::coding::encoded_word::{WordReader, field_octets, is_control};
use crate::message::FieldKind;
use crate::rewrite::ensure::ensure;
use crate::rewrite::survey::evidence::beside::Beside;
use crate::rewrite::{HeaderForm, Profile, Reason};

/// Writes a text that a person typed as the value of a field, in encoded-words of a charset.
///
/// The name decides where words may stand: in the phrases and comments of an address field, anywhere in others. What
/// needs no word stays as it is; `=?` in the text is text, so it comes back when the value is read. Parameters are
/// written as RFC 2231 has them. `fold` is the line end of folds; without it, and where a value can't be folded, all
/// comes on one line. A charset in which no word may be is an error, whatever the text; so are a character that the
/// charset lacks, one for which the field has no place, and a control character: a line end would begin another field.
/// Neither the gate of all the value nor the proof is asked, which concern what readers made of it before.
pub fn encode_value(name: &str, text: &str, charset: Charset, fold: Option<&str>) -> Result<String, EncodeError> {
    ensure(charset.shows_line_ends(), EncodeError::Wide(charset))?;
    if let Some(offset) = text.find(is_control) {
        return Err(EncodeError::Control(offset));
    }
    let profile = Profile::default();
    let reader = WordReader::new(&profile.labels);
    let (form, reading) = (HeaderForm::Words, FieldTarget::reading(&profile, Beside::default()));
    let target = FieldTarget { form, charset, reader, fold, literal: true, ..reading };
    let indent = if name.is_empty() { 0 } else { name.len() + ": ".len() };
    let value = FieldValue { name: name.as_bytes(), value: text.as_bytes(), indent, target };
    let planned = match planned(&value) {
        Err(Refused { why: Reason::LongLine, .. }) => {
            self::planned(&FieldValue { target: FieldTarget { fold: None, ..target }, ..value })
        }
        planned => planned,
    };
    if let Err(Refused { why: Reason::Loss(_), .. }) = planned {
        field_octets(charset, text)?;
    }
    let octets = planned.ok().and_then(|planned| applied(&planned.edits, text.as_bytes()));
    let written = octets.and_then(|octets| String::from_utf8(octets).ok()).unwrap_or_else(|| text.to_owned());
    match written.chars().find(|character| !character.is_ascii()) {
        Some(character) => Err(EncodeError::NoPlace(character)),
        None => Ok(written),
    }
}

/// Plans a value as parameters or as text, by the kind of its field. Refused is what can't be laid out: a line would be
/// too long ([`encode_value`] tries again without folds), or the charset lacks a character.
fn planned(value: &FieldValue) -> Result<ValuePlan, Refused> {
    match FieldKind::of(value.name) {
        FieldKind::Parameters => value.plan_parameters(None),
        _ => value.plan_text(&value.target),
    }
}

/// Why a text can't be the value of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// No encoded-word may be in this charset: UTF-16 and UTF-32.
    #[error("{0} can't stand in encoded-words, for its ASCII is not ASCII's (RFC 2047 §3)")]
    Wide(Charset),
    /// A control character other than TAB stands at this offset, in octets; a line end is one.
    #[error("offset {0}: a control character can't stand in a field")]
    Control(usize),
    /// The charset lacks a character.
    #[error(transparent)]
    Lacking(#[from] MappingError),
    /// A character stands where the field's grammar has no text, as in an address or an identifier.
    #[error("U+{:04X} stands where the field has no place for words", u32::from(*.0))]
    NoPlace(char),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_that_can_not_be_folded_come_on_one_line() {
        let text = format!("attachment; filename=é; x=\"{}\"", "a".repeat(1000));
        let written = encode_value("Content-Disposition", &text, Charset::UTF_8, Some("\r\n"));
        assert!(written.as_ref().is_ok_and(|written| written.is_ascii()), "{written:?}");
        assert_eq!(written, encode_value("Content-Disposition", &text, Charset::UTF_8, None));
    }
}
