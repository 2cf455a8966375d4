//! What stands beside a text: which of its witnesses are known, and whom to ask for the others.

use crate::coding::evidence::{Elsewhere, Neighbour, Neighbours, Witnesses};
use crate::edit::Span;
use crate::rewrite::{BodyCharset, Profile};

/// What stands beside a text in its message.
#[derive(Clone, Copy, Default)]
pub struct Beside<'e> {
    /// The charsets that texts beside it name, of a text in a header.
    pub named: Neighbours,
    /// The part that a body is of, whose neighbours are asked where nothing else tells; some of its lines may be in
    /// another charset than the others.
    pub of: Option<usize>,
    /// The fields of the part that name its file, where each decides how the other does.
    pub naming: Option<NamingFields>,
    /// The rest of the message, if there is one.
    pub elsewhere: Option<&'e dyn Elsewhere>,
}

/// The values of the two fields that name the file of a part, the first of each.
#[derive(Clone, Copy)]
pub struct NamingFields {
    /// That of Content-Type, with `name`.
    pub content_type: Span,
    /// That of Content-Disposition, with `filename`.
    pub disposition: Span,
}

impl<'e> Beside<'e> {
    /// Returns the charsets that texts beside it name: of a body (`of`) those that the rest of the message is asked for
    /// now, whatever `named` has; else those of `named`.
    pub fn neighbours(&self) -> Neighbours {
        self.of.zip(self.elsewhere).map_or(self.named, |(of, elsewhere)| elsewhere.neighbours(of))
    }

    /// Adds charsets that stand further away, each once, as far as there are places. Those of `named` go before them.
    pub fn with_further(self, further: Neighbours) -> Beside<'e> {
        Beside { named: neighbours_once(self.named.into_iter().chain(further).flatten()), ..self }
    }

    /// Returns the witnesses of the text, with those of the settings. What a document says of itself, and whether line
    /// ends of the message stand within the text (`in_transit`), are for the caller to add.
    pub fn witnesses(self, profile: &'e Profile) -> Witnesses<'e> {
        let Beside { named: neighbours, of: beside, elsewhere, .. } = self;
        // A text that stays in its charset can't be read as one of two.
        let by_lines = beside.is_some() && profile.charset != BodyCharset::Keep;
        let unlabelled = &profile.unlabelled;
        Witnesses { unlabelled, neighbours, beside, elsewhere, by_lines, ..Witnesses::none(&profile.labels) }
    }
}

/// Returns the charsets that texts name, each once and in their order, as many as [`Neighbours`] has places but for the
/// last, which is for what stands in the field itself.
pub(super) fn neighbours_once(all: impl Iterator<Item = Neighbour>) -> Neighbours {
    let mut named = Neighbours::default();
    let last = named.len() - 1;
    for neighbour in all {
        let is_known = named.iter().flatten().any(|known| known.charset == neighbour.charset);
        let free = named.iter_mut().take(last).find(|place| place.is_none()).filter(|_| !is_known);
        free.into_iter().for_each(|place| *place = Some(neighbour));
    }
    named
}
