//! What settings make of the messages of which something was left: planned anew, judged and counted.

use std::io;

use rayon::prelude::*;

use super::candidate::Candidate;
use super::groups::{ComparisonCount, Groups, MessageGroup};
use super::spooled_messages::SpooledMessages;
use super::texts::{UndecodedText, texts};
use super::verdict::{Comparison, verdict};
use crate::coding::charset::Charset;
use crate::config::pattern::ListId;
use crate::config::profile::ProfileTable;
use crate::process::ruled_profiles::{RuledProfiles, with_context};
use crate::process::shown::is_hidden;
use crate::protocol::mbox::MboxMessage;
use crate::rewrite::{Arrival, Profile, Report, plan_arrived};

/// A message of the spool as it is by now: its report, and the texts that are left of it.
struct MessageBefore<'m> {
    message: &'m [u8],
    from_line: &'m [u8],
    report: Report,
    texts: Vec<UndecodedText>,
    /// What most texts of the archive look like.
    most: Option<Charset>,
}

impl MessageBefore<'_> {
    /// Plans a message of a spool, the From_ line before it, by the usual profile.
    fn of<'m>(kept: &'m [u8], profile: &Profile, most: Option<Charset>) -> MessageBefore<'m> {
        let (from_line, message) = MboxMessage::split_from_line(kept);
        let report = plan_arrived(message, profile, &Arrival::archived(from_line)).report;
        let texts = texts(message, &report, profile);
        MessageBefore { message, from_line, report, texts, most }
    }

    /// Judges what another profile makes of the message.
    fn verdict(&self, profile: &Profile) -> Comparison {
        let after = plan_arrived(self.message, profile, &Arrival::archived(self.from_line)).report;
        verdict(&self.report, &after, &self.texts, (&profile.labels, self.most))
    }

    /// Returns the list and sender by which a rule can name it, as rules see them: a pattern for a sender needs an `@`,
    /// and one that begins with `@` means all of a domain (`AddressPattern`).
    fn group(&self, profile: &Profile) -> MessageGroup {
        with_context(self.message, self.from_line, &profile.limits, |context| {
            let mut fields = context.header.iter();
            let list = fields.find(|(name, _)| name.eq_ignore_ascii_case(b"List-Id"));
            let list = list.and_then(|(_, body)| str::from_utf8(ListId::read(body)).ok());
            let sender = context.sender.filter(|sender| sender.find('@').is_some_and(|at| at > 0));
            MessageGroup { list: list.and_then(named), sender: sender.and_then(named) }
        })
    }
}

/// Returns a name in lower case, as a rule can ask for it; none of one that is empty, that a pattern would take for
/// another, or that can't be seen in a file.
fn named(name: &str) -> Option<String> {
    let plain = !name.is_empty() && !name.contains(is_odd);
    plain.then(|| name.to_ascii_lowercase())
}

/// Returns `true` for a character of a pattern, and for one that can't be seen or was lost.
fn is_odd(c: char) -> bool {
    matches!(c, '*' | '<' | '>' | char::REPLACEMENT_CHARACTER) || c.is_whitespace() || is_hidden(c)
}

/// Counts by list and sender what each candidate makes of the messages of a spool.
pub fn compare_by_group(
    messages: &mut SpooledMessages,
    (table, profile): (&ProfileTable, &Profile),
    candidates: &[Candidate],
    most: Option<Charset>,
) -> io::Result<Groups> {
    let profiles: Vec<Profile> = candidates.iter().map(|candidate| candidate.profile(table)).collect();
    let mut groups = Groups::default();
    messages.read(|kept| {
        let before = kept.par_iter().map(|kept| MessageBefore::of(kept, profile, most));
        let judged = before.map(|before| {
            let verdicts: Vec<Comparison> = profiles.iter().map(|profile| before.verdict(profile)).collect();
            (before.group(profile), verdicts)
        });
        judged.collect::<Vec<_>>().into_iter().for_each(|(group, verdicts)| groups.add(group, &verdicts));
    })?;
    Ok(groups)
}

/// Counts what profiles by rule make of the messages of a spool, beside what the usual `profile` makes of them.
pub fn compare_by_rules(
    messages: &mut SpooledMessages,
    profile: &Profile,
    profiles: &RuledProfiles,
    most: Option<Charset>,
) -> io::Result<ComparisonCount> {
    let mut count = ComparisonCount::default();
    messages.read(|kept| {
        let before = kept.par_iter().map(|kept| MessageBefore::of(kept, profile, most));
        let judged = before.map(|before| before.verdict(profiles.of(before.message, before.from_line)));
        judged.collect::<Vec<Comparison>>().into_iter().for_each(|verdict| count.add(verdict));
    })?;
    Ok(count)
}
