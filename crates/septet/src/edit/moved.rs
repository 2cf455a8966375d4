//! Where places of a message are once its edits are applied.

use super::{Edit, EditList};

/// Where the octets of the original stand after the edits.
pub(crate) struct Moved<'e> {
    edits: &'e [Edit],
    /// How many octets the first edits gain, and how many they lose: none of them, the first one, and so on to all.
    gained: Vec<(usize, usize)>,
}

impl<'e> Moved<'e> {
    /// Sums up how far each of these edits moves what stands behind it.
    pub fn by(edits: &'e EditList) -> Moved<'e> {
        let edits = edits.as_slice();
        let (mut gained, mut lost) = (0, 0);
        let mut sums = vec![(0, 0)];
        for edit in edits {
            gained += edit.with.len();
            lost += edit.at.len();
            sums.push((gained, lost));
        }
        Moved { edits, gained: sums }
    }

    /// Returns where a place of the original is afterwards, before what is inserted at it. A place within replaced
    /// octets keeps its distance from their start.
    pub fn before(&self, at: usize) -> usize {
        self.behind_edits(
            at,
            self.edits.partition_point(|edit| edit.at.end < at || (edit.at.end == at && !edit.at.is_empty())),
        )
    }

    /// Returns where a place of the original is afterwards, behind what is inserted at it; else as
    /// [`before`](Self::before).
    pub fn after(&self, at: usize) -> usize {
        self.behind_edits(at, self.edits.partition_point(|edit| edit.at.end <= at))
    }

    /// Moves a place by what the first `edits` edits gain and lose.
    fn behind_edits(&self, at: usize, edits: usize) -> usize {
        let (gained, lost) = self.gained.get(edits).copied().unwrap_or_default();
        (at + gained).saturating_sub(lost)
    }
}
