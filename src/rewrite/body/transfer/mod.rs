//! Chooses a body's transfer encoding, and writes the body in it (RFC 2045 §6).
//!
//! Three rules decide. What need not be encoded is not, and what is encoded already stays in its encoding, unless
//! the profile's goal says otherwise. No line over 998 octets is produced (RFC 5322 §2.1.1). Where a body must be
//! encoded anew, the smaller of quoted-printable and base64 is taken.
//!
//! A quoted-printable body of which some lines changed keeps the others as they were written, soft breaks and all.
//!
//! A body is written so that nobody can take a piece of it for something else ([`ReencodeInput::is_safe`]). Where the
//! text has the delimiter of a multipart around it, an octet 0, or a CR or LF that is no line end, and had them in
//! hiding (in UTF-7, in escapes, in its transfer encoding), it goes out in base64, whose alphabet has none of these. So
//! does one that quoted-printable can't say, as a CR before a line end that is an LF. A delimiter counts wherever it
//! stands, and whatever follows it: some readers look no closer.

mod changed_lines;
mod lines;

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;

use self::changed_lines::WrittenBody;
pub(in crate::rewrite) use self::lines::with_line_ends;
use self::lines::{has_no_more, line_feeds, lone_line_feeds, lone_returns, nuls};
use super::embedded::has_patch;
use crate::coding::transfer::quoted_printable::{has_hard_break, has_written_line_ends};
use crate::coding::transfer::{TransferEncoding, base64, quoted_printable};
use crate::message::irregular::Form;
use crate::message::{LineEnd, adds_no_boundary, longest_line};
use crate::rewrite::survey::reading::decode_transfer;
use crate::rewrite::{LONGEST_LINE, Reason, Transfer, canonical};

/// A body to be written: as it came, and as it must be.
pub(in crate::rewrite) struct ReencodeInput<'a> {
    /// The body as it stands in the message.
    pub raw: &'a [u8],
    /// The transfer encoding that it stands in.
    pub from: &'a TransferEncoding,
    /// The octets that it means.
    pub octets: &'a [u8],
    /// The octets that it shall mean.
    pub encoded: Cow<'a, [u8]>,
    /// What the profile wants.
    pub goal: Transfer,
    /// Whether the profile's charset is one made to be read without a transfer encoding (UTF-7, US-ASCII).
    pub readable: bool,
    /// Whether the header must say something else of the charset, and so must be true of the rest too.
    pub relabelled: bool,
    /// Whether octets that stand as they are must be encoded, since no line may hold them.
    pub must_encode: bool,
    /// The line end that new lines of it get.
    pub line_end: LineEnd,
    /// Whether it is written anew though it may stay, because it breaks a rule of its transfer encoding.
    pub anew: bool,
    /// Whether it is a text, made of lines.
    pub text: bool,
    /// Whether mail programs do not show it as text in the message.
    pub file: bool,
    /// Whether the message ends with it, so that it must end with a line end.
    pub last: bool,
    /// The delimiters (`--` and the boundary) of the multiparts around it.
    pub delimiters: Vec<&'a [u8]>,
}

/// Returns `true` if two texts are the same; one and the same is not read.
pub(in crate::rewrite) fn is_one_text(one: &[u8], other: &[u8]) -> bool {
    std::ptr::eq(one, other) || one == other
}

/// A body in its transfer encoding.
pub(in crate::rewrite) struct Reencoded {
    /// The body; none when only the name of the transfer encoding changes.
    pub body: Option<Vec<u8>>,
    /// The transfer encoding.
    pub transfer: TransferEncoding,
}

