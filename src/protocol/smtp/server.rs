//! One connection of a client, from the server's side.
//!
//! [`Session::receive`] takes what the client sent. What needs no next hop it answers by itself; the rest it gives as an
//! [`Event`], and stops: where an answer [is due](Session::is_waiting), nothing more is read before the caller gave it
//! by [`Session::answer`]. So the client hears of each command what the next hop said of it.
//!
//! **Limits**: see [`Options`]. Beyond [`COMMAND_LIMIT`] a command line is thrown away; content is given on in the
//! pieces it came in and never kept.

use super::Dialect;
use super::attributes::Attributes;
use super::command::{COMMAND_LIMIT, HelloVerb, MailCommand, RcptCommand};
use super::data_reader::LineEndPolicy;
use super::keywords::Keywords;
use super::reply::Reply;
use super::stage::Stage;

/// How a client is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// What we call ourselves.
    pub hostname: String,
    /// The octets of a message; 0 for no limit.
    pub max_size: u64,
    /// The recipients of a message; RFC 5321 §4.5.3.1.8 wants 100 at least.
    pub max_recipients: usize,
    /// What becomes of a CR or LF alone, in a message and in a command line.
    pub line_ends: LineEndPolicy,
    /// Whether the client may use XFORWARD and XCLIENT.
    pub trusted: bool,
    /// The faults of a client, beyond which the connection is closed.
    pub max_errors: usize,
}

/// What came of the octets that were given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// How many of them were taken; the others must be given again.
    pub used: usize,
    /// What the caller has to act on; without it, more octets or an answer are needed.
    pub event: Option<Event>,
}

/// What the caller has to act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The client says hello; an open transaction is given up. To be answered, see [`Session::hello_reply`].
    Hello {
        /// How.
        verb: HelloVerb,
        /// What it calls itself.
        name: Vec<u8>,
    },
    /// A message begins. To be answered.
    Mail(MailCommand),
    /// A recipient. To be answered.
    Rcpt(RcptCommand),
    /// The content wants to come. To be answered, with 354 if it may; the session knows whether that must be said.
    Data,
    /// A piece of the content, without stuffed dots.
    Content(Vec<u8>),
    /// The message is whole. To be answered: with the fault if there is one, and in LMTP for each recipient.
    End(EndOfData),
    /// The transaction is given up. To be answered.
    Reset,
    /// A trusted client says whom it speaks for, in the next message. To be answered.
    XForward(Attributes),
    /// A trusted client says whom it speaks for from here on; it says hello again then. To be answered, with 220.
    XClient(Attributes),
    /// The client says goodbye, and was answered: the connection is to be closed.
    Quit,
    /// The connection is to be closed, when what was written is sent.
    Closed,
}

/// What is known of a message when it is whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndOfData {
    /// The octets of its content.
    pub size: u64,
    /// The octets of its longest line, without the line end.
    pub longest_line: usize,
    /// Whether it has a NUL.
    pub has_nul: bool,
    /// Why it must be refused: with this reply. The content that was given is not whole then.
    pub fault: Option<Reply>,
}

/// What was accepted of a message's envelope.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Envelope {
    /// How the client said hello, and what it calls itself.
    pub hello: Option<(HelloVerb, Vec<u8>)>,
    /// The sender; none between messages.
    pub mail: Option<MailCommand>,
    /// The recipients that were accepted.
    pub recipients: Vec<RcptCommand>,
}

/// One connection of a client.
#[derive(Debug)]
pub struct Session {
    dialect: Dialect,
    options: Options,
    stage: Stage,
    envelope: Envelope,
    keywords: Keywords,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hostname: "localhost".to_owned(),
            max_size: 0,
            max_recipients: 1000,
            line_ends: LineEndPolicy::Reject,
            trusted: false,
            max_errors: 20,
        }
    }
}

impl Session {
    /// Starts a connection; the caller writes the [greeting](Session::greeting), or a reply that refuses the client.
    pub fn new(dialect: Dialect, options: Options) -> Session {
        Session { dialect, options, stage: Stage::Start, envelope: Envelope::default(), keywords: Keywords::default() }
    }

    /// Returns the greeting.
    pub fn greeting(&self) -> Reply {
        let protocol = if self.dialect == Dialect::Lmtp { "LMTP" } else { "ESMTP" };
        Reply::new(220, format!("{} {protocol} septet", self.options.hostname))
    }

    /// Returns the reply to a hello, in front of a next hop that offers these keywords.
    pub fn hello_reply(&self, verb: HelloVerb, next_hop: &Keywords) -> Reply {
        let ours = super::keywords::Ours { max_size: self.options.max_size, trusted: self.options.trusted };
        let offered = if verb == HelloVerb::Helo { Vec::new() } else { super::keywords::offer(next_hop, &ours) };
        let lines = std::iter::once(self.options.hostname.clone()).chain(offered);
        Reply { code: 250, lines: lines.map(String::into_bytes).collect() }
    }

    /// Takes what the client sent, up to the first [`Event`], and writes the replies that need no next hop.
    ///
    /// While an answer is due, nothing is taken. The others of the octets must be given again: a command line is taken
    /// when it is whole.
    pub fn receive(&mut self, input: &[u8], out: &mut Vec<u8>) -> Received {
        let _ = (input, out, COMMAND_LIMIT, &self.keywords);
        Received { used: 0, event: None }
    }

    /// Answers the last event, and goes on as the reply says.
    ///
    /// At the end of a message in LMTP the reply is written once for each recipient. A 421 closes the connection.
    /// Where nothing is due, it is written and closes the connection if it is 421, and else nothing happens.
    pub fn answer(&mut self, reply: &Reply, out: &mut Vec<u8>) {
        let _ = (reply, out);
    }

    /// Answers the end of a message for each of its recipients, in their order; of SMTP the first reply counts.
    ///
    /// A recipient without a reply gets the last one.
    pub fn answer_each(&mut self, replies: &[Reply], out: &mut Vec<u8>) {
        let _ = (replies, out);
    }

    /// Tells whether an answer is due.
    pub fn is_waiting(&self) -> bool {
        false
    }

    /// Returns how far the connection has come.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Returns what was accepted of the envelope; it is kept until the end of the message is answered.
    pub fn envelope(&self) -> &Envelope {
        &self.envelope
    }
}
