//! Mail in the files of other programs: Apple Mail's, MMDF's, and those that are named.

use std::fs;

use assert_cmd::Command;

use super::undo::undo;
use super::{Folder, LATIN, PLAIN, UTF8, convert, mbox, names};

const LIST: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict/>\n</plist>\n";

/// A message as Apple Mail has it.
fn emlx(message: &[u8]) -> Vec<u8> {
    [format!("{:<10}\n", message.len()).as_bytes(), message, LIST].concat()
}

/// A mailbox file of MMDF.
fn mmdf(messages: &[&[u8]]) -> Vec<u8> {
    messages.iter().flat_map(|message| [b"\x01\x01\x01\x01\n", *message, b"\x01\x01\x01\x01\n"].concat()).collect()
}

fn septet(arguments: &[&str], folder: &Folder) -> Command {
    let mut command = Command::cargo_bin("septet").expect("the program is built");
    command.env_remove("SEPTET_CONFIG").current_dir(folder.path("")).args(arguments);
    command
}

#[test]
fn a_message_of_apple_mail_is_counted_anew() {
    let folder = Folder::new();
    folder.put("in/1.emlx", &emlx(LATIN));
    folder.put("in/2.partial.emlx", &emlx(PLAIN));
    folder.put("in/3.emlx", &[b"9999999\n", LATIN, LIST].concat());
    let converted = |folder: &Folder, at: &str| {
        let read = |name: &str| fs::read(folder.path(at).join(name)).expect("a file");
        assert_eq!(read("1.emlx"), emlx(UTF8));
        assert_eq!(read("2.partial.emlx"), emlx(PLAIN));
        assert!(read("3.emlx").starts_with(b"9999999\n"));
    };
    convert().arg(folder.path("in/1.emlx")).assert().success().stdout(emlx(UTF8));
    septet(&["convert", "-r", "in", "-o", "out", "--verify", "--resume", "--report", "r.jsonl"], &folder)
        .assert()
        .success();
    converted(&folder, "out");
    let lines = super::report::lines(&folder.path("r.jsonl"));
    let told: Vec<_> = lines.iter().map(|line| (line["message_id"].as_str(), line["result"].as_str())).collect();
    let id = Some("<latin@example.org>");
    assert_eq!(told, [(id, Some("changed")), (None, Some("unchanged")), (id, Some("left"))]);
    assert_eq!(lines[2]["entries"][0]["left"], "miscounted");
    septet(&["convert", "-r", "--in-place", "--keep-original", "--verify", "in"], &folder).assert().success();
    converted(&folder, "in");
    undo().arg(folder.path("in/1.emlx")).assert().success();
    assert_eq!(fs::read(folder.path("in/1.emlx")).expect("a file"), emlx(LATIN));
    assert_eq!(names(&folder.path("in")), ["1.emlx", "2.partial.emlx", "3.emlx"]);
    let run = septet(&["explain", "in/1.emlx"], &folder).assert().success();
    let said = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(said.contains("message: 164 octets") && said.contains("charset=iso-8859-1>utf-8"), "{said}");
    septet(&["advise", "in"], &folder).assert().success();
}

