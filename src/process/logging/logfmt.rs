//! Lines as logfmt: `ts=TIME level=info message="a text" field=value`, for collectors that split at blanks.

use std::fmt::{self, Write};

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::registry::LookupSpan;

/// Writes events as logfmt; a value with a blank, a quote or an equals sign stands in quotes.
#[derive(Debug)]
pub struct Logfmt;

impl<S, N> FormatEvent<S, N> for Logfmt
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, N>, mut out: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        out.write_str("ts=")?;
        SystemTime.format_time(&mut out)?;
        write!(out, " level={}", level(*event.metadata().level()))?;
        let mut fields = Fields { out: out.by_ref(), written: Ok(()) };
        event.record(&mut fields);
        fields.written?;
        out.write_char('\n')
    }
}

/// Writes each field as it comes.
struct Fields<'w> {
    out: Writer<'w>,
    written: fmt::Result,
}

impl Fields<'_> {
    fn write(&mut self, name: &str, value: &str) -> fmt::Result {
        write!(self.out, " {name}=")?;
        write_value(&mut self.out, value)
    }
}

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.written = self.written.and_then(|()| self.write(field.name(), value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.record_str(field, &format!("{value:?}"));
    }
}

fn level(level: Level) -> &'static str {
    match level {
        Level::ERROR => "error",
        Level::WARN => "warn",
        Level::INFO => "info",
        Level::DEBUG => "debug",
        Level::TRACE => "trace",
    }
}

fn write_value(out: &mut impl Write, value: &str) -> fmt::Result {
    let is_plain = |character: char| character > ' ' && !matches!(character, '"' | '=' | '\\' | '\u{7F}'..='\u{9F}');
    match !value.is_empty() && value.chars().all(is_plain) {
        true => out.write_str(value),
        false => write!(out, "{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_what_would_end_a_value() {
        let cases = [
            ("part=1", "\"part=1\""),
            ("one", "one"),
            ("", "\"\""),
            ("a b", "\"a b\""),
            ("\"a\" b \"c\"", "\"\\\"a\\\" b \\\"c\\\"\""),
            ("line\nlevel=error", "\"line\\nlevel=error\""),
            ("back\\slash", "\"back\\\\slash\""),
            ("\u{1b}[31m", "\"\\u{1b}[31m\""),
        ];
        for (value, wanted) in cases {
            let mut out = String::new();
            write_value(&mut out, value).expect("a string takes everything");
            assert_eq!(out, wanted);
        }
    }
}
