//! The places where edits may stand.
//!
//! Three planners make edits, and each has its place: that of fields changes values, or takes a field out that counted
//! or summed up the octets of a body, or that moves to `Downgraded-NAME`; that of MIME adds fields at the end of a
//! header; that of bodies writes a whole body, octet for octet the one that it has read back. An edit anywhere else (in
//! the name of a field, in a delimiter, in a piece of a body, between parts) was made by nobody, whatever it does.

use super::Claim;
use crate::edit::{Edit, Span};
use crate::message::{Field, Kind, Message, Part};
use crate::rewrite::body;
use crate::rewrite::header::is_encapsulable;
use crate::rewrite::sizes::SIZES;

/// The fields that a change of a body may ask for, where they were missing.
pub const MAY_COME: [&str; 3] = ["MIME-Version", "Content-Type", "Content-Transfer-Encoding"];

impl Claim<'_, '_> {
    /// Proves that every edit stands where edits may.
    pub fn prove_edits(&self) -> Result<(), &'static str> {
        let mut rest = self.edits.as_slice().iter();
        for (index, part) in self.message.parts().iter().enumerate() {
            let fields = self.message.fields(part);
            let in_header = |edit: &Edit| edit.at.start < part.body.start || edit.at == Span::empty(part.header.end);
            while let Some(edit) = next_if(&mut rest, in_header) {
                if !(edit.at == Span::empty(part.header.end) || self.is_of_field(edit, fields)) {
                    return Err("an edit in a header, and in no field");
                }
            }
            if let Some(sum) = self.written(index, part) {
                match next_if(&mut rest, |edit| edit.at == part.body) {
                    Some(edit) if body::sum(&edit.with) != sum => {
                        return Err("a body that is not the one that was written");
                    }
                    _ => {}
                }
            }
        }
        if rest.next().is_none() { Ok(()) } else { Err("an edit in no field and over no body") }
    }

    /// Returns the sum of a body that was written anew, and is one that may be.
    fn written(&self, index: usize, part: &Part) -> Option<u64> {
        let may_be = part.kind == Kind::Leaf && !part.body.is_empty();
        self.bodies.get(index).and_then(|plan| plan.written).filter(|_| may_be)
    }

    fn is_of_field(&self, edit: &Edit, fields: &[Field]) -> bool {
        let at = fields.partition_point(|field| field.line.end <= edit.at.start);
        let Some(field) = fields.get(at) else { return false };
        let goes = || is_size(self.message, field) || self.may_move(field) || self.fixes.removed.contains(&field.line);
        if self.fixes.spaces.contains(&edit.at) && edit.with.is_empty() {
            return field.name.end == edit.at.start && edit.at.end < field.value.start;
        }
        field.value.contains(edit.at) || (edit.at == field.line && edit.with.is_empty() && goes())
    }

    /// Tells whether a field may move to another name: nothing of it can be said in ASCII where it stands.
    fn may_move(&self, field: &Field) -> bool {
        let (name, value) = (self.message.slice(field.name), self.message.slice(field.value));
        self.profile.downgrades() && !value.is_ascii() && is_encapsulable(name)
    }
}

/// Tells whether a field counts or sums up the octets of a body.
pub fn is_size(message: &Message, field: &Field) -> bool {
    SIZES.iter().any(|name| field.is(message.raw(), name))
}

fn next_if<'e>(edits: &mut std::slice::Iter<'e, Edit>, is: impl Fn(&Edit) -> bool) -> Option<&'e Edit> {
    let edit = edits.as_slice().first().filter(|edit| is(edit))?;
    edits.next();
    Some(edit)
}
