//! Where the inputs of a plan are, and where what is joined goes.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;

use super::shards::{archive, tree};
use super::{Folder, LATIN, PLAIN, mbox};

/// Runs septet in a folder.
fn septet(folder: &Path, words: &str) -> Assert {
    let mut command = Command::cargo_bin("septet").expect("the program is built");
    command.env_remove("SEPTET_CONFIG").current_dir(folder).args(words.split_whitespace()).assert()
}

fn said(run: &Assert) -> String {
    String::from_utf8_lossy(&run.get_output().stderr).into_owned()
}

fn lines_of(plan: &Path) -> usize {
    fs::read_to_string(plan).expect("a plan").lines().count()
}

/// Converts all shards of a plan from a folder, into `shards` beside the mail.
fn convert_all(from: &Path, plan: &Path, folder: &Folder) {
    for shard in 0..lines_of(plan) {
        let dir = folder.path("shards");
        let words = format!("convert --plan {} --shard {shard} --out-dir {}", plan.display(), dir.display());
        septet(from, &words).success();
    }
}

fn reads_the_same(folder: &Folder, one: &str, other: &str) {
    let read = |name: &str| fs::read_to_string(folder.path(name)).expect("a report");
    assert!(!read(one).is_empty() && read(one) == read(other), "{one} {other}");
}

/// Workers of a cluster stand in folders of their own; names in reports are those that were given.
#[test]
fn a_plan_finds_its_inputs_from_anywhere() {
    for (stands, plan, inputs) in [
        ("mail", "plan.jsonl", "a.mbox box one.eml"),
        ("mail", "../plans/deep/p.jsonl", "a.mbox box one.eml"),
        ("", "plans/p.jsonl", "mail/box mail/one.eml"),
        ("plans", "p.jsonl", "../mail/a.mbox"),
    ] {
        let folder = Folder::new();
        archive(&folder);
        ["mail", "plans/deep", "worker", "moved"]
            .iter()
            .for_each(|name| fs::create_dir_all(folder.path(name)).expect("a folder"));
        for name in ["a.mbox", "box", "one.eml"] {
            fs::rename(folder.path(name), folder.path("mail").join(name)).expect("moved");
        }
        let stands = folder.path(stands);
        let out = folder.path("whole");
        let report = folder.path("whole.jsonl");
        septet(&stands, &format!("convert {inputs} -o {} --report {}", out.display(), report.display())).success();
        septet(&stands, &format!("plan --target 40KB -o {plan} {inputs}")).success();
        // All of it is moved, as a folder that another machine mounts elsewhere.
        let (before, after) = (stands.join(plan), folder.path("moved/here"));
        let before = fs::canonicalize(before).expect("a plan");
        let below = before.strip_prefix(fs::canonicalize(folder.path("")).expect("a folder")).expect("below");
        fs::create_dir(&after).expect("a folder");
        ["mail", "plans"].iter().for_each(|it| fs::rename(folder.path(it), after.join(it)).expect("moved"));
        let plan = after.join(below);
        convert_all(&folder.path("worker"), &plan, &folder);
        let join = format!("join --plan {} --out-dir ../shards -o ../joined --report ../joined.jsonl", plan.display());
        septet(&folder.path("worker"), &join).success();
        assert!(tree(&folder.path("joined")) == tree(&folder.path("whole")), "{inputs}");
        reads_the_same(&folder, "joined.jsonl", "whole.jsonl");
    }
}

/// A plan that went to standard output does not know its folder: names that lead to nothing from there are from where a
/// worker stands.
#[test]
fn a_plan_of_standard_output_is_read_from_the_working_directory_too() {
    let folder = Folder::new();
    archive(&folder);
    fs::create_dir(folder.path("plans")).expect("a folder");
    let run = septet(&folder.path(""), "plan --target 40KB a.mbox -o -").success();
    let plan = folder.put("plans/p.jsonl", &run.get_output().stdout);
    convert_all(&folder.path(""), &plan, &folder);
    septet(&folder.path(""), "join --plan plans/p.jsonl --out-dir shards -o joined").success();
    septet(&folder.path(""), "convert a.mbox -o whole").success();
    assert!(tree(&folder.path("joined")) == tree(&folder.path("whole")));
}

