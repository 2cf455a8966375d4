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
    folder.put("folder/cur/x", PLAIN);
    folder.put("maildir/cur/x", PLAIN);
    folder.put("maildir/new/x", PLAIN);
    let before = folder.names();
    let cases: &[(&str, i32, &str)] = &[
        ("", 64, "INPUT"),
        ("missing.mbox", 66, "can't open missing.mbox: No such file"),
        ("missing.mbox a.mbox --in-place", 66, "can't open missing.mbox"),
        ("a.mbox missing.mbox -o out", 66, "can't open missing.mbox"),
        ("folder", 66, "no Maildir"),
        ("--format mbox maildir -o out", 66, "is a directory"),
        ("--format maildir b.eml", 66, "no Maildir"),
        ("--format mbox b.eml", 65, "no mbox"),
        ("packed.mbox.gz", 65, "compressed (gzip)"),
        ("packed.xz", 65, "compressed (xz)"),
        ("packed.zst -o out", 65, "compressed (zstd)"),
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
        ("a.mbox --report r.txt", 64, ".jsonl or .html"),
        ("a.mbox --jobs 0", 64, "--jobs"),
        ("a.mbox --format tar", 64, "--format"),
        ("a.mbox -o none/out.mbox", 73, "can't create none/out.mbox"),
        ("a.mbox --report none/r.jsonl", 73, "can't create none/r.jsonl"),
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
