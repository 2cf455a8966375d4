//! A next hop that takes every message and keeps it.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

/// An SMTP server on a port of its own; messages are kept without dot-stuffing.
pub struct Sink {
    pub port: u16,
    messages: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Sink {
    pub fn start() -> Sink {
        let socket = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = socket.local_addr().expect("an address").port();
        let messages = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&messages);
        thread::spawn(move || {
            for stream in socket.incoming().flatten() {
                let kept = Arc::clone(&kept);
                thread::spawn(move || talk(stream, &kept));
            }
        });
        Sink { port, messages }
    }

    /// Waits for the message that holds this text in its header, and gives it.
    pub fn wait_for(&self, text: &str) -> Vec<u8> {
        let start = Instant::now();
        loop {
            let found = self.messages.lock().expect("unpoisoned").iter().find(|message| holds(message, text)).cloned();
            if let Some(message) = found {
                return message;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "no message with {text:?} came");
            sleep(Duration::from_millis(20));
        }
    }
}

fn holds(message: &[u8], text: &str) -> bool {
    message.windows(text.len()).take(4096).any(|window| window == text.as_bytes())
}

fn talk(stream: TcpStream, kept: &Mutex<Vec<Vec<u8>>>) -> Option<()> {
    let mut out = stream.try_clone().ok()?;
    let mut lines = BufReader::new(stream);
    out.write_all(b"220 sink\r\n").ok()?;
    let mut line = Vec::new();
    loop {
        line.clear();
        if lines.read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        let answer = match line.get(..4).map(<[u8]>::to_ascii_uppercase).as_deref() {
            Some(b"EHLO") => "250-sink\r\n250 8BITMIME\r\n",
            Some(b"DATA") => {
                out.write_all(b"354 go on\r\n").ok()?;
                let message = data(&mut lines)?;
                kept.lock().ok()?.push(message);
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

/// Sends one message by SMTP, octet for octet as it is.
pub fn send(port: u16, mail: &str, message: &[u8]) {
    let stream = TcpStream::connect(("127.0.0.1", port)).expect("an MTA");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
    let mut out = stream.try_clone().expect("one socket, twice");
    let mut lines = BufReader::new(stream);
    let mut answer = |expected: &str| {
        let mut line = String::new();
        loop {
            line.clear();
            lines.read_line(&mut line).expect("an answer");
            assert!(line.starts_with(expected), "{line:?} instead of {expected}");
            if line.as_bytes().get(3) != Some(&b'-') {
                return;
            }
        }
    };
    answer("220");
    let mut say = |text: &[u8], expected: &str| {
        out.write_all(text).expect("the MTA reads");
        answer(expected);
    };
    say(b"EHLO client.example\r\n", "250");
    say(format!("MAIL FROM:<a@example.org>{mail}\r\n").as_bytes(), "250");
    say(b"RCPT TO:<b@example.org>\r\n", "250");
    say(b"DATA\r\n", "354");
    let mut stuffed = Vec::with_capacity(message.len());
    for line in message.split_inclusive(|&octet| octet == b'\n') {
        if line.starts_with(b".") {
            stuffed.push(b'.');
        }
        stuffed.extend_from_slice(line);
    }
    stuffed.extend_from_slice(b".\r\n");
    say(&stuffed, "250");
    say(b"QUIT\r\n", "221");
}
