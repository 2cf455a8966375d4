//! The day of a message, as its Date says it: read in one pass over its words, whatever their order.
//!
//! Mail has every form of date there is. A day of the month and a year stand around the name of a month
//! (RFC 5322 §3.3, RFC 850, asctime), or all three are numbers (ISO 8601). Time and zone don't matter here. Years of
//! two and three digits are those of RFC 5322 §4.3. What is before 1970 or after next year is no date of a message.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::message::date::month;

/// A day, or as much of it as a Date says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Day {
    /// The year.
    pub year: u16,
    /// The month, from 1, and its day.
    day: Option<(u8, u8)>,
}

impl fmt::Display for Day {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.day {
            Some((month, day)) => write!(out, "{}-{month:02}-{day:02}", self.year),
            None => write!(out, "{}", self.year),
        }
    }
}

/// Reads the day in the value of a Date; none where it has no year that a message can be of.
pub fn day(value: &[u8]) -> Option<Day> {
    let words = value.split(|octet| !octet.is_ascii_alphanumeric() && *octet != b':');
    let words: Vec<&[u8]> = words.filter_map(without_time).take(8).collect();
    let Some(at) = words.iter().position(|word| month(word).is_some()) else { return iso(&words) };
    let around = [at.checked_sub(1), Some(at + 1), Some(at + 2)];
    let number = |at: Option<usize>| at.and_then(|at| words.get(at)).and_then(|word| number(word));
    let [before, after, later] = around.map(number);
    // `2 Apr 2003`, `Apr 2 10:00:00 2003`, where the time is no word.
    let (of_month, of_year) = match before {
        Some((day, 1..=2)) => (Some(day), after),
        _ => (after.map(|(day, _)| day), later),
    };
    let year = of_year.and_then(|(value, digits)| full_year(value, digits))?;
    let of_month = of_month.and_then(|day| u8::try_from(day).ok()).filter(|day| (1..=31).contains(day));
    Some(Day { year, day: month(words.get(at)?).zip(of_month) })
}

/// Takes the time out: `10:00:00` is no word, and of `02T10:00:00Z` the day is.
fn without_time(word: &[u8]) -> Option<&[u8]> {
    let end = if word.contains(&b':') { word.iter().position(|octet| *octet == b'T')? } else { word.len() };
    word.get(..end).filter(|word| !word.is_empty())
}

/// Reads a date in numbers, `2003 04 02`; the year alone counts where the others are none.
fn iso(words: &[&[u8]]) -> Option<Day> {
    let [year, rest @ ..] = words else { return None };
    let year = number(year).filter(|(_, digits)| *digits == 4).and_then(|(value, digits)| full_year(value, digits))?;
    let small = |at: usize, most| {
        let digits = rest.get(at).and_then(|word| word.get(..word.len().min(2))).and_then(number);
        digits.and_then(|(value, _)| u8::try_from(value).ok()).filter(|value| (1..=most).contains(value))
    };
    Some(Day { year, day: small(0, 12).zip(small(1, 31)) })
}

/// Reads a number of at most four digits, and how many it has.
fn number(word: &[u8]) -> Option<(u32, usize)> {
    let digits = str::from_utf8(word).ok().filter(|word| word.len() <= 4)?;
    digits.bytes().all(|octet| octet.is_ascii_digit()).then(|| digits.parse().ok())?.zip(Some(digits.len()))
}

/// Returns the year that is meant by two, three or four digits (RFC 5322 §4.3); none before 1970 or after the next
/// year.
fn full_year(value: u32, digits: usize) -> Option<u16> {
    let year = match digits {
        2 if value < 50 => 2000 + value,
        2 | 3 => 1900 + value,
        4 => value,
        _ => return None,
    };
    u16::try_from(year).ok().filter(|year| (1970..=this_year() + 1).contains(year))
}

fn this_year() -> u16 {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    // The mean year of the Gregorian calendar.
    1970 + u16::try_from(seconds / 31_556_952).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_is_read_in_every_form() {
        for (value, wanted) in [
            ("Wed, 2 Apr 2003 10:00:00 +0200", "2003-04-02"),
            (" 02 Apr 03 10:00 EST", "2003-04-02"),
            ("Wednesday, 02-Apr-97 10:00:00 GMT", "1997-04-02"),
            ("Wed Apr  2 10:00:00 2003", "2003-04-02"),
            ("Wed Apr  2 10:00:00 EST 2003", ""),
            ("2 Apr 103 10:00:00 -0000", "2003-04-02"),
            ("2003-04-02T10:00:00Z", "2003-04-02"),
            ("2003", "2003"),
            ("Thu, 99 Dec 2003", "2003"),
            ("Wed, 2 April 2003", "2003-04-02"),
            ("Wed, 2 Apr 1903 10:00:00", ""),
            ("Wed, 2 Apr 9999 10:00:00", ""),
            ("Tue, 19 Jan 2038 03:14:07", ""),
            ("", ""),
            ("Apr", ""),
            ("::::", ""),
            ("\u{202e}", ""),
        ] {
            let got = day(value.as_bytes()).map(|day| day.to_string()).unwrap_or_default();
            assert_eq!(got, wanted, "{value}");
        }
    }
}
