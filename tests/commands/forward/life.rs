//! A proxy's life: several next hops, their connections kept and counted, other settings by SIGHUP, the end by SIGTERM,
//! a milter beside it, and what the metrics say of it.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread;

use super::client::stuffed;
use super::{Behaviour, Client, Daemon, Fault, NextHop, PATIENCE, PLAIN, code, forward, listener, wait};
use crate::milter::daemon::{Client as Milter, configure};

fn send(daemon: &Daemon) -> String {
    Client::greeted(daemon.port()).send("<a@example.org>", &["<b@example.net>"], PLAIN)
}

/// A port that nobody listens on.
fn dead() -> u16 {
    TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port()
}

#[test]
fn the_first_next_hop_that_can_be_reached_gets_the_mail() {
    let (second, third) = (NextHop::capable(), NextHop::capable());
    let all = format!("smtp:127.0.0.1:{}\", \"{}\", \"{}", dead(), second.address(), third.address());
    let settings = listener("smtp", &all, "").replace("next_hop = ", "next_hop = [").replacen("\"\n\n", "\"]\n", 1);
    let daemon = Daemon::configured(&settings);
    for _ in 0..3 {
        assert_eq!(code(&send(&daemon)), "250", "{}", daemon.log());
    }
    assert_eq!((second.take().len(), third.all().len(), second.connections()), (3, 0, 1));
    let tries = daemon.log().matches("can't connect").count();
    assert_eq!(tries, 1, "it is tried last for a while: {}", daemon.log());
    second.fault("GREETING", Fault::Say(b"554 no\r\n".to_vec()));
    second.hang_up();
    assert_eq!(code(&send(&daemon)), "250", "{}", daemon.log());
    assert_eq!((second.all().len(), third.all().len()), (0, 1));
}

#[test]
fn connections_are_kept_and_found_again() {
    let next_hop = NextHop::capable();
    let daemon = forward(&next_hop.address(), "");
    let mut client = Client::greeted(daemon.port());
    for _ in 0..5 {
        assert_eq!(code(&client.send("<a@example.org>", &["<b@example.net>"], PLAIN)), "250");
    }
    assert_eq!((next_hop.connections(), next_hop.all().len()), (1, 5));
    // Servers close connections that idle, with and without a word.
    next_hop.hang_up();
    assert_eq!(code(&client.send("<a@example.org>", &["<b@example.net>"], PLAIN)), "250", "{}", daemon.log());
    assert_eq!((next_hop.connections(), next_hop.take().len()), (2, 6));
    next_hop.fault("MAIL", Fault::SayAndDie(b"421 4.4.2 you were silent for too long\r\n".to_vec()));
    assert_eq!(code(&client.say("MAIL FROM:<a@example.org>")), "451", "both the old one and the new one say so");
    next_hop.behaviour().faults.clear();
    assert_eq!(code(&client.send("<a@example.org>", &["<b@example.net>"], PLAIN)), "250", "{}", daemon.log());
    assert_eq!(next_hop.take().len(), 1);
}

#[test]
fn there_are_no_more_connections_than_allowed() {
    let next_hop = NextHop::capable();
    let daemon = forward(&next_hop.address(), "next_hop_connections = 3");
    let port = daemon.port();
    let clients: Vec<_> = (0..24)
        .map(|_| {
            thread::spawn(move || {
                (0..5).all(|_| {
                    Client::greeted(port).send("<a@example.org>", &["<b@example.net>"], PLAIN).starts_with("250")
                })
            })
        })
        .collect();
    assert!(clients.into_iter().all(|client| client.join().expect("a client")), "{}", daemon.log());
    assert_eq!(next_hop.all().len(), 120);
    assert!(next_hop.most() <= 3, "{} at once", next_hop.most());
}

