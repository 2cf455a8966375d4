//! Hexadecimal digits: the one reader of them for `=C3`, `%C3` and `u'00C3'`.
//!
//! A digit is `0-9`, `a-f` or `A-F` and nothing else. The number readers of the standard library take a sign too, and
//! `%+d` would come out as a CR.

/// The digits that are written.
const UPPER: &[u8; 16] = b"0123456789ABCDEF";

/// The value of each hexadecimal digit, and 0xFF for every other octet.
static DIGITS: [u8; 256] = {
    let mut table = [0xFF; 256];
    let mut value = 0;
    while value < 16 {
        let digit = UPPER[value];
        table[digit as usize] = value as u8;
        table[digit.to_ascii_lowercase() as usize] = value as u8;
        value += 1;
    }
    table
};

/// Returns each octet as an escape in upper case: what begins it, and two digits.
pub(crate) const fn escapes(mark: u8) -> [[u8; 3]; 256] {
    let mut table = [[mark; 3]; 256];
    let mut octet = 0;
    while octet < 256 {
        table[octet] = [mark, UPPER[octet >> 4], UPPER[octet & 15]];
        octet += 1;
    }
    table
}

/// Returns the value of a digit of either case; none for any other octet.
///
/// ```
/// use septet_text::hex;
///
/// assert_eq!((hex::digit(b'f'), hex::octet(b'C', b'3'), hex::number(b"20AC")), (Some(15), Some(0xC3), Some(0x20AC)));
/// assert_eq!((hex::digit(b'+'), hex::number(b"+1")), (None, None));
/// ```
#[inline]
pub fn digit(octet: u8) -> Option<u8> {
    match DIGITS[usize::from(octet)] {
        0xFF => None,
        value => Some(value),
    }
}

/// Returns the octet that two digits write; `None` where one is no digit.
#[inline]
pub fn octet(high: u8, low: u8) -> Option<u8> {
    Some(digit(high)? << 4 | digit(low)?)
}

/// Returns the number that up to eight digits write; none where one is no digit, where there are more, or none.
pub fn number(digits: &[u8]) -> Option<u32> {
    if !(1..=8).contains(&digits.len()) {
        return None;
    }
    digits.iter().try_fold(0, |value, &octet| Some(value << 4 | u32::from(digit(octet)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_digits_and_nothing_else() {
        assert_eq!((octet(b'0', b'd'), octet(b'F', b'f')), (Some(13), Some(255)));
        for (high, low) in [(b'+', b'd'), (b'-', b'1'), (b' ', b'1'), (b'g', b'0'), (b'0', b'x'), (0xC3, b'0')] {
            assert_eq!(octet(high, low), None);
        }
        let numbers: [&[u8]; 5] = [b"", b"10FFFF", b"ffffffff", b"+ff", b"123456789"];
        assert_eq!(numbers.map(number), [None, Some(0x10_FFFF), Some(u32::MAX), None, None]);
    }
}
