//! Sylpheed: the flags of the messages of an MH folder stand in `.sylpheed_mark`.
//!
//! It has the number 2, its version, and then pairs of a message's number and its flags, of which the last counts: each
//! is four octets, in the order of the machine that wrote them. A message that it does not name is new and was not
//! read.

use std::collections::HashMap;

use super::marks::MessageMarks;
use super::table::Flag;

/// The version of the file.
const VERSION: u32 = 2;

/// The bit of a message that nobody has seen yet.
const NEW: u32 = 1;

/// The flags of messages by their numbers.
#[derive(Debug, Default)]
pub struct SylpheedMarks(HashMap<u32, u32>);

impl SylpheedMarks {
    /// Reads the file; none where it is of another version.
    pub fn read(octets: &[u8]) -> Option<SylpheedMarks> {
        let (version, records) = octets.split_first_chunk::<4>()?;
        let number = match () {
            () if u32::from_le_bytes(*version) == VERSION => u32::from_le_bytes,
            () if u32::from_be_bytes(*version) == VERSION => u32::from_be_bytes,
            () => return None,
        };
        let (pairs, _) = records.as_chunks::<8>();
        let pair = |&[a, b, c, d, e, f, g, h]: &[u8; 8]| (number([a, b, c, d]), number([e, f, g, h]));
        Some(SylpheedMarks(pairs.iter().map(pair).collect()))
    }

    /// Returns `true` if it says something of the message of this number.
    pub fn names(&self, number: u32) -> bool {
        self.0.contains_key(&number)
    }

    /// Returns what it says of the message of this number; one that it does not name is new.
    pub fn marks_of(&self, number: u32) -> MessageMarks {
        let named = self.0.get(&number);
        let bits = named.copied().unwrap_or(NEW);
        let has = |flag: &Flag| flag.sylpheed.is_some_and(|mark| mark.holds(named.is_some(), |bit| bits & bit != 0));
        MessageMarks::of(has, bits & NEW == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read_in_either_order_of_octets() {
        let numbers = [2, 1, 0, 2, 3, 3, 2, 4, 0x3c];
        for octets in [numbers.map(u32::to_le_bytes).concat(), numbers.map(u32::to_be_bytes).concat()] {
            let marks = SylpheedMarks::read(&octets).expect("its version");
            let said = |number| (marks.marks_of(number).letters().to_owned(), marks.marks_of(number).is_new());
            assert_eq!(said(1), ("S".to_owned(), false));
            assert_eq!(said(2), (String::new(), true));
            assert_eq!(said(3), (String::new(), false));
            assert_eq!(said(4), ("FPRST".to_owned(), false));
            assert_eq!(said(5), (String::new(), true));
        }
        assert!(SylpheedMarks::read(&[3, 0, 0, 0]).is_none() && SylpheedMarks::read(b"\x02").is_none());
    }
}
