//! Chooses a body's transfer encoding, and writes the body in it (RFC 2045 §6).
//!
//! Three rules decide. What need not be encoded is not, and what is encoded already stays in its encoding, unless
//! the profile's goal says otherwise. No line over 998 octets is produced (RFC 5322 §2.1.1). Where a body must be
//! encoded anew, the smaller of quoted-printable and base64 is taken.
//!
//! A quoted-printable body of which some lines changed keeps the others as they were written, soft breaks and all.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memmem};

use super::body::is_identity;
use super::{LONGEST_LINE, Reason, Transfer};
use crate::coding::transfer::{TransferEncoding, base64, quoted_printable};
use crate::message::LineEnd;

/// A body to be carried: as it came, and as it must be.
pub(super) struct Load<'a> {
    /// The body as it stands in the message.
    pub raw: &'a [u8],
    /// The transfer encoding that it stands in.
    pub from: &'a TransferEncoding,
    /// The octets that it means.
    pub octets: &'a [u8],
    /// The octets that it shall mean.
    pub encoded: &'a [u8],
    /// What the profile wants.
    pub goal: Transfer,
    /// Whether the profile's charset is one made to be read without a transfer encoding (UTF-7, US-ASCII).
    pub readable: bool,
    /// Whether the header must say something else of the charset, and so must be true of the rest too.
    pub relabelled: bool,
    /// The line end of the message.
    pub line_end: LineEnd,
    /// Whether it is a text, made of lines.
    pub text: bool,
    /// Whether the message ends with it, so that it must end with a line end.
    pub last: bool,
}

/// A body in its transfer encoding.
pub(super) struct Carried {
    /// The body; none when only the name of the transfer encoding changes.
    pub body: Option<Vec<u8>>,
    /// The transfer encoding.
    pub transfer: TransferEncoding,
}

/// Octets without their transfer encoding, and which encoding had faults that a rewrite would repair.
pub(super) struct Undone<'a> {
    pub octets: Cow<'a, [u8]>,
    pub repairs: Option<&'static str>,
}

/// Undoes a transfer encoding; only an unknown one fails.
pub(super) fn undo<'a>(transfer: &TransferEncoding, raw: &'a [u8]) -> Result<Undone<'a>, Reason> {
    let (decoded, name) = match transfer {
        TransferEncoding::QuotedPrintable => (quoted_printable::decode(raw), "quoted-printable"),
        TransferEncoding::Base64 => (base64::decode(raw), "base64"),
        TransferEncoding::Unknown(token) => return Err(Reason::UnknownTransfer(token.clone())),
        _ => return Ok(Undone { octets: Cow::Borrowed(raw), repairs: None }),
    };
    Ok(Undone { octets: decoded.bytes, repairs: (decoded.faults > 0).then_some(name) })
}

/// Carries a body; none when neither the body nor the name of its encoding changes.
pub(super) fn carry(load: &Load) -> Option<Carried> {
    let transfer = load.choose();
    let stays = !load.changed() && is_identity(load.from) == is_identity(&transfer) && !load.leaks();
    if stays && transfer == *load.from {
        return None;
    }
    let body = (!stays).then(|| load.write(&transfer));
    Some(Carried { body, transfer })
}

