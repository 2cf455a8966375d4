//! A next hop that does as it is told: it offers chosen keywords, refuses recipients, and at a chosen stage answers
//! otherwise, stalls or dies. It keeps every message that it accepted, and every line that it was told.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, sleep};
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::milter::daemon::{PATIENCE, wait};

/// A message that it accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrived {
    /// MAIL as it was said, without `MAIL FROM:`.
    pub mail: String,
    /// Each RCPT that was accepted, without `RCPT TO:`.
    pub recipients: Vec<String>,
    /// The octets, without dot-stuffing.
    pub raw: Vec<u8>,
}

/// Where something happens; a command by its first word, in upper case.
pub const GREETING: &str = "GREETING";
/// In the content, before its end is read.
pub const CONTENT: &str = "CONTENT";
/// At the answer to a message.
pub const END: &str = "END";

/// What it does at a stage instead of what it should.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Says this, which may be anything.
    Say(Vec<u8>),
    /// Says this, and closes the connection.
    SayAndDie(Vec<u8>),
    /// Does as it should, and says this behind it.
    Add(Vec<u8>),
    /// Closes the connection.
    Die,
    /// Says nothing for this long, and then does as it should.
    Stall(Duration),
}

/// How it behaves; a test may change it at any time.
#[derive(Debug, Clone, Default)]
pub struct Behaviour {
    /// What it offers.
    pub keywords: Vec<String>,
    /// Whether it speaks LMTP.
    pub lmtp: bool,
    /// Whether it knows HELO.
    pub helo: bool,
    /// The password or the token of a login, which must come with these mechanisms.
    pub secret: Option<&'static str>,
    /// What it does at stages.
    pub faults: HashMap<&'static str, Fault>,
    /// Recipients whose address holds this are refused, by 550 5.1.1.
    pub refused: Option<&'static str>,
    /// Recipients whose address holds this are refused when the message is whole (LMTP).
    pub refused_at_end: Option<&'static str>,
}

#[derive(Debug, Default)]
struct State {
    behaviour: Mutex<Behaviour>,
    kept: Mutex<Vec<Arrived>>,
    lines: Mutex<Vec<String>>,
    open: AtomicUsize,
    most: AtomicUsize,
    connections: AtomicUsize,
    streams: Mutex<Vec<TcpStream>>,
}

/// A server on a port of its own.
pub struct NextHop {
    pub port: u16,
    state: Arc<State>,
}

impl NextHop {
    /// Starts one that offers these keywords, and does as it should.
    pub fn with(keywords: &[&str]) -> NextHop {
        let keywords = keywords.iter().map(|&keyword| keyword.to_owned()).collect();
        NextHop::behaving(Behaviour { keywords, ..Behaviour::default() })
    }

    /// Starts one that takes all there is.
    pub fn capable() -> NextHop {
        NextHop::with(&["PIPELINING", "8BITMIME", "SMTPUTF8", "DSN", "ENHANCEDSTATUSCODES"])
    }

    pub fn behaving(behaviour: Behaviour) -> NextHop {
        NextHop::on(TcpListener::bind("127.0.0.1:0").expect("a port"), behaviour)
    }

