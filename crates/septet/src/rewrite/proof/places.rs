//! The places where edits may stand.
//!
//! There are four kinds of edits, and each has its place. Those of fields change values, or take a field out that
//! counted or summed up the octets of a body, or that moves to `Downgraded-NAME`; those of MIME add fields at the end
//! of a header; those of bodies write a whole body, octet for octet the one that was read back; those of fixes do all
//! this, and take out white space before a colon, or a field that another one repeats. An edit anywhere else (in the
//! name of a field, in a delimiter, in a piece of a body, between parts) is nobody's, whatever it does.

use super::Claim;
use crate::edit::{Edit, Span};
use crate::message::{Field, FieldNames, Kind, Part, SIZES};
use crate::rewrite::ensure::ensure;
use crate::rewrite::header::is_encapsulable;
use crate::rewrite::octet_sum::OctetSum;
use crate::rewrite::step::StepScope;

/// The fields that a change of a body may ask for, where they were missing; `write/mime.rs` adds them. That they say
/// what the step asks for, `prove_type` proves.
pub const MAY_COME: FieldNames = FieldNames::of("MIME-Version Content-Type Content-Transfer-Encoding");

impl Claim<'_, '_> {
    /// Proves that every edit stands where edits may, and that the bodies of the step are those of this message, each
    /// with what was written in its place. Only parts, in the order of their headers, take edits out of `rest`: one
    /// that is left over stands where no edit may.
    pub fn prove_edits(&self) -> Result<(), &'static str> {
        let mut rest = self.edits.as_slice().iter().peekable();
        for (index, part) in self.message.parts().iter().enumerate() {
            let fields = self.message.fields(part);
            let end = Span::empty(part.header.end);
            while let Some(edit) = rest.next_if(|edit| edit.at.start < part.body.start || edit.at == end) {
                ensure(edit.at == end || self.is_of_field(edit, fields), "an edit in a header, and in no field")?;
            }
            // An edit of a body that nothing was asked for stays in `rest`, and is refused there.
            let Some(asked) = self.step.asked(index) else { continue };
            ensure(asked.is_of(self.message, part), "a body that nothing was planned for")?;
            if let Some(written) = asked.written {
                prove_written(written, part, rest.next_if(|edit| edit.at == part.body))?;
            }
        }
        let last = self.step.bodies.keys().next_back();
        ensure(last.is_none_or(|last| *last < self.message.parts().len()), "a part that the message does not have")?;
        ensure(rest.next().is_none(), "an edit in no field and over no body")
    }

    /// Returns `true` if an edit lies where a field of the step may be edited: in its value, over all of its line where
    /// the field may go, or over white space before its colon that a fix takes out. `fields` are sorted by their place.
    fn is_of_field(&self, edit: &Edit, fields: &[Field]) -> bool {
        let at = fields.partition_point(|field| field.line.end <= edit.at.start);
        let Some(field) = fields.get(at).filter(|field| self.is_in_scope(field)) else { return false };
        if self.step.fixes.spaces.contains(&edit.at) && edit.with.is_empty() {
            return field.name.end == edit.at.start && edit.at.end < field.value.start;
        }
        field.value.contains(edit.at) || (edit.at == field.line && edit.with.is_empty() && self.may_go(field))
    }

    /// Returns `true` if a field may be taken out: it counts octets, may move to another name, or is removed by a fix.
    /// `prove_fields` tells these apart: the first comes back nowhere, the second as `Downgraded-NAME`, the third is
    /// said by another field or is empty. A fourth must be known there too.
    fn may_go(&self, field: &Field) -> bool {
        field.is_one_of(SIZES) || self.may_move(field) || self.is_removed(field)
    }

    /// Returns `true` if the step may change a field, by its name and the header that it is in. What a step of a scope
    /// may plan must lie in this: the planner of fields asks [`StepScope::takes`] alone.
    fn is_in_scope(&self, field: &Field) -> bool {
        let scope = self.step.scope;
        let root = self.message.parts().first();
        scope.takes(self.message.slice(field.name))
            && (scope != StepScope::TopHeader || root.is_some_and(|root| root.header.contains(field.line)))
    }

    /// Returns `true` if a field may move to another name, by the profile, its name and its value. Whether it has to,
    /// `wish/moved.rs` alone asks.
    fn may_move(&self, field: &Field) -> bool {
        let (name, value) = (self.message.slice(field.name), self.message.slice(field.value));
        self.profile.downgrades() && !value.is_ascii() && is_encapsulable(name)
    }
}

/// Proves that a body that was written anew is that of a leaf and not empty, and that `edit`, the one over all of it,
/// puts in the octets that were written. Whoever hands a body over to the edits must have summed it up
/// (`Writer::write_body`).
fn prove_written(written: OctetSum, part: &Part, edit: Option<&Edit>) -> Result<(), &'static str> {
    match edit {
        _ if part.kind != Kind::Leaf || part.body.is_empty() => Err("a body that can't be written anew"),
        Some(edit) if OctetSum::of(&edit.with) == written => Ok(()),
        Some(_) => Err("a body that is not the one that was written"),
        None => Err("a body that was written is missing"),
    }
}
