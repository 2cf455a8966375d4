//! What a next hop says, in the log: one line each time, which it can neither break nor colour nor make long.

use super::next_hop::{END, GREETING};
use super::{Behaviour, Client, Fault, NextHop, PLAIN, listener};
use crate::milter::daemon::Daemon;

/// Text that would drive a terminal, turn the reading direction, end a value, or be a line of its own.
const HOSTILE: &str =
    "\x1b[31mEVIL\x07 \u{9b}2J \u{202e}\u{2028}\u{200b}\u{85} \"x\" level=error\r2026-01-01T00:00:00Z ERROR forged";

/// The most octets of a line: a few values of 200 characters.
const LONG: usize = 1500;

/// Returns replies with this code: of one line, of lines of other codes, and of 64 KB.
fn replies(code: &str) -> [Vec<u8>; 3] {
    let long = format!("{code}-{}\r\n", HOSTILE.repeat(6)).repeat(64 * 1024 / (6 * HOSTILE.len()));
    [
        format!("{code} {HOSTILE}\r\n"),
        format!("{code}-{HOSTILE}\r\n999 {HOSTILE}\r\n2026-01-01T00:00:00Z ERROR forged\r\n"),
        format!("{long}{code} end\r\n"),
    ]
    .map(String::into_bytes)
}

/// Returns `true` if a line of the log is one of septet's own, and shows nothing but what can be seen.
fn is_clean(line: &str, format: &str) -> bool {
    let start = match format {
        "logfmt" => "ts=",
        "json" => "{\"timestamp\":",
        _ => "20",
    };
    let hidden = |c: char| c.is_control() || "\u{202e}\u{2028}\u{200b}".contains(c);
    let has_quotes = line.contains("\"x\"") || line.contains("\\\"x\\\"");
    line.starts_with(start) && !line.contains(hidden) && !has_quotes && line.len() <= LONG
}

fn hold(format: &str, lmtp: bool) {
    let keywords = vec!["8BITMIME".to_owned()];
    let next_hop = NextHop::behaving(Behaviour { keywords, lmtp, ..Behaviour::default() });
    let protocol = if lmtp { "lmtp" } else { "smtp" };
    let settings = listener(protocol, &next_hop.address(), "next_hop_time = \"2s\"");
    let daemon = Daemon::configured_with(&settings, &["--set", &format!("log.format={format}")]);
    for stage in [GREETING, "EHLO", "MAIL", "RCPT", "DATA", END] {
        for reply in ["250", "354", "421", "554", "999", ""].iter().flat_map(|code| replies(code)) {
            next_hop.hang_up();
            next_hop.fault(stage, Fault::SayAndDie(reply));
            let mut client = if lmtp { Client::lmtp(daemon.port()) } else { Client::greeted(daemon.port()) };
            client.send("<a@example.org>", &["<b@example.net>"], PLAIN);
        }
    }
    daemon.wait_for_log("no next hop for a hello: it does not want to talk");
    let log = daemon.log();
    let bad: Vec<&str> = log.split('\n').filter(|line| !line.is_empty() && !is_clean(line, format)).collect();
    let shown = bad.iter().take(3).map(|line| line.chars().take(LONG).collect::<String>());
    assert!(bad.is_empty(), "{format}: {} bad lines: {:#?}", bad.len(), shown.collect::<Vec<_>>());
    assert!(log.contains("EVIL") && log.contains("the next hop failed"), "{format}: it was said\n{log}");
}

#[test]
fn a_next_hop_writes_no_line_of_its_own_as_text() {
    hold("text", false);
    hold("text", true);
}

#[test]
fn nor_in_the_formats_with_names() {
    hold("logfmt", false);
    hold("json", false);
}
