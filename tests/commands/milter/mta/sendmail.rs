//! A Sendmail, private and on loopback.
//!
//! Debian's package can't be installed beside Postfix, so it is unpacked into a folder: `target/sendmail`, or where
//! `SEPTET_SENDMAIL` says; `.ci/sendmail` does it. It needs root, and m4.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::{free_port, wait_for_port};

/// A running Sendmail; it is killed when it is dropped.
pub struct Sendmail {
    dir: TempDir,
    daemon: Child,
    pub ports: Vec<u16>,
}

impl Sendmail {
    /// Starts one with a port for each of `filters`: the values of a MAIL_FILTER each.
    pub fn start(sink: u16, filters: &[Vec<String>]) -> Sendmail {
        Sendmail::with_headers_of(64 << 10, sink, filters)
    }

    /// Starts one that takes headers of so many octets.
    pub fn with_headers_of(octets: usize, sink: u16, filters: &[Vec<String>]) -> Sendmail {
        let dir = tempfile::Builder::new().prefix("septet-sendmail").tempdir().expect("a folder");
        let ports: Vec<u16> = filters.iter().map(|_| free_port()).collect();
        let headers = format!("define(`confMAX_HEADERS_LENGTH',`{octets}')dnl\n");
        lay_out(dir.path(), &(mc(dir.path(), sink, &ports, filters) + &headers));
        let output = File::create(dir.path().join("output")).expect("a file");
        let daemon = without_dns(dir.path())
            .arg(root().join(PROGRAM))
            .arg("-bD")
            .arg(format!("-C{}", dir.path().join("sendmail.cf").display()))
            .arg("-X")
            .arg(dir.path().join("traffic"))
            .stdin(Stdio::null())
            .stdout(output.try_clone().expect("one file, twice"))
            .stderr(output)
            .spawn()
            .expect("sendmail runs");
        let sendmail = Sendmail { dir, daemon, ports };
        sendmail.ports.iter().for_each(|&port| wait_for_port(port, || sendmail.log()));
        sendmail
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.dir.path().join("output")).unwrap_or_default()
    }
}

impl Drop for Sendmail {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

/// Starts a command where names are looked up in a file alone: Sendmail asks for its own at start-up, and waits
/// minutes for DNS servers that don't answer. Where that is not allowed, it starts as it is.
fn without_dns(base: &Path) -> Command {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").expect("Linux");
    let hosts = format!("127.0.0.1 localhost mx.example {name}\n::1 localhost {name}\n");
    for (file, text) in [("hosts", &*hosts), ("resolv.conf", "nameserver 127.0.0.1\n")] {
        fs::write(base.join(file), text).expect("a file");
    }
    let private = ["-m", "--propagation", "private"];
    if !Command::new("unshare").args(private).arg("true").status().is_ok_and(|status| status.success()) {
        return Command::new("env");
    }
    let mut command = Command::new("unshare");
    let script =
        "mount --bind \"$0/hosts\" /etc/hosts && mount --bind \"$0/resolv.conf\" /etc/resolv.conf; exec \"$@\"";
    command.args(private).args(["sh", "-c", script]).arg(base);
    command
}

const PROGRAM: &str = "usr/libexec/sendmail/sendmail";

/// Where the packages were unpacked.
fn root() -> PathBuf {
    let named = std::env::var_os("SEPTET_SENDMAIL").map(PathBuf::from);
    named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target/sendmail"))
}

fn lay_out(base: &Path, mc: &str) {
    fs::create_dir(base.join("spool")).expect("a folder");
    let hosts = [("aliases", ""), ("local-host-names", "mx.example\n"), ("switch", "hosts files\naliases files\n")];
    for (name, text) in hosts.into_iter().chain([("sendmail.mc", mc)]) {
        fs::write(base.join(name), text).expect("a file");
    }
    let cf = root().join("usr/share/sendmail/cf");
    let made = Command::new("m4")
        .current_dir(&cf)
        .arg(format!("-D_CF_DIR_={}/", cf.display()))
        .arg(base.join("sendmail.mc"))
        .output()
        .expect("m4 runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    fs::write(base.join("sendmail.cf"), made.stdout).expect("sendmail.cf");
}

/// What is not Sendmail's default here, beside paths: nothing is looked up, lines are not wrapped (`L=0` of the
/// mailer), and every message goes to the sink.
fn mc(base: &Path, sink: u16, ports: &[u16], filters: &[Vec<String>]) -> String {
    let (base, cf) = (base.display(), root().join("usr/share/sendmail/cf"));
    let mut text = format!("divert(0)dnl\ninclude(`{}/m4/cf.m4')dnl\nOSTYPE(`linux')dnl\n", cf.display());
    for (name, value) in [
        ("confDOMAIN_NAME", "mx.example".to_owned()),
        ("QUEUE_DIR", format!("{base}/spool")),
        ("confPID_FILE", format!("{base}/pid")),
        ("STATUS_FILE", format!("{base}/statistics")),
        ("ALIAS_FILE", format!("{base}/aliases")),
        ("HELP_FILE", format!("{base}/help")),
        ("confCW_FILE", format!("{base}/local-host-names")),
        ("confSERVICE_SWITCH_FILE", format!("{base}/switch")),
        ("confDONT_BLAME_SENDMAIL", "GroupWritableDirPathSafe,AssumeSafeChown,GroupWritableAliasFile".to_owned()),
        ("confDELIVERY_MODE", "background".to_owned()),
        ("confDONT_PROBE_INTERFACES", "True".to_owned()),
        ("confCONNECTION_THROTTLE", "0".to_owned()),
        ("confREFUSE_LA", "1000".to_owned()),
        ("confQUEUE_LA", "1000".to_owned()),
        ("confTO_IDENT", "0".to_owned()),
        ("SMART_HOST", "esmtp:[127.0.0.1]".to_owned()),
        ("ESMTP_MAILER_ARGS", format!("TCP $h {sink}")),
        ("ESMTP_MAILER_MAXMSGS", "1".to_owned()),
        ("SMTP_MAILER_LL", "0".to_owned()),
    ] {
        writeln!(text, "define(`{name}',`{value}')dnl").expect("a string");
    }
    for (port, filters) in ports.iter().zip(filters) {
        let names: Vec<String> = (0..filters.len()).map(|number| format!("f{port}x{number}")).collect();
        let own = if names.is_empty() { String::new() } else { format!(", InputMailFilters={}", names.join(";")) };
        for (family, host) in ["inet", "inet6"].iter().zip(super::loopback()) {
            writeln!(text, "DAEMON_OPTIONS(`Family={family}, Port={port}, Addr={host}, Name={family}{port}{own}')dnl")
                .expect("a string");
        }
        for (name, filter) in names.iter().zip(filters) {
            writeln!(text, "MAIL_FILTER(`{name}', `{filter}')dnl").expect("a string");
        }
    }
    for feature in ["no_default_msa", "accept_unresolvable_domains", "promiscuous_relay", "nocanonify"] {
        writeln!(text, "FEATURE(`{feature}')dnl").expect("a string");
    }
    text + "MAILER(`local')dnl\nMAILER(`smtp')dnl\n"
}

/// Returns `true` if Sendmail can be started here; what it delivers is asked by night.
pub fn is_there() -> bool {
    if !septet_support::nightly() {
        println!("skipped: SEPTET_NIGHTLY is not set");
        return false;
    }
    let unpacked = root().join(PROGRAM).is_file() && Command::new("m4").arg("--version").output().is_ok();
    super::there("Sendmail", unpacked && super::is_root())
}
