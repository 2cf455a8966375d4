//! Links that are passed over where only odd ones are wanted: `http:` or `https:` begins a word between white space,
//! and nothing hides in the word. A link ends at white space, but for those over soft breaks and in angle brackets, so
//! the word holds all of it, and whatever links it holds are ASCII and plain.

use super::super::hidden::may_hide;

/// Returns the end of the word that the scheme before a colon begins, if it is passed over; `floor` is where a scheme
/// may begin at the earliest.
pub(super) fn word_end(text: &str, floor: usize, colon: usize) -> Option<usize> {
    let octets = text.as_bytes();
    let before = octets.get(floor..colon)?;
    let start = floor + before.strip_suffix(b"s").unwrap_or(before).strip_suffix(b"http")?.len();
    let is_first = start.checked_sub(1).is_none_or(|before| octets.get(before).is_some_and(|octet| *octet <= b' '));
    let rest = octets.get(start..).filter(|_| is_first)?;
    let word = rest.get(..memchr::memchr3(b' ', b'\n', b'\t', rest).unwrap_or(rest.len()))?;
    let is_plain = memchr::memchr(b'<', word).is_none() && !may_hide(word);
    is_plain.then_some(start + word.len())
}
