//! The sizes that a Maildir's file name states: `1234.M5P6.host,S=2048,W=2101:2,S`.
//!
//! `S=` is the octets of the file, `W=` the same with every line ending in CR LF: Dovecot and Courier write them, so
//! that nobody has to read a file to tell its size. Dovecot believes them, and where `S=` is not true it refuses to
//! give the message out. Here they are read as Dovecot does: a comma, the letter, `=`, digits, and then a comma, a
//! colon or the end, anywhere in the name; they also end where flags begin that stand behind another sign
//! ([`maildir_name`](crate::archive::maildir_name)). What a message is known by and its flags stay. Dovecot's
//! `dovecot-uidlist` goes by all that stands before the flags, so that a message with another size is a new one to it,
//! as it is to its clients.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use memchr::memchr_iter;

use crate::archive::maildir_name::split_flags;

/// The octets that a file name may have.
const LONGEST: usize = 255;

/// Makes the sizes in a name true; none when they are, or when there are none.
pub fn true_name(name: &OsStr, content: &[u8]) -> Option<OsString> {
    let old = name.as_bytes();
    let mut new = Vec::with_capacity(old.len() + 8);
    let mut done = 0;
    for comma in memchr_iter(b',', old) {
        let Some((size, end)) = size_at(name, comma, content) else { continue };
        new.extend_from_slice(old.get(done..comma + 3).unwrap_or_default());
        new.extend_from_slice(size.to_string().as_bytes());
        done = end;
    }
    new.extend_from_slice(old.get(done..).unwrap_or_default());
    (new != old).then(|| OsString::from_vec(new))
}

/// Returns another name for a message whose sizes, if its name states any, are true: with the sizes that it lacks
/// before the flags, as Dovecot writes them, or without `W=` where it has both.
///
/// Dovecot keeps the sizes and the structure of a message by its name in its lists, NeoMutt in its header cache, and
/// they go by that without looking at the file: one that changed must be another message to them.
pub fn other_name(name: &OsStr, content: &[u8]) -> OsString {
    let old = name.as_bytes();
    let place = |letter: u8| {
        let mut commas = memchr_iter(b',', old).filter(|comma| old.get(comma + 1) == Some(&letter));
        commas.find_map(|comma| size_at(name, comma, content).map(|(_, end)| comma..end))
    };
    let (own, flags) = split_flags(name);
    let size = |letter: char, octets: usize| format!(",{letter}={octets}");
    let (s, w) = (size('S', content.len()), size('W', size_in_crlf(content)));
    let added = match (place(b'S'), place(b'W')) {
        (Some(_), Some(w)) => return OsString::from_vec([&old[..w.start], &old[w.end..]].concat()),
        (Some(_), None) => w,
        (None, Some(_)) => s,
        (None, None) => s + &w,
    };
    OsString::from_vec([own, added.as_bytes(), flags].concat())
}

/// Returns `true` if a file may have this name: it is not too long.
pub fn fits(name: &OsStr) -> bool {
    name.len() <= LONGEST
}

/// Finds the size that a name states at a comma, and returns what it should be and where its digits end; none where
/// no size stands there.
fn size_at(name: &OsStr, comma: usize, content: &[u8]) -> Option<(usize, usize)> {
    let rest = name.as_bytes().get(comma + 1..)?;
    let digits = rest.strip_prefix(b"S=").or_else(|| rest.strip_prefix(b"W="))?;
    let length = digits.iter().take_while(|octet| octet.is_ascii_digit()).count();
    let at_flags = || split_flags(name).0.len() == comma + 3 + length;
    let ends = matches!(digits.get(length), None | Some(b',' | b':')) || at_flags();
    let size = if rest.starts_with(b"S") { content.len() } else { size_in_crlf(content) };
    (length > 0 && ends).then_some((size, comma + 3 + length))
}

/// Counts octets as if every line ended in CR LF.
fn size_in_crlf(content: &[u8]) -> usize {
    let bare = |&at: &usize| at.checked_sub(1).and_then(|before| content.get(before)) != Some(&b'\r');
    content.len() + memchr_iter(b'\n', content).filter(bare).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::maildir_name::base;

    #[test]
    fn makes_sizes_true_and_keeps_all_else() {
        let content = b"a\nb\r\n\nc\r";
        for (name, wanted) in [
            ("1.a.host", "1.a.host"),
            ("1.a.host:2,S", "1.a.host:2,S"),
            ("1.a.host,S=5:2,S", "1.a.host,S=8:2,S"),
            ("1.a.host,S=5,W=6:2,FRS", "1.a.host,S=8,W=10:2,FRS"),
            ("1.a.host,W=123456789012345678901234567890", "1.a.host,W=10"),
            ("1,S=8,S=9,S=0", "1,S=8,S=8,S=8"),
            // No sizes, as Dovecot reads them.
            ("1,S=,W=x,S=1x,s=1,S=-1,S=+1,S= 1,XS=1", "1,S=,W=x,S=1x,s=1,S=-1,S=+1,S= 1,XS=1"),
            ("S=1,U=5,FMD5=abc:2,", "S=1,U=5,FMD5=abc:2,"),
            ("1.a,S=5;2,S", "1.a,S=8;2,S"),
            ("1.a,S=5,W=6!2,", "1.a,S=8,W=10!2,"),
            ("1.a,S=5;b", "1.a,S=5;b"),
            // Dovecot looks behind the colon too.
            ("1:2,S=1", "1:2,S=8"),
            (",S=1", ",S=8"),
            (",", ","),
            ("", ""),
        ] {
            let made = true_name(OsStr::new(name), content);
            assert_eq!(made.as_deref().unwrap_or(OsStr::new(name)), wanted, "{name}");
            assert_eq!(made.is_some(), name != wanted);
            assert_eq!(base(OsStr::new(name)), base(OsStr::new(wanted)));
        }
        let strange = OsStr::from_bytes(b"\xff,S=1,\xfe\n:2,\x01");
        assert_eq!(true_name(strange, content).expect("a name").as_bytes(), b"\xff,S=8,\xfe\n:2,\x01");
    }

    #[test]
    fn a_message_that_changed_gets_another_name() {
        for (name, wanted) in [
            ("1.a.host:2,S", "1.a.host,S=8,W=10:2,S"),
            ("1.a.host", "1.a.host,S=8,W=10"),
            ("1.a,U=5:2,", "1.a,U=5,S=8,W=10:2,"),
            ("1.a,S=8:2,", "1.a,S=8,W=10:2,"),
            ("1.a,W=10", "1.a,W=10,S=8"),
            ("1.a,U=1;2,FS", "1.a,U=1,S=8,W=10;2,FS"),
            ("1.a!2,", "1.a,S=8,W=10!2,"),
            ("1.a,S=8;2,", "1.a,S=8,W=10;2,"),
            ("1.a;b", "1.a;b,S=8,W=10"),
            ("1.a,S=8,W=10,U=1:2,", "1.a,S=8,U=1:2,"),
        ] {
            let made = other_name(OsStr::new(name), b"a\nb\r\n\nc\r");
            assert_eq!(made, OsStr::new(wanted), "{name}");
            assert_eq!(base(&made), base(OsStr::new(name)));
        }
    }
}
