//! What a field says, as a mail program reads it: its texts, and the octets around them.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::downgrade::Downgrades;
use super::item::{Item, Segment, is_white_between, with_single_spaces};
use super::items::Items;
use super::parameters::read_once;
use super::segment;
use super::target::FieldTarget;
use crate::coding::encoded_word::WordPlace;
use crate::message::FieldKind;
use crate::message::grammar::parameter;

/// Returns an unstructured value as a person sees it; for a literal target `=?…?=` in it is text, and no word.
pub fn shown_text(value: &[u8], target: FieldTarget<'_>) -> String {
    shown(&Items::new(value, target).text(0..value.len(), WordPlace::Text), value)
}

/// What a field says.
#[derive(Debug, PartialEq, Eq)]
pub struct FieldMeaning {
    /// Its texts, in their order; those of parameters with their names, by which they are sorted.
    pub texts: Vec<String>,
    /// What stands around them, without white space.
    pub around: Vec<u8>,
    /// The charsets that parameters name, in lower case, the languages, and the names that are no ASCII. Of a field
    /// without parameters the words that half a character is left in ([`Item::half`]).
    pub labels: HashSet<String>,
}

/// Reads what a field without parameters says: its texts and the octets around them, found as `FieldValue::plan_text`
/// finds them. What the profile downgrades is read as what is written for it ([`Downgrade`](super::ascii::Downgrade)),
/// so that a value and its downgraded form say the same. `kind` is that of the value as it came (`kind_of`), for its
/// new form, too.
pub fn read_texts(name: &[u8], value: &[u8], kind: FieldKind, target: FieldTarget<'_>) -> FieldMeaning {
    let items = Items::new(value, target);
    let segments = segment::segments(value, kind, &items);
    let downgrades = Downgrades::of(name, value, &items);
    let texts = segments.iter().filter(|it| !it.items.is_empty() && !downgrades.covers(it.at().start));
    let mut pieces: Vec<(Range<usize>, String, &str)> =
        texts.map(|segment| (segment.at(), shown(segment, value), "")).collect();
    for downgrade in &downgrades.list {
        let text = downgrade.said.as_ref().map_or(String::new(), |(_, text)| with_single_spaces(text));
        pieces.push((downgrade.at.clone(), text, &downgrade.octets));
    }
    pieces.sort_by_key(|(at, ..)| at.start);
    let (mut texts, mut around, mut at) = (Vec::new(), Vec::new(), 0);
    for (range, text, with) in pieces {
        around.extend(solid(&value[at.min(range.start)..range.start]));
        around.extend(solid(with.as_bytes()));
        at = range.end;
        texts.extend((!text.is_empty()).then_some(text));
    }
    around.extend(solid(&value[at..]));
    let items = segments.iter().flat_map(|segment| &segment.items);
    let labels = items.filter_map(|item| item.half.as_deref().map(str::to_owned)).collect();
    FieldMeaning { texts, around, labels }
}

/// Returns octets without white space: folds come and go where a field is written anew.
fn solid(octets: &[u8]) -> impl Iterator<Item = u8> + '_ {
    octets.iter().copied().filter(|octet| !octet.is_ascii_whitespace())
}

/// Returns octets that nobody can read as a text to compare: themselves where they are UTF-8 without a character from
/// [`FIRST`] on, else for each that is no ASCII one of these, so that no two octets look the same.
fn unread(octets: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(octets) {
        Ok(text) if !text.contains(|it| it >= FIRST) => text.into(),
        // ASCII is read by itself, whatever stands beside it.
        _ => octets.iter().map(|it| if it.is_ascii() { char::from(*it) } else { private(*it) }).collect(),
    }
}

/// The first of the characters that stand for octets, Unicode's last for private use.
const FIRST: char = '\u{10FF00}';

/// Returns the character for private use that stands for an octet: the one that is so far behind [`FIRST`].
fn private(octet: u8) -> char {
    char::from_u32(u32::from(FIRST) + u32::from(octet)).unwrap_or(FIRST)
}

/// Returns the text of a segment as a person sees it: one space for white space, none between words that can be read.
/// What can't be read is shown as it stands ([`unread`]), so that it must stand there afterwards, too.
fn shown(segment: &Segment, value: &[u8]) -> String {
    let items = &segment.items;
    let mut text = String::new();
    let is_read_as_words = |item: &Item| item.is_words() && item.why_it_stays().is_none();
    for (index, item) in items.iter().enumerate() {
        match item.why_it_stays() {
            // Words that can't be read are shown as they stand, and the white space around them too.
            _ if is_white_between(items, index, is_read_as_words) && items[index - 1].half.is_none() => {}
            Some(_) => text.push_str(&unread(&value[item.at.clone()])),
            None => text.push_str(&item.text),
        }
        // No text has a line end: it is shown as octets that nobody can read are.
        text.extend(item.line_end.bytes().map(private));
        // Half a character stays, as a word that can't be read.
        text.extend(item.half.iter().flat_map(|half| [" ", half]));
    }
    with_single_spaces(&text)
}

/// Returns the sections of a parameter, whose indices are `own`, as they stand: the proof compares these octets where
/// the parameter can't be read. A plain and an extended parameter of one name each have their own.
fn written(sections: &[(&[u8], &[u8])], own: &[usize]) -> Vec<u8> {
    let own = own.iter().filter_map(|&index| sections.get(index));
    own.flat_map(|(section, value)| [section, &b"="[..], value, b";"].concat()).collect()
}

/// Reads what a field with parameters says: their texts, in the order of their names, and the octets around them.
/// `charset` is left out where the planner of bodies sets it (`retyped`), and a second encoding is undone where that is
/// to be fixed.
pub fn read_parameters(value: &[u8], target: &FieldTarget<'_>, retyped: bool) -> FieldMeaning {
    let split = parameter::sections(value);
    let (pairs, sections) = (&split.list, split.slices(value));
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let odd = sections.iter().map(|(section, _)| parameter::base(section)).filter(|name| !name.is_ascii());
    let mut labels: HashSet<String> = odd.map(|name| format!("name {}", unread(name))).collect();
    for read in read_once(&sections, target).0 {
        let from = read.outcome.iter().flat_map(|text| &text.from);
        labels.extend(from.map(|label| label.name.to_ascii_lowercase()));
        labels.extend(read.language.as_ref().map(|tag| format!("language {tag}")));
        let text = match &read.outcome {
            Ok(text) => with_single_spaces(&text.text),
            Err(fault) => format!("{fault}: {}", unread(&written(&sections, &read.sections))),
        };
        texts.entry(read.name.to_ascii_lowercase()).or_default().push(text);
    }
    if retyped {
        texts.remove("charset");
    }
    // What stands before the parameters ends with a `;`; those between them come and go.
    let first = pairs.first().map_or(value.len(), |pair| pair.name.start);
    let mut around: Vec<u8> = solid(&value[..first]).collect();
    let starts = [first].into_iter().chain(pairs.iter().map(|pair| pair.value.end));
    let ends = pairs.iter().map(|pair| pair.name.start).chain([value.len()]);
    let between = starts.zip(ends).flat_map(|(start, end)| solid(&value[start..end.max(start)]));
    around.extend(between.filter(|octet| *octet != b';'));
    let texts = texts.iter().flat_map(|(name, texts)| texts.iter().map(move |text| format!("{name}={text}")));
    FieldMeaning { texts: texts.collect(), around, labels }
}
