//! The plan of one message, as a value: its edits, its decisions, and what it takes to check them.

use std::borrow::Cow;

use thiserror::Error;

use super::chosen_places::Choice;
use super::decision;
use super::ensure::ensure;
use super::octet_sum::OctetSum;
use super::step::Step;
use super::{Arrival, DecidedPlace, Decision, Outcome, Profile, Reason, Report, plan_chosen};
use crate::edit::EditList;

/// What is to be done to one message, and why.
///
/// It knows what its edits are meant to do, so that [`check`](fn@super::check) can tell whether they do that and
/// nothing else.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// The edits; an empty list means "leave it alone, octet for octet".
    pub edits: EditList,
    /// What was decided.
    pub report: Report,
    /// What was asked for, step by step.
    pub(super) steps: Vec<Step>,
    /// The sum of the message that it was made of, where anything changes and [`plan`](fn@super::plan) made it; another
    /// choice of its places keeps it, and plans that other functions or hands made have none.
    pub(super) of: Option<OctetSum>,
    /// Which places were to change.
    pub(super) choice: Choice,
    /// What was known of the message's arrival, where that matters: defects are fixed.
    pub(super) arrival: Option<Box<Arrival>>,
}

impl Plan {
    /// Makes the plan that leaves a message alone, for one reason.
    ///
    /// ```
    /// use septet::rewrite::{Plan, Reason};
    ///
    /// let plan = Plan::left(Reason::Unlabelled);
    /// assert!(plan.edits.is_empty());
    /// assert_eq!(plan.report.to_string(), "message left=unlabelled");
    /// ```
    pub fn left(reason: Reason) -> Plan {
        Plan { report: Report::whole(reason), ..Plan::default() }
    }

