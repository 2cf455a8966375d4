//! Where a listener listens or a client connects, as Postfix or as Sendmail writes it.
//!
//! | written | means | habit of |
//! |---|---|---|
//! | `unix:/path`, `local:/path`, `/path` | a socket in the file system | Postfix, Sendmail |
//! | `inet:host:port`, `inet:[::1]:port` | TCP | Postfix |
//! | `inet:port@host` | TCP | Sendmail |
//! | `inet6:host:port`, `inet6:[::1]:port`, `inet6:port@host` | TCP over IPv6 alone | both |
//! | `systemd:NAME` | a socket that systemd opened, by its FileDescriptorName | - |
//!
//! A host may be a name. `inet:8891` alone, which libmilter takes for "every address", is refused: whoever
//! wants that says so with `inet:0.0.0.0:8891`. Port 0 lets the system choose.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use thiserror::Error;

/// The octets that a unix socket's path may have (`sun_path` of Linux without its final NUL).
pub const PATH_LIMIT: usize = 107;

/// An address to listen on or to connect to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SocketAddress {
    /// A socket in the file system.
    Unix(PathBuf),
    /// TCP; port 0 lets the system choose one.
    Inet(HostPort),
    /// The same over IPv6 alone.
    Inet6(HostPort),
    /// A socket that systemd opened, by name.
    Systemd(String),
}

/// A host and a port of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HostPort {
    /// A name or a number, without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
}

/// What is wrong with a socket's address.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SocketError {
    /// It starts with no known kind.
    #[error("no kind of socket: write unix:/path, inet:host:port, inet6:host:port or systemd:name")]
    Kind,
    /// A unix socket without a path.
    #[error("no path: write unix:/path")]
    NoPath,
    /// A unix socket with a path that the system can't take.
    #[error("a path of {0} octets: a socket's path has at most {PATH_LIMIT}")]
    LongPath(usize),
    /// A path with an octet 0.
    #[error("a path with an octet 0")]
    NulInPath,
    /// A TCP socket without a host.
    #[error("no host: write {0}:127.0.0.1:8891, or {0}:8891@127.0.0.1 as Sendmail does")]
    NoHost(&'static str),
    /// A port that is none.
    #[error("`{0}` is not a valid port: a number up to 65535")]
    Port(String),
    /// A host with characters that no host has.
    #[error("`{0}` is not a valid host")]
    Host(String),
    /// An IPv6 number without brackets before a port, which could be read in two ways.
    #[error("`{0}` can be read in two ways: write [{0}] in brackets")]
    Brackets(String),
    /// A number of another family than the kind says.
    #[error("`{0}` is not a valid IPv6 address")]
    Family(String),
    /// A systemd socket without a name.
    #[error("no name: write systemd:name, the FileDescriptorName= of the socket unit")]
    NoName,
}

impl SocketAddress {
    /// Returns the path of a unix socket.
    pub fn path(&self) -> Option<&Path> {
        match self {
            SocketAddress::Unix(path) => Some(path),
            _ => None,
        }
    }

    /// Returns `true` if only this host reaches it, as far as its name shows. A socket that systemd opened counts as
    /// local: where it listens was said in a unit, on purpose.
    pub fn is_local(&self) -> bool {
        match self {
            SocketAddress::Unix(_) | SocketAddress::Systemd(_) => true,
            SocketAddress::Inet(HostPort { host, .. }) | SocketAddress::Inet6(HostPort { host, .. }) => {
                host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
            }
        }
    }
}

impl FromStr for SocketAddress {
    type Err = SocketError;

    /// Reads what the [module](self) lists; whether there is such a host or path is not asked.
    fn from_str(text: &str) -> Result<SocketAddress, SocketError> {
        if text.starts_with('/') {
            return unix(text);
        }
        match text.split_once(':') {
            Some(("unix" | "local", path)) => unix(path),
            Some(("inet", rest)) => inet("inet", rest).map(SocketAddress::Inet),
            Some(("inet6", rest)) => inet6(rest),
            Some(("systemd", "")) => Err(SocketError::NoName),
            Some(("systemd", name)) => Ok(SocketAddress::Systemd(name.to_owned())),
            _ => Err(SocketError::Kind),
        }
    }
}

/// Makes the address of a socket in the file system, be its path absolute or not; one that the system can't take is
/// refused.
fn unix(path: &str) -> Result<SocketAddress, SocketError> {
    match path.len() {
        0 => Err(SocketError::NoPath),
        length if length > PATH_LIMIT => Err(SocketError::LongPath(length)),
        _ if path.contains('\0') => Err(SocketError::NulInPath),
        _ => Ok(SocketAddress::Unix(PathBuf::from(path))),
    }
}

/// Reads a host and a port as [`inet`] does; a host that is an IPv4 number is refused.
fn inet6(rest: &str) -> Result<SocketAddress, SocketError> {
    let at = inet("inet6", rest)?;
    match at.host.parse() {
        Ok(IpAddr::V4(_)) => Err(SocketError::Family(at.host)),
        _ => Ok(SocketAddress::Inet6(at)),
    }
}

