//! IRIs as the web platform tests have them: WHATWG's URL Standard is no law here, so each disagreement is named.
//!
//! The files are not part of the project; without them the tests say that they skip.

use std::collections::BTreeSet;

use septet::coding::charset::Labels;
use septet::coding::iri::{Mapping, Reference, Syntax, resolve, to_uri};
use serde_json::Value;

use crate::inputs::data;

fn cases(name: &str) -> Option<Vec<Value>> {
    let file = data().map(|folder| folder.join("wpt").join(name))?;
    let Ok(text) = std::fs::read_to_string(&file) else {
        println!("skipped: {} is not here", file.display());
        return None;
    };
    let cases: Vec<Value> = serde_json::from_str(&without_lone_surrogates(&text)).expect("JSON");
    Some(cases.into_iter().filter(Value::is_object).collect())
}

/// Writes U+FFFD for escapes of surrogates without their other half, which no Rust string holds.
fn without_lone_surrogates(json: &str) -> String {
    let high = |text: &str| {
        text.starts_with("\\ud8") || text.starts_with("\\ud9") || text.starts_with("\\uda") || text.starts_with("\\udb")
    };
    let low = |text: &str| ["\\udc", "\\udd", "\\ude", "\\udf"].iter().any(|start| text.starts_with(start));
    let mut out = String::new();
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let lower = rest.chars().take(12).collect::<String>().to_lowercase();
        let (keep, length) = match () {
            () if high(&lower) && low(lower.get(6..).unwrap_or_default()) => (true, 12),
            () if high(&lower) || low(&lower) => (false, 6),
            () => (true, 2),
        };
        out.push_str(if keep { &rest[..length] } else { "\\ufffd" });
        rest = &rest[length..];
    }
    out + rest
}

fn text<'v>(case: &'v Value, name: &str) -> Option<&'v str> {
    case.get(name).and_then(Value::as_str)
}

/// Compares what disagrees with what is known to, both ways.
fn assert_known(found: BTreeSet<String>, known: &[(&str, &str)]) {
    let known: BTreeSet<String> = known.iter().map(|(case, _)| (*case).to_owned()).collect();
    let new: Vec<_> = found.difference(&known).collect();
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(new.is_empty() && gone.is_empty(), "new disagreements: {new:#?}\nno longer: {gone:#?}");
}

#[test]
fn queries_are_encoded_as_browsers_do() {
    // The case with what comes out here, and why it is not what browsers write.
    const KNOWN: [(&str, &str); 5] = [
        (
            "iso-2022-jp \"\\u{e}A\" %0EA",
            "a shift character in a query is a control (3.3), and no danger without a decoder",
        ),
        ("iso-2022-jp \"‾\\\\\" %1B%28%4A%7E%1B%28%42%5C", "every octet of an encoded character is %HH (3.3)"),
        ("shift_jis \"−\" %26%238722%3B", "the charset reads 81 7C as U+FF0D, so it has no U+2212"),
        ("utf-8 \"á|\" %C3%A1%7C", "no URI has | or a backslash (3.3)"),
        ("utf-8 \"‾\\\\\" %E2%80%BE%5C", "no URI has | or a backslash (3.3)"),
    ];
    let Some(cases) = cases("percent-encoding.json") else { return };
    let mut found = BTreeSet::new();
    for case in cases {
        let input = text(&case, "input").expect("an input");
        for (label, output) in case["output"].as_object().expect("outputs") {
            let document = Labels::default().find(label.as_bytes());
            assert!(document.is_some(), "{label}");
            let mapping = Mapping { document, ..Mapping::default() };
            let uri = to_uri(&format!("http://e.org/?{input}"), &mapping).expect("a URI").into_owned();
            let ours = uri.trim_start_matches("http://e.org/?");
            if Some(ours) != output.as_str() {
                found.insert(format!("{label} {input:?} {ours}"));
            }
        }
    }
    assert_known(found, &KNOWN);
}

#[test]
fn hosts_are_mapped_as_browsers_do() {
    const IGNORED: &str = "has a character that is ignored: mapped, a forged name would be the real one";
    const KNOWN: [(&str, &str); 13] = [
        ("0123456789012345678901234567890123456789 -", "longer than DNS allows (RFC 1035 §2.3.4)"),
        ("a†-- -", "hyphens at the edge of a label (RFC 5891 §5.4)"),
        ("x..ß -", "an empty label (RFC 5891)"),
        ("<\u{ad}\u{338} -", IGNORED),
        ("=\u{ad}\u{338} -", IGNORED),
        (">\u{ad}\u{338} -", IGNORED),
        ("a\u{ad}b -", IGNORED),
        ("look\u{34f}out.net -", IGNORED),
        ("look\u{180e}out.net -", IGNORED),
        ("look\u{2060}out.net -", IGNORED),
        ("look\u{206b}out.net -", IGNORED),
        ("look\u{feff}out.net -", IGNORED),
        ("x012345678901234567890123456789012345678 -", "longer than DNS allows (RFC 1035 §2.3.4)"),
    ];
    let Some(cases) = cases("toascii.json") else { return };
    let mut found = BTreeSet::new();
    for case in &cases {
        let input = text(case, "input").expect("an input");
        // A host in ASCII is a URI's already, or none's.
        if input.is_ascii() {
            continue;
        }
        let uri = to_uri(&format!("http://{input}/"), &Mapping::default()).map(|uri| uri.into_owned());
        let ours = uri.as_ref().ok().and_then(|uri| Reference::parse(uri).ok()?.host());
        if ours != text(case, "output") {
            found.insert(format!("{input:.40} {}", ours.unwrap_or("-")));
        }
    }
    assert_known(found, &KNOWN);
}

