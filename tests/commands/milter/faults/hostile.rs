//! Peers that stall, send garbage, lie about lengths and never finish, among good ones.

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use septet::protocol::milter::MilterCommand;

use super::super::daemon::Daemon;
use super::crowd::{Peer, serve_one};
use super::{Random, Scale};

/// How long the daemon waits for a command to come whole, in this test.
const READ_TIME: Duration = Duration::from_millis(500);

/// One way to misbehave. An error is how most of them end: the daemon closes the connection.
type Misbehave = fn(&mut Peer, &mut Random, &AtomicBool) -> io::Result<()>;

const WAYS: [(&str, Misbehave); 9] = [
    ("says nothing", |_, _, over| wait(over)),
    ("stalls within a length", |peer, _, over| peer.0.write_all(b"\0\0").and_then(|()| wait(over))),
    ("stalls within a packet", |peer, _, over| {
        peer.offer()?;
        peer.0.write_all(b"\0\0\x01\0Lsubject")?;
        wait(over)
    }),
    ("sends an octet now and then", |peer, _, over| {
        for octet in b"\0\0\0\x0dO\0\0\0\x06\0\0\x01\xff\0\x1f\xff\xff\0\0\0\x7fL" {
            peer.0.write_all(&[*octet])?;
            sleep(Duration::from_millis(40));
        }
        wait(over)
    }),
    ("claims 4 GiB", |peer, _, _| {
        peer.offer()?;
        peer.0.write_all(b"\xff\xff\xff\xffB").and_then(|()| peer.0.write_all(&[b'x'; 4096]))
    }),
    ("claims less than it sends", |peer, _, _| {
        peer.offer()?;
        peer.0.write_all(b"\0\0\0\x04Lthis packet is longer than it says\0")
    }),
    ("sends garbage", |peer, random, _| {
        let garbage: Vec<u8> = (0..random.below(4096)).map(|_| random.below(256) as u8).collect();
        peer.0.write_all(&garbage)
    }),
    ("sends a header without an end", |peer, _, over| {
        peer.offer()?;
        endless(peer, over, &MilterCommand::Header { name: b"X", value: &[b'y'; 30_000] })
    }),
    ("sends a body without an end", |peer, _, over| {
        peer.offer()?;
        endless(peer, over, &MilterCommand::Body(&[b'y'; 65_535]))
    }),
];

fn wait(over: &AtomicBool) -> io::Result<()> {
    while !over.load(Ordering::Relaxed) {
        sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// Sends the same command again and again, more than a message may hold.
fn endless(peer: &mut Peer, over: &AtomicBool, command: &MilterCommand<'_>) -> io::Result<()> {
    for _ in 0..200 {
        peer.send(std::slice::from_ref(command))?;
        if over.load(Ordering::Relaxed) {
            break;
        }
        sleep(Duration::from_millis(5));
    }
    wait(over)
}

/// The endless messages hold more than `limits.memory` allows; the good ones are changed all the same.
#[test]
fn hostile_peers_harm_no_other() {
    let Scale { hostile, .. } = Scale::of_env();
    let read_time = format!("limits.read_time={}ms", READ_TIME.as_millis());
    let limits = ["limits.message_bytes=4MiB", "limits.memory=16MiB", "limits.connections=2000", &read_time];
    let set = limits.iter().flat_map(|limit| ["--set", limit]);
    let arguments: Vec<&str> = ["--listen", "unix:DIR/sock"].into_iter().chain(set).collect();
    let mut daemon = Daemon::start(&arguments);
    let (socket, over) = (daemon.path("sock"), AtomicBool::new(false));
    let mut waits = Vec::new();
    scope(|threads| {
        for number in 0..hostile {
            let (socket, over) = (&socket, &over);
            threads.spawn(move || misbehave(number, socket, over));
        }
        let start = Instant::now();
        while start.elapsed() < READ_TIME * 6 {
            let begun = Instant::now();
            assert_eq!(serve_one(&socket), "mbc");
            waits.push(begun.elapsed());
            sleep(Duration::from_millis(2));
        }
        over.store(true, Ordering::Relaxed);
    });
    waits.sort();
    let (good, resident) = (waits.len(), daemon.resident_kib());
    let (median, worst) = (waits[good / 2], waits[good - 1]);
    println!(
        "hostile: peers={hostile} good_messages={good} median={median:.1?} worst={worst:.1?} resident_kib={resident}"
    );
    let log = daemon.log();
    assert!(worst < Duration::from_secs(5), "{waits:?}");
    assert!(resident < 200 << 10, "{resident} KiB");
    assert!(!log.contains("panic"), "{log}");
    assert!(log.contains("a packet that claims 4294967295 octets") && log.contains("did not come whole"), "{log}");
    daemon.signal("-TERM");
    assert!(daemon.wait_for_end().success());
}

/// Misbehaves in one way until all is over. How the daemon ends it is the daemon's choice.
fn misbehave(number: usize, socket: &Path, over: &AtomicBool) {
    let (_, way) = WAYS[number % WAYS.len()];
    let mut random = Random::new();
    while !over.load(Ordering::Relaxed) {
        let mut peer = Peer::connect(socket);
        let _ = way(&mut peer, &mut random, over);
        sleep(Duration::from_millis(20));
    }
}
