//! The client's side of a connection: octets in and out, and what each event of the session asks for.
//!
//! **Limits**: those of [`BufferedStream`]; of the message, see [`content`](super::content).

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use tokio::io::{AsyncRead, AsyncWrite};
use tracing::{debug, warn};

use super::address::AddressPolicy;
use super::client::ClientIdentity;
use super::clock::MessageClock;
use super::content::IncomingContent;
use super::end::SmtpError;
use super::next_hop::{NextHopError, Pool, PooledConnection};
use super::transaction::{AttributedReply, Begun, By, Transaction};
use crate::config::{Action, BareLineEnds, Listener, NextHop, Protocol};
use crate::protocol::smtp::{
    EndOfData, Event, HelloVerb, Keywords, LineEndPolicy, MailCommand, RcptCommand, Reply, Session, SessionOptions,
    SmtpDialect,
};
use crate::serve::memory::MemoryLease;
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
    pool: Arc<Pool>,
    pub(super) settings: Arc<DaemonSettings>,
    pub(super) listener: Listener,
    pub(super) client: ClientIdentity,
    pub(super) transaction: Option<Box<Transaction>>,
    /// The next hop of the transaction, or of the last one.
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

    /// Returns how a connection ends of which nothing more comes: well only between two messages.
    fn client_gone(&self) -> Result<(), SmtpError> {
        match self.session.envelope().mail {
            None => Ok(()),
            Some(_) => Err(SmtpError::Stream(io::Error::from(io::ErrorKind::UnexpectedEof).into())),
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

    /// Returns `true` if the client may say for whom it speaks.
    pub(super) fn is_trusted(&self) -> bool {
        is_trusted(&self.listener, &self.client)
    }

    /// Serves another client than the one that connected.
    pub(super) fn client_is(&mut self, address: SocketAddr) {
        self.client = ClientIdentity::new(&Peer { shown: address.to_string(), address: Some(address) });
        self.session.set_options(options(&self.settings, &self.listener, &self.client));
    }

    /// Takes new settings: they hold from here on, here and for connections to next hops. They are asked for at a hello
    /// and at MAIL, so that a message has the same ones throughout.
    fn refresh(&mut self) {
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

    /// Begins a message at the next hop, by the settings of this moment.
    async fn mail(&mut self, mail: &MailCommand) -> AttributedReply {
        self.refresh();
        match self.begin(mail).await {
            Ok(Begun::Accepted(transaction, reply)) => {
                self.transaction = Some(transaction);
                self.clock.mail = Some(Instant::now());
                By::NextHop.says(reply)
            }
            Ok(Begun::Refused(said)) => said,
            Err(error) => self.report_next_hop_failure(&error),
        }
    }

    /// Says MAIL by a connection that is there, and once more by a new one if that one was used before and is lost: the
    /// next hop may have closed it meanwhile.
    pub(super) async fn begin(&mut self, mail: &MailCommand) -> Result<Begun, NextHopError> {
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

    /// Says MAIL by this connection, for the client and with what the session has accepted of the envelope.
    async fn begin_by(&self, lease: PooledConnection, mail: &MailCommand) -> Result<Begun, NextHopError> {
        Transaction::begin(lease, mail, self.addresses(), &self.client, self.session.envelope()).await
    }

    /// Names a recipient to the next hop. After a 421 that has nothing of the message any more, and the transaction is
    /// dropped.
    async fn rcpt(&mut self, rcpt: &RcptCommand) -> AttributedReply {
        if let Err(said) = self.resume().await {
            return said;
        }
        let Some(mut transaction) = self.transaction.take() else { return By::Septet.says(lost()) };
        if let Some(refusal) = self.refusal_of_recipient(rcpt, &transaction) {
            self.transaction = Some(transaction);
            return By::Septet.says(refusal);
        }
        let said = match transaction.rcpt(rcpt, self.addresses()).await {
            Ok(said) => {
                if !said.reply.closes() {
                    self.transaction = Some(transaction);
                }
                said
            }
            Err(error) => self.report_next_hop_failure(&error),
        };
        if !said.reply.is_positive() {
            self.forget_recipient(rcpt);
        }
        said
    }

    /// Returns the reply to a recipient who would be the second of a message whose recipients can't all be answered
    /// for, or for whom there is no room; none for others, who are counted.
    fn refusal_of_recipient(&mut self, rcpt: &RcptCommand, transaction: &Transaction) -> Option<Reply> {
        let has_others = !self.session.envelope().recipients.is_empty();
        if has_others && self.has_one_answer(transaction) {
            return Some(Reply::with_status(452, "4.5.3", "too many recipients"));
        }
        let has_room = self.count_recipient(rcpt);
        (!has_room).then(|| Reply::with_status(452, "4.3.1", "no memory for more recipients now"))
    }

    /// Returns `true` if the next hop answers for each recipient and the client hears one answer: the settings may have
    /// turned to LMTP since the client came.
    fn has_one_answer(&self, transaction: &Transaction) -> bool {
        self.session.dialect() == SmtpDialect::Smtp && transaction.lease.connection.at.is_lmtp()
    }

    /// Lets the content come, once an envelope that was given up for its pauses is said again. Where nothing of it can
    /// be changed and it can be written piece by piece, it is announced to the next hop at once, whose refusal is the
    /// answer.
    async fn data(&mut self) -> AttributedReply {
        if let Err(said) = self.resume().await {
            return said;
        }
        let passes = self.passes_whole();
        self.content = IncomingContent::Kept(Vec::new());
        let Some(transaction) = &self.transaction else { return By::Septet.says(lost()) };
        self.clock.content = Some(Instant::now());
        if passes && transaction.lease.connection.can_stream() {
            self.pass(None).await;
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

    /// Hands the message through from here on, if there is a transaction; `why` is what the log says of one that should
    /// have been planned.
    pub(super) async fn pass(&mut self, why: Option<String>) {
        let Some(transaction) = &mut self.transaction else { return };
        if let Err(error) = self.content.pass(transaction, why).await {
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
                self.refuse(&fault, end.size).await;
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

    /// Gets a connection to a next hop, and notes which one, and since when the message has it; `fresh` asks for one
    /// that nobody used. Where there is none, the next hop of before is no longer noted.
    async fn lease(&mut self, fresh: bool) -> Result<PooledConnection, NextHopError> {
        self.at = None;
        let lease = self.pool.connect(&self.listener.forward, self.own_name(), fresh).await?;
        self.at = Some(lease.connection.at.clone());
        self.clock.leased = Some(Instant::now());
        Ok(lease)
    }

    fn own_name(&self) -> &str {
        own_name(&self.settings.config, &self.listener)
    }

    /// Returns what becomes of addresses outside ASCII, by the settings that the message has.
    pub(super) fn addresses(&self) -> AddressPolicy<'_> {
        AddressPolicy { non_ascii: self.listener.forward.non_ascii_address, aliases: &self.settings.aliases }
    }
}

/// Returns the reply to a client whose message was lost with the connection to the next hop.
pub(super) fn lost() -> Reply {
    Reply::with_status(451, "4.4.2", "the connection to the next hop broke")
}

/// Returns `true` if the listener's `trusted` names the client, by the address of its connection.
fn is_trusted(listener: &Listener, client: &ClientIdentity) -> bool {
    let trusted = listener.forward.trusted.iter().flatten();
    trusted.into_iter().any(|known| known.matches(None, Some(client.own_address())))
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
        trusted: is_trusted(listener, client),
        ..SessionOptions::default()
    }
}
