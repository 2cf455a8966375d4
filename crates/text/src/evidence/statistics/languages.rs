//! How letters follow each other in languages, as `languages.txt` has it.
//!
//! A language there is some lines: its code, its letters beyond ASCII, those that it borrows and, if it is written in
//! Latin letters, how many of a hundred words have one of its own, with tabs between them; then a row for each of its
//! letters, with how likely each letter is behind it. The first row is that of the space, which stands for whatever is
//! no letter; in a language of Latin letters those of `a` to `z` follow. These rows have only the letters beyond ASCII,
//! the others all of them. A likelihood is a letter, `A` the highest, and a row begins with that of pairs which nobody
//! saw; a number is a run of these.

use std::sync::LazyLock;

/// A language of letters.
#[derive(Debug)]
pub(super) struct LetterLanguage {
    /// Its letters beyond ASCII.
    pub letters: Vec<char>,
    /// Letters that stand in words which it borrowed.
    borrowed: Vec<char>,
    /// Whether it is written in Latin letters, so that those of ASCII are its own.
    pub is_latin: bool,
    /// What a word of ASCII letters costs: little where most words are that.
    pub ascii_word: i32,
    /// How likely a class is behind another.
    table: Vec<i16>,
}

/// The class of what is no letter.
pub(super) const SPACE: u8 = 0;

/// How likely a letter is that only borrowed words have, and one that no word has.
const BORROWED: i16 = -110;
const FOREIGN: i16 = -130;

/// How likely a letter of the language is beside one of ASCII, where these are not its own.
const MIXED: i16 = -100;

/// One step of likelihood.
const STEP: i16 = 4;

const SOURCE: &str = include_str!("languages.txt");

/// The languages of letters; those of East Asia are read by [`characters`].
pub(super) static LANGUAGES: LazyLock<Vec<LetterLanguage>> = LazyLock::new(|| {
    let blocks = SOURCE.split("\n\n").skip(1);
    blocks
        .filter_map(|block| block.split_once('\n'))
        .filter_map(|(head, rows)| LetterLanguage::read(head, rows))
        .collect()
});

/// Returns what a word of ASCII costs a language in which so many of a hundred words are none.
fn cost_of_ascii(share: f64) -> i32 {
    let likelihood = 10.0 * (1.0 - share / 100.0).ln();
    // From 0 to -46, since no share is above 99.
    likelihood.round().clamp(-46.0, 0.0) as i32
}

/// Returns the lines of a language of East Asia: a likelihood, and its characters. None for a code that the file lacks.
pub(super) fn characters(code: &str) -> impl Iterator<Item = (i16, &'static str)> {
    let block = SOURCE.split("\n\n").filter_map(|block| block.split_once('\n')).find(|(head, _)| *head == code);
    let lines = block.map_or("", |(_, rows)| rows).lines();
    lines.filter_map(|line| Some((likelihood(*line.as_bytes().first()?), line.get(1..)?)))
}

impl LetterLanguage {
    /// Reads a language of letters; `None` for one of East Asia, whose head has no letters.
    fn read(head: &str, rows: &str) -> Option<LetterLanguage> {
        let mut fields = head.split('\t').skip(1);
        let letters: Vec<char> = fields.next()?.chars().collect();
        let borrowed = fields.next()?.chars().collect();
        let ascii_word = fields.next().and_then(|share| share.parse().ok()).map_or(0, cost_of_ascii);
        let rows: Vec<&str> = rows.lines().collect();
        let is_latin = rows.len() == 27 + letters.len();
        let mut language = LetterLanguage { letters, borrowed, is_latin, ascii_word, table: Vec::new() };
        language.fill(&rows);
        Some(language)
    }

    /// How many classes are not letters of the language beyond ASCII, and come before these: that of the space, and one
    /// for each of `a` to `z`, or one for all of them where they are not the language's own.
    fn first(&self) -> usize {
        if self.is_latin { 27 } else { 2 }
    }

    /// How many classes there are: behind the letters those that are borrowed, and those that no word has.
    pub fn width(&self) -> usize {
        self.first() + self.letters.len() + 2
    }

