//! Fixes the octets of one body: what no line may hold goes into a transfer encoding, which means the same octets.

use std::borrow::Cow;

use crate::coding::charset::Charset;
use crate::coding::transfer::{TransferEncoding, base64, quoted_printable};
use crate::message::{DefectKind, LineEnd, Message, Part};
use crate::rewrite::body::{ReencodeInput, reencode};
use crate::rewrite::body_plan::BodyPlan;
use crate::rewrite::survey::reading::{is_shown_text, is_text, line_end_of};
use crate::rewrite::{Change, Profile, Transfer};

/// What can't be fixed, and why.
type Unfixed = (DefectKind, &'static str);

/// Plans the body of a leaf that has these defects of octets: all of them are fixed, or the error names the first, and
/// why. Whether the body may be changed at all the caller has asked (`why_body_stays`); it reports what is fixed, too.
pub(super) fn plan(
    message: &Message,
    part: &Part,
    profile: &Profile,
    kinds: &[DefectKind],
) -> Result<BodyPlan, Unfixed> {
    let Some(&first) = kinds.first() else { return Ok(BodyPlan::default()) };
    let leaf = Leaf { message, part, profile, raw: message.slice(part.body) };
    let planned = match &part.transfer {
        _ if kinds == [DefectKind::Undeclared8Bit] => Ok(leaf.name_eight_bit()),
        TransferEncoding::Base64 => leaf.write_base64_anew(),
        TransferEncoding::QuotedPrintable => leaf.write_quoted_printable_anew(),
        TransferEncoding::Unknown(_) => Err("its transfer encoding is unknown"),
        _ => leaf.put_in_transfer_encoding(),
    };
    planned.map_err(|why| (first, why))
}

/// A leaf whose body is to be fixed.
struct Leaf<'a> {
    message: &'a Message<'a>,
    part: &'a Part,
    profile: &'a Profile,
    raw: &'a [u8],
}

impl Leaf<'_> {
    /// Leaves the octets, and has the header say `8bit`.
    fn name_eight_bit(&self) -> BodyPlan {
        let mut plan = BodyPlan::default();
        plan.name_transfer(&self.part.transfer, TransferEncoding::EightBit);
        plan
    }

    /// Makes the plan of a new body in the transfer encoding that the header names.
    fn with_new_body(&self, body: Vec<u8>) -> BodyPlan {
        BodyPlan { body: Some(body), ..BodyPlan::default() }
    }

    /// Puts a transfer encoding on octets that stood as they are; the error says why none may be put on them.
    fn put_in_transfer_encoding(&self) -> Result<BodyPlan, &'static str> {
        // RFC 2045 §6.4; the types of RFC 6532 and 6533 may be encoded.
        let ty = &self.part.content_type;
        if ty.main == "multipart" || ty.main == "message" && !ty.sub.starts_with("global") {
            return Err("a message has no transfer encoding of its own");
        }
        // In UTF-16 an octet 10 may be half a character, and a transfer encoding of text would take it for a line end.
        if self.charset().is_some_and(|charset| !charset.shows_line_ends()) && is_text(self.message, self.part) {
            return Err("characters of several octets in lines");
        }
        let input = ReencodeInput {
            raw: self.raw,
            from: &self.part.transfer,
            octets: self.raw,
            encoded: Cow::Borrowed(self.raw),
            goal: Transfer::Keep,
            readable: false,
            relabelled: false,
            anew: false,
            must_encode: true,
            line_end: self.line_end(),
            text: is_text(self.message, self.part),
            file: !is_shown_text(self.message, self.part),
            last: self.part.body.end == self.message.raw().len(),
            delimiters: &self.message.delimiters_around(self.part),
        };
        let reencoded = reencode(input).map_err(|_| "it can't be encoded")?.ok_or("it can't be encoded")?;
        let (from, to) = (self.part.transfer.name().to_owned(), reencoded.transfer.name().to_owned());
        let mut plan = BodyPlan { body: reencoded.body, transfer: Some(reencoded.transfer), ..BodyPlan::default() };
        plan.add_change(Change::Transfer { from, to });
        Ok(plan)
    }

    /// Returns the line end that new lines of the body get.
    fn line_end(&self) -> LineEnd {
        line_end_of(self.message, self.part)
    }

    /// Writes base64 anew; only what has no fault in it, since a guess would decide what else it says.
    fn write_base64_anew(&self) -> Result<BodyPlan, &'static str> {
        let decoded = base64::decode(self.raw);
        match decoded.faults {
            0 => Ok(self.with_new_body(self.encode_base64(&decoded.bytes))),
            _ => Err("damaged base64"),
        }
    }

    /// Writes quoted-printable anew; only what has no fault and all readers take alike, and what reads back octet for
    /// octet.
    fn write_quoted_printable_anew(&self) -> Result<BodyPlan, &'static str> {
        let decoded = quoted_printable::decode(self.raw);
        let doubtful = decoded.faults > 0
            || quoted_printable::disputed(self.raw) > 0
            || quoted_printable::depends_on_line_ends(self.raw);
        let body = quoted_printable::encode(&decoded.bytes, self.line_end().as_bytes());
        if doubtful || self.raw.contains(&0) {
            Err("damaged quoted-printable")
        } else if quoted_printable::decode(&body).bytes != decoded.bytes {
            Err("line ends in writing")
        } else {
            Ok(self.with_new_body(body))
        }
    }

    /// Writes base64 that ends as the body ended, with a line end or without.
    fn encode_base64(&self, octets: &[u8]) -> Vec<u8> {
        let mut body = base64::encode(octets, self.line_end().as_bytes());
        if !self.raw.ends_with(b"\n") {
            body.truncate(body.trim_ascii_end().len());
        }
        body
    }

    /// Returns the charset that the part names, if the profile knows it; ASCII where the part names none.
    fn charset(&self) -> Option<Charset> {
        match self.part.content_type.parameter(self.message.raw(), "charset") {
            Some(label) => self.profile.labels.find(&label),
            None => Some(Charset::US_ASCII),
        }
    }
}
