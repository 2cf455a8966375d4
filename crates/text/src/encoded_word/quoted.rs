//! The Q encoding (RFC 2047 §4.2).

use super::WordPlace;
use crate::hex;

/// Decodes a word's Q text.
///
/// `_` is a space, `=` and two hex digits of either case an octet. An `=` without digits stands for itself,
/// except at the end of a line: there it is the soft break of an encoder that took Q for quoted-printable, and
/// is dropped with the fold. Line ends are dropped, as unfolding does; every other octet stands for itself.
pub fn decode(text: &[u8], out: &mut Vec<u8>) {
    read(text, out, |_| b' ');
}

/// Decodes a Q text as [`decode`] does, but takes `_` for itself behind an odd number of octets over 127: the last
/// of them then waits for its second octet.
pub fn decode_with_underscores(text: &[u8], out: &mut Vec<u8>) {
    read(text, out, |before| {
        let high = before.iter().rev().take_while(|octet| !octet.is_ascii()).count();
        if high % 2 == 0 { b' ' } else { b'_' }
    });
}

/// Decodes; `underscore` says what a `_` means, by the octets before it.
fn read(text: &[u8], out: &mut Vec<u8>, underscore: impl Fn(&[u8]) -> u8) {
    let mut rest = text;
    while let [first, after @ ..] = rest {
        let escaped = match (*first, after) {
            (b'=', [high, low, ..]) => hex::octet(*high, *low),
            _ => None,
        };
        let (octet, after) = match (*first, after) {
            (b'=', [_, _, after @ ..]) if escaped.is_some() => (escaped, after),
            (b'=', [b'\r', b'\n', b' ' | b'\t', after @ ..] | [b'\n', b' ' | b'\t', after @ ..]) => (None, after),
            (b'_', _) => (Some(underscore(out)), after),
            (b'\r', [b'\n', ..]) | (b'\n', _) => (None, after),
            (octet, _) => (Some(octet), after),
        };
        out.extend(octet);
        rest = after;
    }
}

/// Returns `true` if a Q text obeys the rules of its place: no white space, no 8-bit, `=` before digits only.
pub fn is_conforming(text: &[u8], place: WordPlace) -> bool {
    is_written_in(text, |octet| may_stand_bare(octet, place))
}

/// Returns `true` if every reader reads a Q text alike though it may break a rule of its place: nothing stands bare in
/// it that would end the word, a phrase or a comment for a reader that parts the field first.
pub fn is_readable(text: &[u8], place: WordPlace) -> bool {
    let parts: &[u8] = match place {
        WordPlace::Text => b"",
        WordPlace::Comment => b"()\\\"",
        WordPlace::Phrase => b"()<>@,;:\\\"[]",
    };
    is_written_in(text, |octet| may_stand_bare(octet, WordPlace::Text) && !parts.contains(&octet))
}

/// Returns `true` if a Q text is made of escapes, underscores and octets that may stand bare.
fn is_written_in(text: &[u8], may_stand_bare: impl Fn(u8) -> bool) -> bool {
    let mut rest = text;
    while let [first, after @ ..] = rest {
        rest = match (*first, after) {
            (b'=', [high, low, after @ ..]) if hex::octet(*high, *low).is_some() => after,
            (b'_', _) => after,
            (octet, _) if may_stand_bare(octet) => after,
            _ => return false,
        };
    }
    true
}

/// Each octet as an escape.
static ESCAPES: [[u8; 3]; 256] = hex::escapes(b'=');

/// Encodes octets for a place, adding to `out`.
pub fn encode(octets: &[u8], place: WordPlace, out: &mut String) {
    for &octet in octets {
        match octet {
            b' ' => out.push('_'),
            bare if is_written_bare(bare, place) => out.push(char::from(bare)),
            other => out.extend(ESCAPES[usize::from(other)].map(char::from)),
        }
    }
}

/// Returns how many characters [`encode`] writes.
pub fn encoded_len(octets: &[u8], place: WordPlace) -> usize {
    octets.iter().map(|&octet| if octet == b' ' || is_written_bare(octet, place) { 1 } else { 3 }).sum()
}

/// Returns `true` if an octet is written as it is. Readers who part a field first find addresses in comments too: what
/// parts addresses doesn't stand bare there, though RFC 2047 §5 (2) allows it.
fn is_written_bare(octet: u8, place: WordPlace) -> bool {
    match place {
        WordPlace::Phrase => may_stand_bare(octet, place),
        WordPlace::Comment => may_stand_bare(octet, WordPlace::Phrase) || octet == b'.',
        WordPlace::Text => may_stand_bare(octet, WordPlace::Text),
    }
}

/// Returns `true` if an octet may stand as it is (RFC 2047 §4.2 (3), §5). For comments the RFC's list breaks off after
/// `(`, `)` and a quote: `"` and `\` are both taken to be meant.
fn may_stand_bare(octet: u8, place: WordPlace) -> bool {
    match place {
        WordPlace::Phrase => octet.is_ascii_alphanumeric() || b"!*+-/".contains(&octet),
        WordPlace::Comment => octet.is_ascii_graphic() && !b"=?_()\\\"".contains(&octet),
        WordPlace::Text => octet.is_ascii_graphic() && !b"=?_".contains(&octet),
    }
}
