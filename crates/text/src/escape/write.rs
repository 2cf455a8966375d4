//! Text to ASCII.

use std::borrow::Cow;

use super::EscapeForm;
use crate::fault::MappingError;

/// Appends one character as an escape, whether it is ASCII or not. Digits are upper case, and as few as the
/// form allows.
pub fn escape_into(out: &mut String, character: char, form: EscapeForm) {
    let value = u32::from(character);
    match form {
        EscapeForm::Rfc5137 => put(out, "\\u'", value, 4, "'"),
        EscapeForm::Xml => put(out, "&#x", value, 2, ";"),
        EscapeForm::C if value > 0xFFFF => put(out, "\\U", value, 8, ""),
        EscapeForm::C => put(out, "\\u", value, 4, ""),
        EscapeForm::Perl => put(out, "\\x{", value, 2, "}"),
        EscapeForm::Java => {
            character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| put(out, "\\u", u32::from(*unit), 4, ""));
        }
    }
}

/// Writes a value in at least `least` hexadecimal digits between `open` and `close`.
fn put(out: &mut String, open: &str, value: u32, least: u32, close: &str) {
    let significant = (u32::BITS - value.leading_zeros()).div_ceil(4);
    out.push_str(open);
    for digit in (0..significant.max(least)).rev() {
        let value = value >> (4 * digit) & 0xF;
        out.push(char::from_digit(value, 16).unwrap_or_default().to_ascii_uppercase());
    }
    out.push_str(close);
}

/// Writes a text in ASCII: other characters as escapes, and the form's introducer as `\\` or `&amp;`.
///
/// Borrowed when there is neither.
///
/// ```
/// use septet_text::escape::{EscapeForm, escape};
///
/// assert_eq!(escape("né", EscapeForm::Rfc5137), r"n\u'00E9'");
/// assert_eq!(escape("né & co", EscapeForm::Xml), "n&#xE9; &amp; co");
/// ```
pub fn escape(text: &str, form: EscapeForm) -> Cow<'_, str> {
    write(text, form, |_, character| match character {
        _ if !character.is_ascii() => Written::Escaped,
        _ if character == char::from(form.introducer()) => Written::Doubled,
        _ => Written::Raw,
    })
}

/// Writes a text in ASCII as [`escape`] does, but `&` of [`EscapeForm::Xml`] only where it would begin an escape or
/// `&amp;`, or ends the text: so that a link with `&` in it still leads where it led. The text must be whole, since
/// what follows its end counts.
///
/// ```
/// use septet_text::escape::{EscapeForm, escape_sparingly};
///
/// assert_eq!(escape_sparingly("né & co, &#x41;", EscapeForm::Xml), "n&#xE9; & co, &amp;#x41;");
/// ```
pub fn escape_sparingly(text: &str, form: EscapeForm) -> Cow<'_, str> {
    escape_also(text, form, |_, _| false)
}

/// Writes a text as [`escape_sparingly`] does, and characters of ASCII as escapes, too, that are special by their place
/// in it, in octets. Neither `#` nor `amp;` behind a `&` may be special: whether that `&` needs a pair is told by the
/// text, not by what is written.
pub fn escape_also(text: &str, form: EscapeForm, is_special: impl Fn(usize, char) -> bool) -> Cow<'_, str> {
    let introducer = char::from(form.introducer());
    write(text, form, |at, character| match character {
        _ if !character.is_ascii() || is_special(at, character) => Written::Escaped,
        _ if character != introducer => Written::Raw,
        _ if form == EscapeForm::Xml && !is_pair_needed(&text[at + 1..]) => Written::Raw,
        _ => Written::Doubled,
    })
}

/// Returns `true` if `&` before this text must be written `&amp;`.
pub(super) fn is_pair_needed(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('#') || rest.starts_with("amp;")
}

/// Writes markup in ASCII: other characters as `&#x…;`, and `&` as it stands, for there it is markup.
///
/// Fails at the first of U+0080 to U+009F: HTML takes their references for characters of windows-1252. In
/// comments, scripts and names a reference stands for itself, so the caller keeps to text and attributes.
///
/// ```
/// use septet_text::escape::escape_markup;
///
/// assert_eq!(escape_markup("<b>né</b>").unwrap(), "<b>n&#xE9;</b>");
/// ```
pub fn escape_markup(text: &str) -> Result<Cow<'_, str>, MappingError> {
    match text.char_indices().find(|(_, character)| matches!(character, '\u{80}'..='\u{9F}')) {
        Some((offset, character)) => Err(MappingError { offset, character }),
        None => Ok(write(text, EscapeForm::Xml, |_, character| match character.is_ascii() {
            true => Written::Raw,
            false => Written::Escaped,
        })),
    }
}

/// How one character of a text is written.
enum Written {
    /// As it is.
    Raw,
    /// As an escape.
    Escaped,
    /// The introducer, as the pair that stands for it.
    Doubled,
}

/// Copies a text, each character of which, by its place in octets, is written as `how` says, [`Written::Doubled`] only
/// of the introducer; borrows it where all are raw.
fn write(text: &str, form: EscapeForm, how: impl Fn(usize, char) -> Written) -> Cow<'_, str> {
    let mut out = String::new();
    let mut kept = 0;
    for (at, character) in text.char_indices() {
        let written = how(at, character);
        if matches!(written, Written::Raw) {
            continue;
        }
        out.push_str(&text[kept..at]);
        match written {
            Written::Escaped => escape_into(&mut out, character, form),
            _ => out.push_str(form.pair()),
        }
        kept = at + character.len_utf8();
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[kept..]);
    Cow::Owned(out)
}
