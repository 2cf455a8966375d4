//! A next hop that refuses, dies, stalls or talks nonsense at every stage: the client is never told that a message was
//! accepted when it was not, and the next message goes through once the next hop is well again.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use super::client::stuffed;
use super::next_hop::{CONTENT, END, GREETING};
use super::{Behaviour, Client, Fault, NextHop, PLAIN, code, forward, listener};
use crate::milter::daemon::{Daemon, wait};

/// Short times, so that what stalls ends.
const TIMES: &str = "next_hop_time = \"1s\"\nnext_hop_end_time = \"1500ms\"";

const STAGES: [&str; 7] = [GREETING, "EHLO", "MAIL", "RCPT", "DATA", CONTENT, END];

fn say(text: &str) -> Fault {
    Fault::Say(text.as_bytes().to_vec())
}

/// The faults of a stage, each with what the code of the client's reply starts with.
fn faults(stage: &str) -> Vec<(Fault, &'static str)> {
    let early = matches!(stage, GREETING | "EHLO");
    let content = stage == CONTENT;
    let megabyte = [b"250-".repeat(1 << 18), b"\r\n".to_vec()].concat();
    let lines = [b"250-more\r\n".repeat(100_000), b"250 done\r\n".to_vec()].concat();
    let unended = vec![b'2'; 1 << 20];
    let mut faults = vec![
        (Fault::Die, "4"),
        (Fault::Stall(Duration::from_secs(4)), "4"),
        (Fault::SayAndDie(b"421 4.3.2 shutting down\r\n".to_vec()), "4"),
        (say("what is this?\r\n"), "4"),
        (say("999 beyond\r\n"), "4"),
        (say("\0\0\0\0\r\n\r\n\r\n"), "4"),
        (Fault::Say(megabyte), "4"),
        (Fault::Say(lines), "4"),
        (Fault::SayAndDie(unended), "4"),
    ];
    if !content {
        // A next hop that does not want to talk may want to later.
        faults.push((say("451 4.7.1 not now\r\n"), "4"));
        faults.push((say("554 5.7.1 never\r\n"), if early { "4" } else { "5" }));
        faults.push((say("250-a\r\n"), "4"));
    }
    if matches!(stage, "MAIL" | "RCPT" | END) {
        faults.push((say("354 go on\r\n"), "4"));
    }
    if stage == "DATA" {
        faults.push((say("250 done already\r\n"), "4"));
    }
    if content {
        // What comes before the end of a message is no answer to it.
        faults.push((say("250 2.0.0 done already\r\n"), "4"));
    }
    faults
}

/// Returns `true` if a message came for a recipient.
fn came(next_hop: &NextHop, recipient: &str) -> bool {
    next_hop.all().iter().any(|one| one.recipients.iter().any(|path| path.contains(recipient)))
}

/// Holds every fault at every stage against a listener with these keys.
fn hold(protocol: &str, keys: &str) {
    let lmtp = protocol == "lmtp";
    let keywords = ["8BITMIME", "SMTPUTF8"].map(str::to_owned).to_vec();
    let next_hop = NextHop::behaving(Behaviour { keywords, lmtp, ..Behaviour::default() });
    let daemon = Daemon::configured(&listener(protocol, &next_hop.address(), &format!("{TIMES}\n{keys}")));
    let connect = || if lmtp { Client::lmtp(daemon.port()) } else { Client::greeted(daemon.port()) };
    let mut number = 0;
    for stage in STAGES {
        for (fault, expected) in faults(stage) {
            number += 1;
            let (ill, well) = (format!("<ill{number}@example.net>"), format!("<well{number}@example.net>"));
            let shown = format!("{stage} {}", format!("{fault:?}").get(..60).unwrap_or(&format!("{fault:?}")));
            let late = matches!((stage, &fault), (CONTENT, Fault::Say(_) | Fault::Stall(_)) | (END, Fault::Stall(_)));
            let mut client = connect();
            next_hop.hang_up();
            next_hop.fault(stage, fault);
            let told = client.send("<a@example.org>", &[&ill], PLAIN);
            let accepted = told.starts_with('2');
            assert!(told.starts_with(expected) || late && accepted, "{shown}: {told}\n{}", daemon.log());
            if accepted {
                wait(|| came(&next_hop, &ill), || format!("{shown}: accepted by nobody: {told}"));
            }
            assert!(accepted || late || !came(&next_hop, &ill), "{shown}: accepted, and the client told {told}");
            next_hop.behaviour().faults.clear();
            let told = connect().send("<a@example.org>", &[&well], PLAIN);
            assert_eq!(code(&told), "250", "after {shown}: {told}\n{}", daemon.log());
            assert!(came(&next_hop, &well), "after {shown}: {told}");
        }
    }
    for one in next_hop.all() {
        assert_eq!(one.raw.escape_ascii().to_string(), PLAIN.escape_ascii().to_string(), "{one:?}");
    }
}

