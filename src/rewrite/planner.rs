//! The planner of one message: bodies first, then fields, then what is around them.
//!
//! One function plans one field and one plans one body, so edits can't fight. What a body asks of its header comes from
//! its [`BodyPlan`]; what only the whole message tells (contradictions, references between parts, the charset that a
//! body declares for a header) takes plans back before anything is written. What was planned is proved at the end.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::body::BodyPlan;
use super::contradiction::Contradictions;
use super::dkim::{self, DkimCoverage};
use super::fixes::Fixes;
use super::header::{self, FieldPlan, MimeFields, ProvedValue};
use super::hint::Hints;
use super::proof::{Claim, Doubt};
use super::{HeaderForm, Outcome, Place, Plan, Profile, Reason, Report, Signed, Transfer, body, untouched};
use crate::coding::charset::Charset;
use crate::coding::encoded_word::LINE_LIMIT;
use crate::edit::{EditList, Overlap, Span};
use crate::message::{Field, Kind, LimitReached, Message, Part, Protection};

/// How much of a message is planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// All of it.
    Whole,
    /// The fields of the message itself, but none that says what its body is.
    TopHeader,
    /// What mends named defects, and nothing else.
    Fixes,
}

/// Plans one message by one profile.
pub(super) struct Planner<'m, 'a> {
    pub(super) message: &'m Message<'a>,
    pub(super) profile: &'m Profile,
    pub(super) cover: DkimCoverage,
    pub(super) hints: Hints,
    /// For each part whether a text refers to it by a name outside ASCII; worked out once, when it is first asked for.
    pub(super) referred_to: OnceCell<Vec<bool>>,
    pub(super) contradictions: Contradictions,
    pub(super) bodies: Vec<BodyPlan>,
    pub(super) edits: EditList,
    pub(super) proved: BTreeMap<Span, ProvedValue>,
    pub(super) entries: Vec<Vec<(Place, Outcome)>>,
    pub(super) scope: Scope,
    pub(super) fixes: Fixes,
}

impl<'m, 'a> Planner<'m, 'a> {
    pub(super) fn new(message: &'m Message<'a>, profile: &'m Profile, scope: Scope) -> Planner<'m, 'a> {
        let cover = dkim::cover(message, profile);
        let entries = message.parts().iter().map(|_| Vec::new()).collect();
        let (hints, referred_to) = (Hints::of(message, profile), OnceCell::new());
        let contradictions = Contradictions::of(message);
        let (bodies, edits, proved) = (Vec::new(), EditList::new(), BTreeMap::new());
        let fixes = Fixes::default();
        Planner {
            message,
            profile,
            cover,
            hints,
            referred_to,
            contradictions,
            bodies,
            edits,
            proved,
            entries,
            scope,
            fixes,
        }
    }

    /// Plans, and proves what was planned.
    pub(super) fn proved(mut self) -> (Plan, Option<Doubt>) {
        let planned = self.plan();
        self.proof_of(planned)
    }

    /// Proves what was planned.
    pub(super) fn proof_of(mut self, planned: Result<(), Overlap>) -> (Plan, Option<Doubt>) {
        // Two planners that want the same octets are a fault of ours. The message must not suffer from it.
        if let Err(Overlap { .. }) = planned {
            return (untouched(Reason::Internal("two changes of the same octets")), None);
        }
        let hint = |index: usize| self.hint(index);
        let claim = Claim {
            message: self.message,
            profile: self.profile,
            edits: &self.edits,
            bodies: &self.bodies,
            hint: &hint,
            proved: &self.proved,
            fixes: &self.fixes,
        };
        let proof = match self.scope {
            _ if self.edits.is_empty() => Ok(()),
            Scope::Whole | Scope::Fixes => claim.prove(),
            Scope::TopHeader => claim.prove_top_header(),
        };
        self.say_what_is_not_seven_bit();
        (self.finish(), proof.err())
    }

    /// Says so where 8-bit octets stay and nothing said so yet: in what is no field and no body.
    pub(super) fn say_what_is_not_seven_bit(&mut self) {
        let is_left = |(_, outcome): &(Place, Outcome)| matches!(outcome, Outcome::Left(_));
        let said = self.entries.iter().flatten().any(is_left);
        let whole = Span::new(0, self.message.raw().len());
        if self.profile.transfer == Transfer::SevenBit && !said && !self.is_seven_bit(whole) {
            self.entries[0].push((Place::Message, Outcome::Left(Reason::Stray)));
        }
    }

    pub(super) fn plan(&mut self) -> Result<(), Overlap> {
        if self.scope == Scope::TopHeader {
            return self.plan_top_header();
        }
        let parts = self.message.parts();
        self.bodies = parts.iter().map(|part| self.plan_body(part)).collect();
        self.keep_contradictions();
        self.keep_references();
        self.keep_hints();
        self.raise_around_bodies();
        for (index, part) in parts.iter().enumerate() {
            self.plan_fields(index, part)?;
        }
        self.raise_around_fields();
        for (index, part) in parts.iter().enumerate() {
            self.write_body(index, part, self.needs_version(index))?;
            self.note_deceptions(index, part);
        }
        // What goes may have been the last that was no ASCII; what is lowered makes more sizes untrue.
        self.remove_untrue_sizes()?;
        self.lower_composites()?;
        self.remove_untrue_sizes()?;
        Ok(())
    }

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

