//! `[[listener]]`: one door of the daemon.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

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
strings!(SocketAddress, Mode);

/// `[[listener]]`: one door of the daemon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listener {
    /// Where it listens; must be given.
    pub socket: SocketAddress,
    /// What is spoken; `milter` by default.
    pub protocol: Protocol,
    /// The profile of its messages where no rule says otherwise; `default_profile` by default.
    pub profile: Option<String>,
    /// The owner of a unix socket; the daemon's own user by default.
    pub user: Option<String>,
    /// The group of a unix socket; the daemon's own group by default.
    pub group: Option<String>,
    /// The permissions of a unix socket, in octal; as the umask has it by default.
    pub mode: Option<Mode>,
}

impl Default for Listener {
    /// Gives the milter on `inet:127.0.0.1:8891`.
    fn default() -> Listener {
        Listener {
            socket: SocketAddress::Inet { host: "127.0.0.1".to_owned(), port: 8891 },
            protocol: Protocol::Milter,
            profile: None,
            user: None,
            group: None,
            mode: None,
        }
    }
}

impl Section for Listener {
    fn keys(&mut self, keys: &mut dyn Keys) {
        keys.required("socket", &mut self.socket);
        keys.key("protocol", &mut self.protocol);
        keys.key("profile", &mut self.profile);
        keys.key("user", &mut self.user);
        keys.key("group", &mut self.group);
        keys.key("mode", &mut self.mode);
    }
}

impl Listener {
    /// Adds a fault for each key that a socket of this kind can't have.
    pub(super) fn check(&self, path: &str, found: &mut Found) {
        if self.socket.path().is_some() {
            return;
        }
        let given = [("user", self.user.is_some()), ("group", self.group.is_some()), ("mode", self.mode.is_some())];
        for (key, _) in given.into_iter().filter(|(_, given)| *given) {
            let what = format!("only a unix socket has one; this listener's is {}", self.socket);
            found.fault(&format!("{path}.{key}"), what);
        }
    }
}

/// Permissions of a file, 0 to 0o777.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mode(pub u32);

/// A mode that is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("no mode; write three or four octal digits in quotes, as \"0660\"")]
pub struct NoMode;

impl FromStr for Mode {
    type Err = NoMode;

    fn from_str(text: &str) -> Result<Mode, NoMode> {
        let digits = matches!(text.len(), 3 | 4) && text.bytes().all(|digit| digit.is_ascii_digit());
        let mode = u32::from_str_radix(text, 8).ok().filter(|mode| digits && *mode <= 0o777);
        mode.map(Mode).ok_or(NoMode)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:04o}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_modes() {
        for (text, mode) in
            [("0660", Ok(Mode(0o660))), ("660", Ok(Mode(0o660))), ("0777", Ok(Mode(0o777))), ("000", Ok(Mode(0)))]
        {
            assert_eq!(text.parse(), mode);
        }
        for text in ["", "66", "0o660", "0668", "1777", "06660", "+660", "rw-rw----"] {
            assert_eq!(text.parse::<Mode>(), Err(NoMode), "{text}");
        }
    }
}
