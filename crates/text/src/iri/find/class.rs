//! Classes of characters for the end of a link: the property Link_Term of UTS #58, as mail wants it.
//!
//! Nearly all of Unicode's table follows from the categories of characters: what is assigned and no white space is part
//! of a link. The rest is [in the table](super::table). A character that Unicode got later than that table was made is
//! part of a link as well.
//!
//! What differs from Unicode's table: `<`, `>` and `"` always end a link, because in mail they surround it; so do
//! the others of ASCII that no IRI holds (draft-ietf-iri-3987bis-06 §2.2), square brackets among them, which stand
//! around addresses alone; bidi controls (§4.1), specials, private and tag characters, and the sentence marks of
//! Chinese and Japanese, which stand without a space. The ellipsis, the soft hyphen and the invisible spaces end
//! it only when nothing of the link follows.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::super::syntax::{is_bidi_control, is_iprivate};
use super::table::{BRACKETS, SOFT};
use super::term::LinkTerm;

/// Returns the class of a character.
pub(super) fn class(character: char) -> LinkTerm {
    match u8::try_from(character).ok().filter(u8::is_ascii) {
        Some(octet) => LinkTerm::of_ascii(octet),
        None => special(character).unwrap_or_else(|| link_term(character)),
    }
}

/// Returns the Link_Term of a character outside ASCII.
fn link_term(character: char) -> LinkTerm {
    use GeneralCategory::{ClosePunctuation, FinalPunctuation, InitialPunctuation, OpenPunctuation, OtherPunctuation};
    use GeneralCategory::{
        Control, LineSeparator, OtherSymbol, ParagraphSeparator, PrivateUse, SpaceSeparator, Unassigned,
    };
    if is_usual_letter(character) {
        return LinkTerm::Include;
    }
    match character.general_category() {
        Control | LineSeparator | ParagraphSeparator | PrivateUse | SpaceSeparator | Unassigned => LinkTerm::Hard,
        _ if is_deprecated(character) => LinkTerm::Hard,
        FinalPunctuation | InitialPunctuation | OtherPunctuation | OtherSymbol if is_soft(character) => LinkTerm::Soft,
        OpenPunctuation if BRACKETS.iter().any(|(_, open)| *open == character) => LinkTerm::Open,
        ClosePunctuation if opening(character).is_some() => LinkTerm::Close,
        _ => LinkTerm::Include,
    }
}

/// Returns `true` if a character is of a script that most links are written in: these need no look into Unicode's
/// tables.
fn is_usual_letter(character: char) -> bool {
    matches!(character, '\u{C0}'..='\u{148}' | '\u{14A}'..='\u{377}' | '\u{3A3}'..='\u{52F}' | '\u{5D0}'..='\u{5EA}')
        || matches!(character, '\u{620}'..='\u{672}' | '\u{897}'..='\u{963}' | '\u{E01}'..='\u{E3A}')
        || matches!(character, '\u{3041}'..='\u{3096}' | '\u{3099}'..='\u{30FF}' | '\u{3220}'..='\u{A48C}')
        || matches!(character, '\u{AC00}'..='\u{D7A3}')
}

/// Returns `true` if Unicode's table has a character as Soft.
fn is_soft(character: char) -> bool {
    let code = u32::from(character);
    SOFT.get(SOFT.partition_point(|(_, last)| *last < code)).is_some_and(|(first, _)| *first <= code)
}

/// Returns `true` if a character is one that Unicode asks not to use (Deprecated in PropList.txt).
fn is_deprecated(character: char) -> bool {
    matches!(character, '\u{149}' | '\u{673}' | '\u{F77}' | '\u{F79}' | '\u{17A3}' | '\u{17A4}')
        || matches!(character, '\u{206A}'..='\u{206F}' | '\u{2329}' | '\u{232A}')
}

/// Returns the class of a character that mail treats differently from UTS #58; `None` for all others. The first arm
/// that fits counts.
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

/// Returns the bracket that a closing one closes; `None` for any other character.
pub(super) fn opening(close: char) -> Option<char> {
    let index = BRACKETS.binary_search_by_key(&close, |&(close, _)| close).ok()?;
    BRACKETS.get(index).map(|&(_, open)| open)
}

/// Returns `true` if a character ends sentences or parts of them in Chinese and Japanese.
pub(super) fn is_sentence_mark(character: char) -> bool {
    matches!(character, '、' | '。' | '，' | '．' | '！' | '？' | '：' | '；')
}
