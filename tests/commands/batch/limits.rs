//! Messages beyond a limit, which end no batch.

use std::io::Write as _;

use serde_json::{Value, json};

use super::client::{Client, answer, answers, batch, request, septet};
use crate::convert::{LATIN, UTF8};

/// What is reported of a message over the limit.
fn over(limit: usize) -> Value {
    let text = format!("message left=limit(message_bytes {limit})");
    json!([{"part": "1", "place": "message", "left": "limit", "text": text}])
}

#[test]
fn a_message_over_the_limit_goes_through_as_it_comes() {
    let mut client = Client::start(&["--set", "limits.message_bytes=1000"]);
    let giant = [LATIN, &b"x".repeat(3_000_000)].concat();
    client.send(&json!({"id": 1, "length": giant.len()}), &giant[..100]);
    let (input, output) = client.ends();
    std::thread::scope(|scope| {
        // More than a pipe holds, so that septet must give out what it takes in.
        scope.spawn(|| input.write_all(&giant[100..]).expect("septet reads"));
        let (answer, octets) = answer(output);
        assert_eq!(answer, json!({"id": 1, "length": giant.len(), "result": "left", "report": over(1000)}));
        assert!(octets == giant);
    });
    assert_eq!(client.end(), (Some(0), String::new()));
}

#[test]
fn at_the_limit_a_message_is_still_read() {
    let limit = format!("limits.message_bytes={}", LATIN.len());
    let run = batch(&["--set", &limit]).write_stdin(request(&json!({"length": LATIN.len()}), LATIN)).assert().success();
    assert_eq!(answers(&run.get_output().stdout)[0].1, UTF8);
}

#[test]
fn a_length_may_be_the_largest_that_there_is() {
    let run = batch(&[]).write_stdin("{\"length\":18446744073709551615}\nabc").assert().code(65);
    let [(answer, octets)] = &answers(&run.get_output().stdout)[..] else { panic!("one answer") };
    assert_eq!((answer["length"].as_u64(), octets.as_slice()), (Some(u64::MAX), &b"abc"[..]));
}

#[test]
fn what_the_settings_refuse_comes_back_as_it_came_and_is_told() {
    let input = request(&json!({"id": 1, "length": LATIN.len()}), LATIN);
    for (limit, key) in [("limits.message_bytes=50", "message_bytes"), ("limits.header_bytes=20", "header_bytes")] {
        for action in ["tempfail", "reject"] {
            let set = format!("limits.on_limit.{key}={action}");
            let run = batch(&["--set", limit, "--set", &set]).write_stdin(input.clone()).assert().success();
            let [(answer, octets)] = &answers(&run.get_output().stdout)[..] else { panic!("one answer") };
            assert_eq!(
                (octets.as_slice(), &answer["result"], &answer["action"]),
                (LATIN, &json!("failed"), &json!(action))
            );
            let value = limit.rsplit('=').next().expect("a value");
            let error = format!("message over limit: {key} {value} (limits.on_limit = \"{action}\")");
            assert_eq!(answer["error"], error);
            assert_eq!(answer["report"][0]["left"], "limit");
        }
    }
}

/// A rule may keep what is over the limit, and then nothing was left undone: `septet filter` says so too.
#[test]
fn a_rule_sees_the_header_of_a_message_over_the_limit() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("septet.toml");
    let rule = "[limits]\nmessage_bytes = 100\non_limit = \"reject\"\n[[rule]]\nprofile = \"keep\"\nsender = \"a@example.org\"\n";
    std::fs::write(&file, rule).expect("settings");
    let mut run = septet(&["--config", file.to_str().expect("UTF-8")]);
    let other = [b"From: b@example.org\n", &LATIN[20..]].concat();
    let giant = [LATIN, &b"x".repeat(100_000)].concat();
    let input = [&giant, &other].map(|raw| request(&json!({"length": raw.len()}), raw)).concat();
    let run = run.write_stdin(input).assert().success();
    let found = answers(&run.get_output().stdout);
    assert_eq!((&found[0].0["result"], &found[1].0["result"]), (&json!("unchanged"), &json!("failed")));
    assert!(found[0].1 == giant && found[1].1 == other);
}

/// Once what the giant had taken counted as taken for ever: under some limits nothing had room behind it.
#[test]
fn too_little_memory_fails_that_message_alone() {
    let giant = [LATIN, &b"gr\xfc\xdfe\r\n".repeat(4_000_000)].concat();
    let input = [
        request(&json!({"id": 1, "length": giant.len()}), &giant),
        request(&json!({"id": 2, "length": LATIN.len()}), LATIN),
    ];
    let program = assert_cmd::cargo::cargo_bin("septet");
    // Between these a limit lets it be read, or be looked through, but not be planned. The program as tests have it
    // takes half of the first.
    for kib in (60_000..150_000).step_by(10_000) {
        let script = format!("ulimit -v {kib}; exec \"$1\" filter --batch --config /dev/null");
        let mut shell = assert_cmd::Command::new("sh");
        let run =
            shell.args(["-c", &script, "sh"]).arg(&program).write_stdin(input.concat()).assert().success().stderr("");
        let [(failed, as_it_came), (changed, utf8)] = &answers(&run.get_output().stdout)[..] else { panic!("two") };
        assert!(failed["result"] == "failed" && failed["error"].to_string().contains("ulimit -v"), "{kib}: {failed}");
        assert!(*as_it_came == giant && changed["result"] == "changed" && utf8 == UTF8, "{kib}");
    }
}
