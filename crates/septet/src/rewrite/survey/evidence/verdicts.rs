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

/// Judges each encoded-word and each shown text of a message by itself, and returns what the texts under each charset
/// are: `Unknown` where they differ, and nothing where each of them could be either.
pub(super) fn verdicts_by_charset(message: &Message, profile: &Profile) -> Vec<(Charset, Utf8Verdict, Because)> {
    let mut found = Vec::new();
    for part in message.parts() {
        for field in message.fields(part) {
            judge_words(message.slice(field.value), profile, &mut found);
        }
        judge_body(message, part, profile, &mut found);
    }
    found
}

/// Judges the encoded-words of a value.
fn judge_words(value: &[u8], profile: &Profile, found: &mut Vec<(Charset, Utf8Verdict, Because)>) {
    for word in words(value) {
        let charset = profile.labels.find(value.get(word.label.clone()).unwrap_or_default());
        charset.into_iter().for_each(|charset| add_verdict(found, charset, &octets(value, &word), Because::Word));
    }
}

/// Adds to `found` whether the text of a part is in the charset of its label or in UTF-8: at most one verdict. None, if
/// mail programs don't show it, its label is unknown, its transfer encoding can't be undone, or it could be either.
fn judge_body(message: &Message, part: &Part, profile: &Profile, found: &mut Vec<(Charset, Utf8Verdict, Because)>) {
    if !is_shown_text(message, part) {
        return;
    }
    let Some(charset) = Body::of(message, part, profile).charset() else { return };
    let text = decoded(message, part);
    text.into_iter().for_each(|text| add_verdict(found, charset, &text, Because::Part));
}

/// Returns the charset of the label under which the text of a part stands, if that text tells what others under it are.
pub(in crate::rewrite) fn telling_label_of_body(evidence: &Evidence, part: &Part) -> Option<Charset> {
    let mut told = Vec::new();
    judge_body(evidence.message, part, evidence.profile, &mut told);
    told.first().map(|(charset, ..)| *charset)
}

/// Returns the charsets of the labels of encoded-words in a field that tell what others under them are.
pub(in crate::rewrite) fn telling_labels_of_field(evidence: &Evidence, field: &Field) -> Vec<Charset> {
    let mut told = Vec::new();
    judge_words(evidence.message.slice(field.value), evidence.profile, &mut told);
    told.into_iter().map(|(charset, ..)| charset).collect()
}

/// Returns the charsets that the labels of encoded-words in a field name, those that are known.
pub(in crate::rewrite) fn labels_of_field(evidence: &Evidence, field: &Field) -> Vec<Charset> {
    let value = evidence.message.slice(field.value);
    let labels = words(value).filter_map(|word| value.get(word.label));
    labels.filter_map(|label| evidence.profile.labels.find(label)).collect()
}

/// Adds to what is known of a label what one text under it is: `Unknown` if that is something else than before, and
/// nothing if the text could be either.
fn add_verdict(found: &mut Vec<(Charset, Utf8Verdict, Because)>, charset: Charset, octets: &[u8], because: Because) {
    let verdict = match label_or_utf_8(charset, octets) {
        // Octets that are no UTF-8 can only be what the label says.
        None if !octets.is_ascii() && std::str::from_utf8(octets).is_err() => Utf8Verdict::Label,
        None | Some(Utf8Verdict::Unknown) => return,
        Some(verdict) => verdict,
    };
    match found.iter_mut().find(|(label, ..)| *label == charset) {
        Some((_, known, _)) if *known == verdict => {}
        Some((_, known, _)) => *known = Utf8Verdict::Unknown,
        None => found.push((charset, verdict, because)),
    }
}
