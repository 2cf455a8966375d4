//! Fields X-Septet that came with a message and say that this host wrote them.
//!
//! A scanner behind septet believes what this host says of a message, so a sender may want to have said it himself.
//! Such a field is taken out, as an MTA does with an Authentication-Results in its own name (RFC 8601 §5), whatever was
//! planned for it and whatever a signature covers. Those of other hosts stay, for theirs were true where they were
//! written.
//!
//! What counts is what leaves: a field that only becomes one by what was planned, such as one whose colon was put in or
//! whose encoded-words were decoded, goes too, and so does one behind a limit up to which fields are read. So does one
//! that is there for those who drop octets 0 before they read, as Postfix may (`message_strip_characters`), or who take
//! for a blank what is none in mail, as languages do whose `strip` knows U+00A0, U+3000 or a vertical tab
//! ([`Readable`]).

use std::borrow::Cow;

use super::envelope::ReceivedMessage;
use crate::coding::charset::Labels;
use crate::coding::encoded_word::{WordReader, decode_unstructured};
use crate::edit::{EditList, OverlapError, Span};
use crate::message::{PartNumber, field_end};
use crate::process::shown::is_hidden;
use crate::rewrite::{Change, Entry, Outcome, Place};

/// The field's name.
const NAME: &str = "X-Septet";

/// The octets that are looked at at once for the end of a header.
const PIECE: usize = 64 << 10;

/// Adds edits that take the forged fields of a message out of it, and returns the decisions, one for each. First go the
/// fields that came, then those that stand in the header as the edits make it. Edits within a field that goes are given
/// up; one that reaches over its end is an error, after which `edits` must not be used.
pub fn take_out(message: &impl ReceivedMessage, host: &str, edits: &mut EditList) -> Result<Vec<Entry>, OverlapError> {
    let fields = message.fields().zip(message.field_lines());
    let came: Vec<Span> =
        fields.filter(|((name, value), _)| is_named(name) && is_ours(value, host)).map(|(_, line)| line).collect();
    if !came.is_empty() {
        *edits = without(edits, &came)?;
    }
    let head = head(message.raw(), edits);
    let mut made = EditList::new();
    for field in fields_named(&head).into_iter().filter(|field| field.is_taken_out(&head, host)) {
        made.push(field.at, Vec::new())?;
    }
    if !made.is_empty() {
        *edits = edits.then(&edits.apply(message.raw()), &made);
    }
    Ok(std::iter::repeat_with(taken_out).take(came.len() + made.as_slice().len()).collect())
}

/// Returns edits that also take out these fields, which stand in the order of the message, in one pass over both:
/// [`EditList::delete`] goes through all edits for each field.
fn without(edits: &EditList, fields: &[Span]) -> Result<EditList, OverlapError> {
    let stays = edits.as_slice().iter().filter(|edit| !is_within(edit.at, fields));
    let mut all: Vec<(Span, &[u8])> = stays.map(|edit| (edit.at, &edit.with[..])).collect();
    all.extend(fields.iter().map(|&field| (field, &b""[..])));
    // Insertions at one place keep their order.
    all.sort_by_key(|(at, _)| *at);
    let mut together = EditList::new();
    all.into_iter().try_for_each(|(at, with)| together.push(at, with))?;
    Ok(together)
}

/// Returns `true` if an edit lies within one of these fields; an insertion at an edge does not.
fn is_within(at: Span, fields: &[Span]) -> bool {
    let next = fields.get(fields.partition_point(|field| field.end <= at.start));
    next.is_some_and(|field| field.contains(at) && !(at.is_empty() && at.start == field.start))
}

/// Returns the header as edits make it, up to its empty line; all of the message where it has none. The rest of the
/// message is not looked at.
fn head<'a>(raw: &'a [u8], edits: &EditList) -> Cow<'a, [u8]> {
    if edits.is_empty() {
        return Cow::Borrowed(raw.get(..end_of_head(raw, 0).unwrap_or(raw.len())).unwrap_or(raw));
    }
    let mut head = Vec::new();
    for piece in edits.pieces(raw).flat_map(|piece| piece.chunks(PIECE)) {
        // The end may lie across two pieces.
        let from = head.len().saturating_sub(3);
        head.extend_from_slice(piece);
        if let Some(end) = end_of_head(&head, from) {
            head.truncate(end);
            break;
        }
    }
    Cow::Owned(head)
}

