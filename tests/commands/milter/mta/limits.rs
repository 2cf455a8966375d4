//! What is too large: it passes whole, and is not cut.

use super::postfix::{self, Postfix};
use super::sendmail::{self, Sendmail};
use super::{Client, Sink, show, without_received};
use crate::milter::daemon::Daemon;

/// The header of a text in ISO-8859-1, complete.
const LATIN: &str = "From: a@example.org\r\nTo: b@example.net\r\nDate: Thu, 1 Jan 2026 00:00:00 +0000\r\n\
    Message-ID: <1@example.org>\r\nSubject: x\r\nMIME-Version: 1.0\r\n\
    Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n";

fn passes(port: u16, sink: &Sink, to: &str, raw: &[u8], daemon: &Daemon) {
    let mut client = Client::connect(port).expect("an MTA");
    client
        .send("a@example.org", " BODY=8BITMIME", &[to.to_owned()], raw)
        .unwrap_or_else(|error| panic!("{to}: {error}"));
    let arrived = sink.wait_for(to);
    assert!(without_received(&arrived) == raw, "{to}: {}\n--- for\n{}\n{}", show(&arrived), show(raw), daemon.log());
}

/// A field in words can be twice as long as it was in raw 8-bit. Postfix cut it, in the mail as delivered.
#[test]
fn postfix_cuts_no_field_that_would_grow_over_60_kb() {
    if !postfix::is_there() {
        return;
    }
    let (daemon, sink) = (Daemon::start(&["--listen", "inet:127.0.0.1:0"]), Sink::start());
    let postfix = Postfix::start(sink.port, "", &[format!("-o smtpd_milters=inet:127.0.0.1:{}", daemon.port())]);
    let field = format!("X-Long:{}\r\n", " \u{e9}t\u{e9}".repeat(9000));
    let raw = [LATIN.as_bytes(), field.as_bytes(), b"\r\nplain\r\n"].concat();
    passes(postfix.ports[0], &sink, "grown@example.net", &raw, &daemon);
    assert!(daemon.log().contains("field=X-Long left=limit(field_bytes 59000)"), "{}", daemon.log());
}

fn large() -> Vec<u8> {
    [LATIN.as_bytes(), b"\r\n", &b"caf\xe9\r\n".repeat(50_000)].concat()
}

const LIMITED: [&str; 4] = ["--listen", "inet:127.0.0.1:0", "--set", "limits.message_bytes=100KiB"];

/// With the old version the MTA waits for a reply after each piece; with the new one it is never told to stop.
#[test]
fn a_message_over_the_limit_passes_whole_through_postfix() {
    if !postfix::is_there() {
        return;
    }
    let (daemon, sink) = (Daemon::start(&LIMITED), Sink::start());
    let milter = format!("-o smtpd_milters=inet:127.0.0.1:{}", daemon.port());
    let ways = [milter.clone(), format!("{milter} -o milter_protocol=2"), format!("{milter} -o milter_protocol=4")];
    let postfix = Postfix::start(sink.port, "", &ways);
    for (number, port) in postfix.ports.iter().enumerate() {
        passes(*port, &sink, &format!("{number}@example.net"), &large(), &daemon);
    }
    assert_eq!(daemon.log().matches("left=limit(message_bytes").count(), ways.len(), "{}", daemon.log());
}

#[test]
fn a_message_over_the_limit_passes_whole_through_sendmail() {
    if !sendmail::is_there() {
        return;
    }
    let (daemon, sink) = (Daemon::start(&LIMITED), Sink::start());
    let sendmail = Sendmail::start(sink.port, &[vec![format!("S=inet:{}@127.0.0.1, F=T", daemon.port())]]);
    passes(sendmail.ports[0], &sink, "large@example.net", &large(), &daemon);
    assert!(daemon.log().contains("left=limit(message_bytes"), "{}", daemon.log());
}
