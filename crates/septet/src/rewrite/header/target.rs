//! What a field is to become: the settings that planning one field needs, and nothing more.

use std::borrow::Cow;

use crate::coding::charset::Charset;
use crate::coding::encoded_word::{Conformity, TextError, WordReader};
use crate::coding::escape::{EscapeForm, closest, escape_also, escape_into};
use crate::message::irregular::Form;
use crate::rewrite::survey::evidence::beside::Beside;
use crate::rewrite::{HeaderForm, OnLoss, Profile, Reason, Repair};

/// What a field is to become.
#[derive(Clone, Copy)]
pub struct FieldTarget<'a> {
    /// What is wanted of a message; what is asked of this field otherwise stands beside it.
    pub profile: &'a Profile,
    /// How characters stand in it afterwards.
    pub form: HeaderForm,
    /// The charset of words and parameters that are written.
    pub charset: Charset,
    /// The name that the other field of the part gives the file.
    pub named_beside: Option<&'a str>,
    /// What labels mean, and what raw 8-bit is taken for.
    pub reader: WordReader<'a>,
    /// The line end of folds; without it nothing is folded.
    pub fold: Option<&'a str>,
    /// Whether `=?…?=` in the value is text and not a word, as it is for what a person typed.
    pub literal: bool,
    /// The octets that a value may have; none where it may have any. Raw UTF-8 is not held to it: the caller measures
    /// that.
    pub most: Option<usize>,
}

