//! One connection, from the filter's side.
//!
//! [`MilterSession::receive`] takes what the MTA sent and writes the replies that it waits for. When a message is whole
//! it gives [`MilterEvent::Message`] and stops: the caller takes the [`MessageBuffer`], writes what it wants changed
//! and a verdict, and says so with [`MilterSession::answered`]. The order of commands is the table of [`MilterStage`].
//!
//! **Limits**: see [`MessageBuffer`]; recipients that are wanted count as a header; of each value of a macro 256 octets
//! are kept.

use thiserror::Error;

use super::command::{Arguments, ClientAddress, Macros, MilterCommand};
use super::message_buffer::MessageBuffer;
use super::negotiate::{Negotiated, Offer, Wants, step};
use super::reply::MilterReply;
use super::stage::MilterStage;
use super::wire::{Frame, WireError};
use crate::message::{LimitReached, Limits};
use crate::protocol::{BodyParameter, Received};

/// The memory for recipients that stays for the next message.
const KEPT_RECIPIENTS: usize = 16 << 10;

/// What the system takes for a piece of memory, beside its octets.
const ALLOCATION: usize = 16;

/// The octets of a macro's value that are kept.
const MACRO_LIMIT: usize = 256;

/// One connection of an MTA.
#[derive(Debug, Default)]
pub struct MilterSession {
    wants: Wants,
    limits: Limits,
    stage: MilterStage,
    negotiated: Negotiated,
    client: SmtpClient,
    sender: Sender,
    /// The recipients, as far as they are kept.
    recipients: Vec<Vec<u8>>,
    /// How many there are, kept or not.
    recipient_count: usize,
    /// The octets of all addresses of the envelope, and what each recipient takes besides.
    envelope_size: usize,
    queue_id: Vec<u8>,
    buffer: MessageBuffer,
}

/// The SMTP client that the MTA talks with, as far as the MTA told.
#[derive(Debug, Clone, Default)]
pub struct SmtpClient {
    /// Its name.
    pub host: Vec<u8>,
    /// Where it connects from.
    pub address: ClientAddress,
    /// What the MTA calls itself, such as `Postfix 3.7.11`.
    pub mta: Vec<u8>,
}

/// The envelope's sender, and what MAIL says of the message.
#[derive(Debug, Clone, Default)]
pub struct Sender {
    /// The address, without angle brackets; empty for a bounce.
    pub address: Vec<u8>,
    /// The name that the client authenticated as; empty when it did not.
    pub authenticated: Vec<u8>,
    /// What the client said of 8-bit octets in the body (RFC 6152, RFC 3030).
    pub body: Option<BodyParameter>,
    /// Whether the client declared UTF-8 in the header (RFC 6531).
    pub smtputf8: bool,
}

/// What the caller has to act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MilterEvent {
    /// A message is whole, and the MTA waits for the answer.
    Message,
    /// The MTA is done with this connection.
    Closed,
}

/// Why a connection can't go on.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SessionError {
    /// A packet is malformed.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// A well-formed packet came out of order.
    #[error("a packet `{}` {}", char::from(*.code), .stage.name())]
    Order {
        /// The packet's code.
        code: u8,
        /// When it came.
        stage: MilterStage,
    },
    /// The MTA speaks a version that nobody knows any more.
    #[error("version {0} of the protocol, older than 2")]
    Version(u32),
}

impl MilterSession {
    /// The octets of memory of a message that stay for the next one; [`MilterSession::shrink_memory`] gives them back.
    pub const KEPT_MEMORY: usize = 256 << 10;

    /// Starts a connection.
    pub fn new(wants: Wants, limits: Limits) -> MilterSession {
        MilterSession { wants, limits, ..MilterSession::default() }
    }

