//! WISH: what could be written in each place, best first. A wish is a function of one place and the survey; what it
//! loses to other places, rules strike ([`agree`](mod@super::agree)): what is *struck* is not done.

pub(super) mod body;
pub(super) mod field;
pub(super) mod moved;
pub(super) mod work;

use super::Reason;
use super::body_plan::BodyPlan;
use super::header::{FieldPlan, MovedField};
use crate::message::Field;
use crate::message::irregular::Form;

/// What could be written in the places of a message.
pub(super) struct Wishes<'m> {
    /// Those of the body of each part, one for each, in the order of parts.
    pub bodies: Vec<BodyWish>,
    /// In the same order one list for each part, of its fields for which there are any wishes, in their order.
    pub fields: Vec<Vec<FieldWish<'m>>>,
}

impl<'m> Wishes<'m> {
    /// Returns all that rules may change. It is compared before and after they strike (`agree/mod.rs`), and none is
    /// asked again once it is the same, so that every strike that is news must make it another.
    pub fn struck(&self) -> Vec<(BodyRank, Option<&'static str>, Option<Cause>)> {
        let bodies = self.bodies.iter().map(|wish| (wish.rank, None, wish.struck.cause()));
        let fields = self.fields.iter().flatten().map(|wish| (BodyRank::Whole, wish.charset, wish.struck.cause()));
        bodies.chain(fields).collect()
    }

    /// Returns the wish for a field of a part, if there is any; the wishes of a part are in the order of its fields.
    pub fn of_field(&self, index: usize, field: &Field) -> Option<&FieldWish<'m>> {
        let fields = self.fields.get(index)?;
        let at = fields.binary_search_by_key(&field.line.start, |wish| wish.field.line.start).ok()?;
        fields.get(at)
    }
}

/// What could be done with a body, best first: what is struck of one never gets better again
/// ([`strike`](BodyWish::strike)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BodyRank {
    /// All that the profile wants.
    Whole,
    /// Its charset stays; its transfer encoding is as the profile wants it.
    TransferAlone,
    /// It stays.
    Nothing,
}

/// What keeps a body or a field from what is wanted: of several, the first here is what is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cause {
    /// Whoever uses the library wants it to stay.
    NotChosen,
    /// A part around it contradicts itself, which is reported of that part.
    AroundContradicts,
    /// Its header contradicts itself, and that matters; or the field stands twice, and says two things.
    Contradicts,
    /// Its header contradicts itself, and whatever is believed, it reads the same.
    ContradictsInVain,
    /// It is made of parts, and nobody can look into it.
    NotLookedInto,
    /// Its octets are too many to be planned.
    Work,
    /// It is protected.
    Bound,
    /// It is of a form that readers take differently, or its header or the message is
    /// ([`Gate`](super::survey::gate::Gate)).
    Irregular,
    /// Its header can't name the charset that it would have.
    Label,
    /// It refers to a part by a name whose octets must stay alike.
    Refers,
    /// A part around it can't say that it has 8-bit octets.
    Around,
    /// Its label is the only hint to octets that stay raw in a header, or it tells what other texts under a label are,
    /// which stay.
    Hint,
}

/// Why a place is not what is wished for, and what is reported of that; no reason where nothing is.
pub(super) type Strike = (Cause, Option<Reason>);

/// What was struck of a place: the first strike by the order of causes.
#[derive(Default)]
struct Struck(Option<Box<Strike>>);

impl Struck {
    /// Adds a strike. The one whose cause comes first stays; of two with one cause the one that was added first.
    fn add(&mut self, strike: Strike) {
        if self.cause().is_none_or(|known| strike.0 < known) {
            self.0 = Some(Box::new(strike));
        }
    }

    /// Returns the cause of the first strike, if any was struck.
    fn cause(&self) -> Option<Cause> {
        self.0.as_ref().map(|strike| strike.0)
    }
}

/// What could be done with one body.
pub(super) struct BodyWish {
    /// What is done where nothing is struck.
    pub whole: BodyPlan,
    /// The best that is left.
    pub rank: BodyRank,
    /// Why it isn't the best of all.
    struck: Struck,
}

