//! What becomes of messages by the settings: limits, rules, the field that says so.

use std::fs;
use std::net::TcpStream;

use septet::protocol::milter::{MilterCommand as Mta, Offer};

use super::daemon::{Client, Daemon, hostname};

#[test]
fn a_message_without_room_in_memory_goes_the_way_of_the_settings() {
    for (way, codes, result) in [("accept", "ic", "left"), ("tempfail", "y", "tempfail")] {
        let set = format!("on_error={way}");
        let small = ["--listen", "unix:DIR/sock", "--set", "limits.memory=64KiB", "--set", "x_septet=true"];
        let daemon = Daemon::start(&[&small[..], &["--set", &set]].concat());
        let mut client = Client::agreed(&daemon.path("sock"));
        client.begin();
        (0..4).for_each(|_| client.send(&Mta::Body(&[b'x'; 65_535])));
        client.send(&Mta::EndOfMessage(b""));
        assert_eq!(String::from_utf8(client.replies_to_end()).expect("letters"), codes);
        client.send(&Mta::Abort);
        assert_eq!(client.message(), "mibc", "the next message has memory");
        daemon.wait_for_log("message left=memory");
        let log = daemon.log();
        let line = log.lines().find(|line| line.contains("left=memory")).expect("the line");
        assert!(line.contains("WARN") && line.contains(&format!("result=\"{result}\"")), "{line}");
    }
}

/// Sends a message of two parts under these settings; gives what is asked for, and the daemon.
fn two_parts(settings: &[&str]) -> (Vec<(u8, String)>, Daemon) {
    let all: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
    let daemon = Daemon::start(&[&["--listen", "unix:DIR/sock", "--set", "x_septet=true"], &all[..]].concat());
    let mut client = Client::agreed(&daemon.path("sock"));
    client.send(&Mta::Header { name: b"Subject", value: b" caf\xc3\xa9" });
    client.send(&Mta::Header { name: b"MIME-Version", value: b" 1.0" });
    client.send(&Mta::Header { name: b"Content-Type", value: b" multipart/mixed; boundary=b" });
    client.send(&Mta::Body(b"--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\ncaf\xe9\r\n--b--\r\n"));
    client.send(&Mta::EndOfMessage(b""));
    let mut replies = Vec::new();
    while let Some((code, data)) = client.reply() {
        replies.push((code, data.escape_ascii().to_string()));
        if b"cartdfy".contains(&code) {
            break;
        }
    }
    client.send(&Mta::Abort);
    client.begin();
    client.send(&Mta::EndOfMessage(b""));
    client.replies_to_end();
    daemon.wait_for_log("result=");
    (replies, daemon)
}

#[test]
fn the_strictest_action_of_what_was_left_answers_the_client() {
    let (limit, header) = ("limits.parts=1", "limits.header_bytes=20");
    for (settings, reply, result) in [
        (&[limit, "limits.on_limit.parts=reject"][..], "554 5.6.0 septet: message over limit: parts 1\\x00", "reject"),
        (&[limit, "limits.on_limit.parts=tempfail"], "451 4.7.1 septet: message over limit: parts 1\\x00", "tempfail"),
        (
            &["limits.depth=1", "limits.on_limit.depth=reject"],
            "554 5.6.0 septet: message over limit: depth 1\\x00",
            "reject",
        ),
        (
            &[header, "limits.on_limit.header_bytes=reject"],
            "554 5.6.0 septet: message over limit: header_bytes 20\\x00",
            "reject",
        ),
        (
            &["limits.message_bytes=50", "limits.on_limit.message_bytes=reject"],
            "552 5.3.4 septet: message over limit: message_bytes 50\\x00",
            "reject",
        ),
    ] {
        let (replies, daemon) = two_parts(settings);
        assert_eq!(replies, [(b'y', reply.to_owned())], "{settings:?}: nothing is changed, and one reply says why");
        let log = daemon.log();
        let line = log.lines().find(|line| line.contains("left=limit(")).expect("a line");
        assert!(line.contains("WARN") && line.contains(&format!("result=\"{result}\"")), "{line}");
    }
}

