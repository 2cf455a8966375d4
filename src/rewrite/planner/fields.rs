//! The fields of one message: what is planned for each beside its body, its neighbours and the boundaries around it.

use std::borrow::Cow;

use super::Planner;
use crate::coding::encoded_word::LINE_LIMIT;
use crate::edit::{Overlap, Span};
use crate::message::grammar::parameter::sections;
use crate::message::{CONTENT_TRANSFER_ENCODING, CONTENT_TYPE, Field, Part, WITH_PARAMETERS};
use crate::rewrite::body::{self, BodyPlan};
use crate::rewrite::evidence::beside::Beside;
use crate::rewrite::header::{self, FieldPlan};
use crate::rewrite::{HeaderForm, LONGEST_LINE, Outcome, Place, Reason, Signed};

impl Planner<'_, '_> {
    /// Plans the fields of a part, whose body is planned already, and writes what they become; those that the step is
    /// not about, and a transfer encoding that is written with its body, are passed over.
    pub(super) fn plan_fields(&mut self, index: usize, part: &Part) -> Result<(), Overlap> {
        let beside = self.evidence.beside_header(index);
        // In one edit: before many at one place, each field that goes would cost a look past all of them.
        let mut moved = String::new();
        let plain =
            self.bodies[index].charset.is_none() && header::is_plain(self.message.slice(part.header), self.profile);
        for field in self.message.fields(part) {
            // In most headers nothing but sections of parameters could need a change.
            let has_sections = || memchr::memchr(b'*', self.message.slice(field.value)).is_some();
            if plain && !(field.is_one_of(WITH_PARAMETERS) && has_sections())
                || !self.is_in_scope(field)
                || self.is_written_with_body(index, field)
            {
                continue;
            }
            let mut planned = self.plan_field_of(index, field, beside);
            self.honest.extend((planned.canonical && planned.honest).then_some(field.value));
            let (moves, stays_ascii) = {
                let after = self.value_after(field, &planned);
                let moves = !self.contradictions.is_inside_one(index) && self.must_be_moved(index, field, &after);
                (moves, self.why_field_stays_ascii(part, &after))
            };
            if moves {
                self.encapsulate(index, part, field, beside, &mut moved)?;
                continue;
            }
            if planned.outcomes.is_empty() && self.keeps_eight_bit(field) {
                planned.outcomes.push(Outcome::Left(Reason::Stray));
            }
            if planned.edits.is_empty() && planned.outcomes.is_empty() {
                continue;
            }
            let name = String::from_utf8_lossy(self.message.slice(field.name)).into_owned();
            let place = Place::Field(name);
            // The part around it that contradicts itself is reported, and nothing in it.
            if self.contradictions.is_inside_one(index) {
                continue;
            }
            let differs = self.contradictions.of_field(index, field);
            let stays = differs.or_else(|| self.why_field_is_bound(part, field));
            if let Some(reason) = stays.or_else(|| self.irregular_field(part, field)).or(stays_ascii) {
                self.entries[index].push((place, Outcome::Left(reason)));
                continue;
            }
            self.edits.extend(planned.edits)?;
            self.proved.extend(planned.proved.map(|proved| (field.value, proved)));
            self.entries[index].extend(planned.outcomes.into_iter().map(|outcome| (place.clone(), outcome)));
        }
        if moved.is_empty() { Ok(()) } else { self.edits.push(Span::empty(part.header.end), moved) }
    }

    /// Plans one field of a part, with the charset that its body asks for; or takes the plan that somebody asked for before.
    fn plan_field_of(&self, index: usize, field: &Field, beside: Beside) -> FieldPlan {
        let part = &self.message.parts()[index];
        let charset = self.charset_asked(index, field);
        let known = self.field_plans.borrow_mut().remove(&(field.line, charset));
        known.unwrap_or_else(|| self.plan_field(part, field, charset, beside))
    }

    /// Plans a field before it is its turn, since what becomes of a body depends on it; the plan is kept for that turn.
    pub(super) fn plan_field_ahead(&self, index: usize, field: &Field, beside: Beside) -> FieldPlan {
        let plan = self.plan_field_of(index, field, beside);
        self.field_plans.borrow_mut().insert((field.line, self.charset_asked(index, field)), plan.clone());
        plan
    }

