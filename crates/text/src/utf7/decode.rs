//! Octets to text.
//!
//! One reader serves the strict and the lossy decoder, so that they can't disagree: it writes U+FFFD for a
//! fault and goes on; the strict decoder stops at the end of the shift with the first fault and cuts the text
//! there. Each octet is looked at a bounded number of times, whatever the input.
//!
//! A shift is read eight digits at a time, which are three units exactly. After such a group no bits are left
//! over, so only a shift's last digits are read one by one.

use std::borrow::Cow;

use super::Variant;
use super::block::BlockWriter;
use super::digits::{NO_DIGIT, bits_of_eight, value_of};
use crate::fault::MalformedError;
use crate::scan::{printable_len, run_len};

const BARE_PLUS: &str = "\"+\" without a digit of base64 or \"-\" after it";
const RAW_OCTET: &str = "an octet above 127 in UTF-7";
const CONTROL: &str = "a control character outside a shift";
const PADDING_BITS: &str = "bits left over at the end of a shift are not zero";
const SPARE_DIGIT: &str = "a digit at the end of a shift that carries no bit of a character";
const ODD_OCTET: &str = "an odd number of octets in a shift";
const LONE_HIGH: &str = "a high surrogate without a low one after it";
const LONE_LOW: &str = "a low surrogate without a high one before it";
const NOT_UCS_2: &str = "a surrogate, which UCS-2 does not have (RFC 1642)";

/// Decodes a text; the first fault is the error, with its offset. Text without a shift is borrowed.
///
/// ```
/// use septet_text::utf7::{Variant, decode};
///
/// assert_eq!(decode(b"Geb+APw-hr", Variant::Rfc2152).unwrap(), "Gebühr");
/// assert_eq!(decode(b"+2D3eAA-", Variant::Rfc2152).unwrap(), "\u{1F600}");
/// assert!(decode(b"+2D3eAA-", Variant::Rfc1642).is_err(), "UCS-2 has no surrogates");
/// assert_eq!(decode(b"1 + 1", Variant::Rfc2152).unwrap_err().offset, 2);
/// ```
pub fn decode(text: &[u8], variant: Variant) -> Result<Cow<'_, str>, MalformedError> {
    match decode_until_fault(text, variant) {
        (text, None) => Ok(text),
        (_, Some(fault)) => Err(fault),
    }
}

/// Decodes a text up to the first fault, and gives that fault if there is one: reads to the end of the shift that has
/// it, and cuts what came of that.
pub fn decode_until_fault(text: &[u8], variant: Variant) -> (Cow<'_, str>, Option<MalformedError>) {
    if let Some(same) = unshifted(text) {
        return (Cow::Borrowed(same), None);
    }
    let mut reader = Utf7Reader::new(text, variant);
    reader.read(|reader| reader.first_fault.is_some());
    let mut read = reader.out.finish();
    read.truncate(reader.before_fault.unwrap_or(read.len()));
    (Cow::Owned(read), reader.first_fault)
}

/// Decodes a text with one U+FFFD for each fault, and tells how many there were.
///
/// A `+` that begins nothing, an octet above 127, a control character, half a pair and the end of a shift
/// count as one fault each; reading goes on behind it, inside the same shift where it is one.
///
/// ```
/// use septet_text::utf7::{Variant, decode_lossy};
///
/// assert_eq!(decode_lossy(b"a\xE9b", Variant::Rfc2152), ("a\u{FFFD}b".into(), 1));
/// ```
pub fn decode_lossy(text: &[u8], variant: Variant) -> (Cow<'_, str>, usize) {
    if let Some(same) = unshifted(text) {
        return (Cow::Borrowed(same), 0);
    }
    let mut reader = Utf7Reader::new(text, variant);
    reader.read(|_| false);
    (Cow::Owned(reader.out.finish()), reader.faults)
}

/// Returns the offset of the first `~` or `\`: not allowed outside a shift, and no digits, so never inside one.
///
/// ```
/// use septet_text::utf7::tolerated;
///
/// assert_eq!(tolerated(b"http://example.org/~me"), Some(19));
/// assert_eq!(tolerated(b"plain"), None);
/// ```
pub fn tolerated(text: &[u8]) -> Option<usize> {
    memchr::memchr2(b'~', b'\\', text)
}

/// Returns the text itself when all of it is direct, else `None`.
fn unshifted(text: &[u8]) -> Option<&str> {
    if accepted_len(text) < text.len() { None } else { std::str::from_utf8(text).ok() }
}

