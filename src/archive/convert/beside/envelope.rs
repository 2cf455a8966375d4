//! What a message by itself does not have and a mailbox file wants of it: a From_ line (RFC 4155, appendix A).

use crate::message::date::asctime;
use crate::message::{Limits, LineEnd, Message};
use crate::process::sender::sender_of;

use super::fields::header;

/// The last second that a year of four digits has.
const LAST: i64 = 253_402_300_799;

/// The octets of a date that are read.
const LONGEST: usize = 200;

/// Returns the time at which a message arrived as it says itself, in seconds since 1970: that of its topmost Received,
/// else its Date. None where neither can be read.
pub fn stated_time(message: &[u8], limits: &Limits) -> Option<i64> {
    let view = Message::read(header(message), limits);
    let value = |name: &str| Some(view.slice(view.field(view.parts().first()?, name)?.value));
    let received = value("Received").and_then(|value| value.rsplit(|&octet| octet == b';').next());
    received.and_then(seconds).or_else(|| value("Date").and_then(seconds))
}

/// Reads a date, in seconds since 1970; none where it can't be read, or is no time between 1970 and the year 9999.
fn seconds(date: &[u8]) -> Option<i64> {
    let date = str::from_utf8(date.get(..date.len().min(LONGEST))?).ok()?;
    let date = mail_parser::DateTime::parse_rfc822(date)?;
    Some(date.to_timestamp()).filter(|time| (0..=LAST).contains(time))
}

/// Makes the From_ line of a message that has none: its sender as Return-Path says it, or `MAILER-DAEMON`
/// where that is no single word, and a time in UTC.
pub fn from_line(message: &[u8], time: i64, limits: &Limits) -> Vec<u8> {
    let view = Message::read(header(message), limits);
    let path = view.parts().first().and_then(|part| view.field(part, "Return-Path"));
    let path = path.map(|field| (&b"Return-Path"[..], view.slice(field.value)));
    let sender = path.and_then(|path| sender_of(&[path], b"").map(|sender| sender.into_owned()));
    let is_word =
        |sender: &String| !sender.is_empty() && sender.chars().all(|it| !it.is_whitespace() && !it.is_control());
    let sender = sender.filter(is_word).unwrap_or_else(|| "MAILER-DAEMON".to_owned());
    [format!("From {sender} {}", asctime(time.clamp(0, LAST))).as_bytes(), LineEnd::of(message).as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::Arrival;

    #[test]
    fn a_from_line_says_sender_and_time() {
        for (message, time, wanted) in [
            ("Return-Path: <a@example.org>\n\nx\n", 1_167_609_600, "From a@example.org Mon Jan  1 00:00:00 2007\n"),
            ("Return-Path: <>\r\n\r\nx\r\n", 951_782_400, "From MAILER-DAEMON Tue Feb 29 00:00:00 2000\r\n"),
            ("Return-Path: <\"a b\"@c>\n\n", 0, "From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n"),
            ("", i64::MAX, "From MAILER-DAEMON Fri Dec 31 23:59:59 9999\n"),
        ] {
            let line = from_line(message.as_bytes(), time, &Limits::default());
            assert_eq!(String::from_utf8_lossy(&line), wanted);
            let read = Some(time.min(LAST)).filter(|time| *time > 0);
            assert_eq!(Arrival::archived(&line).from_line, read, "{wanted}");
        }
    }

    #[test]
    fn received_says_more_than_date() {
        let date = "Date: Mon, 1 Jan 2007 01:00:00 +0100\n";
        let received = "Received: by b; Tue, 2 Jan 2007 00:00:00 +0000 (UTC)\n";
        for (message, wanted) in [
            (format!("{received}{date}\nx"), Some(1_167_696_000)),
            (format!("{date}\nx"), Some(1_167_609_600)),
            (format!("Received: by b\n{date}\nx"), Some(1_167_609_600)),
            ("Date: never\n\nx".to_owned(), None),
            ("\nDate: Mon, 1 Jan 2007 01:00:00 +0100\n".to_owned(), None),
        ] {
            assert_eq!(stated_time(message.as_bytes(), &Limits::default()), wanted, "{message:?}");
        }
    }
}
