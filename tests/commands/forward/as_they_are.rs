//! Next hops as they are: some know HELO alone, some want a name with a domain, a token, or say no in the middle.

use super::client::stuffed;
use super::next_hop::CONTENT;
use super::{Behaviour, Client, Daemon, Fault, NextHop, PLAIN, code, forward, listener};

/// A message that needs all that ESMTP has.
const NEEDY: &str = "From: J\u{fc}rgen <ann@b\u{fc}cher.example>\r\nTo: bob@example.net\r\n\
    Date: Thu, 1 Jan 2026 00:00:00 +0000\r\nMessage-ID: <1@example.org>\r\nSubject: Gr\u{fc}\u{df}e\r\n\
    MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n\
    Sch\u{f6}ne Gr\u{fc}\u{df}e\r\n";

fn send_needy(daemon: &Daemon) -> String {
    let mail = "<ann@b\u{fc}cher.example> BODY=8BITMIME SMTPUTF8 SIZE=500";
    Client::greeted(daemon.port()).send(mail, &["<bob@example.net>"], NEEDY.as_bytes())
}

/// RFC 5321 §3.2: after 500 or 502 a client says HELO; some close the connection at a word that they don't know.
#[test]
fn one_that_knows_helo_alone_gets_its_mail_in_seven_bits() {
    for refusal in [
        Fault::Say(b"502 5.5.1 command not implemented\r\n".to_vec()),
        Fault::Say(b"500 what\r\n".to_vec()),
        Fault::Say(b"500-what\r\n500 is that\r\n".to_vec()),
        Fault::Die,
        Fault::SayAndDie(b"500 5.5.1 what\r\n".to_vec()),
        Fault::SayAndDie(b"421 4.7.0 protocol error\r\n".to_vec()),
    ] {
        let next_hop = NextHop::behaving(Behaviour { helo: true, ..Behaviour::default() });
        next_hop.fault("EHLO", refusal.clone());
        let daemon = forward(&next_hop.address(), "hostname = \"mx.example.org\"");
        let told = send_needy(&daemon);
        if matches!(&refusal, Fault::SayAndDie(said) if said.starts_with(b"421")) {
            assert_eq!(code(&told), "451", "a server that is going down is not asked twice");
            continue;
        }
        assert_eq!(code(&told), "250", "{refusal:?}: {told}\n{}", daemon.log());
        let arrived = next_hop.take().remove(0);
        assert_eq!(arrived.mail, "<ann@xn--bcher-kva.example>", "{refusal:?}");
        assert!(arrived.raw.is_ascii(), "{refusal:?}: {}", String::from_utf8_lossy(&arrived.raw));
        assert!(next_hop.lines().iter().any(|line| line == "HELO mx.example.org"), "{:?}", next_hop.lines());
        daemon.wait_for_log("the next hop does not support EHLO: HELO was used");
    }
}

#[test]
fn helo_helps_nobody_who_wants_tls_or_a_login() {
    let next_hop = NextHop::behaving(Behaviour { helo: true, ..Behaviour::default() });
    next_hop.fault("EHLO", Fault::Say(b"502 no\r\n".to_vec()));
    let daemon = forward(&next_hop.address(), "next_hop_tls = \"must\"");
    assert_eq!(code(&send_needy(&daemon)), "451");
    daemon.wait_for_log("it does not offer STARTTLS");
}

#[test]
fn it_is_greeted_by_a_name_with_a_domain() {
    for (keys, name) in [("hostname = \"mx.example.org\"", "mx.example.org"), ("hostname = \"mx\"", "[127.0.0.1]")] {
        let next_hop = NextHop::capable();
        let daemon = forward(&next_hop.address(), keys);
        assert_eq!(code(&Client::greeted(daemon.port()).send("<a@example.org>", &["<b@example.net>"], PLAIN)), "250");
        assert_eq!(next_hop.lines()[0], format!("EHLO {name}"));
        assert_eq!(next_hop.lines().iter().filter(|line| line.starts_with("EHLO")).count(), 1, "it is said once");
        let warned = daemon.log().contains("septet goes by the name mx, which has no domain");
        assert_eq!(warned, name.starts_with('['), "{}", daemon.log());
    }
}

#[test]
fn the_name_of_the_settings_is_that_of_every_listener() {
    let next_hop = NextHop::capable();
    let settings = format!(
        "hostname = \"mx.example.org\"\nx_septet = true\n[conformance]\nmissing_message_id = \"fix\"\n{}",
        listener("smtp", &next_hop.address(), "")
    );
    let daemon = Daemon::configured(&settings);
    let mut client = Client::connect(daemon.port());
    assert_eq!(client.say("EHLO c.example").lines().next(), Some("250-mx.example.org"));
    let raw = String::from_utf8_lossy(PLAIN).replace("Message-ID: <1@example.org>\r\n", "");
    assert_eq!(code(&client.send("<a@example.org>", &["<b@example.net>"], raw.as_bytes())), "250");
    let arrived = String::from_utf8_lossy(&next_hop.take()[0].raw).into_owned();
    assert!(arrived.contains("@mx.example.org>\r\n"), "{arrived}");
    assert!(arrived.contains("host=mx.example.org"), "{arrived}");
    assert_eq!(next_hop.lines()[0], "EHLO mx.example.org");
}

