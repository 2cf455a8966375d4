//! Mail in another form than it was in: there and back, what is carried, what is refused; and mailbox files in pieces.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::time::{Duration, UNIX_EPOCH};

use super::undo::undo;
use super::{Folder, LATIN, PLAIN, UTF8, convert, mbox, names, report, sample};
use crate::milter::mta::there;
use septet_support::line_ends::with_crlf;
use septet_support::nightly;

/// A mailbox file whose messages say in fields what was done with them.
const MARKED: &[u8] = b"From a@example.org Mon Jan  1 00:00:00 2007\nSubject: new\n\none\n\n\
    From b@example.org Tue Jan  2 00:00:00 2007\nSubject: seen\nStatus: O\n\ntwo\n\n\
    From c@example.org Wed Jan  3 00:00:00 2007\nSubject: read\nStatus: RO\nX-Status: AF\n\nthree\n\n\
    From d@example.org Thu Jan  4 00:00:00 2007\nX-Mozilla-Status: 1009\nSubject: mozilla\nX-Keywords: work\n\nfour\n\n";

fn files() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mailbox/dialects");
    let fixtures = names(&folder).into_iter().filter(|name| name.ends_with(".mbox"));
    let mut all: Vec<_> = fixtures.map(|name| (fs::read(folder.join(&name)).expect("a fixture"), name)).collect();
    all.push((fs::read(sample()).expect("the sample"), "sample".to_owned()));
    let own: [(&str, &[u8]); 8] = [
        ("marked", MARKED),
        ("empty messages", b"From a Mon Jan  1 00:00:00 2007\n\nFrom b Mon Jan  1 00:00:00 2007\n\n\n"),
        ("no header", b"From a Mon Jan  1 00:00:00 2007\n\nonly text\n\nFrom b Mon Jan  1 00:00:00 2007\ntext\n\n"),
        ("no date", b"From a\nA: b\n\nx\n\nFrom b\nA: b\n\ny\n"),
        ("no final newline", b"From a Mon Jan  1 00:00:00 2007\nA: b\n\nx"),
        ("a From_ line alone", b"From a Mon Jan  1 00:00:00 2007"),
        (
            "mixed line ends",
            b"From a Mon Jan  1 00:00:00 2007\nA: b\r\n\r\nx\n\r\nFrom b Mon Jan  1 00:00:00 2007\r\nA: b\n\ny\r\n\r\n",
        ),
        ("not quoted", b"From a Mon Jan  1 00:00:00 2007\nA: b\n\nFrom now on\n>From there\n\xff\n\n"),
    ];
    all.extend(own.map(|(name, octets)| (octets.to_vec(), name.to_owned())));
    let crlf: Vec<_> = all.iter().map(|(octets, name)| (with_crlf(octets), format!("{name}, CRLF"))).collect();
    all.into_iter().chain(crlf).map(|(octets, name)| (name, octets)).collect()
}

fn run(options: &[&str], out: &Path, input: &Path) {
    convert().args(options).arg("-o").arg(out).arg(input).assert().success();
}

/// Returns the names of a Maildir's messages, of cur and new.
fn messages(maildir: &Path) -> Vec<String> {
    let below = |sub: &str| names(&maildir.join(sub)).into_iter().map(move |name| format!("{sub}/{name}")).collect();
    let mut all: Vec<String> = below("cur");
    let new: Vec<String> = below("new");
    all.extend(new);
    all
}

