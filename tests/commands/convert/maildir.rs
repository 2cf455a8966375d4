//! Maildirs: flags and times stay; names too but for the sizes in them, and in place there are others.

use std::fs::{self, File, FileTimes};
use std::os::unix::fs::{MetadataExt, symlink};
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
    folder.put("box/dovecot.index.cache", b"\0");
    folder.put("box/.Sent/cur/5.d.host:2,S", LATIN);
    for sub in ["tmp", ".Sent/new", ".Sent/tmp"] {
        fs::create_dir(folder.path("box").join(sub)).expect("a folder");
    }
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let file = File::options().write(true).open(folder.path("box/cur/1.a.host:2,S")).expect("a file");
    file.set_times(FileTimes::new().set_modified(old)).expect("times");
    folder
}

/// What a name that states no sizes gets when its message changes in place.
fn sizes() -> String {
    format!(",S={},W={}", UTF8.len(), UTF8.len() + UTF8.iter().filter(|&&octet| octet == b'\n').count())
}

fn check(folder: &Folder, out: &str) {
    let read = |name: &str| fs::read(folder.path(out).join(name)).expect("a file");
    // In place it must be another message to who knows it by its name.
    let sizes = if out == "box" { sizes() } else { String::new() };
    let first = format!("cur/1.a.host{sizes}:2,S");
    assert_eq!(read(&first), UTF8);
    assert_eq!(read("cur/2.b.host:2,FRS"), PLAIN);
    assert_eq!(read(&format!("new/3.c.host,S={}", UTF8.len())), UTF8);
    assert!(!folder.path(out).join("new/3.c.host,S=170").exists());
    assert_eq!(read("new/4.packed"), b"\x1f\x8b\x08 compressed by the mail server");
    assert_eq!(names(&folder.path(out).join("tmp")), [""; 0]);
    assert_eq!(fs::metadata(folder.path(out).join(first)).expect("a file").mtime(), 1_000_000_000);
}

#[test]
fn goes_to_another_folder() {
    let folder = maildir();
    let run = convert().arg(folder.path("box")).arg("-o").arg(folder.path("out")).assert().success();
    check(&folder, "out");
    assert_eq!(names(&folder.path("out")), [".Sent", "cur", "new", "tmp"]);
    assert_eq!(names(&folder.path("out/new")), [&format!("3.c.host,S={}", UTF8.len()), "4.packed"]);
    assert_eq!(fs::metadata(folder.path("out")).expect("a folder").mode() & 0o777, 0o700);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(!said.contains("state a size"), "{said}");
    assert!(said.contains("septet: 5 messages"), "{said}");
}

#[test]
fn goes_in_place() {
    let folder = maildir();
    let unchanged = fs::metadata(folder.path("box/cur/2.b.host:2,FRS")).expect("a file").ino();
    let run = convert().arg("--in-place").arg(folder.path("box")).assert().success();
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(!said.contains("removed") && folder.path("box/dovecot.index.cache").exists(), "{said}");
    check(&folder, "box");
    assert_eq!(fs::metadata(folder.path("box/cur/2.b.host:2,FRS")).expect("a file").ino(), unchanged);
    assert_eq!(fs::read(folder.path("box/new/.hidden")).expect("a file"), LATIN);
    assert_eq!(fs::read(folder.path(&format!("box/.Sent/cur/5.d.host{}:2,S", sizes()))).expect("a file"), UTF8);
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
            row("4.packed", "left"),
            row("5.d.host:2,S", "changed"),
        ]
    );
}

