//! Finds what has the shape of an encoded-word: `=?label?Q?text?=`, `=?label*language?B?text?=`.
//!
//! The text of a word may hold anything, white space and 8-bit octets too, for mail has it so; it ends at the
//! first `?=`. A word whose text would hold the beginning of another is no word: it was cut off.
//!
//! One pass: the beginning of the next word and the next `?=` are looked for once and remembered, so a text of
//! nothing but beginnings costs no more than any other.

use std::ops::Range;

use memchr::memchr_iter;

/// The two codings of a word's text (RFC 2047 §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Q, which is near quoted-printable.
    Q,
    /// B, which is base64.
    B,
}

/// A word, as ranges of the text that it was found in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedWord {
    /// The whole word.
    pub at: Range<usize>,
    /// The charset's label.
    pub label: Range<usize>,
    /// The language tag (RFC 2231 §5); none without a `*`.
    pub language: Option<Range<usize>>,
    /// How the text is coded.
    pub encoding: Encoding,
    /// The text between the third `?` and the last.
    pub text: Range<usize>,
}

/// Finds the words of a text, in order.
///
/// ```
/// use septet_text::encoded_word::words;
///
/// let value = b"=?utf-8?Q?caf=C3=A9?= is no =?word";
/// let found: Vec<_> = words(value).collect();
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].at, 0..21);
/// ```
pub fn words(value: &[u8]) -> EncodedWords<'_> {
    EncodedWords { value, from: 0, opening: None, closing: 0 }
}

/// The words of a text, in order; [`words`] starts them.
pub struct EncodedWords<'a> {
    value: &'a [u8],
    /// Where to look on.
    from: usize,
    /// A word whose opening was found already, at or after `from`; its end and that of its text are not known yet.
    opening: Option<EncodedWord>,
    /// The last `?=` found; the next one is looked for only beyond it.
    closing: usize,
}

impl Iterator for EncodedWords<'_> {
    type Item = EncodedWord;

    fn next(&mut self) -> Option<EncodedWord> {
        loop {
            let mut word = self.opening.take().or_else(|| find_opening(self.value, self.from))?;
            let closing = self.closing_after(word.text.start)?;
            match find_opening(self.value, word.text.start) {
                // Another word begins before this one ends, so this one was cut off.
                Some(inner) if inner.text.start <= closing => self.opening = Some(inner),
                next => {
                    self.from = closing + 2;
                    self.opening = next.filter(|next| next.at.start >= self.from);
                    (word.text.end, word.at.end) = (closing, self.from);
                    return Some(word);
                }
            }
        }
    }
}

impl EncodedWords<'_> {
    /// Finds the first `?=` from a place on; the places may only grow.
    fn closing_after(&mut self, from: usize) -> Option<usize> {
        if self.closing < from {
            let rest = self.value.get(from..)?;
            let closing = memchr_iter(b'?', rest).find(|at| rest.get(at + 1) == Some(&b'='));
            self.closing = closing.map_or(usize::MAX, |at| from + at);
        }
        (self.closing != usize::MAX).then_some(self.closing)
    }
}

/// Finds the first beginning of a word from `from` on, as [`read_opening`] reads it; `None` where there is none.
fn find_opening(value: &[u8], from: usize) -> Option<EncodedWord> {
    starts(value.get(from..)?).find_map(|at| read_opening(value, from + at))
}

/// Finds the places where `=?` stands. Question marks are few in a text, so that they are looked for alone.
pub fn starts(text: &[u8]) -> impl Iterator<Item = usize> {
    memchr_iter(b'?', text).filter_map(|at| at.checked_sub(1)).filter(|at| text[*at] == b'=')
}

/// Reads `=?label*language?Q?` at `start`. The label may be any graphic ASCII but `?` and `=`: labels that no
/// standard knows (`%CHARSET`, `_iso-2022-jp$ESC`) are still labels. It ends where another `=?` could begin,
/// which keeps the search linear. The word and its text end where the text begins, until it is known where they do.
/// `None` where no word begins.
fn read_opening(value: &[u8], start: usize) -> Option<EncodedWord> {
    let rest = value.get(start + 2..)?;
    let length = rest.iter().position(|octet| !octet.is_ascii_graphic() || matches!(octet, b'?' | b'='))?;
    let encoding = match rest.get(length..length + 3)? {
        [b'?', b'Q' | b'q', b'?'] => Encoding::Q,
        [b'?', b'B' | b'b', b'?'] => Encoding::B,
        _ => return None,
    };
    let label = start + 2..start + 2 + length;
    let star = rest[..length].iter().position(|&octet| octet == b'*').map(|at| label.start + at);
    let text = label.end + 3;
    Some(EncodedWord {
        at: start..text,
        label: label.start..star.unwrap_or(label.end),
        language: star.map(|star| star + 1..label.end),
        encoding,
        text: text..text,
    })
}
