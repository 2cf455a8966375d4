//! What is left, and what the gate says of the place.

use std::collections::BTreeMap;

use septet::message::irregular::{Form, Forms, Site};
use septet::{Entry, Outcome, Profile, Reason, plan};

use super::places::Gate;

/// Counts of what was left.
#[derive(Default)]
pub struct Left {
    /// By form: how many places, and the first message.
    forms: BTreeMap<&'static str, (usize, String)>,
    /// What contradicts the gate, each with its message.
    wrong: Vec<String>,
}

impl Left {
    /// Plans one message, and asks the gate about each place of its report.
    pub fn of(name: &str, raw: &[u8], profile: &Profile) -> Left {
        let mut found = Left::default();
        let report = plan(raw, profile).report;
        let mut gate = None;
        for entry in &report.entries {
            let mut forms = || gate.get_or_insert_with(|| Gate::of(raw)).forms(entry);
            let wrong = match &entry.outcome {
                Outcome::Left(Reason::Irregular(form)) => {
                    found.forms.entry(form.code()).or_insert((0, name.to_owned())).0 += 1;
                    lacks(*form, forms(), entry)
                }
                Outcome::Left(reason) if reason.is_ours() => Some("septet's own fault".to_owned()),
                _ => None,
            };
            found.wrong.extend(wrong.map(|why| format!("{name}, {}: {entry}: {why}\n{}", profile.name, shown(raw))));
        }
        found
    }

    pub fn and(mut self, other: Left) -> Left {
        for (form, (count, first)) in other.forms {
            self.forms.entry(form).or_insert((0, first)).0 += count;
        }
        self.wrong.extend(other.wrong);
        self
    }

    /// Says how many places stayed, by their forms.
    pub fn counts(&self) -> String {
        let counts = self.forms.iter().map(|(form, (count, first))| format!("\n  {count:6} {form} ({first})"));
        format!("{} left{}", self.forms.values().map(|(count, _)| count).sum::<usize>(), counts.collect::<String>())
    }

    /// Asserts that the gate says of each place what the report says of it.
    pub fn assert_right(&self) {
        let few = &self.wrong[..self.wrong.len().min(5)];
        assert!(self.wrong.is_empty(), "{} are wrong: {}", self.wrong.len(), few.join("\n"));
    }
}

/// Says so where the gate does not find a form in the place that was left for it. That a message can't be shown to the
/// second reader, and that nobody looked into a part, only the planner knows.
fn lacks(form: Form, forms: Forms, entry: &Entry) -> Option<String> {
    let is_found =
        forms.has(form) || form == Form::BoundaryMissing || form.row().site == Site::Text || form.is_admitted();
    (!is_found).then(|| format!("{}: {:?}", entry.part, forms.iter().map(Form::code).collect::<Vec<_>>()))
}

fn shown(raw: &[u8]) -> String {
    raw[..raw.len().min(1500)].escape_ascii().to_string()
}
