//! Takes back what was planned for bodies whose label is the only hint to raw text in a header that stays ([`Evidence`]).
//!
//! [`Evidence`]: crate::rewrite::survey::evidence::Evidence

use super::Planner;
use crate::message::irregular::Form;
use crate::message::{Field, FieldKind};
use crate::rewrite::Reason;
use crate::rewrite::body::plan_with_charset_kept;
use crate::rewrite::header::is_encapsulable;
use crate::rewrite::survey::evidence::beside::Beside;

impl Planner<'_, '_> {
    /// Leaves the bodies whose label would change and is the only hint to the charset of octets that stay raw in a
    /// header. Octets that are UTF-8 need no hint, and fields that nobody reads as text hold no body back.
    pub(super) fn leave_bodies_that_label_raw_headers(&mut self) {
        let message = self.message;
        for (index, part) in message.parts().iter().enumerate() {
            let is_ascii = message.slice(part.header).is_ascii();
            for field in message.fields(part).iter().filter(|_| !is_ascii) {
                let value = message.slice(field.value);
                if str::from_utf8(value).is_err() && self.is_read(field) {
                    self.keep_charset_hint(index, field, value);
                }
            }
        }
    }

    /// Leaves the body that tells the charset of a field, and the body of the field's own part, as far as these would
    /// get another label and the field stays raw; their transfer encoding may still change.
    fn keep_charset_hint(&mut self, index: usize, field: &Field, value: &[u8]) {
        let Some(hinting) = self.evidence.hinting(index, value) else { return };
        // The field's own part is asked first of all, and would be the hint once it has a label.
        let mut changing = vec![hinting, index];
        changing.retain(|body| self.bodies[*body].charset.is_some());
        if changing.is_empty() || !self.stays_raw(index, field, self.beside_header(index)) {
            return;
        }
        for body in changing {
            let part = &self.message.parts()[body];
            let reason = Reason::Irregular(Form::LabelHint);
            self.bodies[body] = plan_with_charset_kept(self.message, part, self.profile, reason);
        }
    }

    /// Returns `true` if anybody reads a field as text: mail programs show it, or the profile moves it to where they do.
    fn is_read(&self, field: &Field) -> bool {
        let name = self.message.slice(field.name);
        !FieldKind::of(name).shows_no_text() || (self.profile.downgrades() && is_encapsulable(name))
    }

    /// Returns `true` if a field has raw octets after its plan that are no UTF-8, and does not move to
    /// `Downgraded-NAME`. A field that a signature keeps stays raw, whatever its plan.
    fn stays_raw(&self, index: usize, field: &Field, beside: Beside) -> bool {
        let part = &self.message.parts()[index];
        let planned = self.plan_field_ahead(index, field, beside);
        let after = planned.edits.apply_within(self.message.raw(), field.value);
        let moves = || self.must_be_moved(index, field, &after) && self.downgraded_field(part, field, beside).is_ok();
        self.why_field_is_bound(part, field).is_some() || str::from_utf8(&after).is_err() && !moves()
    }
}
