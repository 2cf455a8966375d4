//! DECIDE: a profile and a message give a plan, by way of five values.
//!
//! ```text
//! Survey     what is there                                  survey/
//! Wishes     what could be written in each place            wish/, body/, header/
//! Decisions  what is left when all rules have struck        agree/
//! edits      what carries the decisions out                 write/, canonical/
//! Plan       the edits and the report, checked              proof/, second_reader/
//! ```
//!
//! Each is a function of those before it, and none is changed by those behind it. A wish is a function of one place and
//! the survey, and a rule does nothing but strike wishes, so that their order is nobody's business. What is protected
//! is wished for like everything else and then struck: so the report says `left=protected(signed)` just where something
//! would have changed, and says nothing of signed parts that are fine as they are.

mod agree;
mod body;
mod body_plan;
mod canonical;
mod check;
mod chosen_places;
mod conformance;
mod cost;
mod decision;
mod defect_action;
pub mod dkim2;
mod ensure;
mod fixes;
pub mod header;
pub mod links;
mod needs;
mod octet_sum;
mod ordinals;
mod plan;
mod profile;
mod proof;
mod report;
mod second_reader;
mod stability;
mod step;
mod survey;
mod wish;
mod write;

pub use check::{CheckError, check};
pub use conformance::Arrival;
pub use cost::{most_planning_memory, planning_memory, reading_memory};
pub use decision::{DecidedPlace, Decision};
pub use needs::{Needs, needs};
pub use plan::{OtherMessageError, Plan};
pub use profile::{
    Addresses, Attachments, BodyCharset, Dkim, Dkim2, DoubleEncoded, EscapeForm, FileNames, HeaderForm, HostForm,
    InText, Iris, LabelTable, Language, NextHopExtensions, OnLoss, Profile, Repair, Schemeless, Signed, Transfer,
    Unlabelled,
};
pub use report::{
    BodyLabel, Change, Entry, EntryLine, Explanation, Note, Outcome, Place, Reason, Report, Safe, change_code,
    label_and_charset,
};
pub(crate) use survey::evidence::Evidence;
pub use survey::evidence::beside::Beside;
pub use survey::reading::is_shown_text;

pub use crate::coding::charset::Labels;
pub use crate::message::{DefectKind, Limits};

pub use defect_action::{Conformance, DefectAction, why_not_fixed};

use crate::message::irregular::Form;
use crate::message::{LimitReached, Message, has_lines_of_returns};
use agree::agree;
use chosen_places::{ALL_PLACES, Choice};
use fixes::Fixes;
use octet_sum::OctetSum;
use stability::{UNSETTLED, fix_once_more, is_stable};
use step::StepScope;
use survey::Survey;
use survey::gate::Gate;
use wish::Wishes;
use wish::work::Work;
use write::Writer;

/// Plans what a profile makes of a message; total and pure: every input gives a plan. Of its arrival nothing is known,
/// so a Date is made only of a Received.
///
/// A plan that changes anything is proved before it is given ([`proof`]). Limits are the profile's: a message of more
/// octets, or with a header of more octets or fields, gets an empty list of edits and one report entry (none where the
/// profile can change nothing); beyond any other limit only what is beyond it stays.
pub fn plan(raw: &[u8], profile: &Profile) -> Plan {
    let plan = plan_arrived(raw, profile, &Arrival::default());
    let of = (!plan.edits.is_empty()).then(|| OctetSum::of(raw));
    Plan { of, ..plan }
}

/// Plans what a profile makes of a message of whose arrival something is known: what a missing Date or Message-ID is
/// made of.
///
/// Defects are fixed first, where the profile wants that, and the fixed message is converted. The plan has no sum of
/// the message, so that [`Plan::apply`] can hardly tell another one.
///
/// ```
/// use septet::Profile;
/// use septet::message::DefectKind;
/// use septet::rewrite::{Arrival, DefectAction, plan_arrived};
///
/// let mut profile = Profile::keep();
/// profile.conformance.set(DefectKind::MissingDate, DefectAction::Fix);
/// let mut arrival = Arrival::default();
/// arrival.clock = Some(0);
/// let raw = b"Subject: hello\n\nbody\n";
/// let plan = plan_arrived(raw, &profile, &arrival);
/// assert_eq!(plan.edits.apply(raw), b"Subject: hello\nDate: Thu, 01 Jan 1970 00:00:00 -0000\n\nbody\n");
/// assert_eq!(plan.report.to_string(), "field=Date fixed=missing-date added=Date");
/// ```
pub fn plan_arrived(raw: &[u8], profile: &Profile, arrival: &Arrival) -> Plan {
    let plan = plan_chosen(raw, profile, arrival, &ALL_PLACES);
    Plan { arrival: profile.conformance.fixes().then(|| Box::new(arrival.clone())), ..plan }
}

/// Plans what [`plan_arrived`] does, in the places of a choice alone. What fixes defects is not chosen. The caller puts
/// the choice and the arrival into the plan. Limits are asked before anything is planned, but not of a profile that can
/// change nothing: its plan is empty.
fn plan_chosen(raw: &[u8], profile: &Profile, arrival: &Arrival, choice: &Choice) -> Plan {
    if profile.is_identity() {
        return Plan::default();
    }
    let message = Message::read(raw, &profile.limits);
    if let Some(limit) = beyond_a_limit(&message) {
        return Plan::left(Reason::Limit(limit));
    }
    // What is a header, a label and a text to some readers is one field to others.
    if has_lines_of_returns(raw) {
        return Plan::left(Reason::Irregular(Form::FieldLineEnd));
    }
    let planned = plan_read(&message, profile, arrival, choice);
    // What does not change needs not even a look at the names of its fields.
    let is_concerned = !planned.edits.is_empty() && dkim2::is_signed(&message);
    if is_concerned { dkim2::concluded(raw, planned, profile) } else { planned }
}

