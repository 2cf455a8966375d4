//! What is advised for texts that are left for want of a charset: settings that read them as they look.
//!
//! Nearly every text is well-formed in nearly every charset of one octet a character, so that "it can be read" says
//! little. What counts here is whether texts read as statistics would read them; beside it stand samples, for a person
//! has the last word. It counts by messages: one of which a text reads otherwise than it looks is worse than it was,
//! and nothing is advised that makes a message worse. Where no list is good for all, lists and senders get theirs by
//! rule. What the advice gains is measured and not reckoned: all messages of which something was left are planned anew
//! by the file that is printed.
//!
//! `septet advise` asks this of all messages of archives; `explain` and the report page ask it of the texts that they
//! show ([`Remedies`]).

mod candidate;
mod choice;
mod compare;
mod evidence;
mod groups;
mod remedy;
mod settings_file;
mod spooled_messages;
mod texts;
mod trial;
mod verdict;

pub use candidate::Candidate;
pub use choice::Whose;
pub use evidence::CharsetEvidence;
pub use groups::ComparisonCount;
pub use remedy::{LeftText, Remedies};
pub use spooled_messages::SpooledMessages;
pub use trial::{Trial, TrialSample};

use std::io;

use crate::coding::charset::Charset;
use crate::config::profile::ProfileTable;
use crate::config::{Settings, SettingsFile};
use crate::process::ruled_profiles::RuledProfiles;
use groups::Groups;
use settings_file::SettingsWriter;

/// How many lists are tried on whole messages: those that read most texts as they look.
const TRIALS: usize = 8;

/// By which settings it is asked.
#[derive(Debug, Clone)]
pub struct AdviceBasis {
    settings: Settings,
    profiles: RuledProfiles,
    /// The usual profile, as the settings have it.
    table: ProfileTable,
}

impl AdviceBasis {
    /// Takes the settings in force, and the profiles of messages by them.
    pub fn new(settings: &Settings, profiles: &RuledProfiles) -> AdviceBasis {
        // There is a table of each profile that messages get; otherwise, utf8 is the usual one.
        let table = settings.profile_table(&profiles.usual().name).cloned().unwrap_or_default();
        AdviceBasis { settings: settings.clone(), profiles: profiles.clone(), table }
    }
}

/// What was found out.
#[derive(Debug)]
pub struct Advice {
    /// What the texts look like.
    pub evidence: CharsetEvidence,
    /// The lists that were tried, the best first, with the messages that each alone makes better and worse.
    pub trials: Vec<(Trial, ComparisonCount)>,
    /// What is advised; none where nothing helps.
    pub best: Option<Best>,
}

/// Settings that help: they make one message better at least, and none worse ([`best`] returns no others).
#[derive(Debug)]
pub struct Best {
    /// The settings.
    pub toml: String,
    /// The keys for all messages.
    pub usual: Candidate,
    /// Those for lists and senders, by rule.
    pub rules: Vec<(Whose, Candidate)>,
    /// How many messages they make better and worse.
    pub count: ComparisonCount,
    /// The profiles by them.
    pub profiles: RuledProfiles,
}

impl Best {
    /// Returns `true` if it has this list, for all messages or by a rule.
    pub fn has_list(&self, unlabelled: &[String]) -> bool {
        let all = [&self.usual].into_iter().chain(self.rules.iter().map(|(_, candidate)| candidate));
        all.into_iter().any(|candidate| candidate.unlabelled == unlabelled)
    }
}

/// Tries lists on all texts, then the best of them on whole messages, and measures what is chosen.
pub fn advise(messages: &mut SpooledMessages, basis: &AdviceBasis) -> io::Result<Advice> {
    let AdviceBasis { settings, profiles, table } = basis;
    let profile = profiles.usual();
    let evidence = evidence::gather(messages, profile)?;
    let (lists, most) = (candidate::lists(&evidence), evidence.likeliest());
    let mut trials = trial::try_all(messages, (table, profile), &lists, most)?;
    trials.truncate(TRIALS);
    let lists = trials.iter().map(|trial| trial.added.clone()).collect();
    let candidates = candidate::all(table, evidence.aliases(), lists);
    let groups = compare::compare_by_group(messages, (table, profile), &candidates, most)?;
    let writer = SettingsWriter { settings, profiles, table, candidates: &candidates };
    let best = best(messages, writer, &groups, most)?;
    let mut counted = Vec::new();
    for trial in trials {
        let mut alone = candidates.iter().map(|it| it.added == trial.added && it.aliases == table.charset_alias);
        let count = alone.position(|is_alone| is_alone).map_or_else(ComparisonCount::default, |at| groups.total(at));
        counted.push((trial, count));
    }
    Ok(Advice { evidence, trials: counted, best })
}

/// Chooses settings, and measures by the file itself what they make of the messages. Where those with rules make one
/// worse, or none better, those without are tried; none where these do so too.
fn best(
    messages: &mut SpooledMessages,
    writer: SettingsWriter,
    groups: &Groups,
    most: Option<Charset>,
) -> io::Result<Option<Best>> {
    let guesses: Vec<bool> = writer.candidates.iter().map(Candidate::guesses).collect();
    for choice in [choice::choose(groups, &guesses), choice::without_rules(groups, &guesses)] {
        let toml = writer.write(&choice);
        let source = SettingsFile { path: "septet.toml".to_owned(), bytes: toml.clone().into_bytes() };
        let (settings, origins) = Settings::read(&[source], [], &[]).map_err(io::Error::other)?;
        let by_rule = RuledProfiles::by_rule(&settings, &origins);
        let count = compare::compare_by_rules(messages, writer.profiles.usual(), &by_rule, most)?;
        if count.better > 0 && count.worse == 0 {
            let usual = writer.candidates[choice.usual].clone();
            let rules = choice.rules.into_iter().map(|(whose, at)| (whose, writer.candidates[at].clone())).collect();
            return Ok(Some(Best { toml, usual, rules, count, profiles: by_rule }));
        }
    }
    Ok(None)
}
