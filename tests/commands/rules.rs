//! `[[rule]]` where there is no listener: `convert`, `filter` and `explain` go by it as listeners do.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

use crate::convert::report::lines;
use crate::convert::{Folder, LATIN, UTF8, convert, mbox, names};

/// A message to a list, and one by its sender; each is `LATIN` under more fields.
fn to_list() -> Vec<u8> {
    [b"List-Id: Devel <devel.lists.example.org>\n", LATIN].concat()
}

fn from_path() -> Vec<u8> {
    [b"Return-Path: <old@example.net>\n", LATIN].concat()
}

/// Puts settings with rules by list, sender and header, and two that only a listener can follow.
fn settings(folder: &Folder) -> PathBuf {
    folder.put(
        "septet.toml",
        b"[[rule]]\nprofile = \"keep\"\nclient = \"192.0.2.0/24\"\n\
          [[rule]]\nprofile = \"keep\"\nrecipient = \"*@example.org\"\n\
          [[rule]]\nprofile = \"ascii\"\nlist_id = \"devel.lists.example.org\"\n\
          [[rule]]\nprofile = \"keep\"\nsender = \"*@example.net\"\n\
          [[rule]]\nprofile = \"seven-bit\"\nheader = \"X-Mailer: *Old*\"\n",
    )
}

fn septet(args: &[&str], settings: &Path) -> Command {
    let mut command = Command::cargo_bin("septet").expect("the program is built");
    command.env_remove("SEPTET_CONFIG").args(args).arg("--config").arg(settings);
    command
}

fn said(run: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&run.get_output().stderr).into_owned()
}

#[test]
fn an_archive_is_converted_by_rule() {
    let folder = Folder::new();
    let mailer = [b"X-Mailer: Very Old 1.0\n", LATIN].concat();
    let input = folder.put("a.mbox", &mbox(&[LATIN, &to_list(), &from_path(), &mailer]));
    let (settings, out, report) = (settings(&folder), folder.path("out.mbox"), folder.path("r.jsonl"));
    let mut run = convert();
    let run = run.arg("--config").arg(&settings).arg("--verify").arg("-o").arg(&out);
    let run = run.arg("--report").arg(&report).arg(&input).assert().success();
    let profiles: Vec<String> =
        lines(&report).iter().map(|line| line["profile"].as_str().expect("a name").to_owned()).collect();
    assert_eq!(profiles, ["utf8", "ascii", "keep", "seven-bit"]);
    let written = fs::read(&out).expect("an output");
    let has = |piece: &[u8]| memchr::memmem::find(&written, piece).is_some();
    assert!(has(UTF8) && has(b"\n\ncaf&#xE9;\n") && has(&from_path()) && has(b"\n\ncaf=E9\n"));
    let said = said(&run);
    let (path, ends) = (settings.display(), "so this rule never holds here\n");
    assert!(
        said.contains(&format!("septet: {path}:3: rule[0].client: only a listener knows the client, {ends}")),
        "{said}"
    );
    assert!(
        said.contains(&format!("septet: {path}:6: rule[1].recipient: only a listener knows the recipient, {ends}")),
        "{said}"
    );
    assert!(said.contains(", profile utf8 (by rule: keep, ascii, seven-bit)\n"), "{said}");
}

#[test]
fn a_maildir_and_a_message_alone_go_by_rule_too() {
    let folder = Folder::new();
    folder.put("box/cur/1:2,S", &from_path());
    folder.put("box/new/2", LATIN);
    fs::create_dir_all(folder.path("box/tmp")).expect("a folder");
    let settings = settings(&folder);
    convert().arg("--config").arg(&settings).args(["-q", "--in-place"]).arg(folder.path("box")).assert().success();
    assert_eq!(fs::read(folder.path("box/cur/1:2,S")).expect("a message"), from_path());
    let new = names(&folder.path("box/new"));
    assert_eq!(fs::read(folder.path("box/new").join(&new[0])).expect("a message"), UTF8, "{new:?}");
    let alone = folder.put("a.eml", &from_path());
    let run = convert().arg("--config").arg(&settings).arg(&alone).assert().success();
    assert_eq!(run.get_output().stdout, from_path());
}