#[test]
fn every_mailbox_file_comes_back_octet_for_octet() {
    for (name, octets) in files().into_iter().step_by(if nightly() { 1 } else { 3 }) {
        let folder = Folder::new();
        let input = folder.put("in.mbox", &octets);
        let forms: &[&str] = if name.ends_with("CRLF") { &["eml"] } else { &["maildir", "eml"] };
        for &form in forms {
            let (there, back, again) = (folder.path(form), folder.path("back"), folder.path("again"));
            run(&["--profile=keep", "--verify", "--output-format", form], &there, &input);
            run(&["-r", "--profile=keep", "--verify", "--output-format=mbox"], &back, &there);
            assert!(fs::read(&back).expect("a file") == octets, "{name} by way of {form}");
            // By way of the other form, too.
            let other = if form == "eml" { "maildir" } else { "eml" };
            run(&["-r", "--profile=keep", "--output-format", other], &again, &there);
            run(&["-r", "--profile=keep", "--output-format=mbox"], &back, &again);
            assert!(fs::read(&back).expect("a file") == octets, "{name} by way of {form} and {other}");
            fs::remove_dir_all(&again).expect("a folder");
            // The profile changes what it changes in a mailbox file, and the other reader agrees.
            let changed = folder.path("changed");
            run(&["--verify", "--output-format", form], &changed, &input);
            run(&["-r", "--verify", "--output-format=mboxrd"], &back, &changed);
            fs::remove_dir_all(&changed).expect("a folder");
        }
    }
}

/// A mailbox file without a message is an empty Maildir; in an empty folder `-r` finds no mail.
#[test]
fn an_empty_mailbox_stays_one() {
    let folder = Folder::new();
    let (input, maildir, back) = (folder.put("in.mbox", b""), folder.path("maildir"), folder.path("back.mbox"));
    run(&["--output-format=maildir"], &maildir, &input);
    assert!(messages(&maildir).is_empty());
    run(&["--output-format=mbox", "--verify"], &back, &maildir);
    assert_eq!(fs::read(&back).expect("a file"), b"");
}

#[test]
fn names_are_the_same_in_a_second_run_and_sort_as_the_messages_do() {
    let folder = Folder::new();
    let input = folder.put("in.mbox", MARKED);
    let (one, two, eml) = (folder.path("one"), folder.path("two"), folder.path("eml"));
    run(&["--output-format=maildir", "--jobs=1"], &one, &input);
    run(&["--output-format=maildir", "--jobs=4"], &two, &input);
    assert_eq!(messages(&one), messages(&two));
    let [seen, read, mozilla, new] = &messages(&one)[..] else { panic!("four messages") };
    assert!(new.starts_with("new/000000001.1167609600.") && new.ends_with(".septet,S=18,W=21"), "{new}");
    assert!(seen.starts_with("cur/000000002.1167696000.") && seen.ends_with(":2,"), "{seen}");
    assert!(read.ends_with(":2,FRS") && mozilla.ends_with(":2,PST"), "{read} {mozilla}");
    run(&["--output-format=eml"], &eml, &input);
    let wanted = ["000001.eml", "000002.eml", "000003.eml", "000004.eml", "septet-origin.jsonl"];
    assert_eq!(names(&eml), wanted);
    assert_eq!(fs::read(eml.join("000002.eml")).expect("a file"), b"Subject: seen\nStatus: O\n\ntwo\n");
    for file in [one.join(read), eml.join("000003.eml")] {
        let time = fs::metadata(&file).and_then(|there| there.modified()).expect("a time");
        assert_eq!(time, UNIX_EPOCH + Duration::from_secs(1_167_782_400), "the time of the From_ line");
    }
    assert_eq!(folder.names(), ["eml", "in.mbox", "one", "two"], "nothing else is left");
}

#[test]
fn python_sees_the_flags() {
    if !there("python3", Process::new("python3").arg("--version").output().is_ok()) {
        return;
    }
    let folder = Folder::new();
    let input = folder.put("in.mbox", MARKED);
    let (maildir, back) = (folder.path("maildir"), folder.path("back.mbox"));
    run(&["--output-format=maildir"], &maildir, &input);
    // What comes of a Maildir that nobody made of a mailbox file.
    fs::remove_file(maildir.join("septet-origin.jsonl")).expect("it is there");
    run(&["--output-format=mboxo"], &back, &maildir);
    let script = "import json, mailbox, sys\n\
        d, b = mailbox.Maildir(sys.argv[1], create=False), mailbox.mbox(sys.argv[2], create=False)\n\
        print(json.dumps(sorted([m['Subject'], m.get_subdir(), m.get_flags(), int(m.get_date())] for m in d)))\n\
        print(json.dumps([[m['Subject'], ''.join(sorted(m.get_flags())), m.get_from()] for m in b]))\n";
    let seen = Process::new("python3").args(["-c", script]).args([&maildir, &back]).output().expect("python3 runs");
    let seen = String::from_utf8(seen.stdout).expect("text");
    let mut lines = seen.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a list"));
    let wanted = serde_json::json!([
        ["mozilla", "cur", "PST", 1_167_868_800],
        ["new", "new", "", 1_167_609_600],
        ["read", "cur", "FRS", 1_167_782_400],
        ["seen", "cur", "", 1_167_696_000],
    ]);
    assert_eq!(lines.next(), Some(wanted));
    let wanted = serde_json::json!([
        ["new", "", "MAILER-DAEMON Mon Jan  1 00:00:00 2007"],
        ["seen", "O", "MAILER-DAEMON Tue Jan  2 00:00:00 2007"],
        ["read", "AFOR", "MAILER-DAEMON Wed Jan  3 00:00:00 2007"],
        ["mozilla", "", "MAILER-DAEMON Thu Jan  4 00:00:00 2007"],
    ]);
    assert_eq!(lines.next(), Some(wanted));
}

