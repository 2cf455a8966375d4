//! Where logs go, and the policy of what is logged.
//!
//! The library logs nothing, and one event is one line.
//!
//! | level | what it is for | in the daemon |
//! |---|---|---|
//! | `error` | septet can't do its work, and somebody must act | a listener that can't be opened, a fault of its own |
//! | `warn` | something went wrong, the mail went on | a malformed packet, a message over a limit, a refused reload |
//! | `info` | one line a message, and one for start, reload and stop | queue id, message id, result, reasons, time |
//! | `debug` | how it came to that | connections, negotiation, stages |
//! | `trace` | every octet that matters | packets |
//!
//! Values are fields (`queue_id`, `result`), the text is the report's own line. Whatever is logged, and by whom, is
//! made printable and cut at one place (`said.rs`) before a format writes it, so that nobody can write lines of his
//! own, and none has 8 KiB; bodies and whole headers are never logged.
//!
//! | `[log] format` | where |
//! |---|---|
//! | `auto` | as systemd's journal likes it when stderr is the journal, else as `text` |
//! | `text`, `logfmt`, `json` | stderr |
//! | `journald` | the journal's own socket, with each field searchable as `SEPTET_…` |
//! | `syslog` | the system's log, as RFC 5424, facility mail |
//!
//! For the journal on stderr a line begins with its priority, `<6>`, and has no time (sd-daemon(3)): so
//! `journalctl -u septet` shows all of it. Over the journal's socket it shows the text alone, and the fields
//! with `-o verbose`.
//!
//! Nothing waits for a stream or a socket that takes no lines (`lines.rs`).
//!
//! `SEPTET_LOG`, if it is set, goes before `[log] level` and may hold a filter: `septet=debug`.

mod journal;
mod json;
mod lines;
mod logfmt;
mod said;
mod syslog;
mod target;
mod text;

use std::env;
use std::fs;
use std::io::{IsTerminal as _, stderr};
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::time::Duration;

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer, Registry, reload};

use crate::config::{Log, LogFormat};
use crate::process::exit::{Exit, Failure};
use lines::LogLines;
pub use lines::dropped;
use said::LogEvent;
use target::Datagrams;

/// How long the end of the process waits for its last lines.
const LAST_LINES: Duration = Duration::from_secs(1);

/// The running log, of which a reload of the settings may change the level.
#[derive(Debug, Clone)]
pub struct Logging {
    filter: reload::Handle<EnvFilter, Registry>,
    lines: LogLines,
}

/// Starts logging, once for a process; exit 78 for a bad `SEPTET_LOG`, 69 when the journal or the system's log is asked
/// for and can't be reached, 70 where it can't start, as the second time.
pub fn start(log: &Log) -> Result<Logging, Failure> {
    let (filter, handle) = reload::Layer::new(filter(log)?);
    let (format, socket) = sink(log, stderr_is_journal());
    let lines = lines(socket)?;
    let layer = LogLayer { format, lines: lines.clone() };
    let started = tracing_subscriber::registry().with(filter).with(layer).try_init();
    started.map_err(|error| Failure::new(Exit::Software, error))?;
    Ok(Logging { filter: handle, lines })
}

impl Logging {
    /// Takes the level of new settings, over which `SEPTET_LOG` still goes; the format stays until the next start.
    /// After a failure, as of a bad `SEPTET_LOG` (78), the level is the one of before.
    pub fn reload(&self, log: &Log) -> Result<(), Failure> {
        self.filter.reload(filter(log)?).map_err(|error| Failure::new(Exit::Software, error))
    }

    /// Waits until the last line is written, but not for long.
    pub fn end(&self) {
        self.lines.settle(LAST_LINES);
    }
}

/// The variable that goes before `[log] level`.
pub const VARIABLE: &str = "SEPTET_LOG";

/// Returns the filter of the environment, or else of the settings; a bad one of the environment is exit 78.
fn filter(log: &Log) -> Result<EnvFilter, Failure> {
    match filter_from_env() {
        Ok(filter) => Ok(filter.unwrap_or_else(|| EnvFilter::new(level_name(log.level)))),
        Err(what) => Err(Failure::new(Exit::BadConfig, format!("environment {VARIABLE}: {what}"))),
    }
}

