//! DKIM2 on every way out: what leaves can be undone, and somebody is told.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command as Process, Output, Stdio};

use assert_cmd::Command;
use septet::message::field_end;
use septet::protocol::milter::MilterCommand as Mta;
use septet::rewrite::dkim2::instance::InstanceChain;
use septet::rewrite::dkim2::state::MessageState;
use septet::rewrite::dkim2::undo::undone;
use septet_support::dkim2::signed;
use serde_json::{Value, json};

use crate::batch::client::{answers, request};
use crate::forward::client::{Client as Sender, code};
use crate::forward::listener;
use crate::forward::next_hop::NextHop;
use crate::milter::daemon::{Client, Daemon};
use crate::milter::mta::setups::through;
use crate::milter::mta::{Client as MtaClient, Postfix, Sendmail, Sink, is_postfix_there, is_sendmail_there};

/// What turns it on, in any settings.
const SET: &str = "profile.utf8.dkim2=instance";

/// A message of which the subject and one line of the body change.
fn message() -> Vec<u8> {
    message_of("first\r\ncaf=E9\r\n\r\nlast\r\n")
}

/// A message with another body.
fn message_of(body: &str) -> Vec<u8> {
    let header = "From: Ann <ann@author.example>\r\nTo: list@mid.example\r\nDate: Sat, 28 Nov 2026 10:00:00 +0000\r\n\
        Message-ID: <1@author.example>\r\nSubject: =?iso-8859-1?Q?caf=E9?=\r\nMIME-Version: 1.0\r\n\
        Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n";
    signed([header, body].concat().as_bytes())
}

fn septet(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("septet").expect("the program is built");
    command.env_remove("SEPTET_CONFIG").args(arguments);
    command
}

/// Gives what `septet filter` makes of the message.
fn filtered() -> Vec<u8> {
    let run = septet(&["filter", "--config", "/dev/null", "--set", SET]).write_stdin(message()).assert().success();
    run.get_output().stdout.clone()
}

/// Shows that a message, whatever was put above it, leads back to the one that its author sent.
fn leads_back(arrived: &[u8]) {
    leads_back_to(&message(), arrived);
}

fn leads_back_to(raw: &[u8], arrived: &[u8]) {
    let came = MessageState::read(raw).expect("a message");
    let state = MessageState::read(arrived).expect("a message");
    assert_ne!(state.hashes(), came.hashes(), "it was changed: {}", arrived.escape_ascii());
    let chain = InstanceChain::read(&state).expect("a chain");
    assert_eq!(chain.instances.len(), 2, "{}", arrived.escape_ascii());
    assert_eq!(chain.instances[1].agrees(&state.hashes()), Some(true), "{}", arrived.escape_ascii());
    assert_eq!(undone(&state, &chain).expect("a state before").hashes(), came.hashes());
}

#[test]
fn a_filter_writes_it_first_and_says_so_when_asked() {
    let mut run = septet(&["filter", "-v", "--config", "/dev/null", "--set", SET]);
    let output = run.write_stdin(message()).assert().success().get_output().clone();
    assert!(output.stdout.starts_with(b"Message-Instance: m=2;\r\n\th=sha256:"), "{}", output.stdout.escape_ascii());
    leads_back(&output.stdout);
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(said.contains("message dkim2=instance(08) m=2 octets="), "{said}");
    let off = septet(&["filter", "-v", "--config", "/dev/null"]).write_stdin(message()).assert().success();
    assert!(String::from_utf8_lossy(&off.get_output().stderr).contains("message note=breaks(dkim2)"));
}

#[test]
fn a_batch_has_it_in_its_report() {
    let raw = message();
    let mut run = septet(&["filter", "--batch", "--config", "/dev/null", "--set", SET]);
    let output = run.write_stdin(request(&json!({"id": 1, "length": raw.len()}), &raw)).assert().success();
    let [(head, octets)] = &answers(&output.get_output().stdout)[..] else { panic!("one answer") };
    assert_eq!(*octets, filtered());
    let report = head["report"].as_array().expect("a report");
    let change = report.iter().find(|entry| entry["place"] == "message").expect("an entry of the message");
    assert!(change["changes"][0].as_str().is_some_and(|change| change.starts_with("dkim2=instance(08) m=2 octets=")));
}

