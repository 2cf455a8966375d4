//! Why a parameter stays: readers end its value elsewhere, or take another one for it, and what is written would be right for
//! some of them alone.

use super::Planner;
use crate::message::grammar::lexer::TokenKind;
use crate::message::grammar::parameter::{
    Flaw, Parameter, Shape, broken_mark, cut_percent, cut_word, space_in_extended, unquote, word_in_extended,
};

impl Planner<'_> {
    /// Says why readers may end or begin its values elsewhere: what is put in their place would not be alone.
    pub(super) fn flaw(&self, parameter: &Parameter) -> Option<&'static str> {
        let first = parameter.sections.first().filter(|_| parameter.shape == Shape::Extended);
        let found = parameter.sections.iter().find_map(|&index| self.pairs[index].flaw).map(Flaw::text);
        let commented = || parameter.sections.iter().any(|&index| self.has_comment_behind(index));
        let found = found.or_else(|| commented().then_some("a comment behind the value"));
        // One of several sections that it hides from some would be all of them, or go with it.
        let hides = |&index: &usize| parameter.sections.len() > 1 && self.has_comment_before(index);
        let hidden = || parameter.sections.iter().any(hides);
        let found = found.or_else(|| hidden().then_some("a comment before the name of a section"));
        let found = found.or_else(|| flaw_of_name(&parameter.name));
        let found = found.or_else(|| first.and_then(|&first| self.flaw_of_mark(parameter, self.sections[first].1)));
        found.or(self.irregular).or_else(|| self.flaw_of_forms(parameter))
    }

    /// Says which encoded-words or percent forms in its sections are none to some readers.
    fn flaw_of_forms(&self, parameter: &Parameter) -> Option<&'static str> {
        let sections = parameter.sections.iter().map(|&index| self.sections[index]);
        let mut written = sections.clone().map(|section| section.1);
        match (parameter.shape, parameter.sections.len()) {
            (Shape::Extended, _) => written
                .find_map(|it| word_in_extended(it).or_else(|| space_in_extended(it)))
                .or_else(|| cut_percent(&sections.collect::<Vec<_>>())),
            (Shape::Plain, 0 | 1) => self.flaw_of_bare_word(parameter),
            (Shape::Plain, _) => cut_word(written).or_else(|| self.flaw_of_bare_word(parameter)),
        }
    }

    /// Says so where words without quotes, or in several sections, say something else than the extended form beside them:
    /// some readers don't take them for a value, and would, once they are written anew.
    fn flaw_of_bare_word(&self, parameter: &Parameter) -> Option<&'static str> {
        let mut written = parameter.sections.iter().map(|&index| self.sections[index].1);
        let is_word = |value: &[u8]| memchr::memmem::find(value, b"=?").is_some();
        let is_one = parameter.sections.len() == 1 && written.clone().all(|value| value.starts_with(b"\""));
        if is_one || !self.has_both(parameter) || !written.any(is_word) {
            return None;
        }
        let text = |it: &Parameter| it.outcome.as_ref().ok().map(|text| text.text.clone());
        let mut others = self.found.iter().filter(|it| it.name.eq_ignore_ascii_case(&parameter.name));
        others
            .any(|other| text(other) != text(parameter))
            .then_some("words without quotes beside a form that says something else")
    }

    /// Says what is wrong with the charset mark of an extended value. Without one, beside a plain value, it is a second
    /// piece of that value to some readers.
    fn flaw_of_mark(&self, parameter: &Parameter, written: &[u8]) -> Option<&'static str> {
        let value = unquote(written);
        let label = value.iter().position(|octet| *octet == b'\'').map(|end| &value[..end]);
        let is_named = label.is_some_and(|label| label.is_empty() || self.target.reader.labels.find(label).is_some());
        let unmarked = || self.has_both(parameter) && !is_named;
        broken_mark(written).or_else(|| unmarked().then_some("two forms, and one names no charset"))
    }

    /// Tells whether a comment stands between a value and the next `;`: to many readers it belongs to the value, and it
    /// belongs to a file name even for those that see the quotes end before it, once there are none.
    fn has_comment_behind(&self, index: usize) -> bool {
        let behind = self.tokens.partition_point(|token| token.at.start < self.pairs[index].value.end);
        let mut rest = self.tokens[behind..].iter().take_while(|token| !token.is(b';'));
        rest.any(|token| token.kind == TokenKind::Comment)
    }

    /// Tells whether a comment stands between a `;` and a name: to readers that know no comments it belongs to the name.
    fn has_comment_before(&self, index: usize) -> bool {
        let before = self.tokens.partition_point(|token| token.at.end <= self.pairs[index].name.start);
        let mut rest = self.tokens[..before].iter().rev().take_while(|token| !token.is(b';'));
        rest.any(|token| token.kind == TokenKind::Comment)
    }
}

/// Says why a name is none to write a value for.
fn flaw_of_name(name: &str) -> Option<&'static str> {
    match () {
        () if name.is_empty() => Some("it has no name"),
        // With a mark of our own behind it, it would be read otherwise again.
        () if name.contains('*') => Some("a section has a mark that is no number"),
        () if name.contains(char::is_control) => Some("a control character in its name"),
        () if !name.is_ascii() => Some("a character outside ASCII in its name"),
        () => None,
    }
}
