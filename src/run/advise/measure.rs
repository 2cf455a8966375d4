//! What is left with given settings: planned, and counted.

use std::collections::BTreeMap;
use std::io;

use rayon::prelude::*;

use super::shelf::Shelf;
use super::{content, is_curable};
use crate::rewrite::{Outcome, Profile, Report, plan};
use crate::run::convert::visit::Found;

/// Counts of places that are left.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Left {
    /// Those for which another charset may help.
    pub curable: u64,
    /// The messages that they stand in.
    pub messages: u64,
    /// All, by reason.
    pub reasons: BTreeMap<&'static str, u64>,
}

impl Left {
    fn of(report: &Report) -> Left {
        let mut left = Left::default();
        for entry in &report.entries {
            let Outcome::Left(reason) = &entry.outcome else { continue };
            left.curable += u64::from(is_curable(&entry.outcome));
            *left.reasons.entry(reason.code()).or_default() += 1;
        }
        left.messages = u64::from(left.curable > 0);
        left
    }

    /// Adds others.
    pub fn add(&mut self, other: &Left) {
        self.curable += other.curable;
        self.messages += other.messages;
        other.reasons.iter().for_each(|(code, count)| *self.reasons.entry(code).or_default() += count);
    }
}

/// Plans messages, and counts what is left of each.
pub fn plan_all(found: &[Found], profile: &Profile) -> Vec<(Vec<u8>, Left)> {
    let one = |found: &Found| {
        let content = content(found)?;
        let left = Left::of(&plan(&content, profile).report);
        Some(if left.curable > 0 { (content, left) } else { (Vec::new(), left) })
    };
    found.par_iter().filter_map(one).collect()
}

/// Plans the messages of a shelf anew, and counts what is left of them.
pub fn measure(shelf: &mut Shelf, profile: &Profile) -> io::Result<Left> {
    let mut all = Left::default();
    shelf.read(|messages| {
        let counts: Vec<Left> = messages.par_iter().map(|message| Left::of(&plan(message, profile).report)).collect();
        counts.iter().for_each(|left| all.add(left));
    })?;
    Ok(all)
}
