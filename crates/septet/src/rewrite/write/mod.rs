//! WRITE: the edits that carry decisions out, and what is reported of them; nothing is decided here. What follows from
//! the edits (labels of parts around, MIME-Version, fields that count octets) is derived.

mod composite;
mod deception;
mod mime;
mod sizes;

use std::collections::BTreeMap;

use super::body_plan::BodyPlan;
use super::fixes::Fixes;
use super::header::MovedField;
use super::octet_sum::OctetSum;
use super::ordinals::Ordinals;
use super::proof::Claim;
use super::step::{Step, StepScope};
use super::survey::Survey;
use super::wish::{FieldDecision, FieldWish};
use super::{Change, Entry, Outcome, Place, Plan, Reason, Report, Transfer};
use crate::edit::{EditList, Span};
use crate::message::{CONTENT_TRANSFER_ENCODING, Field, Kind, Part};

/// Writes the edits of one reading of a message.
pub(super) struct Writer<'s, 'm, 'a> {
    pub survey: &'s Survey<'m, 'a>,
    /// What is decided of the body of each part, and what follows for the parts around it.
    pub bodies: Vec<BodyPlan>,
    /// The edits so far, of all that was written.
    pub edits: EditList,
    /// Whether two edits were of the same octets, which is a fault of ours: then nothing must be carried out.
    pub overlaps: bool,
    /// What is reported of each part.
    pub entries: Vec<Vec<Entry>>,
    /// The new values that were proved where they were planned, of fields that change or move, by the old ones
    /// ([`Claim::proved`]).
    proved: BTreeMap<Span, Box<[u8]>>,
    /// The numbers of fields in the report.
    ordinals: Ordinals,
    /// The values, in their order, of which a second encoding is undone.
    undoubled: Vec<Span>,
    /// The values, in their order, in which planning saw nothing that deceives
    /// ([`FieldPlan`](super::header::FieldPlan)).
    honest: Vec<Span>,
}

