//! What texts look like.

use super::telling::ENOUGH;
use super::*;

/// Texts of a few words, and the charset that each is written in.
const TEXTS: [(Charset, &str); 20] = [
    (Charset::WINDOWS_1252, "Grüße aus Köln, schöne Ostern"),
    (Charset::WINDOWS_1252, "Où êtes-vous allés cet été ?"),
    (Charset::WINDOWS_1250, "Příliš žluťoučký kůň úpěl ďábelské ódy"),
    (Charset::ISO_8859_2, "Zażółć gęślą jaźń, proszę państwa"),
    (Charset::WINDOWS_1251, "Съешь же ещё этих мягких французских булок"),
    (Charset::KOI8_R, "Съешь же ещё этих мягких французских булок"),
    (Charset::KOI8_U, "Її їжак з'їв усі ґудзики"),
    (Charset::WINDOWS_1253, "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία"),
    (Charset::WINDOWS_1254, "Pijamalı hasta yağız şoföre çabucak güvendi"),
    (Charset::WINDOWS_1255, "דג סקרן שט בים מאוכזב ולפתע מצא חברה"),
    (Charset::WINDOWS_1256, "نص حكيم له سر قاطع وذو شأن عظيم"),
    (Charset::WINDOWS_1257, "Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė apvalų arbūzą"),
    (Charset::WINDOWS_874, "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า"),
    (Charset::GBK, "请问你明天有时间吗"),
    (Charset::BIG5, "請問你明天有時間嗎"),
    (Charset::WINDOWS_31J, "お元気ですか。明日は会議です"),
    (Charset::EUC_JP, "お元気ですか。明日は会議です"),
    (Charset::WINDOWS_949, "안녕하세요, 회의는 내일입니다"),
    (Charset::MACINTOSH, "Grüße aus Köln, schöne Ostern, liebe Gäste"),
    (Charset::IBM850, "Grüße aus Köln, schöne Ostern, liebe Gäste"),
];

#[test]
fn texts_are_known_by_their_letters() {
    for (charset, text) in TEXTS {
        let octets = charset.encode(text).expect("a text of the charset");
        let found = guess(&[&octets]).expect("a charset");
        assert_eq!(
            found.charset.decode(&octets).as_deref(),
            Ok(text),
            "{} for {}",
            found.charset.name(),
            charset.name()
        );
        assert!(found.margin >= 40, "{}: {}", charset.name(), found.margin);
    }
}

fn margin(octets: &[u8]) -> i32 {
    guess(&[octets]).expect("a charset").margin
}

#[test]
fn a_letter_alone_is_not_sure() {
    assert!(margin(b"\xE8") < 40, "è, и or č");
    assert!(
        margin(b"non \xE8 vero, ma \xE8 bello: che cosa vuol dire tutto questo") > margin(b"\xE8"),
        "words of ASCII tell"
    );
}

/// Returns the charset of a text where the guess is sure enough.
fn read(octets: &[u8]) -> Option<Charset> {
    guess(&[octets]).filter(|found| found.margin >= 70).map(|found| found.charset)
}

#[test]
fn a_sign_in_english_is_no_letter() {
    assert_eq!(read(b"The flat has 40 m\xB2 in total, and a garden."), Some(Charset::WINDOWS_1252));
    assert_eq!(read(b"You can order AP\xAEEL and BI\xAERN, the best of all of them"), None, "not Czech");
    assert_eq!(read(b"He said \x93fresh apples\x94\x85 at 5 \x80 a box"), Some(Charset::WINDOWS_1252));
    for signs in [&b"\x94\x85 5 \x80"[..], b"\x94 5 \x80", b"5 \x80\x85"] {
        assert_eq!(read(signs), None, "no capitals of ibm866: {signs:x?}");
    }
    assert_eq!(read(b"\x8F\x90\x88\x82\x85\x92"), Some(Charset::IBM866), "ПРИВЕТ");
}

#[test]
fn signs_and_lines_tell_little() {
    assert_eq!(guess(&[b"\xC4\xC4\xC4\xC4\xC4 \xA0\xA0\xA0"]), None, "lines of boxes, or nothing");
    assert!(guess(&[b"\xE2\x80"]).is_none_or(|found| found.margin < 70));
}

#[test]
fn a_large_text_is_read_by_its_start() {
    let large = "Grüße aus Köln ".repeat(100_000);
    let octets = Charset::WINDOWS_1252.encode(&large).expect("Latin");
    assert!(telling(&[&octets]).len() <= ENOUGH + 1);
    assert_eq!(guess(&[&octets]).map(|found| found.charset), Some(Charset::WINDOWS_1252));
    assert!(telling(&[&b"\xE9".repeat(1 << 20)]).len() <= ENOUGH + 1);
}
