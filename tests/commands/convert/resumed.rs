//! After an error, and after a kill at its worst moment: the same command goes on, or says what to do, and nothing is
//! left that it does not take over. `tests/archive/syscalls.py` does the same with every call to the system.

use std::fs;
use std::io::{Write, pipe};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::thread::sleep;
use std::time::Duration;

use nix::fcntl::{FcntlArg, fcntl};

use super::undo::undo;
use super::{Folder, LATIN, PLAIN, UTF8, convert, mbox, names};

/// Runs `septet convert` in a folder, and returns what it said; it must end with this exit code.
fn run(folder: &Folder, options: &str, code: i32) -> String {
    let run = convert().current_dir(folder.path("")).args(options.split_whitespace()).assert().code(code);
    String::from_utf8_lossy(&run.get_output().stderr).into_owned()
}

/// Lists the files in a folder, folders aside, with their octets.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let all = names(folder).into_iter().filter(|name| folder.join(name).is_file());
    all.map(|name| (name.clone(), fs::read(folder.join(name)).expect("a file"))).collect()
}

/// What a septet of this host leaves that is killed while it has a mailbox file locked.
fn dead_lock(run: &str) -> Vec<u8> {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("a name");
    format!("1\nseptet {run}\nhost {}\n", host.trim()).into_bytes()
}

/// Makes a mailbox file whose conversion in place can't make its backup, as a folder has that name; `--resume` is
/// promised.
fn refused_backup(folder: &Folder) {
    folder.put("m", &mbox(&[LATIN, PLAIN]));
    fs::create_dir(folder.path("m~")).expect("a folder");
    let said = run(folder, "--in-place --backup --resume m", 73);
    assert!(said.contains("0 of 1 inputs are done") && said.contains("with --resume goes on from"), "{said}");
    assert_eq!(folder.names(), ["m", "m.partial", "m.resume", "m~"]);
    fs::remove_dir(folder.path("m~")).expect("a folder");
}

#[test]
fn what_waits_for_its_place_is_kept_after_an_error() {
    for (options, waits) in [("--resume", true), ("", true), ("--resume", false)] {
        let folder = Folder::new();
        refused_backup(&folder);
        if !waits {
            fs::remove_file(folder.path("m.partial")).expect("it is there");
            let said = run(&folder, "--in-place --backup --resume m", 65);
            assert!(said.contains("leave --resume out to start over"), "{said}");
        }
        let options = if waits { options } else { "" };
        run(&folder, &format!("--in-place --backup {options} m"), 0);
        assert_eq!(folder.names(), ["m", "m~"]);
        assert_eq!(fs::read(folder.path("m")).expect("a file"), mbox(&[UTF8, PLAIN]));
        assert_eq!(fs::read(folder.path("m~")).expect("a file"), mbox(&[LATIN, PLAIN]));
    }
}

/// The name of a message of [`maildir`].
fn name(number: usize) -> String {
    format!("17000{number:05}.M1P2.host:2,S")
}

/// Makes a Maildir of 60 messages that change.
fn maildir() -> Folder {
    let folder = Folder::new();
    for number in 0..60 {
        folder.put(&format!("box/cur/{}", name(number)), &[LATIN, number.to_string().as_bytes(), b"\n"].concat());
    }
    ["box/new", "box/tmp"].iter().for_each(|sub| fs::create_dir_all(folder.path(sub)).expect("a folder"));
    folder
}

const TO_ANOTHER: &str = "box -o out --keep-original --report r.jsonl";

/// Converts a Maildir to another, where a folder has the name of a message; the first lines that were said are
/// returned.
fn stopped_at(number: usize, options: &str) -> (Folder, PathBuf, String) {
    let folder = maildir();
    fs::create_dir_all(folder.path("out/cur")).expect("a folder");
    let in_the_way = folder.path("out/cur").join(name(number));
    fs::create_dir(&in_the_way).expect("a folder");
    let said = run(&folder, &format!("{TO_ANOTHER} {options}"), 73);
    (folder, in_the_way, said)
}

#[test]
fn what_is_done_of_a_maildir_is_counted_and_gone_on_with() {
    let whole = maildir();
    run(&whole, TO_ANOTHER, 0);
    for options in ["--resume", ""] {
        let (folder, in_the_way, said) = stopped_at(29, options);
        assert_eq!(files(&folder.path("out/cur")).len(), 29);
        assert!(said.contains("29 of 60 messages of box are done"), "{said}");
        // It stands in the way still.
        let said = run(&folder, &format!("{TO_ANOTHER} --resume"), 73);
        assert!(said.contains("29 of 60 messages of box are done"), "{said}");
        fs::remove_dir(&in_the_way).expect("a folder");
        run(&folder, &format!("{TO_ANOTHER} --resume"), 0);
        assert_eq!(folder.names(), whole.names());
        assert_eq!(names(&folder.path("out/tmp")), Vec::<String>::new());
        for of in ["", "out/cur"] {
            assert!(files(&folder.path(of)) == files(&whole.path(of)), "{of}");
        }
    }
}

