//! Folders: `-r`, Maildir++ subfolders, and what is no mail.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::dialects::{is_there, subjects};
use super::shards::septet;
use super::{Folder, LATIN, PLAIN, UTF8, convert, mbox, names};

/// An account as mail programs leave it, and more.
fn account() -> Folder {
    let folder = Folder::new();
    folder.put("mail/inbox", &mbox(&[LATIN, PLAIN]));
    folder.put("mail/inbox.msf", b"// <!-- <mdb:mork:z v=\"1.4\"/> -->\n");
    folder.put("mail/other.lock", b"");
    folder.put("mail/2007/jan.eml", LATIN);
    folder.put("mail/2007/feb.eml", PLAIN);
    folder.put("mail/2007/passwd", b"root:x:0:0:root:/root:/bin/bash\n");
    folder.put("mail/box/cur/1.a:2,S", LATIN);
    folder.put("mail/box/new/2.b", PLAIN);
    folder.put("mail/box/courierimapuiddb", b"1\n");
    folder.put("mail/box/.Sent/cur/3.c:2,S", LATIN);
    folder.put("mail/box/.Sent/maildirfolder", b"");
    folder.put("mail/box/.Sent/dovecot-keywords", b"0 $Forwarded\n");
    folder.put("mail/box/Work/cur/4.d:2,S", LATIN);
    fs::create_dir_all(folder.path("mail/box/Work/new")).expect("a folder");
    fs::create_dir_all(folder.path("mail/box/.Sent/new")).expect("a folder");
    for sub in ["box", "box/.Sent", "box/Work"] {
        fs::create_dir_all(folder.path("mail").join(sub).join("tmp")).expect("a folder");
    }
    symlink("inbox", folder.path("mail/link")).expect("a link");
    symlink("..", folder.path("mail/2007/up")).expect("a link");
    folder
}

/// The name of a message that changed in place in a Maildir: another one, with its sizes.
fn renamed(name: &str) -> String {
    let sizes = format!(",S={},W={}", UTF8.len(), UTF8.len() + UTF8.iter().filter(|&&octet| octet == b'\n').count());
    name.replace(":2,", &(sizes + ":2,"))
}

fn check(folder: &Folder, out: &str) {
    let read = |name: &str| {
        let name = if out == "mail" && name.contains(":2,") { renamed(name) } else { name.to_owned() };
        fs::read(folder.path(out).join(name)).expect("a file")
    };
    assert_eq!(read("inbox"), mbox(&[UTF8, PLAIN]));
    assert_eq!(read("2007/jan.eml"), UTF8);
    assert_eq!(read("2007/feb.eml"), PLAIN);
    assert_eq!(read("box/cur/1.a:2,S"), UTF8);
    assert_eq!(read("box/.Sent/cur/3.c:2,S"), UTF8);
    assert_eq!(read("box/.Sent/maildirfolder"), b"");
    assert_eq!(read("box/.Sent/dovecot-keywords"), b"0 $Forwarded\n");
    assert_eq!(read("box/Work/cur/4.d:2,S"), UTF8);
}

#[test]
fn all_mail_in_a_folder_is_converted() {
    let folder = account();
    let run = convert().arg("-r").arg(folder.path("mail")).arg("-o").arg(folder.path("out")).assert().success();
    check(&folder, "out");
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    for name in ["inbox.msf", "2007/passwd", "mail/link", "2007/up"] {
        assert!(said.contains(name), "{name}: {said}");
    }
    assert!(said.contains("septet: 8 messages"), "{said}");
    assert_eq!(names(&folder.path("out")), ["2007", "box", "inbox"]);
    convert().args(["-r", "--in-place"]).arg(folder.path("mail")).assert().success();
    check(&folder, "mail");
    let of_two = folder.path("two");
    convert()
        .arg("-r")
        .args([folder.path("mail/2007"), folder.path("mail/box")])
        .arg("-o")
        .arg(&of_two)
        .assert()
        .success();
    assert_eq!(names(&of_two), ["2007", "box"]);
    convert().args(["--compress=gzip", "-o", "x"]).arg(folder.path("mail/box")).assert().code(64);
    for arguments in [vec!["-r"], vec!["-r", "--dry-run", "--report", "mail/box/.Sent/cur/r.jsonl"]] {
        convert().current_dir(folder.path("")).args(arguments).arg("mail").assert().code(64);
    }
}

