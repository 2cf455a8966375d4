//! A part: the message itself, or any MIME entity in it.

use std::fmt;
use std::ops::Range;

use super::{ContentType, LimitReached, Protection};
use crate::coding::transfer::TransferEncoding;
use crate::edit::Span;

/// A part, as spans of the message.
#[derive(Debug, Clone)]
pub struct Part {
    /// The part that it lies in, as an index; none for the message itself.
    pub parent: Option<usize>,
    /// Which child of its parent it is, from 1.
    pub ordinal: u32,
    /// How deep it lies; the message itself is at depth 1.
    pub depth: usize,
    /// Its fields, as indexes.
    pub(super) fields: Range<usize>,
    /// Its header, without the empty line that ends it.
    pub header: Span,
    /// Its body, without the line end that belongs to the boundary after it.
    pub body: Span,
    /// Its media type and parameters; the default for its place where there is no Content-Type.
    pub content_type: ContentType,
    /// Its transfer encoding; 7bit where there is no field.
    pub transfer: TransferEncoding,
    /// What it is made of.
    pub kind: Kind,
    /// The boundary between its parts; none when its kind is not [`Kind::Multipart`].
    pub boundary: Option<Vec<u8>>,
    /// `--` and the boundary, where there is one.
    pub(super) delimiter: Option<Vec<u8>>,
    /// The limit that kept its body, or the end of it, from being read: what is in it is not known.
    pub limit: Option<LimitReached>,
    /// Why other readers may end its header elsewhere, if they may; then nothing may be put between header and body.
    pub header_irregularity: Option<&'static str>,
    /// The protection on it, its own or that of a part around it.
    pub protection: Option<Protection>,
}

impl Part {
    /// Returns the protection on the parts inside this one, headers and all.
    pub fn protection_of_children(&self) -> Option<Protection> {
        self.protection.or(match (&*self.content_type.main, &*self.content_type.sub) {
            ("multipart", "signed") => Some(Protection::Signed),
            ("multipart", "encrypted") => Some(Protection::Encrypted),
            _ => None,
        })
    }
}

/// What a part is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A body of its own. Also what was not looked into: a multipart without a boundary, a message in a transfer
    /// encoding, either of them beyond a limit.
    Leaf,
    /// Parts between boundaries.
    Multipart,
    /// One message (message/rfc822, message/global, message/news).
    Message,
}

/// A part's number: the way from the message (1) down, such as 1.2.1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct PartNumber(Vec<u32>);

impl PartNumber {
    /// Returns the number of the message itself.
    pub fn root() -> PartNumber {
        PartNumber::default()
    }

    /// Returns the number of a part among these; none counts as the message itself.
    pub(super) fn of(parts: &[Part], part: Option<&Part>) -> PartNumber {
        let upwards = std::iter::successors(part, |part| parts.get(part.parent?));
        // The message itself, which has no parent, is no step of the way.
        let mut way: Vec<u32> = upwards.filter(|part| part.parent.is_some()).map(|part| part.ordinal).collect();
        way.reverse();
        PartNumber(way)
    }

    /// Returns `true` if it is the message itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for PartNumber {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "1")?;
        self.0.iter().try_for_each(|ordinal| write!(out, ".{ordinal}"))
    }
}