/// A mail program read one message, deleted another and got a third: the rest stands as it stood.
#[test]
fn what_was_done_meanwhile_comes_back_too() {
    let folder = Folder::new();
    let input = folder.put("in.mbox", MARKED);
    let (maildir, back) = (folder.path("maildir"), folder.path("back.mbox"));
    run(&["--profile=keep", "--output-format=maildir"], &maildir, &input);
    let all = messages(&maildir);
    let to = |name: &str, flags: &str| maildir.join(name.replace("new/", "cur/") + flags);
    fs::rename(maildir.join(&all[3]), to(&all[3], ":2,S")).expect("a message");
    fs::remove_file(maildir.join(&all[0])).expect("a message");
    fs::rename(maildir.join(&all[1]), maildir.join(all[1].replace(":2,FRS", ":2,S"))).expect("a message");
    let late = folder.put("maildir/new/1700000000.M1P2.host", b"Return-Path: <e@example.org>\nSubject: late\n\nfive");
    let late = File::options().write(true).open(late).expect("a file");
    late.set_modified(UNIX_EPOCH + Duration::from_secs(1_700_000_000)).expect("a time");
    run(&["--profile=keep", "--output-format=mbox"], &back, &maildir);
    let wanted = "From a@example.org Mon Jan  1 00:00:00 2007\nSubject: new\nStatus: RO\n\none\n\n\
        From c@example.org Wed Jan  3 00:00:00 2007\nSubject: read\nStatus: RO\n\nthree\n\n\
        From d@example.org Thu Jan  4 00:00:00 2007\nX-Mozilla-Status: 1009\nSubject: mozilla\nX-Keywords: work\n\nfour\n\n\
        From e@example.org Tue Nov 14 22:13:20 2023\nReturn-Path: <e@example.org>\nSubject: late\n\nfive\n\n";
    assert_eq!(String::from_utf8(fs::read(&back).expect("a file")).expect("text"), wanted);
}

/// What stood without an empty line at its end in a mailbox file gets one where another neighbour follows.
#[test]
fn messages_stay_apart_whoever_their_neighbours_are() {
    let folder = Folder::new();
    let input = folder.put("in.mbox", b"From a Mon Jan  1 00:00:00 2007\nA: b\n\nno end");
    let (eml, back) = (folder.path("eml"), folder.path("back.mbox"));
    run(&["--profile=keep", "--output-format=eml"], &eml, &input);
    folder.put("eml/000002.eml", b"Received: by b; Mon, 1 Jan 2007 01:00:00 +0100\r\nA: b\r\n\r\nFrom x\r\n");
    run(&["-r", "--profile=keep", "--output-format=mbox"], &back, &eml);
    let wanted = "From a Mon Jan  1 00:00:00 2007\nA: b\n\nno end\n\n\
        From MAILER-DAEMON Mon Jan  1 00:00:00 2007\r\nReceived: by b; Mon, 1 Jan 2007 01:00:00 +0100\r\nA: b\r\n\r\n>From x\r\n\n";
    assert_eq!(String::from_utf8(fs::read(&back).expect("a file")).expect("text"), wanted);
}

