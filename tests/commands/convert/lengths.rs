//! A Content-Length that leads beyond a From_ line, in a file whose messages are parted by From_ lines: Dovecot saves
//! mail without quoting, beside mail that a delivery agent without lengths has put into the same mailbox. Nobody can be
//! sure how many messages there are, so what the length covers stays.

use std::fs;

use assert_cmd::Command;

use super::{Folder, LATIN, UTF8, convert, mbox};

/// A message in Latin-1 whose text has a From_ line in its middle, with its true length.
fn unquoted() -> Vec<u8> {
    let body: &[u8] =
        b"Gr\xfc\xdfe\n\nFrom c@example.org Mon Jan  5 12:00:00 2026\nFrom: c@example.org\nMIME-Version: 1.0\n\
        Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\nK\xf6ln\n";
    let head = format!(
        "From: a@example.org\nSubject: copy\nMIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\n\
         Content-Transfer-Encoding: 8bit\nContent-Length: {}\n\n",
        body.len()
    );
    mbox(&[&[head.as_bytes(), body].concat()])
}

/// A mailbox that has it between so many others on both sides, and what becomes of that.
fn mixed(others: usize) -> (Vec<u8>, Vec<u8>) {
    let around = |message: &[u8]| mbox(&vec![message; others]);
    let file = |message: &[u8]| [around(message), unquoted(), around(message)].concat();
    (file(LATIN), file(UTF8))
}

#[test]
fn what_a_length_covers_beyond_a_from_line_stays() {
    let folder = Folder::new();
    for others in [1, 6000] {
        let (before, after) = mixed(others);
        let input = folder.put("in.mbox", &before);
        let run = convert().arg("--report").arg(folder.path("r.jsonl")).arg(&input).assert().success();
        assert!(run.get_output().stdout == after, "{others}");
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains("separator(line 6: Content-Length 172 covers more: --format mboxcl2)"), "{said}");
        assert!(said.contains("separator(line 1: an earlier Content-Length covers it: --format mboxcl2)"), "{said}");
        let lines = fs::read_to_string(folder.path("r.jsonl")).expect("a report");
        assert_eq!(lines.lines().filter(|line| line.contains("separator(")).count(), 2, "{others}");
        let out = folder.path("out.mbox");
        convert().arg("--verify").arg("-o").arg(&out).arg(&input).assert().success();
        assert!(fs::read(&out).expect("a file") == after, "{others}, verified");
    }
}

#[test]
fn who_says_how_the_file_is_written_has_it_converted() {
    let folder = Folder::new();
    let input = folder.put("in.mbox", &mixed(1).0);
    let stdout =
        |format: &str| convert().arg("--format").arg(format).arg(&input).assert().success().get_output().stdout.clone();
    let counted = String::from_utf8(stdout("mboxcl2")).expect("all is UTF-8");
    assert!(counted.contains("Content-Length: 175\n\nGrüße\n\nFrom c@") && counted.contains("charset=iso-8859-1\n"));
    let parted = String::from_utf8(stdout("mboxrd")).expect("all is UTF-8");
    assert!(parted.contains("\n\nGrüße\n\nFrom c@") && !parted.contains("iso-8859-1"));
}

#[test]
fn a_length_that_leads_elsewhere_counts_for_nothing() {
    let (before, _) = mixed(1);
    let text = before.iter().map(|&octet| char::from(octet)).collect::<String>().replace("Length: 172", "Length: 174");
    let octets: Vec<u8> = text.chars().map(|octet| octet as u8).collect();
    let run = convert().arg("-").write_stdin(octets).assert().success();
    assert!(String::from_utf8_lossy(&run.get_output().stdout).contains("\n\nGrüße\n\nFrom c@"));
}

#[test]
fn every_way_through_says_the_same() {
    let folder = Folder::new();
    let input = folder.put("in.mbox", &mixed(400).0);
    let septet = |words: &str| {
        let mut command = Command::cargo_bin("septet").expect("the program is built");
        command.env_remove("SEPTET_CONFIG").current_dir(folder.path("")).args(words.split_whitespace());
        command.assert().success().get_output().stdout.clone()
    };
    let explained = String::from_utf8(septet("explain in.mbox")).expect("text");
    assert_eq!(explained.matches("--format mboxcl2").count(), 2, "{}", &explained[explained.len() / 2..][..2000]);
    septet("convert --output-format eml -o letters in.mbox");
    let letter = |number: usize| fs::read(folder.path(&format!("letters/{number:06}.eml"))).expect("a message");
    assert!(letter(401).ends_with(b"\n\nGr\xfc\xdfe\n") && letter(402).ends_with(b"\nK\xf6ln\n"));
    // No shard ends between the two.
    let half = fs::metadata(&input).expect("a file").len() / 2;
    for target in [half - 30, half, half + 10] {
        folder.put("plan.jsonl", &septet(&format!("plan --target {target} in.mbox")));
        let shards = fs::read_to_string(folder.path("plan.jsonl")).expect("a plan").lines().count();
        for shard in 0..shards {
            septet(&format!("convert --plan plan.jsonl --shard {shard} --out-dir shards"));
        }
        septet("join --plan plan.jsonl --out-dir shards -o joined.mbox");
        assert!(fs::read(folder.path("joined.mbox")).expect("a file") == mixed(400).1, "shards of {target} octets");
        fs::remove_dir_all(folder.path("shards")).expect("a folder");
    }
}