#[test]
fn neighbours_see_the_same_messages_in_every_output() {
    let folder = account();
    let encoded = b"Subject: =?iso-8859-1?Q?Num=E9ro?= 9\n\nx\n";
    folder.put("mail/box/cur/9.e:2,FS", encoded);
    folder.put("mail/inbox", &mbox(&[LATIN, encoded]));
    convert().arg("-r").arg(folder.path("mail")).arg("-o").arg(folder.path("out")).assert().success();
    for reader in ["python", "neomutt"].into_iter().filter(|reader| is_there(reader) && is_there("python")) {
        let of = |out: &str| {
            subjects(reader, &["inbox", "box", "box/.Sent", "box/Work"].map(|name| folder.path(out).join(name)))
        };
        assert_eq!(of("mail"), of("out"), "{reader}");
        assert_eq!(
            of("out"),
            [vec!["Num\u{e9}ro 9", "x"], vec!["Num\u{e9}ro 9", "x", "y"], vec!["x"], vec!["x"]],
            "{reader}"
        );
    }
}

#[test]
fn a_maildir_is_converted_with_its_subfolders() {
    for in_place in [true, false] {
        let folder = account();
        let mut command = convert();
        match in_place {
            true => command.arg("--in-place"),
            false => command.arg("-o").arg(folder.path("out")),
        };
        command.arg(folder.path("mail/box")).assert().success();
        let out = folder.path(if in_place { "mail/box" } else { "out" });
        let sent = if in_place { renamed(".Sent/cur/3.c:2,S") } else { ".Sent/cur/3.c:2,S".to_owned() };
        assert_eq!(fs::read(out.join(sent)).expect("a file"), UTF8);
        assert_eq!(out.join("Work").exists(), in_place, "no subfolder of Maildir++: -r takes it");
        assert_eq!(fs::read(folder.path("mail/box/Work/cur/4.d:2,S")).expect("a file"), LATIN);
    }
}

#[test]
fn what_is_no_mail_is_refused_with_a_hint() {
    let folder = Folder::new();
    folder.put("passwd", b"root:x:0:0:root:/root:/bin/bash\nmail:x:8:8:mail:/var/mail:/usr/sbin/nologin\n");
    folder.put("takeout.zip", b"PK\x03\x04\x14\0");
    folder.put("letters/a.eml", LATIN);
    folder.put("none/a.txt", b"text\n");
    folder.put("twice.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x93\xef\xe6\x60\0\0");
    let before = folder.names();
    for (arguments, code, hint) in [
        (
            "passwd",
            66,
            "passwd does not look like mail: it starts with header fields, but none that is used only in mail; --format eml",
        ),
        ("passwd --in-place", 66, "does not look like mail"),
        ("takeout.zip", 65, "what is packed in it is damaged"),
        ("letters", 66, "-r converts the mail in a folder"),
        ("none -r -o out", 66, "none contains no mail"),
        ("twice.gz", 65, "its gzip data is damaged"),
        ("passwd --format mbox", 65, "not an mbox"),
        ("passwd --format mboxcl2", 65, "not an mbox"),
    ] {
        let run = convert().current_dir(folder.path("")).args(arguments.split_whitespace()).assert().code(code);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains(hint), "{arguments}: {said}");
        assert_eq!(folder.names(), before, "{arguments}");
    }
    // Who knows better says so.
    let run = convert().args(["--format", "eml"]).arg(folder.path("passwd")).assert().success();
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("1 message,"));
    convert().current_dir(folder.path("")).args(["letters", "-r", "-o", "out"]).assert().success();
    assert_eq!(fs::read(folder.path("out/a.eml")).expect("a file"), UTF8);
    // An empty file is a mailbox without messages.
    let empty = folder.put("empty", b"");
    let run = convert().arg("--in-place").arg(empty).assert().success();
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("0 messages,"));
}

