//! Who says what octets mean beside their label.

use super::{Because, Unlabelled, Utf8Verdict};
use crate::coding::charset::{Charset, Labels};

/// Asks the rest of a message for what it says of a text in it.
pub trait Elsewhere {
    /// What the other texts are whose label means this charset, if one of them tells, and where that one stands.
    fn verdict(&self, charset: Charset) -> Option<(Utf8Verdict, Because)>;

    /// What statistics say of all texts that nobody can read, where these octets are one of them.
    fn detected(&self, octets: &[u8]) -> Option<Charset>;
}

/// A charset that a text beside another names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbour {
    /// The charset.
    pub charset: Charset,
    /// Where it is named.
    pub because: Because,
    /// Whether the text that names it has octets above 7F, and reads well in it. One of ASCII alone is no witness of
    /// what other octets mean.
    pub has_testified: bool,
}

/// The charsets that the texts beside one in its message name: the first that reads it without a fault is heard, of
/// those that have testified. The last place is for the words of the field that it stands in.
pub type Neighbours = [Option<Neighbour>; 4];

/// What is known of octets beside their label.
#[derive(Clone, Copy)]
pub struct Witnesses<'a> {
    /// What labels mean.
    pub labels: &'a Labels,
    /// The settings' list for octets without a label.
    pub unlabelled: &'a [Unlabelled],
    /// The label that a document has for itself, and where it says it.
    pub document: Option<(&'a [u8], Because)>,
    /// The charsets that texts beside it in its message name.
    pub neighbours: Neighbours,
    /// The rest of the message.
    pub elsewhere: Option<&'a dyn Elsewhere>,
    /// The charsets that texts beside it name for some of its lines; none for what must be in one charset.
    pub lines: Option<Neighbours>,
    /// Whether line ends of the message stand within the octets: whatever these begin with, they are no UTF-16.
    pub in_transit: bool,
}

impl<'a> Witnesses<'a> {
    /// Returns the witnesses of a text that stands alone, where no settings say more.
    pub fn none(labels: &'a Labels) -> Witnesses<'a> {
        let neighbours = Neighbours::default();
        Witnesses {
            labels,
            unlabelled: &[],
            document: None,
            neighbours,
            elsewhere: None,
            lines: None,
            in_transit: false,
        }
    }

    /// Returns all witnesses but statistics, and what stands behind these in the settings' list.
    #[must_use]
    pub fn without_statistics(self) -> Witnesses<'a> {
        let before = self.unlabelled.split(|entry| *entry == Unlabelled::Detect).next();
        Witnesses { unlabelled: before.unwrap_or_default(), ..self }
    }

    /// Returns the witnesses that are heard before statistics: what these are asked of, nobody else reads.
    #[must_use]
    pub fn before_statistics(self) -> Witnesses<'a> {
        let (neighbours, lines) = (testified(self.neighbours), self.lines.map(testified));
        Witnesses { neighbours, lines, ..self.without_statistics() }
    }

    /// Returns the witnesses of a text whose label says something, be it unknown: whoever wrote that label wrote no
    /// other, so that the whole of it is not in the charset that the texts beside it name. Some of its lines may be.
    pub(super) fn heard_under_label(self) -> Self {
        Witnesses { neighbours: Neighbours::default(), ..self }
    }
}

/// Returns those of some neighbours that have testified.
fn testified(neighbours: Neighbours) -> Neighbours {
    neighbours.map(|neighbour| neighbour.filter(|neighbour| neighbour.has_testified))
}
