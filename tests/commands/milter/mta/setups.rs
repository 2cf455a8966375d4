//! The set-ups of docs/mta.md, on the real MTAs.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use super::opendkim::{self, OpenDkim};
use super::postfix::{self, Postfix, open_up};
use super::sendmail::{self, Sendmail};
use super::{Client, Sink};
use crate::milter::daemon::Daemon;

pub const LATIN: &[u8] = b"From: a@example.org\r\nTo: b@example.net\r\nDate: Thu, 1 Jan 2026 00:00:00 +0000\r\n\
    Message-ID: <1@example.org>\r\nSubject: =?iso-8859-1?Q?caf=E9?=\r\nMIME-Version: 1.0\r\n\
    Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\ncaf=E9\r\n";

/// Sends a message by a port, and gives what arrives.
pub fn through(port: u16, sink: &Sink, to: &str, message: &[u8]) -> Vec<u8> {
    let mut client = Client::connect(port).expect("an MTA");
    client.send("a@example.org", "", &[to.to_owned()], message).unwrap_or_else(|error| panic!("{to}: {error}"));
    sink.wait_for(to)
}

fn holds(message: &[u8], text: &str) -> bool {
    memchr::memmem::find(message, text.as_bytes()).is_some()
}

/// Returns `true` if a message was converted.
pub fn is_converted(message: &[u8]) -> bool {
    holds(message, "=?utf-8?B?Y2Fmw6k=?=") && holds(message, "charset=utf-8") && holds(message, "caf=C3=A9\r\n")
}

/// The ports of an MTA with the milters in a different order each.
struct Ports {
    signed: u16,
    verified: u16,
    septet_signed: u16,
    verified_septet: u16,
    signed_septet: u16,
    septet_verified: u16,
}

impl Ports {
    /// Names the ports, which come in this order.
    fn of(ports: &[u16]) -> Ports {
        let [signed, verified, septet_signed, verified_septet, signed_septet, septet_verified] = *ports else {
            panic!("six ports")
        };
        Ports { signed, verified, septet_signed, verified_septet, signed_septet, septet_verified }
    }
}

/// Shows that the order of the docs is right, both ways, and that the other one is not.
fn signatures(ports: &Ports, sink: &Sink) {
    let signed = through(ports.signed, sink, "signed@example.net", LATIN);
    assert!(holds(&signed, "DKIM-Signature:") && !is_converted(&signed), "{}", signed.escape_ascii());
    for (port, to, result) in [
        (ports.verified_septet, "in@example.net", "dkim=pass"),
        (ports.septet_verified, "in-wrong@example.net", "dkim=fail"),
    ] {
        let arrived = through(port, sink, to, &signed);
        assert!(holds(&arrived, result) && is_converted(&arrived), "{to}: {}", arrived.escape_ascii());
    }
    for (port, to, result) in [
        (ports.septet_signed, "out@example.net", "dkim=pass"),
        (ports.signed_septet, "out-wrong@example.net", "dkim=fail"),
    ] {
        let sent = through(port, sink, to, LATIN);
        assert!(holds(&sent, "DKIM-Signature:") && is_converted(&sent), "{to}: {}", sent.escape_ascii());
        let arrived = through(ports.verified, sink, &format!("checked-{to}"), &sent);
        assert!(holds(&arrived, result), "{to}: {}", arrived.escape_ascii());
    }
}

#[test]
fn postfix_verifies_before_septet_and_signs_after_it() {
    if !postfix::is_there() || !opendkim::is_there() {
        return;
    }
    let (dkim, daemon, sink) = (OpenDkim::start(), Daemon::start(&["--listen", "inet:127.0.0.1:0"]), Sink::start());
    let milter = |port: u16| format!("inet:127.0.0.1:{port}");
    let (sign, verify, septet) = (milter(dkim.signer), milter(dkim.verifier), milter(daemon.port()));
    let services = orders(&sign, &verify, &septet).map(|milters| format!("-o smtpd_milters={}", milters.join(",")));
    let postfix = Postfix::start(sink.port, "", &services);
    signatures(&Ports::of(&postfix.ports), &sink);
}

#[test]
fn sendmail_verifies_before_septet_and_signs_after_it() {
    if !sendmail::is_there() || !opendkim::is_there() {
        return;
    }
    let (dkim, daemon, sink) = (OpenDkim::start(), Daemon::start(&["--listen", "inet:127.0.0.1:0"]), Sink::start());
    let filter = |port: u16| format!("S=inet:{port}@127.0.0.1, F=T, T=C:5m;S:10s;R:10s;E:5m");
    let (sign, verify, septet) = (filter(dkim.signer), filter(dkim.verifier), filter(daemon.port()));
    let sendmail = Sendmail::start(sink.port, &orders(&sign, &verify, &septet));
    signatures(&Ports::of(&sendmail.ports), &sink);
}

