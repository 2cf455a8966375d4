//! Decodes runs of words: which neighbours belong together, and what they say.

use std::ops::Range;

use super::conformity::conformity;
use super::group::{Conformity, GroupText, TextError, WordGroup, WordReader, WordRun};
use super::{EncodedWord, Encoding, WordPlace, base, half, is_control, quoted, words};
use crate::charset::{Charset, Labels};
use crate::evidence::{self, Because};
use crate::utf7::{self, SetO};

/// Finds the runs of words in a text and decodes them.
pub fn runs(value: &[u8], place: WordPlace, reader: WordReader<'_>) -> Vec<WordRun> {
    let words: Vec<EncodedWord> = words(value).collect();
    words
        .chunk_by(|left, right| is_white(&value[left.at.end..right.at.start]))
        .map(|run| WordRun { at: span(run), groups: groups(value, run, place, reader) })
        .collect()
}

/// Decodes one run of words that were found in `value`; neighbours of one charset become one group.
pub fn groups(value: &[u8], run: &[EncodedWord], place: WordPlace, reader: WordReader<'_>) -> Vec<WordGroup> {
    let labels = reader.witnesses.labels;
    let mut groups = Vec::new();
    for words in run.chunk_by(|left, right| have_one_charset(value, [left, right], labels)) {
        let charset = words.first().and_then(|word| labels.find(&value[word.label.clone()]));
        NeighbouringWords { value, words, charset, place, reader }.decode(&mut groups);
    }
    groups
}

/// Returns `true` if two words have the same charset, or one label, which may mean none.
fn have_one_charset(value: &[u8], words: [&EncodedWord; 2], labels: &Labels) -> bool {
    let [left, right] = words.map(|word| &value[word.label.clone()]);
    left.eq_ignore_ascii_case(right) || labels.find(left).is_some_and(|charset| labels.find(right) == Some(charset))
}

/// Returns the octets that a word's text stands for, in the charset of its label; what is not of its encoding is
/// skipped, so that a broken word may give fewer, or none. `word` must be one that was found in `value`.
///
/// ```
/// use septet_text::encoded_word::{octets, words};
///
/// let value = b"=?utf-8?Q?caf=C3=A9?=";
/// assert_eq!(words(value).map(|word| octets(value, &word)).collect::<Vec<_>>(), ["café".as_bytes()]);
/// ```
pub fn octets(value: &[u8], word: &EncodedWord) -> Vec<u8> {
    let text = &value[word.text.clone()];
    let mut octets = Vec::with_capacity(text.len());
    match word.encoding {
        Encoding::Q => quoted::decode(text, &mut octets),
        Encoding::B => base::decode(text, &mut octets),
    }
    octets
}

/// Returns `true` if octets are white space and line ends alone, or none at all.
pub fn is_white(octets: &[u8]) -> bool {
    octets.iter().all(|octet| matches!(octet, b' ' | b'\t' | b'\r' | b'\n'))
}

/// Returns where words stand, from the first to the last; `0..0` for none.
fn span(words: &[EncodedWord]) -> Range<usize> {
    let start = words.first().map_or(0, |word| word.at.start);
    start..words.last().map_or(start, |word| word.at.end)
}

/// Neighbours whose labels mean one charset, or are the same label that means none.
struct NeighbouringWords<'a> {
    value: &'a [u8],
    words: &'a [EncodedWord],
    charset: Option<Charset>,
    place: WordPlace,
    reader: WordReader<'a>,
}