/// What nmh and Sylpheed know of the messages of an MH folder goes with them, by their numbers.
#[test]
fn marks_of_an_mh_folder_go_with_its_messages() {
    let folder = Folder::new();
    folder.put("MH/inbox/1", LATIN);
    folder.put("MH/inbox/2", PLAIN);
    folder.put("MH/inbox/.mh_sequences", b"unseen: 2\ncur: 1\n");
    folder.put("MH/.sylpheed_mark", b"\x02\0\0\0");
    folder.put("MH/3", PLAIN);
    let run = convert().arg("-r").arg(folder.path("MH")).arg("-o").arg(folder.path("OUT")).assert().success();
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(!said.contains("skipped"), "{said}");
    assert_eq!(fs::read(folder.path("OUT/inbox/.mh_sequences")).expect("marks"), b"unseen: 2\ncur: 1\n");
    assert_eq!(fs::read(folder.path("OUT/.sylpheed_mark")).expect("marks"), b"\x02\0\0\0");
    // Nothing is written through a link, and messages that were named one by one take no marks along.
    fs::create_dir_all(folder.path("linked/inbox")).expect("a folder");
    std::os::unix::fs::symlink(folder.path("victim"), folder.path("linked/inbox/.mh_sequences")).expect("a link");
    convert().arg("-r").arg(folder.path("MH")).arg("-o").arg(folder.path("linked")).assert().success();
    assert!(!folder.path("victim").exists());
    fs::create_dir(folder.path("some")).expect("a folder");
    let named = ["MH/inbox/1", "MH/inbox/2"].map(|name| folder.path(name));
    convert().args(named).arg("-o").arg(folder.path("some")).assert().success();
    assert_eq!(names(&folder.path("some")), ["1", "2"]);
}

/// procmail leaves the From_ line in the files of an MH folder: they are messages of it all the same. A mailbox file may
/// have a number for its name too.
/// What `rmm` removed came back as mail, and the messages stood in the order of their names.
#[test]
fn messages_of_mh_come_by_their_numbers_without_what_was_removed() {
    let folder = Folder::new();
    for name in ["10", "2", ",4", "#5", "draft.eml"] {
        folder.put(&format!("mail/{name}"), LATIN);
    }
    let line = "-r mail --output-format mbox -o out.mbox --report r.jsonl";
    convert().current_dir(folder.path("")).args(line.split(' ')).assert().success();
    let lines = super::report::lines(&folder.path("r.jsonl"));
    let told: Vec<_> = lines.iter().map(|line| (line["input"].as_str(), line["result"].as_str())).collect();
    let (skipped, changed) = (Some("skipped"), Some("changed"));
    assert_eq!(
        told,
        [
            (Some("mail/#5"), skipped),
            (Some("mail/,4"), skipped),
            (Some("mail/2"), changed),
            (Some("mail/10"), changed),
            (Some("mail/draft.eml"), changed)
        ]
    );
}

/// After a kill, and in a second run, the output of the first was converted with the rest.
#[test]
fn the_output_in_a_folder_is_not_converted_with_it() {
    let folder = Folder::new();
    folder.put("mail/a.eml", LATIN);
    folder.put("mail/other.partial/septet-origin.jsonl", b"{}\n");
    folder.put("mail/other.partial/000001.eml", LATIN);
    for _ in 0..2 {
        convert().current_dir(folder.path("")).args(["-r", "mail", "-o", "mail/out"]).assert().success();
        assert_eq!(names(&folder.path("mail/out")), ["a.eml"]);
    }
}

#[test]
fn messages_of_mh_may_have_a_from_line() {
    let folder = Folder::new();
    let message = |number: u32| format!("From a@b.c Mon Jan  1 00:00:0{number} 2007\nSubject: {number}\n\n>From x\n");
    for number in [1, 2, 3] {
        folder.put(&format!("MH/inbox/{number}"), message(number).as_bytes());
    }
    folder.put("MH/inbox/.mh_sequences", b"unseen: 2\n");
    folder.put("MH/2007", [message(4), message(5)].join("\n").as_bytes());
    let out = folder.path("OUT");
    convert().args(["-r", "--output-format", "maildir", "-o"]).args([&out, &folder.path("MH")]).assert().success();
    assert_eq!(names(&out), ["2007", "inbox"]);
    let flags = |name: &String| name.split_once(":2,").map_or("", |(_, flags)| flags).to_owned();
    assert_eq!(names(&out.join("inbox/cur")).iter().map(flags).collect::<Vec<_>>(), ["S", "S"]);
    let new = names(&out.join("inbox/new"));
    assert!(new.len() == 1 && new[0].starts_with("000000002.1167609602."), "{new:?}");
    assert_eq!(fs::read(out.join("inbox/new").join(&new[0])).expect("a file"), b"Subject: 2\n\n>From x\n");
    // Each stays what it was, by itself and in shards.
    for words in [
        "convert --profile keep -r -o SAME MH",
        "plan -r -o plan.jsonl MH",
        "convert --profile keep --plan plan.jsonl --shard 0 --out-dir shards",
        "join --profile keep --plan plan.jsonl --out-dir shards -o JOINED",
    ] {
        septet(&folder, words).assert().success();
    }
    for out in ["SAME", "JOINED"] {
        assert_eq!(fs::read_to_string(folder.path(out).join("inbox/3")).expect("a file"), message(3), "{out}");
    }
}