#[test]
fn folders_are_planned_as_convert_walks_them() {
    for targets in ["2KB", "1MiB"] {
        let folder = Folder::new();
        archive(&folder);
        fs::create_dir_all(folder.path("store/deep/er")).expect("a folder");
        folder.put("store/Inbox", &mbox(&[LATIN, PLAIN, LATIN]));
        for (name, to) in [("b.mbox", "deep/Inbox"), ("one.eml", "deep/er/1.eml"), ("box", "zbox")] {
            fs::rename(folder.path(name), folder.path("store").join(to)).expect("moved");
        }
        folder.put("store/index.msf", b"// no mail\n");
        folder.put("store/deep/empty.mbox", b"");
        let here = folder.path("");
        septet(&here, &format!("plan --target {targets} store")).code(66);
        septet(&here, "convert -r store -o whole --report whole.jsonl --report whole.csv").success();
        let run = septet(&here, &format!("plan -r --target {targets} -o plan.jsonl store")).success();
        assert!(said(&run).contains("skipped, not mail: store/index.msf"), "{}", said(&run));
        convert_all(&here, &folder.path("plan.jsonl"), &folder);
        let join = "join --plan plan.jsonl --out-dir shards -o joined --report joined.jsonl --report joined.csv";
        septet(&here, join).success();
        assert!(tree(&folder.path("joined")) == tree(&folder.path("whole")), "{targets}");
        reads_the_same(&folder, "joined.jsonl", "whole.jsonl");
        reads_the_same(&folder, "joined.csv", "whole.csv");
    }
}

/// Even where no file of a folder has a message, what is skipped is told.
#[test]
fn a_plan_of_empty_mailboxes_tells_what_is_skipped() {
    let folder = Folder::new();
    folder.put("store/empty.mbox", b"");
    folder.put("store/index.msf", b"// no mail\n");
    let here = folder.path("");
    septet(&here, "convert -r store -o whole --report whole.jsonl").success();
    septet(&here, "plan -r -o plan.jsonl store").success();
    convert_all(&here, &folder.path("plan.jsonl"), &folder);
    septet(&here, "join --plan plan.jsonl --out-dir shards -o joined --report joined.jsonl").success();
    assert!(tree(&folder.path("joined")) == tree(&folder.path("whole")));
    reads_the_same(&folder, "joined.jsonl", "whole.jsonl");
}

#[test]
fn a_plan_takes_its_place_whole_and_that_of_no_input() {
    let folder = Folder::new();
    let old = folder.put("a.mbox", &mbox(&[LATIN, PLAIN]));
    let here = folder.path("");
    folder.put("same/a.mbox", &mbox(&[PLAIN]));
    septet(&here, "plan a.mbox -o ./a.mbox").code(64);
    assert_eq!(fs::read(&old).expect("the input"), mbox(&[LATIN, PLAIN]));
    septet(&here, "plan a.mbox nowhere.mbox -o plan.jsonl").code(66);
    let run = septet(&here, "plan a.mbox same/a.mbox -o plan.jsonl").code(64);
    assert!(said(&run).contains("two inputs are named a.mbox"), "{}", said(&run));
    septet(&here, "plan a.mbox -o none/plan.jsonl").code(73);
    assert_eq!(folder.names(), ["a.mbox", "same"]);
}

