//! One connection: octets between a stream and its session.
//!
//! A message of an MTA that agreed to every "don't wait" costs one read and one write.
//!
//! **Limits**: those of [`BufferedStream`]. A message that waits for its [turn](in_turn), or is planned on a thread of
//! its own, has the MTA told to wait on every [`PROGRESS_EVERY`].

#[cfg(test)]
mod tests;

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tracing::{debug, warn};

use super::answer::{self, answer};
use super::end::MilterError;
use super::received::envelope;
use crate::config::Listener;
use crate::message::LimitReached;
use crate::protocol::milter::{MessageBuffer, MilterEvent, MilterReply, MilterSession, MilterStage, Wants};
use crate::serve::log::{LogLine, Printable};
use crate::serve::memory::{MemoryLease, PlanningTurn};
use crate::serve::metrics::Times;
use crate::serve::outcome::MessageOutcome;
use crate::serve::planning::{discard, in_turn, is_small};
use crate::serve::policy::MessagePolicy;
use crate::serve::settings::DaemonSettings;
use crate::serve::shared::{Peer, Shared};
use crate::serve::stream::{BufferedStream, StreamError, WAITING};
use crate::serve::transport::{Route, Transport};

/// How often an MTA is told to wait on. Postfix gives up after 30 s without a sign of life; Sendmail's usual
/// `R:10s` holds for each reply, of which this is one. Three of them fit in there, so that one may be late.
const PROGRESS_EVERY: Duration = Duration::from_secs(3);

/// The octets of memory that are given back in place.
const KEPT: usize = 1 << 20;

/// The octets of each buffer that a connection keeps for a message that follows at once, as long as little memory is
/// held ([`CALM`]).
const BUSY: usize = MilterSession::KEPT_MEMORY;

/// Little memory is held if it is no more than one part in so many of `limits.memory`, over all connections.
const CALM: usize = 8;

/// How long an MTA is silent between two messages before its connection gives back what only large ones need.
const SILENCE: Duration = Duration::from_millis(200);

/// Serves a connection to its end, and counts and logs how it ends. A peer that goes while it waits for no verdict, or
/// that is silent between messages for too long, is worth no warning.
pub async fn serve<S: AsyncRead + AsyncWrite + Unpin>(stream: S, peer: Peer, listener: Listener, shared: Shared) {
    let mut connection = MilterConnection::new(stream, listener, shared);
    let ended = connection.run().await;
    connection.shared.metrics.all.ends.count(ended.as_ref().err().map_or("done", MilterError::code));
    let Err(end) = ended else { return };
    let queue_id = Printable(connection.session.queue_id()).to_string();
    match end {
        MilterError::Stream(StreamError::Io(error)) if !connection.answering => {
            debug!(%peer, %queue_id, %error, "connection lost");
        }
        MilterError::Stream(StreamError::Idle(_)) if connection.session.stage() == MilterStage::Idle => {
            debug!(%peer, "connection closed: {end}");
        }
        _ => warn!(%peer, %queue_id, "connection closed: {end}"),
    }
}

struct MilterConnection<S> {
    stream: BufferedStream<S>,
    session: MilterSession,
    shared: Shared,
    settings: Arc<DaemonSettings>,
    listener: Listener,
    lease: MemoryLease,
    /// Whether a message was given up for want of memory since the last answer: no room is waited for again.
    over_memory_limit: bool,
    /// Whether a verdict is being written: a peer that goes meanwhile is worth a warning.
    answering: bool,
}

impl<S: AsyncRead + AsyncWrite + Unpin> MilterConnection<S> {
    /// Starts a connection; what it wants to be shown is decided here, by the settings of this moment.
    fn new(stream: S, listener: Listener, shared: Shared) -> MilterConnection<S> {
        let settings = Arc::clone(&shared.settings.borrow());
        let wants =
            Wants { content: settings.needs_message(&listener), recipients: settings.needs_recipients(&listener) };
        MilterConnection {
            stream: BufferedStream::new(stream),
            session: MilterSession::new(wants, settings.config.limits.message),
            lease: shared.memory.lease_of_mta(),
            shared,
            settings,
            listener,
            over_memory_limit: false,
            answering: false,
        }
    }

