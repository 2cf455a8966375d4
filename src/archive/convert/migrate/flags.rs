//! What was done with a message - read, answered, flagged - as each form says it.
//!
//! | Maildir | mailbox file, message by itself | Thunderbird | what |
//! |---|---|---|---|
//! | `D` | `X-Status: T` | | a draft |
//! | `F` | `X-Status: F` | `0004` | flagged |
//! | `P` | | `1000` | passed on: forwarded, bounced |
//! | `R` | `X-Status: A` | `0002` | answered |
//! | `S` | `Status: R` | `0001` | read |
//! | `T` | `X-Status: D` | `0008` | deleted |
//! | in `cur` | `Status: O` | | seen by a mail program |
//!
//! These are the letters of Dovecot, NeoMutt and Python's `mailbox`. Thunderbird's field is `X-Mozilla-Status`: where it
//! stands it decides, for Thunderbird writes no other. Fields stay where they are, whatever the form; they are written only
//! where a Maildir's name says something else.

use std::borrow::Cow;
use std::ffi::OsStr;

use crate::archive::convert::deleted::{EXPUNGED, status};
use crate::archive::maildir_name::split_flags;
use crate::edit::{EditList, Span};
use crate::message::{Field, Limits, LineEnd, Message};
use crate::protocol::mbox::body_start;

const MOZILLA: &str = "X-Mozilla-Status";

/// A flag, as each form says it.
struct Flag {
    letter: u8,
    /// Its field and its letter there.
    field: Option<(&'static str, u8)>,
    mozilla: u16,
}

/// The flags, in the order in which a Maildir's name has them.
const FLAGS: [Flag; 6] = [
    Flag { letter: b'D', field: Some(("X-Status", b'T')), mozilla: 0 },
    Flag { letter: b'F', field: Some(("X-Status", b'F')), mozilla: 0x0004 },
    Flag { letter: b'P', field: None, mozilla: 0x1000 },
    Flag { letter: b'R', field: Some(("X-Status", b'A')), mozilla: 0x0002 },
    Flag { letter: b'S', field: Some(("Status", b'R')), mozilla: 0x0001 },
    Flag { letter: b'T', field: Some(("X-Status", b'D')), mozilla: EXPUNGED },
];

/// What was done with a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MessageFlags {
    /// One bit for each of [`FLAGS`].
    flags: u8,
    /// Whether a mail program has seen it; with a flag it has.
    old: bool,
    /// Whether a Maildir's name has letters besides, of keywords.
    keywords: bool,
}

impl MessageFlags {
    fn new(flags: impl Iterator<Item = bool>, old: bool) -> MessageFlags {
        let flags = flags.enumerate().fold(0, |all, (at, set)| all | u8::from(set) << at);
        MessageFlags { flags, old: old || flags != 0, keywords: false }
    }

    /// Reads it in the fields of a message.
    pub fn of_message(message: &[u8], limits: &Limits) -> MessageFlags {
        MessageFlags::of_fields(&Message::read(header(message), limits))
    }

    /// Reads it in the fields of a header; the one of Thunderbird decides alone where it stands.
    fn of_fields(view: &Message) -> MessageFlags {
        if let Some(bits) = mozilla(view) {
            return MessageFlags::new(FLAGS.iter().map(|flag| bits & flag.mozilla != 0), true);
        }
        let letters = |name: &str| fields(view, name).flat_map(|field| view.slice(field.value)).collect::<Vec<_>>();
        let (status, x_status) = (letters("Status"), letters("X-Status"));
        let has = |(field, letter): (&str, u8)| {
            let among = if field == "Status" { &status } else { &x_status };
            among.contains(&&letter)
        };
        MessageFlags::new(FLAGS.iter().map(|flag| flag.field.is_some_and(has)), status.contains(&&b'O'))
    }

