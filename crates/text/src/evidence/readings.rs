//! What octets may be that nobody can read for sure, as a person is shown it.

use super::faults::{self, Han};
use super::unlabelled::looks_like;
use crate::charset::Charset;
use crate::scan::has_c1;

/// The charsets that are tried, those of most mail first.
#[rustfmt::skip]
const TRIED: [Charset; 14] = [
    Charset::UTF_8, Charset::WINDOWS_1252, Charset::WINDOWS_1251, Charset::KOI8_R, Charset::WINDOWS_1250,
    Charset::GB18030, Charset::BIG5, Charset::WINDOWS_31J, Charset::EUC_JP, Charset::WINDOWS_949,
    Charset::WINDOWS_1253, Charset::WINDOWS_1254, Charset::WINDOWS_1255, Charset::WINDOWS_1256,
];

/// The most readings that are given.
const READINGS: usize = 3;

/// So many octets are looked at.
const LOOKED_AT: usize = 4096;

/// Finds the charsets that octets may be in, up to three, the likeliest first: what statistics say, and what reads them
/// with the fewest faults. Nothing is decided by it.
///
/// ```
/// use septet_text::charset::Charset;
/// use septet_text::evidence::readings;
///
/// let found = readings(b"\xF0\xD2\xC9\xD7\xC5\xD4, \xED\xC9\xD2");
/// assert_eq!(found.first(), Some(&Charset::KOI8_R), "Привет, Мир");
/// assert!(readings(b"plain").is_empty());
/// ```
pub fn readings(octets: &[u8]) -> Vec<Charset> {
    if octets.is_ascii() {
        return Vec::new();
    }
    let (octets, rest) = octets.split_at(LOOKED_AT.min(octets.len()));
    let mut found: Vec<(usize, String, Charset)> = Vec::new();
    for charset in looks_like(octets).into_iter().chain(TRIED) {
        let Ok(text) = charset.decode(octets).or_else(|fault| match fault.is_cut() && !rest.is_empty() {
            // What is looked at ends where it ends.
            true => charset.decode(&octets[..fault.offset]),
            false => Err(fault),
        }) else {
            continue;
        };
        let is_known = found.iter().any(|(_, known, _)| *known == *text);
        if !is_known && !has_c1(&text) {
            found.push((faults::of_label(&text, Han::All).hard, text.into_owned(), charset));
        }
    }
    // The order stays among those that have as many.
    found.sort_by_key(|(faults, ..)| *faults);
    found.into_iter().take(READINGS).map(|(_, _, charset)| charset).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_that_is_not_looked_at_whole_speaks_against_nothing() {
        let text: Vec<u8> = b"\xD6\xD0\xB9\xFA\xC8\xCB\xC3\xF1".repeat(1000);
        for before in ["", "x", "xx", "xxx"] {
            let found = readings(&[before.as_bytes(), &text].concat());
            assert!(found.first().is_some_and(|first| first.name().starts_with("gb")), "{before}: {found:?}");
        }
    }
}
