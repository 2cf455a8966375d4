//! Dates: the names in them, what their words look like, and how they are read and written.
//!
//! Mail writes dates in many ways, and mail programs read most of them. Whether a person can read one is
//! [`is_readable`]; what time it says, where it is written as RFC 5322 §3.3 has it, is [`read`].

use mail_parser::DateTime;

/// The names of the months in a date (RFC 5322 §3.3), from January on.
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The names of the days, from Sunday on.
const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/// Returns the month, from 1, with whose name a word begins, in any case of letters; none for any other word.
pub fn month(word: &[u8]) -> Option<u8> {
    let start = word.get(..3)?;
    MONTHS.iter().zip(1..).find(|(name, _)| name.as_bytes().eq_ignore_ascii_case(start)).map(|(_, month)| month)
}

/// Returns `true` if a word is the name of a month as [`MONTHS`] writes it, in that case of letters.
pub fn is_month(word: &[u8]) -> bool {
    MONTHS.iter().any(|name| name.as_bytes() == word)
}

/// Returns `true` if a word is the name of a day as [`DAYS`] writes it, a comma behind it or not.
pub fn is_weekday(word: &[u8]) -> bool {
    let word = word.strip_suffix(b",").unwrap_or(word);
    DAYS.iter().any(|name| name.as_bytes() == word)
}

/// Returns `true` if a word is `h:mm`, `hh:mm` or one of them with seconds, a date as `2007-01-01T` before it or a `Z`
/// behind; neither whether there is such a time nor what stands before the `T` is asked.
pub fn is_time_of_day(word: &[u8]) -> bool {
    let word = word.split(|&octet| octet == b'T').next_back().unwrap_or(word);
    let word = word.strip_suffix(b"Z").unwrap_or(word);
    let mut fields = word.split(|&octet| octet == b':');
    let hours = fields.next().is_some_and(|field| matches!(field.len(), 1 | 2) && is_digits(field));
    let rest = fields.clone().count();
    hours && matches!(rest, 1 | 2) && fields.all(|field| field.len() == 2 && is_digits(field))
}

/// Returns `true` for a year in four digits.
pub fn is_year(word: &[u8]) -> bool {
    word.len() == 4 && is_digits(word)
}

/// Returns `true` for a zone in digits, `+0100`.
pub fn is_zone(word: &[u8]) -> bool {
    matches!(word, [b'+' | b'-', digits @ ..] if digits.len() == 4 && is_digits(digits))
}

/// Returns `true` if a word has nothing but digits, or nothing at all.
pub fn is_digits(word: &[u8]) -> bool {
    word.iter().all(u8::is_ascii_digit)
}

/// Reads a date by its words: a day, a month by its name, a year in four digits, a time of day, with seconds or
/// without, and a zone in digits. None where they are no such words, or before 1970. A day that the month does not have
/// counts on into the next one.
pub fn read(words: [&str; 5]) -> Option<DateTime> {
    let [_, name, year, time, zone] = words;
    let has_form = year.len() == 4 && time.contains(':') && is_zone(zone.as_bytes());
    let is_month = name.len() == 3 && month(name.as_bytes()).is_some();
    DateTime::parse_rfc822(&words.join(" ")).filter(|date| has_form && is_month && is_time(date))
}

/// Returns `true` if the numbers of a date are some that calendars and clocks have, from 1970 on: mail-parser takes
/// any. A leap second may end a day (RFC 5322 §3.3).
fn is_time(date: &DateTime) -> bool {
    (1..=31).contains(&date.day) && date.hour < 24 && date.minute < 60 && date.second <= 60 && date.year >= 1970
}

/// Writes a time as a date (RFC 5322 §3.3): `seconds` count from 1970 on the clock of the zone, and not in UTC. The
/// zone is written as it comes; a year is right from 0 to 65535, all that mail-parser keeps of one.
pub fn date_of(seconds: i64, zone: &str) -> String {
    let date = DateTime::from_timestamp(seconds);
    let DateTime { year, day, hour, minute, second, .. } = date;
    let (name, month) = names_of(&date);
    format!("{name}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} {zone}")
}

