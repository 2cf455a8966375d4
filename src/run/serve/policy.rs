//! One message: which profile it gets, what becomes of it, and the octets of the answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::settings::{OnError, Settings};
use super::transport::Transport;
use crate::protocol::milter::{Content, Reply, Requests, Session, Terms, Unfit};
use crate::rewrite::{Plan, Profile, Report, plan};

/// How a message is to be treated: chosen once the message is whole, before it is planned.
#[derive(Debug, Clone)]
pub struct Choice {
    settings: Arc<Settings>,
    profile: String,
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
    /// Why the message was not looked at, or what failed.
    Text(String),
}

impl Choice {
    /// Chooses for the message that a session holds.
    pub fn of(settings: Arc<Settings>, listener_profile: &str, session: &Session, starved: bool) -> Choice {
        let transport = Transport::of(session.sender(), &session.client().mta);
        Choice { settings, profile: listener_profile.to_owned(), transport, terms: session.terms(), starved }
    }

    /// Gives the profile's name.
    pub fn profile(&self) -> &str {
        &self.profile
    }

    /// Plans the message and writes what the MTA is to change; the verdict is left to the caller.
    ///
    /// Nothing is written unless all of it fits. A panic, which would be a fault of septet, is caught: the
    /// message then goes the way of `on_error`.
    pub fn carry_out(&self, content: &Content, out: &mut Vec<u8>) -> Outcome {
        if self.starved {
            return failed(self.settings.memory_full, "memory", "the memory for messages is full".to_owned());
        }
        if let Some(limit) = content.over() {
            return passed("left", Details::Text(format!("message left=limit({limit})")));
        }
        let profile = self.settings.profiles.get(&self.profile).map(|fitted| fitted.form(self.transport));
        match profile {
            Some(profile) if !profile.is_identity() => self.planned(content, profile, out),
            _ => passed("unchanged", Details::Report(Report::default())),
        }
    }

    fn planned(&self, content: &Content, profile: &Profile, out: &mut Vec<u8>) -> Outcome {
        let Ok(Plan { edits, report }) = catch_unwind(AssertUnwindSafe(|| plan(content.raw(), profile))) else {
            return failed(self.settings.on_error, "error", "the planner failed; please report it".to_owned());
        };
        match Requests::of(content, &edits, &self.terms) {
            Ok(requests) => {
                requests.write(out);
                passed(report.result(), Details::Report(report))
            }
            Err(why @ Unfit::NotAllowed(_)) => passed("left", Details::Text(why.to_string())),
            Err(why) => failed(self.settings.on_error, "error", why.to_string()),
        }
    }
}

fn passed(result: &'static str, details: Details) -> Outcome {
    Outcome { verdict: Reply::Continue, result, details }
}

fn failed(on_error: OnError, result: &'static str, why: String) -> Outcome {
    let verdict = match on_error {
        OnError::Accept => Reply::Continue,
        OnError::TempFail => Reply::TempFail,
    };
    Outcome { verdict, result, details: Details::Text(why) }
}

impl Outcome {
    /// Tells whether a postmaster should look at it.
    pub fn is_failure(&self) -> bool {
        matches!(self.result, "memory" | "error")
    }

    /// What becomes of a message whose planning was lost.
    pub fn lost(settings: &Settings) -> Outcome {
        failed(settings.on_error, "error", "the planner failed; please report it".to_owned())
    }
}

impl std::fmt::Display for Details {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Details::Report(report) => report.fmt(out),
            Details::Text(text) => out.write_str(text),
        }
    }
}
