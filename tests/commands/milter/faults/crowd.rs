//! Many connections at once.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use septet::protocol::milter::{MilterCommand, Offer};

use super::super::daemon::Daemon;
use super::Scale;

/// A connection to the daemon, blocking, with the time that a test waits.
pub struct Peer(pub UnixStream);

impl Peer {
    /// Connects, also where the queue of the socket is full for a moment.
    pub fn connect(socket: &Path) -> Peer {
        let start = Instant::now();
        loop {
            match UnixStream::connect(socket) {
                Ok(stream) => {
                    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
                    stream.set_write_timeout(Some(Duration::from_secs(60))).expect("a timeout");
                    return Peer(stream);
                }
                Err(error) => assert!(start.elapsed() < Duration::from_secs(60), "{error}"),
            }
            sleep(Duration::from_millis(5));
        }
    }

    /// Offers what MTAs do; the answer is still to be read.
    pub fn offer(&mut self) -> io::Result<()> {
        self.send(&[MilterCommand::Negotiate(Offer { version: 6, actions: 0x1ff, protocol: 0x1f_ffff })])
    }

    pub fn send(&mut self, commands: &[MilterCommand<'_>]) -> io::Result<()> {
        let mut out = Vec::new();
        commands.iter().for_each(|command| command.write(&mut out));
        self.0.write_all(&out)
    }

    /// Reads a packet's code.
    pub fn reply(&mut self) -> io::Result<u8> {
        let mut head = [0; 5];
        self.0.read_exact(&mut head)?;
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        self.0.read_exact(&mut vec![0; length - 1])?;
        Ok(head[4])
    }

    /// Reads the codes up to the verdict of a message.
    pub fn verdict(&mut self) -> io::Result<String> {
        let mut codes = String::new();
        while !codes.ends_with(['c', 't', 'a']) {
            codes.push(self.reply()?.into());
        }
        Ok(codes)
    }

    /// Sends a message that is changed; its verdict is still to be read.
    pub fn message(&mut self) -> io::Result<()> {
        self.send(&[
            MilterCommand::Header { name: b"Content-Type", value: b" text/plain; charset=iso-8859-1" },
            MilterCommand::Header { name: b"Content-Transfer-Encoding", value: b" 8bit" },
            MilterCommand::Header { name: b"MIME-Version", value: b" 1.0" },
            MilterCommand::Body(b"caf\xe9\r\n"),
            MilterCommand::EndOfMessage(b""),
        ])
    }
}

/// All connect before the first one sends a message, and a fifth of them have to wait for a place.
#[test]
fn many_connections_at_once_are_all_served() {
    let Scale { connections, .. } = Scale::of_env();
    let limit = format!("limits.connections={connections}");
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", &limit]);
    let socket = daemon.path("sock");
    let start = Instant::now();
    let mut peers: Vec<Peer> = (0..connections).map(|_| Peer::connect(&socket)).collect();
    peers.iter_mut().for_each(|peer| peer.offer().expect("it is read"));
    peers.iter_mut().for_each(|peer| assert_eq!(peer.reply().expect("an answer"), b'O'));
    for _ in 0..3 {
        peers.iter_mut().for_each(|peer| peer.message().expect("it is read"));
        peers.iter_mut().for_each(|peer| assert_eq!(peer.verdict().expect("a verdict"), "mbc"));
        peers.iter_mut().for_each(|peer| peer.send(&[MilterCommand::Abort]).expect("it is read"));
    }
    let late = connections / 5;
    scope(|threads| {
        let waiting: Vec<_> = (0..late).map(|_| threads.spawn(|| serve_one(&socket))).collect();
        sleep(Duration::from_millis(100));
        drop(peers);
        waiting.into_iter().for_each(|thread| assert_eq!(thread.join().expect("served"), "mbc"));
    });
    let (time, resident) = (start.elapsed(), daemon.resident_kib());
    println!(
        "crowd: connections={connections} beyond_the_limit={late} all_served time={time:.1?} resident_kib={resident}"
    );
    assert!(!daemon.log().contains("panic"), "{}", daemon.log());
}

/// One whole connection: terms, a message, good-bye.
pub fn serve_one(socket: &Path) -> String {
    let mut peer = Peer::connect(socket);
    peer.offer().and_then(|()| peer.reply()).expect("an answer");
    peer.message().expect("it is read");
    let codes = peer.verdict().expect("a verdict");
    peer.send(&[MilterCommand::Abort, MilterCommand::Quit]).expect("it is read");
    codes
}
