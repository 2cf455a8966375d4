//! What could be written in the fields of a part.

use super::work::Work;
use super::{BodyWish, FieldWish, Struck};
use crate::message::{CONTENT_TYPE, Field, Part};
use crate::rewrite::header::{self, FieldPlan, HeaderPlanner};
use crate::rewrite::survey::Survey;
use crate::rewrite::{HeaderForm, Outcome, Reason};

/// Wishes for what the profile wants of the fields of a part, whose `body` asks the header to name its charset. A field
/// whose octets are too many stays; those of which nothing is wished for, or that the step is not about, are left out.
pub fn of_header<'m>(survey: &Survey<'m, '_>, index: usize, body: &BodyWish, work: &mut Work) -> Vec<FieldWish<'m>> {
    let charset = body.charset();
    let part = &survey.message.parts()[index];
    // In most headers nothing but sections of parameters could need a change.
    let is_plain = charset.is_none() && header::is_plain(survey.message.slice(part.header), survey.profile);
    // Most headers have nothing for which neighbours would be asked.
    let mut header: Option<WishedHeader> = None;
    let mut found = Vec::new();
    for field in survey.message.fields(part) {
        if is_plain && !header::may_have_sections(survey.message, field)
            || !survey.scope.takes(survey.message.slice(field.name))
        {
            continue;
        }
        let beyond = work.charge(part, field.value.len());
        let charset = charset.filter(|_| takes_label(part, field));
        let wish = header.get_or_insert_with(|| WishedHeader::of(survey, index)).wish(field, charset, beyond);
        found.extend(wish.is_any().then_some(wish));
    }
    found
}

/// The header of a part whose fields are wished for.
pub(in crate::rewrite) struct WishedHeader<'s, 'm, 'a> {
    pub survey: &'s Survey<'m, 'a>,
    /// The index of the part, and the part.
    pub index: usize,
    pub part: &'m Part,
    /// What plans its fields.
    pub planner: HeaderPlanner<'m>,
    /// Whether fields may be taken out of it and put in at its end, once that was asked.
    pub takes_moves: Option<bool>,
}

impl<'s, 'm, 'a> WishedHeader<'s, 'm, 'a> {
    /// Begins with the header of a part.
    pub fn of(survey: &'s Survey<'m, 'a>, index: usize) -> WishedHeader<'s, 'm, 'a> {
        let Survey { message, profile, .. } = *survey;
        let planner = HeaderPlanner { message, profile, beside: survey.beside_header(index) };
        WishedHeader { survey, index, part: &message.parts()[index], planner, takes_moves: None }
    }

    /// Wishes for one field; `beyond` says why it is too much work, if it is. Only a Content-Type may have a `charset`
    /// (`takes_label`). It is wished for once more, without one, where its body keeps its own (`agree/label.rs`).
    pub fn wish(&mut self, field: &'m Field, charset: Option<&'static str>, beyond: Option<Reason>) -> FieldWish<'m> {
        let mut plan = self.plan_field(field, charset, beyond);
        let is_moved = self.must_be_moved(field, value_after(self.survey, field, &plan));
        let moved = is_moved.then(|| Box::new(self.downgraded_field(field)));
        if moved.is_none() && plan.outcomes.is_empty() && keeps_eight_bit(self.survey, field) {
            plan.outcomes = vec![Outcome::Left(Reason::Stray)];
        }
        plan.edits.shrink_to_fit();
        FieldWish { field, charset, plan, moved, struck: Struck::default() }
    }

    /// Plans one field, with the charset that it must name, if any. The plan leaves the field where that is beyond a
    /// limit, or would be, where the new value would hold a delimiter, and where the work is too much. Whether a
    /// signature, the gate or a contradiction keeps the field is for rules to ask.
    fn plan_field(&self, field: &Field, charset: Option<&'static str>, beyond: Option<Reason>) -> FieldPlan {
        let (survey, message) = (self.survey, self.survey.message);
        // A body that is changed takes its label with it, however much work is done by then.
        let beyond = beyond.filter(|_| charset.is_none());
        if let Some(reason) = why_too_long(survey, message.slice(field.value)).or(beyond) {
            // A field in which nothing could change needs no word about its limit.
            let is_concerned = self.planner.may_need_change(field);
            return if is_concerned { FieldPlan::left(reason) } else { FieldPlan::default() };
        }
        let planned = self.planner.plan(field, charset);
        if planned.edits.is_empty() {
            return planned;
        }
        let after = value_after(survey, field, &planned);
        // Readers that take a message/news for a file read its header as lines of a body, and some see a boundary in
        // the middle of a line.
        let exposes_none = message.adds_no_delimiter(self.part, message.slice(field.value), after);
        let refused = why_too_long(survey, after).or((!exposes_none).then_some(Reason::Control));
        refused.map_or(planned, FieldPlan::left)
    }
}

/// Returns `true` if a field is one that names the charset of its part's body; not where the part has no type, and the
/// writer writes it whole (`write/mime.rs`). Where it stands twice, both say the same, and must afterwards.
fn takes_label(part: &Part, field: &Field) -> bool {
    field.is_one_of(CONTENT_TYPE) && !part.content_type.media.is_empty()
}

/// Returns why a value is too long for a field, if it is.
fn why_too_long(survey: &Survey, value: &[u8]) -> Option<Reason> {
    survey.profile.limits.reached_by_field(value, 0).map(Reason::Limit)
}

/// Returns the value of a field as it is after the plan of its wish, whether or not that is struck. A plan of
/// [`HeaderPlanner::plan`] that has edits has that value, too (`proved`).
pub(in crate::rewrite) fn value_after<'v>(survey: &'v Survey, field: &Field, planned: &'v FieldPlan) -> &'v [u8] {
    planned.proved.as_deref().unwrap_or_else(|| survey.message.slice(field.value))
}

/// Returns `true` if a field has 8-bit octets as it came, and the profile wants none in headers. It must be one for
/// which nothing is planned: others report their octets themselves.
fn keeps_eight_bit(survey: &Survey, field: &Field) -> bool {
    let raw_is_fine = matches!(survey.profile.headers, HeaderForm::Keep | HeaderForm::Utf8);
    !raw_is_fine && !survey.message.slice(field.line).is_ascii()
}