    /// Starts one on a port that a test chose.
    pub fn on(socket: TcpListener, behaviour: Behaviour) -> NextHop {
        let port = socket.local_addr().expect("an address").port();
        let state = Arc::new(State { behaviour: Mutex::new(behaviour), ..State::default() });
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in socket.incoming().flatten() {
                let state = Arc::clone(&shared);
                thread::spawn(move || serve(stream, &state));
            }
        });
        NextHop { port, state }
    }

    /// Returns it as the settings have it.
    pub fn address(&self) -> String {
        let kind = if self.behaviour().lmtp { "lmtp" } else { "smtp" };
        format!("{kind}:127.0.0.1:{}", self.port)
    }

    pub fn behaviour(&self) -> MutexGuard<'_, Behaviour> {
        lock(&self.state.behaviour)
    }

    /// Has it do otherwise at one stage, and as it should at all others.
    pub fn fault(&self, stage: &'static str, fault: Fault) {
        self.behaviour().faults = HashMap::from([(stage, fault)]);
    }

    pub fn all(&self) -> Vec<Arrived> {
        lock(&self.state.kept).clone()
    }

    pub fn count(&self) -> usize {
        lock(&self.state.kept).len()
    }

    /// Returns the messages that came since the last time, and forgets them.
    pub fn take(&self) -> Vec<Arrived> {
        std::mem::take(&mut lock(&self.state.kept))
    }

    /// Returns the lines that it was told, of all connections.
    pub fn lines(&self) -> Vec<String> {
        lock(&self.state.lines).clone()
    }

    /// Closes every connection, as a server does with those that idle.
    pub fn hang_up(&self) {
        for stream in lock(&self.state.streams).drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Returns how many connections there were.
    pub fn connections(&self) -> usize {
        self.state.connections.load(Ordering::SeqCst)
    }

    /// Returns how many connections were open at once at the most.
    pub fn most(&self) -> usize {
        self.state.most.load(Ordering::SeqCst)
    }

    /// Waits until this many messages have come.
    pub fn wait_for(&self, count: usize) -> Vec<Arrived> {
        wait(|| self.all().len() >= count, || format!("message {count} at the next hop: {:?}", self.lines()));
        self.all()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn serve(stream: TcpStream, state: &State) {
    let open = state.open.fetch_add(1, Ordering::SeqCst) + 1;
    state.most.fetch_max(open, Ordering::SeqCst);
    state.connections.fetch_add(1, Ordering::SeqCst);
    let Ok(closing) = stream.try_clone() else { return };
    lock(&state.streams).extend(stream.try_clone());
    talk(stream, state);
    let _ = closing.shutdown(Shutdown::Both);
    state.open.fetch_sub(1, Ordering::SeqCst);
}

/// One connection.
struct Talk<'a> {
    out: TcpStream,
    lines: BufReader<TcpStream>,
    state: &'a State,
    mail: Option<String>,
    recipients: Vec<String>,
}

fn talk(stream: TcpStream, state: &State) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    stream.set_read_timeout(Some(PATIENCE * 4)).ok()?;
    let out = stream.try_clone().ok()?;
    let mut talk = Talk { out, lines: BufReader::new(stream), state, mail: None, recipients: Vec::new() };
    talk.answer(GREETING, b"220 next.example ESMTP\r\n")?;
    loop {
        let line = talk.line()?;
        lock(&state.lines).push(String::from_utf8_lossy(&line).trim_end().to_owned());
        let verb = String::from_utf8_lossy(&line).split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
        talk.command(&verb, &line)?;
    }
}

