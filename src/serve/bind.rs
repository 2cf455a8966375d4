//! Sockets to listen on.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::path::Path;

use thiserror::Error;
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixSocket, UnixStream, lookup_host};

use super::shared::Peer;
use super::socket_file::{AccessError, SocketFile};
use super::stale_socket::{OccupiedError, remove_stale};
use super::systemd::{ActivatedSockets, GivenSocket};
use crate::config::{Access, HostPort, SocketAddress};
use crate::process::exit::Exit;

/// An open socket that listens.
#[derive(Debug)]
pub enum Bound {
    /// TCP, on the first address of a name that can be listened on.
    Tcp(TcpListener),
    /// A unix socket.
    Unix(UnixListener),
}

/// A connection that was accepted.
#[derive(Debug)]
pub enum Accepted {
    /// A connection by TCP, and the peer's address.
    Tcp(TcpStream, SocketAddr),
    /// A connection on a unix socket.
    Unix(UnixStream),
}

/// How many connections may wait to be accepted: as many as the system allows.
const BACKLOG: u32 = i32::MAX as u32;

/// Why a socket can't be listened on.
#[derive(Debug, Error)]
#[error("can't listen on {socket}{}", hint(.socket, .cause))]
pub struct BindError {
    socket: SocketAddress,
    #[source]
    cause: Cause,
}

