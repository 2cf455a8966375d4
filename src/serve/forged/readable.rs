//! A text as the most lenient readers have it, who skip what others read.

use crate::process::shown::is_hidden;

/// What stands for a blank that ASCII doesn't have: a vertical tab, which is one for some readers itself.
pub const BLANK: u8 = b'\x0B';

/// Returns `true` if some reader takes an octet of [`Readable`] for a blank.
pub fn is_blank(octet: u8) -> bool {
    octet.is_ascii_whitespace() || octet == BLANK
}

/// The octets of a text for a reader that drops octets 0, and takes every blank for one and what shows nothing of its
/// own, be it in UTF-8 or ISO 8859-1.
pub struct Readable<'a>(pub &'a [u8]);

impl Iterator for Readable<'_> {
    type Item = u8;

    /// Returns the next octet: [`BLANK`] for a character outside ASCII that is a blank or hidden, otherwise the first
    /// octet of what comes next. Octets 0 are passed over.
    fn next(&mut self) -> Option<u8> {
        loop {
            let first = *self.0.first()?;
            let character = if first < 0x80 { None } else { character(self.0) };
            self.0 = &self.0[character.map_or(1, char::len_utf8)..];
            match character {
                Some(blank) if blank.is_whitespace() || is_hidden(blank) => return Some(BLANK),
                Some(_) => return Some(first),
                // The blanks of ISO 8859-1.
                None if matches!(first, b'\x85' | b'\xA0') => return Some(BLANK),
                None if first == 0 => {}
                None => return Some(first),
            }
        }
    }
}

/// Returns the character that a text starts with; none where it starts with no UTF-8.
fn character(text: &[u8]) -> Option<char> {
    text.get(..4).unwrap_or(text).utf8_chunks().next()?.valid().chars().next()
}
