//! The file that can undo a conversion: `OUT.undo`.
//!
//! It can be read by eye, and by a script of ten lines. Its first line is [`MAGIC`] and its second a JSON object that
//! says what made it. Then comes, for each file that was converted,
//!
//! ```text
//! file {"name":"","was":""}              a message of a Maildir has its name, now and before, below the folder
//! @120 124 16 30                         at octet 120 of the original and 124 of the result, 16 octets became 30:
//! the 16 octets that were replaced, and a line end
//! end {"original":{"bytes":9,"sha256":"…"},"converted":{"bytes":9,"sha256":"…"}}
//! ```
//!
//! and at last a line `whole`. All that stands between the replacements is the same on both sides, so that the original
//! is the result with each replaced again; the checksums say whether it is.
//!
//! Few and short stretches are replaced, so that the undo file stays small: the plan's edits say which, unless quoting
//! moved octets too; then all between the first and the last octet that differ is one stretch. Whichever it is, it is
//! held against both messages before it is used.

use std::io::{self, Write};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::archive::replace::path_json::JsonPath;
use crate::archive::sums::{Checksum, Summation};
use crate::edit::EditList;

/// The first line of such a file.
pub const MAGIC: &str = "septet-undo 1";

/// What is put behind the name of an output.
pub const SUFFIX: &str = ".undo";

/// What made an undo file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Maker {
    /// The version of septet.
    pub septet: String,
    /// The profile's name.
    pub profile: String,
    /// Whether it is about a folder of messages.
    pub folder: bool,
}

/// Which file was converted: the names of a message below its Maildir, empty for a file by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileNames {
    /// Its name now.
    pub name: JsonPath,
    /// Its name before.
    pub was: JsonPath,
}

/// Both sides of a conversion.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sides {
    /// What was converted.
    pub original: Checksum,
    /// What came of it.
    pub converted: Checksum,
}

/// Octets of the original that became others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// Where they stood in the original message.
    pub old: Range<usize>,
    /// How many octets stand for them.
    pub new: usize,
}

/// Writes the records of one file, as it is converted.
#[derive(Debug, Default)]
pub struct Records {
    original: Summation,
    converted: Summation,
}

impl Records {
    /// Goes on where both sides have these sums.
    pub fn at(original: Summation, converted: Summation) -> Records {
        Records { original, converted }
    }

    /// Passes octets that stay.
    pub fn keep(&mut self, octets: &[u8]) {
        self.original.add(octets);
        self.converted.add(octets);
    }

    /// Writes what of a message changed, and passes the whole. The `hunks` are in order, and all between them is the
    /// same in `old` and `new`, as [`hunks`] makes them.
    pub fn replace(&mut self, old: &[u8], new: &[u8], hunks: &[Hunk], out: &mut impl Write) -> io::Result<()> {
        let (mut at_old, mut at_new) = (self.original.bytes(), self.converted.bytes());
        let (mut done_old, mut done_new) = (0, 0);
        for hunk in hunks {
            let same = hunk.old.start - done_old;
            (at_old, at_new) = (at_old + same as u64, at_new + same as u64);
            writeln!(out, "@{at_old} {at_new} {} {}", hunk.old.len(), hunk.new)?;
            out.write_all(&old[hunk.old.clone()])?;
            out.write_all(b"\n")?;
            (at_old, at_new) = (at_old + hunk.old.len() as u64, at_new + hunk.new as u64);
            (done_old, done_new) = (hunk.old.end, done_new + same + hunk.new);
        }
        debug_assert_eq!(old.len() - done_old, new.len() - done_new);
        self.original.add(old);
        self.converted.add(new);
        Ok(())
    }

    /// Ends the records of this file, and returns its sides.
    pub fn end(self, out: &mut impl Write) -> io::Result<Sides> {
        let sides = Sides { original: self.original.checksum(), converted: self.converted.checksum() };
        writeln!(out, "end {}", serde_json::to_string(&sides)?)?;
        Ok(sides)
    }
}

/// Writes the first lines of an undo file.
pub fn write_head(maker: &Maker, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{MAGIC}\n{}", serde_json::to_string(maker)?)
}

/// Writes the line before the records of a file.
pub fn write_file(names: &FileNames, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "file {}", serde_json::to_string(names)?)
}

/// Writes the last line.
pub fn write_whole(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "whole")
}

/// Finds the stretches of a message that were replaced; `shift` is where the edited octets start in `old`.
pub fn hunks(old: &[u8], new: &[u8], edits: &EditList, shift: usize) -> Vec<Hunk> {
    let of_plan: Vec<Hunk> = edits
        .as_slice()
        .iter()
        .map(|edit| Hunk { old: edit.at.start + shift..edit.at.end + shift, new: edit.with.len() })
        .collect();
    if explains(&of_plan, old, new) { of_plan } else { vec![differing(old, new)] }
}

/// Returns `true` if the stretches are in order, and all between them is the same on both sides.
fn explains(hunks: &[Hunk], old: &[u8], new: &[u8]) -> bool {
    let (mut at_old, mut at_new) = (0, 0);
    for hunk in hunks {
        let Some(same) = old.get(at_old..hunk.old.start) else { return false };
        if new.get(at_new..at_new + same.len()) != Some(same) || hunk.old.end > old.len() {
            return false;
        }
        at_new += same.len() + hunk.new;
        at_old = hunk.old.end;
    }
    old.get(at_old..).is_some_and(|rest| new.get(at_new..) == Some(rest))
}

/// Takes all between the first and the last octet that differ; an empty stretch at the end where none does.
pub fn differing(old: &[u8], new: &[u8]) -> Hunk {
    let front = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let (rest_old, rest_new) = (&old[front..], &new[front..]);
    let back = rest_old.iter().rev().zip(rest_new.iter().rev()).take_while(|(one, other)| one == other).count();
    Hunk { old: front..old.len() - back, new: rest_new.len() - back }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Span;

    #[test]
    fn edits_are_used_where_they_are_all_and_else_what_differs() {
        let mut edits = EditList::new();
        edits.push(Span::new(2, 3), b"XY".to_vec()).expect("an edit");
        edits.push(Span::empty(5), b"Z".to_vec()).expect("an edit");
        let both = [Hunk { old: 2..3, new: 2 }, Hunk { old: 5..5, new: 1 }];
        assert_eq!(hunks(b"abcdef", b"abXYdeZf", &edits, 0), both);
        assert_eq!(hunks(b"abcdef", b"abXYdeZf!", &edits, 0), [Hunk { old: 2..6, new: 7 }], "more differs");
        assert_eq!(hunks(b"--abcdef", b"--abXYdeZf", &edits, 2)[0].old, 4..5, "behind a From_ line");
        assert_eq!(hunks(b"aa", b"aaa", &EditList::new(), 0), [Hunk { old: 2..2, new: 1 }]);
        assert_eq!(hunks(b"", b"x", &edits, 9), [Hunk { old: 0..0, new: 1 }]);
    }
}
