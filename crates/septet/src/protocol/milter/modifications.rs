//! Edits of the rebuilt message, as what a milter may ask for: its modifications.
//!
//! A milter can't say "these octets become those". It can change the n-th field of a name, delete it, put a
//! field in, and send a whole new body. What real MTAs make of that decides the order here:
//!
//! - Fields count from 1 per name, in any case of letters, among those that were shown. Postfix closes the gap
//!   of a deleted field and Sendmail does not, so changes go **from the last field to the first**: then no
//!   index depends on a change before it.
//! - An empty value deletes. A value that is to be empty is sent as one space.
//! - A fold is LF and white space. A CR before it would stay in the mail, so it is taken out; a LF without
//!   white space after it would get some from the MTA, so it is refused here.
//! - With leading space agreed on, the value is all that follows the colon; else the MTA puts one space in
//!   front, and one is taken off here.
//! - New fields go to the end of the header by `INSHEADER` with an index beyond every field: `ADDHEADER` comes
//!   out on top in Sendmail, and a change of an absent field where it likes.
//! - What is put before the first field, as a trace is, goes there by `INSHEADER` as the second of all, below the MTA's
//!   own Received, which is not shown; and last of all fields, since a request counts what those before it put in.
//! - The new body is one unbroken run of pieces after all changes of fields: Postfix refuses a second run.
//! - A value is at most [`VALUE_LIMIT`] octets: Postfix cuts a longer field, and says nothing.
//!
//! Whatever does not fit these forms is [`UnrepresentableError`], whole: the message then passes untouched. All of it
//! is worked out before the first octet is written, and [proved](super::proof).

use std::collections::HashMap;

use thiserror::Error;

use super::message_buffer::{FieldSpan, MessageBuffer};
use super::negotiate::{Negotiated, action, step};
use super::proof::delivers_edited_header;
use super::reply::MilterReply;
use super::wire::{VALUE_LIMIT, put_head};
use crate::edit::{Edit, EditList, Span};
use crate::message::{LineEnd, field_end, with_line_ends};

/// The octets of a new body that one packet may hold.
pub const BODY_PIECE: usize = 65_535;

/// An index beyond every field that an MTA may hold.
const END_OF_HEADER: u32 = 1 << 20;

/// The index of the first field that is shown: the MTA's own Received stands above it, and counts.
const TOP_OF_HEADER: u32 = 1;

/// Everything to ask for, for one message.
#[derive(Debug)]
pub struct Modifications<'a> {
    buffer: &'a MessageBuffer,
    edits: &'a EditList,
    negotiated: Negotiated,
    fields: Vec<FieldModification<'a>>,
    changes_body: bool,
}

/// What to ask for of one field: its value as it goes on the wire, empty to delete the field.
#[derive(Debug)]
struct FieldModification<'a> {
    place: FieldPlace,
    name: &'a [u8],
    value: Vec<u8>,
}

/// Where a field is to be written.
#[derive(Debug, Clone, Copy)]
enum FieldPlace {
    /// In place of this one of its name, from 1.
    Change(u32),
    /// At this index among all fields, as a new one.
    Insert(u32),
}

/// Why edits can't be asked for. But for what the MTA does not allow, it is a fault of septet's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum UnrepresentableError {
    /// The MTA does not allow what they need.
    #[error("the MTA does not allow a filter to {0}")]
    NotAllowed(&'static str),
    /// An edit changes octets that belong to no field and not to the body.
    #[error("an edit at octet {0} lies neither in one field nor in the body")]
    Place(usize),
    /// An edit changes a field's name.
    #[error("the field at octet {0} would get another name")]
    Name(usize),
    /// A value would hold an octet 0.
    #[error("the field at octet {0} would hold an octet 0")]
    Nul(usize),
    /// A value would be longer than [`VALUE_LIMIT`].
    #[error("the field at octet {0} would be longer than MTAs take")]
    Long(usize),
    /// A value would hold a line that is not a fold.
    #[error("the field at octet {0} would hold a line that is no fold")]
    Fold(usize),
    /// An insertion at the end of the header is not made of fields.
    #[error("what is put in at octet {0} is no field")]
    Inserted(usize),
    /// The MTA would deliver another header than the edited one.
    #[error("the MTA would deliver another header")]
    Unproved,
}

