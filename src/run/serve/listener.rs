//! Sockets to listen on.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use thiserror::Error;
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream, lookup_host};

use super::owner;
use super::systemd::{Given, GivenSocket};
use crate::config::socket::SocketAddress;
use crate::config::{Listener, Mode};
use crate::run::exit::Exit;

/// An open socket that listens.
#[derive(Debug)]
pub enum Bound {
    /// TCP; several where a name has several addresses.
    Tcp(TcpListener),
    /// A unix socket, and the file to be removed with it, if it is ours.
    Unix(UnixListener, #[allow(dead_code, reason = "it is there to be dropped")] Option<Made>),
}

/// A connection that was accepted.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum Accepted {
    Tcp(TcpStream),
    Unix(UnixStream),
}

/// A socket's file, removed when it is dropped.
#[derive(Debug)]
pub struct Made(PathBuf);

/// Why a socket can't be listened on.
#[derive(Debug, Error)]
#[error("can't listen on {socket}")]
pub struct BindError {
    socket: SocketAddress,
    #[source]
    cause: Cause,
}

#[derive(Debug, Error)]
enum Cause {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("another process listens there")]
    Taken,
    #[error("a file that is no socket stands there")]
    NotSocket,
    #[error("the host has no address of that kind")]
    NoAddress,
    #[error("systemd gave no socket of that name")]
    NotGiven,
    #[error("no {kind} is named {name:?}")]
    NoOwner { kind: &'static str, name: String },
}

impl BindError {
    /// Gives the exit code of a daemon that could not start for it.
    pub fn exit(&self) -> Exit {
        match &self.cause {
            Cause::Io(error) if error.kind() == ErrorKind::PermissionDenied => Exit::NoPermission,
            Cause::Io(_) if self.socket.path().is_some() => Exit::CantCreate,
            Cause::NoOwner { .. } => Exit::BadConfig,
            Cause::NotSocket => Exit::CantCreate,
            _ => Exit::Unavailable,
        }
    }
}

/// Opens a listener's socket.
pub async fn bind(listener: &Listener, given: &mut Given) -> Result<Bound, BindError> {
    let bound = match &listener.socket {
        SocketAddress::Unix(path) => unix(path, listener),
        SocketAddress::Inet { host, port } => tcp(host, *port, false).await,
        SocketAddress::Inet6 { host, port } => tcp(host, *port, true).await,
        SocketAddress::Systemd(name) => take(name, given),
    };
    bound.map_err(|cause| BindError { socket: listener.socket.clone(), cause })
}

async fn tcp(host: &str, port: u16, only6: bool) -> Result<Bound, Cause> {
    let addresses = lookup_host((host, port)).await?;
    let wanted: Vec<SocketAddr> = addresses.filter(|address| address.is_ipv6() || !only6).collect();
    if wanted.is_empty() {
        return Err(Cause::NoAddress);
    }
    Ok(Bound::Tcp(TcpListener::bind(&wanted[..]).await?))
}

fn take(name: &str, given: &mut Given) -> Result<Bound, Cause> {
    match given.take(name)?.ok_or(Cause::NotGiven)? {
        GivenSocket::Unix(socket) => {
            socket.set_nonblocking(true)?;
            Ok(Bound::Unix(UnixListener::from_std(socket)?, None))
        }
        GivenSocket::Tcp(socket) => {
            socket.set_nonblocking(true)?;
            Ok(Bound::Tcp(TcpListener::from_std(socket)?))
        }
    }
}

fn unix(path: &Path, listener: &Listener) -> Result<Bound, Cause> {
    remove_stale(path)?;
    let socket = UnixListener::bind(path)?;
    let made = Made(path.to_owned());
    let number = |kind, name: &Option<String>, find: fn(&str) -> Option<u32>| match name {
        Some(name) => find(name).map(Some).ok_or(Cause::NoOwner { kind, name: name.clone() }),
        None => Ok(None),
    };
    let (user, group) =
        (number("user", &listener.access.user, owner::user)?, number("group", &listener.access.group, owner::group)?);
    if user.is_some() || group.is_some() {
        chown(path, user, group)?;
    }
    if let Some(Mode(mode)) = listener.access.mode {
        fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
    }
    Ok(Bound::Unix(socket, Some(made)))
}

/// Removes the socket that an earlier run left behind, and nothing else.
fn remove_stale(path: &Path) -> Result<(), Cause> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error.into()),
        Ok(file) if !file.file_type().is_socket() => Err(Cause::NotSocket),
        Ok(_) => match std::os::unix::net::UnixStream::connect(path) {
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => Ok(fs::remove_file(path)?),
            Err(error) => Err(error.into()),
            Ok(_) => Err(Cause::Taken),
        },
    }
}

impl Bound {
    /// Waits for a connection. A TCP one sends small packets at once.
    pub async fn accept(&self) -> io::Result<Accepted> {
        match self {
            Bound::Tcp(socket) => {
                let (stream, _) = socket.accept().await?;
                stream.set_nodelay(true)?;
                Ok(Accepted::Tcp(stream))
            }
            Bound::Unix(socket, _) => Ok(Accepted::Unix(socket.accept().await?.0)),
        }
    }

    /// Gives the address as it came out, for the log: the port that the system chose is in it.
    pub fn address(&self) -> String {
        match self {
            Bound::Tcp(socket) => match socket.local_addr() {
                Ok(address) if address.is_ipv6() => format!("inet6:{address}"),
                Ok(address) => format!("inet:{address}"),
                Err(_) => "inet".to_owned(),
            },
            Bound::Unix(socket, _) => match socket.local_addr().ok().as_ref().and_then(|address| address.as_pathname())
            {
                Some(path) => format!("unix:{}", path.display()),
                None => "unix".to_owned(),
            },
        }
    }
}

impl fmt::Display for Accepted {
    /// Writes who connected; a unix socket has no name to tell.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Accepted::Tcp(stream) => match stream.peer_addr() {
                Ok(peer) => write!(out, "{peer}"),
                Err(_) => out.write_str("tcp"),
            },
            Accepted::Unix(_) => out.write_str("unix"),
        }
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        // It may be gone already, and then there is nothing to do.
        let _ = fs::remove_file(&self.0);
    }
}
