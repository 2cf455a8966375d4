//! What septet is doing, as lines of text for a terminal.

use std::fmt::Write as _;

use super::StatusPage;
use crate::process::table::table;

impl StatusPage {
    /// Writes everything but the bar and the settings, in tables of plain text; a table without rows is left out.
    pub fn lines(&self) -> String {
        let mut out = format!(
            "septet {} on {}, {} for {}\n\n{} messages in the last minute, {} a second{}{}\nmemory {}, connections {}\n",
            self.version,
            self.host,
            self.state,
            self.up,
            self.last_minute,
            self.a_second,
            if self.waits.is_empty() { "" } else { "; " },
            self.waits,
            self.memory,
            self.connections
        );
        if self.dropped > 0 {
            // Writing into a string does not fail, here and below.
            let _ = writeln!(out, "{} lines of the log were dropped", self.dropped);
        }
        let listeners = self.listeners.iter().map(|of| {
            [of.socket.clone(), of.open.to_string(), of.accepted.to_string(), of.messages.to_string(), of.bytes.clone()]
        });
        section(&mut out, &["LISTENER", "OPEN", "ACCEPTED", "MESSAGES", "OCTETS"], listeners);
        for counted in &self.tables {
            let rows = counted.rows.iter().map(|of| [of.word.clone(), of.count.to_string()]);
            section(&mut out, &[&counted.title.to_uppercase(), ""], rows);
        }
        let decisions = self
            .decisions
            .iter()
            .map(|of| [&*of.ago, &of.queue_id, of.action, &of.bytes, &of.time, &of.codes].map(str::to_owned));
        section(&mut out, &["AGO", "QUEUE ID", "RESULT", "SIZE", "TIME", "CODES"], decisions);
        out
    }
}

/// Adds a table with its heading, if it has rows.
fn section<const N: usize>(out: &mut String, heading: &[&str; N], rows: impl Iterator<Item = [String; N]>) {
    let rows: Vec<Vec<String>> = rows.map(Vec::from).collect();
    if !rows.is_empty() {
        let heading = heading.iter().map(|&cell| cell.to_owned()).collect();
        let _ = write!(out, "\n{}", table(&[vec![heading], rows].concat()));
    }
}
