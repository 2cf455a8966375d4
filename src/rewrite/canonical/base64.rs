//! Decodes canonical base64.

use encodify::base64::LENIENT;

use crate::coding::transfer::{LINE_LIMIT, base64};
use crate::message::LineEnd;

/// Returns what a body says; none if it is not canonical, so that it isn't what the coder writes for that. The line end
/// of its last line may be missing.
pub fn decode(body: &[u8]) -> Option<Vec<u8>> {
    let end = body.get(..LINE_LIMIT + 2).map_or(LineEnd::Lf, LineEnd::of).as_bytes();
    let said = LENIENT.decode(body).ok()?;
    let written = base64::encode(&said, end);
    (written == body || written.strip_suffix(end) == Some(body)).then_some(said)
}
