//! What looks at settings: the flags of `check-config`, `profiles`, `charsets`, and what the host says.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::config::{septet, text};

const SAMPLE: &str = include_str!("../../config/septet.toml");

fn printed(args: &[&str]) -> String {
    let output = septet(args, &[]);
    assert_eq!(text(&output.stderr), "", "{args:?}");
    assert_eq!(output.status.code(), Some(0), "{args:?}");
    text(&output.stdout)
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&printed(args)).expect("JSON")
}

/// Gives the faults that `check-config` finds, one a line.
fn faults(args: &[&str], variables: &[(&str, &str)]) -> String {
    let output = septet(&[&["check-config"], args].concat(), variables);
    assert_eq!(output.status.code(), Some(78), "{args:?}");
    assert_eq!(text(&output.stdout), "", "{args:?}");
    text(&output.stderr)
}

#[test]
fn the_example_is_the_sample() {
    assert_eq!(printed(&["check-config", "--example"]), SAMPLE);
    assert_eq!(septet(&["check-config", "--example", "--json"], &[]).status.code(), Some(64));
}

#[test]
fn json_has_every_key_with_value_and_origin() {
    let all = json(&["check-config", "--config", "dots.toml", "--set", "limits.parts=500", "--json"]);
    assert_eq!(all["limits"]["parts"], serde_json::json!({"value": 500, "origin": "--set limits.parts"}));
    assert_eq!(all["default_profile"]["origin"], "dots.toml:2");
    assert_eq!(all["pidfile"], serde_json::json!({"value": null, "origin": "default"}));
    assert_eq!(all["listener"][0]["socket"]["value"], "inet:127.0.0.1:8891");
    let alias = &all["profile"]["site.utf8"]["charset_alias"];
    assert_eq!(alias["value"], serde_json::json!({"x.y": "utf-8", "x[9]": "latin1"}));
    assert_eq!(all["rule"], serde_json::json!([]));
}

#[test]
fn an_option_takes_strings_with_quotes_and_without() {
    let on_loss = |option: &str| {
        let all = json(&["check-config", "--set", option, "--json"]);
        all["profile"]["utf8"]["on_loss"]["value"].as_str().map(str::to_owned)
    };
    for option in
        ["profile.utf8.on_loss=replace", "profile.utf8.on_loss=\"replace\"", "profile.'utf8'.on_loss = 'replace'"]
    {
        assert_eq!(on_loss(option).as_deref(), Some("replace"), "{option}");
    }
    let all = json(&["check-config", "--json", "--set", "profile.utf8.charset_alias.\"x.y=z\"=latin1"]);
    assert_eq!(all["profile"]["utf8"]["charset_alias"]["value"], serde_json::json!({"x.y=z": "latin1"}));
    let all = json(&["check-config", "--json", "--set", "listener[0].socket=inet:127.0.0.1:1"]);
    assert_eq!(all["listener"][0]["socket"]["origin"], "--set listener[0].socket");
}

#[test]
fn an_option_that_is_no_toml_is_a_fault() {
    assert_eq!(
        faults(&["--set", "limits.parts='5'", "--set", "skip.clients=[\"x", "--set", "a.\"b\"c=1"], &[]),
        "--set a.\"b\"c: no path of a key; write TABLE.KEY\n\
         --set limits.parts: \"5\" is a string; write a whole number, without quotes\n\
         --set skip.clients: \"[\\\"x\" starts as TOML and isn't: unclosed array, expected `]`; \
         put a string that starts so in quotes\n",
    );
}

#[test]
fn a_bad_log_filter_is_a_fault() {
    let told = faults(&[], &[("SEPTET_LOG", "foo=bar=baz")]);
    assert!(told.starts_with("environment SEPTET_LOG: \"foo=bar=baz\" is not a valid filter: "), "{told}");
    assert!(told.ends_with("; write a level, or septet=debug\n") && told.lines().count() == 1, "{told}");
}

