//! Which items of a segment are replaced together, and by what.
//!
//! Words are not letters: what stands between two of them vanishes, and what touches one of them hides it. So
//! an item is seldom replaced alone. The rules, in the order in which they are applied:
//!
//! 1. An item that is not fine as it stands is *marked* ([`Item::is_fine`]).
//! 2. Words need white space around them, so whatever touches a marked item (no white space between) is marked with
//!    it. Something unreadable that touches it leaves all of it alone.
//! 3. Marked neighbours make one *replacement*, the white space between them a part of its text, and so do those
//!    with only a little plain text between: one word is shorter, and easier to read, than two.
//! 4. Where a replacement stands beside a word that stays, the white space between is put into the replacement too,
//!    for a reader will drop what stands between the two words.
//! 5. A name, the phrase or the comment of an address field, is one unit: where some of it changes, all of it does, into
//!    one run of words or one quoted-string. Between a word or a quoted-string and an atom some readers lose the blank, or
//!    the rest. Where something of it must stay, it is a text like any other.
//!
//! Raw characters are more patient: only rule 1, rule 2 in phrases, rule 3 for words whose white space vanishes, and
//! rule 5 where quotes are needed. A text that can't stand raw (it would read as a word, or its white space would be lost
//! at the field's end) makes the segment fall back to words.

mod found;
mod planner;
mod raw;
mod words;

pub use found::{ReplaceWith, Replacement, SegmentPlan};
use planner::SegmentPlanner;
use raw::{quoted_pairs, with_backslashes};

use super::ascii::{Ascii, Downgrade};
use super::item::{Item, Segment};
use super::target::FieldTarget;
use crate::coding::charset::Charset;
use crate::coding::encoded_word::WordPlace;
use crate::message::irregular::Form;
use crate::rewrite::{HeaderForm, Reason};

/// Decides what becomes of a segment. Why an item can't be read ([`Item::why_unread`]) need not be among the reasons:
/// the caller has asked each.
pub fn plan_segment(segment: &Segment, value: &[u8], target: &FieldTarget<'_>) -> SegmentPlan {
    let plan = SegmentPlanner::of(segment, value, target);
    if !plan.changes.contains(&true) {
        return SegmentPlan::default();
    }
    // Escapes say nothing beside what nobody can read: where `\\` stands for a backslash, all must be ASCII.
    if target.form == HeaderForm::Ascii
        && segment
            .items
            .iter()
            .any(|item| item.why_it_stays().or_else(|| item.why_unread().map(Reason::from)).is_some())
    {
        let of_kind = segment.items.iter().filter(|item| item.why_unread().is_none()).find_map(Item::why_it_stays);
        return SegmentPlan { left: of_kind.into_iter().collect(), ..SegmentPlan::default() };
    }
    // Half a character stays as a word, and so does a line end. White space before that is shown unless words stand before
    // it, too, so all is written in words.
    let has_half = segment.items.iter().any(|item| item.half.is_some() || !item.line_end.is_empty());
    let unknown = segment.items.iter().any(|item| item.unknown);
    let found = if target.is_raw() && has_half {
        None
    } else if target.is_raw() && !unknown {
        plan.plan_raw()
    } else {
        Some(plan.plan_words())
    };
    match found {
        Some(found) => found,
        // In ASCII raw text fails only for a quote or parenthesis that never closes. The gate keeps such a value
        // anyway.
        None if target.form == HeaderForm::Ascii || segment.open => {
            SegmentPlan { left: vec![Reason::Irregular(Form::AddressOpen)], ..SegmentPlan::default() }
        }
        None => {
            let fallback = FieldTarget { form: HeaderForm::Utf8Words, keep_raw: true, ..*target };
            SegmentPlanner::of(segment, value, &fallback).plan_words()
        }
    }
}

/// Returns the replacements that write what is downgraded. They must say what [`Ascii::meaning`] says, by which the
/// proof reads it.
pub fn of_downgrade(downgrade: &Downgrade, value: &[u8], target: &FieldTarget<'_>) -> Vec<Replacement> {
    let at = downgrade.at.clone();
    let is_ascii = target.form == HeaderForm::Ascii;
    match &downgrade.to {
        Ascii::Same(octets) => vec![Replacement { at, with: ReplaceWith::Raw(octets.clone(), false) }],
        Ascii::Comment(text) if is_ascii => {
            let text = escaped(text, WordPlace::Comment, target);
            vec![Replacement { at, with: ReplaceWith::Raw(format!("({text})"), true) }]
        }
        Ascii::Comment(text) => {
            vec![Replacement { at, with: words(text, target.charset, WordPlace::Comment, false, ("(", ")")) }]
        }
        Ascii::Phrase { text, tail } => {
            let before = value.get(..at.start).and_then(<[u8]>::last);
            let space = before.is_some_and(|octet| !octet.is_ascii_whitespace());
            let behind = Replacement { at: at.end..at.end, with: ReplaceWith::Raw((*tail).to_owned(), true) };
            let with = match is_ascii {
                true => ReplaceWith::Raw(format!("\"{}\"", escaped(text, WordPlace::Phrase, target)), false),
                false => words(text, target.charset, WordPlace::Phrase, space, ("", "")),
            };
            vec![Replacement { at, with }, behind]
        }
    }
}

/// Writes a text with escapes, and with backslashes before what is special in its place.
fn escaped(text: &str, place: WordPlace, target: &FieldTarget<'_>) -> String {
    with_backslashes(&target.escaped(text, false, quoted_pairs(place)), quoted_pairs(place))
}

/// Makes encoded-words of a text, with no space behind them; `space` puts one before, and
/// `frame` stands around them.
fn words(
    text: &str,
    charset: Charset,
    place: WordPlace,
    space: bool,
    frame: (&'static str, &'static str),
) -> ReplaceWith {
    ReplaceWith::Words { text: text.to_owned(), charset, place, spaces: (space, false), frame }
}
