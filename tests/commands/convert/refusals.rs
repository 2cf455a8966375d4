//! What convert refuses, with which exit code, having done nothing.

use std::fs;

use super::{Folder, LATIN, PLAIN, convert, mbox};

#[test]
fn refuses_with_a_reason_and_an_exit_code() {
    let folder = Folder::new();
    let mailbox = folder.put("a.mbox", &mbox(&[LATIN]));
    folder.put("sub/a.mbox", &mbox(&[LATIN]));
    folder.put("b.eml", PLAIN);
    folder.put("packed.mbox.gz", b"\x1f\x8b\x08\0\0\0\0\0");
    folder.put("packed.xz", b"\xfd7zXZ\0\0\x04");
    folder.put("packed.zst", b"\x28\xb5\x2f\xfd\x04\0");
    folder.put("text.txt", b"no mail\n");
    folder.put("folder/cur/x", PLAIN);
    folder.put("maildir/cur/x", PLAIN);
    folder.put("maildir/new/x", PLAIN);
    let before = folder.names();
    let cases: &[(&str, i32, &str)] = &[
        ("", 64, "INPUT"),
        ("missing.mbox", 66, "can't open missing.mbox: No such file"),
        ("missing.mbox a.mbox --in-place", 66, "can't open missing.mbox"),
        ("a.mbox missing.mbox -o out", 66, "can't open missing.mbox"),
        ("folder", 66, "not a Maildir"),
        ("--format mbox maildir -o out", 66, "is a directory"),
        ("--format maildir b.eml", 66, "not a Maildir"),
        ("--format mbox b.eml", 65, "not an mbox"),
        ("packed.mbox.gz", 65, "its gzip data is damaged, or ends too early"),
        ("packed.xz", 65, "its xz data is damaged, or ends too early"),
        ("packed.zst -o out", 65, "its zstd data is damaged, or ends too early"),
        ("text.txt", 66, "text.txt does not look like mail"),
        ("a.mbox --compress lzh", 64, "--compress"),
        ("a.mbox --output-format maildir", 64, "--output-format"),
        ("a.mbox b.eml", 64, "several inputs can't go to standard output"),
        ("maildir", 64, "use -o or --in-place"),
        ("a.mbox sub/a.mbox -o out", 64, "two inputs would go to out/a.mbox"),
        ("a.mbox -o a.mbox", 64, "use --in-place to replace it"),
        ("a.mbox -o ./sub/../a.mbox", 64, "use --in-place to replace it"),
        ("a.mbox b.eml -o .", 64, "use --in-place to replace it"),
        ("maildir -o maildir", 64, "use --in-place to replace it"),
        ("a.mbox -o x --in-place", 64, "cannot be used with"),
        ("- --in-place", 64, "standard input"),
        ("- a.mbox -o out", 64, "no name"),
        ("a.mbox --profile nonesuch", 64, "utf8"),
        ("a.mbox --report r.txt", 64, ".jsonl, .html or .csv"),
        ("a.mbox --jobs 0", 64, "--jobs"),
        ("a.mbox --format tar", 64, "--format"),
        ("a.mbox -o none/out.mbox", 73, "there is no folder none"),
        ("a.mbox --report none/r.jsonl", 73, "can't create none/r.jsonl"),
        ("a.mbox --dry-run --report none/r.jsonl", 73, "can't create none/r.jsonl"),
        ("a.mbox b.eml -o a.mbox/x", 73, "can't create a.mbox/x"),
        ("a.mbox --config none.toml", 78, "none.toml"),
    ];
    for (arguments, code, reason) in cases {
        let run = convert().current_dir(folder.path("")).args(arguments.split_whitespace()).assert().code(*code);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains(reason), "{arguments}: {said}");
        assert_eq!(run.get_output().stdout, b"", "{arguments}");
        assert_eq!(folder.names(), before, "{arguments}");
        assert_eq!(fs::read(&mailbox).expect("a file"), mbox(&[LATIN]), "{arguments}");
    }
}

