//! The kinds of signs: what a character is that is no letter.

use unicode_properties::GeneralCategory;

/// What stands between letters of one word, or opens or closes one, in some language.
const INNER: &str = "'’ʼʻ‘‐‑-·.&@/_:־׳״ـ٬،";

/// Accents that stand alone, as signs.
const ACCENTS: &str = "¨¯¸˜ˆ˘˙˚˛˝ˇ";

/// Signs that stand beside figures or before words, and never beside a letter; currency signs but for the euro and
/// pound too.
const APART: &str = "¦´¤‡†‰ƒ§¶¿¡•";

/// What a sign is, for the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SignKind {
    /// A numeral that is no digit, or an ordinal.
    Numeral,
    Digit,
    Dingbat,
    /// An emoji, a mark of direction, a joiner: anywhere.
    Anywhere,
    /// Part of words, or of East Asian writing.
    Inner,
    Accent,
    /// Box drawing, mathematics, currency and what else stands apart from letters.
    Apart,
    Degree,
    Copyright,
    Opening,
    /// A quote that some languages open with and others close with.
    Closing,
    SoftHyphen,
    /// Any other.
    Other,
}

/// Says what kind of sign a character is, by the first arm that fits; none for a letter, a mark or ASCII. `category` is
/// its own.
pub(super) fn sign_kind(character: char, category: GeneralCategory) -> Option<SignKind> {
    use GeneralCategory::{CurrencySymbol, DecimalNumber, MathSymbol, OtherNumber};
    if character.is_ascii() || is_letter(character, category) && !is_modifier(character) {
        return None;
    }
    Some(match character {
        'ª' | 'º' => SignKind::Numeral,
        _ if category == OtherNumber => SignKind::Numeral,
        _ if category == DecimalNumber => SignKind::Digit,
        '\u{2600}'..='\u{27BF}' => SignKind::Dingbat,
        '\u{1F000}'.. | '\u{200D}'..='\u{200F}' | '\u{202A}'..='\u{202C}' | '\u{FEFF}' => SignKind::Anywhere,
        '\u{3000}'..='\u{303F}' | '・' | '\u{FE10}'..='\u{FFEF}' => SignKind::Inner,
        _ if INNER.contains(character) => SignKind::Inner,
        _ if ACCENTS.contains(character) => SignKind::Accent,
        '°' => SignKind::Degree,
        '©' => SignKind::Copyright,
        '„' | '‚' | '‹' | '«' => SignKind::Opening,
        '“' | '›' => SignKind::Closing,
        '\u{AD}' => SignKind::SoftHyphen,
        '€' | '£' => SignKind::Other,
        _ if is_box(character) || APART.contains(character) => SignKind::Apart,
        _ if category == MathSymbol || category == CurrencySymbol => SignKind::Apart,
        _ => SignKind::Other,
    })
}

/// Returns `true` if a character is of what boxes are drawn with: lines, blocks, geometric shapes.
pub(super) fn is_box(character: char) -> bool {
    matches!(character, '\u{2500}'..='\u{25FF}')
}

/// Returns `true` if a character is a spacing modifier, which is no letter of any word, but for the two that are.
pub(super) fn is_modifier(character: char) -> bool {
    matches!(character, '\u{2B0}'..='\u{2FF}') && !matches!(character, 'ʻ' | 'ʼ')
}

/// Returns `true` if a character of a category is a letter or a mark on one; the ordinals ª and º are signs.
pub(super) fn is_letter(character: char, category: GeneralCategory) -> bool {
    use GeneralCategory::{EnclosingMark, LowercaseLetter, ModifierLetter, NonspacingMark, OtherLetter};
    use GeneralCategory::{SpacingMark, TitlecaseLetter, UppercaseLetter};
    let is_letter =
        matches!(category, UppercaseLetter | LowercaseLetter | TitlecaseLetter | ModifierLetter | OtherLetter);
    let is_mark = matches!(category, NonspacingMark | SpacingMark | EnclosingMark);
    (is_letter || is_mark) && !matches!(character, 'ª' | 'º')
}
