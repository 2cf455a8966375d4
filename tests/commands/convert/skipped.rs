//! What is passed over, left out, or untrue beside converted mail is named.

use std::fs;
use std::os::unix::fs::symlink;

use super::undo::undo;
use super::{Folder, LATIN, PLAIN, UTF8, convert, mbox, names};

fn said(run: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&run.get_output().stderr).into_owned()
}

#[test]
fn every_report_names_the_files_that_were_skipped() {
    let folder = Folder::new();
    folder.put("in/a.eml", LATIN);
    for number in 1..=9 {
        folder.put(&format!("in/{number}.zip"), b"PK\x03\x04");
    }
    folder.put("in/b,c.txt", b"text");
    symlink("a.eml", folder.path("in/link")).expect("a link");
    let reports = ["r.jsonl", "r.csv", "r.html"];
    let mut command = convert();
    command.current_dir(folder.path("")).args(["-r", "-v", "--resume", "in", "-o", "out"]);
    for report in reports {
        command.args(["--report", report]);
    }
    let said = said(&command.assert().success());
    let lines = super::report::lines(&folder.path("r.jsonl"));
    let skipped: Vec<_> = lines.iter().filter(|line| line["result"] == "skipped").collect();
    assert_eq!((lines.len(), skipped.len()), (12, 11));
    assert_eq!(skipped[0]["input"], "in/1.zip");
    assert!(skipped[0]["reason"].as_str().is_some_and(|reason| reason.starts_with("it is a ZIP archive")));
    assert_eq!(skipped[10]["reason"], "it is a symbolic link");
    for report in reports {
        let text = fs::read_to_string(folder.path(report)).expect("a report");
        for name in ["in/1.zip", "in/9.zip", "in/b,c.txt", "in/link"] {
            assert!(text.contains(name), "{name} in {report}: {text}");
        }
    }
    for name in
        ["skipped in/9.zip: it is a ZIP", "skipped in/link: it is a symbolic link", "skipped                      11"]
    {
        assert!(said.contains(name), "{name}: {said}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_in_the_report() {
    let folder = Folder::new();
    folder.put("box/cur/1", LATIN);
    for sub in ["new", "tmp"] {
        fs::create_dir(folder.path("box").join(sub)).expect("a folder");
    }
    symlink("nowhere", folder.path("box/cur/2")).expect("a link");
    let run =
        convert().current_dir(folder.path("")).args(["box", "-o", "out", "--report", "r.jsonl"]).assert().code(66);
    let lines = super::report::lines(&folder.path("r.jsonl"));
    let told: Vec<_> = lines.iter().map(|line| (line["input"].as_str(), line["result"].as_str())).collect();
    assert_eq!(told, [(Some("box/cur/2"), Some("skipped")), (Some("box/cur/1"), Some("changed"))]);
    assert!(said(&run).contains("box/cur/2 is a symbolic link that leads to no file"));
    folder.put("apple/1.emlx", b"9999\nSubject: x\n\nx\n");
    folder.put("apple/2.eml", LATIN);
    for (input, skipped) in [("box", "box/cur/2"), ("apple", "apple/1.emlx")] {
        let mut command = convert();
        command.current_dir(folder.path("")).args(["-r", input, "--output-format", "mbox"]);
        command.args(["-o", &format!("{input}.mbox"), "--report", "r.jsonl"]);
        assert_ne!(command.assert().get_output().status.code(), Some(0));
        let lines = super::report::lines(&folder.path("r.jsonl"));
        let told: Vec<_> = lines.iter().map(|line| (line["input"].as_str(), line["result"].as_str())).collect();
        assert!(told.contains(&(Some(skipped), Some("skipped"))) && told.len() == 2, "{told:?}");
    }
}

#[test]
fn deleted_messages_are_named_and_left_out_where_that_is_asked() {
    let folder = Folder::new();
    let marked = |status: &str, message: &[u8]| [b"X-Mozilla-Status: ", status.as_bytes(), b"\n", message].concat();
    let (gone, kept) = (marked("0009", LATIN), marked("0001", LATIN));
    let input = mbox(&[&gone, &kept, PLAIN, &gone]);
    folder.put("in", &input);
    let run = |arguments: &[&str]| {
        let mut command = convert();
        command.current_dir(folder.path("")).args(arguments).args(["--report", "r.jsonl"]);
        command
    };
    let told = |key: &str| -> Vec<String> {
        super::report::lines(&folder.path("r.jsonl")).iter().map(|line| line[key].to_string()).collect()
    };
    let (all, rest) = (
        mbox(&[&marked("0009", UTF8), &marked("0001", UTF8), PLAIN, &marked("0009", UTF8)]),
        mbox(&[&marked("0001", UTF8), PLAIN]),
    );
    let first = said(&run(&["in", "-o", "out", "--verify"]).assert().success());
    assert!(first.contains("marked deleted                2"), "{first}");
    assert_eq!(fs::read(folder.path("out")).expect("a file"), all);
    assert_eq!(told("deleted"), ["true", "null", "null", "true"]);
    let said = said(&run(&["in", "-o", "out", "--verify", "--skip-deleted"]).assert().success());
    assert!(
        said.contains("deleted, left out             2") && said.contains("unchanged                     1"),
        "{said}"
    );
    assert_eq!(fs::read(folder.path("out")).expect("a file"), rest);
    assert_eq!(told("result"), ["\"skipped\"", "\"changed\"", "\"unchanged\"", "\"skipped\""]);
    assert_eq!(told("message"), ["1", "2", "3", "4"]);
    run(&["in", "-o", "out", "--profile", "keep", "--skip-deleted"]).assert().success();
    assert_eq!(fs::read(folder.path("out")).expect("a file"), mbox(&[&kept, PLAIN]));
    run(&["in", "--in-place", "--keep-original", "--verify", "--skip-deleted"]).assert().success();
    assert_eq!(fs::read(folder.path("in")).expect("a file"), rest);
    undo().arg(folder.path("in")).assert().success();
    assert_eq!(fs::read(folder.path("in")).expect("a file"), input);
    folder.put("mail/a.eml", &gone);
    folder.put("mail/b.eml", &kept);
    for refused in ["--in-place", "--keep-original"] {
        let out: &[&str] = if refused == "--in-place" { &[] } else { &["-o", "new"] };
        run(&[&["-r", "mail", "--skip-deleted", refused], out].concat()).assert().code(64);
    }
    for profile in ["utf8", "keep"] {
        run(&["-r", "mail", "--skip-deleted", "-o", profile, "--profile", profile]).assert().success();
        assert_eq!(names(&folder.path(profile)), ["b.eml"]);
    }
}

#[test]
fn lists_of_other_programs_that_are_untrue_are_named() {
    let folder = Folder::new();
    for (mail, list, word) in [
        ("Inbox", "Inbox.msf", "close Thunderbird"),
        ("INBOX.mbox", "INBOX.imap", "imap-backup"),
        ("user/1.", "user/cyrus.index", "reconstruct"),
    ] {
        let content = if mail.starts_with("user") { LATIN.to_vec() } else { mbox(&[LATIN]) };
        folder.put(mail, &content);
        folder.put(list, b"");
        let other = said(&convert().arg(folder.path(mail)).arg("-o").arg(folder.path("out")).assert().success());
        assert!(!other.contains("out of date"), "{other}");
        let said = said(&convert().arg("--in-place").arg(folder.path(mail)).assert().success());
        assert!(said.contains(list) && said.contains(word), "{said}");
        assert!(folder.path(list).exists());
    }
}
