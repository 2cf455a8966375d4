//! The planner of one message: bodies first, then fields, then what is around them.
//!
//! One function plans one field and one plans one body, so edits can't fight. What a body asks of its header comes from
//! its [`BodyPlan`]; what only the whole message tells (contradictions, references between parts, the charset that a
//! body declares for a header) takes plans back before anything is written. What was planned is proved at the end.

mod fields;
mod raw_headers;
mod unclear;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;

use super::body_plan::BodyPlan;
use super::fixes::Fixes;
use super::header::{FieldPlan, MimeFields, ProvedValue};
use super::octet_sum::OctetSum;
use super::proof::Claim;
use super::step::{Step, StepScope};
use super::survey::contradiction::Contradictions;
use super::survey::dkim::{self, DkimCoverage};
use super::survey::evidence::Evidence;
use super::survey::evidence::beside::Beside;
use super::survey::gate::Gate;
use super::{CheckError, Outcome, Place, Plan, Profile, Reason, Report, Signed, Transfer, body};
use crate::coding::evidence::Neighbours;
use crate::edit::{EditList, Overlap, Span};
use crate::message::{Field, Kind, LimitReached, Message, Part, is_field_without_nuls, says_what_a_body_is};

/// How often the octets of a place are read while it is planned, at the most, but for the delimiters around it.
const PASSES: usize = 8;

/// How often more where faults are replaced: each octet may be one, is read again for it, and becomes three that are
/// written and read back.
const REPLACING: usize = 8;

/// Plans one message by one profile.
pub(super) struct Planner<'m, 'a> {
    pub(super) message: &'m Message<'a>,
    pub(super) profile: &'m Profile,
    /// What signatures of DKIM and ARC keep.
    pub(super) cover: DkimCoverage,
    pub(super) evidence: &'m Evidence<'m, 'a>,
    /// The charsets that are named around the message, where it came back in another one.
    around: Neighbours,
    /// For each part whether a text refers to it by a name outside ASCII; worked out once, when it is first asked for.
    pub(super) referred_to: OnceCell<Vec<bool>>,
    /// For each part whether some readers end its header before its end; worked out likewise.
    pub(super) ragged_headers: OnceCell<Vec<bool>>,
    pub(super) gate: Gate,
    pub(super) contradictions: Contradictions,
    /// What is planned for the body of each part; whoever plans fields or writes bodies counts on one for every part.
    pub(super) bodies: Vec<BodyPlan>,
    pub(super) edits: EditList,
    pub(super) proved: BTreeMap<Span, ProvedValue>,
    /// The values, in their order, in which planning saw nothing that deceives.
    pub(super) honest: Vec<Span>,
    /// The values, in their order, of which a second encoding is undone.
    pub(super) undoubled: Vec<Span>,
    /// What is reported of each part.
    pub(super) entries: Vec<Vec<(Place, Outcome)>>,
    pub(super) scope: StepScope,
    pub(super) fixes: Fixes,
    /// The octets that were read so far, of one pass or another.
    pub(super) work: Cell<usize>,
    /// What was planned of fields before it was their turn, by their lines and the charset that their bodies ask for.
    pub(super) field_plans: RefCell<BTreeMap<(Span, Option<&'static str>), FieldPlan>>,
}

impl<'m, 'a> Planner<'m, 'a> {
    /// Begins a step on a message, with nothing planned yet. `bodies` stays empty until somebody fills it, with one
    /// plan for each part.
    pub(super) fn new(evidence: &'m Evidence<'m, 'a>, scope: StepScope) -> Planner<'m, 'a> {
        let Evidence { message, profile, .. } = *evidence;
        let cover = dkim::coverage(message, profile);
        let entries = message.parts().iter().map(|_| Vec::new()).collect();
        let (referred_to, ragged_headers) = (OnceCell::new(), OnceCell::new());
        let contradictions = Contradictions::of(message);
        let (bodies, edits, proved) = (Vec::new(), EditList::new(), BTreeMap::new());
        let fixes = Fixes::default();
        Planner {
            message,
            profile,
            cover,
            evidence,
            around: Neighbours::default(),
            referred_to,
            ragged_headers,
            gate: Gate::default(),
            contradictions,
            bodies,
            edits,
            proved,
            honest: Vec::new(),
            undoubled: Vec::new(),
            entries,
            scope,
            fixes,
            work: Cell::new(0),
            field_plans: RefCell::default(),
        }
    }

