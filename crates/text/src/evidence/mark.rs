//! Byte order marks.

use super::Witnesses;
use super::faults::{self, Han};
use crate::charset::Charset;

/// Returns `true` if octets begin with the byte order mark of UTF-8 or UTF-16; that of UTF-32 in little-endian order
/// begins so.
pub fn begins_with_mark(octets: &[u8]) -> bool {
    octets.starts_with(b"\xEF\xBB\xBF") || octets.starts_with(b"\xFE\xFF") || octets.starts_with(b"\xFF\xFE")
}

/// Finds the form of Unicode whose byte order mark octets begin with, if all of them read in it and the result looks
/// like a text, as octets of another charset that are read two by two do not.
pub(super) fn of(octets: &[u8], witnesses: &Witnesses) -> Option<Charset> {
    let charset = match octets {
        // UTF-32, or a NUL, which no text has.
        [0xFF, 0xFE, 0, 0, ..] => return None,
        [0xEF, 0xBB, 0xBF, ..] => Charset::UTF_8,
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] if !witnesses.in_transit => Charset::UTF_16,
        _ => return None,
    };
    let text = charset.decode(octets).ok()?;
    // A text has spaces, line ends or sentence marks, or is so short that it may be one word.
    let is_text =
        !text.contains('\0') && (text.contains([' ', '\n', '\u{3000}', '。', '、']) || text.chars().count() < 20);
    // What is UTF-8 is nothing else; read two by two, words of ASCII are rare characters, as they are under a label of
    // UTF-16.
    let is_good = is_text && (charset == Charset::UTF_8 || faults::is_text(&text, Han::of(charset)));
    is_good.then_some(charset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charset::Labels;

    fn found(octets: &[u8]) -> Option<Charset> {
        of(octets, &Witnesses::none(&Labels::default()))
    }

    #[test]
    fn a_mark_counts_where_the_rest_reads() {
        assert_eq!(found(b"\xFF\xFEG\0r\0\xFC\0\xDF\0e\0"), Some(Charset::UTF_16));
        assert_eq!(found(b"\xFE\xFF\0G\0r\0\xFC"), Some(Charset::UTF_16));
        assert_eq!(found("\u{FEFF}Grüße".as_bytes()), Some(Charset::UTF_8));
        assert_eq!(found("\u{FEFF}㐀㐁 㐂".as_bytes()), Some(Charset::UTF_8), "rare characters, and nothing else");
        assert_eq!(found(b"\xFF\xFEG\0r"), None, "half a character");
        assert_eq!(found(b"\xFF\xFE is how a text of two octets begins, and so this is none"), None);
        assert_eq!(found(b"Gr\xFC\xDFe"), None);
        assert_eq!(found(b"\xFF\xFEMIME-Version: 1.0\nT\no"), None, "rare characters");
        let labels = Labels::default();
        let in_transit = Witnesses { in_transit: true, ..Witnesses::none(&labels) };
        assert_eq!(of(b"\xFF\xFEG\0r\0\xFC\0\xDF\0e\0", &in_transit), None);
    }
}