/// Reads `port@host` or `host:port`; the host comes back without brackets, which an IPv6 number needs before a port and
/// no other host may have.
fn inet(kind: &'static str, rest: &str) -> Result<HostPort, SocketError> {
    let (host, port, bare_number) = match rest.split_once('@') {
        Some((port, host)) => (host, port, true),
        None => match rest.rsplit_once(':') {
            Some((host, port)) => (host, port, false),
            None => return Err(SocketError::NoHost(kind)),
        },
    };
    let digits = Some(port).filter(|port| port.bytes().all(|octet| octet.is_ascii_digit()));
    let number = digits.and_then(|digits| digits.parse().ok());
    let port = number.ok_or_else(|| SocketError::Port(port.to_owned()))?;
    match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(inner) if inner.parse::<Ipv6Addr>().is_ok() => Ok(HostPort { host: inner.to_owned(), port }),
        Some(_) => Err(SocketError::Host(host.to_owned())),
        None if host.is_empty() => Err(SocketError::NoHost(kind)),
        None if host.contains(':') && !bare_number => Err(SocketError::Brackets(host.to_owned())),
        None if is_host(host) => Ok(HostPort { host: host.to_owned(), port }),
        None => Err(SocketError::Host(host.to_owned())),
    }
}

/// Returns `true` if a text is a number, or has only octets of a host's name.
fn is_host(host: &str) -> bool {
    host.parse::<IpAddr>().is_ok() || host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
}

impl fmt::Display for SocketAddress {
    /// Writes it as Postfix does.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SocketAddress::Unix(path) => write!(out, "unix:{}", path.display()),
            SocketAddress::Inet(at) => write!(out, "inet:{at}"),
            SocketAddress::Inet6(at) => write!(out, "inet6:{at}"),
            SocketAddress::Systemd(name) => write!(out, "systemd:{name}"),
        }
    }
}

impl fmt::Display for HostPort {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.host.contains(':') {
            true => write!(out, "[{}]:{}", self.host, self.port),
            false => write!(out, "{}:{}", self.host, self.port),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_way_of_writing_and_writes_one() {
        for (written, canonical) in [
            ("unix:/run/septet/milter.sock", "unix:/run/septet/milter.sock"),
            ("local:/run/septet/milter.sock", "unix:/run/septet/milter.sock"),
            ("/run/septet/milter.sock", "unix:/run/septet/milter.sock"),
            ("unix:relative/path:with@marks", "unix:relative/path:with@marks"),
            ("inet:127.0.0.1:8891", "inet:127.0.0.1:8891"),
            ("inet:8891@127.0.0.1", "inet:127.0.0.1:8891"),
            ("inet:localhost:0", "inet:localhost:0"),
            ("inet:[::1]:8891", "inet:[::1]:8891"),
            ("inet6:8891@::1", "inet6:[::1]:8891"),
            ("inet6:8891@[::1]", "inet6:[::1]:8891"),
            ("inet6:mx.example.org:8891", "inet6:mx.example.org:8891"),
            ("systemd:milter", "systemd:milter"),
        ] {
            let address: SocketAddress = written.parse().unwrap_or_else(|error| panic!("{written}: {error}"));
            assert_eq!(address.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(address), "{canonical} reads as what it was written from");
        }
    }

    #[test]
    fn knows_what_only_this_host_reaches() {
        for (written, local) in [
            ("unix:/run/septet/metrics.sock", true),
            ("systemd:metrics", true),
            ("inet:127.0.0.1:1", true),
            ("inet:127.1.2.3:1", true),
            ("inet:LocalHost:1", true),
            ("inet6:[::1]:1", true),
            ("inet:0.0.0.0:1", false),
            ("inet6:[::]:1", false),
            ("inet:192.0.2.1:1", false),
            ("inet:localhost.example.org:1", false),
        ] {
            let address: SocketAddress = written.parse().unwrap_or_else(|error| panic!("{written}: {error}"));
            assert_eq!(address.is_local(), local, "{written}");
        }
    }

    #[test]
    fn says_what_is_wrong() {
        for (written, clause) in [
            ("", "no kind"),
            ("8891", "no kind"),
            ("tcp:127.0.0.1:8891", "no kind"),
            ("INET:127.0.0.1:8891", "no kind"),
            ("unix:", "no path"),
            ("unix:/a\0b", "octet 0"),
            ("inet:8891", "no host"),
            ("inet::8891", "no host"),
            ("inet:8891@", "no host"),
            ("inet:127.0.0.1:65536", "`65536` is not a valid port"),
            ("inet:127.0.0.1:-1", "`-1` is not a valid port"),
            ("inet:+25@127.0.0.1", "`+25` is not a valid port"),
            ("inet:127.0.0.1:", "`` is not a valid port"),
            ("inet:smtp@127.0.0.1", "`smtp` is not a valid port"),
            ("inet:::1:8891", "`::1` can be read in two ways"),
            ("inet:[nonsense]:8891", "`[nonsense]` is not a valid host"),
            ("inet:a b:8891", "`a b` is not a valid host"),
            ("inet6:127.0.0.1:8891", "not a valid IPv6"),
            ("systemd:", "no name"),
        ] {
            let error = written.parse::<SocketAddress>().expect_err(written).to_string();
            assert!(error.contains(clause), "{written}: {error}");
        }
        assert_eq!(format!("unix:/{}", "x".repeat(107)).parse::<SocketAddress>(), Err(SocketError::LongPath(108)));
    }
}
