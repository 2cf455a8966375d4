//! IRIs: every rule of draft-ietf-iri-3987bis-06 with its examples, and what holds for every text.

use std::borrow::Cow;

use proptest::prelude::*;
use septet::coding::charset::{Charset, Labels};
use septet::coding::iri::find::{FindOptions, FoundLink};
use septet::coding::iri::{
    Edits, HostForm, Mapping, Reference, Schemeless, Syntax, apply, bidi, find, is_uri, resolve, to_iri, to_uri,
};

use septet_support::table::Row;

use super::rows;
use crate::inputs::assert_linear;

fn charset(label: &str) -> Charset {
    Labels::default().find(label.as_bytes()).unwrap_or_else(|| panic!("no charset {label}"))
}

fn mapping<'a>(row: &Row) -> Mapping<'a> {
    let syntax = match row.text(1).as_str() {
        "iri" => Syntax::Iri,
        "leiri" => Syntax::Leiri,
        "href" => Syntax::Href,
        other => panic!("{}: {other}", row.place),
    };
    let document = (!row.is_absent(3)).then(|| charset(&row.text(3)));
    Mapping { host: host(&row.text(2)), document, syntax, ..Mapping::default() }
}

fn host(name: &str) -> HostForm {
    if name == "percent" { HostForm::Percent } else { HostForm::Punycode }
}

#[test]
fn to_uri_follows_the_table() {
    for row in rows("iri/to-uri.tsv") {
        let (mapping, input, expected) = (mapping(&row), row.text(4), row.text(5));
        let output = to_uri(&input, &mapping).map_or_else(|refused| format!("!{refused}"), Cow::into_owned);
        assert_eq!(output, expected, "{}", row.place);
        if let Ok(uri) = to_uri(&input, &mapping) {
            assert!(is_uri(&uri), "{}", row.place);
            assert_eq!(to_uri(&uri, &mapping).as_deref(), Ok(&*uri), "{}: again", row.place);
        }
    }
}

#[test]
fn a_base_tells_the_charset_of_a_relative_query() {
    let latin = Mapping { document: Some(charset("iso-8859-1")), base: Some("HTTP"), ..Mapping::default() };
    assert_eq!(to_uri("/é?é", &latin).expect("a URI"), "/%C3%A9?%E9");
    assert_eq!(to_uri("/é?é", &Mapping { base: Some("ftp"), ..latin }).expect("a URI"), "/%C3%A9?%C3%A9");
}

#[test]
fn to_iri_follows_the_table() {
    for row in rows("iri/to-iri.tsv") {
        let (uri, iri) = (row.text(1), row.text(2));
        assert_eq!(to_iri(&uri), iri, "{}", row.place);
        assert_eq!(to_iri(&iri), iri, "{}: again", row.place);
    }
}

#[test]
fn check_follows_the_table() {
    for row in rows("iri/check.tsv") {
        let text = row.text(1);
        let said = Reference::parse(&text).map_or_else(|invalid| invalid.to_string(), |_| "valid".to_owned());
        assert_eq!(said, row.text(2), "{}", row.place);
    }
}

#[test]
fn components_are_those_of_the_grammar() {
    let reference = Reference::parse("http://ü@é.org:80/ä/ö?x=ß#ÿ").expect("valid");
    assert_eq!(reference.scheme(), Some("http"));
    assert_eq!(reference.userinfo(), Some("ü"));
    assert_eq!(reference.host(), Some("é.org"));
    assert_eq!(reference.port(), Some("80"));
    assert_eq!(reference.path(), "/ä/ö");
    assert_eq!(reference.query(), Some("x=ß"));
    assert_eq!(reference.fragment(), Some("ÿ"));
    let reference = Reference::parse("//[::1]:").expect("valid");
    assert_eq!((reference.host(), reference.port(), reference.path()), (Some("[::1]"), Some(""), ""));
    assert_eq!((reference.scheme(), reference.query(), reference.fragment()), (None, None, None));
}