fn log_in(offered: &str, keys: &str, secret: &str) -> (String, String) {
    let keywords = vec![offered.to_owned()];
    let next_hop = NextHop::behaving(Behaviour { keywords, secret: Some("open sesame"), ..Behaviour::default() });
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("secret");
    std::fs::write(&file, format!("{secret}\n")).expect("a file");
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).expect("its mode");
    let keys = keys.replace("FILE", &file.display().to_string());
    let daemon = forward(&next_hop.address(), &format!("next_hop_tls = \"no\"\nnext_hop_user = \"relay\"\n{keys}"));
    let told = Client::greeted(daemon.port()).send("<a@example.org>", &["<b@example.net>"], PLAIN);
    assert!(!daemon.log().contains("sesame"), "{}", daemon.log());
    let auth = next_hop.lines().into_iter().find(|line| line.starts_with("AUTH")).unwrap_or_default();
    (format!("{} {auth}", code(&told)), daemon.log())
}

#[test]
fn it_is_logged_in_to_by_what_it_offers() {
    let (password, token) = ("next_hop_password_file = \"FILE\"", "next_hop_token_file = \"FILE\"");
    for (offered, keys, secret, begins) in [
        ("AUTH PLAIN LOGIN", password, "open sesame", "250 AUTH PLAIN "),
        ("AUTH LOGIN XOAUTH2", password, "open sesame", "250 AUTH LOGIN"),
        ("AUTH=LOGIN", password, "open sesame", "250 AUTH LOGIN"),
        ("auth login", password, "open sesame", "250 AUTH LOGIN"),
        ("AUTH PLAIN LOGIN", &format!("{password}\nnext_hop_auth = \"login\""), "open sesame", "250 AUTH LOGIN"),
        ("AUTH PLAIN XOAUTH2", token, "open sesame", "250 AUTH XOAUTH2 "),
    ] {
        let (told, log) = log_in(offered, keys, secret);
        assert!(told.starts_with(begins), "{offered}, {keys}: {told}\n{log}");
    }
    for (offered, keys, secret, says) in [
        ("AUTH PLAIN LOGIN", password, "wrong", "PLAIN failed, of PLAIN LOGIN that it offers: 535 5.7.8 who are you"),
        (
            "AUTH PLAIN XOAUTH2",
            token,
            "wrong",
            "XOAUTH2 failed, of PLAIN XOAUTH2 that it offers: 535 5.7.8 who are you / {?status?:?invalid_token?}",
        ),
        ("AUTH LOGIN", password, "wrong", "LOGIN failed, of LOGIN that it offers: 535 5.7.8 who are you"),
        ("AUTH CRAM-MD5", password, "open sesame", "it offers CRAM-MD5, and septet would take PLAIN or LOGIN"),
        ("8BITMIME", token, "open sesame", "it offers none on this connection"),
    ] {
        let (told, log) = log_in(offered, keys, secret);
        assert!(told.starts_with("451"), "{offered}: {told}");
        assert!(log.contains(says), "{says}\n{log}");
    }
}

/// Providers say in each line where to read on, with a status code before it.
#[test]
fn a_reply_of_several_lines_stays_one_of_several_lines() {
    let reply = "550-5.7.26 This mail has been blocked because the sender is unauthenticated.\r\n\
        550-5.7.26 Gmail requires all senders to authenticate.\r\n550 5.7.26 see https://example.org/help\r\n";
    for stage in ["MAIL", "RCPT", "DATA", "END"] {
        let next_hop = NextHop::capable();
        next_hop.fault(stage, Fault::Say(reply.as_bytes().to_vec()));
        let daemon = forward(&next_hop.address(), "");
        let told = Client::greeted(daemon.port()).send("<a@example.org>", &["<b@example.net>"], PLAIN);
        assert_eq!(told, reply.trim_end().replace("\r\n", "\n"), "{stage}");
    }
}

/// What it says before the end is the answer: a message that is too large would come again for days.
#[test]
fn a_refusal_in_the_middle_reaches_the_client() {
    for (lmtp, protocol) in [(false, "smtp"), (true, "lmtp")] {
        let keywords = ["8BITMIME", "SMTPUTF8"].map(str::to_owned).to_vec();
        let next_hop = NextHop::behaving(Behaviour { keywords, lmtp, ..Behaviour::default() });
        next_hop.fault(CONTENT, Fault::SayAndDie(b"552 5.3.4 too large for us\r\n".to_vec()));
        let settings =
            format!("default_profile = \"keep\"\n{}", listener(protocol, &next_hop.address(), "when = \"needed\""));
        let daemon = Daemon::configured(&settings);
        let mut client = if lmtp { Client::lmtp(daemon.port()) } else { Client::greeted(daemon.port()) };
        assert_eq!(code(&client.envelope("<a@example.org>", &["<b@example.net>"])), "354");
        let large = [PLAIN, &b"some more of it\r\n".repeat(200_000)].concat();
        client.write(&stuffed(&large));
        let told = client.reply();
        assert_eq!(told, "552 5.3.4 too large for us", "{protocol}\n{}", daemon.log());
        next_hop.behaviour().faults.clear();
        assert_eq!(code(&client.send("<a@example.org>", &["<b@example.net>"], PLAIN)), "250", "{}", daemon.log());
    }
}
