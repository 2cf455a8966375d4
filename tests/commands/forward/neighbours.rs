//! Real neighbours: Postfix in front by each of its ways, Dovecot's LMTP behind, swaks and Python's smtplib as clients.
//!
//! What is not installed is skipped with a line, except where `CI` is set.

use std::process::{Command, Output};

use super::dovecot::{self, Dovecot};
use super::{Behaviour, Client, Daemon, Fault, NextHop, PLAIN, code, forward, listener, wait};
use crate::milter::mta::{Client as Sender, Postfix, free_port, is_postfix_there, there, without_received};

/// A message in raw UTF-8, which Postfix takes for one that needs SMTPUTF8.
const UTF8: &str = "From: Zo\u{eb} <zoe@example.org>\r\nTo: bob@example.net\r\nDate: Thu, 1 Jan 2026 00:00:00 +0000\r\n\
    Message-ID: <1@example.org>\r\nSubject: caf\u{e9}\r\nMIME-Version: 1.0\r\n\
    Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\nna\u{ef}ve\r\n";

const DECLARED: &str = " BODY=8BITMIME SMTPUTF8";

/// What it becomes for a next hop that takes neither SMTPUTF8 nor 8BITMIME.
const LOWERED: [&str; 4] = [
    "From: =?utf-8?Q?Zo=C3=AB?= <zoe@example.org>\r\n",
    "Subject: =?utf-8?B?Y2Fmw6k=?=\r\n",
    "Content-Transfer-Encoding: quoted-printable\r\n",
    "\r\n\r\nna=C3=AFve\r\n",
];

fn is_lowered(raw: &[u8]) -> bool {
    let text = String::from_utf8_lossy(raw);
    raw.is_ascii() && LOWERED.iter().all(|line| text.contains(line))
}

/// Starts septet on a port that Postfix was told already.
fn on_port(port: u16, next_hop: &str, keys: &str) -> Daemon {
    let keys = format!("trusted = [\"127.0.0.1\"]\n{keys}");
    Daemon::configured(&listener("smtp", next_hop, &keys).replace("127.0.0.1:0", &format!("127.0.0.1:{port}")))
}

/// What a service that takes mail back needs (FILTER_README).
const BACK: &str = "-o content_filter= -o smtpd_proxy_filter= -o smtpd_authorized_xforward_hosts=127.0.0.0/8 \
    -o receive_override_options=no_unknown_recipient_checks,no_header_body_checks,no_milters";

/// A Postfix with a way through septet and back, in front of a next hop that takes neither; returns septet too.
fn through(option: &str, hop: &NextHop, keys: &str) -> (Postfix, Daemon) {
    let port = free_port();
    let way = option.replace("PORT", &port.to_string());
    let postfix = Postfix::start(hop.port, "smtp_send_xforward_command = yes\n", &[way, BACK.to_owned()]);
    let daemon = on_port(port, &format!("smtp:127.0.0.1:{}", postfix.ports[1]), keys);
    (postfix, daemon)
}

fn send(port: u16, mail: &str, to: &str, raw: &str) {
    let mut client = Sender::connect(port).expect("an MTA");
    client.send("ann@example.org", mail, &[to.to_owned()], raw.as_bytes()).expect("it is taken");
}

