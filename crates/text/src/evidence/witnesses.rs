//! Who says what octets mean beside their label.

use super::{Because, Unlabelled, Utf8Verdict};
use crate::charset::{Charset, Labels};

/// Asks the rest of a message for what it says of a text in it.
pub trait Elsewhere {
    /// What the other texts are whose label means this charset, if one of them tells, and where that one stands.
    fn verdict(&self, charset: Charset) -> Option<(Utf8Verdict, Because)>;

    /// What statistics say of all texts that nobody can read, where these octets are one of them.
    fn detected(&self, octets: &[u8]) -> Option<Charset>;

    /// The charsets that the texts beside one of these numbers name.
    fn neighbours(&self, _beside: usize) -> Neighbours {
        Neighbours::default()
    }
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
pub type Neighbours = [Option<Neighbour>; NEIGHBOURS];

/// How many charsets are heard at the most, those of a field's own words among them.
const NEIGHBOURS: usize = 10;

/// Returns the charset that one text beside another names.
///
/// ```
/// use septet_text::charset::Charset;
/// use septet_text::evidence::{Because, Neighbour, only};
///
/// let latin = Neighbour { charset: Charset::ISO_8859_1, because: Because::Part, has_testified: true };
/// assert_eq!(only(latin).into_iter().flatten().collect::<Vec<_>>(), [latin]);
/// ```
pub fn only(neighbour: Neighbour) -> Neighbours {
    let mut named = Neighbours::default();
    named[0] = Some(neighbour);
    named
}

/// What is known of octets beside their label.
#[derive(Clone, Copy)]
pub struct Witnesses<'a> {
    /// What labels mean.
    pub labels: &'a Labels,
    /// The settings' list for octets without a label.
    pub unlabelled: &'a [Unlabelled],
    /// The label that a document has for itself, and where it says it.
    pub document: Option<(&'a [u8], Because)>,
    /// The charsets that texts beside it in its message name, if these are known already.
    pub neighbours: Neighbours,
    /// The number of the text by which [`Elsewhere::neighbours`] is asked for them, only where nothing else tells what
    /// the octets are.
    pub beside: Option<usize>,
    /// The rest of the message.
    pub elsewhere: Option<&'a dyn Elsewhere>,
    /// Whether some lines may be in another charset than the others.
    pub by_lines: bool,
    /// Whether a label says something of the whole: then its neighbours don't, though they may of some of its lines.
    pub is_labelled: bool,
    /// Whether neighbours are heard that have not testified: the labels of texts in ASCII.
    pub hears_silent: bool,
    /// Whether line ends of the message stand within the octets: whatever these begin with, they are no UTF-16.
    pub in_transit: bool,
}

impl<'a> Witnesses<'a> {
    /// Returns the witnesses of a text that stands alone, where no settings say more.
    pub fn none(labels: &'a Labels) -> Witnesses<'a> {
        Witnesses {
            labels,
            unlabelled: &[],
            document: None,
            neighbours: Neighbours::default(),
            beside: None,
            elsewhere: None,
            by_lines: false,
            is_labelled: false,
            hears_silent: true,
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
        Witnesses { hears_silent: false, ..self.without_statistics() }
    }

    /// Returns the witnesses of a text whose label says something, be it unknown: whoever wrote that label wrote no
    /// other, so that the whole of it is not in the charset that the texts beside it name. Some of its lines may be.
    pub(super) fn heard_under_label(self) -> Self {
        Witnesses { is_labelled: true, ..self }
    }

    /// Returns the witnesses of some lines of the text.
    pub(super) fn of_lines(self) -> Self {
        Witnesses { is_labelled: false, ..self }
    }

    /// Returns the charsets that texts beside it name: none where a label speaks for the whole, else what the rest of
    /// the message says, if that is asked by a number, else [`neighbours`](Witnesses::neighbours).
    pub(super) fn named(&self) -> Neighbours {
        match self.beside.zip(self.elsewhere) {
            _ if self.is_labelled => Neighbours::default(),
            Some((beside, elsewhere)) => elsewhere.neighbours(beside),
            None => self.neighbours,
        }
    }
}
