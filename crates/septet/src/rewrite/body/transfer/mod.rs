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

pub(super) use self::lines::lone_line_feeds;
use self::lines::{has_no_more, lone_returns, nuls};
use super::embedded::has_patch;
use crate::coding::transfer::quoted_printable::{has_hard_break, has_written_line_ends};
use crate::coding::transfer::{LONGEST_LINE, TransferEncoding, base64, quoted_printable};
use crate::message::irregular::Form;
use crate::message::{LineEnd, count_line_feeds, longest_line, with_line_ends};
use crate::rewrite::ensure::ensure;
use crate::rewrite::survey::body::Body;
use crate::rewrite::survey::reading::{TransferDecoded, decode_transfer, is_shown_text};
use crate::rewrite::{BodyCharset, Reason, Transfer, canonical};

/// A body to be written: as it came, and as it must be.
pub(super) struct ReencodeInput<'a> {
    /// The body as it stands in the message.
    pub body: &'a Body<'a>,
    /// The octets that it means.
    pub octets: &'a [u8],
    /// The octets that it shall mean.
    pub encoded: Cow<'a, [u8]>,
    /// Whether the header must say something else of the charset, and so must be true of the rest too.
    pub relabelled: bool,
    /// Whether it is written anew though it may stay, because it breaks a rule of its transfer encoding, or, without
    /// one, because no line may hold its octets.
    pub anew: bool,
    /// Whether its line ends are not the message's but a file's, so that only base64 keeps them.
    pub exact: bool,
}

/// Returns `true` if two texts are the same; one and the same is not read. Steps hand on what they do not change
/// without a copy, so that most are.
pub(super) fn is_one_text(one: &[u8], other: &[u8]) -> bool {
    std::ptr::eq(one, other) || one == other
}

/// A body in its transfer encoding.
pub(super) struct Reencoded {
    /// The body; none when only the name of the transfer encoding changes.
    pub body: Option<Vec<u8>>,
    /// The transfer encoding.
    pub transfer: TransferEncoding,
}

/// A body that was written; one that does not read back must not be used.
struct WrittenBody {
    body: Vec<u8>,
    /// Whether what was written anew of it reads as what was meant.
    reads_back: bool,
}

/// Writes a body in its transfer encoding; none when neither the body nor the name of its encoding changes, or when
/// only its encoding would, which can't be left safely.
///
/// What is written is read again; a body that does not read as what was meant is a fault of septet's own. Other errors
/// say why the body stays: no transfer encoding keeps what it means. Whether the body stays is asked before anything is
/// written; base64 comes last, and is not asked whether it is safe, since its alphabet has nothing that could be taken
/// for something else.
pub(super) fn reencode(input: ReencodeInput) -> Result<Option<Reencoded>, Reason> {
    let transfer = input.choose_encoding();
    let is_as_before = input.body.transfer.is_identity() == transfer.is_identity();
    let stays = is_as_before && !input.anew && !input.text_changed() && !input.has_raw_8bit();
    if stays {
        return Ok((transfer != input.body.transfer).then_some(Reencoded { body: None, transfer }));
    }
    if transfer.is_identity() && input.body.transfer.is_identity() && input.is_safe(&transfer, &input.encoded) {
        return Ok(Some(Reencoded { body: Some(input.into_plain_body()), transfer }));
    }
    let written = input.write_body(&transfer);
    if written.reads_back && input.is_safe(&transfer, &written.body) {
        return Ok(Some(Reencoded { body: Some(written.body), transfer }));
    }
    // What can't be left safely stays in its transfer encoding: only that was to change.
    if !input.text_changed() && !input.body.transfer.is_identity() && !input.has_raw_8bit() {
        return Ok(None);
    }
    // Only base64 is left. Line ends of the message are CRLF in it, so that an LF written as an octet would be none
    // beside them.
    let mixes_ends = input.keeps_written_line_ends() && count_line_feeds(input.body.raw) > 0;
    ensure(!mixes_ends, Reason::Irregular(Form::QpLineEnd))?;
    // And whoever saves a file would get other line ends than before.
    let has_lines = match input.is_text() {
        true => input.is_file() && count_line_feeds(input.body.raw) > 0,
        false => has_hard_break(input.body.raw),
    };
    ensure(!(has_lines && input.body.transfer == TransferEncoding::QuotedPrintable), Reason::Control)?;
    let (written, transfer) = (input.write_body(&TransferEncoding::Base64), TransferEncoding::Base64);
    ensure(written.reads_back, Reason::Unproved("a body does not read back"))?;
    Ok(Some(Reencoded { body: Some(written.body), transfer }))
}

