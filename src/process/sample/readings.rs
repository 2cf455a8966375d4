//! What a place may read, where nobody knows for sure, or where what was done looks wrong.
//!
//! Encoded-words are decoded first, whatever their labels: the octets that they stand for are what is looked at. A
//! reading is shown only where it differs from what was done.

use std::borrow::Cow;

use super::find::whole_lines;
use super::{read_in, stretch};
use crate::coding::charset::{Charset, Labels};
use crate::coding::encoded_word::{is_white, octets as octets_of_word, words};
use crate::coding::evidence::{Origin, is_damaged_utf_8, looks_otherwise, readings};
use crate::rewrite::{Change, Entry, Outcome, Place, Reason, label_and_charset};

/// How many readings are shown at most.
const READINGS: usize = 3;

/// How many whole characters of several octets a text has, for each octet that stands alone, that is UTF-8 in spite of
/// these.
const MANY: usize = 3;

/// How many octets are looked at to find charsets.
const LOOKED_AT: usize = 4096;

/// Returns the octets of a field's text: encoded-words as the octets that they stand for, and no white space between
/// two of them (RFC 2047 §6.2); all else as it is.
///
/// ```
/// use septet_cli::process::sample::text_octets;
///
/// assert_eq!(*text_octets(b"=?x?Q?caf=E9?= =?x?Q?_noir?= \xE0 Gen\xE8ve"), *b"caf\xE9 noir \xE0 Gen\xE8ve");
/// ```
pub fn text_octets(value: &[u8]) -> Cow<'_, [u8]> {
    let (mut text, mut from) = (Vec::new(), 0);
    for word in words(value) {
        let between = &value[from..word.at.start];
        if from == 0 || !is_white(between) {
            text.extend_from_slice(between);
        }
        text.extend(octets_of_word(value, &word));
        from = word.at.end;
    }
    if from == 0 {
        return Cow::Borrowed(value);
    }
    text.extend_from_slice(&value[from..]);
    Cow::Owned(text)
}

/// Returns the octets of a place's text.
fn octets_of_place<'o>(place: &Place, octets: &'o [u8]) -> Cow<'o, [u8]> {
    match place {
        Place::Field(_) => text_octets(octets),
        _ => Cow::Borrowed(octets),
    }
}

/// Returns `true` if two charsets read octets as the same text, without a fault.
pub fn reads_alike(octets: &[u8], one: Charset, other: Charset) -> bool {
    matches!((one.decode(octets), other.decode(octets)), (Ok(one), Ok(other)) if one == other)
}

/// Returns the charsets in which the texts of an entry were read, as far as their labels are known; nothing for one
/// that was left or noted.
pub fn charsets_read<'e>(entry: &'e Entry, labels: &'e Labels) -> impl Iterator<Item = Charset> + 'e {
    origins(entry).filter_map(|from| {
        let (label, charset) = label_and_charset(&from.name);
        labels.find(charset.unwrap_or(label).as_bytes())
    })
}

/// Returns what the texts of an entry were read from.
fn origins(entry: &Entry) -> impl Iterator<Item = &Origin> {
    let changes = match &entry.outcome {
        Outcome::Done(changes) => changes.as_slice(),
        _ => &[],
    };
    changes.iter().filter_map(|change| match change {
        Change::Charset { from, .. } | Change::Word { from, .. } | Change::Parameter { from, .. } => Some(from),
        _ => None,
    })
}

/// Returns the octets of a changed place read in the charset that they rather seem to be in, where `text`, which was
/// made of them, looks wrong; empty where it does not, or where that charset reads them as they were read.
pub fn likelier(entry: &Entry, octets: &[u8], text: &str) -> Vec<String> {
    // Lines of two charsets are read in neither alone.
    if origins(entry).any(|from| label_and_charset(&from.name).1.is_some_and(|charset| charset.contains('+'))) {
        return Vec::new();
    }
    let octets = octets_of_place(&entry.place, octets);
    let labels = Labels::default();
    let found = looks_otherwise(&octets, text)
        .filter(|found| !charsets_read(entry, &labels).any(|read| reads_alike(&octets, read, *found)));
    found.and_then(|charset| named(&octets, charset)).into_iter().collect()
}

/// Returns the readings of octets that were left, each with the name of its charset; empty where the reason does not
/// leave their charset in doubt. UTF-8 with faults has no other reading: it is shown with U+FFFD for each of them.
pub fn possible(place: &Place, octets: &[u8], reason: &Reason) -> Vec<String> {
    let octets = octets_of_place(place, octets);
    let may_be_text = match reason {
        Reason::Unlabelled | Reason::UnknownCharset(_) | Reason::Malformed { .. } | Reason::Ambiguous(..) => true,
        // It was not left for its charset; where that can't be told it is of use all the same.
        Reason::Irregular(_) | Reason::Stray => str::from_utf8(&octets).is_err(),
        _ => false,
    };
    match may_be_text {
        false => Vec::new(),
        true if is_faulty_utf_8(&octets, reason) => lossy(&octets).into_iter().collect(),
        true => of_charsets(&octets, reason),
    }
}

