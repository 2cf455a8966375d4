//! The structure of a message: which parts lie where (RFC 2046 §5).
//!
//! One pass over the octets. A stack holds the parts that are open, the message itself at the bottom; the only
//! lines looked at in a body are those that start with `--`, and only while a multipart is open. A line that is
//! the boundary of any open multipart ends everything above it, so an inner multipart without a closing boundary
//! costs nothing more. The stack is a list and not the call stack: depth is bounded by the limit and not by luck.
//!
//! The line end before a boundary belongs to the boundary. What stands before the first boundary (preamble) and
//! after the closing one (epilogue) belongs to the multipart's body and to no part.

use memchr::memmem;

use super::delimiters::boundary_line;
use super::header::{self, Header};
use super::lines::{content_end, line_end_after};
use super::{
    CONTENT_TRANSFER_ENCODING, CONTENT_TYPE, ContentType, Defect, DefectKind, FieldNames, Kind, LimitReached, Limits,
    LineEnd, Message, Part, Protection, Validity, grammar,
};
use crate::coding::transfer::TransferEncoding;
use crate::edit::Span;

/// The fields for which there is room: most messages have fewer.
const FIELDS: usize = 32;

/// Reads a message: its fields, parts and defects. One with more octets than a limit allows has none of these.
pub(super) fn read<'a>(raw: &'a [u8], limits: &Limits) -> Message<'a> {
    let message = Message {
        raw,
        fields: Vec::with_capacity(FIELDS),
        parts: Vec::new(),
        defects: Vec::new(),
        line_end: LineEnd::of(raw),
        limit: None,
        unread: None,
        unclosed: Vec::new(),
    };
    if raw.len() > limits.message_bytes {
        return Message { limit: Some(LimitReached::MessageBytes(limits.message_bytes)), ..message };
    }
    let mut reader = StructureReader { message, limits, open: Vec::new() };
    reader.read();
    reader.close_above(0, raw.len());
    reader.message
}

/// The message as far as it is read, and the stack of its open parts, the message itself at the bottom.
struct StructureReader<'a, 'l> {
    message: Message<'a>,
    limits: &'l Limits,
    open: Vec<Open>,
}

/// A part whose end is not known yet.
struct Open {
    part: usize,
    /// How many parts directly in it were read: the ordinal of the last one.
    children: u32,
    /// The boundary, while this is a multipart that was not closed.
    boundary: Option<Vec<u8>>,
}

impl Open {
    /// Returns what [`boundary_line`] says of a line and the boundary; none without one.
    fn boundary_line(&self, line: &[u8]) -> Option<bool> {
        boundary_line(line, self.boundary.as_deref()?)
    }
}

impl StructureReader<'_, '_> {
    /// Reads the parts in their order, as long as a multipart is open; what is open at the end is not closed.
    fn read(&mut self) {
        let raw = self.message.raw;
        let delimiter = memmem::Finder::new(b"\n--");
        let mut at = self.open_part(0);
        while self.open.iter().any(|open| open.boundary.is_some()) {
            // The line end before `at` may be the one before a boundary.
            let from = at.saturating_sub(1);
            let Some(found) = delimiter.find(&raw[from..]) else { break };
            let start = from + found + 1;
            let end = line_end_after(raw, start, raw.len());
            at = match self.boundary_at(&raw[start..content_end(raw, start, end)]) {
                Some((index, closing)) => self.take_boundary(index, closing, start, end),
                None => end,
            };
        }
    }

    /// Finds the innermost open multipart whose boundary this line is, and whether it is the closing one.
    fn boundary_at(&self, line: &[u8]) -> Option<(usize, bool)> {
        self.open.iter().enumerate().rev().find_map(|(index, open)| Some((index, open.boundary_line(line)?)))
    }

    /// Takes the boundary line `start..end` of the multipart at `index` of the stack: ends what is open above it, and
    /// opens the next part or the epilogue. Returns where reading goes on.
    fn take_boundary(&mut self, index: usize, closing: bool, start: usize, end: usize) -> usize {
        self.close_above(index + 1, start);
        if closing {
            self.open[index].boundary = None;
            return end;
        }
        if self.message.parts.len() >= self.limits.parts {
            return self.stop_at(index, start);
        }
        self.open_part(end)
    }

