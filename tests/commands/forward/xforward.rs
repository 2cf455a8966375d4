//! Whom a message comes from is told with that message and no other.

use super::{Client, Fault, NextHop, PLAIN, code, forward};

const WANTED: &str = "XFORWARD NAME ADDR PORT PROTO HELO IDENT SOURCE";

/// Returns the first words of what the next hop was told between messages, and IDENT where it was told.
fn told(next_hop: &NextHop) -> Vec<String> {
    let ident = |line: &str| line.split(' ').find(|word| word.starts_with("IDENT=")).unwrap_or_default().to_owned();
    let short = |line: &String| match line.split(' ').next() {
        Some("XFORWARD") => format!("XFORWARD {}", ident(line)).trim_end().to_owned(),
        word => word.unwrap_or_default().to_owned(),
    };
    next_hop.lines().iter().map(short).filter(|line| line != "EHLO").collect()
}

#[test]
fn it_is_told_again_where_the_envelope_is_said_again() {
    let next_hop = NextHop::with(&[WANTED, "8BITMIME", "SMTPUTF8"]);
    let daemon = forward(&next_hop.address(), "trusted = [\"127.0.0.1\"]");
    let mut client = Client::greeted(daemon.port());
    assert_eq!(code(&client.say("XFORWARD IDENT=one")), "250");
    let sent = client.send("<a@example.org> SMTPUTF8", &["<b@example.net>"], PLAIN);
    assert_eq!(code(&sent), "250", "{sent}");
    let twice = ["XFORWARD IDENT=one", "MAIL", "RCPT", "RSET", "XFORWARD IDENT=one", "MAIL", "RCPT", "DATA"];
    assert_eq!(told(&next_hop), twice);
}

/// A next hop keeps it until RSET, and would take it for that of the next message, whosever that is.
#[test]
fn a_refused_sender_leaves_nothing_behind() {
    let next_hop = NextHop::with(&[WANTED]);
    let daemon = forward(&next_hop.address(), "trusted = [\"127.0.0.1\"]");
    let mut client = Client::greeted(daemon.port());
    next_hop.fault("MAIL", Fault::Say(b"451 4.7.1 not now\r\n".to_vec()));
    client.say("XFORWARD IDENT=one");
    assert_eq!(code(&client.say("MAIL FROM:<a@example.org>")), "451");
    next_hop.behaviour().faults.clear();
    let sent = Client::greeted(daemon.port()).send("<a@example.org>", &["<b@example.net>"], PLAIN);
    assert_eq!(code(&sent), "250", "{sent}");
    assert_eq!(told(&next_hop), ["XFORWARD IDENT=one", "MAIL", "RSET", "XFORWARD", "MAIL", "RCPT", "DATA"]);
}

#[test]
fn a_client_that_resets_begins_anew() {
    for again in ["RSET", "EHLO client.example"] {
        let next_hop = NextHop::with(&[WANTED]);
        let daemon = forward(&next_hop.address(), "trusted = [\"127.0.0.1\"]");
        let mut client = Client::greeted(daemon.port());
        client.say("XFORWARD IDENT=one");
        assert_eq!(code(&client.say(again)), "250");
        let sent = client.send("<a@example.org>", &["<b@example.net>"], PLAIN);
        assert_eq!(code(&sent), "250", "{sent}");
        assert_eq!(told(&next_hop), ["XFORWARD", "MAIL", "RCPT", "DATA"], "{again}");
    }
}
