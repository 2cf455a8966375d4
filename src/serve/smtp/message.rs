//! The message of a connection: whether it is kept, what is decided of it, and what the client and the log are told.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite};

use super::connection::ClientConnection;
use super::content::{IncomingContent, PASSING_AFTER};
use super::delivery::{PlannedDelivery, plan};
use super::received::WholeMessage;
use super::transaction::{By, Transaction, lost};
use crate::config::{Action, When};
use crate::protocol::BodyParameter;
use crate::protocol::smtp::Reply;
use crate::rewrite::{Needs, NextHopExtensions};
use crate::serve::envelope::ReceivedMessage as _;
use crate::serve::log::LogLine;
use crate::serve::metrics::Times;
use crate::serve::outcome::{MessageOutcome, Verdict};
use crate::serve::policy::MessagePolicy;
use crate::serve::transport::{Forwarding, Route, Transport};

impl<S: AsyncRead + AsyncWrite + Unpin> ClientConnection<S> {
    /// Returns `true` if nothing of the message can be changed, whatever it is; `false` without a transaction.
    pub(super) fn passes_whole(&self) -> bool {
        let takes_all = self.takes().is_some_and(|takes| takes.eight_bit && takes.utf8_header);
        let planned = self.listener.forward.when == When::Always && self.settings.needs_message(&self.listener);
        takes_all && !planned && !self.settings.minds_defects(&self.listener)
    }

    /// Returns what the next hop can carry; none without a transaction.
    fn takes(&self) -> Option<NextHopExtensions> {
        self.transaction.as_ref().map(|transaction| transaction.lease.connection.takes())
    }

    /// Decides after each piece of content whether the message is kept on. Where it is too large for that it is handed
    /// through or refused, as the settings say; where nothing of it needs a change it is handed through.
    ///
    /// `came` is how many octets the last piece had: what was kept before them was looked at already.
    pub(super) async fn hold_to_limits(&mut self, came: usize) {
        let full = !self.count_memory().await;
        let limit = self.settings.config.limits.message.message_bytes;
        // What is done then depends on what the next hop takes, so that it has to be there again.
        if matches!(&self.content, IncomingContent::Kept(kept) if full || kept.len() > limit)
            && let Err(said) = self.resume().await
        {
            self.content = IncomingContent::Refused(said);
        }
        match self.check_buffer(came, full) {
            BufferCheck::Fits => return,
            BufferCheck::Passes(outcome) => self.pass(outcome).await,
            BufferCheck::Refused(reply) => self.content = IncomingContent::Refused(By::Septet.says(reply)),
        }
        self.release_memory();
    }

    /// Returns what is to become of the message that is kept, by what came of it; `full` says that there is no memory
    /// for it. Whether it needs a change is looked at once, with the piece that makes it longer than [`PASSING_AFTER`].
    fn check_buffer(&self, came: usize, full: bool) -> BufferCheck {
        let (IncomingContent::Kept(kept), Some(transaction)) = (&self.content, &self.transaction) else {
            // What is not kept has no limit here; without a transaction none is reached, else it had been resumed.
            return BufferCheck::Fits;
        };
        let (octets, config) = (kept.len(), &self.settings.config);
        let can_stream = transaction.lease.connection.can_stream();
        let (limit, on_limit) = (config.limits.message.message_bytes, config.limits.on.limit.message_bytes);
        if octets > limit {
            let refusal = match can_stream && on_limit == Action::Accept {
                true => self.lacks_what_was_announced(),
                false => Some(too_large(on_limit, limit)),
            };
            let line = format!("message left=limit(message_bytes {limit})");
            return refusal.map_or_else(|| BufferCheck::passes("limit", line), BufferCheck::Refused);
        }
        if full {
            return match can_stream && config.on_error == Action::Accept && self.takes_as_it_comes() {
                true => BufferCheck::passes("memory", "message left=memory".to_owned()),
                false => BufferCheck::Refused(Reply::with_status(452, "4.3.1", "no memory for the message now")),
            };
        }
        let grew_beyond = octets > PASSING_AFTER && octets - came <= PASSING_AFTER;
        match can_stream && grew_beyond && self.needs_nothing(kept) {
            true => BufferCheck::Passes(MessageOutcome::untouched("unchanged")),
            false => BufferCheck::Fits,
        }
    }

