//! The charsets of eight bits that are tried, each with the languages that it has the letters of.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use super::languages::{LANGUAGES, LetterLanguage, SPACE};
use super::signs::{self, is_letter};
use crate::charset::Charset;

/// The charsets that mail was written in without saying so, and how much less likely each is beforehand. Of two that
/// are alike the one with fewer characters is less likely, so that the other one is taken. (ISO-8859-1, -8, -9 and -11
/// give no text that the windows charset of their language doesn't.)
#[rustfmt::skip]
const CHARSETS: [(Charset, i32); 24] = [
    (Charset::WINDOWS_1252, 0), (Charset::WINDOWS_1251, 0), (Charset::KOI8_R, 0), (Charset::WINDOWS_1250, 0),
    (Charset::WINDOWS_1253, 0), (Charset::WINDOWS_1254, 0), (Charset::WINDOWS_1255, 0), (Charset::WINDOWS_1256, 0),
    (Charset::WINDOWS_1257, 0), (Charset::WINDOWS_1258, 0), (Charset::WINDOWS_874, 0),
    (Charset::KOI8_U, -1), (Charset::ISO_8859_2, -2), (Charset::ISO_8859_7, -2), (Charset::ISO_8859_15, -5),
    (Charset::ISO_8859_13, -5), (Charset::ISO_8859_6, -10), (Charset::ISO_8859_5, -20), (Charset::IBM866, -20),
    (Charset::ISO_8859_4, -30), (Charset::VISCII, -30), (Charset::ISO_8859_3, -40), (Charset::MACINTOSH, -80),
    (Charset::IBM850, -80),
];

/// What a text costs at most that stands among words of another language.
const EMBEDDED: i32 = -30;

/// What each word of Latin letters costs a language of another script.
pub(super) const LATIN: i32 = -2;

/// A charset, and a language that is written in it.
pub(super) struct Model {
    pub charset: Charset,
    /// How likely the charset is before a text is looked at, 0 or less.
    pub prior: i32,
    language: &'static LetterLanguage,
    /// The class that the language has for what each octet is in the charset.
    classes: Box<[u8; 256]>,
    /// What an octet costs at least that is no letter, the same for all models of the charset.
    signs: Arc<[i32]>,
}

/// All models, those of one charset one behind the other: `by_letters` relies on it.
pub(super) static MODELS: LazyLock<Vec<Model>> =
    LazyLock::new(|| CHARSETS.iter().flat_map(|(charset, prior)| models(*charset, *prior)).collect());

/// Makes the models of a charset: one for each language that it has the letters of.
fn models(charset: Charset, prior: i32) -> Vec<Model> {
    let characters: Vec<char> = (0..=255).map(|octet| read(charset, octet)).collect();
    let folded: Vec<Option<char>> = characters.iter().map(|own| is_letter(*own).then(|| fold(*own))).collect();
    let signs: Arc<[i32]> = characters.iter().map(|own| signs::least(*own)).collect();
    let letters: HashSet<char> = folded.iter().flatten().copied().collect();
    let written = LANGUAGES.iter().filter(|language| is_written(language, &letters));
    written.map(|language| Model::new(charset, prior, language, &folded, &signs)).collect()
}

impl Model {
    /// Makes the model of a charset and a language, of the letter of each octet, folded, and what each costs as a sign.
    fn new(
        charset: Charset,
        prior: i32,
        language: &'static LetterLanguage,
        folded: &[Option<char>],
        signs: &Arc<[i32]>,
    ) -> Model {
        let mut classes = Box::new([SPACE; 256]);
        for (class, letter) in classes.iter_mut().zip(folded) {
            *class = letter.map_or(SPACE, |letter| language.class(letter));
        }
        Model { charset, prior, language, classes, signs: Arc::clone(signs) }
    }

    /// Returns what so many words of ASCII letters beside the telling ones cost, a negative number. In any language a
    /// few words may stand among those of another.
    pub fn ascii_words(&self, count: i32) -> i32 {
        match self.language.is_latin {
            true => (self.language.ascii_word * count).max(EMBEDDED),
            false => LATIN * count,
        }
    }

    /// Says how likely the second octet is behind the first.
    #[inline]
    pub fn likelihood(&self, [before, behind]: [u8; 2]) -> i32 {
        self.language.likelihood(self.classes[usize::from(before)], self.classes[usize::from(behind)])
    }

    /// Returns what an octet costs at least; 0 for a letter and ASCII.
    #[inline]
    pub fn sign(&self, octet: u8) -> i32 {
        self.signs.get(usize::from(octet)).copied().unwrap_or_default()
    }
}

/// Returns the character that an octet is; U+FFFD where it is none.
fn read(charset: Charset, octet: u8) -> char {
    charset.decode_lossy(&[octet]).0.chars().next().unwrap_or('\u{FFFD}')
}

/// Returns a letter as the tables have it: in lower case, and with the cedilla of charsets, for which Unicode has a
/// comma. A letter whose lower case is two characters (İ) stays as it is.
pub(super) fn fold(letter: char) -> char {
    let mut lower = letter.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some('ș'), None) => 'ş',
        (Some('ț'), None) => 'ţ',
        (Some(lower), None) => lower,
        _ => letter,
    }
}

/// Returns `true` if a language can be written in a charset of these letters: three of four of its own are there.
fn is_written(language: &LetterLanguage, letters: &HashSet<char>) -> bool {
    let has = language.letters.iter().filter(|letter| letters.contains(letter)).count();
    has > 0 && has * 4 >= language.letters.len() * 3
}
