//! Says where a field is not what it looks like, or was meant to; nothing is changed for it.
//!
//! Looked at are the texts that people decide by: the subject, the names of addresses, the names of files. In the
//! fields that say who wrote a message, a name that is itself an address of another domain is said, and a domain that
//! looks like another one.

use super::Writer;
use crate::coding::deception::{Oddity, oddities};
use crate::coding::encoded_word::{WordReader, decode_unstructured, needs_words};
use crate::coding::evidence::encoded_once;
use crate::coding::iri::suspicious_domain;
use crate::message::grammar::address::{AddressList, Mailbox};
use crate::message::grammar::parameter;
use crate::message::{Field, FieldNames, Part, WITH_PARAMETERS};
use crate::rewrite::header::{each_once, names_a_file};
use crate::rewrite::{Note, Outcome};

/// The field that says what a message is about.
const SUBJECT: FieldNames = FieldNames::of("Subject");

/// The fields that say who wrote a message.
const AUTHORS: FieldNames = FieldNames::of("From Sender Reply-To");

/// All fields that are looked at: these, and those whose names people read besides.
const LOOKED_AT: FieldNames = SUBJECT.and(AUTHORS).and(WITH_PARAMETERS).and(FieldNames::of("To Cc Bcc"));

/// The most notes that one field gets.
const NOTES: usize = 4;

impl Writer<'_, '_, '_> {
    /// Notes what is odd about the fields of a part, as they came; each note once, and [`NOTES`] of a field at most.
    /// Values beyond the limit are not looked at, nor those that can't deceive ([`may_deceive`](Self::may_deceive)).
    /// Fields must have been written, which tells whose second encoding is undone: that is not noted of them.
    pub(super) fn note_deceptions(&mut self, index: usize, part: &Part) {
        let message = self.survey.message;
        for field in message.fields(part).iter().filter(|field| field.is_one_of(LOOKED_AT)) {
            let value = message.slice(field.value);
            let is_long = self.survey.profile.limits.reached_by_field(value, 0).is_some();
            if is_long || !self.may_deceive(field) {
                continue;
            }
            let notes = if field.is_one_of(SUBJECT) {
                notes_of(&self.lossy_text(value), false)
            } else if field.is_one_of(WITH_PARAMETERS) {
                self.notes_of_file_names(field)
            } else {
                self.notes_of_addresses(field, field.is_one_of(AUTHORS))
            };
            let is_undone = self.undoubled.binary_search(&field.value).is_ok();
            let notes = notes.into_iter().filter(|note| !is_undone || *note != Note::DoubleEncoded);
            for note in each_once(notes, NOTES) {
                self.report_field(index, field, Outcome::Noted(note));
            }
        }
    }

    /// Returns `true` if, by one scan, there may be anything odd about a value; in nearly every one there is not. Text
    /// outside ASCII, in words or in sections is looked at unless planning found it `honest` (sorted by place). Of an
    /// author, and of nobody else, it also matters which address is shown: a second `@` or an `xn--` is looked at even
    /// if honest.
    fn may_deceive(&self, field: &Field) -> bool {
        let value = self.survey.message.slice(field.value);
        let has_text = needs_words(value) || memchr::memchr(b'*', value).is_some();
        has_text && self.honest.binary_search(&field.value).is_err()
            || field.is_one_of(AUTHORS) && shows_addresses(value)
    }

    /// Returns what reads words and parameters as far as they can be read, by the labels of the profile.
    fn reader(&self) -> WordReader<'_> {
        WordReader { lossy: true, ..WordReader::new(&self.survey.profile.labels) }
    }

    /// Decodes a text with its encoded-words, faults as U+FFFD: a note is made of what can be read of it.
    fn lossy_text(&self, octets: &[u8]) -> String {
        decode_unstructured(octets, self.reader()).text
    }

    /// Notes what is odd about the names in an address list, and of an author about the domains; stops soon after
    /// [`NOTES`], so that a list of any length costs no more. None where the value can't be read as a list.
    fn notes_of_addresses(&self, field: &Field, is_author: bool) -> Vec<Note> {
        let value = self.survey.message.slice(field.value);
        let Some(list) = AddressList::read(value) else { return Vec::new() };
        let mut notes = Vec::new();
        for mailbox in &list.mailboxes {
            let name = self.lossy_text(&value[list.octets(&mailbox.name)]);
            notes.extend(notes_of(&name, false));
            if is_author {
                notes.extend(address_of_another_domain(&name, value, mailbox).map(Note::AddressInName));
                let domain = str::from_utf8(&value[mailbox.domain.clone()]).ok();
                notes.extend(domain.and_then(suspicious_domain).map(Note::Homograph));
            }
            if notes.len() >= NOTES {
                break;
            }
        }
        notes
    }

    /// Notes what is odd about the names of files in a field with parameters, as far as they can be read.
    fn notes_of_file_names(&self, field: &Field) -> Vec<Note> {
        let value = self.survey.message.slice(field.value);
        let read = parameter::read(&parameter::sections(value).slices(value), self.reader());
        let names = read.iter().filter(|it| names_a_file(&it.name));
        names.filter_map(|it| it.outcome.as_ref().ok()).flat_map(|text| notes_of(&text.text, true)).collect()
    }
}

/// Returns `true` if a value has a second `@`, or an `xn--`, which an A-label begins with.
fn shows_addresses(value: &[u8]) -> bool {
    memchr::memchr_iter(b'@', value).nth(1).is_some()
        || memchr::memchr_iter(b'-', value).any(|at| value[at.saturating_sub(3)..=at].eq_ignore_ascii_case(b"xn--"))
}

/// Notes what is odd about a text that people are shown; of the name of a file more is odd ([`oddities`]).
fn notes_of(text: &str, is_file_name: bool) -> Vec<Note> {
    let double = encoded_once(text).map(|_| Note::DoubleEncoded);
    let odd = oddities(text, is_file_name).into_iter().map(|oddity| match oddity {
        Oddity::Bidi(character) => Note::Bidi(character),
        Oddity::Invisible(character) => Note::Invisible(character),
    });
    odd.chain(double).collect()
}

/// Finds the first address in the shown name of a mailbox whose domain is neither that of the mailbox, nor above it or
/// below.
fn address_of_another_domain(name: &str, value: &[u8], mailbox: &Mailbox) -> Option<String> {
    let domain = String::from_utf8_lossy(&value[mailbox.domain.clone()]).to_ascii_lowercase();
    // What sets an address off in a name from what stands around it.
    let pieces = name.split(|it: char| it.is_whitespace() || "<>()[]\"',;:|\\".contains(it));
    let mut words = pieces.filter(|word| !word.is_empty());
    let found = words.find(|word| {
        let Some((local, other)) = word.rsplit_once('@') else { return false };
        let other = other.trim_end_matches('.').to_ascii_lowercase();
        let is_address = !local.is_empty()
            && other.contains('.')
            && other.chars().all(|it| it.is_alphanumeric() || it == '-' || it == '.');
        is_address && !lies_in_domain(&other, &domain) && !lies_in_domain(&domain, &other)
    })?;
    Some(found.to_owned())
}

/// Returns `true` if a domain is another one, or lies below it. Both must be in lower case.
fn lies_in_domain(one: &str, other: &str) -> bool {
    one.strip_suffix(other).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}