#[test]
fn nothing_is_accepted_that_an_smtp_next_hop_has_not_accepted() {
    hold("smtp", "when = \"needed\"");
}

#[test]
fn nor_where_messages_are_handed_through() {
    hold("smtp", "profile = \"keep\"");
}

#[test]
fn nothing_is_accepted_that_an_lmtp_next_hop_has_not_accepted() {
    hold("lmtp", "when = \"needed\"");
}

#[test]
fn nor_where_messages_are_handed_through_to_lmtp() {
    hold("lmtp", "profile = \"keep\"");
}

#[test]
fn a_next_hop_that_nobody_answers_for_is_a_reason_to_come_again() {
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
    let daemon = forward(&format!("smtp:127.0.0.1:{closed}"), TIMES);
    let mut client = Client::greeted(daemon.port());
    assert!(client.say("MAIL FROM:<a@example.org>").starts_with("451 4.4.1"), "{}", daemon.log());
    assert_eq!(code(&client.say("NOOP")), "250", "the client may try again");
    let line = daemon.line("the next hop failed: can't connect to it");
    assert!(
        line.contains("listener=inet:127.0.0.1:0 client=unknown[127.0.0.1]") && !line.contains("next_hop="),
        "{line}"
    );
}

/// Each answer came in time, and all of them together after the client had left: the next hop took the message, and the
/// client sent it again. The time runs from the client's last octet, and what is late is not ended.
#[test]
fn a_next_hop_that_is_slow_at_every_step_gets_no_message_twice() {
    for lmtp in [false, true] {
        let keywords = ["8BITMIME", "SMTPUTF8"].map(str::to_owned).to_vec();
        let next_hop = NextHop::behaving(Behaviour { keywords, lmtp, ..Behaviour::default() });
        let protocol = if lmtp { "lmtp" } else { "smtp" };
        let daemon = Daemon::configured(&listener(protocol, &next_hop.address(), TIMES));
        for stage in ["RSET", "MAIL", "RCPT", "DATA"] {
            next_hop.behaviour().faults.insert(stage, Fault::Stall(Duration::from_millis(600)));
        }
        let mut client = if lmtp { Client::lmtp(daemon.port()) } else { Client::greeted(daemon.port()) };
        assert_eq!(code(&client.envelope("<a@example.org> SMTPUTF8", &["<slow@example.net>"])), "354");
        let start = Instant::now();
        client.write(&stuffed(PLAIN));
        let told = client.reply();
        assert!(told.starts_with("451 4.4.2"), "{told}\n{}", daemon.log());
        assert!(start.elapsed() < Duration::from_millis(2300), "{:?}", start.elapsed());
        thread::sleep(Duration::from_secs(2));
        assert!(!came(&next_hop, "slow"), "the client was told {told}");
        next_hop.behaviour().faults.clear();
        assert_eq!(code(&client.send("<a@example.org>", &["<well@example.net>"], PLAIN)), "250", "{}", daemon.log());
    }
}

