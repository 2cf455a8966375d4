//! One message: which profile it gets, what becomes of it, and the octets of the answer.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tracing::Level;

use super::mark;
use super::settings::{Choice, Settings};
use super::transport::Transport;
use super::verdict::Verdict;
use crate::config::{Action, Facts, Listener};
use crate::edit::{EditList, Overlap, Span};
use crate::message::{LimitReached, PartNumber};
use crate::protocol::milter::{Address, Content, Requests, Session, Terms, Unfit};
use crate::rewrite::{Outcome as PlaceOutcome, Place, Plan, Reason, Report, plan};
use crate::run::decide::{reasons, strictest};

/// What is said of a message for which there is no room in memory.
const NO_MEMORY: &str = "message left=limit(memory)";

/// How a message is to be treated: chosen when it is whole, before it is planned.
#[derive(Debug, Clone)]
pub struct Treatment {
    settings: Arc<Settings>,
    /// The profile's name; none for a message that is skipped.
    profile: Option<String>,
    transport: Transport,
    terms: Terms,
    starved: bool,
}

/// What became of a message.
#[derive(Debug)]
pub struct Outcome {
    /// The verdict that ends the MTA's wait.
    pub verdict: Verdict,
    /// What became of the message if it is taken, in one word.
    result: &'static str,
    /// What was decided, or why nothing was.
    pub details: Details,
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

impl Treatment {
    /// Chooses for the message that a session holds; `starved` when there was no memory for it.
    pub fn of(settings: &Arc<Settings>, listener: &Listener, session: &Session, starved: bool) -> Treatment {
        let profile = match settings.is_uniform() {
            true => Some(settings.profile_name(listener)),
            false => with_facts(session, |facts| match settings.choose(listener, facts) {
                Choice::Skip => None,
                Choice::Profile(name) => Some(name),
            }),
        };
        Treatment {
            profile: profile.map(str::to_owned),
            settings: Arc::clone(settings),
            transport: Transport::of(session.sender(), &session.client().mta, session.content().raw()),
            terms: session.terms(),
            starved,
        }
    }

    /// Gives the profile's name; none for a message that is skipped.
    pub fn profile(&self) -> Option<&str> {
        self.profile.as_deref()
    }

    /// Plans the message and writes what the MTA is to change; the verdict is left to the caller.
    ///
    /// Nothing is written unless all of it fits and the message is taken. A panic, which would be a fault of septet, is
    /// caught: the message then goes the way of `on_error`.
    pub fn carry_out(&self, content: &Content, out: &mut Vec<u8>) -> Outcome {
        let Some(name) = &self.profile else { return passed("skipped", Details::Report(Report::default())) };
        let profile = match self.settings.profile(name).map(|fitted| fitted.form(self.transport)) {
            Some(profile) if !profile.is_identity() => profile,
            _ => return passed("unchanged", Details::Report(Report::default())),
        };
        if self.starved {
            return self.no_memory(content, out);
        }
        if let Some(limit) = content.over() {
            return self.answer(content, over(limit), out);
        }
        match catch_unwind(AssertUnwindSafe(|| plan(content.raw(), profile))) {
            Ok(plan) => self.answer(content, plan, out),
            Err(_) => Outcome::lost(&self.settings),
        }
    }

    /// Answers a message for which there was no room.
    fn no_memory(&self, content: &Content, out: &mut Vec<u8>) -> Outcome {
        let verdict = Verdict::of_fault(self.settings.config.limits.memory_full, "no memory for the message now");
        let details = left("memory", NO_MEMORY.to_owned());
        let mark = (verdict == Verdict::Accept).then(|| mark::left(NO_MEMORY));
        let asked = self.ask(content, EditList::new(), mark, out);
        asked.err().unwrap_or(Outcome { verdict, result: "left", details })
    }

    /// Answers a message that is planned: the strictest action of what was left decides.
    fn answer(&self, content: &Content, plan: Plan, out: &mut Vec<u8>) -> Outcome {
        let Plan { edits, report } = plan;
        let verdict = Verdict::of(strictest(&self.settings.config, &report).as_ref());
        if verdict == Verdict::Accept
            && let Err(outcome) = self.ask(content, edits, mark::field(&report), out)
        {
            return outcome;
        }
        Outcome { verdict, result: report.result(), details: Details::Report(report) }
    }

