//! What the fields of a message say of it, in a mailbox file and in a message by itself.
//!
//! `Status` and `X-Status` have a letter for each flag, and `Status: O` says that a mail program has seen it.
//! Thunderbird's fields are `X-Mozilla-Status` and `X-Mozilla-Keys`: where the first stands these decide, for
//! Thunderbird writes no other. Where none of them stands, the labels of Gmail say what they can
//! ([`gmail`](super::gmail)).
//!
//! Fields stay where they are, whatever the form; they are written only where what is known of the message is something
//! else.

use std::borrow::Cow;

use super::gmail;
use super::imap_base::{self, KnownKeywords, words};
use super::loss::Loss;
use super::marks::MessageMarks;
use super::table::{FLAGS, Flag};
use crate::archive::convert::deleted::status;
use crate::edit::{EditList, Span};
use crate::message::{Field, Limits, Message};
use crate::protocol::mbox::body_start;

const MOZILLA: &str = "X-Mozilla-Status";
const MOZILLA_KEYS: &str = "X-Mozilla-Keys";

/// Reads what the fields of a message say; `known` are the keywords that its mailbox file names.
pub fn marks_of_message(message: &[u8], known: &KnownKeywords, limits: &Limits) -> MessageMarks {
    marks_of(&Message::read(header(message), limits), known)
}

/// Reads what the fields of a header say.
fn marks_of(view: &Message, known: &KnownKeywords) -> MessageMarks {
    if let Some(bits) = mozilla(view) {
        let keys = fields(view, MOZILLA_KEYS).next().map_or(&b""[..], |field| view.slice(field.value));
        return MessageMarks::of(|flag| bits & flag.mozilla != 0, true).with_keywords(words(keys).collect());
    }
    let keywords = known.of_message(view);
    if fields(view, "Status").chain(fields(view, "X-Status")).next().is_none() {
        return gmail::marks_of(view).unwrap_or_default().with_keywords(keywords);
    }
    let has = |(name, letter): (&str, u8)| fields(view, name).any(|field| view.slice(field.value).contains(&letter));
    MessageMarks::of(|flag| flag.field.is_some_and(has), has(("Status", b'O'))).with_keywords(keywords)
}

/// Writes what is known of a message into its fields, unless they say it; returns what could not be said there.
pub fn write<'m>(
    marks: &MessageMarks,
    message: &'m [u8],
    known: &KnownKeywords,
    limits: &Limits,
) -> (Cow<'m, [u8]>, Loss) {
    let view = Message::read(header(message), limits);
    let (mozilla, now) = (mozilla(&view), marks_of(&view, known));
    let sayable = sayable(marks, &view, known, &now);
    let loss = Loss::of(|flag| marks.has(flag) && !sayable.has(flag));
    let loss = loss.and_keywords(marks.has_nameless || sayable.keywords != marks.keywords);
    // Whatever has the field of Thunderbird was seen, and that field has no place to say so.
    let is_new = |marks: &MessageMarks| marks.is_new() && mozilla.is_none();
    let is_same = now.letters() == sayable.letters() && is_new(&now) == is_new(&sayable);
    if is_same && now.keywords == sayable.keywords {
        return (Cow::Borrowed(message), loss);
    }
    match edits(&sayable, &view, mozilla, now.keywords != sayable.keywords) {
        Some(edits) => (Cow::Owned(edits.apply(message)), loss),
        None => (Cow::Borrowed(message), loss.and_header()),
    }
}

/// Returns what the fields of a message can say of what is known of it. Keywords can be said in Thunderbird's fields,
/// and in one that stands there if the mailbox file names them; else those stay that stand there (`now`).
fn sayable(marks: &MessageMarks, view: &Message, known: &KnownKeywords, now: &MessageMarks) -> MessageMarks {
    let mozilla = mozilla(view);
    let has_place = mozilla.is_some()
        || marks.keywords.is_empty()
        || (fields(view, imap_base::FIELD).next().is_some() && known.has_all(&marks.keywords));
    let keywords = if has_place { &marks.keywords } else { &now.keywords };
    let can_say = |flag: &Flag| mozilla.map_or(flag.field.is_some(), |_| flag.mozilla != 0);
    MessageMarks::of(|flag| marks.has(flag) && can_say(flag), !marks.is_new()).with_keywords(keywords.clone())
}