fn through_and_back(option: &str) {
    if !is_postfix_there() {
        return;
    }
    let hop = NextHop::capable();
    let (postfix, daemon) = through(option, &hop, "hostname = \"mx.example.org\"");
    send(postfix.ports[0], DECLARED, "bob@example.net", UTF8);
    let arrived = hop.wait_for(1);
    let raw = String::from_utf8_lossy(&arrived[0].raw).into_owned();
    assert!(raw.contains(LOWERED[0]) && raw.contains(LOWERED[1]) && raw.ends_with("\r\n\r\nna\u{ef}ve\r\n"), "{raw}");
    let log = postfix.log();
    assert!(log.contains("orig_client="), "whom it came from came back by XFORWARD:\n{log}");
    assert!(!log.contains("warning:") && !log.contains("status=bounced"), "{log}");
    daemon.wait_for_log("next_hop=\"smtp:127.0.0.1");
    assert!(!daemon.log().contains("WARN"), "{}", daemon.log());
    // Dots and an empty line at the end survive the whole way.
    let dots = "From: ann@example.org\r\nSubject: dots\r\n\r\n.\r\n..\r\n. a\r\n\r\n";
    send(postfix.ports[0], "", "dots@example.net", dots);
    let all = hop.wait_for(2);
    assert!(all[1].raw.ends_with(b"\r\n\r\n.\r\n..\r\n. a\r\n\r\n"), "{}", all[1].raw.escape_ascii());
}

#[test]
fn postfix_filters_its_queue_through_septet() {
    through_and_back("-o content_filter=smtp:[127.0.0.1]:PORT");
}

#[test]
fn postfix_filters_before_its_queue() {
    through_and_back("-o smtpd_proxy_filter=127.0.0.1:PORT");
}

/// A refusal behind septet is what Postfix tells its client, when it filters before its queue.
#[test]
fn a_refusal_behind_septet_reaches_the_client_of_postfix() {
    if !is_postfix_there() {
        return;
    }
    let hop = NextHop::behaving(Behaviour { refused: Some("nobody"), ..NextHop::capable().behaviour().clone() });
    let port = free_port();
    let postfix = Postfix::start(hop.port, "", &[format!("-o smtpd_proxy_filter=127.0.0.1:{port}")]);
    let daemon = on_port(port, &hop.address(), "");
    let mut client = Sender::connect(postfix.ports[0]).expect("an MTA");
    let refused = client.send("a@example.org", "", &["nobody@example.net".to_owned()], PLAIN).expect_err("refused");
    assert!(refused.to_string().starts_with("550 5.1.1"), "{refused}\n{}", daemon.log());
}

/// The row that nobody has: the same message, by the same Postfix, to the same next hop.
#[test]
fn what_bounces_without_septet_is_delivered_with_it() {
    if !is_postfix_there() {
        return;
    }
    let hop = NextHop::with(&[]);
    let port = free_port();
    let services = [String::new(), format!("-o content_filter=smtp:[127.0.0.1]:{port}")];
    let postfix = Postfix::start(hop.port, "", &services);
    let _daemon = on_port(port, &hop.address(), "when = \"needed\"");
    send(postfix.ports[0], DECLARED, "without@example.net", UTF8);
    let bounced = "SMTPUTF8 is required, but was not offered";
    wait(|| postfix.log().contains(bounced), || format!("{bounced:?} in\n{}", postfix.log()));
    send(postfix.ports[1], DECLARED, "with@example.net", UTF8);
    let has = |to: &str| hop.all().into_iter().find(|one| one.recipients.iter().any(|path| path.contains(to)));
    wait(|| has("with@example.net").is_some(), || format!("the message\n{}", postfix.log()));
    let arrived = has("with@example.net").expect("it came");
    assert!(is_lowered(without_received(&arrived.raw)), "{}", arrived.raw.escape_ascii());
    assert!(!arrived.mail.contains("SMTPUTF8"), "{}", arrived.mail);
    assert!(has("without@example.net").is_none());
    assert!(postfix.log().contains("to=<without@example.net>") && postfix.log().contains("status=bounced"));
}

