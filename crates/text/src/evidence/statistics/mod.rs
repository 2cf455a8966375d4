//! What octets look like whose charset nobody names: how its letters follow each other in a language.
//!
//! A charset of eight bits is read without a fault by nearly every text of another one, so that it can be read says
//! nothing. That the letters stand in it as they do in a language says much: behind `e` and before a space, `ü` is
//! common in German and `ь` isn't in Russian. So each charset is tried with each language that it has the letters of,
//! and the likelihood of each pair of letters, one of which at least is not ASCII, is multiplied; a charset of East
//! Asia with that of each character. (All numbers here are logarithms, in tenths of a natural one; what is unlikely is
//! a high negative one.)
//!
//! What is no letter counts where it stands: a sign has a price, low where it belongs and high where nobody writes it
//! ([`signs`]); so has each hard [fault](super::faults). Beforehand charsets are not alike either: hardly any mail is
//! in those of DOS and of the Macintosh.
//!
//! A guess is only as good as its distance from the second: the *margin*, to the next charset that gives another text.
//! It is the asker who knows which margin is enough. Words of ASCII alone tell nothing, so a text of whatever size is
//! read as its words of other octets, the first 4 KiB of these, without what is drawn (`telling.rs`).
//!
//! The tables (`languages.txt`) are made by `benches/detect/tables.py`; how often a guess is right is in
//! docs/evidence.md.

mod east_asian;
mod languages;
mod models;
mod signs;
mod telling;

use std::collections::{BTreeSet, HashMap};

use super::faults::{self, Han};
use crate::charset::Charset;
use models::{MODELS, Model};
use signs::is_letter;
use telling::{telling, words};

/// What a text looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guess {
    /// The likeliest charset.
    pub charset: Charset,
    /// How much likelier it is than the next one that gives another text, in tenths of a natural logarithm.
    pub margin: i32,
}

/// The price of a hard fault.
const FAULT: i32 = 60;

/// Up to so many different signs may stand in any text, where it has so many words of ASCII for each two words that the
/// signs are in.
const SIGNS: usize = 2;
const WORDS_FOR_TWO_SIGNS: usize = 5;

/// The octets of `™ © ® ° ± ² ³ ¼ ½`, of which one alone may stand in any text.
const LONE_SIGNS: [u8; 9] = [0x99, 0xA9, 0xAE, 0xB0, 0xB1, 0xB2, 0xB3, 0xBC, 0xBD];

/// So many octets may be signs alone; if they were letters, hardly a word would be of them.
const FEW_SIGNS: usize = 4;

/// How many words of ASCII letters count: a few stand in any text.
const MANY_LATIN: usize = 20;

/// Signs alone have to stand where they belong: so much, at most, one of them may cost.
const DEAR: i32 = -60;

/// So many characters are searched for faults.
const LOOKED_AT: usize = 200;

/// What is so much less likely is looked at no longer; no margin is larger.
const HOPELESS: i32 = 100;

/// So many pairs are read between looking which charsets are still likely.
const PAIRS: usize = 6;

/// A charset that is so far behind in letters can't come back by signs.
const LOST: i32 = 400;

/// Guesses the charset that texts are in, all of them in one; none where no octet is above 7F, where no charset reads
/// them, and where these octets may be a few signs of windows-1252 that another charset has letters for.
///
/// ```
/// use septet_text::charset::Charset;
/// use septet_text::evidence::statistics::guess;
///
/// let found = guess(&[b"\xF0\xD2\xC9\xD7\xC5\xD4", b"\xCB\xC1\xCB \xC4\xC5\xCC\xC1?"]).unwrap();
/// assert_eq!(found.charset, Charset::KOI8_R, "Привет; как дела?");
/// assert_eq!(found.margin, 100, "as large as any");
/// assert_eq!(guess(&[b"plain"]), None);
/// ```
pub fn guess(texts: &[&[u8]]) -> Option<Guess> {
    let telling = telling(texts);
    let ranked = ranked(&telling, texts);
    let (first, second) = (ranked.first()?, ranked.get(1));
    if first.has_letters() && (are_signs_among_words(&telling, texts) || are_few_signs(&telling)) {
        return None;
    }
    let margin = second.map_or(HOPELESS, |second| first.score - second.score);
    Some(Guess { charset: first.charset, margin })
}

