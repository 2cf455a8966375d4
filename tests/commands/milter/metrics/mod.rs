//! `/metrics` and `/health`, asked as Prometheus and as strangers ask.

mod dashboard;
mod exposition;
mod http;
mod status;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use septet::protocol::milter::MilterCommand as Mta;

use super::daemon::{Client, Daemon, wait};
use exposition::Exposition;

const MILTER: &str = "unix:DIR/sock";

/// What `Client::message` shows to the daemon.
const MESSAGE: &[u8] = b"Subject: one\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\
                         Content-Transfer-Encoding: 8bit\r\n\r\ncaf\xe9\r\n";

/// Starts a daemon with metrics on a TCP port.
fn start(options: &[&str]) -> Daemon {
    let mut arguments = vec!["--listen", MILTER, "--set", "metrics.listen=inet:127.0.0.1:0"];
    arguments.extend(options);
    let daemon = Daemon::start(&arguments);
    daemon.wait_for_log("metrics are served on");
    daemon
}

/// Gives the last port that the log names for metrics.
fn port(daemon: &Daemon) -> u16 {
    let log = daemon.log();
    let (_, rest) = log.rsplit_once("metrics are served on inet:127.0.0.1:").expect("a port in the log");
    rest.split_whitespace().next().expect("a port").parse().expect("a port")
}

fn connect(daemon: &Daemon) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port(daemon))).expect("metrics");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    stream
}

/// Sends octets, and gives all that comes back.
fn exchange(mut stream: impl Read + Write, octets: &[u8]) -> String {
    stream.write_all(octets).expect("they are read");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer in time");
    answer
}

fn get(stream: impl Read + Write, path: &str) -> (u16, String) {
    let answer = exchange(stream, format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes());
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)).expect("a status");
    (status.parse().expect("a number"), body.to_owned())
}

fn scrape(daemon: &Daemon) -> Exposition {
    let (status, text) = get(connect(daemon), "/metrics");
    assert_eq!(status, 200);
    Exposition::read(&text)
}

/// Waits until the metrics fulfil a condition: a message is counted after its answer has gone out.
fn scrape_until(daemon: &Daemon, done: impl Fn(&Exposition) -> bool) -> Exposition {
    let mut last = None;
    wait(|| done(last.insert(scrape(daemon))), || "the metrics".to_owned());
    last.expect("scraped")
}

/// What a connection keeps for a message that follows at once it gives back when none does, however the last one ended.
#[test]
fn silent_connections_hold_little() {
    let daemon = start(&[]);
    let socket = daemon.path("sock");
    let clients: Vec<_> = [&b"y"[..], b""]
        .repeat(10)
        .iter()
        .map(|last| {
            let mut client = Client::agreed(&socket);
            client.begin();
            client.send(&Mta::Body(&[b'x'; 60_000]));
            client.send(&Mta::Body(&[b'x'; 60_000]));
            if !last.is_empty() {
                client.send(&Mta::EndOfMessage(last));
                client.replies_to_end();
            }
            client.send(&Mta::Abort);
            client
        })
        .collect();
    let most = (clients.len() * (48 << 10)) as f64;
    scrape_until(&daemon, |metrics| metrics.sum("septet_memory_bytes", &[]) < most);
}