/// Reads the filter of the variable [`VARIABLE`]; none where it is unset, empty or not UTF-8. The error says what is
/// wrong, with a hint.
pub fn filter_from_env() -> Result<Option<EnvFilter>, String> {
    match env::var(VARIABLE) {
        Ok(wanted) if !wanted.trim().is_empty() => match EnvFilter::try_new(&wanted) {
            Ok(filter) => Ok(Some(filter)),
            Err(error) => Err(format!("{wanted:?} is not a valid filter: {error}; write a level, or septet=debug")),
        },
        _ => Ok(None),
    }
}

/// Returns a level of the settings as a filter names it.
fn level_name(level: crate::config::Level) -> &'static str {
    use crate::config::Level as L;
    match level {
        L::Error => "error",
        L::Warn => "warn",
        L::Info => "info",
        L::Debug => "debug",
        L::Trace => "trace",
    }
}

/// The socket of a log, and what it is to people.
type LogSocket = (PathBuf, &'static str);

/// Returns the function that writes lines of a format, and the socket that they go to; none where they go to stderr.
/// What `auto` is depends on whether stderr is the journal; lines for people are coloured where it is a terminal. The
/// journal has its own socket.
fn sink(log: &Log, stderr_is_journal: bool) -> (Format, Option<LogSocket>) {
    match log.format {
        LogFormat::Auto if stderr_is_journal => (text::prioritised, None),
        LogFormat::Auto | LogFormat::Text if stderr().is_terminal() => (text::coloured, None),
        LogFormat::Auto | LogFormat::Text => (text::plain, None),
        LogFormat::Json => (json::write, None),
        LogFormat::Logfmt => (logfmt::write, None),
        LogFormat::Journald => (journal::write, Some((PathBuf::from(journal::SOCKET), "the journal's socket"))),
        LogFormat::Syslog => (syslog::write, Some((log.syslog_socket.clone(), "the system's log, log.syslog_socket"))),
    }
}

/// Returns `true` if stderr is the stream that systemd named in `JOURNAL_STREAM`, as device and inode
/// (systemd.exec(5)).
fn stderr_is_journal() -> bool {
    let stream = env::var("JOURNAL_STREAM");
    stream.is_ok_and(|stream| {
        fs::metadata("/proc/self/fd/2").is_ok_and(|file| stream == format!("{}:{}", file.dev(), file.ino()))
    })
}

/// Opens what lines go to, a socket or else stderr, and starts the thread that writes them. Exit 69 where a socket
/// can't be reached, 70 where the thread can't be started.
fn lines(socket: Option<LogSocket>) -> Result<LogLines, Failure> {
    let started = match socket {
        None => LogLines::new(stderr(), say_lost),
        Some((path, what)) => {
            let connected = Datagrams::connect(path.clone()).map_err(|error| {
                let hint = "log.format = \"text\" needs nobody who listens";
                let said = format!("{what}, {}, can't be reached: {error}; {hint}", path.display());
                Failure::new(Exit::Unavailable, said)
            });
            LogLines::new(connected?, say_lost)
        }
    };
    started.map_err(|error| Failure::new(Exit::Software, error))
}

/// Logs how many lines were dropped.
fn say_lost(count: u64) {
    tracing::warn!("{count} lines of the log were dropped: nobody took them in time");
}

/// How a format writes an event into an empty text: a line with its end, or for the journal the lines of a datagram.
type Format = fn(Level, &LogEvent, &mut String);

/// A layer that writes every event in one format: the way of whatever is logged.
struct LogLayer {
    format: Format,
    lines: LogLines,
}

impl<S: Subscriber> Layer<S> for LogLayer {
    /// Writes an event, made safe, and queues the line without waiting for it to be written.
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut line = String::new();
        (self.format)(*event.metadata().level(), &LogEvent::of(event), &mut line);
        self.lines.queue(line.as_bytes());
    }
}

