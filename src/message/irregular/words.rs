//! Encoded-words, wherever they stand (RFC 2047).
//!
//! A word is looked at by itself: how its text is written, and what it says, since a character or a shift may go on in
//! the next one. Where it stands decides which octets may stand bare in it: in a phrase they can part addresses.
//! Whatever begins like a word and is none, [`broken`] finds: readers look for its end in what stands behind.

use memchr::memmem;

use super::forms::Forms;
use super::table::Form;
use crate::coding::charset::Labels;
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
    let mut at = 0;
    let mut begins = |end: usize, next: usize| {
        let between = &value[at..end];
        at = next;
        begins_a_word(between)
    };
    let is_broken = found.iter().any(|word| begins(word.at.start, word.at.end)) || begins(value.len(), value.len());
    if is_broken { Forms::of(Form::WordBroken) } else { Forms::default() }
}

/// Returns `true` if `=?` stands outside of words and `?=` somewhere behind it: a word to those who look no closer.
pub(super) fn is_half(value: &[u8], found: &[EncodedWord]) -> bool {
    let Some(last) = memmem::rfind(value, b"?=") else { return false };
    let is_outside = |at: &usize| {
        let word = found.get(found.partition_point(|word| word.at.end <= *at));
        word.is_none_or(|word| *at < word.at.start)
    };
    starts(value).any(|at| at + 2 <= last && is_outside(&at))
}

/// Returns `true` if `=?` stands in a text in which no word is whole, before an octet that may begin a label or at the
/// end.
fn begins_a_word(text: &[u8]) -> bool {
    let is_of_label = |octet: &u8| octet.is_ascii_graphic() && *octet != b'=';
    starts(text).any(|at| text.get(at + 2).is_none_or(is_of_label))
}

/// Returns the forms of words by themselves, and those of what may go on from one to the next; `found` must be in
/// order.
pub(super) fn among(value: &[u8], found: &[EncodedWord], place: WordPlace) -> Forms {
    let mut forms = Forms::default();
    for (index, word) in found.iter().enumerate() {
        let own = written(value, word, place);
        forms.extend(own);
        let before = index.checked_sub(1).and_then(|before| found.get(before));
        let is_near = |left: &EncodedWord, right: &EncodedWord| is_white(&value[left.at.end..right.at.start]);
        let has_neighbour =
            before.is_some_and(|it| is_near(it, word)) || found.get(index + 1).is_some_and(|it| is_near(word, it));
        forms.extend(said(value, word, has_neighbour));
        let next = found.get(index + 1).filter(|it| it.encoding == Encoding::B && is_near(word, it));
        forms.add_if(own.has(Form::WordUnpadded) && goes_on(value, word, next), Form::WordBase);
    }
    forms
}

/// Returns `true` if the digits of a word may go on in what stands behind: it or the next can't be read by itself.
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
    match () {
        () if is_beside_octets(value, word, edges) => Forms::of(Form::WordBesideOctets),
        () if is_glued(value, word, edges) => Forms::of(Form::WordGlued),
        () => Forms::default(),
    }
}

/// Returns `true` if raw octets stand in the text that a word is glued to, up to white space, an edge or another word.
fn is_beside_octets(value: &[u8], word: &EncodedWord, edges: &[u8]) -> bool {
    let (before, behind) = (&value[..word.at.start], &value[word.at.end..]);
    has_raw(before.iter().rev(), edges) || has_raw(behind.iter(), edges)
}

/// Returns `true` if one of these octets is no ASCII, up to white space, an edge or a word: `?=` backwards, `=?` onwards. So
/// all words of a value look at each octet once.
fn has_raw<'o>(octets: impl Iterator<Item = &'o u8>, edges: &[u8]) -> bool {
    let mut last = 0;
    let is_of_text = |octet: &&u8| {
        let begins_word = std::mem::replace(&mut last, **octet) == b'=' && **octet == b'?';
        !(begins_word || octet.is_ascii_whitespace() || edges.contains(octet))
    };
    octets.take_while(is_of_text).any(|octet| !octet.is_ascii())
}

/// Returns `true` if a word touches something else than white space and these octets.
fn is_glued(value: &[u8], word: &EncodedWord, edges: &[u8]) -> bool {
    let is_edge = |octet: Option<&u8>| octet.is_none_or(|it| it.is_ascii_whitespace() || edges.contains(it));
    !is_edge(value[..word.at.start].last()) || !is_edge(value.get(word.at.end))
}

