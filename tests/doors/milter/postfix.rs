//! A real Postfix, private and on loopback: what arrives behind it is what the plan gives.
//!
//! It needs Debian's package `postfix` (not its service) and root, because Postfix starts as root. Without them
//! the tests say so and pass, except under `CI=true`. One Postfix has an SMTP port for each way to reach the
//! daemon, and one without a milter.

use std::fmt::Write as _;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use septet::rewrite::{Profile, plan};
use tempfile::TempDir;

use super::daemon::Daemon;
use super::sink::{Sink, send};

/// A running Postfix; it is stopped when it is dropped.
struct Postfix {
    dir: TempDir,
    ports: Vec<u16>,
}

impl Postfix {
    /// Starts one with an SMTP service for each of `services`: options of master.cf.
    fn start(sink: u16, services: &[String]) -> Postfix {
        let dir = tempfile::Builder::new().prefix("septet-postfix").tempdir().expect("a folder");
        let ports: Vec<u16> = services.iter().map(|_| free_port()).collect();
        let postfix = Postfix { dir, ports };
        postfix.lay_out(sink, services);
        let output = postfix.command().arg("start").output().expect("postfix runs");
        assert!(output.status.success(), "{}{}", String::from_utf8_lossy(&output.stderr), postfix.log());
        postfix.ports.iter().for_each(|&port| postfix.wait_for(port));
        postfix
    }

    fn lay_out(&self, sink: u16, services: &[String]) {
        // Postfix's own processes run as another user, and must reach these folders.
        open_up(self.dir.path());
        for folder in ["etc", "spool", "data", "log"] {
            fs::create_dir(self.path(folder)).expect("a folder");
            open_up(&self.path(folder));
        }
        let chowned = Command::new("chown").arg("postfix").arg(self.path("data")).status().expect("chown");
        assert!(chowned.success());
        fs::write(self.path("etc/main.cf"), self.main_cf(sink)).expect("main.cf");
        fs::write(self.path("etc/master.cf"), master_cf(&self.ports, services)).expect("master.cf");
    }

    fn main_cf(&self, sink: u16) -> String {
        let base = self.dir.path().display();
        let default = Command::new("postconf").args(["-d", "-h", "daemon_directory"]).output().expect("postconf");
        let daemons = String::from_utf8(default.stdout).expect("UTF-8");
        format!(
            "compatibility_level = 3.6\nmail_owner = postfix\nsetgid_group = postdrop\n\
             queue_directory = {base}/spool\ndata_directory = {base}/data\ndaemon_directory = {}\n\
             command_directory = /usr/sbin\nmaillog_file = {base}/log/maillog\nmaillog_file_prefixes = {base}\n\
             myhostname = mx.example\nmydestination =\nmynetworks = 127.0.0.0/8\ninet_interfaces = 127.0.0.1\n\
             inet_protocols = ipv4\nrelayhost = [127.0.0.1]:{sink}\nsmtp_host_lookup = native\n\
             smtp_dns_support_level = disabled\nsmtp_tls_security_level = none\nsmtpd_peername_lookup = no\n\
             alias_maps =\nalias_database =\nlocal_recipient_maps =\n\
             smtpd_relay_restrictions = permit_mynetworks, reject\nmilter_default_action = tempfail\n",
            daemons.trim()
        )
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn log(&self) -> String {
        fs::read_to_string(self.path("log/maillog")).unwrap_or_default()
    }

    fn command(&self) -> Command {
        let mut command = Command::new("postfix");
        command.arg("-c").arg(self.path("etc")).stdin(Stdio::null());
        command
    }

    fn wait_for(&self, port: u16) {
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed() < Duration::from_secs(30), "no SMTP on {port}:\n{}", self.log());
            sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Postfix {
    fn drop(&mut self) {
        let _ = self.command().arg("stop").output();
    }
}

fn open_up(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("a mode");
}

fn master_cf(ports: &[u16], services: &[String]) -> String {
    let mut text = String::new();
    for (port, options) in ports.iter().zip(services) {
        writeln!(text, "127.0.0.1:{port} inet n - n - - smtpd\n  {options}").expect("a string");
    }
    for (name, kind, process) in [
        ("cleanup", "unix n - n - 0", "cleanup"),
        ("qmgr", "unix n - n 300 1", "qmgr"),
        ("rewrite", "unix - - n - -", "trivial-rewrite"),
        ("bounce", "unix - - n - 0", "bounce"),
        ("defer", "unix - - n - 0", "bounce"),
        ("trace", "unix - - n - 0", "bounce"),
        ("proxymap", "unix - - n - -", "proxymap"),
        ("smtp", "unix - - n - -", "smtp"),
        ("relay", "unix - - n - -", "smtp"),
        ("error", "unix - - n - -", "error"),
        ("retry", "unix - - n - -", "error"),
        ("anvil", "unix - - n - 1", "anvil"),
        ("scache", "unix - - n - 1", "scache"),
        ("postlog", "unix-dgram n - n - 1", "postlogd"),
    ] {
        writeln!(text, "{name} {kind} {process}").expect("a string");
    }
    text
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port()
}

/// Tells whether Postfix can be started here; under `CI=true` it must be.
fn is_there() -> bool {
    let installed = Command::new("postconf").arg("-d").output().is_ok_and(|output| output.status.success());
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    let there = installed && root;
    if !there {
        println!("skipped: Postfix is not installed, or this is not root");
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "CI has Postfix, and runs as root");
    }
    there
}

/// A message to send: a name, what MAIL says, and the octets.
fn messages() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let message = |name: &str, header: &str, body: &[u8]| {
        let header = format!(
            "From: a@example.org\r\nTo: b@example.org\r\nDate: Thu, 1 Jan 2026 00:00:00 +0000\r\n\
             Message-ID: <{name}@example.org>\r\n{header}\r\n"
        );
        [header.as_bytes(), body].concat()
    };
    let latin = "Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\
                 Content-Transfer-Encoding: 8bit\r\n";
    let line = |number: usize| {
        [format!("line {number}: ").as_bytes(), b"caf\xe9 ", &[b'x'; 60][..number % 60], b"\r\n"].concat()
    };
    let long: Vec<u8> = (0..6000).flat_map(line).collect();
    // The border of Postfix's first body piece falls between the CR and the LF of its last line.
    let fill: Vec<u8> = [&[b'y'; 62][..], b"\r\n"].concat();
    let border = [&fill.repeat(1023)[..], &[b'z'; 62], b"\r\ncaf\xe9\r\n"].concat();
    let odd_border = [b"q", &border[..]].concat();
    let mut raw_header = message("raw-header", "Subject: caf\u{e9}\r\n", b"text\r\n");
    let at = memchr::memmem::find(&raw_header, "\u{e9}".as_bytes()).expect("it is there");
    raw_header.splice(at..at + 2, *b"\xc3\xa9");
    vec![
        (
            "plain",
            "",
            message("plain", "Subject: plain\r\nX-Odd:no space\r\nX-Tab:\ttab\r\n", b"one\r\n.\r\n..two\r\n"),
        ),
        (
            "utf7",
            "",
            message(
                "utf7",
                "Subject: =?unicode-1-1-utf-7?Q?+ANw-ber?=\r\nMIME-Version: 1.0\r\nContent-Type: text/plain;\r\n\tcharset=utf-7\r\n",
                b"Gr+APwA3w-e\r\n",
            ),
        ),
        ("raw-header", "", raw_header),
        ("latin", " BODY=8BITMIME", message("latin", latin, b"caf\xe9\r\n")),
        ("long", " BODY=8BITMIME", message("long", latin, &long)),
        ("border", " BODY=8BITMIME", message("border", latin, &border)),
        ("odd-border", " BODY=8BITMIME", message("odd-border", latin, &odd_border)),
        ("empty", "", message("empty", "Subject: =?utf-7?Q?+ANw-ber?=\r\n", b"")),
        (
            "twice",
            "",
            message(
                "twice",
                "Comments: one\r\nComments: =?iso-8859-1?Q?=E9?=\r\ncomments: =?utf-7?Q?+ANw-?=\r\n",
                b"x\r\n",
            ),
        ),
    ]
}

