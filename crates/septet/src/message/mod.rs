//! READ: a view over the octets of one message: its fields, parts, protection and defects.
//!
//! Reading never fails and never changes anything. Every span counts from the start of the message, line
//! ends may be LF, CRLF or a mixture, and what is broken is read as mail programs read it and noted as a
//! [`Defect`].
//!
//! **Limits** ([`Limits`]): octets of the message, octets of one header, fields, parts, and depth. A message with more
//! octets is not read at all ([`Message::limit`]); beyond another limit only what lies beyond it is not
//! ([`Part::limit`]). Time and memory are linear in what is read: 100,000 nested messages or a million boundaries cost
//! one pass.
//!
//! Words used here, once: a *field* is one header field (name, colon, value) and never the whole header; a
//! *header* is all fields of one part; a *part* is the message itself or any MIME entity in it; a *body* is
//! what follows a part's header.

mod conformance;
pub mod date;
mod defect;
mod delimiters;
pub mod grammar;
mod header;
pub mod irregular;
mod known;
mod limits;
mod lines;
mod part;
mod protection;
mod structure;

pub use conformance::{NAMED, base64_footer, is_mime_field, is_own_header, means_the_same, named_defects, repeated_by};
pub use defect::{Defect, DefectKind};
pub use delimiters::adds_no_boundary;
pub use grammar::content_type::{ContentType, Validity};
pub use header::{Field, field_end, is_field_without_nuls};
pub use known::{
    CONTENT_TRANSFER_ENCODING, CONTENT_TYPE, FieldKind, FieldNames, Known, OF_DOMAINS, RECEIVED, SIZES,
    WITH_PARAMETERS, says_what_a_body_is,
};
pub use limits::{LimitReached, Limits};
pub use lines::{
    LineEnd, behind_line, count_line_feeds, crlfs, has_lines_of_returns, has_lone_return, line_feeds, longest_line,
    with_line_ends,
};
pub use part::{Kind, Part, PartNumber};
pub use protection::Protection;

use memchr::{memchr, memrchr};

use crate::edit::Span;

/// The most multiparts without a closing boundary that are looked at before a part, the last ones: a message may have
/// as many as it has parts, and each part would cost all of them.
const UNCLOSED: usize = 8;

/// A view over one message: spans into `raw`, nothing copied but the words of content types and the boundaries.
#[derive(Debug, Clone)]
pub struct Message<'a> {
    raw: &'a [u8],
    fields: Vec<Field>,
    parts: Vec<Part>,
    defects: Vec<Defect>,
    line_end: LineEnd,
    limit: Option<LimitReached>,
    unread: Option<usize>,
    /// The multiparts without a closing boundary, in the order in which they end: `delimiters_before` bisects it.
    unclosed: Vec<usize>,
}

impl<'a> Message<'a> {
    /// Reads a message; total, linear, and bounded by `limits`.
    ///
    /// ```
    /// use septet::message::{Limits, Message};
    ///
    /// let message = Message::read(b"Subject: hello\r\n\r\nbody\r\n", &Limits::default());
    /// let part = &message.parts()[0];
    /// let subject = message.field(part, "subject").unwrap();
    /// assert_eq!(message.slice(subject.value), b" hello");
    /// assert_eq!(message.slice(part.body), b"body\r\n");
    /// ```
    pub fn read(raw: &'a [u8], limits: &Limits) -> Message<'a> {
        structure::read(raw, limits)
    }

    /// Returns the message's octets.
    pub fn raw(&self) -> &'a [u8] {
        self.raw
    }

