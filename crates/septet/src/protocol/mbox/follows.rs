//! The fields that follow a line: the first two tell a header from prose.

use memchr::memchr;

use super::mail_field::is_field_of_mail;

/// How every From_ line starts.
pub(super) const FROM: &[u8] = b"From ";

/// How many octets behind a line are enough to tell what follows it.
pub(super) const REACH: usize = 2 << 10;

/// The octets that a field name may have, its colon included; no more need be there to tell.
const NAME: usize = 128;

/// What follows a line: the fields there, two at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Follows {
    /// How many: 0, 1, or 2, which may be more.
    pub fields: usize,
    /// Whether one of them is mail's.
    pub mail: bool,
    /// Whether there is one alone: an empty line, or the end of the file, stands behind it.
    pub alone: bool,
}

impl Follows {
    /// Returns `true` if the fields may be a header: there are two, or one that an empty line ends.
    pub fn is_header(self) -> bool {
        self.fields > 1 || self.alone
    }
}

/// Returns `true` if a text starts with two fields, one of them mail's.
pub fn starts_header(text: &[u8]) -> bool {
    follows(text, true).is_some_and(|found| found.fields > 1 && found.mail)
}

/// Reads what follows a line; `None` when more octets are needed. `ended` says that the text ends where the file does.
/// No more than [`REACH`] octets are looked at.
///
/// Lines of `>From ` are passed over: those of UUCP stand between the From_ line and the header.
pub(super) fn follows(text: &[u8], ended: bool) -> Option<Follows> {
    let is_cut = text.len() > REACH;
    let (text, ended) = (&text[..text.len().min(REACH)], ended || is_cut);
    let (mut rest, mut found) = (text, Follows::default());
    while found.fields < 2 {
        let Some(name) = field_name(rest, ended)? else {
            found.alone = found.fields == 1
                && (rest.is_empty() && !is_cut || rest.starts_with(b"\n") || rest.starts_with(b"\r\n"));
            break;
        };
        if name.first() != Some(&b'>') {
            found.fields += 1;
            found.mail |= is_field_of_mail(name);
        }
        match behind_field(rest, ended) {
            Some(behind) => rest = behind,
            None if found.fields == 2 => break,
            None => {
                found.alone = found.fields == 1 && !is_cut;
                return ended.then_some(found);
            }
        }
    }
    Some(found)
}

/// Returns the name of the field that a text starts with, or `>` for a quoted From_ line, and `Some(None)` where
/// neither stands there; `None` when more octets are needed. `ended` says that none come.
fn field_name(text: &[u8], ended: bool) -> Option<Option<&[u8]>> {
    if text.starts_with(b">") {
        return Some(is_quoted_from_line(text, ended)?.then_some(&text[..1]));
    }
    if text == b"\r" && !ended {
        return None;
    }
    let reach = &text[..text.len().min(NAME)];
    match reach.iter().position(|octet| !matches!(octet, b'!'..=b'9' | b';'..=b'~')) {
        Some(end) => Some((end > 0 && reach[end] == b':').then(|| &reach[..end])),
        None if reach.len() == NAME || ended => Some(None),
        None => None,
    }
}

/// Returns `true` if a text starts with one `>` at least and then `From `; `None` when more octets are needed. `ended`
/// says that none come.
pub(super) fn is_quoted_from_line(text: &[u8], ended: bool) -> Option<bool> {
    let line = &text[text.iter().take_while(|octet| **octet == b'>').count()..];
    let is_known = ended || line.len() >= FROM.len();
    is_known.then(|| line.len() < text.len() && line.starts_with(FROM))
}

/// Returns what stands behind the field that a text starts with, and behind its folded lines; none where its end is not
/// there, or more may come that goes on with it, which `ended` says can't be.
fn behind_field(text: &[u8], ended: bool) -> Option<&[u8]> {
    let mut rest = text;
    loop {
        rest = &rest[memchr(b'\n', rest)? + 1..];
        match rest.first() {
            Some(b' ' | b'\t') => {}
            Some(_) => return Some(rest),
            None => return ended.then_some(rest),
        }
    }
}
