//! What keeps mail-parser's time linear: it is shown no multipart whose boundary it would look for in vain.
//!
//! mail-parser looks for the boundary of a multipart up to the end of the message, and where there is none it comes
//! back and goes on behind the header, as if the part were a text. Thousands of such parts, and they need be nothing
//! but headers, would have it read the message thousands of times. What it finds it goes on behind, so that only what
//! it does not find costs more than one pass. So
//!
//! 1. it is asked for the boundary that it reads in each header that names one ([`ParsedHeader`]), whatever septet
//!    reads there, and all of them are looked for at once ([`Boundaries`]). Of one that occurs nowhere behind its
//!    header the parameter is given another name of the same length. It sees what it would have seen: a part without
//!    parts. Septet's own tree is read from what shows the parameter;
//! 2. no header but those that septet sees may name a boundary, or a transfer encoding behind which a message would
//!    hide that has all this in it once more. Where mail-parser takes something in a body for a header, that is a part
//!    that septet does not see, whatever its fields are: these names are spelt otherwise there, for both readers;
//! 3. a message in a transfer encoding, which mail-parser opens and septet does not, is a short one for both readers:
//!    nothing in it is compared.
//!
//! Where that is not enough the readers are said to differ: a boundary of many lines' length, which is compared octet
//! by octet at each `--`, headers by the dozen that mail-parser reads on behind where septet's end, or thousands of
//! sections of parameters, each of which it looks for among all before it.

use std::borrow::Cow;

use memchr::memchr_iter;

use super::UNREADABLE;
use super::boundaries::Boundaries;
use super::parsed_header::ParsedHeader;
use crate::edit::Moved;
use crate::message::{CONTENT_TRANSFER_ENCODING, CONTENT_TYPE, FieldNames, Message, Part, WITH_PARAMETERS};

/// The names of the fields by which mail-parser comes to look for boundaries.
const OF_BODY: FieldNames = CONTENT_TYPE.and(CONTENT_TRANSFER_ENCODING);

/// The name of the parameter that it looks for.
const PARAMETER: &[u8] = b"boundary";

/// The octets of the longest boundary that is looked for; RFC 2046 §5.1.1 allows 70.
const LONGEST: usize = 256;

/// The octets that may be compared to join the sections of parameters (RFC 2231 §3): mail-parser looks among all before
/// for the one that each belongs to. Septet writes no field with so many.
const SECTIONS: usize = 100_000_000;

/// The octets up to which a message is shown with all that looks like a field: in so few there is not much to look
/// through.
const FEW: usize = 16 << 10;

/// How many headers may have no end where septet sees one: each may cost a pass.
const ENDLESS: usize = 8;

/// Changes the last letter of each name of a field that says what a body is, wherever septet sees no such field; `by`
/// says where the message's own fields lie in what is shown. A text of [`FEW`] octets or less stays.
pub(super) fn without_hidden_fields<'a>(shown: Cow<'a, [u8]>, message: &Message, by: &Moved) -> Cow<'a, [u8]> {
    let found = if shown.len() > FEW { body_field_names(&shown) } else { return shown };
    // Septet's own fields are all among those found.
    if found.len() == own_names(message).count() {
        return shown;
    }
    let own: Vec<usize> = own_names(message).map(|at| by.before(at)).collect();
    let mut shown = shown.into_owned();
    for (_, last) in found.into_iter().filter(|(start, _)| own.binary_search(start).is_err()) {
        shown[last] = b'x';
    }
    Cow::Owned(shown)
}

/// Returns where the names of those fields start, in their order, that say to septet what a body is.
fn own_names<'m>(message: &'m Message) -> impl Iterator<Item = usize> + 'm {
    let fields = message.parts().iter().flat_map(|part| message.fields(part));
    fields.filter(|field| field.is_one_of(OF_BODY)).map(|field| field.name.start)
}

