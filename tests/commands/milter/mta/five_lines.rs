//! The five lines for Postfix in docs/mta.md, run as they stand there.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::postfix::{self, Postfix};
use super::setups::{LATIN, is_converted, through};
use super::{Sink, free_port, wait_for_port};

/// The lines of the section about Postfix.
fn lines() -> Vec<String> {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/mta.md")).expect("docs/mta.md");
    let section = page.split("## Postfix in five lines").nth(1).expect("the section");
    section.split("```").nth(1).expect("a block").trim().lines().map(str::to_owned).collect()
}

/// Runs a line, and returns what it says on standard output.
fn run(postfix: &Postfix, line: &str) -> String {
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).env("MAIL_CONFIG", postfix.path("etc")).stdin(Stdio::null());
    let output = shell.output().expect("a shell");
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_five_lines_for_postfix_work_in_their_order() {
    let lines = lines();
    let [build, start, rest @ ..] = &lines[..] else { panic!("lines: {lines:?}") };
    assert!(
        lines.len() == 5 && build.starts_with("cargo install --locked --path .") && !build.contains('&'),
        "{build}"
    );
    if !postfix::is_there() {
        return;
    }
    let (sink, port) = (Sink::start(), free_port());
    let postfix = Postfix::start(sink.port, "", &["!chroot".to_owned()]);
    let log = postfix.path("septet.log");
    let here = |line: &str| {
        line.replace("/usr/local/bin/septet", assert_cmd::cargo::cargo_bin("septet").to_str().expect("UTF-8"))
            .replace("/var/log/septet.log", log.to_str().expect("UTF-8"))
            .replace("127.0.0.1:8891", &format!("127.0.0.1:{port}"))
    };
    let started = Daemon(run(&postfix, &format!("{} echo $!", here(start).replace("2>>", ">/dev/null 2>>"))));
    wait_for_port(port, || fs::read_to_string(&log).unwrap_or_default());
    rest.iter().for_each(|line| drop(run(&postfix, &here(line))));
    // Postfix's services take new settings with their next client.
    let arrived = (0..20).map(|round| through(postfix.ports[0], &sink, &format!("b{round}@example.net"), LATIN));
    assert!(arrived.into_iter().any(|arrived| is_converted(&arrived)), "{}", postfix.log());
    // The message may be there before the line of it is.
    let line = || {
        let said = fs::read_to_string(&log).expect("septet's log");
        said.lines().find(|line| line.contains("iso-8859-1>utf-8")).map(str::to_owned)
    };
    // So may septet's line before that of Postfix, whose log another process writes.
    let is_named = || line().is_some_and(|line| postfix.log().lines().any(|other| names_alike(&line, other)));
    let start = Instant::now();
    while !is_named() && start.elapsed() < Duration::from_secs(30) {
        sleep(Duration::from_millis(50));
    }
    assert!(is_named(), "{}", line().expect("septet's line"));
    drop(started);
}

/// Returns `true` if a line of septet's starts with the queue id that a line of Postfix's has.
fn names_alike(ours: &str, theirs: &str) -> bool {
    let id = theirs.split(": client=").next().and_then(|head| head.rsplit(' ').next()).filter(|id| id.len() > 5);
    id.is_some_and(|id| theirs.contains(": client=") && ours.contains(&format!("{id}: ")))
}

/// A daemon that a shell has started, by its process id; it ends with the test.
struct Daemon(String);

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.0.trim()).status();
    }
}
