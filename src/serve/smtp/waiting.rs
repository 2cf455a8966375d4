//! How long a client may take, and what it holds at the next hop meanwhile.
//!
//! Each command of the envelope is answered by the next hop, so that a message has a connection to it from MAIL on, and
//! there are few of them. A client that sits there, or says NOOP, or sends its message drop by drop, would keep them
//! from all others. So after 5 seconds the transaction is given up at the next hop and its connection goes to whoever
//! needs one; when the client goes on, the envelope is said again, as the client said it. Content that is kept needs no
//! next hop before it is whole.
//!
//! **Limits**: `message_time` from MAIL to the last dot; content at `min_data_rate`, behind which it may be by
//! `idle_time`, and for which what came counts a minute ahead at most; where others wait for memory, a message that
//! trickles is given up at once; and those of [`BufferedStream`](crate::serve::stream::BufferedStream).

use std::future::pending;
use std::io;
use std::time::Instant;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{sleep_until, timeout};

use super::connection::ClientConnection;
use super::content::IncomingContent;
use super::end::SmtpError;
use super::transaction::{AttributedReply, Begun, By, lost, refused_again};
use crate::protocol::proxy_header::{self, ProxyHeader};
use crate::protocol::smtp::{RcptCommand, Reply};
use crate::serve::stream::StreamError;

impl<S: AsyncRead + AsyncWrite + Unpin> ClientConnection<S> {
    /// Hears from a trusted client for whom it connects, where the listener wants that; from then on that one is the
    /// client.
    pub(super) async fn hear_proxy(&mut self) -> Result<(), SmtpError> {
        if !self.listener.forward.proxy_protocol || !self.client.is_trusted(&self.listener) {
            return Ok(());
        }
        let limit = self.settings.config.limits.read_time;
        let header = timeout(limit, self.read_proxy_header()).await;
        let header = header.map_err(|_| StreamError::SlowRead(limit))??;
        self.stream.consume(header.length);
        if let Some(client) = header.client {
            self.client_is(client);
        }
        Ok(())
    }

    /// Reads the PROXY header, however long that takes, and leaves it in the input; an error where something else
    /// comes, or nothing more.
    async fn read_proxy_header(&mut self) -> Result<ProxyHeader, SmtpError> {
        loop {
            match proxy_header::read(&self.stream.input) {
                Ok(Some(header)) => return Ok(header),
                Ok(None) if self.stream.read(&self.settings.config.limits, None).await? => {}
                Ok(None) => return Err(SmtpError::Stream(io::Error::from(io::ErrorKind::UnexpectedEof).into())),
                Err(_) => return Err(SmtpError::NoProxy),
            }
        }
    }

    /// Reads more; false when the client is gone, or when the daemon stops between two messages. Where we end it, the
    /// client is told goodbye.
    pub(super) async fn read(&mut self) -> Result<bool, SmtpError> {
        self.count_buffers();
        let between = self.stream.input.is_empty() && self.transaction.is_none() && !self.clock.parked;
        let read = self.read_in_time(between).await;
        self.heard = Instant::now();
        let farewell = match &read {
            Ok(false) if between && *self.shared.stop.borrow() => Some(("4.3.2", "septet is shutting down")),
            Err(SmtpError::Stream(StreamError::Idle(_) | StreamError::SlowRead(_))) => {
                Some(("4.4.2", "nothing came for too long"))
            }
            Err(SmtpError::SlowMessage) => Some(("4.4.2", "the message comes too slowly")),
            Err(SmtpError::HoldsMemory) => Some(("4.3.1", "no memory now for a message that comes so slowly")),
            _ => None,
        };
        if let Some((status, text)) = farewell {
            Reply::with_status(421, status, text).write(&mut self.stream.out);
            // Who is told goodbye may be gone already.
            let _ = self.stream.flush(&self.settings.config.limits).await;
        }
        read
    }

