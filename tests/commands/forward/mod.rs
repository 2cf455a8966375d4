//! septet in front of a next hop: what arrives, what the client is told, and that nothing is accepted which the next
//! hop has not accepted.

mod as_they_are;
pub mod client;
mod client_faults;
mod conversations;
mod dovecot;
mod forged;
mod in_front;
mod killed;
mod life;
mod neighbours;
pub mod next_hop;
mod next_hop_faults;
mod pressure;
mod said;
mod session;
mod smuggling;
mod table;
mod tls;
mod xforward;

use client::{Client, code};
use next_hop::{Behaviour, Fault, NextHop};

use crate::milter::daemon::{Daemon, PATIENCE, wait};

/// A short message that needs nothing.
const PLAIN: &[u8] = b"From: ann@example.org\r\nTo: bob@example.net\r\nDate: Thu, 1 Jan 2026 00:00:00 +0000\r\n\
    Message-ID: <1@example.org>\r\nSubject: plain\r\n\r\nhello\r\n";

/// Returns the settings of a listener in front of a next hop, with more keys of it.
pub fn listener(protocol: &str, next_hop: &str, keys: &str) -> String {
    format!(
        "[[listener]]\nsocket = \"inet:127.0.0.1:0\"\nprotocol = \"{protocol}\"\nnext_hop = \"{next_hop}\"\n{keys}\n"
    )
}

/// Starts septet as a proxy of SMTP; `keys` are keys of its listener.
fn forward(next_hop: &str, keys: &str) -> Daemon {
    Daemon::configured(&listener("smtp", next_hop, keys))
}
