//! The steps that come after that of line ends: fields as they stand ([`fields`](super::fields)), bodies that no SMTP server
//! need take, and then the fields that are missing.
//!
//! What is decided is written as a conversion is: bodies get plans, what these ask of headers follows from them, and the proof
//! of every other change is the proof of these. [`Fixes`] says what else may come, go or shrink.

use super::{Arrival, wanted_defects};
use crate::edit::{Overlap, Span};
use crate::message::{Defect, DefectKind, Field, Message, Part};
use crate::rewrite::body::plan_fixed;
use crate::rewrite::body_plan::BodyPlan;
use crate::rewrite::fixes::{Fixes, ORIGINAL_DATE, original_date};
use crate::rewrite::second_reader::OTHER_PARTS;
use crate::rewrite::survey::Survey;
use crate::rewrite::survey::line_ambiguity::has_ambiguous_lines;
use crate::rewrite::write::Writer;
use crate::rewrite::{Change, Outcome, Place, Plan, Reason};

/// Fixes defects of one reading of a message.
pub(super) struct Fixer<'s, 'm, 'a> {
    pub survey: &'s Survey<'m, 'a>,
    pub writer: Writer<'s, 'm, 'a>,
    /// What was fixed so far.
    pub fixes: Fixes,
}

/// Plans what fixes fields as they stand: they lose a space or themselves, or are folded.
pub(super) fn fields(survey: &Survey, _: &Arrival) -> Plan {
    plan_and_prove(survey, |fixer| fixer.fix_fields(&wanted_defects(survey)))
}

/// Plans what fixes bodies and a date that can't be read, and adds the fields that are missing; those that stand were
/// fixed by the step before ([`fields`]).
pub(super) fn bodies(survey: &Survey, arrival: &Arrival) -> Plan {
    plan_and_prove(survey, |fixer| fixer.fix_bodies(&wanted_defects(survey), arrival))
}

/// Plans a step, and proves it; one that fails is not done, and the report says so. `plan` begins with an empty plan for
/// each body.
fn plan_and_prove(survey: &Survey, plan: impl FnOnce(&mut Fixer) -> Result<(), Overlap>) -> Plan {
    let bodies = survey.message.parts().iter().map(|_| BodyPlan::default()).collect();
    let mut fixer = Fixer { survey, writer: Writer::new(survey, bodies), fixes: Fixes::default() };
    let fixed = plan(&mut fixer);
    let (plan, error) = fixer.writer.finish_and_prove(fixed, fixer.fixes);
    match error {
        None => plan,
        // The mail's doing: each fix is reported as one that could not be made. All else is a fault of septet's own.
        Some(OTHER_PARTS) => plan.revert(OTHER_PARTS),
        Some(what) => Plan::left(Reason::Unproved(what)),
    }
}

impl<'m> Fixer<'_, 'm, '_> {
    /// Plans what fixes these defects of bodies, a date that can't be read, and what a header lacks; defects of other
    /// kinds are passed over. Sizes that became untrue go last.
    fn fix_bodies(&mut self, wanted: &[Defect], arrival: &Arrival) -> Result<(), Overlap> {
        let message = self.survey.message;
        let mut kinds = vec![Vec::new(); message.parts().len()];
        for defect in wanted.iter().filter(|it| is_of_octets(it.kind)) {
            let here = &mut kinds[defect.part];
            if message.parts()[defect.part].body.contains(defect.at) && !here.contains(&defect.kind) {
                here.push(defect.kind);
            }
        }
        let ragged: Vec<bool> = message.parts().iter().map(|part| self.has_ambiguous_lines(part, None)).collect();
        kinds.iter().enumerate().for_each(|(index, kinds)| self.fix_body_of(index, kinds, &ragged));
        let name = "MIME-Version";
        let version = holds_kind(wanted, DefectKind::MissingMimeVersion)
            && self.report_addition(
                DefectKind::MissingMimeVersion,
                name,
                self.why_not_added(name).map_or(Ok(vec![]), Err),
            );
        // Parts whose plan asks for nothing are written too, and nothing comes of it.
        for (index, part) in message.parts().iter().enumerate() {
            let version = (index == 0 && version) || self.writer.needs_mime_version(index);
            self.writer.write_body(index, part, version)?;
        }
        if let Some(defect) = wanted.iter().find(|it| it.kind == DefectKind::UnreadableDate)
            && let Some(field) = self.field_of(defect)
        {
            self.fix_date(defect, &message.parts()[0], field, arrival)?;
        }
        for (kind, name, value) in [
            (DefectKind::MissingDate, "Date", Arrival::date as fn(&Arrival, &Message) -> _),
            (DefectKind::MissingMessageId, "Message-ID", Arrival::message_id),
        ] {
            if holds_kind(wanted, kind) {
                self.add_field(kind, name, || value(arrival, message))?;
            }
        }
        self.writer.remove_stale_sizes()
    }

