//! The answers, to be asked for by message and place.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use super::answer::{AnswerLine, PlaceAnswer, PlaceName, YesNo};
use super::rule::{kind_of, sender_of};
use crate::archive::report::said::named;
use crate::archive::sha256::Sha256;
use crate::rewrite::Decision;

/// How many messages or places are named.
pub(super) const NAMED: usize = 3;

/// What answers know a message by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageIdentity {
    /// The SHA-256 of its octets, in hexadecimal.
    pub digest: String,
    /// The address of its From, in lower case; none where that names none.
    pub sender: Option<String>,
}

impl MessageIdentity {
    /// Makes that of a message, which is given without what its file puts around it.
    pub fn of(message: &[u8]) -> MessageIdentity {
        MessageIdentity { digest: Sha256::default().with(message).hex(), sender: sender_of(message) }
    }
}

/// The answer of a rule, and its number: of two rules that hold the latest counts.
type RuleAnswer = (usize, YesNo);

/// The answers by message and place, and by rule.
#[derive(Debug, Default)]
pub struct AnswerIndex {
    messages: HashMap<String, MessageAnswers>,
    kinds: HashMap<String, RuleAnswer>,
    senders: HashMap<String, RuleAnswer>,
    /// The answers that were added, those to places too: the number of the last rule.
    rules: usize,
}

/// The answers to places of one message.
#[derive(Debug)]
struct MessageAnswers {
    places: HashMap<PlaceName, YesNo>,
    /// Where it was seen, for people.
    seen: SeenAt,
    /// Whether it was met in what is converted.
    met: AtomicBool,
}

/// Where a message was seen.
#[derive(Debug)]
struct SeenAt {
    input: String,
    nth: u64,
    digest: String,
}

impl fmt::Display for SeenAt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SeenAt { input, nth, digest } = self;
        write!(out, "message {nth} of {input} (SHA-256 {}…)", digest.get(..12).unwrap_or(digest))
    }
}

impl AnswerIndex {
    /// Makes that of some answers; of several to the same the last counts.
    pub fn of(answers: &[AnswerLine]) -> AnswerIndex {
        let mut index = AnswerIndex::default();
        answers.iter().for_each(|answer| index.add(answer));
        index
    }

    /// Adds an answer, which counts before those of its sort that are there.
    pub fn add(&mut self, answer: &AnswerLine) {
        self.rules += 1;
        let rule = |answer| (self.rules, answer);
        match answer {
            AnswerLine::Place(answer) => self.add_place(answer),
            AnswerLine::Kind { kind, answer } => _ = self.kinds.insert(kind.clone(), rule(*answer)),
            AnswerLine::Sender { sender, answer } => _ = self.senders.insert(sender.clone(), rule(*answer)),
        }
    }

    /// Adds the answer to a place; of a message it stays known where it was seen first.
    fn add_place(&mut self, answer: &PlaceAnswer) {
        let PlaceAnswer { message, at, answer, input, nth, .. } = answer;
        let seen = || SeenAt { input: input.clone(), nth: *nth, digest: message.clone() };
        let answers = self.messages.entry(message.clone()).or_insert_with(|| MessageAnswers {
            places: HashMap::new(),
            seen: seen(),
            met: AtomicBool::new(false),
        });
        answers.places.insert(at.clone(), *answer);
    }

    /// Returns the answer to one change of a message: its own, else that of the latest rule that holds for it; none
    /// where there is neither.
    pub fn answer_to(&self, message: &MessageIdentity, decision: &Decision) -> Option<YesNo> {
        let own = self.messages.get(&message.digest);
        let own = own.and_then(|answers| answers.places.get(&PlaceName::of(&decision.at)));
        own.copied().or_else(|| self.rule_for(message, decision))
    }

    /// Returns the answer of the latest rule that holds for a change; none where no rule does.
    pub fn rule_for(&self, message: &MessageIdentity, decision: &Decision) -> Option<YesNo> {
        let sender = message.sender.as_ref().and_then(|sender| self.senders.get(sender));
        let kind = if self.kinds.is_empty() { None } else { self.kinds.get(&kind_of(decision)) };
        sender.into_iter().chain(kind).max_by_key(|(number, _)| *number).map(|(_, answer)| *answer)
    }

    /// Notes that a message was met, and returns `true` if a place of it has an answer of its own; any other is not
    /// noted.
    pub fn meet(&self, message: &MessageIdentity) -> bool {
        let answers = self.messages.get(&message.digest);
        answers.inspect(|answers| answers.met.store(true, Ordering::Relaxed)).is_some()
    }

