//! The body of the fuzz target `parameters`, which ordinary tests run over the tables too.

use septet::coding::charset::{Charset, Labels, is_media_type};
use septet::coding::encoded_word::{LINE_LIMIT, WordReader, is_control};
use septet::message::grammar::parameter::{Parameter, Sections, read, sections, write};

/// Takes octets for a text and for a field's value; panics where a promise is broken.
///
/// The promises: what is written is read; both readers of parameters say the same; no control character comes out.
pub fn fuzz_parameters(octets: &[u8]) {
    let labels = Labels::default();
    let reader = WordReader::new(&labels);
    let text: String = String::from_utf8_lossy(octets).chars().filter(|character| !is_control(*character)).collect();
    let Ok(written) = write("name", &text, Charset::UTF_8, None, LINE_LIMIT - 2) else { panic!("UTF-8 has all") };
    assert!(written.iter().all(|section| section.is_ascii() && section.len() <= LINE_LIMIT - 2));
    let pairs: Vec<(&[u8], &[u8])> =
        written.iter().filter_map(|it| it.split_once('=')).map(|(name, to)| (name.as_bytes(), to.as_bytes())).collect();
    let found = read(&pairs, reader);
    assert!(matches!(found.as_slice(), [one] if one.outcome.as_ref().is_ok_and(|it| it.text == text)), "{found:?}");
    agree(octets, &sections(octets), reader);
}

/// Checks that the reader for machines and the reader for people take each parameter of a value for the same octets.
fn agree(value: &[u8], sections: &Sections, reader: WordReader<'_>) {
    let list = &sections.list;
    let pairs: Vec<_> = list.iter().map(|it| it.slices(value)).collect();
    let found = read(&pairs, reader);
    for parameter in &found {
        assert!(!parameter.outcome.as_ref().is_ok_and(|it| it.text.chars().any(is_control)));
        let name = parameter.name.as_str();
        // One without any mark is as long as its name, and is what machines are told.
        let marked = |it: &&Parameter| it.sections.first().is_none_or(|&first| pairs[first].0.len() != it.name.len());
        // Of several labels, one that is none does not count.
        let is_none = |it: &&Parameter| {
            name.eq_ignore_ascii_case("charset") && (it.octets.is_empty() || is_media_type(&it.octets))
        };
        let named = found.iter().filter(|other| other.name.eq_ignore_ascii_case(name));
        let first = named.min_by_key(|it| (marked(it), !marked(it) && is_none(it))).map(|it| &*it.octets);
        // HTML's quotes have a semicolon, behind which the label stands.
        if name.is_ascii() && first != Some(b"&quot") {
            assert_eq!(sections.value(value, name).as_deref(), first, "{}", value.escape_ascii());
        }
    }
}
