//! Fields with parameters: Content-Type, Content-Disposition (RFC 2045 §5.1, RFC 2231).
//!
//! A *form* is a way of writing beside the grammar of the RFCs, a row of the [`table`](super::table). Two kinds of
//! forms are told apart here. Some concern one parameter: a percent sign without digits spoils a file name, and the
//! charset beside it can be written all the same. Others *spread*: a quote that never closes, a name without its `=`,
//! half an encoded-word. Readers go on behind them each in its own way, so that no parameter of the field is sure.
//!
//! What stands between the sections is held against the grammar token by token ([`gaps`]), each value by itself
//! ([`section`]), and the sections of one name together ([`group`]).

mod extended;
mod gaps;
mod group;
mod label;
mod section;
mod usual;

pub(crate) use usual::is_usual_type;

use std::ops::Range;

use super::forms::Forms;
use super::table::Form;
use super::words;
use crate::coding::encoded_word::words as words_of;
use crate::edit::Span;
use crate::message::grammar::content_type::{ContentType, Validity};
use crate::message::grammar::lexer::{Grammar, Lexer};
use crate::message::grammar::parameter::{FieldHead, SectionName, Sections};

/// The forms of a field with parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParameterForms {
    /// Those that concern every parameter of the field.
    spread: Forms,
    /// For each parameter its name, in small letters, and its forms.
    each: Vec<(Vec<u8>, Forms)>,
}

impl ParameterForms {
    /// Returns all forms of the field.
    pub fn all(&self) -> Forms {
        self.each.iter().fold(self.spread, |sum, (_, forms)| sum.and(*forms))
    }

    /// Returns the forms that decide about one parameter, by its bare name in small letters: its own, and those that
    /// concern every parameter of the field.
    pub fn of(&self, name: &str) -> Forms {
        let own = self.each.iter().filter(|(it, _)| it == name.as_bytes());
        own.fold(self.spread, |sum, (_, forms)| sum.and(*forms))
    }
}

/// Returns the forms of the value of a field with parameters: one that begins with a media type if `begins_with_type`,
/// or else with a word alone.
///
/// ```
/// use septet::message::irregular::{Form, parameters};
///
/// let found = parameters(b"text/html; charset=utf-8; name*=utf-8''5%", true);
/// assert_eq!(found.all().irregular(), Some(Form::ExtendedPercent));
/// assert!(found.of("charset").is_regular(), "the label can be written");
/// ```
pub fn parameters(value: &[u8], begins_with_type: bool) -> ParameterForms {
    match begins_with_type && is_usual_type(value) {
        true => ParameterForms::default(),
        false => forms(value, begins_with_type),
    }
}

/// Returns the forms of a value, by reading it whole.
fn forms(value: &[u8], begins_with_type: bool) -> ParameterForms {
    let mut lexer = Lexer::new(value, Grammar::Mime);
    let head = FieldHead::read(&mut lexer);
    let end = head.sub.as_ref().or(head.main.as_ref()).map_or(0, |token| token.at.end);
    let sections = head.read_parameters(value.len(), lexer).0;
    let mut reading =
        ValueReading { value, head, head_end: end, sections, begins_with_type, found: ParameterForms::default() };
    // The head first: what is found behind it depends on which form the type has.
    reading.find_head_forms();
    reading.find_word_forms();
    reading.find_gap_forms();
    reading.find_value_forms();
    reading.find_group_forms();
    reading.found
}

/// A value that is being read.
struct ValueReading<'v> {
    value: &'v [u8],
    head: FieldHead,
    /// Where the words before the parameters end; 0 without one.
    head_end: usize,
    sections: Sections,
    begins_with_type: bool,
    found: ParameterForms,
}

impl<'v> ValueReading<'v> {
    /// Adds the forms of what stands before the parameters: the media type, or the word. Where a word alone is due, an
    /// empty value has no form.
    fn find_head_forms(&mut self) {
        let spread = &mut self.found.spread;
        if !self.begins_with_type {
            let is_word = self.head.main.is_some() && !self.head.slash;
            spread.add_if(!is_word && !self.value.trim_ascii().is_empty(), Form::ParameterStray);
            return;
        }
        match ContentType::read(self.value, Span::new(0, self.value.len())).validity {
            Validity::Valid => {}
            Validity::Lenient if self.head.sub.is_some() => {
                spread.add(Form::TypeUnseparated);
                // To who takes all up to the semicolon for the type, a quote that is open there closes elsewhere.
                let first = self.value.split(|octet| *octet == b';').next().unwrap_or_default();
                let has_odd_quotes = first.iter().filter(|octet| **octet == b'"').count() % 2 == 1;
                spread.add_if(has_odd_quotes, Form::ParameterOpen);
            }
            Validity::Lenient => spread.add(Form::TypeMainAlone),
            Validity::Invalid => spread.add(Form::TypeInvalid),
        }
    }

    /// Adds to the forms that spread that of encoded-words that are broken or halved, or begin in one value and end in
    /// another.
    fn find_word_forms(&mut self) {
        let found: Vec<_> = words_of(self.value).collect();
        let is_whole = found.iter().all(|word| self.is_within_value(&word.at));
        self.found.spread.extend(words::broken(self.value, &found));
        self.found.spread.add_if(!is_whole || words::is_half(self.value, &found), Form::WordBroken);
    }

    /// Returns `true` if a range lies within the value of one section.
    fn is_within_value(&self, at: &Range<usize>) -> bool {
        let list = &self.sections.list;
        let section = list.get(list.partition_point(|section| section.value.end <= at.start));
        section.is_some_and(|section| section.value.start <= at.start && at.end <= section.value.end)
    }

    /// Returns a section's name taken apart, and its value as written.
    fn taken_apart(&self, index: usize) -> (SectionName<'v>, &'v [u8]) {
        let section = &self.sections.list[index];
        (SectionName::of(&self.value[section.name.clone()]), &self.value[section.value.clone()])
    }

    /// Adds forms of one parameter, by its bare name.
    fn add(&mut self, base: &[u8], forms: Forms) {
        if forms != Forms::default() {
            self.found.each.push((base.to_ascii_lowercase(), forms));
        }
    }
}