    /// Takes what the MTA sent, up to the first [`MilterEvent`], and writes the replies to it.
    ///
    /// After [`MilterEvent::Message`] the next call must come behind [`MilterSession::answered`], as until then every
    /// command is out of order. After an error the connection must be closed; what was written before it may still be
    /// sent.
    pub fn receive(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<Received<MilterEvent>, SessionError> {
        let mut used = 0;
        while let Some(frame) = Frame::read(input.get(used..).unwrap_or_default())? {
            used += frame.length();
            let event = self.command(MilterCommand::read(frame)?, out)?;
            if event.is_some() {
                return Ok(Received { used, event });
            }
        }
        Ok(Received { used, event: None })
    }

    /// Begins anew after a message that was answered.
    ///
    /// `buffer` is what [`MilterSession::take_message`] gave, so that its memory can be used again.
    pub fn answered(&mut self, buffer: MessageBuffer) {
        self.buffer = buffer;
        self.forget();
        if self.stage == MilterStage::Decision {
            self.stage = MilterStage::Idle;
        }
    }

    /// Gives back memory beyond so many octets that is kept for the next message; while one is coming in, nothing
    /// happens.
    pub fn shrink_memory(&mut self, keep: usize) {
        if matches!(self.stage, MilterStage::Start | MilterStage::Idle) {
            self.buffer.clear(keep);
        }
    }

    /// Returns the message as far as it came.
    pub fn message(&self) -> &MessageBuffer {
        &self.buffer
    }

    /// Returns the octets of memory that the message and its envelope hold.
    pub fn memory(&self) -> usize {
        let addresses = self.recipients.capacity() * (size_of::<Vec<u8>>() + ALLOCATION);
        let envelope = if self.recipients.is_empty() { 0 } else { self.envelope_size + addresses };
        self.buffer.memory() + envelope + self.client.host.capacity() + self.sender.address.capacity()
    }

    /// Takes the message away, to work on it elsewhere; [`MilterSession::answered`] wants it back.
    pub fn take_message(&mut self) -> MessageBuffer {
        std::mem::take(&mut self.buffer)
    }

    /// Gives up the message that is coming in: it will pass untouched, and its recipients are not kept.
    pub fn give_up(&mut self, limit: LimitReached) {
        self.buffer.give_up(limit);
        self.recipients = Vec::new();
    }

    /// Takes new limits, and whether recipients are kept, for the messages that begin from now on. What the MTA shows
    /// was agreed on at the start.
    pub fn set_terms(&mut self, recipients: bool, limits: Limits) {
        // Without content it may be agreed on that recipients are not shown.
        self.wants.recipients = recipients && self.wants.content;
        self.limits = limits;
    }

    /// Returns what the MTA was asked to show.
    pub fn wants(&self) -> Wants {
        self.wants
    }

    /// Returns the terms; nothing is agreed on at the start.
    pub fn negotiated(&self) -> Negotiated {
        self.negotiated
    }

    /// Returns the client.
    pub fn client(&self) -> &SmtpClient {
        &self.client
    }

    /// Returns the envelope's sender.
    pub fn sender(&self) -> &Sender {
        &self.sender
    }

    /// Returns the envelope's recipients; empty unless they were [wanted](Wants).
    pub fn recipients(&self) -> &[Vec<u8>] {
        &self.recipients
    }

    /// Returns how many recipients there are, kept or not.
    pub fn recipient_count(&self) -> usize {
        self.recipient_count
    }

    /// Returns the MTA's name for the message; empty while it has none.
    pub fn queue_id(&self) -> &[u8] {
        &self.queue_id
    }

    /// Returns how far the connection has come.
    pub fn stage(&self) -> MilterStage {
        self.stage
    }

    /// Obeys a command, and replies to it where the MTA waits for that; one that is out of order is an error.
    fn command(&mut self, command: MilterCommand<'_>, out: &mut Vec<u8>) -> Result<Option<MilterEvent>, SessionError> {
        let code = command.code();
        let next = self.stage.after(&command).ok_or(SessionError::Order { code, stage: self.stage })?;
        self.stage = next;
        match command {
            MilterCommand::Negotiate(offer) => self.negotiate(offer, out)?,
            MilterCommand::Macros(macros) => self.macros(macros),
            // What is known of the MTA itself stays.
            MilterCommand::Connect { host, address } => {
                (self.client.host, self.client.address) = (host.to_vec(), address);
            }
            MilterCommand::Mail(arguments) => self.mail(arguments),
            MilterCommand::Rcpt(arguments) => self.rcpt(arguments),
            MilterCommand::Header { name, value } => {
                let spaced = self.negotiated.has(step::LEADING_SPACE);
                self.buffer.add_field(name, value, spaced, &self.limits);
            }
            MilterCommand::EndOfHeader => self.buffer.end_of_header(),
            MilterCommand::Body(piece) => self.buffer.add_body_piece(piece, &self.limits),
            MilterCommand::EndOfMessage(piece) => {
                self.buffer.add_body_piece(piece, &self.limits);
                return Ok(Some(MilterEvent::Message));
            }
            MilterCommand::Abort => self.forget(),
            MilterCommand::QuitNewConnection => {
                self.forget();
                self.client = SmtpClient { mta: std::mem::take(&mut self.client.mta), ..SmtpClient::default() };
            }
            MilterCommand::Quit => return Ok(Some(MilterEvent::Closed)),
            MilterCommand::Helo(_) | MilterCommand::Data | MilterCommand::Unknown(_) => {}
        }
        if self.negotiated.expects_reply(code) {
            self.reply_to(code).write(out);
        }
        Ok(None)
    }

    /// Chooses the reply to the command with this code, where the MTA waits for one: "no more of this" for a body that
    /// is not kept.
    fn reply_to(&self, code: u8) -> MilterReply<'static> {
        let skip = code == b'B' && self.buffer.over().is_some() && self.negotiated.has(step::SKIP);
        if skip { MilterReply::Skip } else { MilterReply::Continue }
    }