#[test]
fn messages_by_themselves_keep_their_flags_in_fields() {
    let folder = Folder::new();
    folder.put("mail/new/1.a", PLAIN);
    folder.put("mail/cur/2.a:2,RSP", LATIN);
    folder.put("mail/cur/3.a:2,Sb", b"no header");
    let (eml, maildir) = (folder.path("eml"), folder.path("maildir"));
    let run_of = convert().args(["--output-format=eml", "-o"]).arg(&eml).arg(folder.path("mail")).assert().success();
    let said = String::from_utf8_lossy(&run_of.get_output().stderr).into_owned();
    assert!(said.contains("2 messages had flags that its form has no place for"), "{said}");
    assert_eq!(names(&eml), ["000001.eml", "000002.eml", "000003.eml", "septet-origin.jsonl"]);
    assert_eq!(fs::read(eml.join("000001.eml")).expect("a file"), PLAIN);
    let marked = String::from_utf8_lossy(UTF8).replacen("\n\n", "\nStatus: RO\nX-Status: A\n\n", 1);
    assert_eq!(String::from_utf8_lossy(&fs::read(eml.join("000002.eml")).expect("a file")), marked);
    run(&["-r", "--output-format=maildir"], &maildir, &eml);
    let all = messages(&maildir);
    assert!(all[0].ends_with(":2,RS") && all.len() == 3, "{all:?}");
}

#[test]
fn several_mailboxes_go_below_a_folder() {
    let folder = Folder::new();
    folder.put("in/inbox", &mbox(&[PLAIN]));
    folder.put("in/inbox.sbd/work.mbox", &mbox(&[PLAIN, PLAIN]));
    folder.put("in/letters/a.eml", PLAIN);
    folder.put("in/letters/b.eml", PLAIN);
    folder.put("in/box/new/1", PLAIN);
    folder.put("in/box/cur/2:2,S", PLAIN);
    folder.put("in/box/.Sent/cur/3:2,S", PLAIN);
    fs::create_dir(folder.path("in/box/.Sent/new")).expect("a folder");
    let (mboxes, maildirs) = (folder.path("mboxes"), folder.path("maildirs"));
    run(&["-r", "--output-format=mboxrd"], &mboxes, &folder.path("in"));
    assert_eq!(names(&mboxes), ["box", "inbox", "inbox.sbd", "letters.mbox"]);
    assert_eq!(names(&mboxes.join("box")), ["INBOX.mbox", "Sent.mbox"]);
    let count = |path: PathBuf| fs::read_to_string(path).expect("a file").matches("From ").count();
    assert_eq!((count(mboxes.join("letters.mbox")), count(mboxes.join("box/INBOX.mbox"))), (2, 2));
    assert_eq!(fs::read(mboxes.join("inbox")).expect("a file"), mbox(&[PLAIN]), "it is a mailbox file already");
    run(&["-r", "--output-format=maildir"], &maildirs, &folder.path("in"));
    assert_eq!(names(&maildirs), ["box", "inbox", "inbox.sbd", "letters"]);
    assert_eq!(messages(&maildirs.join("inbox.sbd/work")).len(), 2);
    assert_eq!(messages(&maildirs.join("box")), ["cur/2:2,S", "new/1"], "a Maildir keeps its names");
}