/// After a pause of the client the envelope is said again when the message is whole, and nothing limited that in all.
#[test]
fn a_next_hop_that_is_slow_to_hear_the_envelope_again_gets_no_message_twice() {
    let next_hop = NextHop::with(&["8BITMIME", "SMTPUTF8"]);
    let daemon = forward(&next_hop.address(), TIMES);
    let mut client = Client::greeted(daemon.port());
    assert_eq!(code(&client.envelope("<a@example.org>", &["<slow@example.net>"])), "354");
    let message = stuffed(PLAIN);
    client.write(&message[..9]);
    // A little longer than a client keeps a connection to the next hop in which it sends nothing.
    thread::sleep(Duration::from_millis(5700));
    for stage in ["MAIL", "RCPT", "DATA"] {
        next_hop.behaviour().faults.insert(stage, Fault::Stall(Duration::from_millis(600)));
    }
    client.write(&message[9..]);
    let told = client.reply();
    assert!(told.starts_with("451 4.4.2"), "{told}\n{}", daemon.log());
    thread::sleep(Duration::from_secs(2));
    assert!(!came(&next_hop, "slow"), "the client was told {told}");
}

/// An answer that nobody asked for must not be taken for the answer to what is asked next.
#[test]
fn an_answer_too_many_belongs_to_no_message() {
    for lmtp in [false, true] {
        let keywords = vec!["8BITMIME".to_owned()];
        let next_hop = NextHop::behaving(Behaviour { keywords, lmtp, refused: Some("nobody"), ..Behaviour::default() });
        let protocol = if lmtp { "lmtp" } else { "smtp" };
        let daemon = Daemon::configured(&listener(protocol, &next_hop.address(), TIMES));
        for stage in ["MAIL", "RCPT", "DATA", END, "RSET"] {
            next_hop.fault(stage, Fault::Add(b"250 and more\r\n".to_vec()));
            let mut client = if lmtp { Client::lmtp(daemon.port()) } else { Client::greeted(daemon.port()) };
            let told = client.send("<a@example.org>", &["<b@example.net>"], PLAIN);
            assert_eq!(next_hop.take().len(), usize::from(told.starts_with('2')), "{stage}: {told}");
            next_hop.behaviour().faults.clear();
            client.say("RSET");
            for _ in 0..3 {
                let told = client.send("<a@example.org>", &["<nobody@example.net>"], PLAIN);
                assert!(told.starts_with("550 5.1.1"), "{stage}: {told}");
                client.say("RSET");
                let told = client.send("<a@example.org>", &["<b@example.net>"], PLAIN);
                assert_eq!((code(&told), next_hop.take().len()), ("250", 1), "{stage}: {told}");
            }
        }
    }
}

/// A server answers in the charset that it likes. What it says may be lost, but not that it took the message.
#[test]
fn an_answer_in_latin_1_is_an_answer() {
    let next_hop = NextHop::capable();
    let daemon = forward(&next_hop.address(), TIMES);
    next_hop.fault("RCPT", Fault::Say(b"250 Empf\xe4nger gut\r\n".to_vec()));
    let told = Client::greeted(daemon.port()).send("<a@example.org>", &["<b@example.net>"], PLAIN);
    assert_eq!(code(&told), "250", "{told}\n{}", daemon.log());
}

/// A reply may be a code alone, have a long line or end with LF alone: what was taken must not come a second time.
#[test]
fn an_answer_that_is_written_otherwise_is_an_answer() {
    let next_hop = NextHop::capable();
    let daemon = forward(&next_hop.address(), TIMES);
    let long = [b"250 ".to_vec(), b"x".repeat(1800), b"\r\n".to_vec()].concat();
    for answer in [b"250\r\n".to_vec(), b"250-\r\n250\r\n".to_vec(), b"250 ok\n".to_vec(), long] {
        next_hop.fault("RCPT", Fault::Say(answer));
        let told = Client::greeted(daemon.port()).send("<a@example.org>", &["<b@example.net>"], PLAIN);
        assert_eq!(code(&told), "250", "{told}\n{}", daemon.log());
    }
}

