//! What octets mean under a label: one rule for bodies, encoded-words and parameters.
//!
//! A label names a charset, and mail writes something near it. Where the octets themselves tell, they are read as what
//! they are:
//!
//! | label | octets | read as |
//! |---|---|---|
//! | any of 8 bits | UTF-8 that no text of that charset would be by accident | UTF-8 |
//! | iso-8859-2 | letters of windows-1250 at 80..=9F | windows-1250 |
//! | iso-2022-jp, -1, -2, -3 | UTF-8, and no sequences | UTF-8 |
//! | iso-2022-jp, -1, -2, -3 | octets of code page 932 that are not UTF-8, beside the sequences, or nothing else | both |
//! | us-ascii, or none | sequences of ISO-2022-JP that make a text | ISO-2022-JP |
//!
//! Everything here says so of a whole text and never of a piece; what it can't tell stays under its label.

use super::{Charset, evidence, western};

/// Labels under which a text of Latin letters is hardly ever valid UTF-8: two of their letters in a row that are would be
/// a capital and a symbol.
const WESTERN: [Charset; 4] =
    [Charset::WINDOWS_1252, Charset::ISO_8859_1, Charset::ISO_8859_15, Charset::ISO_8859_15_WINDOWS];

/// The family of ISO-2022-JP as labels name it.
const JAPANESE: [Charset; 5] = [
    Charset::ISO_2022_JP,
    Charset::ISO_2022_JP_1,
    Charset::ISO_2022_JP_2,
    Charset::ISO_2022_JP_3,
    Charset::ISO_2022_JP_MS,
];

/// The characters of several octets that UTF-8 under a label of another script has at least.
const ENOUGH: usize = 3;

/// Returns the charset in which octets are read whose label means `charset`.
///
/// ```
/// use septet::coding::charset::{Charset, meant};
///
/// assert_eq!(meant(Charset::WINDOWS_1252, "é".as_bytes()), Charset::UTF_8);
/// assert_eq!(meant(Charset::WINDOWS_1251, "Привет".as_bytes()), Charset::UTF_8);
/// assert_eq!(meant(Charset::WINDOWS_1251, b"\xC5\xB8"), Charset::WINDOWS_1251, "Her: two letters that are UTF-8, too");
/// assert_eq!(meant(Charset::US_ASCII, b"\x1B$BF|K\\\x1B(B"), Charset::ISO_2022_JP);
/// ```
pub fn meant(charset: Charset, octets: &[u8]) -> Charset {
    let is = |other: Charset| charset == other;
    match () {
        () if is(Charset::UTF_8) => charset,
        () if is(Charset::US_ASCII) => escaped(octets).unwrap_or(charset),
        () if octets.is_ascii() => charset,
        () if is_utf_8(charset, octets) => Charset::UTF_8,
        () if is(Charset::ISO_8859_2_WINDOWS) && is_windows_1250(octets) => Charset::WINDOWS_1250,
        () if JAPANESE.contains(&charset) && has_code_page_932(octets) => Charset::ISO_2022_JP_8,
        () => charset,
    }
}

/// Returns the charset that ASCII octets are in which have sequences of ISO 2022 and no label: ISO-2022-JP, if they make a
/// text in it.
pub fn escaped(octets: &[u8]) -> Option<Charset> {
    if !octets.is_ascii() || !evidence::has_iso_2022_escape(octets) {
        return None;
    }
    let is_text = |text: &str| !text.is_ascii() && !text.contains('\u{7F}');
    let reads = Charset::ISO_2022_JP.decode(octets).is_ok_and(|text| is_text(&text));
    reads.then_some(Charset::ISO_2022_JP)
}

/// The same for a piece of a field, which must end in ASCII: else it was cut, by an octet of a character that is a
/// delimiter to whoever cut it.
pub fn escaped_piece(octets: &[u8]) -> Option<Charset> {
    escaped(octets).filter(|_| ends_in_ascii(octets))
}

/// Tells whether the last sequence of ISO-2022-JP, if there is any, goes back to ASCII.
pub fn ends_in_ascii(octets: &[u8]) -> bool {
    let last = memchr::memrchr(0x1B, octets).and_then(|at| octets.get(at + 1..));
    last.is_none_or(|rest| rest.starts_with(b"(B") || rest.starts_with(b"(J"))
}

