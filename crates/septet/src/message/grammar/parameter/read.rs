//! Puts the sections of parameters together and decodes them.

use std::collections::HashMap;

use thiserror::Error;

use super::section_name::{NameForm, SectionName};
use super::value::{ExtendedHead, is_percent_text, is_readable_percent_text, joined};

use crate::coding::encoded_word::{
    Conformity, ReadText, TextError, WordReader, decode_mixed, is_control, raw_charset, words,
};
use crate::coding::evidence::{self, Because, DecodeError, Origin, Reading};

/// One parameter, read whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// The name without RFC 2231 marks, as first written.
    pub name: String,
    /// The sections that it was read from, as indexes into the input, in the order of their numbers.
    pub sections: Vec<usize>,
    /// How it is written.
    pub shape: ParameterForm,
    /// The language tag of an extended value; none when it is empty.
    pub language: Option<String>,
    /// How well it is written by RFC 2045 and RFC 2231, so that it may stay where its charset fits.
    pub conformity: Conformity,
    /// The octets of its sections, joined: quotes, percent signs and the charset mark undone, the charset not.
    pub octets: Vec<u8>,
    /// The text, or why it can't be read.
    pub outcome: Result<ReadText, ParameterError>,
}

/// How a parameter is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParameterForm {
    /// `name=value`, or in sections without any percent sign: `name*0=…; name*1=…`.
    Plain,
    /// With a charset: `name*=charset'language'value`, or sections of which one at least is marked so.
    Extended,
}

/// Why a parameter can't be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParameterError {
    /// Its text can't be decoded.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A section is missing; the number that was expected.
    #[error("section {0} of the parameter is missing")]
    Gap(usize),
    /// Another one of the same name and shape came first, or another section of the same number.
    #[error("the parameter stands twice")]
    Repeated,
}

/// Reads the parameters of a field from the names and values of its sections, as they are written.
///
/// `name` and `name*` of the same base are two parameters of different [`ParameterForm`], for mail writes both side by
/// side. The order is that of each one's first section.
///
/// ```
/// use septet::coding::charset::Labels;
/// use septet::coding::encoded_word::WordReader;
/// use septet::message::grammar::parameter::read;
///
/// let labels = Labels::default();
/// let reader = WordReader::new(&labels);
/// let found = read(&[(b"filename*", b"utf-8''%C3%A9.txt")], reader);
/// assert_eq!(found[0].outcome.as_ref().unwrap().text, "é.txt");
/// let found = read(&[(b"filename*1*", b"txt")], reader);
/// assert!(found[0].outcome.is_err(), "the first section is missing");
/// ```
pub fn read(sections: &[(&[u8], &[u8])], reader: WordReader<'_>) -> Vec<Parameter> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut places: HashMap<(Vec<u8>, NameForm), usize> = HashMap::new();
    let marks: Vec<SectionName> = sections.iter().map(|(name, _)| SectionName::of(name)).collect();
    for (index, mark) in marks.iter().enumerate() {
        let place = *places.entry((mark.base.to_ascii_lowercase(), mark.form())).or_insert(found.len());
        match found.get_mut(place) {
            Some(indexes) => indexes.push(index),
            None => found.push(vec![index]),
        }
    }
    found.into_iter().flat_map(|indexes| NamedSections { sections, marks: &marks, reader }.read(indexes)).collect()
}

/// Sorts the sections of one parameter by their numbers. Of several with one number, or without any, the first is kept;
/// the others are returned as the second list.
pub(super) fn in_order(mut indexes: Vec<usize>, number: impl Fn(usize) -> Option<usize>) -> (Vec<usize>, Vec<usize>) {
    indexes.sort_by_key(|&index| number(index));
    let (mut kept, mut repeated): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    for index in indexes {
        match kept.last().is_some_and(|&last| number(last) == number(index)) {
            true => repeated.push(index),
            false => kept.push(index),
        }
    }
    (kept, repeated)
}

/// The sections of a field, each with its name taken apart, as the reader of them needs them.
struct NamedSections<'a> {
    sections: &'a [(&'a [u8], &'a [u8])],
    marks: &'a [SectionName<'a>],
    reader: WordReader<'a>,
}