/// Whatever the links, what is written is not what is read.
#[test]
fn an_input_is_neither_an_output_nor_a_report() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    let mailbox = folder.put("z.jsonl", &mbox(&[LATIN]));
    fs::hard_link(&mailbox, folder.path("hard.jsonl")).expect("a link");
    symlink("z.jsonl", folder.path("soft.jsonl")).expect("a link");
    symlink("new.jsonl", folder.path("dangling.jsonl")).expect("a link");
    folder.put("set/c.jsonl", b"");
    folder.put("set/conf.d/d.toml", b"");
    folder.put("box/cur/1.jsonl", LATIN);
    folder.put("box/new/2", LATIN);
    folder.put("twin/cur/1", LATIN);
    fs::remove_dir_all(folder.path("twin/cur")).expect("a folder");
    symlink("../box/cur", folder.path("twin/cur")).expect("a link");
    fs::hard_link(folder.path("box/cur/1.jsonl"), folder.path("message.html")).expect("a link");
    let before = folder.names();
    for (arguments, reason) in [
        ("--dry-run --report z.jsonl z.jsonl", "--report z.jsonl is an input"),
        ("--dry-run --report hard.jsonl z.jsonl", "is an input"),
        ("--report soft.jsonl -o x z.jsonl", "is an input"),
        ("--in-place --report z.jsonl z.jsonl", "is an input"),
        ("--in-place --report z.jsonl soft.jsonl", "is an input"),
        ("--report x.jsonl -o x.jsonl z.jsonl", "is the output"),
        ("--report ./box/../x.jsonl -o x.jsonl z.jsonl", "is the output"),
        ("--report new.jsonl -o dangling.jsonl z.jsonl", "is the output"),
        ("--report out/z.jsonl -o out/ z.jsonl box", "is the output"),
        ("z.jsonl -o hard.jsonl", "use --in-place to replace it"),
        ("z.jsonl -o soft.jsonl", "use --in-place to replace it"),
        ("hard.jsonl -o z.jsonl", "use --in-place to replace it"),
        ("box -o twin", "use --in-place to replace it"),
        ("--dry-run --report box/cur/1.jsonl box", "is an input"),
        ("--dry-run --report message.html box", "is an input"),
        ("--report box/new/r.jsonl -o out box", "in a Maildir that is converted"),
        ("--report out/cur/1.jsonl -o out box", "in a Maildir that is converted"),
        ("--config set/c.jsonl -o set/c.jsonl z.jsonl", "set/c.jsonl is a file of settings: name another output"),
        ("--config set/c.jsonl -o set/conf.d/d.toml z.jsonl", "is a file of settings"),
        ("--config set/c.jsonl --output-format maildir -o set/c.jsonl z.jsonl", "is a file of settings"),
        ("--config set/c.jsonl --report set/c.jsonl -o x z.jsonl", "--report set/c.jsonl is a file of settings"),
        ("--config set/c.jsonl --report set/c.jsonl -o x z.jsonl", "name another file"),
    ] {
        let run = convert().current_dir(folder.path("")).args(arguments.split_whitespace()).assert().code(64);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains(reason), "{arguments}: {said}");
        assert_eq!(folder.names(), before, "{arguments}");
        assert_eq!(fs::read(&mailbox).expect("a file"), mbox(&[LATIN]), "{arguments}");
        assert_eq!(fs::read(folder.path("box/cur/1.jsonl")).expect("a file"), LATIN, "{arguments}");
    }
}

#[test]
fn standard_input_and_output_are_files_too() {
    let folder = Folder::new();
    let mailbox = folder.put("z.jsonl", &mbox(&[LATIN]));
    for (script, reason) in [
        ("convert - --dry-run --report z.jsonl < z.jsonl", "is an input"),
        ("convert - -o z.jsonl < z.jsonl", "use --in-place"),
        ("convert z.jsonl >> z.jsonl", "standard output is an input"),
        ("convert z.jsonl 1<> z.jsonl", "standard output is an input"),
        ("convert z.jsonl --report r.jsonl > r.jsonl", "is the output"),
        ("convert z.jsonl --config c.toml >> c.toml", "standard output is a file of settings"),
    ] {
        let mut shell = std::process::Command::new("sh");
        let script = format!("exec \"$0\" {script}");
        let shell = shell.args(["-c", &script, env!("CARGO_BIN_EXE_septet")]).current_dir(folder.path(""));
        let run = shell.env_remove("SEPTET_CONFIG").output().expect("a shell");
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(64), "{script}: {said}");
        assert!(said.contains(reason), "{script}: {said}");
        assert_eq!(fs::read(&mailbox).expect("a file"), mbox(&[LATIN]), "{script}");
    }
    // Devices may be both, and a report beside a Maildir's messages is no message.
    folder.put("box/cur/1", LATIN);
    folder.put("box/new/2", LATIN);
    convert().args(["/dev/null", "-o", "/dev/null"]).assert().success();
    let report = folder.path("box/report.jsonl");
    convert().arg("--report").arg(&report).arg("-o").arg(folder.path("out")).arg(folder.path("box")).assert().success();
    assert_eq!(super::report::lines(&report).len(), 2);
}
