//! Sixty lines that may be From_ lines in four surroundings: the text behind is never garbled. Either two messages are
//! seen, or the one that there is stays, and its line is named; the same by every way through.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;

use super::{Folder, convert};

/// What may stand behind `From `.
const LINES: [&str; 60] = [
    "",
    "-",
    "- Mon Dec  4 15:45:22 2017",
    "- Mon Dec 04 15:45:22 2017",
    "MAILER-DAEMON",
    "MAILER-DAEMON Mon Dec  4 15:45:22 2017",
    "ann@example.org",
    "<ann@example.org>",
    "ann@example.org ",
    "ann@example.org\t",
    "ann@example.org Mon Dec  4 15:45:22 2017",
    "ann@example.org Mon Dec  4 15:45 2017",
    "ann@example.org  Mon Dec  4 15:45:22 2017",
    "ann@example.org\tMon Dec\t4 15:45:22 2017",
    "ann@example.org Mon Dec  4 15:45:22 MET 2017",
    "ann@example.org Mon Dec  4 15:45:22 +0100 2017",
    "ann@example.org Mon Dec  4 15:45:22 2017 +0100",
    "ann@example.org Mon Dec  4 15:45:22 2017 remote from host",
    "ann@example.org Mon, 4 Dec 2017 15:45:22 +0100",
    "ann@example.org Mon Dec  4 2017",
    "ann@example.org Mo Dez  4 15:45:22 2017",
    "ann@example.org lun. déc. 4 15:45:22 2017",
    "ann@example.org 2017-12-04 15:45:22",
    "ann@example.org 2017-12-04T15:45:22Z",
    "ann@example.org 04.12.2017 15:45",
    "ann@example.org 4/12/17",
    "ann@example.org Invalid Date",
    "ann@example.org ??? ??? ?? ??:??:?? ????",
    "ann@example.org Mon Dec  4 16: 18:08 2017",
    "ann@example.org Mon Dec  4 15:45:22 102",
    "ann@example.org Mon Dec  4 15:45:22 17",
    "ann@example.org 1512398722",
    "???@??? Mon Dec 04 15:45:22 2017",
    "???@???",
    "1494287492842439811@xxx Tue Mar 15 10:51:34 +0000 2016",
    "joe at example.org  Thu Aug 22 2:36:23 2002",
    "Ann Example <ann@example.org> Mon Dec  4 15:45:22 2017",
    "\"Ann Example\" Mon Dec  4 15:45:22 2017",
    "Jörg@bücher.example Mon Dec  4 15:45:22 2017",
    "ann Mon Dec  4 15:45:22 2017",
    "ann",
    "Ann Example",
    "uucp!host!ann Mon Dec  4 15:45 2017",
    "host!ann",
    "root@localhost (Cron Daemon)",
    "ann@example.org Sun Feb 30 99:99:99 2017",
    "now on it is well",
    "here to there at 10:30",
    "Bob:",
    ": ann@example.org",
    "10:30 to 12:00 in 2017",
    "Mon 10:30 till 12:00, 2017",
    "1f0c3a6b2d4e5f60718293a4b5c6d7e8f9012345 Mon Sep 17 00:00:00 2001",
    "the desk of",
    "ann@example.org we learned this",
    "a@b",
    "x@y Mon Dec  4 15:45:22 2017 ",
    "<> Mon Dec  4 15:45:22 2017",
    "undisclosed Mon Dec  4 15:45:22 2017",
    "all of us, 2017",
];

/// What may stand before the line.
const BEFORE: [&str; 4] = ["\n", "", "Gr\0\0\0\0", "\x0c"];

/// A header, and the octets of a text under it.
fn message(number: usize, charset: &str, text: &[u8]) -> Vec<u8> {
    let header = format!(
        "X-Mozilla-Status: 0001\nSubject: {number}\nMIME-Version: 1.0\nContent-Type: text/plain; charset={charset}\n\
         Content-Transfer-Encoding: 8bit\n\n"
    );
    [header.as_bytes(), text, b"\n"].concat()
}