/// The next hop that septet is for: an old one, which knows neither EHLO nor octets with eight bits.
#[test]
fn postfix_reaches_a_next_hop_that_knows_helo_alone() {
    if !is_postfix_there() {
        return;
    }
    let hop = NextHop::behaving(Behaviour { helo: true, ..Behaviour::default() });
    hop.fault("EHLO", Fault::Say(b"502 5.5.1 command not implemented\r\n".to_vec()));
    let port = free_port();
    let postfix = Postfix::start(hop.port, "", &[format!("-o content_filter=smtp:[127.0.0.1]:{port}")]);
    let daemon = on_port(port, &hop.address(), "hostname = \"mx.example.org\"");
    send(postfix.ports[0], DECLARED, "bob@b\u{fc}cher.example", UTF8);
    let arrived = hop.wait_for(1).remove(0);
    assert!(is_lowered(without_received(&arrived.raw)), "{}", arrived.raw.escape_ascii());
    assert_eq!(arrived.recipients, ["<bob@xn--bcher-kva.example>"], "{}", daemon.log());
    assert_eq!(arrived.mail, "<ann@example.org>");
    assert!(hop.lines().contains(&"HELO mx.example.org".to_owned()), "{:?}", hop.lines());
}

#[test]
fn dovecot_takes_mail_by_lmtp_and_answers_for_each() {
    if !dovecot::is_there() {
        return;
    }
    let dovecot = Dovecot::start(&["ann", "bob"]);
    let next_hop = format!("lmtp:unix:{}", dovecot.socket().display());
    let daemon = Daemon::configured(&listener("lmtp", &next_hop, "when = \"needed\""));
    let mut client = Client::lmtp(daemon.port());
    client.say(&format!("MAIL FROM:<zoe@example.org>{DECLARED}"));
    let told = ["ann", "nobody", "bob"].map(|to| client.say(&format!("RCPT TO:<{to}@example.net>")));
    assert_eq!(told.each_ref().map(|it| code(it)), ["250", "550", "250"], "{told:?}\n{}", dovecot.log());
    assert_eq!(code(&client.say("DATA")), "354");
    client.write(UTF8.as_bytes());
    client.write(b".\r\n");
    let told = [client.reply(), client.reply()];
    assert!(told.iter().all(|it| it.starts_with("250 2.0.0")), "{told:?}\n{}", dovecot.log());
    for user in ["ann", "bob"] {
        let mail = String::from_utf8(dovecot.wait_for(user)).expect("UTF-8");
        assert!(mail.contains("Subject: =?utf-8?B?Y2Fmw6k=?="), "Dovecot has no SMTPUTF8: {mail}");
        assert!(mail.contains("na\u{ef}ve"), "Dovecot has 8BITMIME: {mail}");
    }
    // A second message by the same connections, and one through Postfix, of whose recipients one is unknown.
    client.say("MAIL FROM:<zoe@example.org>");
    assert_eq!(code(&client.say("RCPT TO:<ann@example.net>")), "250");
    assert_eq!(code(&client.say("DATA")), "354");
    client.write(&[PLAIN, b".\r\n"].concat());
    assert_eq!(code(&client.reply()), "250");
    if is_postfix_there() {
        let hop = NextHop::capable();
        let way = format!("-o content_filter=lmtp:inet:127.0.0.1:{}", daemon.port());
        let postfix = Postfix::start(hop.port, "", &[way]);
        let mut sender = Sender::connect(postfix.ports[0]).expect("an MTA");
        let to = ["bob@example.net", "unknown@example.net"].map(str::to_owned);
        sender.send("ann@example.org", DECLARED, &to, UTF8.as_bytes()).expect("it is taken");
        let done = || ["to=<bob@example.net>", "to=<unknown@example.net>"].iter().all(|it| postfix.log().contains(it));
        wait(done, || postfix.log());
        let log = postfix.log();
        let status =
            |to: &str| log.lines().find(|line| line.contains(&format!("to=<{to}"))).unwrap_or_default().to_owned();
        assert!(status("bob").contains("status=sent") && status("bob").contains("dsn=2.0.0"), "{log}");
        assert!(status("unknown").contains("status=bounced") && status("unknown").contains("dsn=5.1.1"), "{log}");
    }
}

/// Runs a client, and returns what it said.
fn run(command: &mut Command) -> Output {
    command.output().expect("it runs")
}

