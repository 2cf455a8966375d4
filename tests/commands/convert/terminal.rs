//! What is written to a terminal.

use std::process::{Command, Output};

use super::{Folder, PLAIN, mbox};

/// Makes the command that runs septet in a terminal; its output has both streams.
pub fn terminal(folder: &Folder, args: &[&str]) -> Command {
    let script = "import pty, sys, os; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
    let mut python = Command::new("python3");
    python
        .args(["-c", script])
        .arg(assert_cmd::cargo::cargo_bin("septet"))
        .args(args)
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .env_remove("SEPTET_CONFIG")
        .current_dir(folder.path(""));
    python
}

/// Runs `septet convert` in a terminal.
fn in_terminal(folder: &Folder, args: &[&str]) -> Output {
    terminal(folder, &[&["convert"], args].concat()).output().expect("python3")
}

/// A mailbox filled the terminal, and what was in it was obeyed there.
#[test]
fn a_terminal_is_shown_one_message_and_no_mailbox() {
    let folder = Folder::new();
    folder.put("one.eml", b"Subject: =?iso-8859-1?Q?=FC?=\r\nFrom: a@b.c\r\n\r\n\x1b[31mred\x9b\r\nend");
    folder.put("a.mbox", &mbox(&[PLAIN]));
    let shown = in_terminal(&folder, &["-q", "one.eml"]);
    let wanted = "Subject: =?utf-8?B?w7w=?=\r\nFrom: a@b.c\r\n\r\n\\x1B[31mred\\x9B\r\nend";
    assert_eq!((shown.status.code(), &*String::from_utf8_lossy(&shown.stdout)), (Some(0), wanted));
    for (args, is_written) in [
        (&["-q", "a.mbox"][..], false),
        (&["-q", "a.mbox", "-o", "-"], true),
        (&["-q", "one.eml", "--output-format", "mbox"], false),
        (&["-q", "one.eml", "--output-format", "mbox", "-o", "-"], true),
    ] {
        let run = in_terminal(&folder, args);
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        assert_eq!(run.status.code(), Some(if is_written { 0 } else { 64 }), "{args:?}: {said}");
        assert_eq!(said.contains("which is not written to a terminal: name a file with -o"), !is_written, "{said}");
        assert_eq!(said.starts_with("From "), is_written, "{said}");
    }
}

/// A bar that came and went at once flashed; the counts had no colour.
#[test]
fn a_short_run_shows_its_counts_alone() {
    let folder = Folder::new();
    folder.put("a.mbox", &mbox(&[b"Subject: =?iso-8859-1?Q?=FC?=\n\nx\n"]));
    // On a busy machine a run of a moment may be a long one.
    let is_short = (0..10).any(|_| {
        let run = in_terminal(&folder, &["a.mbox", "-o", "b.mbox"]);
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        assert!(said.contains("\x1b[32m  changed                       1\x1b[0m\r\n"), "{said:?}");
        !said.contains("B of ")
    });
    assert!(is_short, "each of ten runs showed a bar");
}

#[test]
fn an_output_in_no_folder_is_named() {
    let folder = Folder::new();
    folder.put("a.mbox", &mbox(&[PLAIN]));
    let run = in_terminal(&folder, &["--color=never", "a.mbox", "-o", "no/such/b"]);
    assert_eq!(run.status.code(), Some(73), "{run:?}");
    assert_eq!(String::from_utf8_lossy(&run.stdout), "septet: there is no folder no/such\r\n");
    let run = in_terminal(&folder, &["a.mbox", "--output-format", "mboxcl2", "-o", "-"]);
    assert!(!String::from_utf8_lossy(&run.stdout).contains("written to"), "{run:?}");
}

/// What goes to a terminal was checked for nothing: a report took the place of the only copy of a message.
#[test]
fn on_a_terminal_no_report_is_an_input() {
    let folder = Folder::new();
    let mail = folder.put("m.csv", b"Subject: =?iso-8859-1?Q?=FC?=\n\nx\n");
    let before = std::fs::read(&mail).expect("a file");
    for args in [
        &["--report", "m.csv", "m.csv"][..],
        &["--keep-original", "m.csv"],
        &["--report", "r", "--report", "r", "m.csv"],
    ] {
        let run = in_terminal(&folder, args);
        assert_eq!(run.status.code(), Some(64), "{args:?}: {run:?}");
        assert_eq!(std::fs::read(&mail).expect("a file"), before, "{args:?}");
    }
    assert_eq!(folder.names(), ["m.csv"]);
}
