//! The name of a file that the other field of its part has, too: `name` of Content-Type, and `filename` of
//! Content-Disposition.

use crate::coding::encoded_word::WordReader;
use crate::message::grammar::parameter::{self, ParameterForm};
use crate::message::{Field, Message};
use crate::rewrite::survey::evidence::beside::NamingFields;

/// Returns the name that the other of two fields gives the file of a part: a Content-Disposition in any form, a
/// Content-Type in a plain one, for no word is made of an extended one. None where the field is neither of the two, or
/// the other has no name that can be read.
pub fn named_beside(
    message: &Message<'_>,
    field: &Field,
    fields: NamingFields,
    reader: WordReader<'_>,
) -> Option<String> {
    let (other, name, is_any_form) = match field.value {
        value if value == fields.content_type => (fields.disposition, "filename", true),
        value if value == fields.disposition => (fields.content_type, "name", false),
        _ => return None,
    };
    let value = message.slice(other);
    let mut named = parameter::read(&parameter::sections(value).slices(value), reader)
        .into_iter()
        .filter(|it| it.name.eq_ignore_ascii_case(name));
    Some(named.find(|it| is_any_form || it.shape == ParameterForm::Plain)?.outcome.ok()?.text)
}
