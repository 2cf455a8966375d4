//! Where outputs go, and that nothing is lost on the way.

use std::fs::{self, File, FileTimes, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::{Folder, LATIN, PLAIN, UTF8, convert, mbox};

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).expect("a file")
}

/// Gives a file an age and a mode that a new one would not have.
fn age(path: &Path) {
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    File::options()
        .write(true)
        .open(path)
        .expect("a file")
        .set_times(FileTimes::new().set_modified(old))
        .expect("times");
    fs::set_permissions(path, Permissions::from_mode(0o640)).expect("a mode");
}

fn is_aged(path: &Path) -> bool {
    let metadata = fs::metadata(path).expect("a file");
    metadata.mtime() == 1_000_000_000 && metadata.mode() & 0o7777 == 0o640
}

#[test]
fn one_input_goes_to_stdout_or_to_a_file_with_its_mode_and_time() {
    let folder = Folder::new();
    let input = folder.put("in.mbox", &mbox(&[LATIN, PLAIN]));
    age(&input);
    convert().arg(&input).assert().success().stdout(mbox(&[UTF8, PLAIN]));
    convert().arg(&input).arg("-o").arg(folder.path("out.mbox")).assert().success().stdout("");
    assert_eq!(read(&folder.path("out.mbox")), mbox(&[UTF8, PLAIN]));
    assert!(is_aged(&folder.path("out.mbox")));
    assert_eq!(read(&input), mbox(&[LATIN, PLAIN]));
    assert_eq!(folder.names(), ["in.mbox", "out.mbox"]);
}

/// A pipe has a name too, and gives its octets once: what was read to tell its form is not lost.
#[test]
fn a_pipe_is_read_whole() {
    let messages = mbox(&[LATIN; 2_000]);
    for (profile, expected) in [("keep", messages.clone()), ("utf8", mbox(&[UTF8; 2_000]))] {
        let piped =
            convert().args(["/dev/stdin", "--profile", profile]).write_stdin(messages.clone()).assert().success();
        assert!(piped.get_output().stdout == expected, "{profile}");
        let one = convert().args(["/dev/stdin", "--profile", profile]).write_stdin(LATIN).assert().success();
        assert_eq!(one.get_output().stdout, if profile == "keep" { LATIN } else { UTF8 });
    }
    convert().args(["/dev/stdin", "--in-place"]).write_stdin(messages).assert().code(64);
}

#[test]
fn a_dash_is_standard_output() {
    let folder = Folder::new();
    let input = folder.put("in.mbox", &mbox(&[LATIN, PLAIN]));
    for (profile, expected) in [("keep", mbox(&[LATIN, PLAIN])), ("utf8", mbox(&[UTF8, PLAIN]))] {
        let mut command = convert();
        command.current_dir(folder.path("")).args(["-o", "-", "--profile", profile]).arg(&input);
        command.assert().success().stdout(expected);
    }
    assert_eq!(folder.names(), ["in.mbox"]);
}

#[test]
fn several_inputs_go_to_a_folder_under_their_names() {
    let folder = Folder::new();
    let inputs = [folder.put("a.mbox", &mbox(&[LATIN])), folder.put("sub/b.eml", LATIN), folder.put("c.eml", PLAIN)];
    convert().args(&inputs).arg("-o").arg(folder.path("out")).assert().success();
    let out = |name| read(&folder.path("out").join(name));
    assert_eq!((out("a.mbox"), out("b.eml"), out("c.eml")), (mbox(&[UTF8]), UTF8.to_vec(), PLAIN.to_vec()));
    convert().arg(&inputs[0]).arg("-o").arg(folder.path("sub")).assert().success();
    assert_eq!(read(&folder.path("sub/a.mbox")), mbox(&[UTF8]), "one input into a folder that is there");
}

#[test]
fn a_device_is_written_and_not_replaced() {
    convert().arg("-").args(["-o", "/dev/null"]).write_stdin(mbox(&[LATIN])).assert().success();
    assert!(!fs::metadata("/dev/null").expect("a device").is_file());
}