    /// Fills the table: with the prices of foreign, borrowed and mixed letters first, and with the rows of the file
    /// over these.
    fn fill(&mut self, rows: &[&str]) {
        let (first, width) = (self.first(), self.width());
        let (borrowed, foreign) = (width - 2, width - 1);
        self.table = vec![0; width * width];
        for (at, likelihood) in self.table.iter_mut().enumerate() {
            let (before, behind) = (at / width, at % width);
            *likelihood = match before.max(behind) {
                last if last == foreign => FOREIGN,
                last if last == borrowed => BORROWED,
                last if last >= first => MIXED,
                _ => 0,
            };
        }
        for (at, row) in rows.iter().enumerate() {
            // Those of ASCII letters are not there where they are not the language's.
            let before = if at == 0 || self.is_latin { at } else { at + 1 };
            self.fill_row(before, row);
        }
    }

    /// Reads the row of a class.
    fn fill_row(&mut self, before: usize, row: &str) {
        let Some(unseen) = row.bytes().next().map(likelihood) else { return };
        let width = self.width();
        let seen = seen(row, unseen).chain(std::iter::repeat(unseen));
        for (likelihood, behind) in seen.zip(self.columns_of(before)) {
            if let Some(place) = self.table.get_mut(before * width + behind) {
                *place = likelihood;
            }
        }
    }

    /// Returns the classes of the columns in the row of a class, in their order in the file.
    fn columns_of(&self, before: usize) -> Vec<usize> {
        let from = if before < self.first() { self.first() } else { 0 };
        // Where letters of ASCII are not the language's own they have no place there.
        (from..self.width() - 2).filter(|at| self.is_latin || *at != 1).collect()
    }

    /// Returns the class of a letter, folded. It is not asked about what is no letter, whose class is [`SPACE`].
    pub fn class(&self, letter: char) -> u8 {
        let first = self.first();
        let at = match letter {
            'a'..='z' if self.is_latin => usize::from(letter as u8 - b'a') + 1,
            'a'..='z' => 1,
            _ => match self.letters.iter().position(|own| *own == letter) {
                Some(at) => first + at,
                None if self.borrowed.contains(&letter) => self.width() - 2,
                None => self.width() - 1,
            },
        };
        u8::try_from(at).unwrap_or(SPACE)
    }

    /// Says how likely a class is behind another.
    #[inline]
    pub fn likelihood(&self, before: u8, behind: u8) -> i32 {
        i32::from(self.table.get(usize::from(before) * self.width() + usize::from(behind)).copied().unwrap_or(FOREIGN))
    }
}

/// Returns the likelihoods of a row up to the last pair that somebody saw.
fn seen(row: &str, unseen: i16) -> impl Iterator<Item = i16> {
    let mut run = 0;
    row.bytes().skip(1).flat_map(move |octet| {
        let digit = octet.is_ascii_digit().then(|| usize::from(octet - b'0'));
        let (before, own) = match digit {
            Some(_) => (0, None),
            None => (run, Some(likelihood(octet))),
        };
        run = digit.map_or(0, |digit| run * 10 + digit);
        std::iter::repeat_n(unseen, before).chain(own)
    })
}

/// Returns the likelihood that a letter of the file stands for.
fn likelihood(letter: u8) -> i16 {
    -STEP * i16::from(letter.saturating_sub(b'A'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_runs() {
        assert_eq!(seen("ZC2AB12D", -100).count(), 18);
        assert_eq!(seen("YA", -96).collect::<Vec<_>>(), [0]);
    }

    /// The table of a language says what everybody knows of it.
    #[test]
    fn a_language_knows_its_letters() {
        let orders = [['ä', 'ö', 'ü'], ['ä', 'ü', 'ö']];
        let german = LANGUAGES.iter().find(|language| orders.iter().any(|order| language.letters.starts_with(order)));
        let german = german.expect("German");
        assert!(of_pair(german, "fü") > of_pair(german, "fä") - 40 && of_pair(german, "ür") > -30, "für");
        assert_eq!(of_pair(german, "fu"), 0, "what is ASCII tells nothing");
        assert_eq!(of_pair(german, "fż"), i32::from(FOREIGN));
        let russian = LANGUAGES.iter().find(|language| language.letters.contains(&'ы')).expect("Russian");
        assert_eq!(of_pair(russian, "aы"), i32::from(MIXED));
        assert!(of_pair(russian, "ьъ") < -80);
    }

    fn of_pair(language: &LetterLanguage, pair: &str) -> i32 {
        let classes: Vec<u8> = pair.chars().map(|letter| language.class(letter)).collect();
        language.likelihood(classes[0], classes[1])
    }

    #[test]
    fn the_tables_are_small() {
        assert!(SOURCE.len() <= 64 << 10, "{} octets", SOURCE.len());
        assert!(LANGUAGES.len() > 60);
        assert!(characters("ja").map(|(_, line)| line.chars().count()).sum::<usize>() > 500);
    }
}
