//! Writes words: at most 75 characters each (RFC 2047 §2), on lines of at most 76, whole characters in each.

use std::borrow::Cow;

use super::name::Name;
use super::{Encoding, WORD_LIMIT, WordPlace, base, quoted};
use crate::charset::{Charset, MappingError};
use crate::utf7::{self, SetO, Utf7Options};

/// The most characters that a line with a word in it has, its line end not counted (RFC 2047 §2).
pub const LINE_LIMIT: usize = 76;

/// How words are written.
#[derive(Debug, Clone, Copy)]
pub struct WordFormat {
    /// The charset of the words, and their label by its name. UTF-7 is written with Set D alone, and in Q.
    pub charset: Charset,
    /// Where they stand.
    pub place: WordPlace,
    /// Whether they are written in Q although B is shorter: some readers join them with words in B of the same charset
    /// that stand beside them, and read up to the first padding.
    pub quoted: bool,
}

/// Where words begin on their line, and what follows them.
#[derive(Debug, Clone, Copy, Default)]
pub struct LinePosition<'a> {
    /// Octets that stand on the line before the first word, a field's name and colon counted.
    pub column: usize,
    /// The line end of folds; all words come on one line without it.
    pub fold: Option<&'a str>,
    /// Octets that will stand right after the last word, without white space between.
    pub tail: usize,
    /// Octets, a fold counted as one, behind which no word is written any more: the caller has no use for so many. None
    /// where all are wanted.
    pub most: Option<usize>,
}

/// Writes a text as words with a space, or a fold and a space, between them; gives the column after the last. A phrase
/// and a comment are cut at blanks where that can be (`name.rs`).
///
/// The text may hold anything; the caller sees to it that no control character is in it. An empty text gives
/// no word. A first word that has no room on its line is written over the limit: to fold before it is for the
/// caller, who knows what stands there. A character that the charset lacks is an error, and nothing is written.
///
/// ```
/// use septet_text::charset::Charset;
/// use septet_text::encoded_word::{LinePosition, WordFormat, WordPlace, encode};
///
/// let form = WordFormat { charset: Charset::UTF_8, place: WordPlace::Text, quoted: false };
/// let mut out = String::new();
/// encode("café au lait", form, LinePosition::default(), &mut out).unwrap();
/// assert_eq!(out, "=?utf-8?Q?caf=C3=A9_au_lait?=");
///
/// let latin = WordFormat { charset: Charset::ISO_8859_1, ..form };
/// assert!(encode("5 €", latin, LinePosition::default(), &mut out).is_err());
/// ```
pub fn encode(
    text: &str,
    form: WordFormat,
    position: LinePosition<'_>,
    out: &mut String,
) -> Result<usize, MappingError> {
    let encoder = WordEncoder::new(text, form)?;
    let room = word_limit(position.fold, position.column);
    let name = encoder.name(text, room, position.tail).and_then(|name| name.cut(room)).unwrap_or_default();
    let mut ends = Vec::with_capacity(text.len());
    ends.extend(text.char_indices().map(|(at, _)| at).skip(1).chain([text.len()]));
    let mut written = String::new();
    let mut column = position.column;
    let (mut start, mut first, mut words) = (0, 0, 0);
    // A fold counts as one octet.
    let more = position.fold.map_or(0, |fold| fold.len().saturating_sub(1));
    while start < text.len() && position.most.is_none_or(|most| written.len() <= most + words * more) {
        words += 1;
        if first > 0 {
            written.push_str(position.fold.unwrap_or(""));
            written.push(' ');
            column = if position.fold.is_some() { 1 } else { column + 1 };
        }
        let limit = word_limit(position.fold, column);
        let (count, encoding) = match name.get(words - 1) {
            Some(word) => *word,
            None => encoder.next_word(text, start, &ends[first..], limit, position.tail)?,
        };
        let end = ends.get(first + count - 1).copied().unwrap_or(text.len());
        column += encoder.write(&text[start..end], encoding, &mut written)?;
        (start, first) = (end, first + count);
    }
    out.push_str(&written);
    Ok(column)
}

/// Returns `true` if a text makes one word of at most `limit` characters; not if the charset lacks one of its
/// characters.
pub fn fits_one_word(text: &str, form: WordFormat, limit: usize) -> bool {
    // No coding is shorter than one character for each of the text.
    text.len() <= 4 * WORD_LIMIT
        && WordEncoder::new(text, form)
            .and_then(|encoder| encoder.len(text, encoder.encoding))
            .is_ok_and(|length| length <= limit.min(WORD_LIMIT))
}

