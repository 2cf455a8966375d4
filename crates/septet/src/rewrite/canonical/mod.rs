//! The canonical forms: one narrow way each to write a body or a word, in which every reader finds the same text.
//!
//! What septet writes need not be argued about where it is written so that nobody can read it otherwise. The strict
//! reader here accepts these forms and nothing else:
//!
//! | form | what it is |
//! |---|---|
//! | quoted-printable | printable ASCII, blanks and `=XX`; no `=00`, `=0A` or `=0D`; no blank at the end of a line; lines of 998 octets at most |
//! | base64 | lines of 76 digits but for the last, padded, nothing beside them, no bits left over |
//! | as it is | lines of 998 octets at most; no NUL, no CR but in line ends |
//! | encoded-words | of UTF-8, 75 octets at most, between white space ([`words`]) |
//!
//! and in a body one kind of line end. It decodes and compares in one pass and keeps nothing ([`encodes`]). A body that
//! is not canonical is no fault: what stayed of it, a line in quoted-printable as a sender wrote it, may be odd. It is
//! read by those readers that read everything, and held against more of them.

mod base64;
mod expected;
mod quoted_printable;
pub(super) mod words;

use memchr::{memchr, memchr_iter};

use self::expected::ExpectedText;
use crate::coding::transfer::{LONGEST_LINE, TransferEncoding};
use crate::message::{has_lone_return, longest_line};

/// Returns `true` if a body is canonical in its transfer encoding and says just this text; in one that is unknown none
/// is. Whether 8-bit octets stand under `7bit` is not asked.
///
/// Line ends are the same in any form: a hard line break of quoted-printable, CRLF inside base64 and the LF of a
/// message kept with LF are one. A line end more than the text has may stand at the very end, where the message ends
/// with it.
///
/// ```text
/// encodes(QuotedPrintable, "caf=C3=A9\n", "café\n")    true
/// encodes(QuotedPrintable, "caf=C3=A9 \n", "café \n")  false: mail systems take blanks off the ends of lines
/// encodes(Base64, "Y2Fmw6k=\n", "café")                true
/// ```
pub(super) fn encodes(transfer: &TransferEncoding, body: &[u8], text: &[u8]) -> bool {
    let mut expected = ExpectedText::new(text);
    let is_canonical = has_one_line_end(body)
        && match transfer {
            TransferEncoding::QuotedPrintable => quoted_printable::decode_against(body, &mut expected),
            TransferEncoding::Base64 => base64::decode_against(body, &mut expected),
            TransferEncoding::Unknown(_) => false,
            _ => has_plain_lines(body) && expected.consume(body),
        };
    is_canonical && expected.is_consumed()
}

/// Returns `true` if every line ends in CRLF, or every one in LF alone. A CR that no LF follows is not looked
/// at here.
fn has_one_line_end(body: &[u8]) -> bool {
    let Some(first) = memchr(b'\n', body) else { return true };
    let has_returns = body[..first].ends_with(b"\r");
    let has_none = !has_returns && memchr(b'\r', body).is_none();
    has_none || memchr_iter(b'\n', body).all(|at| body[..at].ends_with(b"\r") == has_returns)
}

/// Returns `true` if a body without a transfer encoding is canonical: no NUL, no CR but before an LF, no line over 998
/// octets.
fn has_plain_lines(body: &[u8]) -> bool {
    memchr(0, body).is_none() && !has_lone_return(body) && longest_line(body) <= LONGEST_LINE
}

#[cfg(test)]
mod tests;
