//! What is advised: a candidate for all messages, and others by rule for lists and senders.
//!
//! A message is worth more than a place: a candidate counts by the messages that it makes better, and one that makes a
//! single message worse is not advised for it, nor for the others of its rule.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::groups::{ComparisonCount, Groups, MessageGroup};

/// How many lists and senders may have rules: those with the greatest gain.
const NAMED: usize = 20;

/// What a rule asks for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whose {
    /// Messages to a list.
    List(String),
    /// Messages of a sender.
    Sender(String),
}

/// Candidates, by their index: one for all messages, others by rule; the first rule that matches decides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CandidateChoice {
    /// The one for all; 0 is the profile as it is.
    pub usual: usize,
    /// Those of rules.
    pub rules: Vec<(Whose, usize)>,
}

impl Whose {
    /// Returns `true` if a rule for this list or sender matches the messages of a group.
    fn matches(&self, group: &MessageGroup) -> bool {
        match self {
            Whose::List(list) => group.list.as_ref() == Some(list),
            Whose::Sender(sender) => group.sender.as_ref() == Some(sender),
        }
    }
}

/// Chooses what makes most messages better and none worse; of equals what guesses less, then what has fewer rules, then
/// what stands first. `guesses` says of each candidate whether it goes by statistics. The profile as it is, where all
/// do harm.
pub fn choose(groups: &Groups, guesses: &[bool]) -> CandidateChoice {
    let choices = (0..guesses.len()).filter_map(|usual| {
        let (choice, better) = choose_with_rules(groups, guesses, usual)?;
        let guessed = guesses[usual] || choice.rules.iter().any(|(_, candidate)| guesses[*candidate]);
        Some(((better, !guessed, Reverse(choice.rules.len()), Reverse(usual)), choice))
    });
    // The first candidate is the profile as it is.
    choices.max_by(|(one, _), (other, _)| one.cmp(other)).map(|(_, choice)| choice).unwrap_or_default()
}

/// Chooses the one candidate that makes most messages better and none worse, without any rule; the profile as it is,
/// where all do harm.
pub fn without_rules(groups: &Groups, guesses: &[bool]) -> CandidateChoice {
    let harmless = (0..guesses.len()).filter(|&candidate| groups.total(candidate).worse == 0);
    let usual =
        harmless.max_by_key(|&candidate| (groups.total(candidate).better, !guesses[candidate], Reverse(candidate)));
    // The first candidate is the profile as it is.
    CandidateChoice { usual: usual.unwrap_or_default(), rules: Vec::new() }
}

/// Chooses rules for a usual candidate, where another one does more, and counts the messages that get better by all of
/// it. None where a message would get worse for which there is no rule.
fn choose_with_rules(groups: &Groups, guesses: &[bool], usual: usize) -> Option<(CandidateChoice, u64)> {
    let mut rules = rules(groups, guesses, usual, &[], list_of);
    rules.extend(self::rules(groups, guesses, usual, &rules, sender_of));
    rules.sort_by_key(|(gain, whose, _)| (Reverse(*gain), whose.clone()));
    rules.truncate(NAMED);
    // Lists first: who writes to one has its rule there.
    rules.sort_by_key(|(_, whose, candidate)| (matches!(whose, Whose::Sender(_)), *candidate, whose.clone()));
    let rules: Vec<_> = rules.into_iter().map(|(_, whose, candidate)| (whose, candidate)).collect();
    let chosen = groups.0.iter().map(|(group, counts)| {
        let rule = rules.iter().find(|(whose, _)| whose.matches(group));
        counts[rule.map_or(usual, |(_, candidate)| *candidate)]
    });
    let all = ComparisonCount::sum(chosen);
    (all.worse == 0).then_some((CandidateChoice { usual, rules }, all.better))
}

/// A rule that may be advised: how many messages it makes better beyond the usual candidate, whose, and by which
/// candidate.
type Gain = (u64, Whose, usize);

/// Returns the list of a group; none where the messages have none that a rule can name.
fn list_of(group: &MessageGroup) -> Option<Whose> {
    group.list.clone().map(Whose::List)
}

/// Returns the sender of a group; none where the messages have none that a rule can name.
fn sender_of(group: &MessageGroup) -> Option<Whose> {
    group.sender.clone().map(Whose::Sender)
}

