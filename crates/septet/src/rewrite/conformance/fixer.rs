//! The steps that come after that of line ends: fields as they stand ([`fields`](super::fields)), bodies that no SMTP
//! server need take, and then the fields that are missing.
//!
//! What is decided is written as a conversion is: bodies get plans, what these ask of headers follows from them, and
//! the proof of every other change is the proof of these. [`Fixes`] says what else may come, go or shrink.

use super::{Arrival, reverted, wanted_defects};
use crate::edit::Span;
use crate::message::{Defect, DefectKind, Field, Kind, Part};
use crate::rewrite::body_plan::BodyPlan;
use crate::rewrite::ensure::ensure;
use crate::rewrite::fixes::{Fixes, ORIGINAL_DATE, original_date};
use crate::rewrite::second_reader::OTHER_PARTS;
use crate::rewrite::survey::Survey;
use crate::rewrite::survey::body::Body;
use crate::rewrite::survey::line_ambiguity::has_ambiguous_lines;
use crate::rewrite::write::Writer;
use crate::rewrite::{Change, Outcome, Place, Plan, Reason};

/// Fixes defects of one reading of a message. Whatever is edited outside values and bodies must stand in `fixes`, too:
/// an edit without its entry there does not prove right, and then the whole step is taken back.
pub(super) struct Fixer<'s, 'm, 'a> {
    pub survey: &'s Survey<'m, 'a>,
    pub writer: Writer<'s, 'm, 'a>,
    /// What was fixed so far.
    pub fixes: Fixes,
}

/// Plans what fixes fields as they stand: they lose a space or themselves, or are folded. It comes before [`bodies`],
/// which asks of whole headers whether readers see the same end of them.
pub(super) fn fields(survey: &Survey, _: &Arrival) -> Plan {
    plan_and_prove(survey, |fixer| fixer.fix_fields(&wanted_defects(survey)))
}

/// Plans what fixes bodies and a date that can't be read, and adds the fields that are missing; those that stand were
/// fixed by the step before ([`fields`]).
pub(super) fn bodies(survey: &Survey, arrival: &Arrival) -> Plan {
    plan_and_prove(survey, |fixer| fixer.fix_bodies(&wanted_defects(survey), arrival))
}

/// Plans a step, and proves it; one that fails is not done, and the report says so. `plan` begins with an empty plan
/// for each body.
fn plan_and_prove(survey: &Survey, plan: impl FnOnce(&mut Fixer)) -> Plan {
    let bodies = survey.message.parts().iter().map(|_| BodyPlan::default()).collect();
    let mut fixer = Fixer { survey, writer: Writer::new(survey, bodies), fixes: Fixes::default() };
    plan(&mut fixer);
    let (plan, error) = fixer.writer.finish_and_prove(fixer.fixes);
    match error {
        None => plan,
        // The mail's doing: each fix is reported as one that could not be made. All else is a fault of septet's own.
        Some(OTHER_PARTS) => reverted(plan.report, OTHER_PARTS),
        Some(what) => Plan::left(Reason::Unproved(what)),
    }
}

impl<'m> Fixer<'_, 'm, '_> {
    /// Plans what fixes these defects of bodies, a date that can't be read, and what a header lacks; defects of other
    /// kinds are passed over (those between fields and parts were reported by the step before). A MIME-Version is
    /// written by `write_body`, once, whoever asks for it, and may always come (`MAY_COME`), so that it is not in
    /// `fixes`. All bodies are planned before any is written, for what one declares widens the parts
    /// around it; sizes that became untrue go last. A date, and what is missing, are defects of the message's own
    /// header alone.
    fn fix_bodies(&mut self, wanted: &[Defect], arrival: &Arrival) {
        let message = self.survey.message;
        let mut kinds = vec![Vec::new(); message.parts().len()];
        for defect in wanted.iter().filter(|it| is_of_octets(it.kind)) {
            let here = &mut kinds[defect.part];
            if message.parts()[defect.part].body.contains(defect.at) && !here.contains(&defect.kind) {
                here.push(defect.kind);
            }
        }
        // Asked once of each part, since every body asks it of all parts around it.
        let ragged: Vec<bool> = message.parts().iter().map(|part| self.has_ambiguous_lines(part, None)).collect();
        kinds.iter().enumerate().for_each(|(index, kinds)| self.fix_body_of(index, kinds, &ragged));
        let (kind, name) = (DefectKind::MissingMimeVersion, "MIME-Version");
        let version = holds_kind(wanted, kind) && {
            let may_be_added = self.may_add(name).map(|()| Vec::new());
            self.report_addition(kind, name, may_be_added)
        };
        // Parts whose plan asks for nothing are written too, and nothing comes of it.
        for (index, part) in message.parts().iter().enumerate() {
            let version = (index == 0 && version) || self.writer.needs_mime_version(index);
            self.writer.write_body(index, part, version);
        }
        if let Some(defect) = wanted.iter().find(|it| it.kind == DefectKind::UnreadableDate)
            && let Some(field) = self.field_of(defect)
        {
            self.fix_date(defect, &message.parts()[0], field, arrival);
        }
        if holds_kind(wanted, DefectKind::MissingDate) {
            self.add_field(DefectKind::MissingDate, "Date", arrival.date(message));
        }
        if holds_kind(wanted, DefectKind::MissingMessageId) {
            self.add_field(DefectKind::MissingMessageId, "Message-ID", arrival.message_id(message));
        }
        self.writer.remove_stale_sizes();
    }

