//! What the daemon runs by: the settings, worked out once, so that a message costs no look-up by name.

use std::collections::HashMap;
use std::time::Duration;

use super::Args;
use super::transport::Fitted;
use crate::config::socket::SocketAddress;
use crate::message::Limits;
use crate::protocol::milter::Wants;
use crate::rewrite::{BUILT_IN, Profile};
use crate::run::exit::{Exit, Failure};

/// Everything that a reload can change.
#[derive(Debug)]
pub struct Settings {
    /// The sockets to listen on.
    pub listeners: Vec<Listener>,
    /// The profiles by name, each in every form that a transport may need.
    pub profiles: HashMap<String, Fitted>,
    /// The sizes of a message that are taken in.
    pub message: Limits,
    /// Connections at once; further ones wait.
    pub connections: usize,
    /// Octets of mail held over all connections.
    pub memory: usize,
    /// What becomes of a message that finds that memory full.
    pub memory_full: OnError,
    /// What becomes of a message when septet itself fails.
    pub on_error: OnError,
    /// How long a peer may be silent between commands.
    pub idle_time: Duration,
    /// How long a command that has begun may take to come whole.
    pub read_time: Duration,
    /// How long a peer may take to accept a reply.
    pub write_time: Duration,
    /// How long open connections may go on after SIGTERM.
    pub drain_time: Duration,
}

/// One socket to listen on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listener {
    /// Where.
    pub socket: SocketAddress,
    /// The profile of its messages; a key of [`Settings::profiles`].
    pub profile: String,
    /// The owner of a unix socket.
    pub user: Option<String>,
    /// The group of a unix socket.
    pub group: Option<String>,
    /// The permissions of a unix socket.
    pub mode: Option<u32>,
}

/// What becomes of a message that can't be handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnError {
    /// It passes untouched.
    Accept,
    /// The client is told to come again later.
    TempFail,
}

impl Settings {
    /// Reads the settings that the command line asks for.
    pub fn load(args: &Args) -> Result<Settings, Failure> {
        let profile = args.profile.clone().unwrap_or_else(|| "utf8".to_owned());
        let known: HashMap<String, Fitted> = BUILT_IN
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), Fitted::new(Profile::built_in(name)?))))
            .collect();
        if !known.contains_key(&profile) {
            let names = BUILT_IN.join(", ");
            return Err(Failure::new(Exit::Usage, format!("no profile is named {profile:?}; there are {names}")));
        }
        let default = SocketAddress::Inet { host: "127.0.0.1".to_owned(), port: 8891 };
        let sockets = if args.listen.is_empty() { vec![default] } else { args.listen.clone() };
        let listener = |socket| Listener { socket, profile: profile.clone(), user: None, group: None, mode: None };
        Ok(Settings {
            listeners: sockets.into_iter().map(listener).collect(),
            profiles: known,
            message: Limits::default(),
            connections: 1000,
            memory: 256 << 20,
            memory_full: OnError::Accept,
            on_error: OnError::Accept,
            idle_time: Duration::from_secs(600),
            read_time: Duration::from_secs(30),
            write_time: Duration::from_secs(30),
            drain_time: Duration::from_secs(30),
        })
    }

    /// Finds the listener of a socket.
    pub fn listener(&self, socket: &SocketAddress) -> Option<&Listener> {
        self.listeners.iter().find(|listener| listener.socket == *socket)
    }

    /// Gives what a connection of this listener wants to be shown: nothing of a message that no profile it may
    /// get can change.
    pub fn wants(&self, listener: &Listener) -> Wants {
        let content = self.profiles.get(&listener.profile).is_none_or(|profile| !profile.is_identity());
        Wants { content, recipients: false }
    }
}
