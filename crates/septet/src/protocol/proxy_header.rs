//! The PROXY protocol, versions 1 and 2: what a proxy says first on a connection, for whom it connects
//! (HAProxy's `proxy-protocol.txt`).
//!
//! Version 1 is a line, `PROXY TCP4 192.0.2.1 198.51.100.1 56324 25`; version 2 starts with [`SIGNATURE`] and is
//! binary. A proxy that connects for itself, to look whether somebody is there, says `LOCAL` or `UNKNOWN`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use thiserror::Error;

/// What version 2 starts with.
const SIGNATURE: &[u8; 12] = b"\r\n\r\n\0\r\nQUIT\n";

/// The octets of version 1's line, its line end included.
const LINE_LIMIT: usize = 107;

/// The octets of version 2 before its addresses.
const FIXED: usize = 16;

/// The octets of version 2 behind them; addresses have 36 at the most, and what else proxies say is short.
const LIMIT: usize = 4096;

/// What was said first is no PROXY header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("no PROXY header")]
pub struct ProxyHeaderError;

/// A header that is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProxyHeader {
    /// Its octets.
    pub length: usize,
    /// The client; none where the proxy connects for itself, or does not tell.
    pub client: Option<SocketAddr>,
}

/// Reads a header at the start of a connection; none while more must come.
///
/// ```
/// use septet::protocol::proxy_header;
///
/// let header = proxy_header::read(b"PROXY TCP4 192.0.2.1 198.51.100.1 56324 25\r\nEHLO").unwrap().unwrap();
/// assert_eq!(header.client, "192.0.2.1:56324".parse().ok());
/// assert_eq!(header.length, 44);
/// assert!(proxy_header::read(b"EHLO x\r\n").is_err());
/// ```
pub fn read(input: &[u8]) -> Result<Option<ProxyHeader>, ProxyHeaderError> {
    if input.is_empty() {
        return Ok(None);
    }
    if may_start_with(input, SIGNATURE) {
        return read_binary(input);
    }
    if may_start_with(input, b"PROXY ") { read_line(input) } else { Err(ProxyHeaderError) }
}

/// Returns `true` if what came of the input is the start of this, or starts with it.
fn may_start_with(input: &[u8], start: &[u8]) -> bool {
    input.iter().zip(start).all(|(came, wanted)| came == wanted)
}

/// Reads a header of version 1; `input` begins like one.
fn read_line(input: &[u8]) -> Result<Option<ProxyHeader>, ProxyHeaderError> {
    let Some(end) = memchr::memchr(b'\n', input.get(..LINE_LIMIT).unwrap_or(input)) else {
        return if input.len() < LINE_LIMIT { Ok(None) } else { Err(ProxyHeaderError) };
    };
    let line = input[..end].strip_suffix(b"\r").and_then(|line| str::from_utf8(line).ok()).ok_or(ProxyHeaderError)?;
    let words: Vec<&str> = line.split(' ').collect();
    let client = match &words[1..] {
        ["UNKNOWN", ..] => None,
        [family, source, destination, port, to] => {
            let ports: (u16, u16) = (number(port)?, number(to)?);
            let address = address(family, source)?;
            self::address(family, destination)?;
            Some(SocketAddr::new(address, ports.0))
        }
        _ => return Err(ProxyHeaderError),
    };
    Ok(Some(ProxyHeader { length: end + 1, client }))
}

/// Reads a port: digits without a sign or a zero before them.
fn number(port: &str) -> Result<u16, ProxyHeaderError> {
    port.parse().ok().filter(|number: &u16| number.to_string() == port).ok_or(ProxyHeaderError)
}

/// Reads an address of this family.
fn address(family: &str, text: &str) -> Result<IpAddr, ProxyHeaderError> {
    let read = match family {
        "TCP4" => text.parse::<Ipv4Addr>().map(IpAddr::V4).ok(),
        "TCP6" => text.parse::<Ipv6Addr>().map(IpAddr::V6).ok(),
        _ => None,
    };
    read.ok_or(ProxyHeaderError)
}