/// Returns `true` if a phrase or a comment has fewer cuts that are not at a blank where its first word stands on a new
/// line than where it has this room, `tail` octets standing behind the last.
pub fn is_cut_better_on_a_new_line(text: &str, form: WordFormat, room: usize, tail: usize) -> bool {
    let Ok(encoder) = WordEncoder::new(text, form) else { return false };
    let room = WORD_LIMIT.min(room);
    encoder.name(text, room, tail).is_some_and(|name| name.is_cut_better_than(room))
}

/// Returns how many characters a word may have that begins in a column; all that it may have where nothing is folded.
fn word_limit(fold: Option<&str>, column: usize) -> usize {
    fold.map_or(WORD_LIMIT, |_| WORD_LIMIT.min(LINE_LIMIT.saturating_sub(column)))
}

/// How the words of one text are written.
struct WordEncoder {
    form: WordFormat,
    /// The coding that is shorter for the whole text.
    encoding: Encoding,
    /// What each word has beside its text.
    overhead: usize,
}

impl WordEncoder {
    /// Chooses Q or B, whichever is shorter for the whole text; Q where both are equal, for it can be read. A character
    /// that the charset lacks is an error.
    fn new(text: &str, form: WordFormat) -> Result<WordEncoder, MappingError> {
        let octets = field_octets(form.charset, text)?;
        let shorter = base::encoded_len(octets.len()) < quoted::encoded_len(&octets, form.place);
        let may_be_base64 = !form.quoted && form.charset.utf_7().is_none();
        let encoding = if shorter && may_be_base64 { Encoding::B } else { Encoding::Q };
        let overhead = "=??Q??=".len() + form.charset.name().len();
        Ok(WordEncoder { form, encoding, overhead })
    }