    /// Adds the charsets that are named around the message, which is a part of another one.
    pub(super) fn within(self, around: Neighbours) -> Planner<'m, 'a> {
        Planner { around, ..self }
    }

    /// Returns what stands beside the texts in a part's header, and around the message.
    pub(super) fn beside_header(&self, index: usize) -> Beside<'m> {
        let evidence: &'m Evidence<'m, 'a> = self.evidence;
        evidence.beside_header(index).with_further(self.around)
    }

    /// Plans the message, and proves the plan. With an error the plan must not be carried out.
    pub(super) fn plan_and_prove(mut self) -> (Plan, Option<CheckError>) {
        let planned = self.plan();
        self.finish_and_prove(planned)
    }

    /// Makes a plan of all edits and entries so far, and proves it if it has edits. With an error the plan must not be
    /// carried out. `planned` is what planning returned: where edits overlap, the plan leaves the message, and there is
    /// no error. A plan of a body that changes anything must have gone through [`write_body`](Self::write_body), for
    /// the proof asks what was written.
    pub(super) fn finish_and_prove(mut self, planned: Result<(), Overlap>) -> (Plan, Option<CheckError>) {
        // Two planners that want the same octets are a fault of ours. The message must not suffer from it.
        if let Err(Overlap { .. }) = planned {
            return (Plan::left(Reason::Internal("two changes of the same octets")), None);
        }
        let step = Step::of(self.scope, self.message, &self.bodies, std::mem::take(&mut self.fixes));
        let beside = |index: usize| self.beside_header(index);
        let claim = Claim {
            message: self.message,
            profile: self.profile,
            edits: &self.edits,
            step: &step,
            beside: &beside,
            gate: &self.gate,
            proved: &self.proved,
        };
        let proof = if self.edits.is_empty() { Ok(()) } else { claim.prove() };
        self.report_stray_eight_bit();
        (self.into_plan(step), proof.err())
    }

    /// Reports 8-bit octets that stay in the message where 7bit is wanted and nothing is reported as left: nobody
    /// planned them, since they stand in no field and no body. Where something was left, the octets may be of that, and
    /// are not reported twice.
    pub(super) fn report_stray_eight_bit(&mut self) {
        let is_left = |(_, outcome): &(Place, Outcome)| matches!(outcome, Outcome::Left(_));
        let said = self.entries.iter().flatten().any(is_left);
        let whole = Span::new(0, self.message.raw().len());
        if self.profile.transfer == Transfer::SevenBit && !said && !self.is_seven_bit(whole) {
            self.entries[0].push((Place::Message, Outcome::Left(Reason::Stray)));
        }
    }

    /// Plans bodies, then fields, then what is around them; of [`StepScope::TopHeader`] the message's own fields alone.
    ///
    /// Plans of bodies are taken back before any field is planned, since fields write what the bodies ask for. Bodies
    /// that tell the charset of a header are left last of these, for only a body that still changes takes the hint
    /// away. Parents are widened with their children, and narrowed last, when all edits are known.
    pub(super) fn plan(&mut self) -> Result<(), Overlap> {
        if self.scope == StepScope::TopHeader {
            return self.plan_top_header();
        }
        let parts = self.message.parts();
        self.bodies = parts.iter().enumerate().map(|(index, part)| self.plan_body(index, part)).collect();
        self.leave_unclear_bodies();
        self.skip_referring();
        self.leave_bodies_that_label_raw_headers();
        self.widen_parents_of_bodies();
        for (index, part) in parts.iter().enumerate() {
            self.plan_fields(index, part)?;
        }
        self.widen_parents_of_fields();
        for (index, part) in parts.iter().enumerate() {
            self.write_body(index, part, self.needs_mime_version(index))?;
            self.note_deceptions(index, part);
        }
        // A field that is removed may have held the last 8-bit octets of a part, so sizes go before parents are
        // narrowed; narrowing changes octets in the parts around, so that more sizes are untrue.
        self.remove_stale_sizes()?;
        self.narrow_parents()?;
        self.remove_stale_sizes()?;
        Ok(())
    }

