//! Bodies that are made of fields: the machine parts of reports (`message/delivery-status`, `message/feedback-report`
//! and their kin), and headers of messages that came back.
//!
//! What stands in their fields is read as in the header of a message: words, raw octets by the charset that the texts
//! beside the report name. What is ASCII stays ASCII, since the type of the part promises it; what is raw in a report
//! becomes UTF-8, where the profile has UTF-8 in words or raw, and else what it becomes in a header. So a program that
//! splits `Diagnostic-Code: smtp; 550 …` finds its parts where they were. Each field is planned by itself, and one that
//! can't be read stays, with a reason; so do addresses, and what has no place for encoded-words.
//!
//! A report of RFC 6533 that must go over a transport without SMTPUTF8 becomes its twin in ASCII ([`twin`]) as a whole
//! (RFC 6533 §4, §5, §6): an address of the type `utf-8` is written in its 7-bit form there, a host by its A-labels,
//! and any other text in encoded-words (RFC 3464 §2.1). Headers that were returned are downgraded as those of a message
//! are. Where one field can't, all of it stays. A report that is carried in base64 or quoted-printable goes over any
//! transport as it is, and stays.

use super::report_type::{is_made_of_fields, twin};
use crate::coding::evidence::{Because, Neighbour, Neighbours};
use crate::coding::transfer::{LONGEST_LINE, TransferEncoding};
use crate::edit::{EditList, Span};
use crate::message::irregular::Form;
use crate::message::{Field, LineEnd, Message, longest_line, says_what_a_body_is};
use crate::rewrite::body_plan::BodyPlan;
use crate::rewrite::ensure::ensure;
use crate::rewrite::fixes::Fixes;
use crate::rewrite::header::{self, Downgrade, FieldPlan, HeaderPlanner, changes_once, each_once};
use crate::rewrite::step::StepScope;
use crate::rewrite::survey::Survey;
use crate::rewrite::survey::body::Body;
use crate::rewrite::survey::evidence::Evidence;
use crate::rewrite::survey::evidence::beside::Beside;
use crate::rewrite::survey::reading::decoded;
use crate::rewrite::{Addresses, Change, HeaderForm, Outcome, Profile, Reason, Transfer, write_decided};

/// Plans a body that is made of fields. None where it is not made of any, where nothing in it can need a change, and
/// for a report where the profile keeps headers (links in a header that came back become URIs even so). The error says
/// why all of it stays. Whether it is to become its twin is asked first: then all of it must be ASCII, whatever else
/// the profile wants.
pub(super) fn plan(body: &Body) -> Option<Result<BodyPlan, Reason>> {
    let Body { message, part, profile, raw, .. } = *body;
    if let Some((sub, twin)) = twin(message, part, profile) {
        return Some(ReportBody::of(body, profile).become_twin(sub, twin));
    }
    let is_returned = part.content_type.is("text", "rfc822-headers");
    let is_report = is_made_of_fields(part) && profile.headers != HeaderForm::Keep;
    if is_report && !part.transfer.is_identity() {
        return why_encoded_stays(body).map(Err);
    }
    if !(is_returned && part.transfer.is_identity() || is_report) || header::is_plain(raw, profile) {
        return None;
    }
    let profile = &for_ascii_fields(profile);
    let report = ReportBody::of(body, profile);
    Some(if is_returned { report.plan_header().into_body_plan(body) } else { report.plan_fields() })
}

/// Returns why a report in a transfer encoding stays, if it has octets that are no UTF-8: none may have one (RFC 2045
/// §6.4) but those of RFC 6533, which are UTF-8. None where it is UTF-8, or its encoding is unknown: it is planned as
/// any other body then.
fn why_encoded_stays(body: &Body) -> Option<Reason> {
    let octets = decoded(body.message, body.part).ok()?;
    str::from_utf8(&octets).is_err().then_some(Reason::Irregular(Form::CompositeEncoded))
}

/// The most changes, and the most of other things, that are said of one body: each is compared with all of them.
const MANY: usize = 64;