#[test]
fn a_milter_puts_it_on_top_and_counts_it() {
    let daemon = Daemon::start(&[
        "--listen",
        "unix:DIR/sock",
        "--set",
        SET,
        "--set",
        "x_septet=true",
        "--set",
        "metrics.listen=unix:DIR/metrics",
    ]);
    let mut client = Client::agreed(&daemon.path("sock"));
    let raw = message();
    let state = MessageState::read(&raw).expect("a message");
    for field in &state.fields {
        let value = String::from_utf8(field.value().to_vec()).expect("ASCII").replace("\r\n", "\n");
        let name = &field.line[..field.line.len() - field.value().len() - 1];
        client.send(&Mta::Header { name, value: value.as_bytes() });
    }
    client.send(&Mta::Body(&state.body));
    client.send(&Mta::EndOfMessage(b""));
    let mut asked = Vec::new();
    while let Some((code, data)) = client.reply().filter(|(code, _)| !b"cartdfy".contains(code)) {
        asked.push((code as char, data));
    }
    let inserted: Vec<&Vec<u8>> = asked.iter().filter(|(code, _)| *code == 'i').map(|(_, data)| data).collect();
    let [septet, instance] = inserted[..] else { panic!("two new fields: {asked:?}") };
    assert!(septet[4..].starts_with(b"X-Septet\0 changed; host="), "{}", septet.escape_ascii());
    assert!(instance.starts_with(b"\0\0\0\x01Message-Instance\0 m=2;\n\th=sha256:"), "{}", instance.escape_ascii());
    let said = String::from_utf8_lossy(septet).into_owned();
    assert!(said.contains("message dkim2=instance(08) m=2 octets="), "{said}");
    daemon.wait_for_log("message dkim2=instance(08) m=2 octets=");
    let metrics = metrics(&daemon.path("metrics"));
    assert!(metrics.contains("septet_instances_total{outcome=\"written\"} 1\n"), "{metrics}");
    assert!(metrics.contains("septet_changes_total{kind=\"dkim2\"} 1\n"), "{metrics}");
    assert!(!metrics.contains("septet_instance_bytes_total 0\n"), "{metrics}");
}

fn metrics(socket: &Path) -> String {
    let mut stream = UnixStream::connect(socket).expect("metrics");
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").expect("a question");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    text
}

#[test]
fn a_proxy_passes_it_on() {
    let next_hop = NextHop::capable();
    let profile = "[profile.utf8]\ndkim2 = \"instance\"\n";
    let daemon = Daemon::configured(&format!("{}{profile}", listener("smtp", &next_hop.address(), "")));
    let told = Sender::greeted(daemon.port()).send("<ann@author.example>", &["<list@mid.example>"], &message());
    assert_eq!(code(&told), "250", "{told}");
    let arrived = next_hop.take().remove(0).raw;
    assert_eq!(arrived, filtered(), "{}", arrived.escape_ascii());
    leads_back(&arrived);
}

/// The field has folds and stands below the MTA's own Received.
#[test]
fn it_arrives_through_postfix() {
    if !is_postfix_there() {
        return;
    }
    let (daemon, sink) = (milter_daemon(), Sink::start());
    let services = [format!("-o smtpd_milters=inet:127.0.0.1:{}", daemon.port())];
    let postfix = Postfix::start(sink.port, "", &services);
    leads_back(&through(postfix.ports[0], &sink, "list@example.net", &message()));
}

/// Postfix completes mail of its own host behind all milters, but no mail from outside.
#[test]
fn postfix_adds_nothing_that_is_hashed() {
    if !is_postfix_there() {
        return;
    }
    let (daemon, sink) = (milter_daemon(), Sink::start());
    let services = [format!("-o smtpd_milters=inet:127.0.0.1:{}", daemon.port())];
    let postfix = Postfix::start(sink.port, "", &services);
    let raw =
        b"From: Ann <ann@author.example>\r\nTo: list@mid.example\r\nSubject: =?iso-8859-1?Q?caf=E9?=\r\n\r\nplain\r\n";
    let arrived = through(postfix.ports[0], &sink, "list@example.net", &signed(raw));
    let state = MessageState::read(&arrived).expect("a message");
    let chain = InstanceChain::read(&state).expect("a chain");
    assert_eq!(chain.instances[1].agreement(&state.hashes()), Some([true; 2]), "{}", arrived.escape_ascii());
}

