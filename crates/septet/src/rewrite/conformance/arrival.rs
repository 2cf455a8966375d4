//! When and where a message came in: the facts that a Date or a Message-ID is made of.
//!
//! Nothing here looks at a clock. The caller says what it knows, the message's own topmost Received says more, and
//! where neither knows, the field is not made: a date that was made up is worse than none.

use std::borrow::Cow;

use crate::message::Message;
use crate::message::date::{self, date_of, is_month, is_year, is_zone};
use crate::rewrite::Profile;

/// What the caller knows of a message's arrival; nothing, by default.
///
/// Further facts may come: start from the default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arrival {
    /// The time on the clock, in seconds since 1970: for mail that arrives now.
    pub clock: Option<i64>,
    /// The time that the From_ line of a mailbox states, in seconds since 1970.
    pub from_line: Option<i64>,
    /// The name of this host.
    pub host: Option<String>,
    /// A text that no other message has or will have, of letters, digits and dots: what a new Message-ID starts with.
    pub unique: Option<String>,
}

/// The times of From_ lines that say nothing: `Thu Jan  1 00:00:00 1970` of lei and public-inbox, and
/// `Mon Sep 17 00:00:00 2001` of git.
const PLACEHOLDERS: [i64; 2] = [0, 1_000_684_800];

impl Arrival {
    /// Returns the facts of a message of an archive: the time of its From_ line, and nothing else. The dates that lei,
    /// public-inbox and git put in every From_ line say no time.
    pub fn archived(from_line: &[u8]) -> Arrival {
        let from_line = time_of_from_line(from_line).filter(|time| !PLACEHOLDERS.contains(time));
        Arrival { from_line, ..Arrival::default() }
    }

    /// Returns those facts where a profile has a use for them: it makes a missing Date of them. Where nothing is fixed
    /// the From_ line is not even read.
    pub fn archived_for(profile: &Profile, from_line: &[u8]) -> Arrival {
        if profile.conformance.fixes() { Arrival::archived(from_line) } else { Arrival::default() }
    }

    /// Returns the Date for a message that has none that can be read: of its topmost Received, else of its From_ line,
    /// else of the clock; the error says that nobody knows it.
    pub(super) fn date(&self, message: &Message) -> Result<String, &'static str> {
        let stated = topmost_received(message).and_then(|value| date_of_received(&value));
        let told = self.from_line.or(self.clock);
        stated.or_else(|| told.map(|time| date_of(time, "-0000"))).ok_or("nothing says when it came")
    }

    /// Returns a Message-ID for a message that has none; the error says what nobody knows of its arrival. The host is
    /// the caller's, if it is a name, or that which added the topmost Received. Nobody looks at `unique`, which is
    /// written as it stands.
    ///
    /// Without a text of the caller's it is made of the message and the time of its arrival, so that an archive that is
    /// converted twice gets the same twice; messages that are alike and came in the same second get the same one. So
    /// what it is made of must not change from one version of septet to the next.
    pub(super) fn message_id(&self, message: &Message) -> Result<String, &'static str> {
        let named = self.host.as_ref().filter(|host| is_host(host));
        let received = topmost_received(message).unwrap_or_default();
        let host =
            named.map(String::as_str).or_else(|| host_of_received(&received)).ok_or("nothing says where it came")?;
        let unique = match &self.unique {
            Some(unique) => unique.clone(),
            None => format!("{:032x}", hash([self.date(message)?.as_bytes(), message.raw()])),
        };
        Ok(format!("<{unique}.septet@{host}>"))
    }
}

/// Returns the value of the topmost Received, which our own server wrote, or the last one before us; those below it
/// anybody may have written. A name in it may be in any charset; a date and a host are in ASCII.
fn topmost_received<'a>(message: &Message<'a>) -> Option<Cow<'a, str>> {
    let field = message.field(message.parts().first()?, "Received")?;
    Some(String::from_utf8_lossy(message.slice(field.value)))
}

/// Reads the date of a Received, and writes it as RFC 5322 §3.3 has it. None where it is in another form, not of the
/// years 1970 to 9999, or in a zone that has a name other than GMT, UT or UTC.
fn date_of_received(value: &str) -> Option<String> {
    let (_, date) = value.rsplit_once(';')?;
    let words: Vec<&str> = date.split_ascii_whitespace().skip_while(|word| word.ends_with(',')).take(5).collect();
    let [day, month, year, time, zone] = words[..] else { return None };
    let zone = if matches!(zone, "GMT" | "UT" | "UTC") { "+0000" } else { zone };
    date::read([day, month, year, time, zone]).map(|date| date_of(date.to_timestamp_local(), zone))
}

/// Returns the name of the host that a Received says it was added by; none where no word is `by`, or none that can be a
/// host follows the first.
fn host_of_received(value: &str) -> Option<&str> {
    let mut words = value.split_ascii_whitespace();
    words.find(|word| word.eq_ignore_ascii_case("by"))?;
    words.next().map(|host| host.trim_end_matches(';')).filter(|host| is_host(host))
}

