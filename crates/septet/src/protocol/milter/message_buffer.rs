//! The message, rebuilt from its packets.
//!
//! An MTA shows a message as fields and body pieces. Written one after the other, `name:value CR LF … CR LF body`,
//! they are the message again: octet for octet where values come with their leading space, and with one space
//! after the colon where they don't. Folds come as bare LF and are written as CR LF.
//!
//! Each field's place is kept as it was **shown**. A reader of the rebuilt message could count differently (a
//! value might hold an empty line), and then an edit "by index" would hit another field.

use crate::edit::Span;
use crate::message::{LimitReached, Limits, with_line_ends};

/// The octets of room up to which all of it counts as memory.
const PAGED: usize = 256 << 10;

/// A message as an MTA showed it. Beyond `message_bytes` nothing of it is kept; every other limit is for who reads it.
#[derive(Debug, Clone, Default)]
pub struct MessageBuffer {
    raw: Vec<u8>,
    fields: Vec<FieldSpan>,
    /// Where the body starts, once the empty line is written.
    body: Option<usize>,
    /// The limit for which nothing is kept any more.
    over: Option<LimitReached>,
    /// The octets that were shown; those of `raw` while it is kept.
    size: usize,
}

/// One field as it was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldSpan {
    /// The whole field, its line end included.
    pub line: Span,
    /// The length of its name; the colon follows.
    pub name: usize,
}

impl FieldSpan {
    /// Returns the name's octets.
    pub fn name(self, raw: &[u8]) -> &[u8] {
        Span::new(self.line.start, self.line.start + self.name).slice(raw)
    }

    /// Returns the octets between the colon and the line end.
    pub fn value(self, raw: &[u8]) -> &[u8] {
        let end = self.line.end.saturating_sub(2);
        Span::new(self.line.start + self.name + 1, end).slice(raw)
    }
}

impl MessageBuffer {
    /// Returns the rebuilt message; its header alone while the body has not begun.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// Returns the fields, in order.
    pub fn fields(&self) -> &[FieldSpan] {
        &self.fields
    }

    /// Returns where the header ends: after the last field; 0 where there is none.
    pub fn header_end(&self) -> usize {
        self.fields.last().map_or(0, |field| field.line.end)
    }

    /// Returns where the body starts: after the empty line; at the end while there is none.
    pub fn body_start(&self) -> usize {
        self.body.unwrap_or(self.raw.len())
    }

    /// Returns which limit it went beyond, if one: then it is empty, and passes untouched.
    pub fn over(&self) -> Option<LimitReached> {
        self.over
    }

    /// Returns the octets that were shown, those beyond a limit included.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the octets of memory that it holds: of much room only what was written, for the system gives it page by
    /// page.
    pub fn memory(&self) -> usize {
        self.raw.len().max(self.raw.capacity().min(PAGED)) + self.fields.capacity() * size_of::<FieldSpan>()
    }

    /// Finds the value of the first field of this name, in any case of letters, without white space around it.
    pub fn value(&self, name: &str) -> Option<&[u8]> {
        let field = self.fields.iter().find(|field| field.name(&self.raw).eq_ignore_ascii_case(name.as_bytes()))?;
        Some(field.value(&self.raw).trim_ascii())
    }

    /// Adds a field; `spaced` tells that the value comes with the white space after the colon. Beyond the limit the
    /// message is given up.
    pub(super) fn add_field(&mut self, name: &[u8], value: &[u8], spaced: bool, limits: &Limits) {
        let length = name.len() + value.len() + if spaced { 3 } else { 4 };
        self.size += length;
        self.bound(limits.message_bytes);
        if self.over.is_some() {
            return;
        }
        let start = self.raw.len();
        self.raw.reserve(length);
        self.raw.extend_from_slice(name);
        self.raw.extend_from_slice(if spaced { b":" } else { b": " });
        // A fold is LF on the wire.
        self.raw.extend_from_slice(&with_line_ends(value, b"\r\n"));
        self.raw.extend_from_slice(b"\r\n");
        self.fields.push(FieldSpan { line: Span::new(start, self.raw.len()), name: name.len() });
        // A fold that came as LF has become an octet longer.
        self.size = self.raw.len();
    }

