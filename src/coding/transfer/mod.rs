//! Transfer encodings (RFC 2045 §6): how a body's octets are written on the way.
//!
//! Both decoders are total: whatever stands in a body gives octets, and what broke a rule is counted in
//! [`Decoded::faults`]. It is the planner that decides what a fault means for the part.

use std::borrow::Cow;

use super::charset::Malformed;

pub mod base64;
pub mod quoted_printable;

/// The most characters that a line of an encoded body has, its line end not counted (RFC 2045 §6.7 (5), §6.8).
pub const LINE_LIMIT: usize = 76;

/// The octets of a body, and what was wrong with the way they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The decoded octets; borrowed where the encoded form is the same.
    pub bytes: Cow<'a, [u8]>,
    /// How many faults there were.
    pub faults: usize,
    /// The first of them; its offset counts octets of the encoded form.
    pub first_fault: Option<Malformed>,
}

/// Counts faults and remembers the first in the order of the text.
#[derive(Default)]
struct Faults {
    count: usize,
    first: Option<Malformed>,
}

impl Faults {
    fn add(&mut self, offset: usize, rule: &'static str) {
        self.add_many(1, offset, rule);
    }

    fn add_many(&mut self, count: usize, offset: usize, rule: &'static str) {
        self.count += count;
        if self.first.is_none_or(|first| offset < first.offset) {
            self.first = Some(Malformed { offset, rule });
        }
    }

    fn with<'a>(self, bytes: impl Into<Cow<'a, [u8]>>) -> Decoded<'a> {
        Decoded { bytes: bytes.into(), faults: self.count, first_fault: self.first }
    }
}

/// A Content-Transfer-Encoding.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum TransferEncoding {
    /// `7bit`, and the default.
    #[default]
    SevenBit,
    /// `8bit`.
    EightBit,
    /// `binary`.
    Binary,
    /// `quoted-printable`.
    QuotedPrintable,
    /// `base64`.
    Base64,
    /// Any other token, as written.
    Unknown(String),
}

impl TransferEncoding {
    /// Reads a field's value: white space, comments and letter case do not count.
    ///
    /// Neither do quotes around the token, nor a `;` and what follows it, which some mailers write. Near
    /// misses (`8-bit`, `utf-8`) are [`TransferEncoding::Unknown`]: RFC 2045 §6.1 has no such tokens and §6.4
    /// forbids to guess. An empty value means the default.
    pub fn read(value: &[u8]) -> TransferEncoding {
        let token = token_of(value);
        match token.to_ascii_lowercase().as_str() {
            "" | "7bit" => TransferEncoding::SevenBit,
            "8bit" => TransferEncoding::EightBit,
            "binary" => TransferEncoding::Binary,
            "quoted-printable" => TransferEncoding::QuotedPrintable,
            "base64" => TransferEncoding::Base64,
            _ => TransferEncoding::Unknown(token),
        }
    }

    /// Tells whether octets stand in a message as they are: 7bit, 8bit, binary.
    pub fn is_identity(&self) -> bool {
        matches!(self, TransferEncoding::SevenBit | TransferEncoding::EightBit | TransferEncoding::Binary)
    }

    /// Gives its name as it is written in the field.
    pub fn name(&self) -> &str {
        match self {
            TransferEncoding::SevenBit => "7bit",
            TransferEncoding::EightBit => "8bit",
            TransferEncoding::Binary => "binary",
            TransferEncoding::QuotedPrintable => "quoted-printable",
            TransferEncoding::Base64 => "base64",
            TransferEncoding::Unknown(token) => token,
        }
    }
}

/// Gives what is left of a value without comments, quotes, white space around it and a `;` with its rest.
fn token_of(value: &[u8]) -> String {
    let bare = without_comments(value);
    let first = bare.split(|&octet| octet == b';').next().unwrap_or_default();
    let text = String::from_utf8_lossy(first);
    let words: Vec<&str> =
        text.split(|c: char| c.is_ascii_whitespace() || c == '"').filter(|w| !w.is_empty()).collect();
    words.join(" ")
}

/// Replaces each comment (RFC 5322 §3.2.2: nested, `\` quotes one octet) by a space; an open one ends the value.
fn without_comments(value: &[u8]) -> Vec<u8> {
    let mut bare = Vec::with_capacity(value.len());
    let mut depth = 0usize;
    let mut octets = value.iter();
    while let Some(&octet) = octets.next() {
        match (octet, depth) {
            (b'(', _) => depth += 1,
            (b'\\', 1..) => _ = octets.next(),
            (b')', 1..) => {
                depth -= 1;
                bare.push(b' ');
            }
            (_, 0) => bare.push(octet),
            _ => {}
        }
    }
    bare
}