#[test]
fn joined_shards_go_to_standard_output() {
    let folder = Folder::new();
    archive(&folder);
    let here = folder.path("");
    for (inputs, code) in [("a.mbox", 0), ("a.mbox b.mbox", 64), ("box", 64)] {
        let _ = fs::remove_dir_all(folder.path("shards"));
        septet(&here, &format!("plan --target 40KB -o plan.jsonl {inputs}")).success();
        convert_all(&here, &folder.path("plan.jsonl"), &folder);
        let run = septet(&here, "join --plan plan.jsonl --out-dir shards -o - --report r.jsonl").code(code);
        assert!(!folder.path("-").exists());
        if code == 0 {
            septet(&here, "convert a.mbox -o whole --report whole.jsonl").success();
            assert!(run.get_output().stdout == fs::read(folder.path("whole")).expect("a file"));
            assert!(said(&run).contains("joined in standard output"), "{}", said(&run));
            reads_the_same(&folder, "r.jsonl", "whole.jsonl");
        } else {
            assert!(run.get_output().stdout.is_empty() && said(&run).contains("can't go to standard output"));
        }
    }
    septet(&here, "plan --target 40KB -o plan.jsonl a.mbox").success();
    let _ = fs::remove_dir_all(folder.path("shards"));
    convert_all(&here, &folder.path("plan.jsonl"), &folder);
    // The last piece is damaged: the first does not go out either.
    let last = lines_of(&folder.path("plan.jsonl")) - 1;
    fs::write(folder.path(&format!("shards/{last:05}-0.mbox")), b"x").expect("a file");
    let run = septet(&here, "join --plan plan.jsonl --out-dir shards -o -").code(65);
    assert!(run.get_output().stdout.is_empty(), "{}", said(&run));
}

#[test]
fn no_joined_input_takes_the_place_of_another() {
    let folder = Folder::new();
    folder.put("one/a.mbox", &mbox(&[LATIN]));
    folder.put("two/b.mbox", &mbox(&[PLAIN]));
    let here = folder.path("");
    let run = septet(&here, "plan one/a.mbox two/b.mbox").success();
    let plan = String::from_utf8_lossy(&run.get_output().stdout).replace("two/b.mbox", "two/a.mbox");
    fs::rename(folder.path("two/b.mbox"), folder.path("two/a.mbox")).expect("moved");
    let plan = folder.put("plan.jsonl", plan.as_bytes());
    convert_all(&here, &plan, &folder);
    let run = septet(&here, "join --plan plan.jsonl --out-dir shards -o out").code(64);
    assert!(said(&run).contains("two inputs would go to out/a.mbox"), "{}", said(&run));
    assert!(!folder.path("out").exists());
}

/// What a join reads was replaced by what came of it.
#[test]
fn a_join_replaces_nothing_that_it_reads() {
    let folder = Folder::new();
    archive(&folder);
    folder.put("c.toml", b"");
    let here = folder.path("");
    septet(&here, "plan --target 40KB -o plan.jsonl a.mbox").success();
    convert_all(&here, &folder.path("plan.jsonl"), &folder);
    let before = folder.names();
    for (place, what) in [
        ("plan.jsonl", "the plan"),
        ("c.toml", "a file of settings"),
        ("shards/00000-0.mbox", "what a shard wrote"),
        ("shards/00001.jsonl", "what a shard wrote"),
        ("shards/00000.ok", "what a shard wrote"),
        ("a.mbox", "an input"),
    ] {
        let sum = fs::read(folder.path(place)).expect("a file");
        let mut words = vec![format!("-o {place}")];
        words.extend(place.ends_with("jsonl").then(|| format!("-o out --report {place}")));
        for to in words {
            let run = septet(&here, &format!("join --config c.toml --plan plan.jsonl --out-dir shards {to}")).code(64);
            assert!(said(&run).contains(&format!("{place} is {what}")), "{to}: {}", said(&run));
            assert_eq!(folder.names(), before, "{to}");
            assert_eq!(fs::read(folder.path(place)).expect("a file"), sum, "{to}");
        }
    }
    let words = "join --plan plan.jsonl --out-dir shards -o out --report r.jsonl --report r.jsonl";
    assert!(said(&septet(&here, words).code(64)).contains("two reports would go to r.jsonl"));
}

