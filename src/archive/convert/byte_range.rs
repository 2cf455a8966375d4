//! Which octets of a mailbox file are converted.

/// The octets of a mailbox file that are converted: all of them, or a shard's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ByteRange {
    /// The first, where a message starts.
    pub start: u64,
    /// The end; none for that of the file.
    pub end: Option<u64>,
}

impl ByteRange {
    /// Returns `true` if it is all of the file.
    pub fn is_whole(self) -> bool {
        self == ByteRange::default()
    }
}
