//! The machine parts of reports: `message/delivery-status`, `message/feedback-report` and their kin.
//!
//! Their bodies are blocks of fields, and what stands in these is read as in the header of a message: words, raw octets by
//! the charset that the texts beside the report name. What is ASCII stays ASCII, since the type of the part promises it;
//! what is raw becomes UTF-8, where the profile has UTF-8 in words or raw, and else what it becomes in a header. So a
//! program that splits `Diagnostic-Code: smtp; 550 …` finds its parts where they were.
//!
//! Each field is planned by itself, and one that can't be read stays, with a reason. A report of RFC 6533 that must go to
//! ASCII is planned in `report.rs`.

use super::report_type::is_made_of_fields;
use crate::coding::evidence::{Because, Neighbour, Neighbours};
use crate::coding::transfer::TransferEncoding;
use crate::edit::EditList;
use crate::message::adds_no_boundary;
use crate::message::irregular::Form;
use crate::message::{Field, Limits, LineEnd, Message, Part, says_what_a_body_is};
use crate::rewrite::body_plan::BodyPlan;
use crate::rewrite::header::{self, FieldPlan};
use crate::rewrite::survey::evidence::Evidence;
use crate::rewrite::survey::evidence::beside::Beside;
use crate::rewrite::{Addresses, Change, HeaderForm, Outcome, Profile, Reason, Transfer};

/// Plans the fields of a report, each by itself. None where a part is no report, the profile keeps headers, or nothing in it
/// can need a change.
pub(super) fn plan(message: &Message, part: &Part, profile: &Profile, beside: Beside) -> Option<BodyPlan> {
    if !is_made_of_fields(part) || profile.headers == HeaderForm::Keep {
        return None;
    }
    let raw = message.slice(part.body);
    if !part.transfer.is_identity() {
        return why_encoded_stays(message, part).map(BodyPlan::left);
    }
    if header::is_plain(raw, profile) {
        return None;
    }
    let line_end = message.line_end_at(part.body.start);
    let whole = read(raw, profile, line_end);
    let evidence = Evidence::of(&whole, profile);
    let named = neighbours_of_fields(message, part, profile, beside);
    let fields = ReportFields {
        of_raw: &for_raw_fields(profile),
        of_ascii: &for_ascii_fields(profile),
        downgrades: profile.downgrades() && profile.transfer == Transfer::SevenBit,
        line_end,
        beside: Beside { named, elsewhere: Some(&evidence), ..Beside::default() },
    };
    let planned = fields.plan_blocks(raw);
    let delimiters = message.delimiters_around(part);
    match delimiters.iter().all(|delimiter| adds_no_boundary(raw, &planned.body, delimiter)) {
        true => Some(planned.into_plan(part, profile)),
        false => Some(BodyPlan::left(Reason::Control)),
    }
}

/// Returns the charsets that are named for raw octets in the fields of a part, first heard first: by its own label, if that
/// names one that keeps ASCII (fields are found in ASCII), and then by the texts beside it.
pub(super) fn neighbours_of_fields(message: &Message, part: &Part, profile: &Profile, beside: Beside) -> Neighbours {
    let label = part.content_type.parameter(message.raw(), "charset");
    let own = label.and_then(|label| profile.labels.find(&label)).filter(|charset| charset.keeps_ascii());
    let mut named = Neighbours::default();
    // Its own label is over these very octets.
    named[0] = own.map(|charset| Neighbour { charset, because: Because::Part, has_testified: true });
    Beside { named, ..Beside::default() }.with_further(beside.neighbours()).named
}

/// Returns why a report in a transfer encoding stays, if it has octets that are no UTF-8: none may have one (RFC 2045 §6.4)
/// but those of RFC 6533, which are UTF-8.
fn why_encoded_stays(message: &Message, part: &Part) -> Option<Reason> {
    let octets = crate::rewrite::survey::reading::decoded(message, part).ok()?;
    str::from_utf8(&octets).is_err().then_some(Reason::Irregular(Form::CompositeEncoded))
}

/// Returns the profile by which fields with raw octets are planned: what is raw stays raw where it may be, for a body may
/// be so where a header may not.
fn for_raw_fields(profile: &Profile) -> Profile {
    let headers = match profile.headers {
        other if profile.transfer == Transfer::SevenBit => other,
        HeaderForm::Utf8Words => HeaderForm::Utf8,
        HeaderForm::Words => HeaderForm::Keep,
        other => other,
    };
    Profile { headers, addresses: Addresses::Keep, ..profile.clone() }
}

/// Returns the profile by which fields in ASCII are planned, which stay ASCII.
fn for_ascii_fields(profile: &Profile) -> Profile {
    let headers = if profile.headers == HeaderForm::Utf8 { HeaderForm::Utf8Words } else { profile.headers };
    Profile { headers, addresses: Addresses::Keep, ..profile.clone() }
}

