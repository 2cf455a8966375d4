//! How far a run of octets goes.

/// Returns the length of the run at the start of `octets` of which `keep` holds.
///
/// Whole blocks are tested without a branch inside, so that the compiler makes vector code of them.
#[inline]
pub(super) fn run_len(octets: &[u8], keep: impl Fn(u8) -> bool) -> usize {
    const BLOCK: usize = 32;
    let clean = octets.chunks_exact(BLOCK).take_while(|block| block.iter().fold(true, |all, &octet| all & keep(octet)));
    let start = clean.count() * BLOCK;
    let rest = &octets[start..];
    start + rest.iter().position(|&octet| !keep(octet)).unwrap_or(rest.len())
}

/// Returns how many of sixteen octets stand before the first that is a control character, above `last`, or one of
/// `others`. Without a branch for each, which for runs of a word's length could never be foretold.
#[inline]
pub(super) fn printable_len<const N: usize>(octets: &[u8; 16], last: u8, others: [u8; N]) -> usize {
    let (low, high) = octets.split_at(8);
    let half = |half: &[u8]| first_other(half.first_chunk().map_or(0, |half| u64::from_le_bytes(*half)), last, others);
    let (low, high) = (half(low), half(high));
    if low < 8 { low } else { 8 + high }
}

/// Tests eight octets at once. A borrow or a carry spoils only what stands behind an octet that was found.
#[inline]
fn first_other<const N: usize>(octets: u64, last: u8, others: [u8; N]) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let control = octets.wrapping_sub(EACH * 0x20) & !octets;
    let above = octets.wrapping_add(EACH * (0x7F - u64::from(last))) | octets;
    let found = others.iter().fold(control | above, |found, other| {
        let without = octets ^ (EACH * u64::from(*other));
        found | without.wrapping_sub(EACH) & !without
    });
    (found & (EACH * 0x80)).trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_find_the_same_end() {
        for octet in 0..=255u8 {
            for at in 0..16 {
                let mut octets = [b'x'; 16];
                octets[at] = octet;
                let keep = |octet: u8| (b' '..=b'}').contains(&octet) && octet != b'+' && octet != b'\\';
                assert_eq!(printable_len(&octets, b'}', *b"+\\"), run_len(&octets, keep), "{octet:#x} at {at}");
                octets[15] = 0xFF;
                assert_eq!(printable_len(&octets, b'}', *b"+\\"), run_len(&octets, keep), "{octet:#x} at {at}");
            }
        }
    }
}
