//! The table of `fixtures/forward/table.tsv`: what comes of each thing beyond ASCII, for clients that say SMTPUTF8 and
//! for others, in front of next hops that take all, 8-bit bodies alone, or neither.
//!
//! `BLESS=1` writes the table anew: read the difference before you commit it.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::{Client, Daemon, NextHop, code, forward, listener};

/// A message, and its envelope.
struct Case {
    what: &'static str,
    mail: &'static str,
    rcpt: &'static str,
    raw: String,
}

const FIXED: &str = "To: bob@example.net\r\nDate: Thu, 1 Jan 2026 00:00:00 +0000\r\nMessage-ID: <1@example.org>\r\nMIME-Version: 1.0\r\n";

fn text(header: &str, body: &str) -> String {
    let transfer = if body.is_ascii() { "7bit" } else { "8bit" };
    format!(
        "{FIXED}{header}Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: {transfer}\r\n\r\n{body}\r\n"
    )
}

fn file(header: &str) -> String {
    format!(
        "{FIXED}From: ann@example.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n{header}\r\ntext\r\n--b--\r\n"
    )
}

fn cases() -> Vec<Case> {
    let case = |what, mail, rcpt, raw| Case { what, mail, rcpt, raw };
    let (ann, bob) = ("<ann@example.org>", "<bob@example.net>");
    let plain = || text("From: ann@example.org\r\n", "hello");
    let inner = "From: zoe@example.org\r\nSubject: caf\u{e9}\r\n\r\nhello\r\n";
    let nested = format!("{FIXED}From: ann@example.org\r\nContent-Type: message/global\r\n\r\n{inner}");
    vec![
        case("nothing", ann, bob, plain()),
        case("subject", ann, bob, text("From: ann@example.org\r\nSubject: caf\u{e9}\r\n", "hello")),
        case("name", ann, bob, text("From: Zo\u{eb} <zoe@example.org>\r\n", "hello")),
        case("domain", ann, bob, text("From: Ann <ann@b\u{fc}cher.example>\r\n", "hello")),
        case("local-part", ann, bob, text("From: Zo\u{eb} <zo\u{eb}@example.org>\r\n", "hello")),
        case("part-header", ann, bob, file("Content-Description: caf\u{e9}\r\n")),
        case("file-name", ann, bob, file("Content-Disposition: attachment; filename=\"caf\u{e9}.txt\"\r\n")),
        case("body", ann, bob, text("From: ann@example.org\r\n", "caf\u{e9}")),
        case("message-global", ann, bob, nested),
        case("sender-domain", "<ann@b\u{fc}cher.example>", bob, plain()),
        case("recipient-domain", ann, "<bob@b\u{fc}cher.example>", plain()),
        case("sender-local-part", "<zo\u{eb}@example.org>", bob, plain()),
        case("recipient-local-part", ann, "<zo\u{eb}@example.net>", plain()),
    ]
}

/// Returns what of a result is not in the original, line by line; `=` where all octets are the same.
fn difference(raw: &[u8], arrived: &[u8]) -> String {
    if raw == arrived {
        return "=".to_owned();
    }
    let lines = |octets: &[u8]| -> Vec<String> {
        octets.split_inclusive(|&octet| octet == b'\n').map(|line| String::from_utf8_lossy(line).into_owned()).collect()
    };
    let before: HashSet<String> = lines(raw).into_iter().collect();
    let new: String = lines(arrived).into_iter().filter(|line| !before.contains(line)).collect();
    new.trim_end().replace("\r\n", "\\r\\n").replace('\t', "\\t")
}

/// Sends a case, and returns its row behind what stands for it.
fn row(case: &Case, parameters: &str, daemon: &Daemon, next_hop: &NextHop) -> String {
    let told =
        Client::greeted(daemon.port()).send(&format!("{}{parameters}", case.mail), &[case.rcpt], case.raw.as_bytes());
    let mut arrived = next_hop.take();
    let Some(one) = arrived.pop() else {
        assert!(!told.starts_with('2'), "{}: accepted, and not by the next hop", case.what);
        return format!("{told}\t-\t-");
    };
    assert!(arrived.is_empty() && code(&told) == "250", "{}: {told}", case.what);
    format!("{}\t{} {}\t{}", code(&told), one.mail, one.recipients.join(" "), difference(case.raw.as_bytes(), &one.raw))
}