    /// Plans the fields of the message itself and nothing else: all bodies stay, so that nothing around them changes.
    /// Those beyond a limit are reported.
    pub(super) fn plan_top_header(&mut self) -> Result<(), Overlap> {
        let limited =
            |part: &Part| part.limit.map_or_else(BodyPlan::default, |limit| BodyPlan::left(Reason::Limit(limit)));
        self.bodies = self.message.parts().iter().map(limited).collect();
        for (index, body) in self.bodies.iter().enumerate() {
            self.entries[index].extend(body.outcomes.iter().map(|outcome| (Place::Body, outcome.clone())));
        }
        let Some(root) = self.message.parts().first() else { return Ok(()) };
        self.plan_fields(0, root)?;
        self.note_deceptions(0, root);
        Ok(())
    }

    /// Makes the plan of all edits and entries so far. The step is kept only if anything is edited: a plan without edits
    /// has nothing to be checked.
    pub(super) fn into_plan(self, step: Step) -> Plan {
        let mut report = Report::default();
        for (index, entries) in self.entries.into_iter().enumerate() {
            for (place, outcome) in entries {
                report.push(self.message.number(index), place, outcome);
            }
        }
        let steps = if self.edits.is_empty() { Vec::new() } else { vec![step] };
        Plan { edits: self.edits, report, steps, of: None }
    }

    /// Plans a body, and leaves it where it is protected, covered by DKIM or irregular, where its header can't name the
    /// new charset, or where the work is too much. A protected body is reported only if something was to change or is
    /// left anyway. Nothing is written yet: the caller may still take the plan back, and counts on
    /// [`write_body`](Self::write_body) for the edits.
    pub(super) fn plan_body(&self, index: usize, part: &Part) -> BodyPlan {
        // The bodies of other parts are not rewritten, and many envelopes around a large text are no work.
        if part.kind == Kind::Leaf
            && !part.body.is_empty()
            && let Some(reason) = self.charge_work(part, part.body.len())
        {
            return BodyPlan::left(reason);
        }
        let plan = body::plan_body(self.message, part, self.profile, self.evidence.beside_body(part));
        let bound = self.why_protected(part).or(self.cover.bodies.then_some(Reason::Dkim));
        let matters = plan.changes() || plan.leaves();
        // The gate is asked of bodies that change. Behind a doubtful header it is also asked of one that stays, if that
        // is left for another reason or may hold fields of the header: the doubt is then what is reported.
        let is_asked = plan.changes() || part.header_irregularity.is_some() && (matters || self.header_may_go_on(part));
        let irregular = is_asked.then(|| self.irregular_body(part)).flatten();
        match bound.filter(|_| matters).or(irregular).or_else(|| self.why_label_cannot_change(index, part, &plan)) {
            Some(reason) => BodyPlan::left(reason),
            None => plan,
        }
    }

    /// Counts the work of planning so many octets of a part; returns why they must not be planned, if that is more than
    /// one message may make. They count even then.
    ///
    /// Octets are read, decoded, changed, written and read back, and looked through for the delimiter of each part
    /// around; where faults are replaced they may be decoded twice, and grow.
    fn charge_work(&self, part: &Part, octets: usize) -> Option<Reason> {
        let limit = self.profile.limits.work();
        let passes = if self.profile.replaces() { PASSES + REPLACING } else { PASSES };
        let work = self.work.get().saturating_add(octets.saturating_mul(passes + part.depth));
        self.work.set(work);
        (work > limit).then_some(Reason::Limit(LimitReached::PlanWork(limit)))
    }

