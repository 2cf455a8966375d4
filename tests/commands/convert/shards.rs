//! `plan`, `convert --plan --shard`, `join`: the result is that of one `convert`.

use std::fs;
use std::path::{Path, PathBuf};

use septet_support::nightly;

use assert_cmd::Command;
use serde_json::Value;

use super::page::timeless;
use super::{Folder, LATIN, PLAIN, convert, mbox, names, sample};

pub fn septet(folder: &Folder, words: &str) -> Command {
    let mut command = Command::cargo_bin("septet").expect("the program is built");
    command.env_remove("SEPTET_CONFIG").current_dir(folder.path("")).args(words.split_whitespace());
    command
}

/// Plans inputs, and writes the plan; gives how many shards it has.
fn plan(folder: &Folder, target: &str, inputs: &str) -> usize {
    let run = septet(folder, &format!("plan --target {target} {inputs}")).assert().success();
    folder.put("plan.jsonl", &run.get_output().stdout);
    String::from_utf8_lossy(&run.get_output().stdout).lines().count()
}

pub fn archive(folder: &Folder) {
    let sample = fs::read(sample()).expect("the sample");
    folder.put("a.mbox", &[mbox(&[LATIN, PLAIN]), sample.clone(), mbox(&[PLAIN, LATIN])].concat().repeat(40));
    folder.put("b.mbox", &sample);
    folder.put("one.eml", LATIN);
    for number in 0..30 {
        folder.put(&format!("box/cur/17{number:02}.host,S=5:2,S"), if number % 2 == 0 { LATIN } else { PLAIN });
    }
    folder.put("box/new/2.host", LATIN);
    fs::create_dir_all(folder.path("box/tmp")).expect("a folder");
}

pub fn tree(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    if folder.is_file() {
        return vec![(PathBuf::new(), fs::read(folder).expect("a file"))];
    }
    let mut found = Vec::new();
    for name in names(folder) {
        let below = tree(&folder.join(&name));
        found.extend(below.into_iter().map(|(path, octets)| (Path::new(&name).join(path), octets)));
    }
    found
}

#[test]
fn joined_shards_are_one_conversion() {
    for (inputs, targets) in [
        ("a.mbox", ["1KiB", "20KB", "1GiB"]),
        ("b.mbox", ["100", "1KiB", "2KiB"]),
        ("box", ["500", "2KiB", "1MiB"]),
        ("b.mbox box one.eml a.mbox", ["900", "30KiB", "1MiB"]),
        ("one.eml", ["1", "1KiB", "1MiB"]),
    ] {
        for target in targets.into_iter().take(if nightly() { 3 } else { 1 }) {
            let folder = Folder::new();
            archive(&folder);
            septet(
                &folder,
                &format!("convert {inputs} -o whole --report whole.jsonl --report whole.csv --report whole.html"),
            )
            .assert()
            .success();
            let shards = plan(&folder, target, inputs);
            for shard in (0..shards).rev() {
                septet(&folder, &format!("convert --plan plan.jsonl --shard {shard} --out-dir dir")).assert().success();
            }
            let join = "join --plan plan.jsonl --out-dir dir -o joined --report joined.jsonl --report joined.csv --report joined.html";
            septet(&folder, join).assert().success();
            assert!(tree(&folder.path("joined")) == tree(&folder.path("whole")), "{inputs}, {target}, {shards} shards");
            for ending in ["jsonl", "csv"] {
                let read = |name| fs::read_to_string(folder.path(&format!("{name}.{ending}"))).expect("a report");
                assert!(read("joined") == read("whole"), "{inputs}, {target}: {ending}");
            }
            let page = |name| fs::read_to_string(folder.path(&format!("{name}.html"))).expect("a page");
            let joined = timeless(&page("joined"), &folder).replace("<bdi>joined", "<bdi>whole");
            assert_eq!(joined, timeless(&page("whole"), &folder), "{inputs}, {target}, {shards} shards");
        }
    }
}