/// Plans the fields that say the state; where that of Thunderbird stands (`mozilla` is its number), no other is added.
/// `other_keywords` says that the keywords are to be written as well. None where the message has no header to put
/// fields in.
fn edits(state: &MessageMarks, view: &Message, mozilla: Option<u16>, other_keywords: bool) -> Option<EditList> {
    let mut edits = EditList::new();
    let mut added = String::new();
    let end = view.line_end().as_str();
    for name in ["Status", "X-Status"] {
        let there: Vec<&Field> = fields(view, name).collect();
        let value = value(state, name, there.first().map_or(b"", |field| view.slice(field.value)));
        match there.split_first() {
            Some((first, others)) => {
                let (span, with) = match value.is_empty() {
                    true => (first.line, String::new()),
                    false => (first.value, format!(" {value}")),
                };
                edits.push(span, with).ok()?;
                others.iter().try_for_each(|field| edits.push(field.line, "")).ok()?;
            }
            None if !value.is_empty() && mozilla.is_none() => added += &format!("{name}: {value}{end}"),
            None => {}
        }
    }
    if let (Some(bits), Some(field)) = (mozilla, fields(view, MOZILLA).next()) {
        let known = FLAGS.iter().fold(0, |all, flag| all | flag.mozilla);
        let set = FLAGS.iter().filter(|flag| state.has(flag)).fold(bits & !known, |all, flag| all | flag.mozilla);
        edits.push(field.value, format!(" {set:04x}")).ok()?;
    }
    if other_keywords {
        let name = if mozilla.is_some() { MOZILLA_KEYS } else { imap_base::FIELD };
        let words = state.keywords.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        match fields(view, name).next() {
            Some(field) => edits.push(field.value, format!(" {words}")).ok()?,
            None => added += &format!("{name}: {words}{end}"),
        }
    }
    if !added.is_empty() {
        let at = place_for_fields(view)?;
        let before = if at > 0 && !view.raw()[..at].ends_with(b"\n") { end } else { "" };
        edits.push(Span::empty(at), format!("{before}{added}")).ok()?;
    }
    Some(edits)
}

/// Returns the letters of the field `Status` or `X-Status`: those of the state, and of those that stood there `before`
/// what is in no row of [`FLAGS`].
fn value(state: &MessageMarks, name: &str, before: &[u8]) -> String {
    let of_field = |flag: &Flag| flag.field.filter(|(field, _)| *field == name).map(|(_, letter)| letter);
    let known: Vec<u8> = FLAGS.iter().filter_map(of_field).chain((name == "Status").then_some(b'O')).collect();
    let mut letters: Vec<u8> = FLAGS.iter().filter(|flag| state.has(flag)).filter_map(of_field).collect();
    letters.extend((name == "Status" && !state.is_new()).then_some(b'O'));
    letters.extend(before.iter().filter(|letter| letter.is_ascii_alphanumeric() && !known.contains(letter)));
    String::from_utf8_lossy(&letters).into_owned()
}

/// Finds where a field may be added: behind the last, or before the empty line that is all the header. None where
/// neither is there.
fn place_for_fields(view: &Message) -> Option<usize> {
    let last = view.parts().first().and_then(|part| view.fields(part).last()).map(|field| field.line.end);
    let is_empty = matches!(view.raw(), [b'\n', ..] | [b'\r', b'\n', ..]);
    last.or(is_empty.then_some(0))
}

/// Returns the fields of this name in the header of the message itself, in their order.
fn fields<'v>(view: &'v Message, name: &'v str) -> impl Iterator<Item = &'v Field> {
    let all = view.parts().first().map(|part| view.fields(part)).unwrap_or_default();
    all.iter().filter(move |field| field.is(view.raw(), name))
}

/// Reads what Thunderbird says. None without its field, and where the first of these holds no number.
fn mozilla(view: &Message) -> Option<u16> {
    status(view.slice(fields(view, MOZILLA).next()?.value))
}