impl<'a> Modifications<'a> {
    /// Works out what to ask for, in one pass over fields and edits. It is still to be [proved](Modifications::prove).
    pub fn of(
        buffer: &'a MessageBuffer,
        edits: &'a EditList,
        negotiated: &Negotiated,
    ) -> Result<Modifications<'a>, UnrepresentableError> {
        let (header, body) = edits.as_slice().split_at(first_of_body(buffer, edits));
        let fields = header_requests(buffer, header, negotiated)?;
        let changes_body = !body.is_empty();
        if changes_body && !negotiated.may(action::CHANGE_BODY) {
            return Err(UnrepresentableError::NotAllowed("change the body"));
        }
        Ok(Modifications { buffer, edits, negotiated: *negotiated, fields, changes_body })
    }

    /// Returns `true` if there is nothing to ask for.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && !self.changes_body
    }

    /// Returns what to ask for of the header, in the order that MTAs need.
    pub fn of_header(&self) -> impl Iterator<Item = MilterReply<'_>> {
        self.fields.iter().map(|FieldModification { place, name, value }| match *place {
            FieldPlace::Change(index) => MilterReply::ChangeHeader { index, name, value },
            FieldPlace::Insert(index) => MilterReply::InsertHeader { index, name, value },
        })
    }

    /// Proves that an MTA which carries them out delivers the edited message.
    ///
    /// # Errors
    ///
    /// [`UnrepresentableError::Unproved`]: it would deliver another one, so nothing may be asked for.
    pub fn prove(&self) -> Result<(), UnrepresentableError> {
        let asked: Vec<MilterReply<'_>> = self.of_header().collect();
        let is_proved = delivers_edited_header(self.buffer, self.edits, &self.negotiated, &asked);
        if is_proved { Ok(()) } else { Err(UnrepresentableError::Unproved) }
    }

    /// Writes them in the order that MTAs need. Only what was [proved](Modifications::prove) may be written.
    pub fn write(&self, out: &mut Vec<u8>) {
        self.of_header().for_each(|request| request.write(out));
        if self.changes_body {
            self.write_body(out);
        }
    }

    /// Writes the edited body in packets of [`BODY_PIECE`] octets, straight from the edits; an empty body as an empty
    /// packet.
    fn write_body(&self, out: &mut Vec<u8>) {
        let raw = self.buffer.raw();
        let span = Span::new(self.buffer.body_start(), raw.len());
        let mut left: usize = self.edits.pieces_within(raw, span).map(<[u8]>::len).sum();
        out.reserve(left + (left / BODY_PIECE + 1) * 5);
        let mut spare = left.min(BODY_PIECE);
        put_head(out, b'b', spare);
        for mut piece in self.edits.pieces_within(raw, span) {
            while !piece.is_empty() {
                if spare == 0 {
                    spare = left.min(BODY_PIECE);
                    put_head(out, b'b', spare);
                }
                let (now, later) = piece.split_at(piece.len().min(spare));
                out.extend_from_slice(now);
                (spare, left, piece) = (spare - now.len(), left - now.len(), later);
            }
        }
    }
}

/// Returns the index of the first edit of the body. A message of which nothing was kept has none: all that can be done
/// to it is to add fields.
fn first_of_body(buffer: &MessageBuffer, edits: &EditList) -> usize {
    let body_start = buffer.body_start();
    match buffer.over() {
        Some(_) => edits.as_slice().len(),
        None => edits.as_slice().partition_point(|edit| edit.at.start < body_start),
    }
}

/// Works out the changes of fields, last first, and after them the new fields: those at the end in order, then those at
/// the top, last first. `header` holds the edits before the body: insertions at the header's start and end are new
/// fields, and all others must change a field that was shown.
fn header_requests<'a>(
    buffer: &'a MessageBuffer,
    header: &'a [Edit],
    negotiated: &Negotiated,
) -> Result<Vec<FieldModification<'a>>, UnrepresentableError> {
    if header.is_empty() {
        return Ok(Vec::new());
    }
    let spaced = negotiated.has(step::LEADING_SPACE);
    let end = buffer.header_end();
    // A header without fields has one place for new ones.
    let at_top = header.iter().take_while(|edit| edit.at == Span::empty(0) && end > 0).count();
    let (first, header) = header.split_at(at_top);
    let at_end = header.partition_point(|edit| edit.at != Span::empty(end));
    let (changes, inserted) = header.split_at(at_end);
    let mut requests = changed_fields(buffer, changes, spaced)?;
    if !requests.is_empty() && !negotiated.may(action::CHANGE_HEADERS) {
        return Err(UnrepresentableError::NotAllowed("change fields"));
    }
    requests.reverse();
    if let Some(edit) = inserted.iter().find(|edit| edit.at != Span::empty(end)) {
        return Err(UnrepresentableError::Place(edit.at.start));
    }
    let adds = !first.is_empty() || !inserted.is_empty();
    if adds && !negotiated.may(action::ADD_HEADERS) {
        return Err(UnrepresentableError::NotAllowed("add fields"));
    }
    for edit in inserted {
        requests.extend(new_fields(edit, END_OF_HEADER, spaced)?);
    }
    for edit in first.iter().rev() {
        requests.extend(new_fields(edit, TOP_OF_HEADER, spaced)?.into_iter().rev());
    }
    Ok(requests)
}

