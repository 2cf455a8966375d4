//! What the texts that are left look like, and what their labels may have meant.

use std::collections::{BTreeMap, HashSet};
use std::io;

use super::spooled_messages::SpooledMessages;
use super::texts::{self, UndecodedText};
use crate::coding::charset::{Charset, Labels};
use crate::process::sample::reads_alike;
use crate::process::shown::is_hidden;
use crate::rewrite::Profile;

/// How many labels are looked at: senders write them, and there is no end to them.
const LABELS: usize = 200;

/// How many octets a piece of a label has at least that may name a charset: `big5` in `chinesebig5`.
const PIECE: usize = 4;

/// How many octets a label may have to be looked at: the number of its pieces grows with their square.
const LONGEST: usize = 64;

/// What the texts look like.
#[derive(Debug, Default)]
pub struct CharsetEvidence {
    /// How many texts look like a charset.
    pub votes: BTreeMap<&'static str, u64>,
    /// How many of these texts are long enough to tell.
    telling: BTreeMap<&'static str, u64>,
    /// The unknown labels.
    labels: BTreeMap<String, Label>,
}

/// An unknown label.
#[derive(Debug)]
struct Label {
    /// The charsets that it may name.
    named: HashSet<Charset>,
    /// Its texts that are no ASCII.
    texts: u64,
    /// How many of them each charset that the label may name reads as they look.
    alike: BTreeMap<&'static str, u64>,
}

/// Gathers it from everything that is left.
pub fn gather(messages: &mut SpooledMessages, profile: &Profile) -> io::Result<CharsetEvidence> {
    let mut evidence = CharsetEvidence::default();
    texts::read(messages, profile, |texts| texts.iter().for_each(|text| evidence.add(text, &profile.labels)))?;
    Ok(evidence)
}

impl CharsetEvidence {
    /// Counts a text; a label that is new once there are [`LABELS`] is not looked at.
    fn add(&mut self, text: &UndecodedText, labels: &Labels) {
        if let Some(charset) = text.looks_like {
            *self.votes.entry(charset.name()).or_default() += 1;
            *self.telling.entry(charset.name()).or_default() += u64::from(!text.is_short());
        }
        let Some(label) = &text.label else { return };
        if self.labels.len() < LABELS || self.labels.contains_key(label) {
            self.labels.entry(label.clone()).or_insert_with(|| Label::new(label, labels)).add(text);
        }
    }

    /// Returns the charsets that texts look like, those of most texts first.
    pub fn sorted(&self) -> Vec<(&'static str, u64)> {
        let mut votes: Vec<_> = self.votes.iter().map(|(name, count)| (*name, *count)).collect();
        votes.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
        votes
    }

    /// Returns the charsets that texts look like, those of most texts first that are long enough to tell.
    pub fn likely(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.votes.iter().map(|(name, count)| (self.telling.get(name), count, *name)).collect();
        names.sort_by_key(|(telling, count, name)| (std::cmp::Reverse((*telling, *count)), *name));
        names.into_iter().map(|(.., name)| name).collect()
    }

    /// Returns the likeliest charset, the first of [`likely`](CharsetEvidence::likely); none where no text looks like
    /// one.
    pub fn likeliest(&self) -> Option<Charset> {
        let name = *self.likely().first()?;
        Charset::all().iter().copied().find(|charset| charset.name() == name)
    }

    /// Returns what unknown labels may mean: the charset that a piece of the label names, unless its texts look like
    /// another. A label that can't stand in the settings, or not be seen there, is left out.
    pub fn aliases(&self) -> BTreeMap<String, String> {
        let seen = self.labels.iter().filter(|(name, _)| !name.contains(is_hidden));
        let aliases = seen.filter_map(|(name, label)| Some((name.clone(), label.choose()?.to_owned())));
        aliases.filter(|alias| Labels::new(&BTreeMap::from([alias.clone()])).is_ok()).collect()
    }
}

impl Label {
    fn new(label: &str, labels: &Labels) -> Label {
        Label { named: named(label, labels), texts: 0, alike: BTreeMap::new() }
    }

    /// Counts a text of this label; one that looks like no charset says nothing for or against those that it may name.
    fn add(&mut self, text: &UndecodedText) {
        self.texts += u64::from(text.looks_like.is_some());
        for charset in &self.named {
            let alike = text.looks_like.is_some_and(|looks| reads_alike(&text.octets, looks, *charset));
            *self.alike.entry(charset.name()).or_default() += u64::from(alike);
        }
    }

    /// Chooses from what the label may name: what reads more than half of its texts as they look, or where all are
    /// ASCII the only one.
    fn choose(&self) -> Option<&'static str> {
        let (name, alike) = self.alike.iter().max_by_key(|(_, alike)| **alike)?;
        let sure = if self.texts > 0 { alike * 2 > self.texts } else { self.alike.len() == 1 };
        sure.then_some(*name)
    }
}

/// Finds the charsets that pieces of a label name: `big5` in `chinesebig5`; none in one that is too long to be a label.
fn named(label: &str, labels: &Labels) -> HashSet<Charset> {
    if label.len() > LONGEST {
        return HashSet::new();
    }
    let pieces = (0..label.len()).flat_map(|start| (start + PIECE..=label.len()).map(move |end| (start, end)));
    pieces.filter_map(|(start, end)| labels.find(label.get(start..end)?.as_bytes())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_of_a_label_names_a_charset() {
        let labels = Labels::default();
        for (name, octets, wanted) in [
            ("chinesebig5", &b"\xa4\xa4\xa4\xe5\xb6\x6c\xa5\xf3\xa1\x43"[..], Some("big5")),
            ("chinesebig5", b"plain", None),
            ("utf-8*fr", b"plain", Some("utf-8")),
            ("x-koi8-r-foo", b"\xf0\xd2\xc9\xd7\xc5\xd4, \xcb\xc1\xcb \xc4\xc5\xcc\xc1?", Some("koi8-r")),
            ("x-koi8-r-foo", b"caf\xe9 au lait", None),
            ("default_text", b"caf\xe9", None),
            ("", b"", None),
            ("é", b"plain", None),
            (&"koi8-r".repeat(20), b"plain", None),
        ] {
            let mut label = Label::new(name, &labels);
            label.add(&UndecodedText::labelled(name, octets));
            assert_eq!(label.choose(), wanted, "{name}");
        }
    }
}
