//! What was decided by itself must be there: a message that is not in the input is an error, and so is a place of one
//! that would not change.
//!
//! All of it is looked for before anything is written. Standard input and pipes can be read only once, so what they
//! lack is known at the end; what shards lack is known to `join`.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::job::AROUND;
use super::visit::{VisitedMessage, visit_inputs};
use super::walk::Walk;
use super::{Args, Job, Mark};
use crate::archive::decisions::{DecidedProfiles, DecisionsError};
use crate::process::exit::Failure;

/// Looks in all inputs for what was decided by itself, where none of them can be read only once.
pub fn check_before(args: &Args, profiles: &DecidedProfiles, is_read_once: bool) -> Result<(), Failure> {
    if !profiles.are_decided() || is_read_once {
        return Ok(());
    }
    let (mut unknown, hold) = (Vec::new(), profiles.limits().message_bytes.saturating_add(AROUND));
    let walk = Walk::of(args.output.as_deref(), &args.inputs, args.format, args.recursive)?;
    visit_inputs(walk.inputs, hold, |found| {
        unknown.par_extend(found.par_iter().filter(|it| it.whole).filter_map(|it| unknown_places(it, profiles)));
        Ok(ControlFlow::Continue(()))
    })?;
    let missing = profiles.missing(&[]);
    let first = unknown.into_iter().next().or(missing);
    first.map_or(Ok(()), |what| Err(profiles.error(|path| DecisionsError::Missing { path, what }).into()))
}

/// Looks for it where the run is to be gone on with later ([`check_before`]), but not where it goes on itself: inputs
/// that were replaced already have what was decided no more, and it was there when the run began.
pub fn check_new_run(args: &Args, job: &Job, is_read_once: bool) -> Result<(), Failure> {
    let is_new = args.resume && job.mark == Mark::default();
    if is_new { check_before(args, &job.profiles, is_read_once) } else { Ok(()) }
}

/// Says what was decided of places of a message that would not change, and in which message; none where all would. The
/// message counts as met from then on (`profiles.missing`).
fn unknown_places(found: &VisitedMessage, profiles: &DecidedProfiles) -> Option<String> {
    let content = found.content();
    let plan = || found.plan(&content, profiles.of(&content, found.from_line()));
    let places = profiles.unknown_places(&content, plan)?;
    Some(format!("{places} of message {} of {}", found.message, found.input))
}

/// An error where messages of which something was decided by itself were not in inputs that can be read only once.
pub fn check_after(profiles: &DecidedProfiles, is_read_once: bool) -> Result<(), Failure> {
    let missing = profiles.missing(&[]).filter(|_| is_read_once);
    missing.map_or(Ok(()), |what| Err(profiles.error(|path| DecisionsError::MissingAtEnd { path, what }).into()))
}
