//! Every label in every place where a charset is named: what stands there is read, or its reason is known.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use septet::coding::charset::{Charset, Labels};
use septet::rewrite::{Profile, plan};

/// Phrases of many languages; for each charset the first one is taken that it has, and that is not ASCII.
const PHRASES: [&str; 23] = [
    "Grüße aus Köln",
    "Žluťoučký kůň běží",
    "Eĉ ĉiu ĵaŭde ŝipo",
    "Įlinkdama špaga ąžuolė",
    "Pijamalı hasta yağız",
    "Привет, как дела",
    "Γειά σου Κόσμε",
    "שלום עולם טוב",
    "مرحبا بالعالم كله",
    "สวัสดีชาวโลก",
    "Xin chào thế giới",
    "日本語のテスト",
    "你好世界再见",
    "繁體中文測試文",
    "안녕하세요 세계",
    "გამარჯობა მსოფლიო",
    "Բարեւ աշխարհ",
    "ﾃｽﾄ ｶﾅ ﾃｽﾄ",
    "Årsmøte på øya",
    "español mañana",
    "à la crème",
    "ñ ç é",
    "£10 £20 £",
];

/// A label with parentheses, which no parameter can have as it is written here.
const NO_TOKEN: &str = "nf_z_62-010_(1973)";

fn percent(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("%{octet:02X}")).collect()
}

fn quoted(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("={octet:02X}")).collect()
}

/// Returns messages in which a text stands under a label, in one place each.
fn messages(label: &str, octets: &[u8]) -> Vec<Vec<u8>> {
    let (base64, quoted, percent) = (STANDARD.encode(octets), quoted(octets), percent(octets));
    let half = percent.len() / 6 * 3;
    let (first, second) = percent.split_at(half);
    let words = [
        format!("Subject: =?{label}?B?{base64}?=\n"),
        format!("Subject: =?{label}?Q?{quoted}?=\n"),
        format!("From: =?{label}?Q?{quoted}?= <a@example.org>\n"),
        format!("Content-Type: a/b; name=\"=?{label}?Q?{quoted}?=\"\n"),
        format!("Content-Disposition: attachment; filename=\"=?{label}?B?{base64}?=\"\n"),
    ];
    let parameters = [
        format!("Content-Disposition: attachment; filename*={label}''{percent}\n"),
        format!("Content-Type: a/b; name*0*={label}''{first};\n name*1*={second}\n"),
    ];
    let parameters = parameters.into_iter().filter(|_| label != NO_TOKEN);
    let mut messages: Vec<Vec<u8>> = words
        .into_iter()
        .chain(parameters)
        .map(|field| format!("{field}MIME-Version: 1.0\n\nx\n").into_bytes())
        .collect();
    for (encoding, body) in [("base64", base64), ("quoted-printable", format!("{quoted}="))] {
        let header = format!("Content-Type: text/plain; charset=\"{label}\"\nContent-Transfer-Encoding: {encoding}\n");
        messages.push(format!("MIME-Version: 1.0\n{header}\n{body}\n").into_bytes());
    }
    messages
}

#[test]
fn every_label_is_read_in_every_place() {
    let profile = Profile::eai();
    let (mut tried, mut wrong) = (0, Vec::new());
    for charset in Charset::all() {
        let fits = |text: &str| charset.encode(text).is_ok_and(|octets| charset.decode(&octets).as_deref() == Ok(text));
        let Some(text) = PHRASES.into_iter().find(|text| fits(text)) else { continue };
        let octets = charset.encode(text).expect("a text of the charset").into_owned();
        let known = |label: &str| Labels::default().find(label.as_bytes()).is_some();
        let aliases = Labels::built_in_aliases().iter().filter(|(_, of)| of == charset).map(|(alias, _)| alias);
        let labels = charset.labels().iter().copied().chain([charset.name()]).chain(aliases.copied());
        for label in labels.filter(|label| known(label)) {
            for message in messages(label, &octets) {
                tried += 1;
                let out = plan(&message, &profile).edits.apply(&message);
                if !String::from_utf8_lossy(&out).contains(text) {
                    wrong.push(String::from_utf8_lossy(&out).into_owned());
                }
            }
        }
    }
    assert!(tried > 4_000, "{tried}");
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
}