/// Returns the forms of what a word says: a line end, and beside a neighbour a character or a shift that may go on in
/// it.
fn said(value: &[u8], word: &EncodedWord, has_neighbour: bool) -> Forms {
    let mut forms = Forms::default();
    let octets = octets(value, word);
    forms.add_if(octets.ends_with(b"\n") || octets.ends_with(b"\r"), Form::WordLineEnd);
    let charset = has_neighbour.then(|| Labels::default().find(&value[word.label.clone()])).flatten();
    let is_cut = charset.is_some_and(|it| it.decode(&octets).is_err() || !it.keeps_ascii() && !ends_in_ascii(&octets));
    forms.add_if(is_cut, Form::WordSplit);
    forms
}

/// Returns the forms in which a word is written.
fn written(value: &[u8], word: &EncodedWord, place: WordPlace) -> Forms {
    let text = &value[word.text.clone()];
    let mut forms = match word.encoding {
        Encoding::Q => q_text(text).and(specials(text, place)),
        Encoding::B => b_text(text),
    };
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
    let has = |wanted: fn(&u8) -> bool| text.iter().any(wanted);
    forms.add_if(!text.is_ascii(), Form::WordRawOctet);
    forms.add_if(has(|octet| *octet == b'?'), Form::WordQuestion);
    // The blanks of a fold are the fold's.
    forms.add_if(has(|octet| matches!(octet, b' ' | b'\t')) && !text.contains(&b'\n'), Form::WordBlank);
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
    let count = |octet: u8| text.iter().filter(|it| **it == octet).count();
    // In a text nothing is parted.
    if place == WordPlace::Text {
        return forms;
    }
    // One address in angle brackets at the end, and no other mark of one.
    let hides_address = count(b'<') == 1 && text.ends_with(b">") && count(b'>') == 1 && count(b'@') == 1;
    let has_angle = count(b'<') + count(b'>') > 0;
    let is_balanced = is_balanced(text, b'(', b')') && is_balanced(text, b'[', b']') && count(b'"') % 2 == 0;
    let moves = has_angle && !hides_address || count(b'\\') > 0 || !is_balanced;
    forms.add_if(moves, Form::WordMarks);
    forms.add_if(hides_address && place == WordPlace::Phrase, Form::WordAddress);
    forms.add_if(count(b'"') > 0 && !moves, Form::WordQuotes);
    let is_special = |octet: &u8| b"()[],;:@.".contains(octet) && !(hides_address && b"@.".contains(octet));
    forms.add_if(place == WordPlace::Phrase && !moves && text.iter().any(is_special), Form::WordSpecials);
    forms
}

/// Returns `true` if each of these brackets that opens in a text closes in it, and none closes before.
fn is_balanced(text: &[u8], open: u8, close: u8) -> bool {
    let step = |depth: usize, octet: &u8| match *octet {
        octet if octet == open => Some(depth + 1),
        octet if octet == close => depth.checked_sub(1),
        _ => Some(depth),
    };
    text.iter().try_fold(0, step) == Some(0)
}

/// Returns the forms of the text of a B word; white space in it counts as that of a fold.
fn b_text(text: &[u8]) -> Forms {
    let solid = || text.iter().filter(|octet| !octet.is_ascii_whitespace());
    let is_digit = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'/');
    let digits = solid().take_while(|octet| is_digit(octet)).count();
    let padding = solid().skip(digits).take_while(|octet| **octet == b'=').count();
    let is_whole =
        digits + padding == solid().count() && padding < 3 && digits % 4 != 1 && (digits > 0 || padding == 0);
    let mut forms = Forms::default();
    forms.add_if(!is_whole, Form::WordBase);
    forms.add_if(is_whole && (digits + padding) % 4 != 0, Form::WordUnpadded);
    forms.add_if(text.iter().any(|octet| matches!(octet, b' ' | b'\t')), Form::WordFold);
    forms
}

/// Returns `true` if a backslash quotes nothing, white space, a line end, the beginning of a word or an octet over 127: what
/// it quotes is one to some, and to others begins a pair; or it is half of a character.
pub(super) fn quotes_start(written: &[u8]) -> bool {
    let is_odd = |octet: &u8| octet.is_ascii_whitespace() || !octet.is_ascii();
    let is_start = |rest: &[u8]| rest.starts_with(b"=?") || rest.first().is_none_or(is_odd);
    let mut rest = written;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let quoted = &rest[at + 1..];
        if is_start(quoted) {
            return true;
        }
        // What it quotes is no backslash of the next pair.
        rest = quoted.get(1..).unwrap_or_default();
    }
    false
}
