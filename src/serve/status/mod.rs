//! What septet is doing, for people: a page, and lines of text for a terminal (`septet watch`).
//!
//! It shows numbers, codes, queue IDs and the settings; nothing out of a message. The page has no script, fits a phone,
//! and asks for itself again every five seconds. It is of the report page's family, and has its style.

mod glance;
mod lines;

use std::time::Duration;

use askama::Template;

use glance::ResultBar;

use super::metrics::{Metrics, Now, RecentDecision};
use super::settings::DaemonSettings;
use crate::config::settings::Origins;
use crate::process::arrival;
use crate::process::why::{self, plain};
use crate::rewrite::Explanation;

/// The style of the report page.
const STYLE: &str = include_str!("../../../templates/report/style.css");

/// What is shown. The template names these fields and those of the rows.
#[derive(Debug, Template)]
#[template(path = "status/page.html")]
pub struct StatusPage {
    style: &'static str,
    version: &'static str,
    host: &'static str,
    state: &'static str,
    up: String,
    last_minute: u64,
    a_second: String,
    waits: String,
    memory: String,
    connections: String,
    dropped: u64,
    bar: Vec<ResultBar>,
    listeners: Vec<ListenerRow>,
    tables: Vec<CountTable>,
    decisions: Vec<DecisionRow>,
    settings: String,
}

/// A listener.
#[derive(Debug)]
struct ListenerRow {
    socket: String,
    open: u64,
    accepted: u64,
    messages: u64,
    bytes: String,
}

/// What was counted, by its words.
#[derive(Debug)]
struct CountTable {
    title: &'static str,
    rows: Vec<CountedRow>,
}

/// A word that was counted.
#[derive(Debug)]
struct CountedRow {
    word: String,
    /// What it means; empty where there is nothing to say.
    says: String,
    count: u64,
}

/// One of the last decisions.
#[derive(Debug)]
struct DecisionRow {
    ago: String,
    queue_id: String,
    action: &'static str,
    codes: String,
    bytes: String,
    time: String,
}

/// Finds what is to be known of a word.
type Ask = fn(&str) -> Option<&'static Explanation>;

/// The families that are shown by their words, their headings, and who knows the words.
const COUNTED: [(&str, &str, &str, Ask); 6] = [
    ("What became of messages", "septet_messages_total", "action", |_| None),
    ("Changes", "septet_changes_total", "kind", why::change),
    ("Left, and why", "septet_left_total", "reason", why::reason),
    ("Worth a look", "septet_notes_total", "note", why::note),
    ("Defects", "septet_defects_total", "defect", |_| None),
    ("Failures of next hops", "septet_next_hop_errors_total", "reason", |_| None),
];

impl StatusPage {
    /// Collects what there is now, for the page and for [`StatusPage::lines`]; `draining` says that the daemon comes to
    /// its end. Listeners are those of the settings: one that a reload took out is no longer shown.
    pub fn now(metrics: &Metrics, settings: &DaemonSettings, now: Now, draining: bool) -> StatusPage {
        let samples = metrics.samples(now);
        let listeners = settings.config.listeners.iter().map(|listener| {
            let socket = listener.socket.to_string();
            ListenerRow {
                open: samples.where_is("septet_connections", "listener", &socket),
                accepted: samples.where_is("septet_connections_total", "listener", &socket),
                messages: samples.where_is("septet_messages_total", "listener", &socket),
                bytes: octets(samples.where_is("septet_message_bytes_total", "listener", &socket)),
                socket,
            }
        });
        let tables = COUNTED.iter().map(|&(title, family, label, ask)| {
            let rows = samples.by(family, label).into_iter().map(|(word, count)| counted(word, count, ask));
            CountTable { title, rows: rows.collect() }
        });
        let minute = metrics.recent.last_minute();
        // A daemon that is younger than a minute has its rate by its age.
        let seconds = metrics.recent.age().as_secs().clamp(1, 60);
        StatusPage {
            style: STYLE,
            version: env!("CARGO_PKG_VERSION"),
            host: arrival::hostname(),
            state: if draining { "coming to its end" } else { "filtering" },
            up: span(metrics.recent.age()),
            last_minute: minute,
            a_second: format!("{:.1}", minute as f64 / seconds as f64),
            waits: metrics.recent.waits().map_or(String::new(), waits),
            memory: format!("{} of {}", octets(now.memory as u64), octets(now.memory_limit as u64)),
            connections: format!("{} of {}", samples.sum("septet_connections"), now.connection_limit),
            dropped: samples.sum("septet_log_lines_dropped_total"),
            bar: glance::pieces(&samples.by("septet_messages_total", "action")),
            listeners: listeners.collect(),
            tables: tables.filter(|table| !table.rows.is_empty()).collect(),
            decisions: metrics.recent.decisions().iter().map(decision).collect(),
            settings: settings.config.to_toml(&Origins::new()),
        }
    }