/// Returns the octets read in the charsets that they may be in, those that the reason names before all others:
/// [`READINGS`] at most, of which no two are alike.
fn of_charsets(octets: &[u8], reason: &Reason) -> Vec<String> {
    let labels = Labels::default();
    let named_there: Vec<Charset> = match reason {
        Reason::Ambiguous(one, other) => [one, other].iter().filter_map(|name| labels.find(name.as_bytes())).collect(),
        _ => Vec::new(),
    };
    let mut known: Vec<Cow<'_, str>> = Vec::new();
    let mut found = Vec::new();
    for charset in named_there.into_iter().chain(readings(whole_lines(octets, LOOKED_AT))) {
        let Ok(text) = charset.decode(octets) else { continue };
        if found.len() < READINGS && !known.contains(&text) {
            found.extend(named(octets, charset));
            known.push(text);
        }
    }
    found
}

/// Returns `true` if octets are UTF-8 with faults: mostly whole characters, or none but characters that are whole or
/// cut, or what says that it is UTF-8 and has as many of these as octets that stand alone.
fn is_faulty_utf_8(octets: &[u8], reason: &Reason) -> bool {
    let (mut whole, mut cut, mut alone) = (0, 0, 0);
    for chunk in octets.utf8_chunks() {
        whole += chunk.valid().chars().filter(|character| !character.is_ascii()).count();
        match chunk.invalid().len() {
            0 => {}
            1 => alone += 1,
            _ => cut += 1,
        }
    }
    let says_so = matches!(reason, Reason::Malformed { charset, .. } if charset.eq_ignore_ascii_case("utf-8"));
    match (whole, cut, alone) {
        (_, 0, 0) => false,
        (0, ..) => says_so && cut >= alone,
        (_, _, 0) => true,
        _ => is_damaged_utf_8(octets) || whole >= MANY && whole >= MANY * alone || says_so && whole + cut >= alone,
    }
}

/// Returns UTF-8 read with U+FFFD for each fault, around the first of them.
fn lossy(octets: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(octets);
    let at = text.find(char::REPLACEMENT_CHARACTER)?;
    Some(format!("{} (utf-8)", stretch(&text, at)?))
}

/// Returns the octets read in a charset, with its name behind them; none where they are ill-formed in it.
fn named(octets: &[u8], charset: Charset) -> Option<String> {
    Some(format!("{} ({})", read_in(octets, charset)?, charset.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn malformed(charset: &str) -> Reason {
        Reason::Malformed { charset: charset.to_owned(), offset: 0, rule: "" }
    }

    /// An address in raw octets was shown as octets alone.
    #[test]
    fn what_is_left_for_its_place_may_be_read_too() {
        let field = Place::Field("From".to_owned());
        let octets = b"J\xfcrgen M\xfcller@example.org";
        let shown = possible(&field, octets, &Reason::Stray);
        assert_eq!(shown.first().map(String::as_str), Some("Jürgen Müller@example.org (windows-1252)"));
        assert!(possible(&field, "Jürgen".as_bytes(), &Reason::Stray).is_empty(), "it can be read");
        assert!(possible(&field, octets, &Reason::Dkim).is_empty());
    }

    /// A character cut in half was shown in Cyrillic and in Chinese.
    #[test]
    fn utf_8_with_a_fault_is_read_as_utf_8_alone() {
        for (octets, reason, wanted) in [
            (
                &b"Gr\xc3\xbc\xc3\x9fe aus K\xc3\xb6ln \xf0\x9f\x98"[..],
                malformed("utf-8"),
                "Grüße aus Köln \u{FFFD} (utf-8)",
            ),
            (b"All of it \xf0\x9f\x98", malformed("utf-8"), "All of it \u{FFFD} (utf-8)"),
            (b"=?utf-8?Q?All_=E2=82?=", malformed("utf-8"), "All \u{FFFD} (utf-8)"),
            (b"Gr\xc3\xbc\xc3\x9fe aus K\xc3\xb6ln \xe9", Reason::Unlabelled, "Grüße aus Köln \u{FFFD} (utf-8)"),
        ] {
            assert_eq!(possible(&Place::Field("X-A".to_owned()), octets, &reason), [wanted]);
        }
        let shown = possible(&Place::Body, b"un caf\xe9 noir", &malformed("utf-8"));
        assert_eq!(shown.first().map(String::as_str), Some("un café noir (windows-1252)"), "nothing in it is UTF-8");
    }

    #[test]
    fn of_two_readings_both_are_shown() {
        let words = b"=?iso-8859-2?Q?P=C5=85?=";
        let shown = possible(
            &Place::Field("Subject".to_owned()),
            words,
            &Reason::Ambiguous("iso-8859-2".to_owned(), "utf-8".to_owned()),
        );
        assert_eq!(shown.get(..2), Some(&["PĹ… (iso-8859-2-windows)".to_owned(), "PŅ (utf-8)".to_owned()][..]));
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let line = Charset::EUC_JP.encode("日本語の文章です。\n").expect("Japanese").repeat(400);
        let shown = possible(&Place::Body, &line, &Reason::Unlabelled);
        assert_eq!(shown.first().map(String::as_str), Some("日本語の文章です。 (euc-jp)"));
    }
}