/// procmail quotes no From_ line in a body. A numbered file in which one stands is a message if that line is older than
/// its own, and most files beside it are messages; or if the folder is known to be of MH. Else it is a mailbox file, for
/// such a file may have a number too.
#[test]
fn a_message_of_mh_may_cite_a_from_line() {
    let from = |day: u32| format!("From a@b.c Mon Jan {day:2} 00:00:00 2007\nSubject: {day}\n\nx\n");
    let run = |several: &[[u32; 2]], messages: u32, marks: &str| {
        let folder = Folder::new();
        (1..=messages).for_each(|number| _ = folder.put(&format!("MH/{number}"), from(5).as_bytes()));
        for (days, number) in several.iter().zip(2001..) {
            folder.put(&format!("MH/{number}"), days.map(from).join("\n").as_bytes());
        }
        if !marks.is_empty() {
            folder.put(&format!("MH/{marks}"), b"");
        }
        for words in ["convert -r --output-format eml -o OUT MH", "plan -r -o plan.jsonl MH"] {
            septet(&folder, words).assert().success();
        }
        let plan = fs::read_to_string(folder.path("plan.jsonl")).expect("a plan");
        let mailboxes = plan.matches("\"format\":\"mbox\"").count();
        (mailboxes, names(&folder.path("OUT")).len())
    };
    // All are messages of one folder.
    assert_eq!(run(&[[5, 3]], 10, ""), (0, 11));
    // (and the flags of .mh_sequences are in septet-origin.jsonl)
    assert_eq!(run(&[[5, 6], [5, 5]], 1, ".mh_sequences"), (0, 4));
    // The mailbox file gets a folder of its own beside the messages: too few are there, or it has grown.
    assert_eq!(run(&[[5, 3]], 9, ""), (1, 10));
    assert_eq!(run(&[[5, 3], [5, 3]], 19, ""), (2, 21));
    assert_eq!(run(&[[5, 6]], 30, ""), (1, 31));
    assert_eq!(run(&[[5, 4]], 30, ""), (1, 31));
    assert_eq!(run(&[[5, 3], [5, 3], [5, 3]], 0, ""), (3, 3));
}

/// Behind a message in CR LF the empty line that septet adds before a From_ line ends with LF, for formail and `inc`
/// know no other; one that stood so in a mailbox file stays, and the message comes back as it was.
#[test]
fn the_empty_line_before_a_from_line_is_one_for_its_neighbours() {
    let folder = Folder::new();
    let message = |number: u32| format!("Subject: {number}\r\n\r\nx\r\n");
    [1, 2].iter().for_each(|&number| _ = folder.put(&format!("in/{number}.eml"), message(number).as_bytes()));
    let (mailbox, again, back) = (folder.path("out.mbox"), folder.path("again"), folder.path("back.mbox"));
    let run = |words: &[&str], out: &Path, input: &Path| {
        convert().args(["--verify", "-r"]).args(words).arg("-o").args([out, input]).assert().success();
        fs::read(out).map_or(String::new(), |octets| String::from_utf8(octets).expect("text"))
    };
    let made = run(&["--output-format", "mbox"], &mailbox, &folder.path("in"));
    assert!(made.contains("\r\nx\r\n\nFrom ") && made.ends_with("x\r\n\n"), "{made:?}");
    run(&["--output-format", "eml"], &again, &mailbox);
    assert_eq!(fs::read_to_string(again.join("000001.eml")).expect("a file"), message(1));
    for was in [made.clone(), made.replace("\n\nFrom", "\n\r\nFrom")] {
        let input = folder.put("was.mbox", was.as_bytes());
        fs::remove_dir_all(&again).expect("a folder");
        run(&["--output-format", "eml"], &again, &input);
        assert_eq!(run(&["--output-format", "mbox"], &back, &again), was);
    }
}

