//! The line tools for header fields, called as scripts call them.

use std::process::Output;

fn septet(args: &[&str], input: &[u8]) -> Output {
    super::septet::septet("header", args, input)
}

fn out(args: &[&str], input: &str) -> String {
    let output = septet(args, input.as_bytes());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn object(args: &[&str], input: &str) -> serde_json::Value {
    serde_json::from_slice(&septet(args, input.as_bytes()).stdout).expect("one object")
}

#[test]
fn decodes_a_line_to_a_line() {
    assert_eq!(
        out(&["decode"], "=?iso-8859-1?Q?Gr=FC=DFe?=\r\n\nplain\n=?us-ascii?Q?Dzie=C5=84?="),
        "Grüße\n\nplain\nDzień\n"
    );
    assert_eq!(out(&["decode", "-"], "raw é\n"), "raw é\n");
    let answer = object(&["decode", "--json"], "=?viqr?Q?a?= =?utf-8?B?w6k=?=\n");
    assert_eq!(
        answer,
        serde_json::json!({
            "input": "=?viqr?Q?a?= =?utf-8?B?w6k=?=",
            "output": "=?viqr?Q?a?= é",
            "left": ["the charset viqr is unknown"],
        })
    );
}

#[test]
fn hard_case_13_one_line_stays_one_line() {
    let injected = "=?utf-8?Q?a=0D=0ABcc:_x@example.org?=\n=?utf-8?B?AGE=?=\n";
    let output = septet(&["decode"], injected.as_bytes());
    assert_eq!(String::from_utf8_lossy(&output.stdout), injected);
    assert_eq!(output.status.code(), Some(65));
}

/// It ended with 0, and nobody heard that anything had stayed.
#[test]
fn a_word_that_cant_be_read_stays_and_is_said() {
    let output = septet(&["decode"], b"=?utf-8?Q?=C3=A9?= =?viqr?Q?stays?=\nplain\n");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "\u{e9} =?viqr?Q?stays?=\nplain\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "line 1: the charset viqr is unknown\n");
    assert_eq!(output.status.code(), Some(65));
}

#[test]
fn decodes_a_field_by_its_name() {
    let named = |name: &str, line: &str| out(&["decode", "--name", name], line);
    let from = "=?iso-8859-1?Q?J=F6rg?= <j@example.org>, (=?utf-8?Q?=C3=A9?=) =?utf-8?Q?a?=@example.org\n";
    assert_eq!(named("From", from), "Jörg <j@example.org>, (é) =?utf-8?Q?a?=@example.org\n");
    let disposition = "attachment; filename*=iso-8859-1''%E9.txt\n";
    assert_eq!(named("Content-Disposition", disposition), "attachment; filename=\"é.txt\"\n");
    assert_eq!(named("Message-ID", "=?utf-8?Q?=3Ca=40b=2Eexample=3E?=\n"), "<a@b.example>\n");
    assert_eq!(named("Subject", "=?koi8-r?B?8NLJ18XU?=\n"), "Привет\n");
    let output = septet(&["decode", "--name", "From"], b"=?viqr?Q?a?= <a@example.org>\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "line 1: unknown-charset(viqr)\n");
    assert_eq!(output.status.code(), Some(65));
}

#[test]
fn says_which_lines_cant_be_done() {
    let output = septet(&["decode"], b"good\nb\xE9\na\rb\na\0b\n=?utf-8?Q?=C3=A9?=\n");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "good\n\n\n\n\u{e9}\n");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "line 2: offset 1: a raw octet that is not UTF-8\n\
         line 3: offset 1: a control character\n\
         line 4: offset 1: a control character\n"
    );
    assert_eq!(output.status.code(), Some(65));
    let output = septet(&["encode", "--charset", "iso-8859-1"], "é\n€\n\u{7}\n".as_bytes());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "=?iso-8859-1?Q?=E9?=\n\n\n");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "line 2: offset 0: the charset has no U+20AC\nline 3: offset 0: a control character can't stand in a field\n"
    );
    assert_eq!(septet(&["encode"], b"\xFF\n").status.code(), Some(65));
}