#[test]
fn it_arrives_through_sendmail() {
    if !is_sendmail_there() {
        return;
    }
    let (daemon, sink) = (milter_daemon(), Sink::start());
    let filter = format!("S=inet:{}@127.0.0.1, F=T, T=C:5m;S:10s;R:10s;E:5m", daemon.port());
    let sendmail = Sendmail::start(sink.port, &[vec![filter]]);
    leads_back(&through(sendmail.ports[0], &sink, "list@example.net", &message()));
}

/// What a milter adds does not count for Sendmail's limit of headers; the next Sendmail counts it.
#[test]
fn a_long_one_arrives_whole_through_sendmail() {
    if !is_sendmail_there() {
        return;
    }
    let profile = "[profile.utf8]\ndkim2 = \"instance\"\ndkim2_field = 59_000\n";
    let daemon = Daemon::configured(&format!("[[listener]]\nsocket = \"inet:127.0.0.1:0\"\n{profile}"));
    let (sink, filter) = (Sink::start(), format!("S=inet:{}@127.0.0.1, F=T", daemon.port()));
    let sendmail = Sendmail::with_headers_of(32 << 10, sink.port, &[vec![filter], Vec::new()]);
    let raw = message_of(&(0..1500).map(|number| format!("{number} caf=E9 au lait\r\n")).collect::<String>());
    let mut run = septet(&["filter", "--config", "/dev/null", "--set", SET, "--set", "profile.utf8.dkim2_field=59000"]);
    let filtered = run.write_stdin(&*raw).assert().success().get_output().stdout.clone();
    let field = &filtered[..field_end(&filtered)];
    assert!(field.starts_with(b"Message-Instance: m=2;\r\n\t") && field.len() > 40_000, "{}", field.len());
    let arrived = through(sendmail.ports[0], &sink, "list@example.net", &raw);
    let below_received = &arrived[field_end(&arrived)..];
    assert!(below_received.starts_with(field), "{}", arrived.escape_ascii());
    leads_back_to(&raw, &arrived);
    let refused = MtaClient::connect(sendmail.ports[1]).expect("an MTA").send(
        "a@example.org",
        "",
        &["b@example.net".to_owned()],
        &arrived,
    );
    assert!(refused.is_err_and(|error| error.to_string().contains("552")));
}

fn milter_daemon() -> Daemon {
    Daemon::configured("[[listener]]\nsocket = \"inet:127.0.0.1:0\"\n[profile.utf8]\ndkim2 = \"instance\"\n")
}

#[test]
fn an_archive_gets_none_and_says_so() {
    let dir = tempfile::tempdir().expect("a folder");
    let (from, to) = (dir.path().join("m.eml"), dir.path().join("out.eml"));
    fs::write(&from, message()).expect("a message");
    let mut run = septet(&["convert", "--config", "/dev/null", "--set", SET, "-o"]);
    let output = run.arg(&to).arg(&from).assert().success().get_output().clone();
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(said.contains("profile.utf8.dkim2: an archive gets no Message-Instance"), "{said}");
    let raw = fs::read(&to).expect("an output");
    assert_eq!(memchr::memmem::find_iter(&raw, "Message-Instance").count(), 1, "{}", raw.escape_ascii());
}

#[test]
fn explain_and_why_say_it_in_a_sentence() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("m.eml");
    fs::write(&file, message()).expect("a message");
    let explained = |more: &[&str]| {
        let mut run = septet(&["explain", "--config", "/dev/null", "--set", SET]);
        let output = run.args(more).arg(&file).assert().success().get_output().clone();
        String::from_utf8(output.stdout).expect("text")
    };
    let text = explained(&[]);
    assert!(text.contains("the sender's DKIM2 signature can still be verified, once a signer behind septet"), "{text}");
    let small = explained(&["--set", "profile.utf8.dkim2_field=100"]);
    assert!(
        small.contains("message left=dkim2(size)") && small.contains("what helps: a larger dkim2_field"),
        "{small}"
    );
    let run = septet(&["why", "left=dkim2(size)", "--json"]).assert().success();
    let answer: Value = serde_json::from_slice(&run.get_output().stdout).expect("JSON");
    assert_eq!((&answer["kind"], &answer["word"]), (&json!("left"), &json!("dkim2(size)")));
}

