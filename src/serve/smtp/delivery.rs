//! A message that was kept: what is decided of it, and its way to the next hop.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::next_hop::Result;
use super::received::WholeMessage;
use super::transaction::Transaction;
use crate::message::Limits;
use crate::protocol::smtp::Reply;
use crate::rewrite::{Needs, NextHopExtensions, needs};
use crate::serve::envelope::ReceivedMessage as _;
use crate::serve::memory::{Memory, PlanningTurn};
use crate::serve::outcome::{Details, MessageOutcome, Verdict};
use crate::serve::planning::{discard, in_turn};
use crate::serve::policy::{Decided, MessagePolicy};

/// A message that is planned, ready to go.
#[derive(Debug)]
pub struct PlannedDelivery {
    /// What becomes of it.
    pub outcome: MessageOutcome,
    /// The message as it came.
    message: Arc<WholeMessage>,
    /// The message as it goes on, where the edits change it.
    changed: Option<Vec<u8>>,
    /// What it needs of the next hop as it goes on.
    needs: Needs,
    /// What it needed as it came.
    needed: Needs,
    /// How long planning took.
    pub time: Duration,
    /// The memory of planning that the result takes.
    turn: Option<PlanningTurn>,
}

/// Plans a message when its turn comes, a big one where it keeps no other connection waiting. One for which there is no
/// room and one whose planning fails go the way of `on_error`.
pub async fn plan(
    memory: &Arc<Memory>,
    policy: &MessagePolicy,
    message: Arc<WholeMessage>,
    limits: Limits,
) -> PlannedDelivery {
    let kept = Arc::clone(&message);
    let planned = in_turn(
        memory,
        policy,
        message,
        |message| message.raw(),
        move |policy, message| decide(policy, message, &limits),
    );
    match planned.await {
        Some((planned, turn)) => planned.with(turn),
        None => PlannedDelivery::unchanged(policy.planner_failed(), kept, &limits),
    }
}

/// Decides about a message on this thread, and applies the edits.
fn decide(policy: &MessagePolicy, message: Arc<WholeMessage>, limits: &Limits) -> PlannedDelivery {
    let start = Instant::now();
    let Decided { outcome, edits } = policy.decide(&*message);
    let planned = PlannedDelivery::unchanged(outcome, message, limits);
    let changed = (!edits.is_empty()).then(|| edits.apply(planned.message.raw()));
    let needs = changed.as_ref().map_or(planned.needed, |changed| needs(changed, limits));
    PlannedDelivery { needs, changed, time: start.elapsed(), ..planned }
}

impl PlannedDelivery {
    /// Makes the plan of a message that goes on as it came.
    fn unchanged(outcome: MessageOutcome, message: Arc<WholeMessage>, limits: &Limits) -> PlannedDelivery {
        let needed = needs(message.raw(), limits);
        PlannedDelivery { outcome, message, changed: None, needs: needed, needed, time: Duration::ZERO, turn: None }
    }

    /// Gives the turn back, and holds of its memory what the result takes until the delivery ends.
    fn with(mut self, mut turn: Option<PlanningTurn>) -> PlannedDelivery {
        if let Some(turn) = &mut turn {
            turn.keep(self.changed.as_ref().map_or(0, Vec::len));
        }
        self.turn = turn;
        self
    }

    /// Returns the octets as they go on.
    pub fn result(&self) -> &[u8] {
        self.changed.as_deref().unwrap_or(self.message.raw())
    }

    /// Ends it, and returns what became of it. Much memory is given back where that keeps nobody waiting.
    pub fn end(self) -> MessageOutcome {
        let octets = self.message.size() + self.result().len();
        discard((self.message, self.changed, self.turn), octets);
        self.outcome
    }

    /// Returns `true` if it stayed as it came for this reason.
    fn is_left(&self, why: &str) -> bool {
        matches!(self.outcome.details, Details::Left { reason, .. } if reason == why)
    }

    /// Returns the reply that refuses the message, if it can't go on: by its verdict, or since the next hop can't take
    /// it. Raw octets that stayed refuse it only where the client `announced` that it needs them; others go on as they
    /// came. Where they stayed since the message was left for its size or for want of memory, the reply says that.
    pub fn refusal(&self, transaction: &Transaction, announced: Needs) -> Option<Reply> {
        if let Verdict::TempFail(refusal) | Verdict::Reject(refusal) = &self.outcome.verdict {
            return Some(Reply::new(
                refusal.code.parse().unwrap_or(451),
                format!("{} {}", refusal.status, refusal.text),
            ));
        }
        let connection = &transaction.lease.connection;
        let takes = connection.takes();
        let over = connection.keywords.size().filter(|&size| size > 0 && self.result().len() as u64 > size);
        let raw_header = announced.utf8_header && self.needs.utf8_header && !takes.utf8_header;
        let raw_body = announced.eight_bit && self.needs.eight_bit && !takes.eight_bit;
        let (code, status, what) = match (raw_header, raw_body) {
            (false, false) => {
                let size = over?;
                let became = if self.message.size() as u64 <= size { "has grown" } else { "is" };
                let what = format!("the next hop accepts at most {size} octets, and this message {became} beyond that");
                return Some(Reply::with_status(552, "5.3.4", &what));
            }
            _ if self.is_left("max-size") => {
                (552, "5.3.4", "the next hop accepts neither the message nor its converted form")
            }
            _ if self.is_left("memory") => (451, "4.3.1", "no memory for the message now"),
            (true, _) => (550, "5.6.7", "the next hop has no SMTPUTF8, and the message's header no form in ASCII"),
            (false, true) => {
                (554, "5.6.3", "the next hop has no 8BITMIME, and parts of the message must not be converted")
            }
        };
        Some(Reply::with_status(code, status, what))
    }

    /// Returns what the message needed of a next hop and needs no more, of what this one lacks: the words `smtputf8`
    /// and `8bitmime` of the metrics.
    pub fn downgrades(&self, takes: NextHopExtensions) -> impl Iterator<Item = &'static str> {
        let header = self.needed.utf8_header && !self.needs.utf8_header && !takes.utf8_header;
        let body = self.needed.eight_bit && !self.needs.eight_bit && !takes.eight_bit;
        [("smtputf8", header), ("8bitmime", body)].into_iter().filter(|(_, lowered)| *lowered).map(|(name, _)| name)
    }

    /// Sends the message to the next hop; returns its replies to the message, or the one by which it refused something
    /// before. Where SMTPUTF8 was announced and neither header nor envelope needs it any more, the envelope is first
    /// said again without, as [`transaction`](super::transaction) explains.
    pub async fn send(&self, transaction: &mut Transaction) -> Result<Vec<Reply>> {
        if transaction.has_spare_smtputf8()
            && !self.needs.utf8_header
            && let Err(refused) = transaction.without_smtputf8().await?
        {
            return Ok(vec![refused]);
        }
        let connection = &mut transaction.lease.connection;
        let reply = connection.data().await?;
        match reply.is_intermediate() {
            true => connection.message(self.result()).await,
            false => Ok(vec![reply]),
        }
    }
}