impl<'s, 'm, 'a> Writer<'s, 'm, 'a> {
    /// Begins to write what is decided of bodies: a plan for that of each part, in their order.
    pub fn new(survey: &'s Survey<'m, 'a>, bodies: Vec<BodyPlan>) -> Writer<'s, 'm, 'a> {
        let entries = survey.message.parts().iter().map(|_| Vec::new()).collect();
        Writer {
            survey,
            bodies,
            edits: EditList::new(),
            overlaps: false,
            entries,
            proved: BTreeMap::new(),
            ordinals: Ordinals::default(),
            undoubled: Vec::new(),
            honest: Vec::new(),
        }
    }

    /// Makes an edit. One that overlaps another is not made, and noted as a fault (`overlaps`).
    pub fn edit(&mut self, at: Span, with: impl Into<Vec<u8>>) {
        self.overlaps |= self.edits.push(at, with).is_err();
    }

    /// Writes all that is decided: what is left of the wishes for the fields of each part, in their order, is decided
    /// where it is written, so that not all of them are there twice. The parts around are widened with what is in them,
    /// and narrowed last, when all other edits are known.
    pub fn write(&mut self, fields: Vec<Vec<FieldWish>>) {
        let parts = self.survey.message.parts();
        self.widen_parents_of_bodies();
        for (index, fields) in fields.into_iter().enumerate() {
            self.write_fields(index, &parts[index], fields);
        }
        self.widen_parents_of_fields();
        for (index, part) in parts.iter().enumerate() {
            self.write_body(index, part, self.needs_mime_version(index));
            self.note_deceptions(index, part);
        }
        // A field that is removed may have held the last 8-bit octets of a part, so sizes go before parents are
        // narrowed; narrowing changes octets in the parts around, so that more sizes are untrue.
        self.remove_stale_sizes();
        if self.survey.scope != StepScope::TopHeader {
            self.narrow_parents();
            self.remove_stale_sizes();
        }
    }

    /// Writes what is decided of the fields of a part. A Content-Transfer-Encoding that
    /// [`write_body`](Self::write_body) writes is passed over.
    fn write_fields(&mut self, index: usize, part: &Part, fields: Vec<FieldWish>) {
        // In one edit: before many at one place, each field that goes would cost a look past all of them.
        let mut moved = String::new();
        for wish in fields {
            let field = wish.field;
            // That holds for the value as it came, whether or not its plan is carried out.
            self.honest.extend(wish.plan.honest.then_some(field.value));
            if self.bodies[index].transfer.is_some() && field.is_one_of(CONTENT_TRANSFER_ENCODING) {
                continue;
            }
            match wish.decided() {
                FieldDecision::Moved(to) => self.move_field(index, field, to, &mut moved),
                FieldDecision::Written(plan) => {
                    let is_undone = plan.outcomes.iter().any(|outcome| outcome.changes().contains(&Change::UNDOUBLED));
                    self.undoubled.extend(is_undone.then_some(field.value));
                    self.overlaps |= self.edits.extend(plan.edits).is_err();
                    self.proved.extend(plan.proved.map(|proved| (field.value, proved)));
                    for outcome in plan.outcomes {
                        self.report_field(index, field, outcome);
                    }
                }
            }
        }
        if !moved.is_empty() {
            self.edit(Span::empty(part.header.end), moved);
        }
    }

    /// Takes a field out and appends its new one to `moved`, the fields that were moved so far, which the caller writes
    /// at the end of the header in one edit. Who asks about changes one by one must know from its two entries alone
    /// that the field moved: a `Removed` of `F` beside an `Added` of `Downgraded-F` (`archive/decisions/obey.rs`).
    fn move_field(&mut self, index: usize, field: &Field, to: MovedField, moved: &mut String) {
        let old = String::from_utf8_lossy(self.survey.message.slice(field.name)).into_owned();
        self.edit(field.line, "");
        self.proved.insert(field.value, to.proved);
        moved.push_str(&to.line);
        self.report_field(index, field, Outcome::Done(vec![Change::Removed { field: old.into() }]));
        self.report_change(index, &to.name, Change::Added { field: to.name.clone().into() });
    }

    /// Reports what became of a place that needs no number: one that a part has but once, a field that was added, or
    /// one with a defect, since nobody can choose what fixes it.
    pub fn report(&mut self, index: usize, place: Place, outcome: Outcome) {
        self.entries[index].push(Entry { part: self.survey.message.number(index), place, ordinal: 1, outcome });
    }

    /// Reports a change of a field without its number: it is added, or the report needs no more than its name.
    fn report_change(&mut self, index: usize, name: &str, change: Change) {
        self.report(index, Place::Field(name.to_owned()), Outcome::Done(vec![change]));
    }

    /// Reports what became of a field of a part, with its name as it stands and its number among those of this name.
    pub fn report_field(&mut self, index: usize, field: &Field, outcome: Outcome) {
        let (part, place) = (self.survey.message.number(index), self.survey.place(field));
        let ordinal = self.ordinals.of(self.survey.message, &self.survey.message.parts()[index], field);
        self.entries[index].push(Entry { part, place, ordinal, outcome });
    }

    /// Writes a body's edit, and those of the fields that must be true to it, and reports both; `version` says that the
    /// header must have a MIME-Version. The body and its outcomes are taken out of the plan, so that a second call
    /// writes only what was planned since. What the plan asks of the header must not have been written before.
    pub fn write_body(&mut self, index: usize, part: &Part, version: bool) {
        self.write_mime_fields(index, part, version);
        if let Some(body) = self.bodies[index].body.take() {
            self.bodies[index].written = Some(OctetSum::of(&body));
            self.edit(part.body, body);
        }
        self.report_body(index);
    }

    /// Reports what is planned of a body and is not reported yet.
    fn report_body(&mut self, index: usize) {
        for outcome in std::mem::take(&mut self.bodies[index].outcomes) {
            self.report(index, Place::Body, outcome);
        }
    }

    /// Returns `true` if a part is a message and MIME fields change in its header or in that of a part inside it, so
    /// that it must have a MIME-Version (RFC 2045 §4). It is asked before parents are narrowed, and not for that.
    pub fn needs_mime_version(&self, index: usize) -> bool {
        let parts = self.survey.message.parts();
        let is_message = parts[index].parent.is_none_or(|parent| parts[parent].kind == Kind::Message);
        let mut inside = self.survey.message.inside(index);
        is_message && (self.bodies[index].changes_header() || inside.any(|(at, _)| self.bodies[at].changes_header()))
    }

    /// Makes a plan of all edits and entries so far, and proves it if it has edits. With an error the plan must not be
    /// carried out. Where edits overlap, the plan leaves the message, and there is no error. A plan of a body that
    /// changes anything must have gone through [`write_body`](Self::write_body), for the proof asks what was written.
    pub fn finish_and_prove(mut self, fixes: Fixes) -> (Plan, Option<&'static str>) {
        if self.overlaps {
            return (Plan::left(Reason::Internal("two changes of the same octets")), None);
        }
        // A plan without edits has nothing to be proved, now or later.
        let (steps, proof) = if self.edits.is_empty() { (Vec::new(), Ok(())) } else { self.prove(fixes) };
        self.report_stray_eight_bit();
        let report = Report { entries: self.entries.into_iter().flatten().collect() };
        (Plan { edits: self.edits, report, steps, ..Plan::default() }, proof.err())
    }

    /// Makes one step of all edits so far, and proves it. What is planned for the bodies goes into the step.
    fn prove(&mut self, fixes: Fixes) -> (Vec<Step>, Result<(), &'static str>) {
        let survey = self.survey;
        let step = Step::of(survey.scope, survey.message, std::mem::take(&mut self.bodies), fixes);
        let claim = Claim {
            message: survey.message,
            profile: survey.profile,
            edits: &self.edits,
            step: &step,
            beside: &|index| survey.beside_header(index),
            gate: &survey.gate,
            proved: &self.proved,
        };
        let proof = claim.prove();
        (vec![step], proof)
    }

    /// Reports 8-bit octets that stay in the message where 7bit is wanted and nothing is reported as left: nobody
    /// planned them, since they stand in no field and no body. Where something was left, the octets may be of that, and
    /// are not reported twice.
    fn report_stray_eight_bit(&mut self) {
        let said = self.entries.iter().flatten().any(|entry| entry.outcome.is_left());
        let whole = Span::new(0, self.survey.message.raw().len());
        if self.survey.profile.transfer == Transfer::SevenBit && !said && !self.is_seven_bit(whole) {
            self.report(0, Place::Message, Outcome::Left(Reason::Stray));
        }
    }
}