    /// Agrees on the terms, and answers with them.
    fn negotiate(&mut self, offer: Offer, out: &mut Vec<u8>) -> Result<(), SessionError> {
        self.negotiated = Negotiated::agree(offer, self.wants).ok_or(SessionError::Version(offer.version))?;
        MilterReply::Negotiate(self.negotiated.agreed(), &self.negotiated.macro_lists()).write(out);
        Ok(())
    }

    /// Keeps the values that septet reads; an empty one leaves what was there. MTAs repeat them before every command,
    /// mostly unchanged. A new one must be asked for in `Negotiated::macro_lists`, too.
    fn macros(&mut self, macros: Macros<'_>) {
        for (name, value) in macros.iter() {
            let place = match name {
                b"i" => &mut self.queue_id,
                b"auth_authen" => &mut self.sender.authenticated,
                b"v" => &mut self.client.mta,
                _ => continue,
            };
            let value = value.get(..MACRO_LIMIT).unwrap_or(value);
            if !value.is_empty() && place != value {
                place.clear();
                place.extend_from_slice(value);
            }
        }
    }

    /// Begins a message at MAIL, and forgets what is left of one before it. Queue id and login stay: the macros of MAIL
    /// come before it.
    fn mail(&mut self, arguments: Arguments<'_>) {
        self.forget_recipients();
        self.envelope_size = 0;
        self.buffer.clear(MilterSession::KEPT_MEMORY);
        self.sender.address.clear();
        self.sender.address.extend_from_slice(arguments.address());
        self.sender.body = arguments.parameters().find_map(BodyParameter::read);
        self.sender.smtputf8 = arguments.parameters().any(|text| text.eq_ignore_ascii_case(b"SMTPUTF8"));
        self.count_envelope(arguments.address().len());
    }

    /// Counts a recipient, and keeps it where that is wanted and the message was not given up.
    fn rcpt(&mut self, arguments: Arguments<'_>) {
        let address = arguments.address();
        self.recipient_count += 1;
        self.count_envelope(address.len() + size_of::<Vec<u8>>());
        if self.wants.recipients && self.buffer.over().is_none() {
            self.recipients.push(address.to_vec());
        }
    }

    /// Counts octets of the envelope, and gives the message up where it is too large to be kept: without all of its
    /// recipients no rule can decide.
    fn count_envelope(&mut self, octets: usize) {
        self.envelope_size += octets;
        if self.wants.recipients && self.envelope_size > self.limits.header_bytes {
            self.give_up(LimitReached::HeaderBytes(self.limits.header_bytes));
        }
    }

    /// Forgets the message, but not the client.
    fn forget(&mut self) {
        self.buffer.clear(MilterSession::KEPT_MEMORY);
        self.queue_id.clear();
        self.forget_recipients();
        self.envelope_size = 0;
        self.sender = Sender { address: std::mem::take(&mut self.sender.address), ..Sender::default() };
        self.sender.address.clear();
    }

    /// Forgets the recipients; the memory of a few is kept.
    fn forget_recipients(&mut self) {
        self.recipient_count = 0;
        match self.recipients.capacity() * size_of::<Vec<u8>>() > KEPT_RECIPIENTS {
            true => self.recipients = Vec::new(),
            false => self.recipients.clear(),
        }
    }
}
