//! The client's side of a connection: octets in and out, and what each event of the session asks for.
//!
//! **Limits**: those of [`BufferedStream`]; of the message, see [`content`](super::content).

use std::sync::Arc;
use std::time::Instant;

use tokio::io::{AsyncRead, AsyncWrite};
use tracing::{debug, warn};

use super::address::AddressPolicy;
use super::client::Client;
use super::content::Content;
use super::end::End;
use super::next_hop::{Lease, NextHopError, Pool};
use super::transaction::{Begun, Transaction};
use crate::config::{Action, BareLineEnds, Listener, NextHop, Protocol};
use crate::process::arrival;
use crate::protocol::smtp::{
    Dialect, EndOfData, Event, HelloVerb, Keywords, LineEndPolicy, MailCommand, Options, RcptCommand, Reply, Session,
};
use crate::serve::log::Client as ShownClient;
use crate::serve::memory::Lease as MemoryLease;
use crate::serve::settings::Settings;
use crate::serve::shared::{Peer, Shared};
use crate::serve::stream::{BufferedStream, StreamError, WAITING};

/// The recipients of a message; Postfix sends 50, and lists take what they get.
const RECIPIENTS: usize = 1000;

/// The octets of replies that are written at once: who sends a thousand commands and reads nothing is waited for.
const ENOUGH: usize = 64 << 10;

/// Serves a connection to its end.
pub async fn serve<S>(stream: S, peer: Peer, listener: Listener, shared: Shared, pool: Arc<Pool>)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut connection = Connection::new(stream, &peer, listener, shared, pool);
    let ended = connection.run().await;
    connection.shared.metrics.ended(ended.as_ref().err().map_or("done", End::code));
    match ended {
        Ok(()) => {}
        Err(End::Stream(StreamError::Io(error))) => debug!(%peer, %error, "connection lost"),
        Err(end @ End::Stream(StreamError::Idle(_))) => debug!(%peer, "connection closed: {end}"),
        Err(end) => warn!(%peer, "connection closed: {end}"),
    }
}

/// A connection of a client.
pub(super) struct Connection<S> {
    pub(super) stream: BufferedStream<S>,
    pub(super) session: Session,
    pub(super) shared: Shared,
    pool: Arc<Pool>,
    pub(super) settings: Arc<Settings>,
    pub(super) listener: Listener,
    pub(super) client: Client,
    pub(super) transaction: Option<Box<Transaction>>,
    /// The next hop of the transaction, or of the last one.
    at: Option<NextHop>,
    pub(super) content: Content,
    /// The octets of the envelope, here and at the next hop.
    pub(super) envelope_size: usize,
    pub(super) memory: MemoryLease,
    /// When the client's last octets came.
    heard: Instant,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    fn new(stream: S, peer: &Peer, listener: Listener, shared: Shared, pool: Arc<Pool>) -> Connection<S> {
        let settings = Arc::clone(&shared.settings.borrow());
        let client = Client::new(peer);
        let dialect = if listener.protocol == Protocol::Lmtp { Dialect::Lmtp } else { Dialect::Smtp };
        Connection {
            stream: BufferedStream::new(stream),
            session: Session::new(dialect, options(&settings, &listener, &client)),
            memory: shared.memory.lease(),
            shared,
            pool,
            settings,
            listener,
            client,
            transaction: None,
            at: None,
            content: Content::Kept(Vec::new()),
            envelope_size: 0,
            heard: Instant::now(),
        }
    }

    async fn run(&mut self) -> Result<(), End> {
        let greeting = self.session.greeting();
        greeting.write(&mut self.stream.out);
        loop {
            let received = self.session.receive(&self.stream.input, &mut self.stream.out);
            self.stream.consume(received.used);
            match received.event {
                Some(Event::Quit) => return Ok(self.stream.flush(&self.settings.config.limits).await?),
                Some(Event::Closed) => {
                    self.stream.flush(&self.settings.config.limits).await?;
                    return Err(End::Abuse);
                }
                Some(event) => {
                    self.event(event).await;
                    if self.stream.out.len() > ENOUGH {
                        self.stream.flush(&self.settings.config.limits).await?;
                    }
                }
                None => {
                    self.stream.flush(&self.settings.config.limits).await?;
                    self.stream.shrink(WAITING);
                    if !self.read().await? {
                        return Ok(());
                    }
                }
            }
        }
    }

