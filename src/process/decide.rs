//! What the settings say of a message of which something was left: the strictest action of its reasons.
//!
//! The daemon answers by it, `filter` ends by it, and `explain` shows it.

use crate::config::conformance::KEYS;
use crate::config::{Action, OnLimit, Settings};
use crate::message::{DefectKind, LimitReached};
use crate::rewrite::{DefectAction, Outcome, Reason, Report};

/// How many lines of one message are shown to an operator.
const SHOWN: usize = 5;

/// An action, and what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision<'r> {
    /// How the message is handled.
    pub action: Action,
    /// The key of the settings that says so, by its path.
    pub key: &'static str,
    /// The reason that it is for.
    pub reason: &'r Reason,
}

impl Decision<'_> {
    /// Says in a few words what is wrong with the message, in printable ASCII, for the client whose message is refused:
    /// names the limit or the defect, and writes any other reason as a report does.
    pub fn what(&self) -> String {
        match self.reason {
            Reason::Limit(limit) => format!("message over limit: {limit}"),
            Reason::Refused { defect, .. } => format!("message does not conform: {}", defect.name()),
            reason => format!("message {reason}"),
        }
    }
}

/// Finds the strictest action for what was left, of several alike the first; none when nothing that was left has an
/// action. One that accepts is an action too.
pub fn strictest<'r>(settings: &Settings, report: &'r Report) -> Option<Decision<'r>> {
    let decisions = reasons(report).filter_map(|reason| decision(settings, reason));
    decisions.reduce(|strictest, next| if next.action > strictest.action { next } else { strictest })
}

/// Returns the reasons for which places were left, in the order of the message.
pub fn reasons(report: &Report) -> impl Iterator<Item = &Reason> {
    report.entries.iter().filter_map(|entry| match &entry.outcome {
        Outcome::Left(reason) => Some(reason),
        _ => None,
    })
}

/// Returns the lines of a report that an operator should look at: what a sender may have wanted to be left, and
/// septet's own faults. Of many it has the first `SHOWN`, and a line that says how many more there are.
pub fn lines_to_look_at(report: &Report) -> Vec<String> {
    let worth = report.entries.iter().filter(|entry| match &entry.outcome {
        Outcome::Left(Reason::Separator { .. }) => true,
        Outcome::Left(reason) => reason.is_suspicious() || reason.is_ours(),
        _ => false,
    });
    let mut lines: Vec<String> = worth.clone().take(SHOWN).map(ToString::to_string).collect();
    if let more @ 1.. = worth.count().saturating_sub(SHOWN) {
        lines.push(format!("and {more} more"));
    }
    lines
}

/// Returns the action for one reason; none for a reason that has no key in the settings. An irregular form has one only
/// in the structure of a message, as [`Reason::is_suspicious`] tells: what is wrong with one field or body refuses no
/// mail.
fn decision<'r>(settings: &Settings, reason: &'r Reason) -> Option<Decision<'r>> {
    let on = &settings.limits.on;
    let (action, key) = match reason {
        Reason::Limit(limit) => (on_limit(&on.limit, limit), "limits.on_limit"),
        _ if reason.is_suspicious() => (on.irregular, "limits.on_irregular"),
        Reason::Unproved(_) => (on.unproved, "limits.on_unproved"),
        Reason::Internal(_) => (settings.on_error, "on_error"),
        Reason::Refused { defect, treatment } => (action_of(*treatment), key_of(*defect)),
        _ => return None,
    };
    Some(Decision { action, key, reason })
}

/// Returns the action for a limit: `[limits] on_limit` has a key for each of them.
fn on_limit(on: &OnLimit, limit: &LimitReached) -> Action {
    match limit {
        LimitReached::MessageBytes(_) => on.message_bytes,
        LimitReached::HeaderBytes(_) => on.header_bytes,
        LimitReached::FieldBytes(_) => on.field_bytes,
        LimitReached::Fields(_) => on.fields,
        LimitReached::Parts(_) => on.parts,
        LimitReached::Depth(_) => on.depth,
        LimitReached::PlanWork(_) => on.plan_work,
    }
}

/// Returns the action for a defect that was refused by this treatment. `keep` and `fix` refuse none, so that they don't
/// come here; they would accept.
fn action_of(treatment: DefectAction) -> Action {
    match treatment {
        DefectAction::Reject => Action::Reject,
        DefectAction::Tempfail => Action::Tempfail,
        _ => Action::Accept,
    }
}

/// Returns the path of the key that says how a defect is handled: that of `[conformance]`, even where the profile of
/// the message has a value of its own for it.
fn key_of(defect: DefectKind) -> &'static str {
    KEYS.iter().find(|(_, kind)| *kind == defect).map_or("conformance", |(key, _)| key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::PartNumber;
    use crate::message::irregular::Form;
    use crate::rewrite::Place;

    fn report(reasons: &[Reason]) -> Report {
        let mut report = Report::default();
        for reason in reasons {
            report.push(PartNumber::root(), Place::Body, Outcome::Left(reason.clone()));
        }
        report
    }

    #[test]
    fn the_strictest_decides_and_of_equal_ones_the_first() {
        let mut settings = Settings::default();
        settings.limits.on.limit.depth = Action::Reject;
        settings.limits.on.irregular = Action::Reject;
        settings.limits.on.limit.field_bytes = Action::Tempfail;
        let (depth, field) = (Reason::Limit(LimitReached::Depth(100)), Reason::Limit(LimitReached::FieldBytes(9)));
        let disputed = Reason::Irregular(Form::DelimiterInText);
        for (reasons, wanted) in [
            (vec![], None),
            (vec![Reason::Dkim, Reason::Unlabelled], None),
            (vec![Reason::Unproved("x")], Some((Action::Accept, "limits.on_unproved"))),
            (vec![Reason::Internal("x"), field.clone()], Some((Action::Tempfail, "limits.on_limit"))),
            (vec![field, depth.clone(), disputed.clone()], Some((Action::Reject, "limits.on_limit"))),
            (vec![disputed, depth], Some((Action::Reject, "limits.on_irregular"))),
            (vec![Reason::Unlabelled, Reason::Unstable], Some((Action::Reject, "limits.on_irregular"))),
        ] {
            let report = report(&reasons);
            let decision = strictest(&settings, &report);
            assert_eq!(decision.map(|decision| (decision.action, decision.key)), wanted, "{reasons:?}");
        }
    }
}
