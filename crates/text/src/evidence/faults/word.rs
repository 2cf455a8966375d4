//! A character of a word, and what stands around it.

use std::cell::OnceCell;

use unicode_properties::{GeneralCategory, GeneralCategoryGroup};

use super::facts::{Family, category, family, group};
use super::han::Han;
use super::kinds::{self, is_modifier};

/// Returns `true` if words end at a character: white space, the no-break spaces and the ideographic one among it.
pub(super) fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n' | '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{2028}' | '\u{2029}')
        || matches!(character, '\u{202F}' | '\u{205F}' | '\u{3000}')
}

/// A word. What is true of all of it is found once: a text without spaces is one word.
pub(super) struct Word<'w> {
    characters: &'w [char],
    /// Whether a no-break space follows it, and then a letter, a space or the end.
    stands_before_no_break: bool,
    han: Han,
    /// How many letters it has, once somebody asked.
    letters: OnceCell<usize>,
    /// Where the first quote stands that closes (`»` or `›`), if there is one, once somebody asked.
    closing: OnceCell<Option<usize>>,
}

impl<'w> Word<'w> {
    /// Makes a word of its characters; `behind` is the text that follows it, `han` tells which Han characters are
    /// usual.
    pub fn new(characters: &'w [char], behind: &str, han: Han) -> Word<'w> {
        let mut next = behind.chars();
        let stands_before_no_break = next.next() == Some('\u{A0}')
            && next.next().is_none_or(|character| is_letter(character) || is_space(character));
        Word { characters, stands_before_no_break, han, letters: OnceCell::new(), closing: OnceCell::new() }
    }
}

/// A character in its word.
pub(super) struct CharacterInWord<'w> {
    word: &'w Word<'w>,
    at: usize,
}

impl<'w> CharacterInWord<'w> {
    pub fn new(word: &'w Word<'w>, at: usize) -> CharacterInWord<'w> {
        CharacterInWord { word, at }
    }

    /// The Han characters of the reading's charset.
    pub fn han(&self) -> Han {
        self.word.han
    }

    /// The character; NUL beyond the word.
    pub fn own(&self) -> char {
        self.word.characters.get(self.at).copied().unwrap_or('\0')
    }

    /// The character before it; a space where the word begins.
    pub fn before(&self) -> char {
        self.look(-1)
    }

    /// The character behind it; a space where the word ends.
    pub fn next(&self) -> char {
        self.look(1)
    }

    /// The character that stands so many behind it, or before it where `steps` is negative; a space beyond the word.
    pub fn look(&self, steps: isize) -> char {
        let at = self.at.checked_add_signed(steps);
        at.and_then(|at| self.word.characters.get(at)).copied().unwrap_or(' ')
    }

    /// Returns `true` if it is the only character of its word.
    pub fn is_alone(&self) -> bool {
        self.word.characters.len() == 1
    }

    /// Returns `true` if a quote that closes stands before it.
    pub fn is_behind_closing(&self) -> bool {
        let Word { characters, closing, .. } = self.word;
        let first = closing.get_or_init(|| characters.iter().position(|own| matches!(own, '»' | '›')));
        first.is_some_and(|first| first < self.at)
    }

    /// The characters of the word behind it.
    pub fn all_behind(&self) -> &'w [char] {
        self.word.characters.get(self.at + 1..).unwrap_or_default()
    }

    /// How many letters its word has.
    pub fn letters(&self) -> usize {
        let Word { characters, letters, .. } = self.word;
        *letters.get_or_init(|| characters.iter().filter(|own| is_letter(**own)).count())
    }

    /// Returns `true` if it ends its word, and a no-break space stands behind that no sign follows.
    pub fn ends_before_no_break(&self) -> bool {
        self.all_behind().is_empty() && self.word.stands_before_no_break
    }
}

/// Returns `true` if a character is a letter or a mark on one; the ordinals ª and º are signs.
pub(in crate::evidence) fn is_letter(character: char) -> bool {
    kinds::is_letter(character, category(character))
}

/// Returns `true` if a character is a punctuation mark, a symbol or a number.
pub(super) fn is_sign(character: char) -> bool {
    use GeneralCategoryGroup::{Number, Punctuation, Symbol};
    matches!(group(character), Punctuation | Symbol | Number) || is_modifier(character)
}

pub(super) fn is_capital(character: char) -> bool {
    category(character) == GeneralCategory::UppercaseLetter
}

/// Returns `true` if a character is a small letter; the ordinals ª and º are signs.
pub(super) fn is_small(character: char) -> bool {
    category(character) == GeneralCategory::LowercaseLetter && !matches!(character, 'ª' | 'º')
}

/// Returns `true` if a character is a letter of East Asia.
pub(super) fn is_east_asian(character: char) -> bool {
    is_letter(character) && family(character) == Family::EastAsian
}