/// Writes every file, and gives their names.
fn files(folder: &Folder) -> Vec<PathBuf> {
    let first =
        [b"From a@example.org Mon Jan  1 00:00:00 2007\n".to_vec(), message(1, "iso-8859-1", b"Gr\xfc\xdfe")].concat();
    let second = message(2, "utf-8", "Grüße".as_bytes());
    let cases =
        LINES.iter().enumerate().flat_map(|(line, text)| BEFORE.iter().enumerate().map(move |at| (line, text, at)));
    let file = |(line, text, (at, before)): (usize, &&str, (usize, &&str))| {
        let octets = [&first[..], before.as_bytes(), format!("From {text}\n").as_bytes(), &second].concat();
        folder.put(&format!("in/{line:02}-{at}.mbox"), &octets)
    };
    cases.map(file).collect()
}

fn septet(folder: &Folder, words: &str) -> Command {
    let mut command = Command::cargo_bin("septet").expect("the program is built");
    command.env_remove("SEPTET_CONFIG").current_dir(folder.path("")).args(words.split_whitespace());
    command
}

#[test]
fn no_line_that_may_be_a_separator_garbles_what_stands_behind_it() {
    let folder = Folder::new();
    let files = files(&folder);
    assert_eq!(files.len(), 240);
    septet(&folder, "convert -r in -o out --verify --report r.jsonl").assert().success();
    let rows = super::report::lines(&folder.path("r.jsonl"));
    let mut split = 0;
    for file in &files {
        let name = file.file_name().expect("a name");
        let (before, after) =
            (fs::read(file).expect("a file"), fs::read(folder.path("out").join(name)).expect("a file"));
        let rows: Vec<&Value> = rows.iter().filter(|row| row["input"] == format!("in/{}", name.display())).collect();
        let says = |row: &Value| row["text"].as_str().is_some_and(|text| text.contains("left=separator(line "));
        match rows[..] {
            // A text with octets 0 in it is none, and stays for that.
            [only] => assert!(before == after && (says(only) || before.contains(&0)), "{}: {only}", name.display()),
            [_, _] => {
                split += 1;
                let expected = String::from_utf8_lossy(&before).into_owned();
                let is_text = !before.contains(&0);
                let expected = if !is_text {
                    expected
                } else {
                    expected.replacen("iso-8859-1", "utf-8", 1).replacen("Gr\u{fffd}\u{fffd}e", "Grüße", 1)
                };
                assert_eq!(String::from_utf8_lossy(&after), expected, "{}", name.display());
            }
            _ => panic!("{}: {} messages", name.display(), rows.len()),
        }
    }
    assert!(split > 80, "{split} files are two messages");
}

#[test]
fn every_way_through_sees_the_same_separators() {
    let folder = Folder::new();
    let names: Vec<String> =
        files(&folder).iter().map(|file| file.file_name().expect("a name").display().to_string()).collect();
    septet(&folder, "convert -r in -o out").assert().success();
    septet(&folder, "convert -r in -o again --resume").assert().success();
    for name in &names {
        fs::copy(folder.path("in").join(name), folder.path(name)).expect("a copy");
    }
    let some: Vec<&String> = names.iter().step_by(12).collect();
    let plan = septet(&folder, "plan --target 300").args(&some).assert().success().get_output().stdout.clone();
    folder.put("plan.jsonl", &plan);
    for shard in 0..String::from_utf8_lossy(&plan).lines().count() {
        septet(&folder, &format!("convert --plan plan.jsonl --shard {shard} --out-dir dir")).assert().success();
    }
    septet(&folder, "join --plan plan.jsonl --out-dir dir -o joined").assert().success();
    for name in some {
        let (joined, out) = (fs::read(folder.path("joined").join(name)), fs::read(folder.path("out").join(name)));
        assert!(joined.expect("a file") == out.expect("a file"), "{name} in shards");
    }
    convert().current_dir(folder.path("")).args(&names).arg("--in-place").assert().success();
    for name in &names {
        let out = fs::read(folder.path("out").join(name)).expect("a file");
        assert!(out == fs::read(folder.path(name)).expect("a file"), "{name} in place");
        assert!(out == fs::read(folder.path("again").join(name)).expect("a file"), "{name} resumed");
    }
}