    /// Writes what the MTA is asked for: the edits, and the field that says so where it is wanted.
    fn ask(
        &self,
        content: &Content,
        mut edits: EditList,
        mark: Option<String>,
        out: &mut Vec<u8>,
    ) -> Result<(), Outcome> {
        let failed = |why: String| failed(self.settings.config.on_error, why);
        if let Some(field) = mark.filter(|_| self.settings.config.x_septet) {
            let at = Span::empty(content.header_end());
            edits.push(at, field).map_err(|overlap: Overlap| failed(overlap.to_string()))?;
        }
        match Requests::of(content, &edits, &self.terms) {
            Ok(requests) => requests.write(out),
            Err(why @ Unfit::NotAllowed(_)) => return Err(passed("left", left("not-allowed", why.to_string()))),
            Err(why) => return Err(failed(why.to_string())),
        }
        Ok(())
    }
}

/// Gives the plan of a message of which nothing was kept.
fn over(limit: LimitReached) -> Plan {
    let mut plan = Plan::default();
    plan.report.push(PartNumber::root(), Place::Message, PlaceOutcome::Left(Reason::Limit(limit)));
    plan
}

/// Shows a session's message as rules look at it. What is not UTF-8 in a name or address is shown with U+FFFD.
fn with_facts<T>(session: &Session, look: impl FnOnce(&Facts<'_>) -> T) -> T {
    let (client, sender, content) = (session.client(), session.sender(), session.content());
    let name = String::from_utf8_lossy(&client.host);
    let from = String::from_utf8_lossy(&sender.address);
    let recipients: Vec<_> = session.recipients().iter().map(|to| String::from_utf8_lossy(to)).collect();
    let recipients: Vec<&str> = recipients.iter().map(|to| to.as_ref()).collect();
    let raw = content.raw();
    let header: Vec<_> = content.fields().iter().map(|field| (field.name(raw), field.value(raw))).collect();
    look(&Facts {
        client_name: (!name.is_empty()).then_some(&name),
        client_address: match client.address {
            Address::Inet { ip, .. } => Some(ip),
            _ => None,
        },
        authenticated: !sender.authenticated.is_empty(),
        sender: &from,
        recipients: &recipients,
        header: &header,
        size: content.size(),
    })
}

fn passed(result: &'static str, details: Details) -> Outcome {
    Outcome { verdict: Verdict::Accept, result, details }
}

fn left(reason: &'static str, text: String) -> Details {
    Details::Left { reason, text }
}

fn failed(on_error: Action, why: String) -> Outcome {
    let verdict = Verdict::of_fault(on_error, "the message could not be handled");
    Outcome { verdict, result: "error", details: Details::Failed(why) }
}

impl Outcome {
    /// Gives what becomes of a message whose planning failed: a fault of septet.
    pub fn lost(settings: &Settings) -> Outcome {
        failed(settings.config.on_error, "the planner failed; please report it".to_owned())
    }

    /// Says in one word what became of the message.
    pub fn action(&self) -> &'static str {
        match self.verdict {
            Verdict::Accept => self.result,
            Verdict::TempFail(_) => "tempfail",
            Verdict::Reject(_) => "reject",
        }
    }

    /// Tells whether the message was taken, with what was changed in it.
    pub fn is_taken(&self) -> bool {
        self.verdict == Verdict::Accept
    }

    /// Tells who should look at it: `ERROR` for a fault of septet's own, `WARN` for what a postmaster should see.
    pub fn level(&self) -> Level {
        match &self.details {
            Details::Failed(_) => Level::ERROR,
            Details::Report(report) if reasons(report).any(Reason::is_ours) => Level::ERROR,
            Details::Report(report) if reasons(report).any(Reason::is_suspicious) => Level::WARN,
            Details::Left { reason: "memory", .. } => Level::WARN,
            _ if !self.is_taken() => Level::WARN,
            _ => Level::INFO,
        }
    }
}

impl fmt::Display for Details {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Details::Report(report) => report.fmt(out),
            Details::Left { text, .. } | Details::Failed(text) => out.write_str(text),
        }
    }
}