/// With `dkim = "verified"` septet changes signed mail only when OpenDKIM before it found the signature good.
#[test]
fn septet_believes_the_opendkim_that_it_was_told_of() {
    if !postfix::is_there() || !opendkim::is_there() {
        return;
    }
    let daemon = Daemon::configured(
        "[[listener]]\nsocket = \"inet:127.0.0.1:0\"\n\
         [profile.utf8]\ndkim = \"verified\"\nauthserv_id = \"mx.example\"\n",
    );
    let (dkim, sink) = (OpenDkim::start(), Sink::start());
    let milter = |port: u16| format!("inet:127.0.0.1:{port}");
    let (sign, verify, septet) = (milter(dkim.signer), milter(dkim.verifier), milter(daemon.port()));
    let services = [sign, format!("{verify},{septet}"), septet].map(|milters| format!("-o smtpd_milters={milters}"));
    let postfix = Postfix::start(sink.port, "", &services);
    let signed = through(postfix.ports[0], &sink, "signed@example.net", LATIN);
    let verified = through(postfix.ports[1], &sink, "verified@example.net", &signed);
    assert!(holds(&verified, "dkim=pass") && is_converted(&verified), "{}", verified.escape_ascii());
    let unverified = through(postfix.ports[2], &sink, "unverified@example.net", &signed);
    assert!(unverified.ends_with(&signed), "{}\n{}", unverified.escape_ascii(), daemon.log());
}

/// Gives the milters of each port, in the order of [`Ports`].
fn orders(sign: &str, verify: &str, septet: &str) -> [Vec<String>; 6] {
    [vec![sign], vec![verify], vec![septet, sign], vec![verify, septet], vec![sign, septet], vec![septet, verify]]
        .map(|milters| milters.into_iter().map(str::to_owned).collect())
}

