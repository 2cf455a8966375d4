//! What stands beside a text.

use crate::coding::charset::Charset;
use crate::coding::evidence::{Because, Elsewhere, Witnesses};
use crate::rewrite::Profile;

/// What stands beside a text in its message.
#[derive(Clone, Copy, Default)]
pub struct Beside<'e> {
    /// The charset that a part of the message declares, and where it says it.
    pub named: Option<(Charset, Because)>,
    /// The rest of the message.
    pub elsewhere: Option<&'e dyn Elsewhere>,
}

impl<'e> Beside<'e> {
    /// Returns the charset that is named beside it.
    pub fn charset(self) -> Option<Charset> {
        self.named.map(|(charset, _)| charset)
    }

    /// Returns the witnesses of the text, with those of the settings.
    pub fn witnesses(self, profile: &'e Profile) -> Witnesses<'e> {
        let Beside { named, elsewhere } = self;
        Witnesses {
            labels: &profile.labels,
            unlabelled: &profile.unlabelled,
            document: None,
            neighbours: [named, None],
            elsewhere,
        }
    }
}
