//! Takes back what was planned for bodies whose label is the only hint to raw text in a header that stays ([`Evidence`]).
//!
//! [`Evidence`]: crate::rewrite::evidence::Evidence

use super::Planner;
use crate::coding::charset::Charset;
use crate::message::Field;
use crate::message::irregular::Form;
use crate::rewrite::Reason;
use crate::rewrite::body::BodyPlan;
use crate::rewrite::evidence::beside::Beside;
use crate::rewrite::header::{FieldKind, is_encapsulable};

impl Planner<'_, '_> {
    /// Returns the charset in which a header is read once the bodies have their new labels.
    fn hint_afterwards(&self, index: usize) -> Option<Charset> {
        self.evidence
            .parts(index)
            .find_map(|at| match self.bodies[at].charset {
                Some(label) => self.evidence.hinted(label.as_bytes()),
                None => self.evidence.declared(at),
            })
            .map(|(charset, _)| charset)
    }

    /// Leaves the bodies whose label would change and is the only hint to what stays raw in a header, or keeps another
    /// label from being one.
    pub(super) fn keep_hints(&mut self) {
        for index in 0..self.evidence.headers() {
            let Some((hinting, ..)) = self.evidence.hinting(index) else { continue };
            // A part before it that gets a label of its own would be the hint from then on.
            let asked = self.evidence.parts(index).take_while(|at| *at != hinting).chain([hinting]);
            let changing: Vec<usize> = asked.filter(|at| self.bodies[*at].charset.is_some()).collect();
            if changing.is_empty() || !self.keeps_raw(index) {
                continue;
            }
            for body in changing {
                self.bodies[body] = BodyPlan::left(Reason::Irregular(Form::LabelHint));
            }
        }
    }

    /// Tells whether raw text stays in a part's header that the charset reads which is its hint, or will be.
    fn keeps_raw(&self, index: usize) -> bool {
        let part = &self.message.parts()[index];
        let (beside, afterwards) = (self.evidence.beside_header(index), self.hint_afterwards(index));
        self.message.fields(part).iter().any(|field| {
            let value = self.message.slice(field.value);
            let is_read =
                || [beside.charset(), afterwards].into_iter().flatten().any(|charset| charset.decode(value).is_ok());
            let needs_hint = str::from_utf8(value).is_err() && is_read();
            needs_hint && self.is_read(field) && self.stays_raw(index, field, beside)
        })
    }

    /// Tells whether anybody reads a field as text: mail programs show it, or the profile moves it to where they do.
    fn is_read(&self, field: &Field) -> bool {
        let name = self.message.slice(field.name);
        let kind = FieldKind::of(name);
        let is_shown =
            !matches!(kind, FieldKind::Opaque | FieldKind::TypedAddress | FieldKind::Comments | FieldKind::Links);
        is_shown || (self.profile.downgrades() && is_encapsulable(name))
    }

    fn stays_raw(&self, index: usize, field: &Field, beside: Beside) -> bool {
        let part = &self.message.parts()[index];
        let planned = self.plan_field_ahead(index, field, beside);
        let after = planned.edits.apply_within(self.message.raw(), field.value);
        let moves = || self.must_be_moved(index, field, &after) && self.moved(part, field, beside).is_ok();
        self.bound(part, field).is_some() || str::from_utf8(&after).is_err() && !moves()
    }
}
