//! Which signs stand where in writing: each function answers for a row of the table of faults (`rows.rs`) whether the
//! character of a word, which is not ASCII, is a sign out of place. A character that two of them find is two faults,
//! but where a row is the last one.

use unicode_properties::GeneralCategory;

use super::facts::{Family, category, family, group, sign};
use super::kinds::{SignKind, is_box, is_modifier};
use super::word::{CharacterInWord, is_capital, is_east_asian, is_letter, is_sign};

/// Signs that may open a word.
const BEFORE_WORDS: &str = "§¶¿¡•";

/// Dingbats that are written like emoji, behind words.
const EMOJI: &str =
    "☔☕♈♉♊♋♌♍♎♏♐♑♒♓♿⚓⚡⚪⚫⚽⚾⛄⛅⛎⛔⛪⛲⛳⛵⛺⛽✅✊✋✨❌❎❓❔❕❗➕➖➗➰➿♥❤★☆✓✔☺☀✉♦♣♠";

/// Returns `true` if a character is a line of a box.
fn is_line(character: char) -> bool {
    matches!(character, '\u{2500}'..='\u{257F}')
}

/// Returns `true` if a sign of one script stands beside nothing of that script; those of Arabic may follow an ASCII
/// digit. A spacing modifier needs any letter beside it.
pub(super) fn is_foreign(at: &CharacterInWord) -> bool {
    let own = at.own();
    // The signs of East Asia and emoji stand beside anything.
    if !is_sign(own) || own >= '\u{3000}' {
        return false;
    }
    let is_arabic = matches!(own, '\u{60C}' | '\u{61B}' | '\u{61F}' | '\u{66A}'..='\u{66D}');
    match family(own) {
        Family::None if is_arabic => {
            !is_beside(at, Family::Of(unicode_script::Script::Arabic)) && !at.before().is_ascii_digit()
        }
        Family::None => is_modifier(own) && !is_letter(at.before()) && !is_letter(at.next()),
        other => !is_beside(at, other),
    }
}

/// Returns `true` if a character stands beside one of a family.
fn is_beside(at: &CharacterInWord, other: Family) -> bool {
    family(at.before()) == other || family(at.next()) == other
}

/// Returns `true` if a fraction, a raised figure or an ordinal is glued to letters; behind those of ASCII only a
/// fraction is one (`m²`, `nº`).
pub(super) fn is_glued_numeral(at: &CharacterInWord) -> bool {
    let (own, before) = (at.own(), at.before());
    let behind_letter = is_letter(before) && (!before.is_ascii() || matches!(own, '¼' | '½' | '¾'));
    sign(own) == Some(SignKind::Numeral) && own < '\u{2460}' && (behind_letter || is_letter(at.next()))
}

/// Returns `true` if a digit is of a script whose digits hardly any mail has, or stands behind a letter of another
/// script.
pub(super) fn is_odd_digit(at: &CharacterInWord) -> bool {
    let (own, before) = (at.own(), at.before());
    let is_usual = matches!(own, '\u{660}'..='\u{6F9}' | '\u{FF10}'..='\u{FF19}');
    let is_arabic = family(before) == Family::Of(unicode_script::Script::Arabic);
    sign(own) == Some(SignKind::Digit) && (!is_usual || is_letter(before) && !is_arabic && own < '\u{FF10}')
}

/// Returns `true` if a dingbat that is no emoji stands behind a letter.
pub(super) fn is_glued_dingbat(at: &CharacterInWord) -> bool {
    let is_emoji = at.next() == '\u{FE0F}' || EMOJI.contains(at.own());
    sign(at.own()) == Some(SignKind::Dingbat) && is_letter(at.before()) && !is_emoji
}

/// Returns `true` if an accent is written as a sign of its own beside something.
pub(super) fn is_glued_accent(at: &CharacterInWord) -> bool {
    sign(at.own()) == Some(SignKind::Accent) && !at.is_alone()
}