impl Load<'_> {
    fn choose(&self) -> TransferEncoding {
        let plain = is_identity(self.from);
        match self.goal {
            Transfer::Keep if plain => self.choose_plain(),
            Transfer::Keep => self.from.clone(),
            Transfer::SevenBit if plain => self.choose_seven_bit(),
            Transfer::SevenBit if self.changed() && self.readable && self.fits_unencoded() => {
                if self.encoded.is_ascii() { TransferEncoding::SevenBit } else { self.from.clone() }
            }
            Transfer::SevenBit => self.from.clone(),
            Transfer::EightBit if self.text && self.fits_unencoded() => self.unencoded(),
            Transfer::EightBit if plain => self.choose_plain(),
            Transfer::EightBit => self.from.clone(),
        }
    }

    fn changed(&self) -> bool {
        self.octets != self.encoded
    }

    /// Tells whether an encoded body has raw 8-bit in it all the same, and may not.
    fn leaks(&self) -> bool {
        self.goal == Transfer::SevenBit && !is_identity(self.from) && !self.raw.is_ascii()
    }

    /// 7-bit stays 7-bit, 8-bit stays 8-bit.
    fn choose_plain(&self) -> TransferEncoding {
        match (self.changed(), self.encoded.is_ascii()) {
            (false, false) if self.relabelled => self.unencoded(),
            (false, _) => self.from.clone(),
            (true, _) if longest_line(self.encoded) > LONGEST_LINE => self.smaller(),
            (true, true) => self.from.clone(),
            (true, false) if self.octets.is_ascii() => self.smaller(),
            (true, false) => self.unencoded(),
        }
    }

    fn choose_seven_bit(&self) -> TransferEncoding {
        if !self.encoded.is_ascii() || (self.changed() && longest_line(self.encoded) > LONGEST_LINE) {
            return self.smaller();
        }
        TransferEncoding::SevenBit
    }

    /// The name for octets that stand as they are.
    fn unencoded(&self) -> TransferEncoding {
        match (self.from, self.encoded.is_ascii()) {
            (from, true) if is_identity(from) => from.clone(),
            (_, true) => TransferEncoding::SevenBit,
            (TransferEncoding::Binary, false) => TransferEncoding::Binary,
            (_, false) => TransferEncoding::EightBit,
        }
    }

    /// Tells whether the octets can stand as lines: none too long, no NUL, no CR alone.
    fn fits_unencoded(&self) -> bool {
        let lone = |at: usize| self.encoded.get(at + 1) != Some(&b'\n');
        memchr(0, self.encoded).is_none()
            && !memchr_iter(b'\r', self.encoded).any(lone)
            && longest_line(self.encoded) <= LONGEST_LINE
    }

    fn smaller(&self) -> TransferEncoding {
        let end = self.line_end.as_bytes();
        let canonical = self.encoded.len() + usize::from(self.canonical()) * lone_line_feeds(self.encoded);
        let base64 = base64::encoded_len(canonical, end);
        if quoted_printable::encoded_len(self.encoded, end) <= base64 {
            TransferEncoding::QuotedPrintable
        } else {
            TransferEncoding::Base64
        }
    }

    /// Tells whether the octets are lines, whose ends are CRLF inside base64 (RFC 2049 §4).
    fn canonical(&self) -> bool {
        is_identity(self.from) && (self.text || *self.from != TransferEncoding::Binary)
    }

    fn write(&self, transfer: &TransferEncoding) -> Vec<u8> {
        let end = self.line_end.as_bytes();
        let mut body = match transfer {
            TransferEncoding::Base64 if self.canonical() => base64::encode(&with_line_ends(self.encoded, b"\r\n"), end),
            TransferEncoding::Base64 => base64::encode(self.encoded, end),
            TransferEncoding::QuotedPrintable if self.from == transfer => self.changed_lines(),
            TransferEncoding::QuotedPrintable => quoted_printable::encode(self.encoded, end),
            _ if is_identity(self.from) => self.encoded.to_vec(),
            _ => with_line_ends(self.encoded, end).into_owned(),
        };
        if *transfer == TransferEncoding::Base64 && !self.raw.ends_with(b"\n") && body.ends_with(end) {
            body.truncate(body.len() - end.len());
        }
        if self.last && self.raw.ends_with(b"\n") && !body.ends_with(b"\n") {
            body.extend_from_slice(end);
        }
        body
    }

    /// Writes quoted-printable anew only where the text changed; other lines stay as they were written.
    fn changed_lines(&self) -> Vec<u8> {
        let end = self.line_end.as_bytes();
        let anew = || quoted_printable::encode(self.encoded, end);
        if line_feeds(self.octets) != line_feeds(self.encoded) {
            return anew();
        }
        let mut out = Vec::with_capacity(self.raw.len() + self.raw.len() / 8);
        let (mut octets, mut encoded) = (self.octets, self.encoded);
        for line in written_lines(self.raw) {
            let means = quoted_printable::decode(line).bytes;
            let Some(rest) = octets.strip_prefix(&*means) else { return anew() };
            let (new, after) = encoded.split_at(length_of_lines(encoded, line_feeds(&means), rest.is_empty()));
            let leaks = self.goal == Transfer::SevenBit && !line.is_ascii();
            if new == &*means && !leaks {
                out.extend_from_slice(line);
            } else {
                out.extend(quoted_printable::encode(new, end));
            }
            (octets, encoded) = (rest, after);
        }
        if octets.is_empty() && encoded.is_empty() { out } else { anew() }
    }
}

/// Gives the lines of a quoted-printable body, each up to its hard line break, soft breaks inside.
fn written_lines(raw: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    let mut ends = memchr_iter(b'\n', raw).map(|at| at + 1).chain([raw.len()]);
    std::iter::from_fn(move || {
        for end in ends.by_ref() {
            let line = &raw[start..end];
            let soft = line.ends_with(b"\n") && line.trim_ascii_end().ends_with(b"=");
            if !soft && start < end {
                start = end;
                return Some(line);
            }
        }
        // A soft break at the very end leaves a line that no hard break ends.
        let line = &raw[start..];
        start = raw.len();
        (!line.is_empty()).then_some(line)
    })
}

/// Gives how many octets the first `count` lines take; all of them for the last piece.
fn length_of_lines(text: &[u8], count: usize, last: bool) -> usize {
    if last {
        return text.len();
    }
    match count.checked_sub(1) {
        Some(before) => memchr_iter(b'\n', text).nth(before).map_or(text.len(), |at| at + 1),
        None => 0,
    }
}

