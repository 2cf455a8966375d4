//! A Maildir that Dovecot has indexed is converted in place, and Dovecot gives out every message of it.
//! It needs Debian's `dovecot-core`, and root.

use std::fs;
use std::path::Path;
use std::process::Command as Process;

use super::{Folder, LATIN, PLAIN, convert};
use crate::milter::mta::{is_root, open_up, there};

/// Settings of a Dovecot that is no daemon: `doveadm` reads the Maildir itself.
fn settings(base: &Path) -> String {
    let base = base.display();
    format!(
        "base_dir = {base}/run\nstate_dir = {base}/state\nlog_path = {base}/log\nssl = no\n\
         mail_location = maildir:{base}/mail\nmail_home = {base}/home\nmail_uid = nobody\nmail_gid = nogroup\n\
         first_valid_uid = 1\nfirst_valid_gid = 1\nmail_always_cache_fields = hdr.subject size.virtual size.physical\n\
         namespace inbox {{\n  inbox = yes\n  separator = /\n}}\n"
    )
}

/// Fetches all of every message: its name, sizes, header and text, `what` of them.
fn fetch(folder: &Folder, what: &str) -> String {
    let mut doveadm = Process::new("doveadm");
    // Without `-u` it asks no daemon who the user is.
    doveadm.env("USER", "nobody").env("HOME", folder.path("home"));
    doveadm.arg("-c").arg(folder.path("dovecot.conf")).args(["fetch", what, "mailbox", "*"]);
    let run = doveadm.output().expect("doveadm runs");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    let log = fs::read_to_string(folder.path("log")).unwrap_or_default();
    assert!(run.status.success() && said.is_empty() && log.is_empty(), "{what}: {said}{log}");
    String::from_utf8_lossy(&run.stdout).into_owned()
}

fn own(folder: &Folder) {
    let chown = Process::new("chown").args(["-R", "nobody:nogroup"]).arg(folder.path("")).status();
    assert!(chown.expect("chown").success());
}

#[test]
fn dovecot_gives_out_every_message_of_a_maildir_that_it_had_indexed() {
    let installed = Path::new("/usr/bin/doveadm").exists() && Path::new("/usr/lib/dovecot/auth").exists();
    if !there("Dovecot's doveadm", installed && is_root()) {
        return;
    }
    let folder = Folder::new();
    open_up(&folder.path(""));
    let latin = |n: usize| [format!("X-Number: {n}\n").as_bytes(), LATIN].concat();
    let crlf = |octets: &[u8]| octets.len() + octets.iter().filter(|&&octet| octet == b'\n').count();
    for n in 1..=20 {
        let octets = if n % 4 == 0 { PLAIN.to_vec() } else { latin(n) };
        let sizes = match n % 3 {
            0 => String::new(),
            1 => format!(",S={}", octets.len()),
            _ => format!(",S={},W={}", octets.len(), crlf(&octets)),
        };
        let sub = ["", ".Sent/"][usize::from(n > 12)];
        folder.put(&format!("mail/{sub}cur/17000{n:02}.M1P{n}.host{sizes}:2,{}", ["S", "FRS"][n % 2]), &octets);
    }
    for sub in ["new", "tmp", ".Sent/new", ".Sent/tmp"] {
        fs::create_dir_all(folder.path("mail").join(sub)).expect("a folder");
    }
    fs::write(folder.path("dovecot.conf"), settings(&folder.path(""))).expect("settings");
    fs::create_dir(folder.path("home")).expect("a folder");
    own(&folder);
    let all = "mailbox flags size.physical size.virtual hdr body text";
    let before = fetch(&folder, all);
    assert_eq!(before.matches("size.physical:").count(), 20);
    assert!(folder.path("mail/dovecot-uidlist").exists() && before.contains("charset=iso-8859-1"));
    convert().arg("--in-place").arg(folder.path("mail")).assert().success();
    own(&folder);
    let after = fetch(&folder, all);
    assert_eq!(after.matches("size.physical:").count(), 20);
    assert_eq!(after.matches("X-Number").count(), 2 * 15, "each in its header and its text");
    assert_eq!(after.matches("caf\u{e9}").count(), 2 * 15);
    assert!(!after.contains("iso-8859-1"));
    let flags = |text: &str| {
        let mut all: Vec<String> = text.lines().filter(|line| line.starts_with("flags:")).map(str::to_owned).collect();
        all.sort();
        all
    };
    assert_eq!(flags(&before), flags(&after));
    assert_eq!(fetch(&folder, all), after, "and again");
}
