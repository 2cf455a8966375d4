//! The client's side of a connection: octets in and out, and what each event of the session asks for.
//!
//! **Limits**: those of [`BufferedStream`]; of the message, see [`content`](super::content).

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use tokio::io::{AsyncRead, AsyncWrite};
use tracing::{debug, warn};

use super::client::ClientIdentity;
use super::clock::MessageClock;
use super::content::IncomingContent;
use super::end::SmtpError;
use super::next_hop::{NextHopError, Pool};
use super::transaction::{AttributedReply, By, Transaction, lost};
use crate::config::{Action, BareLineEnds, Listener, NextHop, Protocol};
use crate::protocol::smtp::{
    EndOfData, Event, HelloVerb, Keywords, LineEndPolicy, Reply, Session, SessionOptions, SmtpDialect,
};
use crate::serve::memory::MemoryLease;
use crate::serve::outcome::MessageOutcome;
use crate::serve::own_name::own_name;
use crate::serve::settings::DaemonSettings;
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
    let mut connection = ClientConnection::new(stream, &peer, listener, shared, pool);
    let ended = connection.run().await;
    connection.shared.metrics.all.ends.count(ended.as_ref().err().map_or("done", SmtpError::code));
    match ended {
        Ok(()) => {}
        Err(SmtpError::Stream(StreamError::Io(error))) => debug!(%peer, %error, "connection lost"),
        Err(end @ SmtpError::Stream(StreamError::Idle(_))) => debug!(%peer, "connection closed: {end}"),
        Err(end) => warn!(%peer, "connection closed: {end}"),
    }
}

/// A connection of a client.
pub(super) struct ClientConnection<S> {
    pub(super) stream: BufferedStream<S>,
    pub(super) session: Session,
    pub(super) shared: Shared,
    pub(super) pool: Arc<Pool>,
    pub(super) settings: Arc<DaemonSettings>,
    pub(super) listener: Listener,
    pub(super) client: ClientIdentity,
    pub(super) transaction: Option<Box<Transaction>>,
    /// The next hop of the transaction, or of the last one; none where none could be reached for it.
    pub(super) at: Option<NextHop>,
    pub(super) content: IncomingContent,
    /// The octets of the envelope, here and at the next hop.
    pub(super) envelope_size: usize,
    pub(super) memory: MemoryLease,
    /// When the client's last octets came.
    pub(super) heard: Instant,
    pub(super) clock: MessageClock,
}

impl<S: AsyncRead + AsyncWrite + Unpin> ClientConnection<S> {
    /// Starts a connection of this peer, which has said nothing yet.
    fn new(stream: S, peer: &Peer, listener: Listener, shared: Shared, pool: Arc<Pool>) -> ClientConnection<S> {
        let settings = Arc::clone(&shared.settings.borrow());
        let client = ClientIdentity::new(peer);
        let dialect = if listener.protocol == Protocol::Lmtp { SmtpDialect::Lmtp } else { SmtpDialect::Smtp };
        ClientConnection {
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
            content: IncomingContent::Kept(Vec::new()),
            envelope_size: 0,
            heard: Instant::now(),
            clock: MessageClock::default(),
        }
    }

