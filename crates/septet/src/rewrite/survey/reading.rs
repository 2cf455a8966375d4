//! Reads bodies as they came: what is a text, what its octets are, and whether a closed one hides anything.

use std::borrow::Cow;

use memchr::memmem;

use super::file::is_file;
use super::form::TextForm;
use crate::coding::transfer::{TransferEncoding, base64, quoted_printable};
use crate::message::{Kind, Message, Part};
use crate::rewrite::Reason;

/// Octets without their transfer encoding, and which encoding had faults that a rewrite would repair: its name, or
/// none.
pub(in crate::rewrite) struct TransferDecoded<'a> {
    pub octets: Cow<'a, [u8]>,
    pub repairs: Option<&'static str>,
}

/// Undoes a transfer encoding, whatever faults are in it; only an unknown one fails. Which one a body is really in
/// [`TransferEncoding::proved_by`] says.
pub(in crate::rewrite) fn decode_transfer<'a>(
    transfer: &TransferEncoding,
    raw: &'a [u8],
) -> Result<TransferDecoded<'a>, Reason> {
    let (decoded, name) = match transfer {
        TransferEncoding::QuotedPrintable => (quoted_printable::decode(raw), "quoted-printable"),
        TransferEncoding::Base64 => (base64::decode(raw), "base64"),
        TransferEncoding::Unknown(token) => return Err(Reason::UnknownTransfer(token.clone())),
        _ => return Ok(TransferDecoded { octets: Cow::Borrowed(raw), repairs: None }),
    };
    Ok(TransferDecoded { octets: decoded.bytes, repairs: (decoded.faults > 0).then_some(name) })
}

/// Returns the octets of a body without the transfer encoding that it is really in, whatever name that has
/// ([`TransferEncoding::proved_by`]), as planning reads them; only an unknown one fails.
pub(in crate::rewrite) fn decoded<'a>(message: &Message<'a>, part: &Part) -> Result<Cow<'a, [u8]>, Reason> {
    let raw = message.slice(part.body);
    Ok(decode_transfer(&part.transfer.proved_by(raw), raw)?.octets)
}

/// Returns `true` if a part is a text that may be converted, by its type, shown or not; RTF, for one, is none. Whether
/// it is a leaf is not asked.
pub(in crate::rewrite) fn is_text(message: &Message, part: &Part) -> bool {
    TextForm::of(message, part).is_some()
}

/// Returns `true` if a part is a text that mail programs show in the message. Of other parts none but these are asked
/// as witnesses.
pub fn is_shown_text(message: &Message, part: &Part) -> bool {
    part.kind == Kind::Leaf && TextForm::of(message, part).is_some_and(|form| !is_file(message, part, form))
}

/// Returns `true` if octets that nobody looked into hold something 8-bit, or what announces encoded text: `=?`, a
/// Content-Transfer-Encoding or a charset.
pub(in crate::rewrite) fn hides_something(raw: &[u8]) -> bool {
    if !raw.is_ascii() || memmem::find(raw, b"=?").is_some() {
        return true;
    }
    let lower = raw.to_ascii_lowercase();
    [&b"content-transfer-encoding:"[..], b"charset="].iter().any(|mark| memmem::find(&lower, mark).is_some())
}
