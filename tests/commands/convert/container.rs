//! Mail in archives of files: a Takeout is converted as it comes.

use std::fs::{self, File};
use std::io::Write;

use assert_cmd::Command;
use zip::write::SimpleFileOptions;

use super::shards::tree;
use super::{Folder, LATIN, PLAIN, UTF8, convert, mbox};

/// A message between others that change, so that it stands somewhere in the middle.
fn archive() -> Vec<u8> {
    mbox(&[LATIN, PLAIN, LATIN]).repeat(40)
}

const FILES: [&str; 3] = ["Takeout/Mail/All mail.mbox", "Takeout/Mail/Sent/b.mbox", "Takeout/archive_browser.html"];

fn octets_of(name: &str) -> Vec<u8> {
    match name.rsplit_once('.') {
        Some((_, "html")) => b"<html>".to_vec(),
        Some((_, "eml")) => LATIN.to_vec(),
        _ => archive(),
    }
}

/// Writes a ZIP of these files.
fn put_zip(folder: &Folder, to: &str, names: &[&str]) {
    let mut zip = zip::ZipWriter::new(File::create(folder.path(to)).expect("a file"));
    for (name, method) in
        names.iter().zip([zip::CompressionMethod::Deflated, zip::CompressionMethod::Stored].iter().cycle())
    {
        zip.start_file(*name, SimpleFileOptions::default().compression_method(*method)).expect("a file");
        zip.write_all(&octets_of(name)).expect("octets written");
    }
    zip.finish().expect("an archive");
}

/// Writes a tar of these files, and one that is compressed.
fn put_tar(folder: &Folder, to: &str, names: &[&str]) {
    let mut tar = tar::Builder::new(Vec::new());
    for name in names {
        let octets = octets_of(name);
        let mut header = tar::Header::new_gnu();
        header.set_size(octets.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, &*octets).expect("a file");
    }
    let octets = tar.into_inner().expect("an archive");
    folder.put(to, &octets);
    let packed = Command::new("gzip").arg("-c").write_stdin(octets).output().expect("gzip runs").stdout;
    folder.put(&format!("{to}.gz"), &packed);
}

/// Writes the files into a folder, as who unpacks them has them.
fn put_unpacked(folder: &Folder, names: &[&str]) {
    names.iter().for_each(|name| _ = folder.put(&format!("unpacked/{name}"), &octets_of(name)));
}

fn run(folder: &Folder, words: &str, code: i32) -> String {
    let run = convert().current_dir(folder.path("")).args(words.split(' ')).assert().code(code);
    String::from_utf8_lossy(&run.get_output().stderr).into_owned()
}

#[test]
fn a_takeout_is_converted_as_if_it_were_unpacked() {
    for form in ["", " --output-format maildir", " --output-format eml", " --split 1KiB"] {
        let folder = Folder::new();
        put_zip(&folder, "t.zip", &FILES);
        put_tar(&folder, "t.tar", &FILES);
        put_unpacked(&folder, &FILES);
        run(&folder, &format!("-r unpacked/Takeout/Mail -o whole{form}"), 0);
        for from in ["t.zip", "t.tar", "t.tar.gz"] {
            let said = run(&folder, &format!("{from} -o out-{from} --verify --report r-{from}.jsonl{form}"), 0);
            assert!(said.contains("skipped, not mail: ") && said.contains("archive_browser.html"), "{said}");
            assert!(tree(&folder.path(&format!("out-{from}"))) == tree(&folder.path("whole")), "{from}{form}");
            let report = fs::read_to_string(folder.path(&format!("r-{from}.jsonl"))).expect("a report");
            assert!(report.contains(&format!("{from}/Takeout/Mail/All mail.mbox")), "{report}");
        }
    }
}

/// `-q` says nothing of it on standard error.
#[test]
fn what_is_no_mail_in_an_archive_is_in_the_report_of_a_quiet_run() {
    let folder = Folder::new();
    put_zip(&folder, "t.zip", &FILES);
    put_tar(&folder, "t.tar", &FILES);
    for from in ["t.zip", "t.tar", "t.tar.gz"] {
        assert_eq!(run(&folder, &format!("-q {from} -o out-{from} --report r-{from}.jsonl"), 0), "");
        let lines = super::report::lines(&folder.path(&format!("r-{from}.jsonl")));
        let skipped: Vec<_> = lines.iter().filter(|line| line["result"] == "skipped").collect();
        assert_eq!(skipped.len(), 1, "{from}");
        assert_eq!(skipped[0]["input"], format!("{from}/Takeout/archive_browser.html"));
        assert_eq!(skipped[0]["reason"], "its name is not that of mail");
    }
}

