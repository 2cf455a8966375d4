//! The maintainer scripts of the Debian package and the init script, with stubs for all programs but grep and sed: what
//! they call, and what they say.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output};

use crate::config::text;

const PACKAGING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/packaging");

/// Programs that do nothing.
const IDLE: [&str; 12] = [
    "adduser", "deb-systemd-helper", "deb-systemd-invoke", "getent", "install", "invoke-rc.d", "rm", "rmdir",
    "systemctl", "systemd-sysusers", "systemd-tmpfiles", "update-rc.d",
];

/// A host whose programs write down how they are called.
struct Host(tempfile::TempDir);

impl Host {
    fn new() -> Host {
        let host = Host(tempfile::tempdir().expect("a folder"));
        IDLE.iter().for_each(|name| host.program(name, ""));
        for name in ["grep", "sed"] {
            symlink(format!("/bin/{name}"), host.0.path().join(name)).expect("a link");
        }
        host
    }

    /// Makes a program that writes its call down, and then does what `body` says.
    fn program(&self, name: &str, body: &str) {
        let file = self.0.path().join(name);
        let text = format!("#!/bin/sh\necho {name} \"$@\" >>{}\n{body}\n", self.log().display());
        fs::write(&file, text).expect("a program");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("its mode");
    }

    fn log(&self) -> std::path::PathBuf {
        self.0.path().join("log")
    }

    /// Runs a script of the package; nothing real can be called by it.
    fn run(&self, script: &str, args: &[&str]) -> Output {
        let script = Path::new(PACKAGING).join(script);
        let mut shell = Command::new("/bin/sh");
        shell.arg(script).args(args).env_clear().env("PATH", self.0.path());
        shell.output().expect("a shell")
    }

    /// Returns `true` if one of the calls begins so.
    fn called(&self, words: &str) -> bool {
        fs::read_to_string(self.log()).unwrap_or_default().lines().any(|call| call.starts_with(words))
    }

    /// Returns `true` if the init system was asked to do something.
    fn asked_for(&self, action: &str) -> bool {
        self.called(&format!("invoke-rc.d septet {action}")) || self.called(&format!("deb-systemd-invoke {action}"))
    }
}

const REFUSES: &str = "echo 'conf.d/b.toml:1: nokey: unknown key' >&2; exit 78";

/// An upgrade stopped the daemon that ran, and the new one ended with 78: mail was put off.
#[test]
fn an_upgrade_leaves_the_daemon_alone_when_its_settings_are_refused() {
    let host = Host::new();
    host.program("septet", REFUSES);
    let output = host.run("postinst", &["configure", "0.1.0"]);
    assert!(output.status.success(), "{output:?}");
    assert!(text(&output.stderr).contains("conf.d/b.toml:1: nokey: unknown key\n"), "{output:?}");
    assert!(text(&output.stdout).contains("service septet restart\n"), "{output:?}");
    assert!(!host.asked_for("restart") && !host.asked_for("start") && !host.asked_for("stop"));
}

#[test]
fn an_upgrade_starts_the_daemon_anew_and_an_installation_starts_it() {
    for (args, action) in [(["configure", "0.1.0"].as_slice(), "restart"), (&["configure"], "start")] {
        let host = Host::new();
        host.program("septet", "");
        let output = host.run("postinst", args);
        assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
        assert!(host.asked_for(action), "{action}");
    }
}

