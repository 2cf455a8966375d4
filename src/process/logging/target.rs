//! Where lines go: a stream that takes them as they come, or a socket of the system's log, a datagram each.

use std::io::{self, ErrorKind, Stderr, Write};
use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often a socket that went away is looked for again.
const AGAIN: Duration = Duration::from_secs(1);

/// How long a datagram may wait for a log that is full.
const PATIENCE: Duration = Duration::from_secs(5);

/// What takes lines. That one can't be written is nothing that could be said at once; it is counted.
pub trait LogTarget: Send {
    /// Writes lines, of which each ends where `ends` says, in order and the last with all of `lines`; returns how many
    /// were not taken whole.
    fn write(&mut self, lines: &[u8], ends: &[usize]) -> usize;
}

impl LogTarget for Stderr {
    fn write(&mut self, lines: &[u8], ends: &[usize]) -> usize {
        stream(self, lines, ends)
    }
}

/// Writes lines to a stream until it takes no more; returns how many it did not take whole.
fn stream(to: &mut impl Write, lines: &[u8], ends: &[usize]) -> usize {
    let mut written = 0;
    while let Some(rest) = lines.get(written..).filter(|rest| !rest.is_empty()) {
        match to.write(rest) {
            Ok(octets) if octets > 0 => written += octets,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            _ => break,
        }
    }
    ends.iter().filter(|&&end| end > written).count()
}

/// A socket of datagrams, such as `/dev/log`.
#[derive(Debug)]
pub struct Datagrams {
    socket: UnixDatagram,
    path: PathBuf,
    connected: Instant,
}

impl Datagrams {
    /// Connects to the socket at a path. A datagram to it waits no longer than `PATIENCE`, where the log is full.
    pub fn connect(path: PathBuf) -> io::Result<Datagrams> {
        let socket = UnixDatagram::unbound()?;
        socket.connect(&path)?;
        socket.set_write_timeout(Some(PATIENCE))?;
        Ok(Datagrams { socket, path, connected: Instant::now() })
    }

    /// Sends a datagram and returns `true` if it was taken. One that a full log does not take within [`PATIENCE`] is
    /// given up; after any other error the log may have been started anew, and then it goes to the socket that stands
    /// at the path now, which is looked for once in [`AGAIN`] at the most.
    fn send(&mut self, line: &[u8]) -> bool {
        match self.socket.send(line) {
            Ok(_) => true,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => false,
            Err(_) => self.connected.elapsed() > AGAIN && self.connect_again() && self.socket.send(line).is_ok(),
        }
    }

    /// Connects to what stands at the path now, and returns `true` if that can be. Either way [`AGAIN`] begins anew.
    fn connect_again(&mut self) -> bool {
        self.connected = Instant::now();
        let again = Datagrams::connect(self.path.clone());
        again.map(|again| *self = again).is_ok()
    }
}

impl LogTarget for Datagrams {
    /// Sends each line as a datagram, without its line end.
    fn write(&mut self, lines: &[u8], ends: &[usize]) -> usize {
        let mut start = 0;
        let mut lost = 0;
        for &end in ends {
            let line = &lines[start..end];
            lost += usize::from(!self.send(line.strip_suffix(b"\n").unwrap_or(line)));
            start = end;
        }
        lost
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
        let mut place = Datagrams::connect(path.clone()).expect("it is there");
        assert_eq!(place.write(b"one\ntwo\n", &[4, 8]), 0);
        let mut line = [0; 100];
        for expected in ["one", "two"] {
            let octets = first.recv(&mut line).expect("a line");
            assert_eq!(&line[..octets], expected.as_bytes());
        }
        drop(first);
        assert_eq!(place.write(b"lost\nlost too\n", &[5, 14]), 2, "nobody takes them");
        std::fs::remove_file(&path).expect("a file");
        let second = UnixDatagram::bind(&path).expect("a socket");
        place.connected = Instant::now().checked_sub(2 * AGAIN).expect("a clock");
        assert_eq!(place.write(b"three\n", &[6]), 0);
        let octets = second.recv(&mut line).expect("a line");
        assert_eq!(&line[..octets], b"three");
    }

    #[test]
    fn a_stream_that_takes_no_more_loses_the_rest() {
        let mut full = [0; 9];
        assert_eq!(stream(&mut &mut full[..], b"one\ntwo\nthree\nfour\n", &[4, 8, 14, 19]), 2);
        assert_eq!(stream(&mut Vec::new(), b"one\ntwo\n", &[4, 8]), 0);
    }
}
