//! One connection of a client, from the server's side.
//!
//! [`Session::receive`] takes what the client sent. What needs no next hop it answers by itself; the rest it gives as
//! an [`Event`], and stops: where an answer [is due](Session::is_waiting), nothing more is read before the caller gave
//! it by [`Session::answer`]. So the client hears of each command what the next hop said of it.
//!
//! **Limits**: see [`SessionOptions`]. Beyond [`COMMAND_LIMIT`] a command line is thrown away; content is given on in
//! the pieces it came in and never kept.
//!
//! **Security**: what follows `DATA` before the 354 may be content that nobody asked for, or commands that the client
//! is not to know of (a browser made to talk to us): the connection is closed. So it is where the size of a chunk
//! can't be read, since what follows would be taken for commands.

use super::SmtpDialect;
use super::command::{COMMAND_LIMIT, Command, CommandError, HelloVerb};
use super::data_reader::LineEndPolicy;
use super::event::{AcceptedEnvelope, Due, Event, RefusedCommand, SHOWN, SessionOptions};
use super::incoming::{Incoming, IncomingPiece};
use super::keywords::{Keywords, offer};
use super::reply::Reply;
use super::stage::Stage;
use crate::protocol::Received;

/// One connection of a client.
///
/// ```
/// use septet::protocol::smtp::{Event, Keywords, Reply, Session, SessionOptions, SmtpDialect};
///
/// let options = SessionOptions { hostname: "mx.example".to_owned(), ..SessionOptions::default() };
/// let mut session = Session::new(SmtpDialect::Smtp, options);
/// let mut out = Vec::new();
/// let mut unread = b"HELO c.example\r\nNOOP\r\nMAIL FROM:<a@b.example>\r\nQU".to_vec();
/// let mut senders = Vec::new();
/// loop {
///     let received = session.receive(&unread, &mut out);
///     unread.drain(..received.used);
///     match received.event {
///         None => break,
///         Some(Event::Hello { verb, .. }) => {
///             let reply = session.hello_reply(verb, &Keywords::default());
///             session.answer(&reply, &mut out);
///         }
///         Some(Event::Mail(mail)) => {
///             senders.push(mail.path.raw().to_vec());
///             session.answer(&Reply::with_status(451, "4.4.1", "no next hop"), &mut out);
///         }
///         Some(other) => panic!("{other:?}"),
///     }
/// }
/// assert_eq!(senders, [b"a@b.example"]);
/// assert_eq!(out, b"250 mx.example\r\n250 2.0.0 OK\r\n451 4.4.1 no next hop\r\n");
/// assert_eq!(unread, b"QU");
/// ```
#[derive(Debug, Default)]
pub struct Session {
    pub(super) dialect: SmtpDialect,
    pub(super) options: SessionOptions,
    pub(super) stage: Stage,
    pub(super) envelope: AcceptedEnvelope,
    /// What was offered to the client.
    pub(super) offered: Keywords,
    /// What the caller is to answer; nothing is read meanwhile.
    pub(super) due: Option<Due>,
    /// The content, or the chunk that nobody wants, that is coming in.
    pub(super) incoming: Option<Incoming>,
    /// Whether a recipient of this message was refused.
    pub(super) refused_recipient: bool,
    /// Whether a command line that is too long is being thrown away.
    in_long_line: bool,
    /// How many faults the client has made.
    errors: usize,
    /// The start of the command line that came last.
    command: Vec<u8>,
    /// The commands that were refused since `take_refusals`.
    pub(super) refusals: Vec<RefusedCommand>,
}

impl Session {
    /// Starts a connection; the caller writes the [greeting](Session::greeting), or a reply that refuses the client.
    pub fn new(dialect: SmtpDialect, options: SessionOptions) -> Session {
        Session { dialect, options, ..Session::default() }
    }

    /// Serves the client otherwise from now on; content that is coming in keeps its limit and its line ends.
    pub fn set_options(&mut self, options: SessionOptions) {
        self.options = options;
    }

    /// Returns the greeting.
    pub fn greeting(&self) -> Reply {
        let protocol = if self.dialect == SmtpDialect::Lmtp { "LMTP" } else { "ESMTP" };
        Reply::new(220, format!("{} {protocol} septet", self.options.hostname))
    }

    /// Returns the reply to a hello, in front of a next hop that offers these keywords. [`Session::answer`] reads out
    /// of it what the client may use from then on.
    pub fn hello_reply(&self, verb: HelloVerb, next_hop: &Keywords) -> Reply {
        let offered = if verb == HelloVerb::Helo { Vec::new() } else { offer(next_hop, &self.options) };
        let lines = std::iter::once(self.options.hostname.clone()).chain(offered);
        Reply { code: 250, lines: lines.map(String::into_bytes).collect() }
    }

