//! Tells mail from what is none, by the first octets of a file.
//!
//! A message starts with fields, and one of the first has a name that only mail has: `/etc/passwd` starts with `root:`,
//! and many other files with some word and a colon. Who has a message that starts otherwise can say so: `--format eml`,
//! or by its name (`.eml`), for which any field is enough. What is known to be something else is named ([`hint`]), with
//! what makes mail of it.

use memchr::memchr;

use crate::protocol::emlx::stated;
use crate::protocol::mbox::{MboxMessage, first_message, is_field_of_mail, is_mmdf};

/// Returns `true` if a mailbox file starts so: with a From_ line, behind empty lines or a byte order mark perhaps, or
/// with the line that MMDF writes before a message.
pub fn is_mbox(head: &[u8]) -> bool {
    let text = head.iter().position(|octet| !matches!(octet, b'\r' | b'\n')).unwrap_or(head.len());
    head[text..].starts_with(b"From ") || first_message(head).is_some() || is_mmdf(head)
}

/// Returns `true` if a message starts so: its first lines are fields, and one of them is a field of mail. Apple Mail
/// has a number before it.
///
/// `whole` says that the file ends there; else its last line may be cut.
pub fn is_message(head: &[u8], whole: bool) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let (_, message) = stated(head).unwrap_or_else(|| (0, MboxMessage::split_from_line(head).1));
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

/// Returns `true` if a file starts with a field of any name, behind a From_ line perhaps.
pub fn starts_with_field(head: &[u8], whole: bool) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    cut_line(MboxMessage::split_from_line(head).1, whole).is_some_and(|(line, _)| name(line).is_some())
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

/// Returns the name of the field that a line starts; none where it starts none.
fn name(line: &[u8]) -> Option<&[u8]> {
    let end = line.iter().position(|octet| !matches!(octet, b'!'..=b'9' | b';'..=b'~')).filter(|&end| end > 0)?;
    (line[end..].trim_ascii_start().first() == Some(&b':')).then_some(&line[..end])
}

/// Returns `true` if a file is mail whose lines end with CR alone, as on the classic Mac.
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

/// The first octets of files that hold mail in another form, or none, where they stand, and what makes mail of them.
const KNOWN: [(usize, &[u8], &str); 15] = [
    (0, b"PK\x03\x04", "it is a ZIP archive: name it as an input of its own, and what is in it is converted"),
    (257, b"ustar", "it is a tar archive: name it as an input of its own, and what is in it is converted"),
    (0, b"!BDN", "it is an Outlook file (.pst, .ost): readpst makes mailboxes of it"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OFFICE),
    (0, b"\xcf\xad\x12\xfe", "it is a folder of Outlook Express (.dbx): undbx makes .eml files of it"),
    (0, b"\x1f\x8b", "it is compressed twice: unpack it first"),
    (0, b"SQLite format 3", "it is a database of a mail program: export the messages from there"),
    (0, b"*mbx*\r\n", MBX),
    (0, b":msg:", MIX),
    (0, b"#! rnews ", RNEWS),
    (0, b"#! cunbatch", "it is a compressed batch of news (rnews): behind that line it is what compress(1) makes"),
    (0, b"BABYL OPTIONS", "it is a Babyl file of Emacs: `M-x unrmail` makes an mbox of it there"),
    (0, b"\0\0\0\0", NULS),
    (0, b"\xff\xfe", UTF_16),
    (0, b"\xfe\xff", UTF_16),
];

const OFFICE: &str =
    "it is a file of Outlook or Office; msgconvert (libemail-outlook-message-perl) makes an .eml of a message (.msg)";
const MBX: &str = "it is a mailbox of UW IMAP (mbx): `mailutil copy FILE '#driver.unix/NEW'`, with names below your home, makes an mbox of it";
const MIX: &str = "it is of UW IMAP's mix, a folder of its own: `mailutil copy FOLDER '#driver.unix/NEW'`, with names below your home, makes an mbox of it";
const RNEWS: &str = "it is a batch of news (rnews): cut it where a line `#! rnews N` says how many octets of an article follow, each article into a file that ends in .eml";
const NULS: &str = "its first block was lost and is filled with NUL octets: `tr '\\000' '\\n' < FILE > NEW` turns them into empty lines";
const UTF_16: &str = "it is text in UTF-16: `iconv -f UTF-16 -t UTF-8 FILE > NEW` makes a file of it that can be read";
const UTF_16_LITTLE: &str =
    "it is text in UTF-16: `iconv -f UTF-16LE -t UTF-8 FILE > NEW` makes a file of it that can be read";
const UTF_16_BIG: &str =
    "it is text in UTF-16: `iconv -f UTF-16BE -t UTF-8 FILE > NEW` makes a file of it that can be read";
const DBOX: &str =
    "it is of Dovecot's dbox: `doveadm backup -u USER maildir:FOLDER` makes a Maildir of that user's mail";
const TENEX: &str = "it is a mailbox of UW IMAP (mtx or tenex): `mailutil copy FILE '#driver.unix/NEW'`, with names below your home, makes an mbox of it";
const BSMTP: &str = "it is a batch of SMTP (BSMTP): `exim -bS < FILE`, or any program that reads it, delivers what is in it; its messages can be converted then";
const FIELD: &str = "it starts with header fields, but none that is used only in mail; --format eml treats it as a message anyway, and so does a name ending in .eml";
const OTHER: &str = "no From_ line and no header field at its start";

