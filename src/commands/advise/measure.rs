//! What is left with given settings: planned, and counted.

use std::collections::BTreeMap;
use std::io;

use rayon::prelude::*;

use super::shelf::Shelf;
use super::texts::{Text, texts};
use super::{Setting, content, is_curable, with};
use crate::archive::convert::visit::Found;
use crate::config::profile::ProfileTable;
use crate::rewrite::{Outcome, Profile, Report, plan};

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
            left.curable += u64::from(is_curable(reason.code()));
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

/// A message that was planned: what is left of it; where a charset may help, its octets and texts too.
#[derive(Debug, Default)]
pub struct Planned {
    /// The counts.
    pub left: Left,
    /// The message.
    pub content: Vec<u8>,
    /// The texts that are left for want of a charset.
    pub texts: Vec<Text>,
}

/// Plans messages, and counts what is left of each.
pub fn plan_all(found: &[Found], profile: &Profile) -> Vec<Planned> {
    let one = |found: &Found| {
        let content = content(found)?;
        let report = plan(&content, profile).report;
        let left = Left::of(&report);
        if left.curable == 0 {
            return Some(Planned { left, ..Planned::default() });
        }
        let texts = texts(&content, &report, profile);
        Some(Planned { left, content, texts })
    };
    found.par_iter().filter_map(one).collect()
}

/// Measures what settings leave of the messages of a shelf; of each setting once.
pub struct Measure<'a> {
    /// The messages.
    pub messages: &'a mut Shelf,
    /// The profile as the settings have it.
    pub table: &'a ProfileTable,
    /// The profile as it is.
    pub profile: &'a Profile,
    /// What is left with settings that were measured.
    pub known: Vec<(Setting, Left)>,
}

impl Measure<'_> {
    /// Returns what is left with a setting.
    pub fn left_with(&mut self, setting: &Setting) -> io::Result<Left> {
        if let Some((_, left)) = self.known.iter().find(|(known, _)| known == setting) {
            return Ok(left.clone());
        }
        let left = measure(self.messages, &with(self.table, self.profile, setting))?;
        self.known.push((setting.clone(), left.clone()));
        Ok(left)
    }

    /// Returns the setting that leaves least, the first of several; none where none leaves less than so much.
    pub fn best_of<const N: usize>(
        &mut self,
        settings: [Setting; N],
        mut least: u64,
    ) -> io::Result<Option<(Setting, Left)>> {
        let mut best = None;
        for setting in settings {
            let after = self.left_with(&setting)?;
            if after.curable < least {
                least = after.curable;
                best = Some((setting, after));
            }
        }
        Ok(best)
    }
}

/// Plans the messages of a shelf anew, and counts what is left of them.
fn measure(messages: &mut Shelf, profile: &Profile) -> io::Result<Left> {
    let mut all = Left::default();
    messages.read(|messages| {
        let counts: Vec<Left> = messages.par_iter().map(|message| Left::of(&plan(message, profile).report)).collect();
        counts.iter().for_each(|left| all.add(left));
    })?;
    Ok(all)
}
