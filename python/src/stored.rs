//! Where the messages of a mailbox file are, so that they need not be kept twice.

use std::borrow::Cow;
use std::ops::Range;

use septet::mbox;

/// A message of a mailbox file: where its octets are, or what they are without the file's quoting.
pub struct StoredMessage {
    from_line: Range<usize>,
    message: Octets,
}

enum Octets {
    At(Range<usize>),
    Unquoted(Vec<u8>),
}

/// A message of a mailbox as its file has it.
#[derive(Clone, Copy)]
pub struct Origin<'f> {
    /// Its From_ line.
    pub from_line: &'f [u8],
    /// Its octets, without the file's quoting.
    pub message: &'f [u8],
}

impl StoredMessage {
    /// Finds all messages of a file.
    pub fn all(file: &[u8]) -> Vec<StoredMessage> {
        mbox::messages(file).map(|stored| StoredMessage::of(file, &stored)).collect()
    }

    fn of(file: &[u8], stored: &mbox::Stored<'_>) -> StoredMessage {
        let message = match stored.message() {
            Cow::Borrowed(octets) => {
                place(file, octets).map_or_else(|| Octets::Unquoted(octets.to_owned()), Octets::At)
            }
            Cow::Owned(octets) => Octets::Unquoted(octets),
        };
        StoredMessage { from_line: place(file, stored.from_line()).unwrap_or_default(), message }
    }

    /// Returns the message itself.
    pub fn within<'f>(&'f self, file: &'f [u8]) -> Origin<'f> {
        let message = match &self.message {
            Octets::At(place) => file.get(place.clone()).unwrap_or_default(),
            Octets::Unquoted(octets) => octets,
        };
        Origin { from_line: file.get(self.from_line.clone()).unwrap_or_default(), message }
    }
}

/// Returns where a slice of a file is in it, none for one of other octets.
fn place(file: &[u8], part: &[u8]) -> Option<Range<usize>> {
    let start = part.as_ptr().addr().checked_sub(file.as_ptr().addr())?;
    let place = start..start.checked_add(part.len())?;
    (place.end <= file.len()).then_some(place)
}
