//! Base64 (RFC 2045 §6.8).
//!
//! Bodies are megabytes and nearly always clean, so they first go through `encodify`, which decodes wrapped
//! lines with SIMD: benches/coding.rs has it next to the `base64` crate, which knows no line ends and needs
//! the text copied without them. What `encodify` would refuse, or pass without a word about a digit that it
//! dropped, is read again by the tolerant reader here.

use encodify::base64::{LENIENT, LineEnding, STANDARD};

use super::{DecodedOctets, FaultCount, LINE_LIMIT};
use crate::scan::count;

const JUNK: &str = "an octet that is not of base64";
const LONE_DIGIT: &str = "a digit without a second one to make an octet";

/// Decodes a body; never fails, and never stops before its end.
///
/// White space is skipped, lines may have any width. `=` ends a group of digits and more may follow (bodies
/// joined after they were encoded); it may be missing, and bits left over in the last digit may be set.
/// These are no faults, for nothing is lost. Each run of other octets is one fault and is skipped, and so is
/// each digit that stands alone in its group.
///
/// ```
/// use septet_text::transfer::base64::decode;
///
/// assert_eq!(*decode(b"Y2Fm\r\nw6k=").bytes, *"café".as_bytes());
/// let odd = decode(b"Y2Fm*w6k=");
/// assert_eq!((&*odd.bytes, odd.faults), ("café".as_bytes(), 1), "skipped, and counted");
/// ```
pub fn decode(encoded: &[u8]) -> DecodedOctets<'_> {
    match LENIENT.decode(encoded) {
        Ok(bytes) if has_no_lone_digit(encoded) => FaultCount::default().with(bytes),
        _ => decode_tolerant(encoded),
    }
}

/// Returns `true` if text stands in a body: the footer that a mailing list adds to mail that it doesn't understand, or
/// a text that was never encoded. Some readers stop before it, others take its letters for digits.
///
/// Text is any octet above 127, a line of words, a line with octets that are not of base64 and no digits but those of
/// words, a word behind the padding, or a word behind a line that has nothing of base64. Other octets between digits
/// are junk from the way.
///
/// ```
/// use septet_text::transfer::base64::has_words;
///
/// assert!(has_words(b"R3L832UK\n-- \nannounce\n") && has_words(b"Y2E=\nbye\n"));
/// assert!(!has_words(b"Y2E=\nY2E=\n") && !has_words(b"Y2Fm!\nY2Fm*Y2E=\n") && !has_words(b"Y2Fm\n-- \nY2E=\n.\n"));
/// ```
pub fn has_words(encoded: &[u8]) -> bool {
    let lines = encoded.split(|octet| *octet == b'\n');
    !encoded.is_ascii()
        || lines.clone().any(is_text)
        || behind_padding(encoded).is_some_and(has_plain_word)
        || lines.skip_while(|line| !is_rule(line)).any(has_plain_word)
}

/// Returns `true` if a line has several words, or an octet that is not of base64 and no words but
/// [plain](is_plain_word) ones.
fn is_text(line: &[u8]) -> bool {
    let words = line.split(u8::is_ascii_whitespace).filter(|word| has_digits(word)).count();
    words > 1 || has_junk(line) && has_digits(line) && has_plain_words_alone(line)
}

/// Returns `true` if a line has signs that are not of base64, and neither letters nor figures: it is drawn, like `-- `.
fn is_rule(line: &[u8]) -> bool {
    has_junk(line) && !has_digits(line)
}

/// Returns `true` if letters or digits stand among octets.
fn has_digits(octets: &[u8]) -> bool {
    octets.iter().any(u8::is_ascii_alphanumeric)
}

/// Returns `true` if one of the words between white space is a plain one.
fn has_plain_word(text: &[u8]) -> bool {
    text.split(u8::is_ascii_whitespace).any(is_plain_word)
}

/// Returns `true` if a line has an octet that is seen and neither a digit of base64 nor padding.
fn has_junk(line: &[u8]) -> bool {
    line.iter().any(|octet| octet.is_ascii_graphic() && *octet != b'=' && !is_digit(*octet))
}

/// Returns `true` if all runs of letters and digits are plain words, but for those of one or two.
fn has_plain_words_alone(line: &[u8]) -> bool {
    let mut runs = line.split(|octet| !octet.is_ascii_alphanumeric());
    runs.all(|run| run.len() < 3 || is_plain_word(run))
}

/// Returns `true` if `-` or `_` stand among digits and `+` and `/` don't, as in the alphabet for addresses (RFC 4648
/// §5): what all readers of mail skip was text to who wrote it. Beside digits they may be of a line that was added, so
/// there all of it must be in that alphabet.
///
/// ```
/// use septet_text::transfer::base64::has_url_safe_digits;
///
/// assert!(has_url_safe_digits(b"IGFu____IEv2\n") && !has_url_safe_digits(b"IGFuIEv2\n--\n-Y2E=-\n"));
/// assert!(has_url_safe_digits(b"____IEv2\n") && !has_url_safe_digits(b"IGFuIEv2\n--Y2E\n"));
/// ```
pub fn has_url_safe_digits(encoded: &[u8]) -> bool {
    if memchr::memchr2(b'+', b'/', encoded).is_some() {
        return false;
    }
    let marked = encoded.split(u8::is_ascii_whitespace).filter(|run| run.iter().any(is_mark) && has_digits(run));
    marked.clone().any(has_mark_within) || marked.clone().next().is_some() && is_url_safe(encoded)
}

/// Returns `true` for the two digits of the alphabet for addresses that the usual one lacks.
fn is_mark(octet: &u8) -> bool {
    matches!(octet, b'-' | b'_')
}