#[test]
fn in_place_keeps_mode_time_and_links() {
    let folder = Folder::new();
    let real = folder.put("real.mbox", &mbox(&[LATIN]));
    age(&real);
    let link = folder.path("link.mbox");
    symlink(&real, &link).expect("a link");
    convert().arg("--in-place").arg(&link).assert().success().stdout("");
    assert_eq!(read(&real), mbox(&[UTF8]));
    assert!(is_aged(&real));
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
    assert_eq!(folder.names(), ["link.mbox", "real.mbox"]);
}

#[test]
fn in_place_leaves_a_file_alone_in_which_nothing_changes() {
    let folder = Folder::new();
    for (name, octets) in [("a.mbox", mbox(&[PLAIN])), ("b.eml", PLAIN.to_vec())] {
        let file = folder.put(name, &octets);
        let before = fs::metadata(&file).expect("a file");
        convert().arg("--in-place").arg(&file).assert().success();
        let after = fs::metadata(&file).expect("a file");
        assert_eq!((before.ino(), before.ctime_nsec()), (after.ino(), after.ctime_nsec()), "{name}");
    }
}

#[test]
fn a_dry_run_writes_nothing_but_the_report() {
    let folder = Folder::new();
    let input = folder.put("a.mbox", &mbox(&[LATIN, PLAIN]));
    let report = folder.path("r.jsonl");
    let run = |arguments: &[&str]| {
        let dry =
            convert().args(arguments).arg("--dry-run").arg("--report").arg(&report).arg(&input).assert().success();
        assert_eq!(dry.get_output().stdout, b"");
        assert_eq!(folder.names(), ["a.mbox", "r.jsonl"]);
        assert_eq!(read(&input), mbox(&[LATIN, PLAIN]));
        let results: Vec<_> = super::report::lines(&report).into_iter().map(|line| line["result"].clone()).collect();
        assert_eq!(results, ["changed", "unchanged"]);
        let said = String::from_utf8_lossy(&dry.get_output().stderr).into_owned();
        assert!(said.contains("changed                       1"), "{said}");
    };
    run(&[]);
    run(&["--in-place"]);
    run(&["-o", folder.path("out").to_str().expect("a name")]);
}

#[test]
fn a_failure_leaves_the_original() {
    let folder = Folder::new();
    // The second input fails after the first was converted: both are whole, and nothing lies about.
    let good = folder.put("a.mbox", &mbox(&[LATIN]));
    let locked = folder.put("locked/b.mbox", &mbox(&[LATIN]));
    fs::set_permissions(folder.path("locked"), Permissions::from_mode(0o555)).expect("a mode");
    let run = convert().arg("--in-place").arg(&good).arg(&locked).output().expect("it runs");
    fs::set_permissions(folder.path("locked"), Permissions::from_mode(0o755)).expect("a mode");
    if run.status.success() {
        return println!("skipped: this user may write everywhere");
    }
    assert_eq!(run.status.code(), Some(73), "{run:?}");
    assert_eq!(read(&locked), mbox(&[LATIN]));
    assert_eq!(read(&good), mbox(&[UTF8]));
    assert_eq!(super::names(&folder.path("locked")), ["b.mbox"]);
}

#[test]
fn a_disk_that_fills_up_leaves_the_original() {
    let folder = Folder::new();
    let octets = mbox(&[LATIN, &[LATIN, "a line\n".repeat(500_000).as_bytes()].concat()]);
    let input = folder.put("a.mbox", &octets);
    // No file may grow over some 100 KB: what is written then fails, as on a full disk.
    let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" convert --in-place \"$1\"";
    let mut shell = std::process::Command::new("sh");
    let run = shell.args(["-c", script, env!("CARGO_BIN_EXE_septet")]).arg(&input).output().expect("a shell");
    assert_eq!(run.status.code(), Some(74), "{run:?}");
    assert!(read(&input) == octets);
    assert_eq!(folder.names(), ["a.mbox"]);
}

#[test]
fn a_full_disk_ends_with_74() {
    if !Path::new("/dev/full").exists() {
        return println!("skipped: there is no /dev/full");
    }
    let folder = Folder::new();
    let input = folder.put("a.mbox", &mbox(&[LATIN]));
    for message in [folder.put("b.mbox", &mbox(&[PLAIN])), input] {
        let full = convert().arg(&message).args(["-o", "/dev/full"]).assert().code(74);
        let said = String::from_utf8_lossy(&full.get_output().stderr).into_owned();
        assert!(said.starts_with("septet: can't write the output of "), "{said}");
    }
}
