//! The report and the summary say what was done.

use std::fs;
use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use serde_json::{Value, json};

use super::{Folder, LATIN, PLAIN, convert, mbox, sample};

/// Reads the lines of a report.
pub fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a report");
    text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

#[test]
fn a_line_says_all_of_one_message() {
    let folder = Folder::new();
    let input = folder.put("a.mbox", &mbox(&[PLAIN, LATIN]));
    let report = folder.path("r.jsonl");
    convert().arg("--report").arg(&report).arg(&input).assert().success();
    let name = input.to_str().expect("a name");
    let first = mbox(&[PLAIN]).len();
    let change = "part=1 body charset=iso-8859-1>utf-8";
    assert_eq!(
        lines(&report),
        [
            json!({"input": name, "message": 1, "offset": 0, "bytes": first, "message_id": null,
                "profile": "utf8", "result": "unchanged", "entries": [], "text": ""}),
            json!({"input": name, "message": 2, "offset": first, "bytes": mbox(&[LATIN]).len(),
                "message_id": "<latin@example.org>", "profile": "utf8", "result": "changed", "text": change,
                "entries": [{"part": "1", "place": "body", "changes": ["charset=iso-8859-1>utf-8"], "text": change}]}),
        ]
    );
}

/// It was opened and closed to see whether it may be written: its reader saw the end, and the run waited for another.
#[test]
fn a_report_goes_through_a_pipe_that_has_one_reader() {
    let folder = Folder::new();
    let (input, pipe) = (folder.put("a.mbox", &mbox(&[PLAIN, LATIN])), folder.path("r.jsonl"));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).expect("what is written")
    });
    convert().timeout(Duration::from_secs(60)).arg("--report").arg(&pipe).arg(&input).assert().success();
    assert_eq!(reader.join().expect("it ends").lines().count(), 2);
    assert!(!fs::metadata(&pipe).expect("it stays").is_file());
}

#[test]
fn every_message_has_a_line_also_when_none_is_read() {
    let folder = Folder::new();
    let report = folder.path("r.jsonl");
    convert().args(["--profile=keep", "--report"]).arg(&report).arg(sample()).assert().success();
    let ids: Vec<_> = lines(&report).into_iter().map(|line| line["message_id"].as_str().map(str::to_owned)).collect();
    assert_eq!(ids.len(), 7);
    assert_eq!(ids[6].as_deref(), Some("<sample-7@example.com>"));
}

#[test]
fn the_sample_shows_what_is_done_and_what_is_left() {
    let folder = Folder::new();
    let report = folder.path("r.jsonl");
    convert().arg("--report").arg(&report).arg(sample()).assert().success();
    let lines = lines(&report);
    let texts: Vec<_> = lines.iter().map(|line| line["text"].as_str().expect("a text")).collect();
    let utf7 = "unicode-1-1-utf-7>utf-8";
    assert_eq!(
        texts,
        [
            &format!("field=Subject word={utf7}; part=1 body charset={utf7} transfer=7bit>quoted-printable"),
            "field=From word=iso-2022-jp>utf-8; field=Subject word=iso-2022-jp>utf-8; \
             part=1 body charset=iso-2022-jp>utf-8 transfer=7bit>base64",
            "field=From word=8bit>utf-8; field=Subject word=8bit>utf-8; field=X-Device left=unlabelled",
            "field=From word=koi8-r>utf-8; field=To word=iso-8859-1>utf-8; field=Subject word=koi8-r>utf-8; \
             part=1 body iris=1",
            "field=From word=iso-8859-1>utf-8; part=1 body charset=iso-8859-1>utf-8",
            "part=1.1 body left=protected(signed)",
            "",
        ]
    );
    assert_eq!(lines[5]["result"], "left");
    assert_eq!(lines[5]["entries"][0]["left"], "protected");
}

/// A sender can write no formula into a spreadsheet.
#[test]
fn a_table_holds_what_senders_wrote_as_text() {
    let folder = Folder::new();
    let nasty = [b"Message-ID: =cmd|' /C calc'!A0,\"x\"\n", LATIN].concat();
    let input = folder.put("a.mbox", &mbox(&[PLAIN, &nasty]));
    let csv = folder.path("r.csv");
    convert().arg("--report").arg(&csv).arg(&input).assert().success();
    let rows: Vec<String> = fs::read_to_string(&csv).expect("a table").split("\r\n").map(str::to_owned).collect();
    let name = input.to_str().expect("a name");
    let size = mbox(&[PLAIN]).len();
    assert_eq!(rows[0], "input,renamed,message,offset,bytes,message_id,profile,result,text");
    assert_eq!(rows[1], format!("{name},,1,0,{size},,utf8,unchanged,"));
    assert!(
        rows[2].contains(",\"'=cmd|' /C calc'!A0,\"\"x\"\"\",utf8,changed,part=1 body charset=iso-8859-1>utf-8"),
        "{}",
        rows[2]
    );
    assert_eq!(rows.len(), 4);
}

