//! TLS toward the next hop: by STARTTLS and from the first octet on, with an authority of one's own, and a server in
//! the middle that says more than it should.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{Client, Daemon, PLAIN, code, forward, wait};
use crate::milter::mta::there;

/// A server of `tls_server.py`; it is killed when it is dropped.
struct Server {
    dir: TempDir,
    child: Child,
}

impl Server {
    fn start(mode: &str) -> Server {
        Server::certified(mode, AUTHORISED)
    }

    /// Starts one whose certificate a shell makes by this script.
    fn certified(mode: &str, script: &str) -> Server {
        let dir = tempfile::tempdir().expect("a folder");
        certify(dir.path(), script);
        let child = Command::new("python3")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands/forward/tls_server.py"))
            .args([mode, "server.pem", "server.key"])
            .current_dir(dir.path())
            .stdin(Stdio::null())
            .stdout(File::create(dir.path().join("log")).expect("a log"))
            .spawn()
            .expect("python3 runs");
        let server = Server { dir, child };
        wait(|| server.log().contains('\n'), || "a port".to_owned());
        server
    }

    fn log(&self) -> String {
        fs::read_to_string(self.dir.path().join("log")).expect("a log")
    }

    fn address(&self, kind: &str) -> String {
        format!("{kind}:localhost:{}", self.log().lines().next().expect("a port"))
    }

