//! One rule tells of nearly all links that they need no look: they are ASCII, and nothing hides in them.
//!
//! A link is changed for its characters outside ASCII, and its reader is told of a host or a scheme that is not what it
//! looks like. In ASCII such a character hides in four ways, each with a mark of its own: `%C3%A9` in a host or before
//! a colon, `xn--` in a host, UTF-7's `+` before a colon, and in markup the `&` of a character reference. So where no
//! such mark stands in such a place there is nothing to change and nothing to tell. The rule asks for nothing else, and
//! so it serves for a reference, for a value that holds several, for a style sheet and for a word of running text
//! alike.
//!
//! It errs on one side: what hides nothing may be taken for what does, and is then read as it was without the rule.
//!
//! Limits: linear, and for most values a look at sixteen octets at once.

use std::ops::Range;

use super::syntax::starts_pct;
use crate::masks::Block;

/// Returns `true` if a character outside ASCII may stand in a value or in a word, written or hidden, or anything else
/// that a link is changed for or that its reader is told of. `false` is sure.
///
/// ```
/// use septet_text::iri::may_hide;
///
/// assert!(!may_hide(b"https://example.org/?a=1&amp;b=%C3%A9"));
/// assert!(may_hide("https://example.org/é".as_bytes()) && may_hide(b"//xn--9ca.example/"));
/// ```
pub fn may_hide(octets: &[u8]) -> bool {
    let [high, references, coded, dashes] = kinds(octets);
    high || dashes && has_punycode(octets) || references && has_reference(octets) || coded && has_coded_head(octets)
}

/// Tells of which kinds there are octets that must be looked at: any above 127, `&`, `%` or `+`, and `--`.
fn kinds(octets: &[u8]) -> [bool; 4] {
    let (mut high, mut references, mut coded, mut dashes) = (0, 0, 0, 0);
    let (blocks, rest) = octets.as_chunks();
    let last = (!rest.is_empty()).then(|| Block::start_of(rest));
    blocks.iter().map(Block::of).chain(last).for_each(|block| {
        high |= block.high_or_any_of([]);
        references |= block.any_of([b'&']);
        coded |= block.any_of(*b"%+");
        // One at the end of a block may have another behind it.
        let here = block.any_of([b'-']);
        dashes |= here & (here >> 1 | 1 << 63);
    });
    [high, references, coded, dashes].map(|places| places != 0)
}

/// Returns `true` if `xn--` may stand among octets; only its end is looked for.
fn has_punycode(octets: &[u8]) -> bool {
    memchr::memmem::find_iter(octets, b"--").any(|at| at > 0 && matches!(octets.get(at - 1), Some(b'n' | b'N')))
}

/// Returns `true` if there may be a character reference that stands for something other than `&`.
fn has_reference(octets: &[u8]) -> bool {
    memchr::memchr_iter(b'&', octets).any(|at| {
        let after = octets.get(at + 1..).unwrap_or_default();
        !after.starts_with(b"amp;") && starts_reference(after)
    })
}

/// Returns `true` if what follows `&` might be a reference; whether a name is one only the table can say.
fn starts_reference(after: &[u8]) -> bool {
    let name = after.iter().take_while(|octet| octet.is_ascii_alphanumeric()).count();
    match after.get(name) {
        Some(b'#') if name == 0 => true,
        Some(b'=') => false,
        _ => name > 0,
    }
}

/// Returns `true` if a host or what stands before a colon may be percent-encoded, or in UTF-7.
fn has_coded_head(octets: &[u8]) -> bool {
    let mut at = 0;
    while let Some(found) = octets.get(at..).and_then(|rest| memchr::memchr2(b'%', b'+', rest)) {
        at += found;
        // A percent sign that encodes nothing may stand before one that does.
        if !octets.get(at..).is_some_and(|rest| rest.starts_with(b"+") || starts_pct(rest)) {
            at += 1;
            continue;
        }
        let piece = piece(octets, at);
        if is_head(octets, at, &piece) {
            return true;
        }
        at = piece.end;
    }
    false
}

/// Returns what stands around `at` between slashes, question marks and number signs.
fn piece(octets: &[u8], at: usize) -> Range<usize> {
    let (before, behind) = octets.split_at_checked(at).unwrap_or_default();
    let start = before.iter().rposition(parts_pieces).map_or(0, |part| part + 1);
    start..behind.iter().position(parts_pieces).map_or(octets.len(), |length| at + length)
}

/// Returns `true` for an octet that pieces of a reference stand between.
fn parts_pieces(octet: &u8) -> bool {
    matches!(octet, b'/' | b'?' | b'#')
}

/// Returns `true` if a piece is an authority, or a scheme may end in it behind `at`.
fn is_head(octets: &[u8], at: usize, piece: &Range<usize>) -> bool {
    let before = octets.get(..piece.start).unwrap_or_default();
    before.ends_with(b"//") || octets.get(at..piece.end).is_some_and(|rest| memchr::memchr(b':', rest).is_some())
}

#[cfg(test)]
mod tests {
    use super::may_hide;

    #[test]
    fn passes_over_what_needs_no_look() {
        for plain in [
            "",
            "a",
            "/a[] b|c",
            "http://e.org/?a=1&amp;b=2&c=3%20#x",
            "http://e.org/a%3Ab/%C3%A9+x?%C3%A9#%6A",
            "width:100%;color:red",
            "<!-- a-b{c:url(x)} -->",
        ] {
            assert!(!may_hide(plain.as_bytes()), "{plain}");
        }
    }

    #[test]
    fn misses_nothing() {
        for odd in [
            "é",
            "a long reference with a late é",
            "&eacute;",
            "&eacute",
            "&#233;",
            "a&amp;b&#xe9;",
            "http://xn--9ca.org",
            "http://XN--9CA.org",
            "//a%C3%A9.org/",
            "//a%%C3%A9.org/",
            "%6Aavascript:x",
            "%6A b;c:x",
            "+AGo-avascript:x",
        ] {
            assert!(may_hide(odd.as_bytes()), "{odd}");
        }
    }
}
