//! The messages of a mailbox file, one after the other, each held whole unless it is larger than is held.

use std::collections::VecDeque;
use std::io::{self, Read};

use crate::archive::convert::batch::Batches;
use crate::archive::convert::deleted::is_deleted;
use crate::archive::convert::input::ReadAs;
use crate::archive::sums::{Checksum, Summation};
use crate::protocol::mbox::MboxMessage;

/// What stands in a mailbox file from one start of a message to the next.
#[derive(Debug)]
pub struct Raw {
    /// Its octets.
    pub octets: MessageOctets,
    /// Whether it is a message; what stands before the first is none.
    pub is_message: bool,
    /// Which message of the file it is, from 1; of what is none the one before it.
    pub number: u64,
}

/// The octets of a message.
#[derive(Debug, PartialEq, Eq)]
pub enum MessageOctets {
    /// All of them.
    Whole(Vec<u8>),
    /// How many, and their checksum.
    Sum(Checksum),
}

impl MessageOctets {
    /// Returns how many they are, and their checksum.
    pub fn sum(&self) -> Checksum {
        match self {
            MessageOctets::Whole(octets) => Summation::default().with(octets).checksum(),
            MessageOctets::Sum(sum) => sum.clone(),
        }
    }
}

/// Reads the messages of a mailbox file.
pub struct MailboxMessages<R> {
    batches: Batches<R>,
    ready: VecDeque<Raw>,
    /// A message that goes on in the next batch.
    open: Option<(bool, Summation)>,
    given: usize,
    /// The messages so far.
    count: u64,
    /// Whether messages that are marked deleted are passed over.
    leaves_out: bool,
    ended: bool,
}

impl<R: Read> MailboxMessages<R> {
    /// Reads from an offset at which a message starts, and holds messages of up to `hold` octets.
    pub fn new(from: R, hold: usize, mailbox: ReadAs, at: u64) -> MailboxMessages<R> {
        let batches = Batches::starting(from, hold, mailbox, at);
        let (ready, open, given, count, leaves_out, ended) = (VecDeque::new(), None, 0, 0, false, false);
        MailboxMessages { batches, ready, open, given, count, leaves_out, ended }
    }

    /// Passes messages over that are marked deleted, if `leaves_out`; they count in the numbers of the others.
    pub fn without_deleted(self, leaves_out: bool) -> MailboxMessages<R> {
        MailboxMessages { leaves_out, ..self }
    }

    /// Returns messages until they are at least so many octets, of which there must be one; none at the end. One that
    /// is not held counts as if it had none.
    pub fn up_to(&mut self, octets: usize) -> io::Result<Vec<Raw>> {
        let (mut found, mut size) = (Vec::new(), 0);
        while size < octets {
            let Some(raw) = self.next()? else { break };
            size += match &raw.octets {
                MessageOctets::Whole(whole) => whole.len(),
                MessageOctets::Sum(_) => 0,
            };
            found.push(raw);
        }
        self.given = found.len();
        Ok(found)
    }

    /// Returns how many messages [`up_to`](MailboxMessages::up_to) returned last; 1 at the end, so that whoever takes
    /// as many of another file sees whether that has one more.
    pub fn given(&self) -> usize {
        if self.given == 0 { 1 } else { self.given }
    }

    /// Returns so many messages, or fewer at the end.
    pub fn take(&mut self, count: usize) -> io::Result<Vec<Raw>> {
        let mut found = Vec::new();
        while found.len() < count {
            let Some(raw) = self.next()? else { break };
            found.push(raw);
        }
        Ok(found)
    }

    /// Returns the next message; none at the end.
    fn next(&mut self) -> io::Result<Option<Raw>> {
        while self.ready.is_empty() && !self.ended {
            self.read()?;
        }
        Ok(self.ready.pop_front())
    }

    /// Reads a batch, and makes its messages ready; of the last one that goes on in the next batch only the checksum is
    /// kept.
    fn read(&mut self) -> io::Result<()> {
        let Some(batch) = self.batches.next(Vec::new())? else {
            self.ended = true;
            self.close();
            return Ok(());
        };
        let octets = batch.octets();
        let first = batch.starts.first().copied().unwrap_or(octets.len());
        self.pass(&octets[..first]);
        for span in batch.spans() {
            self.close();
            self.count += 1;
            let (message, goes_on) = (&octets[span.clone()], batch.open && span.end == octets.len());
            // Where messages are left out, one that goes on in the next batch has ended the run
            // (`MailboxWriter::open`).
            if self.leaves_out && is_deleted(MboxMessage::split_from_line(message).1) {
                continue;
            }
            if goes_on {
                self.open = Some((true, Summation::default().with(message)));
            } else {
                self.ready.push_back(Raw {
                    octets: MessageOctets::Whole(message.to_vec()),
                    is_message: true,
                    number: self.count,
                });
            }
        }
        Ok(())
    }

    /// Adds octets to the checksum of the message that goes on, or of what stands before the first.
    fn pass(&mut self, octets: &[u8]) {
        if octets.is_empty() {
            return;
        }
        self.open.get_or_insert_default().1.add(octets);
    }

    /// Ends the message that goes on, if one does, and makes its checksum ready.
    fn close(&mut self) {
        if let Some((is_message, sum)) = self.open.take() {
            let octets = MessageOctets::Sum(sum.checksum());
            self.ready.push_back(Raw { octets, is_message, number: self.count });
        }
    }
}
