//! Messages that Thunderbird marked deleted and did not compact yet: they stand in its mailbox file, and nobody sees
//! them there.
//!
//! It writes what it knows of a message into a field of its own, `X-Mozilla-Status: 0009`, four digits of 16 bits in
//! hexadecimal; 0x0008 is "expunged" (nsMsgMessageFlags.idl).

use crate::coding::masks::near_places;

/// Why such a message is not in the output.
pub const LEFT_OUT: &str = "Thunderbird marked it deleted, and --skip-deleted leaves it out";

/// The bit that says so.
pub const EXPUNGED: u16 = 0x0008;

const NAME: &[u8] = b"X-Mozilla-Status:";

/// Returns `true` if the header of a message says that it was deleted; the first such field counts. `message` starts
/// with its header, and may be cut: a line without its end is not read.
pub fn is_deleted(message: &[u8]) -> bool {
    let mut start = 0;
    for end in near_places(message, b'\n') {
        let line = &message[start..end];
        match line.first() {
            Some(b'X' | b'x') if line.get(..NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME)) => {
                return status(&line[NAME.len()..]).is_some_and(|status| status & EXPUNGED != 0);
            }
            Some(first) if !first.is_ascii_whitespace() => start = end + 1,
            _ if line.trim_ascii().is_empty() => return false,
            _ => start = end + 1,
        }
    }
    false
}

/// Reads the value of that field; none where it is no number.
pub fn status(value: &[u8]) -> Option<u16> {
    u16::from_str_radix(str::from_utf8(value.trim_ascii()).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_of_a_field_of_the_header_tells() {
        for (message, expected) in [
            ("X-Mozilla-Status: 0009\nX-Mozilla-Status2: 00000000\n\n", true),
            ("From: a\r\nx-mozilla-status: 0008\r\n\r\n", true),
            ("X-Mozilla-Status: 0001\n\n", false),
            ("X-Mozilla-Status: 0x08\n\n", false),
            ("X-Mozilla-Status2: 00000008\n\n", false),
            ("From: a\n \t\nX-Mozilla-Status: 0008\n", false),
            ("From: a\n b\nX-Mozilla-Status: 0008\n", true),
            ("From: a\n\nX-Mozilla-Status: 0008\n", false),
            ("", false),
        ] {
            assert_eq!(is_deleted(message.as_bytes()), expected, "{message:?}");
        }
    }
}