    /// Plans what fixes these defects of the body of a leaf, its octets and what its header says of them. Where the
    /// body stays, the first defect is reported for all; `ragged` says of each part whether its lines are ambiguous.
    /// All of them must be fixed by the one plan, for all are reported.
    fn fix_body_of(&mut self, index: usize, kinds: &[DefectKind], ragged: &[bool]) {
        let part = &self.survey.message.parts()[index];
        let Some(&first) = kinds.first().filter(|_| self.is_leaf(index)) else { return };
        let body = Body::of(self.survey.message, part, self.survey.profile);
        let may_change = self.may_change_body(index, part, ragged);
        match may_change.and_then(|()| body.plan_fixed(kinds)) {
            Err(why) => self.report_at(index, Place::Body, first, Err(why)),
            Ok(mut plan) => {
                kinds.iter().rev().for_each(|&defect| plan.add_change(Change::Fixed { defect }));
                let declares = kinds.contains(&DefectKind::Undeclared8Bit) && plan.body.is_none();
                self.writer.bodies[index] = plan;
                if declares {
                    self.writer.widen_parents(part);
                }
            }
        }
    }

    /// Says why neither a body nor what its header says of it may be changed, if they may not. The gate is not
    /// asked, since a fix may take away what is irregular.
    fn may_change_body(&self, index: usize, part: &Part, ragged: &[bool]) -> Result<(), &'static str> {
        let message = self.survey.message;
        let mut chain = message.around(part).chain([(index, part)]);
        ensure(part.limit.is_none(), "beyond a limit")?;
        ensure(!self.survey.cover.bodies, "dkim")?;
        ensure(self.survey.why_protected(part).is_none(), "signed or encrypted")?;
        ensure(!self.survey.contradictions.concern(index), "its header contradicts itself")?;
        ensure(chain.all(|(at, part)| part.header_irregularity.is_none() && !ragged[at]), ENDS)?;
        ensure(!message.parts()[0].header.is_empty(), "there is no header")?;
        ensure(!self.survey.hides_fields(part), "its first lines may be fields")
    }

    /// Returns the field of its part that a defect is in; none for one in a body or between fields. Fields are sorted
    /// by their place, and do not overlap.
    pub(super) fn field_of(&self, defect: &Defect) -> Option<&'m Field> {
        let fields = self.survey.message.fields(&self.survey.message.parts()[defect.part]);
        let at = fields.partition_point(|field| field.line.end <= defect.at.start);
        fields.get(at).filter(|field| field.line.contains(defect.at))
    }

    /// Returns `true` if a part has a body of its own, or was not looked into.
    pub(super) fn is_leaf(&self, index: usize) -> bool {
        self.survey.message.parts()[index].kind == Kind::Leaf
    }

    /// Says why a field may not be touched, if it may not: by a signature, encryption or the form of its header.
    /// Whether it says what the parts are is not asked here.
    pub(super) fn may_change(&self, part: &Part, field: &Field) -> Result<(), &'static str> {
        match self.survey.why_field_is_bound(part, field) {
            Some(Reason::Dkim) => Err("dkim"),
            Some(Reason::Dkim2(_)) => Err("dkim2"),
            Some(_) => Err("signed or encrypted"),
            None => part.header_irregularity.map_or(Ok(()), Err),
        }
    }

    /// Writes a date that can be read where none could, and keeps what stood there, if anything did, in a field of its
    /// own; or reports why not. That field is added first: where it can't be, the date stays.
    fn fix_date(&mut self, defect: &Defect, part: &Part, field: &Field, arrival: &Arrival) {
        let was = original_date(self.survey.message.slice(field.value)).ok_or("what stands there can't be kept");
        let date = self.may_change(part, field).and_then(|()| arrival.date(self.survey.message));
        let fixed = match date.and_then(|date| Ok((date, was?))) {
            Err(why) => Err(why),
            // Why not was reported.
            Ok((_, was)) if !was.is_empty() && !self.add_field(defect.kind, ORIGINAL_DATE, Ok(was.clone())) => return,
            Ok((date, _)) => {
                self.writer.edit(field.value, format!(" {date}"));
                self.fixes.replaced.insert(field.value);
                Ok(Vec::new())
            }
        };
        self.report(defect, Some(field), fixed);
    }

    /// Returns `true` if some readers end a header before its end, as it is fixed by now ([`has_ambiguous_lines`]).
    pub(super) fn has_ambiguous_lines(&self, part: &Part, without: Option<&Field>) -> bool {
        has_ambiguous_lines(self.survey.message, part, &self.fixes, without)
    }

    /// Says why a field may not be added to the message's header, if it may not. The answer changes with each field
    /// that is fixed or added, so that it must be asked anew for each.
    fn may_add(&self, name: &str) -> Result<(), &'static str> {
        let root = self.survey.message.parts().first();
        match root.filter(|root| self.survey.message.slice(root.header).ends_with(b"\n")) {
            None => Err("no line of a header ends before the body"),
            Some(root) if root.header_irregularity.is_some() || self.has_ambiguous_lines(root, None) => Err(ENDS),
            Some(_) if self.survey.cover.field(name.as_bytes()) => Err("dkim"),
            Some(_) => Ok(()),
        }
    }

    /// Adds a field at the end of the message's header, and returns `true`; or reports why it may not be added, or why
    /// its value is not known. Nothing is edited then, and it returns `false`.
    fn add_field(&mut self, kind: DefectKind, name: &'static str, value: Result<String, &'static str>) -> bool {
        let value = self.may_add(name).and(value);
        if let Ok(value) = &value {
            let end = self.survey.message.parts()[0].header.end;
            let line_end = self.survey.message.line_end_at(end.saturating_sub(1)).as_str();
            self.writer.edit(Span::empty(end), format!("{name}: {value}{line_end}"));
            self.fixes.added.push((name, value.clone()));
        }
        self.report_addition(kind, name, value.map(|_| vec![Change::Added { field: name.into() }]))
    }

    /// Reports that a field is added to the message's header for a defect, and what was done besides, and returns
    /// `true`; or reports why not, and returns `false`.
    fn report_addition(&mut self, kind: DefectKind, name: &str, added: Fixed) -> bool {
        let is_added = added.is_ok();
        let place = if is_added { Place::Field(name.to_owned()) } else { Place::Message };
        self.report_at(0, place, kind, added);
        is_added
    }

    /// Reports that a defect of a field, or between fields, was fixed, and what was done besides; or why it was not.
    pub(super) fn report(&mut self, defect: &Defect, field: Option<&Field>, fixed: Fixed) {
        let place = field.map_or(Place::Message, |field| self.survey.place(field));
        self.report_at(defect.part, place, defect.kind, fixed);
    }

    /// Reports that a defect was fixed, and what was done besides; or why it was not, which is not said twice in a row.
    /// [`reverted`] knows what was fixed by this change, which every fix must report.
    pub(super) fn report_at(&mut self, index: usize, place: Place, defect: DefectKind, fixed: Fixed) {
        let outcome = match fixed {
            Ok(changes) => Outcome::Done([vec![Change::Fixed { defect }], changes].concat()),
            Err(why) => Outcome::Left(Reason::Unfixed { defect, why }),
        };
        let last = self.writer.entries[index].last();
        if !outcome.is_left() || last.is_none_or(|last| (&last.place, &last.outcome) != (&place, &outcome)) {
            self.writer.report(index, place, outcome);
        }
    }
}

/// What was done besides, where a defect was fixed; else why it was not. With an error nothing must have been edited.
pub(super) type Fixed = Result<Vec<Change>, &'static str>;

/// Why nothing is done where readers see another header.
pub(super) const ENDS: &str = "readers end a header at different places";

/// Returns `true` if one of these defects is of this kind.
fn holds_kind(defects: &[Defect], kind: DefectKind) -> bool {
    defects.iter().any(|defect| defect.kind == kind)
}

/// Returns `true` if a defect is one of the octets of a body, which `Body::plan_fixed` fixes. Those for which a body is
/// written anew stand in `cost.rs`, too (`OF_BODIES`).
fn is_of_octets(kind: DefectKind) -> bool {
    use DefectKind::{BareLineEnd, LongLine, Nul, Undeclared8Bit};
    matches!(kind, BareLineEnd | LongLine | Nul | Undeclared8Bit)
}
