//! Line ends that are LF alone, in a message whose lines end with CRLF, become CRLF.
//!
//! Every reader that septet proves by, and every MTA that delivers to files, takes such an LF for a line end. So
//! nothing moves by it for them; what differs is what a strict reader would have seen. A body that says `binary` is
//! octets and no lines: it is encoded instead (`body/fixed.rs`), and so is a CR alone.

use super::{Arrival, reverted};
use crate::coding::transfer::TransferEncoding;
use crate::edit::{Edit, EditList, Span};
use crate::message::{DefectKind, Kind, LineEnd, Message, Part, PartNumber, Protection, with_line_ends};
use crate::rewrite::ensure::ensure;
use crate::rewrite::step::{Step, StepScope};
use crate::rewrite::survey::Survey;
use crate::rewrite::{Change, Outcome, Place, Plan, Reason, Signed, second_reader};

/// Plans the line ends of a message, and proves the plan; changes none where the message's own is LF, nor, which is
/// reported, where a signature covers bodies. What does not prove right is taken back. It must be the first step, so
/// that the others read the lines that it makes.
pub(super) fn plan(survey: &Survey, _: &Arrival) -> Plan {
    let message = survey.message;
    let (mut step, whole) = (Plan::default(), Span::new(0, message.raw().len()));
    if message.line_end() != LineEnd::CrLf || lone_feeds(message, whole).is_none() {
        return step;
    }
    if survey.cover.bodies {
        step.report.leave(Reason::Unfixed { defect: DefectKind::BareLineEnd, why: "dkim" });
        return step;
    }
    let mut at = 0;
    for (span, why) in stretches_that_stay(survey).into_iter().chain([(Span::empty(whole.end), None)]) {
        add_returns(message, Span::new(at, span.start), &mut step.edits);
        if let Some(why) = why.filter(|_| lone_feeds(message, span).is_some()) {
            step.report.leave(Reason::Unfixed { defect: DefectKind::BareLineEnd, why });
        }
        at = span.end;
    }
    if step.edits.is_empty() {
        return step;
    }
    let fixed = Change::Fixed { defect: DefectKind::BareLineEnd };
    step.report.push(PartNumber::root(), Place::Message, Outcome::Done(vec![fixed]));
    step.steps.push(Step::new(StepScope::LineEnds));
    match prove(survey, &step.edits) {
        Err(why) => reverted(step.report, why),
        Ok(()) => step,
    }
}

/// Returns the stretches that stay as they are, disjoint and in order, and why: bodies that are signed or encrypted, if
/// the profile keeps these. Binary bodies stay without a reason, for another step encodes them. Between them every LF
/// gets its CR, so that whatever must keep its octets must be among them.
fn stretches_that_stay(survey: &Survey) -> Vec<(Span, Option<&'static str>)> {
    let keeps_signed = survey.profile.signed == Signed::Keep;
    let (mut found, mut end) = (Vec::new(), 0);
    for part in survey.message.parts() {
        let protection = part.protection.or(part.protection_of_children()).filter(|_| keeps_signed);
        let is_binary = part.kind == Kind::Leaf && part.transfer == TransferEncoding::Binary;
        // Parts come in their order, those inside a kept one behind it.
        if (protection.is_some() || is_binary) && part.body.start >= end {
            found.push((part.body, protection.map(Protection::name)));
            end = part.body.end;
        }
    }
    found
}

/// Finds the stretch from the first LF without a CR before it to the last one, both within it; none where there is no
/// such LF. What stands before the span counts: a CR there is that of its first LF.
fn lone_feeds(message: &Message, span: Span) -> Option<Span> {
    let raw = message.raw();
    let feeds = memchr::memchr_iter(b'\n', message.slice(span)).map(|at| span.start + at);
    let mut alone = feeds.filter(|at| !stands_behind_return(raw, *at));
    let first = alone.next()?;
    Some(Span::new(first, alone.next_back().unwrap_or(first) + 1))
}

/// Returns `true` if a CR stands right before a place. `false` at the start.
fn stands_behind_return(raw: &[u8], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| raw.get(before) == Some(&b'\r'))
}

