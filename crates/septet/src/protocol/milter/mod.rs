//! The milter protocol, versions 2 to 6: how Postfix and Sendmail show a message to a filter, and how the
//! filter says what to change.
//!
//! The parts, from the wire upwards:
//!
//! - [`Frame`]: the length and the code that stand before every packet
//! - [`MilterCommand`] and [`MilterReply`]: what the MTA and the filter say, read and written
//! - [`Negotiated`]: what the two agree on at the start
//! - [`MilterSession`]: one connection; its order is the table of [`MilterStage`]
//! - [`MessageBuffer`]: the message rebuilt from its packets, octet for octet
//! - [`Modifications`]: edits of that message as header changes and a new body, proved by
//!   [`delivers_edited_header`]
//! - [`MtaMessage`]: the MTA's side, which shows a message and carries out the requests
//!
//! **Limits**: a packet has at most [`PACKET_LIMIT`] octets; a message what
//! [`Limits`](crate::message::Limits) allow, and beyond that nothing of it is kept and it passes untouched.
//!
//! **Security**: the peer is an MTA, but what it passes on comes from anybody. Nothing that a peer sends can
//! make these machines panic, wait for ever or keep more than the limits; lengths are believed only when the
//! octets are there.

mod command;
mod message_buffer;
mod modifications;
mod mta_message;
mod negotiate;
mod proof;
mod reply;
mod session;
mod stage;
mod wire;

pub use command::{Arguments, ClientAddress, Macros, MilterCommand};
pub use message_buffer::{FieldSpan, MessageBuffer};
pub use modifications::{BODY_PIECE, Modifications, UnrepresentableError};
pub use mta_message::{MtaEnvelope, MtaMessage, RequestRefusedError};
pub use negotiate::{Negotiated, Offer, VERSIONS, Wants, action, step};
pub use proof::delivers_edited_header;
pub use reply::MilterReply;
pub use session::{MilterEvent, MilterSession, Sender, SessionError, SmtpClient};
pub use stage::MilterStage;
pub use wire::{Frame, PACKET_LIMIT, VALUE_LIMIT, WireError, put};
