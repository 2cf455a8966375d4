//! What a client might send.

use super::content::assert_one_end;
use super::{assert_lines, assert_replies};
use septet::protocol::smtp::{
    Client, Command, DataReader, DataWriter, Event, Keywords, LineEndPolicy, Reply, Session, SessionOptions,
    SmtpDialect,
};

/// How a connection goes, chosen by the first octet of an input.
#[derive(Clone, Copy)]
struct Setup(u8);

/// What came of a connection.
#[derive(Debug, Default, PartialEq)]
struct Played {
    out: Vec<u8>,
    /// The events; content that comes in several pieces is one.
    events: Vec<Event>,
    /// Where the content of a DATA began, and where it ended.
    contents: Vec<(usize, Option<usize>)>,
}

/// Feeds a session whatever this is, whole and in pieces, and panics where a promise is broken. For fuzzing.
///
/// Small limits are used, so that short inputs reach them. The first octet chooses the dialect, the policy and how the
/// next hop answers.
pub fn fuzz_smtp(input: &[u8]) {
    let Some((&setup, input)) = input.split_first() else { return };
    let setup = Setup(setup);
    let flights = flights(input);
    let whole = setup.play(&flights);
    whole.check(input, setup);
    for size in [1, 7, 4096] {
        let pieces: Vec<&[u8]> = flights.iter().flat_map(|flight| flight.chunks(size)).collect();
        assert_eq!(setup.play(&pieces), whole, "in pieces of {size}");
    }
    let mut early = setup.play(&[input]).out;
    let mut refusal = Vec::new();
    Reply::with_status(503, "5.5.1", "improper command pipelining after DATA").write(&mut refusal);
    if early != whole.out {
        assert!(early.ends_with(&refusal), "{}", early.escape_ascii());
        early.truncate(early.len() - refusal.len());
        assert!(whole.out.starts_with(&early), "{}", early.escape_ascii());
    }
}

/// Cuts behind every line that might be DATA, since a client must wait there.
fn flights(input: &[u8]) -> Vec<&[u8]> {
    let mut flights = Vec::new();
    let (mut start, mut line) = (0, 0);
    for (at, _) in input.iter().enumerate().filter(|(_, octet)| **octet == b'\n') {
        if input[line..at].windows(4).any(|word| word.eq_ignore_ascii_case(b"DATA")) {
            flights.push(&input[start..=at]);
            start = at + 1;
        }
        line = at + 1;
    }
    flights.push(&input[start..]);
    flights
}

impl Setup {
    fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    fn policy(self) -> LineEndPolicy {
        if self.has(2) { LineEndPolicy::Repair } else { LineEndPolicy::Reject }
    }

    fn session(self) -> Session {
        let options = SessionOptions {
            hostname: "mx.example".to_owned(),
            max_size: 2000,
            max_recipients: 3,
            line_ends: self.policy(),
            trusted: self.has(4),
            max_errors: 6,
        };
        Session::new(if self.has(1) { SmtpDialect::Lmtp } else { SmtpDialect::Smtp }, options)
    }

    /// Returns the answer to the event of this number: mostly the one that goes on.
    fn answer(self, session: &Session, event: &Event, number: usize) -> Reply {
        let hop = Keywords::of(&Reply::new(250, "hop\nDSN\nSIZE 3000\n8BITMIME"));
        match (event, number % 5) {
            (_, 3) if self.has(8) => Reply::new(550, "no\r\nnot \0 at all\x7f"),
            (_, 4) if self.has(16) => Reply::new(354, b"\xff\xc3\xa9 so?"),
            (_, 2) if self.has(32) => Reply::new(421, "closing"),
            (_, 1) if self.has(64) => Reply::new(250, "whatever"),
            (Event::Hello { verb, .. }, _) => session.hello_reply(*verb, &hop),
            (Event::Data, _) => Reply::new(354, "go on"),
            (Event::XClient(_), _) => session.greeting(),
            _ => Reply::with_status(250, "2.0.0", "fine"),
        }
    }