    /// Writes the page; none where the template failed, which would be a fault of ours.
    pub fn page(&self) -> Option<String> {
        self.render().ok()
    }
}

/// Makes the row of a word that was counted, with what it means where `ask` knows it.
fn counted(word: String, count: u64, ask: Ask) -> CountedRow {
    let says = ask(&word).map_or(String::new(), |answer| plain(answer.says));
    CountedRow { word, says, count }
}

/// Makes the row of a decision.
fn decision(of: &RecentDecision) -> DecisionRow {
    DecisionRow {
        ago: span(of.at.elapsed()),
        queue_id: of.queue_id.clone(),
        action: of.action,
        codes: of.codes.join(" "),
        bytes: octets(of.bytes as u64),
        time: milliseconds(of.time),
    }
}

/// Says how long the clients of half of all messages waited, and of nearly all.
fn waits((half, most): (Duration, Duration)) -> String {
    format!("half wait {} at most, 99 % {}", milliseconds(half), milliseconds(most))
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

/// Writes a time in two units: `3 s`, `2 min 5 s`, `4 h 12 min`, `9 d 3 h`.
fn span(time: Duration) -> String {
    let (seconds, minutes, hours) = (time.as_secs(), time.as_secs() / 60, time.as_secs() / 3600);
    match (hours, minutes) {
        (0, 0) => format!("{seconds} s"),
        (0, _) => format!("{minutes} min {} s", seconds % 60),
        (..24, _) => format!("{hours} h {} min", minutes % 60),
        _ => format!("{} d {} h", hours / 24, hours % 24),
    }
}

/// Writes a number of octets: `512 B`, `4.0 KiB`, `1.5 MiB`.
fn octets(count: u64) -> String {
    let mut scaled = count as f64;
    for unit in ["B", "KiB", "MiB", "GiB"] {
        if scaled < 1024.0 {
            return if unit == "B" { format!("{count} B") } else { format!("{scaled:.1} {unit}") };
        }
        scaled /= 1024.0;
    }
    format!("{scaled:.1} TiB")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::Settings;

    #[test]
    fn times_and_sizes_are_short() {
        for (seconds, wanted) in [(3, "3 s"), (125, "2 min 5 s"), (15_120, "4 h 12 min"), (788_400, "9 d 3 h")] {
            assert_eq!(span(Duration::from_secs(seconds)), wanted);
        }
        assert_eq!([octets(512), octets(4096), octets(3 << 19)], ["512 B", "4.0 KiB", "1.5 MiB"]);
    }

    #[test]
    fn what_settings_say_is_no_markup() {
        let metrics = Arc::new(Metrics::new().expect("good names"));
        let mut config = Settings::default();
        config.listeners[0].socket = "unix:/tmp/<script>alert(1)</script>".parse().expect("a socket");
        let now = Now { memory: 1, memory_limit: 2, connection_limit: 3 };
        let status = StatusPage::now(&metrics, &DaemonSettings::new(config), now, false);
        let page = status.page().expect("a page");
        assert!(!page.contains("<script") && page.contains("&#60;script"), "{page}");
        assert!(page.contains("<title>septet") && status.lines().starts_with("septet "), "{page}");
    }
}