#[test]
fn a_reload_turns_to_another_next_hop() {
    let (before, after) = (NextHop::capable(), NextHop::capable());
    let daemon = forward(&before.address(), "");
    let mut client = Client::greeted(daemon.port());
    assert_eq!(code(&client.send("<a@example.org>", &["<b@example.net>"], PLAIN)), "250");
    assert_eq!(code(&client.envelope("<a@example.org>", &["<c@example.net>"])), "354");
    configure(daemon.dir.path(), &listener("smtp", &after.address(), ""));
    daemon.signal("-HUP");
    daemon.wait_for_log("were read again");
    client.write(&stuffed(PLAIN));
    assert_eq!(code(&client.reply()), "250", "a message that has begun ends where it began");
    assert_eq!((before.all().len(), after.all().len()), (2, 0));
    assert_eq!(code(&client.send("<a@example.org>", &["<d@example.net>"], PLAIN)), "250");
    assert_eq!((before.all().len(), after.all().len()), (2, 1), "{}", daemon.log());
}

/// A connection in use when the keys change is made by the old ones: it ends with its message.
#[test]
fn a_connection_of_before_a_reload_serves_no_other_message() {
    let next_hop = NextHop::capable();
    let daemon = forward(&next_hop.address(), "");
    let (mut busy, mut other) = (Client::greeted(daemon.port()), Client::greeted(daemon.port()));
    let open = || fs::read_dir(format!("/proc/{}/fd", daemon.child.id())).map_or(0, Iterator::count);
    assert_eq!(code(&busy.envelope("<a@example.org>", &["<b@example.net>"])), "354");
    configure(daemon.dir.path(), &listener("smtp", &next_hop.address(), "next_hop_connections = 3"));
    daemon.signal("-HUP");
    daemon.wait_for_log("were read again");
    assert_eq!(code(&other.send("<a@example.org>", &["<c@example.net>"], PLAIN)), "250");
    assert_eq!(next_hop.connections(), 2);
    let both = open();
    busy.write(&stuffed(PLAIN));
    assert_eq!(code(&busy.reply()), "250");
    wait(|| open() == both - 1, || format!("one of {both} descriptors goes, not {}", open()));
}

/// Entries of `[alias]` that nobody looks up are said, at the start and after a reload.
#[test]
fn aliases_without_a_listener_are_said() {
    let next_hop = NextHop::capable();
    let settings = |keys| {
        let listener = listener("smtp", &next_hop.address(), keys);
        format!("alias = {{ \"j\u{fc}rgen@example.org\" = \"juergen@example.org\" }}\n{listener}")
    };
    let idle = "no listener looks into [alias]";
    let daemon = Daemon::configured(&settings("non_ascii_address = \"alias\""));
    assert!(!daemon.log().contains(idle), "{}", daemon.log());
    configure(daemon.dir.path(), &settings(""));
    daemon.signal("-HUP");
    assert!(daemon.line(idle).contains("WARN"));
}

/// A client of SMTP hears one answer: where a reload turns to LMTP under it, there is one recipient a message.
#[test]
fn a_reload_to_lmtp_leaves_one_recipient_a_message() {
    let before = NextHop::capable();
    let after = NextHop::behaving(Behaviour { lmtp: true, refused_at_end: Some("full"), ..Behaviour::default() });
    let daemon = forward(&before.address(), "");
    let mut client = Client::greeted(daemon.port());
    configure(daemon.dir.path(), &listener("smtp", &after.address(), ""));
    daemon.signal("-HUP");
    daemon.wait_for_log("were read again");
    assert_eq!(code(&client.say("MAIL FROM:<a@example.org>")), "250");
    assert_eq!(code(&client.say("RCPT TO:<b@example.net>")), "250");
    assert!(client.say("RCPT TO:<full@example.net>").starts_with("452 4.5.3"));
    assert_eq!(code(&client.say("DATA")), "354");
    client.write(&stuffed(PLAIN));
    assert_eq!(code(&client.reply()), "250");
}

/// What the next hop closed is closed here too, though no message comes.
#[test]
fn a_connection_that_waits_in_vain_is_closed() {
    let next_hop = NextHop::capable();
    let daemon = forward(&next_hop.address(), "");
    let open = || fs::read_dir(format!("/proc/{}/fd", daemon.child.id())).map_or(0, Iterator::count);
    let before = open();
    assert_eq!(code(&send(&daemon)), "250");
    wait(|| open() == before + 1, || format!("one connection to the next hop beside {before}, not {}", open()));
    next_hop.hang_up();
    wait(|| open() == before, || format!("{before} descriptors, not {}", open()));
}