    fn play(self, pieces: &[&[u8]]) -> Played {
        let (mut session, mut played) = (self.session(), Played::default());
        let (mut unread, mut taken, mut number) = (Vec::new(), 0, 0);
        for piece in pieces {
            unread.extend_from_slice(piece);
            loop {
                let received = session.receive(&unread, &mut played.out);
                unread.drain(..received.used);
                taken += received.used;
                let Some(event) = received.event else { break };
                played.note(&session, event.clone(), taken);
                match event {
                    Event::Content(_) => {}
                    Event::Closed | Event::Quit => return played,
                    event => {
                        assert!(session.is_waiting());
                        let answer = self.answer(&session, &event, number);
                        session.answer(&answer, &mut played.out);
                        number += 1;
                        if session.stage() == septet::protocol::smtp::Stage::Data {
                            played.contents.push((taken, None));
                        }
                    }
                }
            }
        }
        played
    }
}

impl Played {
    fn note(&mut self, session: &Session, event: Event, taken: usize) {
        match (event, self.events.last_mut()) {
            (Event::Content(piece), Some(Event::Content(before))) => before.extend(piece),
            (event, _) => {
                let over = matches!(event, Event::End(_));
                if let Some((_, end @ None)) = self.contents.last_mut().filter(|_| over) {
                    *end = Some(taken);
                }
                assert!(!over || !session.envelope().recipients.is_empty(), "a message for nobody");
                self.events.push(event);
            }
        }
    }

    fn check(&self, input: &[u8], setup: Setup) {
        assert_replies(&self.out);
        self.contents.iter().for_each(|&(start, end)| assert_end(&input[start..], end.map(|end| end - start)));
        let mut content: &[u8] = &[];
        for event in &self.events {
            match event {
                Event::Content(piece) => content = piece,
                Event::End(end) if end.fault.is_none() => {
                    assert_eq!(end.size, content.len() as u64);
                    assert_content(content, setup.policy());
                    content = &[];
                }
                // What came before was given up.
                Event::End(_) | Event::Reset => content = &[],
                Event::Mail(_) => {
                    content = &[];
                    assert_handed_on(event);
                }
                other => assert_handed_on(other),
            }
        }
    }
}

/// Checks the end of a DATA against a search for the octets that end it.
fn assert_end(content: &[u8], end: Option<usize>) {
    let lines = [b"\r\n", content].concat();
    let found = lines.windows(5).position(|window| window == b"\r\n.\r\n").map(|at| at + 3);
    // Without an event the connection was closed, or the end did not come.
    assert!(end.is_none() || end == found, "{end:?}, not {found:?}: {}", content.escape_ascii());
    assert!(end.is_some() || found.is_none(), "no end at {found:?}: {}", content.escape_ascii());
}

/// Checks that content is written as one message, and read back as it is.
fn assert_content(content: &[u8], policy: LineEndPolicy) {
    let (mut writer, mut wire, mut back) = (DataWriter::default(), Vec::new(), Vec::new());
    writer.write(content, &mut wire);
    writer.finish(&mut wire);
    assert_one_end(&wire);
    let mut reader = DataReader::data(policy, 0);
    assert_eq!(reader.read(&wire, &mut back), wire.len());
    assert!(reader.is_over() && reader.fault().is_none());
    // A message in chunks need not end in CRLF.
    let meant =
        if content.is_empty() || content.ends_with(b"\r\n") { content.to_vec() } else { [content, b"\r\n"].concat() };
    assert_eq!(back.escape_ascii().to_string(), meant.escape_ascii().to_string());
}

/// Checks that a command is handed on as one line that means the same.
fn assert_handed_on(event: &Event) {
    let (mut client, mut out) = (Client::new(SmtpDialect::Lmtp), Vec::new());
    let meant = match event {
        Event::Mail(mail) => {
            client.mail(mail, &mut out);
            Command::Mail(mail.clone())
        }
        Event::Rcpt(rcpt) => {
            client.rcpt(rcpt, &mut out);
            Command::Rcpt(rcpt.clone())
        }
        Event::XForward(attributes) => {
            client.xforward(attributes, &mut out);
            Command::XForward(attributes.clone())
        }
        _ => return,
    };
    assert_lines(&out);
    assert_eq!(out.iter().filter(|octet| **octet == b'\n').count(), 1, "{}", out.escape_ascii());
    assert_eq!(Command::read(&out[..out.len() - 2]), Ok(meant), "{}", out.escape_ascii());
}
