//! `[[listener]]`: one socket that the daemon listens on.

use serde::{Deserialize, Serialize};

use super::access::Access;
use super::keys::{Keys, Section};
use super::reader::Found;
use super::setting::{strings, words};
use super::socket::SocketAddress;

/// What is spoken on a listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// The milter protocol, versions 2 to 6.
    Milter,
}

words!(Protocol);
strings!(SocketAddress);

/// `[[listener]]`: one socket that the daemon listens on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listener {
    /// Where it listens; must be given.
    pub socket: SocketAddress,
    /// What is spoken; `milter` by default.
    pub protocol: Protocol,
    /// The profile of its messages where no rule says otherwise; `default_profile` by default.
    pub profile: Option<String>,
    /// Who may connect, where it is a unix socket.
    pub access: Access,
}

impl Default for Listener {
    /// Gives the milter on `inet:127.0.0.1:8891`.
    fn default() -> Listener {
        Listener {
            socket: SocketAddress::Inet { host: "127.0.0.1".to_owned(), port: 8891 },
            protocol: Protocol::Milter,
            profile: None,
            access: Access::default(),
        }
    }
}

impl Section for Listener {
    fn keys(&mut self, keys: &mut dyn Keys) {
        keys.required("socket", &mut self.socket);
        keys.key("protocol", &mut self.protocol);
        keys.key("profile", &mut self.profile);
        self.access.keys(keys);
    }
}

impl Listener {
    /// Adds a fault for each key that a socket of this kind can't have.
    pub(super) fn check(&self, path: &str, found: &mut Found) {
        self.access.check(path, &self.socket, found);
    }
}