/// Returns the header of a message with the empty line that ends it; all of a message without one.
pub fn header(message: &[u8]) -> &[u8] {
    &message[..body_start(message).unwrap_or(message.len())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::convert::beside::maildir::{KeywordLetters, marks_of_name};

    fn known() -> KnownKeywords {
        KnownKeywords::of(b"X-IMAPbase: 1 0000000001 work home\n\n", &Limits::default())
    }

    fn read(message: &[u8]) -> MessageMarks {
        marks_of_message(message, &known(), &Limits::default())
    }

    #[test]
    fn fields_that_say_it_stay() {
        for (message, letters, is_new, keywords) in [
            ("A: b\n\nx\n", "", true, ""),
            ("Status: O\n\nx\n", "", false, ""),
            ("A: b\nStatus: RO\nX-Status: AFDT\n\nx\n", "DFRST", false, ""),
            ("status:R\r\n\r\nX-Status: A\r\n", "S", false, ""),
            ("X-Mozilla-Status: 0000\n\nx\n", "", false, ""),
            ("X-Mozilla-Status: 100d\nStatus: O\nX-Mozilla-Keys: $label1  work \n\nx\n", "FPST", false, "$label1 work"),
            ("X-Mozilla-Status: none\nStatus: RO\nX-Mozilla-Keys: work\n\nx\n", "S", false, ""),
            ("Status: RO\nX-Keywords: home other\n\nx\n", "S", false, "home"),
            ("X-Gmail-Labels: Inbox,Starred,Opened\n\nx\n", "FS", false, ""),
            ("X-Gmail-Labels: Inbox,Opened\nStatus: O\n\nx\n", "", false, ""),
            ("", "", true, ""),
            ("no header", "", true, ""),
        ] {
            let marks = read(message.as_bytes());
            let said = marks.keywords.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
            assert_eq!((marks.letters(), marks.is_new(), &*said), (letters, is_new, keywords), "{message:?}");
            let (written, loss) = write(&marks, message.as_bytes(), &known(), &Limits::default());
            assert!(loss == Loss::default() && matches!(written, Cow::Borrowed(_)), "{message:?} stays");
        }
    }

    #[test]
    fn what_a_name_says_is_written_into_the_fields() {
        let keywords = KeywordLetters::go_on(vec!["work".to_owned(), "else".to_owned()]);
        let forwarded = Loss::of(|flag| flag.name == "forwarded");
        let none = Loss::default();
        let (of_keywords, headerless) = (none.and_keywords(true), none.and_header());
        for (message, name, wanted, loss) in [
            ("A: b\n\nx\n", ":2,S", "A: b\nStatus: RO\n\nx\n", none),
            ("A: b\r\n\r\nx\r\n", ":2,FS", "A: b\r\nStatus: RO\r\nX-Status: F\r\n\r\nx\r\n", none),
            ("Status: RO\nX-Status: F\nC: d\n\n", ":2,", "Status: O\nC: d\n\n", none),
            ("Status: RO\nStatus: R\n\n", "new", "\n", none),
            ("Status: UO\n\n", ":2,T", "Status: OU\nX-Status: D\n\n", none),
            ("X-Mozilla-Status: 0001\nA: b\n\n", ":2,FP", "X-Mozilla-Status: 1004\nA: b\n\n", none),
            ("A: b\n\nx\n", ":2,P", "A: b\nStatus: O\n\nx\n", forwarded),
            ("A: b\n\nx\n", ":2,Sa", "A: b\nStatus: RO\n\nx\n", of_keywords),
            ("A: b\n\nx\n", ":2,Sz", "A: b\nStatus: RO\n\nx\n", of_keywords),
            ("Status: RO\nX-Keywords: home\n\n", ":2,Sa", "Status: RO\nX-Keywords: work\n\n", none),
            ("Status: RO\nX-Keywords: home\n\n", ":2,Sab", "Status: RO\nX-Keywords: home\n\n", of_keywords),
            ("Status: RO\nX-Keywords: home\n\n", ":2,S", "Status: RO\nX-Keywords: \n\n", none),
            ("X-Mozilla-Status: 0001\n\n", ":2,Sab", "X-Mozilla-Status: 0001\nX-Mozilla-Keys: else work\n\n", none),
            ("X-Gmail-Labels: Inbox,Unread\n\n", ":2,S", "X-Gmail-Labels: Inbox,Unread\nStatus: RO\n\n", none),
            ("A: b", ":2,S", "A: b\nStatus: RO\n", none),
            ("\nbody\n", ":2,S", "Status: RO\n\nbody\n", none),
            ("", ":2,S", "", headerless),
        ] {
            let marks = marks_of_name(name.as_ref(), name == "new", &keywords);
            let (written, lost) = write(&marks, message.as_bytes(), &known(), &Limits::default());
            assert_eq!((String::from_utf8_lossy(&written).as_ref(), lost), (wanted, loss), "{message:?} {name}");
            let again = write(&marks, &written, &known(), &Limits::default()).0;
            assert_eq!(again, written, "{message:?} {name}, twice");
        }
    }
}