    /// Plans what fixes these defects of the body of a leaf, its octets and what its header says of them. Where the body
    /// stays, the first defect is reported for all; `ragged` says of each part whether its lines are ambiguous.
    fn fix_body_of(&mut self, index: usize, kinds: &[DefectKind], ragged: &[bool]) {
        let part = &self.survey.message.parts()[index];
        let Some(&first) = kinds.first().filter(|_| self.is_leaf(index)) else { return };
        let (message, profile) = (self.survey.message, self.survey.profile);
        let stays = self.why_body_stays(index, part, ragged);
        match stays.map_or_else(|| plan_fixed(message, part, profile, kinds), Err) {
            Err(why) => self.report_unfixed(index, Place::Body, first, why),
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

    /// Returns why neither a body nor what its header says of it may be changed, if they may not. The gate is not
    /// asked, since a fix may take away what is irregular.
    fn why_body_stays(&self, index: usize, part: &Part, ragged: &[bool]) -> Option<&'static str> {
        let parts = self.survey.message.parts();
        let mut chain = std::iter::successors(Some(index), |&at| parts[at].parent);
        match () {
            () if part.limit.is_some() => Some("beyond a limit"),
            () if self.survey.cover.bodies => Some("dkim"),
            () if self.survey.why_protected(part).is_some() => Some("signed or encrypted"),
            () if self.survey.contradictions.of_own_header(index).is_some()
                || self.survey.contradictions.is_inside_one(index) =>
            {
                Some("its header contradicts itself")
            }
            () if chain.any(|at| parts[at].header_irregularity.is_some() || ragged[at]) => Some(ENDS),
            () if parts[0].header.is_empty() => Some("there is no header"),
            () if self.survey.hides_fields(part) => Some("its first lines may be fields"),
            () => None,
        }
    }

    /// Returns the field of its part that a defect is in; none for one in a body or between fields.
    pub(super) fn field_of(&self, defect: &Defect) -> Option<&'m Field> {
        let fields = self.survey.message.fields(&self.survey.message.parts()[defect.part]);
        let at = fields.partition_point(|field| field.line.end <= defect.at.start);
        fields.get(at).filter(|field| field.line.contains(defect.at))
    }

    /// Returns `true` if a part has a body of its own.
    pub(super) fn is_leaf(&self, index: usize) -> bool {
        self.survey.message.parts()[index].kind == crate::message::Kind::Leaf
    }

