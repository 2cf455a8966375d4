//! What an event says, as text: the message's name in the MTA's queue first, then the text, then the fields.
//!
//! `4bXyZ1: part=1 body charset=utf-7>utf-8 client=mx.example.org[192.0.2.1] …`: who looks for a queue id finds the lines
//! of both by it, the MTA's and septet's.

use std::fmt::{self, Write};

use tracing::field::{Field, Visit};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::Writer;

/// Writes fields in this order.
#[derive(Debug)]
pub struct QueueIdFirst;

impl<'w> FormatFields<'w> for QueueIdFirst {
    fn format_fields<R: RecordFields>(&self, mut out: Writer<'w>, fields: R) -> fmt::Result {
        let mut said = Said::default();
        fields.record(&mut said);
        said.write(&mut out)
    }
}

/// The fields of an event as text.
#[derive(Debug, Default)]
pub struct Said {
    /// The name in the queue; empty where there is none.
    pub queue_id: String,
    /// The text.
    pub message: String,
    /// The other fields, in their order.
    pub fields: Vec<(&'static str, String)>,
}

impl Said {
    /// Writes everything on one line.
    pub fn write(&self, out: &mut impl Write) -> fmt::Result {
        self.write_text(out)?;
        let mut space = if self.queue_id.is_empty() && self.message.is_empty() { "" } else { " " };
        for (name, value) in &self.fields {
            write!(out, "{space}{name}={value}")?;
            space = " ";
        }
        Ok(())
    }

    /// Writes the text, with the name in the queue before it.
    pub fn write_text(&self, out: &mut impl Write) -> fmt::Result {
        match self.queue_id.is_empty() {
            true => out.write_str(&self.message),
            false => write!(out, "{}: {}", self.queue_id, self.message),
        }
    }
}

impl Visit for Said {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let value = format!("{value:?}");
        match field.name() {
            "message" => self.message = value,
            "queue_id" => self.queue_id = value,
            name => self.fields.push((name, value)),
        }
    }
}
