//! The body of the fuzz target `coders`, which ordinary tests run over the tables too.

use septet::coding::charset::{Charset, Labels};
use septet::coding::encoded_word::{WordReader, decode_unstructured};
use septet::coding::escape::{EscapeForm, escape, unescape};
use septet::coding::transfer::{LINE_LIMIT, base64, quoted_printable};
use septet::coding::utf7::{self, SetO, Utf7Options, Variant};
use septet::coding::{html, utf8};

/// The names of the coders, in the order of the first octet that chooses one.
pub const CODERS: [&str; 8] =
    ["utf-7", "utf-8", "words", "quoted-printable", "base64", "escapes", "charsets", "markup"];

/// Gives octets to one decoder and the text to its encoder; panics where a promise is broken.
///
/// The first octet chooses the coder, the second one of its kinds (variant, form, charset), the rest is its input.
/// The promises: strict and lossy decoders agree, what is encoded is decoded to the same, and each coder's own.
pub fn fuzz_coders(input: &[u8]) {
    let [coder, kind, octets @ ..] = input else { return };
    let kind = usize::from(*kind);
    match usize::from(*coder) % CODERS.len() {
        0 => utf_7(octets, if kind.is_multiple_of(2) { Variant::Rfc1642 } else { Variant::Rfc2152 }),
        1 => utf_8(octets),
        2 => words(octets),
        3 => quoted(octets),
        4 => base_64(octets),
        5 => escapes(octets, EscapeForm::ALL[kind % EscapeForm::ALL.len()]),
        6 => charsets(octets, Charset::all()[kind % Charset::all().len()]),
        _ => markup(octets),
    }
}

fn utf_7(octets: &[u8], variant: Variant) {
    let (lossy, faults) = utf7::decode_lossy(octets, variant);
    let (prefix, fault) = utf7::decode_until_fault(octets, variant);
    assert!(lossy.starts_with(&*prefix), "the strict reader stops on the way of the lossy one");
    assert_eq!(fault.is_some(), faults > 0, "they agree on faults");
    for set_o in [SetO::Direct, SetO::Encoded] {
        let Ok(encoded) = utf7::encode(&prefix, Utf7Options { variant, set_o }) else { continue };
        assert!(encoded.is_ascii());
        assert_eq!(utf7::decode(&encoded, variant).as_deref(), Ok(&*prefix), "what is written is read");
    }
}

fn utf_8(octets: &[u8]) {
    let signed = utf8::strip_signature(octets);
    match (Charset::UTF_8.decode(signed), std::str::from_utf8(signed)) {
        (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs),
        (Err(fault), Err(error)) => assert_eq!(fault.offset, error.valid_up_to()),
        _ => panic!("the standard library reads it otherwise"),
    }
}

fn words(octets: &[u8]) {
    let labels = Labels::default();
    let text = decode_unstructured(octets, WordReader::new(&labels)).text;
    assert!(!text.contains(['\r', '\n', '\0']), "nothing comes out that ends a field");
    let lossy = decode_unstructured(octets, WordReader { lossy: true, ..WordReader::new(&labels) }).text;
    assert!(!lossy.contains(['\r', '\n', '\0']), "nor when faults are replaced");
}

fn quoted(octets: &[u8]) {
    let decoded = quoted_printable::decode(octets);
    assert!(decoded.bytes.len() <= octets.len());
    for end in [&b"\n"[..], b"\r\n"] {
        let encoded = quoted_printable::encode(octets, end);
        assert!(quoted_printable::encodes_into(octets, end, encoded.len()));
        assert!(encoded.is_empty() || !quoted_printable::encodes_into(octets, end, encoded.len() - 1));
        let lines = || encoded.split(|octet| *octet == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        assert!(encoded.is_ascii() && lines().all(|line| line.len() <= LINE_LIMIT));
        let again = quoted_printable::decode(&encoded);
        assert_eq!((again.faults, ends(&again.bytes)), (0, ends(octets)), "what is written is read");
    }
}

/// Takes every CR away that a line end follows, with others between or not.
fn ends(octets: &[u8]) -> Vec<u8> {
    let rest = |at: usize| octets[at..].iter().find(|octet| **octet != b'\r');
    (0..octets.len()).filter(|at| rest(*at) != Some(&b'\n') || octets[*at] == b'\n').map(|at| octets[at]).collect()
}

fn base_64(octets: &[u8]) {
    base64::decode(octets);
    let encoded = base64::encode(octets, b"\r\n");
    assert_eq!(base64::encoded_len(octets.len(), b"\r\n"), encoded.len());
    let again = base64::decode(&encoded);
    assert_eq!((again.faults, &*again.bytes), (0, octets), "what is written is read");
}

fn escapes(octets: &[u8], form: EscapeForm) {
    let text = String::from_utf8_lossy(octets);
    unescape(&text, &EscapeForm::ALL);
    let escaped = escape(&text, form);
    assert!(escaped.is_ascii());
    assert_eq!(unescape(&escaped, &[form]).text, text, "what is written is read");
}

fn charsets(octets: &[u8], charset: Charset) {
    let (prefix, fault) = charset.decode_until_fault(octets);
    let (lossy, faults) = charset.decode_lossy(octets);
    assert!(lossy.starts_with(&*prefix), "{charset}: the strict reader stops on the way of the lossy one");
    assert_eq!(fault.is_some(), faults > 0, "{charset}: they agree on faults");
    if let Ok(encoded) = charset.encode(&prefix) {
        assert_eq!(charset.decode(&encoded).as_deref(), Ok(&*prefix), "{charset}: what is written is read");
    }
}

fn markup(octets: &[u8]) {
    let text = String::from_utf8_lossy(octets);
    for at in html::charset_declarations(&text) {
        assert!(text.get(at).is_some(), "declarations are whole characters");
    }
    if let (Some(plain), Ok(tree)) = (html::plain_links(&text), html::tree_links(&text)) {
        assert_eq!(plain, tree, "what is read without a tree of elements is read as with one");
    }
    let beyond = html::beyond_references(&text);
    assert!(beyond.is_sorted() && beyond.iter().all(|(at, it)| text[*at..].starts_with(*it) && !it.is_ascii()));
}
