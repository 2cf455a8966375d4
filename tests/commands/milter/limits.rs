//! The daemon under peers that are many, slow or wrong.

use std::io::{ErrorKind, Read, Write};

use septet::protocol::milter::{MilterCommand as Mta, Offer};

use super::daemon::{Client, Daemon};

#[test]
fn a_malformed_packet_closes_its_connection_with_one_line_and_nothing_else() {
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock"]);
    let socket = daemon.path("sock");
    let mut good = Client::agreed(&socket);
    for garbage in [&b"EHLO mx.example.org\r\n"[..], b"\0\0\0\x01z", b"\0\0\0\0", b"\0\0\0\x05Lcut\0"] {
        let mut bad = Client::unix(&socket);
        bad.0.write_all(garbage).expect("it is read");
        assert_eq!(bad.reply(), None, "{}", garbage.escape_ascii());
    }
    assert_eq!(good.message(), "mbc");
    daemon.wait_for_log("result=\"changed\"");
    let log = daemon.log();
    assert_eq!(log.lines().filter(|line| line.contains("WARN")).count(), 4, "{log}");
    assert!(log.contains("connection closed: a packet of unknown code 0x7a"), "{log}");
    assert!(!log.contains("panic"), "{log}");
}

#[test]
fn two_hundred_idle_connections_stay_small() {
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock"]);
    let socket = daemon.path("sock");
    let mut clients: Vec<_> = (0..200).map(|_| Client::agreed(&socket)).collect();
    for client in &mut clients {
        assert_eq!(client.message(), "mbc");
    }
    let resident = daemon.resident_kib();
    assert!(resident < 30 << 10, "{resident} KiB");
}

#[test]
fn connections_beyond_the_limit_wait() {
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", "limits.connections=1"]);
    let socket = daemon.path("sock");
    let first = Client::agreed(&socket);
    let mut second = Client::unix(&socket);
    second.send(&Mta::Negotiate(Offer { version: 6, actions: 0x1ff, protocol: 0x1f_ffff }));
    daemon.wait_for_log("further ones wait");
    second.0.set_nonblocking(true).expect("non-blocking");
    assert_eq!(second.0.read(&mut [0; 1]).expect_err("nothing yet").kind(), ErrorKind::WouldBlock);
    second.0.set_nonblocking(false).expect("blocking");
    drop(first);
    assert_eq!(second.reply().map(|reply| reply.0), Some(b'O'));
    assert_eq!(second.message(), "mbc");
}

#[test]
fn a_listener_without_visitors_takes_no_connection_from_another() {
    let both = ["--listen", "unix:DIR/idle", "--listen", "unix:DIR/sock", "--set", "limits.connections=1"];
    let daemon = Daemon::start(&both);
    for socket in ["sock", "idle", "sock"] {
        assert_eq!(Client::agreed(&daemon.path(socket)).message(), "mbc", "{socket}");
    }
}

#[test]
fn a_command_that_does_not_come_whole_ends_the_connection() {
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", "limits.read_time=300ms"]);
    let mut slow = Client::agreed(&daemon.path("sock"));
    slow.0.write_all(b"\0\0\0\x10L").expect("it is read");
    assert_eq!(slow.reply(), None);
    daemon.wait_for_log("a command that did not come whole in 300ms");
}

#[test]
fn a_silent_peer_is_closed_without_a_warning() {
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", "limits.idle_time=300ms"]);
    let mut silent = Client::agreed(&daemon.path("sock"));
    assert_eq!(silent.reply(), None);
    daemon.wait_for_log("connection closed: no command for 300ms");
    assert!(!daemon.log().contains("WARN"), "{}", daemon.log());
}