fn line_feeds(text: &[u8]) -> usize {
    memchr_iter(b'\n', text).count()
}

fn lone_line_feeds(text: &[u8]) -> usize {
    line_feeds(text) - memmem::find_iter(text, b"\r\n").count()
}

fn longest_line(text: &[u8]) -> usize {
    let mut longest = 0;
    let mut start = 0;
    for at in memchr_iter(b'\n', text) {
        let end = if text[start..at].ends_with(b"\r") { at - 1 } else { at };
        longest = longest.max(end - start);
        start = at + 1;
    }
    longest.max(text.len() - start)
}

/// Writes every line end, LF or CRLF, as `end`.
fn with_line_ends<'a>(text: &'a [u8], end: &[u8]) -> Cow<'a, [u8]> {
    let crlf = memmem::find_iter(text, b"\r\n").count();
    if (end == b"\n" && crlf == 0) || (end != b"\n" && crlf == line_feeds(text)) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len() + line_feeds(text));
    for line in text.split_inclusive(|&octet| octet == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(content) => {
                out.extend_from_slice(content.strip_suffix(b"\r").unwrap_or(content));
                out.extend_from_slice(end);
            }
            None => out.extend_from_slice(line),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load<'a>(raw: &'a [u8], from: &'a TransferEncoding, octets: &'a [u8], encoded: &'a [u8]) -> Load<'a> {
        let line_end = LineEnd::Lf;
        let (goal, readable, relabelled, text, last) = (Transfer::Keep, false, true, true, true);
        Load { raw, from, octets, encoded, goal, readable, relabelled, line_end, text, last }
    }

    #[test]
    fn quoted_printable_lines_that_did_not_change_stay_as_written() {
        let raw = b"caf=E9=\n x=20\na=\nb =3d\nlast=E9\n";
        let octets = b"caf\xe9 x \nab =\nlast\xe9\n";
        let encoded = "caf\u{e9} x \nab =\nlast\u{e9}\n".as_bytes();
        let carried = carry(&load(raw, &TransferEncoding::QuotedPrintable, octets, encoded)).expect("a change");
        assert_eq!(carried.body.as_deref(), Some(&b"caf=C3=A9 x=20\na=\nb =3d\nlast=C3=A9\n"[..]));
        assert_eq!(carried.transfer, TransferEncoding::QuotedPrintable);
    }

    #[test]
    fn seven_bit_stays_seven_bit_and_eight_bit_eight_bit() {
        let new = "\u{e9}\n".as_bytes();
        let seven = carry(&load(b"+AOk-\n", &TransferEncoding::SevenBit, b"+AOk-\n", new)).expect("a change");
        assert_eq!(seven.transfer, TransferEncoding::QuotedPrintable);
        let eight = carry(&load(b"\xe9\n", &TransferEncoding::SevenBit, b"\xe9\n", new)).expect("a change");
        assert_eq!((eight.transfer, eight.body.as_deref()), (TransferEncoding::EightBit, Some(new)));
    }

    #[test]
    fn no_line_over_998_octets_is_produced() {
        let old = [b'\xe9'; 900];
        let new = "\u{e9}".repeat(900);
        let carried = carry(&load(&old, &TransferEncoding::EightBit, &old, new.as_bytes())).expect("a change");
        assert!(!is_identity(&carried.transfer));
        assert!(longest_line(&carried.body.expect("a body")) <= 76);
    }

    #[test]
    fn base64_holds_crlf_and_ends_as_the_body_ended() {
        let octets = "\u{e9}\n\u{e9}".as_bytes();
        let goal = Transfer::SevenBit;
        let carried = carry(&Load { goal, last: false, ..load(octets, &TransferEncoding::EightBit, octets, octets) });
        let carried = carried.expect("a change");
        assert_eq!(carried.transfer, TransferEncoding::Base64);
        assert_eq!(carried.body.as_deref(), Some(&b"w6kNCsOp"[..]));
    }

    #[test]
    fn goes_up_only_where_lines_allow_it() {
        let goal = Transfer::EightBit;
        let up = |raw: &[u8], octets: &[u8]| {
            let from = TransferEncoding::QuotedPrintable;
            carry(&Load { goal, relabelled: false, ..load(raw, &from, octets, octets) }).map(|carried| carried.transfer)
        };
        assert_eq!(up(b"=C3=A9\n", "\u{e9}\n".as_bytes()), Some(TransferEncoding::EightBit));
        assert_eq!(up(b"a=20\n", b"a \n"), Some(TransferEncoding::SevenBit));
        assert_eq!(up(b"a=0Db\n", b"a\rb\n"), None);
        assert_eq!(up(b"=00\n", b"\0\n"), None);
    }
}