    pub(super) fn finish(self) -> Plan {
        let mut report = Report::default();
        for (index, entries) in self.entries.into_iter().enumerate() {
            for (place, outcome) in entries {
                report.push(self.message.number(index), place, outcome);
            }
        }
        Plan { edits: self.edits, report }
    }

    pub(super) fn plan_body(&self, part: &Part) -> BodyPlan {
        let plan = body::plan_body(self.message, part, self.profile);
        let bound = self.protected(part).or(self.cover.bodies.then_some(Reason::Dkim));
        let matters = plan.changes() || plan.leaves();
        let doubt = part.header_doubt.filter(|_| matters || self.hides_fields(part)).map(Reason::HeaderEnd);
        match bound.filter(|_| matters).or(doubt).or_else(|| self.label_refused(part, &plan)) {
            Some(reason) => BodyPlan::left(reason),
            None => plan,
        }
    }

    /// Says why the field that labels a body can't name the charset that the body asks for, where a line of it would be folded,
    /// which can show another file name to some reader, or half a word may stand in it.
    fn label_refused(&self, part: &Part, plan: &BodyPlan) -> Option<Reason> {
        let charset = plan.charset?;
        let field = header::labelled_field(self.message, part)?;
        let is_long = |line: &[u8]| line.len() + " charset=;".len() + charset.len() > LINE_LIMIT;
        let lines = self.message.slice(field.line);
        if !lines.split(|octet| *octet == b'\n').any(is_long) && memchr::memmem::find(lines, b"=?").is_none() {
            return None;
        }
        let planned = header::plan_field(self.message, self.profile, field, &[("charset", charset)]);
        let is_written = !planned.edits.is_empty();
        planned.outcomes.into_iter().find_map(|outcome| match outcome {
            Outcome::Left(Reason::LongLine) => Some(Reason::LongLine),
            Outcome::Left(reason) if !is_written => Some(reason),
            _ => None,
        })
    }

    /// Tells whether the lines up to the first empty one of a body have what other readers may take for a field of the
    /// header before it, one that says what the body is.
    pub(super) fn hides_fields(&self, part: &Part) -> bool {
        let body = self.message.slice(part.body);
        let lines = body.split(|octet| *octet == b'\n').take_while(|line| !line.trim_ascii().is_empty());
        let mut starts = lines.filter_map(|line| line.get(..8));
        starts.any(|start| start.eq_ignore_ascii_case(b"content-"))
    }

    pub(super) fn protected(&self, part: &Part) -> Option<Reason> {
        part.protection.filter(|_| self.profile.signed == Signed::Keep).map(reason_of)
    }

