//! The form that a parameter has afterwards: a plain value, the percent form of RFC 2231, or both.

use super::parameters::{ParameterPlanner, RAW, SECTION};
use crate::coding::charset::{Charset, Unmappable};
use crate::coding::encoded_word::{Conformity, LinePosition, WordFormat, WordPlace, encode, is_line_separator};
use crate::message::grammar::parameter::{Parameter, ParameterForm, ParameterText, plain, quote, write};
use crate::rewrite::{FileNames, HeaderForm};

/// The parameters that name a file.
const FILE: [&str; 2] = ["name", "filename"];

/// What takes the place of a parameter, and the name of its form, for the report.
type NewSections = (Vec<String>, String);

impl ParameterPlanner<'_> {
    /// Returns `true` if a parameter that can be read, and is written so well, must be written otherwise, in the form and the
    /// charset that the target asks for; `needs_change` must have said that it may.
    pub(super) fn is_unsuitable(&self, parameter: &Parameter, text: &ParameterText, conformity: Conformity) -> bool {
        let eight_bit = parameter.sections.iter().any(|&index| !self.sections[index].1.is_ascii());
        let is_good = self.target.tolerates(conformity);
        match (self.target.form, parameter.shape) {
            (HeaderForm::Keep, _) => false,
            _ if self.undoubled.contains(&parameter.sections) => true,
            (HeaderForm::Words, _) => eight_bit,
            // Nothing else can be said of such octets, once they are no longer raw.
            _ if text.unknown => eight_bit,
            // Beside a plain form, the extended one stays what it is: the form for readers who know better.
            (HeaderForm::Utf8 | HeaderForm::Ascii, ParameterForm::Extended) if self.has_both(parameter) => {
                !(is_good && says_in(text, "utf-8"))
            }
            // A raw value has no room for a language.
            (HeaderForm::Utf8, ParameterForm::Extended) if parameter.language.is_some() || !may_be_raw(&text.text) => {
                !(is_good && says_in(text, "utf-8"))
            }
            (HeaderForm::Utf8, ParameterForm::Extended) => true,
            (HeaderForm::Utf8, ParameterForm::Plain) if is_from(text, "8bit") && self.is_utf8(parameter) => false,
            (HeaderForm::Ascii, ParameterForm::Extended) => true,
            (_, ParameterForm::Extended) => !(is_good && says_in(text, self.target.charset.name())),
            (_, ParameterForm::Plain) if self.is_good_fallback(parameter, text) => false,
            (_, ParameterForm::Plain)
                if !eight_bit && !self.target.is_raw() && is_from(text, self.target.charset.name()) =>
            {
                !is_good && !text.from.is_empty()
            }
            (_, ParameterForm::Plain) => !text.from.is_empty(),
        }
    }

    /// Returns `true` if a plain value beside an extended one is what [`fallback`](Self::fallback) writes: ASCII, and
    /// words in the right charset. Where raw text is wanted, words are right only for a text that can't stand raw.
    fn is_good_fallback(&self, parameter: &Parameter, text: &ParameterText) -> bool {
        let is_word = self.target.form == HeaderForm::Utf8 && !may_be_raw(&text.text);
        let charset = if is_word { "utf-8" } else { self.target.charset.name() };
        (is_word || !self.target.is_raw())
            && (self.has_both(parameter) || self.is_word_beside(parameter, &text.text))
            && parameter.sections.iter().all(|&index| self.sections[index].1.is_ascii())
            && is_from(text, charset)
    }

    /// Returns `true` if escapes can't say a text, since a backslash at its end would stand before the quotes.
    pub(super) fn is_lost_in_escapes(&self, text: &ParameterText) -> bool {
        self.target.writes_backslashes() && ends_quotes(&text.text)
    }

    /// Returns `true` if the same parameter stands in the other form too, plain or extended.
    pub(super) fn has_both(&self, parameter: &Parameter) -> bool {
        let other =
            if parameter.shape == ParameterForm::Plain { ParameterForm::Extended } else { ParameterForm::Plain };
        self.shapes.contains(&(parameter.name.to_ascii_lowercase(), other))
    }

    /// Returns `true` if the sections of a parameter are UTF-8 as they stand.
    fn is_utf8(&self, parameter: &Parameter) -> bool {
        parameter.sections.iter().all(|&index| std::str::from_utf8(self.sections[index].1).is_ok())
    }

    /// Returns a parameter's new sections, and the name of the form that they have, for the report; an error if the
    /// charset lacks a character. The order of the cases counts: where both forms of a parameter stand, each stays in
    /// its form.
    pub(super) fn new_sections(&self, parameter: &Parameter, text: &ParameterText) -> Result<NewSections, Unmappable> {
        let (name, language) = (&parameter.name, parameter.language.as_deref());
        let (text, text_is_unknown, both) = (&text.text, text.unknown, self.has_both(parameter));
        // Beside a plain form one section must do: mail-parser takes a second one for more of that form.
        let section = if both { RAW } else { SECTION };
        match (self.target.form, parameter.shape) {
            _ if text_is_unknown => {
                let charset = Charset::UNKNOWN_8BIT;
                Ok((write(name, text, charset, language, SECTION)?, charset.name().to_owned()))
            }
            (HeaderForm::Utf8 | HeaderForm::Ascii, ParameterForm::Extended) if both => {
                let charset = Charset::UTF_8;
                Ok((write(name, text, charset, language, section)?, charset.name().to_owned()))
            }
            (HeaderForm::Ascii, _) => {
                Ok((plain(name, &self.target.escaped(text, false, "\"\\"), RAW), self.target.name()))
            }
            (_, ParameterForm::Plain) if text.is_ascii() && !text.contains("=?") && !ends_quotes(text) => {
                Ok((plain(name, text, RAW), "us-ascii".to_owned()))
            }
            (HeaderForm::Utf8, _) if language.is_none() && may_be_raw(text) => {
                Ok((vec![format!("{name}={}", quoted(text))], self.target.name()))
            }
            (form, ParameterForm::Plain) if both => {
                let to = if form == HeaderForm::Utf8 { Charset::UTF_8.name().to_owned() } else { self.target.name() };
                Ok((vec![self.fallback(name, text)?], to))
            }
            (form, _) => {
                let charset = if form == HeaderForm::Utf8 { Charset::UTF_8 } else { self.target.charset };
                let sections = self.in_wanted_forms(parameter, text, charset)?;
                Ok((
                    sections.map_or_else(|| write(name, text, charset, language, section), Ok)?,
                    charset.name().to_owned(),
                ))
            }
        }
    }

    /// Returns the name of a file with the plain form that is wanted, or `None` where the extended form is to stand alone.
    ///
    /// Where both fields of the part name the file alike, Content-Type has the plain form and Content-Disposition the extended one,
    /// so that no reader joins the two. In one field the plain form comes first, since more join them the other way round.
    /// Where a form is too long for a section, none is wanted: readers differ about the sections of one beside the other.
    fn in_wanted_forms(
        &self,
        parameter: &Parameter,
        text: &str,
        charset: Charset,
    ) -> Result<Option<Vec<String>>, Unmappable> {
        let is_beside = self.target.named_beside == Some(text);
        if !self.wants_both(parameter, text) || is_beside && !is_of_type(parameter) {
            return Ok(None);
        }
        let name = &parameter.name;
        let mut sections = vec![self.fallback(name, text)?];
        if !is_beside {
            sections.extend(write(name, text, charset, None, RAW)?);
        }
        let fits = sections.len() <= 2 && sections.iter().all(|section| section.len() <= RAW);
        Ok(fits.then_some(sections))
    }

    /// Returns `true` if a parameter is the name of a file in Content-Type, whose Content-Disposition has the extended form:
    /// a word is what is wanted there.
    fn is_word_beside(&self, parameter: &Parameter, text: &str) -> bool {
        self.target.named_beside == Some(text) && is_of_type(parameter) && self.wants_both(parameter, text)
    }

    /// Returns `true` if a parameter is the name of a file that stood in a plain form, and both forms are wanted. A name with
    /// what ends a value is cut by readers that take the quotes apart once its words are decoded.
    fn wants_both(&self, parameter: &Parameter, text: &str) -> bool {
        let is_file = FILE.iter().any(|name| name.eq_ignore_ascii_case(&parameter.name));
        let is_asked = self.target.file_names == FileNames::Both && is_file;
        is_asked && parameter.shape == ParameterForm::Plain && !text.contains(['"', '\\', ';'])
    }

    /// Writes a plain parameter beside an extended one, its value as words in quotes, which is what readers without RFC 2231
    /// understand. Between words stands a fold, at which fewer show a blank than at a space.
    fn fallback(&self, name: &str, text: &str) -> Result<String, Unmappable> {
        let form = WordFormat { charset: self.target.charset, place: WordPlace::Phrase, quoted: false };
        let mut section = format!("{name}=\"");
        let position = LinePosition { column: section.len() + 1, fold: self.target.fold, tail: 2, most: None };
        encode(text, form, position, &mut section)?;
        Ok(section + "\"")
    }
}

