//! `septet advise`: what it prints is a settings file, and does what it says.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

use crate::convert::report::lines;
use crate::convert::{Folder, LATIN, PLAIN, convert, mbox};
use crate::look::{RUSSIAN, printed};

/// Text in Windows-1252 without a label.
const WESTERN: &[u8] = b"From: d@example.org\nSubject: w\n\n\
    Un caf\xe9 pr\xe8s de la for\xeat, d\xe9j\xe0 l\xe0, tr\xe8s t\xf4t: \xab \xe7a va \xbb\n";

/// Text in KOI8-R under a label that names it, which nobody knows.
const LABELLED: &[u8] = b"Subject: x\nContent-Type: text/plain; charset=\"x-my-koi8-r\"\n\n\
    \xf0\xd2\xc9\xd7\xc5\xd4, \xcb\xc1\xcb \xc4\xc5\xcc\xc1? \xf7\xd3\xa3 \xc8\xcf\xd2\xcf\xdb\xcf\n";

fn with(field: &str, message: &[u8]) -> Vec<u8> {
    [field.as_bytes(), b"\n", message].concat()
}

fn advice(archive: &Path) -> Value {
    serde_json::from_str(&printed(&["advise", "--json"], archive)).expect("JSON")
}

/// Puts what is advised into a file, and has the settings in it checked.
fn settings(folder: &Folder, archive: &Path) -> PathBuf {
    let settings = folder.put("septet.toml", printed(&["advise"], archive).as_bytes());
    let mut check = Command::cargo_bin("septet").expect("the program is built");
    check
        .env_remove("SEPTET_CONFIG")
        .args(["check-config", "--any-host", "--config"])
        .arg(&settings)
        .assert()
        .success();
    settings
}

/// Converts an archive, and counts of each message what is left.
fn left(folder: &Folder, archive: &Path, settings: Option<&Path>) -> Vec<usize> {
    let (out, report) = (folder.path("out"), folder.path("r.jsonl"));
    let _ = fs::remove_dir_all(&out).or_else(|_| fs::remove_file(&out));
    let mut run = convert();
    run.args(settings.iter().flat_map(|settings| [Path::new("--config"), settings]));
    run.arg("-q").arg("-o").arg(&out).arg("--report").arg(&report).arg(archive).assert().success();
    let count = |line: &Value| {
        let entries = line["entries"].as_array().expect("entries");
        entries.iter().filter(|entry| entry.get("left").is_some()).count()
    };
    lines(&report).iter().map(count).collect()
}

/// Converts by what is advised: as many messages are better as it says, and none is worse. Returns how many.
fn gained(folder: &Folder, archive: &Path) -> u64 {
    let promised = advice(archive)["better"].as_u64().unwrap_or_default();
    let settings = settings(folder, archive);
    let (before, after) = (left(folder, archive, None), left(folder, archive, Some(&settings)));
    let better = before.iter().zip(&after).filter(|(before, after)| after < before).count() as u64;
    assert!(before.iter().zip(&after).all(|(before, after)| after <= before), "{before:?} {after:?}");
    assert!(better >= promised, "{better} of {promised}: {}", fs::read_to_string(&settings).expect("settings"));
    promised
}

/// Every sample mailbox: what is printed is a settings file, whether something is advised in it or not.
#[test]
fn what_is_printed_can_be_used_as_it_is() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mailbox");
    let dialects = fs::read_dir(samples.join("dialects")).expect("a folder").map(|file| file.expect("a file").path());
    let mailboxes = dialects.filter(|path| path.extension().is_some_and(|ending| ending == "mbox"));
    let gains: Vec<u64> =
        mailboxes.chain([samples.join("sample.mbox")]).map(|archive| gained(&Folder::new(), &archive)).collect();
    assert!(gains.len() > 3 && gains.iter().sum::<u64>() > 0, "{gains:?}");
}

