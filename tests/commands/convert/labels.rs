//! `--split-by label`: mail of a Takeout goes to a mailbox for each label.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::shards::tree;
use super::{Folder, LATIN, UTF8, convert, mbox, names, report};

/// A message with these labels.
fn labelled(number: usize, labels: &str) -> Vec<u8> {
    let head = format!("X-GM-THRID: {number}\nX-Gmail-Labels: {labels}\nX-Number: {number}\n");
    [head.as_bytes(), LATIN].concat()
}

/// A mailbox file of Takeout's, with messages that have these labels; none has no such field.
fn takeout(labels: &[Option<&str>]) -> Vec<u8> {
    let message = |(number, labels): (usize, &Option<&str>)| match labels {
        Some(labels) => labelled(number, labels),
        None => LATIN.to_vec(),
    };
    let messages: Vec<Vec<u8>> = labels.iter().enumerate().map(message).collect();
    mbox(&messages.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

const LABELS: [Option<&str>; 8] = [
    Some("Inbox,Unread"),
    Some("Archived,Opened,Work/Apollo,Important"),
    Some("Inbox,Work,Opened,Starred"),
    Some("=?UTF-8?Q?Sent,Opened,\"Ev=C3=A9nements,_culture\"?="),
    None,
    Some("Trash,Work,Opened"),
    Some("../x,.hidden,Opened"),
    Some("work,Category Updates,Opened"),
];

fn run(folder: &Folder, words: &str, code: i32) -> String {
    let run = convert().current_dir(folder.path("")).args(words.split(' ')).assert().code(code);
    String::from_utf8_lossy(&run.get_output().stderr).into_owned()
}

/// Returns the numbers of the messages in each mailbox, sorted, by its path.
fn numbers(folder: &Folder, out: &str) -> BTreeMap<String, String> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for (path, octets) in tree(&folder.path(out)) {
        let text = String::from_utf8_lossy(&octets).into_owned();
        let numbers = text.lines().filter_map(|line| line.strip_prefix("X-Number: ")).collect::<Vec<_>>().join(" ");
        let is_file = path.extension().is_some_and(|end| end == "mbox");
        let mailbox = if is_file { path.clone() } else { mailbox_of(&path) };
        if path.file_name().is_none_or(|name| name != "septet-origin.jsonl") {
            let all = found.entry(mailbox.display().to_string().trim_end_matches('/').to_owned()).or_default();
            let mut numbers: Vec<&str> = all.split(' ').chain(numbers.split(' ')).filter(|it| !it.is_empty()).collect();
            numbers.sort_unstable();
            *all = numbers.join(" ");
        }
    }
    found
}

/// Returns the folder that a message's file is in, without the part of a Maildir.
fn mailbox_of(path: &Path) -> PathBuf {
    let folder = path.parent().unwrap_or(Path::new(""));
    let is_part = folder.file_name().is_some_and(|name| name == "cur" || name == "new");
    if is_part { folder.parent().unwrap_or(folder).to_owned() } else { folder.to_owned() }
}

fn wanted(pairs: &[(&str, &str)], end: &str) -> BTreeMap<String, String> {
    pairs.iter().map(|(mailbox, numbers)| (format!("{mailbox}{end}"), (*numbers).to_owned())).collect()
}

#[test]
fn each_message_goes_to_one_mailbox() {
    let folder = Folder::new();
    folder.put("in.mbox", &takeout(&LABELS));
    let all = [
        ("%2E./x", "6"),
        ("Evénements, culture", "3"),
        ("Inbox", "0"),
        ("Trash", "5"),
        ("Work", "2 7"),
        ("Work/Apollo", "1"),
        ("unlabelled", ""),
    ];
    for (form, end) in [("maildir", ""), ("eml", ""), ("mbox", ".mbox"), ("mboxcl2", ".mbox")] {
        let said = run(
            &folder,
            &format!("in.mbox --split-by label --output-format {form} -o {form} --verify --report {form}.jsonl"),
            0,
        );
        assert_eq!(numbers(&folder, form), wanted(&all, end), "{form}: {said}");
        assert_eq!(report::lines(&folder.path(&format!("{form}.jsonl"))).len(), LABELS.len());
        assert!(said.contains(&format!("written to {form}/")), "{said}");
        assert!(!folder.path(form).join("septet-origin.jsonl").exists());
    }
    assert_eq!(
        folder.names(),
        ["eml", "eml.jsonl", "in.mbox", "maildir", "maildir.jsonl", "mbox", "mbox.jsonl", "mboxcl2", "mboxcl2.jsonl"]
    );
    // The flags of Gmail are those of the Maildir.
    let work = names(&folder.path("maildir/Work/cur"));
    assert!(work[0].ends_with(":2,FS") && work[1].ends_with(":2,S"), "{work:?}");
    assert_eq!(names(&folder.path("maildir/Inbox/new")).len(), 1);
    // The mailboxes of a Maildir lead back to mailbox files, each with its From_ lines.
    run(&folder, "-r --profile keep maildir/Work --output-format mbox -o back", 0);
    let back = fs::read(folder.path("back/Work.mbox")).expect("a file");
    assert_eq!(back, fs::read(folder.path("mbox/Work.mbox")).expect("a file"));
}

#[test]
fn each_message_goes_to_each_of_its_mailboxes() {
    let folder = Folder::new();
    folder.put("in.mbox", &takeout(&LABELS));
    let line = "in.mbox --split-by label --labels each --output-format maildir -o out --verify --report r.csv -v";
    let said = run(&folder, line, 0);
    assert!(said.contains("out: 9 mailboxes") && said.contains("out/Work: 3 messages"), "{said}");
    let all = [
        ("%2E./x", "6"),
        ("%2Ehidden", "6"),
        ("Evénements, culture", "3"),
        ("Inbox", "0 2"),
        ("Sent", "3"),
        ("Trash", "5"),
        ("Work", "2 5 7"),
        ("Work/Apollo", "1"),
        ("unlabelled", ""),
    ];
    assert_eq!(numbers(&folder, "out"), wanted(&all, ""));
    assert_eq!(fs::read_to_string(folder.path("r.csv")).expect("a report").lines().count(), LABELS.len() + 1);
}

/// All mailboxes together have the messages that one has.
#[test]
fn what_is_in_the_mailboxes_is_what_one_would_have() {
    let folder = Folder::new();
    let labels: Vec<String> = (0..600).map(|number| format!("Label {}/{}", number % 7, number % 90)).collect();
    let labels: Vec<Option<&str>> = labels.iter().map(|labels| Some(labels.as_str())).collect();
    folder.put("in.mbox", &takeout(&labels));
    run(&folder, "in.mbox -o one.mbox", 0);
    let one = fs::read(folder.path("one.mbox")).expect("a file");
    let sorted = |octets: &[u8]| {
        let text = String::from_utf8_lossy(octets).into_owned();
        let mut messages: Vec<String> =
            text.split("\n\nFrom ").map(|it| it.trim_matches('\n').replacen("From ", "", 1)).collect();
        messages.sort();
        messages
    };
    // More mailboxes than are open at a time, with one thread and with many; compressed as well.
    for options in ["--jobs 1", "--jobs 4", "--compress gzip", "--compress zstd"] {
        let out = options.trim_start_matches('-').replace(' ', "-");
        run(&folder, &format!("in.mbox --split-by label -o {out} --verify {options}"), 0);
        let unpacked = |path: &Path, octets: Vec<u8>| match path.extension().and_then(|end| end.to_str()) {
            Some("mbox") => octets,
            Some(method) => {
                let program = if method == "gz" { "gzip" } else { "zstd" };
                let run = assert_cmd::Command::new(program).arg("-dc").write_stdin(octets).output();
                run.expect("it runs").stdout
            }
            None => panic!("{}", path.display()),
        };
        let files = tree(&folder.path(&out));
        assert_eq!(files.len(), 600);
        let all = files.into_iter().flat_map(|(path, octets)| unpacked(&path, octets)).collect::<Vec<u8>>();
        assert!(sorted(&all) == sorted(&one), "{options}");
    }
    assert!(tree(&folder.path("jobs-1")) == tree(&folder.path("jobs-4")));
}

#[test]
fn mail_in_files_is_sorted_too() {
    let folder = Folder::new();
    folder.put("box/cur/1.a:2,Sab", &labelled(1, "Work"));
    folder.put("box/cur/2.a:2,S", &labelled(2, "Inbox"));
    folder.put("box/new/3.a", LATIN);
    folder.put("box/dovecot-keywords", b"0 $Forwarded\n1 later\n");
    fs::create_dir_all(folder.path("box/tmp")).expect("a folder");
    run(&folder, "box --split-by label --output-format maildir -o out --verify", 0);
    assert_eq!(names(&folder.path("out")), ["Inbox", "Work", "unlabelled"]);
    let name = &names(&folder.path("out/Work/cur"))[0];
    assert!(name.ends_with(":2,Sab"), "{name}");
    assert_eq!(
        fs::read_to_string(folder.path("out/Work/dovecot-keywords")).expect("a file"),
        "0 $Forwarded\n1 later\n"
    );
    assert!(!folder.path("out/Inbox/dovecot-keywords").exists());
    // Several inputs have a folder each.
    folder.put("in.mbox", &takeout(&[Some("Work"), None]));
    run(&folder, "box in.mbox --split-by label --output-format mbox -o both", 0);
    assert_eq!(names(&folder.path("both")), ["box", "in"]);
    assert_eq!(names(&folder.path("both/in")), ["Work.mbox", "unlabelled.mbox"]);
    // MMDF stays what it is.
    let one = |labels: &str| [b"\x01\x01\x01\x01\n", &labelled(1, labels)[..], b"\x01\x01\x01\x01\n"].concat();
    folder.put("in.mmdf", &[one("a"), one("b"), one("a")].concat());
    run(&folder, "in.mmdf --profile keep --split-by label -o mmdf --verify", 0);
    assert_eq!(fs::read(folder.path("mmdf/a.mbox")).expect("a file"), one("a").repeat(2));
}

#[test]
fn refuses_before_anything_is_done() {
    let folder = Folder::new();
    folder.put("a.mbox", &takeout(&LABELS));
    folder.put("m/new/1", LATIN);
    folder.put("m/cur/2", LATIN);
    folder.put("full/x", b"");
    let before = folder.names();
    for (line, code, words) in [
        ("a.mbox --split-by label", 64, "--split-by needs -o"),
        ("a.mbox --split-by label -o -", 64, "--split-by needs -o"),
        ("a.mbox --split-by label -o out --split 1MB", 64, "use one of them"),
        ("a.mbox --split-by label --in-place", 64, "use -o instead of --in-place"),
        ("a.mbox --split-by label -o out --keep-original", 64, "--keep-original is of no use"),
        ("a.mbox --split-by label -o out --backup", 64, "leave it out"),
        (
            "a.mbox --split-by label -o out --output-format maildir --compress gzip",
            64,
            "--compress is for mailbox files",
        ),
        ("a.mbox --split-by label -o full", 73, "full already exists"),
        ("a.mbox --split-by label -o out --report out/r.jsonl", 64, "--report"),
        ("m --split-by label -o out", 64, "add --output-format"),
        ("a.mbox --labels each -o out", 64, "--split-by"),
        ("a.mbox --split-by subject -o out", 64, "label"),
        ("--plan p --shard 0 --out-dir d --split-by label", 64, "--plan"),
    ] {
        let said = run(&folder, line, code);
        assert!(said.contains(words), "{line}: {said}");
        assert_eq!(folder.names(), before, "{line}");
    }
    let said = run(&folder, "a.mbox --split-by label --dry-run --report r.jsonl", 0);
    assert!(said.contains("this was a dry run"), "{said}");
    assert_eq!(report::lines(&folder.path("r.jsonl")).len(), LABELS.len());
}

/// Keywords go along where the program that reads them there knows them; what is lost is named.
#[test]
fn keywords_are_carried_where_they_are_read() {
    let folder = Folder::new();
    let dovecot = b"From a@example.org Mon Jan  1 00:00:00 2007\nX-IMAPbase: 1700000000 0000000002 work $Forwarded\n\
        X-Keywords: work\nStatus: RO\nSubject: one\n\none\n\n\
        From a@example.org Mon Jan  1 00:00:00 2007\nX-Keywords: $Forwarded forged\nSubject: two\n\ntwo\n\n";
    let thunderbird =
        b"From - Mon Jan  1 00:00:00 2007\nX-Mozilla-Status: 0001\nX-Mozilla-Keys: $label1 later    \n\none\n\n";
    for (name, octets, letters, keywords) in [
        ("dovecot", &dovecot[..], &[":2,Sa", ":2,b"][..], "0 work\n1 $Forwarded\n"),
        ("thunderbird", thunderbird, &[":2,Sab"], "0 $label1\n1 later\n"),
    ] {
        folder.put("in.mbox", octets);
        run(&folder, &format!("--profile keep in.mbox --output-format maildir -o {name} --verify"), 0);
        let found = names(&folder.path(name).join("cur"));
        assert!(
            found.len() == letters.len() && found.iter().zip(letters).all(|(it, end)| it.ends_with(end)),
            "{found:?}"
        );
        assert_eq!(fs::read_to_string(folder.path(name).join("dovecot-keywords")).expect("a file"), keywords);
        let said = run(&folder, &format!("--profile keep {name} --output-format mbox -o back"), 0);
        assert!(fs::read(folder.path("back")).expect("a file") == octets && !said.contains("no place"), "{said}");
    }
    // No program would read them in a file that does not name them.
    folder.put("box/cur/1.a:2,PSa", UTF8);
    folder.put("box/cur/2.a:2,Sb", UTF8);
    folder.put("box/dovecot-keywords", b"0 work\n");
    fs::create_dir_all(folder.path("box/new")).expect("a folder");
    let said = run(&folder, "box --output-format mbox -o lost", 0);
    let words = "lost: 2 messages had flags that its form has no place for, and that are in the input alone: forwarded (1), keywords (2)";
    assert!(said.contains(words), "{said}");
}
