//! The reports of RFC 6533: `message/global-delivery-status` and its kin, and what they become without SMTPUTF8.
//!
//! Each has a twin in ASCII (RFC 6533 §4, §5, §6), made of the same fields: an address of the type `utf-8` is written in
//! its 7-bit form there, a host by its A-labels, and any other text in encoded-words (RFC 3464 §2.1). Headers that were
//! returned are downgraded as those of a message are. A report that is carried in base64 or quoted-printable goes over
//! any transport as it is, and stays.
//!
//! The headers of a message that came back in ASCII's `text/rfc822-headers` are planned as fields, too; what becomes of
//! reports that are not downgraded is in `report_fields.rs`.

use super::report_fields::{add_new, neighbours_of_fields};
use super::report_type::twin;
use crate::coding::evidence::Neighbours;
use crate::coding::transfer::TransferEncoding;
use crate::message::adds_no_boundary;
use crate::message::{Limits, LineEnd, Message, Part};
use crate::rewrite::body_plan::BodyPlan;
use crate::rewrite::header_alone::plan_header;
use crate::rewrite::survey::evidence::Evidence;
use crate::rewrite::survey::evidence::beside::Beside;
use crate::rewrite::{Addresses, Change, HeaderForm, LONGEST_LINE, Outcome, Profile, Reason, Transfer, header};

/// Plans a report; none where it is none, or needs nothing. It becomes its twin as a whole: where one field can't, the
/// error says why all of it stays.
pub(super) fn plan(
    message: &Message,
    part: &Part,
    profile: &Profile,
    beside: Beside,
) -> Option<Result<BodyPlan, Reason>> {
    let (sub, twin) = twin(message, part, profile)?;
    let raw = message.slice(part.body);
    let named = neighbours_of_fields(message, part, profile, beside);
    let report = ReportBody { raw, line_end: message.line_end_at(part.body.start), profile, named };
    let written = if *sub == "global-headers" { report.downgrade_header() } else { report.downgrade_blocks() };
    let delimiters = message.delimiters_around(part);
    // An A-label may hold one (`xn--b`), and a report can't go to base64 for it.
    let safe = written.and_then(|(body, changes)| {
        let is_safe = delimiters.iter().all(|delimiter| adds_no_boundary(raw, &body, delimiter));
        if is_safe { Ok((body, changes)) } else { Err(Reason::Control) }
    });
    Some(safe.map(|(body, changes)| {
        let mut plan = BodyPlan { body: Some(body), ..BodyPlan::default() };
        changes.into_iter().for_each(|change| plan.add_change(change));
        plan.name_media(&format!("message/{sub}"), twin);
        if profile.transfer == Transfer::SevenBit && part.transfer != TransferEncoding::SevenBit {
            plan.name_transfer(&part.transfer, TransferEncoding::SevenBit);
        }
        plan
    }))
}

/// Plans the headers of a message that came back (RFC 6522 §4), each field by itself, as those of a message are; but
/// addresses, and what has no place for encoded-words, are not downgraded. None where it is no such part, it has a
/// transfer encoding, or nothing in it can need a change.
pub(super) fn plan_returned(message: &Message, part: &Part, profile: &Profile, beside: Beside) -> Option<BodyPlan> {
    let raw = message.slice(part.body);
    let is_returned = &*part.content_type.main == "text" && &*part.content_type.sub == "rfc822-headers";
    if !is_returned || !part.transfer.is_identity() || header::is_plain(raw, profile) {
        return None;
    }
    // Raw UTF-8 would have to be told by the header of the part, so what is ASCII stays ASCII.
    let headers = match profile.headers {
        HeaderForm::Utf8 => HeaderForm::Utf8Words,
        other => other,
    };
    let profile = &Profile { headers, addresses: Addresses::Keep, ..profile.clone() };
    let named = neighbours_of_fields(message, part, profile, beside);
    let report = ReportBody { raw, line_end: message.line_end_at(part.body.start), profile, named };
    let (body, outcomes) = report.plan_returned_fields();
    let delimiters = message.delimiters_around(part);
    if !delimiters.iter().all(|delimiter| adds_no_boundary(raw, &body, delimiter)) {
        return Some(BodyPlan::left(Reason::Control));
    }
    let changes = outcomes.iter().any(|outcome| matches!(outcome, Outcome::Done(_)));
    Some(BodyPlan { body: changes.then_some(body), outcomes, ..BodyPlan::default() })
}

