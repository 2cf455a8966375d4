//! What the texts that are left look like, and what their labels may have meant.

use std::collections::{BTreeMap, HashSet};
use std::io;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use rayon::prelude::*;

use super::is_curable;
use super::shelf::Shelf;
use crate::coding::charset::{Charset, Labels};
use crate::coding::encoded_word::{Encoding, words};
use crate::coding::transfer::{base64, quoted_printable};
use crate::message::Message;
use crate::rewrite::{Entry, Outcome, Profile, Reason, plan};
use crate::run::sample::octets_of;

/// The labels that are looked at: senders write them, and there is no end to them.
const LABELS: usize = 200;

/// The letters of a label's piece that may name a charset: `big5` in `chinesebig5`.
const PIECE: usize = 4;

/// The octets of a label that are looked at: every piece of them is.
const LONGEST: usize = 64;

/// A text that is left for want of a charset.
#[derive(Debug)]
pub struct Text {
    /// Where it stands.
    pub entry: Entry,
    /// Its octets.
    pub octets: Vec<u8>,
    /// What statistics say that it is in; none of ASCII.
    pub looks_like: Option<Charset>,
}

/// What the texts look like.
#[derive(Debug, Default)]
pub struct Evidence {
    /// How many texts look like a charset.
    pub votes: BTreeMap<&'static str, u64>,
    /// The unknown labels.
    labels: BTreeMap<String, Label>,
}

/// An unknown label.
#[derive(Debug, Default)]
struct Label {
    /// Its texts that are no ASCII.
    texts: u64,
    /// How many of them each charset that the label may name reads as they look.
    alike: BTreeMap<&'static str, u64>,
}

/// Finds the texts of a message that are left for want of a charset.
pub fn texts(message: &[u8], profile: &Profile) -> Vec<Text> {
    let report = plan(message, profile).report;
    let view = Message::read(message, &profile.limits);
    let curable = report.entries.into_iter().filter(|entry| is_curable(&entry.outcome));
    let text = |entry: Entry| {
        let octets = octets_of(&view, &entry)?;
        let octets = words_octets(&octets).unwrap_or_else(|| octets.into_owned());
        let looks_like = looks_like(&octets, &profile.labels);
        Some(Text { entry, octets, looks_like })
    };
    curable.filter_map(text).collect()
}

/// Decodes the encoded-words of a field that is ASCII, whatever their labels; none where there are none.
fn words_octets(value: &[u8]) -> Option<Vec<u8>> {
    let mut octets = Vec::new();
    for word in words(value).filter(|_| value.is_ascii()) {
        let text = value.get(word.text)?;
        match word.encoding {
            Encoding::B => octets.extend_from_slice(&base64::decode(text).bytes),
            Encoding::Q => {
                let spaced: Vec<u8> = text.iter().map(|&octet| if octet == b'_' { b' ' } else { octet }).collect();
                octets.extend_from_slice(&quoted_printable::decode(&spaced).bytes);
            }
        }
    }
    (!octets.is_empty()).then_some(octets)
}

/// Guesses by statistics.
fn looks_like(octets: &[u8], labels: &Labels) -> Option<Charset> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    if !detector.feed(octets, true) && !octets.contains(&0x1B) {
        return None;
    }
    let found = labels.find(detector.guess(None, Utf8Detection::Deny).name().as_bytes())?;
    found.decode(octets).is_ok().then_some(found)
}

/// Gathers it from everything that is left.
pub fn gather(shelf: &mut Shelf, profile: &Profile) -> io::Result<Evidence> {
    let mut evidence = Evidence::default();
    shelf.read(|messages| {
        let texts: Vec<Text> = messages.par_iter().flat_map_iter(|message| texts(message, profile)).collect();
        texts.iter().for_each(|text| evidence.add(text, &profile.labels));
    })?;
    Ok(evidence)
}

