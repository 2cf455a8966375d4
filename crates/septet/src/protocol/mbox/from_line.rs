//! Tells a From_ line from a line of text that starts with `From `.
//!
//! The standard form is `From addr-spec asctime-date` (RFC 4155, appendix A), and an unquoted `From ` in a body should
//! not occur. Real files have both: From_ lines with no date, a broken one, a time zone, a date of RFC 5322 or the
//! words `remote from`, the five octets alone (Thunderbird); and bodies that say "From now on". Splitting in the wrong
//! place makes a header of somebody's prose; not splitting makes prose of a header. So three things are weighed
//! together: what stands before it, what the line says, and whether fields of a header follow.
//!
//! | before it | the line | what must follow |
//! |---|---|---|
//! | nothing: the file starts | any | nothing |
//! | an empty line | with a date | nothing |
//! | an empty line | with a time of day, or one word or none | a field of mail that is all of a header, or two fields, one of them mail's |
//! | an empty line | a sender | two fields, one of them mail's |
//! | a line | with the date of ctime(3) | a field |
//! | a line | with a date; a sender, or nothing | two fields, one of them mail's |
//!
//! All of these lines a writer quotes who quotes, so no sender can have one in a body. Behind octets 0, as a lost block
//! leaves them, or a form feed nobody quotes `From `: there it starts nothing, and is in doubt
//! ([`doubtful`](super::doubtful)). A sender is an address, `-` or `MAILER-DAEMON`, with whatever behind it: a date
//! that is none. git writes patches as a mailbox of its own, whose From_ lines have an object's name and always the
//! same date; people attach such files to mail. So that line starts a message only where the message before it started
//! so.

use memchr::memchr;

use super::follows::{FROM, REACH, follows};
use crate::message::date::{is_digits, is_month, is_time_of_day, is_weekday, is_year};

/// How many octets from the `F` of a From_ line are enough to tell it.
pub const LOOK: usize = LINE + REACH;

/// How many octets before it are enough to tell it.
pub(super) const BEHIND: usize = 3;

/// The octets that a From_ line may have, its line end included, as any line of mail (RFC 5322 §2.1.1: 998 and CRLF); a
/// longer one is text, but at the start of a file.
const LINE: usize = 1000;

/// A byte order mark in UTF-8, which editors put at the start of a file.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Finds the From_ line that a file starts with, behind a byte order mark or not; none when the file starts otherwise.
pub fn first_message(file: &[u8]) -> Option<usize> {
    let at = if file.starts_with(MARK) { MARK.len() } else { 0 };
    file.get(at..).filter(|rest| rest.starts_with(FROM)).map(|_| at)
}

/// What stands before a `From `.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BeforeFrom {
    /// Nothing, but for a byte order mark.
    Start,
    /// An empty line.
    EmptyLine,
    /// A line.
    Line,
    /// The text of its own line.
    Text,
}

impl BeforeFrom {
    /// Tells what stands before; `starts` says that `before` starts where the file does. Its last [`BEHIND`] octets are
    /// enough.
    pub fn of(before: &[u8], starts: bool) -> BeforeFrom {
        match before.last() {
            _ if starts && (before.is_empty() || before == MARK) => BeforeFrom::Start,
            Some(b'\n') if ends_with_empty_line(before, starts) => BeforeFrom::EmptyLine,
            Some(b'\n') => BeforeFrom::Line,
            _ => BeforeFrom::Text,
        }
    }
}

/// What a line says that starts with `From `.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    /// The date of ctime(3).
    Ctime,
    /// A date: a day of the week, a time of day and a year, in any order.
    Date,
    /// A sender, with or without more, or nothing at all.
    Sender {
        /// Whether no second word follows, or a time of day stands there.
        short: bool,
    },
    /// A time of day, or one word.
    Little,
    /// Anything else.
    Prose,
}

impl Says {
    /// Tells what a line says that starts with `From `: the first of these that it does.
    fn of(line: &[u8]) -> Says {
        if is_asctime(line) {
            return Says::Ctime;
        }
        if is_dated(line) {
            return Says::Date;
        }
        let short = words(line).nth(1).is_none() || words(line).any(is_time_of_day);
        match words(line).next().is_none_or(is_sender) {
            true => Says::Sender { short },
            false if short => Says::Little,
            false => Says::Prose,
        }
    }
}

/// What must follow a line so that it starts a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MustFollow {
    /// Nothing need follow.
    Nothing,
    /// A field.
    Field,
    /// A field of mail that is all of a header, or two fields, one of them mail's.
    FieldOfMail,
    /// Two fields, one of them mail's.
    Header,
    /// It starts none, whatever follows.
    Never,
}

/// Returns what must follow a line, as the table of this file's head has it: of the rows here the first that fits.
fn wants(before: BeforeFrom, says: Says) -> MustFollow {
    match (before, says) {
        (BeforeFrom::Start, _) | (BeforeFrom::EmptyLine, Says::Ctime | Says::Date) => MustFollow::Nothing,
        (BeforeFrom::EmptyLine, Says::Little | Says::Sender { short: true }) => MustFollow::FieldOfMail,
        (BeforeFrom::Line, Says::Ctime) => MustFollow::Field,
        (BeforeFrom::Line, Says::Date) | (BeforeFrom::EmptyLine | BeforeFrom::Line, Says::Sender { .. }) => {
            MustFollow::Header
        }
        _ => MustFollow::Never,
    }
}

