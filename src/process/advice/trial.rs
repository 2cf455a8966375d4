//! Lists of charsets for `unlabelled`, tried on every text that is left.

use std::io;

use rayon::prelude::*;

use super::spooled_messages::SpooledMessages;
use super::texts::{self, UndecodedText};
use crate::coding::charset::Charset;
use crate::coding::evidence::{Witnesses, judge};
use crate::config::profile::ProfileTable;
use crate::process::sample::{MarkedText, read_in};
use crate::rewrite::{Profile, Unlabelled};

/// How many samples are taken of each kind, [`Trial::samples`] and [`Trial::doubts`].
const SAMPLES: usize = 5;

/// Among how many texts of a kind its samples are sought: where they are all alike, that must have an end.
const LOOKED_AT: u64 = 1000;

/// A list of charsets, and what it does.
#[derive(Debug, Clone)]
pub struct Trial {
    /// The list.
    pub unlabelled: Vec<String>,
    entries: Vec<Unlabelled>,
    /// What it adds to the profile's.
    pub added: Vec<&'static str>,
    /// How many texts it reads.
    pub reads: u64,
    /// How many of them as statistics would.
    pub agrees: u64,
    /// Texts that it reads as statistics would.
    pub samples: Vec<TrialSample>,
    /// Texts that it reads otherwise.
    pub doubts: Vec<TrialSample>,
}

/// A text, as it is and as it would read.
#[derive(Debug, Clone)]
pub struct TrialSample {
    /// Where it stands.
    pub place: String,
    /// Its octets.
    pub octets: Vec<MarkedText>,
    /// The charset.
    pub charset: &'static str,
    /// What it reads.
    pub reads: String,
    /// What it would read as what it looks like, where that is something else.
    pub looks_like: Option<(&'static str, String)>,
}

impl Trial {
    /// Starts the trial of the list that a profile has, with `more` behind it.
    fn new(table: &ProfileTable, more: &[&'static str]) -> Trial {
        let mut unlabelled = table.unlabelled.clone();
        unlabelled.extend(more.iter().map(|name| (*name).to_owned()));
        Trial {
            entries: Unlabelled::list(&unlabelled, &table.profile.labels),
            unlabelled,
            added: more.to_vec(),
            reads: 0,
            agrees: 0,
            samples: Vec::new(),
            doubts: Vec::new(),
        }
    }

    /// Tries it on a text; one that it can't read counts for nothing.
    fn add(&mut self, text: &UndecodedText, profile: &Profile, most: Option<Charset>) {
        // ASCII without escapes is read as that, whatever the list.
        if text.octets.is_ascii() && !text.octets.contains(&0x1B) {
            return;
        }
        let witnesses = Witnesses { unlabelled: &self.entries, ..Witnesses::none(&profile.labels) };
        let Ok(charset) = judge(&text.octets, None, &witnesses).map(|read| read.charset) else { return };
        self.reads += 1;
        let agrees = text.reads_as_it_looks(charset, most);
        self.agrees += u64::from(agrees);
        let (samples, seen) = match agrees {
            true => (&mut self.samples, self.agrees),
            false => (&mut self.doubts, self.reads - self.agrees),
        };
        if samples.len() < SAMPLES && seen <= LOOKED_AT {
            samples.extend(sample(text, charset, agrees, samples));
        }
    }
}

/// Makes a sample of a text, unless one reads the same already, there is nothing to see, or the charset can't read it.
fn sample(text: &UndecodedText, charset: Charset, agrees: bool, known: &[TrialSample]) -> Option<TrialSample> {
    let reads = read_in(&text.octets, charset)?;
    if text.shown.is_empty() || known.iter().any(|other| other.reads == reads) {
        return None;
    }
    let looks_like = text.looks_like.filter(|_| !agrees);
    Some(TrialSample {
        place: text.place.clone(),
        octets: text.shown.clone(),
        charset: charset.name(),
        reads,
        looks_like: looks_like.and_then(|looks| Some((looks.name(), read_in(&text.octets, looks)?))),
    })
}

/// Tries lists on everything that is left; the best comes first: the one by which most texts read as they look. One
/// that reads no text is left out. `most` is the charset that most texts look like, in which short texts may be too.
pub fn try_all(
    messages: &mut SpooledMessages,
    (table, profile): (&ProfileTable, &Profile),
    lists: &[Vec<&'static str>],
    most: Option<Charset>,
) -> io::Result<Vec<Trial>> {
    let mut trials: Vec<Trial> = lists.iter().map(|list| Trial::new(table, list)).collect();
    texts::read(messages, profile, |texts| {
        trials.par_iter_mut().for_each(|trial| texts.iter().for_each(|text| trial.add(text, &table.profile, most)));
    })?;
    trials.retain(|trial| trial.reads > 0);
    // The shorter of two that do the same.
    trials.sort_by_key(|trial| (std::cmp::Reverse((trial.agrees, trial.reads)), trial.added.len()));
    Ok(trials)
}
