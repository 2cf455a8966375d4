//! The texts that are left for want of a charset, made of their messages whenever they are asked for.

use std::collections::BTreeSet;
use std::io;

use rayon::prelude::*;

use super::spooled_messages::SpooledMessages;
use crate::coding::charset::Charset;
use crate::coding::evidence::looks_like;
use crate::message::{Message, PartNumber};
use crate::process::sample::{MarkedText, left_octets, octets_of, place, reads_alike, text_octets};
use crate::process::why::is_curable;
use crate::protocol::mbox::MboxMessage;
use crate::rewrite::{Arrival, Entry, Outcome, Place, Profile, Reason, Report, plan_arrived};

/// How many texts of one message are looked at: it may have a hundred thousand, and would outvote all others.
const OF_ONE: usize = 1000;

/// How many different octets above ASCII a text has at least of which statistics can tell.
const TELLING: usize = 3;

/// A text that is left for want of a charset.
#[derive(Debug)]
pub struct UndecodedText {
    /// Where it stands.
    pub place: String,
    /// Its label, where that is unknown.
    pub label: Option<String>,
    /// The octets of it that a sample shows.
    pub shown: Vec<MarkedText>,
    /// What statistics say that it is in; none of ASCII, and of what they can't tell.
    pub looks_like: Option<Charset>,
    /// The part and the place of its entry in the report.
    pub at: (PartNumber, Place),
    /// Its octets.
    pub octets: Vec<u8>,
}

impl UndecodedText {
    /// Makes it of what stands at an entry that was left; none of any other entry.
    fn new(entry: &Entry, octets: &[u8]) -> Option<UndecodedText> {
        let Outcome::Left(reason) = &entry.outcome else { return None };
        let label = match reason {
            Reason::UnknownCharset(label) => Some(label.clone()),
            _ => None,
        };
        // A text of which nothing can be shown is shown as nothing.
        let shown = left_octets(octets, &entry.place, reason).unwrap_or_default();
        let octets = match entry.place {
            Place::Field(_) => text_octets(octets).into_owned(),
            _ => octets.to_owned(),
        };
        let at = (entry.part.clone(), entry.place.clone());
        Some(UndecodedText { place: place(entry), label, shown, looks_like: looks_like(&octets), at, octets })
    }

    /// Returns `true` if it has too few characters above ASCII for statistics: `£` in windows-1252 may look like `Ł`.
    pub fn is_short(&self) -> bool {
        let above: BTreeSet<u8> = self.octets.iter().copied().filter(|octet| !octet.is_ascii()).collect();
        above.len() < TELLING
    }

    /// Returns `true` if a charset reads it as it looks, or it looks like nothing; a short text may be in the charset
    /// that `most` others look like, too.
    pub fn reads_as_it_looks(&self, charset: Charset, most: Option<Charset>) -> bool {
        let Some(looks) = self.looks_like else { return true };
        let may_be = [Some(looks), most.filter(|_| self.is_short())];
        may_be.into_iter().flatten().any(|other| other == charset || reads_alike(&self.octets, other, charset))
    }
}

/// Shows the texts of all messages of a spool in order, those of many messages at a time. `profile` is the one by which
/// they are left.
pub fn read(
    messages: &mut SpooledMessages,
    profile: &Profile,
    mut visit: impl FnMut(&[UndecodedText]),
) -> io::Result<()> {
    messages.read(|kept| visit(&kept.par_iter().flat_map_iter(|kept| of_message(kept, profile)).collect::<Vec<_>>()))
}

/// Returns the texts of a message, which may have its From_ line before it.
fn of_message(kept: &[u8], profile: &Profile) -> Vec<UndecodedText> {
    let (from_line, message) = MboxMessage::split_from_line(kept);
    texts(message, &plan_arrived(message, profile, &Arrival::archived(from_line)).report, profile)
}

/// Finds the texts of a message that are left for want of a charset, [`OF_ONE`] at most; of several fields with one
/// name in a part one.
pub fn texts(message: &[u8], report: &Report, profile: &Profile) -> Vec<UndecodedText> {
    let view = Message::read(message, &profile.limits);
    let mut known = BTreeSet::new();
    let curable = report.entries.iter().filter(|entry| match &entry.outcome {
        Outcome::Left(reason) => is_curable(reason.code()),
        _ => false,
    });
    let places = curable.filter(|entry| known.insert((&entry.part, &entry.place))).take(OF_ONE);
    places.filter_map(|entry| UndecodedText::new(entry, &octets_of(&view, entry, 0)?)).collect()
}

#[cfg(test)]
impl UndecodedText {
    /// Makes a text of a body, with a label that is unknown.
    pub fn labelled(label: &str, octets: &[u8]) -> UndecodedText {
        UndecodedText {
            place: String::new(),
            label: Some(label.to_owned()),
            shown: Vec::new(),
            looks_like: looks_like(octets),
            at: (PartNumber::default(), Place::Body),
            octets: octets.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::plan;

    #[test]
    fn a_text_looks_like_what_it_is() {
        let russian = Charset::WINDOWS_1251.encode("Привет, как дела? Всё хорошо, спасибо.").expect("Cyrillic");
        assert_eq!(looks_like(&russian), Some(Charset::WINDOWS_1251));
        assert_eq!(looks_like(b"caf\xe9 au lait"), Some(Charset::WINDOWS_1252));
        assert_eq!(looks_like(b"plain"), None);
    }

    #[test]
    fn a_short_text_is_what_most_others_are() {
        let (short, long) = (
            UndecodedText::labelled("", b"\xa3130 million, or \xa3 131"),
            UndecodedText::labelled("", b"d\xe9j\xe0 \xabl\xe0\xbb"),
        );
        assert!(short.is_short() && !long.is_short());
        let (most, other) = (Charset::WINDOWS_1252, Charset::WINDOWS_1251);
        assert!(short.reads_as_it_looks(most, Some(most)) && long.reads_as_it_looks(most, Some(other)));
        assert!(!short.reads_as_it_looks(other, Some(most)) && !long.reads_as_it_looks(other, Some(other)));
    }

    #[test]
    fn texts_of_a_spool_are_those_of_its_messages() {
        let message =
            b"Subject: =?x-my-koi8-r?q?=F0=D2=C9=D7=C5=D4?=\nX-A: \xf0\xd2\nX-A: \xc9\xd7\n\ncaf\xe9\nau lait\n";
        let profile = Profile::default();
        let found = texts(message, &plan(message, &profile).report, &profile);
        let places: Vec<&str> = found.iter().map(|text| &*text.place).collect();
        assert_eq!(places, ["Subject", "X-A", "body"], "of two fields with one name one is looked at");
        let mut spool = SpooledMessages::new().expect("a file");
        spool.add(&[&b"From a@b.c Mon Jan  1 00:00:00 2007\n"[..], message].concat()).expect("room");
        let mut again = Vec::new();
        read(&mut spool, &profile, |texts| again.extend(texts.iter().map(|text| format!("{text:?}")))).expect("a file");
        assert_eq!(again, found.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>());
        assert_eq!(
            (found[0].label.as_deref(), &*found[0].octets),
            (Some("x-my-koi8-r"), &b"\xf0\xd2\xc9\xd7\xc5\xd4"[..])
        );
    }
}
