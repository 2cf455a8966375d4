//! Where text and link can't be told apart, text wins.
//!
//! UTS #58 shows links to readers: when it takes too much it costs nothing. Here a link that takes too much has prose
//! percent-encoded, and leads nowhere afterwards; a link that is left costs nothing, and neither does one of which only
//! the beginning is mapped, for its end is then as it was. So after the authority a link ends, unless it stands in
//! angle brackets:
//!
//! - where a word in Latin letters or digits runs straight into another script, with none of `/ ? # & = - _ . % +`
//!   between them: `/index.htmlを参照`;
//! - at punctuation or a symbol outside ASCII, if the link has been ASCII so far or follows a word in Latin letters:
//!   `/OaX8《五行》`, `/page’s`; and at dashes and quotation marks in any case;
//! - before the first letter of a script that has no spaces between its words (or hangs endings on them, as Korean
//!   does), if the link has been ASCII so far and what stands around it doesn't say that it is a word of its own:
//!   `http://example.jp/をご覧ください。`. White space, brackets or quotation marks on both sides say it, and still not
//!   before a word that joins a link to its sentence.
//!
//! A link that has shown that it is an IRI (`http://例え.jp/パスを…`) is followed as UTS #58 follows it, but for words that
//! join it to its sentence right behind a separator.

use super::super::syntax::{is_bidi_control, pct_octet};
use super::class::{is_sentence_mark, opening};
use super::letter::Letter;
use super::words;

/// In which script a link's characters since its last separator started: the word that stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordScript {
    /// There are none.
    None,
    /// They started as Latin letters or digits.
    Latin,
    /// They started otherwise.
    Other,
}

/// What is known of a link so far.
#[derive(Debug)]
pub(super) struct Prose {
    /// Where the link's scheme starts.
    start: usize,
    /// Where its authority starts, or its path.
    body: usize,
    /// Whether it has had a character outside ASCII.
    foreign: bool,
    /// The word that the last character outside ASCII is of.
    word: WordScript,
    /// Where the link ends if what stands behind it speaks against all from there on; `settle` decides.
    doubt: Option<usize>,
}

impl Prose {
    /// Starts at a link of which nothing is known but where its scheme and its body start.
    pub(super) fn new(start: usize, body: usize) -> Prose {
        Prose { start, body, foreign: false, word: WordScript::None, doubt: None }
    }

    /// Takes what stands before the path.
    pub(super) fn take_authority(&mut self, authority: &str) {
        self.foreign |= !authority.is_ascii();
    }

    /// Takes a character outside ASCII at `at`, before which the link would end at `end`; tells whether it does. Each
    /// such character of the link must be asked about, in order.
    pub(super) fn ends(&mut self, text: &str, at: usize, end: usize, character: char) -> bool {
        let letter = Letter::of(character);
        if letter == Letter::Mark {
            return false;
        }
        let word = self.word_before(text, at);
        if letter == Letter::None {
            let ascii = !self.foreign || word == WordScript::Latin;
            self.word = WordScript::Other;
            return ascii && !is_invisible(character) || is_dash_or_quote(character);
        }
        let latin = letter == Letter::Latin;
        if !latin && (word == WordScript::Latin || !self.foreign && is_after_mark(text, at)) {
            return true;
        }
        if letter == Letter::Unspaced {
            if word == WordScript::None && words::joins(text.get(at..).unwrap_or_default()) {
                return true;
            }
            if !self.foreign && is_glued(before(text, self.start)) {
                return true;
            }
            self.doubt = self.doubt.or((!self.foreign).then_some(end));
        }
        self.word = match word {
            WordScript::None if latin => WordScript::Latin,
            WordScript::None => WordScript::Other,
            same => same,
        };
        self.foreign = true;
        false
    }

    /// Returns the word that a character at `at` goes on; only the octets since the last one outside ASCII are read.
    fn word_before(&self, text: &str, at: usize) -> WordScript {
        let octets = text.as_bytes().get(self.body..at).unwrap_or_default();
        // Without an authority `@` and its like separate, too.
        let is_opaque = text.as_bytes().get(self.body.wrapping_sub(1)) != Some(&b'/');
        let mut word = WordScript::None;
        for (back, octet) in octets.iter().rev().enumerate() {
            match octet {
                0x80.. => return self.word,
                // What is percent-encoded was copied; nobody goes on with letters as they are.
                _ if back == 0 && is_encoded(octets) => return WordScript::Latin,
                b'/' | b'?' | b'#' | b'&' | b'=' | b'-' | b'_' | b'.' | b'%' | b'+' => return word,
                b'@' | b':' | b',' | b';' if is_opaque => return word,
                octet if octet.is_ascii_alphanumeric() => word = WordScript::Latin,
                _ => {}
            }
        }
        word
    }

    /// Returns where a link ends that would end at `end`.
    pub(super) fn settle(&self, text: &str, end: usize) -> usize {
        let Some(doubt) = self.doubt else { return end };
        let link = text.get(doubt..end).unwrap_or_default();
        let after = text.get(end..).and_then(|rest| rest.chars().next());
        // What ends in ASCII has an end that can be seen, but for a letter that is percent-encoded.
        let open = !link.ends_with(|last: char| last.is_ascii()) || is_encoded(link.as_bytes());
        if open && (is_continued(after) || words::trails(link)) { doubt } else { end }
    }
}

/// Returns `true` if a character follows a mark that belongs to sentences before it does to paths.
fn is_after_mark(text: &str, at: usize) -> bool {
    before(text, at).is_some_and(|mark| matches!(mark, ',' | ';' | ':' | '!' | '\''))
}

/// Returns `true` if octets end in `%HH`.
fn is_encoded(octets: &[u8]) -> bool {
    octets.len().checked_sub(3).and_then(|at| pct_octet(octets.get(at..)?)).is_some()
}

/// Returns the character before a place.
fn before(text: &str, at: usize) -> Option<char> {
    text.get(..at).and_then(|text| text.chars().next_back())
}

/// Returns `true` if the character before a link says that its writer sets no spaces around links.
fn is_glued(before: Option<char>) -> bool {
    before.is_some_and(|character| {
        character.is_alphanumeric() || is_sentence_mark(character) && !matches!(character, '\u{FF1A}' | ':')
    })
}

/// Returns `true` if a link runs straight into what follows it: a character that is no white space, and neither bracket
/// nor quote that closes.
fn is_continued(after: Option<char>) -> bool {
    after.is_some_and(|character| {
        let closes =
            opening(character).is_some() || matches!(character, '"' | '\'' | '|' | '`' | '<' | '’' | '”' | '»');
        !closes && !character.is_whitespace() && !character.is_control() && !is_bidi_control(character)
    })
}

/// Returns `true` if a character can't be seen and may belong to a link if something of it follows.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{AD}' | '\u{2060}' | '\u{FEFF}')
}

/// Returns `true` if a character ends a link whatever that has been so far.
fn is_dash_or_quote(character: char) -> bool {
    matches!(character, '\u{2012}'..='\u{2015}' | '\u{2018}'..='\u{201F}' | '\u{2039}' | '\u{203A}' | '«' | '»')
}
