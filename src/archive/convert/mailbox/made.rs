//! What a mailbox file was planned to become, as `--verify` knows it again when it is read back.

use std::io::Read;

use super::plan::PlannedBatch;
use crate::archive::convert::verify::plain_starts::{CountedStarts, Inside, StartCounter};
use crate::archive::convert::verify::{VerifyFaults, WrittenSum};
use crate::archive::convert::work::Dialects;

/// What a mailbox file was planned to become.
pub struct MadeMailbox {
    /// All octets that are to be in the output.
    pub sum: WrittenSum,
    /// What is wrong with it.
    pub faults: VerifyFaults,
    dialects: Dialects,
    messages: u64,
    inside: Inside,
    /// Where messages start for others in what is read; not counted where that is copied.
    read: CountedStarts,
    is_copy: bool,
}

impl MadeMailbox {
    /// Begins it.
    pub fn new(dialects: Dialects) -> MadeMailbox {
        let (sum, faults) = (WrittenSum::default(), VerifyFaults::default());
        let (inside, read) = (Inside::default(), CountedStarts::default());
        MadeMailbox { sum, faults, dialects, messages: 0, inside, read, is_copy: false }
    }

    /// Makes it of a file that is copied as it is.
    pub fn of_copy(sum: WrittenSum, dialects: Dialects) -> MadeMailbox {
        MadeMailbox { sum, is_copy: true, ..MadeMailbox::new(dialects) }
    }

    /// Passes the input on that it is made of, and counts where messages start in it for others.
    pub fn counting(&self, from: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
        Box::new(StartCounter::new(from, self.read.clone()))
    }

    /// Returns how many messages there are so far.
    pub fn messages(&self) -> u64 {
        self.messages
    }

    /// Adds the next batch.
    pub fn add(&mut self, planned: &PlannedBatch) {
        for piece in planned.pieces() {
            let number = self.messages + piece.message;
            self.sum.add(piece.octets());
            if number == 0 && !piece.old.is_empty() {
                self.inside.add_preamble();
            }
            if piece.is_whole
                && let Some(what) = self.inside.add(piece.old, piece.new, self.dialects)
            {
                self.faults.note(number, what);
            }
        }
        self.messages += planned.batch.starts.len() as u64;
    }

    /// Notes it as a fault if others find another number of messages than before in the output, in which they find `starts`.
    pub fn compare_starts(&mut self, starts: u64) {
        if self.is_copy || !self.faults.is_empty() {
            return;
        }
        let found = self.inside.difference([self.read.get(), starts], self.messages, self.dialects);
        found.into_iter().for_each(|what| self.faults.note(self.messages, &what));
    }
}
