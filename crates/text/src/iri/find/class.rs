//! Classes of characters for the end of a link: the property Link_Term of UTS #58, as mail wants it.
//!
//! What differs from Unicode's table: `<`, `>` and `"` always end a link, because in mail they surround it; so do
//! the others of ASCII that no IRI holds (draft-ietf-iri-3987bis-06 §2.2), square brackets among them, which stand
//! around addresses alone; bidi controls (§4.1), specials, private and tag characters, and the sentence marks of
//! Chinese and Japanese, which stand without a space. The ellipsis, the soft hyphen and the invisible spaces end
//! it only when nothing of the link follows.

use super::super::syntax::{is_bidi_control, is_iprivate};
use super::table::{BRACKETS, RANGES};
use super::term::LinkTerm;

/// A look-up that remembers the range it found last: a word's letters mostly share one.
#[derive(Debug, Clone)]
pub(super) struct Classes {
    last: (u32, u32, LinkTerm),
}

impl Default for Classes {
    fn default() -> Classes {
        Classes { last: (0, 0, LinkTerm::Hard) }
    }
}

impl Classes {
    /// Returns the class of a character.
    pub(super) fn of(&mut self, character: char) -> LinkTerm {
        let code = u32::from(character);
        if code < 0x80 {
            return LinkTerm::of_ascii(u8::try_from(code).unwrap_or_default());
        }
        match special(character) {
            Some(class) => class,
            None if (self.last.0..=self.last.1).contains(&code) => self.last.2,
            None => self.look_up(code),
        }
    }

    /// Finds a character outside ASCII in the table; what is not there ends a link.
    fn look_up(&mut self, code: u32) -> LinkTerm {
        let index = RANGES.partition_point(|range| range.1 < code);
        match RANGES.get(index).filter(|range| range.0 <= code) {
            Some(&range) => {
                self.last = range;
                range.2
            }
            None => LinkTerm::Hard,
        }
    }
}

/// Returns the class of a character that mail treats differently from UTS #58.
fn special(character: char) -> Option<LinkTerm> {
    match character {
        '\u{AD}' | '\u{2026}' | '\u{200B}' | '\u{2060}' | '\u{FEFF}' => Some(LinkTerm::Soft),
        // Most letters are among these, and none of these is special.
        '\u{C0}'..='\u{600}' | '\u{3040}'..='\u{D7FF}' => None,
        '\u{FFF0}'..='\u{FFFF}' | '\u{E0000}'..='\u{E007F}' => Some(LinkTerm::Hard),
        other if is_bidi_control(other) || is_sentence_mark(other) => Some(LinkTerm::Hard),
        // Variation selectors stand among the tags of the draft's iprivate and belong to the character before.
        other if is_iprivate(other) && !('\u{E0100}'..='\u{E01EF}').contains(&other) => Some(LinkTerm::Hard),
        _ => None,
    }
}

/// Returns the bracket that a closing one closes.
pub(super) fn opening(close: char) -> Option<char> {
    let index = BRACKETS.binary_search_by_key(&close, |&(close, _)| close).ok()?;
    BRACKETS.get(index).map(|&(_, open)| open)
}

/// Returns `true` if a character ends sentences or parts of them in Chinese and Japanese.
pub(super) fn is_sentence_mark(character: char) -> bool {
    matches!(
        character,
        '\u{3001}' | '\u{3002}' | '\u{FF0C}' | '\u{FF0E}' | '\u{FF01}' | '\u{FF1F}' | '\u{FF1A}' | '\u{FF1B}'
    )
}