#[test]
fn resolve_follows_the_table() {
    for row in rows("iri/resolve.tsv") {
        let base = if row.is_absent(2) { "http://a/b/c/d;p?q".to_owned() } else { row.text(2) };
        assert_eq!(resolve(&base, &row.text(0)).as_deref(), Ok(&*row.text(1)), "{}", row.place);
    }
    assert!(resolve("/a", "b").is_err() && resolve("http://a", "b c").is_err());
}

/// Writes capitals as Hebrew letters: the draft's notation for right-to-left text.
fn hebrew(text: &str) -> String {
    let letter = |c: char| u32::from(c) - u32::from('A') + 0x5D0;
    text.chars().map(|c| if c.is_ascii_uppercase() { char::from_u32(letter(c)).expect("Hebrew") } else { c }).collect()
}

fn visual(text: &str) -> String {
    use unicode_bidi::{BidiInfo, Level};
    let info = BidiInfo::new(text, Some(Level::ltr()));
    info.reorder_line(&info.paragraphs[0], 0..text.len()).into_owned()
}

#[test]
fn bidi_examples_look_and_are_judged_as_the_draft_says() {
    for row in rows("iri/bidi.tsv") {
        // `%31` is three characters of the notation too, but `%D7` in a component must stay Latin.
        let iri = hebrew(&row.text(1));
        if !row.is_absent(2) {
            assert_eq!(visual(&iri), hebrew(&row.text(2)), "{}", row.place);
        }
        let found = bidi::violations(&iri);
        let said: Vec<_> = found.iter().map(|one| format!("{} {}", one.rule.section(), &iri[one.at.clone()])).collect();
        assert_eq!(said.join(", "), hebrew(&row.text(3)), "{}", row.place);
    }
}

/// What is rewritten on the way to URIs in running text: only what is not ASCII.
fn edits_of(text: &str, found: &FoundLink, mapping: &Mapping<'_>) -> Option<Edits> {
    let (iri, mut edits) = (found.iri(text), Edits::new());
    match iri.is_ascii() {
        true => is_uri(&iri).then_some(edits),
        false => found.add_uri_edits(&Reference::split(&iri), mapping, &mut edits).ok().map(|()| edits),
    }
}

/// Gives each IRI as the table has it: the pieces of one in angle brackets are listed one by one.
fn listed(text: &str, found: &FoundLink, edits: &Edits) -> Vec<[String; 2]> {
    let changed = |range: &std::ops::Range<usize>| {
        let inside = edits.iter().filter(|(at, _)| range.contains(&at.start));
        let moved = inside.map(|(at, with)| (at.start - range.start..at.end - range.start, with)).collect();
        apply(&text[range.clone()], &moved).into_owned()
    };
    match found.angled {
        true => found.pieces().map(|piece| [text[piece.clone()].to_owned(), changed(&piece)]).collect(),
        false => vec![[text[found.at.clone()].to_owned(), found.pieces().map(|piece| changed(&piece)).collect()]],
    }
}

#[test]
fn running_text_is_read_as_the_table_says() {
    for row in rows("iri/running-text.tsv") {
        let (flags, text) = (row.text(1), row.text(2));
        let document = flags.contains("8859").then(|| charset(&flags));
        let bounded = !flags.contains("all");
        let options = FindOptions {
            flowed: flags.contains("flowed") || flags.contains("delsp"),
            delsp: flags.contains("delsp"),
            bounded,
            ..FindOptions::default()
        };
        for (column, form) in [(0, HostForm::Percent), (1, HostForm::Punycode)] {
            let mapping = Mapping { host: form, document, ..Mapping::default() };
            let said: Vec<[String; 2]> = find(&text, options)
                .filter(|found| found.disguise.is_none())
                .filter_map(|found| Some((edits_of(&text, &found, &mapping)?, found)))
                .flat_map(|(edits, found)| listed(&text, &found, &edits))
                .collect();
            let wanted: Vec<[String; 2]> = (3..)
                .step_by(3)
                .take_while(|&cell| !row.is_absent(cell))
                .map(|cell| [row.text(cell), row.text(cell + 1 + column)])
                .collect();
            assert_eq!(said, wanted, "{}", row.place);
        }
    }
}

