//! `septet try`: against the daemon, and against milters that do what ours never does.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;

use septet::protocol::milter::{Frame, MilterReply, Offer};
use septet::rewrite::{Profile, plan};

use super::daemon::Daemon;

const MESSAGE: &[u8] = b"From: a@example.org\nSubject: one\nContent-Type: text/plain; charset=iso-8859-1\n\
    Content-Transfer-Encoding: 8bit\n\ncaf\xe9\n";

fn septet(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_septet")).arg("try").args(arguments).output().expect("septet runs")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn prints_what_the_plan_gives_with_the_line_ends_of_the_file() {
    let daemon = Daemon::start(&["--listen", "inet:127.0.0.1:0"]);
    let milter = format!("inet:{}@127.0.0.1", daemon.port());
    let crlf = String::from_utf8_lossy(MESSAGE).replace('\n', "\r\n").replace('\u{FFFD}', "?").into_bytes();
    for (name, raw) in [("lf", MESSAGE.to_vec()), ("crlf", crlf), ("no end", b"Subject: x\n\nno line end".to_vec())] {
        let file = daemon.path("message.eml");
        fs::write(&file, &raw).expect("a message");
        let expected = plan(&raw, &Profile::default()).edits.apply(&raw);
        for version in ["2", "3", "6"] {
            let output = septet(&["--milter", &milter, "--milter-protocol", version, text(&file)]);
            assert!(output.status.success(), "{}", stderr(&output));
            assert_eq!(output.stdout.escape_ascii().to_string(), expected.escape_ascii().to_string(), "{name}");
        }
    }
}

#[test]
fn a_big_message_comes_back_whole() {
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock"]);
    let milter = format!("local:{}", text(&daemon.path("sock")));
    let mut raw = MESSAGE.to_vec();
    (0..60_000).for_each(|line| raw.extend_from_slice(format!("line {line} of text, {}\n", "x".repeat(30)).as_bytes()));
    let file = daemon.path("message.eml");
    fs::write(&file, &raw).expect("a message");
    let output = septet(&["--milter", &milter, text(&file)]);
    assert!(output.status.success(), "{}", stderr(&output));
    let expected = plan(&raw, &Profile::default()).edits.apply(&raw);
    assert!(expected != raw && output.stdout == expected);
}

#[test]
fn several_messages_make_a_mailbox_or_lines_of_json() {
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock"]);
    let milter = text(&daemon.path("sock")).to_owned();
    let (one, two) = (daemon.path("one"), daemon.path("two"));
    fs::write(&one, MESSAGE).expect("a message");
    fs::write(&two, "Subject: x\n\nFrom here\n").expect("a message");
    let output = septet(&["--milter", &milter, text(&one), text(&two)]);
    let mailbox = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(mailbox.matches("From MAILER-DAEMON ").count(), 2, "{mailbox}");
    assert!(mailbox.contains("café\n\nFrom ") && mailbox.ends_with("\n>From here\n\n"), "{mailbox}");
    let output = septet(&["--milter", &milter, "--json", text(&one), text(&two)]);
    let lines: Vec<serde_json::Value> =
        output.stdout.split(|&octet| octet == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["verdict"], &lines[1]["requests"]), (&"accepted".into(), &serde_json::json!([])));
}