#[test]
fn the_figures_are_what_was_sent() {
    let daemon = start(&["--set", "limits.message_bytes=1KiB", "--set", "limits.connections=5"]);
    let socket = daemon.path("sock");
    let mut client = Client::agreed(&socket);
    (0..3).for_each(|_| assert_eq!(client.message(), "mbc"));
    client.send(&Mta::Header { name: b"Subject", value: b" plain" });
    client.send(&Mta::EndOfMessage(b"plain\r\n"));
    assert_eq!(client.replies_to_end(), b"c");
    client.send(&Mta::Abort);
    client.begin();
    client.send(&Mta::EndOfMessage(&[b'x'; 2000]));
    assert_eq!(client.replies_to_end(), b"c");
    let mut bad = Client::unix(&socket);
    bad.0.write_all(b"EHLO mx.example.org\r\n").expect("it is read");
    assert_eq!(bad.reply(), None);

    let metrics = scrape_until(&daemon, |metrics| {
        metrics.sum("septet_messages_total", &[]) == 5.0
            && metrics.sum("septet_connections_closed_total", &[("reason", "malformed")]) == 1.0
    });
    let listener = format!("unix:{}", socket.display());
    let over = MESSAGE.len() + 2000;
    let plain = b"Subject: plain\r\n\r\nplain\r\n".len();
    for (name, labels, value) in [
        ("septet_messages_total", &[("listener", listener.as_str()), ("action", "changed")][..], 3.0),
        ("septet_messages_total", &[("action", "unchanged")], 1.0),
        ("septet_messages_total", &[("action", "left")], 1.0),
        ("septet_messages_total", &[("action", "tempfail")], 0.0),
        ("septet_message_bytes_total", &[("listener", &listener)], (3 * MESSAGE.len() + plain + over) as f64),
        ("septet_changes_total", &[("kind", "charset")], 3.0),
        ("septet_changes_total", &[], 3.0),
        ("septet_charsets_total", &[("charset", "iso-8859-1")], 3.0),
        ("septet_left_total", &[("reason", "limit")], 1.0),
        ("septet_left_total", &[], 1.0),
        ("septet_plan_duration_seconds_count", &[], 5.0),
        ("septet_message_duration_seconds_count", &[], 5.0),
        ("septet_message_duration_seconds_bucket", &[("le", "+Inf")], 5.0),
        ("septet_connections", &[("listener", &listener)], 1.0),
        ("septet_connections_total", &[("listener", &listener)], 2.0),
        ("septet_connections_closed_total", &[], 1.0),
        ("septet_connections_limit", &[], 5.0),
        ("septet_memory_limit_bytes", &[], f64::from(512 << 20)),
        ("septet_build_info", &[("version", env!("CARGO_PKG_VERSION"))], 1.0),
    ] {
        assert_eq!(metrics.sum(name, labels), value, "{name} {labels:?}");
    }
    assert!(metrics.sum("process_resident_memory_bytes", &[]) > 1e6);
    assert!(metrics.sum("septet_start_time_seconds", &[]) > 1.7e9);
}

/// `note=utf-7` had a counter that nothing ever counted: no scanner before us has read such a text.
#[test]
fn utf_7_is_counted_as_a_note() {
    let daemon = start(&[]);
    let mut client = Client::agreed(&daemon.path("sock"));
    client.send(&Mta::Header { name: b"MIME-Version", value: b" 1.0" });
    client.send(&Mta::Header { name: b"Content-Type", value: b" text/plain; charset=utf-7" });
    client.send(&Mta::Body(b"Hi Mom -+Jjo--!\r\n"));
    client.send(&Mta::EndOfMessage(b""));
    assert_eq!(client.replies_to_end().last(), Some(&b'c'));
    client.send(&Mta::Abort);
    assert_eq!(client.message(), "mbc", "one in Latin-1 counts as none");
    let metrics = scrape_until(&daemon, |metrics| metrics.sum("septet_messages_total", &[]) == 2.0);
    assert_eq!(metrics.sum("septet_notes_total", &[("note", "utf-7")]), 1.0);
    assert_eq!(metrics.sum("septet_notes_total", &[]), 1.0);
}

#[test]
fn failures_count_as_what_the_client_was_told() {
    let memory = ["--set", "limits.memory=64KiB", "--set", "on_error=tempfail"];
    let daemon = start(&memory);
    let mut client = Client::agreed(&daemon.path("sock"));
    client.begin();
    (0..4).for_each(|_| client.send(&Mta::Body(&[b'x'; 65_535])));
    client.send(&Mta::EndOfMessage(b""));
    assert_eq!(client.replies_to_end(), b"y");
    let metrics = scrape_until(&daemon, |metrics| metrics.sum("septet_messages_total", &[]) == 1.0);
    assert_eq!(metrics.sum("septet_messages_total", &[("action", "tempfail")]), 1.0);
    assert_eq!(metrics.sum("septet_left_total", &[("reason", "memory")]), 1.0);
}

#[test]
fn a_refused_message_counts_with_its_reason_and_without_changes() {
    let daemon = start(&["--set", "limits.header_bytes=20", "--set", "limits.on_limit.header_bytes=reject"]);
    let mut client = Client::agreed(&daemon.path("sock"));
    assert_eq!(client.message(), "y");
    let metrics = scrape_until(&daemon, |metrics| metrics.sum("septet_messages_total", &[]) == 1.0);
    assert_eq!(metrics.sum("septet_messages_total", &[("action", "reject")]), 1.0);
    assert!(metrics.sum("septet_left_total", &[("reason", "limit")]) >= 1.0);
    assert_eq!(metrics.sum("septet_changes_total", &[]), 0.0);
}

#[test]
fn a_unix_socket_serves_them_too() {
    let metrics = ["--set", "metrics.listen=unix:DIR/metrics", "--set", "metrics.mode=0600"];
    let daemon = Daemon::start(&[&["--listen", MILTER], &metrics[..]].concat());
    daemon.wait_for_log("metrics are served on unix:");
    let ask = |path| get(UnixStream::connect(daemon.path("metrics")).expect("metrics"), path);
    assert_eq!(ask("/health"), (200, "ok\n".to_owned()));
    let (status, text) = ask("/metrics");
    assert_eq!((status, Exposition::read(&text).sum("septet_messages_total", &[])), (200, 0.0));
}

