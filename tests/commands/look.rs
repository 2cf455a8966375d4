//! `septet explain` of archives, and `septet advise`.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

use crate::convert::{Folder, LATIN, PLAIN, convert, mbox, sample};

/// Text in KOI8-R without a label: "Привет, как дела? Всё хорошо, спасибо."
const RUSSIAN: &[u8] = b"From: c@example.org\nSubject: z\n\n\
    \xf0\xd2\xc9\xd7\xc5\xd4, \xcb\xc1\xcb \xc4\xc5\xcc\xc1? \xf7\xd3\xa3 \xc8\xcf\xd2\xcf\xdb\xcf, \xd3\xd0\xc1\xd3\xc9\xc2\xcf.\n";

fn septet(args: &[&str], path: &Path) -> (String, String, Option<i32>) {
    let mut command = Command::cargo_bin("septet").expect("the program is built");
    let output = command.env_remove("SEPTET_CONFIG").args(args).arg(path).output().expect("septet runs");
    let text = |octets: &[u8]| String::from_utf8(octets.to_vec()).expect("UTF-8");
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

fn printed(args: &[&str], path: &Path) -> String {
    let (out, said, code) = septet(args, path);
    assert_eq!((said.as_str(), code), ("", Some(0)), "{args:?}");
    out
}

#[test]
fn an_archive_is_listed() {
    let list = printed(&["explain"], &sample());
    assert!(list.contains("      1  changed    2003-06-02  Übermittlungsstatus (verzögert)\n"), "{list}");
    assert!(list.contains("\n         field=X-Device left=unlabelled\n"), "{list}");
    assert!(!list.contains("\n      7  "), "what needs nothing is not listed: {list}");
    assert!(
        list.contains("\n7 messages: 5 would change, 1 would stay with something left, 1 need nothing\n"),
        "{list}"
    );
    assert!(list.ends_with("\n`septet why protected unlabelled` says what helps\n"), "{list}");
    let lines = printed(&["explain", "--json"], &sample());
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!((lines.len(), lines[5]["result"].as_str()), (7, Some("left")));
    let diff = printed(&["explain", "--diff"], &sample());
    assert_eq!(diff.matches("--- message ").count(), 5, "{diff}");
}

/// What only looks reads what `convert` reads: compressed, in another dialect, in folders, in Maildirs and below them.
#[test]
fn what_is_converted_can_be_looked_at() {
    let folder = Folder::new();
    let (packed, counted) = (folder.path("all.mbox.zst"), folder.path("counted"));
    let keep = ["--profile=keep", "-q", "-o"];
    convert().args(keep).arg(&packed).arg(sample()).assert().success();
    convert().args(keep).arg(&counted).arg("--output-format=mboxcl2").arg(sample()).assert().success();
    let end = |list: &str| {
        list[list.find("7 messages: ").unwrap_or_else(|| panic!("{list}"))..].lines().next().map(str::to_owned)
    };
    let wanted = end(&printed(&["explain"], &sample()));
    for archive in [&packed, &counted] {
        assert_eq!(end(&printed(&["explain"], archive)), wanted, "{}", archive.display());
        assert!(printed(&["advise"], archive).starts_with("7 messages read "), "{}", archive.display());
    }
    folder.put("all/box/cur/1:2,S", LATIN);
    folder.put("all/box/.Sub/cur/2:2,S", LATIN);
    for name in ["all/box/new/3", "all/box/.Sub/new/4", "all/deep/a.eml"] {
        folder.put(name, RUSSIAN);
    }
    folder.put("all/readme", b"no mail");
    let (list, said, code) = septet(&["explain"], &folder.path("all"));
    assert!(list.contains("5 messages: 2 would change, 3 would stay with something left, 0 need nothing\n"), "{list}");
    assert!(said.contains("skipped") && said.contains("readme") && code == Some(0), "{said}");
    assert_eq!(septet(&["explain"], &folder.path("all/readme")).2, Some(66));
}

/// What an archive's name is in a Takeout: the command that is proposed can be typed as it stands.
#[test]
fn a_name_with_spaces_is_quoted_in_what_is_proposed() {
    let folder = Folder::new();
    let takeout = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mailbox/dialects/takeout.mbox");
    let takeout = std::fs::read(takeout).expect("the sample");
    let list = printed(&["explain"], &folder.put("All mail, Ann's.mbox", &takeout));
    assert!(
        list.contains("\n3 messages: 2 would change, 0 would stay with something left, 1 need nothing\n"),
        "{list}"
    );
    assert!(list.contains("`septet explain --message N '/") && list.contains(r"/All mail, Ann'\''s.mbox'`"), "{list}");
    let mut command = Command::cargo_bin("septet").expect("the program is built");
    folder.put("-x.mbox", &takeout);
    let list = command.current_dir(folder.path("")).args(["explain", "--", "-x.mbox"]).output().expect("septet runs");
    let list = String::from_utf8_lossy(&list.stdout);
    assert!(list.contains("`septet explain --message N ./-x.mbox`"), "{list}");
}

/// A Date that is missing is today's in a message that arrives now; `convert` has none to give, and neither has `explain` of
/// an archive.
#[test]
fn what_stands_in_an_archive_does_not_arrive_now() {
    let folder = Folder::new();
    let undated = b"From: a@example.org\nSubject: x\n\nplain\n";
    let alone = folder.put("box/cur/1:2,S", undated);
    folder.put("box/cur/2:2,S", undated);
    std::fs::create_dir_all(folder.path("box/new")).expect("a folder");
    let settings = ["explain", "--set", "conformance.missing_date=fix"];
    assert!(printed(&settings, &alone).contains("plan, profile utf8: changed\n"));
    let list = printed(&settings, &folder.path("box"));
    assert!(list.contains("2 messages: 0 would change, 2 would stay with something left, 0 need nothing\n"), "{list}");
}

#[test]
fn one_message_of_an_archive_is_explained() {
    let third = printed(&["explain", "--message", "3"], &sample());
    for piece in [
        "plan, profile utf8: changed\n",
        "\n      before  Gescannt für Müller: 4 Seiten\n      now     Gescannt =?utf-8?B?",
        "\n      reads   Gescannt für Müller: 4 Seiten\n",
        "\n  field=X-Device left=unlabelled\n      octets  Ger\\xE4t 7\n      may be  Gerät 7 (windows-1252)\n",
        "\n      8-bit text ",
        "\n      what helps: unlabelled = [\"utf-8\", \"windows-1252\"]",
    ] {
        assert!(third.contains(piece), "{piece}: {third}");
    }
    let (_, said, code) = septet(&["explain", "--message", "8"], &sample());
    assert_eq!(code, Some(66));
    assert!(said.ends_with("sample.mbox: there is no message 8, only 7 messages\n"), "{said}");
    assert_eq!(septet(&["explain", "--message", "0"], &sample()).2, Some(64));
}

#[test]
fn an_archive_of_one_message_is_that_message() {
    let folder = Folder::new();
    let path = folder.put("a.mbox", &mbox(&[LATIN]));
    let alone = printed(&["explain"], &folder.put("a.eml", LATIN));
    assert_eq!(printed(&["explain"], &path), alone);
    assert!(alone.contains("\n      before  caf\\xE9\n      now     café\n"), "{alone}");
    folder.put("m/cur/1:2,S", LATIN);
    folder.put("m/new/2", PLAIN);
    let list = printed(&["explain"], &folder.path("m"));
    assert!(list.contains("/m/cur/1:2,S  changed ") && list.contains("2 messages: 1 would change"), "{list}");
}

/// What a message says must not drive a terminal, nor turn its reading direction.
#[test]
fn nothing_hostile_reaches_a_terminal() {
    let folder = Folder::new();
    let hostile = "Subject: =?utf-8?q?=1B[31m=E2=80=AEexe=2E?= \u{202e}x\u{9b}0m\nX-\u{1b}[2J: y\nContent-Type: text/plain; charset=\x1b[7m\n\n\u{1b}]0;x\u{7}\u{2066}\n";
    let latin = [b"Subject: \x1b[31m\xe9\n" as &[u8], LATIN].concat();
    let path = folder.put("a\u{1b}[1m.mbox", &mbox(&[hostile.as_bytes(), &latin, LATIN]));
    for args in [&["explain"][..], &["explain", "--diff"], &["explain", "--message", "1"], &["advise"]] {
        let shown = printed(args, &path);
        let bad =
            |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'));
        assert!(!shown.contains(bad), "{args:?}: {shown:?}");
    }
}

#[test]
fn advice_gains_what_it_says() {
    let folder = Folder::new();
    let western = b"From: d@example.org\nSubject: w\n\nUn caf\xe9 pr\xe8s de la for\xeat, d\xe9j\xe0 l\xe0, tr\xe8s t\xf4t: \xab \xe7a va \xbb\n";
    let messages: Vec<&[u8]> = vec![western, RUSSIAN, PLAIN, LATIN, western, western];
    let path = folder.put("a.mbox", &mbox(&messages));
    let advice: Value = serde_json::from_str(&printed(&["advise", "--json"], &path)).expect("JSON");
    assert_eq!(advice["left"]["places"], 4);
    assert_eq!(advice["left_with_it"], 0, "{advice:#}");
    let best = &advice["tried"][0];
    assert_eq!(best["as_they_look"], 4, "statistics tell the two apart: {advice:#}");
    let reads: Vec<&str> =
        best["samples"].as_array().expect("samples").iter().filter_map(|it| it["reads"].as_str()).collect();
    assert!(reads.contains(&"Привет, как дела? Всё хорошо, спасибо."), "{reads:?}");
    let settings = folder.put("septet.toml", advice["toml"].as_str().expect("TOML").as_bytes());
    let settings = settings.to_str().expect("a name");
    let after: Value =
        serde_json::from_str(&printed(&["advise", "--json", "--config", settings], &path)).expect("JSON");
    assert_eq!(after["left"]["places"], 0, "{after:#}");
    let words = printed(&["advise"], &path);
    assert!(words.contains("4 -> 0 left") && words.contains("[profile.utf8]\n"), "{words}");
}

#[test]
fn a_label_that_names_a_charset_is_advised_as_one() {
    let folder = Folder::new();
    let message = b"Subject: x\nContent-Type: text/plain; charset=\"x-my-koi8-r\"\n\n\xf0\xd2\xc9\xd7\xc5\xd4, \xcb\xc1\xcb \xc4\xc5\xcc\xc1? \xf7\xd3\xa3 \xc8\xcf\xd2\xcf\xdb\xcf\n";
    let words = b"Subject: =?x-my-koi8-r?q?=F0=D2=C9=D7=C5=D4?=\n\nplain\n";
    let path = folder.put("a.mbox", &mbox(&[message, words, words]));
    let said = printed(&["advise"], &path);
    assert!(said.contains("charset_alias = { \"x-my-koi8-r\" = \"koi8-r\" }\n"), "{said}");
    assert!(said.contains("# 3 -> 0 left"), "{said}");
}

/// Each text had its message read again, and its place looked for from the first part on: 9,000 parts took 99 seconds, 40,000
/// fields two minutes.
#[test]
fn advice_on_a_message_of_many_texts_takes_no_square_of_them() {
    let folder = Folder::new();
    let part = "--b\nContent-Type: text/plain\n\nUn caf\u{e9} pr\u{e8}s de la for\u{ea}t\n".repeat(9_000);
    let parts = format!("Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n{part}--b--\n");
    let fields: String = (0..40_000).map(|number| format!("X{number}:\u{e9}\n")).collect();
    let octets =
        [parts, format!("Subject: x\n{fields}\nx\n")].map(|text| text.chars().map(|c| c as u8).collect::<Vec<_>>());
    let path = folder.put("a.mbox", &mbox(&[&octets[0], &octets[1]]));
    let began = std::time::Instant::now();
    assert!(printed(&["advise"], &path).contains("# 49000 -> 0 left"));
    assert!(began.elapsed() < std::time::Duration::from_secs(30), "{:?}", began.elapsed());
}

#[test]
fn where_nothing_is_left_nothing_is_advised() {
    let folder = Folder::new();
    let said = printed(&["advise"], &folder.put("a.mbox", &mbox(&[PLAIN, LATIN])));
    assert_eq!(said, "2 messages read with profile utf8: 0 places in 0 messages left for want of a charset\n");
}
