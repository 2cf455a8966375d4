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
//! ([`readable`]).

mod host;
mod named_field;
mod readable;

use std::borrow::Cow;

use host::is_ours;
use named_field::{fields_named, is_named};

use super::envelope::ReceivedMessage;
use crate::edit::{EditList, OverlapError, Span};
use crate::message::PartNumber;
use crate::rewrite::{Change, Entry, Outcome, Place};

/// The field's name.
const NAME: &str = "X-Septet";

/// The octets that are looked at at once for the end of a header.
const PIECE: usize = 64 << 10;

/// Adds edits that take the forged fields of a message out of it, and returns the decisions, one for each. First go the
/// fields that came, then those that stand in the header as the edits make it. Edits within a field that goes are given
/// up; one that reaches over its end is an error, after which `edits` must not be used.
pub fn take_out(message: &impl ReceivedMessage, host: &str, edits: &mut EditList) -> Result<Vec<Entry>, OverlapError> {
    let forged = message.fields().filter(|(name, value, _)| is_named(name) && is_ours(value, host));
    let came: Vec<Span> = forged.map(|(.., line)| line).collect();
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

/// Returns `true` if an edit lies within one of these fields, which are in order; an insertion at an edge does not.
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

/// Makes the decision about a field that is taken out. Several have equal ones: nobody takes them out of a plan, so
/// none needs its ordinal.
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

    /// A message of which no field was read.
    struct Unread<'a>(&'a [u8]);

    impl ReceivedMessage for Unread<'_> {
        fn raw(&self) -> &[u8] {
            self.0
        }

        fn fields(&self) -> impl Iterator<Item = (&[u8], &[u8], Span)> {
            std::iter::empty()
        }

        fn header_end(&self) -> usize {
            0
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