/// A table is printed as well as imported, and so are lines of JSON.
#[test]
fn no_report_holds_what_drives_a_terminal() {
    const ID: &str = "<\u{1b}]0;X\u{7}\u{9b}1m\u{7f}\u{85}\u{202e}\u{2066}\u{200b}\u{feff}@x>";
    let folder = Folder::new();
    let input = folder.put("a\u{9b}\u{1b}.mbox", &mbox(&[&[format!("Message-ID: {ID}\n").as_bytes(), LATIN].concat()]));
    let [csv, lines, page] = ["r.csv", "r.jsonl", "r.html"].map(|name| folder.path(name));
    let mut run = convert();
    for report in [&csv, &lines, &page] {
        run.arg("--report").arg(report);
    }
    run.arg(&input).assert().success();
    let mut explain = Command::cargo_bin("septet").expect("the program is built");
    explain.env_remove("SEPTET_CONFIG").args(["explain", "--json"]).arg(&input);
    let explained = explain.assert().get_output().stdout.clone();
    assert!(explained.starts_with(b"{"));
    let reports = [&csv, &lines, &page].map(|report| fs::read(report).expect("a report"));
    for report in reports.iter().chain([&explained]) {
        let text = String::from_utf8_lossy(report);
        let found = text.chars().find(|character| is_unseen(*character));
        assert_eq!(found, None, "{text}");
    }
    let line: serde_json::Value = serde_json::from_slice(&reports[1]).expect("JSON");
    assert_eq!(line["message_id"], ID);
    // Lines without a page are those that are written as messages come.
    let alone = folder.path("alone.jsonl");
    convert().arg("--report").arg(&alone).arg(&input).assert().success();
    assert_eq!(fs::read(alone).expect("a report"), reports[1]);
}

/// Returns `true` for what shows nothing of its own, but line ends.
fn is_unseen(character: char) -> bool {
    let format =
        matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    format || character.is_control() && !matches!(character, '\n' | '\r')
}

#[test]
fn the_summary_counts_messages_and_reasons() {
    let folder = Folder::new();
    let left = b"Content-Type: text/plain; charset=x-nobody-knows\nContent-Transfer-Encoding: 8bit\n\n\xe9\n";
    let input = folder.put("a.mbox", &mbox(&[LATIN, LATIN, left, PLAIN, PLAIN, PLAIN]));
    let run = convert().arg(&input).assert().success();
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    let (head, rest) = said.split_once('\n').expect("lines");
    assert!(head.starts_with("septet: 6 messages, 796 octets in ") && head.ends_with(" s, profile utf8"), "{head}");
    let next = format!("septet: 1 message has something left: septet advise {}\n", input.display());
    assert_eq!(
        rest.replace(&next, "next\n"),
        "messages\n  changed                       2\n  left                          1\n  unchanged                     3\n\
         places changed, by kind\n  charset                       2\n\
         places left, by reason\n  unknown-charset               1\nnext\n"
    );
}

