//! What the MTA says.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::negotiate::Offer;
use super::wire::{Frame, WireError, put, string, two_strings, whole_string};

/// One command of the MTA, its texts still in the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MilterCommand<'a> {
    /// `O`: what the MTA can do.
    Negotiate(Offer),
    /// `D`: values for the stage that follows.
    Macros(Macros<'a>),
    /// `C`: a client connected.
    Connect {
        /// Its name, or its number in brackets.
        host: &'a [u8],
        /// Where it connects from.
        address: ClientAddress,
    },
    /// `H`: HELO or EHLO.
    Helo(&'a [u8]),
    /// `M`: MAIL FROM, with its parameters.
    Mail(Arguments<'a>),
    /// `R`: RCPT TO, with its parameters.
    Rcpt(Arguments<'a>),
    /// `T`: DATA (version 4 and later).
    Data,
    /// `U`: a command that the MTA does not know (version 3 and later).
    Unknown(&'a [u8]),
    /// `L`: one header field, folds as LF.
    Header {
        /// Its name.
        name: &'a [u8],
        /// Its value.
        value: &'a [u8],
    },
    /// `N`: the header is over.
    EndOfHeader,
    /// `B`: a piece of the body; CR and LF may stand in different pieces.
    Body(&'a [u8]),
    /// `E`: the message is over; it may bring a last piece of the body.
    EndOfMessage(&'a [u8]),
    /// `A`: the message, if there is one, is over for the MTA. The connection stays.
    Abort,
    /// `Q`: the connection is over.
    Quit,
    /// `K`: the client is gone, and the next one follows on this connection.
    QuitNewConnection,
}

impl<'a> MilterCommand<'a> {
    /// Reads a packet; data of a command that has none are not looked at. Whether the command may come now,
    /// [`MilterStage`](super::MilterStage) says.
    pub fn read(frame: Frame<'a>) -> Result<MilterCommand<'a>, WireError> {
        let Frame { code, data } = frame;
        Ok(match code {
            b'O' => MilterCommand::Negotiate(Offer::read(code, data)?.0),
            b'D' => MilterCommand::Macros(Macros::read(data)?),
            b'C' => connect(data)?,
            b'H' => MilterCommand::Helo(whole_string(code, data)?),
            b'M' => MilterCommand::Mail(Arguments::read(code, data)?),
            b'R' => MilterCommand::Rcpt(Arguments::read(code, data)?),
            b'T' => MilterCommand::Data,
            b'U' => MilterCommand::Unknown(whole_string(code, data)?),
            b'L' => two_strings(code, data).map(|(name, value)| MilterCommand::Header { name, value })?,
            b'N' => MilterCommand::EndOfHeader,
            b'B' => MilterCommand::Body(data),
            b'E' => MilterCommand::EndOfMessage(data),
            b'A' => MilterCommand::Abort,
            b'Q' => MilterCommand::Quit,
            b'K' => MilterCommand::QuitNewConnection,
            _ => return Err(WireError::Code(code)),
        })
    }

    /// Returns the letter that it has on the wire.
    pub fn code(&self) -> u8 {
        match self {
            MilterCommand::Negotiate(_) => b'O',
            MilterCommand::Macros(_) => b'D',
            MilterCommand::Connect { .. } => b'C',
            MilterCommand::Helo(_) => b'H',
            MilterCommand::Mail(_) => b'M',
            MilterCommand::Rcpt(_) => b'R',
            MilterCommand::Data => b'T',
            MilterCommand::Unknown(_) => b'U',
            MilterCommand::Header { .. } => b'L',
            MilterCommand::EndOfHeader => b'N',
            MilterCommand::Body(_) => b'B',
            MilterCommand::EndOfMessage(_) => b'E',
            MilterCommand::Abort => b'A',
            MilterCommand::Quit => b'Q',
            MilterCommand::QuitNewConnection => b'K',
        }
    }

    /// Writes it as a packet. A text with an octet 0 can't be written truly, and the peer will refuse it.
    pub fn write(&self, out: &mut Vec<u8>) {
        let code = self.code();
        match self {
            MilterCommand::Negotiate(offer) => put(out, code, &[&offer.octets()]),
            MilterCommand::Macros(macros) => put(out, code, &[&[macros.stage], macros.pairs]),
            MilterCommand::Connect { host, address } => put(out, code, &[host, b"\0", &address.octets()]),
            MilterCommand::Mail(Arguments(all)) | MilterCommand::Rcpt(Arguments(all)) => put(out, code, &[all]),
            MilterCommand::Helo(text) | MilterCommand::Unknown(text) => put(out, code, &[text, b"\0"]),
            MilterCommand::Header { name, value } => put(out, code, &[name, b"\0", value, b"\0"]),
            MilterCommand::Body(data) | MilterCommand::EndOfMessage(data) => put(out, code, &[data]),
            _ => put(out, code, &[]),
        }
    }
}

/// The values of a `D` packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Macros<'a> {
    /// The code of the command that they are for.
    pub stage: u8,
    /// Names and values, each ended by an octet 0.
    pub pairs: &'a [u8],
}

impl<'a> Macros<'a> {
    /// Reads a `D` packet; only a stage must be there, as [`Macros::iter`] takes whatever stands behind it.
    fn read(data: &'a [u8]) -> Result<Macros<'a>, WireError> {
        let (&stage, pairs) = data.split_first().ok_or(WireError::data(b'D', "no stage"))?;
        Ok(Macros { stage, pairs })
    }

    /// Returns name and value, the name without the braces that long names wear.
    ///
    /// Both MTAs send lists that are a little wrong at times: an empty name, a last name without a value, a
    /// last string without its end. They are read for what they hold.
    pub fn iter(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let mut rest = self.pairs;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let (name, after) = string(b'D', rest).unwrap_or((rest, &[]));
            let (value, after) = string(b'D', after).unwrap_or((after, &[]));
            rest = after;
            Some((bare(name), value))
        })
    }
}

/// Returns a macro's name without its braces.
fn bare(name: &[u8]) -> &[u8] {
    name.strip_prefix(b"{").and_then(|name| name.strip_suffix(b"}")).unwrap_or(name)
}

/// The address and the parameters of MAIL or RCPT, each ended by an octet 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arguments<'a>(pub &'a [u8]);

impl<'a> Arguments<'a> {
    /// Reads strings, the last of which must end in an octet 0.
    fn read(code: u8, data: &'a [u8]) -> Result<Arguments<'a>, WireError> {
        match data {
            [.., 0] => Ok(Arguments(data)),
            _ => Err(WireError::data(code, "a string that does not end")),
        }
    }

    /// Returns the address, without the angle brackets around it.
    pub fn address(self) -> &'a [u8] {
        let first = self.iter().next().unwrap_or_default();
        first.strip_prefix(b"<").and_then(|address| address.strip_suffix(b">")).unwrap_or(first)
    }

    /// Returns the parameters that follow the address, such as `BODY=8BITMIME`.
    pub fn parameters(self) -> impl Iterator<Item = &'a [u8]> {
        self.iter().skip(1)
    }

    /// Lists the strings, without the octet 0 that ends each; there is always one, which may be empty.
    fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        self.0.strip_suffix(b"\0").unwrap_or(self.0).split(|&octet| octet == 0)
    }
}

/// Where a client connects from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ClientAddress {
    /// The MTA does not know, or says it in a way that nobody can read.
    #[default]
    Unknown,
    /// A socket in the file system.
    Unix(Vec<u8>),
    /// An address and a port.
    Inet {
        /// The address; an IPv4 address mapped into IPv6 stays what the MTA calls it.
        ip: IpAddr,
        /// The port; 0 when the MTA does not know.
        port: u16,
    },
}

impl ClientAddress {
    /// Writes the family, the port and the text; nothing but the family for an unknown one.
    fn octets(&self) -> Vec<u8> {
        let (family, port, text) = match self {
            ClientAddress::Unknown => return b"U".to_vec(),
            ClientAddress::Unix(path) => (b'L', 0, path.clone()),
            ClientAddress::Inet { ip, port } => {
                (if ip.is_ipv4() { b'4' } else { b'6' }, *port, ip.to_string().into_bytes())
            }
        };
        [&[family][..], &port.to_be_bytes(), &text, b"\0"].concat()
    }
}

/// Reads a `C` packet.
fn connect(data: &[u8]) -> Result<MilterCommand<'_>, WireError> {
    let (host, rest) = string(b'C', data)?;
    Ok(MilterCommand::Connect { host, address: address(rest)? })
}

/// Reads the family, the port and the text of an address; nothing at all, or a text that is no address, is an unknown
/// one.
fn address(data: &[u8]) -> Result<ClientAddress, WireError> {
    let [family @ (b'L' | b'4' | b'6'), rest @ ..] = data else {
        return match data {
            [b'U', ..] | [] => Ok(ClientAddress::Unknown),
            _ => Err(WireError::data(b'C', "an unknown family of addresses")),
        };
    };
    let (port, text) = rest.split_first_chunk::<2>().ok_or(WireError::data(b'C', "a port cut short"))?;
    let (octets, _) = string(b'C', text)?;
    let (port, text) = (u16::from_be_bytes(*port), str::from_utf8(octets).ok());
    let ip = match family {
        b'L' => return Ok(ClientAddress::Unix(octets.to_vec())),
        b'4' => text.and_then(|text| text.parse::<Ipv4Addr>().ok()).map(IpAddr::V4),
        _ => text.and_then(ipv6).map(IpAddr::V6),
    };
    Ok(ip.map_or(ClientAddress::Unknown, |ip| ClientAddress::Inet { ip, port }))
}

/// Reads an IPv6 address as MTAs write it: Sendmail puts `IPv6:` before it, and a zone may follow.
fn ipv6(text: &str) -> Option<Ipv6Addr> {
    let text = text.get(..5).filter(|tag| tag.eq_ignore_ascii_case("ipv6:")).map_or(text, |tag| &text[tag.len()..]);
    text.split('%').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(code: u8, data: &[u8]) -> Result<MilterCommand<'_>, WireError> {
        MilterCommand::read(Frame { code, data })
    }

    #[test]
    fn reads_addresses_of_every_family() {
        for (data, expected) in [
            (&b"mx\0U"[..], ClientAddress::Unknown),
            (b"mx\0", ClientAddress::Unknown),
            (b"mx\x004\x30\x39192.0.2.1\0", ClientAddress::Inet { ip: [192, 0, 2, 1].into(), port: 12345 }),
            (
                b"mx\x006\0\x19IPv6:2001:db8::1\0",
                ClientAddress::Inet { ip: "2001:db8::1".parse().expect("ip"), port: 25 },
            ),
            (b"mx\x006\0\x192001:db8::1\0", ClientAddress::Inet { ip: "2001:db8::1".parse().expect("ip"), port: 25 }),
            (b"mx\x006\0\x19fe80::1%eth0\0", ClientAddress::Inet { ip: "fe80::1".parse().expect("ip"), port: 25 }),
            (b"mx\0L\0\0/run/x\0", ClientAddress::Unix(b"/run/x".to_vec())),
            (b"mx\x004\0\0unknown\0", ClientAddress::Unknown),
        ] {
            assert_eq!(read(b'C', data), Ok(MilterCommand::Connect { host: b"mx", address: expected }), "{data:?}");
        }
    }

    fn pairs(data: &[u8]) -> Vec<(&[u8], &[u8])> {
        match read(b'D', data) {
            Ok(MilterCommand::Macros(macros)) => macros.iter().collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn reads_odd_macros_for_what_they_hold() {
        assert_eq!(pairs(b"H"), []);
        assert_eq!(pairs(b"Ci\x004AB\0{auth_authen}\0me\0"), [(&b"i"[..], &b"4AB"[..]), (b"auth_authen", b"me")]);
        assert_eq!(pairs(b"C\0x\0i\0"), [(&b""[..], &b"x"[..]), (b"i", b"")]);
        assert_eq!(pairs(b"Ci"), [(&b"i"[..], &b""[..])]);
        assert_eq!(pairs(b"Ci\0cut"), [(&b"i"[..], &b"cut"[..])]);
    }

    #[test]
    fn reads_arguments() {
        let Ok(MilterCommand::Mail(arguments)) = read(b'M', b"<a@x>\0SIZE=9\0BODY=8BITMIME\0") else {
            panic!("no MAIL")
        };
        assert_eq!(arguments.address(), b"a@x");
        assert_eq!(arguments.parameters().collect::<Vec<_>>(), [&b"SIZE=9"[..], b"BODY=8BITMIME"]);
        assert_eq!(Arguments(b"<>\0").address(), b"");
    }

    #[test]
    fn says_what_is_wrong_with_a_packet() {
        for (code, data, clause) in [
            (b'L', &b"Subject\0no end"[..], "`L` with a string that does not end"),
            (b'L', b"Subject", "`L` with a string that does not end"),
            (b'L', b"Subject\0a\0b\0", "`L` with octets after its string"),
            (b'O', b"\0\0\0\x06", "`O` with a number cut short"),
            (b'D', b"", "`D` with no stage"),
            (b'C', b"mx", "`C` with a string that does not end"),
            (b'C', b"mx\0X", "`C` with an unknown family"),
            (b'C', b"mx\x004\0", "`C` with a port cut short"),
            (b'M', b"", "`M` with a string that does not end"),
            (b'z', b"", "unknown code 0x7a"),
        ] {
            let error = read(code, data).expect_err(clause).to_string();
            assert!(error.contains(clause), "{error}");
        }
    }

    #[test]
    fn writes_what_it_reads() {
        for command in [
            MilterCommand::Negotiate(Offer { version: 6, actions: 0x1ff, protocol: 0x1f_ffff }),
            MilterCommand::Macros(Macros { stage: b'M', pairs: b"i\x004AB\0" }),
            MilterCommand::Connect { host: b"mx", address: ClientAddress::Inet { ip: [192, 0, 2, 1].into(), port: 1 } },
            MilterCommand::Connect { host: b"mx", address: ClientAddress::Unix(b"/x".to_vec()) },
            MilterCommand::Connect { host: b"mx", address: ClientAddress::Unknown },
            MilterCommand::Helo(b"mx"),
            MilterCommand::Mail(Arguments(b"<a@x>\0SIZE=9\0")),
            MilterCommand::Rcpt(Arguments(b"<b@x>\0")),
            MilterCommand::Data,
            MilterCommand::Unknown(b"XYZZY"),
            MilterCommand::Header { name: b"Subject", value: b" a\n b" },
            MilterCommand::EndOfHeader,
            MilterCommand::Body(b"a\r\n"),
            MilterCommand::EndOfMessage(b""),
            MilterCommand::Abort,
            MilterCommand::Quit,
            MilterCommand::QuitNewConnection,
        ] {
            let mut wire = Vec::new();
            command.write(&mut wire);
            let frame = Frame::read(&wire).expect("well-formed").expect("whole");
            assert_eq!(MilterCommand::read(frame), Ok(command));
        }
    }
}
