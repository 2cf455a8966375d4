//! Header fields, as spans (RFC 5322 §2.2).
//!
//! A header is read as MTAs and mail programs read it: it ends at the first empty line, or at the first line
//! that can be no field. A From_ line that strayed into it is stepped over. Other programs go on behind a line that is
//! no field, or end the header at a From_ line: [`Header::doubt`] says so, for whoever would change what comes after.
//!
//! **Limits**: beyond `header_bytes`, or `fields` in the whole message, the rest of a header is skipped and its fields
//! are not known, nor what they say of the body.

use super::lines::{content_end, line_end_after};
use super::{DefectKind, FieldNames, Known, LimitReached, Limits};
use crate::coding::scan::printable_len;
use crate::edit::Span;

/// One header field, as spans of the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// The whole field, its last line end included.
    pub line: Span,
    /// The name, without the colon or white space before it.
    pub name: Span,
    /// The value: from after the colon to before the last line end, folds and leading space included.
    pub value: Span,
    /// Which name it is, if it is one that somebody asks for.
    pub known: Option<Known>,
}

impl Field {
    /// Returns `true` if the field has this name, in any case of letters.
    pub fn is(&self, raw: &[u8], name: &str) -> bool {
        self.name.slice(raw).eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns `true` if it has one of these names.
    pub fn is_one_of(&self, names: FieldNames) -> bool {
        names.has(self.known)
    }

    /// Returns what stands between the name and the colon, which only obsolete syntax has (RFC 5322 §4.5); empty where
    /// nothing does.
    pub fn space_before_colon(&self) -> Span {
        Span::new(self.name.end, self.value.start.saturating_sub(1))
    }

    /// Returns the value without the spaces and tabs before it, but with all that follows: a fold, or blanks at its
    /// end.
    pub fn solid_value(&self, raw: &[u8]) -> Span {
        let blanks = self.value.slice(raw).iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count();
        Span::new(self.value.start + blanks, self.value.end)
    }
}

/// A header that was read.
pub(super) struct Header {
    /// Where it lies.
    pub span: Span,
    /// Where the body after it starts.
    pub body_start: usize,
    /// Why other readers may end it elsewhere.
    pub doubt: Option<&'static str>,
    /// The limit beyond which its fields were not read.
    pub limit: Option<LimitReached>,
}

/// Reads the header that starts at `start`, adds its fields to the list, and tells `note` its defects. Fields beyond a
/// limit are stepped over and not added.
///
/// `stop` says of a line that starts with `--` whether it is the boundary of a multipart around the part: the header
/// ends before it, even if a colon makes a field of it.
pub(super) fn read(
    raw: &[u8],
    start: usize,
    limits: &Limits,
    stop: impl Fn(&[u8]) -> bool,
    fields: &mut Vec<Field>,
    note: &mut dyn FnMut(DefectKind, Span),
) -> Header {
    let mut header = Header { span: Span::empty(start), body_start: start, doubt: None, limit: None };
    let mut at = start;
    while at < raw.len() {
        let end = line_end_after(raw, at, raw.len());
        let content = content_end(raw, at, end);
        if content == at {
            return Header { span: Span::new(start, at), body_start: end, ..header };
        }
        let line = &raw[at..content];
        if line.starts_with(b"--") && stop(line) {
            break;
        }
        if let Some((name, colon)) = name_and_colon(line) {
            let end = end_of_folds(raw, end);
            header.limit = header.limit.or(limit_beyond(limits, end - start, fields.len()));
            if header.limit.is_none() {
                fields.push(field(raw, Span::new(at, at + name), at + colon, end));
            }
            at = end;
        } else if line.starts_with(b"From ") || line.starts_with(b">From ") {
            note(DefectKind::FromLineInHeader, Span::new(at, end));
            // At the very start it is the line that begins a message in a mailbox.
            header.doubt = header.doubt.or((at > start || line[0] == b'>').then_some(FROM_LINE));
            at = end;
        } else {
            note(DefectKind::HeaderEndsAtText, Span::new(at, content));
            header.doubt = Some(if is_field_without_nuls(line) { NUL_IN_NAME } else { NO_FIELD });
            break;
        }
    }
    Header { span: Span::new(start, at), body_start: at, ..header }
}

/// Why a header with a From_ line in it is doubtful: some readers end it there.
pub(super) const FROM_LINE: &str = "a From_ line stands in it";

/// Why a header that ends at text is doubtful: some readers go on behind it.
const NO_FIELD: &str = "a line is no field, and no empty line ends the header before it";

/// Why a header is doubtful that ends at what is a field for whoever drops octets 0.
const NUL_IN_NAME: &str = "an octet 0 stands in the name of a field";

/// Why a header behind a byte order mark is doubtful: others take the mark for the start of its first field's name, or
/// find no header at all.
pub(super) const SIGNED: &str = "a byte order mark stands before it";

/// Returns the length of the byte order mark at the start of a text, which is no part of its first line; 0 without one.
pub(super) fn signature_len(text: &[u8]) -> usize {
    if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 }
}

/// Returns the limit that a header goes beyond with one field more, if it does: with that field it has so many octets,
/// and the message had so many fields before it.
fn limit_beyond(limits: &Limits, octets: usize, fields: usize) -> Option<LimitReached> {
    if octets > limits.header_bytes {
        return Some(LimitReached::HeaderBytes(limits.header_bytes));
    }
    (fields >= limits.fields).then_some(LimitReached::Fields(limits.fields))
}

