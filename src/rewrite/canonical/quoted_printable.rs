//! Decodes canonical quoted-printable.

use crate::coding::masks::Block;
use crate::coding::transfer::quoted_printable::decode_canonical;
use crate::message::has_lone_return;

/// Returns what a body says; none if it is not canonical.
pub fn decode(body: &[u8]) -> Option<Vec<u8>> {
    let mut said = Vec::with_capacity(body.len());
    let is_canonical = is_all_text(body)
        && !has_lone_return(body)
        && decode_canonical(body, |read| {
            said.extend_from_slice(read);
            true
        });
    is_canonical.then_some(said)
}

/// Returns `true` if a body is printable ASCII, blanks and line ends.
fn is_all_text(body: &[u8]) -> bool {
    let (blocks, rest) = body.as_chunks();
    blocks.iter().all(|block| Block::of(block).no_text() == 0)
        && rest.iter().all(|octet| matches!(octet, b' '..=b'~' | b'\t' | b'\n' | b'\r'))
}
