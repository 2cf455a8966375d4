//! `septet explain` of archives.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

use crate::convert::{Folder, LATIN, PLAIN, convert, mbox, sample};

/// Text in KOI8-R without a label: "Привет, как дела? Всё хорошо, спасибо."
pub const RUSSIAN: &[u8] = b"From: c@example.org\nSubject: z\n\n\
    \xf0\xd2\xc9\xd7\xc5\xd4, \xcb\xc1\xcb \xc4\xc5\xcc\xc1? \xf7\xd3\xa3 \xc8\xcf\xd2\xcf\xdb\xcf, \xd3\xd0\xc1\xd3\xc9\xc2\xcf.\n";

fn septet(args: &[&str], path: &Path) -> (String, String, Option<i32>) {
    let mut command = Command::cargo_bin("septet").expect("the program is built");
    let output = command.env_remove("SEPTET_CONFIG").args(args).arg(path).output().expect("septet runs");
    let text = |octets: &[u8]| String::from_utf8(octets.to_vec()).expect("UTF-8");
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

pub fn printed(args: &[&str], path: &Path) -> String {
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
        assert!(
            printed(&["advise"], archive).starts_with("# septet advise: 7 messages read "),
            "{}",
            archive.display()
        );
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
    assert!(list.contains("`septet explain --message 1 '/") && list.contains(r"/All mail, Ann'\''s.mbox'`"), "{list}");
    let mut command = Command::cargo_bin("septet").expect("the program is built");
    folder.put("-x.mbox", &takeout);
    let list = command.current_dir(folder.path("")).args(["explain", "--", "-x.mbox"]).output().expect("septet runs");
    let list = String::from_utf8_lossy(&list.stdout);
    assert!(list.contains("`septet explain --message 1 ./-x.mbox`"), "{list}");
}

/// The command that was proposed read the mail by other settings, and as another format.
#[test]
fn what_is_proposed_reads_the_same_mail() {
    let folder = Folder::new();
    let path = folder.put("a.mbox", &mbox(&[PLAIN, LATIN, LATIN]));
    let options = ["explain", "--profile", "seven-bit", "--config", "/dev/null", "--format", "mbox"];
    let list = printed(&options, &path);
    let command = "`septet explain --config /dev/null --profile seven-bit --format mbox --message 2 /";
    assert!(list.contains(command) && list.contains("/a.mbox` shows the first of them\n"), "{list}");
}

/// What helps was sought for every line, and a message of 8,000 of them took half a minute.
#[test]
fn what_helps_is_sought_for_the_first_lines() {
    let fields: String = (0..150).map(|number| format!("X-{number}: =?x-unheard?Q?a?=\n")).collect();
    let plan = plan_of(format!("From: a@example.org\n{fields}\n").as_bytes(), &[]);
    assert_eq!((plan.matches(" left=").count(), plan.matches("what helps:").count()), (150, 100), "{plan}");
}

/// A Date that is missing is today's in a message that arrives now; `convert` has none to give, and neither has
/// `explain` of an archive.
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
        "\n      what helps: unlabelled = [\"utf-8\", \"windows-1252\"], which septet advise proposes for it",
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
    const JSON: &[&str] = &["explain", "--json", "--message", "1"];
    let folder = Folder::new();
    let hostile = "Subject: =?utf-8?q?=1B[31m=E2=80=AEexe=2E?= \u{202e}x\u{9b}0m\nX-\u{1b}[2J: y\nContent-Type: text/plain; charset=\x1b[7m\n\n\u{1b}]0;x\u{7}\u{2066}\n";
    let latin = [b"Subject: \x1b[31m\xe9\n" as &[u8], LATIN].concat();
    let path = folder.put("a\u{1b}[1m.mbox", &mbox(&[hostile.as_bytes(), &latin, LATIN]));
    for args in [&["explain"][..], &["explain", "--diff"], &["explain", "--message", "1"], &["advise"], JSON] {
        let shown = printed(args, &path);
        let bad =
            |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'));
        assert!(!shown.contains(bad), "{args:?}: {shown:?}");
    }
}

/// Explains a message, and returns the lines from the plan on.
fn plan_of(message: &[u8], options: &[&str]) -> String {
    let folder = Folder::new();
    let path = folder.put("a.eml", message);
    let all = printed(&[&["explain"], options].concat(), &path);
    all[all.find("plan, ").expect("a plan")..].to_owned()
}