#[test]
fn one_charset_is_advised_for_all() {
    let folder = Folder::new();
    let archive = folder.put("a.mbox", &mbox(&[WESTERN, PLAIN, LATIN, WESTERN]));
    let said = printed(&["advise"], &archive);
    assert!(said.ends_with("\n\n[profile.utf8]\nunlabelled = [\"utf-8\", \"windows-1252\"]\n"), "{said}");
    assert!(said.contains("# with the settings below 2 of 2 messages read better, none worse\n"), "{said}");
    assert!(said.contains("Un café près de la forêt, déjà là"), "a sample: {said}");
    assert_eq!(gained(&folder, &archive), 2);
}

/// One list for all would read one of them wrong: who writes otherwise gets a rule.
#[test]
fn who_writes_otherwise_gets_a_rule() {
    let folder = Folder::new();
    let russian = with("Return-Path: <Ivan@example.org>", RUSSIAN);
    let western = with("Return-Path: <anne@example.org>", WESTERN);
    let listed = with("List-Id: <l.example.org>", &russian);
    for (message, condition) in [
        (&russian, "\n[[rule]]\nprofile = \"utf8-koi8-r\"\nsender = [\"ivan@example.org\"]\n"),
        (&listed, "\n[[rule]]\nprofile = \"utf8-koi8-r\"\nlist_id = [\"l.example.org\"]\n"),
    ] {
        let archive = folder.put("a.mbox", &mbox(&[&western, &western, message, PLAIN]));
        let said = printed(&["advise"], &archive);
        assert!(said.contains(condition), "{said}");
        assert!(said.contains("# with the settings below 3 of 3 messages read better, none worse\n"), "{said}");
        assert_eq!(gained(&folder, &archive), 3);
    }
}

/// Where nothing tells them apart, statistics do.
#[test]
fn what_no_rule_tells_apart_is_left_to_statistics() {
    let folder = Folder::new();
    let archive = folder.put("a.mbox", &mbox(&[WESTERN, RUSSIAN, PLAIN, LATIN, WESTERN, WESTERN]));
    let advice = advice(&archive);
    assert_eq!((&advice["left"]["messages"], &advice["better"], &advice["worse"]), (&4.into(), &4.into(), &0.into()));
    assert!(advice["toml"].as_str().is_some_and(|toml| toml.contains("\"detect\"")), "{advice:#}");
    let western = advice["tried"].as_array().expect("lists").iter().find(|it| it["unlabelled"][1] == "windows-1252");
    let western = western.expect("a list");
    assert_eq!((&western["better"], &western["worse"]), (&3.into(), &1.into()), "{advice:#}");
    assert_eq!(gained(&folder, &archive), 4);
}

/// A message counts once, however many of its places would read, and is worse if one of them reads wrong.
#[test]
fn messages_are_counted_and_not_places() {
    let folder = Folder::new();
    let fields = |count: usize| (0..count).map(|at| format!("X-{at}: caf\u{e9} cr\u{e8}me\n")).collect::<String>();
    let many: Vec<u8> = (fields(50) + "Subject: x\n\nplain\n").chars().map(|c| c as u8).collect();
    let archive = folder.put("a.mbox", &mbox(&[&many, WESTERN]));
    let advice = advice(&archive);
    assert_eq!((&advice["left"]["messages"], &advice["left"]["places"]), (&2.into(), &51.into()));
    assert_eq!((&advice["better"], &advice["worse"]), (&2.into(), &0.into()), "{advice:#}");
}

#[test]
fn a_label_that_names_a_charset_is_advised_as_one() {
    let folder = Folder::new();
    let words = b"Subject: =?x-my-koi8-r?q?=F0=D2=C9=D7=C5=D4?=\n\nplain\n";
    let archive = folder.put("a.mbox", &mbox(&[LABELLED, words, words]));
    let said = printed(&["advise"], &archive);
    assert!(said.contains("\ncharset_alias = { x-my-koi8-r = \"koi8-r\" }\n"), "{said}");
    assert!(!said.contains("\nunlabelled"), "a label helps its own texts, a list helps all: {said}");
    assert_eq!(gained(&folder, &archive), 3);
}

