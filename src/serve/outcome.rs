//! What becomes of a message, whatever the protocol: the verdict that its client is told, and what a log says of it.

use std::fmt;

use tracing::Level;

use crate::config::{Action, Settings};
use crate::message::LimitReached;
use crate::process::decide::{Decision, reasons, strictest};
use crate::rewrite::{Entry, Reason, Report};

/// The characters of a refusal's text, so that its line is far from the 512 octets that it may have (RFC 5321
/// §4.5.3.1.5).
const LONGEST: usize = 200;

/// What the client is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The message is taken.
    Accept,
    /// It is refused for now (4xx).
    TempFail(Refusal),
    /// It is refused for good (5xx).
    Reject(Refusal),
}

/// A reply of SMTP that refuses a message: one line of printable ASCII.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The reply code (RFC 5321 §4.2).
    pub code: &'static str,
    /// The enhanced status code (RFC 3463).
    pub status: &'static str,
    /// The text.
    pub text: String,
}

/// What became of a message.
#[derive(Debug)]
pub struct MessageOutcome {
    /// The verdict that ends the client's wait.
    pub verdict: Verdict,
    /// What became of the message if it is taken, in one word.
    result: &'static str,
    /// What was decided, or why nothing was.
    pub details: Details,
    /// The octets of the message as it goes on, where it was changed.
    pub bytes_after: Option<usize>,
    /// Whether some of its recipients were refused, where each has an answer of his own.
    is_refused_in_part: bool,
}

/// What a log line says beside the result.
#[derive(Debug)]
pub enum Details {
    /// The decisions about the message.
    Report(Report),
    /// Why the message was left as it is, whole: one word, and the text.
    Left {
        /// The word that counts.
        reason: &'static str,
        /// The log's text.
        text: String,
    },
    /// What failed.
    Failed(String),
}

impl Verdict {
    /// Makes the verdict of what the settings say; without a decision the message is taken. docs/mta.md and
    /// docs/conformance.md state the codes.
    pub fn of(decision: Option<&Decision<'_>>) -> Verdict {
        let Some(decision) = decision else { return Verdict::Accept };
        let what = decision.what();
        match (decision.action, decision.reason) {
            (Action::Accept, _) => Verdict::Accept,
            (Action::Tempfail, Reason::Refused { .. }) => Verdict::TempFail(Refusal::new("451", "4.6.0", &what)),
            (Action::Tempfail, _) => Verdict::TempFail(Refusal::new("451", "4.7.1", &what)),
            (Action::Reject, Reason::Limit(LimitReached::MessageBytes(_))) => {
                Verdict::Reject(Refusal::new("552", "5.3.4", &what))
            }
            (Action::Reject, _) => Verdict::Reject(Refusal::new("554", "5.6.0", &what)),
        }
    }

    /// Makes the verdict for a fault of septet's own, or for want of memory; these are never refused for good.
    pub fn of_fault(action: Action, what: &str) -> Verdict {
        match action {
            Action::Accept => Verdict::Accept,
            Action::Tempfail | Action::Reject => Verdict::TempFail(Refusal::new("451", "4.3.0", what)),
        }
    }
}

impl Refusal {
    /// Makes a refusal of the text, which is cut and made printable ASCII here, since some of it may come from a
    /// message.
    fn new(code: &'static str, status: &'static str, what: &str) -> Refusal {
        let what = what.chars().take(LONGEST).map(|c| if c == ' ' || c.is_ascii_graphic() { c } else { '?' });
        Refusal { code, status, text: format!("septet: {}", what.collect::<String>()) }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {} {}", self.code, self.status, self.text)
    }
}

impl MessageOutcome {
    /// Makes the outcome of a message that passes as it came: `skipped` or `unchanged`.
    pub fn untouched(result: &'static str) -> MessageOutcome {
        MessageOutcome::new(Verdict::Accept, result, Details::Report(Report::default()))
    }

    /// Makes the outcome of a message that is left whole for a reason that no report has.
    pub fn left(verdict: Verdict, reason: &'static str, text: String) -> MessageOutcome {
        MessageOutcome::new(verdict, "left", Details::Left { reason, text })
    }

    /// Makes the outcome of what was decided: the strictest action of what was left is the verdict.
    pub fn of(config: &Settings, report: Report) -> MessageOutcome {
        let verdict = Verdict::of(strictest(config, &report).as_ref());
        MessageOutcome::new(verdict, report.result(), Details::Report(report))
    }

    /// Makes the outcome of a message that septet failed to handle: `on_error` is its verdict.
    pub fn failed(config: &Settings, why: String) -> MessageOutcome {
        let verdict = Verdict::of_fault(config.on_error, "the message could not be handled");
        MessageOutcome::new(verdict, "error", Details::Failed(why))
    }

