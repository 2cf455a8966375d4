//! What a body refers to by a name outside ASCII: both are changed, or neither.
//!
//! `<img src="http://exämple.org/é.png">` finds the sibling whose Content-Location says the same (RFC 2557 §8), and
//! `cid:å@x` the one with that Content-ID. Programs compare octets, or characters after decoding them, and no two do it
//! alike; so both are compared here, whatever charset the text is in. The fields are no text and stay as they are; so a
//! text that refers to one that is not ASCII stays too, or the picture would vanish. A name in ASCII is the same in every
//! charset, and holds nothing back.

use memchr::memmem;

use super::Reason;
use super::body;
use super::body_plan::BodyPlan;
use super::planner::Planner;
use crate::coding::encoded_word::{WordReader, decode_unstructured};
use crate::message::irregular::Form;
use crate::message::{Field, FieldNames, Part};

const MUST_STAY_ALIKE: Reason = Reason::Irregular(Form::LinkOctets);

/// The fields that name a part for others.
const NAMING: FieldNames = FieldNames::of("Content-Location Content-ID");

/// With more names than this nothing is compared: every text that would change stays, and every name.
const MANY: usize = 64;

/// A name outside ASCII that a field gives its part, without brackets and white space.
struct PartName {
    /// As it stands.
    octets: Vec<u8>,
    /// As it reads: with its encoded-words decoded, and as Latin-1.
    texts: [String; 2],
}

impl PartName {
    /// Reads a name from the value of a field; none where it is ASCII, in words or not.
    fn of(value: &[u8], reader: WordReader<'_>) -> Option<PartName> {
        // Octets that are no UTF-8 are Latin-1 as good as anything: what counts is that they are compared with.
        let latin: String = value.iter().copied().map(char::from).collect();
        let texts = [decode_unstructured(value, reader).text, latin].map(|text| bare(&text));
        let is_named = texts.iter().any(|text| !text.is_ascii());
        is_named.then(|| PartName { octets: bare_octets(value), texts })
    }

    /// Returns `true` if a text holds the name, by its octets or by what it says.
    fn is_in(&self, octets: &[u8], text: &str) -> bool {
        let holds = |name: &String| !name.is_ascii() && memmem::find(text.as_bytes(), name.as_bytes()).is_some();
        let has_octets = !self.octets.is_ascii() && memmem::find(octets, &self.octets).is_some();
        has_octets || self.texts.iter().any(holds)
    }
}

/// Returns a name without brackets and white space.
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

impl Planner<'_, '_> {
    /// Takes back the plans of texts that would change and refer to a part by a name outside ASCII, or may, since they
    /// can't be read; with more than [`MANY`] names, of all texts that would change. The bodies must have been planned.
    pub(super) fn skip_referring(&mut self) {
        let parts = self.message.parts();
        let names: Vec<PartName> = parts.iter().flat_map(|part| self.names_outside_ascii(part)).collect();
        if names.is_empty() {
            return;
        }
        for (index, part) in parts.iter().enumerate() {
            let changes = self.bodies[index].body.is_some() || self.bodies[index].charset.is_some();
            if changes && (names.len() > MANY || self.refers_to(part, &names)) {
                self.bodies[index] = BodyPlan::left(MUST_STAY_ALIKE);
            }
        }
    }

    /// Returns `true` if a field names its part, and a text refers to that part by a name outside ASCII, or may: a text
    /// that can't be read refers to all, and of more than [`MANY`] names each counts as referred to.
    pub(super) fn is_referred_to(&self, index: usize, field: &Field) -> bool {
        field.is_one_of(NAMING) && self.referred_to.get_or_init(|| self.parts_referred_to()).get(index) == Some(&true)
    }

    /// Returns for each part whether a text refers to it by a name outside ASCII, or may. Every text is read once, and
    /// all names are looked for in it.
    fn parts_referred_to(&self) -> Vec<bool> {
        let parts = self.message.parts();
        let names: Vec<Vec<PartName>> = parts.iter().map(|part| self.names_outside_ascii(part)).collect();
        if names.iter().map(Vec::len).sum::<usize>() > MANY {
            return names.iter().map(|names| !names.is_empty()).collect();
        }
        let mut found = vec![false; parts.len()];
        if names.iter().all(Vec::is_empty) {
            return found;
        }
        for part in parts {
            let held = self.look_into(part, |octets, text| {
                names.iter().map(|names| names.iter().any(|name| name.is_in(octets, text))).collect()
            });
            let may_hold = || names.iter().map(|names| !names.is_empty()).collect::<Vec<bool>>();
            let held = held.map(|held| held.unwrap_or_else(|_| may_hold()));
            found.iter_mut().zip(held.into_iter().flatten()).for_each(|(found, held)| *found |= held);
        }
        found
    }

    /// Returns what a part's Content-Location and Content-ID call it, where that is not ASCII.
    fn names_outside_ascii(&self, part: &Part) -> Vec<PartName> {
        let raw = self.message.raw();
        let fields = self.message.fields(part).iter();
        let reader = WordReader::new(&self.profile.labels);
        let named = fields.filter(|field| field.is_one_of(NAMING));
        named.filter_map(|field| PartName::of(field.value.slice(raw), reader)).collect()
    }

    /// Returns `true` if a part is a text that holds one of the names, or one that can't be read and so may.
    fn refers_to(&self, part: &Part, names: &[PartName]) -> bool {
        let held = self.look_into(part, |octets, text| names.iter().any(|name| name.is_in(octets, text)));
        held.is_some_and(|held| held.unwrap_or(true))
    }

    /// Looks into the text of a part, its octets and what they say, for links that the profile may keep; none where the
    /// part is no text that holds links, and an error where it can't be read.
    fn look_into<T>(&self, part: &Part, look: impl FnOnce(&[u8], &str) -> T) -> Option<Result<T, Reason>> {
        // A profile that keeps links has no texts that hold any.
        let profile = super::Profile { iris: super::Iris::ToUri, ..self.profile.clone() };
        body::with_link_text(self.message, part, &profile, self.evidence.beside_body(part), |octets, read| {
            look(octets, &read.text)
        })
    }
}