#[test]
fn health_is_told_while_mail_waits_for_file_descriptors() {
    let arguments = ["--listen", MILTER, "--set", "metrics.listen=inet:127.0.0.1:0"];
    let dir = tempfile::tempdir().expect("a folder");
    let daemon = Daemon::spawn_by(&["prlimit", "--nofile=64:64"], dir, &arguments);
    daemon.wait_for_log("metrics are served on");
    daemon.wait_for_log("the system gives 64, which do for 14 clients at once");
    let held: Vec<_> = (0..80).map(|_| UnixStream::connect(daemon.path("sock")).expect("it queues")).collect();
    daemon.wait_for_log("in use: further ones wait");
    for _ in 0..20 {
        assert_eq!(get(connect(&daemon), "/health").0, 200);
    }
    assert!(!daemon.log().contains("can't accept"), "{}", daemon.log());
    drop(held);
    assert_eq!(Client::agreed(&daemon.path("sock")).message(), "mbc");
}

#[test]
fn health_says_when_the_daemon_drains() {
    let mut daemon = start(&[]);
    assert_eq!(get(connect(&daemon), "/health"), (200, "ok\n".to_owned()));
    let mut busy = Client::agreed(&daemon.path("sock"));
    busy.begin();
    // An answer on another connection shows that the daemon has had time to read what was sent before.
    assert_eq!(Client::agreed(&daemon.path("sock")).message(), "mbc");
    daemon.signal("-TERM");
    daemon.wait_for_log("no longer listening");
    // The listeners are closed first, so that 503 never comes while mail is still taken.
    wait(|| get(connect(&daemon), "/health").0 == 503, || "503".to_owned());
    assert_eq!(get(connect(&daemon), "/health"), (503, "draining\n".to_owned()));
    let asked = status::watch("--health", &format!("inet:127.0.0.1:{}", port(&daemon)));
    assert_eq!(asked.status.code(), Some(69), "{asked:?}");
    assert!(String::from_utf8_lossy(&asked.stderr).contains("takes no mail any more"), "{asked:?}");
    assert_eq!(scrape(&daemon).sum("septet_connections", &[]), 1.0);
    busy.send(&Mta::EndOfMessage(b""));
    assert_eq!(busy.replies_to_end(), b"mbc");
    assert!(daemon.wait_for_end().success());
}

#[test]
fn reloads_are_counted_and_may_move_the_socket() {
    let dir = tempfile::tempdir().expect("a folder");
    let settings = dir.path().join("septet.toml");
    let listener = format!("[[listener]]\nsocket = \"unix:{}/sock\"\n", dir.path().display());
    let with = |metrics: &str| fs::write(&settings, format!("{listener}{metrics}")).expect("settings");
    with("[metrics]\nlisten = \"inet:127.0.0.1:0\"\n");
    let daemon = Daemon::spawn_in(dir, &["--config", "DIR/septet.toml"]);
    daemon.wait_for_log("metrics are served on");
    let reloads =
        |result| move |metrics: &Exposition| metrics.sum("septet_config_reloads_total", &[("result", result)]) == 1.0;
    let first = scrape(&daemon).sum("septet_config_last_reload_success_timestamp_seconds", &[]);

    with("[metrics]\nlisten = \"inet:0.0.0.0:9891\"\n");
    daemon.signal("-HUP");
    let metrics = scrape_until(&daemon, reloads("failed"));
    assert_eq!(metrics.sum("septet_config_last_reload_successful", &[]), 0.0);
    assert_eq!(metrics.sum("septet_config_last_reload_success_timestamp_seconds", &[]), first);

    // Another way to write the same host is another socket: it is opened before the first one is closed.
    with("[metrics]\nlisten = \"inet:localhost:0\"\n");
    let before = port(&daemon);
    daemon.signal("-HUP");
    daemon.wait_for_log("the settings were read again");
    if daemon.log().matches("metrics are served on inet:127.0.0.1:").count() == 2 {
        let metrics = scrape_until(&daemon, reloads("ok"));
        assert_eq!(metrics.sum("septet_config_last_reload_successful", &[]), 1.0);
        assert!(metrics.sum("septet_config_last_reload_success_timestamp_seconds", &[]) > first);
    }
    assert!(TcpStream::connect(("127.0.0.1", before)).is_err(), "the old socket is closed");
}
