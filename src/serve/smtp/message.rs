//! The message of a connection: whether it is kept, what is decided of it, and what the client and the log are told.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite};

use super::connection::{ClientConnection, lost};
use super::content::{IncomingContent, PASSING_AFTER};
use super::delivery::{Announced, PlannedDelivery, plan};
use super::received::WholeMessage;
use super::transaction::{AttributedReply, By, Transaction};
use crate::config::{Action, When};
use crate::protocol::BodyParameter;
use crate::protocol::smtp::Reply;
use crate::serve::log::LogLine;
use crate::serve::metrics::Times;
use crate::serve::outcome::{MessageOutcome, Verdict};
use crate::serve::policy::MessagePolicy;
use crate::serve::transport::{Forwarding, Route, Transport};

impl<S: AsyncRead + AsyncWrite + Unpin> ClientConnection<S> {
    /// Returns `true` if nothing of the message can be changed, whatever it is; `false` without a transaction.
    pub(super) fn passes_whole(&self) -> bool {
        let Some(transaction) = &self.transaction else { return false };
        let takes = transaction.lease.connection.takes();
        let planned = self.listener.forward.when == When::Always && self.settings.needs(&self.listener).message;
        takes.eight_bit && takes.utf8_header && !planned && !self.settings.minds_defects(&self.listener)
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
            BufferCheck::Passes(why) => self.pass(why).await,
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
        let [limit_passes, full_passes] =
            [on_limit, config.on_error].map(|action| can_stream && action == Action::Accept);
        match () {
            () if octets > limit && limit_passes => match self.lacks_what_was_announced() {
                Some(reply) => BufferCheck::Refused(reply),
                None => BufferCheck::Passes(Some(format!("message left=limit(message_bytes {limit})"))),
            },
            () if octets > limit => BufferCheck::Refused(too_large(on_limit, limit)),
            () if full && full_passes && self.takes_as_it_comes() => {
                BufferCheck::Passes(Some("message left=memory".to_owned()))
            }
            () if full => BufferCheck::Refused(Reply::with_status(452, "4.3.1", "no memory for the message now")),
            () if can_stream
                && octets > PASSING_AFTER
                && octets - came <= PASSING_AFTER
                && self.needs_nothing(kept) =>
            {
                BufferCheck::Passes(None)
            }
            () => BufferCheck::Fits,
        }
    }

    /// Returns `true` if the next hop takes whatever the client may send, as it comes: 8-bit octets even if they were
    /// not announced, UTF-8 in the header where it was.
    fn takes_as_it_comes(&self) -> bool {
        let takes = self.transaction.as_ref().map(|transaction| transaction.lease.connection.takes());
        takes.is_some_and(|takes| takes.eight_bit && (takes.utf8_header || !self.announced().smtputf8))
    }

    /// Returns the reply to a message that is too large to be changed, where the client announced what the next hop
    /// does not take.
    fn lacks_what_was_announced(&self) -> Option<Reply> {
        let (takes, announced) = (self.transaction.as_ref()?.lease.connection.takes(), self.announced());
        let (code, status, lacks) = match () {
            () if announced.smtputf8 && !takes.utf8_header => (550, "5.6.7", "SMTPUTF8"),
            () if announced.eight_bit && !takes.eight_bit => (554, "5.6.3", "8BITMIME"),
            () => return None,
        };
        let what = format!("the next hop has no {lacks}, and the message is too large to be changed");
        Some(Reply::with_status(code, status, &what))
    }

    /// Returns `true` if what came so far needs no change on its way to the next hop, and nothing that may still come
    /// does: all was ASCII, only what the next hop can't take would be changed, and either it takes 8-bit octets or the
    /// client gave its word (`BODY=7BIT`) that there are none.
    fn needs_nothing(&self, kept: &[u8]) -> bool {
        let takes = self.transaction.as_ref().map(|transaction| transaction.lease.connection.takes());
        let seven_bit = self.body() == Some(BodyParameter::SevenBit);
        self.listener.forward.when == When::Needed
            && !self.settings.minds_defects(&self.listener)
            && !self.announced().smtputf8
            && (seven_bit || takes.is_some_and(|takes| takes.eight_bit))
            && kept.is_ascii()
    }

