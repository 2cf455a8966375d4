//! Where a name is cut that needs several words: at its blanks.
//!
//! White space between two words is none of the text (RFC 2047 §6.2), but some readers show a blank there in a phrase.
//! So a name is cut where a blank stands anyway, which is written in one of the words; only where there is none, within
//! a long word or in Chinese, it is cut elsewhere. A word in base64 before another one must be whole groups of three
//! octets ([`encode`](mod@super::encode)), so that not every blank will do; one of the two may be in Q instead.
//!
//! All ways to cut the text are compared from its end to its start. The best has the fewest cuts that are not at a
//! blank, then the fewest words, then the fewest that are not in the wanted encoding.

use super::{Encoding, WORD_LIMIT, WordPlace, base, quoted};

/// A name of more octets is none, and is cut where the lines are full.
const LONGEST: usize = 2000;

/// The octets that any word but the first may have, and the most characters that a word says, since each has one octet
/// at least. A line has room for such a word behind the blank of its fold.
const MOST: usize = WORD_LIMIT;

/// A word of a name: how many characters it says, and how it is written.
pub type NameWord = (usize, Encoding);

/// The name that is cut, in UTF-8, and the form of its words.
pub struct Name<'t> {
    /// The text.
    pub text: &'t str,
    /// The encoding that is wanted. Where it is Q, no word is in base64.
    pub wanted: Encoding,
    /// Where the words stand.
    pub place: WordPlace,
    /// What each word has beside its text, in octets.
    pub overhead: usize,
    /// The octets that stand right behind the last word.
    pub tail: usize,
}

/// How bad a way to cut a text is; the least is the best. The order of the fields counts: the first that differs
/// decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Cost {
    /// Cuts where no blank stands, and words that are nothing but blanks.
    inside: u32,
    /// The words.
    words: u32,
    /// Words in another encoding than the wanted one.
    other: u32,
}

/// The best first word of what is left of a text, and what all of it costs.
type Best = Option<(Cost, NameWord)>;

impl Name<'_> {
    /// Returns the words that the name is written as, of which the first may have so many octets; none where no words
    /// of this form can be, or the text is too long for a name.
    pub fn cut(&self, first: usize) -> Option<Vec<NameWord>> {
        let table = Table::of(self)?;
        let (_, mut word) = table.best_of_all(first)?;
        let (mut words, mut at) = (vec![word], 0);
        while at + word.0 < table.chars.len() {
            let state = table.state_behind(at, word);
            at += word.0;
            (_, word) = table.best(at, state)?;
            words.push(word);
        }
        Some(words)
    }

    /// Returns `true` if fewer cuts are not at a blank where the first word may have as many octets as the others than
    /// where it may have `room`; `false` too where the text can't be cut with that room at all.
    pub fn is_cut_better_than(&self, room: usize) -> bool {
        let Some(table) = Table::of(self) else { return false };
        let [wide, narrow] = [MOST, room].map(|first| table.best_of_all(first).map(|(cost, _)| cost.inside));
        narrow > wide
    }
}

/// What stands before a word that is not the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// A word behind which any may stand.
    Any,
    /// A word in base64 with padding, behind which none in base64 may stand.
    Padded,
}

/// The best ways from each place of a text.
struct Table<'n> {
    name: &'n Name<'n>,
    /// Each character.
    chars: Vec<char>,
    /// The octets of the text before each character, and of all of it.
    octets: Vec<usize>,
    /// The octets that the text before each character has in Q, and all of it.
    quoted: Vec<usize>,
    /// How many blanks stand from each character on.
    blanks: Vec<usize>,
    /// The best behind a word of each kind, by place.
    any: Vec<Best>,
    padded: Vec<Best>,
}

