//! Takes back what was planned for bodies of which nobody can say what they are: their header contradicts itself, or they are
//! made of parts that can't be looked into.
//!
//! A multipart or a message that is encoded itself, has no boundary, or one that never occurs, is not changed either way;
//! when something in it is 8-bit or encoded, that is said.

use memchr::memmem;

use super::Planner;
use crate::message::grammar::transfer;
use crate::message::irregular::Form;
use crate::message::{CONTENT_TRANSFER_ENCODING, Kind, Part};
use crate::rewrite::Reason;
use crate::rewrite::body_plan::BodyPlan;
use crate::rewrite::survey::reading::is_text;

impl Planner<'_, '_> {
    /// Leaves the bodies whose header contradicts itself, or that lie in such a part, and those made of parts that
    /// could not be looked into. Reported is such a part, and nothing in it, if a change was planned or left or
    /// something is hidden ([`reading_matters`](Self::reading_matters)); of two reasons the contradiction counts.
    pub(super) fn leave_unclear_bodies(&mut self) {
        for (index, part) in self.message.parts().iter().enumerate() {
            let planned = self.bodies[index].changes() || self.bodies[index].leaves();
            // What lies in a part that contradicts itself is left with it, and not reported.
            if self.contradictions.is_inside_one(index) {
                self.bodies[index] = BodyPlan::default();
            } else if let Some(form) = self.contradictions.of_own_header(index) {
                let said = planned || self.reading_matters(index, part);
                self.bodies[index] = if said { BodyPlan::left(Reason::Irregular(form)) } else { BodyPlan::default() };
            } else if let Some(reason) = self.why_not_looked_into(index, part) {
                self.bodies[index] = BodyPlan::left(reason);
            }
        }
    }

    /// Returns `true` if readers of a part whose header contradicts itself could show different things: it is a text
    /// that is encoded or not ASCII, or is made of parts and holds something 8-bit or encoded.
    fn reading_matters(&self, index: usize, part: &Part) -> bool {
        let raw = self.message.slice(part.body);
        match part.kind {
            Kind::Leaf => is_text(self.message, part) && (!raw.is_ascii() || self.is_encoded(index)),
            _ => hides_something(raw),
        }
    }

    /// Returns `true` if any field of a part says that its body is encoded, whichever of them counts.
    fn is_encoded(&self, index: usize) -> bool {
        let fields = self.message.fields(&self.message.parts()[index]).iter();
        let mut transfers = fields.filter(|field| field.is_one_of(CONTENT_TRANSFER_ENCODING));
        transfers.any(|field| !transfer::read(self.message.slice(field.value)).is_identity())
    }

    /// Returns why a part that is made of parts by its type was not looked into, if something 8-bit or encoded is
    /// hidden in it. The types are those that reading looks into (`message/structure.rs`).
    fn why_not_looked_into(&self, index: usize, part: &Part) -> Option<Reason> {
        let ty = &part.content_type;
        let composite =
            ty.main == "multipart" || (ty.main == "message" && matches!(&*ty.sub, "rfc822" | "global" | "news"));
        let has_child = self.message.parts().get(index + 1).is_some_and(|next| next.parent == Some(index));
        // A limit has been reported with the plan of the body, and what is protected would stay anyway.
        if !composite || has_child || part.limit.is_some() || self.why_protected(part).is_some() {
            return None;
        }
        let encoded = !part.transfer.is_identity();
        let raw = self.message.slice(part.body);
        if raw.trim_ascii().is_empty() || !(encoded || hides_something(raw)) {
            return None;
        }
        Some(Reason::Irregular(if encoded { Form::CompositeEncoded } else { Form::BoundaryMissing }))
    }
}

/// Returns `true` if octets that nobody looked into hold something 8-bit, or what announces encoded text: `=?`, a
/// Content-Transfer-Encoding or a charset.
fn hides_something(raw: &[u8]) -> bool {
    if !raw.is_ascii() || memmem::find(raw, b"=?").is_some() {
        return true;
    }
    let lower = raw.to_ascii_lowercase();
    [&b"content-transfer-encoding:"[..], b"charset="].iter().any(|mark| memmem::find(&lower, mark).is_some())
}
