//! A message of which something would change, held for as long as it is asked about.

use std::sync::Arc;

use crate::archive::convert::visit::VisitedMessage;
use crate::archive::decisions::MessageIdentity;
use crate::archive::report::Preview;
use crate::process::ruled_profiles::RuledProfiles;
use crate::rewrite::{Plan, Profile};

/// A message of which something would change.
#[derive(Debug)]
pub struct ReviewedMessage {
    /// The file that it is in.
    pub input: String,
    /// Which message of that file it is, from 1; none where it is alone in it.
    pub number: Option<u64>,
    /// Its octets, without what its file puts around them.
    pub content: Vec<u8>,
    /// The profile that it gets.
    pub profile: Arc<Profile>,
    /// What would change.
    pub plan: Plan,
    /// What answers know it by.
    pub identity: MessageIdentity,
    /// Its day, sender and subject.
    pub preview: Preview,
}

impl ReviewedMessage {
    /// Plans a message as `convert` does; none where nothing would change.
    pub fn of(found: &VisitedMessage, profiles: &RuledProfiles) -> Option<ReviewedMessage> {
        let content = found.content();
        let profile = profiles.of(&content, found.from_line());
        // One that is not held whole is not read, and so it is left.
        let plan = found.whole.then(|| found.plan(&content, profile)).filter(|plan| !plan.edits.is_empty())?;
        Some(ReviewedMessage {
            input: found.input.to_owned(),
            number: found.mailbox.map(|_| found.message),
            identity: MessageIdentity::of(&content),
            preview: Preview::of(&content),
            profile: profile.clone(),
            content: content.into_owned(),
            plan,
        })
    }
}
