//! SIGKILL at any moment, then `--resume`: output and reports are those of a run that was never interrupted.
//!
//! `tests/archive/kill-9.sh` runs this at length.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, UNIX_EPOCH};

use septet_support::nightly;

use super::page::timeless;
use super::{Folder, LATIN, PLAIN, mbox, sample};

/// A seed that differs from run to run, unless `SEPTET_SEED` says it.
pub fn seed() -> u64 {
    let own = || std::time::UNIX_EPOCH.elapsed().map_or(1, |since| since.as_nanos() as u64);
    std::env::var("SEPTET_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or_else(own)
}

/// Numbers that look random (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }
}

fn kills() -> u64 {
    let usual = if nightly() { 24 } else { 4 };
    std::env::var("SEPTET_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// An archive, the options that convert it, and what to look at afterwards.
struct Case {
    name: &'static str,
    make: fn(&Folder),
    options: &'static str,
}

const CASES: [Case; 10] = [
    Case {
        name: "a file to another",
        make: |folder| drop(folder.put("in.mbox", &archive())),
        options: "in.mbox -o out.mbox --keep-original --report r.jsonl --report r.csv --report r.html",
    },
    Case {
        name: "a file in place",
        make: |folder| drop(folder.put("in.mbox", &archive())),
        options: "in.mbox --in-place --keep-original --backup=.old --report r.html --report r.csv",
    },
    Case {
        name: "a Maildir in place",
        make: maildir,
        options: "box --in-place --keep-original --report r.jsonl --report r.html",
    },
    Case {
        name: "many inputs to a folder",
        make: |folder| {
            maildir(folder);
            folder.put("in.mbox", &archive()[..1 << 21]);
            folder.put("one.eml", LATIN);
        },
        options: "in.mbox box one.eml -o out --report r.csv --report r.html",
    },
    Case {
        name: "a file to a Maildir",
        make: |folder| drop(folder.put("in.mbox", &archive()[..1 << 20])),
        options: "in.mbox --output-format maildir -o out --verify --report r.jsonl --report r.html",
    },
    Case {
        name: "a file to pieces",
        make: |folder| drop(folder.put("in.mbox", &archive()[..3 << 20])),
        options: "in.mbox --split 512KiB -o out.mbox --verify --report r.csv",
    },
    Case {
        name: "a Maildir to a file",
        make: maildir,
        options: "box --output-format mboxrd -o out.mbox --report r.jsonl",
    },
    Case {
        name: "folders to folders of .eml files",
        make: |folder| {
            maildir(folder);
            folder.put("a.mbox", &archive()[..1 << 19]);
            folder.put("b.mbox", &archive()[..1 << 18]);
        },
        options: "box a.mbox b.mbox --output-format eml -o out --report r.jsonl",
    },
    Case {
        name: "labels to Maildirs",
        make: |folder| drop(folder.put("in.mbox", &labelled(900))),
        options: "in.mbox --split-by label --labels each --output-format maildir -o out --verify --report r.jsonl",
    },
    Case {
        name: "labels to mailbox files",
        make: |folder| drop(folder.put("in.mbox", &labelled(6000))),
        options: "in.mbox --split-by label -o out --report r.csv",
    },
];

/// Makes a mailbox whose messages have labels, a new one now and then; more of them than are open at a time.
fn labelled(messages: usize) -> Vec<u8> {
    let message = |number: usize| {
        let (old, new) = (number % 11, number / (messages / 100));
        let labels =
            format!("X-Gmail-Labels: Inbox,Label {old}/{new},Label {},Opened\nX-Keywords: k{old}\n", number % 5);
        [labels.as_bytes(), if number.is_multiple_of(3) { LATIN } else { PLAIN }].concat()
    };
    let messages: Vec<Vec<u8>> = (0..messages).map(message).collect();
    let mut all = mbox(&messages.iter().map(Vec::as_slice).collect::<Vec<_>>());
    // So that keywords are carried: the first message names them.
    let at = all.iter().position(|octet| *octet == b'\n').map_or(0, |at| at + 1);
    all.splice(at..at, b"X-IMAPbase: 1700000000 0000000001 k1 k2 k3 k4 k5\n".iter().copied());
    all
}

/// Makes a mailbox of a few batches.
fn archive() -> Vec<u8> {
    let sample = fs::read(sample()).expect("the sample");
    let own = mbox(&[LATIN, PLAIN, LATIN]);
    [own.as_slice(), &sample].concat().repeat((5 << 20) / (own.len() + sample.len()))
}

fn maildir(folder: &Folder) {
    for number in 0..900 {
        let (message, size) = if number % 3 == 0 { (PLAIN, PLAIN.len()) } else { (LATIN, LATIN.len()) };
        let name = format!("box/cur/17{number:05}.M1P2.host,S={size}:2,S");
        folder.put(&name, &[message, number.to_string().as_bytes(), b"\n"].concat());
    }
    folder.put("box/new/1800000.M1P2.host", LATIN);
    fs::create_dir_all(folder.path("box/tmp")).expect("a folder");
    // The time of its file says when a message came.
    for (path, _) in octets(&folder.path("box")) {
        let file = fs::File::options().append(true).open(folder.path("box").join(path)).expect("a file");
        file.set_modified(UNIX_EPOCH + Duration::from_secs(1_700_000_000)).expect("a time");
    }
}

/// Returns the program that is killed: a copy that nobody builds anew meanwhile, where one is named.
fn program() -> PathBuf {
    std::env::var_os("SEPTET_PROGRAM").map_or_else(|| env!("CARGO_BIN_EXE_septet").into(), PathBuf::from)
}

fn septet(folder: &Folder, options: &str) -> Process {
    let mut septet = Process::new(program());
    let (septet, words) = (septet.current_dir(folder.path("")).env_remove("SEPTET_CONFIG"), options.split_whitespace());
    septet.arg("convert").args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut owned = Process::new(septet.get_program());
    owned.args(septet.get_args()).current_dir(folder.path("")).env_remove("SEPTET_CONFIG");
    owned.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    owned
}

/// Lists every file below a folder with its octets; the folder's own path is no part of it, and neither is the time in
/// a page.
fn tree(of: &Folder) -> Vec<(PathBuf, Vec<u8>)> {
    let mut tree = octets(&of.path(""));
    for (_, page) in tree.iter_mut().filter(|(path, _)| path.extension().is_some_and(|end| end == "html")) {
        *page = timeless(&String::from_utf8_lossy(page), of).into_bytes();
    }
    tree
}

fn octets(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let (mut open, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => open.push(path),
                false => {
                    found.push((path.strip_prefix(folder).expect("below").to_owned(), fs::read(&path).expect("a file")))
                }
            }
        }
    }
    found.sort();
    found
}

