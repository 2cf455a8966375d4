//! What stands beside a text.

use crate::coding::evidence::{Elsewhere, Neighbours, Witnesses};
use crate::rewrite::{BodyCharset, Profile};

/// What stands beside a text in its message.
#[derive(Clone, Copy, Default)]
pub struct Beside<'e> {
    /// The charsets that texts beside it name for the whole of it.
    pub named: Neighbours,
    /// The charsets that texts beside it name for some of its lines; none for what must be in one charset.
    pub lines: Option<Neighbours>,
    /// The rest of the message, if there is one.
    pub elsewhere: Option<&'e dyn Elsewhere>,
}

impl<'e> Beside<'e> {
    /// Adds charsets that stand further away, each once, as far as there are places; the last place is for what stands in
    /// the field itself.
    pub fn with_further(mut self, further: Neighbours) -> Beside<'e> {
        let last = self.named.len() - 1;
        for (charset, because) in further.into_iter().flatten() {
            let is_known = self.named.iter().flatten().any(|(known, _)| *known == charset);
            let free = self.named.iter_mut().take(last).find(|place| place.is_none()).filter(|_| !is_known);
            free.into_iter().for_each(|place| *place = Some((charset, because)));
        }
        self
    }

    /// Returns the witnesses of the text, with those of the settings. What a document says of itself, and whether line ends
    /// of the message stand within the text (`in_transit`), are for the caller to add.
    pub fn witnesses(self, profile: &'e Profile) -> Witnesses<'e> {
        let Beside { named: neighbours, lines, elsewhere } = self;
        // A text that stays in its charset can't be read as one of two.
        let lines = lines.filter(|_| profile.charset != BodyCharset::Keep);
        let (labels, unlabelled) = (&profile.labels, &profile.unlabelled);
        Witnesses { labels, unlabelled, document: None, neighbours, elsewhere, lines, in_transit: false }
    }
}
