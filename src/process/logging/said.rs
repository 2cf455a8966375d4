//! What an event says, whoever logged it, made safe for every format at one place.
//!
//! Whatever is logged goes through [`LogEvent`], and so has these bounds: a character that shows nothing of its own,
//! drives a terminal, ends a line or turns the reading direction stands as `?`, as does a blank but U+0020; a value has
//! [`VALUE`] characters at most, the text [`TEXT`]; and all of it together has [`ROOM`] octets, so that no line of any
//! format comes to 8 KiB. What is cut ends with `...`.
//!
//! As text the message's name in the MTA's queue goes first, then the text, then the fields: `4bXyZ1: part=1 body
//! charset=utf-7>utf-8 client=mx.example.org[192.0.2.1] …`: who looks for a queue id finds the lines of both by it, the
//! MTA's and septet's.

use std::fmt;

use tracing::field::{Field, Visit};

use crate::process::shown::masked;

/// How many characters a value has at most.
const VALUE: usize = 200;

/// How many characters the text has at most: ten decisions of a message.
const TEXT: usize = 3200;

/// How many octets text and values have together at most, as a format writes them that puts `\` before a quote. The
/// names of fields and what a format adds have the rest of 8 KiB.
const ROOM: usize = 6000;

/// What stands behind what was cut.
const CUT: &str = "...";

/// An event, safe for a line of any format.
#[derive(Debug)]
pub struct LogEvent {
    /// The name in the queue; empty where there is none.
    pub queue_id: String,
    /// The text.
    pub message: String,
    /// The other fields, in their order.
    pub fields: Vec<(&'static str, LogValue)>,
    /// The octets that are left for more.
    room: usize,
}

/// A value of a field.
#[derive(Debug, PartialEq, Eq)]
pub enum LogValue {
    /// A number or a truth, as JSON has it too, unless it was cut for want of room.
    Number(String),
    /// A text that shows itself.
    Word(String),
    /// A text that stands in quotes where text and fields share a line.
    Quoted(String),
}

impl Default for LogEvent {
    fn default() -> LogEvent {
        LogEvent { queue_id: String::new(), message: String::new(), fields: Vec::new(), room: ROOM }
    }
}

impl LogEvent {
    /// Takes what an event says.
    pub fn of(event: &tracing::Event<'_>) -> LogEvent {
        let mut said = LogEvent::default();
        event.record(&mut said);
        said
    }

    /// Writes the text and each field as `name=value` behind what `out` has already, with a blank before a field that
    /// follows anything; no line end.
    pub fn write(&self, out: &mut String) {
        self.write_text(out);
        for (name, value) in &self.fields {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
            out.push_str(name);
            out.push('=');
            value.write(out);
        }
    }

    /// Writes the text, with the name in the queue before it.
    pub fn write_text(&self, out: &mut String) {
        if !self.queue_id.is_empty() {
            out.push_str(&self.queue_id);
            out.push_str(if self.message.is_empty() { ":" } else { ": " });
        }
        out.push_str(&self.message);
    }

    /// Returns every field with its value, the text not among them.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let queue_id = (!self.queue_id.is_empty()).then_some(("queue_id", &*self.queue_id));
        queue_id.into_iter().chain(self.fields.iter().map(|(name, value)| (*name, value.as_str())))
    }

    /// Takes one field, made safe: the text and the name in the queue to their places, any other to the end of the
    /// list. Each takes up room, so that of an event that says too much the fields that are recorded last are cut.
    fn take(&mut self, field: &Field, text: &str, value: fn(String) -> LogValue) {
        match field.name() {
            "message" => self.message = self.safe(text, TEXT),
            "queue_id" => self.queue_id = self.safe(text, VALUE),
            // Where a line of a library stands in its sources is of no use to an operator.
            name if name.starts_with("log.") => {}
            name => {
                let value = value(self.safe(text, VALUE));
                self.fields.push((name, value));
            }
        }
    }

    /// Makes a text safe: cuts it to `most` characters and to the room that is left, of which it then takes its part. A
    /// quote or a backslash takes two octets, as formats write it.
    fn safe(&mut self, text: &str, most: usize) -> String {
        let room = self.room.saturating_sub(CUT.len());
        // Most texts are short and plain ASCII.
        if text.len() <= most.min(room)
            && text.bytes().all(|octet| matches!(octet, b' '..=b'~') && !b"\"\\".contains(&octet))
        {
            self.room = room - text.len();
            return text.to_owned();
        }
        let is_long = text.chars().nth(most).is_some();
        let most = if is_long { most - CUT.len() } else { most };
        let (mut out, mut octets) = (String::new(), 0);
        for character in text.chars().take(most).map(masked) {
            octets += if matches!(character, '"' | '\\') { 2 } else { character.len_utf8() };
            if octets > room {
                break;
            }
            out.push(character);
        }
        if is_long || octets > room {
            out.push_str(CUT);
        }
        self.room = room.saturating_sub(octets);
        out
    }
}

impl Visit for LogEvent {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.take(field, value, LogValue::Quoted);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.take(field, &format!("{value:?}"), LogValue::Word);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.take(field, &value.to_string(), LogValue::Number);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.take(field, &value.to_string(), LogValue::Number);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.take(field, &value.to_string(), LogValue::Number);
    }
}

impl LogValue {
    /// Returns it as it is.
    pub fn as_str(&self) -> &str {
        match self {
            LogValue::Number(text) | LogValue::Word(text) | LogValue::Quoted(text) => text,
        }
    }

    /// Writes it for a person: a text in quotes where it has a blank or a quote, or where it always has them.
    fn write(&self, out: &mut String) {
        match self {
            LogValue::Quoted(text) => quote(text, out),
            // Unlike logfmt this is for people: an equals sign or a backslash needs no quotes.
            LogValue::Word(text) if text.contains([' ', '"']) => quote(text, out),
            LogValue::Number(text) | LogValue::Word(text) => out.push_str(text),
        }
    }
}

/// Writes a text, which must have no control character, in quotes, with `\` before those in it and before itself.
pub fn quote(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        if matches!(character, '"' | '\\') {
            out.push('\\');
        }
        out.push(character);
    }
    out.push('"');
}

/// Writes the time that it is now as RFC 3339 has it, in UTC.
pub fn write_now(out: &mut String) {
    use tracing_subscriber::fmt::format::Writer;
    use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
    // A string takes everything.
    let _ = SystemTime.format_time(&mut Writer::new(out));
}
