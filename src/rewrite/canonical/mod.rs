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
//! and in a body one kind of line end. A body that is not canonical is no fault: what stayed of it, a line in
//! quoted-printable as a sender wrote it, may be odd. It is read by those readers that read everything.

mod base64;
mod quoted_printable;
pub(super) mod words;

use std::borrow::Cow;

use memchr::{memchr, memmem};

use super::LONGEST_LINE;
use crate::coding::transfer::TransferEncoding;
use crate::message::{has_lone_return, line_feeds, longest_line};

/// Returns what a body says without its transfer encoding; none if it is not canonical.
///
/// ```text
/// decode(QuotedPrintable, "caf=C3=A9\n")    "café\n"
/// decode(QuotedPrintable, "caf=C3=A9 \n")   none: mail systems take blanks off the ends of lines
/// decode(Base64, "Y2Fmw6k=\n")              "café"
/// ```
pub(super) fn decode<'b>(transfer: &TransferEncoding, body: &'b [u8]) -> Option<Cow<'b, [u8]>> {
    match transfer {
        _ if !has_one_line_end(body) => None,
        TransferEncoding::QuotedPrintable => quoted_printable::decode(body).map(Cow::Owned),
        TransferEncoding::Base64 => base64::decode(body).map(Cow::Owned),
        TransferEncoding::Unknown(_) => None,
        _ => has_plain_lines(body).then_some(body.into()),
    }
}

/// Returns `true` if every line ends in CRLF, or every one in LF alone. A CR that no LF follows is not looked
/// at here.
fn has_one_line_end(body: &[u8]) -> bool {
    let crlfs = memmem::find_iter(body, b"\r\n").count();
    crlfs == 0 || crlfs == line_feeds(body).count()
}

/// Returns `true` if a body without a transfer encoding is canonical: no NUL, no CR but before an LF, no line over 998
/// octets.
fn has_plain_lines(body: &[u8]) -> bool {
    memchr(0, body).is_none() && !has_lone_return(body) && longest_line(body) <= LONGEST_LINE
}

#[cfg(test)]
mod tests;
