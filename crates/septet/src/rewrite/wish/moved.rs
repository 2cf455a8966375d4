//! Moves the fields to `Downgraded-NAME` that must not be in raw 8-bit and can't be anything else (RFC 6857 §3.1.10).
//!
//! The field is taken out and the other one added at the end of the header, where every program and both MTAs expect
//! additions. A Content-ID or Content-Location that a text refers to stays: without it a picture would vanish, and a
//! change of both is nobody's to read back.

use super::field::WishedHeader;
use crate::message::{Field, Part};
use crate::rewrite::Reason;
use crate::rewrite::fixes::Fixes;
use crate::rewrite::header::{self, MovedField};
use crate::rewrite::survey::Survey;
use crate::rewrite::survey::line_ambiguity::has_ambiguous_lines;

impl WishedHeader<'_, '_, '_> {
    /// Returns `true` if a field must be moved, and may be where it stands; `after` is its value by its own plan. The
    /// proof lets none go for which `may_move` (`proof/places.rs`) is not `true`.
    pub fn must_be_moved(&mut self, field: &Field, after: &[u8]) -> bool {
        let survey = self.survey;
        survey.profile.downgrades()
            && !after.is_ascii()
            && header::is_encapsulable(survey.message.slice(field.name))
            && survey.gate.form_that_keeps_field(self.part, field).is_none()
            && !survey.contradictions.is_inside_one(self.index)
            && !survey.message.raw()[..field.line.start].ends_with(BYTE_ORDER_MARK)
            && !survey.references.has_referred_to(self.index, field)
            && self.takes_moves()
    }

    /// Returns `true` if fields may be taken out of the header and put in at its end: it ends with a line end that is
    /// no delimiter's, and every reader ends it there. Else readers that end it before would see another message
    /// without the field at which it ends for them, and what is added at the end is text to them.
    fn takes_moves(&mut self) -> bool {
        let (survey, part) = (self.survey, self.part);
        *self.takes_moves.get_or_insert_with(|| {
            part.header_irregularity.is_none()
                && survey.message.slice(part.header).ends_with(b"\n")
                && !ends_in_delimiter(survey, part)
                && !has_ambiguous_lines(survey.message, part, &Fixes::default(), None)
        })
    }

    /// Returns the field that a field is moved to that must be moved; an error says why it stays: it is signed or
    /// encrypted, is a signature that the profile keeps, or can't be written within the limits.
    pub fn downgraded_field(&self, field: &Field) -> Result<MovedField, Reason> {
        let survey = self.survey;
        let signature = is_kept_signature(survey, field).then_some(Reason::Dkim);
        let bound = survey.why_field_is_bound(self.part, field).or(signature);
        let moved = bound.map_or_else(|| self.planner.encapsulated(field), Err)?;
        let limit = survey.profile.limits.reached_by_field(moved.line.as_bytes(), 0);
        limit.map_or(Ok(moved), |_| Err(Reason::LongLine))
    }
}

/// To some readers it is a part of the name of the field behind it, and would become one of the next field's.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Returns `true` if the line end of a header's last field belongs to the delimiter behind it: nothing can be put in
/// there.
fn ends_in_delimiter(survey: &Survey, part: &Part) -> bool {
    let around = part.parent.and_then(|at| survey.message.parts().get(at));
    around.is_some_and(|around| part.header.end > around.body.end)
}

/// Returns `true` if a field belongs to a signature, and the profile keeps what some signature covers. All of
/// `SIGNATURES` (`survey/dkim.rs`) must be known here.
fn is_kept_signature(survey: &Survey, field: &Field) -> bool {
    let name = survey.message.slice(field.name).to_ascii_lowercase();
    let is_signature =
        matches!(&*name, b"dkim-signature" | b"dkim2-signature" | b"message-instance") || name.starts_with(b"arc-");
    is_signature && survey.cover.bodies
}