/// Finds where a header's last line ends, before the empty line; none where that has not come yet. It is not looked for
/// before `from`, where the caller has looked.
fn end_of_head(octets: &[u8], from: usize) -> Option<usize> {
    if octets.starts_with(b"\r\n") {
        return Some(0);
    }
    memchr::memmem::find(octets.get(from..)?, b"\r\n\r\n").map(|at| from + at + 2)
}

/// A field named [`NAME`] in the eyes of some reader.
struct NamedField {
    /// Where it lies, with its folds and its line end.
    at: Span,
    /// Whether one of its folds is such a field itself for a reader who takes no such blank for a fold.
    holds_another: bool,
}

impl NamedField {
    /// Returns `true` if the field goes: this host is said to have written it, or it holds another one. Nobody writes
    /// that but to hide one.
    fn is_taken_out(&self, head: &[u8], host: &str) -> bool {
        self.holds_another || is_ours(value(self.at.slice(head)), host)
    }
}

/// Finds the fields named [`NAME`] in a header, in the eyes of any reader. A line within one of them is no field of its
/// own here, so that none overlap and each octet is looked at once.
fn fields_named(head: &[u8]) -> Vec<NamedField> {
    let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', head).map(|at| at + 1));
    let mut found: Vec<NamedField> = Vec::new();
    for start in starts.filter(|&start| is_start(&head[start..])) {
        match found.last_mut() {
            Some(last) if start < last.at.end => last.holds_another = true,
            _ => {
                let at = Span::new(start, start + end_of_field(&head[start..]));
                found.push(NamedField { at, holds_another: false });
            }
        }
    }
    found
}

/// Returns `true` if a field named [`NAME`] starts a text. What some reader takes for a blank may stand before the name
/// and behind it; but a line that starts with a space or a tab folds the field before it, for every reader.
fn is_start(text: &[u8]) -> bool {
    let is_fold = matches!(Readable(text).next(), Some(b' ' | b'\t'));
    let mut octets = Readable(text).skip_while(|octet| is_blank(*octet) && !matches!(*octet, b'\r' | b'\n'));
    !is_fold
        && NAME.bytes().all(|letter| octets.next().is_some_and(|octet| octet.eq_ignore_ascii_case(&letter)))
        && octets.find(|octet| !is_blank(*octet)) == Some(b':')
}

/// Finds where the first field of a text ends for a reader that drops octets 0 and takes every blank for a fold, and so
/// sees the longest field.
fn end_of_field(text: &[u8]) -> usize {
    let mut end = 0;
    loop {
        let rest = &text[end..];
        let first = Readable(rest).next();
        if rest.is_empty() || end > 0 && !matches!(first, Some(b' ' | b'\t' | BLANK | FORM_FEED)) {
            return end;
        }
        end += field_end(rest);
    }
}

/// Returns what stands behind the colon of a field; all of it where it has none.
fn value(field: &[u8]) -> &[u8] {
    memchr::memchr(b':', field).map_or(field, |colon| &field[colon + 1..])
}

/// Returns `true` if a field's name is [`NAME`], blanks around it aside.
fn is_named(name: &[u8]) -> bool {
    is_start(&[name, b":"].concat())
}

/// Returns `true` if a value says that this host wrote it, as it stands or as [`Readable`] has it.
fn is_ours(value: &[u8], host: &str) -> bool {
    let is_readable = value.iter().all(|octet| (1..0x80).contains(octet));
    names_host(value, host) || !is_readable && names_host(&Readable(value).collect::<Vec<u8>>(), host)
}

/// What stands for a blank that ASCII doesn't have.
const BLANK: u8 = b'\x0B';
const FORM_FEED: u8 = b'\x0C';

/// Returns `true` if some reader takes an octet of [`Readable`] for a blank.
fn is_blank(octet: u8) -> bool {
    octet.is_ascii_whitespace() || octet == BLANK
}

