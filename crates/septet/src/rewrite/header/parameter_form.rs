//! The form that a parameter has afterwards: a plain value, the percent form of RFC 2231, or both.

use super::parameters::{ParameterPlanner, RAW, SECTION};
use crate::coding::charset::{Charset, MappingError};
use crate::coding::encoded_word::{
    Conformity, LinePosition, ReadText, WordFormat, WordPlace, encode, is_line_separator,
};
use crate::coding::evidence;
use crate::message::grammar::parameter::{Parameter, ParameterForm, plain, quoted, write};
use crate::rewrite::{EscapeForm, FileNames, HeaderForm};

/// What takes the place of a parameter, and the name of its form, for the report.
type NewSections = (Vec<String>, String);

/// What a parameter is to be written as.
enum Wanted {
    /// A plain value with escapes.
    Escapes,
    /// A plain value, which is ASCII.
    Ascii,
    /// Raw UTF-8 in quotes.
    Raw,
    /// Words in quotes, beside the extended form.
    Words,
    /// The extended form, or for the name of a file both if the target asks for that.
    Extended(Charset),
}

impl ParameterPlanner<'_> {
    /// Returns `true` if a parameter is fine as it stands, written so well. One that can't be read is if the target
    /// asks for nothing that it could hold. What [`new_sections`](Self::new_sections) writes must be fine, or a second
    /// run would write it anew.
    pub(super) fn is_fine(&self, parameter: &Parameter, conformity: Conformity) -> bool {
        match (self.target.form, &parameter.outcome) {
            (HeaderForm::Keep, _) => true,
            (HeaderForm::Words, _) => !self.is_eight_bit(parameter),
            _ if parameter.shape == ParameterForm::Plain && !self.may_hold_more_than_ascii(parameter) => true,
            (_, Err(_)) => false,
            _ if self.undoubled.contains(&parameter.sections) => false,
            // Nothing else can be said of such octets, once they are no longer raw.
            (_, Ok(text)) if text.unknown => !self.is_eight_bit(parameter),
            (_, Ok(text)) if parameter.shape == ParameterForm::Plain => self.is_fine_plain(parameter, text, conformity),
            (_, Ok(text)) => match self.wanted(parameter, text) {
                Wanted::Extended(charset) => self.target.is_fine_writing(conformity) && says_in(text, charset.name()),
                _ => false,
            },
        }
    }

    /// Returns `true` if a plain parameter is fine: it is ASCII, or raw UTF-8 where that is asked for, or words in the
    /// right charset. Words are never fine where escapes are asked for; where raw text is, they are only beside an
    /// extended parameter, for old readers, and if the text can't stand raw.
    fn is_fine_plain(&self, parameter: &Parameter, text: &ReadText, conformity: Conformity) -> bool {
        let is_in_words = !self.is_eight_bit(parameter) && is_from(text, self.target.charset.name());
        let is_raw_utf_8 = self.target.form == HeaderForm::Utf8
            && is_from(text, "8bit")
            && self.values(parameter).all(|value| str::from_utf8(value).is_ok());
        let is_for_old_readers = self.has_both(parameter) || self.is_word_beside(parameter, text);
        let may_be_words = match self.target.form {
            HeaderForm::Ascii => false,
            HeaderForm::Utf8 => is_for_old_readers && !may_be_raw(&text.text),
            _ => is_for_old_readers || self.target.is_fine_writing(conformity),
        };
        text.from.is_empty() || is_raw_utf_8 || is_in_words && may_be_words
    }

    /// Returns the values of the sections of a parameter, as written, with their quotes and percent signs.
    fn values(&self, parameter: &Parameter) -> impl Iterator<Item = &[u8]> {
        parameter.sections.iter().map(|&index| self.sections[index].1)
    }

    /// Returns `true` if octets over 127 stand in the sections of a parameter.
    pub(super) fn is_eight_bit(&self, parameter: &Parameter) -> bool {
        self.values(parameter).any(|value| !value.is_ascii())
    }

    /// Returns `true` if a section may hold more than ASCII: octets over 127, a word, or ISO-2022-JP. A plain parameter
    /// that may not is passed over ([`is_fine`](Self::is_fine)).
    fn may_hold_more_than_ascii(&self, parameter: &Parameter) -> bool {
        self.values(parameter).any(|value| {
            !value.is_ascii() || memchr::memmem::find(value, b"=?").is_some() || evidence::escaped(value).is_some()
        })
    }

    /// Returns `true` if escapes with backslashes can't say a text, since one at its end would stand before the quotes.
    pub(super) fn is_lost_in_escapes(&self, text: &ReadText) -> bool {
        let target = self.target;
        target.form == HeaderForm::Ascii && target.profile.escape != EscapeForm::Xml && ends_quotes(&text.text)
    }

    /// Returns `true` if the same parameter stands in the other form too, plain or extended, by its name in any case.
    pub(super) fn has_both(&self, parameter: &Parameter) -> bool {
        let other =
            if parameter.shape == ParameterForm::Plain { ParameterForm::Extended } else { ParameterForm::Plain };
        self.shapes.contains(&(parameter.name.to_ascii_lowercase(), other))
    }

    /// Returns what a parameter is to be written as. The order of the cases counts: where both forms of a parameter
    /// stand, each stays in its form.
    fn wanted(&self, parameter: &Parameter, text: &ReadText) -> Wanted {
        let (both, said) = (self.has_both(parameter), &text.text);
        match (self.target.form, parameter.shape) {
            _ if text.unknown => Wanted::Extended(Charset::UNKNOWN_8BIT),
            (HeaderForm::Utf8 | HeaderForm::Ascii, ParameterForm::Extended) if both => Wanted::Extended(Charset::UTF_8),
            (HeaderForm::Ascii, _) => Wanted::Escapes,
            (_, ParameterForm::Plain) if said.is_ascii() && !said.contains("=?") && !ends_quotes(said) => Wanted::Ascii,
            // A raw value has no room for a language.
            (HeaderForm::Utf8, _) if parameter.language.is_none() && may_be_raw(said) => Wanted::Raw,
            (_, ParameterForm::Plain) if both => Wanted::Words,
            _ => Wanted::Extended(self.target.charset),
        }
    }

    /// Returns a parameter's new sections, and the name of the form that they have, for the report; an error if the
    /// charset lacks a character.
    pub(super) fn new_sections(&self, parameter: &Parameter, text: &ReadText) -> Result<NewSections, MappingError> {
        let (name, said) = (&parameter.name, &*text.text);
        Ok(match self.wanted(parameter, text) {
            Wanted::Escapes => (plain(name, &self.target.escaped(said, false, "\"\\"), RAW), self.target.name()),
            Wanted::Ascii => (plain(name, said, RAW), "us-ascii".to_owned()),
            Wanted::Raw => (vec![format!("{name}={}", quoted(said))], self.target.name()),
            Wanted::Words => (vec![self.words_in_quotes(name, said)?], self.target.charset.name().to_owned()),
            Wanted::Extended(charset) => (self.extended(parameter, text, charset)?, charset.name().to_owned()),
        })
    }

    /// Writes a parameter in the extended form, or the name of a file in both where these are wanted; an error if the
    /// charset lacks a character.
    ///
    /// Where both fields of the part name the file alike, Content-Type has the plain form and Content-Disposition the
    /// extended one, so that no reader joins the two. In one field the plain form comes first, since more join them the
    /// other way round. Where a form is too long for a section, none is wanted: readers differ about the sections of
    /// one beside the other, and mail-parser takes a second one for more of the plain form.
    fn extended(&self, parameter: &Parameter, text: &ReadText, charset: Charset) -> Result<Vec<String>, MappingError> {
        let (name, said) = (&parameter.name, &*text.text);
        let is_beside = self.target.named_beside == Some(said);
        if self.wants_both(parameter, text) && (!is_beside || is_name_in_content_type(parameter)) {
            let mut sections = vec![self.words_in_quotes(name, said)?];
            if !is_beside {
                sections.extend(write(name, said, charset, None, RAW)?);
            }
            if sections.len() <= 2 && sections.iter().all(|section| section.len() <= RAW) {
                return Ok(sections);
            }
        }
        let section = if self.has_both(parameter) { RAW } else { SECTION };
        write(name, said, charset, parameter.language.as_deref(), section)
    }

    /// Returns `true` if a parameter is the name of a file in Content-Type, whose Content-Disposition has the extended
    /// form: a word is what is wanted there, and what [`extended`](Self::extended) writes by the same conditions.
    fn is_word_beside(&self, parameter: &Parameter, text: &ReadText) -> bool {
        self.target.named_beside == Some(&*text.text)
            && is_name_in_content_type(parameter)
            && self.wants_both(parameter, text)
    }

    /// Returns `true` if a parameter is the name of a file that stood in a plain form, and both forms are wanted. A
    /// name with what ends a value is cut by readers that take the quotes apart once its words are decoded.
    fn wants_both(&self, parameter: &Parameter, text: &ReadText) -> bool {
        let is_asked = self.target.profile.file_names == FileNames::Both && names_a_file(&parameter.name);
        let is_plain = parameter.shape == ParameterForm::Plain && !text.unknown;
        is_asked && is_plain && !text.text.contains(['"', '\\', ';'])
    }

    /// Writes a plain parameter beside an extended one, its value as words in quotes, which is what readers without RFC
    /// 2231 understand. Between words stands a fold, at which fewer show a blank than at a space. An error if the
    /// charset lacks a character.
    fn words_in_quotes(&self, name: &str, text: &str) -> Result<String, MappingError> {
        // In a word of a phrase no octet stands that would end the quotes.
        let form = WordFormat { charset: self.target.charset, place: WordPlace::Phrase, quoted: false };
        let mut section = format!("{name}=\"");
        // A line of its own begins with a space, and behind the words come a quotation mark and a semicolon.
        let position = LinePosition { column: section.len() + 1, fold: self.target.fold, tail: 2, most: None };
        encode(text, form, position, &mut section)?;
        Ok(section + "\"")
    }
}

