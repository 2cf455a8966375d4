//! What a plan decided, place by place: the report, gathered by places. Whoever takes a place out of a plan names it so
//! (`chosen_places.rs`).

use std::collections::BTreeMap;
use std::fmt;

use super::report::write_place;
use super::{Entry, Outcome, Place};
use crate::message::PartNumber;

/// A place of a message that a plan decides about.
///
/// It is written as the report writes it, with the number of the field where that is not the first of its name:
///
/// ```
/// use septet::{Profile, plan};
///
/// let raw = b"Comments: plain\nComments: =?iso-8859-1?Q?caf=E9?=\n\n";
/// let plan = plan(raw, &Profile::default());
/// assert_eq!(plan.decisions()[0].at.to_string(), "field=Comments number=2");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct DecidedPlace {
    /// The part that it is in; 1 is the message itself.
    pub part: PartNumber,
    /// The place in that part.
    pub place: Place,
    /// Which of the fields of its name it is, from 1; 1 of any other place.
    pub ordinal: usize,
}

impl fmt::Display for DecidedPlace {
    /// Writes what somebody types to name the place, and what the review of an archive shows.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_place(out, &self.part, &self.place)?;
        if self.ordinal > 1 { write!(out, " number={}", self.ordinal) } else { Ok(()) }
    }
}

/// What was decided of one place.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// The place.
    pub at: DecidedPlace,
    /// What was done there, what was left, and why; in the order of the report.
    pub outcomes: Vec<Outcome>,
}

/// Gathers what a report says of each place: places in the order in which they are first named, and of each all that is
/// said. The rule `agree/choice.rs` finds a place again by the same three values, so these must be made alike there.
pub(super) fn decisions(entries: &[Entry]) -> Vec<Decision> {
    let mut found: Vec<Decision> = Vec::new();
    let mut known: BTreeMap<DecidedPlace, usize> = BTreeMap::new();
    for Entry { part, place, ordinal, outcome } in entries {
        let at = DecidedPlace { part: part.clone(), place: place.clone(), ordinal: *ordinal };
        // Notes stand behind what else is said.
        let index = *known.entry(at.clone()).or_insert(found.len());
        if index == found.len() {
            found.push(Decision { at, outcomes: Vec::new() });
        }
        found[index].outcomes.push(outcome.clone());
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::rewrite::{Plan, Profile, check, plan};

    const RAW: &[u8] =
        b"Subject: =?iso-8859-1?Q?caf=E9?=\nComments: =?iso-8859-1?Q?=E9?=\nComments: =?iso-8859-1?Q?=E8?=\n\
        MIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\ncaf\xE9\n";

    fn changed(plan: &Plan) -> Vec<String> {
        plan.decisions().iter().map(|decision| decision.at.to_string()).collect()
    }

    #[test]
    fn a_place_that_is_taken_out_stays_and_the_others_change() {
        let profile = Profile::default();
        let whole = plan(RAW, &profile);
        let all = ["field=Subject", "field=Comments", "field=Comments number=2", "part=1 body"];
        assert_eq!(changed(&whole), all);
        for decision in whole.decisions() {
            let without = whole.without(RAW, &profile, &decision.at).expect("it is its message");
            let others: Vec<_> = all.iter().filter(|it| **it != decision.at.to_string()).copied().collect();
            assert_eq!(changed(&without), others);
            let only = whole.only(RAW, &profile, [&decision.at]).expect("it is its message");
            assert_eq!(changed(&only), [decision.at.to_string()]);
            assert_eq!(check(RAW, &without, &profile), Ok(()));
        }
    }

    /// The note of a subject stands behind all fields that changed.
    #[test]
    fn a_place_has_one_decision_whatever_stands_between() {
        let words = "Comments: =?iso-8859-1?Q?=E9?=\n".repeat(20);
        let raw = format!("Subject: =?iso-8859-1?Q?a=E9?= =?utf-8?Q?=E2=80=AEb?=\n{words}\n");
        let plan = plan(raw.as_bytes(), &Profile::default());
        let decisions = plan.decisions();
        assert_eq!(decisions[0].outcomes.len(), 2, "{}", plan.report);
        assert_eq!(decisions.len(), 21);
    }

    #[test]
    fn choices_add_up() {
        let profile = Profile::default();
        let whole = plan(RAW, &profile);
        let at: Vec<_> = whole.decisions().into_iter().map(|decision| decision.at).collect();
        let less = whole.without(RAW, &profile, &at[0]).expect("its message").without(RAW, &profile, &at[1]);
        assert_eq!(changed(&less.expect("its message")), ["field=Comments number=2", "part=1 body"]);
        let none = whole.only(RAW, &profile, [&at[0]]).expect("its message").only(RAW, &profile, [&at[1]]);
        assert!(none.expect("its message").edits.is_empty());
        assert!(whole.without(b"Subject: another\n\n", &profile, &at[0]).is_err());
    }

    /// A header that stays raw keeps the body whose label is the only hint to it.
    #[test]
    fn what_another_place_needs_goes_with_it() {
        let profile = Profile::default();
        let raw = b"Subject: caf\xE9 au lait\nMIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\n\
            Content-Transfer-Encoding: 8bit\n\ncaf\xE9\n";
        let whole = plan(raw, &profile);
        assert_eq!(changed(&whole), ["field=Subject", "part=1 body"]);
        let without = whole.without(raw, &profile, &whole.decisions()[0].at).expect("it is its message");
        assert_eq!(without.report.to_string(), "part=1 body left=irregular(label-hint)");
    }
}
