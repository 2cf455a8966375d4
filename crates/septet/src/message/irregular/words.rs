//! Encoded-words, wherever they stand (RFC 2047), and their *forms*: ways of writing beside the grammar of the RFCs,
//! each a row of the [`table`](super::table).
//!
//! A word is looked at by itself: how its text is written, and what it says, since a character or a shift may go on in
//! the next one. Where it stands decides which octets may stand bare in it: in a phrase they can part addresses.
//! Whatever begins like a word and is none, [`broken`] finds: readers look for its end in what stands behind.

use memchr::memmem;

use super::bodies::is_digit;
use super::forms::Forms;
use super::table::Form;
use crate::coding::charset::{Charset, Labels};
use crate::coding::encoded_word::{EncodedWord, Encoding, WORD_LIMIT, WordPlace, is_white, octets, starts, words};
use crate::coding::evidence::ends_in_ascii;
use crate::coding::hex;

/// Returns the forms of the words of a text.
pub(super) fn text(value: &[u8]) -> Forms {
    let found: Vec<EncodedWord> = words(value).collect();
    let mut forms = broken(value, &found);
    forms.extend(among(value, &found, WordPlace::Text));
    found.iter().for_each(|word| forms.extend(touched(value, word, b"")));
    forms
}

/// Returns [`Form::WordBroken`] if a word begins outside of those `found` and is none: what looks like its end stands
/// behind, or will once a word is written there.
pub(super) fn broken(value: &[u8], found: &[EncodedWord]) -> Forms {
    if outside(value, found).any(begins_a_word) { Forms::of(Form::WordBroken) } else { Forms::default() }
}

/// Returns what stands before, between and behind words, which must be in order.
pub(super) fn outside<'v>(value: &'v [u8], found: &[EncodedWord]) -> impl Iterator<Item = &'v [u8]> {
    let behind_words = found.iter().map(|word| word.at.end);
    let next_words = found.iter().map(|word| word.at.start);
    std::iter::once(0).chain(behind_words).zip(next_words.chain([value.len()])).map(|(from, to)| &value[from..to])
}

/// Returns `true` if `=?` stands outside of words and `?=` somewhere behind it: a word to those who look no closer.
pub(super) fn is_half(value: &[u8], found: &[EncodedWord]) -> bool {
    let Some(last) = memmem::rfind(value, b"?=") else { return false };
    starts(value).any(|at| at + 2 <= last && is_outside(at, found))
}

/// Returns `true` if a place lies in none of these words, which must be in order.
fn is_outside(at: usize, found: &[EncodedWord]) -> bool {
    let word = found.get(found.partition_point(|word| word.at.end <= at));
    word.is_none_or(|word| at < word.at.start)
}

/// Returns `true` if `=?` stands in a text in which no word is whole, before an octet that may begin a label or at the
/// end.
fn begins_a_word(text: &[u8]) -> bool {
    starts(text).any(|at| text.get(at + 2).is_none_or(|octet| octet.is_ascii_graphic() && *octet != b'='))
}

/// Returns the forms of words by themselves, and those of what may go on from one to the next; `found` must be in
/// order.
pub(super) fn among(value: &[u8], found: &[EncodedWord], place: WordPlace) -> Forms {
    let mut forms = Forms::default();
    for (index, word) in found.iter().enumerate() {
        let own = written(value, word, place);
        forms.extend(own);
        let before = index.checked_sub(1).and_then(|before| found.get(before));
        let is_behind = before.is_some_and(|before| is_white(&value[before.at.end..word.at.start]));
        let next = found.get(index + 1).filter(|next| is_white(&value[word.at.end..next.at.start]));
        forms.extend(said(value, word, is_behind || next.is_some()));
        let next = next.filter(|it| it.encoding == Encoding::B);
        forms.add_if(own.has(Form::WordUnpadded) && goes_on(value, word, next), Form::WordBase);
    }
    forms
}

/// Returns `true` if the digits of a B word that lacks padding may go on behind it: in `next`, the B word that stands
/// right behind it, if that can't be read by itself, or in any other text, if the word itself can't be.
fn goes_on(value: &[u8], word: &EncodedWord, next: Option<&EncodedWord>) -> bool {
    let has_more = !is_white(&value[word.at.end..]);
    next.is_some_and(|it| is_ill_formed(value, it)) || has_more && is_ill_formed(value, word)
}