    /// Takes what the client sent, up to the first [`Event`], and writes the replies that need no next hop.
    ///
    /// While an answer is due, nothing is taken. What was not taken must be given again: a command line is taken when
    /// it is whole. After an event and after an answer call again, even without new octets.
    pub fn receive(&mut self, input: &[u8], out: &mut Vec<u8>) -> Received<Event> {
        let mut used = 0;
        while self.due.is_none() {
            let Some(taken) = self.step(input.get(used..).unwrap_or_default(), out) else { break };
            used += taken.used;
            if taken.event.is_some() {
                return Received { used, ..taken };
            }
        }
        if let Some(Due::Data { early }) = &mut self.due {
            *early |= used < input.len();
        }
        Received { used, event: None }
    }

    /// Returns `true` if an answer is due.
    pub fn is_waiting(&self) -> bool {
        self.due.is_some()
    }

    /// Returns the commands that were refused since the last time; what becomes of a whole message is none of them.
    pub fn take_refusals(&mut self) -> Vec<RefusedCommand> {
        std::mem::take(&mut self.refusals)
    }

    /// Returns what is spoken.
    pub fn dialect(&self) -> SmtpDialect {
        self.dialect
    }

    /// Returns how far the connection has come.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Returns what was accepted of the envelope; it is kept until the end of the message is answered.
    pub fn envelope(&self) -> &AcceptedEnvelope {
        &self.envelope
    }

    /// Returns the octets that a message may have: what the options allow, or less where the client was told less; 0
    /// for no limit.
    pub fn max_size(&self) -> u64 {
        let own = Some(self.options.max_size).filter(|&size| size > 0);
        own.into_iter().chain(self.offered.size()).min().unwrap_or(0)
    }

    /// Takes the next piece of content or the next command line of what the client sent; none where more octets are
    /// needed.
    fn step(&mut self, input: &[u8], out: &mut Vec<u8>) -> Option<Received<Event>> {
        if self.stage == Stage::Closed {
            return Some(Received { used: input.len(), event: Some(Event::Closed) });
        }
        match &mut self.incoming {
            Some(incoming) if !incoming.is_between_chunks() => {
                let piece = incoming.read(input);
                self.piece(piece, out)
            }
            _ => self.line(input, out),
        }
    }

    /// Acts on a piece of content: gives it to the caller, or tells the client that a chunk is over. None where more
    /// octets are needed.
    fn piece(&mut self, piece: IncomingPiece, out: &mut Vec<u8>) -> Option<Received<Event>> {
        match piece {
            IncomingPiece::More => return None,
            IncomingPiece::Taken(used, content) => {
                let event = (!content.is_empty()).then_some(Event::Content(content));
                return Some(Received { used, event });
            }
            IncomingPiece::ChunkOver(size) => {
                Reply::with_status(250, "2.0.0", &format!("{size} octets received")).write(out)
            }
            IncomingPiece::UnwantedOver(reply, last) => {
                self.incoming = None;
                let count = if last { self.reply_count().max(1) } else { 1 };
                (0..count).for_each(|_| reply.write(out));
            }
            IncomingPiece::Over(end) => {
                self.incoming = None;
                self.due = Some(Due::End { fault: end.fault.clone() });
                return Some(Received { used: 0, event: Some(Event::End(end)) });
            }
        }
        Some(Received { used: 0, event: None })
    }

    /// Returns how many replies a message gets: in LMTP one for each recipient, whatever becomes of it (RFC 2033 §4.3).
    pub(super) fn reply_count(&self) -> usize {
        if self.dialect == SmtpDialect::Lmtp { self.envelope.recipients.len() } else { 1 }
    }

    /// Takes a command line, when it is whole; one that is too long is taken as it comes, and refused at its end. A
    /// long BDAT closes the connection, since nobody knows how much content follows it. None where more octets are
    /// needed.
    fn line(&mut self, input: &[u8], out: &mut Vec<u8>) -> Option<Received<Event>> {
        let end = memchr::memchr(b'\n', input);
        let is_long = self.in_long_line || end.unwrap_or(input.len()) >= COMMAND_LIMIT;
        if is_long && !self.in_long_line {
            self.keep_command(input);
        }
        if is_long && !self.in_long_line && is_verb(input, b"BDAT") {
            return Some(Received { used: input.len(), event: self.close(&CommandError::Chunk.reply(), out) });
        }
        let Some(end) = end else {
            self.in_long_line = is_long;
            return (is_long && !input.is_empty()).then_some(Received { used: input.len(), event: None });
        };
        self.in_long_line = false;
        let event = match is_long {
            true => self.error(&Reply::with_status(500, "5.5.2", "line too long"), out),
            false => self.whole_line(&input[..end], end + 1 == input.len(), out),
        };
        Some(Received { used: end + 1, event })
    }