/// Returns `true` if a parameter of this name, in any case of letters, is the name of a file, in Content-Type or
/// Content-Disposition.
pub fn names_a_file(name: &str) -> bool {
    ["name", "filename"].iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns `true` if all of a text was written in this charset; of plain ASCII, which has no label, it always was.
fn is_from(text: &ReadText, charset: &str) -> bool {
    text.from.iter().all(|label| label.is(charset))
}

/// Returns `true` if a text stands in this charset already, or is ASCII by its label and its characters.
fn says_in(text: &ReadText, charset: &str) -> bool {
    is_from(text, charset) || is_from(text, "us-ascii") && text.text.is_ascii()
}

/// Returns `true` if a parameter is the name of a file as Content-Type has it, by its own name alone: that of the field
/// is not known here.
fn is_name_in_content_type(parameter: &Parameter) -> bool {
    parameter.name.eq_ignore_ascii_case("name")
}

/// Returns `true` if a text may stand raw in quotes. It must be short, for it is not folded; hold nothing that reads as
/// a word, for readers take words for words even there; hold no line separator of Unicode, at which some end a line;
/// and not end with a backslash ([`ends_quotes`]).
fn may_be_raw(text: &str) -> bool {
    text.len() <= RAW && !text.contains("=?") && !text.contains(is_line_separator) && !ends_quotes(text)
}

/// Returns `true` if a text in quotes would end with `\\"`: readers that count quotes take that for one of the text,
/// and what follows for more of it.
fn ends_quotes(text: &str) -> bool {
    text.ends_with('\\')
}
