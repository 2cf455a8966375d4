//! Where a listener that forwards sends mail on to.
//!
//! | written | means |
//! |---|---|
//! | `smtp:HOST:PORT` | SMTP over TCP, with STARTTLS as `next_hop_tls` says |
//! | `smtps:HOST:PORT` | SMTP in TLS from the first octet on (RFC 8314) |
//! | `lmtp:HOST:PORT` | LMTP over TCP (RFC 2033) |
//! | `lmtp:unix:/path` | LMTP over a unix socket, as Dovecot has it |
//!
//! A host is a name or a number, in brackets or not: an IPv6 number needs them, and Postfix has them around hosts of
//! which no MX is asked for, which septet never does. Postfix' own spellings are read as well: `[HOST]:PORT` alone,
//! `relay:` for `smtp:` and `inet:` before the host; `smtp`, `submission` and `lmtp` are the ports 25, 587 and 24.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use thiserror::Error;

use super::socket::{HostPort, SocketAddress, SocketError};

/// A next hop: whoever takes the mail that a listener forwards. Its port is never 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum NextHop {
    /// SMTP over TCP.
    Smtp(HostPort),
    /// SMTP in TLS.
    Smtps(HostPort),
    /// LMTP over TCP.
    Lmtp(HostPort),
    /// LMTP over a unix socket.
    LmtpUnix(PathBuf),
}

/// What is wrong with a next hop.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NextHopAddressError {
    /// It starts with no known protocol.
    #[error("no next hop: write smtp:HOST:PORT, smtps:HOST:PORT, lmtp:HOST:PORT or lmtp:unix:/path")]
    Kind,
    /// There is not a valid port.
    #[error("no port: write {0}:25")]
    NoPort(String),
    /// The path of a socket that is none from the root on.
    #[error("no path from the root on: where Postfix says `unix:{0}`, write lmtp:unix:/var/spool/postfix/{0}")]
    Relative(String),
    /// Port 0.
    #[error("nobody listens on port 0")]
    PortZero,
    /// The host, port or path is none.
    #[error(transparent)]
    Socket(#[from] SocketError),
}

impl NextHop {
    /// Returns `true` if it speaks LMTP, and so answers for each recipient.
    pub fn is_lmtp(&self) -> bool {
        matches!(self, NextHop::Lmtp(_) | NextHop::LmtpUnix(_))
    }

    /// Returns `true` if it can be reached in TLS.
    pub fn may_have_tls(&self) -> bool {
        matches!(self, NextHop::Smtp(_) | NextHop::Smtps(_))
    }

    /// Returns `true` if it is what listens on a socket, as far as its name shows: mail would go round in circles.
    pub fn is(&self, socket: &SocketAddress) -> bool {
        match (self, socket) {
            (NextHop::LmtpUnix(path), SocketAddress::Unix(other)) => path == other,
            (
                NextHop::Smtp(at) | NextHop::Smtps(at) | NextHop::Lmtp(at),
                SocketAddress::Inet(other) | SocketAddress::Inet6(other),
            ) => at.host.eq_ignore_ascii_case(&other.host) && at.port == other.port,
            _ => false,
        }
    }
}

impl FromStr for NextHop {
    type Err = NextHopAddressError;

    /// Reads what the [module](self) lists; a path must be absolute.
    fn from_str(text: &str) -> Result<NextHop, NextHopAddressError> {
        if text.starts_with('[') {
            return text.parse().map(NextHop::Smtp);
        }
        let (kind, rest) = text.split_once(':').ok_or(NextHopAddressError::Kind)?;
        match kind {
            "lmtp" if rest.starts_with("unix:") || rest.starts_with('/') => match rest.parse()? {
                SocketAddress::Unix(path) if path.is_relative() => {
                    Err(NextHopAddressError::Relative(path.display().to_string()))
                }
                SocketAddress::Unix(path) => Ok(NextHop::LmtpUnix(path)),
                _ => Err(NextHopAddressError::Kind),
            },
            "smtp" | "relay" => rest.parse().map(NextHop::Smtp),
            "smtps" => rest.parse().map(NextHop::Smtps),
            "lmtp" => rest.parse().map(NextHop::Lmtp),
            _ => Err(NextHopAddressError::Kind),
        }
    }
}

/// Ports by the names that Postfix reads from /etc/services.
const SERVICES: [(&str, u16); 3] = [("smtp", 25), ("submission", 587), ("lmtp", 24)];

/// Returns `HOST:PORT` with the number of a port that has a [name](SERVICES).
fn with_number(text: &str) -> String {
    let named = text.rsplit_once(':').and_then(|(host, port)| {
        let (_, number) = SERVICES.iter().find(|(name, _)| port.eq_ignore_ascii_case(name))?;
        Some(format!("{host}:{number}"))
    });
    named.unwrap_or_else(|| text.to_owned())
}

