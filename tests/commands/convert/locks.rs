//! Mailbox files that another program has locked: they are waited for, and left alone when the time is up.

use std::fs;
use std::process::{Child, Command as Process, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::undo::undo;
use super::{Folder, LATIN, PLAIN, UTF8, convert, mbox};
use crate::milter::mta::there;

/// A program that locks as deliverers do, with `lockf`, says so, and delivers a message before it lets go.
const DELIVERER: &str = r#"
import fcntl, sys, time
with open(sys.argv[1], "r+b") as box:
    fcntl.lockf(box, fcntl.LOCK_EX)
    print("locked", flush=True)
    time.sleep(float(sys.argv[2]))
    box.seek(0, 2)
    box.write(open(sys.argv[3], "rb").read())
"#;

fn deliver(folder: &Folder, seconds: &str) -> Option<Child> {
    if !there("python3", Process::new("python3").arg("--version").output().is_ok()) {
        return None;
    }
    let more = folder.put("more", &mbox(&[LATIN]));
    let mut program = Process::new("python3");
    program.args(["-c", DELIVERER]).arg(folder.path("inbox")).arg(seconds).arg(more).stdout(Stdio::piped());
    let mut child = program.spawn().expect("python3 runs");
    let mut said = [0; 6];
    std::io::Read::read_exact(child.stdout.as_mut().expect("a pipe"), &mut said).expect("it locks");
    Some(child)
}

#[test]
fn a_delivery_is_waited_for_and_not_lost() {
    let folder = Folder::new();
    let inbox = folder.put("inbox", &mbox(&[LATIN, PLAIN]));
    let Some(mut deliverer) = deliver(&folder, "1.5") else { return };
    convert().arg("--in-place").arg(&inbox).assert().success();
    assert!(deliverer.wait().expect("it ends").success());
    assert!(fs::read(&inbox).expect("a file") == mbox(&[UTF8, PLAIN, UTF8]));
    assert_eq!(folder.names(), ["inbox", "more"]);
}

#[test]
fn a_lock_that_stays_ends_with_75_and_nothing_done() {
    let folder = Folder::new();
    let inbox = folder.put("inbox", &mbox(&[LATIN]));
    let lock = folder.put("inbox.lock", b"4711\n");
    let started = Instant::now();
    let run = convert().args(["--in-place", "--lock-timeout=1"]).arg(&inbox).assert().code(75);
    assert!(started.elapsed() >= Duration::from_secs(1));
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("is locked by another program") && said.contains("inbox.lock"), "{said}");
    assert_eq!(fs::read(&inbox).expect("a file"), mbox(&[LATIN]));
    assert_eq!(fs::read(&lock).expect("a lock"), b"4711\n");
    // A dry run and a copy need no lock.
    convert().args(["--in-place", "--dry-run"]).arg(&inbox).assert().success();
    convert().arg(&inbox).assert().success().stdout(mbox(&[UTF8]));
    let remover = thread::spawn(move || {
        thread::sleep(Duration::from_millis(700));
        fs::remove_file(lock).expect("a lock");
    });
    convert().arg("--in-place").arg(&inbox).assert().success();
    remover.join().expect("it was removed");
    assert_eq!(fs::read(&inbox).expect("a file"), mbox(&[UTF8]));
    assert_eq!(folder.names(), ["inbox"]);
}

/// Makes a mailbox that was converted in place, with its way back.
fn converted(folder: &Folder) -> std::path::PathBuf {
    let inbox = folder.put("inbox", &mbox(&[LATIN, PLAIN]));
    convert().args(["--in-place", "--keep-original"]).arg(&inbox).assert().success();
    inbox
}

#[test]
fn undo_waits_for_a_delivery_and_then_stays_away_from_what_was_delivered() {
    let folder = Folder::new();
    let inbox = converted(&folder);
    let Some(mut deliverer) = deliver(&folder, "1.5") else { return };
    undo().arg(&inbox).assert().code(65);
    assert!(deliverer.wait().expect("it ends").success());
    assert!(fs::read(&inbox).expect("a file") == mbox(&[UTF8, PLAIN, LATIN]));
    assert_eq!(folder.names(), ["inbox", "inbox.undo", "more"]);
}

#[test]
fn undo_ends_with_75_and_nothing_done_where_a_lock_stays() {
    let folder = Folder::new();
    let inbox = converted(&folder);
    let lock = folder.put("inbox.lock", b"4711\n");
    let run = undo().arg("--lock-timeout=1").arg(&inbox).assert().code(75);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("is locked by another program") && said.contains("inbox.lock"), "{said}");
    assert_eq!(fs::read(&inbox).expect("a file"), mbox(&[UTF8, PLAIN]));
    assert_eq!(fs::read(&lock).expect("a lock"), b"4711\n");
    // A copy needs no lock.
    undo().arg(&inbox).arg("-o").arg(folder.path("copy")).assert().success();
    fs::remove_file(lock).expect("a lock");
    undo().arg("--lock-timeout=0").arg(&inbox).assert().success();
    assert_eq!(fs::read(&inbox).expect("a file"), mbox(&[LATIN, PLAIN]));
    assert_eq!(folder.names(), ["copy", "inbox"]);
}

/// SIGKILL while the lock is held, and no journal that says whose it is.
#[test]
fn the_dot_lock_of_a_killed_septet_keeps_nobody_away() {
    let folder = Folder::new();
    let inbox = folder.put("inbox", &mbox(&[LATIN]));
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or("localhost".to_owned());
    let lock = format!("4711\nseptet 1267-18ea7f3bbe38a1ef\nhost {}\n", host.trim());
    folder.put("inbox.lock", lock.as_bytes());
    convert().args(["--in-place", "--keep-original", "--lock-timeout=0"]).arg(&inbox).assert().success();
    assert_eq!(folder.names(), ["inbox", "inbox.undo"]);
    folder.put("inbox.lock", lock.as_bytes());
    undo().arg("--lock-timeout=0").arg(&inbox).assert().success();
    assert_eq!(fs::read(&inbox).expect("a file"), mbox(&[LATIN]));
    assert_eq!(folder.names(), ["inbox"]);
}