#[test]
fn encodes_what_needs_it() {
    assert_eq!(out(&["encode"], "plain ascii  stays \n"), "plain ascii  stays \n");
    assert_eq!(out(&["encode"], "an é here\n"), "an =?utf-8?B?w6k=?= here\n");
    assert_eq!(out(&["encode"], " é \n"), "=?utf-8?Q?_=C3=A9_?=\n");
    let literal = "a =?utf-8?Q?b?= c\n";
    let encoded = out(&["encode"], literal);
    assert!(!encoded.contains("=?utf-8?Q?b?="));
    assert_eq!(out(&["decode"], &encoded), literal);
    assert_eq!(out(&["encode", "--charset", "utf-7"], "1 + é!\n"), "1 + =?utf-7?Q?+AOkAIQ-?=\n");
    assert_eq!(out(&["encode", "--charset", "latin1"], "Stück für Stück\n"), "=?iso-8859-1?B?U3T8Y2sgZvxyIFN0/GNr?=\n");
}

#[test]
fn encodes_on_one_line_unless_told_to_fold() {
    let line = format!("{}\n", "日本語 ".repeat(30).trim_end());
    let flat = out(&["encode"], &line);
    assert_eq!(flat.lines().count(), 1);
    assert!(flat.split_whitespace().all(|word| word.len() <= 75), "{flat}");
    assert_eq!(out(&["decode"], &flat), line);
    let folded = out(&["encode", "--fold", "--name", "Subject"], &line);
    let lines: Vec<&str> = folded.lines().collect();
    assert!(lines.len() > 3 && lines[1..].iter().all(|line| line.starts_with(" =?") && line.len() <= 76), "{folded}");
    assert!("Subject: ".len() + lines[0].len() <= 76, "{folded}");
    assert_eq!(out(&["decode"], &folded.replace('\n', "")), line.trim_end().to_owned() + "\n");
}

#[test]
fn encodes_names_of_address_fields() {
    let typed = "\"Müller, Hans\" <h@example.org>, (Büro) b@example.org\n";
    assert_eq!(
        out(&["encode", "--name", "To"], typed),
        "=?utf-8?Q?M=C3=BCller=2C_Hans?= <h@example.org>, (=?utf-8?B?QsO8cm8=?=) b@example.org\n"
    );
}

#[test]
fn refuses_charsets_that_words_cant_have() {
    assert_eq!(septet(&["encode", "--charset", "x-nothing"], b"").status.code(), Some(64));
    assert_eq!(septet(&["encode", "--charset", "utf-16"], b"").status.code(), Some(64));
    assert_eq!(septet(&["decode", "/nonexistent/file"], b"").status.code(), Some(66));
    assert_eq!(septet(&[], b"").status.code(), Some(64));
}

#[test]
fn refuses_characters_where_the_field_has_no_place_for_them() {
    let output = septet(&["encode", "--name", "To"], "Ü <ü@example.org>\nÜ <u@example.org>\n".as_bytes());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "\n=?utf-8?B?w5w=?= <u@example.org>\n");
    let reason = "line 1: U+00FC stands where the field has no place for words\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), reason);
    assert_eq!(output.status.code(), Some(65));
    let output = septet(&["encode", "--name", "Message-ID"], "<é@example.org>\n".as_bytes());
    assert_eq!((output.stdout.as_slice(), output.status.code()), (&b"\n"[..], Some(65)));
}

#[test]
fn encodes_parameters_as_rfc_2231_has_them() {
    let typed = "attachment; filename=\"Größe.txt\"; size=7\n";
    let encoded = "attachment; filename*=utf-8''Gr%C3%B6%C3%9Fe.txt; size=7\n";
    assert_eq!(out(&["encode", "--name", "Content-Disposition"], typed), encoded);
}

/// What can name no field was encoded for it, and refused anew for every line that was decoded.
#[test]
fn refuses_what_is_no_name_once() {
    for (task, name) in [("encode", "Sub ject"), ("encode", ""), ("decode", "Subject:"), ("decode", "Größe")] {
        let output = septet(&[task, "--name", name], b"a\nb\n");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.stdout.len(), output.status.code()), (0, Some(64)), "{task}: {said}");
        assert_eq!(said.matches("it is not a valid name of a field").count(), 1, "{said}");
    }
}
