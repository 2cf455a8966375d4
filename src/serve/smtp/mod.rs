//! Mail that is forwarded: SMTP and LMTP in front of a next hop, in lock-step.
//!
//! Nothing is accepted that the next hop has not accepted: each command of the client goes on, and the next hop's
//! reply comes back. There is no queue and no file. What is sent on depends on what the next hop takes, which it says
//! in its EHLO: see [`transaction`].
//!
//! | module | what |
//! |---|---|
//! | [`connection`] | the client's side: octets, and the events of the session |
//! | [`envelope_commands`] | the client's MAIL and RCPT, and the connection to a next hop that they get |
//! | [`transaction`] | one message's envelope at the next hop |
//! | [`refusals`] | what the log says of what a client is refused |
//! | [`waiting`], [`clock`] | how long a client may take, and what it holds at the next hop meanwhile |
//! | [`content`] | what comes of the message: kept to be planned, or handed through |
//! | [`held`] | what a connection holds, paid for before it grows |
//! | [`message`] | the message of a connection, from its content to the line of the log |
//! | [`delivery`] | what is decided of a message that was kept, and its way to the next hop |
//! | [`client`] | who the client is, or for whom it speaks |
//! | [`address`] | addresses that the next hop can't have |
//! | [`received`] | the message, for the rest of the daemon |
//! | [`next_hop`] | connections to next hops |

mod address;
mod client;
mod clock;
mod connection;
mod content;
mod delivery;
mod end;
mod envelope_commands;
mod held;
mod message;
mod next_hop;
mod received;
mod refusals;
mod transaction;
mod waiting;

pub use connection::serve;
pub use next_hop::Pool;
