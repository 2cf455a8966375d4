//! Dialects, compression and folders together with `--verify`, `--keep-original`, `--resume`, `undo` and shards.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

use super::{Folder, LATIN, UTF8, mbox};

fn septet(folder: &Folder, words: &str) -> Command {
    let mut command = Command::cargo_bin("septet").expect("the program is built");
    command.env_remove("SEPTET_CONFIG").current_dir(folder.path("")).args(words.split_whitespace());
    command
}

/// What was written in another dialect is found right by the other reader, and can be undone.
#[test]
fn another_dialect_is_verified_and_undone() {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mailbox/dialects");
    for name in ["mboxcl2", "mboxo", "mboxrd", "stale-lengths"] {
        let octets = fs::read(from.join(format!("{name}.mbox"))).expect("a fixture");
        for dialect in ["mboxo", "mboxrd", "mboxcl", "mboxcl2"] {
            let folder = Folder::new();
            folder.put("a", &octets);
            let words = format!("convert a -o b --output-format {dialect} --verify --keep-original -q");
            septet(&folder, &words).assert().success();
            septet(&folder, "undo b").assert().success();
            assert_eq!(fs::read(folder.path("b")).expect("a file"), octets, "{name} as {dialect}");
        }
    }
}

/// A mailbox file whose messages state their length has From_ lines that start none: it is not cut there.
#[test]
fn shards_of_counted_and_compressed_files_are_whole() {
    let folder = Folder::new();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mailbox/dialects/mboxcl2.mbox");
    folder.put("counted", &fs::read(fixture).expect("a fixture"));
    folder.put("plain", &mbox(&[LATIN, LATIN]));
    septet(&folder, "convert plain -o a.gz --verify -q").assert().success();
    let planned = septet(&folder, "plan --target 1 counted a.gz").assert().success();
    let plan = planned.get_output().stdout.clone();
    assert_eq!(plan.split(|&octet| octet == b'\n').count(), 3, "a shard each");
    folder.put("plan", &plan);
    for shard in 0..2 {
        septet(&folder, &format!("convert --plan plan --shard {shard} --out-dir shards -q --verify"))
            .assert()
            .success();
    }
    septet(&folder, "join --plan plan --out-dir shards -o joined -q").assert().success();
    septet(&folder, "convert counted -o whole -q").assert().success();
    let read = |name| fs::read(folder.path(name)).expect("a file");
    assert_eq!(read("joined/counted"), read("whole"));
    assert!(read("joined/a.gz").starts_with(b"\x1f\x8b"), "it is what its name says");
    septet(&folder, "convert joined/a.gz -o b -q").assert().success();
    assert_eq!(read("b"), mbox(&[UTF8, UTF8]));
}

/// What can't be kept is refused before anything is written.
#[test]
fn no_undo_file_is_promised_for_what_is_compressed() {
    let folder = Folder::new();
    folder.put("a", &mbox(&[LATIN]));
    for words in ["a -o b.gz --keep-original", "a -o b --compress xz --keep-original"] {
        let refused = septet(&folder, &format!("convert {words}")).assert().code(64);
        assert!(String::from_utf8_lossy(&refused.get_output().stderr).contains("--keep-original"), "{words}");
    }
    assert_eq!(folder.names(), ["a"]);
}
