//! Where decoders write: the text so far, the faults, and whether the first fault ends it.
//!
//! Strict and lossy decoding are the same walk, so that a text is refused exactly when the lossy reading would
//! have put a U+FFFD into it.

use std::ops::ControlFlow;

use encoding_rs::Encoding;

use crate::coding::fault::Malformed;

/// Goes on, or ends because a fault was met that isn't to be replaced.
pub(super) type Flow = ControlFlow<()>;

/// The octets that a decoder is given to write to at once.
const PIECE: usize = 8 << 10;

/// The octets of a piece for a short text: room for any one step of a decoder, and for what it may write behind it.
const LEAST_PIECE: usize = 64;

/// The text so far.
pub(super) struct TextSink {
    pub text: String,
    /// What a decoder of encoding_rs writes to before it is added to the text. At each call such a decoder touches every
    /// page of the room that it is given, and it is called anew behind each fault: room for the whole text would take
    /// quadratic time.
    pub piece: String,
    /// How many faults were met.
    pub faults: usize,
    /// The first of them.
    pub first: Option<Malformed>,
    /// Whether a fault becomes U+FFFD, or ends the text.
    replace: bool,
}

impl TextSink {
    /// Makes a sink with room for a text of that many octets.
    pub fn new(octets: usize, replace: bool) -> TextSink {
        let piece = "\0".repeat(octets.saturating_mul(3).clamp(LEAST_PIECE, PIECE));
        TextSink { text: String::with_capacity(octets + octets / 2), piece, faults: 0, first: None, replace }
    }

    /// Treats the faults to come as another sink does; its text is not taken over.
    pub fn like(self, other: &TextSink) -> TextSink {
        TextSink { replace: other.replace, ..self }
    }

    /// Takes one fault: writes U+FFFD and goes on, or ends.
    pub fn fault(&mut self, offset: usize, rule: &'static str) -> Flow {
        self.faults += 1;
        self.first.get_or_insert(Malformed { offset, rule });
        if !self.replace {
            return ControlFlow::Break(());
        }
        self.text.push(char::REPLACEMENT_CHARACTER);
        ControlFlow::Continue(())
    }

    /// Takes octets that are ASCII; each other octet is a fault, whose offset counts from `base` at the first.
    pub fn ascii(&mut self, bytes: &[u8], base: usize, rule: &'static str) -> Flow {
        let (mut rest, mut at) = (bytes, base);
        loop {
            let (plain, other) = rest.split_at(Encoding::ascii_valid_up_to(rest));
            self.text.push_str(&String::from_utf8_lossy(plain));
            let Some((_, after)) = other.split_first() else {
                return ControlFlow::Continue(());
            };
            self.fault(at + plain.len(), rule)?;
            at += plain.len() + 1;
            rest = after;
        }
    }
}