/// Returns `true` if a line is the start of a field: printable ASCII and a colon, between which blanks may stand.
pub(super) fn starts_field(line: &[u8]) -> bool {
    name_and_colon(line).is_some()
}

/// Returns the length of the field name at the start of a line that [starts a field](starts_field), and where in the
/// line the colon stands; none for any other line.
fn name_and_colon(line: &[u8]) -> Option<(usize, usize)> {
    // Nearly every name is printable ASCII up to a colon among the first sixteen octets, which are looked at together.
    let run = line.first_chunk().map_or(0, |sixteen| printable_len(sixteen, b'~', [b' ', b':']));
    if run > 0 && line[run..].first() == Some(&b':') {
        return Some((run, run));
    }
    let name = run + line[run..].iter().position(|octet| !matches!(octet, b'!'..=b'9' | b';'..=b'~'))?;
    let colon = name + line[name..].iter().position(|octet| !matches!(octet, b' ' | b'\t'))?;
    (name > 0 && line[colon] == b':').then_some((name, colon))
}

/// Returns `true` if a line is the start of a field for readers that drop octets 0, and for them alone: one stands
/// before its colon.
pub fn is_field_without_nuls(line: &[u8]) -> bool {
    let start = memchr::memchr(b':', line).map_or(line, |colon| &line[..=colon]);
    if memchr::memchr(0, start).is_none() {
        return false;
    }
    let without: Vec<u8> = start.iter().copied().filter(|&octet| octet != 0).collect();
    starts_field(&without)
}

/// Returns where the first field of a text ends: after the first line end that no white space follows, or at the end.
///
/// ```
/// assert_eq!(septet::message::field_end(b"A: b\r\n\tc\r\nD: e\r\n"), 10);
/// ```
pub fn field_end(text: &[u8]) -> usize {
    end_of_folds(text, line_end_after(text, 0, text.len()))
}

/// Returns the end of a field whose first line ends at `end`: lines that start with white space belong to it.
fn end_of_folds(raw: &[u8], mut end: usize) -> usize {
    while matches!(raw.get(end), Some(b' ' | b'\t')) {
        end = line_end_after(raw, end, raw.len());
    }
    end
}

/// Makes the field that begins with a name and ends at `end`; `colon` is where its colon stands in the message.
fn field(raw: &[u8], name: Span, colon: usize, end: usize) -> Field {
    let value = Span::new(colon + 1, content_end(raw, colon + 1, end));
    Field { line: Span::new(name.start, end), name, value, known: Known::of(name.slice(raw)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(raw: &[u8]) -> (Vec<&[u8]>, usize, Vec<DefectKind>) {
        let (mut fields, mut defects) = (Vec::new(), Vec::new());
        let header = read(raw, 0, &Limits::default(), |_| false, &mut fields, &mut |kind, _| defects.push(kind));
        let names = fields.iter().map(|field| field.name.slice(raw)).collect();
        (names, header.body_start, defects)
    }

    #[test]
    fn reads_fields_up_to_the_empty_line() {
        let raw = b"A: 1\r\nB : 2\r\n folded\r\n\r\nbody";
        assert_eq!(names(raw), (vec![&b"A"[..], b"B"], 24, vec![]));
    }

    #[test]
    fn ends_at_text_and_steps_over_from_lines() {
        let raw = b">From a\nA: 1\nno field\nB: 2\n\n";
        let defects = vec![DefectKind::FromLineInHeader, DefectKind::HeaderEndsAtText];
        assert_eq!(names(raw), (vec![&b"A"[..]], 13, defects));
    }

    #[test]
    fn an_octet_0_in_a_name_is_why_a_header_is_doubtful() {
        for (raw, doubt) in [
            (&b"A: 1\n\0B\0 \0: 2\n\n"[..], Some(NUL_IN_NAME)),
            (b"X-\0S: u\n\n", Some(NUL_IN_NAME)),
            (b"A: 1\nno \0field: 2\n\n", Some(NO_FIELD)),
            (b"A: 1\n\0\n\n", Some(NO_FIELD)),
            (b"A: 1\0\n\n", None),
        ] {
            let header = read(raw, 0, &Limits::default(), |_| false, &mut Vec::new(), &mut |_, _| {});
            assert_eq!(header.doubt, doubt, "{}", raw.escape_ascii());
        }
    }

    #[test]
    fn takes_a_header_without_a_body() {
        assert_eq!(names(b"A: 1"), (vec![&b"A"[..]], 4, vec![]));
        assert_eq!(names(b""), (vec![], 0, vec![]));
        assert_eq!(names(b"\n\n"), (vec![], 1, vec![]));
    }

    #[test]
    fn keeps_the_value_with_its_folds_and_leading_space() {
        let raw = b"A : x\r\n\ty\r\n\r\n";
        let mut fields = Vec::new();
        read(raw, 0, &Limits::default(), |_| false, &mut fields, &mut |_, _| {});
        assert_eq!(fields[0].value.slice(raw), b" x\r\n\ty");
        assert_eq!(fields[0].line.slice(raw), b"A : x\r\n\ty\r\n");
    }
}