/// At the end of a run nobody knew where the result was, nor what to do next.
#[test]
fn the_end_says_the_way_on() {
    let folder = Folder::new();
    let protected = b"Content-Type: multipart/signed; protocol=\"application/pgp-signature\"; boundary=b\n\n--b\n\
        Content-Type: text/plain; charset=iso-8859-1\n\ncaf\xe9\n--b\nContent-Type: application/pgp-signature\n\nx\n--b--\n";
    let left = b"Content-Type: text/plain; charset=x-nobody-knows\n\n\xe9\n";
    folder.put("in box", &mbox(&[LATIN, left]));
    folder.put("good", &mbox(&[LATIN]));
    folder.put("signed", &mbox(&[protected]));
    let said = |words: &[&str]| {
        let run = convert().current_dir(folder.path("")).args(words).assert().success();
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        let lines =
            said.lines().skip_while(|line| *line != "messages").filter_map(|line| line.strip_prefix("septet: "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let advise = "1 message has something left: septet advise 'in box'";
    assert_eq!(said(&["-n", "in box"]), ["nothing was written: this was a dry run", advise]);
    assert_eq!(said(&["-o", "out box", "in box"]), ["written to out box", advise]);
    assert_eq!(
        said(&["-o", "out", "--profile", "ascii", "--report", "r.jsonl", "--report", "r.html", "in box"]),
        [
            "written to out",
            "1 message has something left: septet advise --profile ascii 'in box'",
            "r.jsonl and r.html have each message"
        ]
    );
    assert_eq!(said(&["-o", "out", "good"]), ["written to out"]);
    assert_eq!(
        said(&["-o", "out", "signed"]),
        ["written to out", "1 message has something left: septet why protected"]
    );
    let undone = "what changed was replaced in place, undone by: septet undo good";
    assert_eq!(said(&["--in-place", "--keep-original", "good"]), [undone]);
    assert_eq!(said(&["--in-place", "good"]), ["nothing was written: nothing had to change"]);
    assert!(said(&["-q", "-o", "out", "in box"]).is_empty());
}

/// What it told to be copied emptied the settings, which SEPTET_CONFIG named, before they were read.
#[test]
fn no_file_that_is_there_is_told_to_be_written() {
    let folder = Folder::new();
    folder.put("a.mbox", &mbox(&[LATIN, b"Content-Type: text/plain; charset=x-nobody-knows\n\n\xe9\n"]));
    for (file, variable, wanted) in [
        (None, None, "septet.toml"),
        (Some("septet.toml"), Some("septet.toml"), "septet-2.toml"),
        (Some("septet-2.toml"), None, "septet-3.toml"),
    ] {
        if let Some(file) = file {
            folder.put(file, b"");
        }
        let mut run = convert();
        run.current_dir(folder.path("")).args(["-o", "out", "--report", "r.html", "a.mbox"]);
        if let Some(file) = variable {
            run.env("SEPTET_CONFIG", file);
        }
        run.assert().success();
        let page = fs::read_to_string(folder.path("r.html")).expect("a page");
        assert!(page.contains(&format!("septet convert --config {wanted} -o out a.mbox")), "{wanted}: {page}");
    }
}

/// A limit that was reached is said aloud, for some messages by name; the exit code stays.
#[test]
fn what_somebody_should_look_at_is_named_but_not_without_end() {
    let folder = Folder::new();
    let input = folder.put("a.mbox", &mbox(&[LATIN; 30]));
    let run = convert().args(["--set", "limits.header_bytes=20", "-o", "/dev/null"]).arg(&input).assert().success();
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    let warnings: Vec<&str> = said.lines().filter(|line| line.starts_with("septet: warning: ")).collect();
    assert_eq!(warnings.len(), 21, "{said}");
    assert!(
        warnings[1].contains("a.mbox, message 2: ") && warnings[1].contains("left=limit(header_bytes 20)"),
        "{said}"
    );
    assert_eq!(warnings[20], "septet: warning: 10 more messages like these; a report names them all");
    let quiet = convert().args(["-o", "/dev/null"]).arg(&input).assert().success();
    assert!(!String::from_utf8_lossy(&quiet.get_output().stderr).contains("warning"));
}

/// In place, a message over the limit had only the octets that are held: 4,397 of 45,024.
#[test]
fn a_message_over_the_limit_has_all_its_octets_also_in_place() {
    let folder = Folder::new();
    let octets = [LATIN, &b"caf\xe9 ".repeat(9_000)].concat();
    let (path, report) = (folder.put("box/cur/1:2,S", &octets), folder.path("r.jsonl"));
    std::fs::create_dir_all(folder.path("box/new")).expect("a folder");
    for how in [["--dry-run"], ["--in-place"]] {
        let limit = ["-q", "--set=limits.message_bytes=300", "--report"];
        convert().args(how).args(limit).arg(&report).arg(folder.path("box")).assert().success();
        assert_eq!(lines(&report)[0]["bytes"], octets.len(), "{how:?}");
    }
    assert_eq!(std::fs::read(path).expect("the message"), octets);
}

#[test]
fn explain_says_what_would_become_of_a_message() {
    let explain = |settings: &[&str]| {
        let mut command = assert_cmd::Command::cargo_bin("septet").expect("the program is built");
        let run = command.env_remove("SEPTET_CONFIG").args(["explain", "-"]).args(settings).write_stdin(LATIN).assert();
        String::from_utf8_lossy(&run.success().get_output().stdout).into_owned()
    };
    let limit = ["--set", "limits.header_bytes=20"];
    assert!(!explain(&[]).contains("action:"));
    assert!(explain(&limit).ends_with("\naction: accept (by limits.on_limit)\n"));
    let refusing = [&limit[..], &["--set", "limits.on_limit.header_bytes=reject"]].concat();
    assert!(explain(&refusing).ends_with("\naction: reject (by limits.on_limit)\n"));
    let json: Value = serde_json::from_str(&explain(&[&refusing[..], &["--json"]].concat())).expect("JSON");
    assert_eq!(json["action"], json!({"what": "reject", "key": "limits.on_limit"}));
}

/// SIGKILL before the first line: an empty REPORT.partial without a journal kept every later run from beginning.
#[test]
fn an_empty_partial_report_that_nobody_writes_is_in_nobodys_way() {
    let folder = Folder::new();
    let input = folder.put("a.eml", LATIN);
    let (report, left) = (folder.path("r.jsonl"), folder.put("r.jsonl.partial", b""));
    let run = || {
        let mut run = convert();
        run.arg("--report").arg(&report).arg("-o").arg(folder.path("out")).arg(&input);
        run
    };
    // Just made, it may be that of another run which comes to its lock.
    run().assert().code(73);
    let held = fs::File::options().write(true).open(&left).expect("a file");
    held.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(9)).expect("its time");
    held.try_lock().expect("it is free");
    let said = run().assert().code(73).get_output().stderr.clone();
    assert!(String::from_utf8_lossy(&said).contains("r.jsonl.partial"), "{}", said.escape_ascii());
    drop(held);
    run().assert().success();
    assert_eq!(lines(&report).len(), 1);
    folder.put("r.jsonl.partial", b"lines of another run\n");
    run().assert().code(73);
}