    /// Reads it in the name of a Maildir's file, `1.a.host:2,FS`; on file systems without colons `;2,FS` or `!2,FS`.
    pub fn of_name(name: &OsStr, is_new: bool) -> MessageFlags {
        MessageFlags::of_letters(split_flags(name).1.get(b":2,".len()..).unwrap_or_default(), is_new)
    }

    /// Reads it in the letters of a Maildir's name; with any of [`FLAGS`] it is not new.
    pub fn of_letters(letters: &[u8], is_new: bool) -> MessageFlags {
        let state = MessageFlags::new(FLAGS.iter().map(|flag| letters.contains(&flag.letter)), !is_new);
        MessageFlags { keywords: letters.iter().any(u8::is_ascii_lowercase), ..state }
    }

    /// Returns `true` if no mail program has seen it yet: its place in a Maildir is `new`.
    pub fn is_new(self) -> bool {
        !self.old
    }

    /// Returns the letters of a Maildir's name.
    pub fn letters(self) -> String {
        let set = FLAGS.iter().enumerate().filter(|(at, _)| self.flags >> at & 1 == 1);
        set.map(|(_, flag)| char::from(flag.letter)).collect()
    }

    fn has(self, flag: &Flag) -> bool {
        self.letters().as_bytes().contains(&flag.letter)
    }

    /// Writes it into the fields of a message, unless they say it; tells whether all of it could be said there.
    pub fn write<'m>(self, message: &'m [u8], limits: &Limits) -> (Cow<'m, [u8]>, bool) {
        let view = Message::read(header(message), limits);
        let mozilla = mozilla(&view);
        let can_say = |flag: &&Flag| mozilla.map_or(flag.field.is_some(), |_| flag.mozilla != 0);
        let sayable = MessageFlags::new(FLAGS.iter().map(|flag| self.has(flag) && can_say(&flag)), self.old);
        let said = sayable.flags == self.flags && !self.keywords;
        let now = MessageFlags::of_fields(&view);
        // Whatever has the field of Thunderbird was seen, and that field has no place to say so.
        let is_same = (now.flags, now.old || mozilla.is_some()) == (sayable.flags, sayable.old || mozilla.is_some());
        if is_same {
            return (Cow::Borrowed(message), said);
        }
        match edits(sayable, &view, mozilla) {
            Some(edits) => (Cow::Owned(edits.apply(message)), said),
            None => (Cow::Borrowed(message), false),
        }
    }
}

/// Plans the fields that say the state; where that of Thunderbird stands, no other is added. None where the message
/// has no header to put them in.
fn edits(state: MessageFlags, view: &Message, mozilla: Option<u16>) -> Option<EditList> {
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
    if !added.is_empty() {
        let at = place_for_fields(view)?;
        let before = if at > 0 && !view.raw()[..at].ends_with(b"\n") { end } else { "" };
        edits.push(Span::empty(at), format!("{before}{added}")).ok()?;
    }
    Some(edits)
}

/// Returns the letters of a field: those of the state, and what it had that nobody knows here.
fn value(state: MessageFlags, name: &str, before: &[u8]) -> String {
    let of_field = |flag: &Flag| flag.field.filter(|(field, _)| *field == name).map(|(_, letter)| letter);
    let known: Vec<u8> = FLAGS.iter().filter_map(of_field).chain((name == "Status").then_some(b'O')).collect();
    let mut letters: Vec<u8> = FLAGS.iter().filter(|flag| state.has(flag)).filter_map(of_field).collect();
    letters.extend((name == "Status" && state.old).then_some(b'O'));
    letters.extend(before.iter().filter(|letter| letter.is_ascii_alphanumeric() && !known.contains(letter)));
    String::from_utf8_lossy(&letters).into_owned()
}

/// Finds where a field may be added: behind the last, or before the empty line that is all the header.
fn place_for_fields(view: &Message) -> Option<usize> {
    let last = view.parts().first().and_then(|part| view.fields(part).last()).map(|field| field.line.end);
    let is_empty = matches!(view.raw(), [b'\n', ..] | [b'\r', b'\n', ..]);
    last.or(is_empty.then_some(0))
}

