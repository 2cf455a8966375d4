//! What a label of a host can hold (RFC 5892; UTS #46 maps the rest of it or bars it).

use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, UnicodeScript};

/// Tells whether a character may stand in a label of a host, or in what stands before its `@`.
pub(super) fn may_hold(character: char) -> bool {
    match character {
        '-' | '_' | '%' => true,
        ascii if ascii.is_ascii() => ascii.is_ascii_alphanumeric(),
        // What RFC 5892 allows by context or by exception: middle dots, geresh, joiners, the Tibetan and Arabic ones.
        '\u{B7}' | '\u{375}' | '\u{5F3}' | '\u{5F4}' | '\u{30FB}' | '\u{200C}' | '\u{200D}' => true,
        '\u{6FD}' | '\u{6FE}' | '\u{F0B}' => true,
        other => other.is_alphanumeric() || is_combining_mark(other),
    }
}

/// Tells whether a character is of the script that ASCII's letters are of, or sits on one of them.
pub(super) fn is_latin(character: char) -> bool {
    // Fullwidth letters are Latin too, but stand in other company.
    !('\u{FF00}'..='\u{FFEF}').contains(&character)
        && (character.script() == Script::Latin || character.script() == Script::Inherited)
}
