//! `[[listener]]`: one listener of the daemon.

use std::net::IpAddr;
use std::str::FromStr;

use ::config::Value;
use serde::{Deserialize, Serialize};

use super::access::Access;
use super::forward::Forward;
use super::keys::{Keys, SettingsTable, names};
use super::pattern::{ClientPattern, refuse_names};
use super::reader::Findings;
use super::setting::{Setting, strings, words};
use super::socket::{HostPort, SocketAddress, SocketError};
use super::value::join;

/// What is spoken on a listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// The milter protocol, versions 2 to 6.
    Milter,
    /// SMTP: mail is forwarded to a next hop (RFC 5321).
    Smtp,
    /// LMTP: the same, with an answer for each recipient (RFC 2033).
    Lmtp,
}

impl Protocol {
    /// Returns `true` if mail that comes in is forwarded.
    pub fn forwards(self) -> bool {
        self != Protocol::Milter
    }
}

words!(Protocol);
strings!(SocketAddress);

/// `[[listener]]`: one listener of the daemon.
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
    /// Which networks may connect, where it is a socket of TCP; all by default.
    pub allow: Option<Vec<ClientPattern>>,
    /// Where its mail goes, where it forwards.
    pub forward: Forward,
}

impl Default for Listener {
    /// Returns the milter on `inet:127.0.0.1:8891`.
    fn default() -> Listener {
        Listener {
            socket: SocketAddress::Inet(HostPort { host: "127.0.0.1".to_owned(), port: 8891 }),
            protocol: Protocol::Milter,
            profile: None,
            access: Access::default(),
            allow: None,
            forward: Forward::default(),
        }
    }
}

impl SettingsTable for Listener {
    fn keys(&mut self, keys: &mut Keys<'_>) {
        keys.key("socket", &mut self.socket);
        // The reader fills each place as it is shown: this one comes before those that it decides about.
        keys.key("protocol", &mut self.protocol);
        keys.key("profile", &mut self.profile);
        self.access.keys(keys);
        keys.key("allow", &mut self.allow);
        match self.protocol.forwards() {
            true => self.forward.keys(keys),
            false => names(&mut self.forward).into_iter().for_each(|name| keys.key(name, &mut Unused)),
        }
    }
}

/// The place of a key of [`Forward`] where the listener does not forward: it takes any value and keeps none, and
/// [`Forward::refuse`] finds the key where it is set.
struct Unused;

impl Setting for Unused {
    fn read(&mut self, _: &Value, _: &mut dyn FnMut(&Value, String)) {}

    fn write(&self) -> Option<toml::Value> {
        None
    }
}

impl Listener {
    /// Adds the faults that the keys of the listener at `path` have together: those that such a one can't have, those
    /// that it lacks, and values that don't go together. That its profile is there, `Settings` checks.
    pub(super) fn check(&self, path: &str, found: &mut Findings) {
        self.access.check(path, &self.socket, found);
        self.check_allow(path, found);
        match self.protocol.forwards() {
            true => self.forward.check(path, &self.socket, found),
            // A protocol that can't be read may be one that forwards.
            false if found.is_faulty(&join(path, "protocol")) => {}
            false => Forward::refuse(path, found),
        }
    }

    /// Returns `true` if a client may connect; whoever reaches a unix socket, and so has no address, may.
    pub fn allows(&self, address: Option<IpAddr>) -> bool {
        match (&self.allow, address) {
            (Some(allowed), Some(address)) => allowed.iter().any(|network| network.matches(None, Some(address))),
            _ => true,
        }
    }

    /// Returns `true` if every host that reaches it is let in, and others than this one do.
    pub fn is_open_to_all(&self) -> bool {
        self.allow.is_none() && !self.socket.is_local()
    }

    /// Adds a fault for names, which nobody looks up, and for a socket that has no networks.
    fn check_allow(&self, path: &str, found: &mut Findings) {
        let Some(allowed) = &self.allow else { return };
        let path = join(path, "allow");
        if self.socket.path().is_some() {
            found.fault(&path, format!("only a socket of TCP has one; this socket is {}, which has mode", self.socket));
        }
        refuse_names(allowed, &path, found);
    }
}

/// What `serve --listen` takes: a socket, and before it `smtp:` or `lmtp:` where mail is to be forwarded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListenAddress {
    /// What is spoken; `milter` where the address doesn't say.
    pub protocol: Protocol,
    /// Where it listens.
    pub socket: SocketAddress,
}

impl FromStr for ListenAddress {
    type Err = SocketError;

    /// Reads `PROTOCOL:SOCKET`; what begins with no protocol is a milter's socket.
    fn from_str(text: &str) -> Result<ListenAddress, SocketError> {
        let (protocol, socket) = match text.split_once(':') {
            Some(("milter", rest)) => (Protocol::Milter, rest),
            Some(("smtp", rest)) => (Protocol::Smtp, rest),
            Some(("lmtp", rest)) => (Protocol::Lmtp, rest),
            _ => (Protocol::Milter, text),
        };
        // Behind `smtp:` and `lmtp:` a host and a port are enough.
        let whole = socket.parse();
        let socket = match whole {
            Err(SocketError::Kind) if protocol != Protocol::Milter => format!("inet:{socket}").parse()?,
            whole => whole?,
        };
        Ok(ListenAddress { protocol, socket })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listens_by_the_protocol_that_stands_before() {
        for (written, protocol, socket) in [
            ("inet:127.0.0.1:1", Protocol::Milter, "inet:127.0.0.1:1"),
            ("smtp:127.0.0.1:1", Protocol::Smtp, "inet:127.0.0.1:1"),
            ("smtp:inet:127.0.0.1:1", Protocol::Smtp, "inet:127.0.0.1:1"),
            ("lmtp:unix:/run/x", Protocol::Lmtp, "unix:/run/x"),
            ("lmtp:[::1]:24", Protocol::Lmtp, "inet:[::1]:24"),
        ] {
            let read: ListenAddress = written.parse().unwrap_or_else(|error| panic!("{written}: {error}"));
            assert_eq!((read.protocol, read.socket.to_string().as_str()), (protocol, socket));
        }
    }
}
