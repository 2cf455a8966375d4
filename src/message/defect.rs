//! What is broken in a message: a table of code and text.

use serde::Serialize;

use crate::edit::Span;

/// Something in the message that breaks a rule, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Defect {
    /// Which rule.
    pub kind: DefectKind,
    /// The octets concerned.
    pub at: Span,
}

/// The rules that mail breaks most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DefectKind {
    /// A header ends at a line that is no field and no empty line.
    HeaderEndsAtText,
    /// A line of the header is a From_ line, or one that was quoted.
    FromLineInHeader,
    /// A multipart type has no usable boundary.
    NoBoundary,
    /// The boundary of a multipart never occurs.
    BoundaryNotFound,
    /// A multipart ends without its closing boundary.
    NoClosingBoundary,
    /// A multipart or message has a transfer encoding that it may not have (RFC 2045 §6.4).
    EncodedComposite,
    /// A Content-Type can't be read.
    BadContentType,
    /// A part has more than one Content-Type, or more than one transfer encoding.
    RepeatedField,
}

impl DefectKind {
    /// Says it in words.
    pub fn text(self) -> &'static str {
        match self {
            DefectKind::HeaderEndsAtText => "the header ends at a line that is no field; an empty line is missing",
            DefectKind::FromLineInHeader => "a From_ line stands in the header",
            DefectKind::NoBoundary => "a multipart without a boundary parameter",
            DefectKind::BoundaryNotFound => "the boundary of a multipart does not occur",
            DefectKind::NoClosingBoundary => "a multipart without its closing boundary",
            DefectKind::EncodedComposite => "a multipart or message with a transfer encoding",
            DefectKind::BadContentType => "a Content-Type that can't be read",
            DefectKind::RepeatedField => "a field that may stand once stands more often",
        }
    }
}
