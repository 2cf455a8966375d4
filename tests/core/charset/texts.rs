//! Octets and their text, from a table.

use septet::coding::charset::{Charset, Labels, MappingError};

use super::rows;
use septet_support::escapes::octets;

#[test]
fn octets_and_texts_agree() {
    let rows = rows("texts.tsv");
    let wrong: Vec<String> =
        rows.iter().filter_map(|row| disagreement(row).map(|why| format!("{row:?}: {why}"))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Says how a row of the table is wrong.
fn disagreement(row: &[String]) -> Option<String> {
    let [label, read, text, outcome] = row else { panic!("four columns: {row:?}") };
    let charset = Labels::default().find_registered(label.as_bytes()).expect(label);
    let (read, text) = (octets(read), String::from_utf8(octets(text)).expect("text"));
    let (lossy, strict, written) = (charset.decode_lossy(&read).0, charset.decode(&read), charset.encode(&text));
    let found = match strict {
        Err(fault) => fault.to_string().replacen(": ", " ", 1).replacen("offset ", "", 1),
        Ok(_) if written.as_deref() == Ok(&read[..]) => "both".to_owned(),
        Ok(_) => "read".to_owned(),
    };
    (lossy != text || found != *outcome).then(|| format!("{lossy:?} {found}, written {written:X?}"))
}

/// What a charset lacks is refused, and never written as something that looks like it.
#[test]
fn what_is_lacking_is_refused() {
    let cases = [
        (Charset::US_ASCII, "é"),
        (Charset::ISO_8859_1, "€"),
        (Charset::WINDOWS_1250, "\u{81}"),
        (Charset::ISO_8859_15, "¤"),
        (Charset::SHIFT_JIS, "¥"),
        (Charset::SHIFT_JIS, "①"),
        (Charset::WINDOWS_31J, "−"),
        (Charset::EUC_JP, "‾"),
        (Charset::ISO_2022_JP, "①"),
        (Charset::ISO_2022_JP, "ｱ"),
        (Charset::ISO_2022_JP, "\u{1B}"),
        (Charset::ISO_2022_KR, "\u{E}"),
        (Charset::GB2312, "丂"),
        (Charset::GB18030, "\u{E78D}"),
        (Charset::EUC_KR, "똠"),
        (Charset::HZ_GB_2312, "漢"),
        (Charset::UNICODE_1_1_UTF_7, "\u{1F600}"),
        (Charset::VISCII, "\u{2}"),
    ];
    for (charset, lacking) in cases {
        let character = lacking.chars().next().expect("a character");
        let text = format!("ab{lacking}c");
        assert_eq!(charset.encode(&text), Err(MappingError { offset: 2, character }), "{charset}");
        assert!(!charset.has(character));
        let (written, count) = charset.encode_with(&text, |_, out| out.push_str("<é>")).expect("it fits");
        let e_acute = if charset.has('é') { "é" } else { "?" };
        assert_eq!(charset.decode(&written), Ok(format!("ab<{e_acute}>c").into()), "{charset}");
        assert_eq!(count, 1);
    }
}

/// What the planners ask of a charset.
#[test]
fn charsets_are_classed() {
    let unicode = [
        "utf-8", "cesu-8", "utf-7", "unicode-1-1-utf-7", "utf-16", "utf-16be", "utf-16le", "utf-32", "utf-32be",
        "utf-32le",
    ];
    let ascii_trails = ["shift_jis", "shift_jisx0213", "windows-31j", "gbk", "gb18030", "big5", "windows-949", "johab"];
    let controls = ["viscii", "tcvn", "hz-gb-2312"];
    let national = [
        "din_66003", "sen_850200_b", "sen_850200_c", "nf_z_62-010", "nf_z_62-010_(1973)", "bs_4730", "ns_4551-1",
        "ns_4551-2", "ds_2089", "msz_7795.3", "jus_i.b1.002", "csa_z243.4-1985-1", "jis_c6220-1969-ro",
    ];
    for charset in Charset::all() {
        let (charset, name) = (*charset, charset.name());
        assert_eq!(charset.is_unicode(), unicode.contains(&name), "{name}");
        let seven_bit = name.starts_with("iso-2022-") || name.starts_with("iso646-") || national.contains(&name);
        let other =
            (charset.is_unicode() && !["utf-8", "cesu-8"].contains(&name)) || seven_bit || controls.contains(&name);
        assert_eq!(charset.keeps_ascii(), !other, "{name}");
        assert_eq!(charset.is_ascii_compatible(), !other && !ascii_trails.contains(&name), "{name}");
        assert_eq!(name, name.to_lowercase());
    }
}
