//! MIME parameters (RFC 2231): both directions.

use proptest::prelude::*;
use septet::coding::charset::{Charset, Labels};
use septet::coding::encoded_word::{Conformity, TextError, WordReader, is_control};
use septet::message::grammar::parameter::{Parameter, ParameterError, plain, read, unquote, write};

use super::rows;

/// Reads sections that stand as `name=value` between semicolons.
fn parameters(field: &[u8]) -> Vec<Parameter> {
    let labels = Labels::default();
    let section = |section: &'static [u8]| {
        let equals = section.iter().position(|octet| *octet == b'=').expect("name=value");
        (&section[..equals], &section[equals + 1..])
    };
    let field: &'static [u8] = field.to_vec().leak();
    let sections: Vec<_> = field.split(|octet| *octet == b';').map(section).collect();
    read(&sections, WordReader::new(&labels))
}

fn fault(fault: &ParameterError) -> String {
    match fault {
        ParameterError::Text(TextError::UnknownCharset(_)) => "u".to_owned(),
        ParameterError::Text(TextError::Malformed { .. }) => "m".to_owned(),
        ParameterError::Text(TextError::Ambiguous(..)) => "a".to_owned(),
        ParameterError::Text(TextError::Visual) => "visual".to_owned(),
        ParameterError::Text(TextError::Control) => "c".to_owned(),
        ParameterError::Text(TextError::UrlAlphabet) => "-".to_owned(),
        ParameterError::Text(TextError::Unlabelled(_)) => "r".to_owned(),
        ParameterError::Gap(number) => format!("gap {number}"),
        ParameterError::Repeated => "twice".to_owned(),
    }
}

#[test]
fn reads_the_table() {
    let mut wrong = Vec::new();
    for row in rows("parameter/read.tsv") {
        // Where something stands twice, the first is read and the second is the fault.
        let found = parameters(&row.octets(0));
        let parameter = found.last().expect("a parameter");
        let cell = |column: usize| if row.is_absent(column) { String::new() } else { row.text(column).to_owned() };
        let read = match &parameter.outcome {
            Ok(text) => {
                let conforming = if parameter.conformity == Conformity::Conforming { "yes" } else { "no" };
                let from: Vec<&str> = text.from.iter().map(|origin| &*origin.name).collect();
                (parameter.name.clone(), text.text.clone(), from.join("+"), conforming.to_owned())
            }
            Err(why) => (parameter.name.clone(), fault(why), String::new(), String::new()),
        };
        if read != (cell(1), cell(2), cell(3), cell(4)) {
            wrong.push(format!("{}: {read:?}", row.place));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn writes_the_table() {
    for row in rows("parameter/write.tsv") {
        let charset = Labels::default().find_registered(row.text(0).as_bytes()).expect("a charset");
        let sections = write("name", &row.text(2), charset, None, row.number(1)).expect("every character is there");
        assert_eq!(sections.join(" "), row.text(3), "{}", row.place);
    }
}

#[test]
fn keeps_languages_and_refuses_what_a_charset_lacks() {
    let sections = write("name", "é", Charset::UTF_8, Some("fr"), 74).expect("UTF-8 has all");
    assert_eq!(sections, ["name*=utf-8'fr'%C3%A9"]);
    assert_eq!(parameters(sections[0].as_bytes())[0].language.as_deref(), Some("fr"));
    let latin = Labels::default().find_registered(b"iso-8859-1").expect("a charset");
    assert_eq!(write("name", "€", latin, None, 74).expect_err("no euro in Latin-1").character, '€');
}

/// Ten thousand sections, backwards: sorted once.
#[test]
fn hard_case_15_many_sections() {
    let last: String = (1..10_000).rev().map(|number| format!("f*{number}*=%A9%C3;")).collect();
    let found = parameters(format!("{last}f*0*=utf-8''%C3").as_bytes());
    assert_eq!(found.len(), 1);
    assert!(
        matches!(found[0].outcome, Err(ParameterError::Text(TextError::Malformed { .. }))),
        "one octet is left over"
    );
    let found = parameters(format!("{last}f*0*=utf-8''%C3;f*10000*=%A9").as_bytes());
    assert_eq!(found[0].outcome.as_ref().expect("readable").text, "é".repeat(10_000));
}

fn text() -> impl Strategy<Value = String> {
    let any = proptest::char::any().prop_filter("no control character", |character| !is_control(*character));
    let likely = proptest::sample::select("éüß日😀 aZ0.\"\\%'*()/=?_-".chars().collect::<Vec<_>>());
    proptest::collection::vec(prop_oneof![3 => likely, 1 => any], 0..150).prop_map(|chars| chars.into_iter().collect())
}

fn read_back(sections: &[String]) -> Parameter {
    let labels = Labels::default();
    let split = |section: &'static str| section.split_once('=').expect("name=value");
    let sections: Vec<(&[u8], &[u8])> = sections
        .iter()
        .map(|section| split(section.clone().leak()))
        .map(|(name, value)| (name.as_bytes(), value.as_bytes()))
        .collect();
    let mut found = read(&sections, WordReader::new(&labels));
    assert_eq!(found.len(), 1, "one parameter of all sections");
    found.remove(0)
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(text in text(), limit in 40_usize..100, seven in any::<bool>()) {
        let charset = if seven { Charset::UTF_7 } else { Charset::UTF_8 };
        let sections = write("filename", &text, charset, None, limit).expect("Unicode has all");
        prop_assert!(sections.iter().all(|section| section.len() <= limit && section.is_ascii()));
        let parameter = read_back(&sections);
        prop_assert_eq!(parameter.conformity, Conformity::Conforming);
        prop_assert_eq!(parameter.outcome.expect("readable").text, text);
    }

    #[test]
    fn ascii_is_written_plain(text in "[ -~]{0,200}", limit in 40_usize..100) {
        prop_assume!(!text.contains("=?"));
        let sections = plain("filename", &text, limit);
        prop_assert!(sections.iter().all(|section| section.len() <= limit || text.is_empty()));
        let parameter = read_back(&sections);
        prop_assert_eq!(parameter.outcome.expect("readable").text, text);
    }

    #[test]
    fn reading_never_fails(names in proptest::collection::vec("[a-b]?[*]{0,2}[0-2]{0,1}[*]{0,1}", 0..8), values in
        proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..20), 8))
    {
        let labels = Labels::default();
        let sections: Vec<(&[u8], &[u8])> =
            names.iter().zip(&values).map(|(name, value)| (name.as_bytes(), value.as_slice())).collect();
        let found = read(&sections, WordReader::new(&labels));
        let mut used: Vec<usize> = found.iter().flat_map(|parameter| parameter.sections.clone()).collect();
        used.sort_unstable();
        prop_assert_eq!(used, (0..sections.len()).collect::<Vec<_>>(), "each section belongs to one parameter");
        for (_, value) in sections {
            prop_assert!(unquote(value).len() <= value.len());
        }
    }
}