    /// Makes an outcome that changed nothing yet; `result` must be one of `ACTIONS` of the metrics, or it would not
    /// count.
    fn new(verdict: Verdict, result: &'static str, details: Details) -> MessageOutcome {
        MessageOutcome { verdict, result, details, bytes_after: None, is_refused_in_part: false }
    }

    /// Adds decisions to those of the report, or to the text of a message that has no report. The verdict stays as it
    /// is.
    pub fn add(&mut self, entries: Vec<Entry>) {
        match &mut self.details {
            Details::Report(report) => report.entries.extend(entries),
            Details::Left { text, .. } | Details::Failed(text) => {
                entries.iter().for_each(|entry| *text += &format!("; {entry}"));
            }
        }
    }

    /// Makes it the outcome of a message that is refused after all, `for_good` or for now: by the next hop, or by us on
    /// the way to it. The client hears the reply that refused it: of this verdict only the kind counts.
    pub fn refused(self, for_good: bool) -> MessageOutcome {
        let verdict = match for_good {
            true => Verdict::Reject(Refusal::new("554", "5.0.0", "refused")),
            false => Verdict::TempFail(Refusal::new("451", "4.0.0", "refused")),
        };
        MessageOutcome { verdict, ..self }
    }

    /// Makes it the outcome of a message that the other side refuses for some of its recipients: it still counts as
    /// taken, but its line is a warning.
    pub fn refused_in_part(self) -> MessageOutcome {
        MessageOutcome { is_refused_in_part: true, ..self }
    }

    /// Returns the word by which logs and metrics count the message: `tempfail`, `reject`, or the result of its report.
    /// `ACTIONS` of the metrics lists them all: another word would not count.
    pub fn counted_as(&self) -> &'static str {
        match self.verdict {
            Verdict::Accept => self.result,
            Verdict::TempFail(_) => "tempfail",
            Verdict::Reject(_) => "reject",
        }
    }

    /// Returns `true` if the message was taken, with what was changed in it.
    pub fn is_taken(&self) -> bool {
        self.verdict == Verdict::Accept
    }

    /// Returns the level of the message's line, which says who should look at it: `ERROR` for a fault of septet's own,
    /// `WARN` for what a postmaster should see, be it refused or left for what an attacker may want, for room, or for
    /// the MTA's settings. The order counts: a report may have both.
    pub fn level(&self) -> Level {
        match &self.details {
            Details::Failed(_) => Level::ERROR,
            Details::Report(report) if reasons(report).any(Reason::is_ours) => Level::ERROR,
            Details::Report(report) if reasons(report).any(Reason::is_suspicious) => Level::WARN,
            Details::Left { .. } => Level::WARN,
            _ if !self.is_taken() || self.is_refused_in_part => Level::WARN,
            _ => Level::INFO,
        }
    }
}

impl fmt::Display for Details {
    /// Writes the lines of the report, or the text of a message that has none.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Details::Report(report) => report.fmt(out),
            Details::Left { text, .. } | Details::Failed(text) => out.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::DefectKind;
    use crate::message::irregular::Form;
    use crate::rewrite::DefectAction;

    #[test]
    fn says_the_reason_in_one_line() {
        let [later, never] = [DefectAction::Tempfail, DefectAction::Reject]
            .map(|treatment| Reason::Refused { defect: DefectKind::Nul, treatment });
        let (depth, size) = (Reason::Limit(LimitReached::Depth(100)), Reason::Limit(LimitReached::MessageBytes(9)));
        for (action, reason, wanted) in [
            (Action::Accept, &depth, None),
            (Action::Tempfail, &depth, Some("451 4.7.1 septet: message over limit: depth 100")),
            (Action::Reject, &depth, Some("554 5.6.0 septet: message over limit: depth 100")),
            (Action::Tempfail, &later, Some("451 4.6.0 septet: message does not conform: nul")),
            (Action::Reject, &never, Some("554 5.6.0 septet: message does not conform: nul")),
            (Action::Reject, &size, Some("552 5.3.4 septet: message over limit: message_bytes 9")),
            (
                Action::Reject,
                &Reason::Irregular(Form::DelimiterInText),
                Some("554 5.6.0 septet: message irregular(delimiter-in-text)"),
            ),
        ] {
            let said = match Verdict::of(Some(&Decision { action, key: "", reason })) {
                Verdict::Accept => None,
                Verdict::TempFail(said) | Verdict::Reject(said) => Some(said.to_string()),
            };
            assert_eq!(said.as_deref(), wanted);
        }
    }

    #[test]
    fn a_refusal_is_one_line() {
        let said = Refusal::new("451", "4.3.0", "100%s\r\n250 ok \u{e9}").to_string();
        assert_eq!(said, "451 4.3.0 septet: 100%s??250 ok ?");
        assert!(Refusal::new("451", "4.3.0", &"x".repeat(9999)).to_string().len() < 300);
    }
}
