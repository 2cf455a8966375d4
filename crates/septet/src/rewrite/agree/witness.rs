//! Texts under one label that are of two minds whether it is true: where one of them stays, all stay.
//!
//! Where a text could be in the charset of its label or in UTF-8, others under that label tell. If these contradict
//! each other, nobody is believed, and the text is left as ambiguous. Were one side of them changed and the other not,
//! the side that is left would be believed from then on.
//!
//! A field that is moved tells nothing any more, either: where a text is left under a label that it tells of, it is not
//! moved, or a second run would take that text for something else.

use std::collections::BTreeSet;

use crate::coding::charset::Charset;
use crate::message::irregular::Form;
use crate::rewrite::survey::Survey;
use crate::rewrite::survey::body::Body;
use crate::rewrite::survey::evidence::verdicts::{labels_of_field, telling_label_of_body, telling_labels_of_field};
use crate::rewrite::wish::{Cause, FieldWish, Wishes};
use crate::rewrite::{Outcome, Reason};

/// Keeps all evidence of a label together. Where a text is left as ambiguous under a label, and some text that tells
/// what others under it are stays, every text that tells of it stays: bodies keep their charset, fields are struck.
/// What is struck may tell of another such label; the rules are asked again until none strikes anything.
pub(super) fn places<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    let doubted = doubted_labels(survey, wishes);
    if doubted.is_empty() {
        return;
    }
    let staying: BTreeSet<&str> = labels_that_stay(survey, wishes).filter(|label| doubted.contains(label)).collect();
    for (index, part) in survey.message.parts().iter().enumerate() {
        let told = telling_label_of_body(survey.evidence, part).filter(|label| staying.contains(label.name()));
        if let Some(body) = wishes.bodies.get_mut(index).filter(|body| told.is_some() && body.whole.charset.is_some()) {
            body.keep_charset();
        }
        for wish in wishes.fields.get_mut(index).into_iter().flatten().filter(|wish| !wish.plan.edits.is_empty()) {
            let told = telling_labels_of_field(survey.evidence, wish.field);
            if told.iter().any(|label| staying.contains(label.name())) {
                // The doubt for which a text of the field itself is left says more.
                let mut left = wish.plan.outcomes.iter().filter_map(Outcome::reason);
                let own = left.find(|reason| matches!(reason, Reason::Ambiguous(..))).cloned();
                wish.strike((Cause::Hint, own.or(Some(Reason::Irregular(Form::LabelHint)))));
            }
        }
    }
}

/// Returns the charsets of labels of which some text is left, since nobody can tell whether it is in UTF-8.
fn doubted_labels(survey: &Survey, wishes: &Wishes) -> BTreeSet<&'static str> {
    let bodies = wishes.bodies.iter().flat_map(|wish| &wish.whole.outcomes);
    let fields = wishes.fields.iter().flatten().flat_map(|wish| &wish.plan.outcomes);
    let doubted = bodies.chain(fields).filter_map(|outcome| match outcome.reason()? {
        Reason::Ambiguous(one, other) => Some([one, other]),
        _ => None,
    });
    // Between two charsets of letters no other text under the label is asked.
    let of_utf_8 = doubted.filter(|names| names.iter().any(|name| *name == Charset::UTF_8.name()));
    let found = of_utf_8.flatten().filter_map(|name| survey.profile.labels.find(name.as_bytes()));
    found.filter(|charset| *charset != Charset::UTF_8).map(Charset::name).collect()
}

/// Returns the labels of which some text tells, by a body or field that stays; a field that changes in part only stays.
/// With more strikes the set may only grow.
fn labels_that_stay<'w>(survey: &'w Survey, wishes: &'w Wishes) -> impl Iterator<Item = &'static str> + 'w {
    let parts = survey.message.parts().iter().enumerate();
    let staying = parts.flat_map(move |(index, part)| {
        let stays = wishes.bodies.get(index).is_none_or(|wish| wish.charset().is_none());
        let body = telling_label_of_body(survey.evidence, part).filter(|_| stays);
        let of_header = survey.message.fields(part).iter();
        let left = of_header.filter(move |field| !wishes.of_field(index, field).is_some_and(is_changed_whole));
        body.into_iter().chain(left.flat_map(|field| telling_labels_of_field(survey.evidence, field)))
    });
    staying.map(|charset| charset.name())
}

/// Strikes that a field is moved whose words tell of a label under which another text is left: where it is moved to,
/// its words are encoded once more, and tell nothing.
pub(super) fn moved_fields<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    if !wishes.fields.iter().flatten().any(FieldWish::is_moved) {
        return;
    }
    let left = labels_of_left_texts(survey, wishes);
    for wish in wishes.fields.iter_mut().flatten().filter(|wish| wish.is_moved()) {
        let told = telling_labels_of_field(survey.evidence, wish.field);
        if told.iter().any(|label| left.contains(label.name())) {
            wish.strike((Cause::Hint, Some(Reason::Irregular(Form::LabelHint))));
        }
    }
}

/// Returns the charsets of the labels under which some text was to change and stays, all of it, with its label. A text
/// for which nothing is wished does not count, since it reads the same in a second run. A field that is to be moved
/// counts only if it is struck: what its own plan leaves was left for the place where it stood. With more strikes the
/// set may only grow.
fn labels_of_left_texts(survey: &Survey, wishes: &Wishes) -> BTreeSet<&'static str> {
    let parts = survey.message.parts().iter().zip(&wishes.bodies);
    let bodies = parts.filter(|(_, wish)| wish.charset().is_none() && (wish.reason().is_some() || wish.whole.leaves()));
    let of_bodies = bodies.filter_map(|(part, _)| Body::of(survey.message, part, survey.profile).charset());
    let fields = wishes.fields.iter().flatten().filter(|wish| wish.is_struck() || is_left_whole(wish));
    let of_fields = fields.flat_map(|wish| labels_of_field(survey.evidence, wish.field));
    of_bodies.chain(of_fields).map(Charset::name).collect()
}

/// Returns `true` if a field stays where it is and as it is, for a reason of its own.
fn is_left_whole(wish: &FieldWish) -> bool {
    !wish.is_moved() && wish.plan.edits.is_empty() && leaves(wish)
}

/// Returns `true` if something in a field is left by its own plan.
fn leaves(wish: &FieldWish) -> bool {
    wish.plan.outcomes.iter().any(Outcome::is_left)
}

/// Returns `true` if a field changes, and nothing in it is left.
fn is_changed_whole(wish: &FieldWish) -> bool {
    !wish.is_struck() && !wish.plan.edits.is_empty() && !leaves(wish)
}
