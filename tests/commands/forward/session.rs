//! What a client may say beside plain messages: chunks, DSN's parameters, for whom it speaks, more than is allowed.

use super::client::stuffed;
use super::{Behaviour, Client, Daemon, NextHop, PLAIN, code, forward, listener};

/// Chunks go on as DATA, with dots doubled, for the next hop need not know BDAT.
#[test]
fn chunks_go_on_as_data() {
    let next_hop = NextHop::with(&["8BITMIME"]);
    let daemon = forward(&next_hop.address(), "");
    let mut client = Client::greeted(daemon.port());
    let raw = b"Subject: chunks\r\n\r\n.\r\n..\r\n.a\r\n\r\n.\r\n";
    for size in [1, 7, 19, raw.len()] {
        client.say("MAIL FROM:<a@example.org>");
        client.say("RCPT TO:<b@example.net>");
        for chunk in raw.chunks(size) {
            client.write(&[format!("BDAT {}\r\n", chunk.len()).as_bytes(), chunk].concat());
            assert_eq!(code(&client.reply()), "250");
        }
        assert_eq!(code(&client.say("BDAT 0 LAST")), "250");
        assert_eq!(next_hop.take()[0].raw.escape_ascii().to_string(), raw.escape_ascii().to_string());
    }
    // A transaction given up between chunks leaves nothing behind, however far it came.
    for keys in ["profile = \"keep\"", "when = \"needed\""] {
        let next_hop = NextHop::capable();
        let daemon = forward(&next_hop.address(), keys);
        let mut client = Client::greeted(daemon.port());
        for end in ["RSET", "EHLO again"] {
            client.say("MAIL FROM:<a@example.org>");
            client.say("RCPT TO:<b@example.net>");
            client.write(b"BDAT 18\r\nSubject: a\r\n\r\nbcd\r\n");
            assert_eq!(code(&client.reply()), "250");
            // What is over the chunk, an LF, is a command line that nobody knows.
            assert_eq!(code(&client.reply()), "500");
            assert_eq!(code(&client.say(end)), "250");
            assert_eq!(code(&client.send("<a@example.org>", &["<b@example.net>"], PLAIN)), "250");
            let arrived = next_hop.take();
            assert_eq!((arrived.len(), &arrived[0].raw[..]), (1, PLAIN), "{keys} {end}");
        }
    }
}

/// DSN's parameters are the next hop's affair: they go on as they are, where it knows them.
#[test]
fn parameters_go_on_where_they_are_known() {
    let mail = "<a@example.org> RET=HDRS ENVID=QQ+2B1 SIZE=100 BODY=8BITMIME";
    let rcpt = "<b@example.net> NOTIFY=SUCCESS,FAILURE ORCPT=rfc822;b+2Bc@example.net";
    let knows = NextHop::with(&["DSN", "SIZE 100000", "8BITMIME"]);
    let daemon = forward(&knows.address(), "");
    assert_eq!(code(&Client::greeted(daemon.port()).send(mail, &[rcpt], PLAIN)), "250");
    let arrived = knows.take().remove(0);
    assert_eq!((arrived.mail.as_str(), arrived.recipients[0].as_str()), (mail, rcpt));

    let ignorant = NextHop::with(&[]);
    let daemon = forward(&ignorant.address(), "");
    let mut client = Client::connect(daemon.port());
    assert!(!client.say("EHLO client.example").contains("DSN"));
    assert!(client.say(&format!("MAIL FROM:{mail}")).starts_with("555 5.5.4"));
    let told = client.send("<a@example.org> SIZE=100 BODY=8BITMIME", &["<b@example.net>"], PLAIN);
    assert_eq!(code(&told), "250", "what septet does by itself is not asked of the next hop");
    assert_eq!(ignorant.take()[0].mail, "<a@example.org>");
}

