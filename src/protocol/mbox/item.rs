//! One message as it stands in a mailbox file, and the same after an edit.

use std::borrow::Cow;

use memchr::memchr;

use super::from_line::first_message;
use super::quote::{has_bare_line, quote, quote_body, quote_new, unquote};
use super::split::Splitter;
use crate::edit::EditList;
use crate::message::LineEnd;

/// One message as it stands in a mailbox file, in three pieces that make up all of it.
///
/// When a line of the content starts with `From ` as it is, whoever wrote this message did not quote as mboxrd does; then a `>From ` in it
/// can't be trusted to be a quotation either, and the whole content is taken as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item<'a> {
    /// The From_ line with its line end; empty when there is none.
    pub from_line: &'a [u8],
    /// The message, quoted.
    pub content: &'a [u8],
    /// The empty line that keeps the next From_ line apart; empty when there is none.
    pub separator: &'a [u8],
}

impl<'a> Item<'a> {
    /// Takes the octets from one start of a message to the next.
    pub fn of(raw: &'a [u8]) -> Item<'a> {
        let (from_line, rest) = Item::split_from_line(raw);
        let (content, separator) = rest.split_at(separator_start(rest));
        Item { from_line, content, separator }
    }

    /// Parts a leading From_ line, its line end included, from what follows; the first is empty without one.
    ///
    /// Here any first line that starts with `From ` counts, since no header field does; a byte order mark may stand before it.
    pub fn split_from_line(raw: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        match memchr(b'\n', raw) {
            _ if first_message(raw).is_none() => raw.split_at(0),
            Some(end) => raw.split_at(end + 1),
            None => raw.split_at(raw.len()),
        }
    }

    /// Returns the message itself, unquoted: what is planned. Borrows unless something was quoted.
    pub fn message(&self) -> Cow<'a, [u8]> {
        if has_bare_line(self.content) { Cow::Borrowed(self.content) } else { unquote(self.content) }
    }

    /// Applies edits of the `message`, and gives all three pieces as they stand in the file then.
    ///
    /// `message` is what [`message`](Item::message) gave. Only one message comes out: a line that the edits made look like a From_
    /// line is quoted, and the separator stays an empty line of its own.
    pub fn rewritten(&self, message: &[u8], edits: &EditList) -> Vec<u8> {
        if !has_bare_line(self.content) {
            return self.around(quote(edits.apply(message)));
        }
        let whole = self.around(quote_new(message, edits.apply(message)));
        if is_one(&whole) { whole } else { self.around(quote_body(edits.apply(message))) }
    }

    fn around(&self, mut content: Vec<u8>) -> Vec<u8> {
        if !self.separator.is_empty() && !content.is_empty() && !content.ends_with(b"\n") {
            content.extend_from_slice(LineEnd::of(self.content).as_bytes());
        }
        [self.from_line, &content, self.separator].concat()
    }
}

/// Finds where the empty line at the end starts; the end when there is none.
fn separator_start(rest: &[u8]) -> usize {
    let Some(line) = rest.strip_suffix(b"\n") else { return rest.len() };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.is_empty() || line.ends_with(b"\n") { line.len() } else { rest.len() }
}

fn is_one(raw: &[u8]) -> bool {
    let (mut splitter, mut starts) = (Splitter::new(), Vec::new());
    splitter.feed(raw, &mut starts);
    splitter.finish(&mut starts);
    starts.len() <= 1
}
