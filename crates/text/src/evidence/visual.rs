//! Hebrew in the order in which it is seen.

use crate::charset::Charset;

/// Returns `true` if Hebrew text may stand in visual order, its letters as they are seen from left to right: the label
/// iso-8859-8 says so (RFC 1556), and half of those who write it don't know. Under any other label it does not.
///
/// The five letters that have another form at a word's end tell the two apart: where more than four times as many words
/// end in them as begin with them, the text is in logical order whatever the label says. So large a majority is asked
/// for because the mistakes are unequal: visual text that passes for logical is shown backwards for ever, logical text
/// that passes for visual stays as it came.
///
/// ```
/// use septet_text::charset::Charset;
/// use septet_text::evidence::may_be_visual;
///
/// assert!(may_be_visual(Charset::ISO_8859_8, "\u{5DD}\u{5D5}\u{5DC}\u{5E9}"), "the final mem comes first");
/// assert!(!may_be_visual(Charset::ISO_8859_8, "\u{5E9}\u{5DC}\u{5D5}\u{5DD}"));
/// assert!(!may_be_visual(Charset::ISO_8859_8_I, "\u{5DD}\u{5D5}\u{5DC}\u{5E9}"));
/// ```
pub fn may_be_visual(charset: Charset, text: &str) -> bool {
    if ![Charset::ISO_8859_8, Charset::ISO_8859_8_WINDOWS].contains(&charset)
        || !text.chars().any(|character| is_letter(Some(character)))
    {
        return false;
    }
    let (mut ends, mut starts, mut before) = (0, 0, None);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if FINAL_FORMS.contains(&character) {
            match (is_letter(before), is_letter(characters.peek().copied())) {
                (true, false) => ends += 1,
                (false, true) => starts += 1,
                _ => {}
            }
        }
        before = Some(character);
    }
    ends <= starts * 4
}

/// The letters that have this form at a word's end alone.
const FINAL_FORMS: [char; 5] = ['\u{5DA}', '\u{5DD}', '\u{5DF}', '\u{5E3}', '\u{5E5}'];

/// Returns `true` for a letter of Hebrew.
fn is_letter(character: Option<char>) -> bool {
    matches!(character, Some('\u{5D0}'..='\u{5EA}'))
}
