//! A client of SMTP that sends octets as they are.

use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A connection that has said EHLO.
pub struct Client {
    out: TcpStream,
    lines: BufReader<TcpStream>,
}

impl Client {
    /// Connects; an MTA that says 4xx is an error, as is one that is gone.
    pub fn connect(port: u16) -> io::Result<Client> {
        Client::connect_to("127.0.0.1", port)
    }

    /// Connects by another address of this host.
    pub fn connect_to(host: &str, port: u16) -> io::Result<Client> {
        let stream = TcpStream::connect((host, port))?;
        stream.set_read_timeout(Some(Duration::from_secs(120)))?;
        stream.set_nodelay(true)?;
        let mut client = Client { out: stream.try_clone()?, lines: BufReader::new(stream) };
        client.answer("220")?;
        client.say(b"EHLO client.example\r\n", "250")?;
        Ok(client)
    }

    /// Sends one message; `mail` is what MAIL says behind the sender.
    ///
    /// An error means that the MTA did not take it: anything but the answer 250 at its end.
    pub fn send(&mut self, sender: &str, mail: &str, recipients: &[String], message: &[u8]) -> io::Result<()> {
        self.say(format!("MAIL FROM:<{sender}>{mail}\r\n").as_bytes(), "250")?;
        for recipient in recipients {
            self.say(format!("RCPT TO:<{recipient}>\r\n").as_bytes(), "250")?;
        }
        self.say(b"DATA\r\n", "354")?;
        self.say(&stuffed(message), "250")
    }

    fn say(&mut self, text: &[u8], expected: &str) -> io::Result<()> {
        self.out.write_all(text)?;
        self.answer(expected)
    }

    fn answer(&mut self, expected: &str) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            line.clear();
            if self.lines.read_until(b'\n', &mut line)? == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            if !line.starts_with(expected.as_bytes()) {
                return Err(io::Error::other(String::from_utf8_lossy(&line).into_owned()));
            }
            if line.get(3) != Some(&b'-') {
                return Ok(());
            }
        }
    }
}

/// Doubles the dots that begin a line, and ends the message.
fn stuffed(message: &[u8]) -> Vec<u8> {
    let mut stuffed = Vec::with_capacity(message.len() + message.len() / 64 + 3);
    for line in message.split_inclusive(|&octet| octet == b'\n') {
        if line.starts_with(b".") {
            stuffed.push(b'.');
        }
        stuffed.extend_from_slice(line);
    }
    if !message.is_empty() && !message.ends_with(b"\r\n") {
        stuffed.extend_from_slice(b"\r\n");
    }
    stuffed.extend_from_slice(b".\r\n");
    stuffed
}
