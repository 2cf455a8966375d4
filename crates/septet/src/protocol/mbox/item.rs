//! One message as it stands in a mailbox file, and the same after an edit.

use std::borrow::Cow;

use memchr::memchr_iter;

use super::content_length;
use super::dialect::Dialect;
use super::follows::is_quoted_from_line;
use super::from_line::first_message;
use super::mmdf;
use super::quote::{
    has_bare_line, is_unquotable, quote, quote_body, quote_from, quote_new, unquote_from, unquote_unless_bare,
};
use super::split::Splitter;
use crate::edit::EditList;
use crate::message::{LineEnd, behind_line};

/// One message as it stands in a mailbox file, in three pieces that make up all of it.
///
/// When a line of the content starts with `From ` as it is, whoever wrote this message did not quote as mboxrd does;
/// then a `>From ` in it can't be trusted to be a quotation either, and the whole content is taken as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MboxMessage<'a> {
    /// The From_ line with its line end; empty when there is none. In MMDF's file the line before a message, and then
    /// it.
    pub from_line: &'a [u8],
    /// The message, quoted.
    pub content: &'a [u8],
    /// The empty line that keeps the next From_ line apart; empty when there is none. In MMDF's file the line behind a
    /// message.
    pub separator: &'a [u8],
    /// Whether `From ` may stand in the content; not where whoever parted the file saw none there.
    pub may_hold_from: bool,
    /// Whether a Content-Length makes one message of it and its neighbours, against the From_ lines.
    pub is_covered: bool,
}

impl<'a> MboxMessage<'a> {
    /// Takes the octets from one start of a message to the next.
    pub fn of(raw: &'a [u8]) -> MboxMessage<'a> {
        if let Some([from_line, content, separator]) = mmdf::split(raw) {
            return MboxMessage { from_line, content, separator, may_hold_from: true, is_covered: false };
        }
        let (from_line, rest) = MboxMessage::split_from_line(raw);
        let (content, separator) = rest.split_at(separator_start(rest));
        MboxMessage { from_line, content, separator, may_hold_from: true, is_covered: false }
    }

    /// Returns `true` if octets are just its three pieces.
    pub fn is(&self, raw: &[u8]) -> bool {
        let content = raw.strip_prefix(self.from_line).and_then(|rest| rest.strip_suffix(self.separator));
        content == Some(self.content)
    }

    /// Parts a leading From_ line, its line end included, from what follows; the first is empty without one.
    ///
    /// Here any first line that starts with `From ` counts, since no header field does; a byte order mark may stand
    /// before it. Lines of `>From ` behind it are of the envelope as well: UUCP's hosts wrote one each, and some
    /// writers quote the line that a message came with.
    pub fn split_from_line(raw: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        if let Some(parted) = mmdf::split_lead(raw) {
            return parted;
        }
        let mut end = if first_message(raw).is_some() { behind_line(raw, 0) } else { 0 };
        while is_quoted_from_line(&raw[end..], true) == Some(true) {
            end = behind_line(raw, end);
        }
        raw.split_at(end)
    }

    /// Returns the line of the content, from 1, at which its Content-Length stands, and the octets that it states; none
    /// where it states none or two different ones, or no empty line ends its header.
    pub fn stated_length(&self) -> Option<(usize, u64)> {
        let header = &self.content[..content_length::body_start(self.content)?];
        let (place, octets) = (content_length::place(self.content)?, content_length::stated(header)?);
        Some((1 + memchr_iter(b'\n', &header[..place]).count(), octets))
    }

    /// Returns `true` if its body is as long as its Content-Length says, with the empty line behind it or without.
    pub fn is_counted(&self) -> bool {
        let Some(body) = content_length::body_start(self.content) else { return false };
        let length = (self.content.len() - body) as u64;
        let stated = content_length::stated(&self.content[..body]);
        stated.is_some_and(|stated| stated == length || stated == length + self.separator.len() as u64)
    }

    /// Returns the message itself, unquoted: what is planned. Borrows unless something was quoted.
    pub fn message(&self) -> Cow<'a, [u8]> {
        unquote_unless_bare(self.content)
    }

