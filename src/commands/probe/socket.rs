//! Blocking sockets to connect by.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use super::error::ProbeError;
use crate::config::socket::SocketAddress;

/// A connected socket.
pub enum Stream {
    /// TCP.
    Tcp(TcpStream),
    /// A socket in the file system.
    Unix(UnixStream),
}

/// Connects; `reply_time` bounds each read, and nothing bounds connecting and writing.
pub fn connect(socket: &SocketAddress, reply_time: Duration) -> Result<Stream, ProbeError> {
    let connected = match socket {
        SocketAddress::Unix(path) => UnixStream::connect(path).map(Stream::Unix),
        SocketAddress::Inet { host, port } => tcp(host, *port, false),
        SocketAddress::Inet6 { host, port } => tcp(host, *port, true),
        SocketAddress::Systemd(_) => return Err(ProbeError::Systemd),
    };
    let stream = connected.map_err(|error| ProbeError::Connect(socket.clone(), error))?;
    match &stream {
        Stream::Tcp(stream) => stream.set_read_timeout(Some(reply_time))?,
        Stream::Unix(stream) => stream.set_read_timeout(Some(reply_time))?,
    }
    Ok(stream)
}

/// Connects to the first address of a host that answers, of the IPv6 ones alone with `only6`.
fn tcp(host: &str, port: u16, only6: bool) -> io::Result<Stream> {
    let addresses: Vec<_> = (host, port).to_socket_addrs()?.filter(|address| address.is_ipv6() || !only6).collect();
    let stream = TcpStream::connect(&addresses[..])?;
    stream.set_nodelay(true)?;
    Ok(Stream::Tcp(stream))
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Tcp(stream) => stream.read(buffer),
            Stream::Unix(stream) => stream.read(buffer),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Tcp(stream) => stream.write(buffer),
            Stream::Unix(stream) => stream.write(buffer),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