    /// Reads no further: what would be parts of the multipart at `index` of the stack, and all after it, is not known.
    /// Returns the end of the message.
    fn stop_at(&mut self, index: usize, at: usize) -> usize {
        self.message.unread = Some(at);
        let part = self.open[index].part;
        self.message.parts[part].limit = Some(LimitReached::Parts(self.limits.parts));
        self.open.iter_mut().for_each(|open| open.boundary = None);
        self.message.raw.len()
    }

    /// Ends the parts at `depth` of the stack and above, and notes the multiparts among them that were not closed; `at`
    /// is where the boundary line starts, or the end of the message.
    fn close_above(&mut self, depth: usize, at: usize) {
        let raw = self.message.raw;
        for open in self.open.drain(depth.min(self.open.len())..) {
            let part = &mut self.message.parts[open.part];
            let end = if at == raw.len() { at } else { content_end(raw, part.body.start.min(at), at) };
            part.body = Span::new(part.body.start, end);
            let kind = match (part.kind, open.children, open.boundary) {
                // It stands there, in a closing line, or where reading stopped at a limit.
                (Kind::Multipart, 0, None) if part.boundary.is_some() => continue,
                (Kind::Multipart, 0, _) => DefectKind::BoundaryNotFound,
                (Kind::Multipart, _, Some(_)) => DefectKind::NoClosingBoundary,
                _ => continue,
            };
            self.message.unclosed.push(open.part);
            self.message.defects.push(Defect { kind, part: open.part, at: part.body });
        }
    }

    /// Opens the part that starts at `start`, and the messages directly inside it. Returns where the body of the
    /// innermost one starts.
    fn open_part(&mut self, start: usize) -> usize {
        let mut at = start;
        loop {
            let index = self.message.parts.len();
            at = self.read_part(at);
            if self.message.parts[index].kind != Kind::Message {
                return at;
            }
        }
    }

    /// Reads the header of the part at `start`, and puts the part on the stack. Returns where its body starts. A byte
    /// order mark is looked for before a message alone, and is no part of its header.
    fn read_part(&mut self, start: usize) -> usize {
        let raw = self.message.raw;
        let is_message = self.open.last().is_none_or(|open| self.message.parts[open.part].kind == Kind::Message);
        let signature = if is_message { header::signature_len(&raw[start..]) } else { 0 };
        let start = start + signature;
        let fields_from = self.message.fields.len();
        let part = self.message.parts.len();
        let (open, fields, defects) = (&self.open, &mut self.message.fields, &mut self.message.defects);
        let mut header = header::read(
            raw,
            start,
            self.limits,
            |line| open.iter().any(|open| open.boundary_line(line).is_some()),
            fields,
            &mut |kind, at| defects.push(Defect { kind, part, at }),
        );
        header.doubt = header.doubt.or((signature > 0).then_some(header::SIGNED));
        let body_start = header.body_start;
        let parent = self.open.last_mut().map(|open| {
            open.children += 1;
            (open.part, open.children)
        });
        self.add_part(parent, &header, fields_from);
        body_start
    }

    /// Adds the part of this header, whose fields begin with the one at `fields_from`, and puts it on the stack; its
    /// body ends with the message until something ends it. Beyond a limit it is a leaf. `parent` is the index of the
    /// part around it, and which child of that it is; none for the message itself.
    fn add_part(&mut self, parent: Option<(usize, u32)>, header: &Header, fields_from: usize) {
        let around = parent.map(|(index, _)| &self.message.parts[index]);
        let digest = around.is_some_and(|part| part.content_type.is("multipart", "digest"));
        let inherited = around.and_then(Part::protection_of_children);
        let content_type = self.content_type(fields_from, digest);
        let transfer = self.transfer(fields_from);
        let protection = inherited.or_else(|| own_protection(&content_type));
        let (kind, boundary) = self.kind(&content_type, &transfer, header.span);
        let limit = header.limit.or_else(|| self.limit_inside(kind));
        let (kind, boundary) = if limit.is_some() { (Kind::Leaf, None) } else { (kind, boundary) };
        let part = Part {
            parent: parent.map(|(index, _)| index),
            ordinal: parent.map_or(1, |(_, ordinal)| ordinal),
            depth: self.open.len() + 1,
            fields: fields_from..self.message.fields.len(),
            header: header.span,
            body: Span::new(header.body_start, self.message.raw.len()),
            content_type,
            transfer,
            kind,
            boundary: boundary.clone(),
            delimiter: boundary.as_ref().map(|boundary| [b"--", &boundary[..]].concat()),
            limit,
            header_irregularity: header.doubt,
            protection,
        };
        self.open.push(Open { part: self.message.parts.len(), children: 0, boundary });
        self.message.parts.push(part);
    }

