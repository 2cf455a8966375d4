//! What a setting makes of one message: better, worse, or neither.

use std::collections::{BTreeMap, BTreeSet};

use super::texts::UndecodedText;
use crate::coding::charset::{Charset, Labels};
use crate::message::PartNumber;
use crate::process::sample::charsets_read;
use crate::rewrite::{Entry, Outcome, Place, Report};

/// How a message fares by a setting, beside how it fares now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// As much is left of it as before.
    Same,
    /// Less is left of it, and every text reads as it looks.
    Better,
    /// A text reads otherwise than it looks, or something is left that was not left before.
    Worse,
}

/// The places of a message, each with what is reported of it.
type Places<'r> = BTreeMap<(&'r PartNumber, &'r Place), Vec<&'r Entry>>;

/// Judges a message by its report before and after, and by the texts that were left of it; `most` is what most texts of
/// the archive look like.
pub fn verdict(
    before: &Report,
    after: &Report,
    texts: &[UndecodedText],
    (labels, most): (&Labels, Option<Charset>),
) -> Comparison {
    let (left_before, left_after) = (left(before), left(after));
    let known: BTreeSet<_> = left_before.iter().copied().collect();
    let places = places(after);
    if left_after.iter().any(|place| !known.contains(place))
        || texts.iter().any(|text| reads_wrong(text, &places, labels, most))
    {
        Comparison::Worse
    } else if left_after.len() < left_before.len() {
        Comparison::Better
    } else {
        Comparison::Same
    }
}

/// Lists the places of which something is left; one that is left for two reasons stands twice.
fn left(report: &Report) -> Vec<(&PartNumber, &Place)> {
    let left = report.entries.iter().filter(|entry| matches!(entry.outcome, Outcome::Left(_)));
    left.map(|entry| (&entry.part, &entry.place)).collect()
}

/// Sorts the entries of a report by their places.
fn places(report: &Report) -> Places<'_> {
    let mut places = Places::new();
    for entry in &report.entries {
        places.entry((&entry.part, &entry.place)).or_default().push(entry);
    }
    places
}

/// Returns `true` if a text was read, and in no charset that reads it as it looks.
fn reads_wrong(text: &UndecodedText, places: &Places, labels: &Labels, most: Option<Charset>) -> bool {
    let (part, place) = &text.at;
    // A place that has no entry was not read.
    let entries = places.get(&(part, place)).map(Vec::as_slice).unwrap_or_default();
    let read: Vec<Charset> = entries.iter().flat_map(|entry| charsets_read(entry, labels)).collect();
    !read.is_empty() && !read.iter().any(|charset| text.reads_as_it_looks(*charset, most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::advice::texts::texts;
    use crate::rewrite::{Profile, Unlabelled, plan};

    #[test]
    fn a_message_is_better_where_its_texts_read_as_they_look() {
        let (russian, western) = (
            &b"Subject: z\n\n\xf0\xd2\xc9\xd7\xc5\xd4, \xcb\xc1\xcb \xc4\xc5\xcc\xc1? \xf7\xd3\xa3 \xc8\xcf\xd2\xcf\xdb\xcf.\n"[..],
            &b"Subject: w\n\nUn caf\xe9 pr\xe8s de la for\xeat, d\xe9j\xe0 l\xe0, tr\xe8s t\xf4t\n"[..],
        );
        for (message, charset, wanted) in [
            (western, "windows-1252", Comparison::Better),
            (western, "koi8-r", Comparison::Worse),
            (western, "shift_jis", Comparison::Same),
            (russian, "koi8-r", Comparison::Better),
            (russian, "windows-1252", Comparison::Worse),
            (russian, "detect", Comparison::Better),
            (b"Subject: x\n\nplain\n", "windows-1252", Comparison::Same),
        ] {
            let profile = Profile::default();
            let before = plan(message, &profile).report;
            let unlabelled = ["utf-8", charset].into_iter().filter_map(|entry| Unlabelled::of(entry, &profile.labels));
            let with = Profile { unlabelled: unlabelled.collect(), ..profile.clone() };
            let found = texts(message, &before, &profile);
            let verdict = verdict(&before, &plan(message, &with).report, &found, (&with.labels, None));
            assert_eq!(verdict, wanted, "{charset}: {}", String::from_utf8_lossy(message));
        }
    }
}
