//! How octets are written in quoted-printable.

use crate::hex;

/// Each octet as an escape.
pub(super) static ESCAPES: [[u8; 3]; 256] = hex::escapes(b'=');

/// The octets that stand for themselves (§6.7 (2)), blanks included.
pub(super) static PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    let mut octet = b' ';
    while octet <= b'~' {
        table[octet as usize] = octet != b'=';
        octet += 1;
    }
    table[b'\t' as usize] = true;
    table
};