    /// Returns the digests of the messages that were met, sorted.
    pub fn met(&self) -> Vec<String> {
        let met = self.messages.iter().filter(|(_, answers)| answers.met.load(Ordering::Relaxed));
        let mut met: Vec<String> = met.map(|(digest, _)| digest.clone()).collect();
        met.sort_unstable();
        met
    }

    /// Names the messages that were met neither now nor, by their digests, elsewhere; none where all were.
    pub fn missing(&self, met_elsewhere: &[&str]) -> Option<String> {
        let met_elsewhere: HashSet<&str> = met_elsewhere.iter().copied().collect();
        let is_missing =
            |it: &&MessageAnswers| !it.met.load(Ordering::Relaxed) && !met_elsewhere.contains(it.seen.digest.as_str());
        let mut missing: Vec<&SeenAt> = self.messages.values().filter(is_missing).map(|it| &it.seen).collect();
        missing.sort_unstable_by_key(|seen| (&seen.input, seen.nth));
        named(&missing, NAMED)
    }

    /// Returns the answered places of a message that are not among its changes.
    pub fn unknown_places(&self, message: &MessageIdentity, changes: &[Decision]) -> Vec<PlaceName> {
        let Some(answers) = self.messages.get(&message.digest) else { return Vec::new() };
        let known: HashSet<PlaceName> = changes.iter().map(|decision| PlaceName::of(&decision.at)).collect();
        let mut unknown: Vec<PlaceName> = answers.places.keys().filter(|it| !known.contains(*it)).cloned().collect();
        unknown.sort_unstable_by_key(ToString::to_string);
        unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::{Profile, plan};

    const RAW: &[u8] = b"From: a@example.org\nSubject: =?koi8-r?B?8NLJ?=\n\n";

    fn answers() -> (AnswerLine, AnswerLine, AnswerLine) {
        let decision = &plan(RAW, &Profile::default()).decisions()[0];
        let place = PlaceAnswer {
            message: MessageIdentity::of(RAW).digest,
            at: PlaceName::of(&decision.at),
            answer: YesNo::Yes,
            change: String::new(),
            input: "a.mbox".into(),
            nth: 3,
        };
        (
            AnswerLine::Place(place),
            AnswerLine::Kind { kind: kind_of(decision), answer: YesNo::No },
            AnswerLine::Sender { sender: "a@example.org".into(), answer: YesNo::Yes },
        )
    }

    #[test]
    fn an_own_answer_goes_before_rules_and_the_latest_rule_before_others() {
        let decision = plan(RAW, &Profile::default()).decisions().remove(0);
        let answer = |lines: &[&AnswerLine]| {
            let lines: Vec<AnswerLine> = lines.iter().map(|line| (*line).clone()).collect();
            AnswerIndex::of(&lines).answer_to(&MessageIdentity::of(RAW), &decision)
        };
        let (place, kind, sender) = answers();
        assert_eq!(answer(&[]), None);
        assert_eq!(answer(&[&place, &kind]), Some(YesNo::Yes));
        assert_eq!(answer(&[&kind, &sender]), Some(YesNo::Yes));
        assert_eq!(answer(&[&sender, &kind]), Some(YesNo::No));
    }

    #[test]
    fn what_is_not_met_is_named() {
        let (place, kind, _) = answers();
        let index = AnswerIndex::of(&[place, kind]);
        let missing = index.missing(&[]).expect("one is");
        assert!(missing.starts_with("message 3 of a.mbox (SHA-256 "), "{missing}");
        assert_eq!(index.missing(&[&MessageIdentity::of(RAW).digest]), None);
        index.meet(&MessageIdentity::of(b"Subject: another\n\n"));
        assert!(index.missing(&[]).is_some() && index.met().is_empty());
        index.meet(&MessageIdentity::of(RAW));
        assert_eq!((index.missing(&[]), index.met()), (None, vec![MessageIdentity::of(RAW).digest]));
        assert_eq!(named(&["a", "b", "c", "d", "e"], NAMED).as_deref(), Some("a, b, c and 2 more"));
    }

    #[test]
    fn a_place_that_does_not_change_is_unknown() {
        let (place, ..) = answers();
        let (index, message) = (AnswerIndex::of(&[place]), MessageIdentity::of(RAW));
        assert_eq!(index.unknown_places(&message, &plan(RAW, &Profile::default()).decisions()), []);
        assert_eq!(index.unknown_places(&message, &[])[0].to_string(), "part=1 field=Subject");
    }
}