    pub(super) fn plan_fields(&mut self, index: usize, part: &Part) -> Result<(), Overlap> {
        let charset = self.bodies[index].charset.map(|charset| ("charset", charset));
        let labelled = charset.and_then(|_| header::labelled_field(self.message, part));
        let hint = self.hint(index);
        // In one edit: before many at one place, each field that goes would cost a look past all of them.
        let mut moved = String::new();
        let plain = labelled.is_none() && header::is_plain(self.message.slice(part.header), self.profile);
        for field in self.message.fields(part) {
            if plain && memchr::memchr(b'*', self.message.slice(field.value)).is_none() {
                continue;
            }
            if !self.is_in_scope(field) || self.is_written_with_body(index, field) {
                continue;
            }
            // Where it stands twice, both say the same, and must afterwards.
            let is_labelled = labelled.is_some() && field.is(self.message.raw(), "Content-Type");
            let overrides = if is_labelled { charset.as_slice() } else { &[] };
            let mut planned = self.plan_field(field, overrides, hint);
            let proved = planned.proved.take();
            let after = match &proved {
                Some(proved) => Cow::Borrowed(proved.octets()),
                None if planned.edits.is_empty() => Cow::Borrowed(self.message.slice(field.value)),
                None => Cow::Owned(planned.edits.apply_within(self.message.raw(), field.value)),
            };
            if !planned.edits.is_empty() && self.frees_a_boundary(part, field, &after) {
                planned = FieldPlan { outcomes: vec![Outcome::Left(Reason::Control)], ..FieldPlan::default() };
            }
            if !self.contradictions.around(index) && self.must_be_moved(index, field, &after) {
                self.encapsulate(index, part, field, hint, &mut moved)?;
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
            if self.contradictions.around(index) {
                continue;
            }
            let differs = self.contradictions.of_field(index, self.message.slice(field.name));
            if let Some(reason) = differs.cloned().or_else(|| self.bound(part, field)) {
                self.entries[index].push((place, Outcome::Left(reason)));
                continue;
            }
            self.edits.extend(planned.edits)?;
            self.proved.extend(proved.map(|proved| (field.value, proved)));
            self.entries[index].extend(planned.outcomes.into_iter().map(|outcome| (place.clone(), outcome)));
        }
        if moved.is_empty() { Ok(()) } else { self.edits.push(Span::empty(part.header.end), moved) }
    }

    /// Plans one field, if it is short enough and stays so.
    pub(super) fn plan_field(&self, field: &Field, overrides: &[(&str, &str)], hint: Option<Charset>) -> FieldPlan {
        let limit = self.profile.limits.field_bytes;
        let left = || FieldPlan {
            outcomes: vec![Outcome::Left(Reason::Limit(LimitReached::FieldBytes(limit)))],
            ..FieldPlan::default()
        };
        if field.value.len() > limit {
            let concerned = header::may_concern(self.message, self.profile, field);
            return if concerned { left() } else { FieldPlan::default() };
        }
        let planned = header::plan_field_beside(self.message, self.profile, field, overrides, hint);
        let grown: usize = planned.edits.as_slice().iter().map(|edit| edit.with.len()).sum();
        let shrunk: usize = planned.edits.as_slice().iter().map(|edit| edit.at.len()).sum();
        if field.value.len() + grown - shrunk > limit { left() } else { planned }
    }

    /// Tells whether a field would hold a delimiter of a multipart around it that it did not: who takes a message/news for
    /// a file reads its header as lines of a body, and some see a boundary in the middle of a line.
    fn frees_a_boundary(&self, part: &Part, field: &Field, after: &[u8]) -> bool {
        let value = self.message.slice(field.value);
        let around = self.message.delimiters_around(part);
        around.iter().any(|delimiter| !body::sets_no_more_free(value, after, delimiter))
    }

    pub(super) fn is_in_scope(&self, field: &Field) -> bool {
        let name = self.message.slice(field.name);
        let of_body = name.get(..8).is_some_and(|start| start.eq_ignore_ascii_case(b"content-"));
        self.scope != Scope::TopHeader || !of_body
    }

    /// Tells whether a body's change writes a field anew, whole.
    pub(super) fn is_written_with_body(&self, index: usize, field: &Field) -> bool {
        self.bodies[index].transfer.is_some() && field.is(self.message.raw(), "Content-Transfer-Encoding")
    }

    /// Tells whether a field that nothing is planned for has 8-bit octets, and should have none.
    pub(super) fn keeps_eight_bit(&self, field: &Field) -> bool {
        let raw_is_fine = matches!(self.profile.headers, HeaderForm::Keep | HeaderForm::Utf8);
        !raw_is_fine && !self.message.slice(field.line).is_ascii()
    }

    /// Tells why a field may not be touched, if it may not.
    pub(super) fn bound(&self, part: &Part, field: &Field) -> Option<Reason> {
        let inside = part.parent.is_some() && self.cover.bodies;
        let covered = inside || (part.parent.is_none() && self.cover.field(self.message.slice(field.name)));
        // A part's own protection is on its body; its header is protected by what is around it.
        let around = part.parent.and_then(|parent| self.message.parts()[parent].protection_of_children());
        match around {
            Some(protection) if self.profile.signed == Signed::Keep => Some(reason_of(protection)),
            _ => covered.then_some(Reason::Dkim),
        }
    }

    /// Writes a body's edit, and those of the fields that must be true to it.
    pub(super) fn write_body(&mut self, index: usize, part: &Part, version: bool) -> Result<(), Overlap> {
        let mut fields = MimeFields::new(self.message, part);
        fields.write(&self.bodies[index], version, &mut self.edits)?;
        let plan = &mut self.bodies[index];
        if let Some(body) = plan.body.take() {
            plan.written = Some(body::sum(&body));
            self.edits.push(part.body, body)?;
        }
        let outcomes = std::mem::take(&mut plan.outcomes);
        self.entries[index].extend(fields.entries);
        self.entries[index].extend(outcomes.into_iter().map(|outcome| (Place::Body, outcome)));
        Ok(())
    }

    /// Tells whether a part is a message of its own in which MIME fields change, here or below.
    pub(super) fn needs_version(&self, index: usize) -> bool {
        let parts = self.message.parts();
        let is_message = |part: &Part| part.parent.is_none_or(|parent| parts[parent].kind == Kind::Message);
        // Parts follow their parents, and those of a message end where its depth comes again.
        let inside = |(at, part): &(usize, &Part)| *at == index || part.depth > parts[index].depth;
        is_message(&parts[index])
            && parts.iter().enumerate().skip(index).take_while(inside).any(|(at, _)| self.bodies[at].changes_header())
    }
}

fn reason_of(protection: Protection) -> Reason {
    match protection {
        Protection::Signed => Reason::Signed,
        Protection::Encrypted => Reason::Encrypted,
        Protection::SMime => Reason::SMime,
    }
}
