//! The body of the fuzz target `milter`, which ordinary tests run over its seeds too.

use septet::protocol::milter::{MilterEvent, MilterReply, MilterSession, Modifications, Wants};
use septet::{EditList, Limits, Span};

/// Feeds a session whatever this is, whole and in pieces, and panics when the two differ. For fuzzing.
///
/// Small limits are used, so that short inputs reach them. Each message is answered with edits that hit every
/// place of it, fit or unfit.
pub fn fuzz_session(input: &[u8]) {
    let whole = play(input, input.len().max(1));
    for size in [1, 7, 4096] {
        assert_eq!(play(input, size), whole, "in pieces of {size}");
    }
}

/// Returns all that was written, and what the connection ended with.
fn play(input: &[u8], size: usize) -> (Vec<u8>, Option<String>) {
    let mut limits = Limits::default();
    (limits.message_bytes, limits.header_bytes) = (4096, 1024);
    let mut session = MilterSession::new(Wants { content: true, recipients: true }, limits);
    let (mut out, mut unread) = (Vec::new(), Vec::new());
    for piece in input.chunks(size) {
        unread.extend_from_slice(piece);
        loop {
            let received = match session.receive(&unread, &mut out) {
                Ok(received) => received,
                Err(error) => return (out, Some(error.to_string())),
            };
            unread.drain(..received.used);
            match received.event {
                None => break,
                Some(MilterEvent::Closed) => return (out, None),
                Some(MilterEvent::Message) => answer(&mut session, &mut out),
            }
        }
    }
    (out, None)
}

fn answer(session: &mut MilterSession, out: &mut Vec<u8>) {
    let buffer = session.take_message();
    let mut edits = EditList::new();
    let places = (0..buffer.raw().len()).step_by(3);
    places.for_each(|at| edits.push(Span::new(at, at + 1), "x").unwrap_or_default());
    if buffer.raw().len().is_multiple_of(2) {
        let values = buffer.fields().iter().map(|field| Span::new(field.line.end - 2, field.line.end - 2));
        edits = EditList::new();
        values.for_each(|at| edits.push(at, "!").unwrap_or_default());
        edits.push(Span::empty(buffer.raw().len()), "end\r\n").unwrap_or_default();
    }
    if let Ok(modifications) = Modifications::of(&buffer, &edits, &session.negotiated()) {
        modifications.write(out);
    }
    MilterReply::Continue.write(out);
    session.answered(buffer);
}
