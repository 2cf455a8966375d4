//! Tells mail from what is none, by the first octets of a file.
//!
//! A message starts with fields, and one of the first has a name that only mail has: `/etc/passwd` starts with `root:`, and
//! many other files with some word and a colon. Who has a message that starts otherwise can say so: `--format eml`.

use memchr::memchr;

use crate::protocol::mbox::{Item, first_message, is_field_of_mail};

/// Tells whether a mailbox file starts so: with a From_ line, behind empty lines, octets 0 or a byte order mark perhaps.
pub fn is_mbox(head: &[u8]) -> bool {
    let text = head.iter().position(|octet| !matches!(octet, b'\r' | b'\n' | 0)).unwrap_or(head.len());
    head[text..].starts_with(b"From ") || first_message(head).is_some()
}

/// Tells whether a message starts so: its first lines are fields, and one of them is a field of mail.
///
/// `whole` says that the file ends there; else its last line may be cut.
pub fn is_message(head: &[u8], whole: bool) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let (_, message) = Item::split_from_line(head);
    let mut rest = message;
    let mut known = false;
    while let Some((line, after)) = cut_line(rest, whole) {
        if line.is_empty() {
            break;
        }
        let goes_on = matches!(line[0], b' ' | b'\t') && rest.len() < message.len();
        match name(line) {
            _ if goes_on => {}
            Some(name) => known |= is_field_of_mail(name),
            // A header may end at a line that is none of its own.
            None if line.starts_with(b">From ") => {}
            None => return known,
        }
        rest = after;
    }
    known
}

/// Cuts the first line off, without its line end; none at the end, or where the line is cut.
fn cut_line(text: &[u8], whole: bool) -> Option<(&[u8], &[u8])> {
    let (line, after) = match memchr(b'\n', text) {
        Some(end) => (&text[..end], &text[end + 1..]),
        None if whole && !text.is_empty() => (text, &b""[..]),
        None => return None,
    };
    Some((line.strip_suffix(b"\r").unwrap_or(line), after))
}

fn name(line: &[u8]) -> Option<&[u8]> {
    let end = line.iter().position(|octet| !matches!(octet, b'!'..=b'9' | b';'..=b'~')).filter(|&end| end > 0)?;
    (line[end..].trim_ascii_start().first() == Some(&b':')).then_some(&line[..end])
}

/// Tells whether a file is mail whose lines end with CR alone, as on the classic Mac.
pub fn has_lines_of_cr(head: &[u8], whole: bool) -> bool {
    if memchr(b'\n', head).is_some() || memchr(b'\r', head).is_none() {
        return false;
    }
    let lines: Vec<u8> = head.iter().map(|&octet| if octet == b'\r' { b'\n' } else { octet }).collect();
    is_mbox(&lines) || is_message(&lines, whole)
}

/// What to do with mail whose lines end with CR alone.
pub const LINES_OF_CR: &str = "its lines end with CR alone, as on the classic Mac: \
     `tr '\\r' '\\n' < FILE > FILE.mbox` makes lines of them, and that file is mail";

/// Says what a file is that is no mail, and what to do with it.
pub fn hint(head: &[u8]) -> &'static str {
    let known: [(usize, &[u8], &str); 5] = [
        (0, b"PK\x03\x04", "it is a ZIP archive: unpack it first, and convert what is in it"),
        (257, b"ustar", "it is a tar archive: unpack it first, and convert what is in it with -r"),
        (0, b"!BDN", "it is an Outlook file: readpst makes mailboxes of it"),
        (0, b"\x1f\x8b", "it is compressed twice: unpack it first"),
        (0, b"SQLite format 3", "it is a database of a mail program: export the messages from there"),
    ];
    let found = known.into_iter().find(|(at, magic, _)| head.get(*at..).is_some_and(|rest| rest.starts_with(magic)));
    found.map_or(
        "neither a From_ line nor fields of mail stand at its start; --format eml takes it for a message all the same",
        |(_, _, hint)| hint,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_mail_from_what_is_none() {
        for (file, expected) in [
            ("From: a@example.org\n\nx\n", true),
            ("Received: from a\r\n\tby b\r\nSubject: x", true),
            ("\u{feff}Subject: x\n", true),
            ("X-Odd: 1\nx-other : 2\nSUBJECT: x\n\n", true),
            (">From joe Mon Jan  1 00:00:00 2007\nTo: x\n", true),
            ("To: x\nno field\n", true),
            ("root:x:0:0:root:/root:/bin/bash\nmail:x:8:8:mail:/var/mail:/usr/sbin/nologin\n", false),
            ("Package: septet\nVersion: 1\nDescription: x\n y\n", false),
            ("HTTP/1.1 200 OK\nDate: now\nContent-Type: text/html\n", false),
            ("{\"From\": 1}\n", false),
            ("a,b\n1,2\n", false),
            (" From: x\n", false),
            ("\nFrom: x\n", false),
            ("text\n\nSubject: x\n", false),
            ("name: x\n\nSubject: x\n", false),
            ("\0\0\0\0", false),
            ("", false),
        ] {
            assert_eq!(is_message(file.as_bytes(), true), expected, "{file:?}");
        }
        assert!(is_message(b"X-Long: yyyyyyyy\nTo: x\nSubj", false));
        assert!(!is_message(b"X-Long: yyyyyyyy\nSubject: x", false), "the last line may be cut");
    }

    #[test]
    fn says_what_to_do_with_what_is_none() {
        let tar = [&[b'x'; 257][..], b"ustar"].concat();
        for (head, word) in
            [(&b"PK\x03\x04"[..], "ZIP"), (&tar, "tar"), (b"!BDN", "readpst"), (b"root:x", "--format eml")]
        {
            assert!(hint(head).contains(word), "{word}");
        }
    }

    #[test]
    fn lines_of_cr_are_told() {
        for (file, expected) in [
            ("From a Mon Jan  1 00:00:00 2007\rSubject: x\r\rtext\r", true),
            ("Subject: x\r\rtext", true),
            ("Subject: x\r\n\rtext", false),
            ("some\rtext\r", false),
            ("Subject: x", false),
            ("", false),
        ] {
            assert_eq!(has_lines_of_cr(file.as_bytes(), true), expected, "{file:?}");
        }
    }
}
