//! Decodes canonical quoted-printable.

use super::expected::ExpectedText;
use crate::coding::masks::Block;
use crate::coding::transfer::quoted_printable::decode_canonical;
use crate::message::has_lone_return;

/// Decodes a body and consumes what it says from the text; `false` if it is not canonical, or says something else.
/// Whether all of the text was said is for the caller to ask.
pub fn decode_against(body: &[u8], expected: &mut ExpectedText) -> bool {
    is_all_text(body) && !has_lone_return(body) && decode_canonical(body, |read| expected.consume(read))
}

/// Returns `true` if a body is printable ASCII, blanks, tabs and line ends; [`decode_canonical`] leaves that to its
/// caller.
fn is_all_text(body: &[u8]) -> bool {
    let (blocks, rest) = body.as_chunks();
    blocks.iter().all(|block| Block::of(block).no_text() == 0)
        && rest.iter().all(|octet| matches!(octet, b' '..=b'~' | b'\t' | b'\n' | b'\r'))
}
