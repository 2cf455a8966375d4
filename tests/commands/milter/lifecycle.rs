//! The daemon's life: its sockets and signals.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::path::Path;
use std::process::{Command, Stdio};

use septet::protocol::milter::MilterCommand as Mta;

use super::daemon::{Client, Daemon, PATIENCE};
use super::mta::is_root;

#[test]
fn sigterm_lets_a_message_that_has_begun_come_to_its_end() {
    let mut daemon = Daemon::start(&["--listen", "unix:DIR/sock"]);
    let socket = daemon.path("sock");
    let (mut idle, mut busy) = (Client::agreed(&socket), Client::agreed(&socket));
    busy.begin();
    // An answer on another connection shows that the daemon has had time to read what was sent before.
    assert_eq!(Client::agreed(&socket).message(), "mbc");
    daemon.signal("-TERM");
    assert_eq!(idle.reply(), None, "a connection between messages is closed");
    assert!(!socket.exists(), "the socket's file goes with it");
    busy.send(&Mta::EndOfMessage(b""));
    assert_eq!(busy.replies_to_end(), b"mbc");
    assert!(daemon.wait_for_end().success());
    assert!(daemon.log().contains("stopped"), "{}", daemon.log());
}

#[test]
fn sigterm_ends_in_time_whatever_a_peer_does() {
    let mut daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", "limits.drain_time=200ms"]);
    let socket = daemon.path("sock");
    let mut busy = Client::agreed(&socket);
    busy.begin();
    assert_eq!(Client::agreed(&socket).message(), "mbc");
    daemon.signal("-TERM");
    assert!(daemon.wait_for_end().success());
    assert!(daemon.log().contains("stopped with 1 connections open"), "{}", daemon.log());
}

#[test]
fn sighup_takes_good_settings_and_refuses_bad_ones() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = dir.path().join("septet.toml");
    let listener = |name: &str, profile: &str| {
        format!("[[listener]]\nsocket = \"unix:{}/{name}\"\nprofile = \"{profile}\"\n", dir.path().display())
    };
    fs::write(&config, listener("one", "utf8")).expect("settings");
    let (one, two, text) = (listener("one", "seven-bit"), listener("two", "utf8"), config.clone());
    let daemon = Daemon::spawn_in(dir, &["--config", "DIR/septet.toml"]);
    daemon.wait_for_log("listening on");
    // Which septet runs, and by what, is what a postmaster looks for first.
    let starts = format!("septet {} starts, by {}; default profile utf8", env!("CARGO_PKG_VERSION"), text.display());
    assert!(daemon.log().contains(&starts), "{}", daemon.log());
    let mut client = Client::agreed(&daemon.path("one"));
    assert_eq!(client.message(), "mbc");

    fs::write(&text, "[limits]\npart = 3\n").expect("settings");
    daemon.signal("-HUP");
    daemon.wait_for_log("refused and the old ones stay");
    assert!(daemon.log().contains("part"), "{}", daemon.log());
    assert_eq!(client.message(), "mbc", "the old settings hold");

    fs::write(&text, format!("{one}{two}")).expect("settings");
    daemon.signal("-HUP");
    daemon.wait_for_log("the settings were read again");
    assert_eq!(client.message(), "mbc", "the connection stays");
    daemon.wait_for_log("profile=\"seven-bit\"");
    assert_eq!(Client::agreed(&daemon.path("two")).message(), "mbc");

    fs::write(&text, two).expect("settings");
    daemon.signal("-HUP");
    daemon.wait_for_log("no longer listening");
    assert!(UnixStream::connect(daemon.path("one")).is_err());
}

#[test]
fn a_socket_that_nobody_listens_on_is_taken_over_and_no_other_file_is() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("sock");
    drop(UnixListener::bind(&path).expect("a stale socket"));
    let daemon = Daemon::spawn_in(dir, &["--listen", "unix:DIR/sock"]);
    daemon.wait_for_log("listening on");
    assert_eq!(Client::agreed(&path).message(), "mbc");

    let mut second = Daemon::spawn(&["--listen", &format!("unix:{}", path.display())]);
    assert_eq!(second.wait_for_end().code(), Some(69));
    assert!(second.log().contains("another process listens there"), "{}", second.log());
    assert_eq!(Client::agreed(&path).message(), "mbc", "the first one is not harmed");

    let file = daemon.path("precious");
    fs::write(&file, "data").expect("a file");
    let mut third = Daemon::spawn(&["--listen", &format!("unix:{}", file.display())]);
    assert_eq!(third.wait_for_end().code(), Some(73));
    assert_eq!(fs::read_to_string(&file).expect("still there"), "data");
}

/// The user that was left with the socket, by number.
const NOBODY: u32 = 65_534;

/// Makes a socket of the user nobody that no process listens at, in a folder that has this mode.
fn socket_of_nobody(dir: &Path, dir_mode: u32, mode: u32) {
    let socket = dir.join("sock");
    drop(UnixListener::bind(&socket).expect("a stale socket"));
    fs::set_permissions(dir, fs::Permissions::from_mode(dir_mode)).expect("our folder");
    fs::set_permissions(&socket, fs::Permissions::from_mode(mode)).expect("our socket");
    chown(&socket, Some(NOBODY), Some(NOBODY)).expect("root's to give");
}

