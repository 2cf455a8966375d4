//! Links of decoded texts: what changes in HTML and in running text, and what stays.

use proptest::prelude::*;
use septet::coding::charset::Labels;
use septet::coding::html::{HtmlValue, Quote, links, plain_links, tree_links};
use septet::coding::iri::apply;
use septet::rewrite::links::{LinkEdits, LinkScope, LinkSettings, TextKind, plan_text_links};
use septet::rewrite::{HostForm, InText, Iris, Note, Schemeless};
use septet_support::table::{Row, rows};

use super::inputs::assert_linear;

const PLAIN: TextKind = TextKind::Plain { flowed: false, delsp: false };

fn settings(iris: Iris, charset: &str) -> LinkSettings {
    let document = Labels::default().find(charset.as_bytes()).expect("a charset");
    LinkSettings {
        iris,
        in_text: InText::Bounded,
        schemeless: Schemeless::Keep,
        host: HostForm::Punycode,
        document,
        target: document,
    }
}

fn plan(text: &str, kind: TextKind, settings: LinkSettings) -> (String, LinkEdits) {
    let plan = plan_text_links(text, kind, settings, LinkScope::Odd);
    (apply(text, &plan.edits).into_owned(), plan)
}

/// One row: options, text, what becomes of it (`=` for nothing), the notes.
fn check(row: &Row, kind: TextKind) {
    let (options, text) = (row.text(0), row.text(1));
    let iris = if options.contains("to-iri") { Iris::ToIri } else { Iris::ToUri };
    let charset = options.split(',').find(|word| word.contains("8859") || word.contains("125")).unwrap_or("utf-8");
    let mut settings = settings(iris, charset);
    for option in options.split(',') {
        match option {
            "all" => settings.in_text = InText::All,
            "keep" => settings.in_text = InText::Keep,
            "www" => settings.schemeless = Schemeless::Www,
            "hosts" => settings.schemeless = Schemeless::Hosts,
            _ => {}
        }
    }
    let (output, edits) = plan(&text, kind, settings);
    let expected = if row.text(2) == "=" { text.clone() } else { row.text(2) };
    assert_eq!(output, expected, "{}", row.place);
    assert_eq!(edits.rewritten > 0, output != text, "{}", row.place);
    let notes: Vec<_> = edits.notes.iter().map(Note::to_string).collect();
    assert_eq!(notes.join(", "), row.text(3), "{}", row.place);
    assert_eq!(plan(&output, kind, settings).0, output, "{}: a second run", row.place);
}

#[test]
fn html_changes_as_the_table_says() {
    rows("html/links.tsv").iter().for_each(|row| check(row, TextKind::Html));
}

#[test]
fn running_text_changes_as_the_table_says() {
    rows("html/plain.tsv").iter().for_each(|row| check(row, PLAIN));
}

#[test]
fn keep_keeps() {
    let text = "<a href='http://é/'>";
    assert_eq!(plan(text, TextKind::Html, settings(Iris::Keep, "utf-8")).1, LinkEdits::default());
}

#[test]
fn links_in_angle_brackets_and_flowed_text_keep_their_line_breaks() {
    let settings = settings(Iris::ToUri, "utf-8");
    let text = "<http://e.org/é\r\nü/b>\r\n";
    assert_eq!(plan(text, PLAIN, settings).0, "<http://e.org/%C3%A9\r\n%C3%BC/b>\r\n");
    let flowed = TextKind::Plain { flowed: true, delsp: true };
    let text = "> http://exä \r\n> mple.org/é \r\n> ü b\r\n";
    assert_eq!(plan(text, flowed, settings).0, "> http://xn--exmple-cua.or \r\n> g/%C3%A9 \r\n> %C3%BC b\r\n");
}

#[test]
fn notes_are_few() {
    let text: String = (0..100).map(|n| format!("http://pаypal{n}.com/ ")).collect();
    assert_eq!(plan(&text, PLAIN, settings(Iris::ToUri, "utf-8")).1.notes.len(), LinkEdits::NOTES);
}

#[test]
fn markup_beyond_the_limit_is_left() {
    let many = "<b>".repeat(1 << 20);
    let edits =
        |start| plan(&format!("{start}{many}<a href='http://é/'>"), TextKind::Html, settings(Iris::ToUri, "utf-8")).1;
    assert_eq!((edits("").rewritten, edits("").notes), (1, vec![]), "what needs no tree needs no memory");
    let of_tree = edits("<svg></svg>");
    assert_eq!((of_tree.rewritten, of_tree.notes), (0, vec![Note::Link("the markup can't be read")]));
}

#[test]
fn hostile_markup_is_read_in_linear_time() {
    let texts: [fn(usize) -> String; 13] = [
        |n| "<svg ".repeat(n),
        |n| "<svg a=/><math/>".repeat(n),
        |n| "<a href='http://é/'>".repeat(n),
        |n| format!("<a href='http://é/{}'>", "é".repeat(n)),
        |n| format!("<a href='{}'>", "&".repeat(n)),
        |n| format!("<a href='{}'>", "&copy".repeat(n)),
        |n| format!("<img srcset='{}'>", "é ,(".repeat(n)),
        |n| format!("<p style='{}'>", "url(é".repeat(n)),
        |n| format!("<style>{}</style>", "url('é') /*".repeat(n)),
        |n| format!("<style>{}</style>", "url( ".repeat(n)),
        |n| "<!--[if a]>".repeat(n),
        |n| "<noscript><a href=é>".repeat(n),
        |n| format!("<a {}>", "href=é ".repeat(n)),
    ];
    let settings_of = settings(Iris::ToUri, "windows-1251");
    for text in texts {
        assert_linear(text, |text| plan_text_links(text, TextKind::Html, settings_of, LinkScope::Odd).rewritten);
    }
    let shown: [fn(usize) -> String; 3] = [
        |n| format!("<style>{}</style>", "url(http://a/%C3%A9) ".repeat(n)),
        |n| format!("<img srcset='{}'>", "http://a/%C3%A9 1x, ".repeat(n)),
        |n| format!("<p style=\"{}\">", "url(&am%70;%C3%A9)".repeat(n)),
    ];
    let settings = settings(Iris::ToIri, "utf-8");
    for text in shown {
        assert_linear(text, |text| plan_text_links(text, TextKind::Html, settings, LinkScope::Odd).rewritten);
    }
}

