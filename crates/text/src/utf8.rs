//! Strict UTF-8: where the text breaks RFC 3629, and which rule.
//!
//! Whether the text is well-formed is asked of a SIMD check; only a text that fails it is read again, once, to
//! find the offset and the rule. A fault is as long as the octets that could begin a character but don't go on
//! as one (the "maximal subpart" of The Unicode Standard §3.9), so that each fault gives one U+FFFD, the next
//! fault or character begins at the next octet, and other decoders count the same faults.
//!
//! CESU-8, which is a charset of its own, and "modified UTF-8" are not UTF-8: surrogates and overlong forms are refused
//! like every other fault.

use std::borrow::Cow;

use super::fault::MalformedError;

/// The octets of U+FEFF.
const SIGNATURE: &[u8] = b"\xEF\xBB\xBF";

/// Reads UTF-8 as text, without a copy; any fault is an error (RFC 3629 §3, §4).
///
/// U+FEFF at the start is a character like every other here: whether it is a signature is the protocol's to
/// say (§6), see [`strip_signature`].
///
/// ```
/// use septet_text::utf8::decode;
///
/// assert_eq!(decode("é".as_bytes()), Ok("é"));
/// assert!(decode(b"\xC0\xAF").is_err(), "an overlong form of /");
/// assert_eq!(decode(b"a\xED\xA0\x80").unwrap_err().offset, 1, "a surrogate");
/// ```
pub fn decode(bytes: &[u8]) -> Result<&str, MalformedError> {
    match decode_until_fault(bytes) {
        (text, None) => Ok(text),
        (_, Some(fault)) => Err(fault),
    }
}

/// Reads UTF-8 up to the first fault, and gives that fault if there is one.
pub fn decode_until_fault(bytes: &[u8]) -> (&str, Option<MalformedError>) {
    if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        return (text, None);
    }
    match bytes.utf8_chunks().next() {
        Some(chunk) => {
            let offset = chunk.valid().len();
            (chunk.valid(), Some(MalformedError { offset, rule: rule_at(bytes, offset) }))
        }
        None => ("", None),
    }
}

/// Reads UTF-8, with U+FFFD for each fault, and counts the faults.
///
/// ```
/// use septet_text::utf8::decode_lossy;
///
/// assert_eq!(decode_lossy(b"a\xE2\x82b"), ("a\u{FFFD}b".into(), 1));
/// ```
pub fn decode_lossy(bytes: &[u8]) -> (Cow<'_, str>, usize) {
    if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        return (Cow::Borrowed(text), 0);
    }
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 2);
    let mut faults = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
            faults += 1;
        }
    }
    (Cow::Owned(text), faults)
}

/// Takes U+FEFF off the very start of a text whose protocol lets it stand there as a signature (RFC 3629 §6).
///
/// A U+FEFF elsewhere, or a second one, is a character of the text and stays.
///
/// ```
/// use septet_text::utf8::strip_signature;
///
/// assert_eq!(strip_signature(b"\xEF\xBB\xBFtext"), b"text");
/// ```
pub fn strip_signature(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(SIGNATURE).unwrap_or(bytes)
}

/// Names the rule that the octets at an offset break, where a fault must begin.
fn rule_at(bytes: &[u8], offset: usize) -> &'static str {
    match bytes.get(offset..).unwrap_or_default() {
        [0x80..=0xBF, ..] => "a continuation octet without a lead octet",
        [0xC0 | 0xC1, ..] | [0xE0, 0x80..=0x9F, ..] | [0xF0, 0x80..=0x8F, ..] => "an overlong form",
        [0xED, 0xA0..=0xBF, ..] => "a surrogate",
        [0xF5..=0xF7, ..] | [0xF4, 0x90..=0xBF, ..] => "above U+10FFFF",
        [0xF8..=0xFF, ..] => "an octet that UTF-8 never uses",
        // What is left is a lead octet whose tail, as far as it goes, is right.
        [_, tail @ ..] if tail.iter().all(|octet| matches!(octet, 0x80..=0xBF)) => MalformedError::CUT,
        _ => "a character lacks a continuation octet",
    }
}
