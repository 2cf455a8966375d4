//! What becomes of messages by the settings: limits, rules, the field that says so.

use std::fs;
use std::net::TcpStream;

use septet::protocol::milter::{Command as Mta, Offer};

use super::daemon::{Client, Daemon};

#[test]
fn a_message_without_room_in_memory_goes_the_way_of_the_settings() {
    for (way, codes, level) in [("accept", "c", "INFO"), ("tempfail", "t", "WARN")] {
        let set = format!("limits.memory_full={way}");
        let daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", "limits.memory=64KiB", "--set", &set]);
        let mut client = Client::agreed(&daemon.path("sock"));
        client.begin();
        (0..4).for_each(|_| client.send(&Mta::Body(&[b'x'; 65_535])));
        client.send(&Mta::EndOfMessage(b""));
        assert_eq!(String::from_utf8(client.replies_to_end()).expect("letters"), codes);
        client.send(&Mta::Abort);
        assert_eq!(client.message(), "mbc", "the next message has room");
        daemon.wait_for_log("message left=limit(memory)");
        let log = daemon.log();
        let line = log.lines().find(|line| line.contains("limit(memory)")).expect("the line");
        assert!(line.contains(level) && line.contains("result=\"left\""), "{line}");
    }
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
    let shown = "X-Septet\\x00 changed;\\n\\tpart=1 body charset=iso-8859-1>utf-8\\x00";
    assert!(field.escape_ascii().to_string().ends_with(shown), "{}", field.escape_ascii());
    assert_eq!(client.replies_to_end(), b"bc");
    assert_eq!(fs::read_to_string(daemon.path("pid")).expect("a pidfile"), format!("{}\n", daemon.child.id()));
}