#[test]
fn sigterm_waits_for_the_message_that_has_begun() {
    let next_hop = NextHop::capable();
    let mut daemon = forward(&next_hop.address(), "");
    let (mut busy, mut idle) = (Client::greeted(daemon.port()), Client::greeted(daemon.port()));
    assert_eq!(code(&busy.envelope("<a@example.org>", &["<b@example.net>"])), "354");
    busy.write(b"Subject: half\r\n");
    daemon.signal("-TERM");
    assert!(idle.reply().starts_with("421 4.3.2"), "who does nothing is sent away");
    busy.write(b"\r\nwhole\r\n.\r\n");
    assert_eq!(code(&busy.reply()), "250");
    assert_eq!(next_hop.all()[0].raw, b"Subject: half\r\n\r\nwhole\r\n");
    drop(busy);
    assert!(daemon.wait_for_end().success(), "{}", daemon.log());
}

#[test]
fn one_daemon_is_a_milter_and_a_proxy() {
    let next_hop = NextHop::with(&["8BITMIME"]);
    let milter = "[[listener]]\nsocket = \"unix:DIR/sock\"\n";
    let lmtp = listener("lmtp", &next_hop.address(), "").replace("inet:127.0.0.1:0", "unix:DIR/lmtp");
    let head = "[metrics]\nlisten = \"unix:DIR/metrics\"\n";
    let settings = format!("{head}{milter}{lmtp}{}", listener("smtp", &next_hop.address(), ""));
    let daemon = Daemon::configured(&settings);
    daemon.wait_for_log("listening on inet:");
    assert_eq!(Milter::agreed(&daemon.path("sock")).message(), "mbc");
    assert_eq!(code(&send(&daemon)), "250", "{}", daemon.log());
    let mut stream = UnixStream::connect(daemon.path("lmtp")).expect("the LMTP listener");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let said = b"LHLO x\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.net>\r\n";
    stream.write_all(said).expect("it reads");
    let mut answers = String::new();
    wait(
        || {
            let mut piece = [0; 4096];
            let read = stream.read(&mut piece).expect("an answer");
            answers += &String::from_utf8_lossy(&piece[..read]);
            answers.matches("250 ").count() >= 3
        },
        || "answers".to_owned(),
    );
    drop(stream);
    next_hop.fault("MAIL", Fault::Die);
    assert_eq!(code(&send(&daemon)), "451");
    let metrics = metrics(&daemon.path("metrics"));
    for expected in ["septet_next_hop_duration_seconds_count 1", "septet_next_hop_errors_total{reason=\"lost\"} 1"] {
        assert!(metrics.contains(expected), "{expected} in\n{metrics}");
    }
}