/// Returns `true` if the decoder takes an octet for itself: printable but for `+`, or SP, TAB, CR, LF.
fn is_accepted(octet: u8) -> bool {
    ((b' '..=b'~').contains(&octet) & (octet != b'+')) | (octet == b'\t') | (octet == b'\n') | (octet == b'\r')
}

/// Returns the length of the direct run at the start of `text`. Not inlined: alone it becomes vector code.
#[inline(never)]
fn accepted_len(text: &[u8]) -> usize {
    run_len(text, is_accepted)
}

/// A text that is read, and what came of it so far. Faults must be noted in the order of the text.
struct Utf7Reader<'a> {
    text: &'a [u8],
    variant: Variant,
    out: BlockWriter<String>,
    faults: usize,
    first_fault: Option<MalformedError>,
    /// Octets that were written before the first fault.
    before_fault: Option<usize>,
}

impl<'a> Utf7Reader<'a> {
    fn new(text: &'a [u8], variant: Variant) -> Utf7Reader<'a> {
        // Eight digits give at most nine octets, so it grows for faults only.
        let out = BlockWriter::new(String::with_capacity(text.len() + text.len() / 8 + 3));
        Utf7Reader { text, variant, out, faults: 0, first_fault: None, before_fault: None }
    }

    /// Reads direct runs and shifts until the end, or until `stop` holds after one.
    fn read(&mut self, stop: impl Fn(&Self) -> bool) {
        let text = self.text;
        let mut at = 0;
        while at < text.len() && !stop(self) {
            at += self.out.put_run(&text[at..], |octets| printable_len(octets, b'~', *b"+"), accepted_len);
            at = match text[at..] {
                [] => at,
                [b'+', digit, ..] if value_of(digit) < NO_DIGIT => self.shift(at + 1),
                [b'+', b'-', ..] => {
                    self.out.put(b"+");
                    at + 2
                }
                [octet @ (b'\t' | b'\n' | b'\r'), ..] => {
                    self.out.put(&[octet]);
                    at + 1
                }
                [b'+', ..] => self.refuse(at, BARE_PLUS),
                [octet, ..] => self.refuse(at, if octet.is_ascii() { CONTROL } else { RAW_OCTET }),
            };
        }
    }

    /// Writes up to three units, none of which is a surrogate.
    #[inline]
    fn put_units(&mut self, units: &[u16]) {
        self.out.put_with(|room| write_utf_8(units, room));
    }

    /// Writes a character.
    fn put_char(&mut self, character: char) {
        self.out.put_with(|room: &mut [u8; 4]| character.encode_utf8(room).len());
    }

    /// Notes a fault at `at`, writes U+FFFD for it, and gives the place behind that octet.
    fn refuse(&mut self, at: usize, rule: &'static str) -> usize {
        self.faults += 1;
        self.first_fault = self.first_fault.or(Some(MalformedError { offset: at, rule }));
        self.before_fault = self.before_fault.or(Some(self.out.written()));
        self.put_char(char::REPLACEMENT_CHARACTER);
        at + 1
    }

    /// Reads the shift whose digits begin at `start`, where one stands; gives the place behind it, and behind its `-`.
    #[inline]
    fn shift(&mut self, start: usize) -> usize {
        if let Some(unit) = self.text[start..].first_chunk().and_then(only_unit) {
            self.put_units(&[unit]);
            return start + 3 + usize::from(self.text[start + 3] == b'-');
        }
        self.any_shift(start)
    }

    /// Reads a shift of any length, faults included; returns the offset behind it, and behind its `-`.
    fn any_shift(&mut self, start: usize) -> usize {
        let mut units = Units { start, count: 0, high: None };
        let mut at = start;
        while let Some(bits) = bits_of_eight(&self.text[at..]) {
            self.three_units(&mut units, bits);
            at += 8;
        }
        at = self.last_digits(&mut units, at);
        if self.text.get(at) == Some(&b'-') { at + 1 } else { at }
    }

    /// Takes the three units of eight digits, in one go where no surrogate is among them.
    #[inline]
    fn three_units(&mut self, units: &mut Units, bits: u64) {
        let three = [(bits >> 32) as u16, (bits >> 16) as u16, bits as u16];
        if units.high.is_none() && !three.iter().any(|unit| is_surrogate(*unit)) {
            self.put_units(&three);
            units.count += 3;
        } else {
            three.iter().for_each(|unit| self.unit(units, *unit));
        }
    }

    /// Reads the up to seven digits from `at` on that end a shift, and judges the bits left over; gives the
    /// place behind them.
    #[inline]
    fn last_digits(&mut self, units: &mut Units, at: usize) -> usize {
        let (mut end, mut bits, mut left) = (at, 0u32, 0);
        while let Some(value) = self.text.get(end).map(|octet| value_of(*octet)).filter(|value| *value < NO_DIGIT) {
            bits = bits << 6 | u32::from(value);
            left += 6;
            end += 1;
            if left >= 16 {
                left -= 16;
                self.unit(units, (bits >> left) as u16);
            }
        }
        if let Some((_, offset)) = units.high.take() {
            self.refuse(offset, LONE_HIGH);
        }
        if left >= 6 {
            self.refuse(end - left / 6, if left >= 8 { ODD_OCTET } else { SPARE_DIGIT });
        } else if bits & ((1 << left) - 1) != 0 {
            self.refuse(end - 1, PADDING_BITS);
        }
        end
    }

    /// Takes a unit: writes its character, unless it is half of a pair or comes behind one.
    #[inline]
    fn unit(&mut self, units: &mut Units, unit: u16) {
        if units.high.is_none() && !is_surrogate(unit) {
            units.count += 1;
            self.put_units(&[unit]);
        } else {
            self.half_a_pair(units, unit);
        }
    }

    /// Reads a unit that is a surrogate or that comes after a high one, which waits in `units`.
    #[cold]
    #[inline(never)]
    fn half_a_pair(&mut self, units: &mut Units, unit: u16) {
        let offset = units.next_offset();
        if self.variant == Variant::Rfc1642 && is_surrogate(unit) {
            self.refuse(offset, NOT_UCS_2);
            return;
        }
        match (units.high.take(), unit) {
            (Some((high, _)), 0xDC00..=0xDFFF) => {
                char::decode_utf16([high, unit]).flatten().for_each(|character| self.put_char(character));
            }
            (before, _) => {
                if let Some((_, offset)) = before {
                    self.refuse(offset, LONE_HIGH);
                }
                match unit {
                    0xD800..=0xDBFF => units.high = Some((unit, offset)),
                    0xDC00..=0xDFFF => _ = self.refuse(offset, LONE_LOW),
                    _ => self.put_units(&[unit]),
                }
            }
        }
    }
}

/// What is known of a shift while it is read.
struct Units {
    /// Where its digits begin.
    start: usize,
    /// How many units were read.
    count: usize,
    /// A high surrogate that waits for its low one, and where it begins.
    high: Option<(u16, usize)>,
}

impl Units {
    /// Counts a unit; gives the offset of the digit that has its first bit.
    fn next_offset(&mut self) -> usize {
        let offset = self.start + self.count * 16 / 6;
        self.count += 1;
        offset
    }
}

fn is_surrogate(unit: u16) -> bool {
    unit & 0xF800 == 0xD800
}

/// Reads a shift of one character, the usual one in languages that have few outside ASCII; `None` for any other
/// shift, and for one that has a fault.
#[inline]
fn only_unit(text: &[u8; 4]) -> Option<u16> {
    let [a, b, c, end] = [0, 1, 2, 3].map(|at: usize| u32::from(value_of(text[at])));
    let bits = a << 12 | b << 6 | c;
    let unit = (bits >> 2) as u16;
    let good = (a | b | c) < 64 && end == u32::from(NO_DIGIT) && bits & 3 == 0 && !is_surrogate(unit);
    good.then_some(unit)
}

/// Writes the UTF-8 of up to three units none of which is a surrogate; gives its length.
#[inline]
fn write_utf_8(units: &[u16], octets: &mut [u8; 9]) -> usize {
    let mut len = 0;
    for unit in units.iter().take(3) {
        let low = 0x80 | (unit & 0x3F) as u8;
        match unit {
            0..0x80 => {
                octets[len] = *unit as u8;
                len += 1;
            }
            0x80..0x800 => {
                octets[len] = 0xC0 | (unit >> 6) as u8;
                octets[len + 1] = low;
                len += 2;
            }
            _ => {
                octets[len] = 0xE0 | (unit >> 12) as u8;
                octets[len + 1] = 0x80 | (unit >> 6 & 0x3F) as u8;
                octets[len + 2] = low;
                len += 3;
            }
        }
    }
    len
}