#[test]
fn what_is_accepted_over_a_limit_is_marked_and_warned_of() {
    for (setting, left) in
        [("limits.parts=1", "limit(parts 1)"), ("limits.message_bytes=50", "message left=limit(message_bytes 50)")]
    {
        let (replies, daemon) = two_parts(&[setting, "limits.on_limit.depth=reject"]);
        let (mark, verdict) = (&replies[replies.len() - 2], &replies[replies.len() - 1]);
        assert_eq!((mark.0, verdict), (b'i', &(b'c', String::new())), "{replies:?}");
        assert!(mark.1.contains("X-Septet") && mark.1.contains(left), "{replies:?}");
        let log = daemon.log();
        let line = log.lines().find(|line| line.contains(left)).expect("a line");
        assert!(line.contains("WARN"), "{line}");
    }
}

/// An MTA that goes away while it is told of a refusal harms nobody else.
#[test]
fn a_client_that_hangs_up_in_the_middle_of_its_refusal_is_alone() {
    let settings = [
        "--listen",
        "unix:DIR/sock",
        "--set",
        "limits.header_bytes=20",
        "--set",
        "limits.on_limit.header_bytes=reject",
    ];
    let daemon = Daemon::start(&settings);
    for round in 0..20 {
        let mut client = Client::agreed(&daemon.path("sock"));
        client.begin();
        client.send(&Mta::EndOfMessage(b""));
        if round % 2 == 0 {
            let _ = std::io::Read::read(&mut client.0, &mut [0; 3]);
        }
    }
    let mut client = Client::agreed(&daemon.path("sock"));
    assert_eq!(client.message(), "y");
    assert!(!daemon.log().contains("panic"), "{}", daemon.log());
}

#[test]
fn a_message_over_a_limit_passes_and_the_log_says_why() {
    let daemon = Daemon::start(&["--listen", "inet:127.0.0.1:0", "--set", "limits.message_bytes=1KiB"]);
    let mut client = Client(TcpStream::connect(("127.0.0.1", daemon.port())).expect("a milter"));
    client.send(&Mta::Negotiate(Offer { version: 6, actions: 0x1ff, protocol: 0x1f_ffff }));
    client.reply();
    client.begin();
    client.send(&Mta::Body(&[b'x'; 1024]));
    client.send(&Mta::EndOfMessage(b""));
    assert_eq!(client.replies_to_end(), b"c");
    daemon.wait_for_log("message left=limit(message_bytes 1024)");
}

#[test]
fn rules_and_skip_lists_choose() {
    let daemon = Daemon::configured(
        "[skip]\nauthenticated = true\n[[listener]]\nsocket = \"unix:DIR/sock\"\nprofile = \"keep\"\n\
         [[rule]]\nprofile = \"utf8\"\nrecipient = \"@tickets.example\"\n",
    );
    let mut client = Client::agreed(&daemon.path("sock"));
    let mut with = |user: &[u8], recipients: &[&[u8]]| {
        use septet::protocol::milter::{Arguments, Macros};
        let pairs = [b"{auth_authen}\0", user, b"\0"].concat();
        client.send(&Mta::Macros(Macros { stage: b'M', pairs: &pairs }));
        client.send(&Mta::Mail(Arguments(b"<a@example.org>\0")));
        recipients.iter().for_each(|to| client.send(&Mta::Rcpt(Arguments(&[*to, b"\0"].concat()))));
        client.message()
    };
    assert_eq!(with(b"", &[b"<one@tickets.example>"]), "mbc");
    assert_eq!(with(b"", &[b"<one@tickets.example>", b"<two@else.example>"]), "c");
    assert_eq!(with(b"alice", &[b"<one@tickets.example>"]), "c");
    assert_eq!(with(b"", &[b"<one@tickets.example>"]), "mbc", "alice was another message's");
    daemon.wait_for_log("result=\"skipped\"");
}