/// Returns `true` if the `From ` at `at` starts a message; `None` when more octets are needed to tell.
///
/// `window` holds what stands around it: [`BEHIND`] octets before it (fewer where the file starts), and up to
/// [`LOOK`] from it on. `starts` says that the window starts where the file does, `ended` that it
/// ends where the file does. `after_patch` says that the message before it is one of git's.
pub(super) fn starts_message(window: &[u8], at: usize, starts: bool, ended: bool, after_patch: bool) -> Option<bool> {
    let (before, line) = window.split_at_checked(at)?;
    let before = BeforeFrom::of(before, starts);
    let reach = &line[..line.len().min(LINE)];
    let (line, next) = match memchr(b'\n', reach) {
        _ if before == BeforeFrom::Text => return Some(false),
        Some(end) => (&reach[..end], &line[end + 1..]),
        None if reach.len() == LINE => return Some(before == BeforeFrom::Start),
        // The file ends within this line, so that nothing can follow it.
        None => {
            return ended.then(|| before == BeforeFrom::Start || before == BeforeFrom::EmptyLine && is_dated(reach));
        }
    };
    if before != BeforeFrom::Start && !after_patch && is_patch(line) {
        return Some(false);
    }
    is_followed(wants(before, Says::of(line)), next, ended)
}

/// Returns `true` if what must follow a line does, where `next` stands behind it; `None` when more octets are needed to
/// tell, which `ended` says don't come.
fn is_followed(wants: MustFollow, next: &[u8], ended: bool) -> Option<bool> {
    match wants {
        MustFollow::Nothing => Some(true),
        MustFollow::Never => Some(false),
        MustFollow::Field => follows(next, ended).map(|found| found.fields > 0),
        MustFollow::FieldOfMail => follows(next, ended).map(|found| found.mail && found.is_header()),
        MustFollow::Header => follows(next, ended).map(|found| found.fields > 1 && found.mail),
    }
}

/// Returns `true` if a From_ line stands here, where a Content-Length leads; `line` has all that is needed to tell.
/// git's From_ lines count like any other.
pub(super) fn is_from_line_at(line: &[u8]) -> bool {
    let end = memchr(b'\n', line).unwrap_or(line.len());
    let next = line.get(end + 1..).unwrap_or_default();
    line.starts_with(FROM)
        && end < LINE
        && is_followed(wants(BeforeFrom::EmptyLine, Says::of(&line[..end])), next, true) == Some(true)
}

/// Returns `true` if a line that starts with `From ` says so little that what follows it must tell: a time of day, one
/// word, or nothing.
pub(super) fn says_little(line: &[u8]) -> bool {
    matches!(Says::of(line), Says::Little | Says::Sender { short: true })
}

/// Returns `true` if a From_ line is git's: an object's name, and a date that is always the same.
pub(super) fn is_patch(line: &[u8]) -> bool {
    let mut words = words(line);
    let has_name =
        words.next().is_some_and(|word| matches!(word.len(), 40 | 64) && word.iter().all(u8::is_ascii_hexdigit));
    has_name && words.eq(b"Mon Sep 17 00:00:00 2001".split(|octet| *octet == b' '))
}

/// Returns `true` if an empty line ends a text, which for a text that `starts` where the file does may be all of it.
fn ends_with_empty_line(before: &[u8], starts: bool) -> bool {
    let Some(before) = before.strip_suffix(b"\n") else { return false };
    let line = before.strip_suffix(b"\r").unwrap_or(before);
    if line.is_empty() { starts } else { line.ends_with(b"\n") }
}

/// Returns `true` if the first word of a From_ line stands for a sender: an address, `-` or `MAILER-DAEMON`.
fn is_sender(word: &[u8]) -> bool {
    word == b"-" || word == b"MAILER-DAEMON" || word.contains(&b'@')
}

/// Returns `true` if a From_ line has the date that RFC 4155 asks for, `Mon Jan  1 00:00:00 2007`, with a time zone
/// perhaps.
fn is_asctime(line: &[u8]) -> bool {
    let mut rest = words(line).skip_while(|word| !(word.len() == 3 && is_weekday(word)));
    let date: [&[u8]; 4] = std::array::from_fn(|_| rest.next().unwrap_or_default());
    let [_, month, day, time] = date;
    let day = matches!(day.len(), 1 | 2) && is_digits(day);
    is_month(month) && day && is_time_of_day(time) && rest.take(3).any(is_year)
}

/// Returns `true` if a From_ line has a date: a day of the week, a time of day and a year, in any order.
fn is_dated(line: &[u8]) -> bool {
    words(line).any(is_weekday) && words(line).any(is_time_of_day) && words(line).any(is_year)
}

/// Returns the words of the line after `From `.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let rest = line.get(FROM.len()..).unwrap_or_default();
    rest.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}
