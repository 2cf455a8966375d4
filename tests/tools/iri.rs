//! The line tools for IRIs, called as scripts call them.

use std::process::Output;

fn septet(args: &[&str], input: &str) -> Output {
    super::septet::septet("iri", args, input.as_bytes())
}

fn lines(args: &[&str], input: &str) -> Vec<String> {
    let output = septet(args, input);
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

fn objects(args: &[&str], input: &str) -> Vec<serde_json::Value> {
    lines(args, input).iter().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn to_uri_takes_its_options() {
    let iri = "http://é.org/é?é\n";
    assert_eq!(lines(&["to-uri"], iri), ["http://xn--9ca.org/%C3%A9?%C3%A9"]);
    assert_eq!(lines(&["to-uri", "--host", "percent"], iri), ["http://%C3%A9.org/%C3%A9?%C3%A9"]);
    assert_eq!(lines(&["to-uri", "--document-charset", "latin1"], iri), ["http://xn--9ca.org/%C3%A9?%E9"]);
    assert_eq!(lines(&["to-uri", "--syntax", "href"], " http:\\\\é.org\\%\n"), ["http://xn--9ca.org/%25"]);
    assert_eq!(lines(&["to-uri", "--syntax", "leiri"], "a b\n"), ["a%20b"]);
    assert_eq!(septet(&["to-uri", "--document-charset", "x-nothing"], "").status.code(), Some(64));
    assert_eq!(septet(&["to-uri", "--syntax", "uri"], "").status.code(), Some(64));
}

#[test]
fn a_line_that_cant_be_done_is_empty_and_said_on_stderr() {
    let output = septet(&["to-uri"], "http://ab--é.org/\nhttp://é.org/\n");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "\nhttp://xn--9ca.org/\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "line 1: a label of the host has hyphens in places 3 and 4\n");
    assert_eq!(output.status.code(), Some(65));
    let object = &objects(&["to-uri", "--json"], "http://e.org/\u{202E}\n")[0];
    assert_eq!(object["error"], "offset 13: bidi control U+202E in an IRI");
    assert_eq!(object.get("output"), None);
}

#[test]
fn to_iri_shows() {
    let uri = "http://xn--99zt52a.example.org/%e2%80%ae\nhttp://e.org/D%FCrst\n";
    assert_eq!(lines(&["to-iri"], uri), ["http://納豆.example.org/%E2%80%AE", "http://e.org/D%FCrst"]);
}

#[test]
fn check_says_ok_or_everything() {
    assert_eq!(lines(&["check"], "http://é.org/\nb c\n\u{202E}\n"), ["ok", "", ""]);
    let objects = objects(&["check", "--json"], "http://ü@é.org:8/א1?a#b\né\n<\na\u{200E}\n");
    assert_eq!(
        objects[0]["components"],
        serde_json::json!({"scheme": "http", "userinfo": "ü", "host": "é.org", "port": "8", "path": "/א1",
            "query": "a", "fragment": "b"})
    );
    assert_eq!((&objects[0]["valid"], &objects[0]["reference"]), (&true.into(), &"iri".into()));
    assert_eq!(objects[0]["bidi"][0]["rule"], "4.2.2");
    assert_eq!((&objects[1]["reference"], &objects[1]["bidi"]), (&"relative".into(), &serde_json::json!([])));
    assert_eq!(
        objects[2],
        serde_json::json!({"input": "<", "valid": false, "reference": "relative",
            "components": {"scheme": null, "userinfo": null, "host": null, "port": null, "path": "<", "query": null,
                "fragment": null},
            "bidi": [], "error": "offset 0: is not allowed in a path"})
    );
    assert_eq!((&objects[3]["valid"], &objects[3]["bidi"][0]["rule"]), (&false.into(), &"4.1".into()));
}

#[test]
fn resolve_needs_a_base() {
    assert_eq!(
        lines(&["resolve", "http://é/b/c/d;p?q"], "../ü\n#s\n\n"),
        ["http://é/b/ü", "http://é/b/c/d;p?q#s", "http://é/b/c/d;p?q"]
    );
    assert_eq!(septet(&["resolve", "b/c"], "a\n").status.code(), Some(64));
}

#[test]
fn find_lists_what_is_a_uri_or_becomes_one() {
    let text = "Voir http://é.org/é?é. (http://e.org/a) http://e.org/a|b http://ab--é.org\nrien\n";
    let objects = objects(&["find", "--document-charset", "iso-8859-1"], text);
    assert_eq!(
        objects[0]["iris"],
        serde_json::json!([
            {"start": 5, "end": 24, "iri": "http://é.org/é?é", "uri": "http://xn--9ca.org/%C3%A9?%E9"},
            {"start": 27, "end": 41, "iri": "http://e.org/a", "uri": "http://e.org/a"},
            {"start": 43, "end": 57, "iri": "http://e.org/a", "uri": "http://e.org/a"},
        ])
    );
    assert_eq!(objects[1], serde_json::json!({"input": "rien", "iris": []}));
    assert_eq!(lines(&["find"], text), lines(&["find", "--json"], text));
}

#[test]
fn find_lists_links_without_a_scheme_where_it_is_told_to() {
    let text = "see www.exämple.org/é or exämple.org/é\n";
    for (options, wanted) in [
        (&[][..], &[][..]),
        (&["--without-scheme", "www"], &["www.xn--exmple-cua.org/%C3%A9"]),
        (&["--without-scheme", "hosts"], &["www.xn--exmple-cua.org/%C3%A9", "xn--exmple-cua.org/%C3%A9"]),
    ] {
        let objects = objects(&[&["find"], options].concat(), text);
        let found = objects[0]["iris"].as_array().expect("a list");
        let found: Vec<&str> = found.iter().filter_map(|link| link["uri"].as_str()).collect();
        assert_eq!(found, wanted, "{options:?}");
    }
}
