//! The review itself, without a terminal and without files: messages come in, questions go out, answers come back.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use super::key::ReviewKey;
use super::reviewed_message::ReviewedMessage;
use crate::archive::decisions::{
    AnswerIndex, AnswerLine, DecisionsFile, PlaceAnswer, PlaceName, YesNo, asked_changes, is_change, is_fix, kind_of,
    obey,
};
use crate::rewrite::{DecidedPlace, Decision, Outcome, Plan};

/// How many answers can be taken back: each holds its message.
const STEPS: usize = 50;

/// One question: whether this is to be changed.
#[derive(Debug, Clone)]
pub struct ReviewQuestion {
    /// The message.
    pub message: Arc<ReviewedMessage>,
    /// What is done with it by the answers so far.
    pub current: Plan,
    /// The change that is asked about.
    pub decision: Decision,
    /// Which of the changes of the message it is, from 1.
    pub number: usize,
    /// How many there are.
    pub count: usize,
    /// What else stays where it does.
    pub also_stays: Vec<Decision>,
}

/// What came of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewReply {
    /// It was taken; the file is to be written.
    Taken,
    /// It was taken, and there is something to be said of it.
    Noted(String),
    /// It means nothing here, for this reason.
    Refused(&'static str),
    /// What the letters mean is asked for.
    Help,
    /// The review ends.
    Ended,
}

/// An answer that can be taken back.
#[derive(Debug)]
struct ReviewStep {
    message: Arc<ReviewedMessage>,
    /// How many answers there were before.
    before: usize,
    /// Whether it was one for more than its message, so that others may have been passed by it.
    is_rule: bool,
}

/// A review.
#[derive(Debug)]
pub struct ReviewSession {
    /// The answers so far.
    pub file: DecisionsFile,
    index: AnswerIndex,
    waiting: VecDeque<Arc<ReviewedMessage>>,
    /// The last answers, the latest at the end.
    steps: VecDeque<ReviewStep>,
    /// Whether a rule was taken back, so that messages without an answer were passed.
    again: bool,
}

impl ReviewSession {
    /// Begins a review, or goes on with the answers of an earlier one.
    pub fn new(file: DecisionsFile) -> ReviewSession {
        let index = AnswerIndex::of(&file.answers);
        ReviewSession { file, index, waiting: VecDeque::new(), steps: VecDeque::new(), again: false }
    }

    /// Adds a message to be asked about, behind those that wait.
    pub fn add(&mut self, message: ReviewedMessage) {
        self.waiting.push_back(Arc::new(message));
    }

    /// Returns the next question; none where all messages so far have their answers.
    pub fn question(&mut self) -> Option<ReviewQuestion> {
        while let Some(message) = self.waiting.front() {
            match self.open_question(message) {
                None => _ = self.waiting.pop_front(),
                question => return question,
            }
        }
        None
    }

    /// Returns `true` if messages have no answer that were passed, since an answer for all of a kind or of a sender was
    /// taken back: all of the archives are to be gone through once more. It is `false` from then on.
    pub fn goes_again(&mut self) -> bool {
        std::mem::take(&mut self.again)
    }

    /// Finds the first change of a message that has no answer and can be declined by itself; none where there is none,
    /// or the plan without a change can't be made. A fix is asked about too, though it can't be declined by itself:
    /// with a No to it the whole message stays as it is, so that nothing is listed that stays with it.
    fn open_question(&self, message: &Arc<ReviewedMessage>) -> Option<ReviewQuestion> {
        let current = self.plan_so_far(message);
        for decision in self.open_changes(message, &current) {
            let less = current.without(&message.content, &message.profile, &decision.at).ok()?;
            if !is_fix(&decision) && changes_of(&less).iter().any(|it| it.at == decision.at) {
                continue;
            }
            let decisions = message.plan.decisions();
            let all = asked_changes(&decisions);
            let number = all.iter().position(|it| it.at == decision.at).map_or(1, |at| at + 1);
            let also_stays = if is_fix(&decision) { Vec::new() } else { lost(&current, &less, &decision) };
            let (message, count) = (message.clone(), all.len());
            return Some(ReviewQuestion { message, current, decision, number, count, also_stays });
        }
        None
    }

    /// Returns what is done with a message by the answers so far; what has none is changed.
    fn plan_so_far(&self, message: &ReviewedMessage) -> Plan {
        let (plan, content, profile) = (message.plan.clone(), &message.content, &message.profile);
        obey(plan, content, profile, |decision| self.index.answer_to(&message.identity, decision), YesNo::Yes)
    }