#[test]
fn a_mailbox_file_is_written_in_pieces() {
    let folder = Folder::new();
    let message = [b"Subject: x\n\n".as_slice(), &b"text\n".repeat(40)].concat();
    let octets = mbox(&vec![message.as_slice(); 25]);
    let input = folder.put("in.mbox", &octets);
    run(&["--profile=keep", "--split=1KiB", "--verify"], &folder.path("out/mail.mbox"), &input);
    let pieces = names(&folder.path("out"));
    assert_eq!((pieces.len(), pieces[0].as_str(), pieces[8].as_str()), (9, "mail-001.mbox", "mail-009.mbox"));
    let read = |name: &String| fs::read(folder.path("out").join(name)).expect("a piece");
    assert!(pieces.iter().map(read).all(|piece| piece.starts_with(b"From ") && piece.ends_with(b"\n\n")));
    assert!(pieces.iter().map(read).all(|piece| piece.len() <= 1024));
    assert!(pieces.iter().flat_map(read).collect::<Vec<u8>>() == octets);
    // What is larger is a piece alone; other dialects, compression and messages in files go together with it.
    run(&["--split=1", "--output-format=mboxcl2"], &folder.path("small/mail.mbox.gz"), &input);
    assert_eq!(names(&folder.path("small")).len(), 25);
    run(&["--output-format=maildir"], &folder.path("maildir"), &input);
    run(&["--split=1MiB", "--output-format=mbox"], &folder.path("one.mbox"), &folder.path("maildir"));
    assert!(fs::read(folder.path("one-001.mbox")).expect("a file") == octets);
    // Pieces of an earlier run would stay behind those of this one.
    let again = convert().args(["--split=1MiB", "-o"]).arg(folder.path("out/mail.mbox")).arg(&input).assert().code(73);
    assert!(String::from_utf8_lossy(&again.get_output().stderr).contains("mail-001.mbox already exists"));
}

#[test]
fn a_piece_takes_no_place_that_is_taken() {
    let folder = Folder::new();
    folder.put("a.mbox", &mbox(&[PLAIN; 3]));
    folder.put("a-002.mbox", &mbox(&[LATIN]));
    for line in ["--split 1 -o . a.mbox a-002.mbox", "--split 1 --no-clobber -o a.mbox a.mbox"] {
        let run = convert().current_dir(folder.path("")).args(line.split(' ')).assert().code(73);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains("a-002.mbox") && said.contains("already"), "{line}: {said}");
        assert_eq!(folder.names(), ["a-002.mbox", "a.mbox"], "{line}");
        assert_eq!(fs::read(folder.path("a-002.mbox")).expect("a file"), mbox(&[LATIN]));
    }
}

