//! What a character outside ASCII is to the words of a link and of the text around it.

use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, UnicodeScript};

/// What a character outside ASCII is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letter {
    /// It belongs to the character before it: a mark, or a joiner.
    Mark,
    /// No letter and no digit.
    None,
    /// A letter of the script that ASCII's letters are of.
    Latin,
    /// A letter of a script whose words stand without spaces, or grow endings that stand so.
    Unspaced,
    /// Another letter, or a digit.
    Other,
}

impl Letter {
    /// Tells what a character is; those that most links are made of without a look into Unicode's tables.
    pub(super) fn of(character: char) -> Letter {
        match character {
            '\u{C0}'..='\u{24F}' if !matches!(character, '×' | '÷') => Letter::Latin,
            '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => Letter::Unspaced,
            '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' => Letter::Unspaced,
            '\u{3B1}'..='\u{3C9}' | '\u{410}'..='\u{44F}' => Letter::Other,
            '\u{5D0}'..='\u{5EA}' | '\u{621}'..='\u{63A}' => Letter::Other,
            other => Letter::look_up(other),
        }
    }

    /// Finds it in Unicode's tables.
    fn look_up(character: char) -> Letter {
        match character {
            '\u{200C}' | '\u{200D}' => Letter::Mark,
            _ if is_combining_mark(character) => Letter::Mark,
            _ if !character.is_alphanumeric() => Letter::None,
            _ if is_latin(character) => Letter::Latin,
            _ if is_unspaced(character) => Letter::Unspaced,
            _ => Letter::Other,
        }
    }
}

/// Returns `true` if a character is of the script that ASCII's letters are of, or sits on one of them.
pub(super) fn is_latin(character: char) -> bool {
    // Fullwidth letters are Latin too, but stand in other company.
    !('\u{FF00}'..='\u{FFEF}').contains(&character) && matches!(character.script(), Script::Latin | Script::Inherited)
}

/// Returns `true` if a character is of a script whose words stand without spaces, or grow endings that stand so.
fn is_unspaced(character: char) -> bool {
    use Script::{
        Balinese, Bopomofo, Buginese, Han, Hangul, Hiragana, Javanese, Katakana, Khmer, Lao, Myanmar, New_Tai_Lue,
        Tai_Le, Tai_Tham, Thai, Tibetan, Yi,
    };
    // The long-vowel mark, the ideographic iteration marks and fullwidth letters are common to several scripts.
    let is_common = matches!(character, '\u{3000}'..='\u{30FF}' | '\u{FF00}'..='\u{FFEF}');
    let script = character.script();
    is_common
        || matches!(script, Han | Hiragana | Katakana | Hangul | Thai | Lao | Khmer | Myanmar | Tibetan)
        || matches!(script, Bopomofo | Yi | Javanese | Balinese | Buginese)
        || matches!(script, Tai_Le | New_Tai_Lue | Tai_Tham)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_say_what_the_tables_say() {
        let wrong = ('\u{80}'..=char::MAX).find(|&one| Letter::of(one) != Letter::look_up(one));
        assert_eq!(wrong, None);
    }
}