/// Takes Postfix's own Received field off.
fn without_received(arrived: &[u8]) -> &[u8] {
    assert!(arrived.starts_with(b"Received: "), "{}", arrived.escape_ascii());
    let end = memchr::memchr_iter(b'\n', arrived).find(|&at| !matches!(arrived.get(at + 1), Some(b' ' | b'\t')));
    &arrived[end.expect("a line end") + 1..]
}

fn show(message: &[u8]) -> String {
    let text = message.escape_ascii().to_string().replace("\\r\\n", "\n");
    text.chars().take(3000).collect()
}

#[test]
fn what_arrives_is_what_the_plan_gives() {
    if !is_there() {
        return;
    }
    let daemon = Daemon::start(&["--listen", "inet:127.0.0.1:0", "--listen", "unix:DIR/sock"]);
    daemon.wait_for_log("listening on unix:");
    open_up(daemon.dir.path());
    let socket = daemon.path("sock");
    let status = Command::new("chmod").arg("666").arg(&socket).status().expect("chmod");
    assert!(status.success());
    let sink = Sink::start();
    let (unix, inet) = (format!("unix:{}", socket.display()), format!("inet:127.0.0.1:{}", daemon.port()));
    let ways = [
        ("none", "-o smtpd_milters=".to_owned()),
        ("unix", format!("-o smtpd_milters={unix}")),
        ("inet", format!("-o smtpd_milters={inet}")),
        ("old", format!("-o smtpd_milters={inet} -o milter_protocol=2")),
    ];
    let postfix = Postfix::start(sink.port, &ways.clone().map(|(_, options)| options));
    for ((way, _), &port) in ways.iter().zip(&postfix.ports) {
        for (name, mail, raw) in messages() {
            let id = format!("{name}@example.org");
            let marked = replace(&raw, &id, &format!("{name}.{way}@example.org"));
            send(port, mail, &marked);
            let arrived = sink.wait_for(&format!("<{name}.{way}@example.org>"));
            let expected = match *way {
                "none" => marked.clone(),
                _ => plan(&marked, &Profile::default()).edits.apply(&marked),
            };
            assert_eq!(show(without_received(&arrived)), show(&expected), "{name} by {way}:\n{}", daemon.log());
            assert!(without_received(&arrived) == expected, "{name} by {way}, far down");
            assert!(*way == "none" || (expected == marked) == (name == "plain"), "{name} by {way}");
        }
    }
    let log = daemon.log();
    assert!(!log.contains("WARN") && !log.contains("queue_id= "), "every message has its queue id:\n{log}");
}

fn replace(raw: &[u8], old: &str, new: &str) -> Vec<u8> {
    let at = memchr::memmem::find(raw, old.as_bytes()).expect("it is there");
    [&raw[..at], new.as_bytes(), &raw[at + old.len()..]].concat()
}