/// Returns the charset that such octets are in under a label that no table knows, if it is one that says nothing.
pub fn escaped_under(label: &[u8], octets: &[u8]) -> Option<Charset> {
    escaped(octets).filter(|_| evidence::is_ascii_label(label))
}

/// Tells whether Hebrew text may stand in visual order, its letters as they are seen from left to right: the label
/// iso-8859-8 says so (RFC 1556), and half of those who write it don't know.
///
/// The five letters that have another form at a word's end tell the two apart: where words end in them, the text is in
/// logical order whatever the label says.
///
/// ```
/// use septet::coding::charset::{Charset, may_be_visual};
///
/// assert!(may_be_visual(Charset::ISO_8859_8, "\u{5DD}\u{5D5}\u{5DC}\u{5E9}"), "the final mem comes first");
/// assert!(!may_be_visual(Charset::ISO_8859_8, "\u{5E9}\u{5DC}\u{5D5}\u{5DD}"));
/// assert!(!may_be_visual(Charset::ISO_8859_8_I, "\u{5DD}\u{5D5}\u{5DC}\u{5E9}"));
/// ```
pub fn may_be_visual(charset: Charset, text: &str) -> bool {
    let is_letter = |character: Option<char>| matches!(character, Some('\u{5D0}'..='\u{5EA}'));
    let is_final = |character: char| "\u{5DA}\u{5DD}\u{5DF}\u{5E3}\u{5E5}".contains(character);
    if ![Charset::ISO_8859_8, Charset::ISO_8859_8_WINDOWS].contains(&charset)
        || !text.chars().any(|character| is_letter(Some(character)))
    {
        return false;
    }
    let (mut ends, mut starts, mut before) = (0, 0, None);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if is_final(character) {
            match (is_letter(before), is_letter(characters.peek().copied())) {
                (true, false) => ends += 1,
                (false, true) => starts += 1,
                _ => {}
            }
        }
        before = Some(character);
    }
    ends <= starts * 4
}

/// Tells whether octets are UTF-8 under a label of another charset, in which they would read as nonsense.
///
/// Such text is what a mailer writes that has one label for whatever it is. Under labels of Western European text any
/// UTF-8 is that but for a few words ([`western`]). In charsets of other scripts two letters in a row can be valid UTF-8 by
/// accident; there several are asked for, and an octet that hardly any letter of theirs has, 80 to A0.
fn is_utf_8(charset: Charset, octets: &[u8]) -> bool {
    let Ok(text) = simdutf8::basic::from_utf8(octets) else { return false };
    if WESTERN.contains(&charset) {
        return !western::may_be_western(text);
    }
    let is_rare = |octet: &u8| (0x80..=0xA0).contains(octet);
    let several = || text.chars().filter(|character| !character.is_ascii()).nth(ENOUGH - 1).is_some();
    let may_be = charset.keeps_ascii() || JAPANESE.contains(&charset) && !evidence::has_iso_2022_escape(octets);
    may_be && several() && octets.iter().any(is_rare)
}

/// Tells whether text under the label of ISO-8859-2 has letters of windows-1250 at 80..=9F, and nothing that speaks
/// against it: the letters that are symbols there.
fn is_windows_1250(octets: &[u8]) -> bool {
    let is_letter = |octet: &u8| matches!(octet, 0x8A | 0x8C..=0x8F | 0x9A | 0x9C..=0x9F);
    let is_symbol = |octet: &u8| matches!(octet, 0xA1 | 0xA6 | 0xA9 | 0xAC | 0xAE | 0xB1 | 0xB5 | 0xB6);
    octets.iter().any(is_letter) && !octets.iter().any(is_symbol) && Charset::WINDOWS_1250.decode(octets).is_ok()
}

