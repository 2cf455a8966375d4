//! Which places of a message are *regular*, so that they may be changed.
//!
//! Mail is read tolerantly: whatever real mail does is read and reported. What is *changed* must be sure, and it is
//! sure where the octets follow the grammar of the RFCs, or deviate in a form of which it is known how the readers of
//! mail take it. The [`table`] lists these forms, one a row, and says of each whether it is admitted. This module is
//! the gate: pure functions that say which forms a place has.
//!
//! | place | asked by | what its forms decide |
//! |---|---|---|
//! | the structure of the message | [`structure()`] | every body, and the headers of all parts but the message's own |
//! | a part | [`part()`] | its body: two fields that say what it is |
//! | a field's value | [`field()`] | the value |
//! | a parameter | [`parameters()`] | its value; the charset of a Content-Type decides about the body too |
//! | a body | [`body()`] | the body |
//!
//! A place without forms is written as the RFCs have it. One with admitted forms alone may be changed: written
//! canonically, readers that differed agree. One irregular form and the place stays; all other places go on.
//!
//! Nothing here asks what a text *means*: which charset it is in, whether a control character would come out of it,
//! whether it is signed. No form of writing cures that, so it is asked elsewhere.
//!
//! **Limits:** none of its own. Each function reads its octets a constant number of times, allocates no more than a
//! list of tokens, and does not recurse.

mod addresses;
mod bodies;
mod forms;
mod parameters;
mod parts;
mod structure;
mod table;
mod words;

pub use bodies::{body, irregular_body};
pub use forms::Forms;
pub(crate) use parameters::is_usual_type;
pub use parameters::{ParameterForms, parameters};
pub use parts::part;
pub use structure::structure;
pub use table::{Admission, Form, FormRow, Site};

use super::{CONTENT_TYPE, FieldKind, Kind, Message, Part, RECEIVED, has_lone_return};

/// Returns the forms of a field's value; the name decides what is looked for in it.
///
/// ```
/// use septet::message::irregular::{Form, field};
///
/// let open = field(b"From", b" \"M\xC3\xBCller <h@example.org>");
/// assert_eq!(open.irregular(), Some(Form::AddressOpen));
/// assert!(field(b"Subject", b" =?utf-8?Q?a b?=").is_regular());
/// ```
pub fn field(name: &[u8], value: &[u8]) -> Forms {
    let forms = match FieldKind::of(name) {
        FieldKind::Unstructured => words::text(value),
        FieldKind::Addresses => return address_list(value),
        FieldKind::Parameters => parameters(value, CONTENT_TYPE.names(name)).all(),
        FieldKind::Phrases | FieldKind::Comments | FieldKind::TypedAddress | FieldKind::Links => {
            addresses::phrases(value)
        }
        // A downgrade writes a comment in it, though it is opaque to all else.
        FieldKind::Opaque if RECEIVED.names(name) => addresses::phrases(value),
        FieldKind::Opaque => Forms::default(),
    };
    forms.and(line_ends(value))
}

/// Returns the forms of the value of a field of addresses.
pub fn address_list(value: &[u8]) -> Forms {
    addresses::list(value).and(line_ends(value))
}

/// Returns the forms of everything in a message that can be told without planning a change: none of [`Site::Text`].
pub fn message(message: &Message) -> Forms {
    let mut forms = structure(message);
    for part in message.parts() {
        forms.extend(of_part(message, part));
    }
    forms
}

/// Returns the forms of a part, its fields and its body; what is made of parts has no body of its own.
fn of_part(message: &Message, it: &Part) -> Forms {
    let fields = message.fields(it).iter();
    let forms =
        fields.fold(part(message, it), |sum, at| sum.and(field(message.slice(at.name), message.slice(at.value))));
    if it.kind == Kind::Leaf { forms.and(body(&it.transfer, message.slice(it.body))) } else { forms }
}

/// Returns [`Form::FieldLineEnd`], which any field may have, if an octet 0 or a CR alone stands in a value: it ends the
/// line for some.
pub(crate) fn line_ends(value: &[u8]) -> Forms {
    let mut forms = Forms::default();
    forms.add_if(has_lone_return(value) || memchr::memchr(0, value).is_some(), Form::FieldLineEnd);
    forms
}

#[cfg(test)]
mod tests;
