//! Fixes the octets of one body: what no line may hold goes into a transfer encoding, which means the same octets.

use std::borrow::Cow;

use super::transfer::ReencodeInput;
use crate::coding::transfer::{TransferEncoding, base64, quoted_printable};
use crate::message::DefectKind;
use crate::rewrite::body_plan::BodyPlan;
use crate::rewrite::survey::body::Body;

impl Body<'_> {
    /// Plans the body of a leaf that has these defects of octets: all of them are fixed, or the error says why none is.
    /// Whether the body may be changed at all the caller has asked; it reports what is fixed, too. The profile must
    /// convert nothing, so that the same octets are meant, and `kinds` have none twice. Undeclared 8-bit alone asks for
    /// a label; with another defect the new transfer encoding takes it along. Kinds for which a whole body is written
    /// stand in `OF_BODIES` (`cost.rs`), too, by which memory is estimated.
    pub fn plan_fixed(&self, kinds: &[DefectKind]) -> Result<BodyPlan, &'static str> {
        if kinds == [DefectKind::Undeclared8Bit] {
            let mut plan = BodyPlan::default();
            plan.name_transfer(&self.part.transfer, TransferEncoding::EightBit);
            return Ok(plan);
        }
        let octets = self.octets_to_write_anew()?;
        let input = ReencodeInput { anew: true, ..self.to_reencode(&octets) };
        self.plan_reencoded(input).ok().filter(BodyPlan::changes).ok_or("it can't be encoded")
    }

    /// Returns the octets of a body that may be written anew, without their transfer encoding. The error says why it
    /// may not: no transfer encoding may be put on it, or it has one in which there is a fault or that readers take
    /// differently, so that a guess would decide what else it says.
    fn octets_to_write_anew(&self) -> Result<Cow<'_, [u8]>, &'static str> {
        let ty = &self.part.content_type;
        match &self.part.transfer {
            TransferEncoding::Base64 => {
                let decoded = base64::decode(self.raw);
                if decoded.faults > 0 { Err("damaged base64") } else { Ok(decoded.bytes) }
            }
            TransferEncoding::QuotedPrintable => {
                let decoded = quoted_printable::decode(self.raw);
                let doubtful = decoded.faults > 0
                    || quoted_printable::disputed(self.raw) > 0
                    || quoted_printable::depends_on_line_ends(self.raw)
                    || self.raw.contains(&0);
                if doubtful { Err("damaged quoted-printable") } else { Ok(decoded.bytes) }
            }
            TransferEncoding::Unknown(_) => Err("its transfer encoding is unknown"),
            // RFC 2045 §6.4; the types of RFC 6532 and 6533 may be encoded.
            _ if ty.main == "multipart" || ty.main == "message" && !ty.sub.starts_with("global") => {
                Err("a message has no transfer encoding of its own")
            }
            // In UTF-16 an octet 10 may be half a character, and a transfer encoding of text would take it for a line
            // end.
            _ if self.kind.is_some() && self.is_wide() => Err("characters of several octets in lines"),
            _ => Ok(Cow::Borrowed(self.raw)),
        }
    }
}
