//! What stands where when a run does not end as it should, and what becomes of files that are there.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command as Process, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::undo::undo;
use super::{Folder, LATIN, PLAIN, UTF8, convert, mbox};

fn said(run: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&run.get_output().stderr).into_owned()
}

#[test]
fn a_file_that_is_there_is_replaced_and_that_is_said() {
    let folder = Folder::new();
    let (input, out) = (folder.put("in.mbox", &mbox(&[LATIN])), folder.put("out.mbox", b"old"));
    fs::hard_link(&out, folder.path("link")).expect("a link");
    let run = convert().arg(&input).arg("-o").arg(&out).assert().success();
    assert!(said(&run).contains("out.mbox replaced a file of 3 octets"), "{}", said(&run));
    assert_eq!(fs::read(&out).expect("a file"), mbox(&[UTF8]));
    assert_eq!(fs::read(folder.path("link")).expect("a file"), b"old", "it is another file now");
    assert_eq!(folder.names(), ["in.mbox", "link", "out.mbox"]);
}

#[test]
fn no_clobber_leaves_what_is_there() {
    let folder = Folder::new();
    let (input, out) = (folder.put("in.mbox", &mbox(&[LATIN])), folder.put("out.mbox", b"old"));
    symlink("nowhere", folder.path("dangling")).expect("a link");
    for to in ["out.mbox", "dangling"] {
        let run = convert().arg("--no-clobber").arg(&input).arg("-o").arg(folder.path(to)).assert().code(73);
        assert!(said(&run).contains("already exists"), "{}", said(&run));
    }
    assert_eq!(fs::read(&out).expect("a file"), b"old");
    assert_eq!(folder.names(), ["dangling", "in.mbox", "out.mbox"]);
    convert().arg("--no-clobber").arg(&input).arg("-o").arg(folder.path("free")).assert().success();
    assert_eq!(fs::read(folder.path("free")).expect("a file"), mbox(&[UTF8]));
}

#[test]
fn a_backup_has_what_was_there() {
    let folder = Folder::new();
    let (input, out) = (folder.put("in.mbox", &mbox(&[LATIN])), folder.put("out.mbox", b"old"));
    let ino = fs::metadata(&out).expect("a file").ino();
    convert().arg("--backup").arg(&input).arg("-o").arg(&out).assert().success();
    assert_eq!(fs::metadata(folder.path("out.mbox~")).expect("a backup").ino(), ino);
    convert().args(["--backup=.orig", "--in-place"]).arg(&input).assert().success();
    assert_eq!(fs::read(folder.path("in.mbox.orig")).expect("a backup"), mbox(&[LATIN]));
    assert_eq!(fs::read(&input).expect("a file"), mbox(&[UTF8]));
    convert().args(["--backup=.x", "-o"]).arg(folder.path("new")).arg(&input).assert().success();
    assert_eq!(
        folder.names(),
        ["in.mbox", "in.mbox.orig", "new", "out.mbox", "out.mbox~"],
        "nothing was there to keep"
    );
}

#[test]
fn what_is_written_beside_an_output_is_no_input_and_no_report() {
    let folder = Folder::new();
    folder.put("a", &mbox(&[LATIN]));
    folder.put("out.undo", &mbox(&[LATIN]));
    folder.put("out~", &mbox(&[LATIN]));
    folder.put("box/cur/1", LATIN);
    folder.put("box/new/2", LATIN);
    let before = folder.names();
    for arguments in [
        "out.undo -o out --keep-original",
        "out~ -o out --backup",
        "a --in-place --backup=/x",
        "a --in-place --backup=",
        "a -o out --report r.csv --report ./r.csv",
        "a -o out --report r.csv --report r.txt",
        "a --verify",
        "a --verify --dry-run -o out",
        "a --resume",
        "a --keep-original",
        "a --in-place --no-clobber",
        "a -o out -q -v",
        "box --in-place --backup",
        "a --keep-original -o out --report out.undo.csv --report out.undo.csv",
    ] {
        let run = convert().current_dir(folder.path("")).args(arguments.split_whitespace()).assert().code(64);
        assert_eq!(folder.names(), before, "{arguments}: {}", said(&run));
    }
    symlink("out.undo", folder.path("r.csv")).expect("a link");
    let arguments = "a -o out --keep-original --report r.csv";
    convert().current_dir(folder.path("")).args(arguments.split_whitespace()).assert().code(64);
}

