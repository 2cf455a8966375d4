//! The scripts of fixtures/dialogue/{smtp,lmtp}, played in step, whole, octet by octet, cut at random, and damaged.

use proptest::prelude::*;
use septet::protocol::smtp::{Reply, Session, SessionOptions, SmtpDialect};
use septet_support::smtp::{fuzz_smtp, fuzz_smtp_client};

use super::play::Play;
use super::script::scripts;

/// Cuts behind every line that might be DATA, since a client must wait there.
fn flights(input: &[u8]) -> Vec<&[u8]> {
    let (mut flights, mut start) = (Vec::new(), 0);
    for (at, _) in input.iter().enumerate().filter(|(_, octet)| **octet == b'\n') {
        if input[start..at].windows(4).any(|word| word.eq_ignore_ascii_case(b"DATA")) {
            flights.push(&input[start..=at]);
            start = at + 1;
        }
    }
    flights.push(&input[start..]);
    flights
}

#[test]
fn every_dialogue_goes_as_written() {
    for script in scripts() {
        let (mut play, mut answered) = (Play::new(&script), Vec::new());
        for step in &script.steps {
            play.feed(&step.send);
            answered.push(std::mem::take(&mut play.lines));
        }
        if std::env::var_os("BLESS").is_some() {
            script.bless(&answered);
            continue;
        }
        for (step, lines) in script.steps.iter().zip(answered) {
            assert_eq!(lines, step.expected, "{}: {}", script.name(), step.line);
        }
    }
}

#[test]
fn a_dialogue_is_the_same_whole_and_octet_by_octet() {
    for script in scripts().into_iter().filter(|script| !script.early) {
        let input = script.input();
        assert_eq!(Play::new(&script).pieces(flights(&input)), script.expected(), "{}, whole", script.name());
        let octets = Play::new(&script).pieces(input.chunks(1));
        assert_eq!(octets, script.expected(), "{}, octet by octet", script.name());
    }
}

#[test]
fn no_dialogue_makes_the_fuzz_bodies_fail() {
    for script in scripts() {
        let input = script.input();
        for setup in [0, 1, 2, 4, 8, 16, 32, 64, 255] {
            fuzz_smtp(&[&[setup], &input[..input.len().min(20_000)]].concat());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_dialogue_does_not_depend_on_where_it_is_cut(sizes in prop::collection::vec(1usize..90, 1..40)) {
        for script in scripts().into_iter().filter(|script| !script.early) {
            let input = script.input();
            let mut pieces = Vec::new();
            let mut sizes = sizes.iter().cycle();
            for mut rest in flights(&input) {
                while !rest.is_empty() {
                    let (piece, later) = rest.split_at((*sizes.next().expect("endless")).min(rest.len()));
                    pieces.push(piece);
                    rest = later;
                }
            }
            prop_assert_eq!(Play::new(&script).pieces(pieces), script.expected(), "{}", script.name());
        }
    }

    #[test]
    fn a_damaged_dialogue_keeps_every_promise(
        which in 0usize..100,
        setup in any::<u8>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(&b"\r\n.\0 <>:=\xff\xc3a9"[..])), 0..6),
    ) {
        let scripts = scripts();
        let mut input = scripts[which % scripts.len()].input();
        input.truncate(4096);
        input.insert(0, setup);
        for (at, octet) in damage {
            let at = at.index(input.len());
            input[at] = octet;
        }
        fuzz_smtp(&input);
    }

    #[test]
    fn anything_at_all_keeps_every_promise(input in prop::collection::vec(any::<u8>(), 0..300)) {
        fuzz_smtp(&input);
        fuzz_smtp_client(&input);
    }
}

/// Nothing was logged of a chunk that was refused, and nothing counted.
#[test]
fn a_refused_chunk_is_a_refused_command() {
    let mut session = Session::new(SmtpDialect::Smtp, SessionOptions::default());
    let mut out = Vec::new();
    session.receive(b"BDAT 4 LAST\r\nNOOP", &mut out);
    let refused = session.take_refusals();
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert_eq!((&refused[0].command[..], refused[0].reply.code), (&b"BDAT 4 LAST"[..], 503));
    assert!(out.starts_with(b"503 ") && session.take_refusals().is_empty());
    session.receive(b"EHLO a\r\n", &mut out);
    for (command, code) in [(&b""[..], 250), (b"MAIL FROM:<a@b.example>\r\n", 250), (b"RCPT TO:<a@b.example>\r\n", 250)]
    {
        session.receive(command, &mut out);
        session.answer(&Reply::new(code, "ok"), &mut out);
    }
    session.receive(b"BDAT 4 LAST\r\nNOOP", &mut out);
    session.answer(&Reply::new(451, "not now"), &mut out);
    // Before the chunk is thrown away, as long as it is known who refused it.
    assert_eq!(session.take_refusals().len(), 1);
}