/// Returns `true` if a word can't be read by itself, in a charset that is known.
fn is_ill_formed(value: &[u8], word: &EncodedWord) -> bool {
    let charset = Labels::default().find(&value[word.label.clone()]);
    charset.is_some_and(|charset| charset.decode(&octets(value, word)).is_err())
}

/// Returns the form of what a word touches, the worst if of several; white space and `edges` it may touch where it
/// stands.
pub(super) fn touched(value: &[u8], word: &EncodedWord, edges: &[u8]) -> Forms {
    if is_beside_octets(value, word, edges) {
        return Forms::of(Form::WordBesideOctets);
    }
    if is_glued(value, word, edges) { Forms::of(Form::WordGlued) } else { Forms::default() }
}

/// Returns `true` if raw octets stand in the text that a word is glued to, up to white space, an edge or another word.
fn is_beside_octets(value: &[u8], word: &EncodedWord, edges: &[u8]) -> bool {
    let (before, behind) = (&value[..word.at.start], &value[word.at.end..]);
    has_raw(before.iter().rev(), edges) || has_raw(behind.iter(), edges)
}

/// Returns `true` if one of these octets is no ASCII, up to white space, an edge or a word: `?=` backwards, `=?`
/// onwards. So all words of a value look at each octet once.
fn has_raw<'o>(octets: impl Iterator<Item = &'o u8>, edges: &[u8]) -> bool {
    let mut last = 0;
    for octet in octets {
        let begins_word = std::mem::replace(&mut last, *octet) == b'=' && *octet == b'?';
        if begins_word || octet.is_ascii_whitespace() || edges.contains(octet) {
            return false;
        }
        if !octet.is_ascii() {
            return true;
        }
    }
    false
}

/// Returns `true` if a word touches something else than white space and these octets.
fn is_glued(value: &[u8], word: &EncodedWord, edges: &[u8]) -> bool {
    let around = [value[..word.at.start].last(), value.get(word.at.end)];
    around.into_iter().flatten().any(|octet| !octet.is_ascii_whitespace() && !edges.contains(octet))
}

/// Returns the forms of what a word says: a line end, and beside a neighbour a character or a shift that may go on in
/// it.
fn said(value: &[u8], word: &EncodedWord, has_neighbour: bool) -> Forms {
    let mut forms = Forms::default();
    let octets = octets(value, word);
    forms.add_if(octets.ends_with(b"\n") || octets.ends_with(b"\r"), Form::WordLineEnd);
    let charset = has_neighbour.then(|| Labels::default().find(&value[word.label.clone()])).flatten();
    forms.add_if(charset.is_some_and(|charset| is_cut(charset, &octets)), Form::WordSplit);
    forms
}

/// Returns `true` if octets can't be decoded by themselves, or don't end in ASCII: a character or a shift may go on in
/// what follows.
pub(super) fn is_cut(charset: Charset, octets: &[u8]) -> bool {
    charset.decode(octets).is_err() || !charset.keeps_ascii() && !ends_in_ascii(octets)
}

/// Returns the forms in which a word is written.
fn written(value: &[u8], word: &EncodedWord, place: WordPlace) -> Forms {
    let (text, label) = (&value[word.text.clone()], &value[word.label.clone()]);
    let mut forms = match word.encoding {
        Encoding::Q => q_text(text).and(specials(text, place)),
        Encoding::B => b_text(text),
    };
    forms.add_if(place != WordPlace::Text && (has_angle(label) || is_open(label)), Form::WordMarks);
    // Another word began in it, whose first `?=` was taken for its end.
    forms.add_if(starts(text).next().is_some(), Form::WordBroken);
    forms.add_if(word.language.is_some(), Form::WordLanguage);
    forms.add_if(text.is_empty(), Form::WordEmpty);
    forms.add_if(text.contains(&b'\n'), Form::WordFold);
    forms.add_if(word.at.len() > WORD_LIMIT && !text.contains(&b'\n'), Form::WordLong);
    forms
}

/// Returns the forms of the text of a Q word, wherever it stands.
fn q_text(text: &[u8]) -> Forms {
    let mut forms = Forms::default();
    forms.add_if(!text.is_ascii(), Form::WordRawOctet);
    forms.add_if(text.contains(&b'?'), Form::WordQuestion);
    // The blanks of a fold are the fold's.
    let has_blank = text.iter().any(|octet| matches!(octet, b' ' | b'\t'));
    forms.add_if(has_blank && !text.contains(&b'\n'), Form::WordBlank);
    for at in memchr::memchr_iter(b'=', text) {
        match text[at + 1..] {
            [high, low, ..] if hex::octet(high, low).is_some() => {
                let is_lower = high.is_ascii_lowercase() || low.is_ascii_lowercase();
                forms.add_if(is_lower, Form::WordLowerHex);
            }
            // A soft break of quoted-printable, which goes with the fold.
            [b'\n', ..] | [b'\r', b'\n', ..] => {}
            _ => forms.add(Form::WordBareEquals),
        }
    }
    forms
}

