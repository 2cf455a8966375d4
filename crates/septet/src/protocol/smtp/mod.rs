//! SMTP and LMTP: a server that hands on what a client sends, and a client for the next hop.
//!
//! The two machines stand in one relay that works in lock-step: the server shows each command of the client as an
//! event and says nothing before the next hop has answered, so that nothing is accepted that the next hop has not
//! accepted. Neither has a socket, a clock or a log.
//!
//! - [`Reply`] and [`ReplyReader`]: replies, written and read
//! - [`Command`], with its [`Path`], [`EsmtpParameters`] and [`Attributes`]: command lines, read and written
//! - [`Keywords`] and [`offer`]: what a server says in EHLO, and what we say in front of it
//! - [`DataReader`] and [`DataWriter`]: the content of DATA and BDAT, in and out
//! - [`Session`]: one connection of a client; its order is the table of [`Stage`]
//! - [`Client`]: one connection to a next hop
//!
//! Sources: RFC 5321 (SMTP), 2033 (LMTP), 2920 (PIPELINING), 1870 (SIZE), 6152 (8BITMIME), 6531 (SMTPUTF8), 3461 (DSN),
//! 2034 and 3463 (status codes), 3030 (CHUNKING), and Postfix's XFORWARD and XCLIENT readmes.
//!
//! **Limits**: a command line has at most [`COMMAND_LIMIT`] octets; a reply [`REPLY_LIMIT`], in [`REPLY_LINES`] lines
//! of [`REPLY_LINE_LIMIT`]; a message, its recipients and the errors of a client what [`SessionOptions`] allow. No
//! content is kept.
//!
//! **Security**: both peers may be hostile. A message ends only at `CRLF . CRLF`, and what goes on holds that at its
//! end alone, and no CR or LF by itself (see [`DataReader`]); what a client writes in a command reaches the next hop
//! only through types that hold no control character; no reply repeats a client's octets; a next hop that says more
//! than it was asked is not believed any more.

mod admission;
mod answers;
mod attributes;
mod client;
mod command;
mod data_reader;
mod data_writer;
mod dispatch;
mod event;
mod incoming;
mod keywords;
mod parameters;
mod path;
mod reply;
mod reply_reader;
mod server;
mod stage;
mod xtext;

pub use attributes::{Attributes, read_address};
pub use client::{Client, Expected};
pub use command::{Bdat, COMMAND_LIMIT, Command, CommandError, HelloVerb, MailCommand, RcptCommand};
pub use data_reader::{ContentFault, DataReader, LineEndPolicy};
pub use data_writer::DataWriter;
pub use event::{AcceptedEnvelope, EndOfData, Event, RefusedCommand, SessionOptions};
pub use keywords::{Keywords, offer};
pub use parameters::{EsmtpParameter, EsmtpParameters};
pub use path::Path;
pub use reply::Reply;
pub use reply_reader::{REPLY_LIMIT, REPLY_LINE_LIMIT, REPLY_LINES, ReplyError, ReplyReader};
pub use server::Session;
pub use stage::Stage;
pub use xtext::{decode_xtext, encode_xtext};

/// Which of the two protocols a connection speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SmtpDialect {
    /// SMTP (RFC 5321): one reply to a message.
    #[default]
    Smtp,
    /// LMTP (RFC 2033): a reply to a message for each recipient that was accepted.
    Lmtp,
}
