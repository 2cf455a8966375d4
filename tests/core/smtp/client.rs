//! The client of a next hop.

use septet::protocol::smtp::{Attributes, Client, Expected, MailCommand, Path, RcptCommand, Reply, SmtpDialect};

fn path() -> Path {
    Path::read(b"<a@b.example>").expect("a path")
}

/// A client in a message: greeted, all replies read up to 354.
fn in_message(dialect: SmtpDialect, rcpt_codes: &[u16], out: &mut Vec<u8>) -> Client {
    let mut client = Client::new(dialect);
    client.hello("we.example", out);
    client.mail(&MailCommand { path: path(), ..MailCommand::default() }, out);
    rcpt_codes.iter().for_each(|_| client.rcpt(&RcptCommand { path: path(), ..RcptCommand::default() }, out));
    client.data(out);
    let replies = [220, 250, 250].iter().chain(rcpt_codes).chain(&[354]);
    let expected = replies.map(|code| answers(&mut client, &format!("{code} x\r\n"))[0].0);
    assert_eq!(expected.last(), Some(Expected::Data));
    client
}

fn answers(client: &mut Client, text: &str) -> Vec<(Expected, Reply)> {
    let (mut rest, mut found) = (text.as_bytes(), Vec::new());
    while !rest.is_empty() {
        let (used, answer) = client.receive(rest).expect("no garbage");
        rest = &rest[used..];
        found.extend(answer);
    }
    found
}

#[test]
fn smtp_has_one_reply_to_a_message_and_lmtp_one_for_each_recipient() {
    for (dialect, replies) in [(SmtpDialect::Smtp, 1), (SmtpDialect::Lmtp, 2)] {
        let mut out = Vec::new();
        let mut client = in_message(dialect, &[250, 550, 251], &mut out);
        client.content(b"Subject: x\r\n\r\n.\r", &mut out);
        client.content(b"\nx", &mut out);
        client.end(&mut out);
        assert!(out.ends_with(b"DATA\r\nSubject: x\r\n\r\n..\r\nx\r\n.\r\n"));
        assert_eq!(client.expected(), replies);
        let found = answers(&mut client, &"250 taken\r\n".repeat(replies));
        assert_eq!(found.last().map(|(expected, _)| *expected), Some(Expected::End(replies - 1)));
        assert!(client.is_idle());
        let one_more = client.receive(b"250 and again\r\n").expect_err("nothing was asked");
        assert_eq!(one_more.to_string(), "a reply 250 that nothing was asked for");
    }
}

#[test]
fn a_next_hop_may_close_at_any_time() {
    let mut client = in_message(SmtpDialect::Smtp, &[250], &mut Vec::new());
    client.content(b"x", &mut Vec::new());
    let found = answers(&mut client, "421 4.3.2 shutting down\r\n");
    assert_eq!((found[0].0, client.is_closed(), client.is_idle()), (Expected::Close, true, false));
    assert_eq!(client.receive(b"250 still here\r\n"), Ok((16, None)));
    let mut client = Client::new(SmtpDialect::Lmtp);
    assert_eq!(answers(&mut client, "421 busy\r\n")[0].0, Expected::Greeting);
    assert!(client.is_closed());
}

#[test]
fn a_reply_while_the_content_goes_out_is_garbage() {
    let mut client = in_message(SmtpDialect::Smtp, &[250], &mut Vec::new());
    client.content(b"x", &mut Vec::new());
    assert!(client.receive(b"250 taken\r\n").is_err(), "before it was sent");
}

#[test]
fn a_connection_with_half_a_reply_is_not_idle() {
    let mut client = Client::new(SmtpDialect::Smtp);
    answers(&mut client, "220 x\r\n");
    assert!(client.is_idle());
    assert_eq!(client.receive(b"421 clo"), Ok((7, None)));
    assert!(!client.is_idle());
}

#[test]
fn commands_are_lines() {
    let (mut client, mut out) = (Client::new(SmtpDialect::Smtp), Vec::new());
    client.hello("we \r\nQUIT", &mut out);
    client.helo("wé", &mut out);
    let mut attributes = Attributes::default();
    attributes.set("HELO", Some(b"a\r\nb"));
    client.xforward(&attributes, &mut out);
    client.reset(&mut out);
    client.quit(&mut out);
    let written = String::from_utf8(out).expect("UTF-8");
    assert_eq!(written, "EHLO we---QUIT\r\nHELO wé\r\nXFORWARD HELO=a+0D+0Ab\r\nRSET\r\nQUIT\r\n");
}
