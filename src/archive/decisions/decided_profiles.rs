//! By what messages are planned: their profiles, and what somebody decided of their changes.

use std::ops::Deref;
use std::path::PathBuf;

use super::answer::YesNo;
use super::error::DecisionsError;
use super::file::DecisionsFile;
use super::index::{AnswerIndex, MessageIdentity, NAMED};
use super::obey::{is_change, obey};
use crate::archive::report::said::named;
use crate::process::ruled_profiles::RuledProfiles;
use crate::rewrite::{Plan, Profile};

/// The option that names a file of decisions.
#[derive(Debug, Default, clap::Args)]
pub struct DecisionsArgs {
    /// Do what was decided with `septet review`, whose answers are in FILE: what was declined stays as it is
    #[arg(long, value_name = "FILE")]
    pub decisions: Option<PathBuf>,
}

impl DecisionsArgs {
    /// Makes profiles those of an archive ([`RuledProfiles::of_archive`]), and adds what the file says, if one is
    /// named.
    pub fn with(&self, profiles: RuledProfiles) -> Result<DecidedProfiles, DecisionsError> {
        let profiles = profiles.of_archive();
        let Some(path) = self.decisions.clone() else { return Ok(profiles.into()) };
        let (file, digest) = DecisionsFile::read(&path, &profiles)?;
        let (answers, rest) = (AnswerIndex::of(&file.answers), file.head.rest);
        Ok(DecidedProfiles { profiles, decided: Some(Decided { path, digest, answers, rest }) })
    }
}

/// The profiles of messages, and what was decided of their changes.
#[derive(Debug)]
pub struct DecidedProfiles {
    profiles: RuledProfiles,
    /// None where nobody was asked.
    decided: Option<Decided>,
}

/// What was decided.
#[derive(Debug)]
struct Decided {
    path: PathBuf,
    /// The SHA-256 of the file.
    digest: String,
    answers: AnswerIndex,
    rest: YesNo,
}

impl Deref for DecidedProfiles {
    type Target = RuledProfiles;

    fn deref(&self) -> &RuledProfiles {
        &self.profiles
    }
}

impl From<RuledProfiles> for DecidedProfiles {
    fn from(profiles: RuledProfiles) -> DecidedProfiles {
        DecidedProfiles { profiles, decided: None }
    }
}

impl DecidedProfiles {
    /// Returns `true` if something was decided.
    pub fn are_decided(&self) -> bool {
        self.decided.is_some()
    }

    /// Makes of the plan of a message, which `profile` made, the one that was decided on. The message is met then, but
    /// for one whose plan has no edits, which stays as it is.
    pub fn obey(&self, plan: Plan, message: &[u8], profile: &Profile) -> Plan {
        match &self.decided {
            Some(decided) if !plan.edits.is_empty() => {
                let identity = MessageIdentity::of(message);
                decided.answers.meet(&identity);
                obey(plan, message, profile, |it| decided.answers.answer_to(&identity, it), decided.rest)
            }
            _ => plan,
        }
    }

    /// Returns what was decided of places of a message that don't change, as people are told of it; none where all do.
    /// `plan` is called only for a message of which something was decided by itself, and it is met then.
    pub fn unknown_places(&self, message: &[u8], plan: impl FnOnce() -> Plan) -> Option<String> {
        let decided = self.decided.as_ref()?;
        let identity = MessageIdentity::of(message);
        if !decided.answers.meet(&identity) {
            return None;
        }
        let mut changes = plan().decisions();
        changes.retain(is_change);
        named(&decided.answers.unknown_places(&identity, &changes), NAMED)
    }

    /// Returns what was decided of messages that were not met, as people are told of it; those in `met_elsewhere`, by
    /// their digests, were met elsewhere.
    pub fn missing(&self, met_elsewhere: &[&str]) -> Option<String> {
        self.decided.as_ref()?.answers.missing(met_elsewhere)
    }

    /// Returns the digests of the messages that were met, sorted; none where nothing was decided.
    pub fn met(&self) -> Vec<String> {
        self.decided.as_ref().map(|decided| decided.answers.met()).unwrap_or_default()
    }

    /// Makes an error of the file's path; an empty one where there is no file.
    pub fn error(&self, error: impl FnOnce(PathBuf) -> DecisionsError) -> DecisionsError {
        error(self.decided.as_ref().map(|decided| decided.path.clone()).unwrap_or_default())
    }

    /// Writes all of the settings that a result depends on, and the sum of what was decided: equal ones write the same.
    pub fn fingerprint(&self) -> String {
        match &self.decided {
            Some(decided) => format!("{}\ndecisions {}", self.profiles.fingerprint(), decided.digest),
            None => self.profiles.fingerprint(),
        }
    }
}