impl<'a> FieldTarget<'a> {
    /// Returns the target by which a field is read and nothing of it written: by the labels of a profile, by what it
    /// tries where there is none, and by the charsets that texts beside the header declare. The proof reads the old and
    /// the new value by it, and other targets are filled up from it. Its form is not looked at for what is written, but
    /// tells where words may stand (`segment.rs`) and how line ends are read (`items.rs`): with
    /// [`Keep`](HeaderForm::Keep) every place that may hold a word is read as one, as mail programs do, whatever form
    /// the planner wrote.
    pub fn reading(profile: &'a Profile, beside: Beside<'a>) -> FieldTarget<'a> {
        let (lossy, unknown_8bit) = (profile.on_loss == OnLoss::Replace, profile.names_unknown_8bit());
        let reader = WordReader { witnesses: beside.witnesses(profile), lossy, unknown_8bit };
        let (form, charset) = (HeaderForm::Keep, Charset::UTF_8);
        FieldTarget { profile, form, charset, named_beside: None, reader, fold: None, literal: false, most: None }
    }

    /// Returns the target for which the fields of a message are planned; `end` is the line end of folds.
    pub fn writing(profile: &'a Profile, beside: Beside<'a>, end: &'a str) -> FieldTarget<'a> {
        let (form, charset) = (profile.headers, profile.headers_charset());
        let (fold, most) = (Some(end), Some(profile.limits.field_bytes));
        FieldTarget { form, charset, fold, most, ..FieldTarget::reading(profile, beside) }
    }

    /// Returns the target of raw UTF-8 that can't stand raw, and is written in words. The profile still says that raw
    /// text is wanted, by which [`Item::is_fine`](super::item::Item::is_fine) lets other raw UTF-8 stay.
    pub fn in_words(&self) -> FieldTarget<'a> {
        FieldTarget { form: HeaderForm::Utf8Words, ..*self }
    }

    /// Returns `true` if characters are written as they are or as escapes, and not as words.
    pub fn is_raw(&self) -> bool {
        matches!(self.form, HeaderForm::Utf8 | HeaderForm::Ascii)
    }

    /// Returns `true` if octets over 127 may stand anywhere in a value: in UTF-8 where raw text is wanted, and where
    /// headers are kept, so that nothing is asked but the charset of a body and links.
    pub fn may_stand_raw(&self, value: &[u8]) -> bool {
        match self.form {
            HeaderForm::Keep => true,
            HeaderForm::Utf8 => str::from_utf8(value).is_ok(),
            _ => false,
        }
    }

    /// Returns `true` if words are fine as they stand that say `text` in this charset, written so well. Under us-ascii
    /// they are if they say ASCII: settings may give that label another meaning.
    pub fn is_fine(&self, charset: &str, text: &str, conformity: Conformity) -> bool {
        match self.form {
            HeaderForm::Keep | HeaderForm::Words => true,
            HeaderForm::Utf8 | HeaderForm::Ascii => false,
            HeaderForm::Utf8Words | HeaderForm::Utf7Words => {
                let is_ascii = charset.eq_ignore_ascii_case("us-ascii") && text.is_ascii();
                (is_ascii || charset.eq_ignore_ascii_case(self.charset.name())) && self.is_fine_writing(conformity)
            }
        }
    }

    /// Returns `true` if words or a parameter in the right charset are fine as they stand, by how well they are written
    /// and what the profile repairs.
    pub fn is_fine_writing(&self, conformity: Conformity) -> bool {
        match self.profile.repair {
            Repair::Unreadable => conformity != Conformity::Broken,
            Repair::All => conformity == Conformity::Conforming,
            Repair::Keep => true,
        }
    }

    /// Returns the name of what characters become, for the report: where an item was in that already, the report says
    /// that it is repaired (`SegmentPlanner::add_changes`). These words are in every report: `septet review` knows
    /// `raw`, and the page of a report parts a change at its last `>`, which none may hold.
    pub fn name(&self) -> String {
        match self.form {
            HeaderForm::Utf8 => "raw".to_owned(),
            HeaderForm::Ascii if self.profile.closest => "closest".to_owned(),
            HeaderForm::Ascii => self.profile.escape.name().to_owned(),
            _ => self.charset.name().to_owned(),
        }
    }

    /// Returns a text as [`HeaderForm::Ascii`] has it: in the closest letters, if these are wanted, and else in
    /// escapes, with nothing left that reads as a word.
    ///
    /// `edges` says that white space at the text's ends would be lost, so it is escaped there. `special` are characters
    /// that must not stand bare: parentheses, `"` and `\` among them become no escapes, for the caller to write a
    /// backslash before each, and all others do. In [`EscapeForm::Xml`] all of these do, since some readers show
    /// backslashes.
    pub fn escaped(&self, text: &str, edges: bool, special: &str) -> String {
        let text = &*self.profile.closest_letters().map_or(Cow::Borrowed(text), |language| closest(text, language).0);
        let body = text.trim_start_matches([' ', '\t']);
        let inner = text.len() - body.len()..text.trim_end_matches([' ', '\t']).len();
        let mut equals = String::new();
        escape_into(&mut equals, '=', self.profile.escape);
        let escaped = escape_also(text, self.profile.escape, |at, character| {
            let is_paired = self.profile.escape != EscapeForm::Xml && "()\"\\".contains(character);
            edges && !inner.contains(&at) || !is_paired && special.contains(character)
        });
        escaped.replace("=?", &format!("{equals}?"))
    }
}

impl From<&TextError> for Reason {
    /// Returns why a text that can't be read stays, as fields and parameters report it.
    fn from(left: &TextError) -> Reason {
        match left {
            TextError::UnknownCharset(label) => Reason::UnknownCharset(label.clone()),
            TextError::Malformed { charset, source } => {
                Reason::Malformed { charset: charset.clone(), offset: source.offset, rule: source.rule }
            }
            TextError::Ambiguous(one, other) => Reason::Ambiguous(one.clone(), other.clone()),
            TextError::Unlabelled(_) => Reason::Unlabelled,
            TextError::Visual => Reason::VisualOrder,
            TextError::Control => Reason::Control,
            // "-" or "_" may be digits of it, or none.
            TextError::UrlAlphabet => Reason::Irregular(Form::WordBase),
        }
    }
}
