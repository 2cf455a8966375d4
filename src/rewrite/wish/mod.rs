//! WISH: what could be written in each place, best first. A wish is a function of one place and the survey; what it
//! loses to other places, rules strike ([`agree`](super::agree)).

pub(super) mod body;
pub(super) mod field;
pub(super) mod moved;
pub(super) mod work;

use self::moved::MovedField;
use super::Reason;
use super::body_plan::BodyPlan;
use super::header::FieldPlan;
use crate::edit::Span;
use crate::message::irregular::Form;
use crate::message::{Field, Message, Part};

/// What could be written in the places of a message.
#[derive(Default)]
pub(super) struct Wishes<'m> {
    /// Those of the body of each part.
    pub bodies: Vec<BodyWish>,
    /// Those of the fields of each part for which there are any, in their order.
    pub fields: Vec<Vec<FieldWish<'m>>>,
    /// The values, in their order, in which planning saw nothing that deceives.
    pub honest: Vec<Span>,
}

impl<'m> Wishes<'m> {
    /// Counts what is struck: with each strike that is news it is more.
    pub fn struck(&self) -> usize {
        let bodies: usize = self.bodies.iter().map(BodyWish::struck).sum();
        bodies + self.fields.iter().flatten().map(FieldWish::struck).sum::<usize>()
    }

    /// Strikes all but that a body stays, where `why` gives the reason for it. It is given the index of the part, the
    /// part and the wish.
    pub fn strike_bodies(
        &mut self,
        message: &Message,
        cause: BodyCause,
        why: impl Fn(usize, &Part, &BodyWish) -> Option<Reason>,
    ) {
        for (index, (part, wish)) in message.parts().iter().zip(&mut self.bodies).enumerate() {
            if let Some(reason) = why(index, part, wish) {
                wish.strike(BodyRank::Nothing, cause, Some(reason));
            }
        }
    }

    /// Strikes all but that a field stays, where `why` gives the reason for it. It is given the part of the field and
    /// the wish.
    pub fn strike_fields(
        &mut self,
        message: &Message,
        cause: FieldCause,
        why: impl Fn(&Part, &FieldWish<'m>) -> Option<Reason>,
    ) {
        for (part, fields) in message.parts().iter().zip(&mut self.fields) {
            for wish in fields {
                if let Some(reason) = why(part, wish) {
                    wish.strike(cause, Some(reason));
                }
            }
        }
    }

    /// Returns the wish for a field of a part, if there is any.
    pub fn of_field(&self, index: usize, field: &Field) -> Option<&FieldWish<'m>> {
        let fields = self.fields.get(index)?;
        let at = fields.binary_search_by_key(&field.line.start, |wish| wish.field.line.start).ok()?;
        fields.get(at)
    }
}

/// What could be done with a body, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BodyRank {
    /// All that the profile wants.
    Whole,
    /// Its charset stays; its transfer encoding is as the profile wants it.
    TransferAlone,
    /// It stays.
    Nothing,
}

/// What keeps a body from what is wanted: of several, the first here is what is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BodyCause {
    /// Whoever uses the library wants it to stay.
    NotChosen,
    /// A part around it contradicts itself, which is reported of that part.
    AroundContradicts,
    /// Its header contradicts itself, and that matters.
    Contradicts,
    /// Its header contradicts itself, and whatever is believed, it reads the same.
    ContradictsInVain,
    /// It is made of parts, and nobody can look into it.
    NotLookedInto,
    /// Its octets are too many to be planned.
    Work,
    /// It is protected.
    Bound,
    /// The gate keeps it.
    Irregular,
    /// Its header can't name the charset that it would have.
    Label,
    /// It refers to a part by a name whose octets must stay alike.
    Refers,
    /// A part around it can't say that it has 8-bit octets.
    Around,
    /// Its label is the only hint to octets that stay raw in a header, or tells what other texts under it are, which
    /// stay.
    Hint,
}

/// What could be done with one body.
pub(super) struct BodyWish {
    /// What is done where nothing is struck.
    pub whole: BodyPlan,
    /// The best that is left.
    pub rank: BodyRank,
    /// Why it isn't the best of all, and what is reported of that; no reason where nothing is.
    why: Option<(BodyCause, Option<Reason>)>,
}

impl BodyWish {
    /// Wishes for all that is planned.
    pub fn of(whole: BodyPlan) -> BodyWish {
        BodyWish { whole, rank: BodyRank::Whole, why: None }
    }

    /// Strikes what is better than a rank.
    pub fn strike(&mut self, rank: BodyRank, cause: BodyCause, reason: Option<Reason>) {
        self.rank = self.rank.max(rank);
        if self.why.as_ref().is_none_or(|(known, _)| cause < *known) {
            self.why = Some((cause, reason));
        }
    }

    /// Counts what is struck: the lower its best, and the higher what keeps it stands in the order of causes, the more.
    fn struck(&self) -> usize {
        self.rank as usize + self.why.as_ref().map_or(0, |(cause, _)| BodyCause::Hint as usize + 1 - *cause as usize)
    }

