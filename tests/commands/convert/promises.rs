//! Every promise with every format: the table of docs/archives.md, walked cell by cell.
//!
//! A cell says `yes`, and the promise is kept, or `64`: the command is refused before anything is written, and says
//! what to do instead. That runs are resumed after a kill is shown in `killed.rs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use assert_cmd::Command;

use super::shards::tree;
use super::{Folder, LATIN, PLAIN, convert, mbox};

/// Makes mail in a folder.
type MakeMail = fn(&Folder);

/// Shows that a promise is kept.
type ShowKept = fn(&Cell);

/// What the rows call the mail that is read: where it stands, the options that read it, and how it is made.
const FROM: [(&str, &str, MakeMail); 8] = [
    ("mailbox file", "in.mbox", |folder| drop(folder.put("in.mbox", &mbox(&[LATIN, PLAIN, LATIN])))),
    ("mailbox file that counts", "in.mbox", |folder| {
        let counted = |message: &[u8], octets| {
            let text = String::from_utf8_lossy(message).replacen("\n\n", &format!("\nContent-Length: {octets}\n\n"), 1);
            text.replace('\u{fffd}', "\u{e9}").chars().map(|character| character as u8).collect::<Vec<u8>>()
        };
        folder.put("in.mbox", &mbox(&[&counted(LATIN, 5), &counted(PLAIN, 6), &counted(LATIN, 5)]));
    }),
    ("MMDF file", "in.mmdf", |folder| {
        let one = |message: &[u8]| [b"\x01\x01\x01\x01\n", message, b"\x01\x01\x01\x01\n"].concat();
        folder.put("in.mmdf", &[one(LATIN), one(PLAIN), one(LATIN)].concat());
    }),
    ("compressed mailbox file", "in.mbox.gz", |folder| {
        folder.put("in.mbox", &mbox(&[LATIN, PLAIN, LATIN]));
        let packed = std::process::Command::new("gzip").arg(folder.path("in.mbox")).status().expect("gzip runs");
        assert!(packed.success());
    }),
    ("Maildir", "in", |folder| {
        folder.put("in/cur/1700000001.M1.host:2,S", LATIN);
        folder.put("in/cur/1700000002.M1.host:2,", PLAIN);
        folder.put("in/new/1700000003.M1.host", LATIN);
        fs::create_dir_all(folder.path("in/tmp")).expect("a folder");
    }),
    ("MH folder", "-r in", |folder| {
        folder.put("in/.mh_sequences", b"unseen: 2\n");
        [LATIN, PLAIN, LATIN].iter().zip(1..).for_each(|(message, at)| _ = folder.put(&format!("in/{at}"), message));
    }),
    (".eml files", "-r in", |folder| {
        [LATIN, PLAIN, LATIN]
            .iter()
            .zip(1..)
            .for_each(|(message, at)| _ = folder.put(&format!("in/{at}.eml"), message));
    }),
    (".emlx files", "-r in", |folder| {
        let list = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict><key>flags</key><integer>1</integer></dict></plist>\n";
        for (message, at) in [LATIN, PLAIN, LATIN].iter().zip(1..) {
            let count = format!("{:<10}\n", message.len());
            folder.put(&format!("in/{at}.emlx"), &[count.as_bytes(), message, list].concat());
        }
    }),
];

/// What the rows call what is written, and the options that ask for it.
const TO: [(&str, &str); 7] = [
    ("the same", ""),
    ("another dialect", "--output-format mboxcl2"),
    ("a mailbox file", "--output-format mboxrd"),
    ("a Maildir", "--output-format maildir"),
    (".eml files", "--output-format eml"),
    ("pieces", "--output-format mbox --split 300B"),
    ("mailboxes by label", "--output-format mbox --split-by label"),
];

/// The columns, each with what shows that the promise is kept.
const PROMISES: [(&str, ShowKept); 7] = [
    ("`--resume`", |cell| cell.writes_the_same("--resume")),
    ("`--verify`", |cell| cell.writes_the_same("--verify")),
    ("`--keep-original`", Cell::undoes),
    ("`--in-place`", Cell::replaces),
    ("`--dry-run`", Cell::only_reports),
    ("`--report`", Cell::reports),
    ("shards", Cell::joins),
];

