//! DKIM2: a change that the receiver can undo (draft-ietf-dkim-dkim2-spec-08).
//!
//! Who changes a message that was signed by DKIM2 adds a field Message-Instance: the hashes of what the message is now,
//! and a recipe that makes of it what it was, so that the author's signature can still be verified. The field is not
//! signed by itself; a signer behind septet covers it. So it takes no key and no DNS, and is a function of the message
//! and the plan.
//!
//! It is the last step of a plan: an insertion before the first field, of one field. What is written is read again
//! before it leaves ([`leads_back`]): the recipe, applied to the changed message, must give the hashes of the message
//! that came. What can't be undone is left whole, for one of a few reasons ([`Dkim2Refusal`]).
//!
//! | file | what |
//! |---|---|
//! | [`state`] | a message as DKIM2 sees it, and its two hashes |
//! | [`instance`] | the field: its numbers, hashes and recipe, read and written |
//! | [`recipe`] | the steps, written and read |
//! | [`difference`], [`lines`] | the recipe of a change, out of its edits |
//! | [`undo`] | the recipe applied |
//!
//! **Limits**: 50 instances; a field of `dkim2_field` octets. All is linear in the message and its fields.

mod difference;
pub mod instance;
mod lines;
mod recipe;
mod refusal;
pub mod state;
pub mod undo;

pub use refusal::Dkim2Refusal;

use self::difference::Revision;
use self::instance::{Instance, InstanceChain};
use self::state::{MessageState, StateHashes};
use super::ensure::ensure;
use super::step::{Step, StepScope};
use super::{Change, Dkim2, Note, Outcome, Place, Plan, Profile, Reason, Report};
use crate::edit::{EditList, Span};
use crate::message::grammar::authentication::signed_fields;
use crate::message::{FieldNames, Message, PartNumber};

/// The field that makes a message one of DKIM2.
const SIGNATURE: FieldNames = FieldNames::of("DKIM2-Signature");

/// Why a plan fails whose own recipe does not lead back.
const ASTRAY: &str = "a Message-Instance that does not lead back";

/// Returns `true` if a message was signed by DKIM2.
pub(super) fn is_signed(message: &Message) -> bool {
    let root = message.parts().first();
    root.is_some_and(|root| message.fields(root).iter().any(|field| field.is_one_of(SIGNATURE)))
}

/// Adds to the plan of a message that was signed by DKIM2, and is changed, the instance that undoes it, where the
/// profile wants one and anything is changed that is hashed; or leaves the message, and says why. Where the profile
/// wants none, it is noted that the signature breaks, if anything is changed that is hashed or a header can't be read.
pub(super) fn concluded(raw: &[u8], mut plan: Plan, profile: &Profile) -> Plan {
    let result = plan.edits.apply(raw);
    let revision = Revision::read(raw, &plan.edits, &result);
    if profile.dkim2 == Dkim2::Off {
        let breaks = revision.as_ref().map_or(true, |it| it.before.hashes() != it.after.hashes());
        note_if(breaks, "dkim2", &mut plan.report);
        return plan;
    }
    match revision.map_err(Reason::Dkim2).and_then(|revision| made(&revision, profile)) {
        Ok(None) => plan,
        Ok(Some(instance)) => plan.then(&result, instance),
        Err(reason) => plan.given_up(reason, |outcome| !matches!(outcome, Outcome::Done(_))),
    }
}

/// Makes the plan that adds the instance of a change to its result; none where what is hashed stays.
fn made(revision: &Revision, profile: &Profile) -> Result<Option<Plan>, Reason> {
    let Revision { before, after, .. } = revision;
    let (was, is) = (before.hashes(), after.hashes());
    if was == is {
        return Ok(None);
    }
    let (number, recipe) = number_and_recipe(revision, &was, was.body != is.body, profile).map_err(Reason::Dkim2)?;
    let sent = instance::written(number, &is, &recipe);
    ensure(sent.len() <= profile.dkim2_field, Reason::Dkim2(Dkim2Refusal::Size))?;
    let field = sent.replace("\r\n", before.line_end.as_str());
    ensure(leads_back(field.as_bytes(), after.clone(), &was), Reason::Unproved(ASTRAY))?;
    let change = Change::Instance { number, octets: sent.len() };
    let mut report = Report::default();
    report.push(PartNumber::root(), Place::Message, Outcome::Done(vec![change]));
    note_if(breaks_dkim(before, &recipe), "dkim", &mut report);
    let mut edits = EditList::new();
    // A list without an edit takes any.
    let _ = edits.push(Span::empty(0), field);
    Ok(Some(Plan { edits, report, steps: vec![Step::new(StepScope::Instance)], ..Plan::default() }))
}

