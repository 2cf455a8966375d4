//! The name of a file that the other field of its part has, too: `name` of Content-Type, and `filename` of
//! Content-Disposition.

use super::HeaderPlanner;
use crate::coding::encoded_word::WordReader;
use crate::message::Field;
use crate::message::grammar::parameter::{self, ParameterForm};

impl HeaderPlanner<'_> {
    /// Returns the name that the other of the two fields gives the file of the part: a Content-Disposition in any form,
    /// a Content-Type in a plain one, for no word is made of an extended one. None where the field is neither of the
    /// two, or the other has no name that can be read.
    pub(super) fn named_beside(&self, field: &Field, reader: WordReader<'_>) -> Option<String> {
        let fields = self.beside.naming?;
        let (other, name, is_any_form) = match field.value {
            value if value == fields.content_type => (fields.disposition, "filename", true),
            value if value == fields.disposition => (fields.content_type, "name", false),
            _ => return None,
        };
        let value = self.message.slice(other);
        let read = parameter::read(&parameter::sections(value).slices(value), reader);
        let mut named = read.into_iter().filter(|it| it.name.eq_ignore_ascii_case(name));
        Some(named.find(|it| is_any_form || it.shape == ParameterForm::Plain)?.outcome.ok()?.text)
    }
}