/// A Maildir whose names state sizes, in ways that are usual and in ways that are not.
fn sized() -> (Folder, Vec<(&'static str, String)>) {
    let folder = Folder::new();
    let (s, w) = (UTF8.len(), UTF8.len() + UTF8.iter().filter(|&&octet| octet == b'\n').count());
    let renamed = vec![
        ("cur/1.M1P2.host,S=1234,W=5678:2,FS", format!("cur/1.M1P2.host,S={s},W={w}:2,FS")),
        ("cur/2.W=5,S=1:2,", format!("cur/2.W=5,S={s}:2,")),
        ("cur/3.host,S=1,S=99999999999999999999999,S=0", format!("cur/3.host,S={s},S={s},S={s}")),
        ("new/4.host,S=1x,W=:2,S", "new/4.host,S=1x,W=:2,S".to_owned()),
        ("new/5.host,U=7,FMD5=d,S=1:2,abc", format!("new/5.host,U=7,FMD5=d,S={s}:2,abc")),
        // One name for two messages: neither may get the other's.
        ("cur/6.host,S=1:2,S", "cur/6.host,S=1:2,S".to_owned()),
        ("new/6.host,S=2", "new/6.host,S=2".to_owned()),
    ];
    renamed.iter().for_each(|(name, _)| drop(folder.put(&format!("box/{name}"), LATIN)));
    // What does not change keeps a name that is wrong, and a folder is no message.
    folder.put("box/cur/7.host,S=1,W=1:2,S", PLAIN);
    fs::create_dir_all(folder.path("box/cur/8.host,S=1:2,S")).expect("a folder");
    fs::create_dir(folder.path("box/tmp")).expect("a folder");
    (folder, renamed)
}

/// The name of one of these messages: one that states no size as Dovecot reads it gets some in place.
fn in_place(name: &str, in_place: bool) -> String {
    if in_place { name.replace("S=1x,W=:2,S", &format!("S=1x,W={}:2,S", sizes())) } else { name.to_owned() }
}

#[test]
fn sizes_in_names_are_made_true_wherever_it_goes() {
    for out in ["box", "out"] {
        let (folder, names) = sized();
        let mut command = convert();
        match out {
            "box" => command.arg("--in-place"),
            _ => command.arg("-o").arg(folder.path("out")),
        };
        let run = command.arg(folder.path("box")).assert().success();
        for (old, new) in &names {
            let new = &in_place(new, out == "box");
            assert_eq!(fs::read(folder.path(out).join(new)).expect("a file"), UTF8, "{old}");
            assert!(old == new || !folder.path(out).join(old).exists(), "{old} in {out}");
        }
        assert_eq!(fs::read(folder.path(out).join("cur/7.host,S=1,W=1:2,S")).expect("a file"), PLAIN);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains("2 file names state a size"), "{said}");
        assert_eq!(super::names(&folder.path(out).join("tmp")), [""; 0]);
        let again = convert().arg("--in-place").arg(folder.path(out)).assert().success();
        assert!(!String::from_utf8_lossy(&again.get_output().stderr).contains("state a size"));
    }
}

#[test]
fn flags_stay_last_whatever_sign_stands_before_them() {
    let (s, w) = (UTF8.len(), UTF8.len() + UTF8.iter().filter(|&&octet| octet == b'\n').count());
    let sized = |text: &str| text.replace("{s}", &s.to_string()).replace("{w}", &w.to_string());
    let table = [
        ("01.a:2,FS", "01.a:2,FS", "01.a,S={s},W={w}:2,FS"),
        ("02.a,U=1;2,", "02.a,U=1;2,", "02.a,U=1,S={s},W={w};2,"),
        ("03.a,U=2;2,F", "03.a,U=2;2,F", "03.a,U=2,S={s},W={w};2,F"),
        ("04.a!2,FS", "04.a!2,FS", "04.a,S={s},W={w}!2,FS"),
        ("05.a,S=58;2,S", "05.a,S={s};2,S", "05.a,S={s};2,S"),
        ("06.a,S=58,W=60!2,S", "06.a,S={s},W={w}!2,S", "06.a,S={s},W={w}!2,S"),
        ("07.a;1,ab", "07.a;1,ab", "07.a,S={s},W={w};1,ab"),
        ("08.a!b;2,T", "08.a!b;2,T", "08.a!b,S={s},W={w};2,T"),
        ("09.a;b", "09.a;b", "09.a;b,S={s},W={w}"),
        ("10.a!3,S", "10.a!3,S", "10.a!3,S,S={s},W={w}"),
        ("11.a;2,S:2,F", "11.a;2,S:2,F", "11.a;2,S,S={s},W={w}:2,F"),
        ("12.a,W=60,S=58;x", "12.a,W={w},S=58;x", "12.a,W={w},S=58;x"),
    ];
    let old: Vec<_> = table.iter().map(|(old, ..)| (*old).to_owned()).collect();
    for in_place in [false, true] {
        let folder = Folder::new();
        old.iter().for_each(|name| drop(folder.put(&format!("box/cur/{name}"), LATIN)));
        ["new", "tmp"].iter().for_each(|sub| fs::create_dir(folder.path("box").join(sub)).expect("a folder"));
        let out = folder.path(if in_place { "box" } else { "out" });
        let mut command = convert();
        command.arg("--keep-original").args(in_place.then_some("--in-place"));
        if !in_place {
            command.arg("-o").arg(&out);
        }
        command.arg(folder.path("box")).assert().success();
        let wanted: Vec<_> = table.iter().map(|(_, there, here)| sized(if in_place { here } else { there })).collect();
        assert_eq!(names(&out.join("cur")), wanted);
        super::undo::undo().arg(&out).assert().success();
        assert_eq!(names(&out.join("cur")), old);
        assert!(old.iter().all(|name| fs::read(out.join("cur").join(name)).is_ok_and(|text| text == LATIN)));
    }
}