/// Mail that a program on the host hands to sendmail(1) reaches septet by `non_smtpd_milters`.
#[test]
fn postfix_shows_mail_of_its_own_host() {
    if !postfix::is_there() {
        return;
    }
    let (daemon, sink) = (Daemon::start(&["--listen", "inet:127.0.0.1:0"]), Sink::start());
    let settings = format!("non_smtpd_milters = inet:127.0.0.1:{}\n", daemon.port());
    let postfix = Postfix::start(sink.port, &settings, &[String::new()]);
    let mut sendmail = Command::new("sendmail")
        .arg("-C")
        .arg(postfix.path("etc"))
        .args(["-i", "-f", "a@example.org", "local@example.net"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("sendmail runs");
    sendmail.stdin.take().expect("a pipe").write_all(LATIN).expect("it is read");
    assert!(sendmail.wait().expect("it ends").success());
    let arrived = sink.wait_for("local@example.net");
    assert!(is_converted(&arrived), "{}\n{}", arrived.escape_ascii(), daemon.log());
}

/// Debian's smtpd runs in a chroot: the socket is below the queue's folder, and its name is relative to it.
#[test]
fn postfix_reaches_a_socket_in_its_chroot() {
    if !postfix::is_there() {
        return;
    }
    let sink = Sink::start();
    let settings = "smtpd_milters = { unix:septet/milter.sock, connect_timeout=5s, default_action=tempfail }\n";
    let postfix = Postfix::start(sink.port, settings, &["!chroot".to_owned()]);
    let folder = postfix.path("spool/septet");
    fs::create_dir(&folder).expect("a folder");
    open_up(&folder);
    let settings = format!(
        "[[listener]]\nsocket = \"unix:{}/milter.sock\"\ngroup = \"postfix\"\nmode = \"0660\"\n",
        folder.display()
    );
    let daemon = Daemon::configured(&settings);
    let arrived = through(postfix.ports[0], &sink, "chroot@example.net", LATIN);
    assert!(is_converted(&arrived), "{}\n{}\n{}", arrived.escape_ascii(), daemon.log(), postfix.log());
}

/// While septet is away, an MTA that is set up as the docs say tells its clients to come again later.
#[test]
fn an_mta_without_its_filter_defers() {
    let nobody = super::free_port();
    let deferred = |port: u16| {
        let mut client = Client::connect(port).expect("an MTA");
        let sent = client.send("a@example.org", "", &["b@example.net".to_owned()], LATIN);
        let said = sent.expect_err("it is not taken").to_string();
        assert!(said.starts_with("451"), "{said}");
    };
    if postfix::is_there() {
        let settings = format!("smtpd_milters = {{ inet:127.0.0.1:{nobody}, default_action=tempfail }}\n");
        let postfix = Postfix::start(Sink::start().port, &settings, &[String::new()]);
        deferred(postfix.ports[0]);
    }
    if sendmail::is_there() {
        let filter = format!("S=inet:{nobody}@127.0.0.1, F=T, T=C:5m;S:10s;R:10s;E:5m");
        let sendmail = Sendmail::start(Sink::start().port, &[vec![filter]]);
        deferred(sendmail.ports[0]);
    }
}

/// Postfix keeps in mind that a message needed SMTPUTF8 and bounces it at a next hop without it, though septet has
/// taken the raw UTF-8 out of its header. A cleanup of its own for that smtpd does not keep it in mind.
#[test]
fn postfix_forgets_smtputf8_by_a_cleanup_of_its_own() {
    if !postfix::is_there() {
        return;
    }
    let (daemon, sink) = (Daemon::start(&["--listen", "inet:127.0.0.1:0"]), Sink::with(&["8BITMIME"]));
    let milter = format!("-o smtpd_milters=inet:127.0.0.1:{}", daemon.port());
    let own = format!("{milter} -o cleanup_service_name=cleanup-words");
    let postfix = Postfix::start(sink.port, "", &[milter, own]);
    let raw = String::from_utf8_lossy(LATIN).replace("=?iso-8859-1?Q?caf=E9?=", "caf\u{e9}").into_bytes();
    let mail = " BODY=8BITMIME SMTPUTF8";
    for (port, sender, to, arrives) in [
        (postfix.ports[0], "bounced@example.org", "bounced@example.net", "bounced@example.org"),
        (postfix.ports[1], "a@example.org", "words@example.net", "words@example.net"),
    ] {
        let mut client = Client::connect(port).expect("an MTA");
        client.send(sender, mail, &[to.to_owned()], &raw).unwrap_or_else(|error| panic!("{to}: {error}"));
        let arrived = sink.wait_for(arrives);
        let is_bounce = holds(&arrived, "SMTPUTF8 is required");
        assert_eq!(is_bounce, arrives.starts_with("bounced"), "{to}: {}", arrived.escape_ascii());
        // A bounce returns the message, and septet has done its part there as well.
        assert!(is_converted(&arrived), "{to}: {}", arrived.escape_ascii());
    }
}

/// A rule finds clients by IPv4 and by IPv6, however the MTA writes the address; Postfix reaches
/// septet by IPv6 as well.
#[test]
fn clients_of_both_families_are_known() {
    if super::loopback().len() < 2 {
        println!("skipped: no IPv6 here");
        return;
    }
    let settings = "default_profile = \"keep\"\n[[listener]]\nsocket = \"inet:127.0.0.1:0\"\n\
                    [[listener]]\nsocket = \"inet6:[::1]:0\"\n\
                    [[rule]]\nprofile = \"utf8\"\nclient = [\"127.0.0.0/8\", \"::1\"]\n";
    let (daemon, sink) = (Daemon::configured(settings), Sink::start());
    daemon.wait_for_log("listening on inet6:");
    let log = daemon.log();
    let (_, rest) = log.split_once("inet6:[::1]:").expect("its address");
    let milter: u16 = rest.split_whitespace().next().expect("a port").parse().expect("a port");
    let known = |mta: &str, port: u16| {
        for host in super::loopback() {
            let to = format!("{mta}.{}@example.net", host.len());
            let mut client = Client::connect_to(host, port).expect("an MTA");
            client.send("a@example.org", "", std::slice::from_ref(&to), LATIN).expect("it is taken");
            assert!(is_converted(&sink.wait_for(&to)), "{mta} {host}: {}", daemon.log());
        }
    };
    if postfix::is_there() {
        let postfix = Postfix::start(sink.port, "", &[format!("-o smtpd_milters=inet:[::1]:{milter}")]);
        known("postfix", postfix.ports[0]);
    }
    if sendmail::is_there() {
        let sendmail = Sendmail::start(sink.port, &[vec![format!("S=inet:{}@127.0.0.1, F=T", daemon.port())]]);
        known("sendmail", sendmail.ports[0]);
    }
}