    /// Applies edits of the `message`, and gives all three pieces as they stand in the file then.
    ///
    /// `message` is what [`message`](MboxMessage::message) gave. Only one message comes out: a line that the edits made
    /// look like a From_ line is quoted, and the separator stays an empty line of its own.
    pub fn rewritten(&self, message: &[u8], edits: &EditList) -> Vec<u8> {
        let whole = self.edited(message, edits);
        if is_unquotable(&whole[self.from_line.len()..]) {
            return whole;
        }
        let edited = edits.apply(message);
        if !has_bare_line(self.content) {
            return self.around(quote(edited));
        }
        // The content was not quoted: as little as possible is, for other readers have seen its lines as they are.
        let whole = self.around(quote_new(message, edited));
        if is_one_message(&whole) {
            return whole;
        }
        let whole = self.around(quote_body(edits.apply(message)));
        if is_one_message(&whole) { whole } else { self.around(quote(edits.apply(message))) }
    }

    /// Applies edits of the `message`, and gives all three pieces; nothing is quoted.
    fn edited(&self, message: &[u8], edits: &EditList) -> Vec<u8> {
        let mut pieces = vec![self.from_line];
        pieces.extend(edits.pieces(message));
        let last = pieces[1..].last().copied().unwrap_or_default();
        pieces.extend([self.end_behind(last), self.separator]);
        pieces.concat()
    }

    /// Puts the other pieces around a content, with a line end behind it where it needs one.
    fn around(&self, content: Vec<u8>) -> Vec<u8> {
        [self.from_line, &content, self.end_behind(&content), self.separator].concat()
    }