#[test]
fn a_report_names_the_new_name_also_of_a_dry_run() {
    let (folder, names) = sized();
    let before = super::names(&folder.path("box/cur"));
    for dry in [true, false] {
        let report = folder.path("r.jsonl");
        let mut command = convert();
        command.args(["--in-place", "--report"]).arg(&report).args(dry.then_some("--dry-run"));
        command.arg(folder.path("box")).assert().success();
        for line in super::report::lines(&report) {
            let input = line["input"].as_str().expect("a name");
            let Some((_, new)) = names.iter().find(|(old, _)| input.ends_with(old)) else { continue };
            let new = in_place(new, true);
            let new = (!input.ends_with(new.as_str())).then(|| new.rsplit('/').next().expect("a name"));
            assert_eq!(line.get("renamed").and_then(|name| name.as_str()), new, "{line}");
        }
        assert_eq!(super::names(&folder.path("box/cur")) == before, dry);
    }
}

#[test]
fn a_name_that_somebody_else_has_by_then_is_not_taken() {
    let (folder, names) = sized();
    // A folder has the name that the message would get.
    let taken = folder.path("box").join(&names[0].1);
    fs::create_dir(&taken).expect("a folder");
    let run = convert().arg("--in-place").arg(folder.path("box")).assert().code(73);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("stays as it is: its new size would give it the name of"), "{said}");
    assert_eq!(fs::read(folder.path("box").join(names[0].0)).expect("a file"), LATIN);
    assert_eq!(fs::read(folder.path("box").join(&names[1].1)).expect("a file"), UTF8, "the others are done");
    assert_eq!(super::names(&folder.path("box/tmp")), [""; 0]);
}

#[test]
fn a_name_that_would_grow_too_long_stays() {
    let folder = Folder::new();
    let name = format!("{},S=1", "x".repeat(251));
    let file = folder.put(&format!("box/cur/{name}"), LATIN);
    folder.put("box/new/2", PLAIN);
    fs::create_dir(folder.path("box/tmp")).expect("a folder");
    let run = convert().arg("--in-place").arg(folder.path("box")).assert().success();
    assert_eq!(fs::read(file).expect("a file"), UTF8);
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("1 file names state a size"));
}

#[test]
fn a_folder_that_cannot_be_written_keeps_every_name_and_message() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, names) = sized();
    let mode = |mode| fs::set_permissions(folder.path("box/cur"), fs::Permissions::from_mode(mode)).expect("a mode");
    mode(0o555);
    let run = convert().arg("--in-place").arg(folder.path("box")).output().expect("it runs");
    mode(0o755);
    if run.status.success() {
        return println!("skipped: this user may write everywhere");
    }
    for (name, _) in names {
        assert_eq!(fs::read(folder.path("box").join(name)).expect("a file"), LATIN, "{name}");
    }
    assert_eq!(super::names(&folder.path("box/tmp")), [""; 0]);
}

