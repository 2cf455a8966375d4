//! What is said of how far a run is, should it end now: counted where files take their places.

use std::path::Path;

use crate::archive::convert::Job;
use crate::archive::interrupt;

/// How far a run is, for whoever ends it or sees it fail: how many inputs, or messages of one file each, are done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    done: usize,
    total: usize,
    /// What is counted.
    what: String,
    /// What is to be said of the input at work.
    at: String,
    /// What is to be said of all others.
    others: &'static str,
}

impl Standing {
    /// Makes that of inputs; `at` is said of the one at work.
    pub fn inputs(done: usize, total: usize, at: String) -> Standing {
        Standing { done, total, what: "inputs".to_owned(), at, others: "" }
    }

    /// Makes that of messages of a folder, or of files that were named one by one.
    pub fn messages(folder: Option<&Path>, done: usize, total: usize) -> Standing {
        let of = folder.map_or(String::new(), |folder| format!(" of {}", folder.display()));
        let (what, at) = (format!("messages{of}"), String::new());
        Standing { done, total, what, at, others: ", the others are as they were" }
    }

    /// Counts one more, which has its place or needs none.
    fn count(&mut self) {
        self.done += 1;
        self.at.clear();
    }

    /// Returns it in words: `3 of 7 messages of Mail are done, the others are as they were`.
    fn words(&self) -> String {
        let Standing { done, total, what, at, others } = self;
        let comma = if at.is_empty() { "" } else { ", " };
        format!("{done} of {total} {what} are done{comma}{at}{others}")
    }
}

impl Job {
    /// Says how far the run is from now on.
    pub fn stand(&mut self, standing: Standing) {
        interrupt::stands(self.standing.insert(standing).words());
    }

    /// Counts an input or a message that is done, unless somebody else says how far the run is.
    pub fn count_done(&mut self) {
        let Some(standing) = &mut self.standing else { return };
        standing.count();
        interrupt::stands(standing.words());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_is_counted_and_said() {
        let mut inputs = Standing::inputs(0, 2, "a is as it was".to_owned());
        assert_eq!(inputs.words(), "0 of 2 inputs are done, a is as it was");
        inputs.count();
        assert_eq!(inputs.words(), "1 of 2 inputs are done");
        let mut messages = Standing::messages(Some(Path::new("m")), 6, 60);
        messages.count();
        assert_eq!(messages.words(), "7 of 60 messages of m are done, the others are as they were");
    }
}
