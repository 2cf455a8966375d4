//! What a place of a message said before, and what it says now: a short stretch of it, for people.
//!
//! `explain`, `advise` and the report page show these. A field is shown as it is written, a body without its transfer
//! encoding, both from shortly before the first octet that differs; of what was left, from shortly before the first
//! octet that is no ASCII. What a person reads is decoded first and cut then. What is no UTF-8 stands as `\xE9`, and so
//! do controls, so that nothing in it can drive a terminal or turn the reading direction.
//!
//! Memory and time are bounded: [`LONGEST`] octets of a place are looked at, and [`WIDTH`] of them are shown.

mod find;
pub mod mark;
mod readings;
mod token;
mod window;

pub use find::{PlaceOctets, octets_of};
pub use mark::{MarkedText, differences, visible};
pub use readings::{charsets_read, reads_alike, text_octets};
pub use window::around_difference;

use std::mem;

use serde::{Deserialize, Serialize};

use crate::coding::charset::{Charset, Labels};
use crate::coding::encoded_word::{WordReader, decode_unstructured};
use crate::message::{Limits, Message};
use crate::rewrite::{Entry, Outcome, Place, Reason};

/// How many octets of a place are looked at.
pub const LONGEST: usize = 64 << 10;

/// How many octets of a place are shown, about.
pub const WIDTH: usize = 160;

/// A stretch of one place, before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Where it stands: `Subject`, `body`, with the part's number if that is not the message.
    pub place: String,
    /// What came, with what differs marked; of what was left, with what is no ASCII marked.
    pub before: Vec<MarkedText>,
    /// What it is now, with what differs marked; none where it stays.
    pub after: Option<Vec<MarkedText>>,
    /// What a person reads, where that is not what stands there.
    pub reads: Option<String>,
    /// What it may be, where nobody knows for sure: up to three readings, each with the charset; of what changed, what
    /// it rather seems to be.
    #[serde(default)]
    pub may_be: Vec<String>,
}

/// A message that samples are taken of: as it came, and as it is now.
#[derive(Debug)]
pub struct Sampler<'a> {
    before: Message<'a>,
    after: Option<Message<'a>>,
}

impl<'a> Sampler<'a> {
    /// Reads a message before and after; without an `after` it stays.
    pub fn new(before: &'a [u8], after: Option<&'a [u8]>, limits: &Limits) -> Sampler<'a> {
        Sampler { before: Message::read(before, limits), after: after.map(|after| Message::read(after, limits)) }
    }

    /// Takes a sample of the place of the entry `at` of a report; none where there is nothing to see, and for what was
    /// only noted.
    pub fn of(&self, entries: &[Entry], at: usize) -> Option<Sample> {
        let entry = entries.get(at)?;
        let nth = alike_before(entries, at);
        match &entry.outcome {
            Outcome::Done(_) => self.sample_of_change(entry, nth),
            Outcome::Left(reason) => self.sample_of_left(entry, reason, nth),
            Outcome::Noted(_) => None,
        }
    }

    /// Returns the octets of the place of the entry `at` of a report, before and after: a field's value or a decoded
    /// body, [`LONGEST`] of them at most; none where there are none, or nothing was changed there.
    pub fn octets(&self, entries: &[Entry], at: usize) -> Option<(PlaceOctets<'a>, PlaceOctets<'a>)> {
        let entry = entries.get(at).filter(|entry| matches!(entry.outcome, Outcome::Done(_)))?;
        find::octets_before_and_after(&self.before, self.after.as_ref()?, entry, alike_before(entries, at))
    }

    /// Takes a sample of what was changed; none without an `after`, or where nothing differs in it.
    fn sample_of_change(&self, entry: &Entry, nth: usize) -> Option<Sample> {
        let after = self.after.as_ref()?;
        let (before, after) = find::octets_before_and_after(&self.before, after, entry, nth)?;
        let pair = window::around_difference(&before, &after)?;
        let is_field = matches!(entry.place, Place::Field(_));
        let text = is_field.then(|| field_text(&after)).flatten();
        let may_be = readings::likelier(entry, &before, text.as_deref().unwrap_or(&String::from_utf8_lossy(&after)));
        let reads = text.and_then(|text| field_stretch(&after, &text, pair.at));
        let (mut before, mut after) = mark::differences(&visible(pair.one), &visible(pair.other), pair.cut);
        let reads = reads.filter(|text| *text != mark::text(&after));
        if pair.cut {
            mark::go_on(&mut before);
            mark::go_on(&mut after);
        }
        Some(Sample { place: place(entry), before, after: Some(after), reads, may_be })
    }

    /// Takes a sample of what was left for a reason; none where the place has no octets, or nothing in it is to be
    /// shown.
    fn sample_of_left(&self, entry: &Entry, reason: &Reason, nth: usize) -> Option<Sample> {
        let octets = octets_of(&self.before, entry, nth)?;
        let before = left_octets(&octets, &entry.place, reason)?;
        let may_be = readings::possible(&entry.place, &octets, reason);
        Some(Sample { place: place(entry), before, after: None, reads: None, may_be })
    }
}

