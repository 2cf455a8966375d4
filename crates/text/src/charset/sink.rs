//! Where decoders write: the text so far, the faults, and whether the first fault ends it.
//!
//! Strict and lossy decoding are the same walk, so that a text is refused exactly when the lossy reading would
//! have put a U+FFFD into it.

use std::ops::ControlFlow;

use encoding_rs::Encoding;

use crate::fault::{MalformedError, MappingError};

/// What is wrong with octets that no character of a charset has.
pub(super) const NO_CHARACTER: &str = "octets that are no character of the charset";

/// Goes on, or ends because a fault was met that isn't to be replaced.
pub(super) type Flow = ControlFlow<()>;

/// The text so far.
pub(super) struct TextSink {
    pub text: String,
    /// How many faults were met.
    pub faults: usize,
    /// The first of them.
    pub first: Option<MalformedError>,
    /// Whether a fault becomes U+FFFD, or ends the text.
    replace: bool,
}

impl TextSink {
    /// Makes a sink with room for a text of that many octets.
    pub fn new(octets: usize, replace: bool) -> TextSink {
        TextSink { text: String::with_capacity(octets + octets / 2), faults: 0, first: None, replace }
    }

    /// Takes one fault: writes U+FFFD and goes on, or ends.
    pub fn fault(&mut self, offset: usize, rule: &'static str) -> Flow {
        self.faults += 1;
        self.first.get_or_insert(MalformedError { offset, rule });
        if !self.replace {
            return ControlFlow::Break(());
        }
        self.text.push(char::REPLACEMENT_CHARACTER);
        ControlFlow::Continue(())
    }

    /// Takes octets of a charset that keeps ASCII. `read` is given all octets from one above 7F on, and appends the
    /// character at their start, or says what is wrong; it returns how many octets that are, one at least.
    pub fn characters(
        &mut self,
        bytes: &[u8],
        mut read: impl FnMut(&[u8], &mut String) -> (Result<(), &'static str>, usize),
    ) -> Flow {
        let mut at = 0;
        while at < bytes.len() {
            let plain = Encoding::ascii_valid_up_to(&bytes[at..]);
            self.push_plain(&bytes[at..at + plain]);
            at += plain;
            let rest = &bytes[at..];
            if rest.is_empty() {
                break;
            }
            let (found, len) = read(rest, &mut self.text);
            match found {
                Ok(()) => at += len,
                Err(rule) => {
                    self.fault(at, rule)?;
                    // An octet of ASCII is never part of a fault: it may be a line end or a quote.
                    at += 1 + rest.iter().take(len).skip(1).take_while(|octet| !octet.is_ascii()).count();
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Appends octets, which must be ASCII: others would be dropped without a fault.
    fn push_plain(&mut self, plain: &[u8]) {
        self.text.push_str(simdutf8::basic::from_utf8(plain).unwrap_or_default());
    }

    /// Takes octets that are ASCII; each other octet is a fault, whose offset counts from `base` at the first.
    pub fn ascii(&mut self, bytes: &[u8], base: usize, rule: &'static str) -> Flow {
        let (mut rest, mut at) = (bytes, base);
        loop {
            let (plain, other) = rest.split_at(Encoding::ascii_valid_up_to(rest));
            self.push_plain(plain);
            let Some((_, after)) = other.split_first() else {
                return ControlFlow::Continue(());
            };
            self.fault(at + plain.len(), rule)?;
            at += plain.len() + 1;
            rest = after;
        }
    }
}

/// Encodes text in a charset that keeps ASCII; `put` appends the octets of any other character, and returns `None`
/// where the charset lacks it.
pub(super) fn encode_each(
    text: &str,
    mut put: impl FnMut(char, &mut Vec<u8>) -> Option<()>,
) -> Result<Vec<u8>, MappingError> {
    let (mut out, mut rest) = (Vec::with_capacity(text.len()), text);
    while let Some(first) = rest.as_bytes().first() {
        if first.is_ascii() {
            let (plain, behind) = rest.split_at(Encoding::ascii_valid_up_to(rest.as_bytes()));
            out.extend_from_slice(plain.as_bytes());
            rest = behind;
            continue;
        }
        let mut characters = rest.chars();
        let Some(character) = characters.next() else { break };
        put(character, &mut out).ok_or(MappingError { offset: text.len() - rest.len(), character })?;
        rest = characters.as_str();
    }
    Ok(out)
}
