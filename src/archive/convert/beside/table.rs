//! The table of flags: what each format says for one. docs/archives.md has the same table for people, and a test
//! compares them.
//!
//! The letters of Maildir and of `Status` are those of Dovecot, NeoMutt and Python's `mailbox`; the bits of
//! `X-Mozilla-Status` those of Thunderbird's nsMsgMessageFlags.idl; those of `.sylpheed_mark` of its `procmsg.h`. Apple
//! documents its bits nowhere, and what is said here is what several readers of these files agree on.

use crate::archive::convert::deleted::EXPUNGED;

/// A flag, and what each format says for it.
pub struct Flag {
    /// What it is called in what is said to people.
    pub name: &'static str,
    /// Its letter in the name of a Maildir's file.
    pub maildir: u8,
    /// Its field, and its letter there, in a mailbox file and in a message by itself.
    pub field: Option<(&'static str, u8)>,
    /// Its bit in `X-Mozilla-Status`; 0 where it has none.
    pub mozilla: u16,
    /// Its bits in the list behind a message of Apple Mail; any of them says it.
    pub apple: u64,
    /// nmh's sequence for it.
    pub mh: Option<Mark<&'static str>>,
    /// Sylpheed's bit for it.
    pub sylpheed: Option<Mark<u32>>,
    /// The label of Gmail for it, in English.
    pub gmail: Option<Mark<&'static str>>,
}

/// A mark for a flag, or for its contrary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark<T> {
    /// What has it has the flag.
    Is(T),
    /// What has it does not have the flag, and all else has.
    IsNot(T),
}

impl<T> Mark<T> {
    /// Returns `true` if a message has the flag, of which it is asked whether it `has` the mark; what is said of it by
    /// the lack of a mark counts where anything is known of it.
    pub fn holds(self, is_known: bool, has: impl FnOnce(T) -> bool) -> bool {
        match self {
            Mark::Is(mark) => has(mark),
            Mark::IsNot(mark) => is_known && !has(mark),
        }
    }
}

/// The flags, in the order in which the name of a Maildir's file has them.
pub const FLAGS: [Flag; 6] = [
    Flag {
        name: "draft",
        maildir: b'D',
        field: Some(("X-Status", b'T')),
        mozilla: 0,
        apple: 1 << 6,
        mh: None,
        sylpheed: None,
        gmail: Some(Mark::Is("Drafts")),
    },
    Flag {
        name: "flagged",
        maildir: b'F',
        field: Some(("X-Status", b'F')),
        mozilla: 0x0004,
        apple: 1 << 4,
        mh: Some(Mark::Is("flagged")),
        sylpheed: Some(Mark::Is(0x04)),
        gmail: Some(Mark::Is("Starred")),
    },
    Flag {
        name: "forwarded",
        maildir: b'P',
        field: None,
        mozilla: 0x1000,
        apple: 1 << 8 | 1 << 9,
        mh: None,
        sylpheed: Some(Mark::Is(0x20)),
        gmail: None,
    },
    Flag {
        name: "answered",
        maildir: b'R',
        field: Some(("X-Status", b'A')),
        mozilla: 0x0002,
        apple: 1 << 2,
        mh: Some(Mark::Is("replied")),
        sylpheed: Some(Mark::Is(0x10)),
        gmail: None,
    },
    Flag {
        name: "read",
        maildir: b'S',
        field: Some(("Status", b'R')),
        mozilla: 0x0001,
        apple: 1,
        mh: Some(Mark::IsNot("unseen")),
        sylpheed: Some(Mark::IsNot(0x02)),
        gmail: Some(Mark::IsNot("Unread")),
    },
    Flag {
        name: "deleted",
        maildir: b'T',
        field: Some(("X-Status", b'D')),
        mozilla: EXPUNGED,
        apple: 1 << 1,
        mh: None,
        sylpheed: Some(Mark::Is(0x08)),
        gmail: None,
    },
];

#[cfg(test)]
mod tests {
    use std::fmt::Display;
    use std::fs;
    use std::path::Path;

    use super::*;

    fn mark<T: Display>(mark: Option<Mark<T>>) -> String {
        match mark {
            None => "-".to_owned(),
            Some(Mark::Is(it)) => format!("`{it}`"),
            Some(Mark::IsNot(it)) => format!("not `{it}`"),
        }
    }

    fn row(flag: &Flag) -> String {
        let field = flag.field.map_or("-".to_owned(), |(name, letter)| format!("`{name}: {}`", char::from(letter)));
        let mozilla = if flag.mozilla == 0 { "-".to_owned() } else { format!("`{:04x}`", flag.mozilla) };
        let bits = (0..64).filter(|bit| flag.apple >> bit & 1 == 1).map(|bit: u32| format!("bit {bit}"));
        let apple = bits.collect::<Vec<_>>().join(", ");
        let hexadecimal = |mark| match mark {
            Mark::Is(bit) => Mark::Is(format!("{bit:02x}")),
            Mark::IsNot(bit) => Mark::IsNot(format!("{bit:02x}")),
        };
        let sylpheed = mark(flag.sylpheed.map(hexadecimal));
        let (letter, mh, gmail) = (char::from(flag.maildir), mark(flag.mh), mark(flag.gmail));
        let name = flag.name;
        format!("| {name} | `{letter}` | {field} | {mozilla} | {apple} | {mh} | {sylpheed} | {gmail} |")
    }

    /// Whoever adds a flag here adds its row there.
    #[test]
    fn the_documentation_has_the_same_table() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/archives.md");
        let page = fs::read_to_string(page).expect("the page");
        let head = "| flag | Maildir | mailbox file, .eml | Thunderbird | Apple Mail | MH | Sylpheed | Gmail |";
        let table = page.lines().skip_while(|line| *line != head).skip(2).take_while(|line| line.starts_with('|'));
        assert_eq!(table.collect::<Vec<_>>().join("\n"), FLAGS.iter().map(row).collect::<Vec<_>>().join("\n"));
    }
}
