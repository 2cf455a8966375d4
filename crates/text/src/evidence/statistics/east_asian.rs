//! The charsets of East Asia, and how likely each of their characters is.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::languages::characters;
use super::{Score, signs};
use crate::charset::Charset;
use crate::evidence::faults::is_letter;

/// How likely each character of a language is, of those that some text had.
type Likelihoods = HashMap<char, i16, foldhash::fast::FixedState>;

/// How likely a character is that no text had: one that is usual, and one that isn't.
const USUAL: i16 = -95;
const RARE: i16 = -140;

/// A charset that is tried.
struct TriedCharset {
    charset: Charset,
    /// The code of the language that is written in it.
    language: &'static str,
    /// The codes of its usual characters, the first and the last one; their second octet is not below the third number.
    usual: (u16, u16, u8),
}

const CHARSETS: [TriedCharset; 5] = [
    TriedCharset { charset: Charset::GBK, language: "zh_Hans", usual: (0xB0A1, 0xD7FE, 0xA1) },
    TriedCharset { charset: Charset::BIG5, language: "zh_Hant", usual: (0xA440, 0xC67E, 0x40) },
    TriedCharset { charset: Charset::WINDOWS_31J, language: "ja", usual: (0x889F, 0x9872, 0x40) },
    TriedCharset { charset: Charset::EUC_JP, language: "ja", usual: (0xB0A1, 0xCFFE, 0xA1) },
    TriedCharset { charset: Charset::WINDOWS_949, language: "ko", usual: (0xB0A1, 0xC8FE, 0xA1) },
];

static TABLES: LazyLock<Vec<CodeTable>> = LazyLock::new(|| CHARSETS.iter().map(CodeTable::new).collect());

/// What each code of a charset stands for.
struct CodeTable {
    charset: Charset,
    /// For each code of two octets, and those of one above 7F.
    codes: Vec<CodeMeaning>,
}

/// What a code stands for: a letter that is so likely, or a sign that costs so much at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CodeMeaning {
    None,
    Letter(i16),
    Sign(i16),
}

/// Says how likely octets are in each charset of East Asia that reads them and is not below `floor`.
pub(super) fn scores(telling: &[u8], floor: i32) -> impl Iterator<Item = Score> {
    TABLES.iter().filter_map(move |table| table.score(telling, floor))
}

impl CodeTable {
    /// Works out the meaning of each code, by decoding all of them and looking up how likely their characters are.
    fn new(tried: &TriedCharset) -> CodeTable {
        let likelihoods: Likelihoods = characters(tried.language)
            .flat_map(|(likelihood, line)| line.chars().map(move |character| (character, likelihood)))
            .collect();
        let mut codes = vec![CodeMeaning::None; 1 << 16];
        let pairs = (0x81..=0xFE_u8).flat_map(|lead| (0x40..=0xFE).map(move |trail| u16::from_be_bytes([lead, trail])));
        let all: Vec<u16> = (0x80..=0xFF).chain(pairs).collect();
        // One text of all of them is decoded faster than each.
        let mut text = Vec::with_capacity(3 * all.len());
        for code in &all {
            let [lead, trail] = code.to_be_bytes();
            text.extend([lead, trail].into_iter().skip(usize::from(*code < 0x100)));
            text.push(b'\n');
        }
        let (text, _) = tried.charset.decode_lossy(&text);
        for (code, line) in all.iter().zip(text.split('\n')) {
            let mut line = line.chars();
            if let (Some(character), None) = (line.next(), line.next()) {
                codes[usize::from(*code)] = tried.meaning(*code, character, &likelihoods);
            }
        }
        CodeTable { charset: tried.charset, codes }
    }

    /// Says how likely octets are; `None` where the charset lacks more than one of twenty, or the score falls below
    /// `floor`.
    fn score(&self, telling: &[u8], floor: i32) -> Option<Score> {
        let mut score = Score { charset: self.charset, letters: 0, signs: 0 };
        let (mut rest, mut bad) = (telling, 0);
        while let [lead, behind @ ..] = rest {
            rest = behind;
            if lead.is_ascii() {
                continue;
            }
            let wide =
                behind.first().map_or(CodeMeaning::None, |trail| self.meaning(u16::from_be_bytes([*lead, *trail])));
            let code = if wide == CodeMeaning::None { self.meaning(u16::from(*lead)) } else { wide };
            match code {
                CodeMeaning::None => bad += 1,
                CodeMeaning::Letter(likelihood) => score.letters += i32::from(likelihood),
                CodeMeaning::Sign(price) => score.signs += i32::from(price),
            }
            if wide != CodeMeaning::None {
                rest = rest.get(1..).unwrap_or_default();
            }
            if score.at_most() < floor || bad * 20 > telling.len() {
                return None;
            }
        }
        Some(score)
    }

    /// Returns what a code stands for, of one octet or of two.
    fn meaning(&self, code: u16) -> CodeMeaning {
        self.codes.get(usize::from(code)).copied().unwrap_or(CodeMeaning::None)
    }
}

impl TriedCharset {
    /// Returns how likely the character of a code is, or what it costs as a sign; `None` for U+FFFD, a code without
    /// one.
    fn meaning(&self, code: u16, character: char, likelihoods: &Likelihoods) -> CodeMeaning {
        let (first, last, trail) = self.usual;
        let is_usual = (first..=last).contains(&code) && code.to_be_bytes()[1] >= trail;
        match character {
            '\u{FFFD}' => CodeMeaning::None,
            letter if is_letter(letter) => CodeMeaning::Letter(match likelihoods.get(&letter) {
                Some(likelihood) => *likelihood,
                None if is_usual || matches!(letter, '\u{3040}'..='\u{30FF}') => USUAL,
                None => RARE,
            }),
            sign => CodeMeaning::Sign(i16::try_from(signs::least(sign)).unwrap_or(RARE)),
        }
    }
}