/// Returns `true` if the words that tell (`telling`) have but one or two of the [`LONE_SIGNS`], and the texts that they
/// are taken from have many more words of ASCII: `®` stands within the name of a product there, and is no letter of
/// another language.
fn are_signs_among_words(telling: &[u8], texts: &[&[u8]]) -> bool {
    let octets: BTreeSet<u8> = telling.iter().copied().filter(|octet| !octet.is_ascii()).collect();
    if octets.len() > SIGNS || !octets.iter().all(|octet| LONE_SIGNS.contains(octet)) {
        return false;
    }
    let told = words(&[telling]).filter(|word| !word.is_empty()).count();
    words(texts).filter(|word| word.len() > 1 && word.is_ascii()).count() * 2 >= told * WORDS_FOR_TWO_SIGNS
}

/// Returns `true` if what tells is a few signs of windows-1252, such as `… ” €`, with no letter of ASCII beside them:
/// they are capitals in charsets of DOS, which nearly no mail is in.
fn are_few_signs(telling: &[u8]) -> bool {
    let mut above = telling.iter().filter(|octet| !octet.is_ascii());
    above.clone().count() <= FEW_SIGNS && above.all(is_sign) && !telling.iter().any(u8::is_ascii_alphabetic)
}

/// Returns `true` for an octet of 80..=9F that is a sign of windows-1252.
fn is_sign(octet: &u8) -> bool {
    let (read, _) = Charset::WINDOWS_1252.decode_lossy(std::slice::from_ref(octet));
    matches!(octet, 0x80..=0x9F) && !read.chars().any(|it| is_letter(it) || it.is_control())
}

/// Guesses the charset that texts are in rather than in a given one, all of them in one; the margin is how much
/// likelier it is than that. None where that one gives the likeliest text, or where no charset reads them.
///
/// ```
/// use septet_text::charset::Charset;
/// use septet_text::evidence::statistics::guess_against;
///
/// let octets = b"non pu\xF2 essere";
/// assert!(guess_against(&[octets], Charset::ISO_8859_2).is_some_and(|found| found.margin > 20), "puň");
/// assert_eq!(guess_against(&[octets], Charset::WINDOWS_1252), None);
/// ```
pub fn guess_against(texts: &[&[u8]], charset: Charset) -> Option<Guess> {
    let telling = telling(texts);
    let ranked = ranked(&telling, texts);
    let first = ranked.first()?;
    let (text, _) = charset.decode_lossy(&telling);
    let own = ranked.iter().find(|candidate| candidate.text == text);
    let margin = own.map_or(HOPELESS, |own| first.score - own.score);
    (first.text != text).then_some(Guess { charset: first.charset, margin })
}

/// Ranks the charsets that texts may be in, the likeliest first, each with another text; none where no octet is above
/// 7F. `telling` are the words of the texts that tell.
fn ranked(telling: &[u8], texts: &[&[u8]]) -> Vec<ScoredCharset> {
    if telling.is_ascii() {
        return Vec::new();
    }
    let ascii_words = ascii_words(texts);
    let mut scores = by_letters(telling, ascii_words);
    let floor = scores.iter().map(Score::at_most).max().unwrap_or(i32::MIN / 2) - LOST;
    for score in east_asian::scores(telling, floor) {
        scores.push(Score { letters: score.letters + models::LATIN * ascii_words, ..score });
    }
    scores.sort_by_key(|score| -score.at_most());
    with_signs_and_faults(telling, &scores)
}

/// Counts the words of ASCII letters in texts, [`MANY_LATIN`] at most.
fn ascii_words(texts: &[&[u8]]) -> i32 {
    let words = words(texts).filter(|word| word.len() > 1 && word.iter().all(u8::is_ascii_alphabetic));
    count(words.take(MANY_LATIN))
}

/// How likely a text is in a charset.
#[derive(Clone, Copy)]
struct Score {
    charset: Charset,
    /// Its letters, and what stood against the charset beforehand.
    letters: i32,
    /// What its signs cost at least.
    signs: i32,
}

impl Score {
    /// Returns how likely a text with so many words of ASCII letters is before its own letters are looked at.
    fn beforehand(model: &Model, ascii_words: i32) -> Score {
        Score { charset: model.charset, letters: model.prior + model.ascii_words(ascii_words), signs: 0 }
    }

    /// Returns how likely the text is if each sign stands where it belongs.
    fn at_most(&self) -> i32 {
        self.letters + self.signs
    }
}