/// Says what a file is that is no mail, and what to do with it.
pub fn hint(head: &[u8]) -> &'static str {
    let starts = |at: usize, magic: &[u8]| head.get(at..).is_some_and(|rest| rest.starts_with(magic));
    match KNOWN.into_iter().find(|&(at, magic, _)| starts(at, magic)) {
        Some((_, _, hint)) => hint,
        None if is_dbox(head) => DBOX,
        None if is_tenex(head) => TENEX,
        None if is_bsmtp(head) => BSMTP,
        None if is_utf_16(head, 1) => UTF_16_LITTLE,
        None if is_utf_16(head, 0) => UTF_16_BIG,
        None if starts_with_field(head, false) => FIELD,
        None => OTHER,
    }
}

/// Returns `true` if a file of Dovecot's sdbox or mdbox starts so: `2 M1e C5f3a0c1d`, its version, the octets before a
/// message, and when it was made.
fn is_dbox(head: &[u8]) -> bool {
    let Some((line, _)) = cut_line(&head[..head.len().min(64)], false) else { return false };
    let hex = |word: &[u8]| word.len() > 1 && word[1..].iter().all(u8::is_ascii_hexdigit);
    let mut words = line.split(|&octet| octet == b' ');
    words.next() == Some(b"2")
        && words.next().is_some_and(|word| word[..].starts_with(b"M") && hex(word))
        && words.next().is_some_and(|word| word[..].starts_with(b"C") && hex(word))
}

/// Returns `true` if a file of UW IMAP's mtx or tenex starts so: ` 5-Jan-2026 12:00:00 +0000,208;000000000000`, when a
/// message came in, its octets and its flags.
fn is_tenex(head: &[u8]) -> bool {
    let Some((line, _)) = cut_line(&head[..head.len().min(80)], false) else { return false };
    let Some((date, rest)) = line.split_at_checked(26) else { return false };
    let has = |at: usize, octet: u8| date[at] == octet;
    let is_date = has(2, b'-') && has(6, b'-') && has(11, b' ') && has(14, b':') && has(17, b':');
    let mut parts = rest.strip_prefix(b",").unwrap_or_default().splitn(2, |&octet| octet == b';');
    let is_number = |part: Option<&[u8]>| part.is_some_and(|it| !it.is_empty() && it.iter().all(u8::is_ascii_hexdigit));
    is_date && is_number(parts.next()) && is_number(parts.next())
}

/// Returns `true` if a batch of SMTP commands starts so: `HELO host` and `MAIL FROM:<a@example.org>`, or the latter
/// alone.
fn is_bsmtp(head: &[u8]) -> bool {
    let mut lines = head[..head.len().min(2048)].split(|&octet| octet == b'\n');
    let starts = |line: Option<&[u8]>, word: &str| {
        line.and_then(|line| line.get(..word.len())).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
    };
    let first = lines.next();
    let greets = starts(first, "HELO ") || starts(first, "EHLO ") || starts(first, "RSET");
    starts(if greets { lines.next() } else { first }, "MAIL FROM:")
}

/// Returns `true` if a text in ASCII starts so in UTF-16; `zeros` is which octet of each pair is 0 then, the first or
/// the second.
fn is_utf_16(head: &[u8], zeros: usize) -> bool {
    let (pairs, _) = head[..head.len().min(16)].as_chunks::<2>();
    pairs.len() > 3
        && pairs.iter().all(|pair| pair[zeros] == 0 && (pair[1 - zeros].is_ascii_graphic() || pair[1 - zeros] == b' '))
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
    fn any_field_is_enough_for_what_is_named_as_a_message() {
        for (file, expected) in
            [("X-Odd: 1\n\nx", true), ("From a\nX-Odd: 1\n", true), ("\nX: 1\n", false), ("x", false)]
        {
            assert_eq!(starts_with_field(file.as_bytes(), true), expected, "{file:?}");
        }
        assert!(is_message(b"180       \nSubject: x\n\n", true), "Apple Mail's");
        assert!(!is_message(b"180\nsome: text\n", true));
    }

    #[test]
    fn says_what_to_do_with_what_is_none() {
        let tar = [&[b'x'; 257][..], b"ustar"].concat();
        for (head, word) in [
            (&b"PK\x03\x04"[..], "ZIP"),
            (&tar, "tar"),
            (b"!BDN", "readpst"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "msgconvert"),
            (b"\xcf\xad\x12\xfe", "undbx"),
            (b"*mbx*\r\n12345678", "mailutil"),
            (b"BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n", "unrmail"),
            (b"\xff\xfeS\0u\0b\0", "-f UTF-16 "),
            (b"S\0u\0b\0j\0e\0", "UTF-16LE"),
            (b"\0S\0u\0b\0j\0e", "UTF-16BE"),
            (b"\0\0\0\0\0\0From a", "tr '\\000'"),
            (b"2 M1e C5f3a0c1d\n\x01\x02N", "doveadm"),
            (b"2 Mails Came\n", "no From_ line"),
            (b"#! rnews 208\nPath: x\n", "rnews"),
            (b"#! cunbatch\n\x1f\x9d", "compress"),
            (b"HELO a\nMAIL FROM:<a@example.org>\nRCPT TO:<b@example.org>\nDATA\n", "BSMTP"),
            (b"mail from:<a@example.org>\r\n", "BSMTP"),
            (b"HELO there\n", "no From_ line"),
            (b" 5-Jan-2026 12:00:00 +0000,208;000000000000\r\nFrom: a\r\n", "tenex"),
            (b"28-Nov-2026 15:17:06 +0000,2080;000000000001\nFrom: a\n", "tenex"),
            (b"28-Nov-2026 15:17:06 +0000, a note; 1\n", "no From_ line"),
            (b":msg:00000001:20260105120000+0000:000000d0:\r\n", "mix"),
            (b"root:x:0\n", "--format eml"),
            (b"{}\n", "no From_ line"),
            (b"", "no From_ line"),
        ] {
            assert!(hint(head).contains(word), "{word}: {}", hint(head));
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
