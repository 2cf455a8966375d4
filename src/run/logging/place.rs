//! Where lines go: a stream that takes them as they come, or a socket of the system's log, a datagram each.

use std::io::{self, ErrorKind, Stderr, Write};
use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often a socket that went away is looked for again.
const AGAIN: Duration = Duration::from_secs(1);

/// How long a datagram may wait for a log that is full.
const PATIENCE: Duration = Duration::from_secs(5);

/// A place that takes lines. That they can't be written is nothing that could be said anywhere.
pub trait Place: Send {
    /// Writes lines, of which each ends where `ends` says.
    fn write(&mut self, lines: &[u8], ends: &[usize]);
}

impl Place for Stderr {
    fn write(&mut self, lines: &[u8], _: &[usize]) {
        let _ = self.write_all(lines);
    }
}

/// A socket of datagrams, such as `/dev/log`.
#[derive(Debug)]
pub struct Datagrams {
    socket: UnixDatagram,
    path: PathBuf,
    connected: Instant,
}

impl Datagrams {
    /// Connects to it.
    pub fn to(path: PathBuf) -> io::Result<Datagrams> {
        let socket = UnixDatagram::unbound()?;
        socket.connect(&path)?;
        socket.set_write_timeout(Some(PATIENCE))?;
        Ok(Datagrams { socket, path, connected: Instant::now() })
    }

    /// Sends one; where the log was started anew, to the socket that it has now.
    fn send(&mut self, line: &[u8]) {
        let gone = match self.socket.send(line) {
            Ok(_) => false,
            Err(error) => !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
        };
        if gone && self.connected.elapsed() > AGAIN {
            self.connected = Instant::now();
            if let Ok(again) = Datagrams::to(self.path.clone()) {
                *self = again;
                let _ = self.socket.send(line);
            }
        }
    }
}

impl Place for Datagrams {
    fn write(&mut self, lines: &[u8], ends: &[usize]) {
        let mut start = 0;
        for &end in ends {
            let line = lines.get(start..end).unwrap_or_default();
            self.send(line.strip_suffix(b"\n").unwrap_or(line));
            start = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_was_started_anew_gets_lines_again() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("log");
        let first = UnixDatagram::bind(&path).expect("a socket");
        let mut place = Datagrams::to(path.clone()).expect("it is there");
        place.write(b"one\ntwo\n", &[4, 8]);
        let mut line = [0; 100];
        for expected in ["one", "two"] {
            let octets = first.recv(&mut line).expect("a line");
            assert_eq!(&line[..octets], expected.as_bytes());
        }
        drop(first);
        std::fs::remove_file(&path).expect("a file");
        let second = UnixDatagram::bind(&path).expect("a socket");
        place.connected = Instant::now().checked_sub(2 * AGAIN).expect("a clock");
        place.write(b"three\n", &[6]);
        let octets = second.recv(&mut line).expect("a line");
        assert_eq!(&line[..octets], b"three");
    }
}