/// Wherever an archive is cut, a message starts there, and every octet is in one shard.
#[test]
fn cuts_are_where_messages_start() {
    let folder = Folder::new();
    let nasty = b"A: b\n\nFrom here\n\nFrom now on\n>From there\n\nFrom x Mon Jan  1 00:00:00\nx\n";
    let octets = [mbox(&[nasty, LATIN, PLAIN]), fs::read(sample()).expect("the sample")].concat().repeat(5);
    folder.put("a.mbox", &octets);
    let run = septet(&folder, "convert a.mbox -n --report r.jsonl").assert().success();
    drop(run);
    let starts: Vec<u64> = super::report::lines(&folder.path("r.jsonl"))
        .iter()
        .map(|line| line["offset"].as_u64().expect("a number"))
        .collect();
    for target in (1..4000).step_by(37) {
        let run = septet(&folder, &format!("plan --target {target} a.mbox")).assert().success();
        let text = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
        let mut end = 0;
        for line in text.lines() {
            let shard: Value = serde_json::from_str(line).expect("an object");
            for piece in shard["pieces"].as_array().expect("pieces") {
                assert_eq!(piece["start"], end, "{target}: {line}");
                assert!(starts.contains(&end), "{target}: {line}");
                end = piece["end"].as_u64().expect("a number");
            }
        }
        assert_eq!(end, octets.len() as u64, "{target}");
    }
}

#[test]
fn a_finished_shard_is_not_done_again_and_a_damaged_one_is() {
    let folder = Folder::new();
    archive(&folder);
    let shards = plan(&folder, "20KB", "a.mbox");
    assert!(shards > 3);
    let shard = |number: usize| septet(&folder, &format!("convert --plan plan.jsonl --shard {number} --out-dir dir"));
    (0..shards).for_each(|number| _ = shard(number).assert().success());
    let before = names(&folder.path("dir"));
    assert_eq!(before.len(), 3 * shards, "an output, a report and an .ok each: {before:?}");
    let age = |name: &str| fs::metadata(folder.path("dir").join(name)).expect("a file").modified().expect("a time");
    let (ok, report) = (age("00001.ok"), age("00001.jsonl"));
    let again = shard(1).assert().success();
    assert!(String::from_utf8_lossy(&again.get_output().stderr).contains("is done already"));
    assert_eq!((age("00001.ok"), age("00001.jsonl")), (ok, report));
    let join = || septet(&folder, "join --plan plan.jsonl --out-dir dir -o joined");
    // Damaged, missing, of another profile: nothing is joined, and the shard is named.
    let output = folder.path("dir/00001-0.mbox");
    let good = fs::read(&output).expect("a file");
    let mut bad = good.clone();
    bad[100] ^= 1;
    fs::write(&output, &bad).expect("a file");
    let run = join().assert().code(65);
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("shard 1"));
    fs::write(&output, &good[..100]).expect("a file");
    join().assert().code(65);
    shard(1).assert().success();
    join().assert().success();
    fs::remove_file(folder.path("joined")).expect("removed");
    fs::remove_file(folder.path("dir/00002.ok")).expect("removed");
    join().assert().code(66);
    shard(2).arg("--profile=ascii").assert().success();
    join().assert().code(65);
    shard(2).assert().success();
    septet(&folder, "join --plan plan.jsonl --out-dir dir -o joined --profile ascii").assert().code(65);
    // The input changed, with its size and without.
    fs::remove_file(folder.path("dir/00000.ok")).expect("removed");
    let old = fs::read(folder.path("a.mbox")).expect("a file");
    fs::write(folder.path("a.mbox"), [b"From x\n", old.as_slice()].concat()).expect("a file");
    shard(0).assert().code(65);
    let mut other = old.clone();
    other[50] ^= 1;
    fs::write(folder.path("a.mbox"), &other).expect("a file");
    shard(0).assert().code(65);
    assert!(!folder.path("dir/00000.ok").exists() && !folder.path("joined").exists());
    assert!(!names(&folder.path("dir")).iter().any(|name| name.starts_with('.')));
}

/// It joined what it had with 0, and the mail of the others was lost; of an empty plan it joined nothing.
#[test]
fn a_plan_that_lost_lines_is_refused() {
    let folder = Folder::new();
    archive(&folder);
    let shards = plan(&folder, "20KB", "a.mbox");
    (0..shards).for_each(|number| {
        septet(&folder, &format!("convert --plan plan.jsonl --shard {number} --out-dir dir")).assert().success();
    });
    let whole = fs::read_to_string(folder.path("plan.jsonl")).expect("a plan");
    let refused = |lines: &str| {
        folder.put("cut.jsonl", lines.as_bytes());
        let converted = septet(&folder, "convert --plan cut.jsonl --shard 0 --out-dir cut").assert().code(65);
        let joined = septet(&folder, "join --plan cut.jsonl --out-dir dir -o joined").assert().code(65);
        assert!(!folder.path("joined").exists() && !folder.path("cut").exists());
        assert_eq!(converted.get_output().stderr, joined.get_output().stderr);
        String::from_utf8_lossy(&joined.get_output().stderr).into_owned()
    };
    for count in 1..shards {
        let said = refused(&whole.split_inclusive('\n').take(count).collect::<String>());
        assert!(said.contains(&format!("cut.jsonl is not whole: it has {count} of {shards} shards")), "{said}");
    }
    assert!(refused("").contains("cut.jsonl, line 1: no shard of a plan"));
    assert!(refused(&whole[..whole.len() - 9]).contains(&format!("cut.jsonl, line {shards}: no shard of a plan")));
    septet(&folder, "join --plan plan.jsonl --out-dir dir -o joined").assert().success();
}

