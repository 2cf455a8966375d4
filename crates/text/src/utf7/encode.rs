//! Text to octets.
//!
//! Of the many ways to write a text in UTF-7 this is one: what may be direct is direct, `+` is `+-`, and each
//! run of other characters is one shift. Staying in a shift over a digit or two would sometimes save an
//! octet, but then ASCII would hide in base64, where neither people nor filters see it.
//!
//! A shift gets its `-` only where it is needed: before a digit, before `-`, before `+` (a digit too), and at
//! the end of the text, so that texts can be joined. A line end ends it by itself. No line is ever broken here.

use std::borrow::Cow;

use super::block::BlockWriter;
use super::digits::eight_digits;
use super::{SetO, Utf7Options, Variant, is_direct};
use crate::fault::MappingError;
use crate::scan::{printable_len, run_len};

/// Encodes a text; borrowed when all of it is direct.
///
/// Fails only for RFC 1642, at the first character above U+FFFF.
///
/// ```
/// use septet_text::utf7::{SetO, Utf7Options, Variant, encode};
///
/// assert_eq!(*encode("Gebühr = 1+1!", Utf7Options::default()).unwrap(), *b"Geb+APw-hr = 1+-1!");
/// let gateway = Utf7Options { set_o: SetO::Encoded, ..Utf7Options::default() };
/// assert_eq!(*encode("1!", gateway).unwrap(), *b"1+ACE-");
/// let ucs_2 = Utf7Options { variant: Variant::Rfc1642, ..Utf7Options::default() };
/// assert_eq!(encode("a\u{1F600}", ucs_2).unwrap_err().offset, 1);
/// ```
pub fn encode(text: &str, options: Utf7Options) -> Result<Cow<'_, [u8]>, MappingError> {
    let octets = text.as_bytes();
    let direct = direct_len(octets, options.set_o);
    if direct == octets.len() {
        return Ok(Cow::Borrowed(octets));
    }
    let mut out = BlockWriter::new(Vec::with_capacity(octets.len() + octets.len() / 4 + 16));
    let mut at = 0;
    while at < octets.len() {
        at += match options.set_o {
            SetO::Direct => out.put_run(&octets[at..], |octets| printable_len(octets, b'}', *b"+\\"), all_direct_len),
            // "Sixteen or more" is the answer of a short look that leaves it to the long one.
            SetO::Encoded => out.put_run(&octets[at..], |_| 16, |octets| direct_len(octets, SetO::Encoded)),
        };
        match octets.get(at) {
            None => break,
            Some(b'+') => {
                out.put_some(*b"+-", 2);
                at += 1;
            }
            // The short look at a run does not know that these are direct.
            Some(octet @ (b'\t' | b'\n' | b'\r')) => {
                out.put_some([*octet], 1);
                at += 1;
            }
            Some(_) => at += shift(text, at, options, &mut out)?,
        }
    }
    Ok(Cow::Owned(out.finish()))
}

/// Returns the length of the run of direct octets.
fn direct_len(octets: &[u8], set_o: SetO) -> usize {
    match set_o {
        SetO::Direct => all_direct_len(octets),
        SetO::Encoded => octets.iter().take_while(|octet| is_direct(**octet, set_o)).count(),
    }
}

/// Returns the length of the run of octets that [`is_direct`] takes where set O is direct. The set is written as
/// comparisons and the function not inlined, for only so the compiler makes vector code of it.
#[inline(never)]
fn all_direct_len(octets: &[u8]) -> usize {
    run_len(octets, |octet| {
        ((b' '..=b'}').contains(&octet) & (octet != b'+') & (octet != b'\\'))
            | (octet == b'\t')
            | (octet == b'\n')
            | (octet == b'\r')
    })
}

/// Writes the run of characters at `at` that need a shift, of which there is one at least; gives its length in octets
/// of UTF-8.
#[inline]
fn shift(text: &str, at: usize, options: Utf7Options, out: &mut BlockWriter<Vec<u8>>) -> Result<usize, MappingError> {
    let run = text.get(at..).unwrap_or_default();
    let mut characters = run.chars();
    // The usual shift in languages that have few characters outside ASCII: one of one unit, and a direct one behind it.
    if let (Some(first), Some(&end)) = (characters.next(), characters.as_str().as_bytes().first())
        && let Ok(unit) = u16::try_from(u32::from(first))
        && ends_shift(end, options.set_o)
    {
        let [a, b, c, ..] = eight_digits(u64::from(unit) << 32);
        out.put_some([b'+', a, b, c, b'-'], if needs_close(end) { 5 } else { 4 });
        return Ok(first.len_utf8());
    }
    long_shift(run, options, out).map_err(|fault| MappingError { offset: at + fault.offset, ..fault })
}

/// Writes a run of any length, whose first character needs a shift; the offset of a fault counts from its start.
fn long_shift(run: &str, options: Utf7Options, out: &mut BlockWriter<Vec<u8>>) -> Result<usize, MappingError> {
    let mut digits = Digits { out, bits: 0, units: 0 };
    digits.out.put_some(*b"+", 1);
    let mut length = 0;
    for character in run.chars() {
        match u16::try_from(u32::from(character)) {
            Ok(unit) if unit < 0x80 && ends_shift(unit as u8, options.set_o) => break,
            Ok(unit) => digits.put(unit),
            Err(_) if options.variant == Variant::Rfc1642 => return Err(MappingError { offset: length, character }),
            Err(_) => character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| digits.put(*unit)),
        }
        length += character.len_utf8();
    }
    digits.finish();
    if run.as_bytes().get(length).is_none_or(|next| needs_close(*next)) {
        out.put_some(*b"-", 1);
    }
    Ok(length)
}

/// Returns `true` if a character of ASCII is written outside a shift.
fn ends_shift(octet: u8, set_o: SetO) -> bool {
    octet == b'+' || is_direct(octet, set_o)
}

/// Returns `true` if a direct octet after a shift would be read as part of it.
fn needs_close(next: u8) -> bool {
    next == b'-' || next == b'+' || next == b'/' || next.is_ascii_alphanumeric()
}

/// Writes units as digits, three units and eight digits at a time.
struct Digits<'a> {
    out: &'a mut BlockWriter<Vec<u8>>,
    bits: u64,
    units: u32,
}

impl Digits<'_> {
    /// Takes a unit, and writes the group of three that it makes whole.
    #[inline]
    fn put(&mut self, unit: u16) {
        self.bits = self.bits << 16 | u64::from(unit);
        self.units += 1;
        if self.units == 3 {
            self.out.put_some(eight_digits(self.bits), 8);
            (self.bits, self.units) = (0, 0);
        }
    }

    /// Writes the units of a last group that is not whole, two at most: three digits for each, zero bits behind the
    /// last.
    fn finish(self) {
        self.out.put_some(eight_digits(self.bits << (16 * (3 - self.units))), 3 * self.units as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_direct_is_what_the_rfcs_say() {
        let always = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'(),-./:? \t\r\n";
        let by_choice = b"!\"#$%&*;<=>@[]^_`{|}";
        for octet in 0..=255u8 {
            let (is_always, is_by_choice) = (always.contains(&octet), by_choice.contains(&octet));
            for (set_o, wanted) in [(SetO::Direct, is_always || is_by_choice), (SetO::Encoded, is_always)] {
                assert_eq!((is_direct(octet, set_o), direct_len(&[octet], set_o) == 1), (wanted, wanted), "{octet:#x}");
            }
        }
    }
}
