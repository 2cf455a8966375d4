//! What a label of a host can hold (RFC 5892; UTS #46 maps the rest of it or bars it).

use super::letter::Letter;

/// Returns `true` if a character may stand in a label of a host, or in what stands before its `@`.
pub(super) fn may_hold(character: char) -> bool {
    match character {
        '-' | '_' | '%' => true,
        ascii if ascii.is_ascii() => ascii.is_ascii_alphanumeric(),
        // What RFC 5892 allows by context or by exception: middle dots, geresh, joiners, the Tibetan and Arabic ones.
        '\u{B7}' | '\u{375}' | '\u{5F3}' | '\u{5F4}' | '\u{30FB}' | '\u{200C}' | '\u{200D}' => true,
        '\u{6FD}' | '\u{6FE}' | '\u{F0B}' => true,
        other => Letter::of(other) != Letter::None,
    }
}
