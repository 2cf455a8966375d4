//! Files, patches and signatures that stand among the lines of a text, from before MIME and from those who never took
//! it up.
//!
//! What is looked for stands at the start of a line, as its format demands; the same words quoted with `> `, or in the
//! middle of a sentence, are talk about it. Only a card may begin anywhere in a line.

use std::borrow::Cow;

use memchr::memmem;

use crate::coding::masks::near_places;
use crate::coding::scan::start;

/// Leaves out all octets 0: between the ASCII characters of UTF-16 and UTF-32 they would hide what is looked for.
pub(super) fn without_zeros(octets: &[u8]) -> Cow<'_, [u8]> {
    match memchr::memchr(0, octets) {
        None => octets.into(),
        Some(_) => octets.iter().copied().filter(|octet| *octet != 0).collect(),
    }
}

/// Returns `true` if a line of a text begins an OpenPGP block, whether it ends or not (RFC 9580 §6.2, §7; in several
/// parts: RFC 4880 §6.2). `octets` are without their transfer encoding and [`without_zeros`]. Such a text stays: one
/// too many is harmless, one that is missed breaks a signature.
pub(super) fn has_inline_pgp(octets: &[u8]) -> bool {
    const KINDS: [&[u8]; 6] = [
        b"SIGNED MESSAGE-----", b"MESSAGE-----", b"MESSAGE, PART ", b"PUBLIC KEY BLOCK-----",
        b"PRIVATE KEY BLOCK-----", b"SIGNATURE-----",
    ];
    const MARK: &[u8] = b"-----BEGIN PGP ";
    let marks = memmem::find_iter(octets, MARK).filter(|at| *at == 0 || octets[at - 1] == b'\n');
    let mut rests = marks.map(|at| &octets[at + MARK.len()..]);
    rests.any(|rest| KINDS.iter().any(|kind| rest.starts_with(kind)))
}

/// Returns `true` if a text must keep its octets ([`without_zeros`] here) for what it carries: a file in its lines
/// (uuencode, base64, yEnc, BinHex), or a patch, whose lines must be those of the files that it is for. Also if it says
/// in itself what charset its octets are in: line by line, as vCard 2.1 and vCalendar 1.0 do (`;CHARSET=`,
/// `QUOTED-PRINTABLE`), or for all of it, as RTF does, which it begins with.
pub(super) fn must_keep_octets(octets: &[u8]) -> bool {
    has_charsets_of_lines(octets) || octets.starts_with(b"{\\rtf1") || lines_on(octets).any(begins_a_file)
}

/// Returns `true` if a patch, or a file in uuencode, base64, yEnc or BinHex, begins with the line at the start of a
/// text. It is asked of each line of a text with all that follows, so that what is looked for must be decided by the
/// first few lines.
fn begins_a_file(text: &[u8]) -> bool {
    // Nearly no line gets beyond its first octet.
    match text.first() {
        Some(b'd' | b'-' | b'*') => begins_a_patch(text),
        Some(b'b') => {
            text.strip_prefix(b"begin ").is_some_and(is_uuencoded)
                || text.strip_prefix(b"begin-base64 ").is_some_and(|rest| mode_and_name(rest).is_some())
        }
        Some(b'=') => text.starts_with(b"=ybegin "),
        Some(b'(') => text.starts_with(b"(This file must be converted with BinHex"),
        _ => false,
    }
}

/// Returns `true` if a text holds a patch, wherever a line begins. A text with one goes into quoted-printable and not
/// into base64, where its line ends would be CRLF.
pub(super) fn has_patch(octets: &[u8]) -> bool {
    lines_on(octets).any(begins_a_patch)
}

/// Returns `true` if a patch begins with the line at the start of a text: one of `git diff`, or the three lines at the
/// head of a unified diff or of a context diff. The first octet of each must be one that [`begins_a_file`] lets
/// through.
fn begins_a_patch(text: &[u8]) -> bool {
    text.starts_with(b"diff --git ")
        || lines_begin_with(text, [b"--- ", b"+++ ", b"@@ -"])
        || lines_begin_with(text, [b"*** ", b"--- ", b"***************"])
}

/// Returns `true` if each of the first lines of a text begins with its mark. `false` where there are fewer lines than
/// marks.
fn lines_begin_with(text: &[u8], marks: [&[u8]; 3]) -> bool {
    let mut lines = lines_on(text);
    marks.iter().all(|mark| lines.next().is_some_and(|line| line.starts_with(mark)))
}

/// A card begins in so many octets of a text, CR not counted: a message with LF and the same with CRLF are taken alike.
const HEAD: usize = 1024;

/// Returns `true` if a vCard or a vCalendar begins in a text, and a property in it has a charset, or a transfer
/// encoding, of its own; that is looked for as words, anywhere in the text.
fn has_charsets_of_lines(octets: &[u8]) -> bool {
    begins_a_card(start(octets, HEAD))
        && (has_in_any_case(octets, b";charset=") || has_in_any_case(octets, b"quoted-printable"))
}

