//! Lines as the system's log takes them over `/dev/log`: RFC 5424, facility mail, where mail's own log is.

use std::fmt;

use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::registry::LookupSpan;

use super::priority;
use crate::process::arrival;

/// The facility `mail` (RFC 5424 §6.2.1), as it stands in a priority.
const MAIL: u8 = 2 << 3;

/// Writes `<22>1 TIME HOST septet PID - - text`.
#[derive(Debug)]
pub struct Syslog {
    host: &'static str,
    process: u32,
}

impl Syslog {
    /// Makes it for this host and process.
    pub fn new() -> Syslog {
        Syslog { host: arrival::hostname(), process: std::process::id() }
    }
}

impl<S, N> FormatEvent<S, N> for Syslog
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, ctx: &FmtContext<'_, S, N>, mut out: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        write!(out, "<{}>1 ", MAIL + priority(*event.metadata().level()))?;
        SystemTime.format_time(&mut out)?;
        write!(out, " {} septet {} - - ", self.host, self.process)?;
        ctx.format_fields(out.by_ref(), event)?;
        writeln!(out)
    }
}