/// Writes a time as asctime(3) does, `Mon Jan  1 00:00:00 2007`: `seconds` count from 1970 in UTC. Years are right as
/// far as those of [`date_of`].
pub fn asctime(seconds: i64) -> String {
    let date = DateTime::from_timestamp(seconds);
    let DateTime { year, day, hour, minute, second, .. } = date;
    let (name, month) = names_of(&date);
    format!("{name} {month} {day:>2} {hour:02}:{minute:02}:{second:02} {year:04}")
}

/// Returns the names of the day and the month of a date.
fn names_of(date: &DateTime) -> (&'static str, &'static str) {
    (DAYS[usize::from(date.day_of_week())], MONTHS[usize::from(date.month) - 1])
}

/// Returns `true` if a person can read a date in the value of a Date: a day, a month, a year and a time of day, in any
/// order and as far as their form tells (RFC 5322 §4.3); whether there is such a day is not asked. An empty value is no
/// date, nor is a text, or a template that nobody filled in.
pub fn is_readable(value: &[u8]) -> bool {
    let text = String::from_utf8_lossy(value).to_ascii_lowercase();
    let words: Vec<&str> = text
        .split(|it: char| it.is_whitespace() || matches!(it, ',' | '(' | ')'))
        .filter(|it| !it.is_empty())
        .collect();
    // Of `2026-11-21T10:00:00` the time stands behind the `T`, and of `10:00:00GMT` before it.
    let has_time = words.iter().any(|word| word.split('t').any(has_time));
    let numbers = words.iter().flat_map(|word| word.split(['-', '/', '.'])).filter(|it| is_number(it)).count();
    let has_month = words.iter().flat_map(|word| word.split(['-', '/', '.'])).any(|it| month(it.as_bytes()).is_some());
    has_time && (has_month && numbers >= 2 || words.iter().any(|word| is_date_of_numbers(word)))
}

/// Returns `true` for a date without the name of a month: 2026-11-21, 21.11.2026, 11/21/2026, perhaps with a `T` and a
/// time behind. Which number is which, and how great each is, is not asked.
fn is_date_of_numbers(word: &str) -> bool {
    let date = word.split('t').next().unwrap_or(word);
    date.split(['-', '/', '.']).filter(|it| is_number(it)).count() == 3
}

/// Returns `true` for one to four digits: a day, a month, a year.
fn is_number(word: &str) -> bool {
    (1..=4).contains(&word.len()) && is_digits(word.as_bytes())
}

/// Returns `true` for `10:00` and `10:00:00`, whatever stands behind (a fraction, a zone): hours and minutes are all
/// that is looked at, and whether there is such an hour is not asked.
fn has_time(word: &str) -> bool {
    word.contains(':') && word.split(':').take(2).all(|piece| is_number(piece.get(..2).unwrap_or(piece)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_mail_programs_read() {
        for value in [
            "Sat, 21 Nov 2026 10:00:00 +0100 (CET)",
            "21 Nov 26 10:00 EST",
            "Sat Nov 21 10:00:00 2026",
            "Saturday, November 21, 2026 10:00 AM",
            "21-Nov-2026 10:00:00",
            "2026-11-21T10:00:00Z",
            "2026-11-21 10:00:00",
            "11/21/2026 10:00",
            "Sat, 21 Nov 2026 10:00:00GMT",
            "Sat, 21 Nov 2026 10:00EST",
        ] {
            assert!(is_readable(value.as_bytes()), "{value}");
        }
        for value in ["", " ", "%DATE%", "yesterday", "Sat, 21 Nov", "10:00:00", "{{date}}", "Thu, 01 +0000", "\u{0}"] {
            assert!(!is_readable(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn writes_dates() {
        for (seconds, wanted) in [
            (0, "Thu, 01 Jan 1970 00:00:00 -0000"),
            (951_782_399, "Mon, 28 Feb 2000 23:59:59 -0000"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 -0000"),
            (1_795_332_434, "Sun, 22 Nov 2026 07:27:14 -0000"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 -0000"),
        ] {
            assert_eq!(date_of(seconds, "-0000"), wanted);
        }
    }
}