    /// Returns `true` if the next hop takes whatever the client may send, as it comes: 8-bit octets even if they were
    /// not announced, UTF-8 in the header where it was.
    fn takes_as_it_comes(&self) -> bool {
        self.takes().is_some_and(|takes| takes.eight_bit && (takes.utf8_header || !self.announced().utf8_header))
    }

    /// Returns the reply to a message that is too large to be changed, where the client announced what the next hop
    /// does not take.
    fn lacks_what_was_announced(&self) -> Option<Reply> {
        let (takes, announced) = (self.takes()?, self.announced());
        let lacked = (announced.utf8_header && !takes.utf8_header, announced.eight_bit && !takes.eight_bit);
        let (code, status, lacks) = match lacked {
            (true, _) => (550, "5.6.7", "SMTPUTF8"),
            (false, true) => (554, "5.6.3", "8BITMIME"),
            (false, false) => return None,
        };
        let what = format!("the next hop has no {lacks}, and the message is too large to be changed");
        Some(Reply::with_status(code, status, &what))
    }

    /// Returns `true` if what came so far needs no change on its way to the next hop, and nothing that may still come
    /// does: all was ASCII, only what the next hop can't take would be changed, and either it takes 8-bit octets or the
    /// client gave its word (`BODY=7BIT`) that there are none.
    fn needs_nothing(&self, kept: &[u8]) -> bool {
        let seven_bit = self.body() == Some(BodyParameter::SevenBit);
        self.listener.forward.when == When::Needed
            && !self.settings.minds_defects(&self.listener)
            && !self.announced().utf8_header
            && (seven_bit || self.takes().is_some_and(|takes| takes.eight_bit))
            && kept.is_ascii()
    }

    /// Returns what the client said of the body.
    fn body(&self) -> Option<BodyParameter> {
        self.session.envelope().mail.as_ref().and_then(|mail| mail.parameters.body())
    }

    /// Returns what the message needs of a next hop as the client announced it, by MAIL's parameters.
    fn announced(&self) -> Needs {
        let mail = self.session.envelope().mail.as_ref().map(|mail| &mail.parameters);
        Needs {
            utf8_header: mail.is_some_and(|mail| mail.smtputf8()),
            eight_bit: self.body() == Some(BodyParameter::EightBitMime),
        }
    }

    /// Brings the message that is whole, of so many octets, to the next hop, or refuses it, and logs and counts it;
    /// returns what the client is told, in LMTP for each recipient. The transaction and the content are used up by
    /// that.
    pub(super) async fn deliver(&mut self, size: u64) -> Vec<Reply> {
        if !matches!(self.content, IncomingContent::Refused(_))
            && let Err(said) = self.resume().await
        {
            self.content = IncomingContent::Refused(said);
        }
        let content = std::mem::replace(&mut self.content, IncomingContent::Kept(Vec::new()));
        let said = match (content, self.transaction.take()) {
            (IncomingContent::Kept(raw), Some(transaction)) => return self.deliver_kept(raw, transaction).await,
            (IncomingContent::Passing(octets, outcome), Some(transaction)) => {
                return self.deliver_passed(octets, outcome, transaction).await;
            }
            (IncomingContent::Refused(said), Some(transaction)) => {
                self.give_up_by(*transaction).await;
                said
            }
            (IncomingContent::Refused(said), None) => said,
            (_, None) => lost(),
        };
        self.log_refused(said.by, &said.reply, size);
        vec![said.reply]
    }

