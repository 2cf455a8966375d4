//! One connection to a next hop, from the client's side.

use std::collections::VecDeque;

use super::SmtpDialect;
use super::attributes::Attributes;
use super::command::{HelloVerb, MailCommand, RcptCommand};
use super::data_writer::DataWriter;
use super::path::is_graphic;
use super::reply::Reply;
use super::reply_reader::{ReplyError, ReplyReader};

/// What a next hop's reply answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Expected {
    /// The connection.
    Greeting,
    /// EHLO, LHLO or HELO.
    Hello,
    /// XFORWARD
    XForward,
    /// MAIL
    Mail,
    /// RCPT
    Rcpt,
    /// DATA
    Data,
    /// The end of the message. In LMTP there is one for each recipient that was accepted: this one's place among them.
    End(usize),
    /// RSET
    Reset,
    /// QUIT
    Quit,
    /// Nothing: the next hop closes the connection by itself (421).
    Close,
}

/// A connection to a next hop.
///
/// Each command is written at once and noted as what the next reply answers, so that commands may be pipelined where
/// the next hop offers that. A reply that nothing was asked for ends in an error: the next hop and we would no longer
/// mean the same message.
///
/// ```
/// use septet::protocol::smtp::{Client, Expected, SmtpDialect};
///
/// let (mut client, mut out) = (Client::new(SmtpDialect::Lmtp), Vec::new());
/// let (used, answer) = client.receive(b"220 next.example\r\n").unwrap();
/// assert_eq!((used, answer.unwrap().0), (18, Expected::Greeting));
/// client.hello("we.example", &mut out);
/// assert_eq!(out, b"LHLO we.example\r\n");
/// ```
#[derive(Debug, Default)]
pub struct Client {
    dialect: SmtpDialect,
    /// What the replies answer that are still to come, in their order.
    expected: VecDeque<Expected>,
    reader: ReplyReader,
    writer: DataWriter,
    /// How many recipients of the message were accepted.
    accepted: usize,
    /// Whether the next hop closes the connection.
    closed: bool,
}

impl Client {
    /// Starts a connection: the next hop's greeting is expected.
    pub fn new(dialect: SmtpDialect) -> Client {
        Client { dialect, expected: VecDeque::from([Expected::Greeting]), ..Client::default() }
    }

    /// Says hello: LHLO in LMTP, EHLO in SMTP. What could not stand in a name becomes `-`.
    pub fn hello(&mut self, name: &str, out: &mut Vec<u8>) {
        let verb = if self.dialect == SmtpDialect::Lmtp { HelloVerb::Lhlo } else { HelloVerb::Ehlo };
        self.say_hello(verb, name, out);
    }

    /// Says HELO, to a next hop that knows no EHLO.
    pub fn helo(&mut self, name: &str, out: &mut Vec<u8>) {
        self.say_hello(HelloVerb::Helo, name, out);
    }

    /// Tells whom the next message comes from. There must be an attribute, and the next hop must have offered XFORWARD.
    pub fn xforward(&mut self, attributes: &Attributes, out: &mut Vec<u8>) {
        out.extend_from_slice(b"XFORWARD");
        attributes.write(out);
        self.end_of_command(Expected::XForward, out);
    }

    /// Begins a message.
    pub fn mail(&mut self, mail: &MailCommand, out: &mut Vec<u8>) {
        self.accepted = 0;
        out.extend_from_slice(b"MAIL FROM:");
        mail.path.write(out);
        mail.parameters.write(out);
        self.end_of_command(Expected::Mail, out);
    }

    /// Names a recipient.
    pub fn rcpt(&mut self, rcpt: &RcptCommand, out: &mut Vec<u8>) {
        out.extend_from_slice(b"RCPT TO:");
        rcpt.path.write(out);
        rcpt.parameters.write(out);
        self.end_of_command(Expected::Rcpt, out);
    }

    /// Announces the content; it may follow when the reply is 354.
    pub fn data(&mut self, out: &mut Vec<u8>) {
        self.writer = DataWriter::default();
        out.extend_from_slice(b"DATA");
        self.end_of_command(Expected::Data, out);
    }

    /// Writes a piece of the content, between [`Client::data`] and [`Client::end`].
    pub fn content(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        self.writer.write(piece, out);
    }

    /// Ends the content. In LMTP a reply is expected for each recipient whose acceptance was received before, and none
    /// where there was none.
    pub fn end(&mut self, out: &mut Vec<u8>) {
        self.writer.finish(out);
        let replies = if self.dialect == SmtpDialect::Lmtp { self.accepted } else { 1 };
        self.expected.extend((0..replies).map(Expected::End));
        self.accepted = 0;
    }

    /// Gives a transaction up.
    pub fn reset(&mut self, out: &mut Vec<u8>) {
        self.accepted = 0;
        out.extend_from_slice(b"RSET");
        self.end_of_command(Expected::Reset, out);
    }

    /// Ends the connection.
    pub fn quit(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"QUIT");
        self.end_of_command(Expected::Quit, out);
    }

    /// Takes what the next hop sent, up to the end of a reply; returns how many octets, and the reply with what it
    /// answers.
    ///
    /// After an error, and when the client [is closed](Client::is_closed), the connection must be closed; what comes in
    /// then is thrown away.
    pub fn receive(&mut self, input: &[u8]) -> Result<(usize, Option<(Expected, Reply)>), ReplyError> {
        if self.closed {
            return Ok((input.len(), None));
        }
        let (used, reply) = self.reader.read(input)?;
        reply.map(|reply| self.answer(reply)).transpose().map(|answer| (used, answer))
    }

    /// Returns how many replies are expected.
    pub fn expected(&self) -> usize {
        self.expected.len()
    }

    /// Returns how many recipients of the message were accepted so far; 0 once it was ended or given up.
    pub fn accepted(&self) -> usize {
        self.accepted
    }

    /// Returns `true` if the next hop closes the connection: it said 421, or answered QUIT.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns `true` if the connection can take another message: it stays open, nothing is expected, and no reply has
    /// begun.
    pub fn is_idle(&self) -> bool {
        !self.closed && self.expected.is_empty() && !self.reader.is_in_reply()
    }

    /// Writes a hello, `-` for what could not stand in a name.
    fn say_hello(&mut self, verb: HelloVerb, name: &str, out: &mut Vec<u8>) {
        out.extend_from_slice(verb.name().as_bytes());
        out.push(b' ');
        let name = name.chars().map(|c| if is_graphic(c.to_string().as_bytes()) { c } else { '-' });
        out.extend_from_slice(name.collect::<String>().as_bytes());
        self.end_of_command(Expected::Hello, out);
    }

    /// Ends a command line, and notes what the reply to it answers.
    fn end_of_command(&mut self, expected: Expected, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\r\n");
        self.expected.push_back(expected);
    }

    /// Returns with a reply what it answers, the first that is expected; an accepted recipient is counted, and the end
    /// of the connection noted. A reply that is not expected is an error, but for 421, which may come at any time.
    fn answer(&mut self, reply: Reply) -> Result<(Expected, Reply), ReplyError> {
        let expected = match self.expected.pop_front() {
            Some(expected) => expected,
            None if reply.closes() => Expected::Close,
            None => return Err(ReplyError::Unasked(reply.code)),
        };
        self.accepted += usize::from(expected == Expected::Rcpt && reply.is_positive());
        self.closed = reply.closes() || expected == Expected::Quit;
        Ok((expected, reply))
    }
}