/// Returns `true` if `-` or `_` stands between letters or figures of a run.
fn has_mark_within(run: &[u8]) -> bool {
    let start = run.iter().position(u8::is_ascii_alphanumeric).unwrap_or(run.len());
    let end = run.iter().rposition(u8::is_ascii_alphanumeric).unwrap_or(start);
    run.get(start..end).is_some_and(|within| within.iter().any(is_mark))
}

/// Returns `true` if all of a text is digits of the alphabet for addresses, in groups that are whole or lack the
/// padding alone, as they often do there.
fn is_url_safe(encoded: &[u8]) -> bool {
    let octets = encoded.iter().filter(|octet| !octet.is_ascii_whitespace());
    let digits = octets.clone().take_while(|octet| octet.is_ascii_alphanumeric() || is_mark(octet)).count();
    let length = octets.clone().count();
    let is_padded = length % 4 == 0 && length - digits < 3 && octets.skip(digits).all(|octet| *octet == b'=');
    is_padded || digits == length && length % 4 != 1
}

/// Returns what stands from the first `=` on, if letters or digits are there: more than the padding at an end.
pub fn behind_padding(encoded: &[u8]) -> Option<&[u8]> {
    let behind = &encoded[memchr::memchr(b'=', encoded)?..];
    behind.iter().any(u8::is_ascii_alphanumeric).then_some(behind)
}

/// Returns `true` if octets are letters, all of them small but the first, as digits of base64 hardly ever are.
fn is_plain_word(octets: &[u8]) -> bool {
    let Some((first, rest)) = octets.split_first() else { return false };
    first.is_ascii_alphabetic() && rest.len() > 1 && rest.iter().all(u8::is_ascii_lowercase)
}

/// Encodes octets in lines of 76 digits, each with `line_end` after it, the last one too; nothing gives nothing.
///
/// `line_end` is LF or CRLF; anything else is taken for LF.
///
/// ```
/// use septet_text::transfer::base64::encode;
///
/// assert_eq!(encode("café".as_bytes(), b"\r\n"), b"Y2Fmw6k=\r\n");
/// assert_eq!(encode(b"", b"\n"), b"");
/// ```
pub fn encode(bytes: &[u8], line_end: &[u8]) -> Vec<u8> {
    let ending = if line_end == b"\r\n" { LineEnding::CrLf } else { LineEnding::Lf };
    STANDARD.wrapped(LINE_LIMIT, ending).encode(bytes).into_bytes()
}

/// Returns how many octets [`encode`] writes for `length` octets.
pub fn encoded_len(length: usize, line_end: &[u8]) -> usize {
    let ending = if line_end == b"\r\n" { LineEnding::CrLf } else { LineEnding::Lf };
    STANDARD.wrapped(LINE_LIMIT, ending).encoded_len(length)
}

/// Returns `true` if, in a text of digits, white space and padding, the padding is at the end and the digits before it
/// leave no single one over. `false` only means that a closer look is needed.
fn has_no_lone_digit(encoded: &[u8]) -> bool {
    let end = encoded.iter().rposition(|octet| *octet > b' ' && *octet != b'=').map_or(0, |last| last + 1);
    let body = &encoded[..end];
    let digits = count(body, |octet| octet > b' ');
    digits % 4 != 1 && memchr::memchr(b'=', body).is_none()
}

/// Decodes digit by digit, and counts what is skipped.
fn decode_tolerant(encoded: &[u8]) -> DecodedOctets<'_> {
    let mut reader = Base64Reader { out: Vec::with_capacity(encoded.len() / 4 * 3 + 3), ..Base64Reader::default() };
    for (at, &octet) in encoded.iter().enumerate() {
        reader.read(at, octet);
    }
    reader.end_group();
    reader.faults.with(reader.out)
}

/// A group of up to four digits, and where its first one stands.
#[derive(Default)]
struct Base64Reader {
    out: Vec<u8>,
    bits: u32,
    digits: u32,
    group_start: usize,
    /// Whether the octet before was none of base64: a run of these is one fault.
    in_junk: bool,
    faults: FaultCount,
}

impl Base64Reader {
    /// Takes the octet at a place.
    fn read(&mut self, at: usize, octet: u8) {
        let was_junk = std::mem::take(&mut self.in_junk);
        match octet {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C => {}
            b'=' => self.end_group(),
            _ => match digit_value(octet) {
                Some(value) => self.digit(at, value),
                None => {
                    if !was_junk {
                        self.faults.add(at, JUNK);
                    }
                    self.in_junk = true;
                }
            },
        }
    }

    /// Takes a digit, and writes the group that it makes whole.
    fn digit(&mut self, at: usize, value: u32) {
        if self.digits == 0 {
            self.group_start = at;
        }
        self.bits = self.bits << 6 | value;
        self.digits += 1;
        if self.digits == 4 {
            self.out.extend_from_slice(&self.bits.to_be_bytes()[1..]);
            (self.bits, self.digits) = (0, 0);
        }
    }

    /// Writes the octets of a group that padding or the end of the text cuts short.
    fn end_group(&mut self) {
        match self.digits {
            1 => self.faults.add(self.group_start, LONE_DIGIT),
            2 => self.out.push((self.bits >> 4) as u8),
            3 => self.out.extend_from_slice(&((self.bits >> 2) as u16).to_be_bytes()),
            _ => {}
        }
        (self.bits, self.digits) = (0, 0);
    }
}

/// Returns `true` for a digit of base64; padding is none.
pub(crate) fn is_digit(octet: u8) -> bool {
    digit_value(octet).is_some()
}

/// Returns the six bits of a digit; `None` for any other octet.
fn digit_value(octet: u8) -> Option<u32> {
    let value = match octet {
        b'A'..=b'Z' => octet - b'A',
        b'a'..=b'z' => octet - b'a' + 26,
        b'0'..=b'9' => octet - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}
