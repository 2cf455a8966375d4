//! UTF-8 under the label of another charset.
//!
//! A program that has one label for whatever it sends writes UTF-8 under it, and a text that is truly in that charset
//! is valid UTF-8 by chance now and then: `CAFÉ®` in ISO-8859-1 are the octets of `CAFɮ`. Both readings are judged by
//! their faults. The one with fewer hard faults is right. If neither has any, that of fewer soft ones is, and three
//! characters or more that are UTF-8 are UTF-8; but `PÅ…` in windows-1252 is `PŅ` in UTF-8, and nobody can tell.

use std::cmp::Ordering;

use super::ascii::{has_iso_2022_escape, has_shifts};
use super::faults::{self, Han};
use super::japanese::is_iso_2022_jp;
use crate::charset::Charset;

/// So many characters that are valid UTF-8 are hardly ever anything else.
const MANY: usize = 3;

/// What a text is whose octets are valid UTF-8 and not ASCII, and whose label names another charset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Utf8Verdict {
    /// It is in the charset of its label.
    Label,
    /// It is UTF-8.
    Utf8,
    /// It may be either.
    Unknown,
}

/// Judges octets under the label of a charset; none where they are no UTF-8, or nothing but ASCII, or where the charset
/// has shifts of its own in them, or is UTF-8 or CESU-8. Under UTF-16 and UTF-32, ASCII is judged too.
///
/// ```
/// use septet_text::charset::Charset;
/// use septet_text::evidence::{Utf8Verdict, label_or_utf_8};
///
/// let label = Charset::WINDOWS_1252;
/// assert_eq!(label_or_utf_8(label, "Grüße".as_bytes()), Some(Utf8Verdict::Utf8));
/// assert_eq!(label_or_utf_8(label, "NESCAFɮ".as_bytes()), Some(Utf8Verdict::Label), "NESCAFÉ®");
/// assert_eq!(label_or_utf_8(label, "PŅ".as_bytes()), Some(Utf8Verdict::Unknown), "or PÅ…");
/// assert_eq!(label_or_utf_8(label, b"caf\xE9"), None);
/// ```
pub fn label_or_utf_8(charset: Charset, octets: &[u8]) -> Option<Utf8Verdict> {
    let is_wide = !charset.shows_line_ends();
    if !is_wide && is_utf_8(charset) {
        return None;
    }
    let text = simdutf8::basic::from_utf8(octets).ok().filter(|text| is_wide || !text.is_ascii())?;
    if is_wide {
        return of_wide(charset, octets, text);
    }
    if !may_be_untrue(charset, octets) {
        return None;
    }
    let text = faults::looked_at(text);
    let labelled = charset.decode_lossy(text.as_bytes()).0;
    let (label, utf_8) = (faults::of_label(&labelled, Han::of(charset)), faults::of_utf_8(text));
    Some(match utf_8.hard.cmp(&label.hard) {
        Ordering::Less => Utf8Verdict::Utf8,
        Ordering::Greater => Utf8Verdict::Label,
        Ordering::Equal if utf_8.hard > 0 => Utf8Verdict::Unknown,
        Ordering::Equal if utf_8.soft < label.soft || has_many(text) => Utf8Verdict::Utf8,
        Ordering::Equal if utf_8.soft > label.soft => Utf8Verdict::Label,
        Ordering::Equal => Utf8Verdict::Unknown,
    })
}

/// Returns `true` if [`MANY`] characters of a text are not ASCII.
fn has_many(text: &str) -> bool {
    text.chars().filter(|character| !character.is_ascii()).nth(MANY - 1).is_some()
}