/// Writes a body in its transfer encoding; none when neither the body nor the name of its encoding changes, or when
/// only its encoding would, which can't be left safely.
///
/// What is written is read again; a body that does not read as what was meant is a fault of septet's own. Other errors
/// say why the body stays: no transfer encoding keeps what it means.
pub(in crate::rewrite) fn reencode(input: ReencodeInput) -> Result<Option<Reencoded>, Reason> {
    let transfer = input.choose_encoding();
    let stays = !input.text_changed() && input.from.is_identity() == transfer.is_identity() && !input.has_raw_8bit();
    let stays = stays && !input.anew;
    if stays && transfer == *input.from {
        return Ok(None);
    }
    if stays {
        return Ok(Some(Reencoded { body: None, transfer }));
    }
    if transfer.is_identity() && input.from.is_identity() && input.is_safe(&transfer, &input.encoded) {
        return Ok(Some(Reencoded { body: Some(input.into_plain_body()), transfer }));
    }
    let written = input.write_body(&transfer);
    if input.is_safe(&transfer, &written.body) && input.reads_back(&transfer, &written) {
        return Ok(Some(Reencoded { body: Some(written.body), transfer }));
    }
    // What can't be left safely stays in its transfer encoding: only that was to change.
    if !input.text_changed() && !input.from.is_identity() && !input.has_raw_8bit() {
        return Ok(None);
    }
    // Only base64 is left. Line ends of the message are CRLF in it, so that an LF written as an octet would be none
    // beside them.
    if input.keeps_written_line_ends() && line_feeds(input.raw) > 0 {
        return Err(Reason::Irregular(Form::QpLineEnd));
    }
    // And whoever saves a file would get other line ends than before.
    let has_lines = if input.text { input.file && line_feeds(input.raw) > 0 } else { has_hard_break(input.raw) };
    if has_lines && *input.from == TransferEncoding::QuotedPrintable {
        return Err(Reason::Control);
    }
    let (written, transfer) = (input.write_body(&TransferEncoding::Base64), TransferEncoding::Base64);
    match input.reads_back(&transfer, &written) {
        true => Ok(Some(Reencoded { body: Some(written.body), transfer })),
        false => Err(Reason::Unproved("a body does not read back")),
    }
}

/// Returns `encoded` with all line ends as those of the message, if it has more of them than `octets`, from which it
/// came: those had been hidden (in UTF-7, in escapes), and would be LFs alone beside the lines that every reader saw
/// before. A body in base64 has none of the message's line ends, and stays.
pub(in crate::rewrite) fn with_shown_line_ends<'t>(
    from: &TransferEncoding,
    octets: &[u8],
    encoded: Cow<'t, [u8]>,
    line_end: LineEnd,
) -> Cow<'t, [u8]> {
    // They may be as many as before, where a line end that was no text goes (`~` at a line's end in HZ).
    let stays = *from == TransferEncoding::Base64 || is_one_text(&encoded, octets);
    if stays || (has_no_more(line_feeds, &encoded, octets) && has_no_more(lone_line_feeds, &encoded, octets)) {
        return encoded;
    }
    Cow::Owned(with_line_ends(&encoded, line_end.as_bytes()).into_owned())
}