/// Returns the number of a new instance, and its recipe; the error is the first reason for which what is written could
/// not be undone, or would not be taken. `was` are the hashes of the state before: the top instance must agree with
/// them, unless it has no SHA-256 and can't be compared.
fn number_and_recipe(
    revision: &Revision,
    was: &StateHashes,
    body_changes: bool,
    profile: &Profile,
) -> Result<(usize, recipe::Recipe), Dkim2Refusal> {
    let InstanceChain { instances, .. } = InstanceChain::read(&revision.before)?;
    let top = instances.last().ok_or(Dkim2Refusal::Malformed)?;
    ensure(!revision.has_other_line_ends(), Dkim2Refusal::LineEnds)?;
    ensure(top.agrees(was) != Some(false), Dkim2Refusal::Mismatch)?;
    ensure(instances.len() < instance::MOST, Dkim2Refusal::Length)?;
    let recipe = revision.recipe(body_changes, profile.dkim2_field)?;
    ensure(!recipe.header.contains_key("from"), Dkim2Refusal::From)?;
    Ok((top.number + 1, recipe))
}

/// Returns `true` if a field, put before the first one of a state, is an instance that leads back to a state of these
/// hashes, and has those of the state that it stands in. It must be one field, with a line end as the state's and
/// nothing behind that: an empty line would end the header there.
fn leads_back<'m>(field: &'m [u8], mut state: MessageState<'m>, was: &StateHashes) -> bool {
    let Ok(MessageState { fields, .. }) = MessageState::read(field) else { return false };
    let [instance] = &fields[..] else { return false };
    if field.strip_suffix(state.line_end.as_bytes()) != Some(&*instance.line) {
        return false;
    }
    let is_last = Instance::read(instance.value()).is_some_and(|it| it.agrees(&state.hashes()) == Some(true));
    state.fields.insert(0, instance.clone());
    let chain = InstanceChain::read(&state);
    let before = chain.and_then(|chain| undo::undone(&state, &chain).map_err(|_| Dkim2Refusal::Malformed));
    is_last && before.is_ok_and(|before| before.hashes() == *was)
}

/// Proves the step that adds an instance: one field before all others, which leads back from the message so far to the
/// one that came.
pub(super) fn prove(came: &[u8], so_far: &[u8], edits: &EditList) -> Result<(), &'static str> {
    let states = [came, so_far].map(MessageState::read);
    let is_right = match (edits.as_slice(), states) {
        ([edit], [Ok(came), Ok(so_far)]) if edit.at == Span::empty(0) => leads_back(&edit.with, so_far, &came.hashes()),
        _ => false,
    };
    ensure(is_right, ASTRAY)
}

/// Returns `true` if a change breaks a signature of DKIM, of the kind before DKIM2. Of fields that DKIM2 leaves out of
/// its hash the recipe says nothing, so that a change of them is not seen here.
fn breaks_dkim(before: &MessageState, recipe: &recipe::Recipe) -> bool {
    let signatures = before.fields.iter().filter(|field| field.name == "dkim-signature");
    let mut covered = signatures.map(|field| signed_fields(field.value()));
    covered.any(|names| {
        recipe.body.is_some()
            || names.iter().any(|name| str::from_utf8(name).is_ok_and(|name| recipe.header.contains_key(name)))
    })
}

/// Notes that signatures of a kind break, if they do.
fn note_if(breaks: bool, kind: &'static str, report: &mut Report) {
    if breaks {
        report.push(PartNumber::root(), Place::Message, Outcome::Noted(Note::Breaks(kind)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Behind an empty line, or another field, the recipe would lead back, too, but the result is another message.
    #[test]
    fn an_instance_is_one_field_and_nothing_else() {
        let text = "From: a@example.org\nSubject: x\n\ncaf\u{E9}\n";
        let hashes = MessageState::read(text.as_bytes()).map(|state| state.hashes()).expect("a state");
        let first = instance::written(1, &hashes, &recipe::Recipe::default()).replace("\r\n", "\n");
        let raw = first + text;
        let mut edits = EditList::new();
        edits.push(Span::new(raw.len() - 3, raw.len() - 1), "e").expect("one edit");
        let result = edits.apply(raw.as_bytes());
        let revision = Revision::read(raw.as_bytes(), &edits, &result).expect("two states");
        let made = made(&revision, &Profile::default()).expect("a recipe").expect("a change");
        let proved = |with: &[u8]| {
            let mut edits = EditList::new();
            edits.push(Span::empty(0), with).expect("one edit");
            prove(raw.as_bytes(), &result, &edits)
        };
        let field = &*made.edits.as_slice()[0].with;
        assert_eq!(proved(field), Ok(()));
        let in_crlf = String::from_utf8_lossy(field).replace('\n', "\r\n");
        for with in [[field, b"\n"].concat(), [field, b"Foo: x\n"].concat(), in_crlf.into_bytes()] {
            assert_eq!(proved(&with), Err(ASTRAY), "{}", String::from_utf8_lossy(&with));
        }
    }
}
