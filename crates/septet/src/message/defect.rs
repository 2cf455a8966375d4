//! What is broken in a message: a table of code and text.

use serde::Serialize;

use crate::edit::Span;

/// Something in the message that breaks a rule, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Defect {
    /// Which rule.
    pub kind: DefectKind,
    /// The part that it is in, as an index.
    pub part: usize,
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
    /// A multipart or message has a transfer encoding that it may not have (RFC 2045 §6.4). A message/global counts
    /// too, though RFC 6532 §3.7 lets it have any.
    EncodedComposite,
    /// A Content-Type can't be read.
    BadContentType,
    /// A field that may stand once stands more often (RFC 5322 §3.6, RFC 2045 §3).
    RepeatedField,
    /// The message has MIME fields and no MIME-Version (RFC 2045 §4).
    MissingMimeVersion,
    /// The message has no Date (RFC 5322 §3.6).
    MissingDate,
    /// The message has no Message-ID (RFC 5322 §3.6.4).
    MissingMessageId,
    /// The Date is empty, or nobody can read a date in it (RFC 5322 §3.3).
    UnreadableDate,
    /// A line between fields has the name of a field and no colon behind it.
    MissingColon,
    /// White space stands between a field's name and its colon (RFC 5322 §2.2, §4.5).
    SpaceBeforeColon,
    /// A header ends without an empty line, at a line that is text (RFC 5322 §2.1).
    NoEmptyLine,
    /// A line has more than 998 octets (RFC 5322 §2.1.1).
    LongLine,
    /// A CR or LF stands alone (RFC 5322 §2.3).
    BareLineEnd,
    /// A body has 8-bit octets, and nothing declares them (RFC 2045 §6.2).
    #[serde(rename = "undeclared-8bit")]
    Undeclared8Bit,
    /// An octet 0 (RFC 5322 §4).
    Nul,
    /// The boundary of a multipart is not the one between what stands in it (RFC 2046 §5.1.1).
    UnusedBoundary,
    /// Text stands behind base64, mostly the footer of a mailing list.
    Base64Footer,
}

impl DefectKind {
    /// Returns its stable name: what reports, replies and metrics say.
    pub fn name(self) -> &'static str {
        self.words()[0]
    }

    /// Returns what is broken, in words for people; [`name`](Self::name) is for machines.
    pub fn text(self) -> &'static str {
        self.words()[1]
    }

    /// Returns its name, which must be the one that serde writes, as a test has it of those in `NAMED`, and its text.
    fn words(self) -> [&'static str; 2] {
        match self {
            DefectKind::HeaderEndsAtText => {
                ["header-ends-at-text", "the header ends at a line that is no field; an empty line is missing"]
            }
            DefectKind::FromLineInHeader => ["from-line-in-header", "a From_ line stands in the header"],
            DefectKind::NoBoundary => ["no-boundary", "a multipart without a boundary parameter"],
            DefectKind::BoundaryNotFound => ["boundary-not-found", "the boundary of a multipart does not occur"],
            DefectKind::NoClosingBoundary => ["no-closing-boundary", "a multipart without its closing boundary"],
            DefectKind::EncodedComposite => ["encoded-composite", "a multipart or message with a transfer encoding"],
            DefectKind::BadContentType => ["bad-content-type", "a Content-Type that can't be read"],
            DefectKind::RepeatedField => ["repeated-field", "a field that may stand once stands more often"],
            DefectKind::MissingMimeVersion => ["missing-mime-version", "MIME fields and no MIME-Version"],
            DefectKind::MissingDate => ["missing-date", "no Date"],
            DefectKind::MissingMessageId => ["missing-message-id", "no Message-ID"],
            DefectKind::UnreadableDate => ["unreadable-date", "a Date that can't be read"],
            DefectKind::MissingColon => ["missing-colon", "a colon is missing behind the name of a field"],
            DefectKind::SpaceBeforeColon => ["space-before-colon", "white space before a field's colon"],
            DefectKind::NoEmptyLine => ["no-empty-line", "no empty line ends the header before text"],
            DefectKind::LongLine => ["long-line", "a line of more than 998 octets"],
            DefectKind::BareLineEnd => ["bare-line-end", "a CR or an LF alone"],
            DefectKind::Undeclared8Bit => ["undeclared-8bit", "8-bit octets in a body that declares none"],
            DefectKind::Nul => ["nul", "an octet 0"],
            DefectKind::UnusedBoundary => ["unused-boundary", "a multipart's boundary does not occur in what it holds"],
            DefectKind::Base64Footer => ["base64-footer", "text behind base64"],
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn is_named_alike_everywhere() {
        for kind in super::super::conformance::NAMED {
            assert_eq!(serde_json::to_value(kind).expect("a word"), kind.name());
        }
    }
}
