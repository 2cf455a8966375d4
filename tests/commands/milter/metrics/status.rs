//! The status: a page for people, and `septet watch` in a terminal.

use std::process::{Command, Output, Stdio};

use super::{Client, connect, exchange, get, port, scrape_until, start};

/// Starts a daemon, and has it convert messages.
fn busy() -> super::Daemon {
    let daemon = start(&["--set", "limits.connections=7"]);
    let mut client = Client::agreed(&daemon.path("sock"));
    (0..3).for_each(|_| assert_eq!(client.message(), "mbc"));
    scrape_until(&daemon, |metrics| metrics.sum("septet_messages_total", &[]) == 3.0);
    daemon
}

#[test]
fn the_page_says_what_septet_is_doing_and_nothing_out_of_a_message() {
    let daemon = busy();
    let (status, page) = get(connect(&daemon), "/");
    assert_eq!(status, 200);
    let socket = format!("unix:{}", daemon.path("sock").display());
    for wanted in
        ["<h1>septet ", "It is filtering", "of 7<", "<code>charset</code></td><td class=\"num\">3</td>", &socket]
    {
        assert!(page.contains(wanted), "{wanted}: {page}");
    }
    let decisions = page.split("Last decisions").nth(1).expect("decisions");
    assert_eq!(decisions.matches("<td class=\"result\">changed</td><td>charset</td>").count(), 3, "{page}");
    assert!(page.contains("Settings in force") && page.contains("connections = 7"), "{page}");
    for secret in ["one", "caf", "sender", "example"] {
        let text = page.split("<details>").next().expect("a page");
        assert!(!text.split(['<', '>', ' ', '\n']).any(|word| word == secret), "{secret}: {page}");
    }
    assert!(!page.contains("<script") && page.contains("name=\"viewport\""), "{page}");
    let head = exchange(connect(&daemon), b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(head.contains("\r\nContent-Type: text/html; charset=utf-8\r\n"), "{head}");
}

#[test]
fn a_browser_shows_the_page() {
    let chromium = Command::new("chromium").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !chromium.is_ok_and(|status| status.success()) {
        return eprintln!("skipped: Chromium is not there");
    }
    let daemon = busy();
    let address = format!("http://127.0.0.1:{}/", port(&daemon));
    let options = ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=390,844", "--dump-dom"];
    let home = tempfile::tempdir().expect("a folder");
    let profile = format!("--user-data-dir={}", home.path().display());
    let output = Command::new("chromium").args(options).args([&profile, &address]).output().expect("it runs");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("<h1>septet ") && shown.contains("Last decisions"), "{shown}");
}

/// Runs `septet watch` with one option, for the socket of a daemon.
pub fn watch(option: &str, socket: &str) -> Output {
    let mut septet = Command::new(assert_cmd::cargo::cargo_bin("septet"));
    septet.args(["watch", option, socket]).output().expect("septet")
}

/// A container of septet alone has no curl to ask `/health` with.
#[test]
fn watch_asks_for_health() {
    let daemon = start(&[]);
    let asked = watch("--health", &format!("inet:127.0.0.1:{}", port(&daemon)));
    assert_eq!((asked.status.code(), asked.stdout.len() + asked.stderr.len()), (Some(0), 0), "{asked:?}");
    let milter = format!("unix:{}", daemon.path("sock").display());
    for (socket, code) in [("inet:127.0.0.1:1", 69), (milter.as_str(), 69), ("--config=/dev/null", 78), ("--once", 64)]
    {
        let asked = watch("--health", socket);
        assert_eq!(asked.status.code(), Some(code), "{socket}: {asked:?}");
        assert!(!asked.stderr.is_empty(), "{socket}");
    }
}

#[test]
fn watch_shows_the_same_in_a_terminal() {
    let daemon = busy();
    let watch = |socket: &str| watch("--once", socket);
    let output = watch(&format!("inet:127.0.0.1:{}", port(&daemon)));
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && shown.starts_with("septet "), "{output:?}");
    for wanted in [
        "3 messages in the last minute",
        "half wait ",
        "QUEUE ID",
        "connections ",
        "CHANGES",
        "charset  3",
        "changed  ",
    ] {
        assert!(shown.contains(wanted), "{wanted}: {shown}");
    }
    let gone = watch("inet:127.0.0.1:1");
    assert_eq!((gone.status.code(), gone.stdout.len()), (Some(69), 0));
    let milter = watch(&format!("unix:{}", daemon.path("sock").display()));
    assert_eq!(milter.status.code(), Some(69), "{milter:?}");
    let unset = watch("--config=/dev/null");
    assert_eq!(unset.status.code(), Some(78), "{unset:?}");
    assert!(
        String::from_utf8_lossy(&unset.stderr).contains("metrics.listen = \"unix:/run/septet/metrics.sock\""),
        "{unset:?}"
    );
}

/// What a terminal of so many rows and columns gets from `septet watch` until somebody does something.
fn in_terminal(socket: &str, rows: usize, columns: usize, end: &str) -> Option<serde_json::Value> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/commands/milter/metrics/terminal.py");
    let program = assert_cmd::cargo::cargo_bin("septet");
    let mut python = Command::new("python3");
    python.arg(script).args([&rows.to_string(), &columns.to_string(), end]).arg(program).args(["watch", socket]);
    let Ok(output) = python.output() else {
        println!("skipped: python3");
        return None;
    };
    assert!(output.status.success(), "{output:?}");
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}

/// The picture was as long as it was: at 24 lines its tail alone was to be seen, and nothing but Ctrl-C ended it.
#[test]
fn watch_fits_its_terminal_and_gives_it_back() {
    let daemon = start(&[]);
    let mut client = Client::agreed(&daemon.path("sock"));
    (0..40).for_each(|_| assert_eq!(client.message(), "mbc"));
    scrape_until(&daemon, |metrics| metrics.sum("septet_messages_total", &[]) == 40.0);
    let socket = format!("inet:127.0.0.1:{}", port(&daemon));
    for (rows, columns, end, status) in [
        (24, 80, "q", 0),
        (34, 100, "q", 0),
        (12, 40, "q", 0),
        (24, 80, "INT", -2),
        (24, 80, "TERM", -15),
        (24, 80, "daemon", 69),
    ] {
        let daemon_number = daemon.child.id().to_string();
        let how = if end == "daemon" { daemon_number.as_str() } else { end };
        let Some(seen) = in_terminal(&socket, rows, columns, how) else { return };
        let lines: Vec<&str> =
            seen["lines"].as_array().expect("lines").iter().filter_map(|line| line.as_str()).collect();
        assert!(lines.len() <= rows && lines[0].starts_with("septet "), "{rows}: {lines:?}");
        assert!(lines.iter().all(|line| line.chars().count() <= columns), "{columns}: {lines:?}");
        for wanted in ["messages in the last minute", "q quits"].iter().chain((rows >= 24).then_some(&"LISTENER")) {
            assert!(lines.iter().any(|line| line.contains(wanted)), "{wanted}: {lines:?}");
        }
        assert!(rows < 24 || lines.iter().filter(|line| line.contains(" ms  ")).count() > 4, "{lines:?}");
        assert_eq!(seen["status"], status, "{end}: {seen}");
        assert_eq!((&seen["restored"], &seen["same_mode"]), (&true.into(), &true.into()), "{end}: {seen}");
    }
}