/// Commands in one piece are answered one by one, each by what the next hop says of it.
#[test]
fn a_pipelining_client_is_answered_in_order() {
    let next_hop = NextHop::behaving(Behaviour { refused: Some("nobody"), ..Behaviour::default() });
    let daemon = forward(&next_hop.address(), "");
    let mut client = Client::greeted(daemon.port());
    client.write(
        b"MAIL FROM:<a@example.org>\r\nRCPT TO:<one@example.net>\r\nRCPT TO:<nobody@example.net>\r\n\
          RCPT TO:<two@example.net>\r\nDATA\r\n",
    );
    let told: Vec<String> = (0..5).map(|_| client.reply()).collect();
    assert_eq!(told.iter().map(|it| code(it)).collect::<Vec<_>>(), ["250", "250", "550", "250", "354"]);
    // The end of one message and the beginning of the next in one piece.
    client.write(
        &[&stuffed(PLAIN), &b"MAIL FROM:<b@example.org>\r\nRCPT TO:<three@example.net>\r\nDATA\r\n"[..]].concat(),
    );
    let told: Vec<String> = (0..4).map(|_| client.reply()).collect();
    assert_eq!(told.iter().map(|it| code(it)).collect::<Vec<_>>(), ["250", "250", "250", "354"]);
    client.write(&[&stuffed(PLAIN), &b"QUIT\r\n"[..]].concat());
    assert_eq!((code(&client.reply()), code(&client.reply())), ("250", "221"));
    let arrived = next_hop.take();
    assert_eq!(arrived[0].recipients, ["<one@example.net>", "<two@example.net>"]);
    assert_eq!(arrived[1].recipients, ["<three@example.net>"]);
}

/// Rules look at the client that a trusted one speaks for, and at the recipients.
#[test]
fn rules_see_whom_a_trusted_client_speaks_for() {
    let next_hop = NextHop::capable();
    let rules = "[skip]\nauthenticated = true\n[[rule]]\nprofile = \"seven-bit\"\nclient = \"192.0.2.0/24\"\n\
        [[rule]]\nprofile = \"keep\"\nrecipient = \"@raw.example\"\n";
    let one = |keys| Daemon::configured(&format!("{rules}{}", listener("smtp", &next_hop.address(), keys)));
    let raw = [
        b"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n".to_vec(),
        PLAIN.to_vec(),
        "\u{e9}\r\n".into(),
    ]
    .concat();
    let trusted = one("trusted = [\"127.0.0.1\"]");
    let send = |said: &str, to: &str| {
        let mut client = Client::greeted(trusted.port());
        if !said.is_empty() {
            let reply = client.say(said);
            assert!(reply.starts_with('2'), "{reply}");
            // Whoever it is now, it says hello for itself.
            let again = if said.starts_with("XCLIENT") { "EHLO client.example" } else { "NOOP" };
            assert_eq!(code(&client.say(again)), "250");
        }
        assert_eq!(code(&client.send("<a@example.org> BODY=8BITMIME", &[to], &raw)), "250");
        next_hop.take().remove(0).raw
    };
    assert!(send("XFORWARD NAME=x.example ADDR=192.0.2.7", "<b@example.net>").is_ascii());
    assert!(!send("XFORWARD NAME=x.example ADDR=198.51.100.7", "<b@example.net>").is_ascii());
    assert!(!send("", "<b@example.net>").is_ascii());
    assert!(send("XCLIENT ADDR=192.0.2.7", "<b@example.net>").is_ascii());
    assert_eq!(send("XCLIENT ADDR=192.0.2.7 LOGIN=ann", "<b@example.net>"), raw, "who has logged in is skipped");
    assert_eq!(send("", "<b@raw.example>"), raw);

    // What XFORWARD says holds for one message, given up or not.
    let mut client = Client::greeted(trusted.port());
    for command in ["XFORWARD ADDR=192.0.2.7", "MAIL FROM:<a@example.org>", "RSET"] {
        assert_eq!(code(&client.say(command)), "250");
    }
    assert_eq!(code(&client.send("<a@example.org> BODY=8BITMIME", &["<b@example.net>"], &raw)), "250");
    assert!(!next_hop.take()[0].raw.is_ascii());

    let stranger = one("");
    let mut client = Client::connect(stranger.port());
    let offered = client.say("EHLO client.example");
    assert!(!offered.contains("XFORWARD") && !offered.contains("XCLIENT"), "{offered}");
    assert_eq!(code(&client.say("XFORWARD ADDR=192.0.2.7")), "550");
}