/// Links to messages were missing from the output, and nothing said so.
#[test]
fn a_link_to_a_message_is_a_message_in_another_folder() {
    let make = || {
        let folder = Folder::new();
        folder.put("store/x", LATIN);
        folder.put("box/cur/2.b:2,S", PLAIN);
        ["new", "tmp"].iter().for_each(|sub| fs::create_dir(folder.path("box").join(sub)).expect("a folder"));
        symlink("../../store/x", folder.path("box/cur/1.a:2,S")).expect("a link");
        folder
    };
    let said = |run: &assert_cmd::assert::Assert| String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    let folder = make();
    convert().arg(folder.path("box")).arg("-o").arg(folder.path("out")).assert().success();
    let made = folder.path("out/cur/1.a:2,S");
    assert!(fs::symlink_metadata(&made).expect("a file").is_file());
    assert_eq!((fs::read(&made).expect("a file"), names(&folder.path("out/cur")).len()), (UTF8.to_vec(), 2));
    for dry in [&["--dry-run"][..], &[]] {
        let run = convert().arg("--in-place").args(dry).arg(folder.path("box")).assert().code(66);
        assert!(
            said(&run).contains("cur/1.a:2,S is a symbolic link to a file that stands elsewhere"),
            "{}",
            said(&run)
        );
    }
    assert_eq!(fs::read(folder.path("store/x")).expect("a file"), LATIN);
    assert!(fs::symlink_metadata(folder.path("box/cur/1.a:2,S")).expect("a link").is_symlink());
    symlink("nowhere", folder.path("box/new/3.c")).expect("a link");
    let run = convert().arg(folder.path("box")).arg("-o").arg(folder.path("more")).assert().code(66);
    assert!(said(&run).contains("new/3.c is a symbolic link that leads to no file"), "{}", said(&run));
    assert_eq!(names(&folder.path("more/cur")).len(), 2, "the others are done all the same");
    let made = std::process::Command::new("mkfifo").arg(folder.path("box/cur/4.d:2,S")).status();
    assert!(made.expect("mkfifo is there").success());
    let run = convert().arg(folder.path("box")).arg("-o").arg(folder.path("third")).assert().code(66);
    assert!(said(&run).contains("cur/4.d:2,S is no file, but a pipe, a socket or a device"), "{}", said(&run));
    assert_eq!(names(&folder.path("third/cur")).len(), 2, "nor is it waited for");
}

/// The sum of sizes that a quota goes by (Maildir++) was that of the old messages.
#[test]
fn untrue_sizes_of_a_quota_are_removed() {
    for (changed, stays) in [("", false), (".Sent/", false), (".Sent/only/", true)] {
        let folder = Folder::new();
        let quota = folder.put("box/maildirsize", b"1000000S\n400 2\n");
        folder.put("box/cur/1.a:2,S", if changed.is_empty() { LATIN } else { PLAIN });
        folder.put("box/.Sent/cur/2.b:2,S", if changed == ".Sent/" { LATIN } else { PLAIN });
        for sub in ["new", "tmp", ".Sent/new", ".Sent/tmp"] {
            fs::create_dir(folder.path("box").join(sub)).expect("a folder");
        }
        let run = convert().arg("--in-place").arg(folder.path("box")).assert().success();
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert_eq!((quota.exists(), said.contains("maildirsize: it had old sizes")), (stays, !stays), "{said}");
    }
}

/// Where messages keep their names, for two have one, Dovecot's cache would say what they were.
#[test]
fn an_untrue_cache_is_removed() {
    for (octets, stays) in [(LATIN, false), (PLAIN, true)] {
        let folder = Folder::new();
        folder.put("box/cur/1.a:2,S", octets);
        folder.put("box/cur/1.a:2,F", PLAIN);
        let cache = folder.put("box/dovecot.index.cache", b"\0");
        ["new", "tmp"].iter().for_each(|sub| fs::create_dir(folder.path("box").join(sub)).expect("a folder"));
        convert().args(["--in-place", "--dry-run"]).arg(folder.path("box")).assert().success();
        assert!(cache.exists());
        let run = convert().arg("--in-place").arg(folder.path("box")).assert().success();
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert_eq!((cache.exists(), said.contains("dovecot.index.cache: it had old sizes")), (stays, !stays), "{said}");
    }
}

/// Who owns a Maildir may link a subfolder to another's.
#[test]
fn a_subfolder_that_is_a_link_is_left_alone_in_place() {
    let folder = Folder::new();
    folder.put("other/cur/1.a:2,S", LATIN);
    folder.put("box/cur/2.b:2,S", LATIN);
    folder.put("box/.Deep/new/3.c", PLAIN);
    ["box/new", "box/tmp"].iter().for_each(|sub| fs::create_dir(folder.path(sub)).expect("a folder"));
    symlink("../other", folder.path("box/.Other")).expect("a link");
    symlink("../../other/cur", folder.path("box/.Deep/cur")).expect("a link");
    let run = convert().arg("--in-place").arg(folder.path("box")).assert().code(66);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    for link in [".Other", ".Deep/cur"] {
        assert!(said.contains(&format!("{link} is a symbolic link to a folder that stands elsewhere")), "{said}");
    }
    assert_eq!(fs::read(folder.path("other/cur/1.a:2,S")).expect("a message"), LATIN);
    assert_eq!(names(&folder.path("other/cur")), ["1.a:2,S"]);
    assert!(names(&folder.path("box/cur"))[0].starts_with("2.b,S="));
}