#[test]
fn what_the_host_lacks_is_a_fault() {
    let dir = tempfile::tempdir().expect("a folder");
    let here = dir.path().to_str().expect("UTF-8");
    let toml = format!(
        "[metrics]\nlisten = 'unix:{here}/file/m.sock'\ngroup = 'no such group'\n\
         [[listener]]\nsocket = 'unix:{here}/none/a.sock'\nuser = 'rooot'\n\
         [[listener]]\nsocket = 'unix:{here}/file'\nuser = 'root'\ngroup = '0'\n\
         [[listener]]\nsocket = 'unix:{here}/good.sock'\nprotocol = 'smtp'\nnext_hop = 'smtp:mail.example:25'\n\
         next_hop_ca_file = '{here}/ca.pem'\nnext_hop_user = 'x'\nnext_hop_password_file = '{here}/none/password'\n"
    );
    let file = dir.path().join("septet.toml");
    fs::write(&file, toml).expect("a file");
    fs::write(dir.path().join("file"), "").expect("a file");
    let name = file.to_str().expect("UTF-8");
    let told = faults(&["--config", name], &[]).replace(here, "");
    let wanted = "/septet.toml:2: metrics.listen: /file is no folder, so no socket can stand in it; write another path
/septet.toml:3: metrics.group: no group is named \"no such group\"; write one of /etc/group, or make the group
/septet.toml:5: listener[0].socket: the folder /none is not there; make it, as systemd does for RuntimeDirectory=
/septet.toml:6: listener[0].user: no user is named \"rooot\"; did you mean \"root\"?
/septet.toml:8: listener[1].socket: /file is a file and no socket; remove it, or write another path
/septet.toml:15: listener[2].next_hop_ca_file: the file /ca.pem is not there; make it, or write another path
/septet.toml:17: listener[2].next_hop_password_file: the file /none/password is not there; make it, or write another path
";
    assert_eq!(told, wanted);
    printed(&["check-config", "--any-host", "--config", name]);
}

#[test]
fn a_password_that_nobody_can_read_is_a_fault() {
    let dir = tempfile::tempdir().expect("a folder");
    let (password, name) = (dir.path().join("password"), dir.path().join("septet.toml"));
    let toml = format!(
        "user = '12345'\nhostname = 'mx.example.org'\n[[listener]]\nsocket = 'inet:127.0.0.1:10025'\nprotocol = 'smtp'\n\
         next_hop = 'smtp:mail.example:25'\nnext_hop_user = 'x'\nnext_hop_password_file = '{}'\n",
        password.display()
    );
    fs::write(&name, toml).expect("a file");
    let told = |written: &str, mode: u32| {
        fs::write(&password, written).expect("a file");
        fs::set_permissions(&password, fs::Permissions::from_mode(mode)).expect("its mode");
        let output = septet(&["check-config", "--config", name.to_str().expect("UTF-8")], &[]);
        text(&output.stderr).replace(dir.path().to_str().expect("UTF-8"), "")
    };
    let key = "/septet.toml:8: listener[0].next_hop_password_file: /password";
    for empty in ["", "\n", "\r\nsecret\n"] {
        assert_eq!(told(empty, 0o640), format!("{key} has no password on its first line; write it there\n"));
    }
    let closed = "the user 12345 can't read /password; give it to him, or to his group with mode 0640";
    assert_eq!(told("secret\n", 0o600), format!("{}\n", key.replace("/password", "") + closed));
    assert_eq!(told("secret\n", 0o640), "", "by its group it may be read");
    let open = "everybody may read /password, and so the password: chmod o-rwx";
    assert_eq!(told("secret\n", 0o644), format!("{}\n", key.replace("/password", "") + open));
}

#[test]
fn profiles_stand_side_by_side() {
    let table = printed(&["profiles", "eai", "utf8"]);
    assert!(table.starts_with("PROFILE "), "{table}");
    assert!(table.lines().any(|line| line.split_whitespace().eq(["headers", "utf8", "utf8-words"])), "{table}");
    let all = json(&["profiles", "--json", "--config", "dots.toml"]);
    assert_eq!(all["site.utf8"]["charset_alias"]["x.y"], "utf-8");
    assert_eq!(all["keep"]["unlabelled"], serde_json::json!(["utf-8"]));
    assert_eq!(all.as_object().map(serde_json::Map::len), Some(7));
    let wrong = septet(&["profiles", "utf9"], &[]);
    assert_eq!(wrong.status.code(), Some(64));
    assert_eq!(text(&wrong.stderr), "septet: no profile is named \"utf9\"; did you mean \"utf7\"?\n");
}

#[test]
fn charsets_have_every_label() {
    let table = printed(&["charsets"]);
    let line = table.lines().find(|line| line.starts_with("iso-8859-1 ")).expect("Latin-1");
    assert!(line.split_whitespace().any(|word| word == "windows-1252") && line.contains(" latin1 "), "{line}");
    let all = json(&["charsets", "--json"]);
    let rows = all.as_array().expect("a list");
    assert_eq!(rows.len() + 1, table.lines().count());
    for row in rows {
        let (charset, labels) = (row["charset"].as_str().expect("a name"), row["labels"].as_array().expect("labels"));
        assert!(row["read_as"].is_string() && labels.iter().any(|label| label == charset), "{row}");
        for label in labels.iter().filter_map(Value::as_str) {
            let found = septet::coding::charset::Labels::default().find_registered(label.as_bytes());
            assert_eq!(found.map(|found| found.name()), Some(charset), "{label}");
        }
    }
}
