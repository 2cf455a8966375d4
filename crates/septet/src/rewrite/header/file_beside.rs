//! The name of a file that the other field of its part has, too: `name` of Content-Type, and `filename` of
//! Content-Disposition.

use super::HeaderPlanner;
use super::parameters::read_once;
use super::target::FieldTarget;
use crate::message::Field;
use crate::message::grammar::parameter::{self, ParameterForm};

impl HeaderPlanner<'_> {
    /// Returns the name that the other of the two fields gives the file of the part, by which the forms of both are
    /// chosen (`extended` and `is_word_beside` in `parameter_form.rs`): where they name it alike, Content-Type has the
    /// plain form and Content-Disposition the extended one, so that no reader joins the two. So an extended `name` of a
    /// Content-Type does not count: it stays. The name is read as [`read_once`] reads the field's own, for it is
    /// compared with that. None where the field is neither of the two, the profile does not want both
    /// ([`FileNames::Both`](crate::rewrite::FileNames)), or the other has no name that can be read.
    pub(super) fn named_beside(&self, field: &Field, target: &FieldTarget<'_>) -> Option<String> {
        let fields = self.beside.naming?;
        let (other, name, is_any_form) = match field.value {
            value if value == fields.content_type => (fields.disposition, "filename", true),
            value if value == fields.disposition => (fields.content_type, "name", false),
            _ => return None,
        };
        let value = self.message.slice(other);
        let (read, _) = read_once(&parameter::sections(value).slices(value), target);
        let mut named = read.into_iter().filter(|it| it.name.eq_ignore_ascii_case(name));
        Some(named.find(|it| is_any_form || it.shape == ParameterForm::Plain)?.outcome.ok()?.text)
    }
}
