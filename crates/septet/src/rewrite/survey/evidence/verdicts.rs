//! What the texts of a message are that stand under one label: in the charset of the label, or in UTF-8.
//!
//! A program that writes UTF-8 under another label does so in every text of a message. So where one text could be
//! either, one that could not tells. Where two of them tell different things, nobody can be believed.

use super::Evidence;
use crate::coding::charset::Charset;
use crate::coding::encoded_word::{octets, words};
use crate::coding::evidence::{Because, Utf8Verdict, label_or_utf_8};
use crate::message::{Field, Message, Part};
use crate::rewrite::Profile;
use crate::rewrite::survey::body::Body;
use crate::rewrite::survey::reading::{decoded, is_shown_text};

/// What one text under a label is, and what the text is: a word or a body.
type Verdict = (Charset, Utf8Verdict, Because);

/// Judges each encoded-word and each shown text of a message by itself, and returns what the texts under each charset
/// are, each charset once: `Unknown` where they differ, and nothing where each of them could be either. By the message
/// alone: who fills [`Evidence::verdict`](super::Evidence) with this must not be asked for it here.
pub(super) fn verdicts_by_charset(message: &Message, profile: &Profile) -> Vec<Verdict> {
    let mut found: Vec<Verdict> = Vec::new();
    for part in message.parts() {
        let values = message.fields(part).iter().map(|field| message.slice(field.value));
        let told =
            values.flat_map(|value| verdicts_of_words(value, profile)).chain(verdict_of_body(message, part, profile));
        for (charset, verdict, because) in told {
            match found.iter_mut().find(|(label, ..)| *label == charset) {
                Some((_, known, _)) if *known == verdict => {}
                Some((_, known, _)) => *known = Utf8Verdict::Unknown,
                None => found.push((charset, verdict, because)),
            }
        }
    }
    found
}

/// Judges the encoded-words of a value, in their order; those that could be either are left out.
fn verdicts_of_words<'v>(value: &'v [u8], profile: &'v Profile) -> impl Iterator<Item = Verdict> + 'v {
    words(value).filter_map(|word| {
        let charset = profile.labels.find(value.get(word.label.clone())?)?;
        Some((charset, verdict(charset, &octets(value, &word))?, Because::Word))
    })
}

/// Judges the text of a part. None if mail programs don't show it, its label is unknown, its transfer encoding can't be
/// undone, or it could be either.
fn verdict_of_body(message: &Message, part: &Part, profile: &Profile) -> Option<Verdict> {
    let charset = is_shown_text(message, part).then(|| Body::of(message, part, profile).charset())??;
    Some((charset, verdict(charset, &decoded(message, part).ok()?)?, Because::Part))
}

/// Returns the charset of the label under which the text of a part stands, if that text tells what others under it are.
pub(in crate::rewrite) fn telling_label_of_body(evidence: &Evidence, part: &Part) -> Option<Charset> {
    verdict_of_body(evidence.message, part, evidence.profile).map(|(charset, ..)| charset)
}

/// Returns the charsets of the labels of encoded-words in a field that tell what others under them are; one of several
/// words may be there several times.
pub(in crate::rewrite) fn telling_labels_of_field(evidence: &Evidence, field: &Field) -> Vec<Charset> {
    verdicts_of_words(evidence.message.slice(field.value), evidence.profile).map(|(charset, ..)| charset).collect()
}

/// Returns the charsets that the labels of encoded-words in a field name, those that are known. Whether their octets
/// tell anything is not asked.
pub(in crate::rewrite) fn labels_of_field(evidence: &Evidence, field: &Field) -> Vec<Charset> {
    let value = evidence.message.slice(field.value);
    let labels = words(value).filter_map(|word| value.get(word.label));
    labels.filter_map(|label| evidence.profile.labels.find(label)).collect()
}

/// Returns what a text under a label is, by its octets alone; none if it could be either.
fn verdict(charset: Charset, octets: &[u8]) -> Option<Utf8Verdict> {
    match label_or_utf_8(charset, octets) {
        // Octets that are no UTF-8 can only be what the label says.
        None if !octets.is_ascii() && std::str::from_utf8(octets).is_err() => Some(Utf8Verdict::Label),
        told => told.filter(|verdict| *verdict != Utf8Verdict::Unknown),
    }
}