/// Finds the names [`OF_BODY`] anywhere in a text: where each starts, and where its last octet is, in order. That octet
/// is in no boundary, unless the boundary holds the whole name: the `--` before a boundary stands in no name.
fn body_field_names(text: &[u8]) -> Vec<(usize, usize)> {
    const START: usize = "content".len();
    let starts = memchr_iter(b'-', text).filter_map(|at| at.checked_sub(START));
    let named = starts.filter_map(|start| {
        let name = OF_BODY.each().find(|name| starts_with(&text[start..], name.as_bytes()))?;
        Some((start, start + name.len() - 1))
    });
    named.collect()
}

fn starts_with(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Renames each `boundary` parameter whose boundary mail-parser would look for in vain, since it occurs nowhere behind
/// its header; the new name is as long, so that nothing moves. An error says what readers differ in, where that is not
/// enough.
pub(crate) fn without_missing_boundaries<'a>(message: &Message<'a>) -> Result<Cow<'a, [u8]>, &'static str> {
    let read = boundaries_read(message)?;
    if read.is_empty() {
        return Ok(Cow::Borrowed(message.raw()));
    }
    let all = read.iter().map(|(_, boundary)| boundary.as_bytes().to_vec()).collect();
    let boundaries = Boundaries::find(all, message.raw());
    let mut shown = Cow::Borrowed(message.raw());
    for (part, boundary) in &read {
        if !boundaries.occurs_from(boundary.as_bytes(), part.body.start) {
            ends_of_boundary_names(message, part).for_each(|last| shown.to_mut()[last] = b'x');
        }
    }
    Ok(shown)
}

/// Returns `true` if fields have so many sections of parameters that mail-parser must not join them: it compares each
/// with all before it in its field, and each has a `*`.
pub(super) fn has_too_many_sections(message: &Message) -> bool {
    let fields = message.parts().iter().flat_map(|part| message.fields(part));
    let fields = fields.filter(|field| field.is_one_of(WITH_PARAMETERS));
    let stars = fields.map(|field| memchr_iter(b'*', message.slice(field.value)).count());
    stars.fold(0, |sum: usize, count| sum.saturating_add(count.saturating_mul(count))) > SECTIONS
}

/// Returns the parts with the boundary that mail-parser reads in the header of each. Left out are headers that go on
/// for it where they end for septet; with more than [`ENDLESS`] of them, or a boundary that can't be looked for, an
/// error says what readers differ in.
fn boundaries_read<'m>(message: &'m Message) -> Result<Vec<(&'m Part, String)>, &'static str> {
    let (mut found, mut endless) = (Vec::new(), 0);
    for part in message.parts().iter().filter(|part| ends_of_boundary_names(message, part).next().is_some()) {
        let header = &message.raw()[part.header.start..part.body.start];
        let asked = ParsedHeader::read(header).ok_or(UNREADABLE)?;
        let Some(boundary) = asked.boundary.filter(|boundary| !boundary.is_empty()) else { continue };
        // A field's name in a boundary would be changed with others (`without_hidden_fields`).
        if boundary.len() > LONGEST || !body_field_names(boundary.as_bytes()).is_empty() {
            return Err("a boundary");
        }
        match asked.ends {
            true => found.push((part, boundary)),
            false => endless += 1,
        }
    }
    if endless > ENDLESS { Err("where a body starts") } else { Ok(found) }
}

/// Finds the last octet of each word `boundary`, wherever it stands in the Content-Type fields of a part.
fn ends_of_boundary_names<'m>(message: &'m Message, part: &Part) -> impl Iterator<Item = usize> + 'm {
    let types = message.fields(part).iter().filter(|field| field.is_one_of(CONTENT_TYPE));
    types.flat_map(|field| {
        let octets = message.slice(field.value).windows(PARAMETER.len()).enumerate();
        let named = octets.filter(|(_, window)| window.eq_ignore_ascii_case(PARAMETER));
        named.map(|(at, _)| field.value.start + at + PARAMETER.len() - 1)
    })
}

#[cfg(test)]
mod tests;
