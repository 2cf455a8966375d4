//! The port as strangers use it: other methods, other paths, garbage, and silence.

use std::fs;
use std::io::{Read, Write};

use super::{Client, connect, exchange, get, start, wait};

#[test]
fn head_and_other_paths_and_methods_are_answered() {
    let daemon = start(&[]);
    let ask = |text: &str| exchange(connect(&daemon), text.as_bytes());
    let head = ask("HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && head.ends_with("\r\n\r\n"), "{head}");
    assert!(head.contains("\r\nContent-Type: text/plain; version=0.0.4\r\n"), "{head}");
    let others = "there are /, /status, /metrics and /health\n".to_owned();
    assert_eq!(get(connect(&daemon), "/other"), (404, others));
    let post = ask("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody");
    assert!(post.starts_with("HTTP/1.1 405 ") && post.contains("\r\nAllow: GET, HEAD\r\n"), "{post}");
    let two = ask("GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_eq!(two.matches("HTTP/1.1").count(), 1, "one request a connection: {two}");
}

#[test]
fn garbage_harms_nobody() {
    let daemon = start(&[]);
    let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(100_000));
    let garbage = [
        (&b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..], "400"),
        (b"\0\0\0\x0dO\0\0\0\x06\0\0\x01\xff\0\x1f\xff\xff", "400"),
        (b"GET /metrics\r\n\r\n", "400"),
        (b"GET /metrics HTTP/1.1\r\n\r\n", "400"),
        (b"GET /\xff HTTP/1.0\r\n\r\n", "40"),
        (long.as_bytes(), "431"),
    ];
    for (octets, status) in garbage {
        // Not all of a long one is read before the answer, so writing the rest of it may fail.
        let mut stream = connect(&daemon);
        let _ = stream.write_all(octets);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{}: {answer}", octets[..11].escape_ascii());
    }
    drop(connect(&daemon));
    assert_eq!(Client::agreed(&daemon.path("sock")).message(), "mbc");
    assert_eq!(get(connect(&daemon), "/health").0, 200);
    assert!(!daemon.log().contains("panic"), "{}", daemon.log());
}

#[test]
fn the_silent_cost_little_and_let_others_in_when_they_go() {
    let daemon = start(&[]);
    let silent: Vec<_> = (0..60).map(|_| connect(&daemon)).collect();
    let files = || fs::read_dir(format!("/proc/{}/fd", daemon.child.id())).expect("Linux").count();
    // Who came last is answered when all before were taken in; those who were ended then close when their turn comes.
    assert_eq!(get(connect(&daemon), "/health").0, 200);
    wait(|| files() < 60, || format!("{} files, sixty of the silent", files()));
    drop(silent);
    assert_eq!(get(connect(&daemon), "/health").0, 200);
}