/// Returns the forms of the octets that stand bare in a Q text and part something where it stands.
fn specials(text: &[u8], place: WordPlace) -> Forms {
    let mut forms = Forms::default();
    // In a text nothing is parted.
    if place == WordPlace::Text {
        return forms;
    }
    // One address in angle brackets at the end, and no other mark of one.
    let [opening, closing, ats] = [b'<', b'>', b'@'].map(|octet| count(text, octet));
    let hides_address = text.ends_with(b">") && (opening, closing, ats) == (1, 1, 1);
    let moves = has_angle(text) && !hides_address || is_open(text);
    forms.add_if(moves, Form::WordMarks);
    forms.add_if(hides_address && place == WordPlace::Phrase, Form::WordAddress);
    forms.add_if(text.contains(&b'"') && !moves, Form::WordQuotes);
    let special = if hides_address { &b"()[],;:"[..] } else { b"()[],;:@." };
    let is_parted = place == WordPlace::Phrase && !moves && text.iter().any(|octet| special.contains(octet));
    forms.add_if(is_parted, Form::WordSpecials);
    forms
}

/// Returns `true` if octets that stand bare hold a bracket of an address.
fn has_angle(octets: &[u8]) -> bool {
    octets.iter().any(|octet| matches!(octet, b'<' | b'>'))
}

/// Returns `true` if octets that stand bare open or close what goes on outside of them: a comment, a literal, a quoted
/// string or a quoted pair.
fn is_open(octets: &[u8]) -> bool {
    let is_balanced = is_balanced(octets, b'(', b')') && is_balanced(octets, b'[', b']');
    !is_balanced || !count(octets, b'"').is_multiple_of(2) || octets.contains(&b'\\')
}

fn count(octets: &[u8], wanted: u8) -> usize {
    octets.iter().filter(|octet| **octet == wanted).count()
}

/// Returns `true` if each of these brackets that opens in a text closes in it, and none closes before.
fn is_balanced(text: &[u8], open: u8, close: u8) -> bool {
    let depth = text.iter().try_fold(0_usize, |depth, &octet| match octet {
        _ if octet == open => Some(depth + 1),
        _ if octet == close => depth.checked_sub(1),
        _ => Some(depth),
    });
    depth == Some(0)
}

/// Returns the forms of the text of a B word; white space in it counts as that of a fold.
fn b_text(text: &[u8]) -> Forms {
    let solid = text.iter().copied().filter(|octet| !octet.is_ascii_whitespace());
    let digits = solid.clone().take_while(|octet| is_digit(*octet)).count();
    let padding = solid.clone().skip(digits).take_while(|octet| *octet == b'=').count();
    let is_whole = digits + padding == solid.count() && padding < 3 && digits % 4 != 1 && (digits > 0 || padding == 0);
    let mut forms = Forms::default();
    forms.add_if(!is_whole, Form::WordBase);
    forms.add_if(is_whole && (digits + padding) % 4 != 0, Form::WordUnpadded);
    forms.add_if(text.iter().any(|octet| matches!(octet, b' ' | b'\t')), Form::WordFold);
    forms
}

/// Returns `true` if readers may take a backslash differently: one at the end, or before white space, the beginning of
/// a word (`=?`), or an octet over 127; and one behind an octet over 127 where the value is no UTF-8, since in
/// Shift_JIS, Big5 and GBK a letter of two octets may end in it (`表`). One that a backslash quotes is not looked at.
pub(super) fn has_doubtful_backslash(written: &[u8]) -> bool {
    let mut rest = written;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let quoted = &rest[at + 1..];
        let is_odd = quoted.first().is_none_or(|octet| octet.is_ascii_whitespace() || !octet.is_ascii());
        // What the pair before quotes is ASCII, or that was odd.
        let is_half = rest[..at].last().is_some_and(|octet| !octet.is_ascii()) && str::from_utf8(written).is_err();
        if is_odd || is_half || quoted.starts_with(b"=?") {
            return true;
        }
        // What it quotes is no backslash of the next pair.
        rest = quoted.get(1..).unwrap_or_default();
    }
    false
}