impl Evidence {
    fn add(&mut self, text: &Text, labels: &Labels) {
        let vote = text.looks_like.map(Charset::name);
        if let Some(name) = vote {
            *self.votes.entry(name).or_default() += 1;
        }
        let Outcome::Left(Reason::UnknownCharset(label)) = &text.entry.outcome else { return };
        if self.labels.len() < LABELS || self.labels.contains_key(label) {
            self.labels.entry(label.clone()).or_default().add(label, text, labels);
        }
    }

    /// Returns the charsets that texts look like, those of most texts first.
    pub fn sorted(&self) -> Vec<(&'static str, u64)> {
        let mut votes: Vec<_> = self.votes.iter().map(|(name, count)| (*name, *count)).collect();
        votes.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
        votes
    }

    /// Returns what unknown labels may mean: the charset that a piece of the label names, unless its texts look like
    /// another. A label that can't stand in the settings is left out.
    pub fn aliases(&self) -> BTreeMap<String, String> {
        let meaning = |(name, label): (&String, &Label)| {
            let charset = label.choose()?;
            let alias = BTreeMap::from([(name.clone(), charset.to_owned())]);
            let good = Labels::new(&alias, &BTreeMap::new(), Default::default()).is_ok();
            good.then(|| (name.clone(), charset.to_owned()))
        };
        self.labels.iter().filter_map(meaning).collect()
    }
}

impl Label {
    fn add(&mut self, label: &str, text: &Text, labels: &Labels) {
        self.texts += u64::from(text.looks_like.is_some());
        for charset in named(label, labels) {
            let alike = text.looks_like.is_some_and(|looks| reads_alike(&text.octets, looks, charset));
            *self.alike.entry(charset.name()).or_default() += u64::from(alike);
        }
    }

    /// Chooses from what the label may name: what reads most of its texts as they look, or the only one where all are
    /// ASCII.
    fn choose(&self) -> Option<&'static str> {
        let (name, alike) = self.alike.iter().max_by_key(|(_, alike)| **alike)?;
        let sure = if self.texts > 0 { alike * 2 > self.texts } else { self.alike.len() == 1 };
        sure.then_some(*name)
    }
}

/// Tells whether two charsets read octets as the same text.
pub fn reads_alike(octets: &[u8], one: Charset, other: Charset) -> bool {
    matches!((one.decode(octets), other.decode(octets)), (Ok(one), Ok(other)) if one == other)
}

/// Finds the charsets that pieces of a label name: `big5` in `chinesebig5`; none in one that is too long to be a label.
fn named(label: &str, labels: &Labels) -> HashSet<Charset> {
    if label.len() > LONGEST {
        return HashSet::new();
    }
    let ends = |start: usize| start + PIECE..=label.len();
    let pieces = (0..label.len()).flat_map(|start| ends(start).map(move |end| (start, end)));
    pieces.filter_map(|(start, end)| labels.find(label.get(start..end)?.as_bytes())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_of_a_label_names_a_charset() {
        let labels = Labels::default();
        let entry = || Entry {
            part: crate::message::PartNumber::root(),
            place: crate::rewrite::Place::Body,
            outcome: Outcome::Left(Reason::Unlabelled),
        };
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
            let text = Text { entry: entry(), octets: octets.to_vec(), looks_like: looks_like(octets, &labels) };
            let mut label = Label::default();
            label.add(name, &text, &labels);
            assert_eq!(label.choose(), wanted, "{name}");
        }
    }

    #[test]
    fn a_text_looks_like_what_it_is() {
        let labels = Labels::default();
        let russian = Charset::WINDOWS_1251.encode("Привет, как дела? Всё хорошо, спасибо.").expect("Cyrillic");
        assert_eq!(looks_like(&russian, &labels), Some(Charset::WINDOWS_1251));
        assert_eq!(looks_like(b"caf\xe9 au lait", &labels), Some(Charset::WINDOWS_1252));
        assert_eq!(looks_like(b"plain", &labels), None);
    }
}
