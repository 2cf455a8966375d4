//! Words that end inside a character: a program that counts octets cut them.
//!
//! All but the last character is text, and what is left of that one is no more than it was: a word of its own says it,
//! in the charset that it is in. Nothing is lost by that, and every reader shows as much as before, or more.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::group::{CutText, GroupText, TextError, WordReader};
use crate::charset::Charset;
use crate::evidence::Because;

/// Parts the octets of words, which are left as they are, before the half of a character at their end, and returns what
/// they say and where the half begins. `None` where they end in no half, or where no whole character before it shows
/// that they are in the charset of their label. `label` is that of the last word, `left` why the words are left, and
/// `text` reads octets under their label.
pub(super) fn cut(
    octets: &[u8],
    (charset, label): (Charset, &str),
    left: &TextError,
    reader: WordReader<'_>,
    text: impl Fn(&[u8]) -> Result<GroupText, TextError>,
) -> Option<(CutText, usize)> {
    let TextError::Malformed { charset: name, source } = left else { return None };
    // Where U+FFFD is wanted for faults, it is for this one, too; and in a charset with shifts no octet stands alone.
    if !source.is_cut() || name != charset.name() || reader.lossy || !charset.keeps_ascii() {
        return None;
    }
    // Read by itself the half must say nothing: A7 of EUC-JP is `§` to all charsets of Windows.
    let (whole, half) = octets.split_at_checked(source.offset).filter(|(_, half)| text(half).is_err())?;
    let text = text(whole).ok()?;
    if text.because != Because::Label || !text.line_end.is_empty() || text.text.is_ascii() {
        return None;
    }
    Some((CutText { text, half: format!("=?{label}?B?{}?=", STANDARD.encode(half)) }, source.offset))
}

#[cfg(test)]
mod tests {
    use crate::charset::Labels;
    use crate::encoded_word::{WordPlace, WordReader, decode_unstructured, runs};

    /// Returns for each group of a value its text, or `-`, and the word of its half.
    fn read(value: &str) -> Vec<(String, Option<String>)> {
        let labels = Labels::default();
        let groups =
            runs(value.as_bytes(), WordPlace::Text, WordReader::new(&labels)).into_iter().flat_map(|run| run.groups);
        let said = groups.map(|group| match (group.outcome, group.cut) {
            (Ok(text), _) => (text.text, None),
            (Err(_), Some(cut)) => (cut.text.text, Some(cut.half)),
            (Err(_), None) => ("-".to_owned(), None),
        });
        said.collect()
    }

    fn whole(text: &str) -> (String, Option<String>) {
        (text.to_owned(), None)
    }

    fn cut(text: &str, half: &str) -> (String, Option<String>) {
        (text.to_owned(), Some(half.to_owned()))
    }

    #[test]
    fn what_stands_before_half_a_character_is_text() {
        assert_eq!(read("=?GB2312?Q?=C4=E3=D7?="), [cut("你", "=?GB2312?B?1w==?=")]);
        assert_eq!(read("=?utf-8?Q?=C3?= =?utf-8?Q?=A9=E2=82?="), [cut("é", "=?utf-8?B?4oI=?=")], "over two words");
        assert_eq!(read("=?gb2312?Q?caf=E9?="), [whole("-")], "nothing says that it is gb2312");
        assert_eq!(read("=?gb2312?Q?=C4=E3=FF=C4=E3?="), [whole("-")], "a fault in the middle is no cut");
        assert_eq!(read("=?euc-jp?Q?=C6=FC=A7?="), [whole("-")], "the half would be a sign");
        assert_eq!(read("=?euc-jp?Q?=C6=FC=CB?="), [cut("日", "=?euc-jp?B?yw==?=")]);
        assert_eq!(read("=?iso-2022-jp?B?GyRCRnw=?="), [whole("日")], "a shift that nothing ends is no half");
    }

    #[test]
    fn half_a_character_in_a_word_of_its_own_stays_there() {
        assert_eq!(read("=?gb2312?Q?=C4=E3?= =?gb2312?Q?=D7?="), [whole("你"), whole("-")]);
        assert_eq!(read("=?utf-8?Q?=C3=A9?= =?utf-8?Q?=E2?= =?utf-8?Q?=82?="), [whole("é"), whole("-")]);
    }

    #[test]
    fn a_text_is_shown_with_the_word_of_its_half() {
        let labels = Labels::default();
        let decoded = decode_unstructured(b"a =?gb2312?Q?=C4=E3=D7?= b", WordReader::new(&labels));
        assert_eq!((&*decoded.text, decoded.faults.len()), ("a 你 =?gb2312?B?1w==?= b", 1));
    }
}
