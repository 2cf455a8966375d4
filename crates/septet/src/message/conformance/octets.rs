//! Defects of octets: long lines, CR and LF alone, octets 0, 8-bit that nothing declares; and of what holds them.

use memchr::{memchr, memchr_iter};

use crate::coding::transfer::{LONGEST_LINE, TransferEncoding, base64};
use crate::edit::Span;
use crate::message::{Defect, DefectKind, Kind, LineEnd, Message, Part};

/// Finds the defects of octets, of each kind the first of each field, body, or stretch between parts; then those of
/// bodies as a whole, and the boundaries that don't occur. Where nothing stands that a boundary could part, its absence
/// is no defect.
pub fn find(message: &Message, found: &mut Vec<Defect>) {
    for (part, span) in regions(message) {
        let text = message.slice(span);
        for (kind, at) in [
            (DefectKind::LongLine, long_line(text)),
            (DefectKind::Nul, memchr(0, text).map(|at| (at, at + 1))),
            (DefectKind::BareLineEnd, bare_line_end(message, span)),
        ] {
            found.extend(at.map(|(start, end)| Defect { kind, part, at: span.within(start..end) }));
        }
    }
    for (part, of) in message.parts().iter().enumerate() {
        find_in_body(message, part, of, found);
    }
    for defect in message.defects().iter().filter(|it| it.kind == DefectKind::BoundaryNotFound) {
        if !message.slice(defect.at).trim_ascii().is_empty() {
            found.push(Defect { kind: DefectKind::UnusedBoundary, ..*defect });
        }
    }
}

/// Finds what is wrong with the octets of a leaf as a whole: 8-bit under `7bit`, or text behind base64.
fn find_in_body(message: &Message, part: usize, of: &Part, found: &mut Vec<Defect>) {
    let body = message.slice(of.body);
    if of.kind != Kind::Leaf {
        return;
    }
    if of.transfer == TransferEncoding::SevenBit && !body.is_ascii() {
        found.push(Defect { kind: DefectKind::Undeclared8Bit, part, at: of.body });
    }
    if of.transfer == TransferEncoding::Base64
        && let Some(at) = base64_footer(body)
    {
        found.push(Defect { kind: DefectKind::Base64Footer, part, at: of.body.within(at..body.len()) });
    }
}

/// Cuts a message into the lines of each field, the bodies of leaves, and what is between them; each with its part, or
/// that before it, and not in the order of the octets. The parts stand in that, so what is between them is found in one
/// pass. All of a message that was not read is between.
fn regions(message: &Message) -> Vec<(usize, Span)> {
    let mut regions = Vec::new();
    for (index, part) in message.parts().iter().enumerate() {
        regions.extend(message.fields(part).iter().map(|field| (index, field.line)));
        if part.kind == Kind::Leaf && !part.body.is_empty() {
            regions.push((index, part.body));
        }
    }
    let mut between = Vec::new();
    let (mut at, mut part) = (0, 0);
    for &(index, span) in &regions {
        between.push((part, Span::new(at, span.start)));
        (at, part) = (span.end, index);
    }
    between.push((part, Span::new(at, message.raw().len())));
    regions.extend(between.into_iter().filter(|(_, span)| !span.is_empty()));
    regions
}

/// Finds the first line that is too long, as a range of the text, its CR included.
fn long_line(text: &[u8]) -> Option<(usize, usize)> {
    let mut start = 0;
    for end in memchr_iter(b'\n', text).chain([text.len()]) {
        let line = &text[start..end];
        if line.strip_suffix(b"\r").unwrap_or(line).len() > LONGEST_LINE {
            return Some((start, end));
        }
        start = end + 1;
    }
    None
}

/// Finds the first CR without an LF behind it, and, where lines end with CRLF, the first LF without a CR before it;
/// as a range of the span. The octets around the span count: it may end between a CR and its LF.
fn bare_line_end(message: &Message, span: Span) -> Option<(usize, usize)> {
    let (raw, text) = (message.raw(), message.slice(span));
    let cr = memchr_iter(b'\r', text).find(|at| raw.get(span.start + at + 1) != Some(&b'\n'));
    let lf = match message.line_end() {
        LineEnd::CrLf => memchr_iter(b'\n', text).find(|at| !raw[..span.start + at].ends_with(b"\r")),
        LineEnd::Lf => None,
    };
    let at = cr.into_iter().chain(lf).min()?;
    Some((at, at + 1))
}

/// Finds where text starts behind base64 that is whole: the footer that a mailing list adds to what it can't read. None
/// where there is no such text, or nobody can tell where it starts.
///
/// The base64 must be told from the text by more than its letters, for a word is base64 too: it ends with padding, or
/// with an empty line, or before a line of underscores or dashes, and all its lines but the last are of one length.
///
/// ```
/// use septet::message::base64_footer;
///
/// assert_eq!(base64_footer(b"Y2Fmw6k=\n____________\nThe list\n"), Some(9));
/// assert_eq!(base64_footer(b"Y2Fmw6k=\n"), None);
/// assert_eq!(base64_footer(b"Y2Fm\nThe list\n"), None, "where would it start?");
/// ```
pub fn base64_footer(body: &[u8]) -> Option<usize> {
    let mut data = DataLines::default();
    let mut at = 0;
    for line in body.split_inclusive(|&octet| octet == b'\n') {
        let content = line.trim_ascii_end();
        if !data.takes(content) {
            break;
        }
        data.add(content);
        at += line.len();
    }
    let footer = body.get(at..)?;
    let is_text = footer.is_ascii() && !footer.contains(&0) && base64::has_words(footer);
    (is_text && data.is_whole() && (data.is_over || starts_with_rule(footer))).then_some(at)
}

