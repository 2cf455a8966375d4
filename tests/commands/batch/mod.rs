//! `septet filter --batch`, as a program in any language uses it.

pub mod client;
mod ends;
mod limits;

use assert_cmd::Command;
use septet_support::attack::{Choices, message, mixed_message, worded_message};
use septet_support::nightly;
use serde_json::{Value, json};

use crate::convert::{LATIN, PLAIN, UTF8};
use client::{Client, answers, batch, request, septet};

/// What is reported of [`LATIN`].
fn report_of_latin() -> Value {
    json!([{"part": "1", "place": "body", "changes": ["charset=iso-8859-1>utf-8"], "text": "part=1 body charset=iso-8859-1>utf-8"}])
}

#[test]
fn every_message_has_its_answer_in_order() {
    let from = b"From a@example.org  Mon Jan  1 00:00:00 2007\n";
    let input = [
        request(&json!({"id": 1, "length": LATIN.len()}), LATIN),
        request(&json!({"length": PLAIN.len(), "id": {"a": [null, "\n"]}}), PLAIN),
        request(&json!({"id": null, "length": 0}), b""),
        request(&json!({"length": LATIN.len() + from.len()}), &[from, LATIN].concat()),
        request(&json!({"id": "keep", "length": LATIN.len(), "profile": "keep"}), LATIN),
        request(&json!({"profile": null, "length": LATIN.len()}), LATIN),
    ];
    let run = batch(&[]).write_stdin(input.concat()).assert().success().stderr("");
    let found = answers(&run.get_output().stdout);
    let changed = |mut head: Value, octets: &[u8]| {
        head["length"] = octets.len().into();
        head["result"] = "changed".into();
        head["report"] = report_of_latin();
        (head, octets.to_vec())
    };
    let unchanged = |mut head: Value, octets: &[u8]| {
        head["length"] = octets.len().into();
        head["result"] = "unchanged".into();
        head["report"] = json!([]);
        (head, octets.to_vec())
    };
    let wanted = [
        changed(json!({"id": 1}), UTF8),
        unchanged(json!({"id": {"a": [null, "\n"]}}), PLAIN),
        unchanged(json!({"id": null}), b""),
        changed(json!({}), &[from, UTF8].concat()),
        unchanged(json!({"id": "keep"}), LATIN),
        changed(json!({}), UTF8),
    ];
    assert_eq!(found, wanted);
}

/// Other readers of JSON would write a number or an escape in another way.
#[test]
fn an_id_comes_back_as_it_was_written() {
    let id = "[1e400, 12345678901234567890123, \"\\ud800\", -0.0]";
    let line = format!(" {{ \"id\" : {id}, \"length\":0 }}\r\n");
    let line_back = format!("{{\"id\":{id},\"length\":0,\"result\":\"unchanged\",\"report\":[]}}\n");
    batch(&[]).write_stdin(line).assert().success().stdout(line_back);
}

#[test]
fn a_client_that_waits_for_each_answer_gets_it() {
    let mut client = Client::start(&[]);
    for id in 0..20 {
        let (raw, wanted) = if id % 2 == 0 { (LATIN, UTF8) } else { (PLAIN, PLAIN) };
        client.send(&json!({"id": id, "length": raw.len()}), raw);
        let (answer, octets) = client.answer();
        assert_eq!((answer["id"].as_i64(), octets.as_slice()), (Some(id), wanted));
    }
    assert_eq!(client.end(), (Some(0), String::new()));
}

#[test]
fn the_settings_decide_where_no_profile_is_named() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("septet.toml");
    let rules = "[profile.own]\nbase = \"keep\"\n[[rule]]\nprofile = \"own\"\nsender = \"a@example.org\"\n";
    std::fs::write(&file, rules).expect("settings");
    let file = file.to_str().expect("UTF-8");
    let by_rule = request(&json!({"length": LATIN.len()}), LATIN);
    let named = request(&json!({"length": LATIN.len(), "profile": "utf8"}), LATIN);
    let own = request(&json!({"length": LATIN.len(), "profile": "own"}), LATIN);
    for (arguments, wanted) in [(&[][..], [LATIN, UTF8, LATIN]), (&["--profile", "utf8"], [UTF8, UTF8, LATIN])] {
        let arguments = [&["--config", file], arguments].concat();
        let input = [by_rule.clone(), named.clone(), own.clone()].concat();
        let run = septet(&arguments).write_stdin(input).assert().success();
        let found: Vec<Vec<u8>> = answers(&run.get_output().stdout).into_iter().map(|(_, octets)| octets).collect();
        assert_eq!(found, wanted, "{arguments:?}");
    }
}

#[test]
fn a_profile_that_there_is_not_fails_that_message_alone() {
    let wrong = json!({"id": 1, "length": LATIN.len(), "profile": "utf9"});
    let input = [request(&wrong, LATIN), request(&json!({"id": 2, "length": LATIN.len()}), LATIN)].concat();
    let run = batch(&[]).write_stdin(input).assert().success().stderr("");
    let error = "no profile is named \"utf9\"; did you mean \"utf7\"?";
    let failed = json!({"id": 1, "length": LATIN.len(), "result": "failed", "error": error, "report": []});
    let changed = json!({"id": 2, "length": UTF8.len(), "result": "changed", "report": report_of_latin()});
    assert_eq!(answers(&run.get_output().stdout), [(failed, LATIN.to_vec()), (changed, UTF8.to_vec())]);
}

/// Attacks, by night a thousand, each in a process of its own and all of them in one.
#[test]
fn a_batch_gives_what_a_process_for_each_message_gives() {
    let compose = [message, mixed_message, worded_message];
    let count = if nightly() { 1000 } else { 60 };
    let raw: Vec<Vec<u8>> =
        (0..count).map(|seed| compose[seed % 3](&mut Choices::seeded(seed as u64 + 7000))).collect();
    let mut client = Client::start(&["--profile", "utf8"]);
    let mut changed = 0;
    for raw in &raw {
        client.send(&json!({"length": raw.len()}), raw);
        let (answer, octets) = client.answer();
        let alone = septet_alone().write_stdin(raw.as_slice()).assert().success();
        let alone = alone.get_output();
        assert!(alone.stdout == octets, "{}", raw.escape_ascii());
        let said = String::from_utf8_lossy(&alone.stderr).into_owned();
        let texts: Vec<&str> =
            answer["report"].as_array().expect("a list").iter().filter_map(|entry| entry["text"].as_str()).collect();
        let between = if texts.is_empty() { "" } else { ": " };
        let line = format!("septet: {}{between}{}\n", answer["result"].as_str().expect("a word"), texts.join("; "));
        assert_eq!(line, said);
        changed += usize::from(answer["result"] == "changed");
    }
    assert!(changed > count / 5, "{changed} changed");
    assert_eq!(client.end(), (Some(0), String::new()));
}

fn septet_alone() -> Command {
    let mut command = Command::cargo_bin("septet").expect("the program is built");
    command.args(["filter", "--verbose", "--config", "/dev/null", "--profile", "utf8"]);
    command
}
