//! What is planned for one field: the edits of its value, and what there is to say of them.
//!
//! *Canonical* are words in the one narrow form that `rewrite/canonical/` checks in one pass, and that nobody reads
//! otherwise.

use crate::edit::{EditList, Span};
use crate::message::Field;
use crate::rewrite::canonical::words::ValueEdit;
use crate::rewrite::{Change, Outcome, Reason};

/// Why a field stays that was planned twice in one place.
pub const TWO_CHANGES: Reason = Reason::Internal("two changes of the same octets of a field");

/// What is to be done to one field, and what there is to say of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldPlan {
    /// The edits, all within the field's value.
    pub edits: EditList,
    /// What was done, if anything, and then what was left.
    pub outcomes: Vec<Outcome>,
    /// What the value becomes, where that was proved, or is written so that nobody reads it otherwise. It need not be
    /// proved again where these octets are found in its place, for by then the header is read as it was here.
    pub(in crate::rewrite) proved: Option<Box<[u8]>>,
    /// Whether nothing but canonical words changes that have nothing that may deceive ([`ValuePlan::honest`]).
    pub(in crate::rewrite) honest: bool,
}

impl FieldPlan {
    /// Leaves a field, and says why.
    pub fn left(reason: Reason) -> FieldPlan {
        FieldPlan { outcomes: vec![Outcome::Left(reason)], ..FieldPlan::default() }
    }
}

/// What is planned for a value, its places counted from the start of the value; it becomes a [`FieldPlan`].
#[derive(Debug, Default)]
pub struct ValuePlan {
    /// What is written, in order.
    pub edits: Vec<ValueEdit>,
    /// What that changes.
    pub changes: Vec<Change>,
    /// Why something stays that should not have.
    pub left: Vec<Reason>,
    /// Whether what is written needs no proof: nothing but words changes, which are canonical and say what was meant,
    /// or the charset of a Content-Type as most are.
    pub canonical: bool,
    /// Whether these words have no character that may deceive, show no address, and are not encoded twice.
    pub honest: bool,
}

/// Why the replacements of a value could not be laid out: nothing of it is written then.
#[derive(Debug)]
pub struct Refused {
    /// Why not.
    pub why: Reason,
    /// Why something would have stayed that should not have.
    pub left: Vec<Reason>,
}

impl ValuePlan {
    /// Leaves a value, and says why.
    pub fn left(left: Vec<Reason>) -> ValuePlan {
        ValuePlan { left, ..ValuePlan::default() }
    }

    /// Says each change and each reason once, [`MANY`] of each at most.
    pub fn said_once(self) -> ValuePlan {
        ValuePlan { changes: changes_once(self.changes, MANY), left: each_once(self.left, MANY), ..self }
    }

    /// Makes this the plan of a field, its edits moved to where the value stands in the message; nothing is proved yet.
    /// Edits that overlap leave the field ([`TWO_CHANGES`]).
    pub fn into_field_plan(self, field: &Field) -> FieldPlan {
        // The fold gives them sorted and disjoint; where it doesn't, the field stays and septet is to blame.
        let Some(edits) = edit_list(self.edits, field.value.start) else { return FieldPlan::left(TWO_CHANGES) };
        let done = (!self.changes.is_empty()).then_some(Outcome::Done(self.changes));
        let outcomes = done.into_iter().chain(self.left.into_iter().map(Outcome::Left)).collect();
        FieldPlan { edits, outcomes, proved: None, honest: self.canonical && self.honest }
    }
}

/// The most changes that count nothing, and the most reasons, that are said of one field.
const MANY: usize = 8;

/// Returns each change once, `most` of them at most. What counts is added up and stands behind the others, however many
/// they are, or before them, as links do: nothing is lost silently.
pub fn changes_once(all: Vec<Change>, most: usize) -> Vec<Change> {
    let (mut others, mut unescaped, mut replaced, mut links) = (Vec::new(), None, None, None);
    for change in all {
        match change {
            // It may be 0, for what only looks like an escape.
            Change::Unescaped { count } => *unescaped.get_or_insert(0) += count,
            Change::Replaced { count } => *replaced.get_or_insert(0) += count,
            Change::Iris { count } => *links.get_or_insert(0) += count,
            other => others.push(other),
        }
    }
    let mut changes: Vec<Change> = links.map(|count| Change::Iris { count }).into_iter().collect();
    changes.extend(each_once(others, most));
    changes.extend(unescaped.map(|count| Change::Unescaped { count }));
    changes.extend(replaced.map(|count| Change::Replaced { count }));
    changes
}

/// Returns each thing once, in their order; `most` of them at most. Each is compared with all that are returned, so
/// that where many differ `most` must be low.
pub fn each_once<T: PartialEq>(all: impl IntoIterator<Item = T>, most: usize) -> Vec<T> {
    let mut said = Vec::new();
    for one in all {
        if said.len() < most && !said.contains(&one) {
            said.push(one);
        }
    }
    // A header may have very many fields, each with one change.
    said.shrink_to_fit();
    said
}

/// Makes a list of edits of a value that stands at `start`, from which their places count; none where they overlap.
fn edit_list(edits: Vec<ValueEdit>, start: usize) -> Option<EditList> {
    let mut list = EditList::new();
    for (at, with) in edits {
        list.push(Span::new(start + at.start, start + at.end), with).ok()?;
    }
    Some(list)
}

/// Returns a value as it is after edits; none where these overlap.
pub fn applied(edits: &[ValueEdit], value: &[u8]) -> Option<Vec<u8>> {
    Some(edit_list(edits.to_vec(), 0)?.apply(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Limits, Message};

    #[test]
    fn a_plan_that_contradicts_itself_is_said_and_not_done() {
        let message = Message::read(b"Subject: abc\n\n", &Limits::default());
        let field = message.fields(&message.parts()[0])[0];
        let edits = vec![(1..3, "x".to_owned()), (2..4, "y".to_owned())];
        let changes = vec![Change::Repaired { what: "word" }];
        let plan = ValuePlan { edits, changes, ..ValuePlan::default() }.into_field_plan(&field);
        assert!(plan.edits.is_empty());
        assert_eq!(plan.outcomes, [Outcome::Left(TWO_CHANGES)]);
    }

    /// A field of nine charsets lost how many faults were replaced, and one with two expanded escapes said one.
    #[test]
    fn counts_are_added_up_and_never_cut() {
        let words = (0..9).map(|number| Change::Untagged { language: number.to_string() });
        let counts = [Change::Unescaped { count: 1 }, Change::Replaced { count: 2 }];
        let changes = [counts.clone(), counts].into_iter().flatten().chain(words).collect();
        let said = ValuePlan { changes, ..ValuePlan::default() }.said_once().changes;
        assert_eq!(said.len(), MANY + 2);
        assert_eq!(said[MANY..], [Change::Unescaped { count: 2 }, Change::Replaced { count: 4 }]);
    }
}
