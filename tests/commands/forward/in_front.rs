//! Clients as they are: some sit there, some come by a proxy, some are refused, and each refusal is in the log.

use std::io::Write as _;
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::client::stuffed;
use super::{Behaviour, Client, Daemon, Fault, NextHop, PLAIN, code, forward, listener};

/// A little longer than a client keeps a connection to the next hop in which it sends nothing.
const HELD: Duration = Duration::from_millis(5700);

/// Clients that say MAIL and sit, or say NOOP, held every connection to the next hop as long as they liked.
#[test]
fn a_client_that_sits_keeps_no_connection_from_others() {
    let next_hop = NextHop::capable();
    let daemon = forward(&next_hop.address(), "next_hop_connections = 1");
    let (mut sits, mut pings) = (Client::greeted(daemon.port()), Client::greeted(daemon.port()));
    assert_eq!(code(&sits.say("MAIL FROM:<sits@example.org>")), "250");
    assert_eq!(code(&sits.say("RCPT TO:<b@example.net>")), "250");
    let start = Instant::now();
    assert_eq!(code(&pings.say("MAIL FROM:<pings@example.org>")), "250", "when the first one has given its up");
    let pinging = std::thread::spawn(move || {
        for _ in 0..40 {
            assert_eq!(code(&pings.say("NOOP")), "250");
            sleep(Duration::from_millis(200));
        }
        pings
    });
    let sent = Client::greeted(daemon.port()).send("<busy@example.org>", &["<b@example.net>"], PLAIN);
    assert_eq!(code(&sent), "250", "{}", daemon.log());
    assert!(start.elapsed() < Duration::from_secs(25), "{:?}", start.elapsed());
    // Whoever goes on finds all as it was.
    assert_eq!(code(&sits.say("RCPT TO:<c@example.net>")), "250", "{}", daemon.log());
    assert_eq!(code(&sits.say("DATA")), "354");
    sits.write(&stuffed(PLAIN));
    assert_eq!(code(&sits.reply()), "250", "{}", daemon.log());
    let arrived = next_hop.all();
    let sat = arrived.iter().find(|message| message.mail.contains("sits")).expect("its message");
    assert_eq!(sat.recipients, ["<b@example.net>", "<c@example.net>"]);
    let mut pings = pinging.join().expect("it pings");
    assert_eq!(code(&pings.say("RCPT TO:<d@example.net>")), "250", "{}", daemon.log());
}

/// The refusal of one recipient is not told of another one, nor of all: the client comes again, and is told of each.
#[test]
fn a_recipient_who_is_refused_the_second_time_fails_no_other() {
    let next_hop = NextHop::capable();
    let daemon = forward(&next_hop.address(), "");
    let mut clients = [Client::greeted(daemon.port()), Client::greeted(daemon.port())];
    for client in &mut clients {
        assert_eq!(code(&client.say("MAIL FROM:<a@example.org>")), "250");
        assert_eq!(code(&client.say("RCPT TO:<gone@example.net>")), "250");
    }
    sleep(HELD);
    next_hop.behaviour().refused = Some("gone");
    for (client, command) in clients.iter_mut().zip(["RCPT TO:<b@example.net>", "DATA"]) {
        let told = client.say(command);
        assert!(told.starts_with("451 4.3.0 a recipient who was accepted is refused now: 550 5.1.1"), "{told}");
        assert_eq!(code(&client.say("RSET")), "250");
        assert_eq!(code(&client.send("<a@example.org>", &["<b@example.net>"], PLAIN)), "250", "{}", daemon.log());
    }
}

/// A message that comes drop by drop holds none either, and one that comes too slowly is given up.
#[test]
fn a_message_that_drips_is_given_up() {
    let next_hop = NextHop::capable();
    let settings = format!("{}\n[limits]\nidle_time = \"1s\"\n", listener("smtp", &next_hop.address(), ""));
    let daemon = Daemon::configured(&settings);
    let mut client = Client::greeted(daemon.port());
    assert_eq!(code(&client.envelope("<a@example.org>", &["<b@example.net>"])), "354");
    let start = Instant::now();
    while client.out.write_all(b"x").is_ok() && start.elapsed() < Duration::from_secs(10) {
        sleep(Duration::from_millis(100));
    }
    assert!(start.elapsed() < Duration::from_secs(8), "{}", daemon.log());
    daemon.wait_for_log("a message that comes too slowly");
    assert_eq!(next_hop.count(), 0);
}

