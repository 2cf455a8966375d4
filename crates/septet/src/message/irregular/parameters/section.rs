//! The value of one section as it is written: its forms, each a row of the table in `irregular/table`.

use super::{Form, Forms, ValueReading, label, words, words_of};
use crate::coding::charset::Labels;
use crate::coding::encoded_word::{EncodedWord, WordPlace, is_white};
use crate::message::grammar::parameter::{ExtendedHead, Flaw, NameForm, SectionName, is_machine, unquote};

/// The most octets of a value that machines compare.
const MACHINE_LIMIT: usize = 200;

impl ValueReading<'_> {
    /// Adds the forms of each section by itself, name and value, and that of an open quote where there is no section.
    pub(super) fn find_value_forms(&mut self) {
        for index in 0..self.sections.list.len() {
            let (mark, written) = self.taken_apart(index);
            if let Some(form) = self.spoilt_label(index, &mark, written) {
                // What else is odd about it is how it was spoilt; but not what stands behind quotes that close.
                self.add(mark.base, Forms::of(form));
                if matches!(form, Form::LabelSuffix | Form::LabelWhite) && written.starts_with(b"\"") {
                    self.note_flaw(index);
                }
                continue;
            }
            self.note_name(&mark);
            self.note_flaw(index);
            self.note_open(index);
            self.note_spreading(&mark, written);
            self.add(mark.base, own_forms(&mark, written));
        }
        let is_outside = self.sections.open.is_some() && self.sections.list.is_empty();
        self.found.spread.add_if(is_outside, Form::ParameterOpen);
    }

    /// Returns the form of a label that a program spoilt, if the section is a plain `charset` and has one.
    fn spoilt_label(&self, index: usize, mark: &SectionName, written: &[u8]) -> Option<Form> {
        if !mark.is_of("charset") || mark.extended || mark.number.is_some() {
            return None;
        }
        if self.is_encoded_label(index) {
            return Some(Form::LabelEncoded);
        }
        let behind = &self.value[self.sections.list[index].value.end..];
        label::form(written, behind.iter().all(|octet| *octet == b';' || octet.is_ascii_whitespace()))
    }

    /// Adds a form if the mark of a name or its octets are odd.
    fn note_name(&mut self, mark: &SectionName) {
        let is_token = mark.base.iter().all(u8::is_ascii_graphic);
        self.found.spread.add_if(mark.is_odd || !is_token, Form::ParameterName);
    }

    /// Adds the form of a section's [`Flaw`], if it has one. The forms of the head must be found before: they
    /// have that of the first section.
    fn note_flaw(&mut self, index: usize) {
        let is_of_type = index == 0 && self.found.spread.has(Form::TypeUnseparated);
        match self.sections.list[index].flaw {
            None => {}
            Some(Flaw::Open) => self.found.spread.add(Form::ParameterOpen),
            Some(Flaw::Behind | Flaw::Quote) => self.found.spread.add(Form::ParameterText),
            Some(Flaw::Comment) => self.found.spread.add(Form::CommentWithin),
            // The form of the type says it.
            Some(Flaw::Unseparated) if is_of_type => {}
            Some(Flaw::Unseparated) => self.found.spread.add(Form::ParameterUnseparated),
        }
    }

    /// Adds a form where a quote or a comment opens before the end of this section, or anywhere if it is the last, and
    /// never closes.
    fn note_open(&mut self, index: usize) {
        let section = &self.sections.list[index];
        let is_before =
            self.sections.open.is_some_and(|open| open < section.value.end || index + 1 == self.sections.list.len());
        self.found.spread.add_if(is_before, Form::ParameterOpen);
    }

    /// Adds the forms that spread from a value to its neighbours: it says nothing, or has a backslash, in quotes one
    /// that [`words::has_doubtful_backslash`] finds.
    fn note_spreading(&mut self, mark: &SectionName, written: &[u8]) {
        let is_quoted = written.starts_with(b"\"");
        let is_marked = mark.extended || mark.number.is_some();
        let spread = &mut self.found.spread;
        spread.add_if(is_marked && says_nothing(mark, written), Form::SectionMissing);
        spread.add_if(!is_marked && written.is_empty(), Form::ParameterStray);
        let has_backslash = if is_quoted { words::has_doubtful_backslash(written) } else { written.contains(&b'\\') };
        spread.add_if(has_backslash, Form::ParameterBackslash);
    }
}

/// Returns `true` if nothing stands in a section, or nothing behind what may be a charset; in a single extended value
/// white space is nothing.
fn says_nothing(mark: &SectionName, written: &[u8]) -> bool {
    let text = unquote(written);
    let head = ExtendedHead::of(&text).filter(|_| mark.extended);
    let said = head.map_or(&*text, |head| head.rest);
    said.is_empty() || mark.form() == NameForm::Single && said.trim_ascii().is_empty()
}