impl NamedSections<'_> {
    /// Reads the parameter that these sections make, all of one name and form; each of a number that stood there before
    /// becomes one more, a faulty one.
    fn read(&self, indexes: Vec<usize>) -> Vec<Parameter> {
        let (kept, repeated) = in_order(indexes, |index| self.marks[index].number);
        let twice =
            repeated.into_iter().map(|index| self.parameter(vec![index], Err(ParameterError::Repeated))).collect();
        let outcome = self.text(&kept);
        [vec![self.parameter(kept, outcome)], twice].concat()
    }

    /// Makes the parameter of these sections, in the order of their numbers, and of its text.
    fn parameter(&self, sections: Vec<usize>, outcome: Result<ReadText, ParameterError>) -> Parameter {
        let first = sections.first().copied().unwrap_or_default();
        let head = self.head(&sections);
        let tag = String::from_utf8_lossy(head.language).into_owned();
        Parameter {
            name: String::from_utf8_lossy(self.marks[first].base).into_owned(),
            shape: if self.is_extended(&sections) { ParameterForm::Extended } else { ParameterForm::Plain },
            language: (!tag.is_empty()).then_some(tag),
            conformity: outcome.as_ref().map_or(Conformity::Broken, |text| self.conformity(&sections, text)),
            octets: self.octets(&sections),
            sections,
            outcome,
        }
    }

    /// Joins sections, in the order of their numbers, and decodes them: by the charset mark, or as raw octets and
    /// encoded-words where none of them is extended or a word stands there all the same.
    fn text(&self, sections: &[usize]) -> Result<ReadText, ParameterError> {
        let numbers = sections.iter().filter_map(|&index| self.marks[index].number);
        if let Some((expected, _)) = numbers.enumerate().find(|(expected, number)| expected != number) {
            return Err(ParameterError::Gap(expected));
        }
        let octets = self.octets(sections);
        // Sequences of ISO-2022-JP in the value itself: other readers show a file of another name.
        if sections.iter().any(|&index| self.sections[index].1.contains(&0x1B)) {
            return Err(TextError::Control.into());
        }
        if !self.is_extended(sections) || self.holds_a_word(sections) {
            // It refuses control characters itself.
            return Ok(decode_mixed(&octets, raw_charset(&octets, self.reader), self.reader)?);
        }
        let label = self.head(sections).label;
        let shown = String::from_utf8_lossy(label);
        let (text, origin, lost, unknown) = match self.decode(&octets, label) {
            Err(_) if self.reader.is_unknown_8bit(label) => {
                (octets.iter().copied().map(char::from).collect(), Origin::label(shown), 0, true)
            }
            decoded => {
                let (read, lost) = decoded?;
                let origin = Origin::of(&shown, &read);
                (read.text.into_owned(), origin, lost, false)
            }
        };
        if text.chars().any(is_control) {
            return Err(TextError::Control.into());
        }
        let origin = if label.is_empty() && text.is_ascii() { Origin::label("us-ascii") } else { origin };
        Ok(ReadText { text, from: vec![origin], lost, unknown })
    }

    /// Decodes extended octets by this label. Returns with the text how many faults were replaced, which only a reader
    /// that is lossy does.
    fn decode<'o>(&self, octets: &'o [u8], label: &[u8]) -> Result<(Reading<'o>, usize), TextError> {
        // What nobody knows is kept, and has no faults.
        let is_lossy = self.reader.lossy && !self.reader.is_unknown_8bit(label);
        match evidence::judge(octets, Some(label), &self.reader.witnesses_of(label)) {
            Ok(read) if evidence::may_be_visual(read.charset, &read.text) => Err(TextError::Visual),
            Ok(read) => Ok((read, 0)),
            Err(DecodeError::Malformed(charset, _)) if is_lossy => {
                let (text, lost) = charset.decode_lossy(octets);
                Ok((Reading { charset, text, because: Because::Label, second: None }, lost))
            }
            Err(doubt) => Err(TextError::of(doubt, label)),
        }
    }

    /// Returns the octets of sections, joined in this order, their charset not undone; the first is taken for the one
    /// that may have the charset mark, whatever its number.
    fn octets(&self, sections: &[usize]) -> Vec<u8> {
        joined(sections.iter().map(|&index| (self.sections[index].1, self.marks[index].extended)))
    }

    /// Returns the charset mark of the first section, if that is extended; an empty one where there is none.
    fn head(&self, sections: &[usize]) -> ExtendedHead<'_> {
        match sections.first() {
            Some(&first) if self.marks[first].extended => ExtendedHead::of(self.sections[first].1).unwrap_or_default(),
            _ => ExtendedHead::default(),
        }
    }

    /// Tells how well a text that could be read is written: an extended one as badly as the worst of its sections, and
    /// broken where the first has no charset or the label hides the true one; a plain one well only if it is plain
    /// ASCII.
    fn conformity(&self, sections: &[usize], text: &ReadText) -> Conformity {
        let first_has_charset = sections.first().is_some_and(|&first| self.marks[first].extended);
        match self.is_extended(sections) {
            false if text.from.is_empty() => Conformity::Conforming,
            true if first_has_charset && !self.hides_escapes(sections) => {
                let each = sections.iter().enumerate().map(|(place, &index)| self.conformity_of(place, index));
                each.min().unwrap_or(Conformity::Broken)
            }
            _ => Conformity::Broken,
        }
    }

    /// Returns `true` if octets are in ISO-2022-JP though their label says otherwise.
    fn hides_escapes(&self, sections: &[usize]) -> bool {
        if evidence::escaped(&self.octets(sections)).is_none() {
            return false;
        }
        let labelled = self.reader.witnesses.labels.find(self.head(sections).label);
        labelled.is_none_or(|charset| charset.keeps_ascii())
    }

    /// Tells how well one section of an extended value is written; the one at `place` 0 must have the charset mark.
    fn conformity_of(&self, place: usize, index: usize) -> Conformity {
        let value = self.sections[index].1;
        let text = match (self.marks[index].extended, place) {
            (false, _) if value.is_ascii() => return Conformity::Conforming,
            (false, _) => return Conformity::Broken,
            (true, 0) => ExtendedHead::of(value).map(|head| head.rest),
            (true, _) => Some(value),
        };
        match text {
            Some(text) if is_percent_text(text) => Conformity::Conforming,
            Some(text) if is_readable_percent_text(text, value.starts_with(b"\"")) => Conformity::Readable,
            _ => Conformity::Broken,
        }
    }

    /// Returns `true` if there is one section and an encoded-word stands in it as it is. In an extended value none
    /// should, and nearly all decode it; in percent signs it would be text.
    fn holds_a_word(&self, sections: &[usize]) -> bool {
        sections.len() == 1 && words(self.sections[sections[0]].1).next().is_some()
    }

    /// Returns `true` if one of these sections is marked to have percent signs.
    fn is_extended(&self, sections: &[usize]) -> bool {
        sections.iter().any(|&index| self.marks[index].extended)
    }
}