/// A list's own rule may name the charset of its unlabelled mail, which nobody else's mail is read in.
#[test]
fn a_rule_gives_one_list_settings_of_its_own() {
    let daemon = Daemon::configured(
        "[[listener]]\nsocket = \"unix:DIR/sock\"\n[profile.russian]\nunlabelled = [\"koi8-r\"]\n\
         [[rule]]\nprofile = \"russian\"\nlist_id = \"rus.example.org\"\n",
    );
    let mut client = Client::agreed(&daemon.path("sock"));
    let mut subject = |list: &[u8]| {
        client.send(&Mta::Header { name: b"List-Id", value: list });
        client.send(&Mta::Header { name: b"Subject", value: b" \xF0\xD2\xC9\xD7\xC5\xD4" });
        client.send(&Mta::EndOfMessage(b""));
        let first = client.reply().expect("a reply");
        let rest = if first.0 == b'm' { client.replies_to_end() } else { Vec::new() };
        client.send(&Mta::Abort);
        (first, rest)
    };
    let (changed, rest) = subject(b" The list <rus.example.org>");
    let shown = changed.1.escape_ascii().to_string();
    assert!(shown.contains("Subject\\x00 =?utf-8?B?0J/RgNC40LLQtdGC?="), "{shown}");
    assert_eq!((changed.0, rest), (b'm', b"c".to_vec()));
    assert_eq!(subject(b" Another one <pol.example.org>"), ((b'c', Vec::new()), Vec::new()));
    daemon.wait_for_log("left=unlabelled");
}

#[test]
fn a_field_says_what_was_done_where_it_is_asked_for() {
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", "x_septet=true", "--set", "pidfile=DIR/pid"]);
    let mut client = Client::agreed(&daemon.path("sock"));
    client.begin();
    client.send(&Mta::EndOfMessage(b""));
    assert_eq!(client.reply().map(|reply| reply.0), Some(b'm'));
    let (code, field) = client.reply().expect("a request");
    assert_eq!(code, b'i');
    let host = hostname();
    let shown = format!("X-Septet\\x00 changed; host={host};\\n\\tpart=1 body charset=iso-8859-1>utf-8\\x00");
    assert!(field.escape_ascii().to_string().ends_with(&shown), "{}", field.escape_ascii());
    assert_eq!(client.replies_to_end(), b"bc");
    assert_eq!(fs::read_to_string(daemon.path("pid")).expect("a pidfile"), format!("{}\n", daemon.child.id()));
}

/// A sender who writes a field in this host's name would have a scanner believe that septet was content.
#[test]
fn a_field_in_this_host_s_name_is_taken_out() {
    let ours = format!(" unchanged;\n\thost={}.", hostname().to_uppercase());
    let removed = "\\x00\\x00\\x00\\x02x-septet\\x00\\x00";
    for (setting, codes) in [("drop", "mic"), ("keep", "c")] {
        let forged = format!("forged_x_septet={setting}");
        let daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", "x_septet=true", "--set", &forged]);
        let mut client = Client::agreed(&daemon.path("sock"));
        client.send(&Mta::Header { name: b"X-Septet", value: b" unchanged; host=mx.example.net" });
        client.send(&Mta::Header { name: b"x-septet", value: ours.as_bytes() });
        client.send(&Mta::Header { name: b"Subject", value: b" hello" });
        client.send(&Mta::EndOfMessage(b""));
        let mut replies: Vec<(u8, Vec<u8>)> = vec![client.reply().expect("a reply")];
        while !b"cartdfy".contains(&replies[replies.len() - 1].0) {
            replies.push(client.reply().expect("a reply"));
        }
        let said: Vec<u8> = replies.iter().map(|reply| reply.0).collect();
        assert_eq!(String::from_utf8_lossy(&said), codes, "{setting}");
        if setting == "drop" {
            assert_eq!(replies[0].1.escape_ascii().to_string(), removed);
            let mark = replies[1].1.escape_ascii().to_string();
            assert!(mark.contains("field=X-Septet removed=X-Septet"), "{mark}");
            daemon.wait_for_log("field=X-Septet removed=X-Septet");
        }
    }
}