impl FromStr for HostPort {
    type Err = NextHopAddressError;

    /// Reads a host and a port as a next hop has them behind its protocol: `HOST:PORT`, or `PORT@HOST` as Sendmail
    /// writes it, perhaps behind `inet:`, as Postfix has it in `lmtp:inet:host:port`. Port 0 is refused.
    fn from_str(text: &str) -> Result<HostPort, NextHopAddressError> {
        let text = text.strip_prefix("inet:").unwrap_or(text);
        let is_in_brackets = text.len() > 2 && text.starts_with('[') && text.ends_with(']');
        if is_in_brackets || !text.is_empty() && !text.contains([':', '@', '[']) {
            return Err(NextHopAddressError::NoPort(text.to_owned()));
        }
        // Brackets around a name keep Postfix from asking for its MX.
        let name = text.strip_prefix('[').and_then(|it| it.split_once("]:")).filter(|(name, _)| !name.contains(':'));
        let text = name.map_or_else(|| text.to_owned(), |(name, port)| format!("{name}:{port}"));
        match format!("inet:{}", with_number(&text)).parse() {
            Ok(SocketAddress::Inet(HostPort { port: 0, .. })) => Err(NextHopAddressError::PortZero),
            Ok(SocketAddress::Inet(at)) => Ok(at),
            // Where a host is missing, the error says how a next hop is written.
            Ok(_) | Err(SocketError::NoHost(_)) => Err(NextHopAddressError::Kind),
            Err(error) => Err(error.into()),
        }
    }
}

impl fmt::Display for NextHop {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NextHop::Smtp(at) => write!(out, "smtp:{at}"),
            NextHop::Smtps(at) => write!(out, "smtps:{at}"),
            NextHop::Lmtp(at) => write!(out, "lmtp:{at}"),
            NextHop::LmtpUnix(path) => write!(out, "lmtp:unix:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_way_of_writing_and_writes_one() {
        for (written, canonical) in [
            ("smtp:127.0.0.1:10026", "smtp:127.0.0.1:10026"),
            ("smtp:[::1]:25", "smtp:[::1]:25"),
            ("smtp:inet:mx.example.org:25", "smtp:mx.example.org:25"),
            ("smtp:[mx.example.net]:25", "smtp:mx.example.net:25"),
            ("[mx.example.net]:587", "smtp:mx.example.net:587"),
            ("[::1]:25", "smtp:[::1]:25"),
            ("[mx.example.net]:submission", "smtp:mx.example.net:587"),
            ("smtp:[::1]:smtp", "smtp:[::1]:25"),
            ("lmtp:localhost:LMTP", "lmtp:localhost:24"),
            ("smtp:25@[::1]", "smtp:[::1]:25"),
            ("relay:[192.0.2.1]:25", "smtp:192.0.2.1:25"),
            ("lmtp:inet:[mail.example.org]:24", "lmtp:mail.example.org:24"),
            ("smtps:mx.example.org:465", "smtps:mx.example.org:465"),
            ("lmtp:localhost:24", "lmtp:localhost:24"),
            ("lmtp:unix:/run/dovecot/lmtp", "lmtp:unix:/run/dovecot/lmtp"),
            ("lmtp:/run/dovecot/lmtp", "lmtp:unix:/run/dovecot/lmtp"),
        ] {
            let next_hop: NextHop = written.parse().unwrap_or_else(|error| panic!("{written}: {error}"));
            assert_eq!(next_hop.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(next_hop));
        }
    }

    #[test]
    fn says_what_is_wrong() {
        for (written, clause) in [
            ("", "no next hop"),
            ("127.0.0.1:25", "no next hop"),
            ("http:127.0.0.1:25", "no next hop"),
            ("smtp:unix:/run/x", "is not a valid port"),
            ("smtp:127.0.0.1", "no port: write 127.0.0.1:25"),
            ("smtp:127.0.0.1:0", "port 0"),
            ("smtp:127.0.0.1:submissions", "`submissions` is not a valid port"),
            ("smtp:[mx.example.org]", "no port: write [mx.example.org]:25"),
            ("[mx.example.org]", "no port: write [mx.example.org]:25"),
            ("[", "no next hop: write smtp:HOST:PORT"),
            ("relay:", "no next hop: write smtp:HOST:PORT"),
            ("lmtp:unix:private/dovecot-lmtp", "write lmtp:unix:/var/spool/postfix/private/dovecot-lmtp"),
            ("smtp:[a b]:25", "is not a valid host"),
            ("smtp:::1:25", "two ways"),
            ("lmtp:unix:", "no path"),
        ] {
            let error = written.parse::<NextHop>().expect_err(written).to_string();
            assert!(error.contains(clause), "{written}: {error}");
        }
    }
}