/// A report that was whole stays so when the next run does not come to its end.
#[test]
fn the_report_of_a_run_that_fails_overwrites_no_whole_one() {
    let folder = Folder::new();
    let good = folder.put("a.mbox", &mbox(&[LATIN, PLAIN]));
    let bad = folder.put("b.mbox", &mbox(&[LATIN, &[LATIN, "a line\n".repeat(300_000).as_bytes()].concat()]));
    for report in ["r.jsonl", "r.html", "r.csv"] {
        let report = folder.path(report);
        convert().arg("--report").arg(&report).arg(&good).assert().success();
        let whole = fs::read(&report).expect("a report");
        let script = "ulimit -f 100; exec \"$0\" convert --report \"$1\" -o \"$2\" \"$3\"";
        let mut shell = Process::new("sh");
        let shell = shell.args(["-c", script, env!("CARGO_BIN_EXE_septet")]).arg(&report).arg(folder.path("out"));
        let run = shell.arg(&bad).output().expect("a shell");
        assert_eq!(run.status.code(), Some(74), "{run:?}");
        assert_eq!(fs::read(&report).expect("a report"), whole);
        fs::remove_file(&report).expect("removed");
        assert_eq!(folder.names(), ["a.mbox", "b.mbox"]);
    }
}

/// The disk is full once the archive has its place and before its report has: that is said, and the report is not lost.
#[test]
fn a_report_without_room_is_said_and_can_be_had_later() {
    for arguments in ["--in-place a.mbox", "a.mbox -o b.mbox"] {
        let folder = Folder::new();
        folder.put("a.mbox", &mbox(&[LATIN, PLAIN]));
        let arguments = format!("--report r.html {arguments}");
        let output = if arguments.contains("-o") { "b.mbox" } else { "a.mbox" };
        let mut shell = Process::new("sh");
        shell.args(["-c", "ulimit -f 24; exec \"$0\" convert \"$@\"", env!("CARGO_BIN_EXE_septet")]);
        let run = shell.args(arguments.split_whitespace()).current_dir(folder.path("")).output().expect("a shell");
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(74), "{said}");
        let wanted = [
            "1 of 1 inputs are done, the reports are not written yet; the same command with --resume goes on from ",
            &format!("{output}.resume, "),
            "r.html.partial\n",
            "septet: can't write r.html: ",
        ];
        assert!(wanted.iter().all(|wanted| said.contains(wanted)), "{said}");
        let converted = fs::read(folder.path(output)).expect("a file");
        assert!(String::from_utf8_lossy(&converted).contains("café"), "it is converted");

        convert().current_dir(folder.path("")).args(arguments.split_whitespace()).arg("--resume").assert().success();
        let page = fs::read_to_string(folder.path("r.html")).expect("a report");
        assert!(page.contains("iso-8859-1"), "it says what was changed");
        assert_eq!(folder.names().iter().filter(|name| !name.ends_with(".mbox")).count(), 1, "{:?}", folder.names());
    }
}

/// Begun anew beside its own way back, it would lose what it did on record: the lines of its report.
#[test]
fn an_interrupted_run_is_not_begun_anew_over_its_own_way_back() {
    for input in ["a.mbox", "box"] {
        let folder = Folder::new();
        folder.put("a.mbox", &mbox(&[LATIN, PLAIN]));
        folder.put("box/cur/1:2,S", LATIN);
        ["new", "tmp"].iter().for_each(|sub| fs::create_dir_all(folder.path(&format!("box/{sub}"))).expect("a folder"));
        let arguments = ["--in-place", "--keep-original", "--report", "r.html", input];
        let mut shell = Process::new("sh");
        shell.args(["-c", "ulimit -f 24; exec \"$0\" convert \"$@\"", env!("CARGO_BIN_EXE_septet")]).args(arguments);
        let run = shell.current_dir(folder.path("")).output().expect("a shell");
        assert_eq!(run.status.code(), Some(74), "{run:?}");
        let there = folder.names();

        let anew = convert().current_dir(folder.path("")).args(arguments).assert().code(73).get_output().clone();
        let said = String::from_utf8_lossy(&anew.stderr).into_owned();
        let wanted = format!("{input}.undo undoes an interrupted run: continue that run (--resume)");
        assert!(said.contains(&wanted), "{said}");
        assert_eq!(folder.names(), there);

        convert().current_dir(folder.path("")).args(arguments).arg("--resume").assert().success();
        let page = fs::read_to_string(folder.path("r.html")).expect("a report");
        assert!(page.contains("iso-8859-1"), "it says what was changed");
        undo().arg(folder.path(input)).assert().success();
    }
}

