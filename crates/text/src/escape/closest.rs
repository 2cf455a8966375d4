//! The closest letters of ASCII: `ue` or `u` for `ü`. What is written so can't be told from what was written so before:
//! it is a loss, for readers who have nothing better, and whoever does it says so.
//!
//! Only letters, digits and marks of Latin, Greek and Cyrillic have such letters here, beside punctuation and the signs
//! of money. Signs whose closest letters say something else (`§`, `‰`, `¥`) have none, nor have raised figures behind a
//! digit: `10²` is not 102. A fraction behind a digit gets a space before it. The sounds of a Chinese character depend
//! on who reads it, and vowels that Hebrew does not write can't be told: these are left to escapes.

use std::borrow::Cow;

use deunicode::deunicode_char;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// The language by whose habits letters are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Language {
    /// None in particular: marks are left out, `ü` becomes `u`.
    #[default]
    Any,
    /// Danish: `å`, `æ` and `ø` become `aa`, `ae` and `oe`.
    Da,
    /// German: `ä`, `ö` and `ü` become `ae`, `oe` and `ue`.
    De,
    /// Norwegian: as Danish.
    Nb,
}

/// Returns a text with the closest letters of ASCII, and how many characters were replaced; a character that has none
/// stays. Where one is replaced, all of the text is brought to NFC.
///
/// ```
/// use septet_text::escape::{Language, closest};
///
/// assert_eq!(closest("Jürgen", Language::De), ("Juergen".into(), 1));
/// assert_eq!(closest("Jürgen – 日", Language::Any), ("Jurgen - 日".into(), 2));
/// ```
pub fn closest(text: &str, language: Language) -> (Cow<'_, str>, usize) {
    if text.is_ascii() {
        return (Cow::Borrowed(text), 0);
    }
    let composed: Cow<'_, str> = if is_nfc(text) { text.into() } else { text.nfc().collect::<String>().into() };
    let (mut out, mut count) = (String::with_capacity(text.len()), 0);
    for character in composed.chars() {
        let is_behind_digit = out.ends_with(|before: char| before.is_ascii_digit());
        match letters(character, language).filter(|_| !(is_behind_digit && is_raised(character))) {
            Some(letters) => {
                out.push_str(if is_behind_digit && is_fraction(character) { " " } else { "" });
                out.push_str(letters.trim_matches(' '));
                count += 1;
            }
            None => out.push(character),
        }
    }
    if count == 0 { (Cow::Borrowed(text), 0) } else { (Cow::Owned(out), count) }
}

/// Returns what a character is replaced with; none where it stays.
fn letters(character: char, language: Language) -> Option<&'static str> {
    let of_language: &[(char, &str)] = match language {
        Language::Any => &[],
        Language::De => &[('ä', "ae"), ('ö', "oe"), ('ü', "ue"), ('Ä', "Ae"), ('Ö', "Oe"), ('Ü', "Ue")],
        Language::Da | Language::Nb => &[('å', "aa"), ('æ', "ae"), ('ø', "oe"), ('Å', "Aa"), ('Æ', "Ae"), ('Ø', "Oe")],
    };
    let of_language = of_language.iter().chain(&[('£', "GBP")]);
    let found = of_language.clone().find(|(letter, _)| *letter == character).map(|(_, letters)| *letters);
    let letters = found.or_else(|| deunicode_char(character).filter(|_| has_letters(character)))?;
    let is_printable = letters.bytes().all(|octet| octet == b' ' || octet.is_ascii_graphic());
    (is_printable && !letters.is_empty()).then_some(letters)
}

/// Returns `true` for a figure that is raised.
fn is_raised(character: char) -> bool {
    matches!(character, '²' | '³' | '¹')
}

/// Returns `true` for a fraction.
fn is_fraction(character: char) -> bool {
    matches!(character, '¼'..='¾' | '⅐'..='⅟')
}

/// Returns `true` if a character is one whose closest letters everybody would write.
fn has_letters(character: char) -> bool {
    !matches!(character, '¢' | '¤' | '¥' | '§' | '¬' | '¶' | '‰' | '‱')
        && matches!(character,
        '\u{A1}'..='\u{AC}' | '\u{AE}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' // Latin
        | '\u{386}'..='\u{3CE}' | '\u{1F00}'..='\u{1FFE}' | '\u{400}'..='\u{481}' | '\u{48A}'..='\u{52F}'
        | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205E}' | '\u{20A0}'..='\u{20BF}'
        | '\u{2116}' | '\u{2120}' | '\u{2122}' | '\u{2150}'..='\u{2188}' | '\u{FB00}'..='\u{FB06}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_what_people_would_write() {
        for (text, language, wanted) in [
            ("Größe übel ÄÖÜ", Language::De, "Groesse uebel AeOeUe"),
            ("Größe übel ÄÖÜ", Language::Any, "Grosse ubel AOU"),
            ("u\u{308}", Language::De, "ue"),
            ("Blåbærgrød", Language::Da, "Blaabaergroed"),
            ("Łódź, Dvořák, İstanbul, Þór", Language::Any, "Lodz, Dvorak, Istanbul, Thor"),
            ("Москва, Αθήνα", Language::Any, "Moskva, Athena"),
            ("“quoted” – it’s 5 €…", Language::Any, "\"quoted\" - it's 5 EUR..."),
            ("1½ kg, ½, 10² m, m², 3⅓, 5 £, 20 °C", Language::Any, "1 1/2 kg, 1/2, 10² m, m2, 3 1/3, 5 GBP, 20 degC"),
            ("§ 5, 3 ‰, ¥ 9, ¬x", Language::Any, "§ 5, 3 ‰, ¥ 9, ¬x"),
            ("日本 한국 שלום 🙂", Language::Any, "日本 한국 שלום 🙂"),
            ("a\u{200B}b\u{202E}\u{AD}\u{85}", Language::Any, "a\u{200B}b\u{202E}\u{AD}\u{85}"),
        ] {
            assert_eq!(closest(text, language).0, wanted, "{text}");
        }
    }

    #[test]
    fn writes_nothing_twice() {
        for character in (0x80..0x3_0000).filter_map(char::from_u32) {
            let text = character.to_string();
            let (once, _) = closest(&text, Language::De);
            assert_eq!(closest(&once, Language::De).0, once, "{text}");
            assert!(!once.contains(char::is_control) || once == text, "{text}");
        }
    }
}