    /// Serves the MTA until it is done, or goes, or the daemon stops between two messages; an error is any other end.
    async fn run(&mut self) -> Result<(), MilterError> {
        loop {
            let received = self.session.receive(&self.stream.input, &mut self.stream.out)?;
            self.stream.consume(received.used);
            match received.event {
                Some(MilterEvent::Message) => self.answer_message().await?,
                Some(MilterEvent::Closed) => return Ok(()),
                None => {
                    self.refresh_between_messages();
                    // No answer waits for room that what comes next may need.
                    self.flush().await?;
                    self.count_memory().await;
                    if !self.read().await? {
                        return self.mta_gone();
                    }
                }
            }
        }
    }

    /// Returns how a connection ends of which nothing more comes: well only between two messages.
    fn mta_gone(&self) -> Result<(), MilterError> {
        match self.is_between_messages() {
            true => Ok(()),
            false => Err(MilterError::Stream(io::Error::from(io::ErrorKind::UnexpectedEof).into())),
        }
    }

    /// Returns `true` if no message is on its way.
    fn is_between_messages(&self) -> bool {
        matches!(self.session.stage(), MilterStage::Start | MilterStage::Idle)
    }

    /// Takes new settings where no message is on its way: they hold for the next one. Whether its content is shown was
    /// agreed on when the MTA connected, and stays.
    fn refresh_between_messages(&mut self) {
        if self.is_between_messages() {
            self.shared.refresh(&mut self.settings, &mut self.listener);
            let recipients = self.settings.needs_recipients(&self.listener);
            self.session.set_terms(recipients, self.settings.config.limits.message);
        }
    }

    /// Counts what the connection holds, and waits for room where there is none; gives the message up where none comes,
    /// and then waits no more for this message. Who waits has not paid, and so holds as little as he can.
    async fn count_memory(&mut self) {
        if self.lease.set(self.held()) {
            return;
        }
        self.keep(WAITING);
        self.stream.keep_small();
        let has_room = match self.over_memory_limit {
            true => self.lease.set(self.held()),
            false => self.lease.hold(self.held()).await,
        };
        if !has_room {
            self.over_memory_limit = true;
            self.session.give_up(LimitReached::MessageBytes(self.settings.config.limits.memory));
            self.lease.set(self.held());
        }
    }

    /// Returns the octets of memory that the connection holds.
    fn held(&self) -> usize {
        self.session.memory() + self.stream.memory()
    }

    /// Answers the message that is whole, logs and counts it, and makes ready for the next one. The settings of this
    /// moment decide, though older ones said what was shown of it.
    async fn answer_message(&mut self) -> Result<(), MilterError> {
        let start = Instant::now();
        self.shared.refresh(&mut self.settings, &mut self.listener);
        self.count_memory().await;
        let policy = self.policy();
        let message = self.session.take_message();
        let (message, outcome, mut turn) = self.decide(&policy, message).await?;
        let plan = start.elapsed();
        // It is held until the answer was taken, which has the changed body.
        if let Some(turn) = &mut turn {
            turn.keep(self.stream.out.len());
        }
        self.answering = true;
        answer::verdict(&outcome.verdict, &mut self.stream.out);
        self.flush().await?;
        self.answering = false;
        let line = LogLine {
            envelope: envelope(&self.session),
            recipients: self.session.recipient_count(),
            // The line has it empty where there is none.
            message_id: message.value("message-id").unwrap_or_default(),
            profile: policy.profile(),
            bytes: message.size(),
            time: start.elapsed(),
            ..LogLine::default()
        };
        line.write(&outcome);
        let times = Times { plan, whole: line.time };
        self.shared.metrics.message(&outcome, line.envelope.queue_id, line.bytes, times);
        self.over_memory_limit = false;
        self.forget(message);
        Ok(())
    }

    /// Makes ready for the next message: gives back the memory of a large one on another thread, and keeps less of the
    /// rest where more than one part in [`CALM`] of all memory is held.
    fn forget(&mut self, mut message: MessageBuffer) {
        let (octets, out) = (message.memory(), self.stream.out.capacity());
        if octets > KEPT {
            discard(std::mem::take(&mut message), octets);
        }
        if out > KEPT {
            discard(std::mem::take(&mut self.stream.out), out);
        }
        self.session.answered(message);
        let calm = self.shared.memory.held() <= self.settings.config.limits.memory / CALM;
        self.keep(if calm { BUSY } else { WAITING });
    }