    /// Writes the empty line, once, unless the message was given up.
    pub(super) fn end_of_header(&mut self) {
        if self.body.is_none() && self.over.is_none() {
            self.raw.extend_from_slice(b"\r\n");
            self.body = Some(self.raw.len());
            self.size += 2;
        }
    }

    /// Adds a piece of the body, before the first one the empty line. Beyond the limit the message is given up.
    pub(super) fn add_body_piece(&mut self, piece: &[u8], limits: &Limits) {
        self.end_of_header();
        self.size += piece.len();
        self.bound(limits.message_bytes);
        if self.over.is_none() {
            self.raw.extend_from_slice(piece);
        }
    }

    /// Forgets the message for a limit that the caller keeps, such as the memory of all connections.
    pub fn give_up(&mut self, limit: LimitReached) {
        let size = self.size;
        *self = MessageBuffer { over: Some(limit), size, ..MessageBuffer::default() };
    }

    /// Makes it empty for the next message. Its memory is kept, unless that is more than `keep` octets.
    pub(super) fn clear(&mut self, keep: usize) {
        if self.memory() > keep {
            *self = MessageBuffer::default();
            return;
        }
        self.raw.clear();
        self.fields.clear();
        (self.body, self.over, self.size) = (None, None, 0);
    }

    /// Gives the message up once more octets were shown than a limit allows; one that was given up keeps its reason.
    fn bound(&mut self, limit: usize) {
        if self.size > limit && self.over.is_none() {
            self.give_up(LimitReached::MessageBytes(limit));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rebuilds_octet_for_octet() {
        let limits = Limits::default();
        let mut buffer = MessageBuffer::default();
        buffer.add_field(b"Subject", b" a\n\tb\r\n c", true, &limits);
        buffer.add_field(b"X", b"", true, &limits);
        buffer.add_field(b"Y", b"y", false, &limits);
        buffer.add_body_piece(b"one\r", &limits);
        buffer.add_body_piece(b"\ntwo", &limits);
        assert_eq!(buffer.raw(), b"Subject: a\r\n\tb\r\n c\r\nX:\r\nY: y\r\n\r\none\r\ntwo");
        assert_eq!(&buffer.raw()[buffer.body_start()..], b"one\r\ntwo");
        assert_eq!(&buffer.raw()[buffer.header_end()..buffer.body_start()], b"\r\n");
        assert_eq!(buffer.value("subject"), Some(&b"a\r\n\tb\r\n c"[..]));
        let values: Vec<_> = buffer.fields().iter().map(|field| field.value(buffer.raw())).collect();
        assert_eq!(values, [&b" a\r\n\tb\r\n c"[..], b"", b" y"]);
    }

    #[test]
    fn keeps_nothing_beyond_a_limit() {
        let limits = Limits { message_bytes: 20, ..Limits::default() };
        let mut long_body = MessageBuffer::default();
        long_body.add_field(b"A", b" b", true, &limits);
        long_body.add_body_piece(&[b'x'; 12], &limits);
        assert_eq!(long_body.over(), None, "20 octets are allowed");
        long_body.add_body_piece(b"x", &limits);
        assert_eq!((long_body.over(), long_body.memory()), (Some(LimitReached::MessageBytes(20)), 0));
    }

    #[test]
    fn keeps_a_header_beyond_its_limit() {
        let limits = Limits { header_bytes: 12, field_bytes: 5, ..Limits::default() };
        let mut buffer = MessageBuffer::default();
        buffer.add_field(b"A", b" 2345678", true, &limits);
        buffer.add_field(b"B", b"", true, &limits);
        buffer.add_body_piece(b"x", &limits);
        assert_eq!((buffer.over(), buffer.raw()), (None, &b"A: 2345678\r\nB:\r\n\r\nx"[..]));
    }
}
