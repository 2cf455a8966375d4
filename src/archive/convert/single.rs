//! A file that is one message, and what it has around it: a From_ line before it, or what Apple Mail writes.

use std::io::Read;

use super::Input;
use super::is_mail::is_message;
use crate::archive::file_error::FileError;
use crate::edit::{EditList, OverlapError, Span};
use crate::protocol::emlx::{self, Emlx};
use crate::protocol::mbox::MboxMessage;

/// A file that is one message, in its pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SingleMessage<'a> {
    /// Its From_ line; empty when there is none.
    pub from_line: &'a [u8],
    /// The message.
    pub message: &'a [u8],
    /// What stands around it, where it is Apple Mail's.
    emlx: Option<Emlx<'a>>,
}

impl<'a> SingleMessage<'a> {
    /// Parts a file, all of which must be there, into the message and what stands around it.
    pub fn of(file: &'a [u8]) -> SingleMessage<'a> {
        let emlx = Emlx::of(file);
        let (from_line, message) =
            emlx.map_or_else(|| MboxMessage::split_from_line(file), |emlx| (&b""[..], emlx.message));
        SingleMessage { from_line, message, emlx }
    }

    /// Returns the message of a file of which only the first octets are there, or of a mailbox what follows a From_
    /// line.
    pub fn head(octets: &'a [u8]) -> &'a [u8] {
        emlx::stated(octets).map_or_else(|| MboxMessage::split_from_line(octets).1, |(_, rest)| rest)
    }

    /// Returns `true` if a file looks like Apple Mail's, and the octets that it states don't lead to the end of a
    /// message.
    pub fn is_miscounted(&self) -> bool {
        self.emlx.is_none() && emlx::stated(self.message).is_some_and(|(_, rest)| is_message(rest, true))
    }

    /// Returns what Apple Mail knows of the message, as bits; none for any other file.
    pub fn apple_flags(&self) -> Option<u64> {
        self.emlx?.flags()
    }

    /// Returns the file with another message in it.
    pub fn around(&self, message: &[u8]) -> Vec<u8> {
        match self.emlx {
            Some(emlx) => [&emlx.counting(message.len()), message, emlx.list].concat(),
            None => [self.from_line, message].concat(),
        }
    }

    /// Returns edits of the message as edits of the file, in which what states its octets is true. An error where two
    /// of them overlap.
    pub fn edits(&self, of_message: &EditList) -> Result<EditList, OverlapError> {
        let (mut edits, before) = (EditList::new(), self.emlx.map_or(self.from_line, |emlx| emlx.count).len());
        if let Some(emlx) = self.emlx.filter(|_| !of_message.is_empty()) {
            edits.push(Span::new(0, before), emlx.counting(of_message.length_after(self.message.len())))?;
        }
        for edit in of_message.as_slice() {
            edits.push(edit.at.map(|at| at + before), edit.with.clone())?;
        }
        Ok(edits)
    }
}

/// Reads a file that is one message: all of it where that is no more than is held, else one octet more than that.
/// Returns what reads on behind it as well.
pub fn read_held(input: &mut Input, hold: usize) -> Result<(Vec<u8>, Box<dyn Read + Send>), FileError> {
    let (mut octets, mut file) = (Vec::new(), input.open()?);
    // A limit beyond all files must not overflow to none.
    let most = (hold as u64).saturating_add(1);
    (&mut file).take(most).read_to_end(&mut octets).map_err(FileError::reading(&input.name))?;
    Ok((octets, file))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::archive::convert::input::Format;

    /// With the limit `16777215TiB`, messages were moved to another form without their octets.
    #[test]
    fn one_octet_more_than_is_held_is_read_and_no_limit_is_too_large() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.eml");
        fs::write(&path, "A: b\n\nc\n").expect("a file");
        for (hold, wanted, behind) in [(3, "A: b", "\n\nc\n"), (8, "A: b\n\nc\n", ""), (usize::MAX, "A: b\n\nc\n", "")]
        {
            let mut input = Input::of_file(path.clone(), Format::Eml).expect("a message");
            let (octets, mut file) = read_held(&mut input, hold).expect("it can be read");
            let mut rest = String::new();
            file.read_to_string(&mut rest).expect("it can be read");
            assert_eq!((&*octets, &*rest), (wanted.as_bytes(), behind));
        }
    }

    #[test]
    fn what_stands_around_a_message_stays_true() {
        for (file, message, wanted) in [
            ("A: b\n\nc\n", "A: b\n\nc\n", "XX: b\n\nc\n"),
            ("From a\nA: b\n", "A: b\n", "From a\nXX: b\n"),
            ("9  \nA: b\n\ncd\n<?xml?>\n", "A: b\n\ncd\n", "10 \nXX: b\n\ncd\n<?xml?>\n"),
            ("9\nA: b\n\ncd\n", "A: b\n\ncd\n", "10\nXX: b\n\ncd\n"),
        ] {
            let single = SingleMessage::of(file.as_bytes());
            assert_eq!(single.message, message.as_bytes());
            assert!(!single.is_miscounted());
            let mut edits = EditList::new();
            edits.push(Span::new(0, 1), "XX").expect("an edit");
            let made = single.edits(&edits).expect("no overlap").apply(file.as_bytes());
            assert_eq!(String::from_utf8_lossy(&made), wanted);
            assert_eq!(single.around(&edits.apply(single.message)), made);
        }
        assert!(SingleMessage::of(b"9\nTo: b\n\ncd\n<?xml?>\n").is_miscounted());
        assert!(!SingleMessage::of(b"To: b\n\n9\n").is_miscounted());
    }
}