/// What a run that nobody kills makes, and how long it takes.
struct Whole {
    tree: Vec<(PathBuf, Vec<u8>)>,
    took: Duration,
}

impl Case {
    fn whole(&self) -> Whole {
        let folder = Folder::new();
        (self.make)(&folder);
        let started = Instant::now();
        let run = septet(&folder, self.options).output().expect("it runs");
        assert!(run.status.success(), "{}: {run:?}", self.name);
        Whole { tree: tree(&folder), took: started.elapsed() }
    }

    /// Starts a run and kills it at a moment within `took`; tells whether it still ran.
    fn kill(&self, folder: &Folder, again: bool, took: Duration, random: &mut Random) -> bool {
        let resume = if again || random.below(2) == 0 { " --resume" } else { "" };
        let mut run = septet(folder, &format!("{}{resume}", self.options)).spawn().expect("it starts");
        sleep(Duration::from_micros(random.below(took.as_micros() as u64 + 1)));
        let still_ran = run.try_wait().expect("a process").is_none();
        run.kill().expect("killed");
        run.wait().expect("it ended");
        still_ran
    }

    /// Has the folder be what a whole run makes.
    fn finish(&self, folder: &Folder, turn: u64, whole: &Whole) {
        // A run that came to its end before the signal is not to be run again: it would find everything done.
        if tree(folder) != whole.tree {
            let run = septet(folder, &format!("{} --resume", self.options)).output().expect("it runs");
            assert!(run.status.success(), "{}, turn {turn}: {run:?}", self.name);
        }
        let now = tree(folder);
        let names = |tree: &[(PathBuf, Vec<u8>)]| tree.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
        assert_eq!(names(&now), names(&whole.tree), "{}, turn {turn}", self.name);
        for ((path, now), (_, wanted)) in now.iter().zip(&whole.tree) {
            assert!(now == wanted, "{}, turn {turn}: {}", self.name, path.display());
        }
    }
}

/// Kills and resumes its share of all runs, those of one case. A run that ended before it could be killed doesn't
/// count: on a busy machine the whole one may have taken much longer.
fn survives_kills(case: &Case) {
    let (seed, turns) = (seed(), kills().div_ceil(CASES.len() as u64));
    println!("SEPTET_SEED={seed}");
    let (mut random, whole) = (Random(seed), case.whole());
    let (mut hit, mut killed, mut resumable) = (0, 0, 0);
    for turn in 0.. {
        if hit == turns {
            break;
        }
        assert!(turn < 20 * turns, "{}: the runs are too short to be killed", case.name);
        let folder = Folder::new();
        (case.make)(&folder);
        // Some runs are killed more than once.
        let kills = 0..=random.below(3);
        let hits = kills.filter(|again| case.kill(&folder, *again > 0, whole.took, &mut random)).count() as u64;
        (hit, killed) = (hit + hits.min(1), killed + hits);
        let is_journal = |path: &PathBuf| path.extension().is_some_and(|it| it == "resume");
        resumable += u64::from(tree(&folder).iter().any(|(path, _)| is_journal(path)));
        case.finish(&folder, turn, &whole);
    }
    println!(
        "{}: {turns} turns, {killed} kills hit a run, {resumable} of them left something to go on with",
        case.name
    );
}

#[test]
fn a_file_to_another_is_resumed_after_a_kill() {
    survives_kills(&CASES[0]);
}

#[test]
fn a_file_in_place_is_resumed_after_a_kill() {
    survives_kills(&CASES[1]);
}

#[test]
fn a_maildir_in_place_is_resumed_after_a_kill() {
    survives_kills(&CASES[2]);
}

#[test]
fn many_inputs_are_resumed_after_a_kill() {
    survives_kills(&CASES[3]);
}

#[test]
fn a_file_to_a_maildir_is_resumed_after_a_kill() {
    survives_kills(&CASES[4]);
}

#[test]
fn a_file_to_pieces_is_resumed_after_a_kill() {
    survives_kills(&CASES[5]);
}

#[test]
fn a_maildir_to_a_file_is_resumed_after_a_kill() {
    survives_kills(&CASES[6]);
}

#[test]
fn folders_to_another_form_are_resumed_after_a_kill() {
    survives_kills(&CASES[7]);
}

#[test]
fn labels_to_maildirs_are_resumed_after_a_kill() {
    survives_kills(&CASES[8]);
}

#[test]
fn labels_to_mailbox_files_are_resumed_after_a_kill() {
    survives_kills(&CASES[9]);
}
