//! Tells a From_ line from a line of text that starts with `From `.
//!
//! The standard form is `From addr-spec asctime-date` (RFC 4155, appendix A), and an unquoted `From ` in a
//! body should not occur. Real files have both: From_ lines with no date, a time zone, a date of RFC 5322 or the words `remote from`; and
//! bodies that say "From now on". Splitting in the wrong place makes a header of somebody's prose; not
//! splitting makes prose of a header. So the line and the start of the next one are weighed together. Where no empty line
//! stands before it, as in files whose writers forgot the separator, the line must be a standard one and a field follow:
//! there every reader that goes by lines starts a message, and prose does not look so.

use memchr::memchr;

/// How many octets from the `F` of a From_ line are enough to tell it.
pub const LOOK: usize = LINE + NAME;

/// The octets that a From_ line may have, its line end included; a longer one is text.
const LINE: usize = 1000;

/// The octets that a field name after it may have, its colon included.
const NAME: usize = 128;

/// How every From_ line starts.
pub(super) const FROM: &[u8] = b"From ";

const MONTHS: [&[u8]; 12] =
    [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];

/// A byte order mark in UTF-8, which editors put at the start of a file.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Finds the From_ line that a file starts with, behind a byte order mark or not; none when the file starts otherwise.
pub fn first_message(file: &[u8]) -> Option<usize> {
    let at = if file.starts_with(MARK) { MARK.len() } else { 0 };
    file.get(at..).filter(|rest| rest.starts_with(FROM)).map(|_| at)
}

/// Tells whether the `From ` at `at` starts a message; `None` when more octets are needed to tell.
///
/// `window` holds what stands around it: the three octets before it (fewer where the file starts), and up to
/// [`LOOK`] from it on. `starts` says that the window starts where the file does, `ended` that it
/// ends where the file does.
pub(super) fn starts_message(window: &[u8], at: usize, starts: bool, ended: bool) -> Option<bool> {
    let (before, line) = window.split_at_checked(at)?;
    if starts && (before.is_empty() || before == MARK) {
        return Some(true);
    }
    if !before.ends_with(b"\n") {
        return Some(false);
    }
    let apart = ends_with_empty_line(before, starts);
    let reach = &line[..line.len().min(LINE)];
    match memchr(b'\n', reach) {
        Some(end) if apart => is_from_line(&reach[..end], &line[end + 1..], ended),
        Some(end) if is_asctime(&reach[..end]) => starts_with_field(&line[end + 1..], ended),
        Some(_) => Some(false),
        None if reach.len() == LINE => Some(false),
        None => ended.then(|| apart && is_dated(reach)),
    }
}

/// Tells whether a From_ line stands here, where a Content-Length leads; `line` has all that is needed to tell.
pub(super) fn is_from_line_at(line: &[u8]) -> bool {
    let end = memchr(b'\n', line).unwrap_or(line.len());
    let next = line.get(end + 1..).unwrap_or_default();
    line.starts_with(FROM) && end < LINE && is_from_line(&line[..end], next, true) == Some(true)
}

fn ends_with_empty_line(before: &[u8], starts: bool) -> bool {
    let Some(before) = before.strip_suffix(b"\n") else { return false };
    let line = before.strip_suffix(b"\r").unwrap_or(before);
    if line.is_empty() { starts } else { line.ends_with(b"\n") }
}

fn is_from_line(line: &[u8], next: &[u8], ended: bool) -> Option<bool> {
    if is_dated(line) {
        return Some(true);
    }
    let one_word = words(line).nth(1).is_none();
    if one_word || words(line).any(is_time) { starts_with_field(next, ended) } else { Some(false) }
}

/// Tells whether a From_ line has the date that RFC 4155 asks for, `Mon Jan  1 00:00:00 2007`, with a time zone perhaps.
fn is_asctime(line: &[u8]) -> bool {
    let mut rest = words(line).skip_while(|word| !(word.len() == 3 && is_weekday(word)));
    let date: [&[u8]; 4] = std::array::from_fn(|_| rest.next().unwrap_or_default());
    let [_, month, day, time] = date;
    let day = matches!(day.len(), 1 | 2) && is_digits(day);
    MONTHS.contains(&month) && day && is_time(time) && rest.take(3).any(is_year)
}

/// Tells whether a From_ line has a date: a day of the week, a time of day and a year, in any order.
fn is_dated(line: &[u8]) -> bool {
    words(line).any(is_weekday) && words(line).any(is_time) && words(line).any(is_year)
}

/// Returns the words of the line after `From `.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let rest = line.get(FROM.len()..).unwrap_or_default();
    rest.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn is_weekday(word: &[u8]) -> bool {
    let word = word.strip_suffix(b",").unwrap_or(word);
    [b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun"].iter().any(|day| day.as_slice() == word)
}

/// Tells whether a word is `h:mm`, `hh:mm` or one of them with seconds, a date as `2007-01-01T` before it or a `Z` behind.
fn is_time(word: &[u8]) -> bool {
    let word = word.split(|&octet| octet == b'T').next_back().unwrap_or(word);
    let word = word.strip_suffix(b"Z").unwrap_or(word);
    let mut fields = word.split(|&octet| octet == b':');
    let hours = fields.next().is_some_and(|field| matches!(field.len(), 1 | 2) && is_digits(field));
    let rest = fields.clone().count();
    hours && matches!(rest, 1 | 2) && fields.all(|field| field.len() == 2 && is_digits(field))
}

fn is_year(word: &[u8]) -> bool {
    word.len() == 4 && is_digits(word)
}

fn is_digits(word: &[u8]) -> bool {
    word.iter().all(u8::is_ascii_digit)
}

/// Tells whether a text starts with a field name and its colon; `None` when it is too short to tell.
fn starts_with_field(text: &[u8], ended: bool) -> Option<bool> {
    let reach = &text[..text.len().min(NAME)];
    match reach.iter().position(|octet| !matches!(octet, b'!'..=b'9' | b';'..=b'~')) {
        Some(end) => Some(end > 0 && reach[end] == b':'),
        None if reach.len() == NAME || ended => Some(false),
        None => None,
    }
}