/// The second of three inputs finds no room: what stands where is said, and what was done is on record.
#[test]
fn an_input_without_room_is_said_and_the_others_stay_on_record() {
    let folder = Folder::new();
    let small = mbox(&[LATIN, PLAIN]);
    folder.put("a.mbox", &small);
    folder.put("b.mbox", &mbox(&[LATIN, PLAIN]).repeat(400));
    folder.put("c.mbox", &small);
    let arguments = ["--in-place", "--report", "r.csv", "a.mbox", "b.mbox", "c.mbox"];
    let mut shell = Process::new("sh");
    shell.args(["-c", "ulimit -f 40; exec \"$0\" convert \"$@\"", env!("CARGO_BIN_EXE_septet")]).args(arguments);
    let run = shell.current_dir(folder.path("")).output().expect("a shell");
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(74), "{said}");
    assert!(said.contains("b.mbox is as it was; the same command with --resume goes on from "), "{said}");
    assert!(said.starts_with("septet: 1 of 3 inputs are done, "), "{said}");

    convert().current_dir(folder.path("")).args(arguments).arg("--resume").assert().success();
    let report = fs::read_to_string(folder.path("r.csv")).expect("a report");
    let changed = ["a.mbox", "b.mbox", "c.mbox"].map(|name| {
        let of = |line: &&str| line.starts_with(name) && line.contains("changed") && !line.contains("unchanged");
        report.lines().filter(of).count()
    });
    assert_eq!(changed, [1, 400, 1], "{report}");
    assert_eq!(folder.names(), ["a.mbox", "b.mbox", "c.mbox", "r.csv"]);
}

/// Ctrl-C and TERM: nothing hidden is left, the old files are whole, and one line says what stands where.
#[test]
fn a_signal_cleans_up_and_says_what_stands_where() {
    let folder = Folder::new();
    let octets = mbox(&[LATIN, PLAIN]).repeat(60_000);
    folder.put("in.mbox", &octets);
    folder.put("out.mbox", b"old");
    let mut stopped = 0;
    for (turn, (signal, number)) in [("INT", 2), ("TERM", 15), ("HUP", 1)].into_iter().cycle().take(9).enumerate() {
        let mut septet = Process::new(env!("CARGO_BIN_EXE_septet"));
        let options = ["convert", "in.mbox", "-o", "out.mbox", "--report", "r.csv", "--keep-original"];
        septet.args(options).current_dir(folder.path("")).env_remove("SEPTET_CONFIG").stderr(Stdio::piped());
        let run = septet.spawn().expect("it starts");
        sleep(Duration::from_millis(20 + 40 * turn as u64));
        Process::new("kill").arg(format!("-{signal}")).arg(run.id().to_string()).status().expect("kill runs");
        let ended = run.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        if ended.status.success() {
            folder.put("out.mbox", b"old");
            ["r.csv", "out.mbox.undo"].iter().for_each(|name| fs::remove_file(folder.path(name)).expect("removed"));
            continue;
        }
        assert_eq!(ended.status.signal(), Some(number), "it dies of the signal, as shells expect: {ended:?}");
        assert_eq!(folder.names(), ["in.mbox", "out.mbox"], "{signal}: {said}");
        assert_eq!(fs::read(folder.path("out.mbox")).expect("a file"), b"old");
        if said.contains("out.mbox is as it was") {
            stopped += 1;
            assert!(said.contains(&format!("ended by SIG{signal}")) && said.lines().count() == 1, "{said}");
        }
    }
    assert!(stopped > 0, "some run was stopped at work");
}

#[test]
fn nohup_and_a_background_job_stay_deaf() {
    let folder = Folder::new();
    folder.put("in.mbox", &mbox(&[LATIN, PLAIN]).repeat(30_000));
    let script =
        "trap '' HUP INT; \"$0\" convert -q in.mbox -o out.mbox & p=$!; sleep 0.2; kill -HUP $p; kill -INT $p; wait $p";
    let mut shell = Process::new("sh");
    let run = shell.args(["-c", script, env!("CARGO_BIN_EXE_septet")]).current_dir(folder.path("")).output();
    let run = run.expect("a shell");
    assert!(run.status.success(), "{run:?}");
    assert_eq!(folder.names(), ["in.mbox", "out.mbox"]);
}