/// One format, written in one form.
struct Cell {
    from: &'static str,
    make: fn(&Folder),
    to: &'static str,
}

impl Cell {
    fn folder(&self) -> Folder {
        let folder = Folder::new();
        (self.make)(&folder);
        // A message without a date of its own came when its file was written.
        for (path, _) in tree(&folder.path("")) {
            let file = fs::File::options()
                .append(true)
                .open(folder.path("").join(path.components().collect::<PathBuf>()))
                .expect("a file");
            file.set_modified(UNIX_EPOCH + Duration::from_secs(1_700_000_000)).expect("a time");
        }
        folder
    }

    /// Runs it with options in a folder.
    fn run(&self, folder: &Folder, options: &str) -> assert_cmd::assert::Assert {
        let mut command = convert();
        command.current_dir(folder.path("")).args(["-q"]).args(self.from.split(' ')).args(options.split(' '));
        command.args(self.to.split(' ').filter(|word| !word.is_empty())).assert()
    }

    /// Returns what is written without any option.
    fn written(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let folder = self.folder();
        self.run(&folder, "-o out").success();
        outputs(&folder)
    }

    fn writes_the_same(&self, option: &str) {
        let folder = self.folder();
        self.run(&folder, &format!("-o out {option}")).success();
        assert!(outputs(&folder) == self.written());
        assert!(has_text(&folder, "out", b"caf\xc3\xa9"));
    }

    fn undoes(&self) {
        let folder = self.folder();
        self.run(&folder, "-o out --keep-original").success();
        assert!(has_text(&folder, "out", b"caf\xc3\xa9"));
        let recursive: &[&str] = if self.from.starts_with("-r") { &["-r"] } else { &[] };
        septet(&folder, "undo").args(recursive).arg("out").assert().success();
        assert!(has_text(&folder, "out", b"caf\xe9") && !has_text(&folder, "out", b"caf\xc3\xa9"));
    }

    fn replaces(&self) {
        let folder = self.folder();
        self.run(&folder, "--in-place").success();
        assert!(has_text(&folder, "in", b"caf\xc3\xa9") && !has_text(&folder, "in", b"caf\xe9"));
    }

    fn only_reports(&self) {
        let folder = self.folder();
        self.run(&folder, "--dry-run --report r.jsonl").success();
        assert!(outputs(&folder).is_empty() && lines(&folder, "r.jsonl") == 3);
    }

    fn reports(&self) {
        let folder = self.folder();
        self.run(&folder, "-o out --report r.jsonl --report r.csv --report r.html").success();
        assert_eq!([lines(&folder, "r.jsonl"), lines(&folder, "r.csv")], [3, 4]);
        assert!(fs::read_to_string(folder.path("r.html")).expect("a page").contains("</html>"));
    }

    fn joins(&self) {
        let folder = self.folder();
        septet(&folder, "plan --target 100 -o plan.jsonl").args(self.from.split(' ')).assert().success();
        for shard in 0..lines(&folder, "plan.jsonl") {
            let options = format!("--plan plan.jsonl --shard {shard} --out-dir dir");
            let to = self.to.split(' ').filter(|word| !word.is_empty());
            septet(&folder, "convert").args(options.split(' ')).args(to).assert().success();
        }
        septet(&folder, "join --plan plan.jsonl --out-dir dir -o out").assert().success();
        assert!(outputs(&folder) == self.written());
    }