    /// Returns what the client said of the body.
    fn body(&self) -> Option<BodyParameter> {
        self.session.envelope().mail.as_ref().and_then(|mail| mail.parameters.body())
    }

    /// Returns what the client announced of the message by MAIL's parameters.
    fn announced(&self) -> Announced {
        let mail = self.session.envelope().mail.as_ref().map(|mail| &mail.parameters);
        Announced {
            smtputf8: mail.is_some_and(|mail| mail.smtputf8()),
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
        match (content, self.transaction.take()) {
            (IncomingContent::Refused(said), transaction) => self.deliver_refused(said, size, transaction).await,
            (_, None) => self.deliver_refused(By::Septet.says(lost()), size, None).await,
            (IncomingContent::Kept(raw), Some(transaction)) => self.deliver_kept(raw, transaction).await,
            (IncomingContent::Passing(octets, why), Some(transaction)) => {
                self.deliver_passed(octets, why, transaction).await
            }
        }
    }

    /// Gives up a message that was refused before it was whole, or whose next hop is lost, and returns the reply that
    /// it had then.
    async fn deliver_refused(
        &mut self,
        said: AttributedReply,
        size: u64,
        transaction: Option<Box<Transaction>>,
    ) -> Vec<Reply> {
        if let Some(transaction) = transaction {
            self.give_up_by(*transaction).await;
        }
        self.log_refused(said.by, &said.reply, size);
        vec![said.reply]
    }

    /// Gives up the message that is whole, for a fault in its octets by which the session refuses it, and logs and
    /// counts it.
    pub(super) async fn refuse(&mut self, fault: &Reply, size: u64) {
        self.log_refused(By::Septet, fault, size);
        self.give_up().await;
    }

    /// Logs and counts a message of so many octets that was refused before it was looked at.
    fn log_refused(&self, by: By, reply: &Reply, size: u64) {
        let outcome = refused(MessageOutcome::untouched("unchanged"), reply);
        let next_hop = self.at.as_ref().map(ToString::to_string);
        let bytes = usize::try_from(size).unwrap_or(usize::MAX);
        let parts = LineParts { bytes, next_hop, by, ..LineParts::default() };
        self.log_and_count(&outcome, &parts, std::slice::from_ref(reply));
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
                    self.shared.metrics.next_hop_answered(sent.elapsed());
                    if replies.iter().any(Reply::is_positive) {
                        self.count_downgrades(&planned, &transaction);
                    }
                    self.end_transaction(*transaction, &replies).await;
                    (By::NextHop, replies)
                }
                Err(error) => self.report_next_hop_failure(&error).whole(),
            },
        };
        let parts = LineParts {
            plan: planned.time,
            bytes: message.raw_len(),
            // The line has it empty where there is none.
            message_id: message.value("message-id").unwrap_or_default().to_vec(),
            profile: policy.profile().map(str::to_owned),
            next_hop: Some(at),
            by,
        };
        drop(message);
        let outcome = with_replies(planned.end(), &replies);
        self.log_and_count(&outcome, &parts, &replies);
        self.log_refused_recipients(&replies);
        replies
    }

    /// Counts what was lowered of a message that the next hop took.
    fn count_downgrades(&self, planned: &PlannedDelivery, transaction: &Transaction) {
        let envelope = transaction.is_lowered(self.session.envelope()).then_some("envelope");
        let content = planned.downgrades(transaction.lease.connection.takes());
        content.chain(envelope).for_each(|what| self.shared.metrics.all.downgrades.count(what));
    }

    /// Ends a message that was handed through; `why` is what the log says of one that should have been planned, as
    /// [`check_buffer`](ClientConnection::check_buffer) wrote it: `message left=memory`, or the limit that it is over.
    async fn deliver_passed(
        &mut self,
        octets: usize,
        why: Option<String>,
        mut transaction: Box<Transaction>,
    ) -> Vec<Reply> {
        let at = transaction.lease.connection.at.to_string();
        let (by, replies) = match transaction.lease.connection.end().await {
            Ok(replies) => {
                self.shared.metrics.next_hop_answered(self.clock.since_whole());
                self.end_transaction(*transaction, &replies).await;
                (By::NextHop, replies)
            }
            Err(error) => self.report_next_hop_failure(&error).whole(),
        };
        let outcome = match why {
            Some(why) if why.ends_with("left=memory") => MessageOutcome::left(Verdict::Accept, "memory", why),
            Some(why) => MessageOutcome::left(Verdict::Accept, "limit", why),
            None => MessageOutcome::untouched("unchanged"),
        };
        let outcome = with_replies(outcome, &replies);
        let parts = LineParts { bytes: octets, next_hop: Some(at), by, ..LineParts::default() };
        self.log_and_count(&outcome, &parts, &replies);
        self.log_refused_recipients(&replies);
        replies
    }

    /// Chooses how the message is treated, on its way to the next hop that it has.
    fn policy(&self, message: &WholeMessage, transaction: &Transaction) -> MessagePolicy {
        let session = self.session.envelope();
        let recipients: Vec<Vec<u8>> = session.recipients.iter().map(|rcpt| rcpt.path.raw().to_vec()).collect();
        let at = transaction.lease.connection.at.to_string();
        let envelope = self.client.envelope(session, &recipients, &at);
        let (takes, announced) = (transaction.lease.connection.takes(), self.announced());
        let route = Route::NextHop(Forwarding {
            raised: Transport {
                eight_bit: announced.eight_bit && takes.eight_bit,
                utf8_header: announced.smtputf8 && takes.utf8_header,
            },
            takes,
            is_announced: announced.smtputf8,
            non_ascii_address: self.listener.forward.non_ascii_address,
            needed_only: self.listener.forward.when == When::Needed,
        });
        // A message for which there is no memory is not kept, and does not come here.
        MessagePolicy::of(&self.settings, &self.listener, &envelope, message, route, false)
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

    /// Logs what became of a message in its one line, and counts it, and a refusal also by who refused.
    fn log_and_count(&self, outcome: &MessageOutcome, parts: &LineParts, replies: &[Reply]) {
        let said = replies.iter().map(Reply::to_string).collect::<Vec<_>>().join("; ");
        let session = self.session.envelope();
        let envelope = self.client.envelope(session, &[], "");
        let is_refused = replies.iter().any(|reply| !reply.is_positive());
        let refused_by = is_refused.then(|| parts.by.word());
        if let Some(by) = refused_by {
            self.shared.metrics.refusals.count(by);
        }
        let line = LogLine {
            envelope,
            recipients: session.recipients.len(),
            message_id: &parts.message_id,
            profile: parts.profile.as_deref(),
            bytes: parts.bytes,
            time: self.clock.since_whole(),
            next_hop: parts.next_hop.as_deref(),
            reply: Some(&said),
            refused_by,
        };
        line.write(outcome);
        let times = Times { plan: parts.plan, whole: line.time };
        self.shared.metrics.message(outcome, line.envelope.queue_id, parts.bytes, times);
    }
}