    async fn event(&mut self, event: Event) {
        let reply = match event {
            Event::Hello { verb, .. } => self.hello(verb).await,
            Event::Mail(mail) => self.mail(&mail).await,
            Event::Rcpt(rcpt) => self.rcpt(&rcpt).await,
            Event::Data => self.data().await,
            Event::Content(piece) => return self.content(piece).await,
            Event::End(end) => return self.end(end).await,
            Event::Reset => self.reset().await,
            Event::XForward(attributes) => {
                self.client.speaks_for(&attributes);
                Reply::with_status(250, "2.0.0", "Ok")
            }
            Event::XClient(attributes) => {
                self.client.speaks_as(&attributes);
                self.session.greeting()
            }
            Event::Quit | Event::Closed => return,
        };
        self.session.answer(&reply, &mut self.stream.out);
    }

    /// Takes new settings: they hold from here on, here and for connections to next hops.
    fn refresh(&mut self) {
        if self.shared.refresh(&mut self.settings, &mut self.listener) {
            self.session.set_options(options(&self.settings, &self.listener, &self.client));
        }
        self.pool.obey(&self.listener.forward, self.settings.read);
    }

    async fn hello(&mut self, verb: HelloVerb) -> Reply {
        self.give_up().await;
        self.client.end_of_message();
        self.refresh();
        let keywords = self.pool.keywords(&self.listener.forward, &hostname(&self.listener)).await;
        // MAIL says what is wrong, if it still is then.
        let keywords = keywords.unwrap_or_else(|error| {
            debug!("no next hop for a hello: {error}");
            Keywords::default()
        });
        self.session.hello_reply(verb, &keywords)
    }

    async fn mail(&mut self, mail: &MailCommand) -> Reply {
        self.refresh();
        match self.begin(mail).await {
            Ok(Begun::Accepted(transaction, reply)) => {
                self.transaction = Some(transaction);
                reply
            }
            Ok(Begun::Refused(reply)) => reply,
            Err(error) => self.failed(&error),
        }
    }

    /// Says MAIL by a connection that is there, and once more by a new one if that one was closed meanwhile.
    async fn begin(&mut self, mail: &MailCommand) -> Result<Begun, NextHopError> {
        let lease = self.lease(false).await?;
        let used_before = lease.used_before;
        match self.begin_by(lease, mail).await {
            Err(NextHopError::Lost(_)) if used_before => {
                let lease = self.lease(true).await?;
                self.begin_by(lease, mail).await
            }
            begun => begun,
        }
    }

    async fn begin_by(&self, lease: Lease, mail: &MailCommand) -> Result<Begun, NextHopError> {
        Transaction::begin(lease, mail, self.addresses(), &self.client, self.session.envelope()).await
    }

    async fn rcpt(&mut self, rcpt: &RcptCommand) -> Reply {
        let Some(mut transaction) = self.transaction.take() else { return lost() };
        if !self.count_recipient(rcpt) {
            self.transaction = Some(transaction);
            return Reply::with_status(452, "4.3.1", "no memory for more recipients now");
        }
        if self.has_one_answer(&transaction) && !self.session.envelope().recipients.is_empty() {
            self.transaction = Some(transaction);
            return Reply::with_status(452, "4.5.3", "too many recipients");
        }
        match transaction.rcpt(rcpt, self.addresses()).await {
            Ok(reply) => {
                if !reply.closes() {
                    self.transaction = Some(transaction);
                }
                reply
            }
            Err(error) => self.failed(&error),
        }
    }

    /// Tells whether the next hop answers for each recipient and the client hears one answer: the settings may have
    /// turned to LMTP since the client came.
    fn has_one_answer(&self, transaction: &Transaction) -> bool {
        self.session.dialect() == Dialect::Smtp && transaction.lease.connection.at().is_lmtp()
    }

    async fn data(&mut self) -> Reply {
        let passes = self.passes_whole();
        self.content = Content::Kept(Vec::new());
        let Some(transaction) = &self.transaction else { return lost() };
        if passes && transaction.lease.connection.can_stream() {
            self.pass(None).await;
        }
        match &self.content {
            Content::Refused(reply) => reply.clone(),
            _ => Reply::new(354, "End data with <CR><LF>.<CR><LF>"),
        }
    }

    async fn content(&mut self, piece: Vec<u8>) {
        let Some(transaction) = &mut self.transaction else { return };
        let came = piece.len();
        match self.content.take(piece, transaction).await {
            Ok(()) => self.hold_to_limits(came).await,
            Err(error) => self.content_lost(&error),
        }
    }

    /// Hands the message through from here on.
    pub(super) async fn pass(&mut self, why: Option<String>) {
        let Some(transaction) = &mut self.transaction else { return };
        if let Err(error) = self.content.pass(transaction, why).await {
            self.content_lost(&error);
        }
    }

