//! The gate: which places of a message may be changed at all ([`irregular`]).
//!
//! It is asked about a place for which something is planned, and about no other: what stays needs no reason. Structure that
//! readers take differently keeps the bodies and the headers of the parts; the message's own header is written all the
//! same, but for the fields that say what its body is. A field's own value, and each parameter, is asked where it is
//! planned ([`header`](super::header)).

use std::cell::OnceCell;

use super::body;
use super::second_reader::{self, Outline};
use crate::coding::evidence::has_iso_2022_escape;
use crate::message::irregular::{self, Form};
use crate::message::{Field, Kind, Message, Part, SIZES, says_what_a_body_is};

/// What the gate has said of a message so far.
#[derive(Debug, Default)]
pub(super) struct Gate {
    structure: OnceCell<Option<Form>>,
    outline: OnceCell<Outline>,
}

impl Gate {
    /// Returns the form for which nobody can say what the parts of a message are. What can't be shown to the second reader
    /// is such a message, too.
    pub fn structure(&self, message: &Message) -> Option<Form> {
        let is_shown = || self.outline(message).is_ok();
        let form = || irregular::structure(message).irregular().or((!is_shown()).then_some(Form::BoundaryMissing));
        *self.structure.get_or_init(form)
    }

    /// Returns what the second reader sees of a message.
    pub fn outline(&self, message: &Message) -> &Outline {
        self.outline.get_or_init(|| second_reader::outline(message))
    }

    /// Returns the form for which a body stays: of the parts, of the fields that say how it is read, or its own.
    pub fn body(&self, message: &Message, part: &Part) -> Option<Form> {
        self.structure(message).or_else(|| of_part(message, part)).or_else(|| label(message, part))
    }

    /// Returns the form for which a field stays that is one of a part, or says what a body is.
    pub fn field(&self, message: &Message, part: &Part, field: &Field) -> Option<Form> {
        // A sum that is not true any more goes from every part around a body that changed, whatever that part is.
        let is_size = field.is_one_of(SIZES);
        let is_asked = !is_size && (part.parent.is_some() || says_what_a_body_is(message.slice(field.name)));
        let form = || self.structure(message).or_else(|| irregular::part(message, part).irregular());
        is_asked.then(form).flatten()
    }
}

/// Returns the form of a part for which its body stays: of its header as far as that says how the body is read, or its own.
fn of_part(message: &Message, part: &Part) -> Option<Form> {
    let of_body = || irregular::irregular_body(&part.transfer, message.slice(part.body));
    let own = irregular::part(message, part).irregular();
    own.or_else(|| (part.kind == Kind::Leaf).then(of_body).flatten())
}

/// Returns the form of the label of a text for which its charset can't be written, or for which nobody would read what is
/// written, since the label stands where most see none: there the octets themselves must prove it.
fn label(message: &Message, part: &Part) -> Option<Form> {
    let field = message.field(part, "Content-Type").filter(|_| body::is_text(message, part))?;
    let forms = irregular::parameters(message.slice(field.value), true).of("charset");
    let unseen = [Form::TypeUnseparated, Form::LabelEncoded].into_iter().find(|form| forms.has(*form));
    forms.irregular().or_else(|| unseen.filter(|_| !is_proved_by_octets(message, part)))
}

/// Tells whether the octets of a text say in which charset it is, whoever reads the label: UTF-8, or ISO-2022-JP.
fn is_proved_by_octets(message: &Message, part: &Part) -> bool {
    let Ok(octets) = body::decoded(message, part) else { return false };
    has_iso_2022_escape(&octets) || !octets.is_ascii() && str::from_utf8(&octets).is_ok()
}