    /// Returns the keys of a listener that knows this server's authority.
    fn keys(&self, tls: &str) -> String {
        format!("next_hop_tls = \"{tls}\"\nnext_hop_ca_file = \"{}\"", self.dir.path().join("ca.pem").display())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Makes an authority, and a certificate by it for localhost.
const AUTHORISED: &str = "set -e\n\
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ca.key -out ca.pem -subj /CN=authority\n\
    openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost\n\
    printf 'subjectAltName=DNS:localhost\\nbasicConstraints=CA:FALSE\\n' > ext\n\
    openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile ext -out server.pem\n";

/// Makes a certificate as most people do who make their own: it is an authority's, too.
const SELF_MADE: &str = "set -e\n\
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout server.key -out server.pem -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost\ncp server.pem ca.pem\n";

/// Makes another authority of the same name, and trusts that one.
const ANOTHER: &str =
    "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ca.key -out ca.pem -subj /CN=authority\n";

fn certify(dir: &Path, script: &str) {
    let made = Command::new("sh").args(["-c", script]).current_dir(dir).output().expect("sh runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

fn is_there() -> bool {
    let runs = |program: &str, flag: &str| Command::new(program).arg(flag).output().is_ok();
    there("python3 or openssl", runs("python3", "--version") && runs("openssl", "version"))
}

fn send(daemon: &Daemon) -> String {
    Client::greeted(daemon.port()).send("<a@example.org>", &["<b@example.net>"], PLAIN)
}

#[test]
fn mail_goes_in_tls_where_it_may_or_must() {
    if !is_there() {
        return;
    }
    for (mode, kind, tls) in [("starttls", "smtp", "may"), ("starttls", "smtp", "must"), ("smtps", "smtps", "may")] {
        let server = Server::start(mode);
        let daemon = forward(&server.address(kind), &server.keys(tls));
        for _ in 0..2 {
            assert_eq!(code(&send(&daemon)), "250", "{mode} {tls}: {}\n{}", daemon.log(), server.log());
        }
        let log = server.log();
        assert_eq!(log.matches("tls MAIL FROM:<a@example.org>").count(), 2, "{log}");
        assert!(log.contains("content hello\nend") && !log.contains("plain MAIL"), "{log}");
    }
}

/// In TLS as in plain text: lettre would read so many lines for ten seconds, and nobody else would be served meanwhile.
#[test]
fn a_reply_of_many_lines_keeps_nobody_waiting() {
    if !is_there() {
        return;
    }
    for (mode, kind) in [("starttls+many", "smtp"), ("smtps+many", "smtps")] {
        let server = Server::start(mode);
        let daemon = forward(&server.address(kind), &server.keys("must"));
        let start = Instant::now();
        assert_eq!(code(&send(&daemon)), "250", "{mode}: {}\n{}", daemon.log(), server.log());
        assert!(start.elapsed() < Duration::from_secs(3), "{mode}: {:?}", start.elapsed());
        assert!(server.log().contains("tls RCPT"), "{}", server.log());
    }
}

#[test]
fn mail_does_not_go_where_tls_must_be_and_is_not() {
    if !is_there() {
        return;
    }
    for (mode, kind, known) in [("plain", "smtp", true), ("starttls", "smtp", false), ("smtps", "smtps", false)] {
        let server = Server::start(mode);
        let keys = if known { server.keys("must") } else { "next_hop_tls = \"must\"".to_owned() };
        let daemon = forward(&server.address(kind), &keys);
        let told = send(&daemon);
        assert!(told.starts_with("451 4."), "{mode}: {told}");
        assert!(!server.log().contains("MAIL"), "{}", server.log());
        daemon.wait_for_log("no TLS with it");
    }
}

/// Who makes a certificate by hand is told what is wrong with it, and what to do.
#[test]
fn a_certificate_that_no_server_may_use_has_a_hint() {
    if !is_there() {
        return;
    }
    let server = Server::certified("starttls", SELF_MADE);
    let daemon = forward(&server.address("smtp"), &server.keys("must"));
    assert!(send(&daemon).starts_with("451 4."), "{}", daemon.log());
    daemon.wait_for_log("make it again with basicConstraints=CA:FALSE");
    let server = Server::start("starttls");
    let unknown = forward(&server.address("smtp"), "next_hop_tls = \"must\"");
    assert!(send(&unknown).starts_with("451 4."), "{}", unknown.log());
    unknown.wait_for_log("next_hop_ca_file");
}

/// What is wrong with a certificate of one's own is said, and which key of the settings helps.
#[test]
fn a_certificate_of_one_s_own_is_told_what_it_lacks() {
    if !is_there() {
        return;
    }
    let (other, unnamed) = ("DNS:mx.example.org", AUTHORISED.replace("subjectAltName=DNS:localhost\\n", ""));
    for (script, log) in [
        (AUTHORISED.replace("DNS:localhost", other), "its certificate has other names: set next_hop to one"),
        (unnamed, "make it with subjectAltName=DNS:"),
        (
            AUTHORISED.replace("CA:FALSE", "CA:FALSE\\nextendedKeyUsage=clientAuth"),
            "its certificate is not for servers",
        ),
        (format!("{AUTHORISED}{ANOTHER}"), "another key than the trusted one of that name: set next_hop_ca_file"),
    ] {
        let server = Server::certified("starttls", &script);
        let daemon = forward(&server.address("smtp"), &server.keys("must"));
        assert!(send(&daemon).starts_with("451 4."), "{}", daemon.log());
        assert!(!server.log().contains("MAIL"), "{}", server.log());
        daemon.wait_for_log(log);
    }
}

/// Some close the connection at a word that they don't know, and know HELO alone, in TLS too.
#[test]
fn one_that_knows_helo_alone_gets_its_mail_in_tls() {
    if !is_there() {
        return;
    }
    for (mode, kind) in [("starttls+helo", "smtp"), ("smtps+helo", "smtps")] {
        let server = Server::start(mode);
        let daemon = forward(&server.address(kind), &server.keys("must"));
        assert_eq!(code(&send(&daemon)), "250", "{mode}: {}\n{}", daemon.log(), server.log());
        let log = server.log();
        assert!(log.contains("tls HELO") && log.contains("tls MAIL") && !log.contains("plain MAIL"), "{log}");
        daemon.wait_for_log("the next hop does not support EHLO: HELO was used");
    }
}

/// A name that the certificate does not have is another server.
#[test]
fn the_certificate_must_be_the_servers_own() {
    if !is_there() {
        return;
    }
    let server = Server::start("starttls");
    let other = server.address("smtp").replace("localhost", "127.0.0.1");
    let daemon = forward(&other, &server.keys("must"));
    assert!(send(&daemon).starts_with("451 4."), "{}", daemon.log());
    assert!(!server.log().contains("MAIL"), "{}", server.log());
}

/// An authority that was made anew counts after a reload, though no setting is another.
#[test]
fn a_reload_reads_the_authorities_again() {
    if !is_there() {
        return;
    }
    let (server, other) = (Server::start("starttls"), Server::start("starttls"));
    let daemon = forward(&server.address("smtp"), &other.keys("must"));
    assert!(send(&daemon).starts_with("451 4."), "{}", daemon.log());
    fs::copy(server.dir.path().join("ca.pem"), other.dir.path().join("ca.pem")).expect("another authority");
    assert!(send(&daemon).starts_with("451 4."), "{}", daemon.log());
    daemon.signal("-HUP");
    daemon.wait_for_log("were read again");
    assert_eq!(code(&send(&daemon)), "250", "{}", daemon.log());
}

/// Whoever is on the way may add to the reply to STARTTLS, in plain text: it must not be read as the first reply in TLS
/// (CVE-2011-0411).
#[test]
fn what_is_said_behind_the_answer_to_starttls_is_not_believed() {
    if !is_there() {
        return;
    }
    for tls in ["must", "may"] {
        let server = Server::start("inject");
        let daemon = forward(&server.address("smtp"), &server.keys(tls));
        let told = send(&daemon);
        let log = server.log();
        if tls == "must" {
            assert!(told.starts_with("451 4."), "{told}\n{}", daemon.log());
            assert!(!log.contains("MAIL"), "{log}");
        }
        assert!(!log.contains("SMTPUTF8 ") && !log.contains("tls MAIL"), "{log}");
    }
}

/// Opportunistic TLS that does not come about is as if it had not been offered.
#[test]
fn where_it_may_be_mail_goes_without() {
    if !is_there() {
        return;
    }
    let server = Server::start("broken");
    let daemon = forward(&server.address("smtp"), &server.keys("may"));
    assert_eq!(code(&send(&daemon)), "250", "{}", daemon.log());
    assert!(server.log().contains("plain MAIL"), "{}", server.log());
    daemon.wait_for_log("mail goes to it unencrypted, as next_hop_tls = \"may\" allows");
}

#[test]
fn the_password_goes_in_tls_alone() {
    if !is_there() {
        return;
    }
    for (mode, tls, password, expected) in [
        ("starttls+auth", "must", "open", "451"),
        ("starttls+auth", "must", "secret", "250"),
        ("starttls+auth", "may", "secret", "250"),
        ("starttls+auth", "must", "wrong", "451"),
        ("plain+auth", "may", "secret", "451"),
        ("plain+auth", "no", "secret", "250"),
    ] {
        let server = Server::start(mode);
        let file = server.dir.path().join("password");
        let is_open = password == "open";
        fs::write(&file, format!("{}\n", if is_open { "secret" } else { password })).expect("a file");
        let mode_of_file = fs::Permissions::from_mode(if is_open { 0o644 } else { 0o600 });
        fs::set_permissions(&file, mode_of_file).expect("its mode");
        let login = format!("next_hop_user = \"relay\"\nnext_hop_password_file = \"{}\"", file.display());
        let daemon = forward(&server.address("smtp"), &format!("{}\n{login}", server.keys(tls)));
        let told = send(&daemon);
        let log = server.log();
        assert_eq!(code(&told), expected, "{mode} {tls}: {told}\n{}\n{log}", daemon.log());
        assert!(tls == "no" || !log.contains("plain AUTH"), "{log}");
        assert!(!daemon.log().contains("secret"), "{}", daemon.log());
        assert!(!is_open || daemon.log().contains("everybody may read"), "{}", daemon.log());
    }
}