    /// Returns the limit that keeps parts inside a part of this kind, which is to be added, from being read, if one
    /// does. The number of parts in a multipart is asked at each of its boundaries.
    fn limit_inside(&self, kind: Kind) -> Option<LimitReached> {
        let Limits { depth, parts, .. } = *self.limits;
        match kind {
            Kind::Leaf => None,
            _ if self.open.len() + 1 >= depth => Some(LimitReached::Depth(depth)),
            Kind::Message if self.message.parts.len() + 1 >= parts => Some(LimitReached::Parts(parts)),
            _ => None,
        }
    }

    /// Adds a defect of the part that is being read, whose index is the length of the list of parts: it must not be in
    /// that yet.
    fn add_defect(&mut self, kind: DefectKind, at: Span) {
        let part = self.message.parts.len();
        self.message.defects.push(Defect { kind, part, at });
    }

    /// Reads the part's Content-Type, or returns the default for its place (RFC 2045 §5.2); notes one that is invalid.
    fn content_type(&mut self, fields_from: usize, digest: bool) -> ContentType {
        let Some(value) = self.sole(fields_from, CONTENT_TYPE) else { return ContentType::default_in(digest) };
        let read = ContentType::read(self.message.raw, value);
        if read.validity == Validity::Invalid {
            self.add_defect(DefectKind::BadContentType, value);
        }
        read
    }

    /// Reads the part's Content-Transfer-Encoding; 7bit where it has none.
    fn transfer(&mut self, fields_from: usize) -> TransferEncoding {
        match self.sole(fields_from, CONTENT_TRANSFER_ENCODING) {
            Some(value) => grammar::transfer::read(value.slice(self.message.raw)),
            None => TransferEncoding::default(),
        }
    }

    /// Finds the value of a field that may stand once, among those from `fields_from` on, which are those of the part
    /// that is being read; the first counts, as in most mail programs, and a second is noted, whatever it says: headers
    /// that contradict themselves are found by this note (`rewrite/survey/contradiction.rs`).
    fn sole(&mut self, fields_from: usize, name: FieldNames) -> Option<Span> {
        let mut named = self.message.fields[fields_from..].iter().filter(|field| field.is_one_of(name));
        let value = named.next()?.value;
        if let Some(again) = named.next() {
            let at = again.line;
            self.add_defect(DefectKind::RepeatedField, at);
        }
        Some(value)
    }

    /// Tells what a part is made of, and its boundary, which only a multipart has; notes what keeps it from being
    /// looked into. A message in a transfer encoding is not looked into; a multipart is, whatever encoding its header
    /// names.
    fn kind(&mut self, ty: &ContentType, transfer: &TransferEncoding, header: Span) -> (Kind, Option<Vec<u8>>) {
        let plain =
            matches!(transfer, TransferEncoding::SevenBit | TransferEncoding::EightBit | TransferEncoding::Binary);
        if ty.is_composite() && !plain {
            self.add_defect(DefectKind::EncodedComposite, header);
        }
        if ty.is_message() && plain {
            return (Kind::Message, None);
        }
        if ty.main != "multipart" {
            return (Kind::Leaf, None);
        }
        match ty.parameter(self.message.raw, "boundary").filter(|boundary| !boundary.trim_ascii_end().is_empty()) {
            Some(boundary) => (Kind::Multipart, Some(boundary.trim_ascii_end().to_vec())),
            None => {
                self.add_defect(DefectKind::NoBoundary, header);
                (Kind::Leaf, None)
            }
        }
    }
}

/// Returns the protection that a part of this type has of itself. A multipart/signed or multipart/encrypted has none:
/// it protects its children, see [`Part::protection_of_children`]. What only a text shows is found when that is
/// planned.
fn own_protection(ty: &ContentType) -> Option<Protection> {
    let smime = ty.main == "application" && matches!(&*ty.sub, "pkcs7-mime" | "x-pkcs7-mime");
    smime.then_some(Protection::SMime)
}

#[cfg(test)]
mod tests;
