//! The items of a text: white space, plain pieces, raw 8-bit, quoted-strings, encoded-words.
//!
//! A *segment* is a range of a field in which text stands: the whole of an unstructured field, one phrase, one
//! piece of a comment between parentheses. Its items cover it in order.

use std::borrow::Cow;
use std::ops::Range;

use super::target::FieldTarget;
use crate::coding::encoded_word::{Conformity, TextError, WordPlace, is_white};
use crate::coding::evidence::Origin;
use crate::message::irregular::Form;
use crate::rewrite::{HeaderForm, Reason};

/// Text without white space of more octets than this can't be folded, but words that say it can. A line has 998 octets
/// at most (RFC 5322 §2.1.1), and the name of the field may stand on it, too.
const ENDLESS: usize = 900;

/// A range of a field in which text stands.
pub struct Segment<'a> {
    /// The rules for words in it.
    pub place: WordPlace,
    /// Its items; they cover it in order.
    pub items: Vec<Item<'a>>,
    /// Whether it is a name, or another text of an address field: a phrase, or a comment there.
    pub is_name: bool,
    /// Whether a quote or parenthesis stands in the field that never closes: new quotes could close it.
    pub is_open: bool,
}

impl Segment<'_> {
    /// Returns where it stands in the field's value, the white space at its ends left out: an empty range if it is all
    /// white space, and 0..0 if it has no items, wherever it stands.
    pub fn at(&self) -> Range<usize> {
        let solid = &self.items[self.solid()];
        let start = solid.first().or(self.items.first()).map_or(0, |item| item.at.start);
        start..solid.last().map_or(start, |item| item.at.end)
    }

    /// Returns the indices of its items, the white space at its ends left out; 0..0 if all is white space.
    pub fn solid(&self) -> Range<usize> {
        let start = self.items.iter().position(|item| !item.is_white()).unwrap_or(0);
        start..self.items.iter().rposition(|item| !item.is_white()).map_or(start, |last| last + 1)
    }
}

/// Returns `true` if an octet is no white space of a field ([`is_white`]): blank, TAB, CR and LF are, a form feed is
/// not.
pub fn is_solid(octet: &u8) -> bool {
    !is_white(&[*octet])
}

/// Returns `true` if an item is white space between words, so that no reader shows it. Whether the words can be read is
/// not asked.
pub fn is_dropped_between_words(items: &[Item], index: usize) -> bool {
    is_white_between(items, index, |item| item.is_words())
}

/// Returns `true` if an item is white space right between two items of this kind.
pub fn is_white_between(items: &[Item], index: usize, is_of_kind: impl Fn(&Item) -> bool) -> bool {
    let before = index.checked_sub(1).and_then(|before| items.get(before));
    items[index].is_white() && before.is_some_and(&is_of_kind) && items.get(index + 1).is_some_and(is_of_kind)
}

/// Returns a text with one space for white space, folds included, and none at its ends. So texts are compared, of which
/// readers show white space differently.
pub fn with_single_spaces(text: &str) -> String {
    text.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A piece of a segment. A field may have one for each of its letters, so what few have is kept apart.
#[derive(Default)]
pub struct Item<'a> {
    /// Where it stands in the field's value.
    pub at: Range<usize>,
    /// What it is.
    pub kind: ItemKind,
    /// What it says: without quotes and backslashes, decoded, unfolded.
    pub text: Cow<'a, str>,
    /// The labels of what it was decoded from, `8bit` for raw octets; nothing for plain ASCII.
    pub from: Vec<Origin>,
    /// Whether octets over 127 stand in it.
    pub eight_bit: bool,
    /// Whether it is UTF-8 as it stands, and is read so: beside what is none, it may be read in another charset.
    pub utf8: bool,
    /// How many faults in its text are U+FFFD now.
    pub lost: usize,
    /// Whether escapes in it were expanded, and how many.
    pub unescaped: Option<usize>,
    /// Whether its text was encoded twice, and is what was meant now.
    pub undoubled: bool,
    /// Whether its characters stand for octets that nobody can read, `Charset::UNKNOWN_8BIT`.
    pub unknown: bool,
    /// Why it can't be read, or with a half not to its end.
    pub unread: Option<Box<TextError>>,
    /// The half of a character that stands behind its text, if words end in one: a word of its octets, in the charset
    /// that they are in, which stays what it is.
    pub half: Option<Box<str>>,
    /// The line end behind its text, if words end in one and nothing but white space follows them; else empty. Words
    /// alone may say it.
    pub line_end: &'static str,
}

/// What an item is.
#[derive(Clone, Default)]
pub enum ItemKind {
    /// White space, line ends among it.
    #[default]
    White,
    /// Text that stands for itself, ASCII or raw 8-bit.
    Plain,
    /// A quoted-string of a phrase.
    Quoted,
    /// Encoded-words under one label.
    Words(Box<WordLabel>),
    /// A parenthesis that never closes: without it, those after it would.
    Stray,
}

