use super::*;
use crate::charset::Labels;

/// A text beside another that has octets above 7F in a charset.
fn testified(charset: Charset) -> Neighbour {
    Neighbour { charset, because: Because::Part, has_testified: true }
}

/// Judges octets under the label of a charset that nothing else speaks of.
fn meant(charset: Charset, octets: &[u8]) -> Result<Charset, DecodeError> {
    let labels = Labels::default();
    judge_as(octets, charset, &Witnesses::none(&labels)).map(|read| read.charset)
}

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
        (Charset::WINDOWS_1252, "NESCAFÉ® CAFÉ™ É… AMANHÃ®"),
        (Charset::WINDOWS_1252, "le CAFÉ\u{A0}: oui"),
    ];
    for (charset, text) in texts {
        let octets = charset.encode(text).expect("the charset has it");
        assert_eq!(meant(charset, &octets), Ok(charset), "{charset}");
        for word in octets.split(|octet| *octet == b' ') {
            let judged = meant(charset, word);
            assert!(judged != Ok(Charset::UTF_8), "{charset} {}", word.escape_ascii());
        }
    }
}

#[test]
fn utf_8_under_another_label_is_utf_8() {
    let texts = ["Привет, мир", "日本語のテスト", "中文测试", "한국어 시험", "ελληνική γλώσσα", "שלום", "ภาษาไทย"];
    let more = ["It’s", "Úžas", "Grüße", "naïve", "Škoda", "“so”", "10 €", "café", "voilà", "Über", "😀"];
    let labels = [
        Charset::WINDOWS_1251,
        Charset::WINDOWS_1250,
        Charset::WINDOWS_1252,
        Charset::ISO_8859_2_WINDOWS,
        Charset::ISO_8859_9,
        Charset::GB18030,
        Charset::BIG5,
        Charset::WINDOWS_949,
        Charset::KOI8_R,
        Charset::ISO_2022_JP,
    ];
    for (text, charset) in texts.iter().chain(&more).flat_map(|text| labels.map(|charset| (text, charset))) {
        assert_eq!(meant(charset, text.as_bytes()), Ok(Charset::UTF_8), "{text} {charset}");
    }
}

/// Each letter was compared with all others of its word, and a text without spaces is one word: 250 KB took minutes.
#[test]
fn a_large_word_is_judged_by_its_start() {
    let large = "é–é".repeat(100_000);
    assert_eq!(meant(Charset::ISO_8859_2_WINDOWS, large.as_bytes()), Ok(Charset::UTF_8));
    assert!(faults::looked_at(&large).len() < 50_000);
    assert_eq!(faults::looked_at("Grüße"), "Grüße");
}

#[test]
fn what_may_be_either_is_called_so_until_another_text_tells() {
    struct Other(Utf8Verdict);
    impl Elsewhere for Other {
        fn verdict(&self, _: Charset) -> Option<(Utf8Verdict, Because)> {
            Some((self.0, Because::Word))
        }

        fn detected(&self, _: &[u8]) -> Option<Charset> {
            None
        }
    }
    let labels = Labels::default();
    for (verdict, wanted) in [
        (Utf8Verdict::Utf8, Ok("PŅ")),
        (Utf8Verdict::Label, Ok("PÅ…")),
        (Utf8Verdict::Unknown, Err(DecodeError::Ambiguous(Charset::WINDOWS_1252, Charset::UTF_8))),
    ] {
        let other = Other(verdict);
        let witnesses = Witnesses { elsewhere: Some(&other), ..Witnesses::none(&labels) };
        let read = judge("PŅ".as_bytes(), Some(b"windows-1252"), &witnesses);
        assert_eq!(read.map(|read| read.text.into_owned()), wanted.map(str::to_owned));
    }
}

#[test]
fn code_page_932_under_the_label_of_iso_2022_jp() {
    let plain = Charset::WINDOWS_31J.encode("日本語のテスト").expect("kana");
    assert_eq!(meant(Charset::ISO_2022_JP, &plain), Ok(Charset::ISO_2022_JP_8));
    let mixed = [&b"\x1B$BF|K\\\x1B(B "[..], &plain].concat();
    assert_eq!(meant(Charset::ISO_2022_JP, &mixed), Ok(Charset::ISO_2022_JP_8));
    assert_eq!(Charset::ISO_2022_JP_8.decode(&mixed).as_deref(), Ok("日本 日本語のテスト"));
    for damaged in [&b"01 Dij\x8At.mp3"[..], "\u{1B}$B!!\u{1B}(B Grüße aus Köln".as_bytes()] {
        assert!(
            matches!(meant(Charset::ISO_2022_JP, damaged), Err(DecodeError::Malformed(..))),
            "{}",
            damaged.escape_ascii()
        );
    }
    let either = Charset::EUC_JP.encode("日本語").expect("kanji");
    assert!(matches!(meant(Charset::ISO_2022_JP, &either), Err(DecodeError::Malformed(..))));
}

#[test]
fn polish_in_windows_1250_under_the_label_of_iso_8859_2() {
    let windows = Charset::WINDOWS_1250.encode("są śledzie „i”").expect("Polish");
    assert_eq!(meant(Charset::ISO_8859_2_WINDOWS, &windows), Ok(Charset::WINDOWS_1250));
    let iso = Charset::ISO_8859_2_WINDOWS.encode("są śledzie „i”").expect("Polish");
    assert_eq!(meant(Charset::ISO_8859_2_WINDOWS, &iso), Ok(Charset::ISO_8859_2_WINDOWS));
}

#[test]
fn the_settings_list_comes_last() {
    let labels = Labels::default();
    let list = [Unlabelled::Charset(Charset::KOI8_R)];
    for (octets, part, wanted) in [
        (&b"\xF0\xD2\xC9"[..], None, (Charset::KOI8_R, Because::Unlabelled)),
        // A part of the message says it.
        (b"\xEF\xF0\xE8", Some(Charset::WINDOWS_1251), (Charset::WINDOWS_1251, Because::Part)),
        ("é".as_bytes(), Some(Charset::KOI8_R), (Charset::UTF_8, Because::Octets)),
    ] {
        let neighbours = part.map(testified).map_or_else(Neighbours::default, only);
        let witnesses = Witnesses { unlabelled: &list, neighbours, ..Witnesses::none(&labels) };
        let read = judge(octets, None, &witnesses).map(|read| (read.charset, read.because));
        assert_eq!(read, Ok(wanted), "{}", octets.escape_ascii());
    }
}
