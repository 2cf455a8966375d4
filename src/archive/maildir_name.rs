//! The name of a message's file in a Maildir: its own name, with sizes perhaps, and its flags:
//! `1234.M5P6.host,S=2048:2,S`.
//!
//! The flags stand behind a colon. Where a file system has no colons in names (FAT, NTFS, SMB shares) programs write
//! another sign for it: `;2,S` (mbsync's InfoDelimiter, mu) or `!2,S` (offlineimap). These two also stand in names for
//! other reasons, so they count where `1,` or `2,` and nothing but letters stand behind them.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use memchr::{memchr, memrchr2};

/// Parts a name into what stands before the flags, sizes included, and the flags with their separator, which are
/// empty where it has none. A colon always begins them; the two other signs do so only where there is no colon.
pub fn split_flags(name: &OsStr) -> (&[u8], &[u8]) {
    let name = name.as_bytes();
    let other = || memrchr2(b';', b'!', name).filter(|&at| is_flags(&name[at + 1..]));
    name.split_at(memchr(b':', name).or_else(other).unwrap_or(name.len()))
}

/// Returns the part of a name by which a message is known, whatever sizes and flags follow.
pub fn base(name: &OsStr) -> &[u8] {
    let (own, _) = split_flags(name);
    own.split(|&octet| octet == b',').next().unwrap_or_default()
}

/// Returns `true` if flags stand here, without their separator: `2,` or `1,` and letters, or none.
fn is_flags(text: &[u8]) -> bool {
    let flags = text.strip_prefix(b"2,").or_else(|| text.strip_prefix(b"1,"));
    flags.is_some_and(|flags| flags.iter().all(u8::is_ascii_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_stand_behind_any_of_three_signs() {
        for (name, own, flags, known_by) in [
            ("1.a,S=5:2,S", "1.a,S=5", ":2,S", "1.a"),
            ("1.a:2,S", "1.a", ":2,S", "1.a"),
            ("1.a:x;2,S", "1.a", ":x;2,S", "1.a"),
            ("1.a,U=1;2,FS", "1.a,U=1", ";2,FS", "1.a"),
            ("1.a!2,", "1.a", "!2,", "1.a"),
            ("1.a;1,a", "1.a", ";1,a", "1.a"),
            ("1.a!b;2,T", "1.a!b", ";2,T", "1.a!b"),
            // The sign is one of the name's own.
            ("1.a;b", "1.a;b", "", "1.a;b"),
            ("1.a!3,S", "1.a!3,S", "", "1.a!3"),
            ("1.a;2,S=5", "1.a;2,S=5", "", "1.a;2"),
            ("1.a;2,F,S=57", "1.a;2,F,S=57", "", "1.a;2"),
            ("1.a;2,S:2,F", "1.a;2,S", ":2,F", "1.a;2"),
            ("1.a;2", "1.a;2", "", "1.a;2"),
            ("1.a", "1.a", "", "1.a"),
            (",S=5", ",S=5", "", ""),
            ("", "", "", ""),
        ] {
            let name = OsStr::new(name);
            assert_eq!(split_flags(name), (own.as_bytes(), flags.as_bytes()), "{name:?}");
            assert_eq!(base(name), known_by.as_bytes(), "{name:?}");
        }
    }
}