/// Runs prerm where main.cf has these milters, and returns what it says.
fn removed(milters: &str, settings: &str) -> String {
    let host = Host::new();
    host.program("postconf", &format!("cat <<'END'\n{milters}\nEND"));
    host.program("septet", &format!("cat <<'END'\n{settings}\nEND"));
    symlink("/bin/cat", host.0.path().join("cat")).expect("a link");
    let output = host.run("prerm", &["remove"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert!(host.asked_for("stop"));
    text(&output.stdout)
}

/// After a removal Postfix put all mail off, and nobody had said how it forgets septet.
#[test]
fn a_removal_says_how_postfix_forgets_septet_where_it_asks_it() {
    let lines = "    postconf -X smtpd_milters non_smtpd_milters\n    postfix reload\n";
    let [chroot, inet, port] = ["unix:/var/spool/postfix/septet/milter.sock", "inet:127.0.0.1:8891", "inet:[::1]:99"]
        .map(|socket| format!("[[listener]]\nsocket = \"{socket}\" # conf.d/postfix.toml:3\n"));
    for (milters, settings) in [
        ("{ unix:septet/milter.sock, default_action=tempfail }", chroot.as_str()),
        ("inet:localhost:8891", &inet),
        ("inet:127.0.0.1:11332, inet:localhost:99", &port),
        ("unix:/run/septet/milter.sock", ""),
    ] {
        let told = removed(milters, settings);
        assert!(told.contains(lines), "{milters}: {told}");
    }
    for (milters, settings) in [("", inet.as_str()), ("inet:127.0.0.1:11332", &inet), ("unix:opendkim/o.sock", "")] {
        assert_eq!(removed(milters, settings), "", "{milters}");
    }
}

/// README and the page of the daemon say it in the same words.
#[test]
fn the_documents_say_how_septet_is_taken_out() {
    for file in ["../README.md", "../docs/mta.md", "septet.8"] {
        let text = fs::read_to_string(Path::new(PACKAGING).join(file)).expect("a text").replace('\\', "");
        assert!(text.contains("\npostconf -X smtpd_milters non_smtpd_milters\npostfix reload\n"), "{file}");
    }
}

/// conf.d/postfix.toml, which README had copied there, stayed.
#[test]
fn a_purge_takes_all_settings_away_and_a_removal_none() {
    for (action, is_taken) in [("purge", true), ("remove", false)] {
        let host = Host::new();
        let output = host.run("postrm", &[action]);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(host.called("rm -rf /etc/septet"), is_taken, "{action}");
    }
}

/// Without systemd nothing was said for 15 s, and then "timed out"; a restart had stopped the good daemon before.
#[test]
fn the_init_script_says_at_once_what_is_wrong_with_the_settings() {
    for (body, is_good) in [("", true), (REFUSES, false)] {
        let host = Host::new();
        host.program("septet", body);
        for hook in ["do_start_prepare", "do_restart_prepare", "do_reload_prepare"] {
            let script = format!(". {PACKAGING}/septet.init; DAEMON=septet; {hook}; echo goes on");
            let mut shell = Command::new("/bin/sh");
            let output = shell.args(["-c", &script]).env_clear().env("PATH", host.0.path()).output().expect("a shell");
            assert_eq!(output.status.code(), Some(if is_good { 0 } else { 6 }), "{output:?}");
            assert_eq!(text(&output.stdout), if is_good { "goes on\n" } else { "" }, "{hook}");
            assert_eq!(text(&output.stderr).contains("nokey"), !is_good, "{output:?}");
        }
    }
}

/// A start that failed said "timed out", and why was in the log alone; of what it wrote there, an option that is none
/// is not in the last line.
#[test]
fn the_init_script_says_why_a_start_failed() {
    for (retval, is_said) in [(0, false), (1, true)] {
        for hook in ["do_start_cleanup", "do_restart_cleanup"] {
            let host = Host::new();
            host.program("tail", "[ $1 = -c ] && echo \"$3 from $2\" || while read -r line; do echo \"$line\"; done");
            let script = format!(". {PACKAGING}/septet.init; before=41; retval={retval}; {hook}");
            let mut shell = Command::new("/bin/sh");
            let output = shell.args(["-c", &script]).env_clear().env("PATH", host.0.path()).output().expect("a shell");
            let said = if is_said { "/var/log/septet.log from +42\n" } else { "" };
            assert_eq!(text(&output.stderr), said, "{hook}: {output:?}");
        }
    }
}
