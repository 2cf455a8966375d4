//! What keeps mail-parser's time linear: it is shown no message in which it would look for many boundaries in vain.
//!
//! mail-parser looks for the boundary of a multipart up to the end of the message, and where there is none it comes
//! back and goes on behind the header, as if the part were a text. Thousands of such parts, and they need be nothing
//! but headers, would have it read the message thousands of times. What it finds it goes on behind, so that only what
//! it does not find costs more than one pass. So
//!
//! 1. it is asked for the boundary that it reads in each header that names one ([`ParsedHeader`]), whatever septet
//!    reads there. Those are counted that are not the ones by which septet has found parts, and with more than a few
//!    of them the readers are said to differ: in a message with one the parts stay in any case;
//! 2. no header but those that septet sees may name a boundary, have parameters, or name a transfer encoding behind
//!    which a message would hide that has all this in it once more. Where mail-parser takes something in a body for a
//!    header, that is a part that septet does not see, whatever its fields are: these names are spelt otherwise there,
//!    for both readers;
//! 3. a message in a transfer encoding, which mail-parser opens and septet does not, is shown without its body: nothing
//!    in it is compared.
//!
//! The readers are said to differ, too, in a boundary of many lines' length, which is compared octet by octet at each
//! `--`, and in thousands of sections of parameters, each of which it looks for among all before it.

use std::borrow::Cow;

use memchr::memchr_iter;

use super::UNREADABLE;
use super::encoded::has_one;
use super::excerpt::is_longer;
use super::parsed_header::ParsedHeader;
use crate::edit::Moved;
use crate::message::{CONTENT_TRANSFER_ENCODING, CONTENT_TYPE, FieldNames, Message, WITH_PARAMETERS};
use crate::rewrite::ensure::ensure;

/// The names of the fields by which mail-parser comes to look for boundaries, or joins sections.
const OF_BODY: FieldNames = WITH_PARAMETERS.and(CONTENT_TRANSFER_ENCODING);

/// The octets of the longest boundary that is looked for; RFC 2046 §5.1.1 allows 70.
const LONGEST: usize = 256;

/// How many pairs may be compared to join the sections of parameters (RFC 2231 §3): mail-parser looks among all before
/// for the one that each belongs to. Septet writes no field with so many.
const SECTIONS: usize = 100_000_000;

/// The octets, carriage returns not counted, up to which a message is shown with all that looks like a field or a
/// boundary: in so few there is not much to look through.
const FEW: usize = 16 << 10;

/// How many boundaries mail-parser may look for in vain: each may cost a pass.
const IN_VAIN: usize = 16;

/// Changes the last letter of each name of a field that says what a body is, wherever septet sees no such field; `by`
/// says where the message's own fields lie in what is shown. A text of [`FEW`] octets or less stays.
pub(super) fn without_hidden_fields<'a>(shown: Cow<'a, [u8]>, message: &Message, by: &Moved) -> Cow<'a, [u8]> {
    let found = if is_longer(&shown, FEW) { body_field_names(&shown) } else { return shown };
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

/// Returns where the names of those fields start, in their order, that say to septet what a body is; in the message,
/// and not in what is shown of it.
fn own_names<'m>(message: &'m Message) -> impl Iterator<Item = usize> + 'm {
    let fields = message.parts().iter().flat_map(|part| message.fields(part));
    fields.filter(|field| field.is_one_of(OF_BODY)).map(|field| field.name.start)
}

/// Finds the names [`OF_BODY`], which must all begin with `Content-`, anywhere in a text: where each starts, and where
/// its last octet is, in order. That octet is in no boundary, unless the boundary holds the whole name: the `--` before
/// a boundary stands in no name.
fn body_field_names(text: &[u8]) -> Vec<(usize, usize)> {
    // All of them begin so, and texts have many hyphens.
    const START: &[u8] = b"content";
    let starts = memchr_iter(b'-', text).filter_map(|at| at.checked_sub(START.len()));
    let starts = starts.filter(|start| starts_with(&text[*start..], START));
    let named = starts.filter_map(|start| {
        let name = OF_BODY.each().find(|name| starts_with(&text[start..], name.as_bytes()))?;
        Some((start, start + name.len() - 1))
    });
    named.collect()
}

/// Returns `true` if a text begins with a word, in any case of letters.
fn starts_with(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Asks whether mail-parser may look for the boundaries of a message, shown so; an error says what readers differ in,
/// where it may not.
pub(super) fn may_look_for_boundaries(message: &Message, shown: &[u8]) -> Result<(), &'static str> {
    // It is asked of these headers alone.
    let named =
        message.parts().iter().enumerate().filter(|(_, part)| has_one(message, part, CONTENT_TYPE, &["boundary"]));
    let mut in_vain = 0;
    for (index, part) in named {
        let header = &message.raw()[part.header.start..part.body.start];
        let asked = ParsedHeader::read(header).ok_or(UNREADABLE)?;
        let Some(boundary) = asked.boundary.filter(|boundary| !boundary.is_empty()) else { continue };
        // A field's name in a boundary would be changed with others (`without_hidden_fields`).
        ensure(boundary.len() <= LONGEST && body_field_names(boundary.as_bytes()).is_empty(), "a boundary")?;
        let is_found = part.boundary.as_deref() == Some(boundary.as_bytes()) && message.has_parts(index);
        in_vain += usize::from(!(is_found && asked.ends));
    }
    ensure(in_vain <= IN_VAIN || !is_longer(shown, FEW), "where a boundary is")
}

/// Returns `true` if fields have so many sections of parameters that mail-parser must not join them: it compares each
/// with all before it in its field, and each has a `*`. Only fields that septet sees are counted: of all others the
/// names are spelt otherwise ([`without_hidden_fields`]), so [`OF_BODY`] must have all of [`WITH_PARAMETERS`].
pub(super) fn has_too_many_sections(message: &Message) -> bool {
    let fields = message.parts().iter().flat_map(|part| message.fields(part));
    let fields = fields.filter(|field| field.is_one_of(WITH_PARAMETERS));
    let stars = fields.map(|field| memchr_iter(b'*', message.slice(field.value)).count());
    stars.fold(0, |sum: usize, count| sum.saturating_add(count.saturating_mul(count))) > SECTIONS
}

#[cfg(test)]
mod tests;
