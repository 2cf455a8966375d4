//! A listener that forwards, under pressure: memory, sizes, other settings meanwhile.

use std::thread::{scope, sleep};
use std::time::Duration;

use super::life::metrics;
use super::next_hop::END;
use super::{Behaviour, Client, Daemon, Fault, NextHop, code, listener, wait};
use crate::milter::daemon::configure;

/// What the log says of a message that gave its memory to others.
const GAVE_WAY: &str = "comes slowly while others wait for memory";

/// A message of so many octets of Latin-1, which profile `utf8` changes.
fn latin(octets: usize) -> Vec<u8> {
    let line = b"Gr\xfc\xdfe aus M\xfcnchen, and plain words behind them\r\n";
    let header = b"Subject: one\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\
        Content-Transfer-Encoding: 8bit\r\n\r\n";
    [&header[..], &line.repeat(octets / line.len())].concat()
}

#[test]
fn the_limit_of_memory_is_the_process_s() {
    let next_hop = NextHop::capable();
    let settings = format!("limits.memory = \"128MiB\"\n{}", listener("smtp", &next_hop.address(), ""));
    let daemon = Daemon::configured(&settings);
    let (port, message) = (daemon.port(), latin(12_000_000));
    scope(|threads| {
        for _ in 0..6 {
            threads.spawn(|| {
                let told = Client::greeted(port).send("<a@example.org> BODY=8BITMIME", &["<b@example.net>"], &message);
                assert_eq!(code(&told), "250", "{told}");
            });
        }
    });
    let peak = daemon.peak_mib();
    assert!(peak <= 128 + 13, "{peak} MiB");
    // Which of them have room is a matter of speed; one that comes alone has.
    let told = Client::greeted(port).send("<a@example.org> BODY=8BITMIME", &["<b@example.net>"], &message);
    assert_eq!(code(&told), "250", "{told}");
    assert!(next_hop.all().iter().any(|arrived| arrived.raw != message), "some are converted:\n{}", daemon.log());
}

/// Returns the octets that a daemon holds of mail.
fn held(daemon: &Daemon) -> u64 {
    let metrics = metrics(&daemon.path("metrics"));
    let value = metrics.lines().find_map(|line| line.strip_prefix("septet_memory_bytes "));
    value.expect("a gauge").parse().expect("a number")
}

/// Clients that begin fast and then trickle had all of the memory for an hour, and what others sent passed unread.
#[test]
fn who_waits_for_memory_is_served_before_who_trickles() {
    let next_hop = NextHop::capable();
    let head = "limits.memory = \"64MiB\"\n[metrics]\nlisten = \"unix:DIR/metrics\"\n";
    let daemon = Daemon::configured(&format!("{head}{}", listener("smtp", &next_hop.address(), "")));
    let (port, message) = (daemon.port(), latin(1_100_000));
    let mut tricklers: Vec<Client> = (0..5).map(|_| Client::greeted(port)).collect();
    for client in &mut tricklers {
        assert_eq!(code(&client.envelope("<a@example.org> BODY=8BITMIME", &["<b@example.net>"])), "354");
        client.write(&message);
    }
    // What they hold leaves room for less than one message more. Where they took long to write, who came first trickles
    // before the last one is there, and gives way to it already.
    let is_full = || held(&daemon) > 4 * message.len() as u64 || daemon.log().contains(GAVE_WAY);
    wait(is_full, || held(&daemon).to_string());
    // Twice the time over which a rate is measured, and some more: then all of them trickle.
    sleep(Duration::from_secs(6));
    for _ in 0..4 {
        let told = Client::greeted(port).send("<c@example.org> BODY=8BITMIME", &["<b@example.net>"], &message);
        assert_eq!(code(&told), "250", "{told}");
    }
    let arrived = next_hop.wait_for(4);
    assert!(arrived.iter().all(|arrived| arrived.raw != message), "all are converted:\n{}", daemon.log());
    assert!(daemon.log().contains(GAVE_WAY), "{}", daemon.log());
}

