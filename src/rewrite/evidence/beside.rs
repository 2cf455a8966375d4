//! What stands beside a text.

use crate::coding::charset::Charset;
use crate::coding::evidence::{Elsewhere, Witnesses};
use crate::rewrite::Profile;

/// What stands beside a text in its message.
#[derive(Clone, Copy, Default)]
pub struct Beside<'e> {
    /// The charset that the body declares beside whose header it stands.
    pub charset: Option<Charset>,
    /// The rest of the message.
    pub elsewhere: Option<&'e dyn Elsewhere>,
}

impl<'e> Beside<'e> {
    /// Returns the witnesses of the text, with those of the settings.
    pub fn witnesses(self, profile: &'e Profile) -> Witnesses<'e> {
        let Beside { charset: part, elsewhere } = self;
        Witnesses { labels: &profile.labels, unlabelled: &profile.unlabelled, document: None, part, elsewhere }
    }
}