impl Talk<'_> {
    fn line(&mut self) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        let read = self.lines.read_until(b'\n', &mut line).ok()?;
        (read > 0 && line.ends_with(b"\r\n")).then_some(line)
    }

    /// Answers, or does what it does at this stage instead; none when the connection is over, else whether it did as it
    /// should.
    fn answer(&mut self, stage: &str, answer: &[u8]) -> Option<bool> {
        let fault = lock(&self.state.behaviour).faults.get(stage).cloned();
        let more;
        let (said, goes_on) = match &fault {
            None => (answer, true),
            Some(Fault::Add(behind)) => {
                more = [answer, behind].concat();
                (&more[..], true)
            }
            Some(Fault::Say(other)) => (&other[..], true),
            Some(Fault::SayAndDie(other)) => (&other[..], false),
            Some(Fault::Die) => return None,
            Some(Fault::Stall(time)) => {
                sleep(*time);
                (answer, true)
            }
        };
        self.out.write_all(said).ok()?;
        goes_on.then_some(said.starts_with(b"2") || said.starts_with(b"3"))
    }

    fn command(&mut self, verb: &str, line: &[u8]) -> Option<()> {
        let behaviour = lock(&self.state.behaviour).clone();
        match verb {
            "EHLO" | "LHLO" if (verb == "LHLO") == behaviour.lmtp => {
                let keywords: String = behaviour.keywords.iter().map(|keyword| format!("250-{keyword}\r\n")).collect();
                self.answer("EHLO", format!("250-next.example\r\n{keywords}250 HELP\r\n").as_bytes())?;
            }
            "HELO" if behaviour.helo => drop(self.answer(verb, b"250 next.example\r\n")?),
            "AUTH" if behaviour.secret.is_some() => self.auth(line, behaviour.secret.unwrap_or_default())?,
            "MAIL" => {
                let good = self.mail.is_none();
                let accepted = self.answer(verb, if good { b"250 sender ok\r\n" } else { b"503 nested\r\n" })?;
                if accepted && good {
                    self.mail = Some(argument(line));
                    self.recipients.clear();
                }
            }
            "RCPT" => self.rcpt(&argument(line), behaviour.refused)?,
            "DATA" => self.data(&behaviour)?,
            "RSET" => {
                self.answer(verb, b"250 reset\r\n")?;
                self.mail = None;
                self.recipients.clear();
            }
            "QUIT" => {
                self.answer(verb, b"221 bye\r\n")?;
                return None;
            }
            "XFORWARD" | "NOOP" => drop(self.answer(verb, b"250 ok\r\n")?),
            _ => drop(self.answer(verb, b"500 what\r\n")?),
        }
        Some(())
    }

    /// Takes a login whose last words hold the secret.
    fn auth(&mut self, line: &[u8], secret: &str) -> Option<()> {
        let line = String::from_utf8_lossy(line).trim_end().to_owned();
        let mut said = line.rsplit(' ').next().map(str::to_owned)?;
        if line == "AUTH LOGIN" {
            for asked in ["VXNlcm5hbWU6", "UGFzc3dvcmQ6"] {
                self.answer("AUTH", format!("334 {asked}\r\n").as_bytes())?;
                said = String::from_utf8_lossy(&self.line()?).trim_end().to_owned();
            }
        }
        let decoded = BASE64_STANDARD.decode(said).unwrap_or_default();
        let good = String::from_utf8_lossy(&decoded).contains(secret);
        if !good && line.starts_with("AUTH XOAUTH2") {
            // {"status":"invalid_token"}
            self.answer("AUTH", b"334 eyJzdGF0dXMiOiJpbnZhbGlkX3Rva2VuIn0=\r\n")?;
            assert_eq!(self.line()?, b"\r\n");
        }
        self.answer("AUTH", if good { b"235 2.7.0 welcome\r\n" } else { b"535 5.7.8 who are you\r\n" }).map(drop)
    }

    fn rcpt(&mut self, path: &str, refused: Option<&str>) -> Option<()> {
        let good = self.mail.is_some() && !refused.is_some_and(|refused| path.contains(refused));
        let answer: &[u8] = if good { b"250 recipient ok\r\n" } else { b"550 5.1.1 no such user\r\n" };
        if self.answer("RCPT", answer)? && good {
            self.recipients.push(path.to_owned());
        }
        Some(())
    }

    fn data(&mut self, behaviour: &Behaviour) -> Option<()> {
        if self.recipients.is_empty() {
            return self.answer("DATA", b"554 no valid recipients\r\n").map(drop);
        }
        if !self.answer("DATA", b"354 go on\r\n")? {
            return Some(());
        }
        if behaviour.faults.contains_key(CONTENT) {
            self.lines.fill_buf().ok()?;
            self.answer(CONTENT, b"")?;
        }
        let raw = self.content()?;
        let recipients = std::mem::take(&mut self.recipients);
        let mail = self.mail.take()?;
        let refused = |path: &String| behaviour.refused_at_end.is_some_and(|refused| path.contains(refused));
        let replies = match behaviour.lmtp {
            true => recipients
                .iter()
                .map(|path| if refused(path) { "452 4.2.2 full\r\n" } else { "250 kept\r\n" })
                .collect(),
            false => "250 kept\r\n".to_owned(),
        };
        let recipients: Vec<String> = recipients.into_iter().filter(|path| !refused(path)).collect();
        let fault = behaviour.faults.get(END);
        // What it says of a message counts, and not whether that is heard.
        if !matches!(fault, Some(Fault::Die | Fault::Say(_) | Fault::SayAndDie(_))) && !recipients.is_empty() {
            lock(&self.state.kept).push(Arrived { mail, recipients, raw });
        }
        self.answer(END, replies.as_bytes()).map(drop)
    }

    /// Reads to the line with a dot alone. Content in which a CR or LF stands alone is kept as it is.
    fn content(&mut self) -> Option<Vec<u8>> {
        let mut message = Vec::new();
        loop {
            let mut line = Vec::new();
            if self.lines.read_until(b'\n', &mut line).ok()? == 0 {
                return None;
            }
            if line == b".\r\n" && (message.is_empty() || message.ends_with(b"\r\n")) {
                return Some(message);
            }
            message.extend_from_slice(line.strip_prefix(b".").unwrap_or(&line));
        }
    }
}

/// Returns what follows the colon of MAIL or RCPT.
fn argument(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.split_once(':').map_or_else(String::new, |(_, rest)| rest.trim_end().to_owned())
}
