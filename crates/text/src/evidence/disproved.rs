//! A label that its own text disproves.
//!
//! A charset of East Asia reads nearly any pair of octets, and one of eight bits any octet. So text of Latin letters is
//! well-formed under most labels, and what its other letters and signs become shows that the label is not true: `It’s`
//! in windows-1252 is `It抯` under gb2312, `Kürzel` is `KЭrzel` under koi8-r. One letter of another script stands within
//! a word of Latin there, and nowhere do two of them stand side by side. (`PC와TV` and `A股B股` look so, too: there is no
//! other charset that would make a text of them, and that is asked next.)

use unicode_script::{Script, UnicodeScript};

use super::faults::{self, Han};
use crate::charset::Charset;

/// The usual charsets in which no octet is a letter of another script than Latin.
#[rustfmt::skip]
const LATIN: [Charset; 8] = [
    Charset::WINDOWS_1252, Charset::ISO_8859_1, Charset::ISO_8859_15, Charset::WINDOWS_1250,
    Charset::ISO_8859_2_WINDOWS, Charset::WINDOWS_1254, Charset::WINDOWS_1257, Charset::ISO_8859_13,
];

/// Returns `true` if a charset is one of the usual ones of Latin letters alone: nothing in it can disprove its label.
pub(super) fn is_latin(charset: Charset) -> bool {
    LATIN.contains(&charset)
}

/// So many characters above ASCII are looked at.
const ENOUGH: usize = 200;

/// Returns `true` if a text shows that it was read in the charset of another one: of ten characters above ASCII at
/// least one is a letter that stands alone of its script within a word of Latin, and no two letters of such a script
/// stand side by side.
pub(super) fn is_disproved(text: &str) -> bool {
    let (mut alone, mut all) = (0, 0);
    for (before, rest) in faults::above_ascii(text).take(ENOUGH) {
        let mut characters = rest.chars();
        let (own, next) = (characters.next(), characters.next());
        if own.is_some_and(is_of_another_script) {
            if next.is_some_and(is_of_another_script) {
                return false;
            }
            alone += usize::from(is_within_latin(before, next));
        }
        all += 1;
    }
    alone > 0 && alone * 10 >= all
}

/// Returns `true` if what stands around a character is a word of ASCII letters: one on each side, or two before it.
fn is_within_latin(before: &str, next: Option<char>) -> bool {
    match before.bytes().rev().take(2).take_while(u8::is_ascii_alphabetic).count() {
        0 => false,
        1 => next.is_some_and(|next| next.is_ascii_alphabetic()),
        _ => true,
    }
}

/// Returns `true` if a character belongs to a script other than Latin, or is one that no word of any script has: a line
/// of a box, one of private use.
fn is_of_another_script(character: char) -> bool {
    match character {
        '\0'..='\u{24F}' | '\u{2000}'..='\u{206F}' => false,
        '\u{2500}'..='\u{259F}' | '\u{E000}'..='\u{F8FF}' => true,
        _ => !matches!(character.script(), Script::Latin | Script::Common | Script::Inherited),
    }
}

/// Returns `true` if octets are a text in a charset of eight bits without one fault, and without what disproves a
/// label.
pub(super) fn is_good_latin(octets: &[u8], charset: Charset) -> bool {
    let Some(text) = charset.decode(octets).ok().filter(|_| Han::of(charset) == Han::None) else { return false };
    let text = faults::looked_at(&text);
    faults::of_witness(text, Han::None).hard == 0 && !is_disproved(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_alone_within_words_of_latin_disprove() {
        for text in [
            "It抯 fine.", "K黵zel f黵 M黱chen", "has reversed뾞nd you", "KЭrzel", "It▓s", "suscripci๓n", "caf้",
            "Kόrzel",
        ] {
            assert!(is_disproved(text), "{text}");
        }
    }

    #[test]
    fn a_charset_of_latin_alone_has_no_other_letters() {
        for charset in LATIN {
            let octets: Vec<u8> = (0xA0..=0xFF).collect();
            let (text, _) = charset.decode_lossy(&octets);
            assert!(!text.chars().any(|own| own != '\u{FFFD}' && is_of_another_script(own)), "{}", charset.name());
        }
    }

    #[test]
    fn letters_of_mixed_texts_disprove_nothing() {
        for text in
            ["Windowsと日本語", "T恤", "5 μm, 3 kΩ", "Привет, Android", "iPhone 和 iPad", "naïve", "plain", "α-test"]
        {
            assert!(!is_disproved(text), "{text}");
        }
    }
}