#[test]
fn one_mailbox_goes_to_the_file_that_is_named() {
    let folder = Folder::new();
    put_zip(&folder, "t.zip", &["Takeout/Mail/All mail.mbox"]);
    run(&folder, "t.zip -o out.mbox", 0);
    assert_eq!(fs::read(folder.path("out.mbox")).expect("a file"), mbox(&[UTF8, PLAIN, UTF8]).repeat(40));
    run(&folder, "t.zip -o folder/", 0);
    assert_eq!(
        folder.path("folder/All mail.mbox").metadata().expect("a file").len(),
        folder.path("out.mbox").metadata().expect("a file").len()
    );
    put_zip(&folder, "m.zip", &["a.eml"]);
    run(&folder, "m.zip -o out.eml", 0);
    assert_eq!(fs::read(folder.path("out.eml")).expect("a file"), UTF8);
}

/// Two parts of a Takeout have files of one name each.
#[test]
fn several_archives_go_to_folders_of_their_own() {
    let folder = Folder::new();
    put_zip(&folder, "t-001.zip", &FILES);
    put_zip(&folder, "t-002.zip", &FILES);
    run(&folder, "t-001.zip t-002.zip -o out", 0);
    let names: Vec<String> = tree(&folder.path("out")).iter().map(|(path, _)| path.display().to_string()).collect();
    let names: Vec<&str> = names.iter().map(|name| name.trim_end_matches('/')).collect();
    assert_eq!(names, ["t-001/All mail.mbox", "t-001/Sent/b.mbox", "t-002/All mail.mbox", "t-002/Sent/b.mbox"]);
}

/// A Takeout in several archives was refused for one that has no mail.
#[test]
fn of_several_archives_one_may_have_no_mail() {
    let folder = Folder::new();
    put_zip(&folder, "t-001.zip", &FILES);
    put_zip(&folder, "none.zip", &["Takeout/Drive/a.html"]);
    let said = run(&folder, "none.zip t-001.zip -o out", 0);
    assert!(said.contains("skipped, not mail: none.zip/Takeout/Drive/a.html, none.zip"), "{said}");
    assert!(folder.path("out/t-001/All mail.mbox").is_file());
    assert!(run(&folder, "none.zip none.zip -o none", 66).contains("none.zip contains no mail"));
}

#[test]
fn what_has_no_meaning_is_refused_before_anything_is_written() {
    let folder = Folder::new();
    put_zip(&folder, "t.zip", &FILES);
    put_zip(&folder, "none.zip", &["a.html"]);
    put_zip(&folder, "odd.zip", &["a.html", "../a.mbox"]);
    let many: Vec<String> = (0..65).map(|number| format!("{number}.eml")).collect();
    put_tar(&folder, "many.tar", &many.iter().map(String::as_str).collect::<Vec<_>>());
    let before = folder.names();
    for (words, code, said) in [
        ("t.zip --in-place", 64, "can't write into an archive of files"),
        ("t.zip -o out --keep-original", 64, "keep a copy of t.zip"),
        ("none.zip -o out", 66, "none.zip contains no mail"),
        ("odd.zip -o out", 66, "odd.zip/../a.mbox does not look like mail: its name leads out of the archive"),
        ("many.tar.gz -o out", 64, "unpack it first"),
    ] {
        let found = run(&folder, words, code);
        assert!(found.contains(said), "{words}: {found}");
        assert_eq!(folder.names(), before, "{words}");
    }
    run(&folder, "many.tar -o out", 0);
    assert_eq!(tree(&folder.path("out")).len(), 65);
    let mut plan = Command::cargo_bin("septet").expect("the program is built");
    let plan = plan.current_dir(folder.path("")).args(["plan", "-r", "t.zip"]).assert().code(64);
    assert!(String::from_utf8_lossy(&plan.get_output().stderr).contains("can't be cut: unpack it first"));
}

/// A download that was cut, or a disk that lost an octet, is no mail with a few octets less.
#[test]
fn a_damaged_archive_is_no_archive() {
    let folder = Folder::new();
    put_zip(&folder, "t.zip", &["a.mbox", "b.mbox"]);
    let mut octets = fs::read(folder.path("t.zip")).expect("a file");
    // The second is stored: an octet of its text.
    let at = octets.windows(8).rposition(|at| at == b"Subject:").expect("its last message");
    octets[at] = b'X';
    folder.put("t.zip", &octets);
    let said = run(&folder, "t.zip -o out", 65);
    assert!(said.contains("t.zip/b.mbox") && said.contains("damaged"), "{said}");
    assert!(!folder.path("out/b.mbox").exists());
    octets.truncate(octets.len() / 2);
    folder.put("cut.zip", &octets);
    let said = run(&folder, "cut.zip -o out2", 65);
    assert!(said.contains("cut.zip"), "{said}");
}

#[test]
fn explain_and_advise_look_into_archives() {
    let folder = Folder::new();
    put_zip(&folder, "t.zip", &FILES);
    for command in ["explain", "advise"] {
        let mut septet = Command::cargo_bin("septet").expect("the program is built");
        let run = septet.current_dir(folder.path("")).env_remove("SEPTET_CONFIG").args([command, "t.zip"]).assert();
        let run = run.success();
        let said = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
        assert!(said.contains("t.zip") || said.contains("240 messages"), "{command}: {said}");
    }
}
