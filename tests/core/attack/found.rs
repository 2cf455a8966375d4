//! The faults that were found, by kind; the first few of each kind are kept.

use std::collections::BTreeMap;
use std::fmt::Write;

use septet::rewrite::{Profile, plan};
use septet_support::attack;

use super::foreign::Pair;
use super::{protocols, shrink};

/// A promise that is broken: which, by what message, under what profile.
pub struct Fault {
    pub seed: u64,
    pub what: String,
    pub profile: Profile,
    pub raw: Vec<u8>,
}

/// How many kinds are shown in full.
const SHOWN: usize = 12;

/// How many differences between readings are listed.
const LISTED: usize = 40;

/// Faults by kind: how many, and the shortest message.
#[derive(Default)]
pub struct Found(BTreeMap<String, (usize, Option<Fault>)>);

impl Found {
    pub fn with(mut self, faults: Vec<Fault>) -> Found {
        faults.into_iter().for_each(|fault| self.add(kind(&fault.what), 1, Some(fault)));
        self
    }

    pub fn and(mut self, other: Found) -> Found {
        other.0.into_iter().for_each(|(kind, (count, fault))| self.add(kind, count, fault));
        self
    }

    fn add(&mut self, kind: String, count: usize, fault: Option<Fault>) {
        let (counted, kept) = self.0.entry(kind).or_default();
        *counted += count;
        let shorter = |kept: &Fault, new: &Fault| (new.raw.len(), new.seed) < (kept.raw.len(), kept.seed);
        match (&*kept, fault) {
            (Some(old), Some(new)) if !shorter(old, &new) => {}
            (_, new) => *kept = new,
        }
    }

    pub fn count(&self) -> usize {
        self.0.values().map(|(count, _)| count).sum()
    }

    pub fn kinds(&self) -> usize {
        self.0.len()
    }

    /// Shows every kind with its count, and the shortest message of the most frequent ones, made small.
    pub fn shown(&self) -> String {
        let mut kinds: Vec<_> = self.0.iter().collect();
        kinds.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        let mut out = String::new();
        kinds.iter().for_each(|(kind, (count, _))| _ = writeln!(out, "{count:8} {kind}"));
        for (kind, (_, fault)) in kinds.into_iter().take(SHOWN) {
            fault.iter().for_each(|fault| out.push_str(&shown(kind, fault)));
        }
        out
    }
}

/// What a fault is, without the particulars of one message: its first words, numbers and quotations left out.
fn kind(what: &str) -> String {
    let plain = |c: &char| !c.is_ascii_digit() && *c != '.';
    let clauses = if what.contains("second run") { 2 } else { 3 };
    let words = |clause: &str| clause.split(['[', '(', '"', '{']).next().unwrap_or_default().trim().to_owned();
    let clauses: Vec<String> =
        what.split('|').next().unwrap_or_default().split(": ").take(clauses).map(words).collect();
    clauses.join(": ").chars().filter(plain).collect()
}

fn fault_of(raw: &[u8], profile: &Profile) -> Option<String> {
    attack::fault(raw, profile).or_else(|| protocols::fault(raw, profile))
}

fn shown(kind_of: &str, fault: &Fault) -> String {
    let Fault { seed, profile, raw, .. } = fault;
    let fails = |raw: &[u8]| fault_of(raw, profile).is_some_and(|what| kind(&what) == kind_of);
    let small = shrink::shrink(raw, fails);
    let planned = plan(&small, profile);
    let what = fault_of(&small, profile).unwrap_or_default();
    format!(
        "\n=== seed {seed}, profile {}: {what}\nreport: {}\n--- input\n{}\n--- output\n{}\n",
        profile.name,
        planned.report,
        lines(&small),
        lines(&planned.edits.apply(&small)),
    )
}

/// Shows what other readers see change: how often each kind, and one message of each.
pub fn differences(all: &[(&Pair, String)]) -> String {
    let mut kinds: BTreeMap<String, Vec<&(&Pair, String)>> = BTreeMap::new();
    all.iter().for_each(|found| kinds.entry(kind(&found.1)).or_default().push(found));
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, found)| std::cmp::Reverse(found.len()));
    let mut out = String::new();
    kinds.iter().for_each(|(kind, found)| _ = writeln!(out, "{:8} {kind}", found.len()));
    for (pair, what) in all.iter().take(LISTED) {
        _ = writeln!(out, "{}: {what}", pair.what);
    }
    for (_, found) in kinds.iter().take(SHOWN) {
        let Some((pair, what)) = found.iter().min_by_key(|(pair, _)| pair.before.len()) else { continue };
        let (before, after) = (lines(&pair.before), lines(&pair.after));
        _ = write!(out, "\n=== {}: {what}\n--- input\n{before}\n--- output\n{after}\n", pair.what);
    }
    out
}

/// Shows octets so that nothing hides, one line of the message on each line.
fn lines(octets: &[u8]) -> String {
    octets.split_inclusive(|&octet| octet == b'\n').map(|line| format!("{}\n", line.escape_ascii())).collect()
}
