//! TALK: protocols as state machines, without sockets, files or clocks.
//!
//! | module | what | source |
//! |---|---|---|
//! | [`emlx`] | what Apple Mail has around a message in its file | its files |
//! | [`mbox`] | where messages start in a mailbox file, and its quoting | RFC 4155, mboxrd |
//! | [`milter`] | how an MTA shows a message to a filter, and what the filter may ask for | libmilter, Postfix |
//! | [`proxy_header`] | for whom a proxy connects, as it says first | HAProxy's proxy-protocol.txt |
//! | [`smtp`] | SMTP and LMTP, to a client and to a next hop | RFC 5321, RFC 2033 and their extensions |

mod body_parameter;
pub mod emlx;
pub mod mbox;
pub mod milter;
pub mod proxy_header;
mod received;
pub mod smtp;

pub use body_parameter::BodyParameter;
pub use received::Received;