/// The octets of a text for a reader that drops octets 0, and takes every blank for one and what shows nothing of its
/// own, be it in UTF-8 or ISO 8859-1.
struct Readable<'a>(&'a [u8]);

impl Iterator for Readable<'_> {
    type Item = u8;

    /// Returns the next octet: [`BLANK`] for a character outside ASCII that is a blank or hidden, otherwise the first
    /// octet of what comes next. Octets 0 are passed over.
    fn next(&mut self) -> Option<u8> {
        loop {
            let first = *self.0.first()?;
            let character = if first < 0x80 { None } else { character(self.0) };
            self.0 = &self.0[character.map_or(1, char::len_utf8)..];
            match character {
                Some(blank) if blank.is_whitespace() || is_hidden(blank) => return Some(BLANK),
                Some(_) => return Some(first),
                // The blanks of ISO 8859-1.
                None if matches!(first, b'\x85' | b'\xA0') => return Some(BLANK),
                None if first == 0 => {}
                None => return Some(first),
            }
        }
    }
}

/// Returns the character that a text starts with; none where it starts with no UTF-8.
fn character(text: &[u8]) -> Option<char> {
    text.get(..4).unwrap_or(text).utf8_chunks().next()?.valid().chars().next()
}

/// Returns `true` if a value says that this host wrote it, in the eyes of any reader: one that takes it as it stands,
/// one that decodes words (RFC 2047), and one that skips comments and reads what is quoted. What a word hides is read
/// as blanks are.
fn names_host(value: &[u8], host: &str) -> bool {
    let labels = Labels::default();
    let decoded = decode_unstructured(value, WordReader::new(&labels)).text;
    let readable: Vec<u8> = Readable(decoded.as_bytes()).collect();
    [value, decoded.as_bytes(), &readable]
        .into_iter()
        .any(|text| has_host(text, host) || has_host(&uncommented(text), host))
}

/// Returns `true` if one of a value's elements is `host=` and the name, as `x_septet.rs` writes it, whatever separates
/// words in it. `host*=` and its pieces (RFC 2231) count whatever they say: they may hide the name, and septet never
/// writes them.
fn has_host(value: &[u8], host: &str) -> bool {
    value.split(|&octet| octet == b';').any(|element| is_host(element, host))
}

/// Returns `true` if an element of a value is `host=` and the name, or may hide it.
fn is_host(element: &[u8], host: &str) -> bool {
    let mut words = element.split(parts_words).map(|word| word.strip_suffix(b".").unwrap_or(word));
    let key = words.find(|word| word.get(..4).is_some_and(|key| key.eq_ignore_ascii_case(b"host")));
    match key.and_then(|key| key.get(4..)) {
        Some(b"") => words.any(|word| word.eq_ignore_ascii_case(host.as_bytes())),
        Some(rest) => rest.starts_with(b"*"),
        None => false,
    }
}

/// Returns `true` for an octet that words of a value stand between.
fn parts_words(octet: &u8) -> bool {
    octet.is_ascii_whitespace() || octet.is_ascii_control() || b",=()\"".contains(octet)
}

/// Returns a value without comments, and what is quoted in it without quotes; a `;` that is quoted separates nothing,
/// and a comment that does not end takes the rest.
fn uncommented(value: &[u8]) -> Vec<u8> {
    let (mut out, mut depth, mut quoted) = (Vec::new(), 0_usize, false);
    let mut octets = value.iter().copied();
    while let Some(octet) = octets.next() {
        let is_pair = octet == b'\\' && (quoted || depth > 0);
        let shown = if is_pair { octets.next().unwrap_or(octet) } else { octet };
        match octet {
            b'"' if depth == 0 => quoted = !quoted,
            b'(' if !quoted => depth += 1,
            b')' if !quoted => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            _ if quoted && shown == b';' => out.push(b' '),
            _ => out.push(shown),
        }
    }
    out
}