#[test]
fn an_undo_file_that_undoes_nothing_is_not_left() {
    let (folder, in_the_way, _) = stopped_at(0, "");
    assert_eq!(folder.names(), ["box", "out"]);
    fs::remove_dir(&in_the_way).expect("a folder");
    run(&folder, TO_ANOTHER, 0);
    assert_eq!(folder.names(), ["box", "out", "out.undo", "r.jsonl"]);
}

/// Undo removes it: what was undone must not count as done.
#[test]
fn a_run_is_not_gone_on_with_whose_undo_file_is_gone() {
    let (folder, in_the_way, _) = stopped_at(29, "--resume");
    fs::remove_dir(&in_the_way).expect("a folder");
    fs::remove_file(folder.path("out.undo")).expect("it is there");
    let said = run(&folder, &format!("{TO_ANOTHER} --resume"), 65);
    assert!(said.contains("out.undo is not what the interrupted run left: leave --resume out"), "{said}");
    run(&folder, TO_ANOTHER, 0);
    assert_eq!(files(&folder.path("out/cur")).len(), 60);
}

/// Whoever runs it until it exits with 0 comes to an end.
#[test]
fn a_run_that_is_killed_at_its_last_words_is_done() {
    for report in ["", " --report r.jsonl"] {
        let options = format!("--in-place --keep-original --resume{report} m");
        let folder = Folder::new();
        folder.put("m", &mbox(&[LATIN, PLAIN]));
        let (_reader, mut full) = pipe().expect("a pipe");
        let room = fcntl(&full, FcntlArg::F_GETPIPE_SZ).expect("its size");
        full.write_all(&vec![b' '; room.try_into().expect("a size")]).expect("room");
        let mut septet = Process::new(env!("CARGO_BIN_EXE_septet"));
        septet.current_dir(folder.path("")).env_remove("SEPTET_CONFIG").arg("convert").args(options.split_whitespace());
        let mut septet = septet.stdin(Stdio::null()).stderr(full).spawn().expect("it starts");
        // It waits for room to say that it is done.
        while folder.path("m.lock").exists()
            || fs::read(folder.path("m")).expect("a file") != mbox(&[UTF8, PLAIN])
            || (!report.is_empty() && !folder.path("r.jsonl").exists())
        {
            sleep(Duration::from_millis(5));
        }
        septet.kill().expect("it is there");
        septet.wait().expect("it ended");
        run(&folder, &options, 0);
        let wanted: &[&str] = if report.is_empty() { &["m", "m.undo"] } else { &["m", "m.undo", "r.jsonl"] };
        assert_eq!(folder.names(), wanted);
        undo().arg(folder.path("m")).assert().success();
        assert_eq!(fs::read(folder.path("m")).expect("a file"), mbox(&[LATIN, PLAIN]));
    }
}

#[test]
fn an_undo_that_was_killed_with_the_lock_alone_left_was_at_its_end() {
    for options in [["m"].as_slice(), &["-r", "."]] {
        let folder = Folder::new();
        folder.put("m", &mbox(&[LATIN]));
        folder.put("m.lock", &dead_lock("undo-1-1"));
        let run = undo().current_dir(folder.path("")).args(options).assert().success();
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains("m is what it was already"), "{said}");
        assert_eq!(folder.names(), ["m"]);
        undo().current_dir(folder.path("")).args(options).assert().code(66);
    }
}

/// Deliveries wait for it.
#[test]
fn the_lock_of_a_killed_run_goes_even_if_the_same_command_is_refused() {
    let folder = Folder::new();
    folder.put("m", &mbox(&[LATIN]));
    run(&folder, "--in-place --keep-original m", 0);
    folder.put("m.lock", &dead_lock("1-1"));
    run(&folder, "--in-place --keep-original m", 73);
    assert_eq!(folder.names(), ["m", "m.undo"]);
}

#[test]
fn a_backup_that_is_the_file_itself_is_ours() {
    for (options, file) in [("--in-place --backup m", "m"), ("--backup m -o out", "out")] {
        let folder = Folder::new();
        folder.put("m", &mbox(&[LATIN]));
        folder.put("out", &mbox(&[LATIN]));
        let backup = format!("{file}~");
        fs::hard_link(folder.path(file), folder.path(&backup)).expect("a link");
        run(&folder, options, 0);
        assert_eq!(fs::read(folder.path(file)).expect("a file"), mbox(&[UTF8]));
        assert_eq!(fs::read(folder.path(&backup)).expect("a file"), mbox(&[LATIN]));
        assert_eq!(folder.names(), if file == "m" { ["m", "m~", "out"] } else { ["m", "out", "out~"] });
        // It is no backup where it is converted too.
        fs::remove_file(folder.path("m~")).ok();
        fs::hard_link(folder.path("m"), folder.path("m~")).expect("a link");
        run(&folder, "--in-place --backup m m~", 64);
    }
}

/// A kill between the link and its name.
#[test]
fn the_passing_name_of_a_backup_is_not_left() {
    let folder = Folder::new();
    refused_backup(&folder);
    fs::hard_link(folder.path("m"), folder.path("m.partial~")).expect("a link");
    run(&folder, "--in-place --backup m", 0);
    assert_eq!(folder.names(), ["m", "m~"]);
}
