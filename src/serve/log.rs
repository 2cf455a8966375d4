//! The one line of a message, which no message can make long: every text in it has a most.

use std::fmt::{self, Write as _};
use std::time::Duration;

use tracing::{Level, error, info, warn};

use super::digest::{Digest, cut};
use super::envelope::Envelope;
use super::outcome::{Details, MessageOutcome};
use crate::process::shown::masked;

/// The octets of a peer's text that a log shows.
const SHOWN: usize = 200;

/// The octets of a client's name that a log shows, so that its address has room behind it.
const NAME: usize = 150;

/// How many decisions a line shows, and the octets of each.
const DECISIONS: (usize, usize) = (10, 300);

/// What a log says of a message beside its outcome.
#[derive(Debug, Default)]
pub struct LogLine<'a> {
    /// Who sends it, and its name in the queue.
    pub envelope: Envelope<'a>,
    /// To how many.
    pub recipients: usize,
    /// Its Message-Id, if the header was shown.
    pub message_id: &'a [u8],
    /// The profile that it got; none when it was skipped.
    pub profile: Option<&'a str>,
    /// Its octets, as shown.
    pub bytes: usize,
    /// From its end to the answer.
    pub time: Duration,
    /// Where it went, where septet forwards.
    pub next_hop: Option<&'a str>,
    /// What the client was told, there.
    pub reply: Option<&'a str>,
    /// Whose refusal that is, where it is one.
    pub refused_by: Option<&'static str>,
}

/// Writes the event: its level has to be known where it stands.
macro_rules! line {
    ($level:ident, $line:expr, $outcome:expr) => {{
        let (line, outcome) = ($line, $outcome);
        let envelope = &line.envelope;
        $level!(
            queue_id = %Printable(envelope.queue_id),
            message_id = %Printable(line.message_id),
            client = %LoggedClient(envelope),
            sender = %format_args!("<{}>", Printable(envelope.sender)),
            recipients = line.recipients,
            profile = line.profile.unwrap_or("none"),
            result = outcome.counted_as(),
            bytes = line.bytes,
            bytes_after = outcome.bytes_after,
            us = u64::try_from(line.time.as_micros()).unwrap_or(u64::MAX),
            next_hop = line.next_hop,
            reply = line.reply.map(plain_text).as_deref(),
            refused_by = line.refused_by,
            "{}",
            summary(outcome)
        )
    }};
}

impl LogLine<'_> {
    /// Logs the message in one event, at the level that its outcome asks for.
    pub fn write(&self, outcome: &MessageOutcome) {
        match outcome.level() {
            Level::ERROR => line!(error, self, outcome),
            Level::WARN => line!(warn, self, outcome),
            _ => line!(info, self, outcome),
        }
    }
}

/// Returns the text of the line: the decisions, of many the first [`DECISIONS`], or why there are none; where there was
/// nothing to decide, the word for what became of the message.
fn summary(outcome: &MessageOutcome) -> String {
    let (shown, octets) = DECISIONS;
    match &outcome.details {
        Details::Report(report) if report.entries.is_empty() => outcome.counted_as().to_owned(),
        Details::Report(report) => {
            let Digest { lines, more } = Digest::of(report, shown, octets);
            let more = (more > 0).then(|| format!("and {more} more"));
            lines.into_iter().chain(more).collect::<Vec<_>>().join("; ")
        }
        Details::Left { text, .. } | Details::Failed(text) => cut(text, octets),
    }
}

/// A client as MTAs write it: `name[address]`, or `unknown[address]` where it has no name, or its address for one.
/// Without an address it is its name, or `local`.
pub struct LoggedClient<'a>(pub &'a Envelope<'a>);

impl fmt::Display for LoggedClient<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0.client_name;
        let shown = Printable(name.get(..NAME).unwrap_or(name));
        match self.0.client_address {
            Some(address) if name.is_empty() || name.starts_with(b"[") => write!(out, "unknown[{address}]"),
            Some(address) => write!(out, "{shown}[{address}]"),
            None if name.is_empty() => out.write_str("local"),
            None => write!(out, "{shown}"),
        }
    }
}

/// Makes a peer's text safe for one line of a log: at most 200 characters of it, with `?` for each that can't be seen
/// and for each quote; spaces stay.
pub fn plain_text(text: &str) -> String {
    text.chars().take(SHOWN).map(|c| if c == ' ' || is_plain(c) { c } else { '?' }).collect()
}

/// Octets of a peer made safe for one line of a log: what can be seen in UTF-8, the rest, blanks included, as `?`; at
/// most 200 octets of them.
#[derive(Debug)]
pub struct Printable<'a>(pub &'a [u8]);

impl fmt::Display for Printable<'_> {
    /// Writes `?` for each octet that is no UTF-8, and for each character that is not plain.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.0.get(..SHOWN).unwrap_or(self.0);
        shown.utf8_chunks().try_for_each(|chunk| {
            write_plain(chunk.valid(), out)?;
            chunk.invalid().iter().try_for_each(|_| out.write_char('?'))
        })
    }
}

/// Writes a text with `?` for each character that is not plain ([`is_plain`]).
fn write_plain(text: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    match text.chars().all(is_plain) {
        true => out.write_str(text),
        false => text.chars().try_for_each(|c| out.write_char(if is_plain(c) { c } else { '?' })),
    }
}

/// Returns `true` if a character can be seen and ends nothing in a line of `name=value` and `"text"`.
fn is_plain(character: char) -> bool {
    !matches!(character, ' ' | '"') && masked(character) == character
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_shown_as_mtas_do() {
        let address = Some("192.0.2.1".parse().expect("an address"));
        for (name, address, shown) in [
            ("mx.example", address, "mx.example[192.0.2.1]"),
            ("", address, "unknown[192.0.2.1]"),
            ("[192.0.2.1]", address, "unknown[192.0.2.1]"),
            (&"x".repeat(250), address, &format!("{}[192.0.2.1]", "x".repeat(150))),
            ("a b", None, "a?b"),
            ("", None, "local"),
        ] {
            let envelope = Envelope { client_name: name.as_bytes(), client_address: address, ..Envelope::default() };
            assert_eq!(LoggedClient(&envelope).to_string(), shown);
        }
    }

    #[test]
    fn a_line_says_something_of_a_message_in_which_nothing_was_to_do() {
        assert_eq!(summary(&MessageOutcome::untouched("unchanged")), "unchanged");
    }

    #[test]
    fn a_line_of_a_log_stays_one_line() {
        assert_eq!(Printable(b"<a\r\nlevel=error \"x\"\xff@y>").to_string(), "<a??level=error??x??@y>");
        assert_eq!(Printable("b\u{fc}cher\u{2028}\u{202e}\u{a0}\u{85}".as_bytes()).to_string(), "b\u{fc}cher????");
        assert_eq!(plain_text("250 2.0.0 \u{fc}\t\"\u{feff}"), "250 2.0.0 \u{fc}???");
        assert_eq!(Printable(&[b'a'; 300]).to_string().len(), SHOWN);
        assert_eq!(Printable(b"").to_string(), "");
    }
}
