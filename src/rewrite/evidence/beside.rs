//! What stands beside a text.

use crate::coding::evidence::{Elsewhere, Neighbours, Witnesses};
use crate::rewrite::Profile;

/// What stands beside a text in its message.
#[derive(Clone, Copy, Default)]
pub struct Beside<'e> {
    /// The charsets that parts of the message declare.
    pub named: Neighbours,
    /// The rest of the message.
    pub elsewhere: Option<&'e dyn Elsewhere>,
}

impl<'e> Beside<'e> {
    /// Returns the witnesses of the text, with those of the settings.
    pub fn witnesses(self, profile: &'e Profile) -> Witnesses<'e> {
        let Beside { named: neighbours, elsewhere } = self;
        Witnesses { labels: &profile.labels, unlabelled: &profile.unlabelled, document: None, neighbours, elsewhere }
    }
}