/// Counts the entries before one that are of the same place, as of fields with one name, and that were changed or left
/// as it was.
fn alike_before(entries: &[Entry], at: usize) -> usize {
    let Some((entry, before)) = entries.get(..=at).and_then(<[Entry]>::split_last) else { return 0 };
    let of_place = before.iter().filter(|other| other.part == entry.part && other.place == entry.place);
    of_place.filter(|other| mem::discriminant(&other.outcome) == mem::discriminant(&entry.outcome)).count()
}

/// Cuts what a field reads, `text`, to a stretch around the octet `at` of its value; none where that is beyond the end.
fn field_stretch(value: &[u8], text: &str, at: usize) -> Option<String> {
    // An encoded-word is no place to cut.
    let start = value.get(..at)?.iter().rposition(|octet| octet.is_ascii_whitespace()).unwrap_or(0);
    let before = field_text(value.get(..start)?).map_or(0, |before| before.len());
    let at = (0..=before).rev().find(|at| text.is_char_boundary(*at))?;
    stretch(text, at)
}

/// Cuts a text to a stretch around an octet of it, without the blanks before it; none where that is beyond the end.
fn stretch(text: &str, at: usize) -> Option<String> {
    let (shown, cut) = window::around(text.as_bytes(), at)?;
    let mut shown = visible(shown.trim_ascii_start()).concat();
    shown.push_str(if cut { "…" } else { "" });
    Some(shown)
}

/// Returns a stretch of the octets of a place that was left, around what it was left for: what is ill-formed in a body,
/// else the first octet that is no ASCII or is an escape (ESC), as ISO-2022-JP has it. Without one a field is shown
/// from its start; for a body it is none, as there is nothing to see.
pub fn left_octets(octets: &[u8], place: &Place, reason: &Reason) -> Option<Vec<MarkedText>> {
    let at = match reason {
        Reason::Malformed { offset, .. } if *place == Place::Body => Some(*offset),
        _ => octets.iter().position(|octet| !octet.is_ascii() || *octet == 0x1B),
    };
    let at = at.or(matches!(place, Place::Field(_)).then_some(0))?;
    let (shown, cut) = window::around(octets, at)?;
    let mut runs = mark::octets_that_are_not_ascii(&visible(shown.trim_ascii_start()));
    if cut {
        mark::go_on(&mut runs);
    }
    Some(runs)
}

/// Names an entry's place for people: the field or the body, and the part where that is not the message.
pub fn place(entry: &Entry) -> String {
    let place = match &entry.place {
        Place::Field(name) => name.as_str(),
        Place::Body => "body",
        Place::Message => "message",
    };
    if entry.part.is_root() { place.to_owned() } else { format!("{place} of part {}", entry.part) }
}