/// Asks a daemon for its metrics.
pub fn metrics(path: &Path) -> String {
    let mut stream = UnixStream::connect(path).expect("the metrics");
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

/// SMTP has one answer for all, LMTP one for each: a listener for SMTP in front of LMTP takes one recipient a message.
#[test]
fn lmtp_answers_for_each_recipient() {
    let next_hop = NextHop::behaving(Behaviour {
        lmtp: true,
        refused: Some("nobody"),
        refused_at_end: Some("full"),
        ..Behaviour::default()
    });
    let daemon = Daemon::configured(&listener("lmtp", &next_hop.address(), ""));
    let mut client = Client::lmtp(daemon.port());
    client.say("MAIL FROM:<a@example.org>");
    let told: Vec<String> =
        ["one", "nobody", "full", "two"].map(|to| client.say(&format!("RCPT TO:<{to}@example.net>"))).to_vec();
    assert_eq!(told.iter().map(|it| code(it)).collect::<Vec<_>>(), ["250", "550", "250", "250"]);
    assert_eq!(code(&client.say("DATA")), "354");
    client.write(&stuffed(PLAIN));
    let told: Vec<String> = (0..3).map(|_| client.reply()).collect();
    assert_eq!(told.iter().map(|it| code(it)).collect::<Vec<_>>(), ["250", "452", "250"], "{told:?}");
    assert_eq!(next_hop.take()[0].recipients, ["<one@example.net>", "<two@example.net>"]);
    let line = daemon.line("result=");
    assert!(line.contains("WARN"), "who refuses one of three is seen: {line}");
    let refused = daemon.line("recipient refused");
    assert!(refused.contains("<full@example.net>") && refused.contains("452"), "{refused}");
    assert!(!daemon.log().contains("<two@example.net>"), "{}", daemon.log());

    let daemon = forward(&next_hop.address(), "");
    let mut client = Client::greeted(daemon.port());
    client.say("MAIL FROM:<a@example.org>");
    assert_eq!(code(&client.say("RCPT TO:<one@example.net>")), "250");
    assert!(client.say("RCPT TO:<full@example.net>").starts_with("452 4.5.3"));
    assert_eq!(code(&client.say("DATA")), "354");
    client.write(&stuffed(PLAIN));
    assert_eq!(code(&client.reply()), "250");
}

#[test]
fn a_message_over_the_limit_comes_again_where_the_settings_say_so() {
    let next_hop = NextHop::capable();
    let limits = "[limits]\nmessage_bytes = 2000\non_limit = \"tempfail\"\n";
    let daemon = Daemon::configured(&format!("{limits}{}", listener("smtp", &next_hop.address(), "")));
    let large = [PLAIN, &b"more\r\n".repeat(1000)].concat();
    let told = Client::greeted(daemon.port()).send("<a@example.org> SIZE=6000", &["<b@example.net>"], &large);
    assert_eq!(told, "451 4.7.1 septet: message over limit: message_bytes 2000");
    assert_eq!(next_hop.count(), 0);
}

/// A client that says nothing of BODY may send 8-bit octets however late, and not every next hop takes them.
#[test]
fn what_turns_8_bit_late_is_lowered_all_the_same() {
    let header = "From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\
        Content-Transfer-Encoding: 8bit\r\n\r\n";
    let late = [header.as_bytes(), &b"more\r\n".repeat(200_000), "gr\u{fc}n\r\n".as_bytes()].concat();
    for (keyword, lowered) in [("8BITMIME", false), ("DSN", true)] {
        let next_hop = NextHop::with(&[keyword]);
        let daemon = forward(&next_hop.address(), "when = \"needed\"");
        let told = Client::greeted(daemon.port()).send("<a@example.org>", &["<b@example.net>"], &late);
        assert_eq!(code(&told), "250", "{told}");
        assert_eq!(next_hop.take()[0].raw.is_ascii(), lowered, "{keyword}");
    }
}

/// SIZE holds for what comes in, and for what it has become.
#[test]
fn a_message_that_grows_over_the_next_hops_size_is_refused() {
    let next_hop = NextHop::with(&["SIZE 2000"]);
    let daemon = forward(&next_hop.address(), "");
    let mut client = Client::connect(daemon.port());
    let offered = client.say("EHLO client.example");
    assert!(offered.contains("250-SIZE 2000"), "{offered}");
    assert!(client.say("MAIL FROM:<a@example.org> SIZE=3000").starts_with("552 5.3.4"));
    let grows = [PLAIN, &"\u{e9}".repeat(70).repeat(11).into_bytes(), b"\r\n"].concat();
    assert!(grows.len() < 2000);
    let header = b"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n";
    let told = client.send("<a@example.org> BODY=8BITMIME", &["<b@example.net>"], &[header, &grows[..]].concat());
    assert!(told.starts_with("552 5.3.4"), "{told}");
    assert!(next_hop.all().is_empty());
    // To whom no SIZE was said.
    let mut old = Client::connect(daemon.port());
    assert_eq!(code(&old.say("HELO client.example")), "250");
    let told = old.send("<a@example.org>", &["<b@example.net>"], &[PLAIN, &b"x\r\n".repeat(700)].concat());
    assert!(told.starts_with("552 5.3.4") && told.contains("this message is beyond that"), "{told}");
    assert_eq!(code(&client.send("<a@example.org>", &["<b@example.net>"], PLAIN)), "250");
}
