//! Western text that is valid UTF-8 by accident: `NESCAFÉ®` in ISO-8859-1 are the octets of `NESCAFɮ` in UTF-8.
//!
//! Under a label of Western European text, octets that are valid UTF-8 are nearly always that: as letters of the label
//! they would be a capital and a symbol in the middle of words (`CafÃ©`, `â€™`). But a word may end in a capital, or in a
//! small letter, with the symbols behind it that stand at the ends of words: `CAFÉ™`, `Spaß…`, `É…`. So UTF-8 is refused
//! where each of its characters reads as such an end, and is none that text in UTF-8 has there:
//!
//! - before it stands no small letter where it begins with a capital, and behind it none at all, unless a space or a dash
//!   is its last symbol;
//! - of the characters that most UTF-8 is made of (accents of Latin, Greek, Cyrillic, Hebrew, Arabic), it would be a small
//!   letter behind two capitals: `AMANHÃ®` is no `AMANHî`;
//! - its symbols are such as stand behind words, which leaves out the combining accents.
//!
//! The words of one small letter (`à`, `è`, `é`, `ó` …) are followed by a no-break space: `à  Paris`, `è « vero`.
//!
//! One character that reads otherwise makes the whole text UTF-8.

/// Symbols of windows-1252 that stand behind a word: `… ’ “ ” – — › »` and the no-break space.
const BEHIND_WORDS: [u8; 9] = [0x85, 0x92, 0x93, 0x94, 0x96, 0x97, 0x9B, 0xA0, 0xBB];

/// Those that stand behind a longer word than one letter: `™ © ª ® ° ² ³ · ¹ º`.
const BEHIND_NAMES: [u8; 10] = [0x99, 0xA9, 0xAA, 0xAE, 0xB0, 0xB2, 0xB3, 0xB7, 0xB9, 0xBA];

/// Those behind which a letter may follow: the apostrophe, the dashes, the no-break space, and `·` (`CHARGÉ·E`).
const BETWEEN_WORDS: [u8; 5] = [0x92, 0x96, 0x97, 0xA0, 0xB7];

/// The small letters of Western languages that are words, of those that begin UTF-8: `à è é ê ì í ò ó`.
const LETTERS_ALONE: [u8; 8] = [0xE0, 0xE8, 0xE9, 0xEA, 0xEC, 0xED, 0xF2, 0xF3];

/// What opens behind the no-break space behind a word of one letter: `„ ‘ “ ‹ « ¿ ¡`.
const OPENING: [u8; 7] = [0x84, 0x91, 0x93, 0x8B, 0xAB, 0xBF, 0xA1];

/// Tells whether valid UTF-8 that is not ASCII may be Western text in ISO-8859-1, ISO-8859-15 or windows-1252 all the same.
pub(super) fn may_be_western(text: &str) -> bool {
    let octets = text.as_bytes();
    let mut others = text.char_indices().filter(|(_, character)| !character.is_ascii());
    others.all(|(at, character)| {
        let (before, rest) = octets.split_at_checked(at).unwrap_or_default();
        let (own, behind) = rest.split_at_checked(character.len_utf8()).unwrap_or_default();
        let next = behind.first().copied();
        (ends_a_word(before, own, next) || is_a_word(before, own)) && !is_usual(before, character)
    })
}

/// Tells whether octets read as the end of a Western word: its last letter, and symbols behind it.
fn ends_a_word(before: &[u8], own: &[u8], next: Option<u8>) -> bool {
    let Some((letter, symbols)) = own.split_first() else { return false };
    let last = before.last().copied().unwrap_or(b' ');
    let may_follow = match letter {
        // Of the letters that begin UTF-8, `ß` and those from `à` on are small.
        0xDF..=0xEF => last.is_ascii_alphabetic(),
        0xC2..=0xDE => last.is_ascii() && !last.is_ascii_lowercase(),
        _ => false,
    };
    let between = symbols.last().is_some_and(|symbol| BETWEEN_WORDS.contains(symbol));
    let may_go_on = next.is_none_or(|next| next.is_ascii() && (between || !next.is_ascii_alphanumeric()));
    let is_name = last.is_ascii_alphabetic();
    let may_stand = |symbol| BEHIND_WORDS.contains(symbol) || is_name && BEHIND_NAMES.contains(symbol);
    may_follow && may_go_on && symbols.iter().all(may_stand)
}

/// Tells whether octets read as a Western word of one small letter, with a no-break space and a sign behind it.
fn is_a_word(before: &[u8], own: &[u8]) -> bool {
    let [letter, 0xA0, signs @ ..] = own else { return false };
    let begins = before.last().is_none_or(|last| last.is_ascii() && !last.is_ascii_alphanumeric());
    begins
        && LETTERS_ALONE.contains(letter)
        && signs.iter().all(|sign| BEHIND_WORDS.contains(sign) || OPENING.contains(sign))
}

/// Tells whether a character stands in much UTF-8, and may stand where it does.
fn is_usual(before: &[u8], character: char) -> bool {
    let capitals = before.iter().rev().take(2).take_while(|octet| octet.is_ascii_uppercase()).count();
    match character {
        // `Â` and a symbol is the first of all signs of UTF-8.
        '\u{80}'..='\u{BF}' => true,
        '\u{C0}'..='\u{17F}' | '\u{370}'..='\u{3FF}' => capitals < 2 || !character.is_lowercase(),
        '\u{400}'..='\u{47F}' | '\u{5C0}'..='\u{67F}' => capitals < 1,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Charset;
    use super::*;

    #[test]
    fn words_with_symbols_behind_them_are_western() {
        let texts = [
            "NESCAFÉ®",
            "CAFÉ™ und mehr",
            "\"Spaß”",
            "Spaß… Gruß…",
            "É…",
            "AMANHÃ®",
            "le CAFÉ\u{A0}: oui",
            "CAFÉ—bar",
            "CHARGÉ·E DE MISSION",
            "er ist fatigué…”",
            "LE CAFÉ’s",
            "RØ®",
            "Il est à\u{A0}\u{A0}Paris",
            "è\u{A0}« vero",
            "é\u{A0}… e\né\u{A0}– ja",
            "\"ó\u{A0}\u{A0}\u{A0}",
        ];
        for text in texts {
            let octets = Charset::WINDOWS_1252.encode(text).expect("Western letters");
            let read = str::from_utf8(&octets).expect("UTF-8 by accident");
            assert!(may_be_western(read), "{text} {read}");
        }
    }

    #[test]
    fn text_in_utf_8_is_none() {
        let texts = [
            "é",
            "Café",
            "Ü",
            "Über",
            "CAFÉ",
            "naïve",
            "Kraków",
            "Škoda",
            "Dvořák",
            "ł",
            "KČ",
            "CENA KČ",
            "10 °C",
            "Windows®",
            "IBM®",
            "ACME™",
            "it’s",
            "“so”",
            "foo…",
            "50 €",
            "α",
            "50 kΩ",
            "5 MΩ",
            "µ",
            "привет",
            "И",
            "שלום",
            "ش",
            "և",
            "中",
            "日本",
            "😀",
            "CAFE\u{301}",
            "fatigue\u{301}",
            "voilà",
            "À la carte",
            "É",
            "È",
            "ÖBB",
            "AÉ",
            "NESCAFÉ® und é",
            "·",
            "A÷B",
            "AB÷C",
            "ŶŷĶķ",
            "–",
            "și",
            "Ș",
            "fin\u{A0}!",
            "ə",
            "Bakı",
            "頭",
            "(頭) é",
        ];
        texts.iter().for_each(|text| assert!(!may_be_western(text), "{text}"));
    }
}
