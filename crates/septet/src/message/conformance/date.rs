//! Whether a person can read a date in the value of a Date (RFC 5322 §3.3, §4.3).
//!
//! Mail writes dates in many ways, and mail programs read most of them. Only what has no day, month, year and time in
//! any order is no date: an empty value, a text, a template that nobody filled in.

/// The months by their first three letters, as all mail names them.
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Returns `true` if a date can be read in a value: a day, a month, a year and a time of day, as far as their form
/// tells; whether there is such a day is not asked.
pub fn is_readable(value: &[u8]) -> bool {
    let text = String::from_utf8_lossy(value).to_ascii_lowercase();
    let words: Vec<&str> = text
        .split(|it: char| it.is_whitespace() || matches!(it, ',' | '(' | ')'))
        .filter(|it| !it.is_empty())
        .collect();
    // Of `2026-11-21T10:00:00` the time stands behind the `T`.
    let has_time = words.iter().any(|word| is_time(word.split('t').next_back().unwrap_or(word)));
    let numbers = words.iter().flat_map(|word| word.split(['-', '/', '.'])).filter(|it| is_number(it)).count();
    let has_month = words.iter().flat_map(|word| word.split(['-', '/', '.'])).any(is_month);
    has_time && (has_month && numbers >= 2 || words.iter().any(|word| is_date_of_numbers(word)))
}

/// Returns `true` if a word begins with the name of a month.
fn is_month(word: &str) -> bool {
    word.get(..3).is_some_and(|start| MONTHS.contains(&start))
}

/// Returns `true` for a date without the name of a month: 2026-11-21, 21.11.2026, 11/21/2026.
fn is_date_of_numbers(word: &str) -> bool {
    let date = word.split('t').next().unwrap_or(word);
    date.split(['-', '/', '.']).filter(|it| is_number(it)).count() == 3
}

/// Returns `true` for one to four digits: a day, a month, a year.
fn is_number(word: &str) -> bool {
    (1..=4).contains(&word.len()) && word.bytes().all(|octet| octet.is_ascii_digit())
}

/// Returns `true` for `10:00` and `10:00:00`, whatever stands behind (a fraction, a zone): hours and minutes are all
/// that is looked at, and whether there is such an hour is not asked.
fn is_time(word: &str) -> bool {
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
        ] {
            assert!(is_readable(value.as_bytes()), "{value}");
        }
        for value in ["", " ", "%DATE%", "yesterday", "Sat, 21 Nov", "10:00:00", "{{date}}", "Thu, 01 +0000", "\u{0}"] {
            assert!(!is_readable(value.as_bytes()), "{value}");
        }
    }
}
