//! A Postfix, private and on loopback. It needs Debian's package `postfix` (not its service) and root, because
//! Postfix starts as root.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::{free_port, wait_for_port};

/// A running Postfix; it is stopped when it is dropped.
pub struct Postfix {
    dir: TempDir,
    pub ports: Vec<u16>,
}

impl Postfix {
    /// Starts one with an SMTP service for each of `services`: options of master.cf, or `!chroot` for one in a chroot.
    /// `settings` are lines of main.cf.
    pub fn start(sink: u16, settings: &str, services: &[String]) -> Postfix {
        let dir = tempfile::Builder::new().prefix("septet-postfix").tempdir().expect("a folder");
        let ports: Vec<u16> = services.iter().map(|_| free_port()).collect();
        let postfix = Postfix { dir, ports };
        postfix.lay_out(sink, settings, services);
        let output = postfix.command().arg("start").output().expect("postfix runs");
        assert!(output.status.success(), "{}{}", String::from_utf8_lossy(&output.stderr), postfix.log());
        postfix.ports.iter().for_each(|&port| wait_for_port(port, || postfix.log()));
        postfix
    }

    fn lay_out(&self, sink: u16, settings: &str, services: &[String]) {
        // Postfix's own processes run as another user, and must reach these folders.
        open_up(self.dir.path());
        for folder in ["etc", "spool", "data", "log"] {
            fs::create_dir(self.path(folder)).expect("a folder");
            open_up(&self.path(folder));
        }
        let chowned = Command::new("chown").arg("postfix").arg(self.path("data")).status().expect("chown");
        assert!(chowned.success());
        fs::write(self.path("etc/main.cf"), self.main_cf(sink) + settings).expect("main.cf");
        fs::write(self.path("etc/master.cf"), master_cf(&self.ports, services)).expect("master.cf");
    }

    /// What is not Postfix's default here, beside paths: nothing is looked up, nothing is too large, and lines over
    /// 998 octets go out as they are (`smtp_line_length_limit`), so that only the filter can change a message.
    fn main_cf(&self, sink: u16) -> String {
        let base = self.dir.path().display();
        let default = Command::new("postconf").args(["-d", "-h", "daemon_directory"]).output().expect("postconf");
        let daemons = String::from_utf8(default.stdout).expect("UTF-8");
        format!(
            "compatibility_level = 3.6\nmail_owner = postfix\nsetgid_group = postdrop\n\
             queue_directory = {base}/spool\ndata_directory = {base}/data\ndaemon_directory = {}\n\
             command_directory = /usr/sbin\nmaillog_file = {base}/log/maillog\nmaillog_file_prefixes = {base}\n\
             myhostname = mx.example\nmydestination =\nmynetworks = 127.0.0.0/8 [::1]/128\ninet_interfaces = loopback-only\n\
             inet_protocols = {}\nrelayhost = [127.0.0.1]:{sink}\nsmtp_host_lookup = native\n\
             smtp_dns_support_level = disabled\nsmtp_tls_security_level = none\nsmtpd_peername_lookup = no\n\
             alias_maps =\nalias_database =\nlocal_recipient_maps =\n\
             smtpd_relay_restrictions = permit_mynetworks, reject\nlocal_header_rewrite_clients =\n\
             smtpd_client_connection_count_limit = 0\nsmtpd_error_sleep_time = 0\nmessage_size_limit = 0\n\
             smtp_line_length_limit = 0\nin_flow_delay = 0\nmilter_default_action = tempfail\n",
            daemons.trim(),
            if super::loopback().len() > 1 { "all" } else { "ipv4" }
        )
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.path("log/maillog")).unwrap_or_default()
    }

    /// Has its queue manager look at all of its queue again. What it has skipped as "still being delivered" it looks at
    /// only when it starts.
    pub fn reload(&self) {
        assert!(self.command().arg("reload").output().expect("postfix runs").status.success());
    }

    fn command(&self) -> Command {
        let mut command = Command::new("postfix");
        command.arg("-c").arg(self.path("etc")).stdin(Stdio::null());
        command
    }
}

impl Drop for Postfix {
    fn drop(&mut self) {
        let _ = self.command().arg("stop").output();
    }
}

/// Lets Postfix's processes, which run as another user, into a folder.
pub fn open_up(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("a mode");
}

fn master_cf(ports: &[u16], services: &[String]) -> String {
    let mut text = String::new();
    for (port, options) in ports.iter().zip(services) {
        let (chroot, options) = match options.strip_prefix("!chroot") {
            Some(options) => ("y", options),
            None => ("n", &options[..]),
        };
        for host in super::loopback() {
            writeln!(text, "[{host}]:{port} inet n - {chroot} - - smtpd\n  {options}").expect("a string");
        }
    }
    for (name, kind, process) in [
        ("pickup", "unix n - n 60 1", "pickup"),
        ("cleanup", "unix n - n - 0", "cleanup"),
        ("cleanup-words", "unix n - n - 0", "cleanup -o smtputf8_enable=no"),
        ("qmgr", "unix n - n 300 1", "qmgr"),
        ("rewrite", "unix - - n - -", "trivial-rewrite"),
        ("bounce", "unix - - n - 0", "bounce"),
        ("defer", "unix - - n - 0", "bounce"),
        ("trace", "unix - - n - 0", "bounce"),
        ("proxymap", "unix - - n - -", "proxymap"),
        ("smtp", "unix - - n - -", "smtp"),
        ("lmtp", "unix - - n - -", "lmtp"),
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

/// Returns `true` if Postfix can be started here.
pub fn is_there() -> bool {
    let installed = Command::new("postconf").arg("-d").output().is_ok_and(|output| output.status.success());
    super::there("Postfix", installed && super::is_root())
}
