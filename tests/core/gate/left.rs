//! What today's rules leave, counted by what the gate says of it.

use std::collections::BTreeMap;

use septet::message::irregular::{Form, Forms};
use septet::{Outcome, Profile, plan};

use super::differences::{DIFFERENCES, MEANT};
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

/// The places that were left in messages of one source.
#[derive(Default)]
pub struct Left {
    source: &'static str,
    irregular: usize,
    admitted: usize,
    meant: usize,
    /// By reason: how many, and the first of them.
    different: BTreeMap<String, (usize, String)>,
    /// The admitted forms of places that will be converted, by reason and form.
    explained: BTreeMap<String, (usize, String)>,
}

impl Left {
    pub fn new(source: &'static str) -> Left {
        Left { source, ..Left::default() }
    }

    /// Plans one message.
    pub fn of(source: &'static str, name: &str, raw: &[u8], profile: &Profile) -> Left {
        let mut found = Left::new(source);
        let report = plan(raw, profile).report;
        let is_of_rule = |code: &str| RULES.contains(&code);
        let mut gate = None;
        for entry in &report.entries {
            let Outcome::Left(reason) = &entry.outcome else { continue };
            if is_of_rule(reason.code()) {
                let forms = gate.get_or_insert_with(|| Gate::of(raw)).forms(entry);
                let shown = || format!("{name}, {}: {entry}\n{}", profile.name, shortened(raw));
                found.take(name, &reason.to_string(), forms, shown);
            }
        }
        found
    }

    fn take(&mut self, name: &str, reason: &str, forms: Forms, shown: impl Fn() -> String) {
        match () {
            () if !forms.is_regular() => self.irregular += 1,
            () if MEANT.iter().any(|(meant, _)| *meant == reason) => self.meant += 1,
            () if forms != Forms::default() => {
                self.admitted += 1;
                let codes: Vec<&str> = forms.iter().map(Form::code).collect();
                let what = format!("{reason}: {}", codes.join(", "));
                self.explained.entry(what).or_insert_with(|| (0, name.to_owned())).0 += 1;
            }
            () => self.different.entry(reason.to_owned()).or_insert_with(|| (0, shown())).0 += 1,
        }
    }

    pub fn and(mut self, other: Left) -> Left {
        self.irregular += other.irregular;
        self.admitted += other.admitted;
        self.meant += other.meant;
        for (reason, (count, shown)) in other.different {
            self.different.entry(reason).or_insert((0, shown)).0 += count;
        }
        for (what, (count, first)) in other.explained {
            self.explained.entry(what).or_insert((0, first)).0 += count;
        }
        self
    }

    pub fn counts(&self) -> String {
        let different: usize = self.different.values().map(|(count, _)| count).sum();
        let Left { irregular, admitted, meant, .. } = self;
        format!("left and irregular {irregular}, left in an admitted form {admitted}, meant text {meant}, different {different}")
    }

    /// Asserts that each difference has a name, and each name of this source a difference.
    pub fn assert_named(&self) {
        for (what, (count, first)) in &self.explained {
            println!("  {count:6} will be converted: {what} ({first})");
        }
        let named: Vec<&str> =
            DIFFERENCES.iter().filter(|(source, _, _)| *source == self.source).map(|(_, reason, _)| *reason).collect();
        let unnamed: Vec<String> = self
            .different
            .iter()
            .filter(|(reason, _)| !named.contains(&&***reason))
            .map(|(reason, (count, shown))| format!("{count} {reason}\n{shown}\n"))
            .collect();
        let idle: Vec<&&str> = named.iter().filter(|reason| !self.different.contains_key(**reason)).collect();
        assert!(unnamed.is_empty() && idle.is_empty(), "without a name: {}\nneeded by nothing: {idle:?}", unnamed.join("\n"));
    }
}

fn shortened(raw: &[u8]) -> String {
    raw[..raw.len().min(1500)].escape_ascii().to_string()
}