/// Tells whether the octets above 7F of a Japanese text are code page 932's. What EUC-JP or UTF-8 read as well, half-width
/// katakana in pairs, could be either.
fn has_code_page_932(octets: &[u8]) -> bool {
    let reads = |charset: Charset| charset.decode(octets).is_ok();
    reads(Charset::ISO_2022_JP_8) && !reads(Charset::EUC_JP) && simdutf8::basic::from_utf8(octets).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Real words of other scripts are never taken for UTF-8, however they are cut.
    #[test]
    fn text_in_its_charset_stays_in_it() {
        let texts = [
            (Charset::WINDOWS_1251, "Её моё «США» – ёлка, Ещё её"),
            (Charset::KOI8_R, "Её моё ещё ёлка её"),
            (Charset::WINDOWS_1250, "PÓŁNOC ÓŁ ÍŽ Łódź"),
            (Charset::ISO_8859_2_WINDOWS, "PÓŁNOC ÓŁ ŐŚ Łódź"),
            (Charset::WINDOWS_874, "เขต ลด เพชร เกม"),
            (Charset::WINDOWS_1253, "Ήταν Έλα Άρα"),
            (Charset::WINDOWS_1255, "שלום עולם"),
            (Charset::WINDOWS_1256, "اگر ژاپن گرگ"),
            (Charset::GB18030, "联通 中文 汉字 测试 一二三"),
            (Charset::BIG5, "中文字 測試 聯通"),
            (Charset::WINDOWS_31J, "日本語テスト ｱｲｳ"),
            (Charset::EUC_JP, "日本語テスト"),
            (Charset::WINDOWS_949, "한국어 시험 가나다"),
        ];
        for (charset, text) in texts {
            let octets = charset.encode(text).expect("the charset has it");
            assert_eq!(meant(charset, &octets), charset, "{charset}");
            for word in octets.split(|octet| *octet == b' ') {
                assert_eq!(meant(charset, word), charset, "{charset} {}", word.escape_ascii());
            }
        }
    }

    #[test]
    fn utf_8_under_another_label_is_utf_8() {
        let texts = ["Привет, мир", "日本語のテスト", "中文测试", "한국어 시험", "ελληνική γλώσσα", "שלום", "ภาษาไทย"];
        let labels = [Charset::WINDOWS_1251, Charset::GB18030, Charset::BIG5, Charset::WINDOWS_949, Charset::KOI8_R];
        for (text, charset) in texts.iter().flat_map(|text| labels.map(|charset| (text, charset))) {
            assert_eq!(meant(charset, text.as_bytes()), Charset::UTF_8, "{text} {charset}");
        }
        assert_eq!(meant(Charset::ISO_8859_15_WINDOWS, "é".as_bytes()), Charset::UTF_8);
    }

    #[test]
    fn code_page_932_under_the_label_of_iso_2022_jp() {
        let plain = Charset::WINDOWS_31J.encode("日本語のテスト").expect("kana");
        assert_eq!(meant(Charset::ISO_2022_JP, &plain), Charset::ISO_2022_JP_8);
        let mixed = [&b"\x1B$BF|K\\\x1B(B "[..], &plain].concat();
        assert_eq!(meant(Charset::ISO_2022_JP, &mixed), Charset::ISO_2022_JP_8);
        assert_eq!(Charset::ISO_2022_JP_8.decode(&mixed).as_deref(), Ok("日本 日本語のテスト"));
        assert_eq!(meant(Charset::ISO_2022_JP, "Grüße aus Köln".as_bytes()), Charset::UTF_8, "and not Gr ﾃ ｼ");
        for either in ["Müller", "\u{1B}$B!!\u{1B}(B Grüße aus Köln"] {
            assert_eq!(meant(Charset::ISO_2022_JP, either.as_bytes()), Charset::ISO_2022_JP, "{either}");
        }
        let either = Charset::EUC_JP.encode("日本語").expect("kanji");
        assert_eq!(meant(Charset::ISO_2022_JP, &either), Charset::ISO_2022_JP);
    }

    #[test]
    fn polish_in_windows_1250_under_the_label_of_iso_8859_2() {
        let windows = Charset::WINDOWS_1250.encode("są śledzie „i”").expect("Polish");
        assert_eq!(meant(Charset::ISO_8859_2_WINDOWS, &windows), Charset::WINDOWS_1250);
        let iso = Charset::ISO_8859_2_WINDOWS.encode("są śledzie „i”").expect("Polish");
        assert_eq!(meant(Charset::ISO_8859_2_WINDOWS, &iso), Charset::ISO_8859_2_WINDOWS);
    }
}
