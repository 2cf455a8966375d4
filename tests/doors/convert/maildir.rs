//! Maildirs: names, flags and times stay.

use std::fs::{self, File, FileTimes};
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime};

use super::{Folder, LATIN, PLAIN, UTF8, convert, names};

fn maildir() -> Folder {
    let folder = Folder::new();
    folder.put("box/cur/1.a.host:2,S", LATIN);
    folder.put("box/cur/2.b.host:2,FRS", PLAIN);
    folder.put("box/new/3.c.host,S=170", LATIN);
    folder.put("box/new/4.packed", b"\x1f\x8b\x08 compressed by the mail server");
    folder.put("box/new/.hidden", LATIN);
    folder.put("box/dovecot-uidlist", b"3 V1 N4\n");
    folder.put("box/.Sent/cur/5.d.host:2,S", LATIN);
    fs::create_dir(folder.path("box/tmp")).expect("a folder");
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let file = File::options().write(true).open(folder.path("box/cur/1.a.host:2,S")).expect("a file");
    file.set_times(FileTimes::new().set_modified(old)).expect("times");
    folder
}

fn check(folder: &Folder, out: &str) {
    let read = |name: &str| fs::read(folder.path(out).join(name)).expect("a file");
    assert_eq!(read("cur/1.a.host:2,S"), UTF8);
    assert_eq!(read("cur/2.b.host:2,FRS"), PLAIN);
    assert_eq!(read("new/3.c.host,S=170"), UTF8);
    assert_eq!(read("new/4.packed"), b"\x1f\x8b\x08 compressed by the mail server");
    assert_eq!(names(&folder.path(out).join("tmp")), [""; 0]);
    assert_eq!(fs::metadata(folder.path(out).join("cur/1.a.host:2,S")).expect("a file").mtime(), 1_000_000_000);
}

#[test]
fn goes_to_another_folder() {
    let folder = maildir();
    let run = convert().arg(folder.path("box")).arg("-o").arg(folder.path("out")).assert().success();
    check(&folder, "out");
    assert_eq!(names(&folder.path("out")), ["cur", "new", "tmp"]);
    assert_eq!(names(&folder.path("out/new")), ["3.c.host,S=170", "4.packed"]);
    assert_eq!(fs::metadata(folder.path("out")).expect("a folder").mode() & 0o777, 0o700);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("has 1 subfolders, which are not converted"), "{said}");
    assert!(said.contains("1 file names state a size"), "{said}");
    assert!(said.contains("septet: 4 messages"), "{said}");
}

#[test]
fn goes_in_place() {
    let folder = maildir();
    let unchanged = fs::metadata(folder.path("box/cur/2.b.host:2,FRS")).expect("a file").ino();
    convert().arg("--in-place").arg(folder.path("box")).assert().success();
    check(&folder, "box");
    assert_eq!(fs::metadata(folder.path("box/cur/2.b.host:2,FRS")).expect("a file").ino(), unchanged);
    assert_eq!(fs::read(folder.path("box/new/.hidden")).expect("a file"), LATIN);
    assert_eq!(fs::read(folder.path("box/.Sent/cur/5.d.host:2,S")).expect("a file"), LATIN);
}

#[test]
fn reports_each_file_under_its_name() {
    let folder = maildir();
    let report = folder.path("r.jsonl");
    convert().arg("--dry-run").arg("--report").arg(&report).arg(folder.path("box")).assert().success();
    let rows: Vec<_> = super::report::lines(&report)
        .into_iter()
        .map(|line| {
            let name = line["input"].as_str().expect("a name").rsplit('/').next().expect("a name").to_owned();
            (name, line["message"].as_u64(), line["result"].as_str().map(str::to_owned))
        })
        .collect();
    let row = |name: &str, result: &str| (name.to_owned(), Some(1), Some(result.to_owned()));
    assert_eq!(
        rows,
        [
            row("1.a.host:2,S", "changed"),
            row("2.b.host:2,FRS", "unchanged"),
            row("3.c.host,S=170", "changed"),
            row("4.packed", "left")
        ]
    );
}
