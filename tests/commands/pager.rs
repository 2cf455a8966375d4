//! What is longer than a terminal's screen goes through a pager, and nothing else does.

use assert_cmd::cargo::cargo_bin;

use crate::convert::terminal::terminal;
use crate::convert::{Folder, LATIN, convert, mbox};

/// As many messages as fill a screen of 24 lines several times; each has two lines in the list.
const LONG: usize = 40;

fn archive(folder: &Folder, messages: usize) {
    folder.put("a.mbox", &mbox(&vec![LATIN; messages]));
}

/// What a terminal shows of `septet` with these arguments, with the pager that an environment variable names, and its
/// exit code.
fn shown(folder: &Folder, args: &[&str], variable: &str, pager: &str) -> (String, Option<i32>) {
    let mut command = terminal(folder, args);
    for variable in ["PAGER", "SEPTET_PAGER", "LESS"] {
        command.env_remove(variable);
    }
    let output = command.env(variable, pager).output().expect("python3");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    (String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n"), output.status.code())
}

const EXPLAIN: &[&str] = &["explain", "a.mbox"];

#[test]
fn a_pager_gets_what_is_longer_than_the_screen() {
    let folder = Folder::new();
    archive(&folder, LONG);
    let (bare, code) = shown(&folder, EXPLAIN, "PAGER", "");
    assert_eq!((bare.lines().count() > 2 * LONG, code), (true, Some(0)), "{bare}");
    assert!(bare.contains("\x1b[32mchanged"), "{bare}");
    let marked: String = bare.lines().map(|line| format!(":{line}\n")).collect();
    for (variable, pager) in
        [("PAGER", "sed s/^/:/"), ("PAGER", "sed 's/^/:/'"), ("SEPTET_PAGER", "sed -e s/^/:/"), ("PAGER", "sed s,^,:,")]
    {
        assert_eq!(shown(&folder, EXPLAIN, variable, pager), (marked.clone(), Some(0)), "{variable}={pager}");
    }
    let plain = shown(&folder, &["explain", "--color=never", "a.mbox"], "PAGER", "sed s,^,:,").0;
    assert!(plain.starts_with(":      1  changed  ") && !plain.contains('\x1b'), "{plain}");
}

/// What a shell was to start is known to be missing at the end alone, when nothing was shown.
#[test]
fn a_pager_that_a_shell_does_not_find_is_an_error() {
    let folder = Folder::new();
    archive(&folder, LONG);
    let (shown, code) = shown(&folder, EXPLAIN, "PAGER", "no-such-program '-R'");
    assert!(shown.contains("sh can't run the pager; see SEPTET_PAGER") && code == Some(74), "{code:?} {shown}");
}

#[test]
fn nothing_else_goes_through_a_pager() {
    let folder = Folder::new();
    archive(&folder, LONG);
    let (bare, _) = shown(&folder, EXPLAIN, "PAGER", "");
    for pager in ["cat", " ", "no-such-program -R"] {
        assert_eq!(shown(&folder, EXPLAIN, "PAGER", pager), (bare.clone(), Some(0)), "{pager:?}");
    }
    let asked = shown(&folder, &["explain", "--no-pager", "a.mbox"], "PAGER", "sed s,^,:,");
    assert_eq!(asked, (bare, Some(0)));
    let mut piped = std::process::Command::new(cargo_bin("septet"));
    piped.args(EXPLAIN).env("PAGER", "sed s,^,:,").env_remove("SEPTET_CONFIG").current_dir(folder.path(""));
    let piped = piped.output().expect("septet runs");
    assert!(piped.stdout.starts_with(b"      1  changed  "), "{piped:?}");
    archive(&folder, 5);
    let (short, code) = shown(&folder, EXPLAIN, "PAGER", "sed s,^,:,");
    assert!(short.contains("\n5 messages: 5 would change") && code == Some(0), "{short}");
}

/// Far more than a pipe holds: nobody waits for a pager that has ended.
#[test]
fn a_pager_may_be_quit_early() {
    let folder = Folder::new();
    archive(&folder, 3_000);
    for pager in ["head -n 1", "true", "sh -c 'exit 3'"] {
        let (seen, code) = shown(&folder, EXPLAIN, "PAGER", pager);
        assert_eq!((seen.lines().count() < 2, code), (true, Some(0)), "{pager}: {seen}");
    }
}

#[test]
fn a_failure_is_said_after_the_pager_has_ended() {
    let folder = Folder::new();
    let messages = mbox(&vec![LATIN; 3_000]);
    let packed = folder.path("b.mbox.gz");
    convert().args(["-q", "--profile=keep", "-o"]).arg(&packed).arg(folder.put("a.mbox", &messages)).assert().success();
    let whole = std::fs::read(&packed).expect("a file");
    folder.put("b.mbox.gz", &[&whole, &whole[..whole.len() / 2]].concat());
    let (seen, code) = shown(&folder, &["explain", "b.mbox.gz"], "PAGER", "sh -c 'cat; echo the pager ends'");
    let (before, after) = seen.split_once("the pager ends\n").unwrap_or_else(|| panic!("{seen}"));
    assert!(before.contains("\x1b[32mchanged"), "{before}");
    assert!(
        after.starts_with("\x1b[1;31mseptet:\x1b[0m ") && after.contains("b.mbox.gz") && code == Some(65),
        "{code:?} {after}"
    );
}

/// Types Ctrl-C and a line as soon as the pager has said that it waits for one.
const CTRL_C: &str = r#"
import os, pty, sys
seen = b""
def read(terminal):
    global seen
    new = os.read(terminal, 1024)
    if b"ready" in seen + new and b"ready" not in seen:
        os.write(terminal, b"\x03go\n")
    seen += new
    return new
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], read)))
"#;

/// Ctrl-C goes to septet and to the pager, which may go on: a shell that took the terminal back would leave two readers
/// there.
#[test]
fn who_presses_ctrl_c_in_a_pager_stays_in_it() {
    let folder = Folder::new();
    archive(&folder, LONG);
    folder.put("pager", b"trap '' INT; head -n 1; echo ready; read -r line < /dev/tty; echo \"got $line\"\n");
    let mut python = std::process::Command::new("python3");
    python.args(["-c", CTRL_C]).arg(cargo_bin("septet")).args(EXPLAIN).current_dir(folder.path(""));
    let python = python.env("SEPTET_PAGER", "sh pager").env("TERM", "xterm").env_remove("SEPTET_CONFIG");
    let output = python.output().expect("python3");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.ends_with("got go\r\n") && output.status.code() == Some(0), "{output:?}");
}

#[test]
fn less_is_told_to_show_colours_and_to_quit_where_all_fits() {
    let folder = Folder::new();
    archive(&folder, LONG);
    let (seen, _) = shown(&folder, EXPLAIN, "PAGER", "env");
    assert!(seen.contains("\nLESS=FRX\n") || seen.starts_with("LESS=FRX\n"), "{seen}");
}