    /// Carries the plan out: returns the message as it is afterwards, borrowed where nothing changes.
    ///
    /// ```
    /// use std::borrow::Cow;
    ///
    /// use septet::{OtherMessageError, Profile, plan};
    ///
    /// let raw = b"Subject: =?iso-8859-1?Q?Stra=DFe?=\n\nhello\n";
    /// let plan = plan(raw, &Profile::default());
    /// assert_eq!(*plan.apply(raw).unwrap(), *b"Subject: =?utf-8?Q?Stra=C3=9Fe?=\n\nhello\n");
    /// assert_eq!(plan.apply(b"Subject: another\n\nhello\n"), Err(OtherMessageError));
    ///
    /// let good = b"Subject: hello\n\nhello\n";
    /// assert!(matches!(septet::plan(good, &Profile::default()).apply(good), Ok(Cow::Borrowed(_))));
    /// ```
    ///
    /// # Errors
    ///
    /// [`OtherMessageError`]: the plan was made of another message. Of a plan without edits that is never found out,
    /// and of one that [`plan`](fn@super::plan) did not make only that an edit lies behind the end of the message.
    pub fn apply<'m>(&self, raw: &'m [u8]) -> Result<Cow<'m, [u8]>, OtherMessageError> {
        if self.edits.is_empty() {
            return Ok(Cow::Borrowed(raw));
        }
        let is_beyond = self.edits.as_slice().last().is_some_and(|edit| edit.at.end > raw.len());
        ensure(!is_beyond && !self.is_of_another(raw), OtherMessageError)?;
        Ok(Cow::Owned(self.edits.apply(raw)))
    }

    /// Lists what was decided, place by place, in the order of the report: what was done, what was left, and why.
    ///
    /// ```
    /// use septet::{Profile, plan};
    ///
    /// let raw = b"Subject: =?iso-8859-1?Q?caf=E9?=\nFrom: a@example.org\n\nhello\n";
    /// let plan = plan(raw, &Profile::default());
    /// let [decision] = &plan.decisions()[..] else { panic!() };
    /// assert_eq!(decision.at.to_string(), "field=Subject");
    /// assert_eq!(decision.outcomes.len(), 1);
    /// ```
    pub fn decisions(&self) -> Vec<Decision> {
        decision::decisions(&self.report.entries)
    }

    /// Makes the plan that does what this one does, but leaves one place as it is; checked like any other. What needs
    /// that place to change stays with it, with its reason, and what follows from it (labels of parts around, fields
    /// that were added) goes with it; such a place can't be taken out by itself, nor can what fixes a defect.
    ///
    /// `raw` is the message that the plan is of, and `profile` the one that it was planned by: all is planned anew by
    /// them, so that edits which were changed since are not in it. A place of which nothing is decided takes nothing
    /// away.
    ///
    /// ```
    /// use septet::{Profile, plan};
    ///
    /// let raw = b"Subject: =?iso-8859-1?Q?caf=E9?=\nComments: =?iso-8859-1?Q?caf=E9?=\n\nhello\n";
    /// let profile = Profile::default();
    /// let whole = plan(raw, &profile);
    /// let less = whole.without(raw, &profile, &whole.decisions()[0].at).unwrap();
    /// assert_eq!(less.report.to_string(), "field=Comments word=iso-8859-1>utf-8");
    /// ```
    ///
    /// # Errors
    ///
    /// [`OtherMessageError`]: the plan was made of another message.
    pub fn without(&self, raw: &[u8], profile: &Profile, place: &DecidedPlace) -> Result<Plan, OtherMessageError> {
        self.chosen(raw, profile, self.choice.clone().without(place.clone()))
    }

    /// Makes the plan that does what this one does in these places, and leaves all others as they are; planned anew and
    /// checked, as [`without`](Self::without) does it. What can't change without another place stays, with its reason.
    ///
    /// ```
    /// use septet::{Profile, plan};
    ///
    /// let raw = b"Subject: =?iso-8859-1?Q?caf=E9?=\nComments: =?iso-8859-1?Q?caf=E9?=\n\nhello\n";
    /// let profile = Profile::default();
    /// let whole = plan(raw, &profile);
    /// let subject = &whole.decisions()[0].at;
    /// let only = whole.only(raw, &profile, [subject]).unwrap();
    /// assert_eq!(only.report.to_string(), "field=Subject word=iso-8859-1>utf-8");
    /// ```
    ///
    /// # Errors
    ///
    /// [`OtherMessageError`]: the plan was made of another message.
    pub fn only<'d>(
        &self,
        raw: &[u8],
        profile: &Profile,
        places: impl IntoIterator<Item = &'d DecidedPlace>,
    ) -> Result<Plan, OtherMessageError> {
        self.chosen(raw, profile, self.choice.only(places.into_iter().cloned()))
    }

    /// Returns `true` if the plan is known to be of another message. One without a sum is of a message that only its
    /// maker knows, as where edits were pushed into an empty one.
    fn is_of_another(&self, raw: &[u8]) -> bool {
        self.of.is_some_and(|of| of != OctetSum::of(raw))
    }

    /// Plans once more, by another choice of places; an error where the plan has a sum, and the message another one.
    /// With the same arrival, so that what a fix makes up is the same again.
    fn chosen(&self, raw: &[u8], profile: &Profile, choice: Choice) -> Result<Plan, OtherMessageError> {
        ensure(!self.is_of_another(raw), OtherMessageError)?;
        let plan = plan_chosen(raw, profile, self.arrival.as_deref().unwrap_or(&Arrival::default()), &choice);
        Ok(Plan { choice, arrival: self.arrival.clone(), of: self.of, ..plan })
    }

    /// Makes of this plan one that leaves the message for a reason, which it says first, and then what this one says of
    /// outcomes that `stays` takes.
    pub(super) fn given_up(self, reason: Reason, stays: impl Fn(&Outcome) -> bool) -> Plan {
        let mut left = Plan::left(reason);
        left.report.entries.extend(self.report.entries.into_iter().filter(|entry| stays(&entry.outcome)));
        left
    }

    /// Joins two plans: this one, and `next`, which was made for `middle`, the message as this plan leaves it. The sum
    /// of the message, the choice and the arrival stay this plan's. A plan with edits must have steps. The steps of a
    /// plan without edits are dropped, since `check` takes a step without edits of its own to have made those of the
    /// whole plan.
    pub(super) fn then(mut self, middle: &[u8], next: Plan) -> Plan {
        self.report.entries.extend(next.report.entries);
        if self.edits.is_empty() {
            (self.edits, self.steps) = (next.edits, next.steps);
        } else if !next.edits.is_empty() {
            let edits = self.edits.then(middle, &next.edits);
            self.steps = with_own_edits(self.steps, self.edits);
            self.steps.extend(with_own_edits(next.steps, next.edits));
            self.edits = edits;
        }
        self
    }
}

/// A plan was to be carried out on another message than it was made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the plan is another message's")]
pub struct OtherMessageError;

/// Returns the steps of a plan, each with edits of its own: an only step gets those of the plan, several have theirs
/// already ([`Step::edits`]).
fn with_own_edits(mut steps: Vec<Step>, edits: EditList) -> Vec<Step> {
    if let [only] = steps.as_mut_slice() {
        only.edits.get_or_insert(edits);
    }
    steps
}
