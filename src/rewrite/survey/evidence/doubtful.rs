//! The texts of a message that nobody can read without statistics.
//!
//! They are raw octets of headers, words and bodies without a label that is true, which no other witness explains.
//! Statistics are asked of all of them at once: a subject of two words tells little, and is in the charset of the body.

use super::Evidence;
use crate::coding::encoded_word::{Undecodable, WordReader, octets, raw_charset, words};
use crate::coding::evidence::{Doubt, Witnesses, is_damaged_utf_8, judge};
use crate::message::grammar::parameter::{ParameterFault, read, sections};
use crate::message::{FieldKind, Kind, Part};
use crate::rewrite::survey::declaration::declared_inside;
use crate::rewrite::survey::reading::{decoded, is_in_transit, is_shown_text};

/// With more octets of texts than these no further text is looked at.
const ENOUGH: usize = 64 << 10;

/// The texts that were found.
#[derive(Default)]
struct DoubtfulTexts {
    texts: Vec<Vec<u8>>,
    octets: usize,
}

impl DoubtfulTexts {
    fn push(&mut self, text: Vec<u8>) {
        self.octets += text.len();
        self.texts.push(text);
    }

    fn is_enough(&self) -> bool {
        self.octets > ENOUGH
    }
}

/// Finds the texts of a message that only statistics can read, those of headers first, until there are [`ENOUGH`]
/// octets of them.
pub(super) fn doubtful_texts(evidence: &Evidence) -> Vec<Vec<u8>> {
    let parts = evidence.message.parts();
    let mut found = DoubtfulTexts::default();
    for part in parts.iter().enumerate() {
        add_header(evidence, part, &mut found);
    }
    for part in parts {
        add_body(evidence, part, &mut found);
    }
    found.texts
}

/// Adds the doubtful texts of a part's header: raw values, parameters and encoded-words.
fn add_header(evidence: &Evidence, (index, part): (usize, &Part), found: &mut DoubtfulTexts) {
    let beside = evidence.beside_header(index);
    let witnesses = beside.witnesses(evidence.profile).before_statistics();
    let reader = WordReader {
        witnesses,
        lossy: evidence.profile.replaces(),
        unknown_8bit: evidence.profile.names_unknown_8bit(),
    };
    for field in evidence.message.fields(part) {
        if found.is_enough() {
            return;
        }
        let value = evidence.message.slice(field.value);
        // What is called unknown-8bit only because nothing reads it is what statistics are asked of.
        let raw = || raw_charset(value, WordReader { unknown_8bit: false, ..reader });
        match FieldKind::of(evidence.message.slice(field.name)) {
            FieldKind::Parameters => add_parameters(value, reader, found),
            _ if !value.is_ascii() && matches!(raw(), Err(Doubt::Unlabelled)) => found.push(value.to_vec()),
            _ => {}
        }
        for word in words(value) {
            add_if_doubtful(octets(value, &word), value.get(word.label.clone()), reader, found);
        }
    }
}

/// Adds the values of parameters that can't be read for want of their charset.
fn add_parameters(value: &[u8], reader: WordReader, found: &mut DoubtfulTexts) {
    let pairs = sections(value).list;
    let sections: Vec<(&[u8], &[u8])> = pairs.iter().map(|pair| pair.slices(value)).collect();
    let doubtful = read(&sections, reader).into_iter().filter(|parameter| {
        !parameter.octets.is_ascii()
            && matches!(&parameter.outcome, Err(ParameterFault::Text(left)) if is_of_charset(left))
    });
    doubtful.for_each(|parameter| found.push(parameter.octets));
}

/// Returns `true` if what is missing of a text is its charset, so that another one might read it.
fn is_of_charset(left: &Undecodable) -> bool {
    matches!(left, Undecodable::UnknownCharset(_) | Undecodable::Unlabelled(_) | Undecodable::Malformed { .. })
}

/// Adds the text of a part, if mail programs show it, its transfer encoding is known, and it is doubtful.
fn add_body(evidence: &Evidence, part: &Part, found: &mut DoubtfulTexts) {
    if found.is_enough() || part.kind != Kind::Leaf || !is_shown_text(evidence.message, part) {
        return;
    }
    let Ok(text) = decoded(evidence.message, part) else { return };
    let inside = declared_inside(evidence.message, part, evidence.profile);
    let document = inside.as_ref().map(|(label, because)| (label.as_slice(), *because));
    let beside = evidence.beside_body(part).witnesses(evidence.profile);
    let in_transit = is_in_transit(evidence.message, part);
    let witnesses = Witnesses { document, in_transit, ..beside.before_statistics() };
    let label = part.content_type.parameter(evidence.message.raw(), "charset");
    // A body may be called unknown-8bit whatever the form of headers (`body/declare.rs`), and is read so then.
    let reader =
        WordReader { witnesses, lossy: evidence.profile.replaces(), unknown_8bit: evidence.profile.unknown_8bit };
    add_if_doubtful(text.into_owned(), label.as_deref(), reader, found);
}

/// Adds octets that neither a label nor a witness explains; the witnesses of `reader` must be without statistics. Those
/// labelled unknown-8bit are left out, and so are those that will be written with U+FFFD: a second run would not find
/// them, and has to read the rest as the first one did.
fn add_if_doubtful(octets: Vec<u8>, label: Option<&[u8]>, reader: WordReader, found: &mut DoubtfulTexts) {
    let is_doubtful = match judge(&octets, label, &reader.witnesses) {
        Err(Doubt::UnknownLabel | Doubt::Unlabelled) => !label.is_some_and(|label| reader.is_unknown_8bit(label)),
        // Damaged UTF-8 is that, and nothing else; a label that is not ASCII-compatible is hardly ever wrong.
        Err(Doubt::Malformed(charset, _)) => {
            !reader.lossy && charset.is_ascii_compatible() && !is_damaged_utf_8(&octets)
        }
        // Between UTF-8 and a label other texts under that label decide, and statistics never do.
        Err(Doubt::Ambiguous(..)) | Ok(_) => false,
    };
    if is_doubtful && !octets.is_ascii() {
        // Lines that are UTF-8 are that, whatever stands around them.
        let lines = octets.split_inclusive(|octet| *octet == b'\n');
        found.push(lines.filter(|line| simdutf8::basic::from_utf8(line).is_err()).flatten().copied().collect());
    }
}
