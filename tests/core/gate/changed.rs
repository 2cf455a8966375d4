//! What is changed today, counted by what the gate says of it.

use std::collections::BTreeMap;

use septet::message::irregular::Form;
use septet::{Outcome, Profile, plan};

use super::places::Gate;

/// The messages that change.
#[derive(Default)]
pub struct Changed {
    all: usize,
    in_part: usize,
    whole: usize,
    /// By form: the places that would stay, and the first message.
    forms: BTreeMap<&'static str, (usize, String)>,
}

impl Changed {
    /// Plans one message.
    pub fn of(name: &str, raw: &[u8], profile: &Profile) -> Changed {
        let plan = plan(raw, profile);
        let mut found = Changed::default();
        if plan.edits.is_empty() {
            return found;
        }
        let gate = Gate::of(raw);
        let (mut same, mut stays) = (0, 0);
        for entry in &plan.report.entries {
            if !matches!(entry.outcome, Outcome::Done(_)) {
                continue;
            }
            match gate.forms(entry).irregular() {
                None => same += 1,
                Some(form) => {
                    stays += 1;
                    found.forms.entry(Form::code(form)).or_insert_with(|| (0, format!("{name}: {entry}"))).0 += 1;
                }
            }
        }
        (found.all, found.in_part, found.whole) =
            (1, usize::from(same > 0 && stays > 0), usize::from(same == 0 && stays > 0));
        found
    }

    pub fn and(mut self, other: Changed) -> Changed {
        self.all += other.all;
        self.in_part += other.in_part;
        self.whole += other.whole;
        for (form, (count, shown)) in other.forms {
            self.forms.entry(form).or_insert((0, shown)).0 += count;
        }
        self
    }

    /// Returns how many messages would stay as they are, in part or whole.
    pub fn messages(&self) -> usize {
        self.in_part + self.whole
    }

    pub fn counts(&self) -> String {
        let forms: Vec<String> =
            self.forms.iter().map(|(form, (count, first))| format!("\n  {count} {form} ({first})")).collect();
        let Changed { all, in_part, whole, .. } = self;
        format!("of {all} messages that change, {in_part} would in part, {whole} not{}", forms.concat())
    }
}