    /// Obeys a command line without its LF; `is_last` says that nothing came behind it. Octets behind DATA, and a BDAT
    /// that can't be read, close the connection (see the module).
    fn whole_line(&mut self, line: &[u8], is_last: bool, out: &mut Vec<u8>) -> Option<Event> {
        self.keep_command(line);
        if !is_last && is_verb(line, b"DATA") {
            return self.close(&pipelining(), out);
        }
        let text = match (self.options.line_ends, line.strip_suffix(b"\r")) {
            // A CR that stands alone ends a line too, and what is left is empty.
            (LineEndPolicy::Repair, _) => line.trim_ascii_end(),
            (LineEndPolicy::Reject, Some(text)) => text,
            (LineEndPolicy::Reject, None) => {
                let reply = Reply::with_status(500, "5.5.2", "bare <LF> behind a command");
                return if is_verb(line, b"BDAT") { self.close(&reply, out) } else { self.error(&reply, out) };
            }
        };
        match Command::read(text) {
            Ok(command) => self.command(command, out),
            Err(error) if is_verb(line, b"BDAT") => self.close(&error.reply(), out),
            Err(error) => self.error(&error.reply(), out),
        }
    }

    /// Keeps the start of a command line, for the case that it is refused.
    fn keep_command(&mut self, line: &[u8]) {
        self.command.clear();
        self.command.extend_from_slice(line.get(..SHOWN).unwrap_or(line).trim_ascii_end());
    }

    /// Notes that an answer to a command is due, and returns the event to be answered.
    pub(super) fn ask_next_hop(&mut self, command: Event) -> Option<Event> {
        self.ask(Due::Command(command.clone()), command)
    }

    /// Notes that an answer is due, and returns the event to be answered.
    pub(super) fn ask(&mut self, due: Due, event: Event) -> Option<Event> {
        self.due = Some(due);
        Some(event)
    }

    /// Answers a command that the caller need not hear of, so there is no event.
    pub(super) fn say(&mut self, reply: &Reply, out: &mut Vec<u8>) -> Option<Event> {
        self.write_reply(reply, out);
        None
    }

    /// Writes the reply to a command, and keeps a refusal for `take_refusals`.
    pub(super) fn write_reply(&mut self, reply: &Reply, out: &mut Vec<u8>) {
        reply.write(out);
        self.note_refusal(reply);
    }

    /// Keeps the reply to the command line that came last for `take_refusals`, if it is a refusal.
    pub(super) fn note_refusal(&mut self, reply: &Reply) {
        if reply.is_negative() {
            self.refusals.push(RefusedCommand { command: self.command.clone(), reply: reply.clone() });
        }
    }

    /// Answers a fault of the client's. There is an event only if it was one too many, which closes the connection.
    pub(super) fn error(&mut self, reply: &Reply, out: &mut Vec<u8>) -> Option<Event> {
        if self.count_error(out) { Some(Event::Closed) } else { self.say(reply, out) }
    }

    /// Counts a fault of the client's. Returns `true` if it was one too many, and closes the connection then.
    pub(super) fn count_error(&mut self, out: &mut Vec<u8>) -> bool {
        self.errors += 1;
        let too_many = self.errors > self.options.max_errors;
        if too_many {
            self.close(&Reply::with_status(421, "4.7.0", "too many errors"), out);
        }
        too_many
    }

    /// Writes a reply, and ends the connection: the message is forgotten, and nothing more is read. Returns the event
    /// that says so.
    pub(super) fn close(&mut self, reply: &Reply, out: &mut Vec<u8>) -> Option<Event> {
        self.write_reply(reply, out);
        self.forget_message();
        self.stage = Stage::Closed;
        Some(Event::Closed)
    }

    /// Forgets the message, but not the client; the stage is the caller's to set.
    pub(super) fn forget_message(&mut self) {
        self.envelope.mail = None;
        self.envelope.recipients.clear();
        self.refused_recipient = false;
        self.incoming = None;
    }
}

/// Returns the reply to content or commands behind DATA.
pub(super) fn pipelining() -> Reply {
    Reply::with_status(503, "5.5.1", "improper command pipelining after DATA")
}

/// Returns `true` if a line starts with this command, in any case of letters; a letter or digit behind it makes
/// another.
fn is_verb(line: &[u8], verb: &[u8]) -> bool {
    let (word, rest) = line.split_at_checked(verb.len()).unwrap_or((line, &[]));
    word.eq_ignore_ascii_case(verb) && rest.first().is_none_or(|next| !next.is_ascii_alphanumeric())
}