/// Puts a CR before each LF of a stretch that has none, however many they are, in one edit for the message's header and
/// one for its body: of an edit that goes over the end of the header DKIM2 could not tell which lines of the body it
/// changes (`dkim2/difference.rs`).
fn add_returns(message: &Message, span: Span, edits: &mut EditList) {
    let body = message.parts().first().map_or(0, |root| root.body.start).clamp(span.start, span.end);
    for span in [Span::new(span.start, body), Span::new(body, span.end)] {
        if let Some(at) = lone_feeds(message, span) {
            // Stretches are disjoint and in order.
            _ = edits.push(at, with_line_ends(message.slice(at), b"\r\n"));
        }
    }
}

/// Proves that the edits do nothing but add CRs to line ends, none of them in what must stay, and that both readers see
/// the same parts before and after. It is all that [`check`](fn@crate::rewrite::check) asks of such a step, whoever
/// made its edits. The profile must be one that converts nothing, for its limits alone let the message grow.
pub(in crate::rewrite) fn prove(survey: &Survey, edits: &EditList) -> Result<(), &'static str> {
    let before = survey.message;
    let result = edits.apply(before.raw());
    let after = &Message::read(&result, &survey.profile.limits);
    let stays = stretches_that_stay(survey);
    let may_stand = !survey.cover.bodies && !edits.as_slice().iter().any(|edit| is_in_one(edit.at, &stays));
    ensure(may_stand, "an edit in what must stay")?;
    let mut parts = before.parts().iter().zip(after.parts());
    ensure(edits.as_slice().iter().all(|edit| adds_only_returns(edit, before)), "an edit of more than line ends")?;
    ensure(before.parts().len() == after.parts().len(), "the number of parts")?;
    ensure(parts.all(|(old, new)| is_same_but_returns((before, old), (after, new))), "a part")?;
    ensure(second_reader::sees_the_same_parts(before, after), "readers see different parts")
}

/// Returns `true` if a span reaches into one of the stretches that stay, which are disjoint and in order.
fn is_in_one(at: Span, stays: &[(Span, Option<&'static str>)]) -> bool {
    let next = stays.partition_point(|(stay, _)| stay.end <= at.start);
    stays.get(next).is_some_and(|(stay, _)| stay.start < at.end)
}

/// Returns `true` if an edit of a message adds CRs to line ends that had none, and does nothing else. Such edits can't
/// hurt each other, so each is proved by itself.
fn adds_only_returns(edit: &Edit, before: &Message) -> bool {
    !stands_behind_return(before.raw(), edit.at.start) && got_only_returns(before.slice(edit.at), &edit.with)
}

/// Returns `true` if parts of two messages are the same but for CRs in their bodies. They must have the same index:
/// what `facts` tells of the tree goes by that.
fn is_same_but_returns((before, old): (&Message, &Part), (after, new): (&Message, &Part)) -> bool {
    let (old_body, new_body) = (before.slice(old.body), after.slice(new.body));
    facts(old) == facts(new) && without_returns(old_body).eq(without_returns(new_body))
}

/// Returns `true` if `new` is `old` with a CR before each LF that had none, and nothing else. No CR may stand before
/// `old`. It does not ask `with_line_ends`, which wrote `new`: a proof must not believe what it proves.
fn got_only_returns(old: &[u8], new: &[u8]) -> bool {
    let ended = old.split_inclusive(|octet| *octet == b'\n').flat_map(|line| match line.strip_suffix(b"\n") {
        Some(line) => [line.strip_suffix(b"\r").unwrap_or(line), b"\r\n"],
        None => [line, b""],
    });
    ended.flatten().eq(new)
}

/// Returns the octets of a text but its CRs: all that a step of line ends must keep of it.
fn without_returns(text: &[u8]) -> impl Iterator<Item = &u8> {
    text.iter().filter(|octet| **octet != b'\r')
}

/// Returns where a part stands in the tree, and what its header says of it, wherever it lies in the octets. What else
/// decides how a part is read must be added here, or no proof of line ends asks for it.
fn facts(part: &Part) -> impl PartialEq {
    let ty = &part.content_type;
    let place = (part.parent, part.ordinal, part.depth, part.kind, part.protection);
    (place, &ty.main, &ty.sub, ty.validity, &part.boundary, &part.transfer)
}
