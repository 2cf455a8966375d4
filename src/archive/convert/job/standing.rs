//! What is said of how far a run is, should it end now: counted where files take their places.

use std::path::Path;

use super::Job;
use crate::archive::interrupt;

/// How far a run is, for whoever ends it or sees it fail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Standing {
    /// Nothing is counted here: somebody else says it.
    #[default]
    Unsaid,
    /// Some inputs are done.
    Inputs {
        /// How many.
        done: usize,
        /// Out of how many.
        total: usize,
        /// What is to be said of the one at work.
        at: String,
    },
    /// Some messages are done that are one file each.
    Messages {
        /// How many.
        done: usize,
        /// Out of how many.
        total: usize,
        /// The folder that they are of, behind ` of `, where they are of one.
        of: String,
    },
}

impl Standing {
    /// Makes that of messages of a folder, or of files that were named one by one.
    pub fn messages(folder: Option<&Path>, done: usize, total: usize) -> Standing {
        let of = folder.map_or(String::new(), |folder| format!(" of {}", folder.display()));
        Standing::Messages { done, total, of }
    }

    /// Counts one more, which has its place or needs none.
    fn count(&mut self) {
        match self {
            Standing::Unsaid => {}
            Standing::Inputs { done, at, .. } => {
                *done += 1;
                at.clear();
            }
            Standing::Messages { done, .. } => *done += 1,
        }
    }

    /// Returns it in words; none where somebody else says it.
    fn words(&self) -> Option<String> {
        match self {
            Standing::Unsaid => None,
            Standing::Inputs { done, total, at } => {
                let comma = if at.is_empty() { "" } else { ", " };
                Some(format!("{done} of {total} inputs are done{comma}{at}"))
            }
            Standing::Messages { done, total, of } => {
                Some(format!("{done} of {total} messages{of} are done, the others are as they were"))
            }
        }
    }
}

impl Job {
    /// Says how far the run is from now on.
    pub fn stand(&mut self, standing: Standing) {
        self.standing = standing;
        self.standing.words().into_iter().for_each(interrupt::stands);
    }

    /// Counts an input or a message that is done.
    pub fn count_done(&mut self) {
        self.standing.count();
        self.standing.words().into_iter().for_each(interrupt::stands);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_is_counted_and_said() {
        let mut inputs = Standing::Inputs { done: 0, total: 2, at: "a is as it was".to_owned() };
        assert_eq!(inputs.words().as_deref(), Some("0 of 2 inputs are done, a is as it was"));
        inputs.count();
        assert_eq!(inputs.words().as_deref(), Some("1 of 2 inputs are done"));
        let mut messages = Standing::messages(Some(Path::new("m")), 6, 60);
        messages.count();
        assert_eq!(messages.words().as_deref(), Some("7 of 60 messages of m are done, the others are as they were"));
    }
}
