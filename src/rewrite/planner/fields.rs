//! The fields of one message: what is planned for each beside its body, its neighbours and the boundaries around it.

use std::borrow::Cow;

use super::Planner;
use crate::coding::encoded_word::LINE_LIMIT;
use crate::edit::{Overlap, Span};
use crate::message::grammar::parameter::sections;
use crate::message::{CONTENT_TRANSFER_ENCODING, CONTENT_TYPE, Field, Part, WITH_PARAMETERS, adds_no_boundary};
use crate::rewrite::body_plan::BodyPlan;
use crate::rewrite::header::{self, FieldPlan};
use crate::rewrite::survey::evidence::beside::Beside;
use crate::rewrite::{Change, HeaderForm, LONGEST_LINE, Outcome, Place, Reason, Signed};

/// What is reported of a text whose second encoding is undone.
const UNDOUBLED: Change = Change::Repaired { what: "double-encoded" };

impl Planner<'_, '_> {
    /// Plans the fields of a part, whose body is planned already, and writes what they become. Passed over are fields
    /// that the step is not about, and a Content-Transfer-Encoding that [`write_body`](Self::write_body) writes. Parts
    /// must come in their order: `honest` is searched by place.
    pub(super) fn plan_fields(&mut self, index: usize, part: &Part) -> Result<(), Overlap> {
        let beside = self.beside_header(index);
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
            let mut planned = self.take_or_plan_field(index, field, beside);
            // That holds for the value as it came, whether or not its plan is carried out.
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
            let is_undoubled =
                |outcome: &Outcome| matches!(outcome, Outcome::Done(changes) if changes.contains(&UNDOUBLED));
            self.undoubled.extend(planned.outcomes.iter().any(is_undoubled).then_some(field.value));
            self.edits.extend(planned.edits)?;
            self.proved.extend(planned.proved.map(|proved| (field.value, proved)));
            self.entries[index].extend(planned.outcomes.into_iter().map(|outcome| (place.clone(), outcome)));
        }
        if moved.is_empty() { Ok(()) } else { self.edits.push(Span::empty(part.header.end), moved) }
    }

    /// Takes the plan that was made of a field ahead of its turn, or else plans the field, with the charset that its
    /// body asks for now.
    fn take_or_plan_field(&self, index: usize, field: &Field, beside: Beside) -> FieldPlan {
        let part = &self.message.parts()[index];
        let charset = self.charset_asked(index, field);
        let known = self.field_plans.borrow_mut().remove(&(field.line, charset));
        known.unwrap_or_else(|| self.plan_field(part, field, charset, beside))
    }

    /// Plans a field before it is its turn, since what becomes of a body depends on it; the plan is kept for that turn,
    /// and is made anew if the body asks for another charset by then.
    pub(super) fn plan_field_ahead(&self, index: usize, field: &Field, beside: Beside) -> FieldPlan {
        let plan = self.take_or_plan_field(index, field, beside);
        self.field_plans.borrow_mut().insert((field.line, self.charset_asked(index, field)), plan.clone());
        plan
    }

    /// Returns the charset that a body asks a field to name; none for any field but Content-Type, and for one that
    /// [`MimeFields`](header::MimeFields) writes whole.
    fn charset_asked(&self, index: usize, field: &Field) -> Option<&'static str> {
        let part = &self.message.parts()[index];
        // Where it stands twice, both say the same, and must afterwards.
        let is_label = field.is_one_of(CONTENT_TYPE);
        let charset = self.bodies[index].charset.filter(|_| is_label);
        // A field without a type is written whole, with its body.
        charset.filter(|_| header::labelled_field(self.message, part).is_some())
    }

    /// Plans one field, with the charset that it must name, if any. The plan leaves the field where that is beyond a
    /// limit, or would be, where the new value would hold a delimiter, and where the work is too much. Whether a
    /// signature, the gate or a contradiction keeps the field is for the caller to ask.
    fn plan_field(&self, part: &Part, field: &Field, charset: Option<&'static str>, beside: Beside) -> FieldPlan {
        let charset = charset.map(|charset| ("charset", charset));
        let overrides = charset.as_slice();
        let too_long = |value: &[u8]| self.profile.limits.reached_by_field(value, 0).map(Reason::Limit);
        let value = self.message.slice(field.value);
        // A body that is changed takes its label with it, however much work is done by then.
        let beyond = || self.charge_work(part, value.len()).filter(|_| overrides.is_empty());
        if let Some(reason) = too_long(value).or_else(beyond) {
            // A field in which nothing could change needs no word about its limit.
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

    /// Returns `true` if the new value of a field holds a delimiter of a multipart around it that the old one did not.
    /// Readers that take a message/news for a file read its header as lines of a body, and some see a boundary in the
    /// middle of a line.
    fn exposes_boundary(&self, part: &Part, field: &Field, after: &[u8]) -> bool {
        let value = self.message.slice(field.value);
        let around = self.message.delimiters_around(part);
        around.iter().any(|delimiter| !adds_no_boundary(value, after, delimiter))
    }

    /// Returns `true` if the step may change a field, by its name; only the message's own fields are asked about where
    /// it is about these alone.
    fn is_in_scope(&self, field: &Field) -> bool {
        self.scope.takes(self.message.slice(field.name))
    }

    /// Returns `true` if a field is the Content-Transfer-Encoding and is written anew with its body.
    fn is_written_with_body(&self, index: usize, field: &Field) -> bool {
        self.bodies[index].transfer.is_some() && field.is_one_of(CONTENT_TRANSFER_ENCODING)
    }

    /// Returns `true` if a field has 8-bit octets as it came, and the profile wants none in headers. It must be one for
    /// which nothing is planned: others report their octets themselves.
    fn keeps_eight_bit(&self, field: &Field) -> bool {
        let raw_is_fine = matches!(self.profile.headers, HeaderForm::Keep | HeaderForm::Utf8);
        !raw_is_fine && !self.message.slice(field.line).is_ascii()
    }

    /// Returns why a signature, encryption or DKIM keeps a field, if one does. DKIM covers the fields of the message
    /// that `h=` names, and with the body all fields of parts inside. The gate and contradictions are asked apart.
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

    /// Returns why a Content-Type of a part can't name the charset that its body's plan asks for: within the limits it
    /// can't be written, or some reader would find in it what it did not find before. None if it can, if the plan asks
    /// for no charset, and if [`MimeFields`](header::MimeFields) writes the field whole.
    pub(super) fn why_label_cannot_change(&self, index: usize, part: &Part, plan: &BodyPlan) -> Option<Reason> {
        let charset = plan.charset?;
        header::labelled_field(self.message, part)?;
        let mut fields = self.message.fields(part).iter().filter(|field| field.is_one_of(CONTENT_TYPE));
        fields.find_map(|field| self.try_to_label(index, part, field, charset))
    }

    /// Plans a Content-Type with the charset, and returns why that can't be written, if it can't. A plan that can is
    /// kept for the field's own turn ([`take_or_plan_field`](Self::take_or_plan_field)).
    fn try_to_label(&self, index: usize, part: &Part, field: &Field, charset: &'static str) -> Option<Reason> {
        let value = self.message.slice(field.value);
        // A line that grows beyond this is folded, and a fold is a change that some readers see: it has to be planned.
        let label = " charset=;".len() + charset.len();
        let is_long = |line: &[u8]| line.len() + label > LINE_LIMIT;
        let mut lines = self.message.slice(field.line).split(|octet| *octet == b'\n');
        let is_beyond = self.profile.limits.reached_by_field(value, label).is_some();
        // All readers take a Content-Type as most are alike, whatever charset is set in it: it need not be planned to
        // find that out.
        if header::is_usual_type(value) && value.len() <= LONGEST_LINE && !is_beyond && !lines.any(is_long) {
            return None;
        }
        let planned = self.plan_field(part, field, Some(charset), self.beside_header(index));
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
