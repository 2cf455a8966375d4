//! Where places of a message are once its edits are applied.

use super::{Edit, EditList};

/// Where the octets of the original stand after the edits.
pub(crate) struct Moved<'e> {
    edits: &'e [Edit],
    /// How many octets were gained, and how many lost, by the edits before each one, and by all.
    gained: Vec<(usize, usize)>,
}

impl<'e> Moved<'e> {
    /// Sums up what the edits move.
    pub fn by(edits: &'e EditList) -> Moved<'e> {
        let edits = edits.as_slice();
        let sum = |(gained, lost): &mut (usize, usize), edit: &Edit| {
            *gained += edit.with.len();
            *lost += edit.at.len();
            Some((*gained, *lost))
        };
        let gained = std::iter::once((0, 0)).chain(edits.iter().scan((0, 0), sum)).collect();
        Moved { edits, gained }
    }

    /// Returns where a place is, before what is put in there.
    pub fn before(&self, at: usize) -> usize {
        self.behind(
            at,
            self.edits.partition_point(|edit| edit.at.end < at || (edit.at.end == at && !edit.at.is_empty())),
        )
    }

    /// Returns where a place is, after what is put in there.
    pub fn after(&self, at: usize) -> usize {
        self.behind(at, self.edits.partition_point(|edit| edit.at.end <= at))
    }

    fn behind(&self, at: usize, edits: usize) -> usize {
        let (gained, lost) = self.gained.get(edits).copied().unwrap_or_default();
        (at + gained).saturating_sub(lost)
    }
}