    /// Reads, and gives the connection to the next hop to others meanwhile where that takes long. An error where the
    /// message is not whole at its [deadline](super::clock::MessageClock::deadline). `between` says that no message is
    /// on its way: then the daemon's stop ends the wait with `false`, as if the client were gone.
    async fn read_in_time(&mut self, between: bool) -> Result<bool, SmtpError> {
        let until = self.clock.deadline(&self.listener.forward, self.settings.config.limits.idle_time);
        if until.is_some_and(|until| until <= Instant::now()) {
            return Err(SmtpError::SlowMessage);
        }
        if let Some(held) = self.holds_until() {
            let first = until.map_or(held, |until| until.min(held));
            match self.read_until(Some(first), between).await? {
                Some(read) => return Ok(read),
                None => self.park().await,
            }
        }
        self.read_until(until, between).await?.ok_or(SmtpError::SlowMessage)
    }

    /// Reads as [`read_in_time`](Self::read_in_time) does, but gives up at `until`, if that is given: none when nothing
    /// came by then. An error where others wait for the memory of a message that trickles.
    async fn read_until(&mut self, until: Option<Instant>, between: bool) -> Result<Option<bool>, SmtpError> {
        let stop = between.then_some(&mut self.shared.stop);
        tokio::select! {
            biased;
            read = self.stream.read(&self.settings.config.limits, stop) => Ok(Some(read?)),
            () = self.memory.asked() => Err(SmtpError::HoldsMemory),
            () = wait_until(until) => Ok(None),
        }
    }

    /// Returns until when the message keeps its connection to a next hop; none where it has none, or where content is
    /// written to it.
    fn holds_until(&self) -> Option<Instant> {
        let idle = self.transaction.is_some() && !matches!(self.content, IncomingContent::Passing(..));
        self.clock.holds_until().filter(|_| idle)
    }

    /// Gives the transaction up at the next hop, to say it again when the client goes on
    /// ([`ClientConnection::resume`]).
    async fn park(&mut self) {
        let Some(transaction) = self.transaction.take() else { return };
        self.clock.parked = true;
        self.give_up_by(*transaction).await;
        self.release_memory();
    }

    /// Says the envelope again where [`ClientConnection::park`] gave its connection back; otherwise nothing is done. It
    /// has to be called before anything of the message goes to the next hop. The error is the client's answer: the next
    /// hop then has nothing of the message any more, and it is not tried again.
    pub(super) async fn resume(&mut self) -> Result<(), AttributedReply> {
        if !std::mem::take(&mut self.clock.parked) {
            return Ok(());
        }
        let Some(mail) = self.session.envelope().mail.clone() else { return Err(lost()) };
        match self.begin(&mail).await {
            Ok(Begun::Accepted(transaction, _)) => self.transaction = Some(transaction),
            Ok(Begun::Refused(said)) => return Err(said),
            Err(error) => return Err(self.report_next_hop_failure(&error)),
        }
        for rcpt in self.session.envelope().recipients.clone() {
            self.name_again(&rcpt).await?;
        }
        Ok(())
    }

    /// Names a recipient again whom a next hop had accepted; one that is refused now ends the transaction.
    async fn name_again(&mut self, rcpt: &RcptCommand) -> Result<(), AttributedReply> {
        let Some(mut transaction) = self.transaction.take() else { return Err(lost()) };
        match transaction.rcpt(rcpt, self.addresses()).await {
            Ok(said) if said.reply.is_positive() => {
                self.transaction = Some(transaction);
                Ok(())
            }
            Ok(said) => {
                self.give_up_by(*transaction).await;
                Err(By::NextHop.says(refused_again(&said.reply)))
            }
            Err(error) => Err(self.report_next_hop_failure(&error)),
        }
    }
}

/// Waits until then; for ever if there is no such time.
async fn wait_until(until: Option<Instant>) {
    match until {
        Some(until) => sleep_until(until.into()).await,
        None => pending().await,
    }
}