/// In another form the marks become flags: in the names of a Maildir, in fields elsewhere.
#[test]
fn marks_of_an_mh_folder_become_flags() {
    let folder = Folder::new();
    for number in [1, 2, 3, 10] {
        folder.put(&format!("MH/inbox/{number}"), format!("From: a@example.org\nSubject: {number}\n\nx\n").as_bytes());
    }
    folder.put("MH/inbox/.mh_sequences", b"unseen: 2-3\nflagged: 1 3\nreplied: 1\n");
    let run = |form: &str, to: &str| {
        let out = folder.path(to);
        convert().args(["-r", "--output-format", form, "-o"]).arg(&out).arg(folder.path("MH")).assert().success();
        out
    };
    let maildir = run("maildir", "maildir");
    let flags = |sub: &str| -> Vec<String> {
        let names = names(&maildir.join(sub)).into_iter();
        names.map(|name| format!("{}:{}", &name[7..9], name.split_once(":2,").map_or("", |(_, flags)| flags))).collect()
    };
    assert_eq!((flags("cur"), flags("new")), (vec!["01:FRS".into(), "03:F".into(), "04:S".into()], vec!["02:".into()]));
    let mailbox = String::from_utf8(fs::read(run("mboxrd", "mbox")).expect("a mailbox")).expect("text");
    let fields: Vec<_> = mailbox.lines().filter(|line| line.contains("S") && !line.starts_with("From")).collect();
    let (one, two) = (["Subject: 1", "Status: RO", "X-Status: FA"], ["Subject: 2"]);
    let wanted = [&one[..], &two, &["Subject: 3", "Status: O", "X-Status: F"], &["Subject: 10", "Status: RO"]].concat();
    assert_eq!(fields, wanted);
    // Sylpheed knows the same in its own way, and two flags more.
    fs::remove_file(folder.path("MH/inbox/.mh_sequences")).expect("marks");
    let marks = [2, 1, 0x14, 2, 3, 3, 6, 10, 0x28].map(u32::to_le_bytes).concat();
    folder.put("MH/inbox/.sylpheed_mark", &marks);
    fs::remove_dir_all(&maildir).expect("a folder");
    assert_eq!(run("maildir", "maildir"), maildir);
    assert_eq!(
        (flags("cur"), flags("new")),
        (vec!["01:FRS".into(), "03:F".into(), "04:PST".into()], vec!["02:".into()])
    );
}

/// Where two messages had one name before the first comma, the flags in both names were lost, and their own times.
#[test]
fn flags_of_messages_with_one_name_are_kept() {
    let folder = Folder::new();
    for (path, subject) in [("cur/1.h,S=5:2,FS", "one"), ("cur/1.h,S=7:2,R", "two"), ("new/2.h", "three")] {
        folder.put(&format!("box/{path}"), format!("From: a@example.org\nSubject: {subject}\n\nx\n").as_bytes());
    }
    fs::create_dir(folder.path("box/tmp")).expect("a folder");
    let out = folder.path("out.mbox");
    convert().args(["--output-format", "mboxrd", "-o"]).arg(&out).arg(folder.path("box")).assert().success();
    let mailbox = String::from_utf8(fs::read(out).expect("a mailbox")).expect("text");
    let fields: Vec<_> = mailbox.lines().filter(|line| line.contains("S") && !line.starts_with("From")).collect();
    let (one, two) = (["Subject: one", "Status: RO", "X-Status: F"], ["Subject: two", "Status: O", "X-Status: A"]);
    assert_eq!(fields, [&one[..], &two, &["Subject: three"]].concat());
}

/// Beside folders by year a file `#1` was passed over as a message that MH had removed.
#[test]
fn a_folder_of_a_number_is_no_message_of_mh() {
    let folder = Folder::new();
    folder.put("store/2023/a.eml", LATIN);
    folder.put("store/#1", LATIN);
    let out = folder.path("out");
    convert().args(["-r", "-o"]).arg(&out).arg(folder.path("store")).assert().success();
    assert_eq!(fs::read(out.join("#1")).expect("a message"), UTF8);
}