/// A body that is made of fields.
struct ReportBody<'r> {
    body: &'r Body<'r>,
    /// What fields in ASCII are planned by ([`for_ascii_fields`]); those with raw octets by [`for_raw_fields`]. A twin
    /// is planned by that of the body.
    profile: &'r Profile,
    /// That of the message, for a body or a block that is one line may have none.
    line_end: LineEnd,
    /// What stands beside its fields: the charsets that are named around it for raw octets in them.
    beside: Beside<'r>,
}

impl<'r> ReportBody<'r> {
    /// Begins to plan a body. The charsets that are named for raw octets in it are, first heard first, that of its own
    /// label, if it keeps ASCII (fields are found in ASCII), and then those of the texts beside it.
    fn of(body: &'r Body<'r>, profile: &'r Profile) -> ReportBody<'r> {
        let own = body.charset().filter(|charset| charset.keeps_ascii());
        let mut named = Neighbours::default();
        // Its own label is over these very octets.
        named[0] = own.map(|charset| Neighbour { charset, because: Because::Part, has_testified: true });
        let beside = Beside { named, ..Beside::default() }.with_further(body.beside.neighbours());
        ReportBody { body, profile, line_end: body.message.line_end_at(body.part.body.start), beside }
    }

    /// Makes a report its twin: all of it, or the error says why one field can't be. The new body must be ASCII, in
    /// lines that are short enough, since its twin may have no transfer encoding; and its type must be named, or it
    /// would be a report in UTF-8 that has none.
    fn become_twin(&self, sub: &str, twin: &'static str) -> Result<BodyPlan, Reason> {
        let planned = match sub {
            "global-headers" => self.plan_header(),
            _ => self.downgrade_fields(),
        };
        let mut plan = planned.in_ascii()?.into_body_plan(self.body)?;
        plan.name_media(&format!("message/{sub}"), twin);
        self.name_seven_bit(&mut plan);
        Ok(plan)
    }

    /// Writes what is not ASCII in ASCII, and plans the other fields as those of the twin.
    fn downgrade_fields(&self) -> PlannedFields {
        let profile = for_ascii_fields(self.profile);
        let twin = ReportBody { profile: &profile, ..*self };
        self.plan_blocks(|message, field| match message.slice(field.value).is_ascii() {
            true => twin.plan_field(message, field, &profile, self.beside),
            false => self.downgrade_field(message, field),
        })
    }

    /// Writes the value of a field that is not ASCII in ASCII. A field that is left, with a reason, leaves all of the
    /// report (`in_ascii`).
    fn downgrade_field(&self, message: &Message, field: &Field) -> FieldPlan {
        let planner = HeaderPlanner { message, profile: self.profile, beside: self.beside };
        plan_own_form(message, field).unwrap_or_else(|| match planner.downgrade_report_text(field) {
            Ok((with, change)) => of_edit(field.value, with, change),
            Err(reason) => FieldPlan::left(reason),
        })
    }

    /// Plans the fields of a header that stands alone, as far as they can be changed. What stands behind it stays, and
    /// is reported where it may not have 8-bit octets. Where the proof of the fields fails, all of it stays.
    fn plan_header(&self) -> PlannedFields {
        let end = self.read(self.body.raw).parts().first().map_or(0, |root| root.body.start);
        let (header, behind) = self.body.raw.split_at(end);
        let message = self.read(header);
        let evidence = Evidence::of(&message, self.profile);
        let survey = Survey { around: self.beside.named, ..Survey::of(&evidence, StepScope::TopHeader) };
        let (plan, doubt) = write_decided(&survey).finish_and_prove(Fixes::default());
        let mut planned = PlannedFields::default();
        // Nothing is changed then, so that no body is needed.
        if doubt.is_some() {
            planned.others.push(Outcome::Left(Reason::Stray));
            return planned;
        }
        planned.body = plan.edits.apply(self.body.raw);
        plan.report.entries.into_iter().for_each(|entry| planned.add(entry.outcome));
        if self.profile.transfer == Transfer::SevenBit && !behind.is_ascii() {
            planned.add(Outcome::Left(Reason::Stray));
        }
        planned
    }

    /// Plans the fields of a report that keeps its type, each by itself. Octets that stay for no reason that a field
    /// has stand where no text is.
    fn plan_fields(&self) -> Result<BodyPlan, Reason> {
        let profile = self.body.profile;
        let whole = self.read(self.body.raw);
        let evidence = Evidence::of(&whole, profile);
        let beside = Beside { elsewhere: Some(&evidence), ..self.beside };
        let of_raw = for_raw_fields(profile);
        let mut planned = self.plan_blocks(|message, field| self.plan_field(message, field, &of_raw, beside));
        let is_ascii = planned.body.is_ascii();
        // This must agree with `for_raw_fields`, which for `Words` keeps what is raw.
        let is_fine = match profile.headers {
            _ if profile.transfer == Transfer::SevenBit => is_ascii,
            HeaderForm::Words => true,
            _ => str::from_utf8(&planned.body).is_ok(),
        };
        if !is_fine && !planned.others.iter().any(Outcome::is_left) {
            planned.others.push(Outcome::Left(Reason::Stray));
        }
        let mut plan = planned.into_body_plan(self.body)?;
        if plan.body.is_some() && is_ascii {
            self.name_seven_bit(&mut plan);
        }
        Ok(plan)
    }

    /// Plans one field, by `of_raw` if raw octets stand in its value; the plan leaves it where its new value would be
    /// beyond a limit. Where all must be ASCII, a host or an address gets its own form. What a field says of a body is
    /// of no body here.
    fn plan_field(&self, message: &Message, field: &Field, of_raw: &Profile, beside: Beside) -> FieldPlan {
        if says_what_a_body_is(message.slice(field.name)) {
            return FieldPlan::default();
        }
        let value = message.slice(field.value);
        if self.body.profile.downgrades()
            && self.profile.transfer == Transfer::SevenBit
            && let Some(plan) = plan_own_form(message, field)
        {
            return plan;
        }
        let profile = if value.is_ascii() { self.profile } else { of_raw };
        let plan = HeaderPlanner { message, profile, beside }.plan(&header::behind_type(message, field), None);
        let after = plan.edits.apply_within(message.raw(), field.value);
        match profile.limits.reached_by_field(&after, 0) {
            Some(limit) if !plan.edits.is_empty() => FieldPlan::left(Reason::Limit(limit)),
            _ => plan,
        }
    }

    /// Plans blocks of fields with empty lines between them, each field by `plan`, which is not asked of a block that
    /// is plain ([`header::is_plain`]). What stands between fields stays. A block ends with its empty line, which is
    /// copied with it.
    fn plan_blocks(&self, plan: impl Fn(&Message, &Field) -> FieldPlan) -> PlannedFields {
        let mut planned = PlannedFields::default();
        let (mut rest, mut end) = (self.body.raw, 0);
        for line in self.body.raw.split_inclusive(|octet| *octet == b'\n') {
            end += line.len();
            if line.trim_ascii().is_empty() || end == rest.len() {
                let (block, behind) = rest.split_at(end);
                self.plan_block(block, &plan, &mut planned);
                (rest, end) = (behind, 0);
            }
        }
        planned
    }

    /// Plans the fields of one block, and adds it to what is planned. Octets of the block that no field has are copied.
    /// The blocks must come in order and leave nothing out, for what is planned is the new body.
    fn plan_block(&self, raw: &[u8], plan: impl Fn(&Message, &Field) -> FieldPlan, planned: &mut PlannedFields) {
        if header::is_plain(raw, self.profile) {
            return planned.body.extend(raw);
        }
        let message = self.read(raw);
        let mut edits = EditList::new();
        for field in message.parts().first().map(|root| message.fields(root)).unwrap_or_default() {
            let plan = plan(&message, field);
            if edits.extend(plan.edits).is_err() {
                planned.add(Outcome::Left(Reason::Internal("two changes of the same octets of a report")));
            }
            plan.outcomes.into_iter().for_each(|outcome| planned.add(outcome));
        }
        planned.body.extend(edits.apply(raw));
    }

    /// Reads a header, or a block of fields, that stands alone; its line end is that of the message around it. The
    /// limit of a message's octets was asked of that one.
    fn read<'a>(&self, raw: &'a [u8]) -> Message<'a> {
        Message::read(raw, &self.profile.limits.of_any_size()).with_line_end(self.line_end)
    }

    /// Asks the header to say that the body is 7-bit, where the profile wants that and it says something else. The body
    /// must be ASCII by now, and the header not be asked for another transfer encoding.
    fn name_seven_bit(&self, plan: &mut BodyPlan) {
        let says_so = self.body.part.transfer == TransferEncoding::SevenBit;
        if self.profile.transfer == Transfer::SevenBit && !says_so {
            plan.name_transfer(&self.body.part.transfer, TransferEncoding::SevenBit);
        }
    }
}