/// A plan is often seen on a terminal: the name of a file drew on it.
#[test]
fn what_can_not_be_seen_in_a_name_is_escaped_in_a_plan() {
    let folder = Folder::new();
    let name = "a\u{9b}1m\u{202e}xobm.mbox";
    folder.put(name, &mbox(&[LATIN]));
    let mut run = septet(&folder, "plan");
    let planned = run.arg(name).assert().success().get_output().stdout.clone();
    let text = String::from_utf8_lossy(&planned).into_owned();
    assert!(text.contains(r"a\u009b1m\u202exobm.mbox") && !text.contains(['\u{9b}', '\u{202e}']), "{text}");
    let shard: Value = serde_json::from_str(&text).expect("an object");
    assert_eq!(shard["pieces"][0]["input"], name);
}

#[test]
fn the_scheduler_says_which_shard() {
    let folder = Folder::new();
    archive(&folder);
    let shards = plan(&folder, "20KB", "a.mbox");
    for (at, name) in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"].iter().enumerate() {
        let mut command = septet(&folder, "convert --plan plan.jsonl --out-dir dir");
        ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"]
            .iter()
            .for_each(|name| _ = command.env_remove(name));
        command.assert().code(64);
        command.env(name, at.to_string()).assert().success();
        assert!(folder.path(&format!("dir/{at:05}.ok")).exists());
        command.env(name, shards.to_string()).assert().code(64);
        command.env(name, "x").assert().code(64);
    }
}

#[test]
fn what_can_not_be_is_refused() {
    let folder = Folder::new();
    archive(&folder);
    plan(&folder, "20KB", "a.mbox");
    folder.put("bad.jsonl", b"{\"shard\":1}\n");
    for (words, code) in [
        ("plan -", 64),
        ("plan nowhere.mbox", 66),
        ("plan --target 0 a.mbox", 64),
        ("plan --target 5XB a.mbox", 64),
        ("convert --plan plan.jsonl --shard 0", 64),
        ("convert --plan plan.jsonl --shard 0 --out-dir d a.mbox", 64),
        ("convert --plan plan.jsonl --shard 0 --out-dir d --in-place", 64),
        ("convert --shard 0 --out-dir d", 64),
        ("convert --plan plan.jsonl --shard 99999 --out-dir d", 64),
        ("convert --plan bad.jsonl --shard 0 --out-dir d", 65),
        ("convert --plan none.jsonl --shard 0 --out-dir d", 66),
        ("join --plan plan.jsonl --out-dir d -o out", 66),
    ] {
        septet(&folder, words).assert().code(code);
        assert!(!folder.path("d").exists() && !folder.path("out").exists(), "{words}");
    }
    (0..plan(&folder, "20KB", "a.mbox")).for_each(|number| {
        septet(&folder, &format!("convert --plan plan.jsonl --shard {number} --out-dir dir")).assert().success();
    });
    septet(&folder, "join --plan plan.jsonl --out-dir dir -o a.mbox").assert().code(64);
}

/// A plan reads little of an archive: of ten gigabytes of holes with a message here and there too.
#[test]
fn a_plan_of_a_sparse_archive_is_quick() {
    let folder = Folder::new();
    let file = fs::File::create(folder.path("a.mbox")).expect("a file");
    let message = mbox(&[PLAIN]);
    for at in 0..10u64 {
        std::os::unix::fs::FileExt::write_all_at(&file, &[b"\n\n", message.as_slice()].concat(), at << 28)
            .expect("written");
    }
    std::os::unix::fs::FileExt::write_all_at(&file, &message, 0).expect("written");
    file.set_len(10 << 28).expect("a length");
    assert_eq!(plan(&folder, "256MiB", "a.mbox"), 10);
    drop(convert());
}
