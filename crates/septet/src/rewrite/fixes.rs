//! What may be done beside what a conversion does, so that a defect is fixed. The fixer (`conformance/`) fills it, and
//! the proof allows no more than stands in it, and asks of each thing that it is what it is said to be.

use std::collections::BTreeSet;

use crate::edit::Span;
use crate::message::{Field, FieldNames, Message, Part, means_the_same};

/// The fields that are lists of addresses, of which several say what one would (RFC 5322 §4.5.3).
pub(super) const LISTS: FieldNames = FieldNames::of("To Cc Bcc Reply-To");

/// The field that keeps what stood in a Date that nobody could read.
pub(super) const ORIGINAL_DATE: &str = "X-Original-Date";

/// The most octets of a date that are kept: [`ORIGINAL_DATE`] has them in one line, its name before them.
const LONGEST_DATE: usize = 900;

/// What may come, go or shrink in a message since it fixes a defect.
#[derive(Debug, Clone, Default)]
pub(super) struct Fixes {
    /// White space before a colon that goes.
    pub spaces: BTreeSet<Span>,
    /// The lines of fields that go, since another one says the same or takes them in.
    pub removed: BTreeSet<Span>,
    /// The values that others take the place of: an unreadable date, and the first of several lists of addresses.
    pub replaced: BTreeSet<Span>,
    /// The fields that come: name and value.
    pub added: Vec<(&'static str, String)>,
}

impl Fixes {
    /// Returns the value of a list of addresses, `first`, that takes in the lists of its name that go by now
    /// (`removed`), in their order, but for empty ones and those that mean the same as `first`. Where none goes it is
    /// the value that `first` has, which itself must stay. The fixer writes it, and the proof makes it again to
    /// compare.
    pub fn joined(&self, message: &Message, part: &Part, first: &Field) -> Vec<u8> {
        let (name, was) = (message.slice(first.name), message.slice(first.value));
        let goes =
            |field: &&Field| self.removed.contains(&field.line) && message.slice(field.name).eq_ignore_ascii_case(name);
        let values = message.fields(part).iter().filter(goes).map(|field| message.slice(field.value).trim_ascii());
        let said_anew = values.filter(|value| !value.is_empty() && !means_the_same(name, was, value));
        let end = message.line_end_at(first.line.start).as_bytes();
        said_anew.fold(was.to_vec(), |list, value| [list.trim_ascii_end(), b",", end, b" ", value].concat())
    }
}

/// Returns what stood in a date as the value of [`ORIGINAL_DATE`], each white space a blank; of an empty date it is
/// empty, and no field is added. None where that can't be written as it stands: it is not printable ASCII, longer than
/// [`LONGEST_DATE`], or has `=?`, which would be read as an encoded-word. The fixer adds the field by it, and the proof
/// makes it again to compare.
pub(super) fn original_date(value: &[u8]) -> Option<String> {
    let text = str::from_utf8(value).ok()?.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    let is_plain = text.bytes().all(|octet| matches!(octet, b' '..=b'~')) && !text.contains("=?");
    (is_plain && text.len() <= LONGEST_DATE).then_some(text)
}
