//! Where logs go, and the policy of what is logged.
//!
//! Only the rooms around the core log, and one event is one line.
//!
//! | level | what it is for | in the daemon |
//! |---|---|---|
//! | `error` | septet can't do its work, and somebody must act | a listener that can't be opened, a fault of septet's own |
//! | `warn` | something went wrong, the mail went on | a malformed packet, a message over a limit or read in two ways, a refused reload |
//! | `info` | one line a message, and one for start, reload and stop | queue id, message id, result, reasons, time |
//! | `debug` | how it came to that | connections, negotiation, stages |
//! | `trace` | every octet that matters | packets |
//!
//! Values are fields (`queue_id`, `result`), the text is the report's own line. What comes from the mail or a
//! peer is made printable and cut before it is logged, so that nobody can write lines of his own; bodies and
//! whole headers are never logged.
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
//! Nothing waits for a place that takes no lines (`lines.rs`).
//!
//! `SEPTET_LOG`, if it is set, goes before `[log] level` and may hold a filter: `septet=debug`.

mod journal;
mod lines;
mod logfmt;
mod place;
mod said;
mod syslog;

use std::env;
use std::fmt;
use std::fs;
use std::io::{self, IsTerminal as _, stderr};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer, Registry, reload};

use crate::config::{Log, LogFormat};
use crate::process::exit::{Exit, Failure};
use journal::Journal;
use lines::Lines;
pub use lines::dropped;
use logfmt::Logfmt;
use place::Datagrams;
use said::QueueIdFirst;
use syslog::Syslog;

/// How long the end of the process waits for its last lines.
const LAST_LINES: Duration = Duration::from_secs(1);

/// The running log, of which a reload of the settings may change the level.
#[derive(Debug, Clone)]
pub struct Logging {
    filter: reload::Handle<EnvFilter, Registry>,
    lines: Lines,
}

/// Starts logging, once for a process; exit 78 for a bad `SEPTET_LOG`, 69 when the journal or the system's log is asked
/// for and can't be reached.
pub fn start(log: &Log) -> Result<Logging, Failure> {
    let (filter, handle) = reload::Layer::new(filter(log)?);
    let sink = resolve(log.format, stderr_is_journal());
    let lines = lines(sink, &log.syslog_socket)?;
    let layer = layer(sink, lines.clone());
    let started = tracing_subscriber::registry().with(filter).with(layer).try_init();
    started.map_err(|error| Failure::new(Exit::Software, error))?;
    Ok(Logging { filter: handle, lines })
}

impl Logging {
    /// Takes the level of new settings; the format stays until the next start.
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

fn filter(log: &Log) -> Result<EnvFilter, Failure> {
    match wanted() {
        Ok(wanted) => Ok(wanted.unwrap_or_else(|| EnvFilter::new(level_name(log.level)))),
        Err(what) => Err(Failure::new(Exit::BadConfig, format!("environment {VARIABLE}: {what}"))),
    }
}

/// Reads the filter of the environment; none where it says nothing. The error says what is wrong, with a hint.
pub fn wanted() -> Result<Option<EnvFilter>, String> {
    match env::var(VARIABLE) {
        Ok(wanted) if !wanted.trim().is_empty() => match EnvFilter::try_new(&wanted) {
            Ok(filter) => Ok(Some(filter)),
            Err(error) => Err(format!("{wanted:?} is no filter: {error}; write a level, or septet=debug")),
        },
        _ => Ok(None),
    }
}

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

/// Where lines go once `auto` is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sink {
    Text,
    Journal,
    JournalSocket,
    Syslog,
    Json,
    Logfmt,
}

fn resolve(format: LogFormat, stderr_is_journal: bool) -> Sink {
    match format {
        LogFormat::Auto if stderr_is_journal => Sink::Journal,
        LogFormat::Auto | LogFormat::Text => Sink::Text,
        LogFormat::Journald => Sink::JournalSocket,
        LogFormat::Syslog => Sink::Syslog,
        LogFormat::Json => Sink::Json,
        LogFormat::Logfmt => Sink::Logfmt,
    }
}

