//! A plan as answers want it: what was declined stays, and the report says so.

use std::collections::{BTreeMap, BTreeSet};

use super::answer::YesNo;
use super::rule::changes;
use crate::message::PartNumber;
use crate::rewrite::header::DOWNGRADED;
use crate::rewrite::{Change, DecidedPlace, Decision, Entry, Outcome, Place, Plan, Profile, Reason};

/// Returns `true` if something is done in a place.
pub fn is_change(decision: &Decision) -> bool {
    decision.outcomes.iter().any(|outcome| matches!(outcome, Outcome::Done(_)))
}

/// Returns `true` if a defect is fixed in a place. That can't be taken out of a plan by itself: what else is done was
/// planned of the fixed message.
pub fn is_fix(decision: &Decision) -> bool {
    changes(decision).any(|change| matches!(change, Change::Fixed { .. }))
}

/// Returns the changes of a plan, in their order: the places in which something is done, but for what changes elsewhere
/// ask for. Of these a field comes, or one goes that counts octets; one that goes since it is moved to another field is
/// a change of its own.
pub fn asked_changes(decisions: &[Decision]) -> Vec<&Decision> {
    let places: BTreeSet<(&PartNumber, &Place)> = decisions.iter().map(|it| (&it.at.part, &it.at.place)).collect();
    let is_moved =
        |it: &Decision, field: &str| places.contains(&(&it.at.part, &Place::Field(format!("{DOWNGRADED}{field}"))));
    let is_consequence = |it: &Decision| {
        changes(it).all(|change| match change {
            Change::Added { .. } => true,
            Change::Removed { field } => !is_moved(it, field),
            _ => false,
        })
    };
    decisions.iter().filter(|it| is_change(it) && !is_consequence(it)).collect()
}

/// Makes the plan that does what `plan` does but for what was declined, which its report has as `left=declined`. `said`
/// gives the answer to a change, if there is any; `rest` is that to all others. What follows from declined changes
/// goes with them, and what needs them stays, with its own reason.
///
/// A message of which a fix was declined stays as it is, all of it, and so does one of which everything was. A fix that
/// nobody was asked of goes with the changes that are wanted.
pub fn obey(
    plan: Plan,
    message: &[u8],
    profile: &Profile,
    said: impl Fn(&Decision) -> Option<YesNo>,
    rest: YesNo,
) -> Plan {
    let decisions = plan.decisions();
    let is_declined = |it: &&Decision| is_change(it) && said(it).unwrap_or(rest) == YesNo::No;
    let (declined, kept): (Vec<&Decision>, Vec<&Decision>) = decisions.iter().partition(is_declined);
    if declined.is_empty() {
        return plan;
    }
    let is_all = !kept.iter().any(|it| is_change(it));
    let less = match is_all || declined.iter().any(|it| is_fix(it) && said(it) == Some(YesNo::No)) {
        true => nothing_of(&plan),
        // It is its own message.
        false => plan
            .only(message, profile, kept.iter().map(|it| &it.at))
            .unwrap_or_else(|_| Plan::left(Reason::Internal("another message"))),
    };
    with_declined(less, &decisions)
}

/// Makes the plan that does nothing of what a plan does, and says the rest of what it says.
fn nothing_of(plan: &Plan) -> Plan {
    let mut nothing = Plan::default();
    let said = plan.report.entries.iter().filter(|entry| !matches!(entry.outcome, Outcome::Done(_)));
    nothing.report.entries = said.cloned().collect();
    nothing
}

/// Adds to the report of a plan the changes that it doesn't do any more, in the order in which the plan before it,
/// whose decisions are given, had them: one that only lost what it followed from is not said, like what is left for a
/// reason of its own.
fn with_declined(mut less: Plan, decisions: &[Decision]) -> Plan {
    let remaining = less.decisions();
    let said: BTreeSet<&DecidedPlace> = remaining.iter().filter(|it| !is_only_noted(it)).map(|it| &it.at).collect();
    let ranks: BTreeMap<PlaceKey, usize> = decisions.iter().zip(0..).map(|(it, rank)| (key(it), rank)).collect();
    let rank = |entry: &Entry| match entry.outcome {
        // Notes stand behind all places.
        Outcome::Noted(_) => Some(usize::MAX),
        // A place that the plan before did not name has no rank, and comes first: `None` is the least.
        _ => ranks.get(&(&entry.part, &entry.place, entry.ordinal)).copied(),
    };
    let mut entries = std::mem::take(&mut less.report.entries).into_iter().peekable();
    for it in asked_changes(decisions).into_iter().filter(|it| !said.contains(&it.at)) {
        let own = ranks.get(&key(it)).copied();
        while let Some(before) = entries.next_if(|entry| rank(entry) <= own) {
            less.report.entries.push(before);
        }
        less.report.entries.push(declined(it));
    }
    less.report.entries.extend(entries);
    less
}

/// A place by which an entry of a report is found.
type PlaceKey<'d> = (&'d PartNumber, &'d Place, usize);