/// A message over the limit is refused for good or for now, or goes through whole, as the settings say.
#[test]
fn a_message_over_the_limit_is_treated_as_the_settings_say() {
    let large = [PLAIN, &b"0123456789\r\n".repeat(20_000)].concat();
    for (action, expected) in [("accept", "250"), ("tempfail", "451 4.7.1"), ("reject", "552 5.3.4")] {
        let next_hop = NextHop::capable();
        let limits = format!("[limits]\nmessage_bytes = \"100KiB\"\non_limit = \"{action}\"\n");
        let daemon = Daemon::configured(&format!("{limits}{}", listener("smtp", &next_hop.address(), "")));
        let mut client = Client::greeted(daemon.port());
        let told = client.send("<a@example.org>", &["<b@example.net>"], &large);
        assert!(told.starts_with(expected), "{action}: {told}");
        let arrived = next_hop.take();
        assert_eq!(arrived.len(), usize::from(action == "accept"));
        assert!(arrived.iter().all(|one| one.raw == large));
        assert_eq!(code(&client.send("<a@example.org>", &["<b@example.net>"], PLAIN)), "250");
        assert_eq!(next_hop.take().len(), 1);
    }
}

/// A message over the limit can't be lowered: what was announced as more than the next hop takes is refused.
#[test]
fn a_message_over_the_limit_is_refused_where_the_next_hop_lacks_what_it_needs() {
    let large = [PLAIN, &"caf\u{e9} \u{e9}\r\n".repeat(20_000).into_bytes()].concat();
    let next_hop = NextHop::with(&["PIPELINING"]);
    let limits = "[limits]\nmessage_bytes = \"100KiB\"\n";
    let daemon = Daemon::configured(&format!("{limits}{}", listener("smtp", &next_hop.address(), "")));
    let mut client = Client::greeted(daemon.port());
    for (parameters, expected) in [("SMTPUTF8", "550 5.6.7"), ("BODY=8BITMIME", "554 5.6.3")] {
        let told = client.send(&format!("<a@example.org> {parameters}"), &["<b@example.net>"], &large);
        assert!(told.starts_with(expected), "{told}");
        assert!(next_hop.take().is_empty());
    }
    let ascii = [PLAIN, &b"0123456789\r\n".repeat(20_000)].concat();
    assert_eq!(code(&client.send("<a@example.org>", &["<b@example.net>"], &ascii)), "250");
    assert_eq!(next_hop.take()[0].raw, ascii);
}

/// `septet try` names the recipients that were refused though the message was taken, and ends with their code.
#[test]
fn what_is_tried_names_recipients_that_were_refused() {
    let next_hop = NextHop::capable();
    next_hop.behaviour().refused = Some("nobody");
    let daemon = Daemon::configured(&listener("smtp", &next_hop.address(), ""));
    let file = daemon.path("message.eml");
    std::fs::write(&file, PLAIN).expect("a message");
    let at = format!("127.0.0.1:{}", daemon.port());
    let tried = std::process::Command::new(env!("CARGO_BIN_EXE_septet"))
        .args(["try", "--smtp", &at, "--to", "a@example.net", "--to", "nobody@example.net"])
        .arg(&file)
        .output()
        .expect("septet runs");
    let said = String::from_utf8_lossy(&tried.stderr);
    assert!(said.contains("; not to <nobody@example.net>: 550"), "{said}");
    assert_eq!(tried.status.code(), Some(65), "{said}");
    assert_eq!(next_hop.take().len(), 1);
}

/// LMTP in front of an SMTP next hop: its one answer is everybody's.
#[test]
fn one_answer_for_each_recipient_in_front_of_smtp() {
    let next_hop = NextHop::capable();
    let daemon = Daemon::configured(&listener("lmtp", &next_hop.address(), ""));
    let mut client = Client::lmtp(daemon.port());
    for (fault, expected) in [(None, "250"), (Some("554 5.7.1 no\r\n"), "554"), (Some("451 4.7.1 later\r\n"), "451")] {
        next_hop.behaviour().faults.clear();
        if let Some(fault) = fault {
            next_hop.fault(super::next_hop::END, super::Fault::Say(fault.as_bytes().to_vec()));
        }
        assert_eq!(code(&client.envelope("<a@example.org>", &["<b@example.net>", "<c@example.net>"])), "354");
        client.write(&stuffed(PLAIN));
        assert_eq!([client.reply(), client.reply()].each_ref().map(|it| code(it)), [expected; 2]);
    }
}