    /// Shows that the command of a promise is refused before anything is written, and says what to do instead.
    fn is_refused(&self, promise: &str) {
        let folder = self.folder();
        let before = tree(&folder.path(""));
        let run = match promise {
            "`--in-place`" => self.run(&folder, "--in-place"),
            "shards" => {
                septet(&folder, "convert --plan plan.jsonl --shard 0 --out-dir dir").args(self.to.split(' ')).assert()
            }
            option => self.run(&folder, &format!("-o out {}", option.trim_matches('`'))),
        };
        let run = run.code(64);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        let says_what_to_do = ["use ", "keep ", "leave ", "stay as they are", "can't", "cannot"];
        assert!(says_what_to_do.iter().any(|words| said.contains(words)), "{said}");
        assert!(tree(&folder.path("")) == before, "something was written");
    }
}

fn septet(folder: &Folder, words: &str) -> Command {
    let mut command = Command::cargo_bin("septet").expect("the program is built");
    command.env_remove("SEPTET_CONFIG").current_dir(folder.path("")).args(words.split_whitespace());
    command
}

/// Returns what was written, whatever its name: a file or folder `out`, or its pieces.
fn outputs(folder: &Folder) -> Vec<(PathBuf, Vec<u8>)> {
    let all = tree(&folder.path("")).into_iter();
    all.filter(|(path, _)| path.to_string_lossy().starts_with("out")).collect()
}

fn lines(folder: &Folder, name: &str) -> usize {
    fs::read_to_string(folder.path(name)).expect("a file").lines().count()
}

/// Returns `true` if octets stand in what is below a name, unpacked.
fn has_text(folder: &Folder, name: &str, text: &[u8]) -> bool {
    let unpacked = |octets: Vec<u8>| match octets.starts_with(b"\x1f\x8b") {
        true => Command::new("gzip").arg("-dc").write_stdin(octets).output().expect("gzip runs").stdout,
        false => octets,
    };
    let all = tree(&folder.path("")).into_iter().filter(|(path, _)| path.to_string_lossy().starts_with(name));
    let mut texts = all.filter(|(path, _)| path.extension().is_none_or(|end| end != "undo"));
    texts.any(|(_, octets)| unpacked(octets).windows(text.len()).any(|at| at == text))
}

/// The rows of the table in the documentation, and its head.
fn table() -> Vec<Vec<String>> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/archives.md")).expect("the page");
    let section = text.split("\n## Every promise with every format\n").nth(1).expect("the section");
    let section = section.split("\n## ").next().expect("the section");
    let rows = section.lines().filter(|line| line.starts_with('|') && !line.starts_with("|---"));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

#[test]
fn every_promise_is_kept_or_refused_as_the_table_says() {
    let table = table();
    let (head, rows) = table.split_first().expect("a head");
    assert_eq!(head[2..], PROMISES.map(|(name, _)| name.to_owned()));
    for row in rows {
        for from in row[0].split(", ") {
            let (_, from, make) = *FROM.iter().find(|(name, ..)| *name == from).expect("a known format");
            for form in row[1].split(", ") {
                let (_, to) = *TO.iter().find(|(name, _)| *name == form).expect("a known form");
                let cell = Cell { from, make, to };
                for ((promise, show), says) in PROMISES.iter().zip(&row[2..]) {
                    println!("{from} to {form}: {promise}");
                    match &**says {
                        "yes" => show(&cell),
                        "64" => cell.is_refused(promise),
                        other => panic!("{other}: write yes or 64"),
                    }
                }
            }
        }
    }
}

/// No format is without a row.
#[test]
fn every_format_has_its_rows() {
    let rows = table();
    for (from, ..) in FROM {
        let own = rows.iter().filter(|row| row[0].split(", ").any(|name| name == from));
        let forms: Vec<&str> = own.flat_map(|row| row[1].split(", ")).collect();
        let is_mailbox = from.ends_with("file") || from.ends_with("counts");
        let wanted = |to: &str| match to {
            "another dialect" => is_mailbox,
            "a mailbox file" => !is_mailbox,
            ".eml files" => !from.starts_with(".eml") && from != "MH folder",
            "a Maildir" => from != "Maildir",
            _ => true,
        };
        for (to, _) in TO {
            assert_eq!(forms.iter().filter(|form| **form == to).count(), usize::from(wanted(to)), "{from} to {to}");
        }
    }
}
