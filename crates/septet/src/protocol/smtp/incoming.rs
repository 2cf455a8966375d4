//! The content that is coming in: behind DATA, or in the chunks of BDAT.

use super::command::Bdat;
use super::data_reader::{ContentFault, DataReader};
use super::event::EndOfData;
use super::reply::Reply;

/// The chunks of a message; RFC 3030 has no limit, and a chunk may be empty.
const CHUNK_LIMIT: usize = 1 << 16;

/// What a connection's next octets are.
#[derive(Debug)]
pub(super) enum Incoming {
    /// Content, up to the dot.
    Data(DataReader),
    /// Content, in chunks.
    Chunks {
        /// What reads them all.
        reader: DataReader,
        /// The chunk that is coming in; none between chunks.
        chunk: Option<Chunk>,
        /// How many there were.
        count: usize,
    },
    /// A chunk that nobody wants, and the reply to it.
    Unwanted(Chunk, Reply),
}

/// A chunk that is coming in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chunk {
    bdat: Bdat,
    /// The octets that are still to come.
    left: u64,
}

/// What came of a piece.
#[derive(Debug)]
pub(super) enum IncomingPiece {
    /// More octets are needed.
    More,
    /// So many octets were taken, and this is the content of them, which may be empty; so may be what was taken, where
    /// the end of a chunk sets content free.
    Taken(usize, Vec<u8>),
    /// A chunk of this many octets is over, and the message is not.
    ChunkOver(u64),
    /// A chunk that nobody wants is over, with the reply to it; whether it was the last one.
    UnwantedOver(Reply, bool),
    /// The message is over.
    Over(EndOfData),
}

impl Chunk {
    /// Starts a chunk, of which nothing came yet.
    fn new(bdat: Bdat) -> Chunk {
        Chunk { bdat, left: bdat.size }
    }

    /// Returns what of the input belongs to it, and counts that as come.
    fn take<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        let taken = usize::try_from(self.left).unwrap_or(usize::MAX).min(input.len());
        self.left -= taken as u64;
        &input[..taken]
    }
}

impl Incoming {
    /// Starts a message with its first chunk.
    pub(super) fn first_chunk(reader: DataReader, bdat: Bdat) -> Incoming {
        Incoming::Chunks { reader, chunk: Some(Chunk::new(bdat)), count: 1 }
    }

    /// Starts a chunk whose octets are thrown away.
    pub(super) fn unwanted(bdat: Bdat, reply: Reply) -> Incoming {
        Incoming::Unwanted(Chunk::new(bdat), reply)
    }

    /// Adds a chunk to a message that comes in chunks, and refuses the message if it is one too many; other content
    /// stays as it is.
    pub(super) fn next_chunk(&mut self, bdat: Bdat) {
        if let Incoming::Chunks { reader, chunk, count } = self {
            *chunk = Some(Chunk::new(bdat));
            *count += 1;
            if *count > CHUNK_LIMIT {
                reader.refuse(ContentFault::Chunks);
            }
        }
    }

    /// Returns `true` if the next octets are a command all the same: between chunks.
    pub(super) fn is_between_chunks(&self) -> bool {
        matches!(self, Incoming::Chunks { chunk: None, .. })
    }

    /// Takes octets, up to the next thing to be done. That a chunk or the message is over is returned by a further
    /// call, which takes no octets.
    pub(super) fn read(&mut self, input: &[u8]) -> IncomingPiece {
        match self {
            Incoming::Data(reader) => data(reader, input),
            Incoming::Chunks { reader, chunk, .. } => chunks(reader, chunk, input),
            Incoming::Unwanted(chunk, reply) => unwanted(chunk, reply, input),
        }
    }
}

/// Reads content behind DATA.
fn data(reader: &mut DataReader, input: &[u8]) -> IncomingPiece {
    if reader.is_over() {
        return IncomingPiece::Over(end_of(reader));
    }
    let mut content = Vec::new();
    let used = reader.read(input, &mut content);
    if used > 0 { IncomingPiece::Taken(used, content) } else { IncomingPiece::More }
}

/// Reads content of a chunk, and nothing behind it. What the end of the last chunk sets free, such as a CR alone, is
/// content as well, and comes before the end is told.
fn chunks(reader: &mut DataReader, chunk: &mut Option<Chunk>, input: &[u8]) -> IncomingPiece {
    let Some(current) = chunk else { return IncomingPiece::More };
    let mut content = Vec::new();
    let taken = current.take(input);
    reader.read(taken, &mut content);
    if current.left == 0 && current.bdat.last && !reader.is_over() {
        reader.finish(&mut content);
    }
    match current.left {
        _ if !taken.is_empty() || !content.is_empty() => IncomingPiece::Taken(taken.len(), content),
        0 if current.bdat.last => IncomingPiece::Over(end_of(reader)),
        0 => IncomingPiece::ChunkOver(chunk.take().map_or(0, |chunk| chunk.bdat.size)),
        _ => IncomingPiece::More,
    }
}

/// Throws away the octets of a chunk, and tells when it is over.
fn unwanted(chunk: &mut Chunk, reply: &Reply, input: &[u8]) -> IncomingPiece {
    let taken = chunk.take(input).len();
    match (taken, chunk.left) {
        (0, 0) => IncomingPiece::UnwantedOver(reply.clone(), chunk.bdat.last),
        (0, _) => IncomingPiece::More,
        (used, _) => IncomingPiece::Taken(used, Vec::new()),
    }
}

/// Returns what is known of a message whose end was read.
fn end_of(reader: &DataReader) -> EndOfData {
    EndOfData {
        size: reader.size(),
        longest_line: reader.longest_line(),
        has_nul: reader.has_nul(),
        fault: reader.fault().map(ContentFault::reply),
    }
}