    /// Returns the charset that a body asks a field to name; none for any but Content-Type.
    fn charset_asked(&self, index: usize, field: &Field) -> Option<&'static str> {
        let part = &self.message.parts()[index];
        // Where it stands twice, both say the same, and must afterwards.
        let is_label = field.is_one_of(CONTENT_TYPE);
        let charset = self.bodies[index].charset.filter(|_| is_label);
        // A field without a type is written whole, with its body.
        charset.filter(|_| header::labelled_field(self.message, part).is_some())
    }

    /// Plans one field, if it is short enough and stays so, sets no delimiter free, and the work is not too much.
    /// Whether it may be touched is for the caller to ask.
    fn plan_field(&self, part: &Part, field: &Field, charset: Option<&'static str>, beside: Beside) -> FieldPlan {
        let charset = charset.map(|charset| ("charset", charset));
        let overrides = charset.as_slice();
        let too_long = |value: &[u8]| self.profile.limits.reached_by_field(value, 0).map(Reason::Limit);
        let value = self.message.slice(field.value);
        // A body that is changed takes its label with it, however much work is done by then.
        let beyond = || self.charge_work(part, value.len()).filter(|_| overrides.is_empty());
        if let Some(reason) = too_long(value).or_else(beyond) {
            let concerned = header::may_need_change(self.message, self.profile, field);
            return if concerned { FieldPlan::left(reason) } else { FieldPlan::default() };
        }
        let planned = header::plan_field_beside(self.message, self.profile, field, overrides, beside);
        if planned.edits.is_empty() {
            return planned;
        }
        let after = self.value_after(field, &planned);
        let refused = too_long(&after).or(self.exposes_boundary(part, field, &after).then_some(Reason::Control));
        drop(after);
        refused.map_or(planned, FieldPlan::left)
    }

    /// Returns the value of a field as it is after its plan.
    fn value_after<'v>(&'v self, field: &Field, planned: &'v FieldPlan) -> Cow<'v, [u8]> {
        match &planned.proved {
            Some(proved) => Cow::Borrowed(proved.octets()),
            None if planned.edits.is_empty() => Cow::Borrowed(self.message.slice(field.value)),
            None => Cow::Owned(planned.edits.apply_within(self.message.raw(), field.value)),
        }
    }

    /// Returns `true` if a field would hold a delimiter of a multipart around it that it did not: who takes a
    /// message/news for a file reads its header as lines of a body, and some see a boundary in the middle of a line.
    fn exposes_boundary(&self, part: &Part, field: &Field, after: &[u8]) -> bool {
        let value = self.message.slice(field.value);
        let around = self.message.delimiters_around(part);
        around.iter().any(|delimiter| !body::adds_no_boundary(value, after, delimiter))
    }

    /// Returns `true` if the step may change a field, by its name; only the message's own fields are asked about where
    /// it is about these alone.
    fn is_in_scope(&self, field: &Field) -> bool {
        self.scope.takes(self.message.slice(field.name))
    }

    /// Returns `true` if a body's change writes a field anew, whole.
    fn is_written_with_body(&self, index: usize, field: &Field) -> bool {
        self.bodies[index].transfer.is_some() && field.is_one_of(CONTENT_TRANSFER_ENCODING)
    }

    /// Returns `true` if a field that nothing is planned for has 8-bit octets, and should have none.
    fn keeps_eight_bit(&self, field: &Field) -> bool {
        let raw_is_fine = matches!(self.profile.headers, HeaderForm::Keep | HeaderForm::Utf8);
        !raw_is_fine && !self.message.slice(field.line).is_ascii()
    }

    /// Returns why a signature, encryption or DKIM keeps a field, if one does. The gate and contradictions are asked
    /// apart.
    pub(in crate::rewrite) fn why_field_is_bound(&self, part: &Part, field: &Field) -> Option<Reason> {
        let inside = part.parent.is_some() && self.cover.bodies;
        let covered = inside || (part.parent.is_none() && self.cover.field(self.message.slice(field.name)));
        // A part's own protection is on its body; its header is protected by what is around it.
        let around = part.parent.and_then(|parent| self.message.parts()[parent].protection_of_children());
        match around {
            Some(protection) if self.profile.signed == Signed::Keep => Some(Reason::Protected(protection)),
            _ => covered.then_some(Reason::Dkim),
        }
    }

    /// Returns why a field that labels a body can't name the charset that the body asks for: it can't be written within
    /// the limits, or some reader would find in it what it did not find before. None if it can, or nothing is asked of
    /// a field.
    pub(super) fn label_refused(&self, index: usize, part: &Part, plan: &BodyPlan) -> Option<Reason> {
        let charset = plan.charset?;
        header::labelled_field(self.message, part)?;
        let mut fields = self.message.fields(part).iter().filter(|field| field.is_one_of(CONTENT_TYPE));
        fields.find_map(|field| self.charset_refused(index, part, field, charset))
    }

    /// Plans a field with the charset, to see if that can be written. A plan that can is kept for the field's own turn,
    /// which so need not plan it again.
    fn charset_refused(&self, index: usize, part: &Part, field: &Field, charset: &'static str) -> Option<Reason> {
        let value = self.message.slice(field.value);
        // A fold is a change that some readers see.
        let label = " charset=;".len() + charset.len();
        let is_long = |line: &[u8]| line.len() + label > LINE_LIMIT;
        let mut lines = self.message.slice(field.line).split(|octet| *octet == b'\n');
        let is_beyond = self.profile.limits.reached_by_field(value, label).is_some();
        // A type as most are takes any label, and is not planned to find that out.
        if header::is_usual_type(value) && value.len() <= LONGEST_LINE && !is_beyond && !lines.any(is_long) {
            return None;
        }
        let planned = self.plan_field(part, field, Some(charset), self.evidence.beside_header(index));
        let after = self.value_after(field, &planned);
        let label = sections(&after).value(&after, "charset");
        let is_written = label.is_some_and(|label| label.eq_ignore_ascii_case(charset.as_bytes()));
        let stays_ascii = self.why_field_stays_ascii(part, &after);
        drop(after);
        if stays_ascii.is_some() {
            return stays_ascii;
        }
        if is_written {
            self.field_plans.borrow_mut().insert((field.line, Some(charset)), planned);
            return None;
        }
        let left = planned.outcomes.into_iter().find_map(|outcome| match outcome {
            Outcome::Left(reason) => Some(reason),
            _ => None,
        });
        Some(left.unwrap_or(Reason::Internal("a label that is not written")))
    }
}