/// With --resume what is done is kept from the start; the line says where.
#[test]
fn what_can_be_resumed_is_kept_where_that_was_asked_for() {
    let folder = Folder::new();
    folder.put("in.mbox", &mbox(&[LATIN, PLAIN]).repeat(60_000));
    let septet = || {
        let mut septet = Process::new(env!("CARGO_BIN_EXE_septet"));
        let options = ["convert", "in.mbox", "-o", "out.mbox", "--report", "r.jsonl", "--resume"];
        septet.args(options).current_dir(folder.path("")).env_remove("SEPTET_CONFIG").stderr(Stdio::piped());
        septet
    };
    let run = septet().spawn().expect("it starts");
    let written = || fs::metadata(folder.path("out.mbox.partial")).map_or(0, |partial| partial.len());
    for _ in 0..200 {
        if written() > 6 << 20 {
            break;
        }
        sleep(Duration::from_millis(5));
    }
    Process::new("kill").arg("-INT").arg(run.id().to_string()).status().expect("kill runs");
    let ended = run.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    if said.contains("nothing half done is left") {
        assert_eq!(folder.names(), ["in.mbox"], "it had not written down how far it was");
    } else if !ended.status.success() {
        assert!(said.contains("--resume goes on from"), "{said}");
        assert!(folder.names().contains(&"out.mbox.resume".to_owned()), "{:?}", folder.names());
        assert!(!folder.names().iter().any(|name| name.starts_with(".septet-")), "{:?}", folder.names());
        // Another command does not go on with it, and loses nothing of it.
        let other = ["in.mbox", "-o", "out.mbox", "--report", "r.jsonl", "--resume", "--profile=ascii"];
        convert().current_dir(folder.path("")).args(other).assert().code(64);
        assert!(folder.names().contains(&"out.mbox.partial".to_owned()));
    }
    let ended = septet().output().expect("it runs");
    assert!(ended.status.success(), "{ended:?}");
    let said_now = String::from_utf8_lossy(&ended.stderr).into_owned();
    let went_on = said_now.starts_with("septet: went on at message ") && !said_now.contains("at message 1\n");
    assert_eq!(went_on, said.contains("--resume goes on from"), "{said_now}");
    assert!(fs::read(folder.path("out.mbox")).expect("a file") == mbox(&[UTF8, PLAIN]).repeat(60_000));
    assert_eq!(super::report::lines(&folder.path("r.jsonl")).len(), 120_000);
    assert_eq!(folder.names(), ["in.mbox", "out.mbox", "r.jsonl"]);
}

#[test]
fn two_runs_do_not_write_one_output_at_the_same_time() {
    let folder = Folder::new();
    let slow = || {
        let mut septet = Process::new(env!("CARGO_BIN_EXE_septet"));
        septet.args(["convert", "-", "-o", "out.mbox"]).current_dir(folder.path("")).env_remove("SEPTET_CONFIG");
        septet.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
    };
    // More than is read to tell the dialect.
    let (mut first, octets) = (slow(), mbox(&[LATIN]));
    std::io::Write::write_all(first.stdin.as_mut().expect("a pipe"), &octets.repeat(4000)).expect("written");
    for _ in 0..100 {
        if folder.path("out.mbox.resume").exists() {
            break;
        }
        sleep(Duration::from_millis(20));
    }
    let busy =
        convert().current_dir(folder.path("")).args(["-", "-o", "out.mbox"]).write_stdin(octets).assert().code(75);
    assert!(said(&busy).contains("another septet is at work"), "{}", said(&busy));
    drop(first.stdin.take());
    assert!(first.wait().expect("it ends").success());
    assert_eq!(fs::read(folder.path("out.mbox")).expect("a file"), mbox(&[UTF8]).repeat(4000));
    assert_eq!(folder.names(), ["out.mbox"]);
}