    /// Returns why a field may not be touched, if it may not: by a signature, encryption or the form of its header.
    /// Whether it says what the parts are is not asked here.
    pub(super) fn why_field_stays(&self, part: &Part, field: &Field) -> Option<&'static str> {
        match self.survey.why_field_is_bound(part, field) {
            Some(Reason::Dkim) => Some("dkim"),
            Some(Reason::Dkim2(_)) => Some("dkim2"),
            Some(_) => Some("signed or encrypted"),
            None => part.header_irregularity,
        }
    }

    /// Writes a date that can be read where none could, and keeps what stood there in a field of its own; or reports
    /// why not.
    fn fix_date(&mut self, defect: &Defect, part: &Part, field: &Field, arrival: &Arrival) -> Result<(), Overlap> {
        let was = original_date(self.survey.message.slice(field.value)).ok_or("what stands there can't be kept");
        let stays = self.why_field_stays(part, field);
        let date = stays.map_or_else(|| arrival.date(self.survey.message), Err).and_then(|date| Ok((date, was?)));
        let fixed = match date {
            Err(why) => Err(Unfixed::Why(why)),
            // Why not was reported.
            Ok((_, was)) if !was.is_empty() && !self.add_field(defect.kind, ORIGINAL_DATE, || Ok(was.clone()))? => {
                return Ok(());
            }
            Ok((date, _)) => {
                self.writer.edits.push(field.value, format!(" {date}"))?;
                self.fixes.replaced.insert(field.value);
                Ok(Vec::new())
            }
        };
        self.report(defect, Some(field), fixed)
    }

    /// Returns `true` if some readers end a header before its end, as it is fixed by now ([`has_ambiguous_lines`]).
    pub(super) fn has_ambiguous_lines(&self, part: &Part, without: Option<&Field>) -> bool {
        has_ambiguous_lines(self.survey.message, part, &self.fixes, without)
    }

    /// Returns why a field may not be added to the message's header, if it may not.
    fn why_not_added(&self, name: &str) -> Option<&'static str> {
        let root = self.survey.message.parts().first();
        match root.filter(|root| self.survey.message.slice(root.header).ends_with(b"\n")) {
            None => Some("there is no header"),
            Some(root) if root.header_irregularity.is_some() || self.has_ambiguous_lines(root, None) => Some(ENDS),
            Some(_) => self.survey.cover.field(name.as_bytes()).then_some("dkim"),
        }
    }

    /// Adds a field at the end of the message's header, and returns `true`; or reports why it may not be added, or why its value
    /// is not known.
    fn add_field(
        &mut self,
        kind: DefectKind,
        name: &'static str,
        value: impl FnOnce() -> Result<String, &'static str>,
    ) -> Result<bool, Overlap> {
        let value = self.why_not_added(name).map_or_else(value, Err);
        if let Ok(value) = &value {
            let end = self.survey.message.parts()[0].header.end;
            let line_end = self.survey.message.line_end_at(end.saturating_sub(1)).as_str();
            self.writer.edits.push(Span::empty(end), format!("{name}: {value}{line_end}"))?;
            self.fixes.added.push((name, value.clone()));
        }
        Ok(self.report_addition(kind, name, value.map(|_| vec![Change::Added { field: name.into() }])))
    }

    /// Reports that a field is added to the message's header for a defect, and what was done besides, and returns `true`; or
    /// reports why not.
    fn report_addition(&mut self, kind: DefectKind, name: &str, added: Result<Vec<Change>, &'static str>) -> bool {
        let is_added = added.is_ok();
        match added {
            Ok(changes) => self.report_fixed(0, Place::Field(name.to_owned()), kind, changes),
            Err(why) => self.report_unfixed(0, Place::Message, kind, why),
        }
        is_added
    }

    /// Reports that a defect of a field, or between fields, was fixed, and what was done besides; or why it was not.
    pub(super) fn report(
        &mut self,
        defect: &Defect,
        field: Option<&Field>,
        fixed: Result<Vec<Change>, Unfixed>,
    ) -> Result<(), Overlap> {
        let place = field.map_or(Place::Message, |field| self.survey.place(field));
        match fixed {
            Ok(changes) => self.report_fixed(defect.part, place, defect.kind, changes),
            Err(Unfixed::Why(why)) => self.report_unfixed(defect.part, place, defect.kind, why),
            Err(Unfixed::Overlap(overlap)) => return Err(overlap),
        }
        Ok(())
    }

    /// Reports that a defect was fixed, and what was done besides.
    fn report_fixed(&mut self, index: usize, place: Place, defect: DefectKind, mut changes: Vec<Change>) {
        changes.insert(0, Change::Fixed { defect });
        self.writer.report(index, place, Outcome::Done(changes));
    }

    /// Reports why a defect was not fixed; the same is not reported twice in a row.
    pub(super) fn report_unfixed(&mut self, index: usize, place: Place, defect: DefectKind, why: &'static str) {
        let left = Outcome::Left(Reason::Unfixed { defect, why });
        let last = self.writer.entries[index].last();
        if last.is_none_or(|last| (&last.place, &last.outcome) != (&place, &left)) {
            self.writer.report(index, place, left);
        }
    }
}

/// Why a defect of a field is not fixed.
pub(super) enum Unfixed {
    /// What stands in the way.
    Why(&'static str),
    /// Its edit would change what another one changes: a fault of septet's own, which ends the step.
    Overlap(Overlap),
}

impl From<&'static str> for Unfixed {
    fn from(why: &'static str) -> Unfixed {
        Unfixed::Why(why)
    }
}

impl From<Overlap> for Unfixed {
    fn from(overlap: Overlap) -> Unfixed {
        Unfixed::Overlap(overlap)
    }
}

/// Why nothing is done where readers see another header.
pub(super) const ENDS: &str = "readers end a header at different places";

/// Returns `true` if one of these defects is of this kind.
fn holds_kind(defects: &[Defect], kind: DefectKind) -> bool {
    defects.iter().any(|defect| defect.kind == kind)
}

/// Returns `true` if a defect is one of the octets of a body.
fn is_of_octets(kind: DefectKind) -> bool {
    use DefectKind::{BareLineEnd, LongLine, Nul, Undeclared8Bit};
    matches!(kind, BareLineEnd | LongLine | Nul | Undeclared8Bit)
}