/// A body in ASCII, and what was done.
type Written = Result<(Vec<u8>, Vec<Change>), Reason>;

/// The body of a report.
struct ReportBody<'r> {
    raw: &'r [u8],
    /// That of the message, for a body or a block that is one line may have none.
    line_end: LineEnd,
    profile: &'r Profile,
    /// The charsets that are named around it for raw octets in its fields.
    named: Neighbours,
}

impl ReportBody<'_> {
    /// Downgrades a header that stands alone: all of it, or the error says why one field can't be.
    fn downgrade_header(&self) -> Written {
        let message = self.read(self.raw);
        let evidence = Evidence::of(&message, self.profile);
        let (plan, doubt) = plan_header(&evidence, self.named);
        if doubt.is_some() {
            return Err(Reason::Stray);
        }
        let mut changes = Vec::new();
        for entry in plan.report.entries {
            match entry.outcome {
                Outcome::Done(done) => add_new(&mut changes, done),
                Outcome::Left(reason) => return Err(reason),
                Outcome::Noted(_) => {}
            }
        }
        checked(plan.edits.apply(self.raw), changes)
    }

    /// Plans the fields of a header that came back, as far as they can be changed; returns the new body, and what was
    /// done in one outcome, before the others, each once.
    fn plan_returned_fields(&self) -> (Vec<u8>, Vec<Outcome>) {
        let message = self.read(self.raw);
        let evidence = Evidence::of(&message, self.profile);
        let (plan, doubt) = plan_header(&evidence, self.named);
        if doubt.is_some() {
            return (self.raw.to_vec(), vec![Outcome::Left(Reason::Stray)]);
        }
        let (mut done, mut others) = (Vec::new(), Vec::new());
        for entry in plan.report.entries {
            match entry.outcome {
                Outcome::Done(changes) => add_new(&mut done, changes),
                other if others.contains(&other) => {}
                other => others.push(other),
            }
        }
        let done = (!done.is_empty()).then_some(Outcome::Done(done));
        (plan.edits.apply(self.raw), done.into_iter().chain(others).collect())
    }

    /// Downgrades blocks of fields with empty lines between them: all of them, or none.
    fn downgrade_blocks(&self) -> Written {
        let (mut body, mut changes) = (Vec::with_capacity(self.raw.len() * 2), Vec::new());
        let mut block = Vec::new();
        for line in self.raw.split_inclusive(|octet| *octet == b'\n') {
            block.extend_from_slice(line);
            if line.trim_ascii().is_empty() {
                self.add_block(&std::mem::take(&mut block), &mut body, &mut changes)?;
            }
        }
        self.add_block(&block, &mut body, &mut changes)?;
        checked(body, changes)
    }

    /// Adds a block of fields, each value that is not ASCII downgraded. On an error `body` has got a part of the block, and
    /// must not be used.
    fn add_block(&self, raw: &[u8], body: &mut Vec<u8>, changes: &mut Vec<Change>) -> Result<(), Reason> {
        let message = self.read(raw);
        let Some(root) = message.parts().first() else { return Ok(()) };
        let mut at = 0;
        for field in message.fields(root) {
            let value = message.slice(field.value);
            if !value.is_ascii() {
                let beside = Beside { named: self.named, ..Beside::default() };
                let (with, change) = header::downgrade_report_value(&message, self.profile, field, beside)?;
                body.extend_from_slice(&raw[at..field.value.start]);
                body.extend_from_slice(with.as_bytes());
                at = field.value.end;
                add_new(changes, vec![change]);
            }
        }
        body.extend_from_slice(&raw[at..]);
        Ok(())
    }

    /// Reads a header, or a block of fields, that stands alone; its line end is that of the message around it.
    fn read<'a>(&self, raw: &'a [u8]) -> Message<'a> {
        let limits = Limits { message_bytes: usize::MAX, ..self.profile.limits };
        Message::read(raw, &limits).with_line_end(self.line_end)
    }
}

/// Returns a new body and its changes, unless a line is too long or the body is not ASCII: what stood between fields
/// was not downgraded.
fn checked(body: Vec<u8>, changes: Vec<Change>) -> Written {
    if !body.is_ascii() {
        Err(Reason::Stray)
    } else if body.split(|octet| *octet == b'\n').any(|line| line.len() > LONGEST_LINE + 1) {
        Err(Reason::LongLine)
    } else {
        Ok((body, changes))
    }
}