/// Returns the place of a change, to be compared with that of an entry.
fn key(decision: &Decision) -> PlaceKey<'_> {
    (&decision.at.part, &decision.at.place, decision.at.ordinal)
}

/// Returns `true` if nothing is done in a place, and nothing left.
fn is_only_noted(decision: &Decision) -> bool {
    decision.outcomes.iter().all(|outcome| matches!(outcome, Outcome::Noted(_)))
}

/// Makes the entry of a change that was declined.
fn declined(decision: &Decision) -> Entry {
    let at = &decision.at;
    let outcome = Outcome::Left(Reason::Declined);
    Entry { part: at.part.clone(), place: at.place.clone(), ordinal: at.ordinal, outcome }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::DefectKind;
    use crate::rewrite::{DefectAction, check, plan};

    const RAW: &[u8] = b"Subject: =?iso-8859-1?Q?caf=E9?=\nComments: =?iso-8859-1?Q?=E9?=\n\
        MIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\ncaf\xE9\n";

    /// The report of a plan of `raw` of which some places are declined.
    fn report(raw: &[u8], profile: &Profile, no: &[&str], rest: YesNo) -> (String, Vec<u8>) {
        let said = |it: &Decision| no.contains(&&*it.at.to_string()).then_some(YesNo::No);
        let plan = obey(plan(raw, profile), raw, profile, said, rest);
        assert_eq!(check(raw, &plan, profile), Ok(()));
        (plan.report.to_string(), plan.edits.apply(raw))
    }

    #[test]
    fn what_is_declined_stays_and_is_said() {
        let profile = Profile::default();
        let (said, octets) = report(RAW, &profile, &["field=Comments"], YesNo::Yes);
        assert_eq!(
            said,
            "field=Subject word=iso-8859-1>utf-8; field=Comments left=declined; part=1 body charset=iso-8859-1>utf-8"
        );
        assert!(octets.starts_with(b"Subject: =?utf-8?B?Y2Fmw6k=?=\nComments: =?iso-8859-1?Q?=E9?=\n"));
        let all = ["field=Subject", "field=Comments", "part=1 body"];
        for (no, rest) in [(&all[..], YesNo::Yes), (&[], YesNo::No)] {
            let (said, octets) = report(RAW, &profile, no, rest);
            assert_eq!(said, "field=Subject left=declined; field=Comments left=declined; part=1 body left=declined");
            assert_eq!(octets, RAW);
        }
        assert_eq!(report(RAW, &profile, &["field=To"], YesNo::Yes).1, plan(RAW, &profile).edits.apply(RAW));
    }

    #[test]
    fn what_needs_a_declined_change_says_its_own_reason() {
        let raw = b"Subject: caf\xE9 au lait\nMIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\n\
            Content-Transfer-Encoding: 8bit\n\ncaf\xE9\n";
        let (said, _) = report(raw, &Profile::default(), &["field=Subject"], YesNo::Yes);
        assert_eq!(said, "field=Subject left=declined; part=1 body left=irregular(label-hint)");
    }

    #[test]
    fn a_message_of_which_a_fix_is_declined_stays_whole() {
        let mut profile = Profile::default();
        profile.conformance.set(DefectKind::MissingDate, DefectAction::Fix);
        let raw = b"Received: by x; Mon, 1 Jan 2007 00:00:00 +0000\nSubject: =?iso-8859-1?Q?caf=E9?=\n\nx\n";
        let whole = plan(raw, &profile);
        let fix = whole.decisions().into_iter().find(is_fix).expect("a date").at.to_string();
        let (said, octets) = report(raw, &profile, &[&fix], YesNo::Yes);
        assert!(octets == raw && said.contains("field=Date left=declined"), "{said}");
        let (said, octets) = report(raw, &profile, &["field=Subject"], YesNo::Yes);
        assert!(octets != raw && said.contains("field=Subject left=declined"), "{said}");
    }

    /// An answer was looked for among all others: with a thousand fields it took half a minute.
    #[test]
    fn many_changes_of_one_message_are_declined_in_order() {
        let fields: String = (0..5_000).map(|at| format!("Comments: =?iso-8859-1?Q?caf=E9{at}?=\n")).collect();
        let (raw, profile) = (fields + "\nx\n", Profile::default());
        let whole = plan(raw.as_bytes(), &profile);
        let is_even = |it: &Decision| it.at.ordinal.is_multiple_of(2);
        let said = |it: &Decision| is_even(it).then_some(YesNo::No);
        let some = obey(whole.clone(), raw.as_bytes(), &profile, said, YesNo::Yes);
        let ordinals: Vec<usize> = some.report.entries.iter().map(|entry| entry.ordinal).collect();
        assert_eq!((some.edits.as_slice().len(), ordinals), (2_500, (1..=5_000).collect()));
        let none = obey(whole, raw.as_bytes(), &profile, |_| None, YesNo::No);
        assert!(none.report.entries.iter().all(|it| it.outcome == Outcome::Left(Reason::Declined)));
        assert_eq!((none.edits.is_empty(), none.report.entries.len()), (true, 5_000));
    }
}