/// What becomes of a message that is kept.
enum BufferCheck {
    /// It is kept on.
    Fits,
    /// It is handed through, with the line that says why where it should have been planned.
    Passes(Option<String>),
    /// It is refused.
    Refused(Reply),
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

/// What a line of the log says, put together before the message is gone.
#[derive(Debug, Default)]
struct LineParts {
    plan: Duration,
    bytes: usize,
    message_id: Vec<u8>,
    profile: Option<String>,
    next_hop: Option<String>,
    /// Whose the reply is.
    by: By,
}

/// Makes an outcome what the replies make of it: a message that one recipient gets is taken; where none gets it, the
/// first reply says whether it is refused for good.
fn with_replies(outcome: MessageOutcome, replies: &[Reply]) -> MessageOutcome {
    match replies.iter().find(|reply| !reply.is_positive()) {
        Some(reply) if !replies.iter().any(Reply::is_positive) => refused(outcome, reply),
        Some(_) => outcome.refused_in_part(),
        None => outcome,
    }
}

/// Makes the outcome that of a message which is refused by this reply, whoever says it: only the action counts here.
fn refused(outcome: MessageOutcome, reply: &Reply) -> MessageOutcome {
    match reply.is_permanent() {
        true => outcome.rejected("the next hop refuses it"),
        false => outcome.deferred("the next hop does not take it now"),
    }
}
