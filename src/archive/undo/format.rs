//! The file that can undo a conversion: `OUT.undo`.
//!
//! It can be read by eye, and by a script of ten lines. Its first line is [`MAGIC`] and its second a JSON object that says
//! what made it. Then comes, for each file that was converted,
//!
//! ```text
//! file {"name":"","was":""}              a message of a Maildir has its name, now and before, below the folder
//! @120 124 16 30                         at octet 120 of the original and 124 of the result, 16 octets became 30:
//! the 16 octets that were replaced, and a line end
//! end {"original":{"bytes":9,"sha256":"…"},"converted":{"bytes":9,"sha256":"…"}}
//! ```
//!
//! and at last a line `whole`. All that stands between the replacements is the same on both sides, so that the original is
//! the result with each replaced again; the checksums say whether it is.

use std::io::{self, Write};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::archive::replace::path_json::JsonPath;
use crate::archive::sums::{Checksum, Summation};

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
    /// same in `old` and `new`, as `undo::hunks` makes them.
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