fn is_installed(program: &str) -> bool {
    there(program, Command::new(program).arg("--version").output().is_ok())
}

#[test]
fn swaks_sends() {
    if !is_installed("swaks") {
        return;
    }
    let hop = NextHop::with(&["8BITMIME"]);
    let daemon = forward(&hop.address(), "");
    let server = format!("127.0.0.1:{}", daemon.port());
    let output = run(Command::new("swaks").args(["--server", &server, "--helo", "client.example", "--from"]).args([
        "ann@example.org",
        "--to",
        "bob@example.net,carl@example.net",
        "--header",
        "Subject: caf\u{e9}",
        "--body",
        "hello",
    ]));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let arrived = hop.wait_for(1);
    assert_eq!(arrived[0].recipients.len(), 2);
    assert!(String::from_utf8_lossy(&arrived[0].raw).contains("Subject: =?utf-8?B?Y2Fmw6k=?="));
    // One recipient after the other, by a pipeline.
    let output = run(Command::new("swaks")
        .args(["--pipeline", "--server", &server, "--helo", "client.example", "--from"])
        .args(["ann@example.org", "--to", "bob@example.net,carl@example.net", "--body", ".\n..\n"]));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(hop.wait_for(2).len(), 2);
}

/// smtplib with SMTPUTF8, which refuses to send such a message to a server that does not offer it.
const PYTHON: &str = "
import smtplib, sys
from email.message import EmailMessage
from email.policy import SMTPUTF8
m = EmailMessage(policy=SMTPUTF8)
m['From'] = 'Zo\\u00eb <zoe@example.org>'
m['To'] = 'bob@b\\u00fccher.example'
m['Subject'] = 'caf\\u00e9'
m.set_content('na\\u00efve\\n', cte='8bit')
m.add_attachment(b'text', maintype='application', subtype='octet-stream', filename='caf\\u00e9.bin')
with smtplib.SMTP('127.0.0.1', int(sys.argv[1])) as s:
    refused = s.send_message(m)
    assert refused == {}, refused
    s.noop()
";

#[test]
fn smtplib_sends_where_it_could_not() {
    if !is_installed("python3") {
        return;
    }
    let hop = NextHop::with(&[]);
    let direct = run(Command::new("python3").args(["-c", PYTHON, &hop.port.to_string()]));
    let error = String::from_utf8_lossy(&direct.stderr).into_owned();
    assert!(error.contains("SMTPNotSupportedError"), "{error}");
    let daemon = forward(&hop.address(), "when = \"needed\"");
    let by_septet = run(Command::new("python3").args(["-c", PYTHON, &daemon.port().to_string()]));
    assert!(by_septet.status.success(), "{}\n{}", String::from_utf8_lossy(&by_septet.stderr), daemon.log());
    let arrived = hop.wait_for(1).remove(0);
    let text = String::from_utf8_lossy(&arrived.raw).into_owned();
    assert!(arrived.raw.is_ascii(), "{text}");
    assert_eq!(arrived.recipients, ["<bob@xn--bcher-kva.example>"]);
    for line in ["To: bob@xn--bcher-kva.example", "=?utf-8?B?Y2Fmw6k=?=", "caf%C3%A9.bin", "na=C3=AFve"] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

/// Both of Postfix's load tools speak SMTP as it is, one fast and many at once.
#[test]
fn smtp_source_sends_many_at_once() {
    if !is_postfix_there() {
        return;
    }
    let hop = NextHop::capable();
    let daemon = forward(&hop.address(), "next_hop_connections = 5");
    let server = format!("127.0.0.1:{}", daemon.port());
    let output = run(Command::new("smtp-source")
        .args(["-s", "20", "-m", "300", "-l", "4096", "-f", "a@example.org", "-t", "b@example.net", &server]));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(hop.all().len(), 300);
    assert!(hop.most() <= 5);
}
