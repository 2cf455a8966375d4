//! UTF-7, both ways (RFC 1642, RFC 2152).
//!
//! A text is a row of *direct* octets and *shifts*. A shift is `+`, then digits of base64 without padding
//! (set B) that carry 16-bit units, most significant octet first. Any other octet ends it; a `-` that ends it
//! is absorbed. `+-` is `+`. The two RFCs differ in one thing: in RFC 1642 a unit is a character of UCS-2, in
//! RFC 2152 two units may be a surrogate pair.
//!
//! # What is refused
//!
//! | fault | why |
//! |---|---|
//! | `+` before anything but a digit or `-` | RFC 1642 rule 2: "ill-formed" |
//! | bits left over in a shift's last digit that are not zero | rule 2: "ill-formed" |
//! | a digit in a shift that carries no bit of a character | rule 2 has the encoder pad to the next digit, no further |
//! | an odd octet in a shift | rule 2: "ill-formed" |
//! | half a surrogate pair; in RFC 1642 any surrogate | not a Unicode character |
//! | an octet above 127 | not US-ASCII |
//! | a control character other than TAB, CR and LF | rule 3 lets only these and the space be direct |
//!
//! `~` and `\` are not direct in any rule, but every mailer writes them so. They are accepted and [`tolerated`]
//! finds them. A line end needs no rule of its own: it is not a digit, so it ends a shift.
//!
//! Nothing is checked for meaning: `+ADw-script` is `<script`. Whoever looks for markup, links or line ends
//! must look at the decoded text, and must never take a text for UTF-7 that is not labelled so.

mod block;
mod decode;
mod digits;
mod encode;

pub use decode::{decode, decode_lossy, decode_until_fault, tolerated};
pub use encode::encode;

/// Which RFC's units a shift carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Variant {
    /// UCS-2: surrogates are refused (RFC 1642, charset `UNICODE-1-1-UTF-7`).
    Rfc1642,
    /// UTF-16: surrogates come in pairs (RFC 2152, charset `UTF-7`).
    #[default]
    Rfc2152,
}

/// How set O is written: ``!"#$%&*;<=>@[]^_`{|}``, direct only by choice (rule 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SetO {
    /// As themselves: readable, and shorter.
    #[default]
    Direct,
    /// In a shift, as header fields and some gateways need it.
    Encoded,
}

/// How [`encode()`] writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Utf7Options {
    /// Whether there are surrogate pairs.
    pub variant: Variant,
    /// How set O is written.
    pub set_o: SetO,
}

/// Returns `true` if [`encode()`] writes an octet of ASCII as itself: set D, set O by choice, and SP, TAB, CR and LF.
///
/// `+` is not direct: it becomes `+-`. `~` and `\` never are.
///
/// ```
/// use septet_text::utf7::{SetO, is_direct};
///
/// assert!(is_direct(b'a', SetO::Encoded) && is_direct(b'!', SetO::Direct));
/// assert!(!is_direct(b'!', SetO::Encoded) && !is_direct(b'~', SetO::Direct) && !is_direct(b'+', SetO::Direct));
/// ```
pub fn is_direct(octet: u8, set_o: SetO) -> bool {
    match octet {
        // Set D: letters, digits and '(),-./:?
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'\'' | b'(' | b')' | b','..=b'/' | b':' | b'?' => true,
        // Rule 3.
        b' ' | b'\t' | b'\r' | b'\n' => true,
        // What is left of printable ASCII is set O, but for these three.
        b'!'..=b'~' => set_o == SetO::Direct && !matches!(octet, b'+' | b'\\' | b'~'),
        _ => false,
    }
}
