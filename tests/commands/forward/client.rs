//! A client that says what it is told to say, and reads what it is answered.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use crate::milter::daemon::PATIENCE;

/// A connection to septet.
pub struct Client {
    pub out: TcpStream,
    lines: BufReader<TcpStream>,
}

impl Client {
    /// Connects, and reads the greeting.
    pub fn connect(port: u16) -> Client {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("septet");
        stream.set_read_timeout(Some(PATIENCE * 2)).expect("a timeout");
        stream.set_nodelay(true).expect("no delay");
        let mut client = Client { out: stream.try_clone().expect("a socket"), lines: BufReader::new(stream) };
        assert_eq!(code(&client.reply()), "220");
        client
    }

    /// Goes on with a connection on which this is said first, and reads the greeting.
    pub fn behind(stream: TcpStream, header: &[u8]) -> Client {
        stream.set_read_timeout(Some(PATIENCE * 2)).expect("a timeout");
        let mut client = Client { out: stream.try_clone().expect("a socket"), lines: BufReader::new(stream) };
        client.write(header);
        assert_eq!(code(&client.reply()), "220");
        client
    }

    /// Connects, and says EHLO.
    pub fn greeted(port: u16) -> Client {
        let mut client = Client::connect(port);
        assert_eq!(code(&client.say("EHLO client.example")), "250");
        client
    }

    /// Connects to an LMTP listener, and says LHLO.
    pub fn lmtp(port: u16) -> Client {
        let mut client = Client::connect(port);
        assert_eq!(code(&client.say("LHLO client.example")), "250");
        client
    }

    pub fn write(&mut self, octets: &[u8]) {
        self.out.write_all(octets).expect("septet reads");
    }

    /// Says one line, and returns the reply, the lines of it joined by `\n`; empty when the connection is closed.
    pub fn say(&mut self, line: &str) -> String {
        self.write(format!("{line}\r\n").as_bytes());
        self.reply()
    }

    /// Reads one reply; empty when the connection is closed.
    pub fn reply(&mut self) -> String {
        let mut reply = String::new();
        loop {
            let mut line = Vec::new();
            match self.lines.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return reply,
                Ok(_) => reply += String::from_utf8_lossy(&line).trim_end(),
            }
            if line.get(3) != Some(&b'-') {
                return reply;
            }
            reply.push('\n');
        }
    }

    /// Sends a message by DATA, its octets as they are; returns the first reply that refuses it, or the last one.
    pub fn send(&mut self, mail: &str, recipients: &[&str], raw: &[u8]) -> String {
        let reply = self.envelope(mail, recipients);
        if code(&reply) != "354" {
            return reply;
        }
        self.write(&stuffed(raw));
        self.reply()
    }

    /// Says the envelope and DATA; returns the first reply that refuses it, or the one to DATA.
    pub fn envelope(&mut self, mail: &str, recipients: &[&str]) -> String {
        let commands = [format!("MAIL FROM:{mail}")];
        let commands = commands.into_iter().chain(recipients.iter().map(|to| format!("RCPT TO:{to}")));
        for command in commands.chain(["DATA".to_owned()]) {
            let reply = self.say(&command);
            if !reply.starts_with('2') {
                return reply;
            }
        }
        unreachable!("DATA is never answered by 2xx")
    }
}

/// Returns a reply's code.
pub fn code(reply: &str) -> &str {
    reply.get(..3).unwrap_or(reply)
}

/// Doubles the dots that begin a line, and ends the message.
pub fn stuffed(message: &[u8]) -> Vec<u8> {
    let mut stuffed = Vec::with_capacity(message.len() + 8);
    for line in message.split_inclusive(|&octet| octet == b'\n') {
        if line.starts_with(b".") {
            stuffed.push(b'.');
        }
        stuffed.extend_from_slice(line);
    }
    stuffed.extend_from_slice(b".\r\n");
    stuffed
}
