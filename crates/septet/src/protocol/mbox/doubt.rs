//! A line inside a message that may start another one.
//!
//! Nothing tells it for sure: it starts with `From ` or `From` and a tab, and fields of mail follow, or octets 0 stand
//! before it, as a lost block leaves them. If it is a From_ line after all, what stands behind it is another message,
//! with charsets of its own. So the message is better left as it is than converted by what its first half says.

use std::cell::LazyCell;

use memchr::{memchr, memchr_iter, memmem};

use super::content_length::body_start;
use super::follows::{FROM, follows};
use super::from_line::{BeforeFrom, says_little};

/// Such a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubtful {
    /// Where its `From ` stands.
    pub at: usize,
    /// Which line of the text it is, from 1.
    pub number: usize,
    /// What it says, without its line end.
    pub line: Vec<u8>,
}

/// Finds the first line of a message that may start another one; `is_text` tells of an offset that whatever starts
/// there is text all the same.
///
/// ```
/// use septet::protocol::mbox::doubtful;
///
/// let text = b"Subject: one\n\nhello\nFrom Bob\nSubject: two\nTo: ann\n";
/// let found = doubtful(text, |_| false).unwrap();
/// assert_eq!((found.number, &found.line[..]), (4, &b"From Bob"[..]));
/// assert_eq!(doubtful(b"Subject: one\n\nFrom now on\nit is: well\n", |_| false), None);
/// ```
pub fn doubtful(content: &[u8], mut is_text: impl FnMut(usize) -> bool) -> Option<Doubtful> {
    let body = LazyCell::new(|| body_start(content).unwrap_or(content.len()));
    let at = memmem::find_iter(content, b"From").find(|&at| is_doubtful(content, at, || *body) && !is_text(at))?;
    let end = memchr(b'\n', &content[at..]).map_or(content.len(), |end| at + end);
    let line = content[at..end].trim_ascii_end().to_vec();
    Some(Doubtful { at, number: 1 + memchr_iter(b'\n', &content[..at]).count(), line })
}

/// Returns `true` if the `From` at a place, and a blank or a tab behind it, may start a message: behind octets 0, or at
/// the start of a line and before fields of mail; or before any fields, where the line says little. `body` tells where
/// the body starts.
fn is_doubtful(content: &[u8], at: usize, body: impl FnOnce() -> usize) -> bool {
    let (before, line) = content.split_at(at);
    if !matches!(line.get(FROM.len() - 1), Some(b' ' | b'\t')) {
        return false;
    }
    if before.ends_with(b"\0") {
        return true;
    }
    // A form feed at a line's start is where a printer begins a page.
    let line_start = &before[..before.iter().rposition(|octet| *octet != b'\x0c').map_or(0, |last| last + 1)];
    let stands = BeforeFrom::of(line_start, true);
    // Of many in one line none looks for the end of the line.
    if stands == BeforeFrom::Text {
        return false;
    }
    let next = memchr(b'\n', line).map_or(&b""[..], |end| &line[end + 1..]);
    let Some(found) = follows(next, true).filter(|found| found.is_header()) else { return false };
    if !found.mail && (stands != BeforeFrom::EmptyLine || !says_little(&line[..line.len() - next.len()])) {
        return false;
    }
    // `From : ann` is a field of an odd form, in a header.
    let is_field = line[FROM.len()..].trim_ascii_start().starts_with(b":") && at < body();
    !is_field
}