/// Returns `encoded` with all line ends as those of the message, if it has more of them than `octets`, from which it
/// came: those had been hidden (in UTF-7, in escapes), and would be LFs alone beside the lines that every reader saw
/// before. A body in base64 has none of the message's line ends, and stays.
pub(super) fn with_shown_line_ends<'t>(
    from: &TransferEncoding,
    octets: &[u8],
    encoded: Cow<'t, [u8]>,
    line_end: LineEnd,
) -> Cow<'t, [u8]> {
    // They may be as many as before, where a line end that was no text goes (`~` at a line's end in HZ).
    let stays = *from == TransferEncoding::Base64 || is_one_text(&encoded, octets);
    if stays || (has_no_more(count_line_feeds, &encoded, octets) && has_no_more(lone_line_feeds, &encoded, octets)) {
        return encoded;
    }
    Cow::Owned(with_line_ends(&encoded, line_end.as_bytes()).into_owned())
}

impl ReencodeInput<'_> {
    /// Returns the transfer encoding to write. It is only a choice: what is written in it is read back before it is
    /// used. Of the branches the first that holds decides: what must be written anew, or exactly, goes before what the
    /// profile wants.
    fn choose_encoding(&self) -> TransferEncoding {
        let plain = self.body.transfer.is_identity();
        match self.body.profile.transfer {
            // What is no text has no lines, and only base64 has none either.
            _ if plain && self.anew && self.body.transfer == TransferEncoding::Binary => TransferEncoding::Base64,
            _ if plain && self.anew => self.smaller_encoding(),
            _ if self.exact => TransferEncoding::Base64,
            Transfer::Keep if plain => self.choose_plain(),
            Transfer::Keep => self.body.transfer.clone(),
            Transfer::SevenBit if plain => self.choose_seven_bit(),
            Transfer::SevenBit if self.text_changed() && self.is_readable() && self.fits_unencoded() => {
                if self.encoded.is_ascii() { TransferEncoding::SevenBit } else { self.body.transfer.clone() }
            }
            Transfer::SevenBit => self.body.transfer.clone(),
            Transfer::EightBit if self.is_text() && self.fits_unencoded() => self.identity_encoding(),
            Transfer::EightBit if plain => self.choose_plain(),
            Transfer::EightBit => self.body.transfer.clone(),
        }
    }

    /// Returns `true` if it is a text, made of lines, by its type; an attached one, too.
    fn is_text(&self) -> bool {
        self.body.kind.is_some()
    }

    /// Returns `true` if mail programs do not show it as text in the message. Whoever gets it may save it, and its line
    /// ends with it.
    fn is_file(&self) -> bool {
        !is_shown_text(self.body.message, self.body.part)
    }

    /// Returns `true` if the profile's charset is one made to be read without a transfer encoding (UTF-7, US-ASCII):
    /// what changes into it comes out of its transfer encoding, where its lines allow that.
    fn is_readable(&self) -> bool {
        !matches!(self.body.profile.charset, BodyCharset::Keep | BodyCharset::Utf8)
    }

    /// Returns `true` if the text itself changes, and not its transfer encoding alone.
    fn text_changed(&self) -> bool {
        !is_one_text(self.octets, &self.encoded)
    }

    /// Returns `true` if an encoded body has raw 8-bit in it all the same, and may not. Then it is written anew though
    /// its text stays, and [`write_with_changed_lines`](Self::write_with_changed_lines) writes of quoted-printable the
    /// lines that have it alone.
    fn has_raw_8bit(&self) -> bool {
        self.body.profile.transfer == Transfer::SevenBit
            && !self.body.transfer.is_identity()
            && !self.body.raw.is_ascii()
    }

    /// Returns an encoding for octets that came without one, where 8 bits are allowed: they stay so, but for a changed
    /// text with lines that are too long, or with 8-bit octets where it had none. 8-bit octets that change or get
    /// another label are named as what they are.
    fn choose_plain(&self) -> TransferEncoding {
        match (self.text_changed(), self.encoded.is_ascii()) {
            (false, false) if self.relabelled => self.identity_encoding(),
            (false, _) => self.body.transfer.clone(),
            (true, _) if longest_line(&self.encoded) > LONGEST_LINE => self.smaller_encoding(),
            (true, true) => self.body.transfer.clone(),
            (true, false) if self.octets.is_ascii() => self.smaller_encoding(),
            (true, false) => self.identity_encoding(),
        }
    }

    /// Returns an encoding in which the octets are ASCII, for a body that came without one. An ASCII body needs none
    /// unless a change made its lines too long, or it came as binary and can't stand as lines: the name `7bit` would
    /// not be true of it (RFC 2045 §2.7), and an MTA would break its lines.
    fn choose_seven_bit(&self) -> TransferEncoding {
        let needs_encoding = !self.encoded.is_ascii()
            || self.text_changed() && longest_line(&self.encoded) > LONGEST_LINE
            || self.body.transfer == TransferEncoding::Binary && !self.fits_unencoded();
        if needs_encoding { self.smaller_encoding() } else { TransferEncoding::SevenBit }
    }

    /// Returns the encoding (7bit, 8bit or binary) that names octets which go out as they are; a name that came stays
    /// if it is true of them. It goes into the header, so it must be true of what is written.
    fn identity_encoding(&self) -> TransferEncoding {
        match (&self.body.transfer, self.encoded.is_ascii()) {
            (from, true) if from.is_identity() => from.clone(),
            (_, true) => TransferEncoding::SevenBit,
            (TransferEncoding::Binary, false) => TransferEncoding::Binary,
            (_, false) => TransferEncoding::EightBit,
        }
    }

    /// Returns `true` if the octets can stand as lines: none too long, no NUL, no CR alone, no line end that was
    /// hidden. Delimiters are asked about once they are written ([`is_safe`](Self::is_safe)).
    fn fits_unencoded(&self) -> bool {
        memchr(0, &self.encoded).is_none()
            && lone_returns(&self.encoded) == 0
            && longest_line(&self.encoded) <= LONGEST_LINE
            && !self.keeps_written_line_ends()
    }

    /// Returns `true` if a CR or LF that quoted-printable writes stays one: where lines come or go, all are written
    /// anew, and every line end becomes one of the message. An octet that is one in UTF-16 may be none in the text.
    fn keeps_written_line_ends(&self) -> bool {
        self.body.transfer == TransferEncoding::QuotedPrintable
            && has_written_line_ends(self.body.raw)
            && count_line_feeds(self.octets) == count_line_feeds(&self.encoded)
            && has_written_line_ends(&self.write_with_changed_lines().body)
    }

    /// Returns `true` if a written body holds nothing that could be taken for something else (octets 0, CRs alone,
    /// delimiters of multiparts around it), but what the body that came held as well.
    fn is_safe(&self, transfer: &TransferEncoding, body: &[u8]) -> bool {
        let before = if self.body.transfer.is_identity() { self.body.raw } else { b"" };
        let as_lines =
            !transfer.is_identity() || (has_no_more(nuls, body, before) && has_no_more(lone_returns, body, before));
        as_lines && self.body.message.adds_no_delimiter(self.body.part, self.body.raw, body)
    }

    /// Returns a body of which all was written anew. It reads back if it is canonical (`rewrite/canonical/` compares it
    /// with what was meant in one pass), or if it is decoded and means that.
    fn written_anew(&self, transfer: &TransferEncoding, body: Vec<u8>) -> WrittenBody {
        let reads_back = canonical::encodes(transfer, &body, &self.encoded)
            || self.is_meant(transfer, &body, &(0..self.encoded.len()));
        WrittenBody { body, reads_back }
    }

    /// Returns `true` if a stretch that was written reads as what was `meant`, but for the form of its line ends and
    /// for one more at the end of all. Only octets that stay in quoted-printable unchanged must have the same line
    /// ends, too, since these may be written as octets there.
    fn is_meant(&self, transfer: &TransferEncoding, written: &[u8], meant: &Range<usize>) -> bool {
        let Ok(TransferDecoded { octets: read, .. }) = decode_transfer(transfer, written) else { return false };
        let text = &self.encoded[meant.clone()];
        if *read == *text {
            return true;
        }
        let stays =
            self.body.transfer == *transfer && *transfer == TransferEncoding::QuotedPrintable && !self.text_changed();
        let (came, wanted) = match stays {
            true => (Cow::Borrowed(&*read), Cow::Borrowed(text)),
            false => (with_line_ends(&read, b"\n"), with_line_ends(text, b"\n")),
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
        let is_file =
            self.is_file() && self.body.transfer.is_identity() && self.body.transfer != TransferEncoding::Binary;
        if is_file || has_patch(self.octets) || quoted_printable::encodes_into(&self.encoded, b"\n", base64) {
            TransferEncoding::QuotedPrintable
        } else {
            TransferEncoding::Base64
        }
    }

    /// Returns `true` if the octets are lines, whose ends are CRLF inside base64 (RFC 2049 §4). What
    /// [`smaller_encoding`](Self::smaller_encoding) counts for base64 and what [`write_body`](Self::write_body) writes
    /// of it must both go by this.
    fn has_canonical_line_ends(&self) -> bool {
        match &self.body.transfer {
            _ if self.exact => false,
            TransferEncoding::Binary => self.is_text(),
            TransferEncoding::QuotedPrintable => self.is_text() && !self.keeps_written_line_ends(),
            from => from.is_identity(),
        }
    }

    /// Returns the octets as a body that needs no transfer encoding, with a line end behind them where the message
    /// would lose its last one. [`write_body`](Self::write_body) does the same for one that is encoded.
    fn into_plain_body(self) -> Vec<u8> {
        let wants_end = self.lacks_last_line_end(&self.encoded);
        let mut body = self.encoded.into_owned();
        body.extend_from_slice(if wants_end { self.body.line_end().as_bytes() } else { b"" });
        body
    }

    /// Returns `true` if a body must get a line end, since the message ended with one and would now end without one.
    fn lacks_last_line_end(&self, body: &[u8]) -> bool {
        let ends_message = self.body.part.body.end == self.body.message.raw().len();
        ends_message && self.body.raw.ends_with(b"\n") && !body.ends_with(b"\n")
    }

    /// Writes the octets in a transfer encoding. Lines of quoted-printable whose text didn't change stay as they were
    /// written, and only the others are read back. At its end it has a line end where the message would lose its last
    /// one, and in base64 none where the body that came had none. Whether it is safe is not asked here.
    fn write_body(&self, transfer: &TransferEncoding) -> WrittenBody {
        let end = self.body.line_end().as_bytes();
        let mut body = match transfer {
            TransferEncoding::Base64 if self.has_canonical_line_ends() => {
                base64::encode(&with_line_ends(&self.encoded, b"\r\n"), end)
            }
            TransferEncoding::Base64 => base64::encode(&self.encoded, end),
            TransferEncoding::QuotedPrintable if self.body.transfer == *transfer => {
                let written = self.write_with_changed_lines();
                match self.lacks_last_line_end(&written.body) {
                    true => written.body,
                    false => return written,
                }
            }
            TransferEncoding::QuotedPrintable => quoted_printable::encode(&self.encoded, end),
            _ if self.body.transfer.is_identity() => self.encoded.to_vec(),
            _ => with_line_ends(&self.encoded, end).into_owned(),
        };
        if *transfer == TransferEncoding::Base64 && !self.body.raw.ends_with(b"\n") && body.ends_with(end) {
            body.truncate(body.len() - end.len());
        }
        if self.lacks_last_line_end(&body) {
            // In quoted-printable a soft line break ends the last line and adds nothing to the text.
            let is_soft = *transfer == TransferEncoding::QuotedPrintable && !body.is_empty() && !body.ends_with(b"=");
            body.extend_from_slice(if is_soft { b"=" } else { b"" });
            body.extend_from_slice(end);
        }
        self.written_anew(transfer, body)
    }
}

#[cfg(test)]
mod tests;
