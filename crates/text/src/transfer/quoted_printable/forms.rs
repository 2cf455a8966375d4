//! How octets are written in quoted-printable.

/// Each octet as an escape.
pub(super) static ESCAPES: [[u8; 3]; 256] = {
    let digits = b"0123456789ABCDEF";
    let mut table = [[b'='; 3]; 256];
    let mut octet = 0;
    while octet < 256 {
        table[octet] = [b'=', digits[octet >> 4], digits[octet & 15]];
        octet += 1;
    }
    table
};

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