    /// Returns `true` if a header that some readers end elsewhere may go on in the body behind it: if that begins with
    /// fields ([`hides_fields`](Self::hides_fields)), or has in its first lines an octet 0, without which the line
    /// could be a fold, an empty line or a field.
    fn header_may_go_on(&self, part: &Part) -> bool {
        let body = self.message.slice(part.body);
        let mut lines = body.split(|octet| *octet == b'\n').take_while(|line| !line.trim_ascii().is_empty());
        lines.any(|line| line.contains(&0)) || self.hides_fields(part)
    }

    /// Returns `true` if among the lines of a body up to the first empty one there is a line that other readers may
    /// take for a field of the header before it: one named `Content-…`, or one that is a field only for those who drop
    /// octets 0.
    pub(super) fn hides_fields(&self, part: &Part) -> bool {
        let body = self.message.slice(part.body);
        let mut lines = body.split(|octet| *octet == b'\n').take_while(|line| !line.trim_ascii().is_empty());
        lines.any(|line| says_what_a_body_is(line) || is_field_without_nuls(line))
    }

    /// Returns why a body stays, if it is signed or encrypted and the profile keeps such parts. DKIM (`cover`) and PGP
    /// within a text are not asked here, nor what protects the part's header
    /// ([`why_field_is_bound`](Self::why_field_is_bound)).
    pub(super) fn why_protected(&self, part: &Part) -> Option<Reason> {
        part.protection.filter(|_| self.profile.signed == Signed::Keep).map(Reason::Protected)
    }

    /// Returns why a body stays, if the gate keeps it.
    pub(super) fn irregular_body(&self, part: &Part) -> Option<Reason> {
        self.gate.form_that_keeps_body(self.message, part).map(Reason::Irregular)
    }

    /// Returns why a field stays, if the gate keeps the header that it is in; its own value is asked where it is
    /// planned.
    pub(super) fn irregular_field(&self, part: &Part, field: &Field) -> Option<Reason> {
        self.gate.form_that_keeps_field(self.message, part, field).map(Reason::Irregular)
    }

    /// Returns why a field of a part can't become the value `after`: that has 8-bit octets, and a part around would
    /// have to say so but is kept by the gate. None for a value in ASCII.
    fn why_field_stays_ascii(&self, part: &Part, after: &[u8]) -> Option<Reason> {
        let around = || self.gate.form_around_header(self.message, part).map(Reason::Irregular);
        if after.is_ascii() { None } else { around() }
    }

    /// Writes a body's edit, and those of the fields that must be true to it, and reports both; `version` says that the
    /// header must have a MIME-Version. The body and its outcomes are taken out of the plan, so that a second call
    /// writes only what was planned since. What the plan asks of the header must not have been written before.
    pub(super) fn write_body(&mut self, index: usize, part: &Part, version: bool) -> Result<(), Overlap> {
        let mut fields = MimeFields::new(self.message, part);
        fields.write(&self.bodies[index], version, &mut self.edits)?;
        let plan = &mut self.bodies[index];
        if let Some(body) = plan.body.take() {
            plan.written = Some(OctetSum::of(&body));
            self.edits.push(part.body, body)?;
        }
        let outcomes = std::mem::take(&mut plan.outcomes);
        self.entries[index].extend(fields.entries);
        self.entries[index].extend(outcomes.into_iter().map(|outcome| (Place::Body, outcome)));
        Ok(())
    }

    /// Returns `true` if a part is a message and MIME fields change in its header or in that of a part inside it, so
    /// that it must have a MIME-Version (RFC 2045 §4).
    pub(super) fn needs_mime_version(&self, index: usize) -> bool {
        let parts = self.message.parts();
        let is_message = |part: &Part| part.parent.is_none_or(|parent| parts[parent].kind == Kind::Message);
        // Parts follow their parents, and those of a message end where its depth comes again.
        let inside = |(at, part): &(usize, &Part)| *at == index || part.depth > parts[index].depth;
        is_message(&parts[index])
            && parts.iter().enumerate().skip(index).take_while(inside).any(|(at, _)| self.bodies[at].changes_header())
    }
}
