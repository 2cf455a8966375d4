//! Escapes.

use std::borrow::Cow;

use proptest::prelude::*;
use septet::coding::escape::{EscapeForm, escape, escape_into, escape_markup, escape_sparingly, unescape};

use super::rows;

#[test]
fn texts_are_escaped_as_the_table_says_and_come_back() {
    for row in rows("escape/characters.tsv") {
        let text = row.text(0);
        for (column, form) in (1..).zip(EscapeForm::ALL) {
            let escaped = escape(&text, form);
            assert_eq!(escaped, row.text(column), "{} {form}", row.place);
            assert_eq!(unescape(&escaped, &[form]).text, text, "{} {form}", row.place);
        }
    }
}

#[test]
fn escapes_are_expanded_as_the_table_says() {
    for row in rows("escape/expand.tsv") {
        let names = row.text(0);
        let forms: Vec<EscapeForm> = match names.as_str() {
            "-" => Vec::new(),
            names => names.split(',').map(|name| name.parse().expect("a form")).collect(),
        };
        let escaped = row.text(1);
        let read = unescape(&escaped, &forms);
        assert_eq!(read.text, row.text(2), "{}", row.place);
        assert_eq!((read.count, read.refused), (row.number(3), row.number(4)), "{}", row.place);
        let offset = (!row.is_absent(5)).then(|| row.number(5));
        assert_eq!(read.first_refused.map(|refused| refused.offset), offset, "{}", row.place);
    }
}

#[test]
fn forms_have_names() {
    for form in EscapeForm::ALL {
        assert_eq!(form.name().parse(), Ok(form));
        assert_eq!(serde_json::to_string(&form).expect("a name"), format!("{:?}", form.name()));
    }
    let refused = "XML".parse::<EscapeForm>().unwrap_err();
    assert_eq!(refused.to_string(), "no escape form is called \"XML\", only rfc5137, xml, c, perl and java");
}

#[test]
fn markup_keeps_its_ampersands() {
    let escaped = escape_markup("<p title='\u{e9}'>&eacute; & \u{1F600}</p>");
    assert_eq!(escaped.as_deref(), Ok("<p title='&#xE9;'>&eacute; & &#x1F600;</p>"));
    assert!(matches!(escape_markup("<p>&amp;</p>"), Ok(Cow::Borrowed(_))));
    // A browser reads &#x85; as U+2026.
    let refused = escape_markup("a\u{e9}\u{85}").unwrap_err();
    assert_eq!((refused.offset, refused.character), (3, '\u{85}'));
}

#[test]
fn every_character_comes_back_in_every_form() {
    let mut escaped = String::new();
    for form in EscapeForm::ALL {
        for character in '\0'..=char::MAX {
            escaped.clear();
            escape_into(&mut escaped, character, form);
            let read = unescape(&escaped, &[form]);
            assert!(escaped.is_ascii() && read.text.chars().eq([character]) && read.count == 1, "{form} {escaped}");
        }
    }
}

/// Text full of what begins an escape.
fn texts() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![
            2 => "[\\\\&ux#'{};0-9A-Fa-f]{0,8}",
            1 => prop::sample::select(vec!["\\u'00E9'", "&#xE9;", "\\u00E9", "\\x{E9}", "\\uD83D\\uDE00", "&amp;", "\\\\", "\\u'D800'"])
                .prop_map(str::to_owned),
            2 => "\\PC{0,4}",
            1 => any::<char>().prop_map(String::from),
        ],
        0..10,
    )
    .prop_map(|pieces| pieces.concat())
}

fn forms() -> impl Strategy<Value = EscapeForm> {
    prop::sample::select(EscapeForm::ALL.to_vec())
}

proptest! {
    #[test]
    fn expanding_undoes_escaping(text in texts(), form in forms(), sparingly in prop::bool::ANY) {
        let escaped = if sparingly { escape_sparingly(&text, form) } else { escape(&text, form) };
        prop_assert!(escaped.is_ascii());
        let read = unescape(&escaped, &[form]);
        prop_assert_eq!(&read.text, &text);
        prop_assert_eq!(read.count, text.chars().filter(|character| !character.is_ascii()).count());
        prop_assert_eq!(read.refused, 0);
    }

    #[test]
    fn expanding_is_total_and_touches_escapes_alone(text in texts(), forms in prop::collection::vec(forms(), 0..5)) {
        let read = unescape(&text, &forms);
        prop_assert_eq!(read.refused == 0, read.first_refused.is_none());
        prop_assert!(read.text.len() <= text.len());
        if read.count == 0 && !text.contains("\\\\") && !text.contains("&amp;") {
            prop_assert!(matches!(read.text, Cow::Borrowed(_)));
        }
    }

    #[test]
    fn markup_is_the_same_document(text in "[a-z<>&;#x\u{A0}-\u{17F}\u{1F600}]{0,30}") {
        let escaped = escape_markup(&text).expect("no C1").into_owned();
        prop_assert!(escaped.is_ascii());
        prop_assert_eq!(escaped.matches('&').count(), text.chars().filter(|c| *c == '&' || !c.is_ascii()).count());
        prop_assert_eq!(escaped.matches('<').count(), text.matches('<').count());
    }
}
