//! What nmh and Sylpheed know of the messages of an MH folder: read, flagged, answered.
//!
//! nmh has a line for each sequence in `.mh_sequences`, `unseen: 3 7-9`; what is in none called `unseen` was read. Sylpheed has in
//! `.sylpheed_mark` the number 2, its version, and then pairs of a message's number and its flags, of which the last counts:
//! each is four octets, in the order of the machine that wrote them. A message that Sylpheed names is as it says, any other as
//! nmh says; one that only Sylpheed could have named is new to it.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::flags::MessageFlags;
use crate::archive::replace::open_regular;

/// The octets of a file of marks that are read.
const LONGEST: u64 = 64 << 20;

/// The version of Sylpheed's file.
const VERSION: u32 = 2;

/// Sylpheed's flags (`procmsg.h`), and the letters of a Maildir that say the same.
const NEW: u32 = 1;
const UNREAD: u32 = 1 << 1;
const LETTERS: [(u32, u8); 4] = [(1 << 2, b'F'), (1 << 3, b'T'), (1 << 4, b'R'), (1 << 5, b'P')];

/// The marks of a folder.
#[derive(Debug, Default)]
pub struct MhMarks {
    /// nmh's; none without the file.
    sequences: Option<Sequences>,
    /// Sylpheed's flags, by the number of the message; none without the file.
    sylpheed: Option<HashMap<u32, u32>>,
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

    fn has(&self, number: u32) -> bool {
        let behind = self.0.partition_point(|(first, _)| *first <= number);
        behind.checked_sub(1).is_some_and(|at| number <= self.0[at].1)
    }
}

/// nmh's sequences that say something here.
#[derive(Debug, Default)]
struct Sequences {
    unseen: Sequence,
    flagged: Sequence,
    replied: Sequence,
}

impl MhMarks {
    /// Reads those of a folder; a file that can't be read, or is none of theirs, says nothing.
    pub fn of(folder: &Path) -> MhMarks {
        let octets = |name: &str| open_regular(&folder.join(name)).ok().and_then(read);
        let sequences = octets(".mh_sequences").map(|text| sequences(&String::from_utf8_lossy(&text)));
        MhMarks { sequences, sylpheed: octets(".sylpheed_mark").and_then(|octets| sylpheed(&octets)) }
    }

    /// Returns what is known of a message by the name of its file, its number; none of any other file, and where there are no marks.
    pub fn flags_of(&self, name: &str) -> Option<MessageFlags> {
        let is_number = name.bytes().all(|octet| octet.is_ascii_digit());
        let number = name.parse().ok().filter(|_| is_number)?;
        match (&self.sequences, &self.sylpheed) {
            (sequences, Some(sylpheed)) if sequences.is_none() || sylpheed.contains_key(&number) => {
                Some(of_sylpheed(sylpheed.get(&number).copied().unwrap_or(NEW | UNREAD)))
            }
            (sequences, _) => Some(of_sequences(sequences.as_ref()?, number)),
        }
    }
}

fn read(file: File) -> Option<Vec<u8>> {
    let mut octets = Vec::new();
    file.take(LONGEST).read_to_end(&mut octets).ok().map(|_| octets)
}

/// Reads nmh's sequences; a line that starts with a blank goes on with the one before.
fn sequences(text: &str) -> Sequences {
    let (mut ranges, mut name) = ([const { Vec::new() }; 3], None);
    for line in text.lines() {
        let mut words = line;
        if !line.starts_with([' ', '\t']) {
            let (of, rest) = line.split_once(':').unwrap_or_default();
            name = ["unseen", "flagged", "replied"].iter().position(|known| of.trim_end() == *known);
            words = rest;
        }
        let Some(name) = name else { continue };
        ranges[name].extend(words.split_ascii_whitespace().filter_map(range));
    }
    let [unseen, flagged, replied] = ranges.map(Sequence::of);
    Sequences { unseen, flagged, replied }
}

/// Reads `3` or `7-9`.
fn range(word: &str) -> Option<(u32, u32)> {
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last).then_some((first, last))
}

fn of_sequences(sequences: &Sequences, number: u32) -> MessageFlags {
    let Sequences { unseen, flagged, replied } = sequences;
    let letters = [(flagged.has(number), b'F'), (replied.has(number), b'R'), (!unseen.has(number), b'S')];
    let letters: Vec<u8> = letters.iter().filter(|(is_so, _)| *is_so).map(|(_, letter)| *letter).collect();
    MessageFlags::of_letters(&letters, true)
}

/// Reads Sylpheed's file; none where it is of another version.
fn sylpheed(octets: &[u8]) -> Option<HashMap<u32, u32>> {
    let (version, records) = octets.split_first_chunk::<4>()?;
    let number = match () {
        () if u32::from_le_bytes(*version) == VERSION => u32::from_le_bytes,
        () if u32::from_be_bytes(*version) == VERSION => u32::from_be_bytes,
        () => return None,
    };
    let (pairs, _) = records.as_chunks::<8>();
    Some(pairs.iter().map(|&[a, b, c, d, e, f, g, h]| (number([a, b, c, d]), number([e, f, g, h]))).collect())
}

fn of_sylpheed(flags: u32) -> MessageFlags {
    let letters = LETTERS.into_iter().filter(|(flag, _)| flags & flag != 0).map(|(_, letter)| letter);
    let letters: Vec<u8> = letters.chain((flags & UNREAD == 0).then_some(b'S')).collect();
    MessageFlags::of_letters(&letters, flags & NEW != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(marks: &MhMarks, name: &str) -> Option<(String, bool)> {
        marks.flags_of(name).map(|flags| (flags.letters(), flags.is_new()))
    }

    fn some(letters: &str, is_new: bool) -> Option<(String, bool)> {
        Some((letters.to_owned(), is_new))
    }

    #[test]
    fn sequences_say_what_was_read_flagged_and_answered() {
        let text = "cur: 4\nunseen: 2 5-7\n 9\nflagged:1-2 x 4294967296\nunseen2: 1\nreplied : 3\n\n: 1\n";
        let marks = MhMarks { sequences: Some(sequences(text)), sylpheed: None };
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
    fn the_marks_of_sylpheed_are_read_in_either_order_of_octets() {
        let numbers = [2, 1, 0, 2, 3, 3, 2, 4, 0x3c, 1, 4, 7];
        for octets in [numbers.map(u32::to_le_bytes).concat(), numbers.map(u32::to_be_bytes).concat()] {
            let mut marks = MhMarks { sequences: None, sylpheed: sylpheed(&octets) };
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
            marks.sequences = Some(sequences("unseen: 1\n"));
            assert_eq!((said(&marks, "1"), said(&marks, "5")), (some("FS", false), some("S", false)));
        }
        assert_eq!(sylpheed(&[3, 0, 0, 0]), None);
        assert_eq!(sylpheed(b"\x02"), None);
    }
}