fn dkim2(task: &str, file: &Path) -> (i32, String, String) {
    let output = septet(&["dkim2", task]).arg(file).output().expect("it runs");
    let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    (output.status.code().expect("a code"), text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_states_of_a_message_are_checked_and_undone() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("m.eml");
    fs::write(&file, filtered()).expect("a message");
    let (exit, out, _) = dkim2("check", &file);
    assert_eq!(exit, 0, "{out}");
    assert!(out.starts_with("m=2: header right, body right, recipe of "), "{out}");
    assert!(out.contains("\nm=1: header right, body right\n") && out.contains("; 1 signature, not verified"), "{out}");
    let (exit, out, said) = dkim2("undo", &file);
    assert_eq!((exit, &*said), (0, "septet: both hashes are those of m=1\n"));
    assert!(out.ends_with("\r\n\r\nfirst\r\ncaf=E9\r\n\r\nlast\r\n"), "{out}");
    assert!(out.contains("subject: =?iso-8859-1?Q?caf=E9?=\r\n") && !out.contains("m=2"), "{out}");
    // What somebody changed since has other hashes, and its recipe does not lead back.
    let changed = String::from_utf8(filtered()).expect("ASCII").replace("first", "\u{1b}[1mfist");
    fs::write(&file, changed).expect("a message");
    let (exit, out, _) = dkim2("check", &file);
    assert_eq!(exit, 65, "{out}");
    assert!(out.starts_with("m=2: header right, body WRONG") && out.contains("m=1: header right, body WRONG"), "{out}");
    let (exit, out, said) = dkim2("undo", &file);
    assert_eq!((exit, &*said), (65, "septet: the hashes are not those of m=1\n"));
    assert!(out.contains("\r\n\u{1b}[1mfist\r\n"), "what a terminal would obey is of the message: {out:?}");
}

#[test]
fn what_has_no_instance_is_said() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("m.eml");
    for (raw, exit, says) in [
        ("Subject: x\n\n", 65, "there is no Message-Instance"),
        ("no field\n\n", 65, "a header line is no field"),
        ("Message-Instance: m=2; h=sha256:a:b\n\n", 65, "break their grammar"),
        ("Message-Instance: m=1; h=sha256:a:b\n\n", 65, "nothing is before the first instance"),
    ] {
        fs::write(&file, raw).expect("a message");
        let (code, _, said) = dkim2("undo", &file);
        assert!(code == exit && said.contains(says), "{raw}: {code} {said}");
    }
    let (code, _, said) = dkim2("check", &dir.path().join("none"));
    assert!(code == 66 && said.contains("can't be read: No such file"), "{code} {said}");
}

/// A signer behind septet in one Postfix, and a receiver who finds all signatures good: mail-auth, by night
/// (`tests/dkim2`, whose program `SEPTET_DKIM2` names).
#[test]
fn what_a_signer_behind_septet_signs_passes_at_the_receiver() {
    let Some(neighbour) = std::env::var_os("SEPTET_DKIM2").filter(|_| is_postfix_there()) else {
        return println!("skipped: SEPTET_DKIM2 does not name a signer");
    };
    let mut signer = Process::new(&neighbour).arg("milter").stdout(Stdio::piped()).spawn().expect("a signer");
    let mut port = String::new();
    BufReader::new(signer.stdout.take().expect("a pipe")).read_line(&mut port).expect("its port");
    let (daemon, sink) = (milter_daemon(), Sink::start());
    let milters = format!("inet:127.0.0.1:{},inet:127.0.0.1:{}", daemon.port(), port.trim());
    let postfix = Postfix::start(sink.port, "", &[format!("-o smtpd_milters={milters}")]);
    let raw = message();
    let unsigned = &raw[memchr::memmem::find(&raw, b"From: Ann").expect("a From")..];
    let authored = answer(&neighbour, "author", unsigned);
    let arrived = through(postfix.ports[0], &sink, "list@example.net", &authored.stdout);
    let received = answer(&neighbour, "receive", &arrived);
    signer.kill().and_then(|()| signer.wait()).expect("it ends");
    let said = String::from_utf8_lossy(&received.stdout).into_owned();
    assert_eq!(said, "passes\n", "{}", arrived.escape_ascii());
    assert!(memchr::memmem::find(&arrived, b"m=2").is_some(), "{}", arrived.escape_ascii());
}

/// Runs a program over octets.
fn answer(program: &OsStr, task: &str, octets: &[u8]) -> Output {
    Command::new(program).arg(task).write_stdin(octets).output().expect("it runs")
}