#[test]
fn a_mailbox_of_mmdf_keeps_its_lines() {
    let folder = Folder::new();
    let with_from_line = [b"From a@example.org Mon Jan  1 00:00:00 2007\n", PLAIN].concat();
    folder.put("in", &mmdf(&[LATIN, &with_from_line, LATIN]));
    let wanted = mmdf(&[UTF8, &with_from_line, UTF8]);
    let out = || fs::read(folder.path("out")).expect("a file");
    septet(&["convert", "in", "-o", "out", "--verify", "--keep-original", "--report", "r.jsonl"], &folder)
        .assert()
        .success();
    assert_eq!(out(), wanted);
    let results: Vec<_> =
        super::report::lines(&folder.path("r.jsonl")).iter().map(|line| line["result"].to_string()).collect();
    assert_eq!(results, ["\"changed\"", "\"unchanged\"", "\"changed\""]);
    undo().arg(folder.path("out")).assert().success();
    assert_eq!(out(), mmdf(&[LATIN, &with_from_line, LATIN]));
    let plan = septet(&["plan", "--target", "200", "in"], &folder).output().expect("it runs").stdout;
    folder.put("plan", &plan);
    let shards = plan.iter().filter(|&&octet| octet == b'\n').count();
    assert!(shards > 1, "{}", String::from_utf8_lossy(&plan));
    for shard in 0..shards {
        let number = shard.to_string();
        septet(&["convert", "--plan", "plan", "--shard", &number, "--out-dir", "shards"], &folder).assert().success();
    }
    septet(&["join", "--plan", "plan", "--out-dir", "shards", "-o", "out"], &folder).assert().success();
    assert_eq!(out(), wanted);
    septet(&["convert", "in", "-o", "out", "--output-format", "mboxrd", "--verify"], &folder).assert().success();
    let nobody = "From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n".as_bytes();
    let mbox = [nobody, UTF8, b"\n", &with_from_line, b"\n", nobody, UTF8, b"\n"].concat();
    assert_eq!(out(), mbox);
    septet(&["convert", "--profile", "keep", "in", "-o", "out"], &folder).assert().success();
    assert_eq!(out(), mmdf(&[LATIN, &with_from_line, LATIN]));
    // Were the line set free, the message would end there.
    let hidden = b"Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n\
        =E9\n=01=01=01=01\nx\n";
    folder.put("in", &mmdf(&[hidden, LATIN]));
    septet(&["convert", "in", "-o", "out", "--verify"], &folder).assert().success();
    assert!(out().ends_with(&mmdf(&[UTF8])));
    assert_eq!(out().windows(5).filter(|octets| octets == b"\x01\x01\x01\x01\n").count(), 4);
}

#[test]
fn a_message_of_mmdf_was_never_quoted() {
    let folder = Folder::new();
    let quoted = [b"From a@example.org Mon Jan  1 00:00:00 2007\n", PLAIN, b">From b\n"].concat();
    folder.put("in", &mmdf(&[&quoted]));
    let convert = |form: &str, from: &str, to: &str| {
        let format = ["convert", "--profile", "keep", "--output-format", form, "-r", from, "-o", to, "--verify"];
        let run = septet(&format, &folder).assert().success();
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(!said.contains("warning"), "{said}");
        fs::read(folder.path(to).join("000001.eml")).or_else(|_| fs::read(folder.path(to))).expect("a file")
    };
    assert!(convert("mboxrd", "in", "rd").ends_with(b"\n>>From b\n\n"));
    assert!(convert("mboxo", "in", "o").ends_with(b"\n>From b\n\n"));
    assert_eq!(convert("eml", "in", "letters"), [PLAIN, b">From b\n"].concat());
    assert!(convert("mbox", "letters", "back").ends_with(b"\n>>From b\n\n"));
}

#[test]
fn what_is_named_as_a_message_needs_no_field_of_mail() {
    let folder = Folder::new();
    folder.put("none.eml", b"text\n");
    septet(&["convert", "none.eml"], &folder).assert().code(66);
    folder.put("odd.eml", b"X-Odd: 1\n\ntext\n");
    folder.put("odd.txt", b"X-Odd: 1\n\ntext\n");
    septet(&["convert", "odd.eml"], &folder).assert().success().stdout("X-Odd: 1\n\ntext\n");
    septet(&["convert", "odd.txt"], &folder).assert().code(66);
}

/// The first message of UW IMAP's and Pine's mailbox files is no mail: a folder of messages does not have it, and the
/// way back does.
#[test]
fn a_message_of_the_mailbox_itself_is_no_mail() {
    let folder = Folder::new();
    let pseudo = "From MAILER-DAEMON Mon Jan  5 12:00:00 2026\nDate: 05 Jan 2026 12:00:00 +0000\n\
        From: Mail System Internal Data <MAILER-DAEMON@host>\n\
        Subject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\nX-IMAP: 1767614400 0000000002\nStatus: RO\n\n\
        This text is part of the internal format of your mail folder, and is not\na real message.  It is created \
        automatically by the mail system software.\nIf deleted, important folder data will be lost, and it will be \
        re-created\nwith the data reset to initial values.\n\n";
    let file = [pseudo.as_bytes(), &mbox(&[PLAIN, LATIN])].concat();
    let input = folder.put("in.mbox", &file);
    let run = convert().args(["--profile=keep", "--output-format", "mboxrd"]).arg(&input).assert().success();
    assert!(run.get_output().stdout == file, "another mailbox file has it");
    for form in ["eml", "maildir"] {
        let out = folder.path(form);
        let mut run = convert();
        run.args(["--profile=keep", "--verify", "--output-format", form, "-o"]).arg(&out).arg(&input);
        let said = String::from_utf8_lossy(&run.assert().success().get_output().stderr).into_owned();
        assert!(said.contains("septet-origin.jsonl alone") && said.contains("2 messages,"), "{said}");
        let back = folder.path(&format!("{form}.mbox"));
        let mut run = convert();
        run.args(["-r", "--profile=keep", "--verify", "--output-format", "mbox", "-o"]).arg(&back).arg(&out);
        run.assert().success();
        assert!(fs::read(&back).expect("a file") == file, "{form} and back");
    }
}