    /// Returns the changes of a plan of a message that have no answer.
    fn open_changes(&self, message: &ReviewedMessage, current: &Plan) -> Vec<Decision> {
        let decisions = current.decisions();
        let open = asked_changes(&decisions).into_iter();
        open.filter(|it| self.index.answer_to(&message.identity, it).is_none()).cloned().collect()
    }

    /// Takes an answer to the question that [`question`](Self::question) returned last.
    pub fn answer(&mut self, key: ReviewKey, question: &ReviewQuestion) -> ReviewReply {
        match key {
            ReviewKey::This(answer) => {
                self.keep(question, vec![place_answer(question, &question.decision, answer)], false)
            }
            ReviewKey::Kind(answer) => {
                let kind = kind_of(&question.decision);
                self.keep(question, vec![AnswerLine::Kind { kind, answer }], true)
            }
            ReviewKey::Sender(answer) => match question.message.identity.sender.clone() {
                Some(sender) => self.keep(question, vec![AnswerLine::Sender { sender, answer }], true),
                None => return ReviewReply::Refused("Its From names no address, so there is no sender to go by."),
            },
            ReviewKey::Message(answer) => {
                let open = self.open_changes(&question.message, &question.current);
                let lines = open.iter().map(|it| place_answer(question, it, answer)).collect();
                self.keep(question, lines, false);
            }
            ReviewKey::Back => return self.back(),
            ReviewKey::All | ReviewKey::Quit => {
                self.file.head.rest = if key == ReviewKey::All { YesNo::Yes } else { YesNo::No };
                return ReviewReply::Ended;
            }
            ReviewKey::Help => return ReviewReply::Help,
        }
        ReviewReply::Taken
    }

    /// Keeps answers that were given at a question, as one that can be taken back; the last [`STEPS`] can.
    fn keep(&mut self, question: &ReviewQuestion, lines: Vec<AnswerLine>, is_rule: bool) {
        let (message, before) = (question.message.clone(), self.file.answers.len());
        self.steps.push_back(ReviewStep { message, before, is_rule });
        if self.steps.len() > STEPS {
            self.steps.pop_front();
        }
        lines.iter().for_each(|line| self.index.add(line));
        self.file.answers.extend(lines);
    }

    /// Takes the last answer back, and asks again about its message.
    fn back(&mut self) -> ReviewReply {
        let Some(ReviewStep { message, before, is_rule }) = self.steps.pop_back() else {
            return ReviewReply::Refused("There is no answer to go back to.");
        };
        self.file.answers.truncate(before);
        self.index = AnswerIndex::of(&self.file.answers);
        self.again |= is_rule;
        if !self.waiting.front().is_some_and(|front| Arc::ptr_eq(front, &message)) {
            self.waiting.push_front(message);
        }
        match is_rule {
            false => ReviewReply::Taken,
            true => ReviewReply::Noted("What was passed by that answer is asked about at the end.".to_owned()),
        }
    }
}

/// Makes the answer to a change of the message of a question.
fn place_answer(question: &ReviewQuestion, decision: &Decision, answer: YesNo) -> AnswerLine {
    let ReviewedMessage { input, number, identity, .. } = &*question.message;
    let change = decision.outcomes.iter().filter_map(|outcome| match outcome {
        Outcome::Done(changes) => Some(changes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")),
        _ => None,
    });
    AnswerLine::Place(PlaceAnswer {
        message: identity.digest.clone(),
        at: PlaceName::of(&decision.at),
        answer,
        change: change.collect::<Vec<_>>().join(" "),
        input: input.clone(),
        nth: number.unwrap_or(1),
    })
}

/// Returns the changes of a plan.
fn changes_of(plan: &Plan) -> Vec<Decision> {
    plan.decisions().into_iter().filter(is_change).collect()
}

/// Returns the changes that are lost with one: those of a plan that the plan without it has not.
fn lost(current: &Plan, less: &Plan, without: &Decision) -> Vec<Decision> {
    let (decisions, remaining) = (current.decisions(), changes_of(less));
    let remaining: BTreeSet<&DecidedPlace> = remaining.iter().map(|it| &it.at).collect();
    let asked = asked_changes(&decisions).into_iter();
    asked.filter(|it| it.at != without.at && !remaining.contains(&it.at)).cloned().collect()
}

#[cfg(test)]
mod tests;
