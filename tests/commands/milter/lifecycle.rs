//! The daemon's life: its sockets and signals.

use std::fs;
use std::os::unix::net::{UnixListener, UnixStream};

use septet::protocol::milter::MilterCommand as Mta;

use super::daemon::{Client, Daemon};

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

#[test]
fn an_unknown_profile_and_a_bad_socket_are_usage_errors() {
    for arguments in [&["--profile", "utf9"][..], &["--listen", "8891"]] {
        let mut daemon = Daemon::spawn(arguments);
        assert_eq!(daemon.wait_for_end().code(), Some(64), "{arguments:?}: {}", daemon.log());
    }
}

#[test]
fn a_socket_gets_the_mode_of_the_settings() {
    use std::os::unix::fs::PermissionsExt;
    let daemon = Daemon::configured("[[listener]]\nsocket = \"unix:DIR/sock\"\nmode = \"0620\"\n");
    let mode = fs::metadata(daemon.path("sock")).expect("a socket").permissions().mode();
    assert_eq!(mode & 0o777, 0o620);
}
