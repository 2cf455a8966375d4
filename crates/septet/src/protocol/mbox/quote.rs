//! Quoting: in mboxrd a line of any number of `>` and then `From ` gets one `>` more in the file, in mboxo `From `
//! alone does.

use std::borrow::Cow;
use std::collections::HashMap;

use memchr::memchr;
use memchr::memmem::{self, find_iter};

use super::content_length;
use super::follows::FROM;

/// A From_ line that is quoted once.
const QUOTED: &[u8] = b">From ";

/// Takes one `>` from every line of `>` and `From `; borrows when there is none, as in nearly every message.
pub fn unquote(content: &[u8]) -> Cow<'_, [u8]> {
    take_marks(content, find_iter(content, QUOTED).filter_map(|at| quote_start(content, at + 1)))
}

/// Unquotes as [`unquote`] does where no line starts with `From ` as it is; else nothing is a quotation, and the
/// content stays.
pub(super) fn unquote_unless_bare(content: &[u8]) -> Cow<'_, [u8]> {
    let lines: Vec<usize> = quotable_lines(content).collect();
    let has_bare = lines.iter().any(|line| content[*line] != b'>');
    if has_bare { Cow::Borrowed(content) } else { take_marks(content, lines.into_iter()) }
}

/// Takes the `>` from every line of one `>` and `From `, as mboxo quotes.
pub fn unquote_from(content: &[u8]) -> Cow<'_, [u8]> {
    take_marks(content, find_iter(content, QUOTED).filter(|&at| at == 0 || content[at - 1] == b'\n'))
}

/// Takes the octet away that stands at each of these places, which are in order.
fn take_marks<'a>(content: &'a [u8], lines: impl Iterator<Item = usize>) -> Cow<'a, [u8]> {
    let mut lines = lines.peekable();
    if lines.peek().is_none() { Cow::Borrowed(content) } else { Cow::Owned(replaced(content, lines, 1, b"")) }
}

/// Adds one `>` to every line of any number of `>` and then `From `; gives the text back when there is none.
pub fn quote(content: Vec<u8>) -> Vec<u8> {
    let lines = quotable_lines(&content).collect();
    mark(content, lines)
}

/// Adds a `>` to every line that starts with `From `, as mboxo quotes.
pub fn quote_from(content: Vec<u8>) -> Vec<u8> {
    let lines = bare_lines(&content, 0).map(|(at, _)| at).collect();
    mark(content, lines)
}

/// Adds a `>` to every line of an edited body that starts with `From ` only since the edits.
///
/// It is for content that is not quoted as mboxrd has it: lines that stood there as they are stay, for somebody has
/// read the file with them until now. A new one could part the file for any reader, also for one that asks less of a
/// From_ line than [`Splitter`](super::Splitter) does. The header is left alone: a `>` there would make no field of a
/// field.
pub fn quote_new(message: &[u8], edited: Vec<u8>) -> Vec<u8> {
    let mut old: HashMap<Bare, usize> = HashMap::new();
    bare_lines(message, 0).for_each(|(_, line)| *old.entry(line).or_default() += 1);
    let mut new = Vec::new();
    for (at, line) in bare_lines(&edited, body_start(&edited)) {
        match old.get_mut(&line) {
            Some(left @ 1..) => *left -= 1,
            _ => new.push(at),
        }
    }
    mark(edited, new)
}

/// Whether an empty line (or nothing) stands before a line, where more readers part a file; and the line, which starts
/// with `From ` as it is.
type Bare<'a> = (bool, &'a [u8]);

/// Finds the lines that start with `From ` as it is, from an offset on: where each starts, and what it is.
fn bare_lines(content: &[u8], from: usize) -> impl Iterator<Item = (usize, Bare<'_>)> {
    let starts = find_iter(content, FROM).filter(move |&at| at >= from && (at == 0 || content[at - 1] == b'\n'));
    starts.map(|at| {
        let rest = &content[at..];
        let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
        let before = content[..at].strip_suffix(b"\n").map(|before| before.strip_suffix(b"\r").unwrap_or(before));
        (at, (before.is_none_or(|before| before.is_empty() || before.ends_with(b"\n")), line.trim_ascii_end()))
    })
}

/// Quotes the body of a message, but not its header, as [`quote`] does.
pub fn quote_body(message: Vec<u8>) -> Vec<u8> {
    let (header, body) = message.split_at(body_start(&message));
    [header, &quote(body.to_vec())].concat()
}

/// Finds where the body starts: behind the first empty line.
fn body_start(message: &[u8]) -> usize {
    content_length::body_start(message).unwrap_or(message.len())
}

/// Puts a `>` at each of these places, which are in order; gives the content back where there is none.
fn mark(content: Vec<u8>, lines: Vec<usize>) -> Vec<u8> {
    if lines.is_empty() { content } else { replaced(&content, lines, 0, b">") }
}

/// Writes `with` in the place of so many octets at each of these places, which are in order.
fn replaced(content: &[u8], places: impl IntoIterator<Item = usize>, octets: usize, with: &[u8]) -> Vec<u8> {
    let places = places.into_iter();
    let room = content.len() + places.size_hint().0 * with.len();
    let (mut out, mut done) = (Vec::with_capacity(room), 0);
    for place in places {
        out.extend_from_slice(&content[done..place]);
        out.extend_from_slice(with);
        done = place + octets;
    }
    out.extend_from_slice(&content[done..]);
    out
}

/// Returns `true` if a line of the content starts with `From ` as it is, which mboxrd does not allow.
pub(super) fn has_bare_line(content: &[u8]) -> bool {
    content.starts_with(FROM) || memmem::find(content, b"\nFrom ").is_some()
}

/// Returns `true` if `From ` stands nowhere, so that there is nothing to quote.
pub(super) fn is_unquotable(content: &[u8]) -> bool {
    memmem::find(content, FROM).is_none()
}

/// Finds the starts of the lines that consist of any number of `>`, then `From ` and whatever follows.
fn quotable_lines(content: &[u8]) -> impl Iterator<Item = usize> {
    find_iter(content, FROM).filter_map(|at| quote_start(content, at))
}

/// Finds the start of the line in which `From ` stands at `at`, if only `>` stands before it.
fn quote_start(content: &[u8], at: usize) -> Option<usize> {
    let marks = content[..at].iter().rev().take_while(|&&octet| octet == b'>').count();
    let start = at - marks;
    (start == 0 || content[start - 1] == b'\n').then_some(start)
}
