//! An operator on a bad day: options at random, over inputs of every kind and some that are none.
//!
//! Whatever is asked, nothing panics, nothing that is said drives a terminal, the exit code is one that is documented,
//! a failure says why, no input is lost or written into unless it was to be replaced, and nothing is left behind.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use septet_support::nightly;

use super::killed::{Random, seed};
use super::{Folder, LATIN, sample};

/// The inputs that may be replaced in place or as an output, and some that are none.
const INPUTS: [&str; 15] = [
    HOSTILE, "in.mbox", "in.mbox", "one.eml", "one.eml", "box", "folder", "packed.gz", "cut.gz", "no-mail", "empty",
    "link", "dangling", "missing", "-",
];

/// A name that would drive a terminal, forge a line and turn the reading direction.
const HOSTILE: &str = "\u{1b}[31m\u{202e}\nx.mbox";

const OUTPUTS: [&str; 11] =
    ["out", "out", "out.gz", "new.zst", "there", "folder-out", "in.mbox", "one.eml", "link", "no/out", "-"];

const REPORTS: [&str; 8] = ["r.jsonl", "r.html", "r.csv", "t.csv", "s.html", "in.mbox", "no/r.html", "r.txt"];

const FLAGS: [&str; 16] = [
    "--dry-run",
    "--verify",
    "--resume",
    "--keep-original",
    "--no-clobber",
    "--backup",
    "-r",
    "-q",
    "-v",
    "--compress=gzip",
    "--compress=none",
    "--output-format=mboxcl2",
    "--profile=ascii",
    "--profile=keep",
    "--set=limits.message_bytes=300",
    "--format=mbox",
];

/// The codes that docs and manual pages name.
const CODES: [i32; 10] = [0, 64, 65, 66, 69, 73, 74, 75, 77, 78];

fn make(folder: &Folder) {
    let sample = fs::read(sample()).expect("the sample");
    folder.put("in.mbox", &sample);
    folder.put("one.eml", LATIN);
    folder.put(HOSTILE, &sample);
    folder.put("no-mail", &[0, 1, 2, 255].repeat(400));
    folder.put("empty", b"");
    folder.put("there", b"what was there");
    folder.put("box/cur/1.host:2,S", LATIN);
    folder.put("box/new/2.host", LATIN);
    folder.put("folder/a.mbox", &sample);
    folder.put("folder/readme", b"no mail at all");
    fs::create_dir_all(folder.path("box/tmp")).expect("a folder");
    fs::create_dir_all(folder.path("folder-out")).expect("a folder");
    symlink("in.mbox", folder.path("link")).expect("a link");
    symlink("nowhere", folder.path("dangling")).expect("a link");
    run(folder, &["-q", "-o", "packed.gz", "in.mbox"].map(str::to_owned));
    let packed = fs::read(folder.path("packed.gz")).expect("a file");
    folder.put("cut.gz", &packed[..packed.len() / 2]);
}

fn run(folder: &Folder, options: &[String]) -> (Option<i32>, String) {
    let mut septet = Process::new(env!("CARGO_BIN_EXE_septet"));
    septet.current_dir(folder.path("")).env_remove("SEPTET_CONFIG").arg("convert").args(options);
    let run = septet.stdin(fs::File::open(sample()).expect("the sample")).output().expect("it runs");
    (run.status.code(), String::from_utf8_lossy(&run.stderr).into_owned())
}

/// Composes options, and tells what may be replaced by them.
fn compose(random: &mut Random) -> (Vec<String>, Vec<&'static str>) {
    let mut of = |all: &[&'static str]| all[random.below(all.len() as u64) as usize];
    let mut options: Vec<String> = Vec::new();
    let mut inputs = vec![of(&INPUTS)];
    if of(&["one", "two", "one"]) == "two" {
        inputs.push(of(&INPUTS));
    }
    let mut replaced = Vec::new();
    match of(&["to", "to", "in place", "nothing"]) {
        "to" => {
            let output = of(&OUTPUTS);
            options.extend(["-o".to_owned(), output.to_owned()]);
            replaced.push(output);
        }
        "in place" => {
            options.push("--in-place".to_owned());
            replaced.extend(&inputs);
        }
        _ => {}
    }
    while of(&["more", "enough"]) == "more" {
        options.push(of(&FLAGS).to_owned());
    }
    while of(&["more", "enough", "enough"]) == "more" {
        options.push(format!("--report={}", of(&REPORTS)));
    }
    options.extend(["--lock-timeout=0".to_owned()]);
    options.extend(inputs.iter().map(|input| (*input).to_owned()));
    (options, replaced)
}

/// Lists the files below a folder with their octets.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut open, mut found) = (vec![folder.to_owned()], BTreeMap::new());
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            match fs::symlink_metadata(&path).expect("an entry") {
                it if it.is_dir() => open.push(path),
                it if it.is_file() => {
                    let octets = fs::read(&path).expect("a file");
                    found.insert(path.strip_prefix(folder).expect("below").to_owned(), octets);
                }
                _ => {}
            }
        }
    }
    found
}

#[test]
fn options_at_random_do_no_harm() {
    let seed = seed();
    println!("SEPTET_SEED={seed}");
    let mut random = Random(seed);
    let runs = if nightly() { 150 } else { 20 };
    let mut done = 0;
    for _ in 0..runs {
        let folder = Folder::new();
        make(&folder);
        let before = files(&folder.path(""));
        let (options, replaced) = compose(&mut random);
        let (code, said) = run(&folder, &options);
        let context = format!("{options:?}: {code:?} {said}");
        assert!(code.is_some_and(|code| CODES.contains(&code)) && !said.contains("panicked"), "{context}");
        assert!(code == Some(0) || !said.is_empty(), "{context}");
        assert!(!said.contains(|c: char| c != '\n' && c.is_control() || c == '\u{202e}'), "{context}");
        done += u64::from(code == Some(0));
        let after = files(&folder.path(""));
        let dry = options.iter().any(|option| option == "--dry-run");
        for (path, octets) in &before {
            // In a Maildir a message that changes gets a name with its true size.
            let is_named = |name: &&str| path.starts_with(name) || **name == *"link" && path == Path::new("in.mbox");
            let may_change = !dry && replaced.iter().any(is_named);
            assert!(may_change || after.get(path) == Some(octets), "{}: {context}", path.display());
            let stays = after.contains_key(path) || path.starts_with("box");
            assert!(stays, "{} is gone: {context}", path.display());
        }
        let left = |path: &&PathBuf| {
            let name = path.display().to_string();
            [".partial", ".resume", ".lock", ".septet"].iter().any(|end| name.contains(end))
        };
        assert_eq!(after.keys().find(left), None, "{context}");
    }
    assert!(done * 8 > runs, "some of it is no fault: {done}");
}