    /// Returns the octets of a span; what lies past the end of the message is left out.
    pub fn slice(&self, span: Span) -> &'a [u8] {
        span.slice(self.raw)
    }

    /// Returns the parts, each before its children; the first is the message itself. There are none beyond
    /// [`Limits::message_bytes`].
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns the fields of a part, in order; it must be a part of this very message.
    pub fn fields(&self, part: &Part) -> &[Field] {
        &self.fields[part.fields.clone()]
    }

    /// Finds the first field of a part with this name, in any case of letters.
    pub fn field(&self, part: &Part, name: &str) -> Option<&Field> {
        self.fields(part).iter().find(|field| field.is(self.raw, name))
    }

    /// Returns the delimiters, `--` and the boundary, of the multiparts around a part, from the innermost on; and those
    /// of the last few before it that have no closing one, for to some readers they go on.
    pub fn delimiters_around(&self, part: &Part) -> Vec<&[u8]> {
        let around = self.around(part).filter_map(|(_, part)| part.delimiter.as_deref());
        around.chain(self.delimiters_before(part)).collect()
    }

    /// Returns `true` if `is`, written in place of `was` in a part, holds no delimiter around that part that `was` does
    /// not hold.
    pub fn adds_no_delimiter(&self, part: &Part, was: &[u8], is: &[u8]) -> bool {
        self.delimiters_around(part).iter().all(|delimiter| adds_no_boundary(was, is, delimiter))
    }

    /// Returns the parts around a part, from the innermost on, each behind its index.
    pub fn around(&self, part: &Part) -> impl Iterator<Item = (usize, &Part)> + Clone {
        let around = std::iter::successors(part.parent, |&at| self.parts.get(at)?.parent);
        around.filter_map(|at| Some((at, self.parts.get(at)?)))
    }

    /// Returns the parts inside a part, in their order, each behind its index; none for an index of no part. Parts
    /// follow those around them, and those of one end where its depth comes again.
    pub fn inside(&self, index: usize) -> impl Iterator<Item = (usize, &Part)> + Clone {
        let depth = self.parts.get(index).map_or(usize::MAX, |part| part.depth);
        self.parts.iter().enumerate().skip(index + 1).take_while(move |(_, part)| part.depth > depth)
    }

    /// Returns `true` if any part lies in the part at an index.
    pub(crate) fn has_parts(&self, index: usize) -> bool {
        self.inside(index).next().is_some()
    }

    /// Returns the delimiters of the last [`UNCLOSED`] multiparts that end before a part and have no closing one, from
    /// the last on.
    pub fn delimiters_before(&self, part: &Part) -> impl Iterator<Item = &[u8]> {
        let ended = self.unclosed.partition_point(|&index| self.parts[index].body.end <= part.body.start);
        let before = self.unclosed[..ended].iter().rev().take(UNCLOSED).map(|&index| &self.parts[index]);
        before.filter_map(|part| part.delimiter.as_deref())
    }

    /// Returns what is broken in the message as far as reading it cares, in the order in which it was found; see
    /// [`named_defects`] for the rest.
    pub fn defects(&self) -> &[Defect] {
        &self.defects
    }

    /// Returns the line end that the message uses: the first one found in it, LF where there is none, or the one that
    /// was [set](Self::with_line_end).
    pub fn line_end(&self) -> LineEnd {
        self.line_end
    }

    /// Returns the line end that new lines at an offset get: that of the line there, or of the one before where that is
    /// the last and has none. A message may have both (RFC 5322 §2.1 knows CRLF alone; mailboxes hold what programs
    /// wrote).
    ///
    /// ```
    /// use septet::message::{LineEnd, Limits, Message};
    ///
    /// let message = Message::read(b"X-Mozilla-Status: 0001\nSubject: x\r\n\r\nbody", &Limits::default());
    /// assert_eq!(message.line_end_at(0), LineEnd::Lf);
    /// assert_eq!(message.line_end_at(30), LineEnd::CrLf);
    /// assert_eq!(message.line_end_at(40), LineEnd::CrLf, "as the line before");
    /// ```
    pub fn line_end_at(&self, at: usize) -> LineEnd {
        let (before, from) = self.raw.split_at(at.min(self.raw.len()));
        let end = memchr(b'\n', from).map(|end| before.len() + end).or_else(|| memrchr(b'\n', before));
        match end.map(|end| &self.raw[end.saturating_sub(2)..=end]) {
            // A CR of the text and an LF, or a CR and a CRLF: nobody knows.
            None | Some(b"\r\r\n") => self.line_end,
            Some(end) if end.ends_with(b"\r\n") => LineEnd::CrLf,
            Some(_) => LineEnd::Lf,
        }
    }

    /// Sets the line end of a message that is a piece of another and may have none of its own.
    #[must_use]
    pub fn with_line_end(self, line_end: LineEnd) -> Self {
        Message { line_end, ..self }
    }

    /// Returns which limit kept the message from being read at all, if one did; it has no parts then.
    pub fn limit(&self) -> Option<LimitReached> {
        self.limit
    }

    /// Returns where reading stopped, if there were more parts than a limit allows: what follows is not known.
    pub fn unread(&self) -> Option<usize> {
        self.unread
    }

    /// Returns a part's number: 1 for the message itself, 1.2 for its second child, and so on. An index of no part
    /// counts as that of the message.
    pub fn number(&self, index: usize) -> PartNumber {
        PartNumber::of(&self.parts, self.parts.get(index))
    }

    /// Finds the part with a number; none where no part has it.
    ///
    /// ```
    /// use septet::message::{Limits, Message};
    ///
    /// let message = Message::read(b"Content-Type: message/rfc822\n\nSubject: x\n\n", &Limits::default());
    /// let inner = message.numbered(&message.number(1)).unwrap();
    /// assert!(message.field(inner, "subject").is_some());
    /// ```
    pub fn numbered(&self, number: &PartNumber) -> Option<&Part> {
        self.parts.get(self.index_of(number)?)
    }

    /// Finds the index of the part with a number; none where no part has it.
    pub(crate) fn index_of(&self, number: &PartNumber) -> Option<usize> {
        // Each stands before its children, and these in their order: so the numbers are sorted.
        self.parts.binary_search_by(|part| PartNumber::of(&self.parts, Some(part)).cmp(number)).ok()
    }
}
