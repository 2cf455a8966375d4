//! Transfer encodings (RFC 2045 §6): how a body's octets are written on the way.
//!
//! Both decoders are total: whatever stands in a body gives octets, and what broke a rule is counted in
//! [`DecodedOctets::faults`]. It is the planner that decides what a fault means for the part.

use std::borrow::Cow;

use super::fault::MalformedError;

pub mod base64;
pub mod quoted_printable;

/// The most characters that a line of an encoded body has, its line end not counted (RFC 2045 §6.7 (5), §6.8).
pub const LINE_LIMIT: usize = 76;

/// The most octets that any line of a message has, its line end not counted (RFC 5322 §2.1.1).
pub const LONGEST_LINE: usize = 998;

/// The octets of a body, and what was wrong with the way they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedOctets<'a> {
    /// The decoded octets; borrowed where the encoded form is the same.
    pub bytes: Cow<'a, [u8]>,
    /// How many faults there were.
    pub faults: usize,
    /// The first of them; its offset counts octets of the encoded form.
    pub first_fault: Option<MalformedError>,
}

/// Counts faults and remembers the first in the order of the text.
#[derive(Default)]
struct FaultCount {
    count: usize,
    first: Option<MalformedError>,
}

impl FaultCount {
    fn add(&mut self, offset: usize, rule: &'static str) {
        self.add_many(1, offset, rule);
    }

    /// Adds some faults of one kind, of which the first stands at `offset`.
    fn add_many(&mut self, count: usize, offset: usize, rule: &'static str) {
        self.count += count;
        if self.first.is_none_or(|first| offset < first.offset) {
            self.first = Some(MalformedError { offset, rule });
        }
    }

    /// Returns decoded octets with the faults that were counted.
    fn with<'a>(self, bytes: impl Into<Cow<'a, [u8]>>) -> DecodedOctets<'a> {
        DecodedOctets { bytes: bytes.into(), faults: self.count, first_fault: self.first }
    }
}

/// A Content-Transfer-Encoding.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
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

/// Tokens that mean 7bit, 8bit, or that there is no encoding: their letters and digits, in lower case, so that `7-bit`
/// and `7 bit` are among them.
const SEVEN_BIT: [&str; 2] = ["7bit", "7bits"];
const EIGHT_BIT: [&str; 3] = ["8bit", "8bits", "8bitmime"];
const NO_ENCODING: [&str; 10] =
    ["none", "plain", "text", "textplain", "ascii", "usascii", "utf8", "iso88591", "unknown", "default"];

/// Returns `true` if ASCII octets may be quoted-printable or base64; fewer than four are no base64.
fn looks_encoded(octets: &[u8]) -> bool {
    let decoded = quoted_printable::decode(octets);
    let is_quoted = decoded.faults == 0 && memchr::memchr(b'=', octets).is_some();
    is_quoted || (octets.len() > 3 && base64::decode(octets).faults == 0)
}

impl TransferEncoding {
    /// Returns the octets of a body as far as they can be read; those in an encoding that nobody knows, or in none,
    /// stay.
    ///
    /// ```
    /// use septet_text::transfer::TransferEncoding;
    ///
    /// assert_eq!(*TransferEncoding::Base64.decode(b"w6k="), *"é".as_bytes());
    /// assert_eq!(*TransferEncoding::Unknown("x".to_owned()).decode(b"w6k="), *b"w6k=");
    /// ```
    pub fn decode<'b>(&self, body: &'b [u8]) -> Cow<'b, [u8]> {
        match self {
            TransferEncoding::QuotedPrintable => quoted_printable::decode(body).bytes,
            TransferEncoding::Base64 => base64::decode(body).bytes,
            _ => Cow::Borrowed(body),
        }
    }

    /// Finds the encoding that a token names, in any case of letters; an empty one means the default.
    ///
    /// Near misses (`8-bit`, `utf-8`) are [`TransferEncoding::Unknown`]: RFC 2045 §6.1 has no such tokens and §6.4
    /// forbids to guess. How a field's value is read is told by `message::grammar::transfer`.
    ///
    /// ```
    /// use septet_text::transfer::TransferEncoding;
    ///
    /// assert_eq!(TransferEncoding::named(b"Base64"), TransferEncoding::Base64);
    /// assert_eq!(TransferEncoding::named(b"8-bit"), TransferEncoding::Unknown("8-bit".to_owned()));
    /// ```
    pub fn named(token: &[u8]) -> TransferEncoding {
        let known = [
            TransferEncoding::SevenBit,
            TransferEncoding::EightBit,
            TransferEncoding::Binary,
            TransferEncoding::QuotedPrintable,
            TransferEncoding::Base64,
        ];
        let found = known.into_iter().find(|known| known.name().as_bytes().eq_ignore_ascii_case(token));
        match found {
            Some(found) => found,
            None if token.is_empty() => TransferEncoding::default(),
            None => TransferEncoding::Unknown(String::from_utf8_lossy(token).into_owned()),
        }
    }

    /// Returns the encoding that a body is really in whose token no standard has: as it stands, where the token means
    /// that (`7-bit`, `8bit+`, `none`) and the octets don't speak against it. ASCII is 7bit whichever it means, and
    /// octets above 7F are 8bit, as they are under `7bit` itself. Any other token stays unknown.
    ///
    /// ```
    /// use septet_text::transfer::TransferEncoding;
    ///
    /// fn named(token: &str) -> TransferEncoding {
    ///     TransferEncoding::named(token.as_bytes())
    /// }
    /// assert_eq!(named("8-bit").proved_by(b"caf\xE9"), TransferEncoding::EightBit);
    /// assert_eq!(named("7-bit").proved_by(b"plain"), TransferEncoding::SevenBit);
    /// assert_eq!(named("7-bit").proved_by(b"caf\xE9"), TransferEncoding::EightBit);
    /// assert_eq!(named("utf-8").proved_by(b"caf=C3=A9"), named("utf-8"), "it may be quoted-printable");
    /// assert_eq!(named("x-uuencode").proved_by(b"begin"), named("x-uuencode"));
    /// ```
    pub fn proved_by(&self, octets: &[u8]) -> TransferEncoding {
        let TransferEncoding::Unknown(token) = self else { return self.clone() };
        let key: String = token.chars().filter(char::is_ascii_alphanumeric).map(|it| it.to_ascii_lowercase()).collect();
        let key = key.as_str();
        let is_as_it_stands = SEVEN_BIT.contains(&key) || EIGHT_BIT.contains(&key);
        let is_none = NO_ENCODING.contains(&key);
        match octets.is_ascii() {
            true if is_as_it_stands || (is_none && !looks_encoded(octets)) => TransferEncoding::SevenBit,
            false if is_as_it_stands || is_none => TransferEncoding::EightBit,
            _ => self.clone(),
        }
    }

    /// Returns `true` if octets stand in a message as they are: 7bit, 8bit, binary.
    pub fn is_identity(&self) -> bool {
        matches!(self, TransferEncoding::SevenBit | TransferEncoding::EightBit | TransferEncoding::Binary)
    }

    /// Returns its name as it is written in the field.
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