/// As with a listener: who names a profile wants that one, and no rule is asked.
#[test]
fn a_profile_that_is_named_goes_before_rules() {
    let folder = Folder::new();
    let settings = settings(&folder);
    let run =
        septet(&["convert", "--profile=utf8"], &settings).arg(folder.put("a.eml", &from_path())).assert().success();
    assert_ne!(run.get_output().stdout, from_path());
    assert!(!said(&run).contains("rule"), "{}", said(&run));
}

#[test]
fn a_pipe_goes_by_rule_and_speaks_of_it_when_asked() {
    let folder = Folder::new();
    let settings = settings(&folder);
    septet(&["filter"], &settings).write_stdin(from_path()).assert().success().stdout(from_path()).stderr("");
    septet(&["filter"], &settings).write_stdin(LATIN).assert().success().stdout(UTF8).stderr("");
    let run = septet(&["filter", "-v"], &settings).write_stdin(LATIN).assert().success();
    assert!(said(&run).contains("rule[0].client: only a listener"), "{}", said(&run));
    let from_line = [b"From old@example.net Mon Jan  1 00:00:00 2007\n", LATIN].concat();
    septet(&["filter"], &settings).write_stdin(from_line.clone()).assert().success().stdout(from_line);
}

#[test]
fn what_is_explained_is_what_would_be_done() {
    let folder = Folder::new();
    let (settings, input) = (settings(&folder), folder.put("a.mbox", &mbox(&[LATIN, &to_list(), &from_path()])));
    for (number, plan) in [
        ("1", "plan, profile utf8: changed\n"),
        ("2", "plan, profile ascii: changed\n"),
        ("3", "plan, profile keep: unchanged\n"),
    ] {
        let run = septet(&["explain", "--message", number], &settings).arg(&input).assert().success();
        let shown = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
        assert!(shown.contains(plan), "{shown}");
        assert!(said(&run).contains("rule[1].recipient: only a listener"), "{}", said(&run));
    }
    let run = septet(&["explain", "--json"], &settings).arg(&input).assert().success();
    assert!(String::from_utf8_lossy(&run.get_output().stdout).contains("\"profile\":\"ascii\""));
}

/// Shards that were made by other rules are not joined.
#[test]
fn shards_go_by_rule_and_are_of_these_rules_alone() {
    let folder = Folder::new();
    let input = folder.put("a.mbox", &mbox(&[LATIN, &from_path()]));
    let (settings, plan, shards) = (settings(&folder), folder.path("plan.jsonl"), folder.path("shards"));
    let septet_plan = || Command::cargo_bin("septet").expect("the program is built");
    let planned = septet_plan().args(["plan", "--target=1MB"]).arg(&input).assert().success();
    fs::write(&plan, &planned.get_output().stdout).expect("a plan");
    let of_plan = |command: &mut Command| {
        command.arg("--plan").arg(&plan).arg("--out-dir").arg(&shards);
    };
    let mut shard = septet(&["convert", "--shard", "0"], &settings);
    of_plan(&mut shard);
    shard.assert().success();
    let out = folder.path("out.mbox");
    let mut join = Command::cargo_bin("septet").expect("the program is built");
    of_plan(join.env_remove("SEPTET_CONFIG").arg("join"));
    join.arg("-o").arg(&out).assert().failure();
    let mut join = septet(&["join"], &settings);
    of_plan(&mut join);
    join.arg("-o").arg(&out).assert().success();
    let whole = septet(&["convert"], &settings).arg(&input).assert().success();
    assert!(fs::read(&out).expect("an output") == whole.get_output().stdout);
}
