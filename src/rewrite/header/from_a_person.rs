//! What a person typed, as the value of a field.

use thiserror::Error;

use super::fold::{FoldError, ValueEdit};
use super::planned::ValuePlan;
use super::target::FieldTarget;
use super::value::FieldValue;
use crate::coding::charset::{self, Charset, Unmappable};
use crate::coding::encoded_word::{WordReader, is_control};
use crate::message::FieldKind;
use crate::rewrite::{EscapeForm, FileNames, HeaderForm, Repair};

/// Writes a text that a person typed as the value of a field, in encoded-words of a charset.
///
/// The name decides where words may stand: in the phrases and comments of an address field, anywhere in others.
/// What needs no word stays as it is; `=?` in the text is text, so it comes back when the value is read. Parameters
/// are written as RFC 2231 has them. `fold` is the line end of folds; without it, and where a value can't be folded, all
/// comes on one line. A charset in which no word may be is an error, whatever the text; so are a character that the charset
/// lacks, one for which the field has no place, and a control character: a line end would begin another field.
pub fn encode_value(name: &str, text: &str, charset: Charset, fold: Option<&str>) -> Result<String, NotWritten> {
    if !charset.shows_line_ends() {
        return Err(NotWritten::Wide(charset));
    }
    if let Some(offset) = text.find(is_control) {
        return Err(NotWritten::Control(offset));
    }
    let labels = charset::Labels::default();
    let reader = WordReader::new(&labels);
    let form = HeaderForm::Words;
    let escape = EscapeForm::Rfc5137;
    let target = FieldTarget {
        file_names: FileNames::Extended,
        named_beside: None,
        form,
        charset,
        escape,
        closest: None,
        reader,
        fold,
        literal: true,
        unescape: &[],
        once: true,
        undo_double: false,
        repair: Repair::Unreadable,
        keep_raw: false,
        most: None,
    };
    let indent = if name.is_empty() { 0 } else { name.len() + ": ".len() };
    let value = FieldValue { name: name.as_bytes(), value: text.as_bytes(), indent, target, addresses: None };
    let edits = value.plan_typed_text(&mut ValuePlan::default())?;
    let mut out = String::with_capacity(text.len() * 2);
    let mut at = 0;
    for (range, with) in edits {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push_str(&with);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    match out.char_indices().find(|(_, character)| !character.is_ascii()) {
        Some((_, character)) => Err(NotWritten::NoPlace(character)),
        None => Ok(out),
    }
}

/// Why a text can't be the value of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotWritten {
    /// No encoded-word may be in this charset: UTF-16 and UTF-32.
    #[error("{0} can't stand in encoded-words, for its ASCII is not ASCII's (RFC 2047 §3)")]
    Wide(Charset),
    /// A control character other than TAB stands at this offset, in octets; a line end is one.
    #[error("offset {0}: a control character can't stand in a field")]
    Control(usize),
    /// The charset lacks a character.
    #[error(transparent)]
    Lacking(#[from] Unmappable),
    /// A character stands where the field's grammar has no text, as in an address or an identifier.
    #[error("U+{:04X} stands where the field has no place for words", u32::from(*.0))]
    NoPlace(char),
}

impl FieldValue<'_> {
    /// Plans a text that a person typed; only the charset can refuse it. What can't be folded comes on one line;
    /// parameters that can't be folded, and what is too long at all, stay as they were typed.
    fn plan_typed_text(&self, planned: &mut ValuePlan) -> Result<Vec<ValueEdit>, Unmappable> {
        if FieldKind::of(self.name) == FieldKind::Parameters {
            return match self.parameter_edits(&[], planned) {
                Err(FoldError::Unmappable(lost)) => Err(lost),
                edits => Ok(edits.unwrap_or_default()),
            };
        }
        let folded = match self.plan_text(&self.target, planned) {
            Err(FoldError::LongLine) => FieldValue { target: FieldTarget { fold: None, ..self.target }, ..*self }
                .plan_text(&self.target, planned),
            other => other,
        };
        match folded {
            Ok(edits) => Ok(edits),
            Err(FoldError::Unmappable(lost)) => Err(lost),
            Err(FoldError::LongLine | FoldError::Outgrown) => Ok(Vec::new()),
        }
    }
}
