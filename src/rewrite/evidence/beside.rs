//! What stands beside a text.

use crate::coding::evidence::{Elsewhere, Neighbours, Witnesses};
use crate::rewrite::{BodyCharset, Profile};

/// What stands beside a text in its message.
#[derive(Clone, Copy, Default)]
pub struct Beside<'e> {
    /// The charsets that parts of the message declare.
    pub named: Neighbours,
    /// Those that they declare for some lines of a text.
    pub lines: Option<Neighbours>,
    /// The rest of the message.
    pub elsewhere: Option<&'e dyn Elsewhere>,
}

impl<'e> Beside<'e> {
    /// Returns the witnesses of the text, with those of the settings.
    pub fn witnesses(self, profile: &'e Profile) -> Witnesses<'e> {
        let Beside { named: neighbours, lines, elsewhere } = self;
        // Two charsets can't stay.
        let lines = lines.filter(|_| profile.charset != BodyCharset::Keep);
        let (labels, unlabelled) = (&profile.labels, &profile.unlabelled);
        Witnesses { labels, unlabelled, document: None, neighbours, elsewhere, lines }
    }
}
