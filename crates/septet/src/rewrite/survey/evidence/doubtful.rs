//! The texts of a message that nobody can read without statistics.
//!
//! They are raw octets of headers, words and bodies without a label that is true, which no other witness explains.
//! Statistics are asked of all of them at once: a subject of two words tells little, and is in the charset of the body.

use super::Evidence;
use crate::coding::charset::{Charset, Labels};
use crate::coding::encoded_word::{TextError, WordReader, octets, raw_charset, raw_text, words};
use crate::coding::evidence::{DecodeError, is_damaged_utf_8, judge};
use crate::message::grammar::parameter::{ParameterError, read, sections};
use crate::message::{FieldKind, Part};
use crate::rewrite::OnLoss;
use crate::rewrite::survey::reading::{decoded, is_shown_text};

/// With more octets of texts than these no further text is looked at.
const ENOUGH: usize = 64 << 10;

/// Finds the texts of a message that only statistics can read, those of headers first, until there are [`ENOUGH`]
/// octets of them. No witness that is asked for this may ask statistics, which are being made of it
/// (`before_statistics`).
pub(super) fn doubtful_texts(evidence: &Evidence) -> Vec<Vec<u8>> {
    let parts = evidence.message.parts();
    let of_headers = parts.iter().enumerate().flat_map(|(index, part)| texts_of_header(evidence, index, part));
    let of_bodies = parts.iter().filter_map(|part| text_of_body(evidence, part));
    let mut octets = 0;
    let texts = of_headers.chain(of_bodies).take_while(|text| {
        let is_enough = octets > ENOUGH;
        octets += text.len();
        !is_enough
    });
    texts.collect()
}

/// Finds the doubtful texts of a part's header: raw values, parameters and encoded-words. They must be those that the
/// planner of fields would ask statistics about (`Items::new` of `header/items.rs`: a value without its words in raw
/// octets): others would speak for charsets that no text of the message is in.
fn texts_of_header<'e>(evidence: &'e Evidence, index: usize, part: &Part) -> impl Iterator<Item = Vec<u8>> + 'e {
    let (beside, profile) = (evidence.beside_header(index), evidence.profile);
    let witnesses = beside.witnesses(profile).before_statistics();
    let (lossy, unknown_8bit) = (profile.on_loss == OnLoss::Replace, profile.names_unknown_8bit());
    let reader = WordReader { witnesses, lossy, unknown_8bit };
    evidence.message.fields(part).iter().flat_map(move |field| {
        let value = evidence.message.slice(field.value);
        let outside = raw_text(value);
        // What is called unknown-8bit only because nothing reads it is what statistics are asked of.
        let raw = || raw_charset(&outside, WordReader { unknown_8bit: false, ..reader });
        let mut found = match FieldKind::of(evidence.message.slice(field.name)) {
            FieldKind::Parameters => doubtful_parameters(value, reader),
            _ if !outside.is_ascii() && matches!(raw(), Err(DecodeError::Unlabelled)) => vec![outside.to_vec()],
            _ => Vec::new(),
        };
        let in_words =
            words(value).filter_map(|word| doubtful_lines(octets(value, &word), value.get(word.label.clone()), reader));
        found.extend(in_words);
        found
    })
}

/// Finds the values of parameters that can't be read for want of their charset. Sections of one value are joined, as
/// they would be read.
fn doubtful_parameters(value: &[u8], reader: WordReader) -> Vec<Vec<u8>> {
    let doubtful = read(&sections(value).slices(value), reader).into_iter().filter(|parameter| {
        !parameter.octets.is_ascii()
            && matches!(&parameter.outcome, Err(ParameterError::Text(left))
                if lacks_its_charset(left, &parameter.octets, reader.witnesses.labels))
    });
    doubtful.map(|parameter| parameter.octets).collect()
}

/// Returns `true` if what is missing of a text is its charset, so that another one might read it. It must be the same
/// for parameters as [`doubtful_lines`] is for words and bodies, by the reasons that their reader has.
fn lacks_its_charset(left: &TextError, octets: &[u8], labels: &Labels) -> bool {
    match left {
        TextError::UnknownCharset(_) | TextError::Unlabelled(_) => true,
        TextError::Malformed { charset, .. } => {
            labels.find(charset.as_bytes()).is_some_and(Charset::is_ascii_compatible) && !is_damaged_utf_8(octets)
        }
        _ => false,
    }
}

/// Returns the text of a part, if mail programs show it, its transfer encoding is known, and it is doubtful. It is
/// asked with the witnesses that its planner has, but for statistics.
fn text_of_body(evidence: &Evidence, part: &Part) -> Option<Vec<u8>> {
    let text = is_shown_text(evidence.message, part).then(|| decoded(evidence.message, part))?.ok()?;
    let body = evidence.body(part);
    let inside = body.declared();
    let document = inside.as_ref().map(|(label, because)| (label.as_slice(), *because));
    let witnesses = body.witnesses(document).before_statistics();
    // A body may be called unknown-8bit whatever the form of headers (`body/declare.rs`), and is read so then.
    let Evidence { profile, .. } = *evidence;
    let reader = WordReader { witnesses, lossy: profile.replaces(), unknown_8bit: profile.unknown_8bit };
    doubtful_lines(text.into_owned(), body.label().as_deref(), reader)
}

/// Returns those lines of octets that are no UTF-8, if neither a label nor a witness explains the whole; the witnesses
/// of `reader` must be without statistics, which ask for these very texts. Those labelled unknown-8bit are left out,
/// and so are those that will be written with U+FFFD: a second run would not find them, and has to read the rest as the
/// first one did.
fn doubtful_lines(octets: Vec<u8>, label: Option<&[u8]>, reader: WordReader) -> Option<Vec<u8>> {
    let is_doubtful = match judge(&octets, label, &reader.witnesses) {
        Err(DecodeError::UnknownLabel | DecodeError::Unlabelled) => {
            !label.is_some_and(|label| reader.is_unknown_8bit(label))
        }
        // Damaged UTF-8 is that, and nothing else; a label that is not ASCII-compatible is hardly ever wrong.
        Err(DecodeError::Malformed(charset, _)) => {
            !reader.lossy && charset.is_ascii_compatible() && !is_damaged_utf_8(&octets)
        }
        // Between UTF-8 and a label other texts under that label decide, and statistics never do.
        Err(DecodeError::Ambiguous(..)) | Ok(_) => false,
    };
    // Lines that are UTF-8 are that, whatever stands around them.
    let lines = octets.split_inclusive(|octet| *octet == b'\n');
    let unread = lines.filter(|line| simdutf8::basic::from_utf8(line).is_err());
    (is_doubtful && !octets.is_ascii()).then(|| unread.flatten().copied().collect())
}