const HEAD: &str = "the client is told\tthe next hop is told\twhat differs in the message\n";

#[test]
fn what_arrives_and_what_the_client_is_told() {
    let hops: [(&str, &[&str]); 3] =
        [("SMTPUTF8", &["8BITMIME", "SMTPUTF8"]), ("8BITMIME", &["8BITMIME"]), ("neither", &[])];
    let mut rows = Vec::new();
    for (hop, keywords) in hops {
        for when in ["needed", "always"] {
            let next_hop = NextHop::with(keywords);
            let daemon = forward(&next_hop.address(), &format!("when = \"{when}\""));
            for (number, case) in cases().iter().enumerate() {
                for (client, parameters) in [("SMTPUTF8", " BODY=8BITMIME SMTPUTF8"), ("plain", " BODY=8BITMIME")] {
                    let row = row(case, parameters, &daemon, &next_hop);
                    rows.push((number, format!("{}\t{client}\t{hop}\t{when}\t{row}", case.what)));
                }
            }
            assert!(!daemon.log().contains("unproved"), "{}", daemon.log());
        }
    }
    rows.sort_by_key(|(number, _)| *number);
    let rows: Vec<String> = rows.into_iter().map(|(_, row)| row).collect();
    hold("table.tsv", "# what is beyond ASCII\tclient\tnext hop\twhen", &rows);
}

/// An address that the next hop can't take, by each value of `non_ascii_address`; one has an alias, the other none.
#[test]
fn what_becomes_of_local_parts() {
    let alias = "alias = { \"zo\u{eb}@example.org\" = \"zoe@example.org\" }\n";
    let next_hop = NextHop::with(&["8BITMIME"]);
    let mut rows = Vec::new();
    for address in ["reject", "alias", "rfc6857", "rfc6858"] {
        let keys = format!("non_ascii_address = \"{address}\"\nwhen = \"needed\"");
        let daemon = Daemon::configured(&format!("{alias}{}", listener("smtp", &next_hop.address(), &keys)));
        let no_alias = text("From: Zo\u{eb} <zo\u{eb}@example.com>\r\n", "hello");
        let group = text("From: a@example.org\r\nReply-To: Us: zo\u{eb}@example.com, b@example.org;\r\n", "hello");
        let bounce = text("From: mailer-daemon@example.org\r\nTo: zo\u{eb}@example.com\r\n", "it failed");
        let ann = "<ann@example.org>";
        let more = [
            ("other-local-part", ann, no_alias),
            ("group-local-part", ann, group),
            ("bounce-local-part", "<>", bounce),
        ];
        let more = more.map(|(what, mail, raw)| Case { what, mail, rcpt: "<bob@example.net>", raw });
        for case in cases().iter().chain(&more).filter(|case| case.what.ends_with("local-part")) {
            let row = row(case, " BODY=8BITMIME SMTPUTF8", &daemon, &next_hop);
            rows.push(format!("{}\t{address}\t{row}", case.what));
        }
        assert!(!daemon.log().contains("unproved"), "{}", daemon.log());
    }
    rows.sort();
    hold("local-parts.tsv", "# what is beyond ASCII\tnon_ascii_address", &rows);
}

/// Compares rows with those of a table.
fn hold(file: &str, columns: &str, rows: &[String]) {
    let mut table = format!("{columns}\t{HEAD}");
    rows.iter().for_each(|row| writeln!(table, "{row}").expect("a string"));
    let file = septet_support::fixture(format!("forward/{file}"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &table).expect("the table");
    }
    let expected = std::fs::read_to_string(&file).expect("the table");
    let wrong: Vec<_> = table.lines().zip(expected.lines()).filter(|(found, expected)| found != expected).collect();
    assert!(wrong.is_empty() && table == expected, "found, and expected: {wrong:#?}");
}
