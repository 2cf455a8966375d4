//! Japanese in sequences of ISO 2022, without a label that says so, or with octets of code page 932 among them.

use super::ascii::has_iso_2022_escape;
use super::faults::{self, Han};
use crate::charset::Charset;

/// The family of ISO-2022-JP as labels name it.
#[rustfmt::skip]
const FAMILY: [Charset; 6] = [
    Charset::ISO_2022_JP, Charset::ISO_2022_JP_1, Charset::ISO_2022_JP_2, Charset::ISO_2022_JP_3,
    Charset::ISO_2022_JP_2004, Charset::ISO_2022_JP_MS,
];

/// Returns `true` if a charset is one of ISO-2022-JP, -1, -2, -3, -2004, -MS.
pub(super) fn is_iso_2022_jp(charset: Charset) -> bool {
    FAMILY.contains(&charset)
}

/// Returns the charset that ASCII octets are in which have sequences of ISO 2022 and no label: ISO-2022-JP, if they
/// make a text in it.
pub fn escaped(octets: &[u8]) -> Option<Charset> {
    if !octets.is_ascii() || !has_iso_2022_escape(octets) {
        return None;
    }
    let text = Charset::ISO_2022_JP.decode(octets).ok()?;
    (!text.is_ascii() && !text.contains('\u{7F}')).then_some(Charset::ISO_2022_JP)
}

/// Returns the charset of a piece of a field as [`escaped`] does. The piece must end in ASCII: else it was cut, by an
/// octet of a character that is a delimiter to whoever cut it.
pub fn escaped_piece(octets: &[u8]) -> Option<Charset> {
    escaped(octets).filter(|_| ends_in_ascii(octets))
}

/// Returns `true` if octets have no sequence of ISO-2022-JP, or the last one goes back to ASCII or its Japanese form.
pub fn ends_in_ascii(octets: &[u8]) -> bool {
    let last = memchr::memrchr(0x1B, octets).and_then(|at| octets.get(at + 1..));
    last.is_none_or(|rest| rest.starts_with(b"(B") || rest.starts_with(b"(J"))
}

/// Returns `true` if the octets above 7F of a Japanese text are code page 932's: whole characters, not among letters of
/// ASCII. What EUC-JP or UTF-8 read as well, half-width katakana in pairs, could be either.
pub(super) fn has_code_page_932(octets: &[u8]) -> bool {
    Charset::ISO_2022_JP_8.decode(octets).is_ok_and(|text| faults::are_few(faults::of_label(&text, Han::All), &text))
        && Charset::EUC_JP.decode(octets).is_err()
        && simdutf8::basic::from_utf8(octets).is_err()
}
