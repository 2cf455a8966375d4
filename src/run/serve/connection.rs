//! One connection: octets between a socket and its session.
//!
//! A message of an MTA that agreed to every "don't wait" costs one read and one write. Between messages a
//! connection keeps little memory: buffers that grew are given back.
//!
//! **Limits**: a command that has begun must come whole within `read_time`; between commands a peer may be
//! silent for `idle_time`; each write must get on within `write_time`. A body is planned on a thread of its own
//! when it is over [`INLINE`] octets, and the MTA is told to wait on every [`PROGRESS_EVERY`].

mod end;
#[cfg(test)]
mod tests;

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tracing::{debug, warn};

use self::end::End;
use super::log::{Line, Printable};
use super::memory::{Lease, Memory};
use super::metrics::{Listening, Times};
use super::policy::{Outcome, Treatment};
use super::settings::Settings;
use crate::config::Listener;
use crate::message::LimitReached;
use crate::protocol::milter::{Content, Event, Reply, Session, Stage};

/// The octets up to which a message is planned in place: a fraction of a millisecond.
const INLINE: usize = 256 << 10;

/// How often an MTA is told to wait on. Postfix gives up after 30 s without a sign of life; Sendmail's usual
/// `R:10s` holds for each reply, of which this is one. Three of them fit in there, so that one may be late.
const PROGRESS_EVERY: Duration = Duration::from_secs(3);

/// The octets of a buffer that an idle connection keeps.
const KEPT_BUFFER: usize = 16 << 10;

/// The octets that a read asks for at first, and at most.
const READ: std::ops::RangeInclusive<usize> = (8 << 10)..=(128 << 10);

/// What all connections share.
#[derive(Debug, Clone)]
pub struct Shared {
    /// The settings as they are now.
    pub settings: watch::Receiver<Arc<Settings>>,
    /// Turns true when the daemon comes to its end.
    pub stop: watch::Receiver<bool>,
    /// What all messages hold.
    pub memory: Arc<Memory>,
    /// What is counted where it came in.
    pub listening: Arc<Listening>,
}

/// Serves a connection to its end.
pub async fn serve<S>(stream: S, peer: String, listener: Listener, shared: Shared)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut connection = Connection::new(stream, listener, shared);
    let ended = connection.run().await;
    connection.shared.listening.ended(ended.as_ref().err().map_or("done", End::code));
    let Err(end) = ended else { return };
    let queue_id = Printable(connection.session.queue_id()).to_string();
    match end {
        End::Io(error) if !connection.answering => debug!(%peer, %queue_id, %error, "connection lost"),
        End::Idle(_) if connection.session.stage() == Stage::Idle => debug!(%peer, "connection closed: {end}"),
        _ => warn!(%peer, %queue_id, "connection closed: {end}"),
    }
}

struct Connection<S> {
    stream: S,
    session: Session,
    shared: Shared,
    settings: Arc<Settings>,
    listener: Listener,
    lease: Lease,
    starved: bool,
    input: Vec<u8>,
    read_size: usize,
    /// When the command that is not whole yet began to come.
    begun: Option<Instant>,
    out: Vec<u8>,
    answering: bool,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    fn new(stream: S, listener: Listener, shared: Shared) -> Connection<S> {
        let settings = Arc::clone(&shared.settings.borrow());
        let wants = settings.wants(&listener);
        Connection {
            stream,
            session: Session::new(wants, settings.config.limits.message),
            lease: shared.memory.lease(),
            shared,
            settings,
            listener,
            starved: false,
            input: Vec::new(),
            read_size: *READ.start(),
            begun: None,
            out: Vec::new(),
            answering: false,
        }
    }

