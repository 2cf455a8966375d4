//! Who may use a unix socket: its file's owner, group and permissions.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::keys::Keys;
use super::reader::Findings;
use super::setting::strings;
use super::socket::SocketAddress;
use super::value::join;

strings!(Mode);

/// The owner, group and permissions of a unix socket; as the system has them where a key is absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Access {
    /// The owner, by name or number; the daemon's own user by default.
    pub user: Option<String>,
    /// The group, by name or number; the daemon's own group by default.
    pub group: Option<String>,
    /// The permissions, in octal; as the umask has it by default.
    pub mode: Option<Mode>,
}

impl Access {
    /// Shows the three keys, which stand in the socket's own table.
    pub fn keys(&mut self, keys: &mut Keys<'_>) {
        keys.key("user", &mut self.user);
        keys.key("group", &mut self.group);
        keys.key("mode", &mut self.mode);
    }

    /// Adds a fault for each key of the table at `path` that this kind of socket can't have.
    pub(super) fn check(&self, path: &str, socket: &SocketAddress, found: &mut Findings) {
        if socket.path().is_some() {
            return;
        }
        let given = [("user", self.user.is_some()), ("group", self.group.is_some()), ("mode", self.mode.is_some())];
        for (key, _) in given.into_iter().filter(|(_, given)| *given) {
            found.fault(&join(path, key), format!("only a unix socket has one; this socket is {socket}"));
        }
    }
}

/// Permissions of a file, 0 to 0o777.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mode(pub u32);

/// A mode that is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("no mode; write three or four octal digits in quotes, as \"0660\"")]
pub struct ModeError;

impl FromStr for Mode {
    type Err = ModeError;

    /// Reads three or four octal digits; the bits beyond 0o777, setuid and the like, mean nothing for a socket.
    fn from_str(text: &str) -> Result<Mode, ModeError> {
        let digits = matches!(text.len(), 3 | 4) && text.bytes().all(|digit| digit.is_ascii_digit());
        let mode = u32::from_str_radix(text, 8).ok().filter(|mode| digits && *mode <= 0o777);
        mode.map(Mode).ok_or(ModeError)
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
            assert_eq!(text.parse::<Mode>(), Err(ModeError), "{text}");
        }
    }
}