impl<'n> Table<'n> {
    /// Finds the best ways from each place, the last one first; `None` where the text is too long for a name.
    fn of(name: &'n Name<'n>) -> Option<Table<'n>> {
        if name.text.len() > LONGEST {
            return None;
        }
        let chars: Vec<char> = name.text.chars().collect();
        let (mut octets, mut quoted) = (vec![0], vec![0]);
        for (at, text) in name.text.char_indices().map(|(at, it)| (at, &name.text[at..at + it.len_utf8()])) {
            octets.push(at + text.len());
            let before = quoted.last().copied().unwrap_or(0);
            quoted.push(before + quoted::encoded_len(text.as_bytes(), name.place));
        }
        let mut blanks = vec![0; chars.len() + 1];
        for at in (0..chars.len()).rev().filter(|at| chars[*at] == ' ') {
            blanks[at] = blanks[at + 1] + 1;
        }
        let ways = vec![None; chars.len()];
        let mut table = Table { name, chars, octets, quoted, blanks, any: ways.clone(), padded: ways };
        for at in (0..table.chars.len()).rev() {
            table.any[at] = table.find_best(at, State::Any, MOST);
            table.padded[at] = match name.wanted {
                Encoding::B => table.find_best(at, State::Padded, MOST),
                Encoding::Q => None,
            };
        }
        Some(table)
    }

    /// Returns the best way of all the text, the first word of which may have so many octets.
    fn best_of_all(&self, first: usize) -> Best {
        self.find_best(0, State::Any, first)
    }

    /// Returns the best way from a place on, which must be within the text and behind a word.
    fn best(&self, at: usize, state: State) -> Best {
        match state {
            State::Any => self.any[at],
            State::Padded => self.padded[at],
        }
    }

    /// Finds the best way from a place on, those from all later places being known, where the next word may have
    /// `limit` octets. Of equal ones the first word that says most wins.
    fn find_best(&self, at: usize, state: State, limit: usize) -> Best {
        let encodings: &[Encoding] = match (self.name.wanted, state) {
            (Encoding::B, State::Any) => &[Encoding::B, Encoding::Q],
            _ => &[Encoding::Q],
        };
        let mut best: Best = None;
        for count in 1..=(self.chars.len() - at).min(MOST) {
            let mut has_room = false;
            for encoding in encodings {
                let word = (count, *encoding);
                let len = self.len(at, word);
                has_room |= len <= limit;
                if len + self.tail_behind(at + count) > limit {
                    continue;
                }
                let Some(cost) = self.cost_with(at, word) else { continue };
                if best.is_none_or(|(least, (most, _))| cost < least || cost == least && count > most) {
                    best = Some((cost, word));
                }
            }
            // No longer word has room.
            if !has_room {
                break;
            }
        }
        best
    }

    /// Returns how many octets stand right behind a word that ends at a place.
    fn tail_behind(&self, end: usize) -> usize {
        if end == self.chars.len() { self.name.tail } else { 0 }
    }

    /// Returns what the text from `at` on costs if this word is the next; `None` if what follows can't be written.
    fn cost_with(&self, at: usize, word: NameWord) -> Option<Cost> {
        let end = at + word.0;
        let is_last = end == self.chars.len();
        let is_cut_inside = !is_last && self.chars[end] != ' ' && self.chars[end - 1] != ' ';
        let is_blank = self.blanks[at] >= word.0;
        let rest = if is_last { Cost::default() } else { self.best(end, self.state_behind(at, word))?.0 };
        Some(Cost {
            inside: rest.inside + u32::from(is_cut_inside) + u32::from(is_blank),
            words: rest.words + 1,
            other: rest.other + u32::from(word.1 != self.name.wanted),
        })
    }

    /// Returns how long a word is.
    fn len(&self, at: usize, (count, encoding): NameWord) -> usize {
        let end = at + count;
        self.name.overhead
            + match encoding {
                Encoding::Q => self.quoted[end] - self.quoted[at],
                Encoding::B => base::encoded_len(self.octets[end] - self.octets[at]),
            }
    }

    /// Tells what stands before the word that follows this one.
    fn state_behind(&self, at: usize, (count, encoding): NameWord) -> State {
        let octets = self.octets[at + count] - self.octets[at];
        if encoding == Encoding::B && !octets.is_multiple_of(3) { State::Padded } else { State::Any }
    }
}