/// Makes such a socket, and starts a daemon on it by a user that is neither root nor nobody, to whom the copy of the
/// program is open; returns the log. The start is refused, and not for the folder.
fn refused_to_another(dir: &Path, dir_mode: u32, mode: u32) -> String {
    socket_of_nobody(dir, dir_mode, mode);
    let program = dir.join("septet");
    fs::copy(env!("CARGO_BIN_EXE_septet"), &program).expect("a copy");
    let socket = format!("unix:{}", dir.join("sock").display());
    let mut start = Command::new("setpriv");
    start.args(["--reuid=4711", "--regid=4711", "--clear-groups"]).arg(program).args(["serve", "--listen", &socket]);
    let output = start.current_dir("/").output().expect("setpriv");
    let said = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(77), "{said}");
    assert!(!said.contains("must be allowed to write"), "{said}");
    said
}

/// A start was told to write in a folder in which it could.
#[test]
fn a_socket_of_another_user_that_can_t_be_asked_is_named_and_left() {
    if !is_root() {
        return println!("skipped: only root makes sockets of others");
    }
    let dir = tempfile::tempdir().expect("a folder");
    let said = refused_to_another(dir.path(), 0o777, 0o755);
    let look = format!("`ss -xl src {}/sock`", dir.path().display());
    assert!(said.contains("a socket of the user \"nobody\"") && said.contains(&look), "{said}");
    assert!(dir.path().join("sock").exists(), "somebody may listen there");
}

#[test]
fn an_old_socket_that_can_t_be_removed_is_said_to_be_old() {
    if !is_root() {
        return println!("skipped: only root makes sockets of others");
    }
    let dir = tempfile::tempdir().expect("a folder");
    let said = refused_to_another(dir.path(), 0o1777, 0o777);
    assert!(said.contains("an old socket of the user \"nobody\" is at that path; no process listens there"), "{said}");
}

/// The file stayed, and the log said nothing of it.
#[test]
fn a_socket_that_stays_at_the_end_is_warned_of() {
    if !is_root() {
        return println!("skipped: only root becomes somebody else");
    }
    let mut daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", "user=nobody"]);
    daemon.signal("-TERM");
    assert!(daemon.wait_for_end().success());
    let socket = daemon.path("sock");
    assert!(socket.exists(), "its folder is root's");
    let stays = format!("{} can't be removed and stays", socket.display());
    assert!(daemon.log().contains(&stays), "{}", daemon.log());
}

/// Without systemd a start that had failed was waited for until `--notify-timeout`.
#[test]
fn a_failed_start_is_told_to_whoever_waits_for_it_once_the_reason_is_written() {
    let dir = tempfile::tempdir().expect("a folder");
    let (notify, log, taken) = (dir.path().join("notify"), dir.path().join("log"), dir.path().join("sock"));
    let waits = UnixDatagram::bind(&notify).expect("a socket");
    waits.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let _listens = UnixListener::bind(&taken).expect("a socket");
    let socket = format!("unix:{}", taken.display());
    for (arguments, status, errno, why) in [
        (["--listen", &socket], "can't listen on", 125, "another process listens there"),
        (["--set", "user=no-such-user"], "the key user", 22, "no user has that name"),
        (["--set", "limits.parts=0"], "limits.parts", 22, "limits.parts"),
        (["--no-such-option", "1"], "wrong usage", 22, "unexpected argument '--no-such-option'"),
    ] {
        let mut start = Command::new(env!("CARGO_BIN_EXE_septet"));
        start.arg("serve").args(arguments).env("NOTIFY_SOCKET", &notify).env_remove("SEPTET_CONFIG");
        let stderr = fs::File::create(&log).expect("a log");
        let mut child = start.stdin(Stdio::null()).stderr(stderr).spawn().expect("septet starts");
        let mut told = [0; 4096];
        let length = waits.recv(&mut told).expect("a notification");
        let (told, said) = (String::from_utf8_lossy(&told[..length]), fs::read_to_string(&log).expect("a log"));
        assert!(said.contains(why), "{arguments:?}: {said}");
        assert!(told.starts_with("STATUS=") && told.contains(status), "{told}");
        assert!(told.contains(&format!("\nERRNO={errno}\n")), "{told}");
        assert!(!child.wait().expect("it ends").success());
    }
}

#[test]
fn an_unknown_profile_and_a_bad_socket_are_usage_errors() {
    for arguments in [&["--profile", "utf9"][..], &["--listen", "8891"]] {
        let mut daemon = Daemon::spawn(arguments);
        assert_eq!(daemon.wait_for_end().code(), Some(64), "{arguments:?}: {}", daemon.log());
    }
}

#[test]
fn a_socket_gets_the_mode_of_the_settings() {
    let daemon = Daemon::configured("[[listener]]\nsocket = \"unix:DIR/sock\"\nmode = \"0620\"\n");
    let mode = fs::metadata(daemon.path("sock")).expect("a socket").permissions().mode();
    assert_eq!(mode & 0o777, 0o620);
}
