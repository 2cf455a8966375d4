//! A client that dies at every stage: the next hop never gets a part of a message for the whole, and the connection to
//! it is neither lost to the others nor left in the middle of a transaction.

use std::time::Duration;

use super::client::stuffed;
use super::life::metrics;
use super::{Client, Daemon, NextHop, PLAIN, code, forward, listener, wait};

/// What the client says before it is gone.
fn dialogues() -> Vec<(&'static str, Vec<&'static [u8]>)> {
    const MAIL: &[u8] = b"MAIL FROM:<dead@example.org>\r\n";
    const RCPT: &[u8] = b"RCPT TO:<dead@example.net>\r\n";
    vec![
        ("after EHLO", vec![]),
        ("in MAIL", vec![b"MAIL FROM:<dead@exam"]),
        ("after MAIL", vec![MAIL]),
        ("after RCPT", vec![MAIL, RCPT]),
        ("in DATA's name", vec![MAIL, RCPT, b"DA"]),
        ("after DATA", vec![MAIL, RCPT, b"DATA\r\n"]),
        ("in the header", vec![MAIL, RCPT, b"DATA\r\n", b"Subject: a"]),
        ("in the body", vec![MAIL, RCPT, b"DATA\r\n", b"Subject: a\r\n\r\nhello\r\n"]),
        ("behind a dot", vec![MAIL, RCPT, b"DATA\r\n", b"Subject: a\r\n\r\nhello\r\n."]),
        ("behind a dot and CR", vec![MAIL, RCPT, b"DATA\r\n", b"Subject: a\r\n\r\nhello\r\n.\r"]),
        ("in a chunk", vec![MAIL, RCPT, b"BDAT 100 LAST\r\nSubject: a\r\n\r\nhello\r\n"]),
        ("between chunks", vec![MAIL, RCPT, b"BDAT 21\r\nSubject: a\r\n\r\nhello\r\n"]),
    ]
}

/// Starts septet with a single connection to the next hop, so that one that is lost is missed.
fn narrow(next_hop: &NextHop, keys: &str) -> Daemon {
    forward(&next_hop.address(), &format!("next_hop_connections = 1\n{keys}"))
}

#[test]
fn a_client_that_dies_sends_nothing() {
    for keys in ["when = \"needed\"", "profile = \"keep\""] {
        let next_hop = NextHop::capable();
        let daemon = narrow(&next_hop, keys);
        for (when, pieces) in dialogues() {
            let mut client = Client::greeted(daemon.port());
            for piece in &pieces {
                client.write(piece);
                if piece.ends_with(b"\r\n")
                    && !piece.starts_with(b"Subject")
                    && !piece.windows(4).any(|it| it == b"LAST")
                {
                    client.reply();
                }
            }
            drop(client);
            let told = Client::greeted(daemon.port()).send("<a@example.org>", &["<b@example.net>"], PLAIN);
            assert_eq!(code(&told), "250", "{when}: {told}\n{}", daemon.log());
            let arrived = next_hop.take();
            assert_eq!(arrived.len(), 1, "{when}: {arrived:?}");
            assert_eq!(arrived[0].raw, PLAIN, "{when}");
        }
    }
}

/// A message that is handed through is half over at the next hop when its client dies: its end never comes.
#[test]
fn half_a_large_message_is_none() {
    let line = [&b"x".repeat(78)[..], b"\r\n"].concat();
    let half = [b"Subject: large\r\n\r\n".to_vec(), line.repeat(80_000)].concat();
    for keys in ["when = \"needed\"", "profile = \"keep\""] {
        let next_hop = NextHop::capable();
        let daemon = narrow(&next_hop, keys);
        let mut client = Client::greeted(daemon.port());
        assert_eq!(code(&client.envelope("<dead@example.org>", &["<dead@example.net>"])), "354");
        client.write(&half);
        wait(|| next_hop.lines().iter().any(|line| line == "DATA"), || "DATA at the next hop".to_owned());
        drop(client);
        let told = Client::greeted(daemon.port()).send("<a@example.org>", &["<b@example.net>"], PLAIN);
        assert_eq!(code(&told), "250", "{told}\n{}", daemon.log());
        let arrived = next_hop.take();
        assert_eq!((arrived.len(), &arrived[0].raw[..]), (1, PLAIN), "{keys}");
        // The same whole.
        let told = Client::greeted(daemon.port()).send("<a@example.org>", &["<b@example.net>"], &half);
        assert_eq!(code(&told), "250", "{told}");
        assert!(next_hop.take()[0].raw == half, "{keys}: octet for octet");
    }
}

/// A client that is gone before it is told of the end: the next hop has the message, whole, once.
#[test]
fn a_client_that_does_not_wait_for_the_answer_has_sent_its_message() {
    for keys in ["when = \"needed\"", "profile = \"keep\""] {
        let next_hop = NextHop::capable();
        let daemon = narrow(&next_hop, keys);
        let mut client = Client::greeted(daemon.port());
        assert_eq!(code(&client.envelope("<a@example.org>", &["<b@example.net>"])), "354");
        client.write(&stuffed(PLAIN));
        drop(client);
        assert_eq!(next_hop.wait_for(1)[0].raw, PLAIN);
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(next_hop.all().len(), 1);
    }
}

/// A slow client holds its own connection to the next hop and no more; a silent one is sent away.
#[test]
fn a_silent_client_gives_its_connection_back() {
    let next_hop = NextHop::capable();
    let settings = format!(
        "[limits]\nidle_time = \"1s\"\nread_time = \"1s\"\n{}",
        listener("smtp", &next_hop.address(), "next_hop_connections = 1")
    );
    let daemon = Daemon::configured(&settings);
    for commands in
        [&["MAIL FROM:<a@example.org>"][..], &["MAIL FROM:<a@example.org>", "RCPT TO:<b@example.net>", "DATA"]]
    {
        let mut silent = Client::greeted(daemon.port());
        commands.iter().for_each(|command| drop(silent.say(command)));
        let told = Client::greeted(daemon.port()).send("<a@example.org>", &["<b@example.net>"], PLAIN);
        assert_eq!(code(&told), "250", "{told}\n{}", daemon.log());
        let goodbye = silent.reply();
        assert!(goodbye.starts_with("421 4.4.2"), "{goodbye}");
        assert_eq!(next_hop.take().len(), 1);
    }
}

/// Such a client counted as one who was done, and nothing was logged.
#[test]
fn a_client_that_goes_in_the_middle_is_lost() {
    let next_hop = NextHop::capable();
    let head = "log.level = \"debug\"\n[metrics]\nlisten = \"unix:DIR/metrics\"\n";
    let daemon = Daemon::configured(&format!("{head}{}", listener("smtp", &next_hop.address(), "")));
    for (pieces, reason) in [(&[][..], "done"), (&["MAIL FROM:<a@example.org>"][..], "lost")] {
        let mut client = Client::greeted(daemon.port());
        for piece in pieces {
            assert_eq!(code(&client.say(piece)), "250");
        }
        drop(client);
        let wanted = format!("reason=\"{reason}\"}} 1\n");
        wait(|| metrics(&daemon.path("metrics")).contains(&wanted), || metrics(&daemon.path("metrics")));
    }
    daemon.wait_for_log("connection lost");
}
