//! A next hop that takes every message and keeps it.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

/// How long a message may take from an MTA to the sink.
const PATIENCE: Duration = Duration::from_secs(120);

/// A message as it arrived, without dot-stuffing.
#[derive(Debug, Clone)]
pub struct Arrived {
    pub recipients: Vec<String>,
    pub raw: Vec<u8>,
}

/// An SMTP server on a port of its own.
pub struct Sink {
    pub port: u16,
    kept: Kept,
}

type Kept = Arc<Mutex<Vec<Arrived>>>;

impl Sink {
    /// Starts one that takes all there is.
    pub fn start() -> Sink {
        Sink::with(&["8BITMIME", "SMTPUTF8"])
    }

    /// Starts one that announces just these keywords.
    pub fn with(keywords: &[&str]) -> Sink {
        let keywords: String = keywords.iter().map(|keyword| format!("250-{keyword}\r\n")).collect();
        let greeting: Arc<str> = format!("250-sink\r\n{keywords}250 HELP\r\n").into();
        let socket = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = socket.local_addr().expect("an address").port();
        let kept = Kept::default();
        let keeper = Arc::clone(&kept);
        thread::spawn(move || {
            for stream in socket.incoming().flatten() {
                let (kept, greeting) = (Arc::clone(&keeper), Arc::clone(&greeting));
                thread::spawn(move || talk(stream, &greeting, &kept));
            }
        });
        Sink { port, kept }
    }

    /// Waits for the message to this recipient, and gives it.
    pub fn wait_for(&self, recipient: &str) -> Vec<u8> {
        let is_to = |arrived: &&Arrived| arrived.recipients.iter().any(|to| to == recipient);
        let start = Instant::now();
        loop {
            let found = self.kept.lock().expect("unpoisoned").iter().find(is_to).cloned();
            if let Some(arrived) = found {
                return arrived.raw;
            }
            assert!(start.elapsed() < PATIENCE, "nothing came for {recipient}");
            sleep(Duration::from_millis(5));
        }
    }

    /// Gives how many messages have come.
    pub fn count(&self) -> usize {
        self.kept.lock().expect("unpoisoned").len()
    }

    /// Gives all that have come.
    pub fn all(&self) -> Vec<Arrived> {
        self.kept.lock().expect("unpoisoned").clone()
    }
}

fn talk(stream: TcpStream, greeting: &str, kept: &Mutex<Vec<Arrived>>) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut out = stream.try_clone().ok()?;
    let mut lines = BufReader::new(stream);
    out.write_all(b"220 sink\r\n").ok()?;
    let (mut line, mut recipients) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if lines.read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        let answer = match line.get(..4).map(<[u8]>::to_ascii_uppercase).as_deref() {
            Some(b"EHLO") => greeting,
            Some(b"MAIL" | b"RSET") => {
                recipients.clear();
                "250 fine\r\n"
            }
            Some(b"RCPT") => {
                recipients.push(address(&line));
                "250 fine\r\n"
            }
            Some(b"DATA") => {
                out.write_all(b"354 go on\r\n").ok()?;
                let raw = data(&mut lines)?;
                kept.lock().ok()?.push(Arrived { recipients: std::mem::take(&mut recipients), raw });
                "250 kept\r\n"
            }
            Some(b"QUIT") => {
                out.write_all(b"221 bye\r\n").ok()?;
                return None;
            }
            _ => "250 fine\r\n",
        };
        out.write_all(answer.as_bytes()).ok()?;
    }
}

/// Gives what stands between the angle brackets.
fn address(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let inner = text.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    inner.map_or_else(String::new, |(address, _)| address.to_owned())
}

/// Reads to the line with a dot alone.
fn data(lines: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut message = Vec::new();
    let mut line = Vec::new();
    loop {
        line.clear();
        if lines.read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        if line == b".\r\n" {
            return Some(message);
        }
        message.extend_from_slice(line.strip_prefix(b".").unwrap_or(&line));
    }
}