    /// Strikes that its charset changes, since its label tells what other octets are, which stay.
    pub fn keep_charset(&mut self) {
        self.strike(BodyRank::TransferAlone, BodyCause::Hint, Some(Reason::Irregular(Form::LabelHint)));
    }

    /// Returns `true` if the plan of the body changes anything, or says why something stays that should change. What
    /// rules have struck is not asked about, so that their order doesn't matter.
    pub fn wants_or_leaves(&self) -> bool {
        self.whole.changes() || self.whole.leaves()
    }

    /// Returns `true` if there is anything to report of it, be it that something is struck.
    pub fn is_said(&self) -> bool {
        self.wants_or_leaves() || self.reason().is_some()
    }

    /// Returns the charset that the header must name, if it still must.
    pub fn charset(&self) -> Option<&'static str> {
        self.whole.charset.filter(|_| self.rank == BodyRank::Whole)
    }

    /// Returns what the best that is left is to be reported with.
    pub fn reason(&self) -> Option<Reason> {
        self.why.as_ref().and_then(|(_, reason)| reason.clone())
    }
}

/// What keeps a field from what is wanted: of several, the first here is what is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FieldCause {
    /// Whoever uses the library wants it to stay.
    NotChosen,
    /// A part around it contradicts itself, which is reported of that part.
    AroundContradicts,
    /// It stands twice, and says two things.
    Contradicts,
    /// It is protected.
    Bound,
    /// The gate keeps the header that it is in.
    Irregular,
    /// A part around it can't say that it has 8-bit octets.
    Around,
    /// It tells of a label under which other texts stay.
    Witness,
}

/// What could be done with one field.
pub(super) struct FieldWish<'m> {
    pub field: &'m Field,
    /// The charset that it names for its body, if it must name one.
    pub charset: Option<&'static str>,
    /// What is written in its value.
    pub plan: FieldPlan,
    /// What it is moved to, which goes before all else, or why it can't be moved; none where it need not be.
    pub moved: Option<Box<Result<MovedField, Reason>>>,
    /// Why it stays, and what is reported of that; no reason where nothing is.
    why: Option<Box<(FieldCause, Option<Reason>)>>,
}

impl<'m> FieldWish<'m> {
    /// Strikes all but that the field stays.
    pub fn strike(&mut self, cause: FieldCause, reason: Option<Reason>) {
        if self.why.as_ref().is_none_or(|why| cause < why.0) {
            self.why = Some(Box::new((cause, reason)));
        }
    }

    /// Counts what is struck, as that of a body is.
    fn struck(&self) -> usize {
        let charset = usize::from(self.charset.is_none());
        charset + self.why.as_ref().map_or(0, |why| FieldCause::Witness as usize + 1 - why.0 as usize)
    }

    /// Returns what keeps it, if anything does.
    #[cfg(test)]
    pub fn cause(&self) -> Option<FieldCause> {
        self.why.as_ref().map(|why| why.0)
    }

    /// Returns `true` if it is moved to another field, unless it is struck.
    pub fn is_moved(&self) -> bool {
        self.moved.as_deref().is_some_and(Result::is_ok)
    }

    /// Returns `true` if it stays as it is.
    pub fn is_struck(&self) -> bool {
        self.why.is_some()
    }

    /// Strikes that it names a charset: what is wished for is `without` from then on.
    pub fn strike_charset(&mut self, without: FieldWish<'m>) {
        (self.charset, self.plan, self.moved) = (None, without.plan, without.moved);
    }

    /// Returns what is decided of it; nothing where it stays, and that is reported of something else or needs no word.
    pub fn decided(self) -> Option<FieldDecision> {
        let is_any = self.is_any();
        match (self.why.map(|why| *why), self.moved.map(|moved| *moved)) {
            // Nothing is said of a field that nothing is wished for any more.
            _ if !is_any => None,
            (Some((FieldCause::NotChosen | FieldCause::AroundContradicts, _)), _) => None,
            (Some((FieldCause::Witness, Some(reason))), Some(Ok(_))) => Some(FieldDecision::Left(reason)),
            (_, Some(Ok(moved))) => Some(FieldDecision::Moved(moved)),
            (_, Some(Err(reason))) => Some(FieldDecision::Left(reason)),
            (Some((_, reason)), None) => reason.map(FieldDecision::Left),
            (None, None) => Some(FieldDecision::Written(self.plan)),
        }
    }

    /// Returns `true` if anything is to be done or said.
    pub fn is_any(&self) -> bool {
        self.moved.is_some() || !self.plan.edits.is_empty() || !self.plan.outcomes.is_empty()
    }
}

/// What is decided of one field.
pub(super) enum FieldDecision {
    /// Its value is written as planned.
    Written(FieldPlan),
    /// It is moved to another field.
    Moved(MovedField),
    /// It stays, which is reported with its reason.
    Left(Reason),
}
