//! What today's rules leave, counted by what the gate says of it.

use std::collections::{BTreeMap, BTreeSet};

use septet::message::irregular::{Form, Forms};
use septet::{Outcome, Place, Profile, plan};

use super::differences::{DIFFERENCES, EXPLAINED, MEANT};
use super::places::Gate;

/// The reasons of the rules that the gate is to stand for.
const RULES: [&str; 8] = [
    "contradiction",
    "damaged-transfer",
    "disputed",
    "encoded-composite",
    "header-end",
    "one-way",
    "parameter",
    "unclosed",
];

/// The places that were left.
#[derive(Default)]
pub struct Left {
    irregular: usize,
    meant: usize,
    /// By reason, those that have the admitted form for whose sake they were left: how many, and the first.
    admitted: BTreeMap<String, (usize, String)>,
    /// By reason, those that differ: how many, and the first.
    different: BTreeMap<String, (usize, String)>,
    /// The names that were needed.
    needed: BTreeSet<&'static str>,
}

impl Left {
    /// Plans one message, and asks the gate about each place that a rule left.
    pub fn of(name: &str, raw: &[u8], profile: &Profile) -> Left {
        let mut found = Left::default();
        let report = plan(raw, profile).report;
        let mut gate = None;
        for entry in &report.entries {
            let Outcome::Left(reason) = &entry.outcome else { continue };
            if RULES.contains(&reason.code()) {
                let forms = gate.get_or_insert_with(|| Gate::of(raw)).forms(entry);
                let shown = || format!("{name}, {}: {entry}\n{}", profile.name, shortened(raw));
                found.take(name, &format!("{}: {reason}", place(&entry.place)), forms, shown);
            }
        }
        found
    }

    fn take(&mut self, name: &str, reason: &str, forms: Forms, shown: impl Fn() -> String) {
        if !forms.is_regular() {
            self.irregular += 1;
        } else if let Some((meant, _)) = MEANT.iter().find(|(meant, _)| *meant == reason) {
            self.meant += 1;
            self.needed.insert(meant);
        } else if let Some((reason, form)) = explained(reason, forms) {
            let what = format!("{reason}, for {}", form.code());
            self.admitted.entry(what).or_insert_with(|| (0, name.to_owned())).0 += 1;
            self.needed.insert(reason);
        } else {
            let codes: Vec<&str> = forms.iter().map(Form::code).collect();
            let shown = || (0, format!("{}\n{codes:?}", shown()));
            self.different.entry(reason.to_owned()).or_insert_with(shown).0 += 1;
        }
    }

    pub fn and(mut self, other: Left) -> Left {
        self.irregular += other.irregular;
        self.meant += other.meant;
        add(&mut self.admitted, other.admitted);
        add(&mut self.different, other.different);
        self.needed.extend(other.needed);
        self
    }

    pub fn counts(&self) -> String {
        let Left { irregular, meant, .. } = self;
        let (admitted, different) = (sum(&self.admitted), sum(&self.different));
        format!(
            "{irregular} left and irregular, {admitted} in an admitted form, {meant} meant text, {different} different"
        )
    }

    /// Asserts that each difference has a name; and each name a difference, where everything was asked.
    pub fn assert_named(&self, is_all: bool) {
        for (what, (count, first)) in &self.admitted {
            println!("  {count:6} will be converted: {what} ({first})");
        }
        let is_named = |reason: &str| DIFFERENCES.iter().any(|(named, _)| *named == reason);
        let unnamed = self.different.iter().filter(|(reason, _)| !is_named(reason));
        let unnamed: Vec<String> = unnamed.map(|(reason, (count, it))| format!("{count} {reason}\n{it}\n")).collect();
        assert!(unnamed.is_empty(), "without a name: {}", unnamed.join("\n"));
        let is_needed = |name: &&str| self.needed.contains(name) || self.different.contains_key(*name);
        let names =
            MEANT.iter().map(|it| it.0).chain(EXPLAINED.iter().map(|it| it.0)).chain(DIFFERENCES.iter().map(|it| it.0));
        let idle: Vec<&str> = names.filter(|name| !is_needed(name)).collect();
        assert!(!is_all || idle.is_empty(), "needed by nothing: {idle:#?}");
    }
}

fn add(sum: &mut BTreeMap<String, (usize, String)>, other: BTreeMap<String, (usize, String)>) {
    for (what, (count, first)) in other {
        sum.entry(what).or_insert((0, first)).0 += count;
    }
}

fn sum(counts: &BTreeMap<String, (usize, String)>) -> usize {
    counts.values().map(|(count, _)| count).sum()
}

/// Returns the admitted form for whose sake a rule leaves a place, if the place has it.
fn explained(reason: &str, forms: Forms) -> Option<(&'static str, Form)> {
    let (reason, admitted) = EXPLAINED.iter().find(|(it, _)| *it == reason)?;
    Some((reason, admitted.iter().copied().find(|form| forms.has(*form))?))
}

fn place(place: &Place) -> &'static str {
    match place {
        Place::Field(_) => "field",
        Place::Body => "body",
        _ => "message",
    }
}

fn shortened(raw: &[u8]) -> String {
    raw[..raw.len().min(1500)].escape_ascii().to_string()
}
