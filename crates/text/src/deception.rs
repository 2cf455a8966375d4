//! Characters by which a text is not what it looks like: those that turn its direction, and those that nobody sees.
//!
//! All of them have honest uses, and these are left out: marks and isolates of direction in a text that has letters
//! from right to left, joiners in scripts that join and in emoji, zero-width spaces where no spaces are written, soft
//! hyphens. What is left has none: an override, which shows letters in another order than they stand; isolates in a
//! text without a letter to isolate; something unseen within a word of Latin, Greek or Cyrillic letters, which hides
//! the word from filters (Unicode UTS #39, UTR #36).

use unicode_bidi::{BidiClass, bidi_class};

/// What is odd about a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oddity {
    /// A character that turns the direction, and should not be there.
    Bidi(char),
    /// A character that nobody sees, within a word.
    Invisible(char),
}

/// Finds what is odd about a text: the first of each kind. In the name of a file no direction may be turned at all, for
/// its ending says what the file is.
///
/// ```
/// use septet_text::deception::{Oddity, oddities};
///
/// assert_eq!(oddities("invoice\u{202E}fdp.exe", true), [Oddity::Bidi('\u{202E}')]);
/// assert_eq!(oddities("V\u{200B}iagra", false), [Oddity::Invisible('\u{200B}')]);
/// assert!(oddities("می\u{200C}خواهم", false).is_empty(), "Persian needs it");
/// ```
pub fn oddities(text: &str, is_file_name: bool) -> Vec<Oddity> {
    if text.is_ascii() {
        return Vec::new();
    }
    let bidi = odd_direction(text, is_file_name).map(Oddity::Bidi);
    bidi.into_iter().chain(unseen(text, is_file_name).map(Oddity::Invisible)).collect()
}

/// Finds a character that turns the direction without need: any in a file's name or in a text without letters from
/// right to left, else only an override.
fn odd_direction(text: &str, is_file_name: bool) -> Option<char> {
    let mut turns = text.chars().filter(|character| turns(*character)).peekable();
    turns.peek()?;
    // A mark of direction counts as right to left, but is no letter.
    let has_rtl = text.chars().any(|it| matches!(bidi_class(it), BidiClass::R | BidiClass::AL) && !is_mark(it));
    turns.find(|character| matches!(character, '\u{202D}' | '\u{202E}') || !has_rtl || is_file_name)
}

/// Returns `true` if a character turns the direction of others; those that end that do nothing alone.
fn turns(character: char) -> bool {
    matches!(character, '\u{202A}' | '\u{202B}' | '\u{202D}' | '\u{202E}' | '\u{2066}'..='\u{2068}')
}

/// Returns `true` if a text has a character that may be odd beside others, which hardly any has. Where it is `false`,
/// [`oddities`] finds nothing.
pub fn may_deceive(text: &str) -> bool {
    text.chars().any(|character| turns(character) || is_unseen(character))
}

/// Returns `true` if a character is a mark of direction, which nobody sees.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{200E}' | '\u{200F}' | '\u{61C}')
}

/// Returns `true` if a character is a letter of Latin, Greek or Cyrillic, or a digit of ASCII; in a file's name, if it
/// is such a letter or any character of ASCII that is seen.
fn is_of_word(character: char, is_file_name: bool) -> bool {
    match character {
        it if it.is_ascii() => it.is_ascii_alphanumeric() || (is_file_name && it.is_ascii_graphic()),
        it => it.is_alphabetic() && matches!(it, '\u{C0}'..='\u{52F}' | '\u{1E00}'..='\u{1FFF}'),
    }
}

/// Finds a character that nobody sees within a word of Latin, Greek or Cyrillic letters; in a file's name, the
/// characters around it may be any of ASCII that are seen.
fn unseen(text: &str, is_file_name: bool) -> Option<char> {
    let (mut before, mut hidden) = (None, None);
    for character in text.chars() {
        if is_unseen(character) {
            hidden = hidden.or(Some(character));
            continue;
        }
        if hidden.is_some()
            && before.is_some_and(|before| is_of_word(before, is_file_name))
            && is_of_word(character, is_file_name)
        {
            return hidden;
        }
        (before, hidden) = (Some(character), None);
    }
    None
}

/// Returns `true` if a character has no width and no look.
fn is_unseen(character: char) -> bool {
    matches!(character, '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}' | '\u{34F}' | '\u{180E}'
        | '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' | '\u{E0000}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_honest_text() {
        for text in [
            "Re: \u{200F}שלום\u{200F} hello",
            "\u{202B}שלום\u{202C} hello",
            "\u{2067}مرحبا\u{2069} (v2)",
            "می\u{200C}خواهم",
            "क्\u{200D}ष",
            "👨\u{200D}👩\u{200D}👧 family 🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
            "ภาษา\u{200B}ไทย",
            "\u{FEFF}Hello",
            "Donau\u{AD}dampf",
            "日本語\u{200B}と English",
            "Hello\u{200B} world",
            "\u{200E}Screenshot",
        ] {
            assert_eq!(oddities(text, false), [], "{text:?}");
        }
    }

    #[test]
    fn finds_what_hides() {
        use Oddity::{Bidi, Invisible};
        for (text, is_file, wanted) in [
            ("שלום\u{202E}abc", false, vec![Bidi('\u{202E}')]),
            ("in\u{2067}voice", false, vec![Bidi('\u{2067}')]),
            ("חשבון\u{202B}fdp.exe", true, vec![Bidi('\u{202B}')]),
            ("p\u{200D}\u{2060}aypal", false, vec![Invisible('\u{200D}')]),
            ("бан\u{200B}к", false, vec![Invisible('\u{200B}')]),
            ("a.pdf\u{200B}.exe", true, vec![Invisible('\u{200B}')]),
            ("a.pdf\u{200B}.exe", false, vec![]),
            ("\u{202D}a\u{200B}b", false, vec![Bidi('\u{202D}'), Invisible('\u{200B}')]),
        ] {
            assert_eq!(oddities(text, is_file), wanted, "{text:?}");
        }
    }
}
