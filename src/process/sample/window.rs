//! The stretch of a text that is shown: from one line, or from two that begin alike.

use super::WIDTH;

/// How many octets are shown before the one that matters, in a long line.
const BEFORE: usize = 40;

/// Returns the line around an octet, or about [`WIDTH`] octets of it, and whether it goes on; none where the octet is
/// beyond the end.
pub fn around(octets: &[u8], at: usize) -> Option<(&[u8], bool)> {
    let start = start(octets.get(..at)?);
    Some((until_line_end(octets, start), line_len(octets, start) > WIDTH))
}

/// The lines in which two texts differ first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DifferingLines<'a> {
    /// The octet from which on the texts differ.
    pub at: usize,
    /// That of the one.
    pub one: &'a [u8],
    /// That of the other.
    pub other: &'a [u8],
    /// Whether either goes on, so that their ends need not be one another's.
    pub cut: bool,
}

/// Returns the lines in which two texts differ first, or about [`WIDTH`] octets of them, from the same octet on; none
/// where the texts are equal.
pub fn around_difference<'a>(one: &'a [u8], other: &'a [u8]) -> Option<DifferingLines<'a>> {
    let common = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    if common == one.len() && common == other.len() {
        return None;
    }
    let start = start(&one[..common]);
    let cut = [one, other].iter().any(|octets| line_len(octets, start) > WIDTH);
    Some(DifferingLines { at: common, one: until_line_end(one, start), other: until_line_end(other, start), cut })
}

/// Returns where a stretch starts that shows what stands behind `before`: at the start of the line, or, in a long line,
/// at a word or a character within the last [`BEFORE`] octets.
fn start(before: &[u8]) -> usize {
    let line = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let far = before.len().saturating_sub(BEFORE);
    if line >= far {
        return line;
    }
    let words = before[far..].iter().position(|octet| *octet == b' ').map(|at| far + at + 1);
    words.unwrap_or_else(|| (far..before.len()).find(|at| before[*at] & 0xC0 != 0x80).unwrap_or(far))
}

/// Returns the octets from `start` to the end of the line, [`WIDTH`] at most, without blanks at their end. They are not
/// cut inside of a UTF-8 character.
fn until_line_end(octets: &[u8], start: usize) -> &[u8] {
    let rest = &octets[start..];
    let mut end = line_len(octets, start).min(WIDTH);
    while end > 0 && end < rest.len() && rest[end] & 0xC0 == 0x80 && str::from_utf8(&rest[..end]).is_err() {
        end -= 1;
    }
    rest[..end].trim_ascii_end()
}

/// Returns how many octets there are from `start`, which is not beyond the end, to the end of the line; lines that are
/// folded, as in a field, are one.
fn line_len(octets: &[u8], start: usize) -> usize {
    let rest = &octets[start..];
    let end = memchr::memchr_iter(b'\n', rest).find(|at| !matches!(rest.get(at + 1), Some(b' ' | b'\t')));
    end.unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_is_of_one_line() {
        let text = b"one\ntwo caf\xe9 noir\nthree";
        assert_eq!(around(text, 11), Some((&b"two caf\xe9 noir"[..], false)));
        assert_eq!(around(text, 0), Some((&b"one"[..], false)));
        assert_eq!(around(text, 99), None);
        assert_eq!(
            around_difference(text, b"one\ntwo caf\xc3\xa9").map(|pair| pair.other),
            Some(&b"two caf\xc3\xa9"[..])
        );
        assert_eq!(around_difference(text, text), None);
    }

    #[test]
    fn a_long_line_is_cut_between_words_and_characters() {
        let text = [b"word ".repeat(100), "é".repeat(300).into_bytes()].concat();
        let (shown, cut) = around(&text, 500).expect("a stretch");
        assert!(cut && shown.starts_with(b"word ") && shown.len() <= WIDTH, "{}", shown.len());
        assert!(str::from_utf8(shown).is_ok());
        assert!(around(&"é".repeat(300).into_bytes(), 400).is_some_and(|(shown, _)| str::from_utf8(shown).is_ok()));
    }
}