    async fn run(&mut self) -> Result<(), End> {
        loop {
            let received = self.session.receive(&self.input, &mut self.out)?;
            self.consume(received.used);
            match received.event {
                Some(Event::Message) => self.message().await?,
                Some(Event::Closed) => return Ok(()),
                None => {
                    self.count_memory();
                    self.flush().await?;
                    if !self.read().await? {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn consume(&mut self, used: usize) {
        self.input.drain(..used.min(self.input.len()));
        if self.input.is_empty() {
            self.begun = None;
        } else if used > 0 || self.begun.is_none() {
            self.begun = Some(Instant::now());
        }
    }

    /// Counts what the message holds; gives it up when all messages together hold too much.
    fn count_memory(&mut self) {
        let limit = self.settings.config.limits.memory;
        if !self.lease.set(self.session.content().memory(), limit) {
            self.starved = true;
            self.session.give_up(LimitReached::MessageBytes(limit));
            self.lease.set(0, limit);
        }
    }

    /// Answers the message that is whole.
    async fn message(&mut self) -> Result<(), End> {
        let start = Instant::now();
        self.refresh();
        self.count_memory();
        let starved = self.starved && self.session.content().over().is_some();
        let treatment = Treatment::of(&self.settings, &self.listener, &self.session, starved);
        let content = self.session.take_content();
        let (content, outcome) = match content.raw().len() {
            small if small <= INLINE => {
                let outcome = treatment.carry_out(&content, &mut self.out);
                (content, outcome)
            }
            _ => self.elsewhere(treatment.clone(), content).await?,
        };
        let plan = start.elapsed();
        self.answering = true;
        outcome.verdict.write(&mut self.out);
        self.flush().await?;
        self.answering = false;
        let line = Line {
            queue_id: self.session.queue_id(),
            message_id: content.value("message-id").unwrap_or_default(),
            profile: treatment.profile(),
            bytes: content.size(),
            time: start.elapsed(),
        };
        line.write(&outcome);
        self.shared.listening.message(&outcome, line.bytes, Times { plan, whole: line.time });
        self.starved = false;
        self.session.answered(content);
        self.shrink();
        Ok(())
    }

    /// Takes the settings as they are now, and what they say of the listener.
    fn refresh(&mut self) {
        let now = self.shared.settings.borrow();
        if Arc::ptr_eq(&now, &self.settings) {
            return;
        }
        self.settings = Arc::clone(&now);
        if let Some(listener) = self.settings.listener(&self.listener.socket) {
            self.listener.clone_from(listener);
        }
    }

    /// Plans a big message where it keeps no other connection waiting.
    async fn elsewhere(&mut self, treatment: Treatment, content: Content) -> Result<(Content, Outcome), End> {
        let job = spawn_blocking(move || {
            let mut out = Vec::new();
            let outcome = treatment.carry_out(&content, &mut out);
            (content, out, outcome)
        });
        match self.patiently(job).await? {
            Ok((content, mut out, outcome)) => {
                self.out.append(&mut out);
                Ok((content, outcome))
            }
            Err(_) => Ok((Content::default(), Outcome::lost(&self.settings))),
        }
    }

    /// Waits for `job`, and tells the MTA to wait on as long as it lasts.
    async fn patiently<T>(&mut self, job: impl Future<Output = T>) -> Result<T, End> {
        let mut job = pin!(job);
        loop {
            match timeout(PROGRESS_EVERY, &mut job).await {
                Ok(done) => return Ok(done),
                Err(_) => {
                    self.shared.listening.progress();
                    Reply::Progress.write(&mut self.out);
                    self.flush().await?;
                }
            }
        }
    }

    /// Gives memory back that only a big message needs.
    fn shrink(&mut self) {
        if self.input.is_empty() && self.input.capacity() > KEPT_BUFFER {
            self.input = Vec::new();
            self.read_size = *READ.start();
        }
        if self.out.capacity() > KEPT_BUFFER {
            self.out = Vec::new();
        }
    }

    /// Writes what is to be written.
    async fn flush(&mut self) -> Result<(), End> {
        let limit = self.settings.config.limits.write_time;
        let mut written = 0;
        while written < self.out.len() {
            let rest = self.out.get(written..).unwrap_or_default();
            match timeout(limit, self.stream.write(rest)).await.map_err(|_| End::SlowWrite(limit))?? {
                0 => return Err(io::Error::from(io::ErrorKind::WriteZero).into()),
                more => written += more,
            }
        }
        self.out.clear();
        Ok(())
    }

    /// Reads more; false when the peer is gone, or when the daemon stops between two messages.
    async fn read(&mut self) -> Result<bool, End> {
        let between = self.input.is_empty() && matches!(self.session.stage(), Stage::Start | Stage::Idle);
        let (limit, slow) = match self.begun {
            Some(begun) => (self.settings.config.limits.read_time.saturating_sub(begun.elapsed()), true),
            None => (self.settings.config.limits.idle_time, false),
        };
        self.input.reserve(self.read_size);
        let room = self.input.capacity() - self.input.len();
        let read = timeout(limit, self.stream.read_buf(&mut self.input));
        let read = match between {
            false => read.await,
            true => tokio::select! {
                biased;
                read = read => read,
                _ = self.shared.stop.wait_for(|stop| *stop) => return Ok(false),
            },
        };
        match read {
            Ok(octets) => {
                let octets = octets?;
                if octets == room {
                    self.read_size = (self.read_size * 2).min(*READ.end());
                }
                Ok(octets > 0)
            }
            Err(_) if slow => Err(End::SlowRead(self.settings.config.limits.read_time)),
            Err(_) => Err(End::Idle(limit)),
        }
    }
}