/// The dates that lei, public-inbox and git put in each From_ line say no time.
#[test]
fn a_date_that_all_from_lines_have_is_no_arrival() {
    let folder = Folder::new();
    let message = "Date: Mon, 05 Jan 2026 12:00:00 +0000\nSubject: x\n\nx\n\n";
    for date in ["Thu Jan  1 00:00:00 1970", "Mon Sep 17 00:00:00 2001"] {
        let input = folder.put("in.mbox", format!("From lei@mboxrd {date}\n{message}").as_bytes());
        let out = folder.path(&date[..3]);
        convert().args(["--output-format", "maildir", "-o"]).arg(&out).arg(&input).assert().success();
        let name = names(&out.join("new")).pop().expect("a message");
        assert!(name.starts_with("000000001.1767614400."), "{date}: {name}");
    }
}

/// Read, flagged and answered were lost, and each folder was named by where Apple Mail keeps it.
#[test]
fn flags_and_folders_of_apple_mail_arrive() {
    let marked = |message: &[u8], bits: u64| {
        let list = format!(
            "<?xml version=\"1.0\"?>\n<plist><dict>\n<key>flags</key>\n<integer>{bits}</integer>\n</dict></plist>\n"
        );
        [format!("{:<10}\n", message.len()).as_bytes(), message, list.as_bytes()].concat()
    };
    let folder = Folder::new();
    folder.put("V10/11-AA/INBOX.mbox/22-BB/Data/Messages/10.emlx", &marked(PLAIN, 8_590_195_729));
    folder.put("V10/11-AA/INBOX.mbox/22-BB/Data/2/Messages/9.partial.emlx", &marked(LATIN, 1 << 2));
    folder.put("V10/11-AA/Archive.mbox/2026.mbox/33-CC/Data/Messages/1.emlx", &marked(PLAIN, 0));
    folder.put("V10/44-DD/INBOX.mbox/55-EE/Data/Messages/1.emlx", &marked(PLAIN, 1));
    septet(&["convert", "-r", "--output-format", "mbox", "V10", "-o", "out"], &folder).assert().success();
    let out = |name: &str| fs::read_to_string(folder.path("out").join(name)).expect("a mailbox");
    let inbox = out("11-AA/INBOX.mbox");
    let (first, second) = inbox.split_at(inbox.rfind("\nFrom ").expect("two messages"));
    assert!(first.contains("\nStatus: O\nX-Status: A\n") && second.contains("\nStatus: RO\nX-Status: F\n"), "{inbox}");
    assert!(out("44-DD/INBOX.mbox").contains("\nStatus: RO\n"));
    assert!(out("Archive/2026.mbox").contains("\nStatus: O\n"));
    septet(&["convert", "-r", "--output-format", "maildir", "V10/11-AA", "-o", "md"], &folder).assert().success();
    let cur = names(&folder.path("md/INBOX/cur"));
    assert_eq!(
        cur.iter().map(|name| name.rsplit_once(":2,").expect("flags").1).collect::<Vec<_>>(),
        ["R", "FS"],
        "{cur:?}"
    );
    assert!(names(&folder.path("md/INBOX/new")).is_empty());
}

/// It was written whole as a file called `out/`, which could not be put in its place then.
#[test]
fn a_mailbox_goes_into_a_folder_that_is_named_as_one() {
    let folder = Folder::new();
    folder.put("one/cur/1:2,S", b"Subject: x\n\na\n");
    fs::create_dir(folder.path("one/new")).expect("a folder");
    septet(&["convert", "--output-format", "mbox", "one", "-o", "out/"], &folder).assert().success();
    assert!(folder.path("out/one.mbox").is_file());
}