impl BodyWish {
    /// Wishes for all that is planned.
    pub fn of(whole: BodyPlan) -> BodyWish {
        BodyWish { whole, rank: BodyRank::Whole, struck: Struck::default() }
    }

    /// Strikes what is better than a rank. Of several strikes the worst rank counts, and the first cause, also where
    /// these come from different strikes, so that the order of strikes does not matter.
    pub fn strike(&mut self, rank: BodyRank, strike: Strike) {
        self.rank = self.rank.max(rank);
        self.struck.add(strike);
    }

    /// Strikes that its charset changes, since its label tells what other octets are, which stay. It must be one whose
    /// charset would change: the strike is reported.
    pub fn keep_charset(&mut self) {
        self.strike(BodyRank::TransferAlone, (Cause::Hint, Some(Reason::Irregular(Form::LabelHint))));
    }

    /// Returns `true` if the plan of the body changes anything, or says why something stays that should change. What
    /// rules have struck is not asked about, so that their order doesn't matter.
    pub fn wants_or_leaves(&self) -> bool {
        self.whole.changes() || self.whole.leaves()
    }

    /// Returns the charset that the header must name, if it still must.
    pub fn charset(&self) -> Option<&'static str> {
        self.whole.charset.filter(|_| self.rank == BodyRank::Whole)
    }

    /// Returns what the best that is left is to be reported with; none where nothing is struck, or another place says
    /// it.
    pub fn reason(&self) -> Option<Reason> {
        self.struck.0.as_ref()?.1.clone()
    }
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
    /// Why it stays.
    struck: Struck,
}

impl<'m> FieldWish<'m> {
    /// Strikes all but that the field stays.
    pub fn strike(&mut self, strike: Strike) {
        self.struck.add(strike);
    }

    /// Returns `true` if what is wished for is to move it; whether that is struck is not asked.
    pub fn is_moved(&self) -> bool {
        self.moved.as_deref().is_some_and(Result::is_ok)
    }

    /// Returns `true` if anything was struck of it, so that it stays as it is.
    pub fn is_struck(&self) -> bool {
        self.struck.0.is_some()
    }

    /// Strikes that it names a charset: what is wished for is `without` from then on, a new wish for the same field.
    /// Strikes against it stay.
    pub fn strike_charset(&mut self, without: FieldWish<'m>) {
        (self.charset, self.plan, self.moved) = (None, without.plan, without.moved);
    }

    /// Returns what is decided of it. The plan has neither edits nor outcomes where it stays, and that is reported of
    /// something else or needs no word. A cause that may keep a field from being moved must be named here.
    pub fn decided(self) -> FieldDecision {
        let is_any = self.is_any();
        let left = match (self.struck.0.map(|strike| *strike), self.moved.map(|moved| *moved)) {
            // Nothing is said of a field that nothing is wished for any more.
            _ if !is_any => None,
            (Some((Cause::NotChosen | Cause::AroundContradicts, _)), _) => None,
            (Some((Cause::Hint, Some(reason))), Some(Ok(_))) => Some(reason),
            // Whatever else would strike it was asked when the move was planned (`moved.rs`).
            (_, Some(Ok(moved))) => return FieldDecision::Moved(moved),
            (_, Some(Err(reason))) => Some(reason),
            (Some((_, reason)), None) => reason,
            (None, None) => return FieldDecision::Written(self.plan),
        };
        FieldDecision::Written(left.map_or_else(FieldPlan::default, FieldPlan::left))
    }

    /// Returns `true` if anything is to be done or said.
    pub fn is_any(&self) -> bool {
        self.moved.is_some() || !self.plan.edits.is_empty() || !self.plan.outcomes.is_empty()
    }
}

/// What is decided of one field.
pub(super) enum FieldDecision {
    /// Its value is written as planned, if anything is, and what the plan says is reported.
    Written(FieldPlan),
    /// It is moved to another field.
    Moved(MovedField),
}
