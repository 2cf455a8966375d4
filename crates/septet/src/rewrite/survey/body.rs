//! The body of one part, as it came: what its planner (`body/`) and its witnesses (`evidence/`) read of it and of its
//! header. It decides nothing.

use std::borrow::Cow;

use super::evidence::beside::Beside;
use super::form::TextForm;
use super::reading::is_shown_text;
use crate::coding::charset::Charset;
use crate::coding::transfer::{TransferEncoding, quoted_printable};
use crate::message::{LineEnd, Message, Part};
use crate::rewrite::Profile;

/// The body of one part, as it came.
pub(in crate::rewrite) struct Body<'a> {
    pub message: &'a Message<'a>,
    pub part: &'a Part,
    pub profile: &'a Profile,
    /// What stands beside its text; nothing where [`of`](Self::of) made it.
    pub beside: Beside<'a>,
    /// Its octets, in their transfer encoding.
    pub raw: &'a [u8],
    /// What kind of text it is; none where it is no text, or one that may not be converted.
    pub kind: Option<TextForm>,
    /// The transfer encoding that it is in, whatever name it has. `part.transfer` is the one that the header names:
    /// what is compared with what the header says is that.
    pub transfer: TransferEncoding,
}

impl<'a> Body<'a> {
    /// Looks at the body of a part, beside which nothing stands: finds what kind of text it is, and the transfer
    /// encoding that it is really in. Whoever reads its text needs that of
    /// [`Evidence::body`](super::evidence::Evidence::body).
    pub fn of(message: &'a Message<'a>, part: &'a Part, profile: &'a Profile) -> Body<'a> {
        let raw = message.slice(part.body);
        let (kind, transfer) = (TextForm::of(message, part), part.transfer.proved_by(raw));
        Body { message, part, profile, beside: Beside::default(), raw, kind, transfer }
    }

    /// Returns the value of the charset parameter, known or not; an empty one counts as none. It has the white space
    /// and the case of letters that it came with.
    pub fn label(&self) -> Option<Cow<'a, [u8]>> {
        let label = self.part.content_type.parameter(self.message.raw(), "charset")?;
        (!label.trim_ascii().is_empty()).then_some(label)
    }

    /// Returns the charset that the label names, as the profile reads labels; none where it names none that is known.
    /// Whether the text is in it is for the judge to say ([`read_text`](Self::read_text)).
    pub fn charset(&self) -> Option<Charset> {
        self.profile.labels.find(&self.label()?)
    }

    /// Returns `true` if a parameter of the Content-Type has this value, in any case of letters. White space in it
    /// counts.
    pub fn says(&self, name: &str, value: &str) -> bool {
        let found = self.part.content_type.parameter(self.message.raw(), name);
        found.is_some_and(|found| found.eq_ignore_ascii_case(value.as_bytes()))
    }

    /// Returns the line end that new lines get: that of the first line, or of the line before it where what stands in
    /// the body are no lines of the message, but octets of a file.
    pub fn line_end(&self) -> LineEnd {
        let (part, start) = (self.part, self.part.body.start);
        let is_binary = part.transfer == TransferEncoding::Binary;
        let has_lines = !part.transfer.is_identity() || !is_binary && is_shown_text(self.message, part);
        self.message.line_end_at(if has_lines { start } else { start.saturating_sub(1) })
    }

    /// Returns `true` if line ends of the message stand within the text: without a transfer encoding, and between the
    /// lines of quoted-printable. On the way they may change from LF to CRLF and back, which a text in UTF-16 does not
    /// bear.
    pub fn is_in_transit(&self) -> bool {
        match self.transfer {
            TransferEncoding::QuotedPrintable => quoted_printable::has_inner_hard_break(self.raw),
            _ => self.transfer.is_identity(),
        }
    }
}