/// Reads a block of fields that stands alone; its line end is that of the message around it.
fn read<'a>(raw: &'a [u8], profile: &Profile, line_end: LineEnd) -> Message<'a> {
    let limits = Limits { message_bytes: usize::MAX, ..profile.limits };
    Message::read(raw, &limits).with_line_end(line_end)
}

/// Adds the changes that are not in the list yet.
pub(super) fn add_new(changes: &mut Vec<Change>, more: Vec<Change>) {
    for change in more {
        if !changes.contains(&change) {
            changes.push(change);
        }
    }
}

/// By what the fields of a report are planned.
struct ReportFields<'r> {
    of_raw: &'r Profile,
    of_ascii: &'r Profile,
    /// Whether hosts and addresses that name their type go to ASCII.
    downgrades: bool,
    line_end: LineEnd,
    beside: Beside<'r>,
}

/// What becomes of a report.
#[derive(Default)]
struct PlannedReport {
    /// The new body.
    body: Vec<u8>,
    /// What was done, each change once.
    changes: Vec<Change>,
    /// What else there is to say, each thing once.
    others: Vec<Outcome>,
}

impl ReportFields<'_> {
    /// Plans blocks of fields with empty lines between them.
    fn plan_blocks(&self, raw: &[u8]) -> PlannedReport {
        let mut planned = PlannedReport::default();
        let mut start = 0;
        let mut end = 0;
        for line in raw.split_inclusive(|octet| *octet == b'\n') {
            end += line.len();
            if line.trim_ascii().is_empty() || end == raw.len() {
                self.plan_block(raw.get(start..end).unwrap_or_default(), &mut planned);
                start = end;
            }
        }
        planned
    }

    /// Plans the fields of one block, and adds it to what is planned. What stands between fields stays as it is.
    fn plan_block(&self, raw: &[u8], planned: &mut PlannedReport) {
        if header::is_plain(raw, self.of_ascii) {
            return planned.body.extend(raw);
        }
        let message = read(raw, self.of_ascii, self.line_end);
        let mut edits = EditList::new();
        for field in message.parts().first().map(|root| message.fields(root)).unwrap_or_default() {
            let plan = self.plan_field(&message, field);
            if edits.extend(plan.edits).is_err() {
                planned.add(Outcome::Left(Reason::Internal("two changes of the same octets of a report")));
            }
            plan.outcomes.into_iter().for_each(|outcome| planned.add(outcome));
        }
        planned.body.extend(edits.apply(raw));
    }

    /// Plans one field; the plan leaves it where its new value would be beyond a limit. Where all must be ASCII, a host or
    /// an address gets its own form. What a field says of a body is of no body here.
    fn plan_field(&self, message: &Message, field: &Field) -> FieldPlan {
        if says_what_a_body_is(message.slice(field.name)) {
            return FieldPlan::default();
        }
        let value = message.slice(field.value);
        let profile = if value.is_ascii() { self.of_ascii } else { self.of_raw };
        if self.downgrades
            && let Some((at, to, change)) = header::own_ascii_form(value)
        {
            let mut plan = FieldPlan { outcomes: vec![Outcome::Done(vec![change])], ..FieldPlan::default() };
            let is_written = plan.edits.push(field.value.within(at), to).is_ok();
            return if is_written { plan } else { FieldPlan::default() };
        }
        let plan = header::plan_field_beside(message, profile, field, &[], self.beside);
        let after = plan.edits.apply_within(message.raw(), field.value);
        match profile.limits.reached_by_field(&after, 0) {
            Some(limit) if !plan.edits.is_empty() => FieldPlan::left(Reason::Limit(limit)),
            _ => plan,
        }
    }
}

impl PlannedReport {
    /// Adds what there is to say of a field.
    fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Done(changes) => add_new(&mut self.changes, changes),
            other if self.others.contains(&other) => {}
            other => self.others.push(other),
        }
    }

    /// Makes the plan of a body, which is new if anything changed. Octets that stay for no reason that a field has stand
    /// where no text is.
    fn into_plan(mut self, part: &Part, profile: &Profile) -> BodyPlan {
        let is_seven_bit = profile.transfer == Transfer::SevenBit;
        let is_left = self.others.iter().any(|outcome| matches!(outcome, Outcome::Left(_)));
        let is_fine = match profile.headers {
            _ if is_seven_bit => self.body.is_ascii(),
            HeaderForm::Words => true,
            _ => str::from_utf8(&self.body).is_ok(),
        };
        if !is_fine && !is_left {
            self.others.push(Outcome::Left(Reason::Stray));
        }
        let is_ascii = self.body.is_ascii();
        let mut plan = BodyPlan { outcomes: self.others, ..BodyPlan::default() };
        if !self.changes.is_empty() {
            plan.body = Some(self.body);
            plan.outcomes.insert(0, Outcome::Done(self.changes));
            if is_seven_bit && is_ascii && part.transfer != TransferEncoding::SevenBit {
                plan.name_transfer(&part.transfer, TransferEncoding::SevenBit);
            }
        }
        plan
    }
}
