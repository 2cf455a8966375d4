//! The scripts of fixtures/dialogue/milter: see the README there.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use septet::edit::{EditList, Span};
use septet::message::Limits;
use septet::protocol::milter::{Frame, MilterEvent, MilterReply, MilterSession, Modifications, Wants, put};
use septet_support::escapes::octets;
use septet_support::milter::fuzz_session;

/// One script, read.
#[derive(Debug, Default)]
struct Script {
    wants: Option<Wants>,
    limits: Limits,
    edits: Vec<(Vec<u8>, Vec<u8>)>,
    lines: Vec<Line>,
}

#[derive(Debug)]
enum Line {
    Send(Vec<u8>),
    Expect(Vec<u8>),
    Message(Vec<u8>),
    Error(String),
}

/// What came of a connection.
#[derive(Debug, Default, PartialEq)]
struct Played {
    out: Vec<u8>,
    messages: Vec<Vec<u8>>,
    error: Option<String>,
    closed: bool,
}

fn scripts() -> Vec<(String, Script)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/dialogue/milter");
    let mut scripts: Vec<_> = fs::read_dir(folder)
        .expect("the scripts are there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .map(|path| {
            let text = fs::read_to_string(&path).expect("UTF-8");
            (path.file_stem().expect("named").to_string_lossy().into_owned(), Script::read(&text))
        })
        .collect();
    scripts.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(scripts.len() > 15, "{} scripts", scripts.len());
    scripts
}

impl Script {
    fn read(text: &str) -> Script {
        let mut script = Script::default();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "want" => script.wants = Some(wants(rest)),
                "limit" => script.limit(rest),
                "edit" => {
                    let (old, new) = rest.split_once(" =>").expect("OLD => NEW");
                    script.edits.push((octets(old), octets(new.strip_prefix(' ').unwrap_or(new))));
                }
                ">" => script.lines.push(Line::Send(packet(rest))),
                ">>" => script.lines.push(Line::Send(octets(rest))),
                "<" => script.lines.push(Line::Expect(packet(rest))),
                "=" => script.lines.push(Line::Message(octets(rest))),
                "!" => script.lines.push(Line::Error(rest.to_owned())),
                _ => panic!("a line of no kind: {line}"),
            }
        }
        script
    }

    fn limit(&mut self, rest: &str) {
        let (which, number) = rest.split_once(' ').expect("a limit and a number");
        let number = number.parse().expect("a number");
        match which {
            "message" => self.limits.message_bytes = number,
            "header" => self.limits.header_bytes = number,
            _ => panic!("no limit {which}"),
        }
    }

    fn session(&self) -> MilterSession {
        MilterSession::new(self.wants.unwrap_or(Wants { content: true, recipients: false }), self.limits)
    }

    fn input(&self) -> Vec<u8> {
        let sent =
            self.lines.iter().filter_map(|line| if let Line::Send(octets) = line { Some(&octets[..]) } else { None });
        sent.collect::<Vec<_>>().concat()
    }

    fn expected(&self) -> Played {
        let mut played = Played::default();
        for line in &self.lines {
            match line {
                Line::Expect(octets) => played.out.extend_from_slice(octets),
                Line::Message(raw) => played.messages.push(raw.clone()),
                Line::Error(clause) => played.error = Some(clause.clone()),
                Line::Send(_) => {}
            }
        }
        played.closed = played.error.is_none();
        played
    }

    /// Feeds a piece; false when the connection is over.
    fn feed(&self, session: &mut MilterSession, message: &mut Vec<u8>, piece: &[u8], played: &mut Played) -> bool {
        message.extend_from_slice(piece);
        loop {
            let received = match session.receive(message, &mut played.out) {
                Ok(received) => received,
                Err(error) => {
                    played.error = Some(error.to_string());
                    return false;
                }
            };
            message.drain(..received.used);
            match received.event {
                None => return true,
                Some(MilterEvent::Closed) => {
                    played.closed = true;
                    return false;
                }
                Some(MilterEvent::Message) => self.answer(session, played),
            }
        }
    }

    fn answer(&self, session: &mut MilterSession, played: &mut Played) {
        let content = session.take_message();
        played.messages.push(content.raw().to_vec());
        let mut edits = EditList::new();
        for (old, new) in &self.edits {
            for at in memchr::memmem::find_iter(content.raw(), old) {
                edits.push(Span::new(at, at + old.len()), new.clone()).expect("disjoint");
            }
        }
        if let Ok(requests) = Modifications::of(&content, &edits, &session.negotiated()) {
            requests.write(&mut played.out);
        }
        MilterReply::Continue.write(&mut played.out);
        session.answered(content);
    }

    fn play(&self, sizes: &mut dyn Iterator<Item = usize>) -> Played {
        let (mut session, mut message, mut played) = (self.session(), Vec::new(), Played::default());
        let input = self.input();
        let mut rest = &input[..];
        while !rest.is_empty() {
            let size = sizes.next().expect("endless").clamp(1, rest.len());
            let (piece, later) = rest.split_at(size);
            rest = later;
            if !self.feed(&mut session, &mut message, piece, &mut played) {
                break;
            }
        }
        played
    }

    /// Plays in step: what is expected must be there before more is sent, and nothing else.
    fn play_in_step(&self, name: &str) {
        let (mut session, mut message, mut played) = (self.session(), Vec::new(), Played::default());
        let mut expected = Vec::new();
        for (number, line) in self.lines.iter().enumerate() {
            match line {
                Line::Send(octets) => {
                    assert_eq!(show(&played.out), show(&expected), "{name}, before line {number}");
                    self.feed(&mut session, &mut message, octets, &mut played);
                }
                Line::Expect(octets) => expected.extend_from_slice(octets),
                Line::Message(_) | Line::Error(_) => {}
            }
        }
        assert_eq!(show(&played.out), show(&expected), "{name}, at the end");
    }
}