/// Returns the forms of a section that concern its parameter alone; those of the percent form are found in
/// [`extended`](super::extended::extended).
fn own_forms(mark: &SectionName, written: &[u8]) -> Forms {
    let is_quoted = written.starts_with(b"\"");
    let mut forms = Forms::default();
    forms.add_if(is_quoted && written.contains(&b'\n'), Form::ParameterFold);
    if is_machine(mark.base) {
        forms.add_if(has_odd_octets(written), Form::MachineOctets);
    } else {
        forms.extend(words_in(mark, written));
    }
    if !is_quoted && !mark.extended {
        forms.extend(bare(written));
    }
    forms
}

/// Returns `true` if a value that machines compare is longer than [`MACHINE_LIMIT`], or holds what readers treat
/// differently: a word, a tab in a fold, a backslash that is not needed, a control or an octet that is not ASCII.
fn has_odd_octets(written: &[u8]) -> bool {
    let has_word = words_of(written).next().is_some();
    let has_tab_in_fold = memchr::memmem::find(written, b"\n\t").is_some();
    written.len() > MACHINE_LIMIT
        || has_word
        || has_tab_in_fold
        || has_idle_backslash(written)
        || unquote(written).iter().any(|octet| !octet.is_ascii() || octet.is_ascii_control())
}

/// Returns `true` if a backslash stands before something else than a quote or a backslash, or at the end.
fn has_idle_backslash(written: &[u8]) -> bool {
    let mut octets = written.iter();
    while octets.by_ref().any(|octet| *octet == b'\\') {
        if !matches!(octets.next(), Some(b'"' | b'\\')) {
            return true;
        }
    }
    false
}

/// Returns the forms of a value without quotes: white space and specials outside of its words. White space between
/// words alone is none.
fn bare(written: &[u8]) -> Forms {
    let mut forms = Forms::default();
    let mut rest = written.to_vec();
    words_of(written).for_each(|word| rest[word.at].fill(b'w'));
    let has_word = rest != written;
    let is_words = has_word && rest.iter().all(|octet| *octet == b'w' || octet.is_ascii_whitespace());
    let has_white = rest.iter().any(u8::is_ascii_whitespace);
    forms.add_if(has_white && !is_words, Form::ParameterWhite);
    forms.add_if(rest.iter().any(|octet| b"()<>@,:/[]?=".contains(octet)), Form::BareSpecials);
    forms
}

/// Returns `true` if one word is all that stands in an extended value, behind its charset mark if it has one. `text` is
/// the value without its quotes; it begins at `start` of the value as written, in which the places of `found` count.
fn is_alone(text: &[u8], found: &[EncodedWord], start: usize) -> bool {
    let [word] = found else { return false };
    let before = &text[..word.at.start.saturating_sub(start)];
    word.at.end == start + text.len() && (before.is_empty() || before.ends_with(b"'"))
}

/// Returns the forms of the encoded-words in a value that people read, quoted or not.
fn words_in(mark: &SectionName, written: &[u8]) -> Forms {
    let found: Vec<EncodedWord> = words_of(written).collect();
    let (Some(first), Some(last)) = (found.first(), found.last()) else { return Forms::default() };
    let is_quoted = written.starts_with(b"\"");
    let inner = if is_quoted { 1..written.len().saturating_sub(1).max(1) } else { 0..written.len() };
    let is_one = found.len() == 1 && first.at.start == inner.start && last.at.end == inner.end;
    let mut forms = words::among(written, &found, WordPlace::Text);
    // Without quotes some end the value at an `=` that is no escape.
    forms.add_if(!is_quoted && forms.has(Form::WordBareEquals), Form::WordBroken);
    forms.add(match mark.form() {
        NameForm::Single if is_alone(&written[inner.clone()], &found, inner.start) => Form::ExtendedWord,
        _ if mark.extended => Form::SectionWord,
        NameForm::Numbered => Form::NameWordSections,
        _ if is_quoted && is_one => Form::NameWord,
        _ if is_quoted => Form::NameWords,
        _ => Form::NameBareWord,
    });
    let has_octets = words::outside(written, &found).any(|text| !text.is_ascii());
    forms.add_if(has_octets, Form::WordBesideOctets);
    let is_words_alone = is_white(&written[inner.start.min(first.at.start)..first.at.start])
        && is_white(written.get(last.at.end..inner.end).unwrap_or_default())
        && found.windows(2).all(|pair| is_white(&written[pair[0].at.end..pair[1].at.start]));
    forms.add_if(!is_words_alone && !mark.extended, Form::NameWords);
    forms.add_if(found.iter().any(|word| is_seven_bit(&written[word.label.clone()])), Form::NameSevenBit);
    forms
}

/// Returns `true` if a label is that of a charset in which octets of ASCII may stand for other characters.
fn is_seven_bit(label: &[u8]) -> bool {
    Labels::default().find(label).is_some_and(|charset| !charset.keeps_ascii())
}
