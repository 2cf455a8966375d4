//! Which places of a message may change, as a program that uses the library chose ([`Plan::without`](super::Plan),
//! `only`). A choice adds up: what one has taken out, none made of it brings back.

use std::collections::BTreeSet;

use super::decision::DecidedPlace;

/// Which places may change; all, by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Choice {
    /// Whether the places are those that may change, and not those that may not.
    is_only: bool,
    places: BTreeSet<DecidedPlace>,
}

/// All places. A choice is compared with it to see whether there is one, so no other choice may be equal to it.
pub(super) static ALL_PLACES: Choice = Choice { is_only: false, places: BTreeSet::new() };

impl Choice {
    /// Returns `true` if a place may change: if it is one of the `places` of an `is_only`, or none of those of another.
    pub fn takes(&self, place: &DecidedPlace) -> bool {
        self.places.contains(place) == self.is_only
    }

    /// Returns the choice of what this one takes, but for one place.
    pub fn without(mut self, place: DecidedPlace) -> Choice {
        _ = if self.is_only { self.places.remove(&place) } else { self.places.insert(place) };
        self
    }

    /// Returns the choice of those of these places that this one takes.
    pub fn only(&self, places: impl IntoIterator<Item = DecidedPlace>) -> Choice {
        Choice { is_only: true, places: places.into_iter().filter(|place| self.takes(place)).collect() }
    }
}