impl ReencodeInput<'_> {
    /// Returns the transfer encoding to write. It is only a choice: what is written in it is read back before it is
    /// used.
    fn choose_encoding(&self) -> TransferEncoding {
        let plain = self.from.is_identity();
        match self.goal {
            // What is no text has no lines, and only base64 has none either.
            _ if plain && self.must_encode && *self.from == TransferEncoding::Binary => TransferEncoding::Base64,
            _ if plain && self.must_encode => self.smaller_encoding(),
            Transfer::Keep if plain => self.choose_plain(),
            Transfer::Keep => self.from.clone(),
            Transfer::SevenBit if plain => self.choose_seven_bit(),
            Transfer::SevenBit if self.text_changed() && self.readable && self.fits_unencoded() => {
                if self.encoded.is_ascii() { TransferEncoding::SevenBit } else { self.from.clone() }
            }
            Transfer::SevenBit => self.from.clone(),
            Transfer::EightBit if self.text && self.fits_unencoded() => self.identity_encoding(),
            Transfer::EightBit if plain => self.choose_plain(),
            Transfer::EightBit => self.from.clone(),
        }
    }

    /// Returns `true` if the text itself changes, and not its transfer encoding alone.
    fn text_changed(&self) -> bool {
        !is_one_text(self.octets, &self.encoded)
    }

    /// Returns `true` if an encoded body has raw 8-bit in it all the same, and may not.
    fn has_raw_8bit(&self) -> bool {
        self.goal == Transfer::SevenBit && !self.from.is_identity() && !self.raw.is_ascii()
    }

    /// Returns an encoding for octets that came without one, where 8 bits are allowed: they stay so, but for a changed
    /// text with lines that are too long, or with 8-bit octets where it had none.
    fn choose_plain(&self) -> TransferEncoding {
        match (self.text_changed(), self.encoded.is_ascii()) {
            (false, false) if self.relabelled => self.identity_encoding(),
            (false, _) => self.from.clone(),
            (true, _) if longest_line(&self.encoded) > LONGEST_LINE => self.smaller_encoding(),
            (true, true) => self.from.clone(),
            (true, false) if self.octets.is_ascii() => self.smaller_encoding(),
            (true, false) => self.identity_encoding(),
        }
    }

    /// Returns an encoding in which the octets are ASCII, for a body that came without one. An ASCII body needs none
    /// unless a change made its lines too long.
    fn choose_seven_bit(&self) -> TransferEncoding {
        if !self.encoded.is_ascii() || (self.text_changed() && longest_line(&self.encoded) > LONGEST_LINE) {
            return self.smaller_encoding();
        }
        TransferEncoding::SevenBit
    }

    /// Returns the encoding (7bit, 8bit or binary) that names octets which go out as they are; a name that came stays
    /// if it is true of them.
    fn identity_encoding(&self) -> TransferEncoding {
        match (self.from, self.encoded.is_ascii()) {
            (from, true) if from.is_identity() => from.clone(),
            (_, true) => TransferEncoding::SevenBit,
            (TransferEncoding::Binary, false) => TransferEncoding::Binary,
            (_, false) => TransferEncoding::EightBit,
        }
    }

    /// Returns `true` if the octets can stand as lines: none too long, no NUL, no CR alone, no line end that was
    /// hidden.
    fn fits_unencoded(&self) -> bool {
        memchr(0, &self.encoded).is_none()
            && lone_returns(&self.encoded) == 0
            && longest_line(&self.encoded) <= LONGEST_LINE
            && !self.keeps_written_line_ends()
    }

    /// Returns `true` if a CR or LF that quoted-printable writes stays one: where lines come or go, all are written
    /// anew, and every line end becomes one of the message. An octet that is one in UTF-16 may be none in the text.
    fn keeps_written_line_ends(&self) -> bool {
        *self.from == TransferEncoding::QuotedPrintable
            && has_written_line_ends(self.raw)
            && line_feeds(self.octets) == line_feeds(&self.encoded)
            && has_written_line_ends(&self.write_with_changed_lines().body)
    }

    /// Returns `true` if a written body holds nothing that could be taken for something else (octets 0, CRs alone,
    /// delimiters of multiparts around it), but what the body that came held as well.
    fn is_safe(&self, transfer: &TransferEncoding, body: &[u8]) -> bool {
        let before = if self.from.is_identity() { self.raw } else { b"" };
        let as_lines =
            !transfer.is_identity() || (has_no_more(nuls, body, before) && has_no_more(lone_returns, body, before));
        as_lines && self.delimiters.iter().all(|delimiter| adds_no_boundary(self.raw, body, delimiter))
    }

    /// Returns `true` if a body reads as what was to be written: it is canonical, or what was written anew of it
    /// round-trips.
    fn reads_back(&self, transfer: &TransferEncoding, written: &WrittenBody) -> bool {
        canonical::encodes(transfer, &written.body, &self.encoded) || self.round_trips(transfer, written)
    }

    /// Returns `true` if what was written anew of a body reads as what was to be written, but for the form of its line
    /// ends and for one more at its end. Only octets that stay in quoted-printable unchanged must have the same line
    /// ends, too, since these may be written as octets there.
    fn round_trips(&self, transfer: &TransferEncoding, written: &WrittenBody) -> bool {
        written.anew.iter().all(|(at, meant)| {
            let Ok(read) = decode_transfer(transfer, &written.body[at.clone()]) else { return false };
            self.is_meant(transfer, &read.octets, meant)
        })
    }

    /// Returns `true` if what a stretch reads as is what was `meant`, with the exceptions of
    /// [`round_trips`](Self::round_trips).
    fn is_meant(&self, transfer: &TransferEncoding, read: &[u8], meant: &Range<usize>) -> bool {
        let text = &self.encoded[meant.clone()];
        if read == text {
            return true;
        }
        let stays = self.from == transfer && *transfer == TransferEncoding::QuotedPrintable && !self.text_changed();
        let (came, wanted) = match stays {
            true => (Cow::Borrowed(read), Cow::Borrowed(text)),
            false => (with_line_ends(read, b"\n"), with_line_ends(text, b"\n")),
        };
        came == wanted || (meant.end == self.encoded.len() && came.strip_suffix(b"\n") == Some(&*wanted))
    }

    /// Returns quoted-printable or base64, whichever takes fewer octets; quoted-printable where line ends must not
    /// become CRLF.
    fn smaller_encoding(&self) -> TransferEncoding {
        // Counted with one line end, so that a message with LF and the same with CRLF go out alike.
        let canonical =
            self.encoded.len() + usize::from(self.has_canonical_line_ends()) * lone_line_feeds(&self.encoded);
        let base64 = base64::encoded_len(canonical, b"\n");
        // Line ends are CRLF in base64: git has them so when it applies a patch, and whoever saves a file gets others.
        let is_file = self.file && self.from.is_identity() && *self.from != TransferEncoding::Binary;
        if is_file || has_patch(self.octets) || quoted_printable::encodes_into(&self.encoded, b"\n", base64) {
            TransferEncoding::QuotedPrintable
        } else {
            TransferEncoding::Base64
        }
    }

    /// Returns `true` if the octets are lines, whose ends are CRLF inside base64 (RFC 2049 §4).
    fn has_canonical_line_ends(&self) -> bool {
        match self.from {
            TransferEncoding::Binary => self.text,
            TransferEncoding::QuotedPrintable => self.text && !self.keeps_written_line_ends(),
            from => from.is_identity(),
        }
    }

    /// Returns the octets as a body that needs no transfer encoding, with a line end behind them where the message
    /// would lose its last one.
    fn into_plain_body(self) -> Vec<u8> {
        let wants_end = self.lacks_last_line_end(&self.encoded);
        let mut body = self.encoded.into_owned();
        body.extend_from_slice(if wants_end { self.line_end.as_bytes() } else { b"" });
        body
    }

    /// Returns `true` if a body must get a line end, since the message ended with one and now ends with the body.
    fn lacks_last_line_end(&self, body: &[u8]) -> bool {
        self.last && self.raw.ends_with(b"\n") && !body.ends_with(b"\n")
    }

    /// Writes the octets in a transfer encoding. Lines of quoted-printable whose text didn't change stay as they were
    /// written, and what must be read back is said beside the body. At its end it has a line end where the message
    /// would lose its last one.
    fn write_body(&self, transfer: &TransferEncoding) -> WrittenBody {
        let end = self.line_end.as_bytes();
        let mut body = match transfer {
            TransferEncoding::Base64 if self.has_canonical_line_ends() => {
                base64::encode(&with_line_ends(&self.encoded, b"\r\n"), end)
            }
            TransferEncoding::Base64 => base64::encode(&self.encoded, end),
            TransferEncoding::QuotedPrintable if self.from == transfer => {
                let written = self.write_with_changed_lines();
                match self.lacks_last_line_end(&written.body) {
                    true => written.body,
                    false => return written,
                }
            }
            TransferEncoding::QuotedPrintable => quoted_printable::encode(&self.encoded, end),
            _ if self.from.is_identity() => self.encoded.to_vec(),
            _ => with_line_ends(&self.encoded, end).into_owned(),
        };
        if *transfer == TransferEncoding::Base64 && !self.raw.ends_with(b"\n") && body.ends_with(end) {
            body.truncate(body.len() - end.len());
        }
        if self.lacks_last_line_end(&body) {
            // In quoted-printable a soft line break ends the last line and adds nothing to the text.
            let is_soft = *transfer == TransferEncoding::QuotedPrintable && !body.is_empty() && !body.ends_with(b"=");
            body.extend_from_slice(if is_soft { b"=" } else { b"" });
            body.extend_from_slice(end);
        }
        self.written_anew(body)
    }
}

#[cfg(test)]
mod tests;