#[test]
fn a_message_has_a_time_to_come() {
    let next_hop = NextHop::capable();
    let daemon = forward(&next_hop.address(), "message_time = \"1s\"");
    let mut client = Client::greeted(daemon.port());
    assert_eq!(code(&client.say("MAIL FROM:<a@example.org>")), "250");
    let mut told = String::new();
    for _ in 0..100 {
        told = client.say("NOOP");
        if code(&told) != "250" {
            break;
        }
        sleep(Duration::from_millis(50));
    }
    assert!(told.starts_with("421 4.4.2 the message comes too slowly"), "{told}");
}

fn by_proxy(daemon: &Daemon, header: &[u8]) -> Client {
    let stream = TcpStream::connect(("127.0.0.1", daemon.port())).expect("septet");
    Client::behind(stream, header)
}

#[test]
fn a_trusted_proxy_says_for_whom_it_connects() {
    let next_hop = NextHop::with(&["XFORWARD ADDR PORT"]);
    let keys = "proxy_protocol = true\ntrusted = [\"127.0.0.1\"]";
    let daemon = forward(&next_hop.address(), keys);
    let v2 = [&b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c"[..], &[192, 0, 2, 9, 127, 0, 0, 1, 0, 9, 0, 25]].concat();
    for (header, told) in [
        (&b"PROXY TCP4 192.0.2.1 198.51.100.1 56324 25\r\n"[..], "XFORWARD ADDR=192.0.2.1 PORT=56324"),
        (&v2, "XFORWARD ADDR=192.0.2.9 PORT=9"),
        (b"PROXY TCP6 2001:db8::1 ::1 56324 25\r\n", "XFORWARD ADDR=IPV6:2001:db8::1 PORT=56324"),
    ] {
        let mut client = by_proxy(&daemon, header);
        let hello = client.say("EHLO client.example");
        assert!(!hello.contains("XCLIENT"), "the client behind it is not trusted: {hello}");
        assert_eq!(code(&client.send("<a@example.org>", &["<b@example.net>"], PLAIN)), "250", "{}", daemon.log());
        assert!(next_hop.lines().iter().any(|line| line == told), "{:?}", next_hop.lines());
    }
    daemon.wait_for_log("client=unknown[2001:db8::1]");
    let mut itself = by_proxy(&daemon, b"PROXY UNKNOWN\r\n");
    assert!(itself.say("EHLO proxy.example").contains("XCLIENT"));
}

#[test]
fn a_trusted_proxy_must_say_it_and_others_must_not() {
    let next_hop = NextHop::capable();
    let daemon = forward(&next_hop.address(), "proxy_protocol = true\ntrusted = [\"127.0.0.1\"]");
    let mut stream = TcpStream::connect(("127.0.0.1", daemon.port())).expect("septet");
    stream.write_all(b"EHLO client.example\r\n").expect("written");
    daemon.wait_for_log("no PROXY header where proxy_protocol = true wants one");
    let daemon = forward(&next_hop.address(), "proxy_protocol = true\ntrusted = [\"192.0.2.1\"]");
    let mut client = Client::connect(daemon.port());
    assert_eq!(code(&client.say("PROXY TCP4 192.0.2.1 198.51.100.1 56324 25")), "500");
}

#[test]
fn an_address_that_is_none_is_refused() {
    let next_hop = NextHop::with(&["XFORWARD ADDR"]);
    let daemon = forward(&next_hop.address(), "trusted = [\"127.0.0.1\"]");
    let mut client = Client::greeted(daemon.port());
    for bad in ["XCLIENT ADDR=999.1.1.1", "XFORWARD ADDR=1.2.3", "XCLIENT PORT=65536", "XCLIENT ADDR=IPV6:x"] {
        assert_eq!(code(&client.say(bad)), "501", "{bad}");
    }
    assert_eq!(code(&client.say("XCLIENT ADDR=IPV6:2001:db8::1 PORT=25")), "220");
}

/// RFC 2033 §4.3: each recipient has an answer, whatever the next hop says of itself.
#[test]
fn each_recipient_is_answered_where_the_next_hop_goes() {
    let three = ["<b@example.net>", "<c@example.net>", "<d@example.net>"];
    for (replies, codes) in [
        (&b"250 kept\r\n421 4.3.2 going down\r\n"[..], ["250", "451", "451"]),
        (b"421 4.3.2 going down\r\n", ["451", "451", "451"]),
        (b"250 kept\r\n", ["250", "451", "451"]),
        (b"", ["451", "451", "451"]),
    ] {
        let next_hop = NextHop::behaving(Behaviour { lmtp: true, ..Behaviour::default() });
        let daemon = Daemon::configured(&listener("lmtp", &next_hop.address(), ""));
        let mut client = Client::lmtp(daemon.port());
        next_hop.fault("END", Fault::SayAndDie(replies.to_vec()));
        assert_eq!(code(&client.envelope("<a@example.org>", &three)), "354");
        client.write(&stuffed(PLAIN));
        let told = [client.reply(), client.reply(), client.reply()];
        assert_eq!(told.each_ref().map(|it| code(it)), codes, "{told:?}");
        next_hop.behaviour().faults.clear();
        assert_eq!(code(&client.send("<a@example.org>", &["<b@example.net>"], PLAIN)), "250", "{}", daemon.log());
    }
}

/// The log told it as the next hop's refusal of the one recipient.
#[test]
fn a_next_hop_that_is_lost_has_refused_no_recipient() {
    let next_hop = NextHop::behaving(Behaviour { lmtp: true, ..Behaviour::default() });
    let daemon = Daemon::configured(&listener("lmtp", &next_hop.address(), ""));
    next_hop.fault("END", Fault::Die);
    let told = Client::lmtp(daemon.port()).send("<a@example.org>", &["<b@example.net>"], PLAIN);
    assert!(told.starts_with("451 4.4.2"), "{told}");
    let line = daemon.line("result=");
    assert!(line.contains("refused_by=\"septet\""), "{line}");
    assert!(!daemon.log().contains("recipient refused"), "{}", daemon.log());
}

/// The headline refusals of a proxy were in no log, and no metric moved.
#[test]
fn every_refusal_has_a_line_and_is_counted() {
    let next_hop = NextHop::behaving(Behaviour { refused: Some("nobody"), ..Behaviour::default() });
    let metrics = "[metrics]\nlisten = \"inet:127.0.0.1:0\"\n";
    let daemon = Daemon::configured(&(listener("smtp", &next_hop.address(), "") + metrics));
    let mut client = Client::greeted(daemon.port());
    let mail = |client: &mut Client, from: &str| assert_eq!(code(&client.say(&format!("MAIL FROM:{from}"))), "250");
    assert_eq!(code(&client.say("MAIL FROM:<j\u{fc}rgen@example.org> SMTPUTF8")), "550");
    mail(&mut client, "<a@example.org> SMTPUTF8");
    assert_eq!(code(&client.say("RCPT TO:<j\u{fc}rgen@example.org>")), "550");
    assert_eq!(code(&client.say("RCPT TO:<nobody@example.org>")), "550");
    assert_eq!(code(&client.say("RCPT TO:<broken")), "501");
    assert_eq!(code(&client.say(&format!("RCPT TO:<{}@example.org>", "long".repeat(3000)))), "500");
    next_hop.fault("DATA", Fault::Say(b"554 5.7.1 not from you\r\n".to_vec()));
    assert_eq!(code(&client.say("RCPT TO:<b@example.org>")), "250");
    assert_eq!(code(&client.say("DATA")), "354");
    client.write(&stuffed(PLAIN));
    assert_eq!(code(&client.reply()), "554");
    for (command, reply, by) in [
        ("MAIL FROM:<j\u{fc}rgen@example.org> SMTPUTF8", "550 5.6.7 ", "septet"),
        ("RCPT TO:<j\u{fc}rgen@example.org>", "550 5.6.7 ", "septet"),
        ("RCPT TO:<nobody@example.org>", "550 5.1.1 no such user", "next-hop"),
        ("RCPT TO:<broken", "501 5.1.3 ", "septet"),
    ] {
        let line = daemon.line(&format!("command=\"{command}\""));
        assert!(line.contains(&format!("reply=\"{reply}")), "{line}");
        assert!(line.contains(&format!("refused_by=\"{by}\"")) || line.contains(&format!("refused_by={by}")), "{line}");
        assert!(line.contains("client=unknown[127.0.0.1]"), "{line}");
        assert!(line.contains("sender=<"), "{line}");
    }
    let long = daemon.line("500 5.5.2 line too long");
    assert!(long.contains("command=\"RCPT TO:<longlong") && long.len() < 1000, "{long}");
    let whole = daemon.line("554 5.7.1 not from you");
    assert!(whole.contains("result=\"reject\"") && whole.contains("refused_by=\"next-hop\""), "{whole}");
}