#[test]
fn says_why_there_is_nothing_to_print() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("message.eml");
    fs::write(&file, MESSAGE).expect("a message");
    let nobody = format!("unix:{}", text(&dir.path().join("nobody")));
    for (arguments, exit, clause) in [
        (&["--milter", &nobody, text(&file)][..], 69, "can't connect to unix:"),
        (&["--smtp", "127.0.0.1:1", text(&file)], 69, "can't be tried"),
        (&["--smtp", "127.0.0.1:0", text(&file)], 64, "port 0"),
        (&["--milter", "inet:8891", text(&file)], 64, "no host"),
        (&[text(&file)], 64, "--milter"),
    ] {
        let output = septet(arguments);
        assert_eq!(output.status.code(), Some(exit), "{}", stderr(&output));
        assert!(stderr(&output).contains(clause), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
}

/// Plays a milter that answers every end of a message with these replies, on a port of its own.
fn milter(replies: Vec<MilterReply<'static>>) -> String {
    let socket = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("inet:127.0.0.1:{}", socket.local_addr().expect("an address").port());
    thread::spawn(move || {
        let (mut stream, _) = socket.accept().expect("a client");
        let (mut input, mut piece) = (Vec::new(), [0; 4096]);
        loop {
            while let Some(frame) = Frame::read(&input).expect("well-formed") {
                let mut out = Vec::new();
                match frame.code {
                    b'O' => MilterReply::Negotiate(Offer { version: 6, actions: 0x1ff, protocol: 0xf_f080 }, &[])
                        .write(&mut out),
                    b'E' => replies.iter().for_each(|reply| reply.write(&mut out)),
                    _ => {}
                }
                stream.write_all(&out).expect("the client reads");
                let length = frame.length();
                input.drain(..length);
            }
            match stream.read(&mut piece) {
                Ok(0) | Err(_) => return,
                Ok(octets) => input.extend_from_slice(&piece[..octets]),
            }
        }
    });
    address
}

#[test]
fn carries_out_whatever_a_milter_may_ask_for() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("message.eml");
    fs::write(&file, "A: 1\nB: 2\n\nbody\n").expect("a message");
    let address = milter(vec![
        MilterReply::Progress,
        MilterReply::InsertHeader { index: 0, name: b"First", value: b"f" },
        MilterReply::AddHeader { name: b"Last", value: b"l\n m" },
        MilterReply::ChangeHeader { index: 1, name: b"b", value: b"" },
        MilterReply::ReplaceBody(b"new\r"),
        MilterReply::ReplaceBody(b"\nbody\r\n"),
        MilterReply::Quarantine(b"why"),
        MilterReply::Accept,
    ]);
    let output = septet(&["--milter", &address, "--verbose", text(&file)]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "First: f\nA: 1\nLast: l\n m\n\nnew\nbody\n");
    let said = stderr(&output);
    for line in ["delete field b[1]", "quarantined: why", "new body, 4 octets", "accepted"] {
        assert!(said.contains(line), "{said}");
    }
}

#[test]
fn a_verdict_has_its_exit_code_and_no_message() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("message.eml");
    fs::write(&file, MESSAGE).expect("a message");
    for (reply, exit, clause) in [
        (MilterReply::TempFail, 75, "temporary failure"),
        (MilterReply::ReplyCode(b"451 4.7.1 later"), 75, "451 4.7.1 later"),
        (MilterReply::ReplyCode(b"550 5.7.1 no"), 65, "550 5.7.1 no"),
        (MilterReply::Reject, 65, "rejected"),
        (MilterReply::Discard, 65, "discarded"),
        (MilterReply::Skip, 69, "asks for nothing"),
    ] {
        let output = septet(&["--milter", &milter(vec![reply]), text(&file)]);
        assert_eq!(output.status.code(), Some(exit), "{}", stderr(&output));
        assert!(stderr(&output).contains(clause), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
}

/// Plays an SMTP server that refuses DATA of the first message, and gives what it was told.
fn server_without_data() -> (String, thread::JoinHandle<Vec<String>>) {
    let socket = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = socket.local_addr().expect("an address").to_string();
    let played = thread::spawn(move || {
        let (stream, _) = socket.accept().expect("a client");
        let (mut said, mut out) = (Vec::new(), stream.try_clone().expect("a stream"));
        out.write_all(b"220 here\r\n").expect("the client reads");
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            let reply = match line.get(..4).unwrap_or(&line) {
                "DATA" => "451 \u{9b}31m later".as_bytes(),
                "QUIT" => b"221 bye",
                "MAIL" if said.last().is_some_and(|last| last == "DATA") => b"503 nested MAIL",
                _ => b"250 ok",
            };
            said.push(line);
            out.write_all(&[reply, b"\r\n"].concat()).expect("the client reads");
        }
        said
    });
    (address, played)
}

/// The next message got "503 nested MAIL"; and what the server says drove the terminal.
#[test]
fn a_refused_data_ends_the_transaction() {
    let (address, played) = server_without_data();
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("m\u{1b}[31m.eml");
    fs::write(&file, "Subject: x\n\nx\n").expect("a message");
    let output = septet(&["--smtp", &address, text(&file), text(&file)]);
    let said = stderr(&output);
    assert_eq!((said.matches(r"m\x1B[31m.eml: 451 \u{9B}31m later").count(), said.lines().count()), (2, 2), "{said:?}");
    assert_eq!(output.status.code(), Some(75));
    let told = played.join().expect("a server");
    assert_eq!(told.iter().filter(|line| *line == "RSET").count(), 2, "{told:?}");
}