    /// Serves the client until it says QUIT, or goes, or the daemon stops between two messages; an error is any other
    /// end.
    async fn run(&mut self) -> Result<(), SmtpError> {
        self.hear_proxy().await?;
        let greeting = self.session.greeting();
        greeting.write(&mut self.stream.out);
        loop {
            let received = self.session.receive(&self.stream.input, &mut self.stream.out);
            self.stream.consume(received.used);
            self.log_refusals(By::Septet);
            match received.event {
                Some(Event::Quit) => return Ok(self.stream.flush(&self.settings.config.limits).await?),
                Some(Event::Closed) => {
                    self.stream.flush(&self.settings.config.limits).await?;
                    return Err(SmtpError::Abuse);
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
                        return self.client_gone();
                    }
                }
            }
        }
    }

    /// Returns how a connection ends of which nothing more comes: well only between two messages, or where the daemon
    /// stops, which ends one that has lost its transaction.
    fn client_gone(&self) -> Result<(), SmtpError> {
        match self.session.envelope().mail {
            Some(_) if !*self.shared.stop.borrow() => {
                Err(SmtpError::Stream(io::Error::from(io::ErrorKind::UnexpectedEof).into()))
            }
            _ => Ok(()),
        }
    }

    /// Does what an event of the session asks for, and answers the command. Content has no answer, and the end of a
    /// message answers by itself, as there may be several replies.
    async fn event(&mut self, event: Event) {
        let said = match event {
            Event::Hello { verb, .. } => By::Septet.says(self.hello(verb).await),
            Event::Mail(mail) => self.mail(&mail).await,
            Event::Rcpt(rcpt) => self.rcpt(&rcpt).await,
            Event::Data => {
                let said = self.data().await;
                self.hear_early().await;
                said
            }
            Event::Content(piece) => return self.content(piece).await,
            Event::End(end) => return self.end(end).await,
            Event::Reset => By::Septet.says(self.reset().await),
            Event::XForward(attributes) => {
                self.client.speaks_for(&attributes);
                By::Septet.says(Reply::with_status(250, "2.0.0", "Ok"))
            }
            Event::XClient(attributes) => {
                self.client.speaks_as(&attributes);
                By::Septet.says(self.session.greeting())
            }
            Event::Quit | Event::Closed => return,
        };
        self.session.answer(&said.reply, &mut self.stream.out);
        self.log_refusals(said.by);
    }

    /// Shows the session what came while the answer to DATA was waited for, since nothing is read meanwhile: it has to
    /// close the connection then.
    async fn hear_early(&mut self) {
        if self.stream.input.is_empty() {
            self.stream.read_what_is_there().await;
        }
        let received = self.session.receive(&self.stream.input, &mut self.stream.out);
        self.stream.consume(received.used);
    }

    /// Serves another client than the one that connected.
    pub(super) fn client_is(&mut self, address: SocketAddr) {
        self.client = ClientIdentity::new(&Peer { address: Some(address) });
        self.session.set_options(options(&self.settings, &self.listener, &self.client));
    }

    /// Takes new settings: they hold from here on, here and for connections to next hops. They are asked for at a hello
    /// and at MAIL, so that a message has the same ones throughout.
    pub(super) fn refresh(&mut self) {
        if self.shared.refresh(&mut self.settings, &mut self.listener) {
            self.session.set_options(options(&self.settings, &self.listener, &self.client));
        }
        self.pool.obey(&self.listener.forward, self.settings.read);
    }

    /// Answers a hello by what the next hop takes; as if it took nothing where none can be reached.
    async fn hello(&mut self, verb: HelloVerb) -> Reply {
        self.give_up().await;
        self.client.end_of_message();
        self.refresh();
        let keywords = self.pool.keywords(&self.listener.forward, self.own_name()).await;
        // MAIL says what is wrong, if it still is then.
        let keywords = keywords.unwrap_or_else(|error| {
            debug!("no next hop for a hello: {error}");
            Keywords::default()
        });
        self.session.hello_reply(verb, &keywords)
    }

    /// Lets the content come, once an envelope that was given up for its pauses is said again. Where nothing of it can
    /// be changed and it can be written piece by piece, it is announced to the next hop at once, whose refusal is the
    /// answer.
    async fn data(&mut self) -> AttributedReply {
        if let Err(said) = self.resume().await {
            return said;
        }
        self.content = IncomingContent::Kept(Vec::new());
        let Some(transaction) = &self.transaction else { return lost() };
        self.clock.content = Some(Instant::now());
        if transaction.lease.connection.can_stream() && self.passes_whole() {
            self.pass(MessageOutcome::untouched("unchanged")).await;
        }
        match &self.content {
            IncomingContent::Refused(said) => said.clone(),
            _ => By::Septet.says(Reply::new(354, "End data with <CR><LF>.<CR><LF>")),
        }
    }

    /// Takes a piece of the content. It has no answer: a refusal waits for the end of the message.
    async fn content(&mut self, piece: Vec<u8>) {
        let came = piece.len();
        self.clock.count(came, &self.listener.forward, Instant::now());
        match self.content.take(piece, self.transaction.as_deref_mut()).await {
            Ok(()) => self.hold_to_limits(came).await,
            Err(error) => self.content_lost(&error),
        }
        self.memory.count_received(came);
    }

    /// Hands the message through from here on, if there is a transaction; `outcome` is what becomes of it if the next
    /// hop takes it.
    pub(super) async fn pass(&mut self, outcome: MessageOutcome) {
        let Some(transaction) = &mut self.transaction else { return };
        if let Err(error) = self.content.pass(transaction, outcome).await {
            self.content_lost(&error);
        }
    }

    /// Refuses a message whose next hop is lost, so that the rest of it is thrown away, and drops the transaction.
    fn content_lost(&mut self, error: &NextHopError) {
        self.content = IncomingContent::Refused(self.report_next_hop_failure(error));
        self.transaction = None;
    }

    /// Answers the message that is whole, and forgets it.
    async fn end(&mut self, end: EndOfData) {
        self.clock.whole = Some(Instant::now());
        self.memory.end_receiving();
        if let Some(transaction) = &mut self.transaction {
            transaction.lease.connection.client_waits_since(self.heard);
        }
        let replies = match end.fault {
            Some(fault) => {
                self.log_refused(By::Septet, &fault, end.size);
                self.give_up().await;
                vec![fault]
            }
            None => self.deliver(end.size).await,
        };
        self.session.answer_each(&replies, &mut self.stream.out);
        self.client.end_of_message();
        self.forget();
    }

    /// Forgets what came of a message. The caller has ended its receiving, so that nobody is asked any more to give
    /// back what it held.
    fn forget(&mut self) {
        self.content = IncomingContent::Kept(Vec::new());
        self.envelope_size = 0;
        self.clock = MessageClock::default();
        self.release_memory();
    }

    /// Answers RSET, which gives the message up and forgets what XFORWARD said of it.
    async fn reset(&mut self) -> Reply {
        self.give_up().await;
        self.client.end_of_message();
        Reply::with_status(250, "2.0.0", "Ok")
    }

    /// Forgets what came of a message, and gives an open transaction up at the next hop too: one in the middle of its
    /// content by closing the connection.
    pub(super) async fn give_up(&mut self) {
        self.memory.end_receiving();
        self.forget();
        if let Some(transaction) = self.transaction.take() {
            self.give_up_by(*transaction).await;
        }
    }

    /// Returns the name that septet goes by on this listener.
    pub(super) fn own_name(&self) -> &str {
        own_name(&self.settings.config, &self.listener)
    }
}

/// Returns how the session is to serve a client, by the settings. A message over `message_bytes` is refused by the
/// session only where the settings reject it for good; otherwise it may come, and
/// [`hold_to_limits`](ClientConnection::hold_to_limits) decides.
fn options(settings: &DaemonSettings, listener: &Listener, client: &ClientIdentity) -> SessionOptions {
    let (limits, forward) = (&settings.config.limits, &listener.forward);
    // LMTP answers for each recipient and SMTP for all: a message that one of them does not get can't be said there.
    let one_answer = listener.protocol == Protocol::Smtp && forward.next_hops().iter().any(|hop| hop.is_lmtp());
    let refused = limits.on.limit.message_bytes == Action::Reject;
    SessionOptions {
        hostname: own_name(&settings.config, listener).to_owned(),
        max_size: if refused { limits.message.message_bytes as u64 } else { 0 },
        max_recipients: if one_answer { 1 } else { RECIPIENTS },
        line_ends: match forward.bare_line_ends {
            BareLineEnds::Reject => LineEndPolicy::Reject,
            BareLineEnds::Repair => LineEndPolicy::Repair,
        },
        trusted: client.is_trusted(listener),
        ..SessionOptions::default()
    }
}