/// Reads a header of version 2; `input` begins like one. What stands behind the addresses is not looked at, and neither
/// are addresses of other families than TCP's, or of a proxy that connects for itself.
fn read_binary(input: &[u8]) -> Result<Option<ProxyHeader>, ProxyHeaderError> {
    let Some(fixed) = input.get(..FIXED) else { return Ok(None) };
    let (command, family) = (fixed[12], fixed[13]);
    let rest = usize::from(u16::from_be_bytes([fixed[14], fixed[15]]));
    if !matches!(command, 0x20 | 0x21) || rest > LIMIT {
        return Err(ProxyHeaderError);
    }
    let length = FIXED + rest;
    let Some(addresses) = input.get(FIXED..length) else { return Ok(None) };
    let client = match (command, family) {
        (0x21, 0x11) => Some(client::<4>(addresses).ok_or(ProxyHeaderError)?),
        (0x21, 0x21) => Some(client::<16>(addresses).ok_or(ProxyHeaderError)?),
        _ => None,
    };
    Ok(Some(ProxyHeader { length, client }))
}

/// Returns the client of two addresses of `OCTETS` each and their two ports, the source before the destination; `None`
/// where they are cut short. The server's are not looked at.
fn client<const OCTETS: usize>(addresses: &[u8]) -> Option<SocketAddr>
where
    IpAddr: From<[u8; OCTETS]>,
{
    let source = addresses.first_chunk::<OCTETS>()?;
    let ports = addresses.get(2 * OCTETS..)?.first_chunk::<4>()?;
    Some(SocketAddr::new((*source).into(), u16::from_be_bytes([ports[0], ports[1]])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binary(command: u8, family: u8, addresses: &[u8]) -> Vec<u8> {
        let length = (addresses.len() as u16).to_be_bytes();
        [&SIGNATURE[..], &[command, family], &length, addresses].concat()
    }

    #[test]
    fn reads_both_versions_however_they_are_cut() {
        let v4 = [192, 0, 2, 1, 198, 51, 100, 1, 0xdc, 4, 0, 25];
        let v6 = [Ipv6Addr::LOCALHOST.octets(), Ipv6Addr::LOCALHOST.octets()].concat();
        let v6 = [&v6[..], &[0xdc, 4, 0, 25]].concat();
        for (header, client) in [
            (b"PROXY TCP4 192.0.2.1 198.51.100.1 56324 25\r\n".to_vec(), Some("192.0.2.1:56324")),
            (b"PROXY TCP6 2001:db8::1 ::1 56324 25\r\n".to_vec(), Some("[2001:db8::1]:56324")),
            (b"PROXY UNKNOWN\r\n".to_vec(), None),
            (b"PROXY UNKNOWN ffff::1 ::1 1 2\r\n".to_vec(), None),
            (binary(0x21, 0x11, &v4), Some("192.0.2.1:56324")),
            (binary(0x21, 0x11, &[&v4[..], b"\x03\0\x04abcd"].concat()), Some("192.0.2.1:56324")),
            (binary(0x21, 0x21, &v6), Some("[::1]:56324")),
            (binary(0x20, 0, b""), None),
            (binary(0x21, 0x31, &[0; 216]), None),
        ] {
            let wanted = ProxyHeader { length: header.len(), client: client.and_then(|it| it.parse().ok()) };
            assert_eq!(read(&[&header[..], b"EHLO x\r\n"].concat()), Ok(Some(wanted)));
            for cut in 0..header.len() {
                assert_eq!(read(&header[..cut]), Ok(None), "{cut}");
            }
        }
    }

    #[test]
    fn what_is_no_header_is_refused() {
        for other in [
            b"EHLO x\r\n".to_vec(),
            b"\x16\x03\x01".to_vec(),
            b"PROXY TCP4 192.0.2.1 198.51.100.1 56324\r\n".to_vec(),
            b"PROXY TCP4 ::1 198.51.100.1 56324 25\r\n".to_vec(),
            b"PROXY TCP4 999.0.2.1 198.51.100.1 56324 25\r\n".to_vec(),
            b"PROXY TCP4 192.0.2.1 198.51.100.1 56324 65536\r\n".to_vec(),
            b"PROXY TCP4 192.0.2.1 198.51.100.1 56324 +25\r\n".to_vec(),
            b"PROXY TCP4 192.0.2.1 198.51.100.1 056324 25\r\n".to_vec(),
            b"PROXY UDP4 192.0.2.1 198.51.100.1 56324 25\r\n".to_vec(),
            b"PROXY TCP4 192.0.2.1 198.51.100.1 56324 25\n".to_vec(),
            [&b"PROXY TCP4 "[..], &[b'1'; LINE_LIMIT]].concat(),
            binary(0x11, 0x11, &[0; 12]),
            binary(0x21, 0x11, &[0; 11]),
            binary(0x21, 0x11, &[0; LIMIT + 1]),
        ] {
            assert_eq!(read(&other), Err(ProxyHeaderError), "{}", String::from_utf8_lossy(&other));
        }
    }
}