/// A process may have 1024 files open, and all pieces were.
#[test]
fn pieces_are_read_again_one_behind_the_other() {
    let folder = Folder::new();
    let input = folder.put("a.mbox", &mbox(&[PLAIN; 200]));
    let mut command = Process::new("sh");
    command.args(["-c", "ulimit -n 60 && exec \"$@\"", "sh", env!("CARGO_BIN_EXE_septet"), "convert", "--verify"]);
    command.env_remove("SEPTET_CONFIG").args(["--split", "1", "--jobs", "2", "-o"]);
    let run = command.arg(folder.path("out.mbox")).arg(input).output().expect("septet runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(folder.names().len(), 201);
}

/// `convert a.eml >> a.eml` would read on in what it writes.
#[test]
fn standard_output_is_no_input_in_another_form_either() {
    let folder = Folder::new();
    let input = folder.put("a.eml", LATIN);
    let output = fs::OpenOptions::new().append(true).open(&input).expect("a file");
    let mut command = Process::new(env!("CARGO_BIN_EXE_septet"));
    command.env_remove("SEPTET_CONFIG").args(["convert", "--output-format", "mbox"]).arg(&input);
    let run = command.stdout(output).output().expect("septet runs");
    assert_eq!(run.status.code(), Some(64), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(fs::read(&input).expect("a file"), LATIN);
}

#[test]
fn reports_and_dry_runs_are_those_of_any_run() {
    let folder = Folder::new();
    let input = folder.put("in.mbox", &mbox(&[PLAIN, LATIN]));
    let lines = |name: &str, options: &[&str]| {
        let file = folder.path(name);
        convert().args(options).arg("--report").arg(&file).arg(&input).assert().success();
        report::lines(&file)
    };
    let wanted = lines("usual.jsonl", &["--dry-run"]);
    assert_eq!(lines("dry.jsonl", &["--dry-run", "--output-format=maildir"]), wanted);
    let out = folder.path("out").display().to_string();
    assert_eq!(lines("wet.jsonl", &["--output-format=eml", "-o", &out]), wanted);
    assert_eq!(fs::read(folder.path("out/000002.eml")).expect("a file"), UTF8);
    convert()
        .args(["--output-format=mbox", "--dry-run", "-r", "--report"])
        .arg(folder.path("r.html"))
        .arg(&out)
        .assert()
        .success();
    let wanted = String::from_utf8(mbox(&[PLAIN, UTF8])).expect("text");
    let stdout = convert().args(["-r", "--output-format=mbox"]).arg(&out).assert().success();
    assert_eq!(String::from_utf8_lossy(&stdout.get_output().stdout), wanted);
    // From standard input as well, and compressed.
    let mut piped = convert();
    piped.args(["--output-format=maildir", "-o"]).arg(folder.path("piped")).arg("-").write_stdin(mbox(&[PLAIN]));
    piped.assert().success();
    assert_eq!(messages(&folder.path("piped")).len(), 1);
}

#[test]
fn refuses_before_anything_is_done() {
    let folder = Folder::new();
    folder.put("a.mbox", &mbox(&[PLAIN]));
    folder.put("b/a.mbox", &mbox(&[PLAIN]));
    folder.put("full/x", b"");
    folder.put("m.mbox", &mbox(&[PLAIN]));
    folder.put("m/new/1", PLAIN);
    folder.put("m/cur/2", PLAIN);
    folder.put("taken.partial/x", b"somebody's");
    let before = folder.names();
    for (line, code, words) in [
        ("a.mbox --output-format maildir", 64, "need -o"),
        ("a.mbox --output-format eml -o full", 73, "full already exists"),
        ("a.mbox --output-format maildir -o a.mbox", 64, "is an input"),
        ("a.mbox --output-format maildir --in-place", 64, "use -o instead of --in-place"),
        ("a.mbox --output-format maildir -o out --keep-original", 64, "--keep-original is of no use"),
        ("m --output-format mbox -o - --resume", 64, "--resume needs an output of its own"),
        ("a.mbox --output-format maildir -o out --backup", 64, "--backup is for files"),
        ("a.mbox --output-format maildir -o out --compress gzip", 64, "--compress is for mailbox files"),
        ("a.mbox --output-format maildir -o taken", 73, "can't create taken.partial"),
        ("a.mbox --output-format maildir -o out --report out/r.jsonl", 64, "--report"),
        ("a.mbox --output-format maildir -o out --split 1MB", 64, "--split cuts mailbox files"),
        ("m --split 1MB -o out", 64, "add --output-format mbox"),
        ("a.mbox --split 1MB", 64, "need -o"),
        ("a.mbox --split much -o out", 64, "write a size as 256MiB"),
        ("m --output-format mbox -o a.mbox --no-clobber", 73, "--no-clobber"),
        ("a.mbox b/a.mbox --output-format eml -o out", 64, "two inputs would go to out/a"),
        ("m.mbox m --output-format mbox -o out", 64, "two inputs would go to out/m.mbox"),
        ("a.mbox --output-format eml -o out --report r.csv --report ./r.csv", 64, "two reports would go to ./r.csv"),
        ("m --output-format mboxrd -o x.gz --compress zstd", 64, "says something else"),
    ] {
        let run = convert().current_dir(folder.path("")).args(line.split(' ')).assert().code(code);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains(words), "{line}: {said}");
        assert_eq!(folder.names(), before, "{line}");
    }
}

/// What a run that was killed left makes room; what is somebody else's does not.
#[test]
fn the_leftovers_of_a_killed_run_make_room() {
    let folder = Folder::new();
    let input = folder.put("a.mbox", &mbox(&[PLAIN]));
    folder.put("out.partial/septet-origin.jsonl", b"");
    folder.put("out.partial/cur/1", PLAIN);
    // The number of a process that there can't be, and one that lives.
    folder.put(".septet-migrate-7fffffff-1-0", PLAIN);
    let living = format!(".septet-migrate-{:x}-1-0", std::process::id());
    folder.put(&living, PLAIN);
    run(&["--output-format=maildir"], &folder.path("out"), &input);
    let mut kept = [&*living, ".septet-migrate-7fffffff-1-0", "a.mbox", "out"];
    kept.sort_unstable();
    assert_eq!(folder.names(), kept);
    run(&["--output-format=mbox"], &folder.path("b.mbox"), &folder.path("out"));
    assert_eq!(folder.names(), [&*living, "a.mbox", "b.mbox", "out"]);
    assert_eq!(messages(&folder.path("out")).len(), 1);
}

/// Messages were written while the folder was removed, and it stayed.
#[test]
fn a_signal_leaves_nothing_half_done() {
    let folder = Folder::new();
    let input = folder.put("a.mbox", &mbox(&[PLAIN]).repeat(100_000));
    let mut run = Process::new(env!("CARGO_BIN_EXE_septet"));
    run.args(["convert", "-q", "--output-format=maildir", "-o"]).arg(folder.path("out")).arg(&input);
    let mut run = run.spawn().expect("the program");
    while !folder.path("out.partial/new").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
    let killed = Process::new("kill").arg(run.id().to_string()).status().expect("kill");
    assert!(killed.success() && !run.wait().expect("an end").success());
    assert_eq!(folder.names(), ["a.mbox"]);
}

/// A file beside messages that anybody could have written does no harm.
#[test]
fn an_origin_that_is_damaged_costs_from_lines_alone() {
    let folder = Folder::new();
    let input = folder.put("a.mbox", MARKED);
    run(&["--output-format=eml"], &folder.path("eml"), &input);
    let origin = folder.path("eml/septet-origin.jsonl");
    let text = fs::read_to_string(&origin).expect("text");
    let odd = text.replace("From b@example.org Tue Jan  2 00:00:00 2007\\n", "Subject: no From_ line\\n\\nx");
    for (damaged, words) in
        [(odd, "line 3 can't be read"), ("{".to_owned(), "can't be read"), (String::new(), "can't be read")]
    {
        fs::write(&origin, damaged).expect("a file");
        let run =
            convert().args(["-r", "--output-format=mbox", "--profile=keep"]).arg(folder.path("eml")).assert().success();
        let (out, said) =
            (run.get_output().stdout.clone(), String::from_utf8_lossy(&run.get_output().stderr).into_owned());
        assert!(said.contains(words), "{said}");
        assert_eq!(String::from_utf8_lossy(&out).matches("From ").count(), 4);
    }
}

#[test]
fn every_conversion_in_a_folder_is_undone() {
    let folder = Folder::new();
    let one = folder.put("mail/a.mbox", &mbox(&[LATIN]));
    folder.put("mail/deep/b.eml", LATIN);
    folder.put("mail/box/cur/1:2,S", LATIN);
    fs::create_dir_all(folder.path("mail/box/new")).expect("a folder");
    fs::create_dir_all(folder.path("mail/box/tmp")).expect("a folder");
    let convert_all =
        || convert().args(["-r", "--in-place", "--keep-original"]).arg(folder.path("mail")).assert().success();
    convert_all();
    let run = undo().arg("-r").arg(folder.path("mail")).assert().success();
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("3 of 3 are undone, 0 refused"));
    assert_eq!(fs::read(&one).expect("a file"), mbox(&[LATIN]));
    assert_eq!(fs::read(folder.path("mail/deep/b.eml")).expect("a file"), LATIN);
    assert_eq!(names(&folder.path("mail")), ["a.mbox", "box", "deep"]);
    undo().arg("-r").arg(folder.path("mail")).assert().code(66);
    // One that was changed since is refused, and the others are undone.
    convert_all();
    fs::write(&one, mbox(&[PLAIN])).expect("a file");
    let run = undo().arg("-r").arg(folder.path("mail")).assert().code(65);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(
        said.contains("a.mbox is not what septet wrote") && said.contains("2 of 3 are undone, 1 refused"),
        "{said}"
    );
    assert_eq!(fs::read(folder.path("mail/deep/b.eml")).expect("a file"), LATIN);
    let run = undo().arg("-r").arg(folder.path("mail")).assert().code(65);
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("0 of 1 are undone, 1 refused"));
    convert().args(["--in-place", "--keep-original"]).arg(folder.path("mail/deep/b.eml")).assert().success();
    let run = undo().arg("-r").arg(folder.path("mail/deep")).assert().success();
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("1 of 1 is undone, 0 refused"));
    undo().args(["-r", "-o", "x"]).arg(folder.path("mail")).assert().code(64);
}
