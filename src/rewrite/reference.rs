//! What a body refers to by a name outside ASCII: both are changed, or neither.
//!
//! `<img src="http://exämple.org/é.png">` finds the sibling whose Content-Location says the same (RFC 2557 §8), and
//! `cid:å@x` the one with that Content-ID. Programs compare octets, or characters after decoding them, and no two do it
//! alike. The fields are no text and stay as they are; so a text that refers to one that is not ASCII stays too, or the
//! picture would vanish. A name in ASCII is the same in every charset, and holds nothing back.

use memchr::memmem;

use super::Reason;
use super::body::{self, BodyPlan};
use super::planner::Planner;
use crate::coding::encoded_word::{WordReader, decode_unstructured};
use crate::message::irregular::Form;
use crate::message::{Field, FieldNames, Part};

const MUST_STAY_ALIKE: Reason = Reason::Irregular(Form::LinkOctets);

/// The fields that name a part for others.
const NAMING: FieldNames = FieldNames::of("Content-Location Content-ID");

/// With more names than this nothing is compared: every text that would change stays, and every name.
const MANY: usize = 64;

impl Planner<'_, '_> {
    /// Takes back the plans of texts that would change and refer to a part by a name outside ASCII, or may, since they
    /// can't be read; with more than [`MANY`] names, of all texts that would change. The bodies must have been planned.
    pub(super) fn skip_referring(&mut self) {
        let parts = self.message.parts();
        let names: Vec<String> = parts.iter().flat_map(|part| self.names_outside_ascii(part)).collect();
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
        let names: Vec<Vec<String>> = parts.iter().map(|part| self.names_outside_ascii(part)).collect();
        if names.iter().map(Vec::len).sum::<usize>() > MANY {
            return names.iter().map(|names| !names.is_empty()).collect();
        }
        let mut found = vec![false; parts.len()];
        if names.iter().all(Vec::is_empty) {
            return found;
        }
        for part in parts {
            let Some(read) =
                body::link_text(self.message, part, &self.profile_that_reads_links(), self.evidence.beside_body(part))
            else {
                continue;
            };
            for (found, names) in found.iter_mut().zip(&names).filter(|(found, _)| !**found) {
                *found = match &read {
                    Ok(read) => names.iter().any(|name| holds(&read.text, name)),
                    Err(_) => !names.is_empty(),
                };
            }
        }
        found
    }

    /// Returns what a part's Content-Location and Content-ID call it, where that is not ASCII: each with its
    /// encoded-words decoded, and as Latin-1, without brackets and white space.
    fn names_outside_ascii(&self, part: &Part) -> Vec<String> {
        let raw = self.message.raw();
        let fields = self.message.fields(part).iter();
        let named = fields.filter(|field| field.is_one_of(NAMING));
        let reader = WordReader::new(&self.profile.labels);
        let mut names = Vec::new();
        for value in named.map(|field| field.value.slice(raw)) {
            // Octets that are no UTF-8 are Latin-1 as good as anything: what counts is that they are compared with.
            let latin: String = value.iter().copied().map(char::from).collect();
            names.extend([decode_unstructured(value, reader).text, latin]);
        }
        let bare = |name: &String| {
            name.trim().trim_start_matches('<').trim_end_matches('>').split_whitespace().collect::<String>()
        };
        names.iter().map(bare).filter(|name| !name.is_ascii()).collect()
    }

    /// Returns `true` if a part is a text that holds one of the names, or one that can't be read and so may.
    fn refers_to(&self, part: &Part, names: &[String]) -> bool {
        match body::link_text(self.message, part, &self.profile_that_reads_links(), self.evidence.beside_body(part)) {
            Some(Ok(read)) => names.iter().any(|name| holds(&read.text, name)),
            Some(Err(_)) => true,
            None => false,
        }
    }

    /// Returns the profile with links looked at, whatever it makes of them: one that keeps them has no texts that hold
    /// links.
    fn profile_that_reads_links(&self) -> super::Profile {
        super::Profile { iris: super::Iris::ToUri, ..self.profile.clone() }
    }
}

fn holds(text: &str, name: &str) -> bool {
    memmem::find(text.as_bytes(), name.as_bytes()).is_some()
}
