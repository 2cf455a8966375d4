//! The B encoding (RFC 2047 §4.1): base64 without lines.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::transfer::base64 as transfer;

/// Decodes a word's B text; what is not base64 is skipped.
pub fn decode(text: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&transfer::decode(text).bytes);
}

/// Returns `true` if a B text has nothing but whole groups of digits, padded at the end where one is short.
pub fn is_conforming(text: &[u8]) -> bool {
    let digits = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(text);
    text.len().is_multiple_of(4) && digits.iter().all(|&octet| transfer::is_digit(octet))
}

/// Returns `true` if a B text may be in the alphabet for addresses ([`transfer::has_url_safe_digits`]).
pub fn is_url_safe(text: &[u8]) -> bool {
    !is_conforming(text) && transfer::has_url_safe_digits(text)
}

/// Returns `true` if a B text was cut between two digits of a group: a later word may go on with it.
pub fn is_cut(text: &[u8]) -> bool {
    let digits = text.iter().filter(|&&octet| transfer::is_digit(octet)).count();
    digits % 4 != 0 && !text.contains(&b'=')
}

/// Returns how many characters [`encode`] writes.
pub fn encoded_len(octets: usize) -> usize {
    octets.div_ceil(3) * 4
}

/// Encodes octets, adding to `out`.
pub fn encode(octets: &[u8], out: &mut String) {
    STANDARD.encode_string(octets, out);
}
