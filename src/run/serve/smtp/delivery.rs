//! A message that was kept: what is decided of it, and its way to the next hop.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::spawn_blocking;

use super::next_hop::NextHopError;
use super::received::Content;
use super::transaction::Transaction;
use crate::message::Limits;
use crate::protocol::smtp::Reply;
use crate::rewrite::{Needs, NextHop, needs};
use crate::run::serve::envelope::ReceivedMessage as _;
use crate::run::serve::outcome::{Outcome, Verdict};
use crate::run::serve::policy::{Decided, MessagePolicy};

/// The octets up to which a message is planned in place: a fraction of a millisecond.
const INLINE: usize = 256 << 10;

/// What the client announced of a message.
#[derive(Debug, Clone, Copy)]
pub struct Announced {
    /// UTF-8 in the header.
    pub smtputf8: bool,
    /// 8-bit octets in the body.
    pub eight_bit: bool,
}

/// A message that is planned, ready to go.
#[derive(Debug)]
pub struct Planned {
    /// What becomes of it.
    pub outcome: Outcome,
    /// Its octets as they go on.
    pub result: Vec<u8>,
    /// What they need of the next hop, and what they needed as they came.
    needs: Needs,
    needed: Needs,
    /// How long planning took.
    pub time: Duration,
}

/// Plans a message, a big one where it keeps no other connection waiting.
pub async fn plan(policy: &MessagePolicy, message: Arc<Content>, limits: Limits) -> Planned {
    if message.size() <= INLINE {
        return decide(policy, &message, &limits);
    }
    let (chosen, whole) = (policy.clone(), Arc::clone(&message));
    let job = spawn_blocking(move || decide(&chosen, &whole, &limits));
    job.await.unwrap_or_else(|_| Planned {
        outcome: policy.lost(),
        result: message.raw().to_vec(),
        needs: needs(message.raw(), &limits),
        needed: Needs::default(),
        time: Duration::ZERO,
    })
}

fn decide(policy: &MessagePolicy, message: &Content, limits: &Limits) -> Planned {
    let start = Instant::now();
    let Decided { outcome, edits } = policy.decide(message);
    let result = edits.apply(message.raw());
    let needed = needs(message.raw(), limits);
    let needs = if edits.is_empty() { needed } else { needs(&result, limits) };
    Planned { needs, needed, outcome, result, time: start.elapsed() }
}

impl Planned {
    /// Returns the reply that refuses it, if it can't go on.
    pub fn refusal(&self, transaction: &Transaction, announced: Announced) -> Option<Reply> {
        if let Verdict::TempFail(refusal) | Verdict::Reject(refusal) = &self.outcome.verdict {
            return Some(Reply::new(
                refusal.code.parse().unwrap_or(451),
                format!("{} {}", refusal.status, refusal.text),
            ));
        }
        let connection = &transaction.lease.connection;
        let takes = connection.takes();
        let over = connection.keywords().size().filter(|&size| size > 0 && self.result.len() as u64 > size);
        match () {
            () if announced.smtputf8 && self.needs.utf8_header && !takes.utf8_header => {
                let what = "the next hop has no SMTPUTF8, and the message's header no form in ASCII";
                Some(Reply::with_status(550, "5.6.7", what))
            }
            () if announced.eight_bit && self.needs.eight_bit && !takes.eight_bit => {
                let what = "the next hop has no 8BITMIME, and the message holds what must stay as it is";
                Some(Reply::with_status(554, "5.6.3", what))
            }
            () => over.map(|size| {
                let what = format!("the next hop takes messages of {size} octets, and this one has become larger");
                Reply::with_status(552, "5.3.4", &what)
            }),
        }
    }

    /// Returns what the next hop lacks and the message needs no more: `smtputf8`, `8bitmime`.
    pub fn downgrades(&self, takes: NextHop) -> impl Iterator<Item = &'static str> {
        let header = self.needed.utf8_header && !self.needs.utf8_header && !takes.utf8_header;
        let body = self.needed.eight_bit && !self.needs.eight_bit && !takes.eight_bit;
        [("smtputf8", header), ("8bitmime", body)].into_iter().filter(|(_, lowered)| *lowered).map(|(name, _)| name)
    }

    /// Sends it to the next hop; returns the next hop's replies to it, or to what it refused before.
    pub async fn send(&self, transaction: &mut Transaction) -> Result<Vec<Reply>, NextHopError> {
        if transaction.announced_smtputf8()
            && !self.needs.utf8_header
            && transaction.is_ascii()
            && let Err(refused) = transaction.without_smtputf8().await?
        {
            return Ok(vec![refused]);
        }
        let connection = &mut transaction.lease.connection;
        let reply = connection.data().await?;
        match reply.is_intermediate() {
            true => connection.message(&self.result).await,
            false => Ok(vec![reply]),
        }
    }
}
