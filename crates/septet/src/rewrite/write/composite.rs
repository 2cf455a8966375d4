//! Parts made of parts: what they say of the octets in them stays true (RFC 2045 §6.4).

use super::Writer;
use crate::coding::transfer::TransferEncoding;
use crate::edit::Span;
use crate::message::{Kind, Part};
use crate::rewrite::{Outcome, Place, Reason, Transfer};

impl Writer<'_, '_, '_> {
    /// Makes the parts around a body that became 8-bit say so (RFC 2045 §6.4). Whether these may be changed was asked
    /// before the body was, by the same condition (`widening_body` in `agree/alone.rs`,
    /// [`Gate::form_around_body`](crate::rewrite::survey::gate::Gate::form_around_body)). All bodies must be planned,
    /// and neither a field nor a part be written yet: a Content-Transfer-Encoding that is named here is passed over
    /// when fields are.
    pub(super) fn widen_parents_of_bodies(&mut self) {
        let message = self.survey.message;
        for (index, part) in message.parts().iter().enumerate() {
            if self.bodies[index].is_eight_bit() && message.slice(part.body).is_ascii() {
                self.widen_parents(part);
            }
        }
    }

    /// Makes the parts around a header that became 8-bit say so, and the message that it belongs to, if it lies in
    /// another one, be `message/global` (RFC 6532 §3.7). Whether these may be changed was asked before the fields were
    /// ([`Gate::form_around_header`](crate::rewrite::survey::gate::Gate::form_around_header)). The edits of all fields
    /// must have been made, and the parts not be written yet.
    pub(super) fn widen_parents_of_fields(&mut self) {
        for part in self.survey.message.parts() {
            if !self.survey.message.slice(part.header).is_ascii() || self.is_seven_bit(part.header) {
                continue;
            }
            self.widen_parents(part);
            let message = self.survey.message.around(part).find(|(_, around)| around.kind == Kind::Message);
            if let Some((at, _)) = message.filter(|(_, around)| around.content_type.sub == "rfc822") {
                self.bodies[at].name_media("message/rfc822", "message/global");
            }
        }
    }

    /// Makes the parts around one that has 8-bit octets say so, if they say 7bit and nothing else is asked of them yet.
    /// None of them may be written yet.
    pub(in crate::rewrite) fn widen_parents(&mut self, part: &Part) {
        for (at, part) in self.survey.message.around(part) {
            if part.transfer == TransferEncoding::SevenBit && self.bodies[at].transfer.is_none() {
                self.bodies[at].name_transfer(&part.transfer, TransferEncoding::EightBit);
            }
        }
    }

    /// Makes the parts that said 8bit say 7bit where that is wanted and nothing in them is 8-bit or binary any more,
    /// and a `message/global` whose headers were raw `message/rfc822` again, which every program can show; writes both.
    /// Parts that are kept for a signature, encryption, a contradiction or their form stay, and that is not reported.
    /// It must come last, when all other edits are made. Where octets between parts keep one 8-bit, that is reported.
    pub(super) fn narrow_parents(&mut self) {
        let seven_bit = self.survey.profile.transfer == Transfer::SevenBit;
        for (index, part) in self.survey.message.parts().iter().enumerate() {
            let is_kept = self.survey.why_protected(part).is_some() || self.survey.cover.bodies;
            if part.kind == Kind::Leaf || is_kept || self.survey.contradictions.concern(index) {
                continue;
            }
            if seven_bit && self.has_eight_bit_between(index, part) {
                self.report(index, Place::Body, Outcome::Left(Reason::BetweenParts));
            }
            let is_raised = matches!(part.transfer, TransferEncoding::EightBit | TransferEncoding::Binary);
            let raised = seven_bit && is_raised && self.is_seven_bit(part.body) && !self.has_binary(index);
            let global = self.has_lowered_headers(index);
            if !(raised || global) || self.survey.gate.form_that_keeps_body(part).is_some() {
                continue;
            }
            // The rest of what its header is asked for is written already. A field that says so is there: none comes.
            if raised {
                self.bodies[index].name_transfer(&part.transfer, TransferEncoding::SevenBit);
                self.write_transfer(index, part, &mut String::new());
            }
            if global {
                self.bodies[index].name_media("message/global", "message/rfc822");
                self.write_type(index, part, &mut String::new());
            }
            self.report_body(index);
        }
    }

    /// Returns `true` if a leaf in a part stays binary, which it may be without 8-bit octets: no part around it is 7bit
    /// then (RFC 2045 §6.4). The parts around it are not asked, since they are narrowed after this one.
    fn has_binary(&self, index: usize) -> bool {
        let mut leaves = self.survey.message.inside(index).filter(|(_, part)| part.kind == Kind::Leaf);
        leaves
            .any(|(at, leaf)| *self.bodies[at].transfer.as_ref().unwrap_or(&leaf.transfer) == TransferEncoding::Binary)
    }

    /// Returns `true` if a part is a `message/global` in which headers had 8-bit octets and none has any more, and if
    /// the profile wants such headers.
    fn has_lowered_headers(&self, index: usize) -> bool {
        let (message, profile) = (self.survey.message, self.survey.profile);
        let wanted = profile.wants_ascii_header() || profile.transfer == Transfer::SevenBit;
        let part = &message.parts()[index];
        if !wanted || part.kind != Kind::Message || part.content_type.sub != "global" {
            return false;
        }
        let mut inside = message.inside(index);
        inside.clone().any(|(_, part)| !message.slice(part.header).is_ascii())
            && inside.all(|(_, part)| self.is_seven_bit(part.header))
    }

    /// Returns `true` if a part made of parts has 8-bit octets before, between or after these, where no edit may stand.
    /// What is in a part of these, however deep, is not between: parts come in the order of the message.
    fn has_eight_bit_between(&self, index: usize, part: &Part) -> bool {
        let message = self.survey.message;
        let children = message.inside(index).map(|(_, child)| child).filter(|child| child.parent == Some(index));
        let ends = children.clone().map(|child| child.header.start).chain([part.body.end]);
        let starts = [part.body.start].into_iter().chain(children.map(|child| child.body.end));
        starts.zip(ends).any(|(start, end)| !message.slice(Span::new(start, end)).is_ascii())
    }

    /// Returns `true` if a span of the message is ASCII after the edits so far, with what is put in at its ends; edits
    /// that reach over these do not count.
    pub(super) fn is_seven_bit(&self, span: Span) -> bool {
        self.edits.pieces_within(self.survey.message.raw(), span).all(<[u8]>::is_ascii)
    }
}