impl NeighbouringWords<'_> {
    /// Decodes them, in one group or in several: by one attempt after the other, in the order in which they must be
    /// made (see the module `encoded_word`); [`last_resort`](NeighbouringWords::last_resort) alone may put U+FFFD for a
    /// fault.
    fn decode(&self, groups: &mut Vec<WordGroup>) {
        let octets: Vec<Vec<u8>> = self.words.iter().map(|word| octets(self.value, word)).collect();
        if self.words.iter().any(|word| self.is_url_safe(word)) {
            groups.push(self.group(self.words, &octets, Err(TextError::UrlAlphabet)));
            return;
        }
        if self.words.len() > 1 && self.decode_beside_broken(&octets, groups) {
            return;
        }
        let joined = self.joined(&octets);
        let first = self.joined_text(&joined, &octets);
        let outcome = first.or_else(|left| {
            let repaired = self.recut().or_else(|| self.with_underscores());
            repaired.and_then(|octets| self.text(&octets).ok()).ok_or(left)
        });
        if let Err(left) = &outcome
            && (self.decode_before_half(&octets, &joined, left, groups) || self.decode_each(&octets, groups))
        {
            return;
        }
        let outcome = outcome.or_else(|left| self.last_resort(left, &joined));
        groups.push(self.group(self.words, &octets, outcome));
    }

    /// Reads words as one text. A reading that is only likely, by the settings' list or statistics, is an error where
    /// one of the words alone can be read by its label and all of them together can't:
    /// [`decode_each`](NeighbouringWords::decode_each) reads them then.
    fn joined_text(&self, joined: &[u8], octets: &[Vec<u8>]) -> Result<GroupText, TextError> {
        let text = self.text(joined)?;
        let is_likely = matches!(text.because, Because::Unlabelled | Because::Detect);
        if let Some(charset) = self.charset.filter(|_| is_likely && octets.len() > 1)
            && octets.iter().any(|octets| self.text(octets).is_ok_and(|text| text.because == Because::Label))
            && let Err(source) = charset.decode(joined)
        {
            return Err(TextError::Malformed { charset: charset.name().to_owned(), source });
        }
        Ok(text)
    }

    /// Joins the octets of the words; the byte order mark that each of them begins with stands there once.
    fn joined(&self, octets: &[Vec<u8>]) -> Vec<u8> {
        let Some((first, rest)) = octets.split_first() else { return Vec::new() };
        let mark = &first[..self.charset.map_or(0, |charset| charset.mark_len(first))];
        let rest = rest.iter().map(|word| word.strip_prefix(mark).unwrap_or(word));
        [&**first].into_iter().chain(rest).collect::<Vec<_>>().concat()
    }

    /// Decodes words with a broken one among them, of whose text nothing comes: a group of its own, so that it hurts
    /// its neighbours no more than one of another charset would. `false`, and nothing is added, where none is broken or
    /// the others can't be read without it.
    fn decode_beside_broken(&self, octets: &[Vec<u8>], groups: &mut Vec<WordGroup>) -> bool {
        let are_broken = octets.iter().zip(self.words).map(|(octets, word)| octets.is_empty() && !word.text.is_empty());
        if !are_broken.clone().any(|is_broken| is_broken) {
            return false;
        }
        let mut found = Vec::new();
        let mut start = 0;
        for run in are_broken.collect::<Vec<bool>>().chunk_by(bool::eq) {
            let range = start..start + run.len();
            start = range.end;
            let Ok(text) = self.text(&self.joined(&octets[range.clone()])) else { return false };
            found.push(self.group(&self.words[range.clone()], &octets[range], Ok(text)));
        }
        groups.extend(found);
        true
    }

    /// Decodes those words together that can each be read alone, and those that can't; `false`, and nothing is added,
    /// for a single word, where the label means no charset, and where no word can be read alone.
    fn decode_each(&self, octets: &[Vec<u8>], groups: &mut Vec<WordGroup>) -> bool {
        // The state of a charset with shifts goes on from word to word.
        let may_part = self.charset.is_some_and(|charset| charset.keeps_ascii() || charset.utf_7().is_some());
        if self.words.len() < 2 || !may_part {
            return false;
        }
        let texts: Vec<_> = octets.iter().map(|octets| self.text(octets)).collect();
        if texts.iter().all(Result::is_err) {
            return false;
        }
        let mut start = 0;
        for chunk in texts.chunk_by(|left, right| self.are_joined(left, right)) {
            let range = start..start + chunk.len();
            start = range.end;
            let joined = octets[range.clone()].concat();
            let outcome = self.text(&joined).or_else(|left| self.last_resort(left, &joined));
            groups.push(self.group(&self.words[range.clone()], &octets[range], outcome));
        }
        true
    }

    /// Returns `true` if two words are read as one text. One whose octets disprove its label is joined only with others
    /// that are in the same charset.
    fn are_joined(&self, left: &Result<GroupText, TextError>, right: &Result<GroupText, TextError>) -> bool {
        match (left, right) {
            // In UTF-7 a shift may go on into the next word, which says something else alone; and a line end may stand
            // at an end alone.
            (Ok(left), Ok(right)) => !self.is_utf_7() && left.charset == right.charset && left.line_end.is_empty(),
            (left, right) => left.is_err() && right.is_err(),
        }
    }

    /// Decodes words that end inside a character up to it. What is left of it stays in its words, if it has some of its
    /// own. `false` where they end in none.
    fn decode_before_half(
        &self,
        octets: &[Vec<u8>],
        joined: &[u8],
        left: &TextError,
        groups: &mut Vec<WordGroup>,
    ) -> bool {
        let (Some(charset), Some(last)) = (self.charset, self.words.last()) else { return false };
        let (label, read) = (self.label_of(last), |octets: &[u8]| self.text(octets));
        let Some((cut, start)) = half::cut(joined, (charset, &label), left, self.reader, read) else { return false };
        let ends = octets.iter().scan(0, |end, word| {
            *end += word.len();
            Some(*end)
        });
        match ends.zip(1..).filter(|(end, _)| *end == start).last() {
            Some((_, before)) => {
                let (words, own) = self.words.split_at(before);
                groups.push(self.group(words, &octets[..before], Ok(cut.text)));
                NeighbouringWords { words: own, ..*self }.decode(groups);
            }
            None => groups.push(WordGroup { cut: Some(cut), ..self.group(self.words, octets, Err(left.clone())) }),
        }
        true
    }

    /// Returns `true` if a word may be in the alphabet for addresses.
    fn is_url_safe(&self, word: &EncodedWord) -> bool {
        word.encoding == Encoding::B && base::is_url_safe(&self.value[word.text.clone()])
    }

    /// Joins base64 that was cut between words at any digit, and only then decodes it; none where a word is in Q, or
    /// none was cut.
    fn recut(&self) -> Option<Vec<u8>> {
        let texts: Vec<&[u8]> = self.words.iter().map(|word| &self.value[word.text.clone()]).collect();
        let all_b = self.words.iter().all(|word| word.encoding == Encoding::B);
        if !all_b || !texts.iter().rev().skip(1).any(|text| base::is_cut(text)) {
            return None;
        }
        let mut octets = Vec::new();
        base::decode(&texts.concat(), &mut octets);
        Some(octets)
    }

    /// Reads `_` behind an 8-bit octet as itself, where it can be the second octet of a character (Big5, GBK): some
    /// encoders forget to write it as `=5F`. None for words in B, and where no character ends in such an octet.
    fn with_underscores(&self) -> Option<Vec<u8>> {
        let charset = self.charset.filter(|charset| charset.keeps_ascii() && !charset.is_ascii_compatible());
        if charset.is_none() || self.words.iter().any(|word| word.encoding == Encoding::B) {
            return None;
        }
        let mut octets = Vec::new();
        for word in self.words {
            quoted::decode_with_underscores(&self.value[word.text.clone()], &mut octets);
        }
        Some(octets)
    }

    /// Reads octets under the label of the words; an error where they can't be read, or where the text may not replace
    /// the words.
    fn text(&self, octets: &[u8]) -> Result<GroupText, TextError> {
        let label = self.label();
        let witnesses = &self.reader.witnesses_of(label.as_bytes());
        // A word must have a label, so that one without says something that nobody knows.
        if label.is_empty() && octets.is_ascii() {
            return Err(TextError::UnknownCharset(label));
        }
        let read = match self.charset {
            Some(charset) => evidence::judge_as(octets, charset, witnesses),
            None => evidence::judge(octets, Some(label.as_bytes()), witnesses),
        };
        let read = read.map_err(|doubt| TextError::of(doubt, label.as_bytes()))?;
        let (charset, because, mut text) = (read.charset, read.because, read.text.into_owned());
        let line_end = line_end_of(&text);
        text.truncate(text.len() - line_end.len());
        if text.chars().any(is_control) {
            return Err(TextError::Control);
        }
        if evidence::may_be_visual(charset, &text) {
            return Err(TextError::Visual);
        }
        Ok(GroupText { charset, text, because, lost: 0, line_end })
    }

    /// Reads ill-formed octets with U+FFFD where the reader is lossy, or as [`Charset::UNKNOWN_8BIT`] where their label
    /// says that and is believed; else returns `left`.
    fn last_resort(&self, left: TextError, octets: &[u8]) -> Result<GroupText, TextError> {
        if self.reader.lossy
            && matches!(left, TextError::Malformed { .. })
            && let Some(text) = self.charset.and_then(|charset| with_replacements(charset, octets))
        {
            return Ok(text);
        }
        let is_unknown = self.reader.is_unknown_8bit(self.label().as_bytes());
        let unknown = if is_unknown { with_replacements(Charset::UNKNOWN_8BIT, octets) } else { None };
        unknown.ok_or(left)
    }

    /// Returns `true` if the words are in UTF-7, of either RFC.
    fn is_utf_7(&self) -> bool {
        self.charset.is_some_and(|charset| charset.utf_7().is_some())
    }

    /// Returns the label of the first word, which stands for all of them.
    fn label(&self) -> String {
        self.words.first().map(|word| self.label_of(word)).unwrap_or_default()
    }

    /// Returns the label of a word as it stands there.
    fn label_of(&self, word: &EncodedWord) -> String {
        String::from_utf8_lossy(&self.value[word.label.clone()]).into_owned()
    }

    /// Makes a group of some of the words, with what they say.
    fn group(&self, words: &[EncodedWord], octets: &[Vec<u8>], outcome: Result<GroupText, TextError>) -> WordGroup {
        let first = words.first();
        let language = first.and_then(|word| self.language(word));
        let encoding = first.map(|word| word.encoding);
        // The label of a word of nothing says nothing.
        let full = words.iter().zip(octets).find(|(_, octets)| !octets.is_empty()).map(|(word, _)| word);
        WordGroup {
            at: span(words),
            label: full.or(first).map(|word| self.label_of(word)).unwrap_or_default(),
            language: language.filter(|tag| words.iter().all(|word| self.language(word).as_ref() == Some(tag))),
            conformity: if outcome.is_ok() { self.worst_conformity(words, octets) } else { Conformity::Broken },
            encoding: encoding.filter(|encoding| words.iter().all(|word| word.encoding == *encoding)),
            outcome,
            cut: None,
        }
    }

    /// Returns the language tag of a word; none where it has none, or one that is no tag.
    fn language(&self, word: &EncodedWord) -> Option<String> {
        let tag = &self.value[word.language.clone()?];
        let good = !tag.is_empty() && tag.iter().all(|octet| octet.is_ascii_alphanumeric() || *octet == b'-');
        good.then(|| String::from_utf8_lossy(tag).into_owned())
    }

    /// Returns how the worst of some words is written. A word that, read by itself, isn't true to its label is broken;
    /// so are words that are all empty.
    fn worst_conformity(&self, words: &[EncodedWord], octets: &[Vec<u8>]) -> Conformity {
        // A word of nothing stays beside one of another charset, so it must not count when that one has become its own.
        let full = words.iter().zip(octets).filter(|(_, octets)| !octets.is_empty());
        let each = full.map(|(word, octets)| match self.is_true_to_label(word, octets) {
            true => conformity(self.value, word, self.place),
            false => Conformity::Broken,
        });
        each.min().unwrap_or(Conformity::Broken)
    }

    /// Returns `true` if the octets of a word, read by themselves, are text in the charset of its label; UTF-7 must be
    /// written in Q, with nothing but its direct characters.
    fn is_true_to_label(&self, word: &EncodedWord, octets: &[u8]) -> bool {
        let Some(charset) = self.charset else { return false };
        let is_true = match evidence::judge_as(octets, charset, &self.reader.witnesses) {
            Ok(read) => read.because == Because::Label && read.charset == charset,
            Err(_) => charset.decode(octets).is_ok(),
        };
        is_true && (!self.is_utf_7() || word.encoding == Encoding::Q && octets.iter().all(|&octet| is_set_d(octet)))
    }
}

/// Returns the line end behind a text; empty where there is none, or nothing before it.
fn line_end_of(text: &str) -> &'static str {
    let ends = ["\r\n", "\n", "\r"].into_iter();
    ends.filter(|end| text.len() > end.len()).find(|end| text.ends_with(end)).unwrap_or("")
}

/// Reads octets with U+FFFD for what is ill-formed, which nothing is in [`Charset::UNKNOWN_8BIT`]; `None` where
/// controls are among what they say.
fn with_replacements(charset: Charset, octets: &[u8]) -> Option<GroupText> {
    let (text, lost) = charset.decode_lossy(octets);
    let text = GroupText { charset, text: text.into_owned(), because: Because::Label, lost, line_end: "" };
    (!text.text.chars().any(is_control)).then_some(text)
}

/// Returns `true` if an octet may stand in UTF-7 in a header: Set D, space, and what shifts are made of (RFC 1642).
fn is_set_d(octet: u8) -> bool {
    octet == b'+' || utf7::is_direct(octet, SetO::Encoded)
}