#[test]
fn web_addresses_are_read_as_browsers_do() {
    const KNOWN: [(&str, &str); 30] = [
        (
            "\"about:blank#\\0\\u{1}\\t\\n\\r\\u{1f} !\\\"#$%&'()*+,-./09:;<=>?@AZ[\\\\]^_`az{|}~\\u{7f}\\u{80}\\u{81}Éé\" -",
            "never touched",
        ),
        ("\"data:test# »\" -", "never touched"),
        (
            "\"data:text/plain,test#\\0\\u{1}\\t\\n\\r\\u{1f} !\\\"#$%&'()*+,-./09:;<=>?@AZ[\\\\]^_`az{|}~\\u{7f}\\u{80}\\u{81}Éé\" -",
            "never touched",
        ),
        ("\"file://a\\u{ad}b/p\" -", "a character that is ignored would make another name"),
        ("\"file://loC𝐀𝐋𝐇𝐨𝐬𝐭/usr/bin\" -", "letters that stand for others would make another name"),
        ("\"http://GOO\\u{200b}\\u{2060}\\u{feff}goo.com\" -", "characters that are ignored would make another name"),
        ("\"http://example.com/\\u{202e}/foo/\\u{202d}/bar\" -", "no IRI has bidi controls (4.1)"),
        (
            "\"http://example.com/foo%2Â©zbar\" http://example.com/foo%252%C3%82%C2%A9zbar",
            "a stray % becomes %25 (6.2 step 4)",
        ),
        ("\"http://www.foo。bar.com\" http://www.foo.bar.com", "no slash is added to an empty path (3.6)"),
        ("\"http://é@example.com\" http://%C3%A9@example.com", "no slash is added to an empty path (3.6)"),
        ("\"http://é@é\" http://%C3%A9@xn--9ca", "no slash is added to an empty path (3.6)"),
        ("\"http://你好你好\" http://xn--6qqa088eba", "no slash is added to an empty path (3.6)"),
        ("\"http://０Ｘｃ０．０２５０．０１\" http://0xc0.0250.01", "numbers are not made addresses (2.2)"),
        ("\"http://Ｇｏ.com\" http://go.com", "no slash is added to an empty path (3.6)"),
        ("\"http://💩.123/\" http://xn--ls8h.123/", "numbers are not made addresses (2.2)"),
        ("\"https://localhost#🔥\" https://localhost#%F0%9F%94%A5", "no slash is added to an empty path (3.6)"),
        ("\"https://localhost?q=🔥\" https://localhost?q=%F0%9F%94%A5", "no slash is added to an empty path (3.6)"),
        ("\"https://x/?#\\u{ffff}y\" -", "no reference has U+FFFF (6.1)"),
        ("\"https://x/?\\u{ffff}y\" -", "no reference has U+FFFF (6.1)"),
        ("\"https://x/\\u{ffff}y\" -", "no reference has U+FFFF (6.1)"),
        ("\"non-special:\\u{ffff}y\" -", "no reference has U+FFFF (6.1)"),
        ("\"non-special:x/?#\\u{ffff}y\" -", "no reference has U+FFFF (6.1)"),
        ("\"non-special:x/?\\u{ffff}y\" -", "no reference has U+FFFF (6.1)"),
        ("\"non-special:x/\\u{ffff}y\" -", "no reference has U+FFFF (6.1)"),
        ("\"sc://faß.ExAmPlE/\" sc://xn--fa-hia.example/", "hosts are domain names whatever the scheme (3.4.2)"),
        ("\"sc://ñ\" sc://xn--ida", "hosts are domain names whatever the scheme (3.4.2)"),
        ("\"sc://ñ#x\" sc://xn--ida#x", "hosts are domain names whatever the scheme (3.4.2)"),
        ("\"sc://ñ.test/\" sc://xn--ida.test/", "hosts are domain names whatever the scheme (3.4.2)"),
        ("\"sc://ñ?x\" sc://xn--ida?x", "hosts are domain names whatever the scheme (3.4.2)"),
        ("\"wow:\\u{ffff}\" -", "no reference has U+FFFF (6.1)"),
    ];
    let Some(cases) = cases("urltestdata.json") else { return };
    let mut found = BTreeSet::new();
    for case in &cases {
        let (Some(input), base) = (text(case, "input"), text(case, "base")) else { continue };
        if input.is_ascii() {
            continue;
        }
        let mapping = Mapping { syntax: Syntax::Href, ..Mapping::default() };
        let uri = to_uri(input, &mapping).ok();
        let ours = uri.and_then(|uri| resolve(base.unwrap_or("about:blank"), &uri).ok());
        if ours.as_deref() != text(case, "href") {
            found.insert(format!("{input:?} {}", ours.as_deref().unwrap_or("-")));
        }
    }
    assert_known(found, &KNOWN);
}