/// Returns `true` if a box, a sign of mathematics, of currency or of a note is glued to a letter; or to another sign,
/// if it is of a box or of mathematics. A sign that opens words may stand before letters, and what is drawn beside
/// those of East Asia (`■会員`).
pub(super) fn is_glued_sign(at: &CharacterInWord) -> bool {
    let (own, before, next) = (at.own(), at.before(), at.next());
    if sign(own) != Some(SignKind::Apart) {
        return false;
    }
    let stands_alone = is_box(own) || category(own) == GeneralCategory::MathSymbol;
    is_glued(own, before)
        || is_glued(own, next) && !BEFORE_WORDS.contains(own)
        || stands_alone && (is_other_sign(before) || is_other_sign(next))
}

/// Returns `true` if what stands beside a sign is a letter that it should be apart from.
fn is_glued(sign: char, beside: char) -> bool {
    is_letter(beside) && !(is_box(sign) && is_east_asian(beside))
}

/// Returns `true` for a sign that is neither of ASCII nor of a box.
fn is_other_sign(beside: char) -> bool {
    !beside.is_ascii() && is_sign(beside) && !is_box(beside)
}

/// Returns `true` if a line of a box stands behind a digit.
pub(super) fn is_line_behind_digit(at: &CharacterInWord) -> bool {
    is_line(at.own()) && at.before().is_ascii_digit()
}

/// Returns `true` if a line of a box stands before one of another kind, other than a level one.
pub(super) fn is_crooked_line(at: &CharacterInWord) -> bool {
    let next = at.next();
    is_line(at.own()) && matches!(next, '\u{2500}'..='\u{259F}') && next != at.own() && !"─═━".contains(next)
}

/// Returns `true` if a sign that opens words stands within one, or behind one: a low quote behind any letter, the
/// others behind a capital that is not ASCII, where no quote was closed before.
pub(super) fn is_opening_within(at: &CharacterInWord) -> bool {
    let (own, before) = (at.own(), at.before());
    let behind_capital = !before.is_ascii() && is_capital(before) && !at.is_behind_closing();
    sign(own) == Some(SignKind::Opening)
        && is_letter(before)
        && (matches!(own, '„' | '‚') || is_letter(at.next()) || behind_capital)
}

/// Returns `true` if `‘` stands between letters, the first not ASCII.
pub(super) fn is_quote_between(at: &CharacterInWord) -> bool {
    at.own() == '‘' && !at.before().is_ascii() && is_letter(at.before()) && is_letter(at.next())
}

/// Returns `true` if a quote that mostly opens ends a word, behind a letter that is not ASCII.
pub(super) fn is_quote_at_end(at: &CharacterInWord) -> bool {
    let is_quote = sign(at.own()) == Some(SignKind::Closing) || at.own() == '‘';
    is_quote && !at.before().is_ascii() && is_letter(at.before()) && !is_letter(at.next())
}

/// Returns `true` if a sign is of a block that no charset of mail has signs in.
pub(super) fn is_rare(at: &CharacterInWord) -> bool {
    let own = at.own();
    let is_usual = matches!(own, '\u{A0}'..='\u{FF}' | '\u{2000}'..='\u{22FF}' | '\u{5BE}'..='\u{5FF}' | '\u{60C}'..='\u{66D}')
        || matches!(own, '\u{6D4}' | '\u{E3F}' | '\u{E4F}' | '\u{37E}' | '\u{387}');
    sign(own) == Some(SignKind::Other) && is_sign(own) && !is_usual
}

/// Returns `true` if a sign stands between letters that none stands between, or against a letter on its wrong side.
pub(super) fn is_within(at: &CharacterInWord) -> bool {
    let (own, before, next) = (at.own(), at.before(), at.next());
    if sign(own) != Some(SignKind::Other) || !is_sign(own) {
        return false;
    }
    match (is_letter(before), is_letter(next)) {
        (true, true) => !before.is_ascii() || !matches!(own, '…' | '–' | '—' | '®' | '™'),
        (_, true) => matches!(own, '™' | '®'),
        (true, false) => own == '€',
        _ => false,
    }
}

/// Returns `true` if a sign stands before a symbol that is not ASCII and no picture.
pub(super) fn is_before_symbol(at: &CharacterInWord) -> bool {
    let next = at.next();
    let is_symbol = group(next) == unicode_properties::GeneralCategoryGroup::Symbol;
    let is_picture = matches!(next, '\u{2600}'..='\u{2FFF}' | '\u{1F000}'..);
    sign(at.own()) == Some(SignKind::Other) && is_sign(at.own()) && !next.is_ascii() && is_symbol && !is_picture
}