/// An envelope of many long recipients holds memory too.
#[test]
fn who_sits_on_an_envelope_gives_its_memory_back() {
    let next_hop = NextHop::capable();
    let settings = format!("limits.memory = \"64MiB\"\n{}", listener("smtp", &next_hop.address(), ""));
    let daemon = Daemon::configured(&settings);
    let (port, message) = (daemon.port(), latin(1_100_000));
    let mut sitting = Vec::new();
    let mut refused = false;
    while !refused {
        let mut client = Client::greeted(port);
        assert_eq!(code(&client.say("MAIL FROM:<a@example.org>")), "250");
        for number in 0..900 {
            let told = client.say(&format!("RCPT TO:<{}{number}@example.net>", "b".repeat(900)));
            refused |= told.starts_with("452 4.3.1");
        }
        sitting.push(client);
    }
    let told = Client::greeted(port).send("<c@example.org> BODY=8BITMIME", &["<b@example.net>"], &message);
    assert_eq!(code(&told), "250", "{told}");
    assert!(next_hop.wait_for(1)[0].raw != message, "it is converted:\n{}", daemon.log());
    assert!(sitting[0].reply().starts_with("421 4.3.1"), "{}", daemon.log());
}

/// Mail of many sizes on many connections: glibc's malloc kept what was freed, and the process grew to the double.
#[test]
fn what_is_freed_goes_back_to_the_system() {
    let next_hop = NextHop::capable();
    let settings = format!("limits.memory = \"96MiB\"\n{}", listener("smtp", &next_hop.address(), ""));
    let daemon = Daemon::configured(&settings);
    let port = daemon.port();
    scope(|threads| {
        for thread in 0..8 {
            threads.spawn(move || {
                let mut client = Client::greeted(port);
                for number in 0..24 {
                    let message = latin(20_000 << ((number * 5 + thread * 3) % 9));
                    let told = client.send("<a@example.org> BODY=8BITMIME", &["<b@example.net>"], &message);
                    assert!(matches!(code(&told), "250" | "452"), "{told}");
                }
            });
        }
    });
    drop(next_hop.take());
    let peak = daemon.peak_mib();
    assert!(peak <= 96 + 10, "{peak} MiB");
    // The allocator looks every few seconds for what nobody uses.
    let after = || daemon.resident_kib() >> 10;
    wait(|| after() <= 48, || format!("{} MiB when nothing is held, {peak} MiB at the most", after()));
}

/// Replies to many recipients are more than a connection keeps room for, and were thrown away: the client came again.
#[test]
fn each_of_many_recipients_is_answered() {
    let next_hop = NextHop::behaving(Behaviour { lmtp: true, ..Behaviour::default() });
    let daemon = Daemon::configured(&listener("lmtp", &next_hop.address(), ""));
    let mut client = Client::lmtp(daemon.port());
    let recipients: Vec<String> = (0..900).map(|number| format!("<b{number}@example.net>")).collect();
    let recipients: Vec<&str> = recipients.iter().map(String::as_str).collect();
    for _ in 0..2 {
        assert_eq!(code(&client.envelope("<a@example.org>", &recipients)), "354");
        client.write(b"Subject: many\r\n\r\nhello\r\n.\r\n");
        for number in 0..recipients.len() {
            assert_eq!(code(&client.reply()), "250", "{number}");
        }
    }
}

/// What a next hop says of each of many recipients is held until all of them have their reply.
#[test]
fn long_replies_to_many_recipients_take_little_memory() {
    let next_hop = NextHop::behaving(Behaviour { lmtp: true, ..Behaviour::default() });
    let daemon = Daemon::configured(&listener("lmtp", &next_hop.address(), ""));
    let before = daemon.peak_mib();
    let reply =
        [&[b"250-".to_vec(), b"x".repeat(700), b"\r\n".to_vec()].concat().repeat(80), &b"250 kept\r\n"[..]].concat();
    next_hop.fault(END, Fault::Say(reply.repeat(250)));
    let mut client = Client::lmtp(daemon.port());
    let recipients: Vec<String> = (0..250).map(|number| format!("<b{number}@example.net>")).collect();
    let recipients: Vec<&str> = recipients.iter().map(String::as_str).collect();
    assert_eq!(code(&client.envelope("<a@example.org>", &recipients)), "354");
    client.write(b"Subject: many\r\n\r\nhello\r\n.\r\n");
    for number in 0..recipients.len() {
        assert_eq!(code(&client.reply()), "250", "{number}");
    }
    assert!(daemon.peak_mib() < before + 8, "{} MiB, {before} before", daemon.peak_mib());
}