/// Makes the decision about a field that is taken out.
fn taken_out() -> Entry {
    let removed = Change::Removed { field: NAME.into() };
    Entry {
        part: PartNumber::root(),
        place: Place::Field(NAME.to_owned()),
        ordinal: 1,
        outcome: Outcome::Done(vec![removed]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::LimitReached;

    #[test]
    fn a_host_is_named_by_a_whole_word() {
        for (value, wanted) in [
            (" changed; host=mx.example.org;\r\n\tpart=1", true),
            (" unchanged;\r\n\tHOST = MX.Example.ORG.", true),
            (" changed; host=other;\r\n\tpart=1 field=mx.example.org", false),
            (" changed; host=(mx)mx.example.org", true),
            (" changed; host=\"mx.example.org\"", true),
            (" changed; host=mx.example.org.evil.example", false),
            (" changed; host=other", false),
            (" changed; host=(;)mx.example.org", true),
            (" changed; (a \\) ; host=no) host=mx.(x (y) z)example.org", true),
            (" changed; host=\"mx.\\example.org\"", true),
            (" changed; host*=utf-8''%6dx.example.org", true),
            (" changed; HOST*0=mx.example; host*1=.org", true),
            (" =?utf-8?Q?changed=3B_host=3Dmx.example.org?=", true),
            (" changed; host==?us-ascii?B?bXguZXhhbXBsZS5vcmc=?=", true),
            (" changed; host=\tmx.example.org\x01", true),
            (" changed; hostess=mx.example.org", false),
            (" changed; host=other (host=mx.example.net)", false),
            ("", false),
        ] {
            assert_eq!(names_host(value.as_bytes(), "mx.example.org"), wanted, "{value}");
        }
        assert!(is_named(b"x-SEPTET ") && !is_named(b"X-Septet-Other"));
    }

    #[test]
    fn fields_are_found_whatever_stands_around_them() {
        let head = b"X-Septet: a\r\n b\r\nX-Septet-Other: c\r\nTo: d\r\n\tX-Septet: e\r\nx-septet \t: f\r\n";
        let found: Vec<&[u8]> = fields_named(head).iter().map(|field| field.at.slice(head)).collect();
        assert_eq!(found, [&b"X-Septet: a\r\n b\r\n"[..], b"x-septet \t: f\r\n"]);
        assert_eq!(fields_named(b"X-Septet").len() + fields_named(b"").len() + fields_named(b"X-Septet x: y").len(), 0);
        let head = b"To: a\r\n\0X-S\0eptet \0: a\r\n\0\0 b\r\n c\r\n\0\t\0d\r\n\0\r\nX-Septet\0-Other: e\r\n\0";
        let found: Vec<&[u8]> = fields_named(head).iter().map(|field| field.at.slice(head)).collect();
        assert_eq!(found, [b"\0X-S\0eptet \0: a\r\n\0\0 b\r\n c\r\n\0\t\0d\r\n"]);
    }

    #[test]
    fn a_value_is_judged_without_octets_0_too() {
        for value in ["ho\0st=mx", "a; host\0=\0m\0x", "\0h\0o\0s\0t=mx\0", "=?utf-8?Q?ho\0st=3Dmx?=", "host=m\0x.\0"] {
            assert!(is_ours(value.as_bytes(), "mx"), "{value:?}");
        }
        assert!(!is_ours(b"ho\0st=mx\0.example.net", "mx") && !is_ours(b"\0", "mx"));
    }

    #[test]
    fn whatever_a_reader_skips_hides_no_field() {
        let octets: Vec<&[u8]> = vec![
            b"\0",
            b"\x0B",
            b"\x0C",
            b"\xA0",
            b"\x85",
            b"\xC2\xA0",
            b"\xC2\x85",
            b"\xE1\x9A\x80",
            b"\xE2\x80\x80",
            b"\xE2\x80\x8A",
            b"\xE2\x80\x8B",
            b"\xE2\x80\xA8",
            b"\xE2\x80\xAF",
            b"\xE2\x81\x9F",
            b"\xE2\x81\xA0",
            b"\xE3\x80\x80",
            b"\xEF\xBB\xBF",
            b"\0\xC2\xA0\0 \x0B",
        ];
        for odd in octets {
            let with = |text: &str| text.split('_').map(str::as_bytes).collect::<Vec<_>>().join(odd);
            for head in [
                "X-Septet_: a; host=mx\r\n",
                "_X-Septet: a; host=mx\r\n",
                "X-Septet:_host_=_mx_\r\n",
                "X-Septet_:host=mx\r\n",
                "X-Septet: a;_host=mx\r\n",
                "X-Septet: a;\r\n_host=mx\r\n",
                "X-Septet: a; host=mx_; b\r\n",
                "X-Septet: a; host=_\r\n mx\r\n",
                "X-Septet: a; \"_host_\"=(_)mx\r\n",
            ] {
                if odd == b"\0" && head.contains("\n_host") {
                    continue;
                }
                let head = with(head);
                let found: Vec<&[u8]> = fields_named(&head).iter().map(|field| field.at.slice(&head)).collect();
                assert!(found.len() == 1 && is_ours(value(found[0]), "mx"), "{:?}", String::from_utf8_lossy(&head));
            }
            assert!(is_named(&with("_X-Septet_")) && !is_named(&with("X-Septet_a")));
        }
        for word in ["=?utf-8?Q?host=3D=C2=A0mx?=", "=?iso-8859-1?Q?host=A0=3Dmx?=", "=?utf-8?Q?host=3D=E3=80=80mx?="] {
            assert!(is_ours(word.as_bytes(), "mx"), "{word}");
        }
        assert!(fields_named(b"\xA0 X: a\r\n X-Septet: b\r\n\xC3\xA0X-Septet: c\r\n").is_empty());
    }

    /// A message of which no field was read.
    struct Unread<'a>(&'a [u8]);

    impl ReceivedMessage for Unread<'_> {
        fn raw(&self) -> &[u8] {
            self.0
        }

        fn fields(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
            std::iter::empty()
        }

        fn field_lines(&self) -> impl Iterator<Item = Span> {
            std::iter::empty()
        }

        fn header_end(&self) -> usize {
            0
        }

        fn over(&self) -> Option<LimitReached> {
            None
        }

        fn size(&self) -> usize {
            self.0.len()
        }
    }

    #[test]
    fn what_edits_make_of_a_field_counts() {
        let raw = b"X-Septet unchanged; host=mx\r\nTo: a\r\n\r\nX-Septet: host=mx\r\n";
        let mut edits = EditList::new();
        edits.push(Span::empty(8), ":").expect("alone");
        edits.push(Span::empty(raw.len()), "more").expect("alone");
        assert_eq!(*head(raw, &edits), *b"X-Septet: unchanged; host=mx\r\nTo: a\r\n");
        assert_eq!(take_out(&Unread(raw), "mx", &mut edits).expect("disjoint").len(), 1);
        assert_eq!(edits.apply(raw), b"To: a\r\n\r\nX-Septet: host=mx\r\nmore");
    }

    /// Lines that only some readers take for folds made fields that overlap, and nothing was taken out.
    #[test]
    fn a_field_goes_with_those_that_its_folds_are() {
        let hidden = b"\x0BX-Septet: a; host=mx\r\n".repeat(2);
        for fields in [&hidden[..], b"X-Septet: (hosty\r\n\x0BX-Septet:host=mx\r\n"] {
            let raw = [&b"To: a\r\n"[..], fields, b"\r\n"].concat();
            let mut edits = EditList::new();
            assert_eq!(take_out(&Unread(&raw), "mx", &mut edits).expect("disjoint").len(), 1);
            assert_eq!(edits.apply(&raw), b"To: a\r\n\r\n");
        }
    }

    #[test]
    fn edits_within_a_field_that_goes_are_given_up() {
        let mut edits = EditList::new();
        for (at, with) in [((0, 1), "a"), ((2, 2), "b"), ((2, 3), "c"), ((4, 4), "d"), ((6, 6), "e"), ((8, 9), "f")] {
            edits.push(Span::new(at.0, at.1), with).expect("disjoint");
        }
        let fields = [Span::new(2, 6), Span::new(6, 8)];
        assert_eq!(without(&edits, &fields).expect("disjoint").apply(b"0123456789"), b"a1bef9");
        let mut edits = EditList::new();
        edits.push(Span::new(5, 7), "g").expect("alone");
        assert!(without(&edits, &fields).is_err(), "it reaches over an end");
    }
}
