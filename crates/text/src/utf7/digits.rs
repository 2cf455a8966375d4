//! Set B: the digits of base64, and their six bits.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// What [`value_of`] gives for an octet outside set B.
pub(super) const NO_DIGIT: u8 = 64;

static VALUES: [u8; 256] = {
    let mut table = [NO_DIGIT; 256];
    let mut value = 0;
    while value < 64 {
        table[DIGITS[value] as usize] = value as u8;
        value += 1;
    }
    table
};

/// Returns the value of a digit, and [`NO_DIGIT`] for another octet.
#[inline]
pub(super) fn value_of(octet: u8) -> u8 {
    VALUES[usize::from(octet)]
}

/// Returns the 48 bits of the eight digits at the start of `text`; `None` when there are fewer.
#[inline]
pub(super) fn bits_of_eight(text: &[u8]) -> Option<u64> {
    let [a, b, c, d, e, f, g, h] = text.first_chunk::<8>().filter(|group| value_of(group[6]) < NO_DIGIT)?;
    let (high, low) = (bits_of_four([*a, *b, *c, *d]), bits_of_four([*e, *f, *g, *h]));
    ((high | low) < STRANGER).then(|| u64::from(high) << 24 | u64::from(low))
}

/// Returns the 24 bits of four digits; [`STRANGER`] or more when one is no digit.
#[inline(always)]
fn bits_of_four([a, b, c, d]: [u8; 4]) -> u32 {
    let [first, second, third, fourth] = &PLACES;
    first[usize::from(a)] | second[usize::from(b)] | third[usize::from(c)] | fourth[usize::from(d)]
}

/// A bit above 24 bits, for an octet that is no digit.
const STRANGER: u32 = 1 << 24;

/// For each place in four digits, what an octet there gives: its six bits where they belong in 24.
static PLACES: [[u32; 256]; 4] = {
    let mut table = [[STRANGER; 256]; 4];
    let mut place = 0;
    while place < 4 {
        let mut value = 0;
        while value < 64 {
            table[place][DIGITS[value] as usize] = (value as u32) << (18 - 6 * place);
            value += 1;
        }
        place += 1;
    }
    table
};

/// Returns the digits of the lowest 48 bits.
#[inline]
pub(super) fn eight_digits(bits: u64) -> [u8; 8] {
    let [a, b] = two_digits(bits >> 36);
    let [c, d] = two_digits(bits >> 24);
    let [e, f] = two_digits(bits >> 12);
    let [g, h] = two_digits(bits);
    [a, b, c, d, e, f, g, h]
}

/// Returns the digits of the lowest 12 bits.
#[inline]
fn two_digits(bits: u64) -> [u8; 2] {
    PAIRS[(bits & 0xFFF) as usize]
}

/// The two digits of each 12 bits.
static PAIRS: [[u8; 2]; 4096] = {
    let mut table = [[0; 2]; 4096];
    let mut bits = 0;
    while bits < 4096 {
        table[bits] = [DIGITS[bits >> 6], DIGITS[bits & 63]];
        bits += 1;
    }
    table
};