/// Returns the priority of syslog(3) that a level has.
fn priority(level: Level) -> u8 {
    match level {
        Level::ERROR => 3,
        Level::WARN => 4,
        Level::INFO => 6,
        Level::DEBUG | Level::TRACE => 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_goes_to_the_journal_only_when_stderr_is_one() {
        for (format, is_journal, start) in [
            (LogFormat::Auto, true, "<6>"),
            (LogFormat::Auto, false, "20"),
            (LogFormat::Text, true, "20"),
            (LogFormat::Journald, false, "PRIORITY=6\n"),
        ] {
            let line = logged(sink(&Log { format, ..Log::default() }, is_journal).0, || tracing::info!("x"));
            assert!(line.trim_start_matches("\x1b[2m").starts_with(start), "{line}");
        }
    }

    /// What others may say, to end a line or a value, drive a terminal, or turn the reading direction; and much of it.
    const HOSTILE: &str =
        "\x1b[31m\x07\r\n<0>level=error\u{9b}2J\u{202e}\u{2028}\u{85}\u{a0}\u{3000}\"x\" a=\\ \u{301}\u{1f600}\0";

    const FORMATS: [(&str, Format); 7] = [
        ("<6>", text::prioritised),
        ("20", text::plain),
        ("\x1b[2m20", text::coloured),
        ("PRIORITY=6\n", journal::write),
        ("<22>1 20", syslog::write),
        ("{\"timestamp\":\"20", json::write),
        ("ts=20", logfmt::write),
    ];

    /// Logs in a format, and returns what is written.
    fn logged(format: Format, log: impl FnOnce()) -> String {
        let (sender, written) = std::sync::mpsc::channel();
        let lines = LogLines::new(CapturedLines(sender), |_| {}).expect("a thread");
        let layer = LogLayer { format, lines: lines.clone() };
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), log);
        lines.settle(Duration::from_secs(30));
        String::from_utf8(written.try_iter().flatten().collect()).expect("UTF-8")
    }

    /// A place that keeps what it is given.
    struct CapturedLines(std::sync::mpsc::Sender<Vec<u8>>);

    impl target::LogTarget for CapturedLines {
        fn write(&mut self, lines: &[u8], _: &[usize]) -> usize {
            self.0.send(lines.to_vec()).expect("the test listens");
            0
        }
    }

    #[test]
    fn whatever_is_logged_is_one_visible_line_of_some_length() {
        let long = HOSTILE.repeat((64 << 10) / HOSTILE.len());
        for text in [HOSTILE, &long, &"\u{1f600}".repeat(64 << 10), &"\"\\".repeat(32 << 10)] {
            for (start, format) in FORMATS {
                let line = logged(format, || {
                    tracing::info!(
                        queue_id = %text, word = %text, debug = ?text, quoted = text, number = 12_u64, none = None::<u64>,
                        a = %text, b = %text, c = %text, d = %text, e = text, f = text, g = text, h = ?text, i = text,
                        "{text}"
                    );
                });
                let body = line.strip_prefix(start).expect(start);
                let lines = if start.contains('\n') { 16 } else { 1 };
                assert_eq!(body.matches('\n').count(), lines, "{start}{body}");
                assert!(line.len() <= 8192, "{start} {}", line.len());
                let colours = body.replace("\x1b[0m", "").replace("\x1b[32m", "");
                let hidden =
                    |c: char| c != '\n' && c != ' ' && (c.is_whitespace() || crate::process::shown::is_hidden(c));
                assert!(!colours.contains(hidden), "{start}{body}");
            }
        }
    }

    #[test]
    fn no_value_is_longer_than_a_line_of_some_length() {
        for (start, format) in FORMATS {
            let line = logged(format, || tracing::info!(sender = %"x".repeat(70_000), reply = "y".repeat(201), "z"));
            assert!(
                line.contains(&format!("{}...", "x".repeat(197))) && !line.contains(&"x".repeat(198)),
                "{start}: {line}"
            );
            assert!(
                line.contains(&format!("{}...", "y".repeat(197))) && !line.contains(&"y".repeat(198)),
                "{start}: {line}"
            );
        }
    }

    #[test]
    fn a_line_in_json_is_json() {
        let line = logged(json::write, || {
            tracing::info!(queue_id = %"4bX", bytes = 12_usize, ok = true, reply = HOSTILE, "{HOSTILE}");
        });
        let read: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!((&read["queue_id"], &read["bytes"], &read["ok"]), (&"4bX".into(), &12.into(), &true.into()));
        assert_eq!(read["reply"], "?[31m???<0>level=error?2J?????\"x\" a=\\ \u{301}\u{1f600}?");
        assert_eq!(read["reply"], read["message"]);
    }

    #[test]
    fn a_line_for_the_journal_begins_with_its_priority() {
        let lines = logged(text::prioritised, || {
            tracing::info!(queue_id = %"4bX", bytes = 12, "part=1 body");
            tracing::warn!("x");
            tracing::info!(queue_id = %"4bX", client = %"a b", "");
        });
        assert_eq!(lines, "<6>4bX: part=1 body bytes=12\n<4>x\n<6>4bX: client=\"a b\"\n");
    }
}