/// Returns the profile by which the fields of a report are planned that are ASCII. Raw UTF-8 would have to be told by
/// the header of the part, so they stay ASCII.
fn for_ascii_fields(profile: &Profile) -> Profile {
    let headers = if profile.headers == HeaderForm::Utf8 { HeaderForm::Utf8Words } else { profile.headers };
    Profile { headers, addresses: Addresses::Keep, ..profile.clone() }
}

/// Returns the profile by which fields of a report with raw octets are planned: what is raw stays raw where it may be,
/// for a body may be so where a header may not.
fn for_raw_fields(profile: &Profile) -> Profile {
    let may_be_raw = profile.transfer != Transfer::SevenBit;
    let headers = match profile.headers {
        HeaderForm::Utf8Words if may_be_raw => HeaderForm::Utf8,
        HeaderForm::Words if may_be_raw => HeaderForm::Keep,
        other => other,
    };
    Profile { headers, addresses: Addresses::Keep, ..profile.clone() }
}

/// Plans the form in ASCII of a host or an address that names its type; none for any other field.
fn plan_own_form(message: &Message, field: &Field) -> Option<FieldPlan> {
    let Downgrade { at, octets, change, .. } = header::own_ascii_form(message.slice(field.value))?;
    Some(of_edit(field.value.within(at), octets.into_owned(), change))
}