/// Finds the rules of one `kind`, which is [`list_of`] or [`sender_of`], for messages to whose list `before` has no
/// rule.
fn rules(
    groups: &Groups,
    guesses: &[bool],
    usual: usize,
    before: &[Gain],
    kind: impl Fn(&MessageGroup) -> Option<Whose>,
) -> Vec<Gain> {
    let ruled: BTreeSet<&Whose> = before.iter().map(|(_, whose, _)| whose).collect();
    let mut counts: BTreeMap<Whose, Vec<ComparisonCount>> = BTreeMap::new();
    for (group, more) in groups.0.iter().filter(|(group, _)| list_of(group).is_none_or(|list| !ruled.contains(&list))) {
        let Some(whose) = kind(group) else { continue };
        let counts = counts.entry(whose).or_insert_with(|| vec![ComparisonCount::default(); guesses.len()]);
        counts.iter_mut().zip(more).for_each(|(count, more)| *count = ComparisonCount::sum([*count, *more]));
    }
    counts.into_iter().filter_map(|(whose, counts)| rule(whose, &counts, guesses, usual)).collect()
}

/// Returns the rule of one list or sender, where another candidate makes more messages better than the usual one and
/// none worse. A usual one that makes a message worse counts as if it made none better.
fn rule(whose: Whose, counts: &[ComparisonCount], guesses: &[bool], usual: usize) -> Option<Gain> {
    let harmless = (0..guesses.len()).filter(|&candidate| counts[candidate].worse == 0);
    let best = harmless.max_by_key(|&it| (counts[it].better, !guesses[it], Reverse(it)))?;
    let now = if counts[usual].worse == 0 { counts[usual].better } else { 0 };
    let gain = counts[best].better.checked_sub(now).filter(|gain| *gain > 0)?;
    Some((gain, whose, best))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::advice::verdict::Comparison;
    use Comparison::{Better, Same, Worse};

    /// Candidates: none, a western charset, a Russian one, statistics.
    const GUESSES: [bool; 4] = [false, false, false, true];

    fn chosen(messages: &[(&str, &str, [Comparison; 4])]) -> CandidateChoice {
        let mut groups = Groups::default();
        for (list, sender, verdicts) in messages {
            let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            groups.add(MessageGroup { list: some(list), sender: some(sender) }, verdicts);
        }
        choose(&groups, &GUESSES)
    }

    const WESTERN: [Comparison; 4] = [Same, Better, Worse, Better];
    const RUSSIAN: [Comparison; 4] = [Same, Worse, Better, Better];
    const HOPELESS: [Comparison; 4] = [Same, Worse, Worse, Worse];

    fn sender(address: &str) -> Whose {
        Whose::Sender(address.to_owned())
    }

    #[test]
    fn one_charset_is_for_all() {
        assert_eq!(chosen(&[("", "a", WESTERN), ("l", "", WESTERN)]), CandidateChoice { usual: 1, rules: vec![] });
        assert_eq!(chosen(&[]), CandidateChoice::default());
    }

    #[test]
    fn who_writes_otherwise_has_a_rule() {
        let choice = chosen(&[("", "a", WESTERN), ("", "b", WESTERN), ("", "r", RUSSIAN)]);
        assert_eq!(choice, CandidateChoice { usual: 1, rules: vec![(sender("r"), 2)] });
        let choice = chosen(&[("l", "a", RUSSIAN), ("l", "b", RUSSIAN), ("", "b", WESTERN), ("", "c", WESTERN)]);
        assert_eq!(choice, CandidateChoice { usual: 1, rules: vec![(Whose::List("l".to_owned()), 2)] });
    }

    #[test]
    fn nobody_gets_worse() {
        assert_eq!(chosen(&[("", "", WESTERN), ("", "", HOPELESS)]), CandidateChoice::default());
        let choice = chosen(&[("", "a", WESTERN), ("", "b", HOPELESS)]);
        assert_eq!(choice, CandidateChoice { usual: 0, rules: vec![(sender("a"), 1)] });
        let choice = chosen(&[("", "a", WESTERN), ("", "a", HOPELESS)]);
        assert_eq!(choice, CandidateChoice::default(), "a rule for a sender is for all that he writes");
    }

    #[test]
    fn statistics_are_for_what_no_rule_tells_apart() {
        assert_eq!(chosen(&[("", "", WESTERN), ("", "", RUSSIAN)]), CandidateChoice { usual: 3, rules: vec![] });
    }
}