#[test]
fn links_end_where_text_runs_into_them() {
    let bounded = FindOptions { bounded: true, ..FindOptions::default() };
    let text =
        "http://example.com에서 http://で始まる http://example.jp/をご覧ください。 (http://例え.jp/あ) http://é.org/ü.";
    let found: Vec<_> = find(text, bounded).map(|found| &text[found.at]).collect();
    let links = ["http://example.com", "http://example.jp/", "http://例え.jp/あ", "http://é.org/ü"];
    assert_eq!(found, links);
}

#[test]
fn schemes_in_disguise_are_told() {
    for (text, disguise) in [
        ("%68ttp://e.org/é", Some("percent-encoded scheme")),
        ("x +AGg-ttp://e.org/", Some("utf-7 in a scheme")),
        ("svn+ssh://e.org/", None),
    ] {
        assert_eq!(find(text, FindOptions::default()).next().and_then(|found| found.disguise), disguise, "{text}");
    }
}

#[test]
fn hostile_texts_are_read_in_linear_time() {
    let texts: [fn(usize) -> String; 23] = [
        |n| format!("http://{}é", "a.".repeat(n)),
        |n| format!("http://{}", "aé.".repeat(n)),
        |n| format!("http://{}", "é。".repeat(n)),
        |n| "mailto:a(".repeat(n),
        |n| "mailto:é@で,".repeat(n),
        |n| "http:///a".repeat(n),
        |n| "<a:".repeat(n),
        |n| format!("<http://{}", "é,".repeat(n)),
        |n| format!("http://a/{}", "aé".repeat(n)),
        |n| "www.é.jp/".repeat(n),
        |n| "é.jp/\u{3000}".repeat(n),
        |n| "http://a.".repeat(n),
        |n| "http://é.".repeat(n),
        |n| format!("http://é{}", "(".repeat(n)),
        |n| format!("http://é{}", ")".repeat(n)),
        |n| "http://é(".repeat(n),
        |n| "<http://a\n".repeat(n),
        |n| format!("{}{}", ">".repeat(n), "<http://a ".repeat(n / 10)),
        |n| format!("http://{}", "a。".repeat(n)),
        |n| format!("http://{}", "jp。".repeat(n)),
        |n| format!("http://é{}", ".".repeat(n)),
        |n| "a:".repeat(n),
        |n| format!("{}://", "a".repeat(n)),
    ];
    let options = FindOptions { flowed: true, delsp: true, bounded: true, schemeless: Schemeless::Hosts };
    for text in texts {
        assert_linear(text, |text| {
            find(text, options).filter(|found| to_uri(&found.iri(text), &Mapping::default()).is_ok()).count()
        });
    }
}

