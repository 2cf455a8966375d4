//! Which places of a message may change, as a program that uses the library chose.

use std::collections::BTreeSet;

use super::decision::DecidedPlace;

/// Which places may change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Choice {
    /// All.
    #[default]
    All,
    /// All but these.
    Without(BTreeSet<DecidedPlace>),
    /// These, and no other.
    Only(BTreeSet<DecidedPlace>),
}

impl Choice {
    /// Returns `true` if a place may change.
    pub fn takes(&self, place: &DecidedPlace) -> bool {
        match self {
            Choice::All => true,
            Choice::Without(places) => !places.contains(place),
            Choice::Only(places) => places.contains(place),
        }
    }

    /// Returns the choice of what this one takes, but for one place.
    pub fn without(self, place: DecidedPlace) -> Choice {
        match self {
            Choice::All => Choice::Without(BTreeSet::from([place])),
            Choice::Without(mut places) => {
                places.insert(place);
                Choice::Without(places)
            }
            Choice::Only(mut places) => {
                places.remove(&place);
                Choice::Only(places)
            }
        }
    }

    /// Returns the choice of those of these places that this one takes.
    pub fn only(&self, places: impl IntoIterator<Item = DecidedPlace>) -> Choice {
        Choice::Only(places.into_iter().filter(|place| self.takes(place)).collect())
    }
}
