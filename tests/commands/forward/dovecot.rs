//! A Dovecot that takes mail by LMTP, private and on a unix socket. It needs Debian's `dovecot-lmtpd`, and root.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::milter::daemon::wait;
use crate::milter::mta::{is_root, open_up, there};

const PROGRAM: &str = "/usr/sbin/dovecot";

/// A running Dovecot; it is killed when it is dropped.
pub struct Dovecot {
    dir: TempDir,
    daemon: Child,
}

impl Dovecot {
    /// Starts one with these users of example.net.
    pub fn start(users: &[&str]) -> Dovecot {
        let dir = tempfile::Builder::new().prefix("septet-dovecot").tempdir().expect("a folder");
        lay_out(dir.path(), users);
        let output = File::create(dir.path().join("output")).expect("a file");
        let daemon = Command::new(PROGRAM)
            .args(["-F", "-c"])
            .arg(dir.path().join("dovecot.conf"))
            .stdin(Stdio::null())
            .stdout(output.try_clone().expect("one file, twice"))
            .stderr(output)
            .spawn()
            .expect("dovecot runs");
        let dovecot = Dovecot { dir, daemon };
        wait(|| dovecot.socket().exists(), || dovecot.log());
        dovecot
    }

    pub fn socket(&self) -> PathBuf {
        self.dir.path().join("lmtp")
    }

    pub fn log(&self) -> String {
        let read = |name: &str| fs::read_to_string(self.dir.path().join(name)).unwrap_or_default();
        read("output") + &read("log")
    }

    /// Waits for a message of a user, and returns the first.
    pub fn wait_for(&self, user: &str) -> Vec<u8> {
        let folder = self.dir.path().join("mail").join(user).join("new");
        let first = || fs::read_dir(&folder).ok()?.flatten().next().map(|entry| entry.path());
        wait(|| first().is_some(), || format!("mail for {user}\n{}", self.log()));
        fs::read(first().expect("a message")).expect("a message")
    }
}

impl Drop for Dovecot {
    fn drop(&mut self) {
        // Its master ends the others when it is told to; killed, it could not.
        let _ = Command::new("kill").arg(self.daemon.id().to_string()).status();
        let _ = self.daemon.wait();
    }
}

fn lay_out(dir: &Path, users: &[&str]) {
    open_up(dir);
    fs::create_dir(dir.join("mail")).expect("a folder");
    assert!(Command::new("chown").arg("nobody").arg(dir.join("mail")).status().expect("chown").success());
    let (ids, home) = ("65534:65534", dir.join("mail").display().to_string());
    let list: String =
        users.iter().map(|user| format!("{user}@example.net:{{PLAIN}}x:{ids}::{home}/{user}\n")).collect();
    fs::write(dir.join("users"), list).expect("users");
    let base = dir.display();
    let settings = format!(
        "base_dir = {base}/run\nstate_dir = {base}/state\nlog_path = {base}/log\nprotocols = lmtp\nssl = no\n\
         listen = 127.0.0.1\nmail_location = maildir:{base}/mail/%n\nmail_uid = nobody\nmail_gid = nogroup\n\
         first_valid_uid = 1\nfirst_valid_gid = 1\n\
         passdb {{\n  driver = passwd-file\n  args = {base}/users\n}}\n\
         userdb {{\n  driver = passwd-file\n  args = {base}/users\n}}\n\
         service lmtp {{\n  unix_listener {base}/lmtp {{\n    mode = 0666\n  }}\n}}\n\
         service auth {{\n  unix_listener auth-userdb {{\n    mode = 0666\n  }}\n}}\n"
    );
    fs::write(dir.join("dovecot.conf"), settings).expect("settings");
}

/// Returns `true` if Dovecot's LMTP can be started here.
pub fn is_there() -> bool {
    let installed = Path::new(PROGRAM).exists() && Path::new("/usr/lib/dovecot/lmtp").exists();
    there("Dovecot's LMTP", installed && is_root())
}
