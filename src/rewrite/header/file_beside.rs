//! The name of a file that the other field of its part has, too: `name` of Content-Type, and `filename` of
//! Content-Disposition.

use crate::coding::encoded_word::WordReader;
use crate::message::grammar::parameter::{self, Parameter, ParameterForm};
use crate::message::{CONTENT_TYPE, Field, Message, Part};

/// Returns the name that the other field of a part gives the file: a Content-Disposition in any form, a Content-Type in a
/// plain one. None where the field is neither of the two.
pub fn named_beside(message: &Message<'_>, field: &Field, reader: WordReader<'_>) -> Option<String> {
    let is_type = field.is_one_of(CONTENT_TYPE);
    if !is_type && !field.is(message.raw(), "Content-Disposition") {
        return None;
    }
    let (other, name) = if is_type { ("Content-Disposition", "filename") } else { ("Content-Type", "name") };
    let value = message.slice(message.field(part_of(message, field)?, other)?.value);
    let sections = parameter::sections(value).list;
    let slices: Vec<(&[u8], &[u8])> = sections.iter().map(|section| section.slices(value)).collect();
    let is_wanted =
        |it: &Parameter| it.name.eq_ignore_ascii_case(name) && (is_type || it.shape == ParameterForm::Plain);
    Some(parameter::read(&slices, reader).into_iter().find(is_wanted)?.outcome.ok()?.text)
}

/// Returns the part in whose header a field stands: the last one that begins before it.
fn part_of<'m>(message: &'m Message<'_>, field: &Field) -> Option<&'m Part> {
    let behind = message.parts().partition_point(|part| part.header.start <= field.line.start);
    message.parts().get(behind.checked_sub(1)?)
}