/// Returns what octets under a label show among which line ends of the message stand, as [`label_or_utf_8`] does. Under
/// UTF-16 and UTF-32 these line ends are not looked at: on the way they are one octet or two, and would be half a
/// character or none.
pub(super) fn label_or_utf_8_in_transit(charset: Charset, octets: &[u8]) -> Option<Utf8Verdict> {
    let has_line_ends = !charset.shows_line_ends() && memchr::memchr2(b'\r', b'\n', octets).is_some();
    if !has_line_ends {
        return label_or_utf_8(charset, octets);
    }
    let text: Vec<u8> = octets.iter().copied().filter(|octet| !matches!(octet, b'\r' | b'\n')).collect();
    label_or_utf_8(charset, &text)
}

/// Returns `true` if octets under a label of UTF-16 or UTF-32, among which line ends of the message stand, may be that:
/// they do not show that they are UTF-8.
pub fn may_be_wide(charset: Charset, octets: &[u8]) -> bool {
    !charset.shows_line_ends() && label_or_utf_8_in_transit(charset, octets) != Some(Utf8Verdict::Utf8)
}

/// Returns `true` if what is UTF-8 is the same text in a charset.
fn is_utf_8(charset: Charset) -> bool {
    [Charset::UTF_8, Charset::CESU_8].contains(&charset)
}

/// Returns `true` if octets are UTF-8 of surrogates, which can be nothing else.
pub(super) fn is_cesu_8(octets: &[u8]) -> bool {
    octets.windows(2).any(|pair| matches!(pair, [0xED, 0xA0..=0xBF])) && Charset::CESU_8.decode(octets).is_ok()
}

/// Judges octets under a label of UTF-16 or UTF-32, of which ASCII makes rare characters, or none at all, two by two.
/// None where the label may stand.
fn of_wide(charset: Charset, octets: &[u8], text: &str) -> Option<Utf8Verdict> {
    if text.is_empty() || text.contains('\0') || octets.starts_with(b"\xFE\xFF") || octets.starts_with(b"\xFF\xFE") {
        return None;
    }
    let (labelled, _) = charset.decode_lossy(octets);
    let (labelled, text) = (faults::looked_at(&labelled), faults::looked_at(text));
    let label = faults::of_label(labelled, Han::of(charset));
    if label.hard > 0 || !text.is_ascii() {
        // Where both are good readings, it may be either: `д` is a usual syllable of Korean, `hi` one of Chinese.
        let verdict = if label.hard > 0 { Utf8Verdict::Utf8 } else { Utf8Verdict::Unknown };
        return (faults::of_utf_8(text).hard == 0).then_some(verdict);
    }
    // Of Chinese in two characters one text in a hundred looks like words of ASCII, of longer ones hardly any. Of four
    // characters hardly a text is any ASCII that can be printed, but `你好` is that of two.
    match text.len() {
        PRINTED.. if is_printed(text) => Some(Utf8Verdict::Utf8),
        PLAIN.. if is_plain_words(text) => Some(Utf8Verdict::Utf8),
        _ => is_plain_words(text).then_some(Utf8Verdict::Unknown),
    }
}

/// How many octets of plain words refute a label of UTF-16 that makes usual characters of them.
const PLAIN: usize = 4;

/// How many octets of any ASCII that can be printed do so.
const PRINTED: usize = 8;

/// Returns `true` if a text has nothing but what ASCII prints, and white space.
fn is_printed(text: &str) -> bool {
    text.bytes().all(|octet| octet.is_ascii_graphic() || octet.is_ascii_whitespace())
}

/// Returns `true` if a text has nothing but ASCII letters, digits and what stands between words.
fn is_plain_words(text: &str) -> bool {
    text.bytes().all(|octet| octet.is_ascii_alphanumeric() || b" -,.:'!?/".contains(&octet))
}

/// Returns `true` if a label that is not true may stand over octets: its charset keeps ASCII, or shows nothing of its
/// own there.
fn may_be_untrue(charset: Charset, octets: &[u8]) -> bool {
    if charset.keeps_ascii() {
        return true;
    }
    match is_iso_2022_jp(charset) {
        true => !has_iso_2022_escape(octets),
        false => !has_shifts(octets),
    }
}
