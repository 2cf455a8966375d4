//! Fixes the octets of one body: what no line may hold goes into a transfer encoding, which means the same octets.

use std::borrow::Cow;

use super::Body;
use super::transfer::{ReencodeInput, reencode};
use crate::coding::transfer::{TransferEncoding, base64, quoted_printable};
use crate::message::{DefectKind, Message, Part};
use crate::rewrite::Profile;
use crate::rewrite::body_plan::BodyPlan;
use crate::rewrite::survey::evidence::beside::Beside;

/// Plans the body of a leaf that has these defects of octets: all of them are fixed, or the error says why none is.
/// Whether the body may be changed at all the caller has asked; it reports what is fixed, too. The profile must convert
/// nothing.
pub(in crate::rewrite) fn plan_fixed(
    message: &Message,
    part: &Part,
    profile: &Profile,
    kinds: &[DefectKind],
) -> Result<BodyPlan, &'static str> {
    let body = Body::of(message, part, profile, Beside::default());
    match &part.transfer {
        transfer if kinds == [DefectKind::Undeclared8Bit] => {
            let mut plan = BodyPlan::default();
            plan.name_transfer(transfer, TransferEncoding::EightBit);
            Ok(plan)
        }
        TransferEncoding::Base64 => body.write_base64_anew(),
        TransferEncoding::QuotedPrintable => body.write_quoted_printable_anew(),
        TransferEncoding::Unknown(_) => Err("its transfer encoding is unknown"),
        _ => body.put_in_transfer_encoding(),
    }
}

impl Body<'_> {
    /// Puts a transfer encoding on octets that stood as they are; the error says why none may be put on them.
    fn put_in_transfer_encoding(&self) -> Result<BodyPlan, &'static str> {
        // RFC 2045 §6.4; the types of RFC 6532 and 6533 may be encoded.
        let ty = &self.part.content_type;
        if ty.main == "multipart" || ty.main == "message" && !ty.sub.starts_with("global") {
            return Err("a message has no transfer encoding of its own");
        }
        // In UTF-16 an octet 10 may be half a character, and a transfer encoding of text would take it for a line end.
        if self.kind.is_some() && self.is_wide() {
            return Err("characters of several octets in lines");
        }
        let input = ReencodeInput { must_encode: true, ..self.to_reencode(self.raw, Cow::Borrowed(self.raw)) };
        let reencoded = reencode(input).ok().flatten().ok_or("it can't be encoded")?;
        let mut plan = BodyPlan::default();
        self.add_reencoded(&mut plan, Some(reencoded), Vec::new());
        Ok(plan)
    }

    /// Writes base64 anew, that ends as the body ended; only what has no fault in it, since a guess would decide what
    /// else it says.
    fn write_base64_anew(&self) -> Result<BodyPlan, &'static str> {
        let decoded = base64::decode(self.raw);
        if decoded.faults > 0 {
            return Err("damaged base64");
        }
        let mut body = base64::encode(&decoded.bytes, self.line_end().as_bytes());
        if !self.raw.ends_with(b"\n") {
            body.truncate(body.trim_ascii_end().len());
        }
        Ok(BodyPlan { body: Some(body), ..BodyPlan::default() })
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
            Ok(BodyPlan { body: Some(body), ..BodyPlan::default() })
        }
    }
}