fn fields<'v>(view: &'v Message, name: &'v str) -> impl Iterator<Item = &'v Field> {
    let all = view.parts().first().map(|part| view.fields(part)).unwrap_or_default();
    all.iter().filter(move |field| field.is(view.raw(), name))
}

/// Reads what Thunderbird says.
fn mozilla(view: &Message) -> Option<u16> {
    status(view.slice(fields(view, MOZILLA).next()?.value))
}

/// Returns the header of a message with the empty line that ends it; all of a message without one.
pub fn header(message: &[u8]) -> &[u8] {
    &message[..body_start(message).unwrap_or(message.len())]
}

/// Returns the line end of a message, as octets.
pub fn line_end(message: &[u8]) -> &'static [u8] {
    LineEnd::of(message).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_names_say_the_same() {
        for (message, letters, is_new) in [
            ("A: b\n\nx\n", "", true),
            ("Status: O\n\nx\n", "", false),
            ("A: b\nStatus: RO\nX-Status: AFDT\n\nx\n", "DFRST", false),
            ("status:R\r\n\r\nX-Status: A\r\n", "S", false),
            ("X-Mozilla-Status: 0000\n\nx\n", "", false),
            ("X-Mozilla-Status: 100d\nStatus: O\n\nx\n", "FPST", false),
            ("X-Mozilla-Status: none\nStatus: RO\n\nx\n", "S", false),
            ("", "", true),
            ("no header", "", true),
        ] {
            let state = MessageFlags::of_message(message.as_bytes(), &Limits::default());
            assert_eq!((state.letters().as_str(), state.is_new()), (letters, is_new), "{message:?}");
            let (written, said) = state.write(message.as_bytes(), &Limits::default());
            assert!(said && matches!(written, Cow::Borrowed(_)), "{message:?} stays");
        }
        for (name, is_new, letters) in
            [("1.a:2,FS", false, "FS"), ("1.a,S=5;2,RS", false, "RS"), ("1.a", true, ""), ("1.a!2,SPab", false, "PS")]
        {
            assert_eq!(MessageFlags::of_name(name.as_ref(), is_new).letters(), letters, "{name}");
        }
    }

    #[test]
    fn what_a_name_says_is_written_into_the_fields() {
        for (message, name, wanted, all) in [
            ("A: b\n\nx\n", ":2,S", "A: b\nStatus: RO\n\nx\n", true),
            ("A: b\r\n\r\nx\r\n", ":2,FS", "A: b\r\nStatus: RO\r\nX-Status: F\r\n\r\nx\r\n", true),
            ("Status: RO\nX-Status: F\nC: d\n\n", ":2,", "Status: O\nC: d\n\n", true),
            ("Status: RO\nStatus: R\n\n", "new", "\n", true),
            ("Status: UO\n\n", ":2,T", "Status: OU\nX-Status: D\n\n", true),
            ("X-Mozilla-Status: 0001\nA: b\n\n", ":2,FP", "X-Mozilla-Status: 1004\nA: b\n\n", true),
            ("A: b\n\nx\n", ":2,P", "A: b\nStatus: O\n\nx\n", false),
            ("A: b\n\nx\n", ":2,Sa", "A: b\nStatus: RO\n\nx\n", false),
            ("A: b", ":2,S", "A: b\nStatus: RO\n", true),
            ("\nbody\n", ":2,S", "Status: RO\n\nbody\n", true),
            ("", ":2,S", "", false),
        ] {
            let state = MessageFlags::of_name(name.as_ref(), name == "new");
            let (written, said) = state.write(message.as_bytes(), &Limits::default());
            assert_eq!((String::from_utf8_lossy(&written).as_ref(), said), (wanted, all), "{message:?} {name}");
            let again = state.write(&written, &Limits::default()).0;
            assert_eq!(again, written, "{message:?} {name}, twice");
        }
    }
}
