//! Folds of calendars and cards that stand within a character.
//!
//! A line of a calendar is folded after 75 octets, and simple programs count these without a look at what they are. RFC
//! 5545 §3.1 and RFC 6350 §3.2 ask of readers that they unfold first and decode then; few do. The fold is moved in
//! front of the character, which is the same text to who does, and a text to all others.

/// Returns a text with each fold that stands within a character of UTF-8 moved in front of that character; none where
/// no fold does, or where the text is no UTF-8 even so. It has the same octets, so that whoever unfolds first reads
/// what was read before.
pub(super) fn move_before_characters(octets: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(octets.len());
    let mut moved = false;
    let mut rest = octets;
    while let Some(at) = memchr::memchr(b'\n', rest) {
        let line_end = if rest.get(..at).is_some_and(|line| line.ends_with(b"\r")) { at - 1 } else { at };
        let (line, behind) = (rest.get(..line_end)?, rest.get(at + 1..)?);
        let fold = rest.get(line_end..at + 2).filter(|fold| fold.ends_with(b" ") || fold.ends_with(b"\t"));
        let half = fold.and_then(|_| half_character(line));
        match (half, fold) {
            (Some((half, missing)), Some(fold)) if is_continued(behind.get(1..)?, missing) => {
                out.extend_from_slice(line.get(..line.len() - half.len())?);
                out.extend_from_slice(fold);
                out.extend_from_slice(half);
                out.extend_from_slice(behind.get(1..=missing)?);
                rest = behind.get(1 + missing..)?;
                moved = true;
            }
            _ => {
                out.extend_from_slice(rest.get(..=at)?);
                rest = behind;
            }
        }
    }
    out.extend_from_slice(rest);
    (moved && simdutf8::basic::from_utf8(&out).is_ok()).then_some(out)
}

/// Returns the octets of a character of UTF-8 that a line ends in the middle of, and how many of it are missing; none
/// where the line ends with a whole one, or with no UTF-8.
fn half_character(line: &[u8]) -> Option<(&[u8], usize)> {
    let start = line.iter().rposition(|octet| octet & 0xC0 != 0x80)?;
    let half = line.get(start..)?;
    let whole = match half.first()? {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    (half.len() < whole).then(|| (half, whole - half.len()))
}

/// Returns `true` if a text begins with so many octets that go on with a character. Whether the whole is one of UTF-8
/// is asked of all that is written, at the end.
fn is_continued(behind: &[u8], missing: usize) -> bool {
    behind.get(..missing).is_some_and(|octets| octets.iter().all(|octet| octet & 0xC0 == 0x80))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fold_within_a_character_goes_before_it() {
        let moved =
            |octets: &[u8]| move_before_characters(octets).map(|octets| String::from_utf8(octets).expect("UTF-8"));
        assert_eq!(moved(b"SUMMARY:Gr\xC3\r\n \xBC\xC3\x9Fe\r\n").as_deref(), Some("SUMMARY:Gr\r\n üße\r\n"));
        assert_eq!(moved(b"A:\xE2\x82\n\t\xAC\xF0\x9F\n \x98\x80").as_deref(), Some("A:\n\t€\n 😀"));
        assert_eq!(moved("SUMMARY:Gr\r\n üße\r\n".as_bytes()), None, "nothing is cut");
        assert_eq!(moved(b"SUMMARY:Gr\xC3\r\n x\r\n"), None, "half of it is lost");
        assert_eq!(moved(b"A:\xC3\n \xBC \xFF"), None, "it is no UTF-8 all the same");
    }
}
