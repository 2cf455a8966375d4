//! The sections of one name together: whether plain ones stand beside extended ones, and whether the numbers go on.
//! What stands beside the grammar of the RFCs is noted as a form, a row of the table in `irregular/table`.

use super::extended::extended;
use super::{Form, Forms, ValueReading};
use crate::coding::charset::{Labels, is_media_type};
use crate::coding::encoded_word::words;
use crate::message::grammar::parameter::{ExtendedHead, NameForm, SectionName, is_machine, unquote};

/// A section: its name taken apart, and its value as written.
type Section<'v> = (SectionName<'v>, &'v [u8]);

/// Sections of one name.
type Group<'s, 'v> = &'s [Section<'v>];

impl ValueReading<'_> {
    /// Adds the forms of the sections of each name, taken together.
    pub(super) fn find_group_forms(&mut self) {
        let mut sorted: Vec<(Vec<u8>, Section)> = Vec::with_capacity(self.sections.list.len());
        for index in 0..self.sections.list.len() {
            let (mark, written) = self.taken_apart(index);
            sorted.push((mark.base.to_ascii_lowercase(), (mark, written)));
        }
        // Stable, so that the sections of one name stay in their order.
        sorted.sort_by(|left, right| left.0.cmp(&right.0));
        for named in sorted.chunk_by(|left, right| left.0 == right.0) {
            let group: Vec<(SectionName, &[u8])> = named.iter().map(|(_, section)| *section).collect();
            self.add(&named[0].0, of_group(&named[0].0, &group));
        }
    }
}

/// Returns the forms of all sections of one name, in the order of the field; `base` is the name in small letters.
fn of_group(base: &[u8], group: Group) -> Forms {
    let [plain, single, numbered] =
        [NameForm::Plain, NameForm::Single, NameForm::Numbered].map(|form| of_form(group, form));
    let mut forms = alike(base, &plain).and(numbers(&numbered));
    let mut sorted = numbered.clone();
    sorted.sort_by_key(|(mark, _)| mark.number);
    let has_extended = numbered.iter().any(|(mark, _)| mark.extended);
    // More than one is a conflict whatever they say.
    forms.extend(extended(single.get(..1).unwrap_or_default()));
    // Who does not know the label shows the plain form.
    forms.add_if(!plain.is_empty() && !single.iter().all(|it| has_known_label(it.1)), Form::ExtendedCharset);
    if has_extended {
        forms.extend(extended(&sorted));
        let has_word = sorted.iter().any(|(mark, written)| !mark.extended && holds_word(written));
        forms.add_if(has_word, Form::SectionWord);
    }
    let is_twice = single.len() > 1 || !single.is_empty() && !numbered.is_empty();
    let is_plain_twice = !plain.is_empty() && !numbered.is_empty() && !has_extended;
    let is_beside = !plain.is_empty() && plain.len() < group.len();
    let is_of_machine = is_machine(base);
    // Who reads no word without quotes takes the other form, and would take this one once it has quotes.
    let has_bare_word = plain.iter().any(|(_, written)| !written.starts_with(b"\"") && holds_word(written));
    let is_read_otherwise = is_of_machine || has_bare_word;
    let is_conflict = is_twice || is_plain_twice || is_beside && is_read_otherwise;
    forms.add_if(is_conflict, Form::ParameterConflict);
    forms.add_if(is_beside && !is_conflict, Form::NameTwoForms);
    forms
}

/// Returns the sections whose name has this form, in their order.
fn of_form<'v>(group: Group<'_, 'v>, form: NameForm) -> Vec<Section<'v>> {
    group.iter().filter(|(mark, _)| mark.form() == form).copied().collect()
}

/// Returns `true` if an extended value has no label, or that of a known charset.
fn has_known_label(written: &[u8]) -> bool {
    let text = unquote(written);
    ExtendedHead::of(&text).is_none_or(|head| Labels::default().find(head.label).is_some())
}

/// Returns `true` if an encoded-word stands in a value, quoted or not.
fn holds_word(written: &[u8]) -> bool {
    words(written).next().is_some()
}

/// Returns the form of plain values of one name, if there are several: whether they say the same. In a charset neither
/// the case of letters counts nor a media type, which is no label.
fn alike(base: &[u8], plain: Group) -> Forms {
    let is_label = base == b"charset";
    let labels: Vec<Section> =
        plain.iter().filter(|it| !(is_label && is_media_type(&unquote(it.1)))).copied().collect();
    let mut forms = Forms::default();
    let compared = if labels.is_empty() { plain } else { &labels };
    let says_one = compared.windows(2).all(|pair| {
        let (left, right) = (unquote(pair[0].1), unquote(pair[1].1));
        left == right || is_label && left.eq_ignore_ascii_case(&right)
    });
    let form = if says_one { Form::ParameterRepeated } else { Form::ParameterConflict };
    forms.add_if(plain.len() > 1, form);
    forms
}

/// Returns the forms of the numbers of sections; none where they count from 0, in order and each once, or there are
/// none.
fn numbers(numbered: Group) -> Forms {
    let mut forms = Forms::default();
    let numbers: Vec<usize> = numbered.iter().filter_map(|(mark, _)| mark.number).collect();
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    let is_twice = sorted.windows(2).any(|pair| pair[0] == pair[1]);
    sorted.dedup();
    forms.add_if(is_twice, Form::ParameterConflict);
    forms.add_if(sorted.iter().enumerate().any(|(expected, number)| expected != *number), Form::SectionMissing);
    forms.add_if(numbers.windows(2).any(|pair| pair[0] > pair[1]), Form::NameUnordered);
    forms
}