    /// Logs and counts a message of so many octets that was refused before it was looked at.
    pub(super) fn log_refused(&self, by: By, reply: &Reply, size: u64) {
        let outcome = MessageOutcome::untouched("unchanged").refused(reply.is_permanent());
        let next_hop = self.at.as_ref().map(ToString::to_string);
        let bytes = usize::try_from(size).unwrap_or(usize::MAX);
        let line = LogLine { bytes, next_hop: next_hop.as_deref(), ..LogLine::default() };
        self.log_and_count(&outcome, (by, std::slice::from_ref(reply)), Duration::ZERO, line);
    }

    /// Plans a message that was kept, and sends it to the next hop unless it is refused here.
    async fn deliver_kept(&mut self, raw: Vec<u8>, mut transaction: Box<Transaction>) -> Vec<Reply> {
        let limits = self.settings.config.limits.message;
        let message = Arc::new(WholeMessage::new(raw, &limits));
        let policy = self.policy(&message, &transaction);
        let planned = plan(&self.shared.memory, &policy, Arc::clone(&message), limits).await;
        let at = transaction.lease.connection.at.to_string();
        let sent = Instant::now();
        let (by, replies) = match planned.refusal(&transaction, self.announced()) {
            Some(reply) => {
                self.give_up_by(*transaction).await;
                (By::Septet, vec![reply])
            }
            None => match planned.send(&mut transaction).await {
                Ok(replies) => {
                    self.shared.metrics.all.next_hop_time.observe(sent.elapsed().as_secs_f64());
                    if replies.iter().any(Reply::is_positive) {
                        self.count_downgrades(&planned, &transaction);
                    }
                    self.end_transaction(*transaction, &replies).await;
                    (By::NextHop, replies)
                }
                Err(error) => self.report_next_hop_failure(&error).whole(),
            },
        };
        // The line has it empty where there is none.
        let message_id = message.value("message-id").unwrap_or_default().to_vec();
        let (bytes, plan, profile) = (message.size(), planned.time, policy.profile());
        // Of a large message the last share is dropped where that keeps nobody waiting.
        drop(message);
        let outcome = with_replies(planned.end(), &replies);
        let line = LogLine { message_id: &message_id, profile, bytes, next_hop: Some(&at), ..LogLine::default() };
        self.log_and_count(&outcome, (by, &replies), plan, line);
        self.log_refused_recipients(by, &replies);
        replies
    }

    /// Counts what was lowered of a message that the next hop took.
    fn count_downgrades(&self, planned: &PlannedDelivery, transaction: &Transaction) {
        let envelope = transaction.is_lowered(self.session.envelope()).then_some("envelope");
        let content = planned.downgrades(transaction.lease.connection.takes());
        content.chain(envelope).for_each(|what| self.shared.metrics.all.downgrades.count(what));
    }

    /// Ends a message of so many octets that was handed through; `outcome` is what becomes of it if the next hop takes
    /// it.
    async fn deliver_passed(
        &mut self,
        octets: usize,
        outcome: MessageOutcome,
        mut transaction: Box<Transaction>,
    ) -> Vec<Reply> {
        let at = transaction.lease.connection.at.to_string();
        let (by, replies) = match transaction.lease.connection.end().await {
            Ok(replies) => {
                self.shared.metrics.all.next_hop_time.observe(self.clock.since_whole().as_secs_f64());
                self.end_transaction(*transaction, &replies).await;
                (By::NextHop, replies)
            }
            Err(error) => self.report_next_hop_failure(&error).whole(),
        };
        let line = LogLine { bytes: octets, next_hop: Some(&at), ..LogLine::default() };
        self.log_and_count(&with_replies(outcome, &replies), (by, &replies), Duration::ZERO, line);
        self.log_refused_recipients(by, &replies);
        replies
    }

