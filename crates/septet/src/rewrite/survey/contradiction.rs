//! Parts of which a header says two things, or nothing that can be understood: they stay, and the report says so.
//!
//! Of two Content-Type fields some readers believe the first and some the last. Where both say the same, both are
//! written alike. Where they differ, a new body would be right for half of the readers, so the body stays, and with it
//! everything inside. The same goes for two transfer encodings that decode differently, and for a Content-Type that
//! names no type: to put another in its place would erase the little that it says.

use crate::message::irregular::{self, Form};
use crate::message::{CONTENT_TYPE, DefectKind, Field, Message, Part, Validity};
use crate::rewrite::Reason;

/// What contradicts itself in a message: for each part its own contradiction, and whether one around it has one. Empty
/// if none was looked for.
#[derive(Debug, Default)]
pub(in crate::rewrite) struct Contradictions(Vec<(Option<Form>, bool)>);

impl Contradictions {
    /// Finds the contradictions of a message; looks for none where reading it found no field twice and no bad
    /// Content-Type.
    pub fn of(message: &Message) -> Contradictions {
        let odd = |kind| matches!(kind, DefectKind::RepeatedField | DefectKind::BadContentType);
        if !message.defects().iter().any(|defect| odd(defect.kind)) {
            return Contradictions::default();
        }
        let mut found: Vec<(Option<Form>, bool)> = Vec::with_capacity(message.parts().len());
        // Parts follow those around them.
        for part in message.parts() {
            let is_inside_one = part.parent.map(|at| found[at]).is_some_and(|(own, around)| around || own.is_some());
            found.push((contradiction(message, part), is_inside_one));
        }
        Contradictions(found)
    }

    /// Returns what a part's own header contradicts itself in; none also for a part that is not there, and where none
    /// was looked for.
    pub fn of_own_header(&self, index: usize) -> Option<Form> {
        self.0.get(index)?.0
    }

    /// Returns why a field of a part's header stays: it is one of two Content-Type fields that differ, and changed they
    /// might differ no more, so that nobody would see the contradiction.
    pub fn of_field(&self, index: usize, field: &Field) -> Option<Reason> {
        let own = self.of_own_header(index).filter(|own| *own == Form::TypeConflict);
        own.filter(|_| field.is_one_of(CONTENT_TYPE)).map(Reason::Irregular)
    }

    /// Returns `true` if a part contradicts itself, or lies in one that does.
    pub fn concern(&self, index: usize) -> bool {
        self.of_own_header(index).is_some() || self.is_inside_one(index)
    }

    /// Returns `true` if a part lies in one that contradicts itself.
    pub fn is_inside_one(&self, index: usize) -> bool {
        self.0.get(index).is_some_and(|(_, around)| *around)
    }
}

/// Finds what a part's header contradicts itself in: two types or transfer encodings that differ, or a type that is
/// none. Each of these must leave a defect of the kinds that [`Contradictions::of`] looks for first, or it is missed.
fn contradiction(message: &Message, part: &Part) -> Option<Form> {
    let of_fields = [Form::TypeConflict, Form::TransferConflict];
    let found = irregular::part(message, part).iter().find(|form| of_fields.contains(form));
    found.or((part.content_type.validity == Validity::Invalid).then_some(Form::TypeInvalid))
}
