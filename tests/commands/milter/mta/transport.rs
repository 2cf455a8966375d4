//! 8-bit octets: what an MTA sends on of a body that was raised, to next hops that take them and to others.

use super::postfix::{self, Postfix};
use super::sendmail::{self, Sendmail};
use super::{Client, Sink};
use crate::milter::daemon::Daemon;

/// A message in 7 bits, which `eai` raises where it may.
fn seven_bit(header: &str) -> Vec<u8> {
    let fixed = "From: a@example.org\r\nTo: b@example.net\r\nDate: Thu, 1 Jan 2026 00:00:00 +0000\r\n\
        Message-ID: <1@example.org>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\
        Content-Transfer-Encoding: quoted-printable\r\n";
    format!("{fixed}{header}\r\ncaf=C3=A9\r\n").into_bytes()
}

/// How a body arrives.
#[derive(Debug, PartialEq, Eq)]
enum Form {
    /// Quoted-printable or base64, and said to be.
    SevenBit,
    /// 8-bit, and said to be.
    EightBit,
    /// 8-bit that nobody was told of, or a label that is not true.
    Wrong,
}

fn form(message: &[u8], hop_takes_8bit: bool) -> Form {
    let says = |text: &str| memchr::memmem::find(&message.to_ascii_lowercase(), text.as_bytes()).is_some();
    let body = memchr::memmem::find(message, b"\r\n\r\n").map_or(message, |at| &message[at..]);
    let eight_bit = !body.is_ascii();
    match (eight_bit, says("content-transfer-encoding: 8bit")) {
        (true, true) if hop_takes_8bit => Form::EightBit,
        (false, false) => Form::SevenBit,
        _ => Form::Wrong,
    }
}

/// Sends the message with each `BODY=` to a hop with and without 8BITMIME, and gives the forms.
fn forms(port: u16, sink: &Sink, hop_takes_8bit: bool, header: &str) -> [Form; 3] {
    [("none", ""), ("seven", " BODY=7BIT"), ("eight", " BODY=8BITMIME")].map(|(name, mail)| {
        let to = format!("{name}.{hop_takes_8bit}.{}@example.net", header.len());
        let mut client = Client::connect(port).expect("an MTA");
        client.send("a@example.org", mail, std::slice::from_ref(&to), &seven_bit(header)).expect("it is taken");
        form(&sink.wait_for(&to), hop_takes_8bit)
    })
}

#[test]
fn postfix_sends_no_raised_body_where_it_must_not() {
    use Form::{EightBit, SevenBit};
    if !postfix::is_there() {
        return;
    }
    let daemon = Daemon::start(&["--listen", "inet:127.0.0.1:0", "--profile", "eai"]);
    let service = format!("-o smtpd_milters=inet:127.0.0.1:{}", daemon.port());
    for (hop, expected) in [(true, [EightBit, SevenBit, EightBit]), (false, [SevenBit, SevenBit, SevenBit])] {
        let sink = Sink::with(if hop { &["8BITMIME"] } else { &[] });
        let postfix = Postfix::start(sink.port, "", std::slice::from_ref(&service));
        assert_eq!(forms(postfix.ports[0], &sink, hop, ""), expected, "8BITMIME at the next hop: {hop}");
    }
}

/// Sendmail downgrades only what had 8-bit octets before the milter, be it in the header, and whatever `BODY=` said.
#[test]
fn sendmail_sends_no_raised_body_where_it_must_not() {
    use Form::{EightBit, SevenBit};
    if !sendmail::is_there() {
        return;
    }
    let daemon = Daemon::start(&["--listen", "inet:127.0.0.1:0", "--profile", "eai"]);
    let filter = vec![format!("S=inet:{}@127.0.0.1, F=T", daemon.port())];
    for (hop, raised) in [(true, EightBit), (false, SevenBit)] {
        let sink = Sink::with(if hop { &["8BITMIME"] } else { &[] });
        let sendmail = Sendmail::start(sink.port, std::slice::from_ref(&filter));
        let found = forms(sendmail.ports[0], &sink, hop, "");
        assert_eq!(found, [SevenBit, SevenBit, SevenBit], "8BITMIME at the next hop: {hop}");
        let found = forms(sendmail.ports[0], &sink, hop, "X-Raw: caf\u{e9}\r\n");
        assert_eq!(found, [SevenBit, SevenBit, raised], "8BITMIME at the next hop: {hop}");
    }
}

/// A profile that lowers does so whatever the client declared, and for a next hop that takes 8-bit as well.
#[test]
fn a_body_is_lowered_always() {
    if !postfix::is_there() {
        return;
    }
    let (daemon, sink) = (Daemon::start(&["--listen", "inet:127.0.0.1:0", "--profile", "seven-bit"]), Sink::start());
    let postfix = Postfix::start(sink.port, "", &[format!("-o smtpd_milters=inet:127.0.0.1:{}", daemon.port())]);
    let raw = [&seven_bit("")[..], b"raw \xc3\xa9\r\n"].concat();
    let raw = String::from_utf8_lossy(&raw).replace("quoted-printable", "8bit").into_bytes();
    for (name, mail) in [("none", ""), ("seven", " BODY=7BIT"), ("eight", " BODY=8BITMIME")] {
        let to = format!("{name}@example.net");
        let mut client = Client::connect(postfix.ports[0]).expect("an MTA");
        client.send("a@example.org", mail, std::slice::from_ref(&to), &raw).expect("it is taken");
        assert_eq!(form(&sink.wait_for(&to), true), Form::SevenBit, "{name}");
    }
}