    /// Chooses how the message is treated, on its way to the next hop that it has.
    fn policy(&self, message: &WholeMessage, transaction: &Transaction) -> MessagePolicy {
        let session = self.session.envelope();
        let recipients: Vec<Vec<u8>> = session.recipients.iter().map(|rcpt| rcpt.path.raw().to_vec()).collect();
        let envelope = self.client.envelope(session, &recipients);
        let (takes, announced) = (transaction.lease.connection.takes(), self.announced());
        let route = Route::NextHop(Forwarding {
            raised: Transport {
                eight_bit: announced.eight_bit && takes.eight_bit,
                utf8_header: announced.utf8_header && takes.utf8_header,
            },
            takes,
            is_announced: announced.utf8_header,
            non_ascii_address: self.listener.forward.non_ascii_address,
            needed_only: self.listener.forward.when == When::Needed,
        });
        MessagePolicy::of(&self.settings, &self.listener, &envelope, message, route)
            .within(transaction.lease.connection.keywords.size())
    }

    /// Gives the connection back where every reply took the message. Where one refused it, it is reset first, for a
    /// refused DATA leaves the envelope there; where the next hop closes it or waits for more, it is closed.
    async fn end_transaction(&self, transaction: Transaction, replies: &[Reply]) {
        let is_over = replies.iter().all(|reply| reply.is_positive());
        match is_over {
            true => transaction.lease.give_back(),
            false if replies.iter().any(|reply| reply.closes() || reply.is_intermediate()) => {}
            false => self.give_up_by(transaction).await,
        }
    }

    /// Gives a transaction up at the next hop. If that fails, its connection is closed, and nothing else is lost.
    pub(super) async fn give_up_by(&self, transaction: Transaction) {
        if let Err(error) = transaction.give_up().await {
            tracing::debug!("a transaction that is given up: {error}");
        }
    }

    /// Logs what became of a message in its one line, and counts it, and a refusal also by who refused. `answer` is
    /// what the client is told, and by whom; `plan` is how long planning took. `line` has what only the caller knows:
    /// the octets, and the next hop, the profile and the Message-Id as far as there are such; the rest is filled in
    /// here.
    fn log_and_count(&self, outcome: &MessageOutcome, answer: (By, &[Reply]), plan: Duration, line: LogLine<'_>) {
        let (by, replies) = answer;
        let said = replies.iter().map(Reply::to_string).collect::<Vec<_>>().join("; ");
        let session = self.session.envelope();
        let is_refused = replies.iter().any(|reply| !reply.is_positive());
        let refused_by = is_refused.then(|| by.word());
        if let Some(by) = refused_by {
            self.shared.metrics.refusals.count(by);
        }
        let line = LogLine {
            envelope: self.client.envelope(session, &[]),
            recipients: session.recipients.len(),
            time: self.clock.since_whole(),
            reply: Some(&said),
            refused_by,
            ..line
        };
        line.write(outcome);
        let times = Times { plan, whole: line.time };
        self.shared.metrics.message(outcome, line.envelope.queue_id, line.bytes, times);
    }
}

/// What becomes of a message that is kept.
enum BufferCheck {
    /// It is kept on.
    Fits,
    /// It is handed through, and this becomes of it if the next hop takes it.
    Passes(MessageOutcome),
    /// It is refused.
    Refused(Reply),
}

impl BufferCheck {
    /// Hands a message through that should have been planned; `reason` is the word for why it is not, `line` the log's.
    fn passes(reason: &'static str, line: String) -> BufferCheck {
        BufferCheck::Passes(MessageOutcome::left(Verdict::Accept, reason, line))
    }
}

/// Returns the reply to a message over the limit that is not let through: for now or for good.
fn too_large(action: Action, limit: usize) -> Reply {
    match action {
        Action::Tempfail => {
            Reply::with_status(451, "4.7.1", &format!("septet: message over limit: message_bytes {limit}"))
        }
        _ => Reply::with_status(552, "5.3.4", "message size exceeds the limit"),
    }
}

/// Makes an outcome what the replies make of it: a message that one recipient gets is taken; where none gets it, the
/// first reply says whether it is refused for good.
fn with_replies(outcome: MessageOutcome, replies: &[Reply]) -> MessageOutcome {
    match replies.iter().find(|reply| !reply.is_positive()) {
        Some(reply) if !replies.iter().any(Reply::is_positive) => outcome.refused(reply.is_permanent()),
        Some(_) => outcome.refused_in_part(),
        None => outcome,
    }
}
