//! Fields that no downgrading saves: their text moves to `Downgraded-NAME`, an unstructured field (RFC 6857 §3.1.10).
//!
//! An identifier in raw UTF-8 has no other form: `Message-ID: <jü@example.org>` is gone for who can't read UTF-8, and
//! `Downgraded-Message-ID: =?utf-8?Q?=3Cj=C3=BC=40example=2Eorg=3E?=` says what it was. So do links, results of checks
//! and all other fields of which every octet is grammar.

use super::downgrade::LIST_ID;
use super::planned::TWO_CHANGES;
use super::proof::is_same_text;
use super::proved::ProvedValue;
use super::target::FieldTarget;
use super::value::FieldValue;
use super::with_target;
use crate::edit::EditList;
use crate::message::{Field, FieldKind, FieldNames, Message, SIZES};
use crate::rewrite::survey::evidence::beside::Beside;
use crate::rewrite::{Profile, Reason};

/// What stands before the name of a field that was moved.
pub const DOWNGRADED: &str = "Downgraded-";

/// The fields that MIME can't do without, and those that `sizes.rs` takes out.
const STAYS: FieldNames = FieldNames::of("Content-Transfer-Encoding MIME-Version").and(SIZES);

/// Returns `true` if a field is one that may be moved, by its name: every octet of it is grammar, or it is List-ID, and
/// it is none of those that stay.
pub fn is_encapsulable(name: &[u8]) -> bool {
    !STAYS.names(name) && (FieldKind::of(name).shows_no_text() || LIST_ID.names(name))
}

/// Returns the field `Downgraded-NAME` that says what another one said, with its line end, and its value, which is proved
/// to say that; the error is the reason for which there is none. Whether the field may be moved, and how long the new one
/// may be, is for the caller to see.
pub(in crate::rewrite) fn encapsulated(
    message: &Message<'_>,
    profile: &Profile,
    field: &Field,
    beside: Beside,
) -> Result<(String, ProvedValue), Reason> {
    let name = format!("{DOWNGRADED}{}", String::from_utf8_lossy(message.slice(field.name)));
    let value = without_blanks(message.slice(field.value));
    let indent = name.len() + ": ".len();
    let end = message.line_end_at(field.line.start).as_str();
    let text = encode_as_unstructured(end, profile, name.as_bytes(), value, indent, beside)?;
    let line = format!("{name}: {text}{end}");
    Ok((line, ProvedValue::new(text.into_bytes(), beside.named, false)))
}

/// Returns a value without the white space around it that RFC 5322 knows: a form feed is a control character.
pub fn without_blanks(value: &[u8]) -> &[u8] {
    let start = value.iter().position(is_solid).unwrap_or(value.len());
    let end = value.iter().rposition(is_solid).map_or(start, |last| last + 1);
    value.get(start..end).unwrap_or_default()
}

fn is_solid(octet: &u8) -> bool {
    !matches!(octet, b' ' | b'\t' | b'\r' | b'\n')
}

/// Returns the octets of a value in ASCII as the text of an unstructured field, in which nothing reads as a word that
/// was none; it is folded with `end`. `name` must be that of such a field, and `indent` octets stand before the text.
/// What is returned was proved to say the same; the error is the reason for which the value can't be written so.
pub fn encode_as_unstructured(
    end: &str,
    profile: &Profile,
    name: &[u8],
    value: &[u8],
    indent: usize,
    beside: Beside,
) -> Result<String, Reason> {
    let planned = with_target(end, profile, beside, |target| {
        // The caller measures what comes out.
        let target = FieldTarget { literal: true, most: None, ..target };
        FieldValue { name, value, indent, target, addresses: None }.plan(&[])
    });
    let mut edits = EditList::new();
    planned.edits.into_iter().try_for_each(|(at, with)| edits.push(at.into(), with)).map_err(|_| TWO_CHANGES)?;
    match (planned.left.into_iter().next(), String::from_utf8(edits.apply(value))) {
        (Some(reason), _) => Err(reason),
        (None, Ok(text)) if text.is_ascii() && is_same_text(value, text.as_bytes(), profile, beside) => Ok(text),
        _ => Err(Reason::Stray),
    }
}