/// Returns `true` if all of a text was written in this charset.
fn is_from(text: &ParameterText, charset: &str) -> bool {
    text.from.iter().all(|label| label.is(charset))
}

/// Returns `true` if a text stands in this charset already, or is ASCII by its label and its characters.
fn says_in(text: &ParameterText, charset: &str) -> bool {
    is_from(text, charset) || is_from(text, "us-ascii") && text.text.is_ascii()
}

/// Returns `true` if a parameter is the name of a file in Content-Type.
fn is_of_type(parameter: &Parameter) -> bool {
    parameter.name.eq_ignore_ascii_case("name")
}

/// Returns `true` if a text may stand raw in quotes. It must be short, for it is not folded; hold nothing that reads as
/// a word, for readers take words for words even there; hold no line separator of Unicode, at which some end a line;
/// and not end with a backslash ([`ends_quotes`]).
fn may_be_raw(text: &str) -> bool {
    text.len() <= RAW && !text.contains("=?") && !text.contains(is_line_separator) && !ends_quotes(text)
}

/// Returns `true` if a text in quotes would end with `\\"`: readers that count quotes take that for one of the text, and what
/// follows for more of it.
fn ends_quotes(text: &str) -> bool {
    text.ends_with('\\')
}

/// Returns a text in quotes, even if it is a token.
fn quoted(text: &str) -> String {
    let quoted = quote(text);
    if quoted.starts_with('"') { quoted } else { format!("\"{quoted}\"") }
}