/// A file of somebody else's in the way of the journal or of the partial output is not touched.
#[test]
fn a_stranger_in_the_way_is_left_alone() {
    for name in ["out.mbox.resume", "out.mbox.partial"] {
        let folder = Folder::new();
        folder.put("in.mbox", &mbox(&[LATIN]));
        folder.put("precious", b"precious");
        for link in [false, true] {
            let _ = fs::remove_file(folder.path(name));
            match link {
                true => symlink("precious", folder.path(name)).expect("a link"),
                false => drop(folder.put(name, b"precious")),
            }
            let before = folder.names();
            for resume in [vec![], vec!["--resume"]] {
                convert()
                    .current_dir(folder.path(""))
                    .args(["in.mbox", "-o", "out.mbox"])
                    .args(&resume)
                    .assert()
                    .code(73);
                assert_eq!(folder.names(), before, "{name}");
                assert_eq!(fs::read(folder.path(name)).expect("a file"), b"precious");
            }
        }
    }
}

#[test]
fn no_limit_on_a_file_loses_the_old_one() {
    let folder = Folder::new();
    let octets = mbox(&[LATIN, PLAIN]).repeat(8_000);
    let blocks = octets.len() / 512;
    for turn in 0..12 {
        let input = folder.put("a.mbox", &octets);
        let script = "ulimit -f $2; exec \"$0\" convert --in-place --keep-original --report r.csv \"$1\"";
        let mut shell = Process::new("sh");
        let shell = shell
            .args(["-c", script, env!("CARGO_BIN_EXE_septet")])
            .arg("a.mbox")
            .arg((blocks * turn / 12).to_string());
        let run = shell.current_dir(folder.path("")).output().expect("a shell");
        assert!(matches!(run.status.code(), Some(73 | 74)), "{turn}: {run:?}");
        assert!(fs::read(&input).expect("a file") == octets, "{turn}");
        // A run that was slow enough to have a journal says what it keeps for another one.
        let said = String::from_utf8_lossy(&run.stderr);
        for kept in folder.names().iter().filter(|name| *name != "a.mbox") {
            assert!(said.contains("--resume") && said.contains(kept.as_str()), "{turn}: {kept}: {run:?}");
            fs::remove_file(folder.path(kept)).expect("it is removed");
        }
    }
}

#[test]
fn quiet_and_verbose_and_short_options() {
    let folder = Folder::new();
    let input = folder.put("in.mbox", &mbox(&[LATIN, PLAIN]));
    let quiet = convert().args(["-q", "-j", "1", "-o"]).arg(folder.path("out")).arg(&input).assert().success();
    assert_eq!(said(&quiet), "");
    let verbose = convert().args(["-v", "-o"]).arg(folder.path("new")).arg(&input).assert().success();
    assert!(said(&verbose).contains("in.mbox to ") && said(&verbose).contains("2 messages, 1 changed"));
    convert().args(["-n"]).arg(&input).assert().success().stdout("");
    assert_eq!(folder.names(), ["in.mbox", "new", "out"]);
}

#[test]
fn colour_is_for_terminals_unless_somebody_says_otherwise() {
    let error = |options: &[&str], no_color: Option<&str>| {
        let mut command = convert();
        command.args(options).arg("nowhere.mbox").env_remove("NO_COLOR");
        no_color.into_iter().for_each(|value| _ = command.env("NO_COLOR", value));
        said(&command.assert().code(66)).contains('\x1b')
    };
    assert!(!error(&[], None) && !error(&["--color=auto"], None) && !error(&["--color", "never"], None));
    assert!(error(&["--color=always"], None) && error(&["--color", "always"], Some("1")));
    let usage = |options: &[&str]| said(&convert().args(options).arg("--nonesuch").assert().code(64)).contains('\x1b');
    assert!(usage(&["--color=always"]) && !usage(&["--color=never"]) && !usage(&[]));
}

#[test]
fn verify_reads_what_was_written_and_finds_it_good() {
    let folder = Folder::new();
    folder.put("a.mbox", &mbox(&[LATIN, PLAIN, LATIN]));
    folder.put("box/cur/1:2,", LATIN);
    folder.put("box/new/2", PLAIN);
    fs::create_dir_all(folder.path("box/tmp")).expect("a folder");
    folder.put("one.eml", LATIN);
    let all = ["a.mbox", "box", "one.eml"];
    convert().current_dir(folder.path("")).args(["--verify", "-o", "out"]).args(all).assert().success();
    convert().current_dir(folder.path("")).args(["--verify", "--in-place"]).args(all).assert().success();
    assert_eq!(fs::read(folder.path("a.mbox")).expect("a file"), fs::read(folder.path("out/a.mbox")).expect("a file"));
}
