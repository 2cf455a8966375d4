//! Lists of charsets for `unlabelled`, tried on every text that is left.

use std::io;

use rayon::prelude::*;

use super::evidence::{Evidence, reads_alike};
use super::shelf::Shelf;
use super::texts::{self, Text};
use crate::coding::charset::Charset;
use crate::coding::evidence::{Witnesses, judge};
use crate::process::sample::{Run, read_in};
use crate::rewrite::Profile;

/// The charsets that are tried, beside windows-1252 and statistics.
const CHARSETS: usize = 5;

/// The samples of one kind.
const SAMPLES: usize = 5;

/// The texts of a kind among which its samples are: where they are all alike, more are not looked for without end.
const LOOKED_AT: u64 = 1000;

/// A list of charsets, and what it does.
#[derive(Debug, Clone)]
pub struct Trial {
    /// The list.
    pub unlabelled: Vec<String>,
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
    pub octets: Vec<Run>,
    /// The charset.
    pub charset: &'static str,
    /// What it reads.
    pub reads: String,
    /// What it would read as what it looks like, where that is something else.
    pub looks_like: Option<(&'static str, String)>,
}

impl Trial {
    fn new(profile: &Profile, more: &[&str]) -> Trial {
        let mut unlabelled = profile.unlabelled.clone();
        unlabelled.extend(more.iter().map(|name| (*name).to_owned()));
        Trial { unlabelled, reads: 0, agrees: 0, samples: Vec::new(), doubts: Vec::new() }
    }

    /// Tells whether more texts read as they look than otherwise.
    pub fn helps(&self) -> bool {
        self.agrees * 2 > self.reads
    }

    /// Tries it on a text.
    fn add(&mut self, text: &Text, profile: &Profile) {
        if text.octets.is_ascii() && !text.octets.contains(&0x1B) {
            return;
        }
        let witnesses = Witnesses { unlabelled: &self.unlabelled, ..Witnesses::none(&profile.labels) };
        let Ok(charset) = judge(&text.octets, None, &witnesses).map(|read| read.charset) else { return };
        self.reads += 1;
        let agrees =
            text.looks_like().is_none_or(|looks| looks == charset || reads_alike(&text.octets, looks, charset));
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

/// Makes a sample of a text, unless one reads the same already, or there is nothing to see.
fn sample(text: &Text, charset: Charset, agrees: bool, known: &[TrialSample]) -> Option<TrialSample> {
    let reads = read_in(&text.octets, charset)?;
    if text.shown.is_empty() || known.iter().any(|other| other.reads == reads) {
        return None;
    }
    let looks_like = text.looks_like().filter(|_| !agrees);
    Some(TrialSample {
        place: text.place.clone(),
        octets: text.shown.clone(),
        charset: charset.name(),
        reads,
        looks_like: looks_like.and_then(|looks| Some((looks.name(), read_in(&text.octets, looks)?))),
    })
}

/// Tries lists on everything that is left; the best comes first: the one by which most texts read as they look.
pub fn try_all(shelf: &mut Shelf, profile: &Profile, evidence: &Evidence) -> io::Result<Vec<Trial>> {
    let mut trials: Vec<Trial> = lists(evidence).iter().map(|list| Trial::new(profile, list)).collect();
    texts::read(shelf, |texts| {
        trials.par_iter_mut().for_each(|trial| texts.iter().for_each(|text| trial.add(text, profile)));
    })?;
    trials.retain(|trial| trial.reads > 0);
    // The shorter of two that do the same.
    trials.sort_by_key(|trial| (std::cmp::Reverse((trial.agrees, trial.reads)), trial.unlabelled.len()));
    Ok(trials)
}

/// Makes the lists: each charset alone, those of many octets before one of single ones, and statistics.
fn lists(evidence: &Evidence) -> Vec<Vec<&'static str>> {
    let mut names: Vec<&'static str> = evidence.sorted().into_iter().map(|(name, _)| name).take(CHARSETS).collect();
    if !names.contains(&"windows-1252") {
        names.push("windows-1252");
    }
    let (single, many): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| is_single(name));
    let pairs = many.iter().flat_map(|many| single.iter().take(2).map(move |single| vec![*many, *single]));
    let with_statistics = single.iter().take(1).map(|single| vec!["detect", *single]);
    let alone = names.iter().map(|name| vec![*name]);
    alone.chain(pairs).chain([vec!["detect"]]).chain(with_statistics).collect()
}

fn is_single(name: &str) -> bool {
    ["windows-", "iso-8859-", "koi8-", "ibm", "macintosh", "x-mac", "tis-620"]
        .iter()
        .any(|start| name.starts_with(start))
        && name != "windows-949"
}
