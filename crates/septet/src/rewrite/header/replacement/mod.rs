//! Which items of a segment are replaced together, and by what.
//!
//! Words are not letters: what stands between two of them vanishes, and what touches one of them hides it. So
//! an item is seldom replaced alone. The rules, in the order in which they are applied:
//!
//! 1. An item that is not fine as it stands is *marked* ([`Item::is_fine`](super::item::Item::is_fine)).
//! 2. Words need white space around them, so whatever touches a marked item (no white space between) is marked with
//!    it. Something unreadable that touches it leaves all of it alone.
//! 3. Marked neighbours make one *replacement*, the white space between them a part of its text, and so do those
//!    with only a little plain text between: one word is shorter, and easier to read, than two.
//! 4. Where a replacement stands beside a word that stays, the white space between is put into the replacement too,
//!    for a reader will drop what stands between the two words.
//! 5. A name, the phrase or the comment of an address field, is one unit: where some of it changes, all of it does,
//!    into one run of words or one quoted-string. Between a word or a quoted-string and an atom some readers lose the
//!    blank, or the rest. Where something of it must stay, it is a text like any other.
//!
//! Raw characters are more patient: only rule 1, rule 2 in phrases, rule 3 for words whose white space vanishes, and
//! rule 5 where quotes are needed. A text that can't stand raw (it would read as a word, or its white space would be
//! lost at the field's end) makes the segment fall back to words.

mod planner;
mod raw;
mod replacements;
mod words;

use planner::SegmentPlanner;
use raw::{quoted_pairs, with_backslashes};
pub use replacements::{NewWords, ReplaceWith, Replacement, Replacements};

use super::ascii::Downgrade;
use super::item::{Item, ItemKind, Segment};
use super::target::FieldTarget;
use crate::coding::encoded_word::WordPlace;
use crate::message::grammar::parameter::quoted;
use crate::message::irregular::Form;
use crate::rewrite::{HeaderForm, Reason};

/// Decides what becomes of a segment. Why an item can't be read need not be among the reasons: the caller has asked
/// each.
pub fn plan_segment(segment: &Segment, value: &[u8], target: &FieldTarget<'_>) -> Replacements {
    let plan = SegmentPlanner::of(segment, value, target);
    let (items, is_ascii) = (&segment.items, target.form == HeaderForm::Ascii);
    let open = Reason::Irregular(Form::AddressOpen);
    if !plan.changes.contains(&true) {
        return Replacements::default();
    }
    // Escapes say nothing beside what nobody can read: where `\\` stands for a backslash, all must be ASCII.
    if is_ascii && !items.iter().all(Item::is_read) {
        let is_stray = items.iter().any(|item| matches!(item.kind, ItemKind::Stray));
        return if is_stray { Replacements::left(open) } else { Replacements::default() };
    }
    // Half a character stays as a word, and so does a line end. White space before that is shown unless words stand
    // before it, too, so all is written in words.
    let has_half = items.iter().any(|item| item.half.is_some() || !item.line_end.is_empty());
    let unknown = items.iter().any(|item| item.unknown);
    if !target.is_raw() || unknown && !has_half {
        return plan.plan_words();
    }
    match if has_half { None } else { plan.plan_raw() } {
        Some(found) => found,
        // In ASCII raw text fails only for a quote or parenthesis that never closes. The gate keeps such a value
        // anyway.
        None if is_ascii || segment.is_open => Replacements::left(open),
        None => SegmentPlanner::of(segment, value, &target.in_words()).plan_words(),
    }
}

/// Returns the replacements that write what is downgraded: one, and for a phrase a second one right behind it, in whose
/// place nothing stood, of what must follow. The proof reads them back by the same downgrade (`read_texts` in
/// `meaning.rs`). The flag of [`ReplaceWith::Raw`] says whether it may be folded: a comment may, and what follows a
/// phrase; a quoted-string and octets that mean the same may not.
pub fn of_downgrade(downgrade: &Downgrade, value: &[u8], target: &FieldTarget<'_>) -> Vec<Replacement> {
    let (at, octets) = (downgrade.at.clone(), &downgrade.octets);
    let Some((place, text)) = &downgrade.said else {
        return vec![Replacement { at, with: ReplaceWith::Raw(octets.to_string(), false) }];
    };
    let (place, is_phrase) = (*place, *place == WordPlace::Phrase);
    let with = if target.form == HeaderForm::Ascii {
        let text = target.escaped(text, false, quoted_pairs(place));
        match is_phrase {
            true => ReplaceWith::Raw(quoted(&text), false),
            false => ReplaceWith::Raw(format!("({})", with_backslashes(&text, quoted_pairs(place))), true),
        }
    } else {
        let before = value.get(..at.start).and_then(<[u8]>::last);
        let spaces = (is_phrase && before.is_some_and(|octet| !octet.is_ascii_whitespace()), false);
        let frame = if is_phrase { ("", "") } else { ("(", ")") };
        ReplaceWith::Words(NewWords { text: text.clone(), charset: target.charset, place, spaces, frame })
    };
    let tail = is_phrase.then(|| ReplaceWith::Raw(octets.to_string(), true));
    let behind = tail.map(|with| Replacement { at: at.end..at.end, with });
    [Replacement { at, with }].into_iter().chain(behind).collect()
}
