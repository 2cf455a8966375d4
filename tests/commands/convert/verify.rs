//! `--verify` finds what went wrong behind septet, and has nothing against what is right.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use septet_support::case;

use super::{Folder, LATIN, PLAIN, convert, mbox};

/// A page in Latin-1: the browser asks for `?q=%E9`, and so says what is written (RFC 3987bis §3.5).
const PAGE: &[u8] = b"Subject: x\nMIME-Version: 1.0\nContent-Type: text/html; charset=iso-8859-1\n\
    Content-Transfer-Encoding: 8bit\n\n<a href=\"http://example.org/?q=&#233;\">b</a>\n";

/// A report on a delivery to an address that is not ASCII, which becomes one for ASCII (RFC 6533 §3).
const BOUNCE: &str = "From: Mailer <mailer@example.org>\nTo: a@example.org\nSubject: not delivered\nMIME-Version: 1.0\n\
    Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\nContent-Type: text/plain\n\nIt failed.\n\
    --b\nContent-Type: message/global-delivery-status\nContent-Transfer-Encoding: 8bit\n\n\
    Reporting-MTA: dns; example.org\n\nFinal-Recipient: utf-8; jürgen@example.org\nAction: failed\nStatus: 5.1.1\n\n--b--\n";

#[test]
fn what_is_right_is_not_refused() {
    let folder = Folder::new();
    folder.put("page.eml", PAGE);
    folder.put("two.mbox", &mbox(&[PLAIN, BOUNCE.as_bytes()]));
    for (profile, input, wanted) in
        [("utf8", "page.eml", "?q=%E9\""), ("seven-bit", "two.mbox", "message/delivery-status")]
    {
        let mut command = convert();
        command.current_dir(folder.path("")).args(["--verify", "--profile", profile, input, "-o", "out"]);
        command.assert().success();
        let out = String::from_utf8(fs::read(folder.path("out")).expect("an output")).expect("text");
        assert!(out.contains(wanted), "{out}");
    }
}

/// Whatever is planned and proved is right on the disk, in each form.
#[test]
fn no_case_of_the_planner_is_refused() {
    let folder = Folder::new();
    for (number, case) in case::all().iter().enumerate() {
        folder.put(&format!("box/cur/{number:05}.host:2,S"), case.input());
    }
    ["new", "tmp"].iter().for_each(|name| fs::create_dir_all(folder.path("box").join(name)).expect("a folder"));
    for profile in ["utf8", "seven-bit", "ascii"] {
        for form in ["maildir", "mboxrd", "eml"] {
            let out = format!("{profile}-{form}");
            let mut command = convert();
            command.current_dir(folder.path("")).args(["-q", "--verify", "--profile", profile, "box", "-o", &out]);
            command.args(["--output-format", form]).assert().success();
        }
    }
}

/// Starts a conversion of `in` to `out`, and kills it once it wrote down how far it is; tells whether it came so far.
fn kill_halfway(folder: &Folder) -> bool {
    let mut command = Command::new(env!("CARGO_BIN_EXE_septet"));
    command.current_dir(folder.path("")).env_remove("SEPTET_CONFIG").args(["convert", "-q", "-j1", "in", "-o", "out"]);
    let mut child: Child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    let wrote_down = || fs::read_to_string(folder.path("out.resume")).is_ok_and(|journal| journal.contains("Mailbox"));
    while !wrote_down() {
        if child.try_wait().expect("a child").is_some() {
            return false;
        }
        sleep(Duration::from_millis(1));
    }
    child.kill().and_then(|()| child.wait()).expect("it is killed");
    folder.path("out.partial").exists()
}

/// Replaces the first `from` in a file by `to`, which is as long, in its place.
fn tamper(path: &Path, from: &str, to: &str) {
    let text = fs::read(path).expect("a file");
    let at = text.windows(from.len()).position(|window| window == from.as_bytes()).expect("it is there");
    let mut file = fs::OpenOptions::new().write(true).open(path).expect("a file");
    std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(at as u64)).expect("a place");
    std::io::Write::write_all(&mut file, to.as_bytes()).expect("octets written");
}

/// What becomes of a run of which `out.partial` was tampered with by `also` while it was interrupted.
fn resumed(also: fn(&Path)) -> (Option<i32>, String, bool) {
    let folder = Folder::new();
    let addressed = [b"To: a@b.example, c@d.example\n", LATIN].concat();
    // The faster the machine, the more it has to do until it writes that down.
    let is_killed = [2_000, 20_000, 200_000, 1_000_000].into_iter().any(|count| {
        folder.put("in", &mbox(&[PLAIN, &addressed]).repeat(count));
        kill_halfway(&folder)
    });
    assert!(is_killed, "it was always done before");
    also(&folder.path("out.partial"));
    let mut command = convert();
    command.current_dir(folder.path("")).args(["in", "-o", "out", "--resume", "--verify"]);
    let run = command.output().expect("it runs");
    (run.status.code(), String::from_utf8_lossy(&run.stderr).into_owned(), folder.path("out").exists())
}

/// Differences in `< > ( ) : ; ,` were forgiven.
#[test]
fn an_address_that_moved_while_a_run_was_interrupted_is_found() {
    let (code, said, is_there) = resumed(|path| tamper(path, "a@b.example, c@", "a@b.example; c@"));
    assert!(code == Some(65) && !is_there, "{code:?} {said}");
    assert!(said.contains("message 2: other octets were written; it did not take its place"), "{said}");
    let (code, said, is_there) = resumed(|_| ());
    assert!(code == Some(0) && is_there, "{code:?} {said}");
}

/// Something had to change here, for all that is known: it failed.
#[test]
fn what_failed_is_not_told_as_nothing_to_do() {
    let folder = Folder::new();
    folder.put("box/cur/1", PLAIN);
    ["new", "tmp"].iter().for_each(|name| fs::create_dir_all(folder.path("box").join(name)).expect("a folder"));
    std::os::unix::fs::symlink("nowhere", folder.path("box/cur/2")).expect("a link");
    for (to, wanted) in [
        (&["--in-place"][..], "nothing was written: what failed is named above"),
        (&["-o", "out"], "written to out, but for what failed and is named above"),
    ] {
        let run = convert().current_dir(folder.path("")).arg("box").args(to).assert().code(66);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains(wanted), "{said}");
    }
}

#[test]
fn where_nothing_was_written_nothing_is_said_to_be() {
    let folder = Folder::new();
    folder.put("a.eml", &[b"X-Mozilla-Status: 0009\n", PLAIN].concat());
    let run =
        convert().current_dir(folder.path("")).args(["a.eml", "-o", "b.eml", "--skip-deleted"]).assert().success();
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("nothing was written to b.eml: there is no message for it"), "{said}");
    assert_eq!(folder.names(), ["a.eml"]);
    // What goes to a device takes no place, and is there.
    let run = convert().current_dir(folder.path("")).args(["a.eml", "-o", "/dev/null"]).assert().success();
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("written to /dev/null"));
}