/// What is known of encoded-words, their text aside.
#[derive(Clone)]
pub struct WordLabel {
    /// The charset that they are labelled with.
    pub label: String,
    /// Their language tag.
    pub language: Option<String>,
    /// How well they are written.
    pub conformity: Conformity,
}

impl Item<'_> {
    /// Returns `true` if it is white space.
    pub fn is_white(&self) -> bool {
        matches!(self.kind, ItemKind::White)
    }

    /// Returns `true` if it is encoded-words, readable or not.
    pub fn is_words(&self) -> bool {
        matches!(self.kind, ItemKind::Words(_))
    }

    /// Returns `true` if all of it is read: it is neither text that can't be, nor ends in half a character, nor is it a
    /// parenthesis that never closes.
    pub fn is_read(&self) -> bool {
        self.unread.is_none() && !matches!(self.kind, ItemKind::Stray)
    }

    /// Returns why it must stay, if it must: it can't be read, or is a parenthesis that never closes. What touches it
    /// then stays, too. Words that end in half a character need not stay.
    pub fn why_it_stays(&self) -> Option<Reason> {
        match self.kind {
            ItemKind::Stray => Some(Reason::Irregular(Form::AddressOpen)),
            _ if self.half.is_some() => None,
            _ => self.why_unread(),
        }
    }

    /// Returns why it can't be read, or why the half of a character at its end can't. None where all of it is read, and
    /// for a parenthesis that never closes, which is no text ([`why_it_stays`](Self::why_it_stays)).
    pub fn why_unread(&self) -> Option<Reason> {
        self.unread.as_deref().map(Reason::from)
    }

    /// Returns why what it says can't be said among other text, as when it becomes a part of a downgrade: it is not
    /// read to its end, nobody knows its octets, or words alone may say its line end.
    pub fn why_unsaid(&self) -> Option<Reason> {
        match self.why_unread().or_else(|| self.why_it_stays()) {
            None if self.unknown => Some(Reason::Unlabelled),
            None if !self.line_end.is_empty() => Some(Reason::Control),
            unread => unread,
        }
    }

    /// Returns `true` if it is fine as it stands for the target; what can't be read is, for nothing else could be
    /// written. What is written in the place of items must be fine for the same target, or a second run would write it
    /// anew. The order of the cases counts: words that end in half a character, and literal text, come before others.
    pub fn is_fine(&self, target: &FieldTarget<'_>) -> bool {
        match &self.kind {
            ItemKind::White | ItemKind::Stray => true,
            _ if self.unread.is_some() && self.half.is_none() => true,
            // The half stays a word in the charset of these words. If that is the one that is wanted, nothing is gained
            // by writing the others anew.
            ItemKind::Words(words) if self.half.is_some() => {
                target.is_fine(&words.label, &self.text, Conformity::Conforming)
            }
            // In the place of words that say nothing, nothing could be written.
            ItemKind::Words(words) => {
                let is_well_labelled = target.is_fine(&words.label, &self.text, words.conformity)
                    || target.reader.is_unknown_8bit(words.label.as_bytes());
                self.text.is_empty() || is_well_labelled && !self.eight_bit && !self.undoubled
            }
            ItemKind::Plain | ItemKind::Quoted if target.literal => {
                let is_endless = target.fold.is_some() && self.at.len() > ENDLESS;
                !self.eight_bit && !is_endless && !self.text.contains("=?")
            }
            ItemKind::Plain | ItemKind::Quoted => self.is_fine_text(target),
        }
    }

    /// Returns `true` if plain or quoted text is fine: it is not raw, holds no words though it is quoted, and neither
    /// escapes were expanded in it nor a second encoding undone. It must be readable.
    fn is_fine_text(&self, target: &FieldTarget<'_>) -> bool {
        let is_as_it_came = self.unescaped.is_none() && !self.undoubled;
        let has_no_words =
            is_as_it_came && self.from.iter().all(|label| label.is_raw() || self.is_fine_quoted(label, target));
        match target.form {
            HeaderForm::Keep => true,
            HeaderForm::Words => !self.eight_bit && is_as_it_came,
            HeaderForm::Utf8 => has_no_words && self.utf8,
            // Raw text that can't stand so is written in words ([`FieldTarget::in_words`]), beside what can.
            HeaderForm::Utf8Words if target.profile.headers == HeaderForm::Utf8 => has_no_words && self.utf8,
            HeaderForm::Utf8Words | HeaderForm::Utf7Words | HeaderForm::Ascii => !self.eight_bit && has_no_words,
        }
    }

    /// Returns `true` if a word of this charset, found in a quoted-string, is fine there, where no word should stand:
    /// only if its charset is wanted and nothing is repaired.
    fn is_fine_quoted(&self, label: &Origin, target: &FieldTarget<'_>) -> bool {
        matches!(self.kind, ItemKind::Quoted) && target.is_fine(&label.name, &self.text, Conformity::Broken)
    }
}
