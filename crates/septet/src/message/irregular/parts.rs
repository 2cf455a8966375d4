//! The fields that say what a part is: two that contradict each other, and what stands beside a transfer encoding. A
//! *form* is a way of writing beside the grammar of the RFCs, a row of the [`table`](super::table).

use super::forms::Forms;
use super::parameters::parameters;
use super::table::Form;

use crate::message::grammar::lexer::{Grammar, Lexer, TokenKind};
use crate::message::grammar::{parameter, transfer};
use crate::message::{
    CONTENT_TRANSFER_ENCODING, CONTENT_TYPE, ContentType, Field, FieldNames, Kind, Message, Part, Validity,
};

/// Returns the forms of the header of a part that decide how its body is read; those of the parameters of a
/// Content-Type are [`parameters()`]'s.
///
/// ```
/// use septet::message::irregular::{Form, part};
/// use septet::message::{Limits, Message};
///
/// let message = Message::read(b"Content-Type: text/plain\nContent-Type: text/html\n\n", &Limits::default());
/// assert_eq!(part(&message, &message.parts()[0]).irregular(), Some(Form::TypeConflict));
/// ```
pub fn part(message: &Message, part: &Part) -> Forms {
    let mut forms = Forms::default();
    if named(message, part, CONTENT_TYPE).nth(1).is_some() {
        forms.add(if conflict(message, part) { Form::TypeConflict } else { Form::TypeRepeated });
    }
    let transfers: Vec<&Field> = named(message, part, CONTENT_TRANSFER_ENCODING).collect();
    if transfers.len() > 1 {
        let is_one = transfers.windows(2).all(|pair| is_same_transfer(message, pair[0], pair[1]));
        forms.add(if is_one { Form::TransferRepeated } else { Form::TransferConflict });
    }
    transfers.iter().for_each(|field| forms.extend(token(message.slice(field.value))));
    // A multipart is looked into whatever its encoding.
    let is_composite = match &*part.content_type.main {
        "multipart" => true,
        // One that was looked into is in no encoding.
        "message" => part.kind == Kind::Leaf,
        _ => false,
    };
    forms.add_if(is_composite && !part.transfer.is_identity(), Form::CompositeEncoded);
    forms
}

/// Returns `true` if two fields say the same encoding, or both that there is none.
fn is_same_transfer(message: &Message, one: &Field, other: &Field) -> bool {
    let [one, other] = [one, other].map(|field| transfer::read(message.slice(field.value)));
    one == other || one.is_identity() && other.is_identity()
}

/// Returns the forms of a Content-Transfer-Encoding: what stands beside its token.
fn token(value: &[u8]) -> Forms {
    let mut forms = Forms::default();
    for token in Lexer::literal(value, Grammar::Mime) {
        forms.add_if(token.kind == TokenKind::Comment, Form::TransferComment);
        forms.add_if(matches!(token.kind, TokenKind::Quoted | TokenKind::Special(_)), Form::TransferOdd);
    }
    forms
}

/// Returns the fields of a part with one of these names.
fn named<'m>(message: &'m Message, part: &Part, name: FieldNames) -> impl Iterator<Item = &'m Field> {
    message.fields(part).iter().filter(move |field| field.is_one_of(name))
}

/// Returns the type that each Content-Type of a part says.
pub(super) fn types(message: &Message, part: &Part) -> impl Iterator<Item = ContentType> {
    named(message, part, CONTENT_TYPE).map(|field| ContentType::read(message.raw(), field.value))
}

/// Returns `true` if two Content-Type fields of a part say different things, or may to some reader: of two of which one
/// is invalid or irregular nobody knows.
pub(super) fn conflict(message: &Message, part: &Part) -> bool {
    // Nearly every part has one at most, whose parameters need not be read then.
    if named(message, part, CONTENT_TYPE).nth(1).is_none() {
        return false;
    }
    let types: Vec<ContentType> = types(message, part).collect();
    !types.windows(2).all(|pair| is_same(message.raw(), &pair[0], &pair[1]))
}

/// Returns `true` if two types, both of them regular and without an open quote, say the same, parameters and all.
fn is_same(raw: &[u8], one: &ContentType, other: &ContentType) -> bool {
    let is_valid = one.validity == other.validity && one.validity != Validity::Invalid;
    is_valid
        && is_closed(raw, one)
        && is_closed(raw, other)
        && (&one.main, &one.sub) == (&other.main, &other.sub)
        && said(raw, one) == said(raw, other)
}

/// Returns `true` if a type is regular and has no open quote: that takes in what follows it, for one field and not for
/// the other.
fn is_closed(raw: &[u8], ty: &ContentType) -> bool {
    let forms = parameters(ty.value.slice(raw), true).all();
    forms.is_regular() && !forms.has(Form::LabelOpen)
}

/// Returns the sections of a type's parameters, sorted: names and values in small letters, but a boundary as it is. Its
/// case decides which parts there are; that of no other value decides how a body is read.
fn said(raw: &[u8], ty: &ContentType) -> Vec<(Vec<u8>, Vec<u8>)> {
    let value = ty.value.slice(raw);
    let mut all = Vec::new();
    for section in &ty.sections.list {
        let (name, written) = section.slices(value);
        let (name, mut said) = (name.to_ascii_lowercase(), parameter::unquote(written).into_owned());
        if !name.starts_with(b"boundary") {
            said.make_ascii_lowercase();
        }
        all.push((name, said));
    }
    all.sort_unstable();
    all
}
