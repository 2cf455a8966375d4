//! Parts of which a header says two things, or nothing that can be understood: they stay, and the report says so.
//!
//! Of two Content-Type fields some readers believe the first and some the last. Where both say the same, both are
//! written alike. Where they differ, a new body would be right for half of the readers, so the body stays, and with it
//! everything inside. The same goes for two transfer encodings that decode differently, and for a Content-Type that
//! names no type: to put another in its place would erase the little that it says.
//!
//! A multipart or a message that can't be looked into (it is encoded itself, has no boundary, or one that never occurs)
//! is not changed either way; when something in it is 8-bit or encoded, that is said.

use memchr::memmem;

use super::Reason;
use super::body::{BodyPlan, is_text};
use super::planner::Planner;
use crate::message::grammar::transfer;
use crate::message::irregular::{self, Form};
use crate::message::{DefectKind, Kind, Message, Part, Validity};

/// What contradicts itself in a message.
#[derive(Debug, Default)]
pub(super) struct Contradictions {
    /// For each part its own contradiction; empty where no part has one.
    own: Vec<Option<Form>>,
    /// For each part whether one around it has one.
    around: Vec<bool>,
}

impl Contradictions {
    /// Finds the contradictions of a message; looks for none where reading it found no defect.
    pub fn of(message: &Message) -> Contradictions {
        let odd = |kind| matches!(kind, DefectKind::RepeatedField | DefectKind::BadContentType);
        if !message.defects().iter().any(|defect| odd(defect.kind)) {
            return Contradictions::default();
        }
        let parts = message.parts();
        let own: Vec<Option<Form>> = parts.iter().map(|part| contradiction(message, part)).collect();
        let mut around: Vec<bool> = Vec::with_capacity(parts.len());
        for part in parts {
            around.push(part.parent.is_some_and(|parent| around[parent] || own[parent].is_some()));
        }
        Contradictions { own, around }
    }

    /// Returns what a part's own header contradicts itself in.
    pub fn own(&self, index: usize) -> Option<Form> {
        *self.own.get(index)?
    }

    /// Returns why a field of a part's header stays: it is one of two that differ, and would perhaps not differ any more.
    pub fn of_field(&self, index: usize, name: &[u8]) -> Option<Reason> {
        let own = self.own(index).filter(|own| *own == Form::TypeConflict);
        own.filter(|_| name.eq_ignore_ascii_case(b"Content-Type")).map(Reason::Irregular)
    }

    /// Tells whether a part lies in one that contradicts itself.
    pub fn around(&self, index: usize) -> bool {
        self.around.get(index) == Some(&true)
    }
}

/// Finds what a part's header contradicts itself in.
fn contradiction(message: &Message, part: &Part) -> Option<Form> {
    let of_fields = [Form::TypeConflict, Form::TransferConflict];
    let found = irregular::part(message, part).iter().find(|form| of_fields.contains(form));
    found.or((part.content_type.validity == Validity::Invalid).then_some(Form::TypeInvalid))
}

impl Planner<'_, '_> {
    /// Takes back the plans of bodies that contradict themselves, or lie in a part that does.
    pub(super) fn keep_contradictions(&mut self) {
        for (index, part) in self.message.parts().iter().enumerate() {
            let planned = self.bodies[index].changes() || self.bodies[index].leaves();
            if self.contradictions.around(index) {
                self.bodies[index] = BodyPlan::default();
            } else if let Some(form) = self.contradictions.own(index) {
                let said = planned || self.matters(index, part);
                self.bodies[index] = if said { BodyPlan::left(Reason::Irregular(form)) } else { BodyPlan::default() };
            } else if let Some(reason) = self.unseen(index, part) {
                self.bodies[index] = BodyPlan::left(reason);
            }
        }
    }

    /// Tells whether it matters how a part is read: it is made of parts, or a text that is not plain ASCII.
    fn matters(&self, index: usize, part: &Part) -> bool {
        let raw = self.message.slice(part.body);
        match part.kind {
            Kind::Leaf => is_text(self.message, part) && (!raw.is_ascii() || self.is_encoded(index)),
            _ => hides_something(raw),
        }
    }

    /// Tells whether a field of a part says that its body is encoded.
    fn is_encoded(&self, index: usize) -> bool {
        let raw = self.message.raw();
        let fields = self.message.fields(&self.message.parts()[index]).iter();
        let mut transfers = fields.filter(|field| field.is(raw, "Content-Transfer-Encoding"));
        transfers.any(|field| !transfer::read(field.value.slice(raw)).is_identity())
    }

    /// Tells why a part that is made of parts was not looked into, where that hides something.
    fn unseen(&self, index: usize, part: &Part) -> Option<Reason> {
        let ty = &part.content_type;
        let composite =
            ty.main == "multipart" || (ty.main == "message" && matches!(&*ty.sub, "rfc822" | "global" | "news"));
        let has_child = self.message.parts().get(index + 1).is_some_and(|next| next.parent == Some(index));
        if !composite || has_child || part.limit.is_some() || self.protected(part).is_some() {
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

/// Tells whether octets that nobody looked into hold something that is 8-bit or encoded.
fn hides_something(raw: &[u8]) -> bool {
    if !raw.is_ascii() || memmem::find(raw, b"=?").is_some() {
        return true;
    }
    let lower = raw.to_ascii_lowercase();
    [&b"content-transfer-encoding:"[..], b"charset="].iter().any(|mark| memmem::find(&lower, mark).is_some())
}