/// What was done was shown again as what it may be.
#[test]
fn what_was_done_is_no_warning() {
    let name = b"From: a@example.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\
        Content-Type: text/plain; charset=windows-1252\nContent-Transfer-Encoding: 8bit\n\nFr\xf6sche und St\xf6rche am See\n\
        --b\nContent-Type: image/png\nContent-Disposition: attachment; filename=\"Fr\xf6sche am See.png\"\n\nx\n--b--\n";
    let name = plan_of(name, &[]);
    assert!(name.contains("because=part") && !name.contains("may be"), "{name}");
    let word = b"From: a@example.org\nSubject: =?iso-8859-1?Q?Die_Fr\xf6sche_und_St\xf6rche?=\nMIME-Version: 1.0\n\
        Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\nFr\xf6sche und St\xf6rche am See\n";
    let word = plan_of(word, &[]);
    assert!(word.contains("field=Subject word=") && !word.contains("may be"), "{word}");
}

/// The line was cut within an encoded-word.
#[test]
fn what_is_read_is_decoded_before_it_is_cut() {
    let long = b"From: a@example.org\nSubject: =?iso-2022-jp?B?GyRCRnxLXDhsJE43b0w+JCwkSCRGJGJEOSQkJE4kRyQzGyhC?=\n \
        =?iso-2022-jp?B?GyRCJDMkRzI/MnMkYkBeJGpKViQ1JGwkayRPJDokRyQ5ISMkNRsoQg==?=\n\nx\n";
    let long = plan_of(long, &[]);
    let reads = long.lines().find(|line| line.contains(" reads ")).expect("a line");
    assert!(reads.ends_with("はずです。さ") && !reads.contains("=?"), "{reads}");
}

#[test]
fn the_lines_below_an_entry_are_its_own() {
    let message = "From: a@example.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\
        Content-Transfer-Encoding: 7bit\nX-A: caf\u{e9}\nX-A: th\u{e9}\n\n--b\n\
        Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\ncaf=E9\n--b--\n";
    let plan = plan_of(message.as_bytes(), &["--profile", "eai"]);
    let lines: Vec<&str> = plan.lines().map(str::trim).collect();
    let at = lines.iter().position(|line| line.starts_with("part=1 body label=transfer:7bit>8bit")).expect("an entry");
    assert_eq!(lines[at + 1..at + 3], ["before  7bit", "now     8bit"], "{plan}");
    let plan = plan_of(message.as_bytes(), &[]);
    assert!(plan.contains("before  café\n") && plan.contains("before  thé\n"), "{plan}");
}

/// A mailbox file whose messages state their octets keeps the field, with its true value.
#[test]
fn a_length_is_explained_as_it_is_converted() {
    let folder = Folder::new();
    let one = "From a@example.org Mon Jan  1 00:00:00 2007\nFrom: a@example.org\nMIME-Version: 1.0\n\
        Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\nContent-Length: 6\n\n";
    let one = [one.as_bytes(), b"Gr\xfc\xdfe\n\n"].concat();
    let path = folder.put("counted", &one.repeat(2));
    for options in [&["--message", "1"][..], &[]] {
        let said = printed(&[&["explain"], options].concat(), &path);
        assert!(said.contains("field=Content-Length repaired=content-length\n"), "{said}");
        assert!(!said.contains("removed=Content-Length"), "{said}");
    }
    let said = printed(&["explain", "--message", "1"], &path);
    assert!(said.contains("\n      before  6\n      now     8\n"), "{said}");
}

/// The same list was named for Russian, for half a character and for a text that is two at once.
#[test]
fn what_helps_is_what_was_tried_on_the_text() {
    for (message, wanted) in [
        (RUSSIAN, "what helps: unlabelled = [\"utf-8\", \"koi8-r\"], which septet advise proposes for it"),
        (
            b"Content-Type: text/plain; charset=utf-8\n\nGr\xc3\xbc\xc3\x9fe aus K\xc3\xb6ln \xf0\x9f\x98\n",
            "what helps: on_loss = \"replace\", if U+FFFD is better than nothing",
        ),
        (
            b"Content-Type: text/plain; charset=iso-8859-2\n\nP\xc5\x85\n",
            "what helps: charset_alias = { \"iso-8859-2\" = \"utf-8\" }, if it is utf-8",
        ),
    ] {
        let plan = plan_of(message, &[]);
        assert!(plan.contains(wanted), "{plan}");
    }
    let damaged = plan_of(b"Subject: Gr\xc3\xbc\xc3\x9fe aus K\xc3\xb6ln \xf0\x9f\x98\n\n", &[]);
    assert_eq!(damaged.matches("may be").count(), 1, "{damaged}");
    assert!(damaged.contains("may be  Grüße aus Köln \u{fffd} (utf-8)"), "{damaged}");
}