#[derive(Debug, Error)]
enum Cause {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Occupied(#[from] OccupiedError),
    #[error("the host has no address of that kind")]
    NoAddress,
    #[error("systemd gave no socket of that name, or it was closed since; at a restart systemd gives all of them")]
    NotGiven,
    #[error(transparent)]
    Access(#[from] AccessError),
}

impl Cause {
    /// Returns what the system refused with; none where the cause is another one, which says itself what helps.
    fn io_kind(&self) -> Option<ErrorKind> {
        match self {
            Cause::Io(error) | Cause::Access(AccessError::Io(error)) | Cause::Occupied(OccupiedError::Io(error)) => {
                Some(error.kind())
            }
            _ => None,
        }
    }
}

/// Says what helps, in parentheses behind a blank; empty where nothing is known.
fn hint(socket: &SocketAddress, cause: &Cause) -> String {
    let Some(kind) = cause.io_kind() else { return String::new() };
    match (socket.path(), kind) {
        (Some(path), ErrorKind::NotFound) if path.is_relative() => format!(
            " (a path that does not start with / counts from the folder where septet was started; what a chrooted Postfix \
             calls {socket} is unix:/var/spool/postfix/{} for septet)",
            path.display()
        ),
        (Some(path), ErrorKind::NotFound) => {
            let folder = path.parent().unwrap_or(path);
            format!(" (make the folder {} first, or let systemd-tmpfiles make it)", folder.display())
        }
        (Some(path), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
            let folder = path.parent().unwrap_or(path);
            format!(
                " (septet's user must be allowed to write in {0}, under systemd by ReadWritePaths={0} too, and to give \
                 the socket to the user and group of its settings; who is no member of that group can't)",
                folder.display()
            )
        }
        _ => String::new(),
    }
}

impl BindError {
    /// Returns the exit code of a daemon that could not start for it. The order counts: a refusal of permission comes
    /// before the kinds of causes that may have one in them.
    pub fn exit(&self) -> Exit {
        match &self.cause {
            cause if cause.io_kind() == Some(ErrorKind::PermissionDenied) => Exit::NoPermission,
            Cause::Occupied(OccupiedError::Taken) => Exit::Unavailable,
            Cause::Occupied(OccupiedError::Unreachable { .. } | OccupiedError::Unremovable { .. }) => {
                Exit::NoPermission
            }
            Cause::Io(_) if self.socket.path().is_some() => Exit::CantCreate,
            Cause::Access(AccessError::NoOwner { .. }) => Exit::BadConfig,
            Cause::Access(_) | Cause::Occupied(_) => Exit::CantCreate,
            _ => Exit::Unavailable,
        }
    }

    /// Returns `true` if it is the socket's owner, group or mode that can't be.
    pub fn is_of_access(&self) -> bool {
        matches!(self.cause, Cause::Access(_))
    }

    /// Returns `true` if something listens there already.
    pub fn is_taken(&self) -> bool {
        match &self.cause {
            Cause::Io(error) => error.kind() == ErrorKind::AddrInUse,
            cause => matches!(cause, Cause::Occupied(OccupiedError::Taken)),
        }
    }
}

/// Opens a socket to listen on; one of systemd is taken out of `given`. A unix socket that is made here comes with its
/// file, which the caller has to keep as long as the socket is open: it is removed when it is dropped.
pub async fn bind(
    socket: &SocketAddress,
    access: &Access,
    given: &mut ActivatedSockets,
) -> Result<(Bound, Option<SocketFile>), BindError> {
    let bound = match socket {
        SocketAddress::Unix(path) => unix(path, access).await,
        SocketAddress::Inet(at) => tcp(at, false).await.map(|bound| (bound, None)),
        SocketAddress::Inet6(at) => tcp(at, true).await.map(|bound| (bound, None)),
        SocketAddress::Systemd(name) => take(name, given).map(|bound| (bound, None)),
    };
    bound.map_err(|cause| BindError { socket: socket.clone(), cause })
}

/// Listens on the first address of a host that can be listened on; `only6` (`inet6:`) leaves out those of IPv4, while
/// `inet:` takes either.
async fn tcp(at: &HostPort, only6: bool) -> Result<Bound, Cause> {
    let addresses = lookup_host((at.host.as_str(), at.port)).await?;
    let wanted: Vec<SocketAddr> = addresses.filter(|address| address.is_ipv6() || !only6).collect();
    if wanted.is_empty() {
        return Err(Cause::NoAddress);
    }
    Ok(Bound::Tcp(TcpListener::bind(&wanted[..]).await?))
}

/// Takes a socket that systemd opened, and makes it non-blocking, as tokio wants it.
fn take(name: &str, given: &mut ActivatedSockets) -> Result<Bound, Cause> {
    match given.take(name)?.ok_or(Cause::NotGiven)? {
        GivenSocket::Unix(socket) => {
            socket.set_nonblocking(true)?;
            Ok(Bound::Unix(UnixListener::from_std(socket)?))
        }
        GivenSocket::Tcp(socket) => {
            socket.set_nonblocking(true)?;
            Ok(Bound::Tcp(TcpListener::from_std(socket)?))
        }
    }
}

/// Opens a unix socket, and gives it its owner, group and mode before anybody can connect.
async fn unix(path: &Path, access: &Access) -> Result<(Bound, Option<SocketFile>), Cause> {
    remove_stale(path).await?;
    let socket = UnixSocket::new_stream()?;
    socket.bind(path)?;
    let file = SocketFile::of_bound(path)?;
    file.give(access)?;
    // Nobody can connect before, whatever mode the file was made with.
    Ok((Bound::Unix(socket.listen(BACKLOG)?), Some(file)))
}

impl Bound {
    /// Waits for a connection. A TCP one sends small packets at once.
    pub async fn accept(&self) -> io::Result<Accepted> {
        match self {
            Bound::Tcp(socket) => {
                let (stream, peer) = socket.accept().await?;
                stream.set_nodelay(true)?;
                Ok(Accepted::Tcp(stream, peer))
            }
            Bound::Unix(socket) => Ok(Accepted::Unix(socket.accept().await?.0)),
        }
    }

    /// Returns the address as it came out, for the log: the port that the system chose is in it.
    pub fn address(&self) -> String {
        match self {
            Bound::Tcp(socket) => match socket.local_addr() {
                Ok(address) if address.is_ipv6() => format!("inet6:{address}"),
                Ok(address) => format!("inet:{address}"),
                Err(_) => "inet".to_owned(),
            },
            Bound::Unix(socket) => match socket.local_addr().ok().as_ref().and_then(|address| address.as_pathname()) {
                Some(path) => format!("unix:{}", path.display()),
                None => "unix".to_owned(),
            },
        }
    }
}

impl Accepted {
    /// Returns who connected. A peer on a unix socket has no address: whoever goes by addresses takes it for a local
    /// one. That of TCP is the one with which the connection was accepted: the system tells none once the peer has
    /// reset it.
    pub fn peer(&self) -> Peer {
        match self {
            Accepted::Tcp(_, address) => Peer { address: Some(*address) },
            Accepted::Unix(_) => Peer { address: None },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::sleep;

    use super::*;

    /// A peer without an address counted as a local one, whom `allow` lets in.
    #[tokio::test]
    async fn a_peer_that_resets_the_connection_keeps_its_address() {
        let socket = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let at = socket.local_addr().expect("an address");
        let bound = Bound::Tcp(socket);
        let peer = TcpStream::connect(at).await.expect("a connection");
        let address = peer.local_addr().expect("an address");
        let accepted = bound.accept().await.expect("a connection");
        peer.set_zero_linger().expect("a socket");
        drop(peer);
        sleep(Duration::from_millis(50)).await;
        assert_eq!(accepted.peer().address, Some(address));
    }
}