/// lettre reads a reply anew with each of its lines: 16,000 lines took 10 s. What was taken is taken nevertheless.
#[test]
fn a_reply_of_many_lines_keeps_nobody_waiting() {
    let next_hop = NextHop::capable();
    let daemon = forward(&next_hop.address(), TIMES);
    for line in [&b"250-x\r\n"[..], &[b"250-".to_vec(), b"x".repeat(700), b"\r\n".to_vec()].concat()] {
        for stage in ["EHLO", "MAIL", "RCPT", END] {
            let reply = [line.repeat(300_000 / line.len()), b"250 ok\r\n".to_vec()].concat();
            next_hop.fault(stage, Fault::Say(reply));
            let start = Instant::now();
            let told = Client::greeted(daemon.port()).send("<a@example.org>", &["<b@example.net>"], PLAIN);
            assert_eq!(code(&told), "250", "{stage}: {told}\n{}", daemon.log());
            assert!(start.elapsed() < Duration::from_secs(3), "{stage}: {:?}", start.elapsed());
        }
    }
}

/// LMTP with an answer too few: who was answered has the message, and only the others are to come again.
#[test]
fn an_answer_too_few_is_one_recipients_own() {
    let next_hop = NextHop::behaving(Behaviour { lmtp: true, ..Behaviour::default() });
    for keys in ["when = \"needed\"", "profile = \"keep\""] {
        let daemon = Daemon::configured(&listener("lmtp", &next_hop.address(), &format!("{TIMES}\n{keys}")));
        next_hop.fault(END, say("250 kept\r\n"));
        let mut client = Client::lmtp(daemon.port());
        assert_eq!(code(&client.envelope("<a@example.org>", &["<b@example.net>", "<c@example.net>"])), "354");
        client.write(&stuffed(PLAIN));
        let told = [client.reply(), client.reply()];
        assert_eq!(told.each_ref().map(|it| code(it)), ["250", "451"], "{told:?}\n{}", daemon.log());
        next_hop.behaviour().faults.clear();
        assert_eq!(code(&client.send("<a@example.org>", &["<b@example.net>"], PLAIN)), "250");
    }
}

/// A next hop that takes the message and is gone before it says so: the client is to come again (RFC 1047).
#[test]
fn a_message_whose_answer_is_lost_comes_again() {
    let socket = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = socket.local_addr().expect("an address").port();
    thread::spawn(move || socket.incoming().flatten().for_each(|stream| drop(takes_and_dies(stream))));
    let daemon = forward(&format!("smtp:127.0.0.1:{port}"), TIMES);
    let told = Client::greeted(daemon.port()).send("<a@example.org>", &["<b@example.net>"], PLAIN);
    assert!(told.starts_with("451 4.4.2"), "{told}\n{}", daemon.log());
    let line = daemon.line("the next hop failed: the connection broke");
    assert!(line.contains(&format!("next_hop=smtp:127.0.0.1:{port}")), "{line}");
}

fn takes_and_dies(mut stream: TcpStream) -> std::io::Result<()> {
    stream.write_all(b"220 hop\r\n")?;
    let mut all = Vec::new();
    loop {
        let mut piece = [0; 4096];
        let read = stream.read(&mut piece)?;
        all.extend_from_slice(&piece[..read]);
        if read == 0 || all.ends_with(b"\r\n.\r\n") {
            return Ok(());
        }
        let content = all.windows(6).any(|octets| octets == b"DATA\r\n");
        match all.ends_with(b"DATA\r\n") {
            true => stream.write_all(b"354 go\r\n")?,
            // What is said before the end of a message would be taken for the answer to it.
            false if content => {}
            false => stream.write_all(b"250 ok\r\n")?,
        }
    }
}