/// Makes the plan of a field that is written otherwise in one place. It has no proof of its own: that what is written
/// means the same is for the caller to know.
fn of_edit(at: Span, with: String, change: Change) -> FieldPlan {
    let mut plan = FieldPlan { outcomes: vec![Outcome::Done(vec![change])], ..FieldPlan::default() };
    // The first edit overlaps none.
    _ = plan.edits.push(at, with);
    plan
}

/// What is planned for the fields of a body.
#[derive(Default)]
struct PlannedFields {
    /// The new body.
    body: Vec<u8>,
    /// What was done.
    changes: Vec<Change>,
    /// What else there is to say.
    others: Vec<Outcome>,
}

impl PlannedFields {
    /// Adds what there is to say of a field.
    fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Done(changes) => self.changes.extend(changes),
            other => self.others.push(other),
        }
    }

    /// Returns what is planned, unless a line is too long or the body is not ASCII: the error is why a field is left
    /// then, or that it stood between fields. A field that is left in a body in ASCII was ASCII before, and does no
    /// harm.
    fn in_ascii(self) -> Result<PlannedFields, Reason> {
        let left = self.others.iter().find_map(Outcome::reason);
        ensure(self.body.is_ascii(), left.cloned().unwrap_or(Reason::Stray))?;
        ensure(longest_line(&self.body) <= LONGEST_LINE, Reason::LongLine)?;
        Ok(self)
    }

    /// Makes the plan of a body, which is new if anything changed. The error says that the new one would hold a
    /// delimiter of a multipart around it: an A-label may (`xn--b`), and a report can't go to base64 for it. Reports
    /// name no field of a body, so each thing is said once, however many fields it is true of, and [`MANY`] at most.
    fn into_body_plan(self, of: &Body) -> Result<BodyPlan, Reason> {
        ensure(of.message.adds_no_delimiter(of.part, of.raw, &self.body), Reason::Control)?;
        let mut plan = BodyPlan { outcomes: each_once(self.others, MANY), ..BodyPlan::default() };
        if !self.changes.is_empty() {
            plan.body = Some(self.body);
            plan.outcomes.insert(0, Outcome::Done(changes_once(self.changes, MANY)));
        }
        Ok(plan)
    }
}