/// Says how likely the letters are in each charset of eight bits, in the language that fits best; a charset that is too
/// far behind is left out.
fn by_letters(telling: &[u8], ascii_words: i32) -> Vec<Score> {
    let pairs = pairs(telling);
    let mut alive: Vec<(Score, &Model)> =
        MODELS.iter().map(|model| (Score::beforehand(model, ascii_words), model)).collect();
    for some in pairs.chunks(PAIRS) {
        for (score, model) in &mut alive {
            for (pair, count) in some {
                score.letters += model.likelihood(*pair) * count;
                score.signs += model.sign(pair[1]) * count;
            }
        }
        let best = alive.iter().map(|(score, _)| score.at_most()).max().unwrap_or_default();
        alive.retain(|(score, _)| score.at_most() > best - LOST);
    }
    // The models of one charset follow each other.
    let mut best: Vec<Score> = Vec::new();
    for (score, _) in alive {
        match best.last_mut().filter(|known| known.charset == score.charset) {
            Some(known) if known.letters >= score.letters => {}
            Some(known) => *known = score,
            None => best.push(score),
        }
    }
    best
}

/// Counts the pairs of octets of which one at least is above 7F, in the order of the text.
fn pairs(telling: &[u8]) -> Vec<([u8; 2], i32)> {
    let mut places: HashMap<[u8; 2], usize, foldhash::fast::FixedState> = HashMap::default();
    let mut pairs: Vec<([u8; 2], i32)> = Vec::new();
    for pair in telling.windows(2).filter_map(|pair| <[u8; 2]>::try_from(pair).ok()).filter(|pair| !pair.is_ascii()) {
        let at = *places.entry(pair).or_insert(pairs.len());
        match pairs.get_mut(at) {
            Some((_, count)) => *count += 1,
            None => pairs.push((pair, 1)),
        }
    }
    pairs
}

/// A charset that may be the best, and its text.
struct ScoredCharset {
    score: i32,
    charset: Charset,
    text: String,
}

impl ScoredCharset {
    /// Reads octets in a charset, with what the signs cost where they stand; none where it lacks more than one
    /// octet of twenty, or where signs alone are dear.
    fn read(telling: &[u8], score: &Score) -> Option<ScoredCharset> {
        let (text, bad) = score.charset.decode_lossy(telling);
        let text = text.into_owned();
        let price = signs::price(&text);
        let others = text.chars().filter(|character| !character.is_ascii());
        // A text of two octets a character may be cut within one, which is two faults.
        let cut = if Han::of(score.charset) == Han::None { 0 } else { 2 };
        let holds = bad.saturating_sub(cut) * 20 <= telling.len()
            && (others.clone().any(is_letter) || price >= DEAR * count(others));
        holds.then(|| ScoredCharset { score: score.letters + price, charset: score.charset, text })
    }

    /// Returns `true` if it reads letters beyond ASCII.
    fn has_letters(&self) -> bool {
        self.text.chars().any(|character| !character.is_ascii() && is_letter(character))
    }

    /// Takes off what its faults cost.
    fn add_faults(&mut self) {
        let end = self.text.char_indices().nth(LOOKED_AT).map_or(self.text.len(), |(end, _)| end);
        let faults = faults::of_witness(self.text.get(..end).unwrap_or_default(), Han::of(self.charset)).hard;
        self.score -= FAULT * i32::try_from(faults).unwrap_or(LOST);
    }
}

/// Counts what is to be multiplied by a price, at most as many as no price makes too large a product of.
fn count<T>(counted: impl Iterator<Item = T>) -> i32 {
    i32::try_from(counted.count()).unwrap_or(i32::MAX).min(i32::MAX / LOST)
}

/// Ranks charsets by all that counts: letters, signs where they stand, and faults. They must come in the order of
/// [`at_most`](Score::at_most), the highest first: the first that is hopelessly behind ends the search.
fn with_signs_and_faults(telling: &[u8], scores: &[Score]) -> Vec<ScoredCharset> {
    let mut found: Vec<ScoredCharset> = Vec::new();
    let mut best = i32::MIN;
    for score in scores {
        if score.at_most() < best.saturating_sub(HOPELESS) {
            break;
        }
        let Some(candidate) = ScoredCharset::read(telling, score) else { continue };
        if !found.iter().any(|known| known.text == candidate.text) {
            best = best.max(candidate.score);
            found.push(candidate);
        }
    }
    found.retain(|candidate| candidate.score >= best.saturating_sub(HOPELESS));
    // One that is alone is the best whatever its faults cost, and its margin does not count them.
    if found.len() > 1 {
        found.iter_mut().for_each(ScoredCharset::add_faults);
    }
    found.sort_by_key(|candidate| -candidate.score);
    found
}

#[cfg(test)]
mod tests;