/// Reads a field's value as a person does, with U+FFFD for what can't be read; none where nothing is left to read.
pub fn field_text(value: &[u8]) -> Option<String> {
    let labels = Labels::default();
    let reader = WordReader { lossy: true, ..WordReader::new(&labels) };
    let text = decode_unstructured(value, reader).text.trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// Reads the stretch of a place that a sample would show in another charset; none where any of the octets are
/// ill-formed in it.
pub fn read_in(octets: &[u8], charset: Charset) -> Option<String> {
    let text = charset.decode(octets).ok()?;
    stretch(&text, text.find(|character: char| !character.is_ascii()).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::{Profile, plan};

    fn samples(message: &[u8]) -> Vec<Sample> {
        let profile = Profile::default();
        let plan = plan(message, &profile);
        let after = plan.edits.apply(message);
        let sampler = Sampler::new(message, Some(&after), &profile.limits);
        let entries = &plan.report.entries;
        (0..entries.len()).filter_map(|at| sampler.of(entries, at)).collect()
    }

    /// Writes a sample in one line: what came, what it is now, what it reads.
    fn line(sample: Sample) -> String {
        let now = sample.after.map(|after| format!(" > {}", marked(&after))).unwrap_or_default();
        let reads = sample.reads.map(|reads| format!(" = {reads}")).unwrap_or_default();
        format!("{}: {}{now}{reads}", sample.place, marked(&sample.before))
    }

    fn marked(runs: &[MarkedText]) -> String {
        runs.iter().map(|run| if run.marked { format!("[{}]", run.text) } else { run.text.clone() }).collect()
    }

    #[test]
    fn a_sample_shows_what_changed_or_was_left() {
        for (message, wanted) in [
            (
                &b"Content-Type: text/plain; charset=iso-8859-1\n\nfirst\nun caf\xe9 noir\n"[..],
                &[r"body: un [caf\xE9] noir > un [café] noir"][..],
            ),
            (
                b"Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: base64\n\n8NLJ18XU\n",
                &[r"body: [\xF0\xD2\xC9\xD7\xC5\xD4] > [Привет]"],
            ),
            (b"Subject: =?iso-8859-1?q?caf=E9?=\n\n", &[" = café"]),
            (b"X-A: b\nX-A: \xe9t\xe9\n\n", &[r"X-A: [\xE9t\xE9]"]),
            (b"Subject: plain\n\nplain\n", &[]),
        ] {
            let got: Vec<String> = samples(message).into_iter().map(line).collect();
            let same = got.len() == wanted.len() && got.iter().zip(wanted).all(|(got, wanted)| got.ends_with(wanted));
            assert!(same, "{got:?}, not {wanted:?}");
        }
    }

    /// What was read under a label that is not true, or by a setting that does not fit.
    #[test]
    fn what_looks_wrong_is_shown_as_what_it_rather_is() {
        let russian = Charset::WINDOWS_1251.encode("Привет, как дела?\n").expect("Cyrillic").into_owned();
        for (label, may_be) in [("windows-1252", &["Привет, как дела? (windows-1251)"][..]), ("windows-1251", &[])]
        {
            let header = format!("Content-Type: text/plain; charset={label}\nContent-Transfer-Encoding: 8bit\n\n");
            let samples = samples(&[header.as_bytes(), &russian].concat());
            let readings: Vec<String> = samples.into_iter().flat_map(|sample| sample.may_be).collect();
            assert_eq!(readings, may_be, "{label}");
        }
    }

    #[test]
    fn a_text_is_read_around_what_is_no_ascii() {
        let octets = [&b"plain line\n"[..], b"  un caf\xe9, ", &b"x".repeat(400)].concat();
        let read = read_in(&octets, Charset::WINDOWS_1252).expect("Latin-1");
        assert!(read.starts_with("un café, xxx") && read.ends_with("xx…"), "{read}");
        assert_eq!(read_in(b"\xff\xff", Charset::UTF_8), None);
    }
}
