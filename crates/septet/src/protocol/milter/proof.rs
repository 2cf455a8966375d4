//! The proof that what a milter asks for is what it meant: the header that the MTA will deliver is the edited one.
//!
//! A body goes out as the octets that the edits make of it, so nothing can come between. A header goes out as requests
//! "field 3 of that name becomes this", and an error of counting, of order or of one line end among them gives mail
//! that nobody meant. So the requests are carried out here as Postfix does and as Sendmail does, and both headers are
//! compared with the edited one, octet for octet. That costs two copies of the header, and nothing where no field
//! changes.
//!
//! Where the two differ (measured on Postfix 3.7 and Sendmail 8.17):
//!
//! | request | Postfix | Sendmail |
//! |---|---|---|
//! | delete a field | the later ones of its name count one less | it keeps its number, and a change brings it back |
//! | change a field that is not there | it is added at the end | it is put above the others of its name |
//! | add a field | at the end | on top |
//! | LF in a value without white space after it | a tab is put in | a space is put in |
//!
//! Alike: a value ends at an octet 0 and where it is longer than MTAs take, a CR stays, and without leading space
//! agreed on there is one space after the colon. Two differences from the edited header can't be helped, and are none
//! to a reader: a value that is to be empty is one space, and that one space after the colon.
//!
//! MTAs wrap lines of more than 990 octets. They do so whether a field was asked for or was there before: that is not
//! looked at here.

use std::collections::HashMap;

use super::message_buffer::{FieldSpan, MessageBuffer};
use super::negotiate::{Negotiated, step};
use super::reply::MilterReply;
use super::wire::VALUE_LIMIT;
use crate::edit::{EditList, Span};
use crate::message::field_end;

/// Returns `true` if an MTA that carries these requests out delivers the header that the edits make.
///
/// `asked` is what changes the header, in the order in which it is asked for.
pub fn delivers_edited_header(
    buffer: &MessageBuffer,
    edits: &EditList,
    negotiated: &Negotiated,
    asked: &[MilterReply<'_>],
) -> bool {
    let header = Span::new(0, buffer.header_end());
    if asked.is_empty() && edits.within(header).is_empty() {
        return true;
    }
    let meant = edits.apply_within(buffer.raw(), header);
    let spaced = negotiated.has(step::LEADING_SPACE);
    [Mta::Postfix, Mta::Sendmail].into_iter().all(|mta| {
        let mut delivery = Delivery::of(buffer, mta, spaced);
        asked.iter().all(|request| delivery.carry_out(request)) && reads_alike(&meant, &delivery.octets(), spaced)
    })
}

/// An MTA whose ways are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mta {
    Postfix,
    Sendmail,
}

/// A header in an MTA's hands.
#[derive(Debug)]
struct Delivery<'a> {
    mta: Mta,
    /// Whether leading space was agreed on, so that a value brings the space behind its colon.
    spaced: bool,
    /// The message that was shown, in which the fields lie.
    raw: &'a [u8],
    fields: Vec<FieldState<'a>>,
    /// Where the fields stand that requests count, by their names in lower case.
    by_name: HashMap<Vec<u8>, Vec<usize>>,
}

/// A field in an MTA's hands.
#[derive(Debug, Clone, Copy)]
enum FieldState<'a> {
    /// As it was shown.
    Shown(FieldSpan),
    /// As it was asked for.
    Written { name: &'a [u8], value: &'a [u8] },
    /// Not delivered; what an MTA counts all the same stays in its place.
    Deleted,
}