    /// Returns the line end that a content must get so that what stands behind it stays a line of its own.
    fn end_behind(&self, content: &[u8]) -> &'static [u8] {
        let ended = !self.separator.is_empty() || self.content.ends_with(b"\n");
        let lacks_end = ended && !content.is_empty() && !content.ends_with(b"\n");
        if lacks_end { LineEnd::of(self.content).as_bytes() } else { b"" }
    }

    /// Returns the message itself, as the file's dialect has quoted it.
    pub fn message_of(&self, dialect: Dialect) -> Cow<'a, [u8]> {
        match dialect {
            Dialect::Mboxcl2 | Dialect::Mmdf => Cow::Borrowed(self.content),
            _ if !self.may_hold_from => Cow::Borrowed(self.content),
            Dialect::Mboxo if !has_bare_line(self.content) => unquote_from(self.content),
            _ => self.message(),
        }
    }

    /// Applies edits of the `message`, and gives all three pieces as they stand in a file of this dialect then.
    ///
    /// `message` is what [`message_of`](MboxMessage::message_of) gave for the same dialect. In one that counts,
    /// Content-Length is true afterwards, and stands where it stood.
    ///
    /// ```
    /// use septet::protocol::mbox::{Dialect, MboxMessage};
    /// use septet::{EditList, Span};
    ///
    /// let item = MboxMessage::of(b"From a\nContent-Length: 7\n\nFrom x\n\n");
    /// let message = item.message_of(Dialect::Mboxcl2);
    /// let mut edits = EditList::new();
    /// edits.push(Span::new(24, 25), "now on").unwrap();
    /// let out = item.rewritten_in(Dialect::Mboxcl2, &message, &edits);
    /// assert_eq!(out, b"From a\nContent-Length: 12\n\nFrom now on\n\n");
    /// ```
    pub fn rewritten_in(&self, dialect: Dialect, message: &[u8], edits: &EditList) -> Vec<u8> {
        match dialect {
            Dialect::Mboxrd => self.rewritten(message, edits),
            Dialect::Mboxo if has_bare_line(self.content) => self.rewritten(message, edits),
            Dialect::Mboxo => self.around(quote_from(edits.apply(message))),
            Dialect::Mmdf => self.edited(message, edits),
            Dialect::Mboxcl | Dialect::Mboxcl2 => self.counted(dialect, message, edits),
        }
    }

    /// Applies edits as the dialect quotes, which must be one that counts, and makes the Content-Length true of what
    /// came of them.
    fn counted(&self, dialect: Dialect, message: &[u8], edits: &EditList) -> Vec<u8> {
        let whole = match dialect {
            Dialect::Mboxcl2 => self.edited(message, edits),
            _ => self.rewritten(message, edits),
        };
        let content = &whole[self.from_line.len()..whole.len() - self.separator.len()];
        let place = content_length::place(message).map(|old| moved(old, edits));
        [self.from_line, &content_length::make_true(content.to_vec(), place), self.separator].concat()
    }

    /// Applies edits of the `message`, and gives it as a file of another dialect has it: quoted, counted and apart from
    /// the next message as that one wants it. What it makes of a message that it has made, by
    /// [`message_of`](MboxMessage::message_of) of that dialect, is the same.
    ///
    /// The empty line that it adds ends with LF behind a message in CR LF as well: formail and nmh's `inc` know no
    /// other. One in CR LF stays.
    ///
    /// ```
    /// use septet::EditList;
    /// use septet::protocol::mbox::{Dialect, MboxMessage};
    ///
    /// let item = MboxMessage::of(b"From a\nContent-Length: 13\n\nFrom x\n>From\n\n");
    /// let message = item.message_of(Dialect::Mboxcl2);
    /// let to = |dialect| String::from_utf8(item.in_dialect(dialect, &message, &EditList::new())).unwrap();
    /// assert_eq!(to(Dialect::Mboxrd), "From a\n\n>From x\n>From\n\n");
    /// assert_eq!(to(Dialect::Mboxcl), "From a\nContent-Length: 14\n\n>From x\n>From\n\n");
    /// ```
    pub fn in_dialect(&self, dialect: Dialect, message: &[u8], edits: &EditList) -> Vec<u8> {
        let end = LineEnd::of(if self.content.is_empty() { self.from_line } else { self.content }).as_bytes();
        let mut edited = edits.apply(message);
        if !edited.is_empty() && !edited.ends_with(b"\n") {
            edited.extend_from_slice(end);
        }
        let content = match dialect {
            Dialect::Mboxo => content_length::remove(quote_from(edited)),
            Dialect::Mboxrd => content_length::remove(quote(edited)),
            Dialect::Mboxcl => content_length::make_true(quote(edited), None),
            Dialect::Mboxcl2 => content_length::make_true(edited, None),
            Dialect::Mmdf => return mmdf::framed(self.from_line, &edited),
        };
        let separator = if self.separator == end { end } else { b"\n" };
        [mmdf::from_line(self.from_line), &content, separator].concat()
    }
}

/// Returns where an offset of the original lies after the edits; one within an edit is moved by those before it alone.
fn moved(at: usize, edits: &EditList) -> usize {
    let before = edits.as_slice().iter().filter(|edit| edit.at.end <= at);
    let (more, less) = before.fold((0, 0), |(more, less), edit| (more + edit.with.len(), less + edit.at.len()));
    (at + more).saturating_sub(less)
}

/// Finds where the empty line at the end of a text starts, which parts it from the next message; the end when there is
/// none.
fn separator_start(rest: &[u8]) -> usize {
    let Some(line) = rest.strip_suffix(b"\n") else { return rest.len() };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.is_empty() || line.ends_with(b"\n") { line.len() } else { rest.len() }
}

/// Returns `true` if a reader of From_ lines finds no more than one message.
fn is_one_message(raw: &[u8]) -> bool {
    Splitter::starts_of(raw).len() <= 1
}
