//! Messages through Postfix while the daemon is killed, or told to read good and bad settings.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use super::super::mta::{Client, Postfix, Sink, is_postfix_there};
use super::restarted::Restarted;
use super::tally::Tally;
use super::template::{Template, templates};
use super::{Random, Scale};

/// How many clients send at once.
const CLIENTS: usize = 8;

/// How long a client waits after a 4xx; a real one would wait minutes.
const RETRY: Duration = Duration::from_millis(20);

/// What the clients have done so far.
#[derive(Default)]
struct Progress {
    next: AtomicUsize,
    taken: AtomicUsize,
    retries: AtomicUsize,
}

impl Progress {
    /// Waits until this many messages were taken, and a little longer.
    fn wait_for(&self, moment: usize, random: &mut Random) {
        while self.taken.load(Ordering::Relaxed) < moment {
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_micros(random.below(20_000) as u64));
    }
}

/// Sends all messages from several clients; each sends again what was not taken.
fn send(count: usize, port: u16, templates: &[Template], progress: &Progress) {
    let mut client = None;
    loop {
        let number = progress.next.fetch_add(1, Ordering::Relaxed);
        if number >= count {
            return;
        }
        let template = &templates[number % templates.len()];
        let raw = template.message(number);
        while let Err(error) = attempt(&mut client, port, template, &raw) {
            let said = error.to_string();
            assert!(!said.starts_with('5'), "message {number} was refused for good: {said}");
            progress.retries.fetch_add(1, Ordering::Relaxed);
            // Postfix has given the milter up for this session: only a new one gets through again.
            client = None;
            sleep(RETRY);
        }
        progress.taken.fetch_add(1, Ordering::Relaxed);
    }
}

fn attempt(client: &mut Option<Client>, port: u16, template: &Template, raw: &[u8]) -> std::io::Result<()> {
    let open = match client.take() {
        Some(open) => open,
        None => Client::connect(port)?,
    };
    let to = ["b@example.net".to_owned()];
    client.insert(open).send("a@example.org", template.parameters(), &to, raw)
}

/// What a run came to.
struct Run {
    tally: Tally,
    retries: usize,
    time: Duration,
}

/// Sends messages through a Postfix in front of `daemon`, while `disturb` does its worst.
fn run(count: usize, daemon: &Restarted, templates: &[Template], disturb: impl FnOnce(&Progress)) -> Run {
    let sink = Sink::start();
    let milter = format!("-o smtpd_milters=unix:{}", daemon.socket().display());
    let postfix = Postfix::start(sink.port, "milter_default_action = tempfail\n", &[milter]);
    let (progress, port, start) = (Progress::default(), postfix.ports[0], Instant::now());
    scope(|threads| {
        (0..CLIENTS).for_each(|_| drop(threads.spawn(|| send(count, port, templates, &progress))));
        disturb(&progress);
    });
    let time = start.elapsed();
    let patience = Instant::now();
    while sink.count() < count && patience.elapsed() < Duration::from_secs(120) {
        sleep(Duration::from_millis(20));
    }
    // Whatever should not come has a moment to do so.
    sleep(Duration::from_millis(300));
    let arrived: Vec<Vec<u8>> = sink.all().into_iter().map(|arrived| arrived.raw).collect();
    Run { tally: Tally::of(count, templates, &arrived), retries: progress.retries.into_inner(), time }
}

#[test]
fn every_message_arrives_whole_though_the_daemon_is_killed() {
    if !is_postfix_there() {
        return;
    }
    let Scale { messages, kills, .. } = Scale::of_env();
    let daemon = Restarted::start("");
    let templates = templates(daemon.dir.path(), &["utf8"]);
    let mut random = Random::new();
    let run = run(messages, &daemon, &templates, |progress| {
        for moment in random.moments(kills, messages) {
            progress.wait_for(moment, &mut random);
            daemon.kill();
            sleep(Duration::from_millis(random.below(100) as u64));
            daemon.restart();
        }
    });
    println!("kills: kills={kills} {} retries_after_4xx={} time={:.1?}", run.tally, run.retries, run.time);
    assert!(run.tally.is_good() && run.tally.untouched == 0, "{}\n{}", run.tally, daemon.log());
    assert!(run.retries > 0, "a kill is felt");
}

/// Settings in turn: two good ones, and files with a fault.
const SETTINGS: [&str; 4] = [
    "default_profile = \"seven-bit\"",
    "default_profile = \"nonesuch\"",
    "default_profile = \"utf8\"",
    "[limits]\nparts =",
];

#[test]
fn every_message_arrives_whole_though_the_settings_change() {
    if !is_postfix_there() {
        return;
    }
    let Scale { messages, reloads, .. } = Scale::of_env();
    let daemon = Restarted::start("");
    let templates = templates(daemon.dir.path(), &["utf8", "seven-bit"]);
    let mut random = Random::new();
    let run = run(messages, &daemon, &templates, |progress| {
        for (number, moment) in random.moments(reloads, messages).into_iter().enumerate() {
            progress.wait_for(moment, &mut random);
            daemon.reload(SETTINGS[number % SETTINGS.len()]);
        }
    });
    let (log, alive) = (daemon.log(), daemon.is_alive());
    let (read, refused) = (log.matches("settings were read again").count(), log.matches("were refused").count());
    let counts = format!("reloads={reloads} read={read} refused={refused}");
    println!("reloads: {counts} {} retries_after_4xx={} time={:.1?}", run.tally, run.retries, run.time);
    assert!(run.tally.is_good() && run.tally.untouched == 0 && alive, "{}\n{log}", run.tally);
    assert_eq!(run.retries, 0, "no client notices a reload\n{log}");
    assert!(read > 0 && refused > 0, "{counts}\n{log}");
}