/// Returns `true` if words stand anywhere in a text, in any case of letters. It is slow, and asked of texts with a card
/// alone.
fn has_in_any_case(text: &[u8], words: &[u8]) -> bool {
    text.windows(words.len()).any(|at| at.eq_ignore_ascii_case(words))
}

/// Returns `true` if a text has `BEGIN:VCARD` or `BEGIN:VCALENDAR` anywhere. It is looked for by its colon, which is
/// rarer than its letters.
fn begins_a_card(head: &[u8]) -> bool {
    const CARDS: [&[u8]; 2] = [b"VCARD", b"VCALENDAR"];
    memchr::memchr_iter(b':', head).any(|colon| {
        let (before, after) = (&head[..colon], &head[colon + 1..]);
        before.last_chunk::<5>().is_some_and(|it| it.eq_ignore_ascii_case(b"BEGIN"))
            && CARDS.iter().any(|card| after.get(..card.len()).is_some_and(|it| it.eq_ignore_ascii_case(card)))
    })
}

/// Returns the text from each of its lines on, the first included; also from behind its last line end, where nothing
/// is.
fn lines_on(octets: &[u8]) -> impl Iterator<Item = &[u8]> {
    let starts = near_places(octets, b'\n').map(|at| at + 1);
    std::iter::once(0).chain(starts).filter_map(|start| octets.get(start..))
}

/// Returns `true` if what stands behind `begin ` is a mode and a name (`644 name`), and on the next line uuencode, or
/// nothing.
fn is_uuencoded(rest: &[u8]) -> bool {
    mode_and_name(rest).is_some_and(|after| {
        let line = after.split(|&octet| octet == b'\n').next().unwrap_or_default();
        is_uu_line(line.strip_suffix(b"\r").unwrap_or(line))
    })
}

/// Reads the octal mode and the name of a `begin` line, and returns what follows the line; none where it has not both,
/// or is not ended.
fn mode_and_name(rest: &[u8]) -> Option<&[u8]> {
    let digits = rest.iter().take_while(|octet| matches!(octet, b'0'..=b'7')).count();
    let end = memchr::memchr(b'\n', rest)?;
    let name = rest.get(digits..end)?;
    let good = (3..=4).contains(&digits) && name.starts_with(b" ") && !name.trim_ascii().is_empty();
    good.then(|| rest.get(end + 1..)).flatten()
}

/// Returns `true` if a line is empty, or has no more characters than its first one says: four for three octets. It may
/// have fewer, for blanks at its end may be lost.
fn is_uu_line(line: &[u8]) -> bool {
    let [count @ b' '..=b'`', digits @ ..] = line else { return line.is_empty() };
    let full = usize::from((count - b' ') & 63).div_ceil(3) * 4;
    // Some writers put one character more, a checksum.
    digits.len() <= full + 1 && digits.iter().all(|digit| matches!(digit, b' '..=b'`'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_files_among_lines() {
        let files: [&[u8]; 13] = [
            b"BEGIN:VCARD\nVERSION:2.1\nN;ENCODING=QUOTED-PRINTABLE:M=FCller\nEND:VCARD\n",
            b"---\n f | 2 +-\n\ndiff --git a/f b/f\nindex 02f297f..e8fbe62 100644\n",
            b"hello\r\n--- f.orig\r\n+++ f\r\n@@ -1,2 +1,3 @@\r\n",
            b"hello\n*** f.orig\n--- f\n***************\n*** 1 ****\n",
            b"BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=ISO-8859-1:M\xFCller\r\nEND:VCARD\r\n",
            b"{\\rtf1\\ansi\\ansicpg1251 \\'ef}",
            b"hello\nbegin 644 a.txt\n#0V%T\n`\nend\n",
            b"begin 0755 a b.exe\r\nM4\r\n",
            b"begin 644 empty\n`\nend\n",
            b"begin-base64 644 a\nQ2F0\n====\n",
            b"x\n=ybegin line=128 size=1 name=a\n",
            b"=ybegin part=1 line=128 size=9 name=a\n",
            b"(This file must be converted with BinHex 4.0)\n:$f\n",
        ];
        for file in files {
            assert!(must_keep_octets(file), "{}", file.escape_ascii());
        }
        let talk: [&[u8]; 10] = [
            b"> diff --git a/f b/f\n",
            b"-- \nme\n--- another line\n+++ more\nof it\n",
            b"*** news\n--- more\n*** and more\n",
            b"BEGIN:VCARD\nVERSION:3.0\nN:M\xFCller\nEND:VCARD\n",
            b"> begin 644 a.txt\n#0V%T\n",
            b"begin 644 people came to town\nand then they went home\n",
            b"begin with me\n",
            b"we begin 644 a\n#0V%T\n",
            b"the line =ybegin x\n",
            b"begin 644 a",
        ];
        for talk in talk {
            assert!(!must_keep_octets(talk), "{}", talk.escape_ascii());
        }
    }
}
