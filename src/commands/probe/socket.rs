//! Blocking sockets to connect by.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use super::error::ProbeError;
use crate::config::socket::{HostPort, SocketAddress};

/// A connected socket.
pub trait Stream: Read + Write {}
impl<S: Read + Write> Stream for S {}

/// Connects; `reply_time` bounds each read, and nothing bounds connecting and writing.
pub fn connect(socket: &SocketAddress, reply_time: Duration) -> Result<Box<dyn Stream>, ProbeError> {
    let connected = match socket {
        SocketAddress::Unix(path) => unix(path, reply_time),
        SocketAddress::Inet(at) => tcp(at, false, reply_time),
        SocketAddress::Inet6(at) => tcp(at, true, reply_time),
        SocketAddress::Systemd(_) => return Err(ProbeError::Systemd),
    };
    connected.map_err(|error| ProbeError::Connect(socket.clone(), error))
}

/// Connects to a socket in the file system.
fn unix(path: &Path, reply_time: Duration) -> io::Result<Box<dyn Stream>> {
    let stream = UnixStream::connect(path)?;
    stream.set_read_timeout(Some(reply_time))?;
    Ok(Box::new(stream))
}

/// Connects to the first address of a host that answers, of the IPv6 ones alone with `only6`.
fn tcp(at: &HostPort, only6: bool, reply_time: Duration) -> io::Result<Box<dyn Stream>> {
    let addresses = (at.host.as_str(), at.port).to_socket_addrs()?;
    let addresses: Vec<_> = addresses.filter(|address| address.is_ipv6() || !only6).collect();
    let stream = TcpStream::connect(&addresses[..])?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(reply_time))?;
    Ok(Box::new(stream))
}
