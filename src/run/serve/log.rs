//! The one line of a message.

use std::fmt;
use std::time::Duration;

use tracing::{Level, error, info, warn};

use super::outcome::Outcome;

/// The octets of a peer's text that a log shows.
const SHOWN: usize = 200;

/// What a log says of a message beside its outcome.
#[derive(Debug)]
pub struct Line<'a> {
    /// The MTA's name for it.
    pub queue_id: &'a [u8],
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
}

impl Line<'_> {
    /// Logs it.
    pub fn write(&self, outcome: &Outcome) {
        let (queue_id, message_id) = (Printable(self.queue_id), Printable(self.message_id));
        let (profile, bytes, result) = (self.profile.unwrap_or("none"), self.bytes, outcome.action());
        let us = u64::try_from(self.time.as_micros()).unwrap_or(u64::MAX);
        let (details, next_hop, reply) = (&outcome.details, self.next_hop, self.reply.map(plain_text));
        let reply = reply.as_deref();
        match outcome.level() {
            Level::ERROR => error!(%queue_id, %message_id, profile, result, bytes, us, next_hop, reply, "{details}"),
            Level::WARN => warn!(%queue_id, %message_id, profile, result, bytes, us, next_hop, reply, "{details}"),
            _ => info!(%queue_id, %message_id, profile, result, bytes, us, next_hop, reply, "{details}"),
        }
    }
}

/// Makes a peer's text safe for one line of a log: printable ASCII and spaces, the rest as `?`, at most 200.
fn plain_text(text: &str) -> String {
    text.chars().take(SHOWN).map(|c| if c == ' ' || (c.is_ascii_graphic() && c != '"') { c } else { '?' }).collect()
}

/// Octets of a peer made safe for one line of a log: printable ASCII, the rest as `?`, at most 200.
#[derive(Debug)]
pub struct Printable<'a>(pub &'a [u8]);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        let shown = self.0.get(..SHOWN).unwrap_or(self.0);
        match std::str::from_utf8(shown) {
            Ok(text) if shown.iter().copied().all(is_plain) => out.write_str(text),
            _ => shown.iter().try_for_each(|&octet| out.write_char(if is_plain(octet) { octet.into() } else { '?' })),
        }
    }
}

fn is_plain(octet: u8) -> bool {
    octet.is_ascii_graphic() && octet != b'"'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_log_stays_one_line() {
        assert_eq!(Printable(b"<a\r\nlevel=error \"x\"\xff@y>").to_string(), "<a??level=error??x??@y>");
        assert_eq!(Printable(&[b'a'; 300]).to_string().len(), SHOWN);
        assert_eq!(Printable(b"").to_string(), "");
    }
}
