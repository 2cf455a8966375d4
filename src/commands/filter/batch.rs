//! Many messages by one pipe: a client writes requests and reads an answer for each, in order, as soon as it is ready.
//!
//! One message is held at a time, and none is planned before the one before it was answered; who sends faster than that
//! waits. What is never planned is not held either: its answer is written first, and its octets go through in pieces.
//! So memory is that of one message up to the limit.
//!
//! No message ends the batch: what septet can't do is in the answer, and the octets come back as they came. What ends
//! it with 65 is an input that says no longer where the next message starts, and nobody should guess. Nothing is said
//! on stderr but why it ended, for a client may read no stderr, and who writes into a full pipe waits.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::Arc;

use super::answer::Answer;
use super::error::FilterError;
use super::panics::{self, caught};
use super::pipe::{self, PipeError};
use super::planned::{Planned, over_limit, refused, room_for, room_to_plan, room_to_read};
use super::request::{Request, RequestError, Requests};
use crate::config::Settings;
use crate::process::ruled_profiles::RuledProfiles;
use crate::process::shown_json::write_shown_json;
use crate::protocol::mbox::MboxMessage;
use crate::rewrite::{Profile, Reason, Report};

/// The octets that are written at once.
const PIECE: usize = 64 << 10;

/// The room for a message that is kept for the next one; more is given back.
const KEPT: usize = 1 << 20;

/// Answers requests until the input ends; each answer goes out before the next request is read.
pub fn run(settings: &Settings, profiles: &RuledProfiles) -> Result<(), RequestError> {
    let (input, output) = pipe::open()?;
    panics::keep_quiet();
    let (requests, output) = (Requests::of(input), BufWriter::with_capacity(PIECE, output));
    let mut answers = Answers { settings, profiles, requests, output, raw: Vec::new() };
    let mut line = Vec::new();
    while let Some(request) = answers.requests.next(&mut line)? {
        answers.answer(&request)?;
        answers.output.flush().map_err(PipeError::Write)?;
    }
    Ok(())
}

/// What answers need.
struct Answers<'s> {
    settings: &'s Settings,
    profiles: &'s RuledProfiles,
    requests: Requests<File>,
    output: BufWriter<File>,
    /// The message, or its beginning.
    raw: Vec<u8>,
}

impl Answers<'_> {
    /// Answers one request; keeps the room of its message for the next one, unless it is large.
    fn answer(&mut self, request: &Request) -> Result<(), RequestError> {
        let mut raw = std::mem::take(&mut self.raw);
        raw.clear();
        let answered = self.answer_with(request, &mut raw);
        self.raw = if raw.capacity() > KEPT { Vec::new() } else { raw };
        answered
    }

    /// Answers one request; `raw` is empty, and has room.
    fn answer_with(&mut self, request: &Request, raw: &mut Vec<u8>) -> Result<(), RequestError> {
        let named = match self.named(request) {
            Ok(named) => named,
            Err(unknown) => return self.pass(request, Answer::failed(unknown), raw),
        };
        let limit = self.profiles.limits().message_bytes;
        let is_over = request.length > limit as u64;
        let held = match is_over {
            false => request.length,
            // A rule has to see the header, and looks no further than `septet filter` without a batch does.
            true if named.is_none() && !self.profiles.rules().is_empty() => (limit as u64).saturating_add(1),
            true => 0,
        };
        if !self.make_room(held, raw) {
            return self.pass(request, Answer::failed(no_memory(request)), raw);
        }
        self.requests.read(held, raw)?;
        if room_to_read(raw, self.profiles.limits()).is_err() {
            return self.pass(request, Answer::failed(no_memory(request)), raw);
        }
        let (from_line, message) = MboxMessage::split_from_line(raw);
        match caught(|| named.unwrap_or_else(|| Arc::clone(self.profiles.of(message, from_line)))) {
            Ok(profile) if is_over => self.pass_over_limit(request, &profile, raw),
            Ok(profile) => self.convert(request, &profile, raw),
            Err(said) => self.answer_panic(request, &said, raw),
        }
    }

    /// Returns the profile that a request names, none where it names none; the error is that there is none of its name.
    fn named(&self, request: &Request) -> Result<Option<Arc<Profile>>, String> {
        let named = request.profile.as_deref().map(|name| self.settings.profile_named(name).cloned());
        named.transpose().map_err(|unknown| unknown.to_string())
    }

    /// Makes room in `raw` for so many octets; returns `false` if the process can't have it.
    fn make_room(&self, octets: u64, raw: &mut Vec<u8>) -> bool {
        let room = usize::try_from(octets).ok().filter(|&octets| room_for(|| octets).is_ok());
        room.is_some_and(|octets| raw.try_reserve_exact(octets).is_ok())
    }

    /// Passes on a message over the limit, of which the beginning was read.
    fn pass_over_limit(&mut self, request: &Request, profile: &Profile, head: &[u8]) -> Result<(), RequestError> {
        let report = over_limit(profile);
        let refused = refused(self.settings, &report);
        let answer = refused.map_or_else(|| Answer::of(&report), |it| Answer::refused(&report, &it));
        self.pass(request, answer, head)
    }

    /// Answers with a message as it comes, of which the beginning was read.
    fn pass(&mut self, request: &Request, answer: Answer, head: &[u8]) -> Result<(), RequestError> {
        self.write(request, answer, request.length, [head])?;
        self.requests.pass(&mut self.output)
    }

    /// Answers with what a profile makes of a message, all of which was read; as it came where the settings don't let
    /// it pass, or there is no memory to plan it.
    fn convert(&mut self, request: &Request, profile: &Profile, raw: &[u8]) -> Result<(), RequestError> {
        let (from_line, message) = MboxMessage::split_from_line(raw);
        let planned = caught(|| {
            room_to_plan(message, profile).ok().map(|()| Planned::new(self.settings, profile, from_line, message))
        });
        let planned = match planned {
            Ok(Some(planned)) => planned,
            Ok(None) => return self.pass(request, Answer::failed(no_memory(request)), raw),
            Err(said) => return self.answer_panic(request, &said, raw),
        };
        let report = &planned.plan.report;
        match refused(self.settings, report) {
            Some(decision) => self.pass(request, Answer::refused(report, &decision), raw),
            None => self.write(request, Answer::of(report), planned.length() as u64, planned.pieces()),
        }
    }

    /// Answers with a message as it came, since the planner panicked: a fault of septet. `said` says so in one line,
    /// from the verb on: `panicked at FILE:LINE:COLUMN: …`.
    fn answer_panic(&mut self, request: &Request, said: &str, raw: &[u8]) -> Result<(), RequestError> {
        let report = &Report::whole(Reason::Internal("the planner panicked"));
        let action = refused(self.settings, report).map(|decision| decision.action);
        let answer = Answer { action, report, ..Answer::failed(format!("please report this: the planner {said}")) };
        self.pass(request, answer, raw)
    }

    /// Writes an answer's line, and octets behind it: `length` of them in all, of which `pieces` may be the beginning.
    fn write<'m>(
        &mut self,
        request: &Request,
        answer: Answer,
        length: u64,
        pieces: impl IntoIterator<Item = &'m [u8]>,
    ) -> Result<(), RequestError> {
        let answer = Answer { id: request.id, length, ..answer };
        let line = write_shown_json(&mut self.output, &answer);
        let written = line.and_then(|()| pieces.into_iter().try_for_each(|piece| self.output.write_all(piece)));
        Ok(written.map_err(PipeError::Write)?)
    }
}

/// Says that there is no memory for the message of a request.
fn no_memory(request: &Request) -> String {
    FilterError::Memory(request.length).to_string()
}
