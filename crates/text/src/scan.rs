//! How far a run of octets goes, how many there are of a kind, and where a text is cut that is too long.

/// Returns the length of the run at the start of `octets` of which `keep` holds.
///
/// Whole blocks are tested without a branch inside, so that the compiler makes vector code of them.
#[inline]
pub fn run_len(octets: &[u8], keep: impl Fn(u8) -> bool) -> usize {
    const BLOCK: usize = 32;
    let clean = octets.chunks_exact(BLOCK).take_while(|block| block.iter().fold(true, |all, &octet| all & keep(octet)));
    let start = clean.count() * BLOCK;
    let rest = &octets[start..];
    start + rest.iter().position(|&octet| !keep(octet)).unwrap_or(rest.len())
}

/// Counts the octets of which `is` holds.
#[inline]
pub fn count(octets: &[u8], is: impl Fn(u8) -> bool) -> usize {
    // A sum that fits in an octet lets the compiler count with vectors.
    octets.chunks(192).map(|block| usize::from(block.iter().map(|octet| u8::from(is(*octet))).sum::<u8>())).sum()
}

/// Returns `true` if `is` holds anywhere of an octet and the one behind it, which is NUL behind the last.
///
/// Sixteen are tested without a branch inside, and the last sixteen once more in place of a rest.
#[inline]
pub fn any_pair(octets: &[u8], is: impl Fn(u8, u8) -> bool) -> bool {
    const BLOCK: usize = 16;
    let Some((last, head)) = octets.split_last() else { return false };
    let behind = &octets[1..];
    let any = |(head, behind): (&[u8; BLOCK], &[u8; BLOCK])| {
        head.iter().zip(behind).fold(false, |any, (&octet, &next)| any | is(octet, next))
    };
    is(*last, 0)
        || match (head.last_chunk(), behind.last_chunk()) {
            (Some(ends), Some(behind_ends)) => {
                let blocks = head.as_chunks().0.iter().zip(behind.as_chunks().0);
                any((ends, behind_ends)) || blocks.into_iter().any(any)
            }
            _ => head.iter().zip(behind).any(|(&octet, &next)| is(octet, next)),
        }
}

/// Returns `true` if a text has a C1 control, as no text that is read rightly has.
pub fn has_c1(text: &str) -> bool {
    let octets = text.as_bytes();
    memchr::memchr_iter(0xC2, octets).any(|at| matches!(octets.get(at + 1), Some(0x80..=0x9F)))
}

/// Returns the start of a text that has `most` octets, a CRLF counted as one: the same lines, whether they end in it or
/// in LF.
pub fn start(text: &[u8], most: usize) -> &[u8] {
    // Each turn goes on by as many octets as there are CRLFs in what the turn before took.
    let (mut end, mut more) = (0, most.min(text.len()));
    while more > 0 {
        let returns = memchr::memchr_iter(b'\r', &text[end..end + more]);
        let line_ends = returns.filter(|at| text.get(end + at + 1) == Some(&b'\n')).count();
        end += more;
        more = line_ends.min(text.len() - end);
    }
    &text[..end]
}

/// Returns the start of a text that has `most` octets, or fewer where that would be within a character.
pub fn head(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns how many of sixteen octets stand before the first that is a control character, above `last`, or one of
/// `others`. Without a branch for each, which for runs of a word's length could never be foretold.
#[inline]
pub fn printable_len<const N: usize>(octets: &[u8; 16], last: u8, others: [u8; N]) -> usize {
    first_of_both(octets, |half| {
        let control = half.wrapping_sub(EACH * 0x20) & !half;
        let above = half.wrapping_add(EACH * (0x7F - u64::from(last))) | half;
        control | above | found(half, others)
    })
}

/// Returns how many of sixteen octets stand before the first of which `find` sets the highest bit; it is given eight at
/// once. A borrow or a carry spoils only what stands behind an octet that was found.
#[inline]
fn first_of_both(octets: &[u8; 16], find: impl Fn(u64) -> u64) -> usize {
    let first = |half: &[u8]| {
        let half = half.first_chunk().map_or(0, |half| u64::from_le_bytes(*half));
        (find(half) & (EACH * 0x80)).trailing_zeros() as usize / 8
    };
    let (low, high) = octets.split_at(8);
    let (low, high) = (first(low), first(high));
    if low < 8 { low } else { 8 + high }
}

/// Sets the highest bit of each of eight octets that is one of `these`, and perhaps that of octets behind the first of
/// them.
#[inline]
fn found<const N: usize>(octets: u64, these: [u8; N]) -> u64 {
    these.iter().fold(0, |found, this| {
        let without = octets ^ (EACH * u64::from(*this));
        found | without.wrapping_sub(EACH) & !without
    })
}

/// An octet of 1 for each of eight.
const EACH: u64 = 0x0101_0101_0101_0101;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_of_a_text_is_the_same_lines_with_both_line_ends() {
        for text in ["", "a", "\n\n\n", "ab\nc\n\nd", "\ra\r\rb\nc\rd", "\n\r"] {
            let crlf = text.replace('\n', "\r\n");
            for most in 0..=text.len() + 1 {
                let (lf, crlf) = (start(text.as_bytes(), most), start(crlf.as_bytes(), most));
                let read = String::from_utf8_lossy(crlf).replace("\r\n", "\n");
                assert_eq!(lf, &text.as_bytes()[..most.min(text.len())]);
                assert_eq!(read.as_bytes(), lf, "{text:?} {most}");
            }
        }
    }

    #[test]
    fn every_pair_is_seen() {
        for length in 1..70 {
            for at in 0..length {
                let mut octets = vec![b'x'; length];
                octets[at] = b'-';
                assert!(any_pair(&octets, |octet, _| octet == b'-'), "{at} of {length}");
                assert!(!any_pair(&octets, |octet, next| octet == b'-' && next == b'-'), "{at} of {length}");
                assert!(any_pair(&octets, |octet, next| octet == b'-' && next != b'-'), "{at} of {length}");
                if let Some(next) = octets.get_mut(at + 1) {
                    *next = b'-';
                    assert!(any_pair(&octets, |octet, next| octet == b'-' && next == b'-'), "{at} of {length}");
                }
            }
        }
        assert!(!any_pair(&[], |_, _| true));
    }

    fn is_kept(octet: u8) -> bool {
        (b' '..=b'}').contains(&octet) && octet != b'+' && octet != b'\\'
    }

    #[test]
    fn both_ways_find_the_same_end() {
        for octet in 0..=255u8 {
            for at in 0..16 {
                let mut octets = [b'x'; 16];
                octets[at] = octet;
                assert_eq!(printable_len(&octets, b'}', *b"+\\"), run_len(&octets, is_kept), "{octet:#x} at {at}");
                octets[15] = 0xFF;
                assert_eq!(printable_len(&octets, b'}', *b"+\\"), run_len(&octets, is_kept), "{octet:#x} at {at}");
            }
        }
    }
}
