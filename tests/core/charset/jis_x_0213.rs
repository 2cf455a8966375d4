//! JIS X 0213: every character both ways, and where its table comes from.

use std::collections::BTreeSet;
use std::process::Command;

use septet::coding::charset::Charset;

const CHARSETS: [Charset; 4] =
    [Charset::SHIFT_JISX0213, Charset::EUC_JISX0213, Charset::ISO_2022_JP_3, Charset::ISO_2022_JP_2004];

/// The characters of both planes, each of them one of Unicode or two.
fn characters() -> Vec<String> {
    let places = |plane: &'static [u8]| {
        (0xA1..=0xFE).flat_map(move |row| (0xA1..=0xFE).map(move |cell| [plane, &[row, cell]].concat()))
    };
    let all = places(b"").chain(places(b"\x8F"));
    all.filter_map(|octets| Some(Charset::EUC_JISX0213.decode(&octets).ok()?.into_owned())).collect()
}

/// JIS X 0213:2004 has 11233 characters, each at one place.
#[test]
fn every_character_has_one_place() {
    let characters = characters();
    assert_eq!(characters.len(), 11_233);
    assert_eq!(characters.iter().collect::<BTreeSet<_>>().len(), 11_233);
    assert_eq!(characters.iter().filter(|text| text.chars().count() == 2).count(), 25);
}

#[test]
fn every_character_of_it_comes_back() {
    let characters = characters();
    for charset in CHARSETS {
        let lacking = characters.iter().filter(|text| charset.encode(text).is_err()).count();
        assert_eq!(lacking, if charset == Charset::ISO_2022_JP_3 { 10 } else { 0 }, "{charset}");
        let written = characters.iter().filter_map(|text| Some((text, charset.encode(text).ok()?)));
        for (text, octets) in written {
            assert_eq!(charset.decode(&octets).as_deref(), Ok(text.as_str()), "{charset}");
        }
        let all: String = characters.iter().filter(|text| charset.encode(text).is_ok()).map(String::as_str).collect();
        assert_eq!(charset.decode(&charset.encode(&all).expect("it has them")).as_deref(), Ok(&*all), "{charset}");
    }
}

/// A character that stands only behind another is neither lost nor taken for one that is lacking.
#[test]
fn pairs_survive_beside_what_is_lacking() {
    for charset in CHARSETS {
        let (written, lacking) =
            charset.encode_with("か\u{309A}한ア\u{309A}", |_, out| out.push('*')).expect("it fits");
        assert_eq!((charset.decode(&written).expect("it is read"), lacking), ("か\u{309A}*ア*".into(), 2), "{charset}");
    }
}

#[test]
fn the_table_is_what_its_script_makes() {
    if !septet_support::nightly() {
        return println!("skipped: SEPTET_NIGHTLY is not set");
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/core/charset/jis_x_0213.py");
    let made = Command::new("python3").arg(script).env("PYTHONIOENCODING", "utf-8").output();
    let Ok(made) = made else { return println!("skipped: there is no Python") };
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/text/src/charset/jis_x_0213.txt");
    assert_eq!(String::from_utf8(made.stdout), Ok(std::fs::read_to_string(path).expect("the table")));
}