/// Returns `true` if a text may stand behind the `@` of a Message-ID as the name of a host: labels of letters, digits
/// and hyphens, with dots between them. It is written into the header as it stands, so nothing else may ever pass.
fn is_host(host: &str) -> bool {
    let is_written = host.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"-.".contains(&octet));
    host.len() <= 253 && is_written && host.split('.').all(|label| !label.is_empty())
}

/// Sums up octets without CRs, so that it is the same with CRLF and with LF (FNV-1a of 128 bits): no secret, but no two
/// messages of an archive have one sum. It stands in Message-IDs that were written, and must stay the one it is.
fn hash<const N: usize>(texts: [&[u8]; N]) -> u128 {
    let octets = texts.into_iter().flatten().filter(|octet| **octet != b'\r');
    octets.fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, |sum, octet| {
        (sum ^ u128::from(*octet)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    })
}

/// Reads the time of a From_ line, `From a@example.org Sat Nov 21 10:00:00 2026` (RFC 4155: UTC), with a zone in digits
/// or without; a zone by name counts as UTC. None where it has no time, or one before 1970. Before it stands what the
/// sender likes, so that the last month counts.
fn time_of_from_line(from_line: &[u8]) -> Option<i64> {
    // Lines of hosts that passed it on may stand behind it.
    let line = from_line.split(|octet| *octet == b'\n').next()?;
    let line = str::from_utf8(line).ok()?;
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let month_at = words.iter().rposition(|word| is_month(word.as_bytes()))?;
    let [month, day, time, behind @ ..] = &words[month_at..] else { return None };
    let year = behind.iter().find(|word| is_year(word.as_bytes()))?;
    let zone = behind.iter().find(|word| is_zone(word.as_bytes())).unwrap_or(&"+0000");
    date::read([day, month, year, time, zone]).map(|date| date.to_timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Limits;

    #[test]
    fn reads_the_time_of_a_from_line() {
        for (line, wanted) in [
            ("From a@example.org Sat Nov 21 10:00:00 2026\n", Some(1_795_255_200)),
            ("From a@example.org Sat Nov 21 10:00:00 2026 +0100\r\n", Some(1_795_251_600)),
            ("From a Sat Nov 21 10:00 -0100 2026", Some(1_795_258_800)),
            ("From Nov Sat Nov  1 10:00:00 2026", Some(1_793_527_200)),
            ("From u Sat Nov 21 10:00:00 2026\n>From a Fri Nov 20 10:00:00 2026 remote from h\n", Some(1_795_255_200)),
            ("From a Fri Dec 31 23:59:59 9999", Some(253_402_300_799)),
            ("From a", None),
            ("From a Sat Nov 99 10:00:00 2026", None),
            ("From a Sat Nov 21 2026", None),
            ("", None),
        ] {
            assert_eq!(time_of_from_line(line.as_bytes()), wanted, "{line}");
        }
    }

    #[test]
    fn reads_received_before_all_else() {
        let raw = b"Received: from a (b) by mx.example.org (x; y); Sun, 22 Nov 2026 7:27:14 +0100 (CET)\n\nx\n";
        let message = Message::read(raw, &Limits::default());
        let arrival = Arrival { clock: Some(0), ..Arrival::default() };
        assert_eq!(arrival.date(&message).as_deref(), Ok("Sun, 22 Nov 2026 07:27:14 +0100"));
        let id = arrival.message_id(&message).expect("an id");
        assert!(id.ends_with(".septet@mx.example.org>") && id.is_ascii(), "{id}");
        assert_eq!(Arrival::default().message_id(&message), Ok(id), "the clock does not count");
        let leap = date_of_received("by x; 31 Dec 2016 23:59:60 +0000");
        assert_eq!(leap.as_deref(), Some("Sun, 01 Jan 2017 00:00:00 +0000"), "the second behind it has its number");
        for odd in [
            "by x; 99 Nov 2026 1:2:3 +0000",
            "by x; 1 Nov 2026 25:00 +0000",
            "by x y",
            "",
            "by x; 1 Nov 2026 1:00 EST",
            "by x; 1 Nov 26 1:00 +0000",
            "by x; 1 Now 2026 1:00 +0000",
            "by x; 1 Nov 2026 1 +0000",
        ] {
            assert_eq!(date_of_received(odd), None, "{odd}");
        }
        for odd in ["by a\u{e9}.b; x", "by", "by <a@b>; x", "from by.example"] {
            assert_eq!(host_of_received(odd), None, "{odd}");
        }
    }

    #[test]
    fn makes_nothing_up() {
        let message = Message::read(b"To: a\n\nx\n", &Limits::default());
        assert!(Arrival::default().date(&message).is_err() && Arrival::default().message_id(&message).is_err());
        let host = Arrival { host: Some("a b>\r\nX: y".to_owned()), clock: Some(0), ..Arrival::default() };
        assert!(host.message_id(&message).is_err());
    }
}
