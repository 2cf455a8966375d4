//! TCP as MTAs use it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use septet::protocol::milter::{Arguments, MilterCommand, Offer};

use super::daemon::Daemon;

fn packets(commands: &[MilterCommand<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    commands.iter().for_each(|command| command.write(&mut out));
    out
}

/// Reads the reply to the offer, or a verdict: one packet.
fn reply(stream: &mut TcpStream) -> u8 {
    let mut head = [0; 5];
    stream.read_exact(&mut head).expect("a reply");
    let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
    stream.read_exact(&mut vec![0; length - 1]).expect("a whole reply");
    head[4]
}

/// Postfix and Sendmail write a message in several goes, leave Nagle's algorithm on, and are told not to wait for
/// replies. Unless the daemon acknowledges at once, each message then takes 40 ms and more.
#[test]
fn a_message_in_two_writes_does_not_wait_for_a_delayed_acknowledgement() {
    let daemon = Daemon::start(&["--listen", "inet:127.0.0.1:0"]);
    let mut mta = TcpStream::connect(("127.0.0.1", daemon.port())).expect("a milter");
    mta.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    mta.set_nodelay(false).expect("Nagle's algorithm");
    let offer = Offer { version: 6, actions: 0x1ff, protocol: 0x1f_ffff };
    mta.write_all(&packets(&[MilterCommand::Negotiate(offer)])).expect("it is read");
    assert_eq!(reply(&mut mta), b'O');
    let envelope = packets(&[MilterCommand::Mail(Arguments(b"<a@example.org>\0"))]);
    let header = packets(&[MilterCommand::Header { name: b"Subject", value: b" one" }]);
    let rest = packets(&[MilterCommand::Body(b"text\r\n"), MilterCommand::EndOfMessage(b"")]);
    let mut times: Vec<Duration> = (0..60)
        .map(|_| {
            let start = Instant::now();
            for octets in [&envelope, &header, &rest] {
                mta.write_all(octets).expect("it is read");
            }
            assert_eq!(reply(&mut mta), b'c');
            let time = start.elapsed();
            mta.write_all(&packets(&[MilterCommand::Abort])).expect("it is read");
            time
        })
        .collect();
    times.sort();
    assert!(times[30] < Duration::from_millis(30), "{times:?}");
}
