//! What a session gives its caller, and how it is to serve a client.

use super::attributes::Attributes;
use super::command::{Bdat, HelloVerb, MailCommand, RcptCommand};
use super::data_reader::LineEndPolicy;
use super::reply::Reply;

/// What an answer is due to.
#[derive(Debug)]
pub(super) enum Due {
    /// A command that the caller was given so.
    Command(Event),
    /// DATA.
    Data {
        /// Whether octets came in while it was due.
        early: bool,
    },
    /// The first BDAT of a message, whose octets follow it.
    Chunk(Bdat),
    /// The end of a message.
    End {
        /// The reply that refuses the message, if it must be refused.
        fault: Option<Reply>,
    },
}

/// How a client is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionOptions {
    /// What we call ourselves.
    pub hostname: String,
    /// The octets of a message; 0 for no limit.
    pub max_size: u64,
    /// The recipients of a message; RFC 5321 §4.5.3.1.8 wants 100 at least.
    pub max_recipients: usize,
    /// What becomes of a CR or LF alone in a message, and of a command line that ends in an LF alone.
    pub line_ends: LineEndPolicy,
    /// Whether the client may use XFORWARD and XCLIENT.
    pub trusted: bool,
    /// The faults of a client, beyond which the connection is closed.
    pub max_errors: usize,
}

/// A command that was refused, for logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedCommand {
    /// The command line as it came, its first [`SHOWN`] octets.
    pub command: Vec<u8>,
    /// What was answered.
    pub reply: Reply,
}

/// The octets of a refused command line that are kept.
pub(super) const SHOWN: usize = 400;

/// What the caller has to act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The client says hello; an open transaction is given up. To be answered, see
    /// [`hello_reply`](super::Session::hello_reply).
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
    /// Whether it has a NUL. A next hop that drops NULs would read `CRLF NUL . CRLF` as the end.
    pub has_nul: bool,
    /// Why it must be refused: with this reply. The content that was given is not whole then.
    pub fault: Option<Reply>,
}

/// What was accepted of a message's envelope.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AcceptedEnvelope {
    /// How the client said hello, and what it calls itself.
    pub hello: Option<(HelloVerb, Vec<u8>)>,
    /// The sender; none between messages.
    pub mail: Option<MailCommand>,
    /// The recipients that were accepted.
    pub recipients: Vec<RcptCommand>,
}

impl Default for SessionOptions {
    fn default() -> SessionOptions {
        SessionOptions {
            hostname: "localhost".to_owned(),
            max_size: 0,
            max_recipients: 1000,
            line_ends: LineEndPolicy::Reject,
            trusted: false,
            max_errors: 20,
        }
    }
}