impl Played {
    fn check(&self, expected: &Played, how: &str) {
        assert_eq!(show(&self.out), show(&expected.out), "{how}: answers");
        assert_eq!(self.closed, expected.closed, "{how}: {:?}", self.error);
        match (&self.error, &expected.error) {
            (Some(error), Some(clause)) => assert!(error.contains(clause.as_str()), "{how}: {error}"),
            (error, expected) => assert_eq!(error, expected, "{how}"),
        }
        if !expected.messages.is_empty() {
            let shown: Vec<String> = self.messages.iter().map(|raw| raw.escape_ascii().to_string()).collect();
            for message in &expected.messages {
                assert!(self.messages.contains(message), "{how}: {} of {shown:?}", message.escape_ascii());
            }
        }
    }
}

/// Shows packets a line each, for a failure that can be read.
fn show(mut octets: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    while let Ok(Some(frame)) = Frame::read(octets) {
        let data = frame.data.escape_ascii().to_string();
        lines.push(format!("{} {}", char::from(frame.code), if data.len() > 300 { &data[..300] } else { &data }));
        octets = &octets[frame.length()..];
    }
    if !octets.is_empty() {
        lines.push(format!("rest {}", octets.escape_ascii()));
    }
    lines
}

fn wants(word: &str) -> Wants {
    Wants { content: word != "nothing", recipients: word == "recipients" }
}

/// Reads `C data` as a packet.
fn packet(text: &str) -> Vec<u8> {
    let (code, rest) = text.split_once(' ').unwrap_or((text, ""));
    let mut numbers = Vec::new();
    let mut rest = rest;
    let (count, radix) = match code {
        "O" => (3, 16),
        "m" | "i" => (1, 10),
        _ => (0, 10),
    };
    for _ in 0..count {
        let (number, later) = rest.split_once(' ').unwrap_or((rest, ""));
        numbers.extend(u32::from_str_radix(number, radix).expect("a number").to_be_bytes());
        rest = later;
    }
    let mut out = Vec::new();
    put(&mut out, code.as_bytes()[0], &[&numbers, &octets(rest)]);
    out
}

#[test]
fn every_dialogue_goes_as_written() {
    for (name, script) in scripts() {
        script.play_in_step(&name);
        let expected = script.expected();
        script.play(&mut std::iter::repeat(usize::MAX)).check(&expected, &format!("{name}, whole"));
        script.play(&mut std::iter::repeat(1)).check(&expected, &format!("{name}, octet by octet"));
    }
}

#[test]
fn no_dialogue_makes_the_fuzz_body_fail() {
    for (_, script) in scripts() {
        // Octet by octet, a long body takes its time and shows nothing that a short one does not.
        let input = script.input();
        fuzz_session(&input[..input.len().min(20_000)]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_dialogue_does_not_depend_on_where_it_is_cut(sizes in prop::collection::vec(1usize..90, 1..40)) {
        for (name, script) in scripts() {
            let played = script.play(&mut sizes.iter().copied().cycle());
            played.check(&script.expected(), &format!("{name}, cut {sizes:?}"));
        }
    }

    #[test]
    fn a_damaged_dialogue_ends_in_an_error_at_most(
        which in 0usize..100,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let scripts = scripts();
        let mut input = scripts[which % scripts.len()].1.input();
        input.truncate(4096);
        for (at, octet) in damage {
            let at = at.index(input.len());
            input[at] = octet;
        }
        input.truncate(cut.index(input.len()) + 1);
        fuzz_session(&input);
    }

    #[test]
    fn anything_at_all_ends_in_an_error_at_most(input in prop::collection::vec(any::<u8>(), 0..300)) {
        fuzz_session(&input);
    }
}
