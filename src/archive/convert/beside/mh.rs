//! MH: what nmh and Sylpheed know of the messages of a folder.
//!
//! nmh has a line for each sequence in `.mh_sequences`, `unseen: 3 7-9`; what is in none called `unseen` was read.
//! Other sequences than those of [the table](super::table) are passed over: they name messages that a command was
//! about, as often as kinds of them. A message that Sylpheed names ([`sylpheed`](super::sylpheed)) is as it says, any
//! other as nmh says; one that only Sylpheed could have named is new to it.

use std::collections::HashMap;
use std::path::Path;

use super::marks::MessageMarks;
use super::sylpheed::SylpheedMarks;
use crate::archive::replace::read_regular;

/// The octets of a file of marks that are read.
const LONGEST: u64 = 64 << 20;

/// The marks of a folder.
#[derive(Debug, Default)]
pub struct MhMarks {
    /// nmh's; none without the file.
    sequences: Option<Sequences>,
    /// Sylpheed's; none without the file.
    sylpheed: Option<SylpheedMarks>,
}

/// The ranges of numbers of one sequence, sorted and apart.
#[derive(Debug, Default)]
struct Sequence(Vec<(u32, u32)>);

impl Sequence {
    /// Makes it of ranges in any order.
    fn of(mut ranges: Vec<(u32, u32)>) -> Sequence {
        ranges.sort_unstable();
        ranges.dedup_by(|(first, last), (_, before)| {
            let joins = *first <= *before;
            *before = if joins { (*before).max(*last) } else { *before };
            joins
        });
        Sequence(ranges)
    }

    /// Returns `true` if a number is in one of the ranges.
    fn has(&self, number: u32) -> bool {
        let behind = self.0.partition_point(|(first, _)| *first <= number);
        behind.checked_sub(1).is_some_and(|at| number <= self.0[at].1)
    }
}

/// nmh's sequences, by their names.
#[derive(Debug, Default)]
struct Sequences(HashMap<String, Sequence>);

impl MhMarks {
    /// Reads those of a folder; a file that can't be read, or is none of theirs, says nothing.
    pub fn of(folder: &Path) -> MhMarks {
        let octets = |name: &str| read_regular(&folder.join(name), LONGEST).ok();
        let sequences = octets(".mh_sequences").map(|text| Sequences::read(&String::from_utf8_lossy(&text)));
        MhMarks { sequences, sylpheed: octets(".sylpheed_mark").and_then(|octets| SylpheedMarks::read(&octets)) }
    }

    /// Returns what is known of a message by the name of its file, its number; none of any other file, and where there
    /// are no marks.
    pub fn marks_of(&self, name: &str) -> Option<MessageMarks> {
        let is_number = name.bytes().all(|octet| octet.is_ascii_digit());
        let number = name.parse().ok().filter(|_| is_number)?;
        match (&self.sequences, &self.sylpheed) {
            (sequences, Some(sylpheed)) if sequences.is_none() || sylpheed.names(number) => {
                Some(sylpheed.marks_of(number))
            }
            (sequences, _) => Some(sequences.as_ref()?.marks_of(number)),
        }
    }
}

impl Sequences {
    /// Reads nmh's file; a line that starts with a blank goes on with the one before. What is no number or range is
    /// passed over.
    fn read(text: &str) -> Sequences {
        let (mut ranges, mut name) = (HashMap::<&str, Vec<_>>::new(), "");
        for line in text.lines() {
            let mut words = line;
            if !line.starts_with([' ', '\t']) {
                (name, words) = line.split_once(':').unwrap_or_default();
            }
            ranges.entry(name.trim_end()).or_default().extend(words.split_ascii_whitespace().filter_map(range));
        }
        Sequences(ranges.into_iter().map(|(name, ranges)| (name.to_owned(), Sequence::of(ranges))).collect())
    }

    /// Returns what the sequences say of the message of this number by [the table](super::table); one that none of them
    /// names was read.
    fn marks_of(&self, number: u32) -> MessageMarks {
        let is_in = |name: &str| self.0.get(name).is_some_and(|sequence| sequence.has(number));
        MessageMarks::of(|flag| flag.mh.is_some_and(|mark| mark.holds(true, is_in)), false)
    }
}

/// Reads `3` or `7-9`; none of any other word, and where the first number is larger than the last.
fn range(word: &str) -> Option<(u32, u32)> {
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(marks: &MhMarks, name: &str) -> Option<(String, bool)> {
        marks.marks_of(name).map(|marks| (marks.letters().to_owned(), marks.is_new()))
    }

    fn some(letters: &str, is_new: bool) -> Option<(String, bool)> {
        Some((letters.to_owned(), is_new))
    }

    #[test]
    fn sequences_say_what_was_read_flagged_and_answered() {
        let text = "cur: 4\nunseen: 2 5-7\n 9\nflagged:1-2 x 4294967296\nunseen2: 1\nreplied : 3\n\n: 1\n";
        let marks = MhMarks { sequences: Some(Sequences::read(text)), sylpheed: None };
        for (name, wanted) in [
            ("1", some("FS", false)),
            ("2", some("F", false)),
            ("3", some("RS", false)),
            ("4", some("S", false)),
            ("6", some("", true)),
            ("9", some("", true)),
            ("a.eml", None),
            ("+1", None),
            ("", None),
            ("99999999999", None),
        ] {
            assert_eq!(said(&marks, name), wanted, "{name}");
        }
        assert_eq!(said(&MhMarks::default(), "1"), None);
        let Sequence(ranges) = Sequence::of(vec![(9, 9), (1, 5), (3, 4), (2, 7)]);
        assert_eq!(ranges, [(1, 7), (9, 9)]);
    }

    #[test]
    fn the_marks_of_sylpheed_go_before_those_of_nmh() {
        let numbers = [2, 1, 0, 2, 3, 3, 2, 4, 0x3c, 1, 4, 7].map(u32::to_le_bytes).concat();
        let mut marks = MhMarks { sequences: None, sylpheed: SylpheedMarks::read(&numbers) };
        for (name, wanted) in [
            ("1", some("FS", false)),
            ("2", some("", true)),
            ("3", some("", false)),
            ("4", some("FPRST", false)),
            ("5", some("", true)),
        ] {
            assert_eq!(said(&marks, name), wanted, "{name}");
        }
        // What Sylpheed does not name is as nmh says.
        marks.sequences = Some(Sequences::read("unseen: 1\n"));
        assert_eq!((said(&marks, "1"), said(&marks, "5")), (some("FS", false), some("S", false)));
    }
}
