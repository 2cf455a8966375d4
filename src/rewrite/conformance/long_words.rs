//! Fixes a line that is too long for its encoded-words: a word may always be written as several (RFC 2047 §2), and between
//! them a line may end.

use std::borrow::Cow;

use super::fields::fold_places;
use super::fixer::Fixer;
use crate::coding::encoded_word::words;
use crate::edit::Overlap;
use crate::message::{Defect, Field, Part};
use crate::rewrite::header::{self, FieldPlan};
use crate::rewrite::{Change, HeaderForm, OnLoss, Outcome, Profile, Reason, Repair};

/// Why a field with text stays that has no white space.
const NO_PLACE: &str = "no place to fold it";

/// Returns why the words of a field stay, by the plan that would write them anew.
fn why_words_stay(plan: &FieldPlan) -> &'static str {
    let reason = plan.outcomes.iter().find_map(|outcome| match outcome {
        Outcome::Left(reason) => Some(reason),
        _ => None,
    });
    match reason {
        None | Some(Reason::LongLine) => NO_PLACE,
        Some(Reason::Irregular(_)) => "programs read its words differently",
        Some(_) => "its words can't be read",
    }
}

/// A value that was written anew, and what was done to its words.
type WrittenWords = (Vec<u8>, Vec<Change>);

impl Fixer<'_, '_, '_> {
    /// Writes the words of a field with a line that is too long as several each, in UTF-8, and folds between them; reports
    /// why where it stays. The field must have no place to fold it as it stands, and may be changed.
    pub(super) fn fix_long_words(&mut self, defect: &Defect, part: &Part, field: &Field) -> Result<(), Overlap> {
        match self.with_short_words(defect, field) {
            Err(why) => self.report_unfixed_at(defect.part, self.survey.place(field), defect.kind, why),
            Ok(_) if self.survey.irregular_field(part, field).is_some() => {
                self.report_unfixed_at(
                    defect.part,
                    self.survey.place(field),
                    defect.kind,
                    "programs read its part differently",
                );
            }
            Ok((value, changes)) => {
                self.writer.edits.push(field.value, value)?;
                let changes = [vec![Change::Fixed { defect: defect.kind }], changes].concat();
                self.writer.report(defect.part, self.survey.place(field), Outcome::Done(changes));
            }
        }
        Ok(())
    }

    /// Returns the value of a field with short words and folds. The error says why it can't have them: it has no words or
    /// text beside them that can't be folded, they can't be read, or raw octets stand beside them, whose charset a fix
    /// leaves as it is.
    fn with_short_words(&self, defect: &Defect, field: &Field) -> Result<WrittenWords, &'static str> {
        let value = self.survey.message.slice(field.value);
        if words(value).next().is_none() {
            return Err(NO_PLACE);
        }
        if !value.is_ascii() {
            return Err("raw octets stand beside its words");
        }
        let profile = Profile {
            headers: HeaderForm::Utf8Words,
            repair: Repair::All,
            on_loss: OnLoss::Keep,
            ..self.survey.profile.clone()
        };
        let beside = self.survey.evidence.beside_header(defect.part);
        let plan = header::plan_field_beside(self.survey.message, &profile, field, &[], beside);
        if plan.edits.is_empty() {
            return Err(why_words_stay(&plan));
        }
        let now = plan.edits.apply_within(self.survey.message.raw(), field.value);
        let changes = plan.outcomes.into_iter().filter_map(|outcome| match outcome {
            Outcome::Done(changes) => Some(changes),
            _ => None,
        });
        Ok((self.folded(field, now).ok_or(NO_PLACE)?, changes.flatten().collect()))
    }

    /// Folds the value that a field is to have, where its lines are still too long; `None` where one has no place for that.
    fn folded(&self, field: &Field, value: Vec<u8>) -> Option<Vec<u8>> {
        let before = self.survey.message.raw().get(field.line.start..field.value.start)?;
        let behind = self.survey.message.raw().get(field.value.end..field.line.end)?;
        let line = [before, &value, behind].concat();
        let places = fold_places(&line)?;
        let end = self.survey.message.line_end_at(field.line.start).as_bytes();
        let starts = std::iter::once(before.len()).chain(places.iter().copied());
        let ends = places.iter().copied().chain([before.len() + value.len()]);
        let pieces: Vec<Cow<[u8]>> =
            starts.zip(ends).filter_map(|(start, end)| Some(line.get(start..end)?.into())).collect();
        Some(pieces.join(end))
    }
}