/// Blanks what may change, so that two documents can be compared in everything else.
fn skeleton(html: &str) -> String {
    let mut places = links(html).expect("readable").attributes;
    places.dedup();
    apply(html, &places.into_iter().map(|place| (place.at, String::new())).collect()).into_owned()
}

/// Gives every reference of a document, decoded.
fn references(html: &str) -> Vec<String> {
    let found = links(html).expect("readable").attributes;
    let values = found.iter().map(|place| (place.quote, HtmlValue::read(html, place)));
    values.flat_map(|(_, value)| value.references().map(|(_, text)| text.to_owned()).collect::<Vec<_>>()).collect()
}

/// Pieces of markup that fight with one another.
fn markup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<a href=".to_owned()),
        Just("<img srcset='".to_owned()),
        Just("<p style=\"x:url(".to_owned()),
        Just("<style>@import '".to_owned()),
        Just("<!--[if x]>".to_owned()),
        Just("-->".to_owned()),
        Just("<noscript>".to_owned()),
        Just("</noscript>".to_owned()),
        Just("</style>".to_owned()),
        Just("http://é.org/".to_owned()),
        Just("&eacute;".to_owned()),
        Just("&am\np;".to_owned()),
        Just("&amp;".to_owned()),
        Just("%C3%A9".to_owned()),
        Just("xn--pypal-4ve".to_owned()),
        Just("%6Aa:".to_owned()),
        Just("<style>".to_owned()),
        "[\"'<>= \t\n,;()/\\\\#?&%]",
        "\\PC{1,2}",
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Pieces of tags, of comments, and of elements whose text is no markup or that belong to another language.
fn tags() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "<[/]?(a|p|br|base|meta|object|STYLE|style|title|noscript|script|svg|math|mi|desc|textarea|iframe|styles)[ >/]",
        3 => "[ \n/](href|src|style|content|data|http-equiv|é|HREF)[=]?[ ]?[\"']?(é|refresh|a>b|url\\(é\\)|)[\"' >]",
        2 => "(<!--|-->|--!>|<!|<\\?|</|</>|<!\\[CDATA\\[|\\]\\]>|<!--\\[if x\\]>|<!\\[endif\\]-->|<!DOCTYPE html \")",
        1 => "[\"'<>=/ \t\n\r\x0C\x00a!-]",
    ];
    proptest::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, ..ProptestConfig::default() })]
    #[test]
    fn plain_markup_reads_as_with_a_tree(html in tags()) {
        if let (Some(plain), Ok(tree)) = (plain_links(&html), tree_links(&html)) {
            prop_assert_eq!(plain, tree, "{}", html);
        }
    }
}

proptest! {
    #[test]
    fn only_values_change_and_only_once(html in markup(), to_iri in any::<bool>()) {
        let iris = if to_iri { Iris::ToIri } else { Iris::ToUri };
        for charset in ["utf-8", "windows-1251"] {
            let settings = settings(iris, charset);
            let (output, planned) = plan(&html, TextKind::Html, settings);
            prop_assert_eq!(skeleton(&output), skeleton(&html));
            prop_assert_eq!(references(&output).len(), references(&html).len());
            let all = plan_text_links(&html, TextKind::Html, settings, LinkScope::All);
            prop_assert_eq!((all.edits, all.notes), (planned.edits, planned.notes), "passed over {}", html);
            let again = plan_text_links(&output, TextKind::Html, settings, LinkScope::Odd);
            prop_assert!(again.edits.is_empty(), "{} became {}", html, output);
        }
    }

    #[test]
    fn running_text_changes_once(text in "(http://| https://e.org|mailto:|<|>|é|[a-z]|%C3%A9|xn--9ca|[.@/?#: ()]|[、。—・]|www.|.jp|[日がéр]| \n|\n> |\\PC){0,24}", to_iri in any::<bool>(), delsp in any::<bool>(), all in any::<bool>(), bare in any::<bool>()) {
        let kind = TextKind::Plain { flowed: delsp, delsp };
        let mut settings = settings(if to_iri { Iris::ToIri } else { Iris::ToUri }, "utf-8");
        settings.in_text = if all { InText::All } else { InText::Bounded };
        settings.schemeless = if bare { Schemeless::Hosts } else { Schemeless::Keep };
        let (output, planned) = plan(&text, kind, settings);
        let all = plan_text_links(&text, kind, settings, LinkScope::All);
        prop_assert_eq!((all.edits, all.notes), (planned.edits, planned.notes), "passed over {}", text);
        prop_assert_eq!(output.matches('\n').count(), text.matches('\n').count());
        prop_assert!(plan_text_links(&output, kind, settings, LinkScope::Odd).edits.is_empty(), "{} became {}", text, output);
    }
}

#[test]
fn raw_text_is_told_from_attributes() {
    let found = links("<style>a{b:url(&eacute;)}</style><p style='b:url(&eacute;)'>").expect("readable").attributes;
    assert_eq!(found.iter().map(|place| place.quote).collect::<Vec<_>>(), [Quote::Raw, Quote::Single]);
}