/// Tells whether stderr is the stream that systemd named in `JOURNAL_STREAM`, as device and inode (systemd.exec(5)).
fn stderr_is_journal() -> bool {
    let stream = env::var("JOURNAL_STREAM").unwrap_or_default();
    fs::metadata("/proc/self/fd/2").is_ok_and(|file| stream == format!("{}:{}", file.dev(), file.ino()))
}

/// A layer over the registry and its filter.
type BoxedLayer<S> = Box<dyn Layer<S> + Send + Sync>;

/// Opens the place where lines go.
fn lines(sink: Sink, syslog: &Path) -> Result<Lines, Failure> {
    let socket = match sink {
        Sink::JournalSocket => Some((PathBuf::from(journal::SOCKET), "the journal's socket")),
        Sink::Syslog => Some((syslog.to_owned(), "the system's log, log.syslog_socket")),
        _ => None,
    };
    let Some((path, what)) = socket else { return started(Lines::new(stderr(), say_lost)) };
    let unreachable = |error| {
        let hint = "log.format = \"text\" needs nobody who listens";
        Failure::new(Exit::Unavailable, format!("{what}, {}, can't be reached: {error}; {hint}", path.display()))
    };
    let place = Datagrams::to(path.clone()).map_err(unreachable)?;
    started(Lines::new(place, say_lost))
}

fn started(lines: io::Result<Lines>) -> Result<Lines, Failure> {
    lines.map_err(|error| Failure::new(Exit::Software, error))
}

fn say_lost(count: u64) {
    tracing::warn!("{count} lines of the log were dropped: nobody took them in time");
}

fn layer<S: Subscriber + for<'a> LookupSpan<'a>>(sink: Sink, lines: Lines) -> BoxedLayer<S> {
    let plain = tracing_subscriber::fmt::layer().with_writer(lines.clone());
    let text = plain.fmt_fields(QueueIdFirst);
    match sink {
        Sink::Text => text.with_target(false).with_ansi(stderr().is_terminal()).boxed(),
        Sink::Journal => text.with_ansi(false).event_format(Prioritised).boxed(),
        Sink::Syslog => text.with_ansi(false).event_format(Syslog::new()).boxed(),
        Sink::JournalSocket => Journal(lines).boxed(),
        Sink::Json => {
            tracing_subscriber::fmt::layer().with_writer(lines).json().flatten_event(true).with_target(false).boxed()
        }
        Sink::Logfmt => text.with_ansi(false).event_format(Logfmt).boxed(),
    }
}

/// Lines as sd-daemon(3) has them: `<6>text field=value`.
#[derive(Debug)]
struct Prioritised;

impl<S, N> FormatEvent<S, N> for Prioritised
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, ctx: &FmtContext<'_, S, N>, mut out: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        write!(out, "<{}>", priority(*event.metadata().level()))?;
        ctx.format_fields(out.by_ref(), event)?;
        writeln!(out)
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
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn auto_goes_to_the_journal_only_when_stderr_is_one() {
        assert_eq!(resolve(LogFormat::Auto, true), Sink::Journal);
        assert_eq!(resolve(LogFormat::Auto, false), Sink::Text);
        assert_eq!(resolve(LogFormat::Text, true), Sink::Text);
        assert_eq!(resolve(LogFormat::Journald, false), Sink::JournalSocket);
    }

    /// What a log has written.
    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Written {
        fn write(&mut self, octets: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("one thread").extend_from_slice(octets);
            Ok(octets.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_for_the_journal_begins_with_its_priority() {
        let written = Written::default();
        let writer = written.clone();
        let layer = tracing_subscriber::fmt::layer().with_ansi(false).fmt_fields(QueueIdFirst);
        let layer = layer.event_format(Prioritised);
        let log = tracing_subscriber::registry().with(layer.with_writer(move || writer.clone()));
        tracing::subscriber::with_default(log, || {
            tracing::info!(queue_id = %"4bX", bytes = 12, "part=1 body");
            tracing::warn!("x");
        });
        let lines = String::from_utf8(written.0.lock().expect("one thread").clone()).expect("UTF-8");
        assert_eq!(lines, "<6>4bX: part=1 body bytes=12\n<4>x\n");
    }
}