/// Texts made of what matters to links.
fn linkish() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("http://".to_owned()),
        Just("www.".to_owned()),
        Just(".jp".to_owned()),
        Just("<xmpp:".to_owned()),
        Just("mailto:".to_owned()),
        Just("é".to_owned()),
        Just("%C3%A9".to_owned()),
        Just("xn--9ca".to_owned()),
        Just(" \r\n> ".to_owned()),
        "[ -~]{1,3}",
        "[/?#@:.%\\[\\]()<>]",
        "\\PC{1,3}",
        any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn to_uri_gives_uris_and_changes_none(text in linkish(), href in any::<bool>(), percent in any::<bool>()) {
        let syntax = if href { Syntax::Href } else { Syntax::Iri };
        let host = if percent { HostForm::Percent } else { HostForm::Punycode };
        for document in [None, Some(charset("windows-1251")), Some(charset("iso-2022-jp"))] {
            let mapping = Mapping { host, document, syntax, base: Some("http"), ..Mapping::default() };
            if let Ok(uri) = to_uri(&text, &mapping) {
                prop_assert!(is_uri(&uri), "{text:?} gave {uri:?}");
                prop_assert_eq!(to_uri(&uri, &mapping).expect("a URI"), &*uri);
            }
        }
    }

    #[test]
    fn to_iri_maps_back(uri in "http://[a-z]{1,5}(\\.xn--9ca)?/([a-z]|%[0-9A-F]{2}|%C3%A9|%E2%80%AE|%D7%90){0,8}(\\?([a-z]|%EE%80%80|%C3%A9)*)?") {
        let iri = to_iri(&uri);
        prop_assert!(Reference::parse(&iri).is_ok(), "{uri} gave {iri}");
        let back = to_uri(&iri, &Mapping::default()).expect("an IRI from a URI is one");
        prop_assert_eq!(unreserved(&back), unreserved(&uri));
        prop_assert_eq!(to_iri(&iri), iri.as_ref());
    }

    #[test]
    fn mailto_survives_to_iri_and_back(uri in "mailto:([a-z]|%C3%A9|%40|%2C|%22|%E3%81%82|%D7%90|,){0,5}@?([a-z]{1,3}|xn--9ca|%C3%A9|%E2%80%8D|[.-]){0,4}(\\?(to|subject)=([a-z]|%C3%A9|@|%E2%80%AE)*)?") {
        let back = to_uri(&to_iri(&uri), &Mapping::default()).map(Cow::into_owned);
        // Only a host that was percent-encoded has another form, and that one is stable.
        let again = back.clone().map(|back| to_uri(&to_iri(&back), &Mapping::default()).map(Cow::into_owned));
        prop_assert_eq!(again, back.clone().map(Ok), "{}", &uri);
        let domain = uri.split('?').next().and_then(|path| path.rsplit_once('@')).map_or("", |(_, domain)| domain);
        if !domain.contains('%') {
            prop_assert_eq!(back.as_deref().map(unreserved), Ok(unreserved(&uri)));
        }
    }

    #[test]
    fn finds_are_in_order_and_apart(text in linkish(), delsp in any::<bool>(), bounded in any::<bool>(), bare in any::<bool>()) {
        let schemeless = if bare { Schemeless::Hosts } else { Schemeless::Keep };
        let mut end = 0;
        for found in find(&text, FindOptions { flowed: delsp, delsp, bounded, schemeless }) {
            for piece in found.pieces() {
                prop_assert!(piece.start >= end && piece.start < piece.end, "{text:?}: {found:?}");
                prop_assert!(text.get(piece.clone()).is_some());
                end = piece.end;
            }
            prop_assert_eq!(end, found.at.end);
        }
    }

    #[test]
    fn any_reference_can_be_cut_checked_and_resolved(base in linkish(), text in linkish()) {
        let _ = bidi::violations(&text);
        if let Ok(resolved) = resolve(&base, &text) {
            prop_assert!(Reference::parse(&resolved).is_ok(), "{base:?} {text:?} gave {resolved:?}");
        }
    }
}

/// Undoes `%HH` of unreserved characters, and writes the others in upper case: what §3.7 may change.
fn unreserved(uri: &str) -> String {
    let mut out = String::new();
    let mut rest = uri;
    while let Some(first) = rest.chars().next() {
        let octet = rest.get(1..3).filter(|_| first == '%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match octet {
            Some(octet) if octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) => out.push(char::from(octet)),
            Some(octet) => out.push_str(&format!("%{octet:02X}")),
            None => out.push(first),
        }
        rest = &rest[if octet.is_some() { 3 } else { first.len_utf8() }..];
    }
    out
}