    /// Returns a text as a name that is cut at blanks; `None` for one that needs no cut, as it has room in `first`
    /// octets with `tail` behind it, in unstructured text, where no reader shows more than stands in words, and in
    /// other charsets than UTF-8.
    fn name<'t>(&self, text: &'t str, first: usize, tail: usize) -> Option<Name<'t>> {
        let is_name = self.form.place != WordPlace::Text && self.form.charset == Charset::UTF_8;
        if !is_name || self.len(text, self.encoding).is_ok_and(|length| length + tail <= first) {
            return None;
        }
        Some(Name { text, wanted: self.encoding, place: self.form.place, overhead: self.overhead, tail })
    }

    /// Finds by halving how many characters the next word takes, which begins at `start` in `text`, and how it is
    /// written; `ends` are the ends in `text` of the characters from there on. The word has `limit` octets at most,
    /// `tail` counted if it is the last; but it takes one character even where that is more.
    fn next_word(
        &self,
        text: &str,
        start: usize,
        ends: &[usize],
        limit: usize,
        tail: usize,
    ) -> Result<(usize, Encoding), MappingError> {
        // A word of N characters never says more than N.
        let most = ends.len().min(WORD_LIMIT);
        let (mut low, mut high) = (1, most);
        while low < high {
            let middle = usize::midpoint(low, high + 1);
            let behind = if middle == ends.len() { tail } else { 0 };
            if self.len(&text[start..ends[middle - 1]], self.encoding)? + behind <= limit {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        match self.encoding {
            _ if low == ends.len() => Ok((low, self.encoding)),
            Encoding::B => self.without_padding(text, start, &ends[..low], limit),
            Encoding::Q => Ok((self.to_last_blank(text, start, &ends[..low]), Encoding::Q)),
        }
    }

    /// Returns how many of these characters stand before the end of the last blank among them; all of them where none
    /// stands behind other text, and in unstructured text.
    fn to_last_blank(&self, text: &str, start: usize, ends: &[usize]) -> usize {
        if self.form.place == WordPlace::Text {
            return ends.len();
        }
        let mut starts = ends.iter().map(|end| &text[start..*end]);
        let last = starts.rposition(|start| start.ends_with(' ') && !start.trim_start().is_empty());
        last.map_or(ends.len(), |last| last + 1)
    }

    /// Returns the most of these characters whose octets make whole groups of base64, so that a word that others follow
    /// needs no padding: some readers drop what comes after it.
    ///
    /// Where no number does (`10` before Japanese, whose characters have three octets each), a word in Q takes the
    /// first few, so that those behind make whole groups.
    fn without_padding(
        &self,
        text: &str,
        start: usize,
        ends: &[usize],
        limit: usize,
    ) -> Result<(usize, Encoding), MappingError> {
        let over = ends.iter().map(|end| Ok(field_octets(self.form.charset, &text[start..*end])?.len() % 3));
        let over = over.collect::<Result<Vec<usize>, MappingError>>()?;
        if let Some(last) = over.iter().rposition(|rest| *rest == 0) {
            return Ok((last + 1, Encoding::B));
        }
        // The shortest start behind which the others make whole groups, and which is no blank alone.
        let mut starts = ends.iter().map(|end| text[start..*end].trim_start_matches(' ')).zip(&over);
        let first = starts.position(|(start, rest)| !start.is_empty() && Some(rest) == over.last());
        let mut count = first.map_or(1, |first| first + 1);
        while count > 1 && self.len(&text[start..ends[count - 1]], Encoding::Q)? > limit {
            count -= 1;
        }
        Ok((count, Encoding::Q))
    }

    /// Returns the length of a word of this text, in a coding.
    fn len(&self, text: &str, encoding: Encoding) -> Result<usize, MappingError> {
        let octets = field_octets(self.form.charset, text)?;
        let length = match encoding {
            Encoding::Q => quoted::encoded_len(&octets, self.form.place),
            Encoding::B => base::encoded_len(octets.len()),
        };
        Ok(self.overhead + length)
    }

    /// Writes one word and gives its length. A character that the charset lacks is an error, and then a piece of the
    /// word stands in `out`.
    fn write(&self, text: &str, encoding: Encoding, out: &mut String) -> Result<usize, MappingError> {
        let before = out.len();
        out.push_str("=?");
        out.push_str(self.form.charset.name());
        let octets = field_octets(self.form.charset, text)?;
        match encoding {
            Encoding::Q => {
                out.push_str("?Q?");
                quoted::encode(&octets, self.form.place, out);
            }
            Encoding::B => {
                out.push_str("?B?");
                base::encode(&octets, out);
            }
        }
        out.push_str("?=");
        Ok(out.len() - before)
    }
}

/// Encodes a text for a field: UTF-7 with Set O encoded (RFC 2152 rule 1), any other charset as everywhere.
pub fn field_octets(charset: Charset, text: &str) -> Result<Cow<'_, [u8]>, MappingError> {
    match charset.utf_7() {
        Some(variant) => utf7::encode(text, Utf7Options { variant, set_o: SetO::Encoded }),
        None => charset.encode(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_encoded_behind_the_most_octets() {
        let form = WordFormat { charset: Charset::ISO_8859_1, place: WordPlace::Text, quoted: false };
        let (text, mut out) = ("é".repeat(100_000), String::new());
        let position = LinePosition { fold: Some("\n"), most: Some(1000), ..LinePosition::default() };
        encode(&text, form, position, &mut out).expect("Latin-1 has it");
        assert!((1001..1000 + 2 * LINE_LIMIT).contains(&out.len()), "{}", out.len());
    }

    #[test]
    fn no_word_but_the_last_has_padding() {
        let form = WordFormat { charset: Charset::UTF_8, place: WordPlace::Text, quoted: false };
        let texts = [
            "жук".repeat(40),
            "aж€𝒳".repeat(30),
            "éa".repeat(70),
            "10月の定例会議の日程変更についてのお知らせ".to_owned(),
            format!("é{}", "日".repeat(100)),
            format!("é{}{}", "日".repeat(50), "😀".repeat(50)),
        ];
        for text in texts {
            let mut out = String::new();
            encode(&text, form, LinePosition { fold: Some("\n"), ..LinePosition::default() }, &mut out)
                .expect("UTF-8 has it");
            let words: Vec<&str> = out.split_whitespace().collect();
            assert!(words.len() > 1 && words.iter().all(|word| word.len() <= WORD_LIMIT), "{out}");
            assert!(words.iter().rev().skip(1).all(|word| !word.ends_with("=?=")), "{out}");
            let quoted = words.iter().filter(|word| word.starts_with("=?utf-8?Q?")).count();
            assert!(quoted <= 1 && words.iter().any(|word| word.starts_with("=?utf-8?B?")), "{out}");
        }
    }
}