/// Returns the changed fields in the order of the message; an edit that lies in no field is an error.
fn changed_fields<'a>(
    buffer: &'a MessageBuffer,
    mut changes: &'a [Edit],
    spaced: bool,
) -> Result<Vec<FieldModification<'a>>, UnrepresentableError> {
    let raw = buffer.raw();
    let mut counts: HashMap<Vec<u8>, u32> = HashMap::new();
    let mut requests = Vec::new();
    for field in buffer.fields() {
        let Some(first) = changes.first() else { break };
        let count = counts.entry(field.name(raw).to_ascii_lowercase()).or_default();
        *count += 1;
        if first.at.start >= field.line.end {
            continue;
        }
        let mine = changes.partition_point(|edit| edit.at.start < field.line.end);
        let (own, later) = changes.split_at(mine);
        let value = changed_value(raw, *field, own, spaced)?;
        requests.push(FieldModification { place: FieldPlace::Change(*count), name: field.name(raw), value });
        changes = later;
    }
    changes.first().map_or(Ok(requests), |edit| Err(UnrepresentableError::Place(edit.at.start)))
}

/// Returns the value that a field gets by its own edits (those that start in it), as the MTA wants it; empty to delete
/// the field.
fn changed_value(raw: &[u8], field: FieldSpan, own: &[Edit], spaced: bool) -> Result<Vec<u8>, UnrepresentableError> {
    let line = field.line;
    let inner = Span::new(line.start, line.end - 2);
    let whole = match own {
        [edit] if edit.at == line && edit.with.is_empty() => return Ok(Vec::new()),
        [edit] if edit.at == line => LineEnd::strip(&edit.with).to_vec(),
        // What is put in at the field's very start would stand between two fields, and change none of them.
        _ => match own.iter().find(|edit| !inner.contains(edit.at) || edit.at == Span::empty(line.start)) {
            Some(edit) => return Err(UnrepresentableError::Place(edit.at.start)),
            None => list_of(own).apply_within(raw, inner),
        },
    };
    let after_name = whole.strip_prefix(field.name(raw)).and_then(|rest| rest.strip_prefix(b":"));
    wire_value(after_name.ok_or(UnrepresentableError::Name(line.start))?, line.start, spaced)
}

/// Makes a list of edits that are one field's own, without what is put in before it.
fn list_of(own: &[Edit]) -> EditList {
    let mut edits = EditList::new();
    for edit in own {
        // They come from a list, so none overlaps another.
        let _ = edits.push(edit.at, edit.with.clone());
    }
    edits
}

/// Reads an insertion as fields that go to an index; one that is not made of fields is an error.
fn new_fields(edit: &Edit, index: u32, spaced: bool) -> Result<Vec<FieldModification<'_>>, UnrepresentableError> {
    let at = edit.at.start;
    let mut fields = Vec::new();
    let mut rest = edit.with.as_slice();
    while !rest.is_empty() {
        let (field, later) = rest.split_at(field_end(rest));
        let colon = memchr::memchr(b':', field).ok_or(UnrepresentableError::Inserted(at))?;
        let (name, value) = (&field[..colon], LineEnd::strip(&field[colon + 1..]));
        if name.is_empty() || !name.iter().all(u8::is_ascii_graphic) {
            return Err(UnrepresentableError::Inserted(at));
        }
        let (place, value) = (FieldPlace::Insert(index), wire_value(value, at, spaced)?);
        fields.push(FieldModification { place, name, value });
        rest = later;
    }
    Ok(fields)
}

/// Returns a value, all that follows the colon, as MTAs want it: with its leading space if that is agreed on
/// (`spaced`), without CRs before folds. An empty one becomes a space, since an empty value deletes the field. `at` is
/// the octet that an error names.
fn wire_value(value: &[u8], at: usize, spaced: bool) -> Result<Vec<u8>, UnrepresentableError> {
    if memchr::memchr(0, value).is_some() {
        return Err(UnrepresentableError::Nul(at));
    }
    let value = if spaced { value } else { value.strip_prefix(b" ").unwrap_or(value) };
    if memchr::memchr_iter(b'\n', value).any(|lf| !matches!(value.get(lf + 1), Some(b' ' | b'\t'))) {
        return Err(UnrepresentableError::Fold(at));
    }
    let wire = with_line_ends(value, b"\n");
    match wire.len() {
        0 => Ok(b" ".to_vec()),
        fits if fits <= VALUE_LIMIT => Ok(wire.into_owned()),
        _ => Err(UnrepresentableError::Long(at)),
    }
}
