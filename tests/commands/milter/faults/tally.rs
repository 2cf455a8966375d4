//! What became of every message.

use std::collections::HashMap;
use std::fmt;

use super::super::mta::{ended, without_received};
use super::template::{Template, number};

/// The count of each fate.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub sent: usize,
    pub arrived: usize,
    /// As `septet filter` gives it, in one of the profiles, and not as it was sent.
    pub converted: usize,
    /// As it was sent, though it needs a change.
    pub untouched: usize,
    /// As it was sent, and so it should be.
    pub needless: usize,
    pub missing: usize,
    /// The numbers of those that are missing.
    pub lost: Vec<usize>,
    pub twice: usize,
    pub damaged: usize,
}

impl Tally {
    /// Counts what arrived of the messages 0 to `sent`, message `n` being of template `n` modulo their number.
    pub fn of(sent: usize, templates: &[Template], arrived: &[Vec<u8>]) -> Tally {
        let mut tally = Tally { sent, arrived: arrived.len(), ..Tally::default() };
        let mut seen: HashMap<usize, usize> = HashMap::new();
        for raw in arrived {
            match number(raw).filter(|&number| number < sent) {
                Some(number) => {
                    *seen.entry(number).or_default() += 1;
                    tally.count(&templates[number % templates.len()], number, without_received(raw));
                }
                None => tally.damaged += 1,
            }
        }
        tally.lost = (0..sent).filter(|number| !seen.contains_key(number)).collect();
        tally.missing = tally.lost.len();
        tally.twice = seen.values().map(|times| times - 1).sum();
        tally
    }

    fn count(&mut self, template: &Template, number: usize, raw: &[u8]) {
        let original = ended(&template.message(number)) == raw;
        let goals: Vec<bool> = template.goals(number).map(|goal| ended(&goal) == raw).collect();
        match (original, goals.contains(&true)) {
            (false, true) => self.converted += 1,
            (true, false) => self.untouched += 1,
            (true, true) => self.needless += 1,
            (false, false) => self.damaged += 1,
        }
    }

    /// Returns `true` if every message arrived once and whole.
    pub fn is_good(&self) -> bool {
        (self.missing, self.twice, self.damaged, self.arrived) == (0, 0, 0, self.sent)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { sent, arrived, converted, untouched, needless, missing, twice, damaged, .. } = self;
        write!(
            out,
            "sent={sent} arrived={arrived} converted={converted} unchanged_by_right={needless} \
             untouched={untouched} missing={missing} twice={twice} damaged={damaged}"
        )
    }
}