    /// Throws the rest of a message away whose next hop is lost.
    fn content_lost(&mut self, error: &NextHopError) {
        self.content = Content::Refused(self.failed(error));
        self.transaction = None;
    }

    async fn end(&mut self, end: EndOfData) {
        let start = Instant::now();
        if let Some(transaction) = &mut self.transaction {
            transaction.lease.connection.client_waits_since(self.heard);
        }
        let replies = match end.fault {
            Some(fault) => {
                self.refuse(&fault, end.size).await;
                vec![fault]
            }
            None => self.deliver(start).await,
        };
        self.session.answer_each(&replies, &mut self.stream.out);
        self.content = Content::Kept(Vec::new());
        self.envelope_size = 0;
        self.client.end_of_message();
        self.release_memory();
    }

    async fn reset(&mut self) -> Reply {
        self.give_up().await;
        self.client.end_of_message();
        Reply::with_status(250, "2.0.0", "Ok")
    }

    /// Gives an open transaction up at the next hop too: one in the middle of its content by closing the connection.
    pub(super) async fn give_up(&mut self) {
        self.content = Content::Kept(Vec::new());
        self.envelope_size = 0;
        self.release_memory();
        let Some(transaction) = self.transaction.take() else { return };
        if let Err(error) = transaction.give_up().await {
            debug!("a transaction that is given up: {error}");
        }
    }

    /// Tells the client that the next hop failed, and the log why.
    pub(super) fn failed(&self, error: &NextHopError) -> Reply {
        self.shared.metrics.next_hop_failed(error.code());
        let client = self.client.envelope(self.session.envelope(), &[], "");
        warn!(
            listener = %self.listener.socket,
            client = %ShownClient(&client),
            next_hop = self.at.as_ref().map(tracing::field::display),
            "the next hop failed: {error}"
        );
        error.reply()
    }

    async fn lease(&mut self, fresh: bool) -> Result<Lease, NextHopError> {
        self.at = None;
        let lease = self.pool.connect(&self.listener.forward, &hostname(&self.listener), fresh).await?;
        self.at = Some(lease.connection.at().clone());
        Ok(lease)
    }

    fn addresses(&self) -> AddressPolicy<'_> {
        AddressPolicy { non_ascii: self.listener.forward.non_ascii_address(), aliases: &self.settings.config.alias }
    }

    /// Reads more; false when the client is gone, or when the daemon stops between two messages.
    async fn read(&mut self) -> Result<bool, End> {
        self.count_buffers();
        let between = self.stream.input.is_empty() && self.transaction.is_none();
        let stop = between.then_some(&mut self.shared.stop);
        let read = self.stream.read(&self.settings.config.limits, stop).await;
        self.heard = Instant::now();
        let farewell = match &read {
            Ok(false) if between && *self.shared.stop.borrow() => Some(("4.3.2", "septet is shutting down")),
            Err(StreamError::Idle(_) | StreamError::SlowRead(_)) => Some(("4.4.2", "nothing came for too long")),
            _ => None,
        };
        if let Some((status, text)) = farewell {
            Reply::with_status(421, status, text).write(&mut self.stream.out);
            // Who is told goodbye may be gone already.
            let _ = self.stream.flush(&self.settings.config.limits).await;
        }
        Ok(read?)
    }
}

/// Returns the reply to a client whose message was lost with the connection to the next hop.
pub(super) fn lost() -> Reply {
    Reply::with_status(451, "4.4.2", "the connection to the next hop broke")
}

/// Returns the name that septet goes by.
fn hostname(listener: &Listener) -> String {
    listener.forward.hostname.clone().unwrap_or_else(|| arrival::hostname().to_owned())
}

fn options(settings: &Settings, listener: &Listener, client: &Client) -> Options {
    let (limits, forward) = (&settings.config.limits, &listener.forward);
    // LMTP answers for each recipient and SMTP for all: a message that one of them does not get can't be said there.
    let one_answer = listener.protocol == Protocol::Smtp && forward.next_hops().iter().any(|hop| hop.is_lmtp());
    let refused = limits.on.limit.message_bytes == Action::Reject;
    Options {
        hostname: hostname(listener),
        max_size: if refused { limits.message.message_bytes as u64 } else { 0 },
        max_recipients: if one_answer { 1 } else { RECIPIENTS },
        line_ends: match forward.bare_line_ends() {
            BareLineEnds::Reject => LineEndPolicy::Reject,
            BareLineEnds::Repair => LineEndPolicy::Repair,
        },
        trusted: forward.trusted.iter().flatten().any(|known| known.matches(None, Some(client.own_address()))),
        ..Options::default()
    }
}