/// What the settings in force say of converting stands in the file too: it is used in their place.
#[test]
fn what_is_advised_stands_beside_what_holds() {
    let folder = Folder::new();
    let own = "default_profile = \"mine\"\n[profile.mine]\nheaders = \"keep\"\n\
        [[rule]]\nprofile = \"keep\"\nsender = \"boss@example.org\"\n";
    let own = folder.put("own.toml", own.as_bytes());
    let boss = with("Return-Path: <boss@example.org>", WESTERN);
    let archive = folder.put("a.mbox", &mbox(&[WESTERN, &boss]));
    let said = printed(&["advise", "--config", own.to_str().expect("a name")], &archive);
    assert!(
        said.contains("# 1 message has another profile by a rule of the settings and is not looked at\n"),
        "{said}"
    );
    let settings = folder.put("septet.toml", said.as_bytes());
    let report = folder.path("r.jsonl");
    let mut run = convert();
    run.arg("--config").arg(&settings).arg("--report").arg(&report).arg(&archive).assert().success();
    let lines = lines(&report);
    let said: Vec<_> = lines.iter().map(|line| (line["profile"].as_str(), line["result"].as_str())).collect();
    assert_eq!(said, [(Some("mine"), Some("changed")), (Some("keep"), Some("unchanged"))]);
    let named = printed(&["advise", "--profile", "eai"], &archive);
    assert!(named.contains("\ndefault_profile = \"eai\"\n\n[profile.eai]\n"), "{named}");
}

#[test]
fn where_nothing_is_left_nothing_is_advised() {
    let folder = Folder::new();
    let archive = folder.put("a.mbox", &mbox(&[PLAIN, LATIN]));
    let said = printed(&["advise"], &archive);
    let head =
        "# septet advise: 2 messages read with profile utf8\n# 0 messages have text left for want of a charset\n";
    assert_eq!(said, head);
    assert_eq!(gained(&folder, &archive), 0);
}

/// Each text had its message read again, and its place looked for from the first part on: 9,000 parts took 99 seconds,
/// 40,000 fields two minutes. Thrice as many took nine times as long.
#[test]
fn advice_on_a_message_of_many_texts_takes_no_square_of_them() {
    let (some, more) = (seconds_of_advice(300), seconds_of_advice(900));
    assert!(more < 6.0 * some, "{some} s, and {more} s for thrice as many");
}

/// Returns the processor time of advice on a message of so many parts, and one of four times as many fields.
fn seconds_of_advice(parts: usize) -> f64 {
    let part = "--b\nContent-Type: text/plain\n\nUn caf\u{e9} pr\u{e8}s de la for\u{ea}t\n".repeat(parts);
    let text = format!("Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n{part}--b--\n");
    let fields: String = (0..4 * parts).map(|number| format!("X{number}:\u{e9}\n")).collect();
    let octets =
        [text, format!("Subject: x\n{fields}\nx\n")].map(|text| text.chars().map(|c| c as u8).collect::<Vec<_>>());
    let folder = Folder::new();
    let path = folder.put("a.mbox", &mbox(&[&octets[0], &octets[1]]));
    let script = "\"$0\" advise --config /dev/null \"$1\" && times";
    let run = Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_septet")]).arg(&path).assert().success();
    let said = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(said.contains("2 of 2 messages read better"), "{said}");
    // The last line has the user's and the system's time of what the shell ran: 0m1.250s 0m0.010s.
    let times = said.lines().last().expect("times").split(' ').map(|time| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').expect("minutes");
        60.0 * minutes.parse::<f64>().expect("a number") + seconds.parse::<f64>().expect("a number")
    });
    times.sum()
}
