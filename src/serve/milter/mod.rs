//! The milter protocol on a listener: everything of the daemon that knows it.
//!
//! [`connection`] moves octets between a stream and a [`MilterSession`](crate::protocol::milter::MilterSession),
//! [`end`] says why one is over early, [`received`] shows a message to the rest of the daemon, and [`answer`] says in
//! requests and replies what was decided.

mod answer;
mod connection;
mod end;
mod received;

pub use connection::serve;
