//! Fixes a line that is too long for its encoded-words: a word may always be written as several (RFC 2047 §2), and
//! between them a line may end.

use super::fields::fold_places;
use super::fixer::{Fixed, Fixer};
use crate::coding::encoded_word::words;
use crate::edit::{EditList, Span};
use crate::message::{Defect, Field, Part};
use crate::rewrite::ensure::ensure;
use crate::rewrite::header::{FieldPlan, HeaderPlanner};
use crate::rewrite::{HeaderForm, OnLoss, Outcome, Profile, Reason, Repair};

/// Why a field with text stays that has no white space.
const NO_PLACE: &str = "no place to fold it";

/// Returns why the words of a field stay, by the plan that would write them anew; of one with edits it means nothing.
fn why_words_stay(plan: &FieldPlan) -> &'static str {
    match plan.outcomes.iter().find_map(Outcome::reason) {
        None | Some(Reason::LongLine) => NO_PLACE,
        Some(Reason::Irregular(_)) => "programs read its words differently",
        Some(_) => "its words can't be read",
    }
}

impl Fixer<'_, '_, '_> {
    /// Writes the words of a field with a line that is too long as several each, in UTF-8, and folds between them;
    /// returns what was done to them. The error says why it can't have them: it has no words or text beside them that
    /// can't be folded, they can't be read, or raw octets stand beside them, whose charset a fix leaves as it is. The
    /// field must have no place to fold it as it stands, and may be changed. All is asked before the edit is made,
    /// since with an error none may be there.
    pub(super) fn fix_long_words(&mut self, defect: &Defect, part: &Part, field: &Field) -> Fixed {
        let survey = self.survey;
        let value = survey.message.slice(field.value);
        ensure(words(value).next().is_some(), NO_PLACE)?;
        ensure(value.is_ascii(), "raw octets stand beside its words")?;
        let profile = Profile {
            headers: HeaderForm::Utf8Words,
            repair: Repair::All,
            on_loss: OnLoss::Keep,
            ..survey.profile.clone()
        };
        let beside = survey.evidence.beside_header(defect.part);
        let plan = HeaderPlanner { message: survey.message, profile: &profile, beside }.plan(field, None);
        ensure(!plan.edits.is_empty(), why_words_stay(&plan))?;
        let folded = self.folded(field, plan.edits.apply_within(survey.message.raw(), field.value)).ok_or(NO_PLACE)?;
        ensure(survey.gate.form_that_keeps_field(part, field).is_none(), "programs read its part differently")?;
        self.writer.edit(field.value, folded);
        Ok(plan.outcomes.iter().flat_map(Outcome::changes).cloned().collect())
    }

    /// Folds the value that a field is to have, where its lines are still too long; `None` where one has no place for
    /// that. What stands before and behind the value on its lines counts, too.
    fn folded(&self, field: &Field, value: Vec<u8>) -> Option<Vec<u8>> {
        let before = self.survey.message.raw().get(field.line.start..field.value.start)?;
        let behind = self.survey.message.raw().get(field.value.end..field.line.end)?;
        let line = [before, &value, behind].concat();
        let end = self.survey.message.line_end_at(field.line.start).as_str();
        let mut folds = EditList::new();
        // They come in order.
        fold_places(&line)?.into_iter().for_each(|at| _ = folds.push(Span::empty(at), end));
        Some(folds.apply_within(&line, Span::new(before.len(), before.len() + value.len())))
    }
}
