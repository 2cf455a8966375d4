//! One message: which profile it gets, what becomes of it, and the octets of the answer.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::mark;
use super::settings::{Choice, Settings};
use super::transport::Transport;
use crate::config::{Facts, Listener, OnError};
use crate::edit::Span;
use crate::protocol::milter::{Address, Content, Reply, Requests, Session, Terms, Unfit};
use crate::rewrite::{Plan, Profile, Report, plan};

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
    pub verdict: Reply<'static>,
    /// What happened, in one word.
    pub result: &'static str,
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
    /// Nothing is written unless all of it fits. A panic, which would be a fault of septet, is caught: the
    /// message then goes the way of `on_error`.
    pub fn carry_out(&self, content: &Content, out: &mut Vec<u8>) -> Outcome {
        let Some(name) = &self.profile else { return passed("skipped", Details::Report(Report::default())) };
        if self.starved {
            let details = left("memory", "message left=limit(memory)".to_owned());
            return Outcome { verdict: verdict(self.settings.config.limits.memory_full), result: "left", details };
        }
        if let Some(limit) = content.over() {
            return passed("left", left("limit", format!("message left=limit({limit})")));
        }
        match self.settings.profile(name).map(|fitted| fitted.form(self.transport)) {
            Some(profile) if !profile.is_identity() => self.planned(content, profile, out),
            _ => passed("unchanged", Details::Report(Report::default())),
        }
    }

    fn planned(&self, content: &Content, profile: &Profile, out: &mut Vec<u8>) -> Outcome {
        let Ok(Plan { mut edits, report }) = catch_unwind(AssertUnwindSafe(|| plan(content.raw(), profile))) else {
            return Outcome::lost(&self.settings);
        };
        if self.settings.config.x_septet
            && let Some(field) = mark::field(&report)
            && let Err(overlap) = edits.push(Span::empty(content.header_end()), field)
        {
            return failed(self.settings.config.on_error, overlap.to_string());
        }
        match Requests::of(content, &edits, &self.terms) {
            Ok(requests) => {
                requests.write(out);
                passed(report.result(), Details::Report(report))
            }
            Err(why @ Unfit::NotAllowed(_)) => passed("left", left("not-allowed", why.to_string())),
            Err(why @ Unfit::Long(_)) => passed("left", left("long-field", why.to_string())),
            Err(why) => failed(self.settings.config.on_error, why.to_string()),
        }
    }
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
    Outcome { verdict: Reply::Continue, result, details }
}

fn left(reason: &'static str, text: String) -> Details {
    Details::Left { reason, text }
}

fn failed(on_error: OnError, why: String) -> Outcome {
    Outcome { verdict: verdict(on_error), result: "error", details: Details::Failed(why) }
}

fn verdict(on_error: OnError) -> Reply<'static> {
    match on_error {
        OnError::Accept => Reply::Continue,
        OnError::Tempfail => Reply::TempFail,
    }
}

impl Outcome {
    /// Gives what becomes of a message whose planning failed: a fault of septet.
    pub fn lost(settings: &Settings) -> Outcome {
        failed(settings.config.on_error, "the planner failed; please report it".to_owned())
    }

    /// Tells whether a postmaster should look at it.
    pub fn is_failure(&self) -> bool {
        self.result == "error" || self.verdict == Reply::TempFail
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
