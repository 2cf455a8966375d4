//! What a mailbox file was planned to become, as `--verify` knows it again when it is read back.

use super::plan::PlannedBatch;
use crate::archive::convert::migrate::Way;
use crate::archive::convert::verify::VerifyFaults;
use crate::archive::convert::verify::plain_starts::{Inside, PlainStarts};
use crate::archive::convert::{Dialects, OTHER, Seams, WrittenSum};

/// What a mailbox file was planned to become.
pub struct MadeMailbox {
    /// All octets that are to be in the output.
    pub sum: WrittenSum,
    /// What is wrong with it.
    pub faults: VerifyFaults,
    /// What keeps its messages apart.
    seams: Seams,
    dialects: Dialects,
    /// How many messages there are so far.
    pub messages: u64,
    inside: Inside,
    /// Where messages start for others in what is read and in what is to be written, if that is compared: not of a
    /// copy, and of what was no mailbox file.
    starts: Option<[PlainStarts; 2]>,
}

impl MadeMailbox {
    /// Begins it; where messages start for others is compared of what was a mailbox file.
    pub fn new(way: &Way, was_mailbox: bool) -> MadeMailbox {
        let mut sum = WrittenSum::default();
        sum.add(way.before_first());
        let dialects = Dialects { from: way.origin(), to: way.form.dialect() };
        let (faults, seams, inside) = (VerifyFaults::default(), Seams::behind(way.before_first()), Inside::default());
        let starts = was_mailbox.then(Default::default);
        MadeMailbox { sum, faults, seams, dialects, messages: 0, inside, starts }
    }

    /// Makes it of a file that is copied as it is; where messages start for others is not compared.
    pub fn of_copy(sum: WrittenSum, way: &Way) -> MadeMailbox {
        MadeMailbox { sum, ..MadeMailbox::new(way, false) }
    }

    /// Adds the next batch, and shows `is_there` all octets that it becomes, in order: for each piece those that keep
    /// it apart from what stands before it, then its own. Where that returns `false` the message is noted as a fault.
    pub fn add<E>(
        &mut self,
        planned: &PlannedBatch,
        mut is_there: impl FnMut(&[u8]) -> Result<bool, E>,
    ) -> Result<(), E> {
        for piece in planned.pieces() {
            let number = self.messages + piece.message;
            self.starts.iter_mut().for_each(|[read, _]| read.add(piece.old));
            for octets in [self.seams.pass(&piece), piece.octets()] {
                self.sum.add(octets);
                self.starts.iter_mut().for_each(|[_, made]| made.add(octets));
                if !is_there(octets)? {
                    self.faults.note(piece.file, number, OTHER);
                }
            }
            if number == 0 && !piece.old.is_empty() {
                self.inside.has_preamble = true;
            }
            if piece.is_whole
                && piece.file.is_none()
                && let Some(what) = self.inside.add(piece.old, piece.new, self.dialects)
            {
                self.faults.note(None, number, what);
            }
        }
        self.messages += planned.messages.len() as u64 + u64::from(planned.open.is_some());
        Ok(())
    }

    /// Notes it as a fault if others find another number of messages than before in the output, which is what was
    /// planned. It must be asked once all batches are added.
    pub fn compare_starts(&mut self) {
        let Some([read, made]) = self.starts.as_ref().filter(|_| self.faults.is_empty()) else { return };
        let found = self.inside.difference([read.count, made.count], self.messages, self.dialects);
        found.into_iter().for_each(|what| self.faults.note(None, self.messages, &what));
    }
}