impl<'a> Delivery<'a> {
    /// Takes the header as it was shown.
    fn of(buffer: &'a MessageBuffer, mta: Mta, spaced: bool) -> Delivery<'a> {
        let fields = buffer.fields().iter().map(|&field| FieldState::Shown(field)).collect();
        let mut delivery = Delivery { mta, spaced, raw: buffer.raw(), fields, by_name: HashMap::new() };
        delivery.index_names();
        delivery
    }

    /// Notes where the fields of each name stand, those that were deleted left out.
    fn index_names(&mut self) {
        self.by_name.clear();
        for (at, field) in self.fields.iter().enumerate() {
            if let Some(name) = field.name(self.raw) {
                self.by_name.entry(name.to_ascii_lowercase()).or_default().push(at);
            }
        }
    }

    /// Carries one request out; false when it is none that changes a header.
    fn carry_out(&mut self, request: &MilterReply<'a>) -> bool {
        match *request {
            MilterReply::ChangeHeader { index, name, value } => self.change(index, name, value),
            // The MTA's own Received counts, and stands above all that was shown.
            MilterReply::InsertHeader { index, name, value } => {
                self.insert((index as usize).saturating_sub(1), FieldState::Written { name, value });
            }
            MilterReply::AddHeader { name, value } => {
                let at = if self.mta == Mta::Postfix { self.fields.len() } else { 0 };
                self.insert(at, FieldState::Written { name, value });
            }
            _ => return false,
        }
        true
    }

    /// Changes the field of this number among those of its name, or deletes it if the value is empty. Where there is
    /// none, a value is put in, at the place where this MTA does.
    fn change(&mut self, index: u32, name: &'a [u8], value: &'a [u8]) {
        let same = self.by_name.entry(name.to_ascii_lowercase()).or_default();
        let number = (index as usize).saturating_sub(1);
        match same.get(number).copied() {
            Some(at) if value.is_empty() => {
                self.fields[at] = FieldState::Deleted;
                if self.mta == Mta::Postfix {
                    same.remove(number);
                }
            }
            Some(at) => self.fields[at] = FieldState::Written { name, value },
            None if value.is_empty() => {}
            None => {
                let above = same.first().copied().unwrap_or_default();
                let at = if self.mta == Mta::Postfix { self.fields.len() } else { above };
                self.insert(at, FieldState::Written { name, value });
            }
        }
    }

    /// Puts a field in at a place among all, or at the end if there are not so many. At the end that is quick.
    /// Elsewhere all names are indexed anew, which may be done a few times: `Modifications` asks for that only of what
    /// stands before the first field.
    fn insert(&mut self, at: usize, field: FieldState<'a>) {
        if at < self.fields.len() {
            self.fields.insert(at, field);
            return self.index_names();
        }
        let name = field.name(self.raw).unwrap_or_default().to_ascii_lowercase();
        self.by_name.entry(name).or_default().push(self.fields.len());
        self.fields.push(field);
    }

    /// Returns the header that is delivered.
    fn octets(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.raw.len().min(1 << 16));
        for field in &self.fields {
            match field {
                FieldState::Shown(span) => out.extend_from_slice(span.line.slice(self.raw)),
                FieldState::Written { name, value } => self.write(name, value, &mut out),
                FieldState::Deleted => {}
            }
        }
        out
    }

    /// Writes a field as it is delivered.
    fn write(&self, name: &[u8], value: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(until_nul(name));
        out.extend_from_slice(if self.spaced { b":" } else { b": " });
        let value = until_nul(value);
        let value = value.get(..VALUE_LIMIT).unwrap_or(value);
        for (number, line) in value.split(|&octet| octet == b'\n').enumerate() {
            if number > 0 {
                out.extend_from_slice(b"\r\n");
                if !matches!(line.first(), Some(b' ' | b'\t')) {
                    out.push(if self.mta == Mta::Postfix { b'\t' } else { b' ' });
                }
            }
            out.extend_from_slice(line);
        }
        out.extend_from_slice(b"\r\n");
    }
}

impl<'a> FieldState<'a> {
    /// Returns the name by which requests count it; none once it was deleted.
    fn name(self, raw: &'a [u8]) -> Option<&'a [u8]> {
        match self {
            FieldState::Shown(span) => Some(span.name(raw)),
            FieldState::Written { name, .. } => Some(name),
            FieldState::Deleted => None,
        }
    }
}

/// Returns a text up to its first octet 0.
fn until_nul(text: &[u8]) -> &[u8] {
    memchr::memchr(0, text).map_or(text, |end| &text[..end])
}

/// Returns `true` if two headers are equal field by field, but for what can't be helped: a value that is one space for
/// an empty one and, unless `spaced`, one space behind the colon.
fn reads_alike(meant: &[u8], delivered: &[u8], spaced: bool) -> bool {
    if meant == delivered {
        return true;
    }
    let (mut meant, mut delivered) = (meant, delivered);
    while !meant.is_empty() && !delivered.is_empty() {
        let (one, other) = (&meant[..field_end(meant)], &delivered[..field_end(delivered)]);
        if one != other && name_and_value(one, spaced) != name_and_value(other, spaced) {
            return false;
        }
        (meant, delivered) = (&meant[one.len()..], &delivered[other.len()..]);
    }
    meant.is_empty() && delivered.is_empty()
}

/// Splits a field behind its colon, without what [`reads_alike`] lets differ.
fn name_and_value(field: &[u8], spaced: bool) -> (&[u8], &[u8]) {
    let colon = memchr::memchr(b':', field).map_or(field.len(), |colon| colon + 1);
    let (name, value) = field.split_at(colon);
    let value = if spaced { value } else { value.strip_prefix(b" ").unwrap_or(value) };
    (name, if value == b" \r\n" { b"\r\n" } else { value })
}