/// Subfolders were no Maildirs, and settings of a Maildir that was there were replaced.
#[test]
fn a_joined_maildir_is_one_with_its_subfolders() {
    let folder = Folder::new();
    for name in ["box/cur/1:2,", "box/.Sent/cur/2:2,S", "joined/cur/9:2,"] {
        folder.put(name, LATIN);
    }
    for name in ["box/new", "box/tmp", "box/.Sent/new", "box/.Sent/tmp", "joined/new", "joined/tmp"] {
        fs::create_dir_all(folder.path(name)).expect("a folder");
    }
    folder.put("box/dovecot-keywords", b"0 theirs\n");
    folder.put("joined/dovecot-keywords", b"0 ours\n");
    let here = folder.path("");
    septet(&here, "plan -o plan.jsonl box").success();
    convert_all(&here, &folder.path("plan.jsonl"), &folder);
    septet(&here, "join --plan plan.jsonl --out-dir shards -o joined").success();
    for name in ["joined/.Sent/new", "joined/.Sent/tmp", "joined/.Sent/cur"] {
        assert!(folder.path(name).is_dir(), "{name}");
    }
    assert_eq!(fs::read(folder.path("joined/dovecot-keywords")).expect("a file"), b"0 ours\n");
}

/// An address is no name of a file: what to type instead is said.
#[test]
fn an_address_says_how_its_mail_comes_in() {
    let folder = Folder::new();
    let here = folder.path("");
    let address = "s3://bucket/all.mbox";
    for command in ["convert", "convert -r -o out", "explain", "advise", "text --from latin1 --to utf-8"] {
        let run = septet(&here, &format!("{command} {address}")).code(66);
        assert!(said(&run).contains(&format!("pipe it in: aws s3 cp {address} - | septet … -")), "{}", said(&run));
    }
    let run = septet(&here, "convert https://example.org/all.mbox").code(66);
    assert!(said(&run).contains("curl -fsSL https://example.org/all.mbox | septet … -"), "{}", said(&run));
    let run = septet(&here, &format!("plan {address}")).code(64);
    assert!(said(&run).contains(&format!("{address} can't be cut: only a file can")), "{}", said(&run));
}

/// A plan took the place of a message of the Maildir that it was of; one from elsewhere led out of OUT.
#[test]
fn a_plan_replaces_no_message_and_leads_nowhere_else() {
    let folder = Folder::new();
    folder.put("md/cur/1.h:2,S", LATIN);
    fs::create_dir_all(folder.path("md/new")).expect("a folder");
    let refused = septet(&folder.path(""), "plan -o md/cur/1.h:2,S md").code(64);
    assert!(said(&refused).contains("1.h:2,S is an input"), "{refused}");
    assert_eq!(fs::read(folder.path("md/cur/1.h:2,S")).expect("a message"), LATIN);

    folder.put("MH/inbox/1", LATIN);
    folder.put("MH/inbox/.mh_sequences", b"unseen: 1\n");
    septet(&folder.path(""), "plan -r -o plan.jsonl MH").success();
    convert_all(&folder.path(""), &folder.path("plan.jsonl"), &folder);
    septet(&folder.path(""), "join --plan plan.jsonl --out-dir shards -o joined").success();
    assert_eq!(fs::read(folder.path("joined/inbox/.mh_sequences")).expect("marks"), b"unseen: 1\n");
    let plan = fs::read_to_string(folder.path("plan.jsonl")).expect("a plan").replace("\"inbox/1\"", "\"../../1\"");
    folder.put("evil.jsonl", plan.as_bytes());
    fs::remove_dir_all(folder.path("shards")).expect("a folder");
    convert_all(&folder.path(""), &folder.path("evil.jsonl"), &folder);
    let refused = septet(&folder.path(""), "join --plan evil.jsonl --out-dir shards -o again").code(64);
    assert!(said(&refused).contains("not below OUT"), "{refused}");
}