/// Returns `true` if a text starts with a line of nothing but underscores, or nothing but dashes, two at least.
fn starts_with_rule(text: &[u8]) -> bool {
    let line = text.split(|&octet| octet == b'\n').next().unwrap_or_default().trim_ascii();
    line.len() >= 2 && (line.iter().all(|&octet| octet == b'_') || line.iter().all(|&octet| octet == b'-'))
}

/// The lines of base64 at the start of a body.
#[derive(Default)]
struct DataLines {
    /// The octets of all lines, padding counted.
    digits: usize,
    /// The length of the longest line.
    width: usize,
    /// Whether a line was shorter than the others, so that it is the last.
    is_short: bool,
    /// Whether padding or an empty line ended it.
    is_over: bool,
}

impl DataLines {
    /// Returns `true` if a line, its line end left out, may be the next one of the base64: an empty one always, one of
    /// digits and padding if it is no longer than those before, and none of these was the last.
    fn takes(&self, line: &[u8]) -> bool {
        let digits =
            line.iter().take_while(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'/')).count();
        let padding = &line[digits..];
        let is_data = padding.len() <= 2 && padding.iter().all(|&octet| octet == b'=');
        let fits = self.width == 0 || line.len() <= self.width;
        line.is_empty() || is_data && fits && !self.is_short && !self.is_over
    }

    /// Adds a line, which [`takes`](Self::takes) must have accepted.
    fn add(&mut self, line: &[u8]) {
        if line.is_empty() {
            self.is_over |= self.digits > 0;
            return;
        }
        self.is_over |= line.ends_with(b"=");
        self.is_short |= self.width > 0 && line.len() < self.width;
        self.width = self.width.max(line.len());
        self.digits += line.len();
    }

    /// Returns `true` if the lines make whole groups of four.
    fn is_whole(&self) -> bool {
        self.digits > 0 && self.digits.is_multiple_of(4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Limits, named_defects};

    #[test]
    fn finds_footers_behind_base64() {
        let line = "YWJj".repeat(19);
        for (body, wanted) in [
            (format!("{line}\n{line}\nYWI=\nbye bye\n"), true),
            (format!("{line}\n{line}\n\nbye bye\n"), true),
            (format!("{line}\n{line}\n-- \nbye bye\n"), true),
            (format!("{line}\n{line}\nbye bye\n"), false),
            (format!("{line}\nabc\n\nbye\n"), false),
            (format!("{line}\n{line}\n\nbye\n"), false),
            (format!("{line}\n{line}\n\n\n"), false),
            (format!("{line}\nYWI=\n{line}\n"), false),
            ("\n\nhello there\n".to_owned(), false),
            (format!("{line}\nYWI=\nbye \u{e9}\n"), false),
        ] {
            assert_eq!(base64_footer(body.as_bytes()).is_some(), wanted, "{body}");
        }
    }

    /// Finds the defects of a message, and where, but for fields that are missing.
    fn at(raw: &[u8]) -> Vec<(DefectKind, usize)> {
        use DefectKind::{MissingDate, MissingMessageId, MissingMimeVersion};
        let found = named_defects(&Message::read(raw, &Limits::default())).into_iter();
        let found = found.filter(|it| !matches!(it.kind, MissingDate | MissingMessageId | MissingMimeVersion));
        found.map(|it| (it.kind, it.at.start)).collect()
    }

    #[test]
    fn finds_octets_wherever_they_are() {
        use DefectKind::*;
        let long = "x".repeat(999);
        assert_eq!(at(format!("A: b\n\n{long}\n").as_bytes()), [(LongLine, 6)]);
        assert_eq!(at(format!("A: {long}\nB: c\n\nx\n").as_bytes()), [(LongLine, 0)]);
        assert_eq!(at(b"A: b\n\na\rb\n"), [(BareLineEnd, 7)]);
        assert_eq!(at(b"A: b\r\n\r\na\nb\r\n"), [(BareLineEnd, 9)]);
        assert_eq!(at(b"A: b\r\nC: d\n\r\na\r\n"), [(BareLineEnd, 10)]);
        assert_eq!(at(b"A: b\n\na\0\n"), [(Nul, 7)]);
        assert_eq!(at(b"A: b\n\n\xe9\n"), [(Undeclared8Bit, 6)]);
        assert_eq!(at(b"Content-Transfer-Encoding: 8bit\n\n\xe9\n"), []);
        let mixed = "Content-Type: multipart/mixed; boundary=b\n\n--c\n\nx\n--c--\n";
        assert_eq!(at(mixed.as_bytes()), [(UnusedBoundary, 43)]);
        let nul_between = b"Content-Type: multipart/mixed; boundary=b\n\n\0\n--b\n\nx\n--b--\n";
        assert_eq!(at(nul_between), [(Nul, 43)]);
    }
}