    /// Keeps no more than so many octets of each buffer: of the message's unless one is coming in, of the stream's if
    /// they are empty.
    fn keep(&mut self, octets: usize) {
        self.session.shrink_memory(octets);
        self.stream.shrink(octets);
    }

    /// Decides about a message when its turn comes, and writes what the MTA is to change; it is told to wait on
    /// meanwhile. The turn comes back with the outcome, for the memory that the result takes. Should the thread that
    /// plans be lost, the message is lost with it, and an empty one stands for it. An error ends the connection: the
    /// MTA could not be told to wait on.
    async fn decide(
        &mut self,
        policy: &MessagePolicy,
        message: MessageBuffer,
    ) -> Result<(MessageBuffer, MessageOutcome, Option<PlanningTurn>), MilterError> {
        let negotiated = self.session.negotiated();
        if is_small(message.raw()) {
            let outcome = answer(policy, &message, &negotiated, &mut self.stream.out);
            return Ok((message, outcome, None));
        }
        let memory = Arc::clone(&self.shared.memory);
        let decided = in_turn(&memory, policy, message, MessageBuffer::raw, move |policy, message| {
            let mut out = Vec::new();
            let outcome = answer(policy, &message, &negotiated, &mut out);
            (message, outcome, out)
        });
        let Some(((message, outcome, mut out), turn)) = self.with_progress(decided).await? else {
            return Ok((MessageBuffer::default(), policy.planner_failed(), None));
        };
        match self.stream.out.is_empty() {
            true => self.stream.out = out,
            false => self.stream.out.append(&mut out),
        }
        Ok((message, outcome, turn))
    }

    /// Chooses how the message that the session holds is treated.
    fn policy(&self) -> MessagePolicy {
        let message = self.session.message();
        // What was given up may have been another message, which the MTA aborted then.
        let over_memory_limit = self.over_memory_limit && message.over().is_some();
        let envelope = envelope(&self.session);
        let route = Route::Mta(Transport::of(&envelope, message.raw()));
        let policy = MessagePolicy::of(&self.settings, &self.listener, &envelope, message, route);
        let policy = if over_memory_limit { policy.without_room() } else { policy };
        // The MTA shows what the settings wanted when it came.
        if self.session.wants().content { policy } else { policy.not_shown() }
    }

    /// Waits for `job`, and tells the MTA to wait on every [`PROGRESS_EVERY`] as long as it lasts. An error, as that
    /// the MTA is gone, gives the job up.
    async fn with_progress<T>(&mut self, job: impl Future<Output = T>) -> Result<T, MilterError> {
        let mut job = pin!(job);
        loop {
            match timeout(PROGRESS_EVERY, &mut job).await {
                Ok(done) => return Ok(done),
                Err(_) => {
                    self.shared.metrics.all.progress.inc();
                    MilterReply::Progress.write(&mut self.stream.out);
                    self.flush().await?;
                }
            }
        }
    }

    /// Writes all that is to be written; after an error the connection has to be closed.
    async fn flush(&mut self) -> Result<(), MilterError> {
        Ok(self.stream.flush(&self.settings.config.limits).await?)
    }

    /// Reads more; false when the peer is gone, or when the daemon stops between two messages. A peer that is silent
    /// between messages for [`SILENCE`] makes the connection give back what only large ones need; no octet is lost by
    /// that.
    async fn read(&mut self) -> Result<bool, MilterError> {
        let between = self.stream.input.is_empty() && self.is_between_messages();
        if between && self.held() > WAITING {
            let limits = &self.settings.config.limits;
            if let Ok(read) = timeout(SILENCE, self.stream.read(limits, Some(&mut self.shared.stop))).await {
                return Ok(read?);
            }
            self.keep(WAITING);
            self.lease.set(self.held());
        }
        let stop = between.then_some(&mut self.shared.stop);
        Ok(self.stream.read(&self.settings.config.limits, stop).await?)
    }
}
