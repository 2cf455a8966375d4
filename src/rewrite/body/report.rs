//! The reports of RFC 6533: `message/global-delivery-status` and its kin, and what they become without SMTPUTF8.
//!
//! Each has a twin in ASCII (RFC 6533 §4, §5, §6), made of the same fields: an address of the type `utf-8` is written in
//! its 7-bit form there, a host by its A-labels, and any other text in encoded-words (RFC 3464 §2.1). Headers that were
//! returned are downgraded as those of a message are. A report that is carried in base64 or quoted-printable goes over
//! any transport as it is, and stays.

use super::BodyPlan;
use super::report_type::twin;
use super::transfer::sets_no_more_free;
use crate::coding::transfer::TransferEncoding;
use crate::message::{Limits, LineEnd, Message, Part};
use crate::rewrite::evidence::Evidence;
use crate::rewrite::planner::Planner;
use crate::rewrite::step::Scope;
use crate::rewrite::{Change, LONGEST_LINE, Outcome, Profile, Reason, Transfer, header};

/// Plans a report; none where it is none, or needs nothing.
pub(super) fn plan(message: &Message, part: &Part, profile: &Profile) -> Option<Result<BodyPlan, Reason>> {
    let (sub, twin) = twin(message, part, profile)?;
    let raw = message.slice(part.body);
    let report = ReportBody { raw, line_end: message.line_end(), profile };
    let written = if *sub == "global-headers" { report.headers() } else { report.blocks() };
    let delimiters = message.delimiters_around(part);
    let is_safe = |body: &[u8]| delimiters.iter().all(|delimiter| sets_no_more_free(raw, body, delimiter));
    // An A-label may hold one (`xn--b`), and a report can't go to base64 for it.
    let written = written.and_then(|done| if is_safe(&done.0) { Ok(done) } else { Err(Reason::Control) });
    Some(written.map(|(body, changes)| {
        let mut plan = BodyPlan { body: Some(body), ..BodyPlan::default() };
        changes.into_iter().for_each(|change| plan.add_change(change));
        plan.name_media(&format!("message/{sub}"), twin);
        if profile.transfer == Transfer::SevenBit && part.transfer != TransferEncoding::SevenBit {
            plan.name_transfer(&part.transfer, TransferEncoding::SevenBit);
        }
        plan
    }))
}

/// A body in ASCII, and what was done.
type Written = Result<(Vec<u8>, Vec<Change>), Reason>;

/// The body of a report.
struct ReportBody<'r> {
    raw: &'r [u8],
    /// That of the message, for a body or a block that is one line may have none.
    line_end: LineEnd,
    profile: &'r Profile,
}

impl ReportBody<'_> {
    /// Downgrades the header of a message that stands alone.
    fn headers(&self) -> Written {
        let message = self.read(self.raw);
        let evidence = Evidence::of(&message, self.profile);
        let (plan, doubt) = Planner::new(&evidence, Scope::TopHeader).proved();
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

    /// Downgrades blocks of fields with empty lines between them.
    fn blocks(&self) -> Written {
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

    fn add_block(&self, raw: &[u8], body: &mut Vec<u8>, changes: &mut Vec<Change>) -> Result<(), Reason> {
        let message = self.read(raw);
        let Some(root) = message.parts().first() else { return Ok(()) };
        let mut at = 0;
        for field in message.fields(root) {
            let value = message.slice(field.value);
            if !value.is_ascii() {
                let (with, change) = header::report_value(&message, self.profile, field)?;
                body.extend_from_slice(&raw[at..field.value.start]);
                body.extend_from_slice(with.as_bytes());
                at = field.value.end;
                add_new(changes, vec![change]);
            }
        }
        body.extend_from_slice(&raw[at..]);
        Ok(())
    }

    /// Reads a header; a message inside is not looked for.
    fn read<'a>(&self, raw: &'a [u8]) -> Message<'a> {
        let limits = Limits { message_bytes: usize::MAX, ..self.profile.limits };
        Message::read(raw, &limits).with_line_end(self.line_end)
    }
}

fn checked(body: Vec<u8>, changes: Vec<Change>) -> Written {
    let is_long = |line: &[u8]| line.len() > LONGEST_LINE + 1;
    match () {
        () if !body.is_ascii() => Err(Reason::Stray),
        () if body.split(|octet| *octet == b'\n').any(is_long) => Err(Reason::LongLine),
        () => Ok((body, changes)),
    }
}

fn add_new(changes: &mut Vec<Change>, more: Vec<Change>) {
    more.into_iter().for_each(|change| {
        if !changes.contains(&change) {
            changes.push(change);
        }
    });
}