/// Plans the fixes and the conversion of a message that is within its limits. Defects are looked for, and reported,
/// also where none is to be fixed but one to be refused.
fn plan_read(message: &Message, profile: &Profile, arrival: &Arrival, choice: &Choice) -> Plan {
    let raw = message.raw();
    if profile.conformance.is_keep() {
        return convert(message, profile, choice);
    }
    let (fixes, octets) = conformance::plan(message, profile, arrival);
    let report = fixes.report.clone();
    let planned = then_convert(fixes, &octets, profile, choice);
    // Where nothing changes, or no defect is set to be fixed, a second run would find what this one found.
    if planned.edits.is_empty() || !profile.conformance.fixes() {
        return planned;
    }
    // With no end in sight nothing is fixed, and the message is converted as it came.
    fix_once_more(planned, raw, profile, arrival, choice)
        .unwrap_or_else(|| then_convert(conformance::reverted(report, UNSETTLED), raw, profile, choice))
}

/// Returns the limit beyond which nothing of a message is changed, if it reaches one. Planning a message and checking a
/// plan both ask this first.
fn beyond_a_limit(message: &Message) -> Option<LimitReached> {
    // Nobody knows what a header beyond its limit says of the rest; any other limit of a part keeps that part alone.
    let limits = message.parts().iter().filter_map(|part| part.limit);
    let mut of_headers = limits.filter(|limit| matches!(limit, LimitReached::HeaderBytes(_) | LimitReached::Fields(_)));
    message.limit().or_else(|| of_headers.next())
}

/// Adds to `fixes` the conversion of `fixed`, the message as they leave it, if the profile converts anything. The limit
/// of a message's octets is not asked again, since fixes may have made it longer: that is asked once, of what came. A
/// header that they made longer than its limit is not converted.
fn then_convert(fixes: Plan, fixed: &[u8], profile: &Profile, choice: &Choice) -> Plan {
    if !profile.converts() {
        return fixes;
    }
    let message = Message::read(fixed, &profile.limits.of_any_size());
    let converted = match beyond_a_limit(&message) {
        Some(limit) => Plan::left(Reason::Limit(limit)),
        None => convert(&message, profile, choice),
    };
    fixes.then(fixed, converted)
}

/// Plans the conversion of a message; one that does not prove right, or of which a second run would change more,
/// becomes a plan that leaves the message, and says why. The message must be within its limits.
fn convert(message: &Message, profile: &Profile, choice: &Choice) -> Plan {
    let evidence = Evidence::of(message, profile);
    let survey = Survey { choice, ..Survey::of(&evidence, StepScope::Whole) };
    match write_decided(&survey).finish_and_prove(Fixes::default()) {
        // What is not chosen would change in a second run, of course.
        (plan, None) if *choice != ALL_PLACES || is_stable(message.raw(), &plan, profile) => plan,
        // Of what it says else, changes and notes go.
        (plan, None) => plan.given_up(Reason::Unstable, Outcome::is_left),
        (_, Some(what)) => Plan::left(why_readers_differ(what, message).unwrap_or(Reason::Unproved(what))),
    }
}

/// Decides what becomes of each place of a message, by what is wished for and all rules agree to, and writes that. The
/// edits are not proved yet, and may overlap ([`Writer::finish_and_prove`]). Reports and second runs (`body/report.rs`,
/// `stability.rs`) decide by this as a conversion does, or they would find what that does not.
fn write_decided<'s, 'm, 'a>(survey: &'s Survey<'m, 'a>) -> Writer<'s, 'm, 'a> {
    let mut wishes = wish(survey);
    agree(survey, &mut wishes);
    let bodies = survey.message.parts().iter().zip(wishes.bodies);
    let decided = bodies.map(|(part, wish)| wish::body::decided(survey, part, wish)).collect();
    let mut writer = Writer::new(survey, decided);
    writer.write(wishes.fields);
    writer
}

/// Wishes for what the profile wants of each place of a message. All bodies come before the first header, which is
/// asked to name the charset of its body; headers come in the order of parts, by which their wishes are found again.
fn wish<'m>(survey: &Survey<'m, '_>) -> Wishes<'m> {
    let mut work = Work::of(survey.profile);
    let bodies = wish::body::of_message(survey, &mut work);
    let headers = bodies.iter().enumerate();
    let fields = headers.map(|(index, body)| wish::field::of_header(survey, index, body, &mut work)).collect();
    Wishes { bodies, fields }
}

/// Returns the irregular form of a message that explains a failed proof, if the failure is that readers see other
/// parts. It is the mail's doing then: such a message changes in its own header alone, and some readers differ even so.
/// None where no form keeps its parts.
fn why_readers_differ(what: &str, message: &Message) -> Option<Reason> {
    let are_other = what == second_reader::OTHER_PARTS;
    are_other.then(|| Gate::of(message).form_that_keeps_parts()).flatten().map(Reason::Irregular)
}
