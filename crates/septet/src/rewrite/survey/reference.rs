//! What a body refers to by a name outside ASCII: both are changed, or neither.
//!
//! `<img src="http://exämple.org/é.png">` finds the sibling whose Content-Location says the same (RFC 2557 §8), and
//! `cid:å@x` the one with that Content-ID. Programs compare octets, or characters after decoding them, and no two do it
//! alike; so both are compared here, whatever charset the text is in. The fields are no text and stay as they are; so a
//! text that refers to one that is not ASCII stays too, or the picture would vanish. A name in ASCII is the same in
//! every charset, and holds nothing back.

use memchr::memmem;

use super::evidence::Evidence;
use super::reading::decoded;
use crate::coding::encoded_word::{WordReader, decode_unstructured, needs_words};
use crate::message::{Field, FieldNames, Kind, Part};
use crate::rewrite::Reason;

/// The fields that name a part for others.
const NAMING: FieldNames = FieldNames::of("Content-Location Content-ID");

/// With more names than this nothing is compared, since each text is looked through for each of them: every text that
/// would change stays, and every name.
const MANY: usize = 64;

/// A name outside ASCII that a field gives its part, without brackets and white space.
struct PartName {
    /// As it stands.
    octets: Vec<u8>,
    /// As it reads: with its encoded-words decoded, and as Latin-1.
    texts: [String; 2],
}

impl PartName {
    /// Reads a name from the value of a field; none where it is ASCII, in words or not. One that is raw and one in
    /// words are both kept as they stand and as they read, since links have either.
    fn of(value: &[u8], reader: WordReader<'_>) -> Option<PartName> {
        if !needs_words(value) {
            return None;
        }
        // Octets that are no UTF-8 are Latin-1 as good as anything: what counts is that they are compared with.
        let latin: String = value.iter().copied().map(char::from).collect();
        let texts = [decode_unstructured(value, reader).text, latin].map(|text| bare(&text));
        let is_named = texts.iter().any(|text| !text.is_ascii());
        is_named.then(|| PartName { octets: bare_octets(value), texts })
    }

    /// Returns `true` if a text holds the name, by its octets or by what it says. One too many keeps a text that might
    /// change; one too few loses a picture. A name that is ASCII in one of its readings is not looked for in that one.
    fn is_in(&self, octets: &[u8], text: &str) -> bool {
        let holds = |name: &String| !name.is_ascii() && memmem::find(text.as_bytes(), name.as_bytes()).is_some();
        let has_octets = !self.octets.is_ascii() && memmem::find(octets, &self.octets).is_some();
        has_octets || self.texts.iter().any(holds)
    }
}

/// Returns a name without brackets and white space, as links have it; [`bare_octets`] does so with octets, but takes
/// one bracket of a side.
fn bare(name: &str) -> String {
    name.trim().trim_start_matches('<').trim_end_matches('>').split_whitespace().collect()
}

/// Returns a name without brackets and white space, as octets.
fn bare_octets(value: &[u8]) -> Vec<u8> {
    let value = value.trim_ascii();
    let value = value.strip_prefix(b"<").unwrap_or(value);
    let value = value.strip_suffix(b">").unwrap_or(value);
    value.iter().copied().filter(|octet| !octet.is_ascii_whitespace()).collect()
}

/// What the texts of a message refer to by names outside ASCII; empty where no part has such a name.
#[derive(Default)]
pub(in crate::rewrite) struct References {
    /// For each part whether it is a text that refers to some part so, or may.
    referring: Vec<bool>,
    /// For each part whether some text refers to it so, or may.
    referred_to: Vec<bool>,
}

impl References {
    /// Reads every text of a message once, and looks for all names in it. A text that can't be read refers to all; with
    /// more than [`MANY`] names nothing is read, and each text refers to each part that has one.
    pub fn of(evidence: &Evidence) -> References {
        let parts = evidence.message.parts();
        let names: Vec<Vec<PartName>> = parts.iter().map(|part| names_outside_ascii(evidence, part)).collect();
        let named: Vec<bool> = names.iter().map(|names| !names.is_empty()).collect();
        if !named.contains(&true) {
            return References::default();
        }
        if names.iter().map(Vec::len).sum::<usize>() > MANY {
            return References { referring: vec![true; parts.len()], referred_to: named };
        }
        let mut found = References { referring: Vec::new(), referred_to: vec![false; parts.len()] };
        for part in parts {
            let held = names_in(evidence, part, &names).map_or_else(Vec::new, |held| held.unwrap_or(named.clone()));
            found.referring.push(held.contains(&true));
            found.referred_to.iter_mut().zip(held).for_each(|(found, held)| *found |= held);
        }
        found
    }

    /// Returns `true` if a text refers to a part by a name outside ASCII, or may. It is the text of this index; what it
    /// refers to is not said.
    pub fn has_referring(&self, index: usize) -> bool {
        self.referring.get(index) == Some(&true)
    }

    /// Returns `true` if a field names its part, and a text refers to that part by a name outside ASCII, or may.
    pub fn has_referred_to(&self, index: usize, field: &Field) -> bool {
        field.is_one_of(NAMING) && self.referred_to.get(index) == Some(&true)
    }
}

/// Returns what a part's Content-Location and Content-ID call it, where that is not ASCII.
fn names_outside_ascii(evidence: &Evidence, part: &Part) -> Vec<PartName> {
    let message = evidence.message;
    let reader = WordReader::new(&evidence.profile.labels);
    let named = message.fields(part).iter().filter(|field| field.is_one_of(NAMING));
    named.filter_map(|field| PartName::of(message.slice(field.value), reader)).collect()
}

/// Returns for each part whether the text of `part` holds one of its names; none where that is no text that may hold
/// links, and an error where it can't be read. It is read as its planner reads it, so that no name is missed that is
/// written in the end.
fn names_in(evidence: &Evidence, part: &Part, names: &[Vec<PartName>]) -> Option<Result<Vec<bool>, Reason>> {
    let body = evidence.body(part);
    let form = body.kind.filter(|form| part.kind == Kind::Leaf && form.holds_links())?;
    Some(decoded(evidence.message, part).and_then(|octets| {
        let read = body.read_text(form, &octets)?;
        Ok(names.iter().map(|names| names.iter().any(|name| name.is_in(&octets, &read.text))).collect())
    }))
}