#[test]
fn recipients_beyond_the_memory_are_to_come_again() {
    let next_hop = NextHop::capable();
    let settings = format!("limits.memory = \"8MiB\"\n{}", listener("smtp", &next_hop.address(), ""));
    let daemon = Daemon::configured(&settings);
    let mut clients = Vec::new();
    let mut refused = 0;
    for _ in 0..8 {
        let mut client = Client::greeted(daemon.port());
        assert_eq!(code(&client.say("MAIL FROM:<a@example.org>")), "250");
        for number in 0..900 {
            let told = client.say(&format!("RCPT TO:<{}{number}@example.net>", "b".repeat(900)));
            refused += usize::from(told.starts_with("452 4.3.1"));
        }
        clients.push(client);
    }
    assert!(refused > 0, "{}", daemon.log());
    drop(clients);
    let told = Client::greeted(daemon.port()).send("<a@example.org>", &["<b@example.net>"], &latin(1000));
    assert_eq!(code(&told), "250", "{told}");
}

#[test]
fn a_message_that_would_outgrow_the_next_hop_is_left() {
    let next_hop = NextHop::with(&["SIZE 20000", "8BITMIME"]);
    let daemon = super::forward(&next_hop.address(), "");
    let (fits, outgrows) = (latin(10_000), latin(19_500));
    for message in [&fits, &outgrows] {
        let told = Client::greeted(daemon.port()).send("<a@example.org> BODY=8BITMIME", &["<b@example.net>"], message);
        assert_eq!(code(&told), "250", "{told}\n{}", daemon.log());
    }
    let arrived = next_hop.wait_for(2);
    assert!(arrived[0].raw != fits && arrived[1].raw == outgrows, "{}", daemon.log());
    daemon.wait_for_log("message left=max-size(");
}

#[test]
fn a_reload_reaches_open_connections() {
    let next_hop = NextHop::capable();
    let settings = |keys: &str| listener("smtp", &next_hop.address(), keys);
    let daemon = Daemon::configured(&settings(""));
    let mut client = Client::greeted(daemon.port());
    let bare = b"Subject: a\r\n\r\nb\nc\r\n";
    assert_eq!(code(&client.send("<a@example.org>", &["<b@example.net>"], bare)), "550");
    configure(daemon.dir.path(), &settings("bare_line_ends = \"repair\""));
    daemon.signal("-HUP");
    daemon.wait_for_log("the settings were read again");
    assert_eq!(code(&client.send("<a@example.org>", &["<b@example.net>"], bare)), "250", "{}", daemon.log());
}

/// Who named nothing but recipients that nobody has held the memory of all others.
#[test]
fn a_refused_recipient_holds_no_memory() {
    let next_hop = NextHop::capable();
    next_hop.behaviour().refused = Some("gone");
    let head = "[metrics]\nlisten = \"unix:DIR/metrics\"\n";
    let daemon = Daemon::configured(&format!("{head}{}", listener("smtp", &next_hop.address(), "")));
    let mut client = Client::greeted(daemon.port());
    assert_eq!(code(&client.say("MAIL FROM:<a@example.org>")), "250");
    let before = held(&daemon);
    for number in 0..100 {
        let told = client.say(&format!("RCPT TO:<{}gone{number}@example.net>", "b".repeat(900)));
        assert!(told.starts_with("550"), "{told}");
    }
    let after = held(&daemon);
    assert!(after < before + 50_000, "{before} and {after} octets");
}
