//! `septet review` in a terminal, and `septet convert --decisions`.

use std::fs;
use std::process::{Command as Process, Stdio};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

use crate::convert::{Folder, LATIN, PLAIN, UTF8, convert, mbox};

/// Two fields that change.
const FIELDS: &[u8] =
    b"From: B <b@example.org>\nSubject: =?iso-8859-1?Q?caf=E9?=\nComments: =?iso-8859-1?Q?th=E9?=\n\nx\n";

/// Its second field, changed.
const COMMENTS: &[u8] =
    b"From: B <b@example.org>\nSubject: =?iso-8859-1?Q?caf=E9?=\nComments: =?utf-8?Q?th=C3=A9?=\n\nx\n";

/// What a name of a sender and a subject may try.
const HOSTILE: &[u8] = b"From: =?utf-8?Q?=1B]0;title=07=E2=80=AEevil?= <e@example.org>\n\
    Subject: =?iso-8859-1?Q?=E9?= =?utf-8?Q?=1B[2J?= \xE2\x80\xAE\xC2\x9B\nMIME-Version: 1.0\n\
    Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\n\x1b[31mcaf\xe9 \x07\n";

const FILE: &str = "a.mbox.decisions.jsonl";

/// Runs `septet` in a terminal of so many columns, and types lines, parted by commas; returns what is shown and the
/// exit code.
fn in_terminal(folder: &Folder, columns: usize, lines: &str, args: &[&str]) -> (String, Option<i32>) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/commands/review/terminal.py");
    let mut python = Process::new("python3");
    python.args([script, &columns.to_string(), lines]).arg(cargo_bin("septet")).args(args).env("TERM", "xterm");
    python.env_remove("NO_COLOR").env_remove("SEPTET_CONFIG").current_dir(folder.path(""));
    let output = python.output().expect("python3");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    (String::from_utf8(output.stdout).expect("what is shown is UTF-8"), output.status.code())
}

/// Reviews `a.mbox` without colour.
fn review(folder: &Folder, lines: &str) -> String {
    let (shown, code) = in_terminal(folder, 80, lines, &["review", "--color=never", "a.mbox"]);
    assert_eq!(code, Some(0), "{shown}");
    shown
}

fn folder(messages: &[&[u8]]) -> Folder {
    let folder = Folder::new();
    folder.put("a.mbox", &mbox(messages));
    folder
}

/// Converts by the answers, with more options, and returns the output; its code must be this.
fn converted(folder: &Folder, options: &str, code: i32) -> (Vec<u8>, String) {
    let mut run = convert();
    run.current_dir(folder.path("")).args(["--decisions", FILE]).args(options.split_whitespace());
    let said = String::from_utf8_lossy(&run.assert().code(code).get_output().stderr).into_owned();
    (fs::read(folder.path("out")).unwrap_or_default(), said)
}

fn answers(folder: &Folder) -> Vec<String> {
    let text = fs::read_to_string(folder.path(FILE)).expect("a file");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.skip(1).map(|line| line["answer"].as_str().expect("an answer").to_owned()).collect()
}

#[test]
fn what_was_wanted_is_changed_and_nothing_else() {
    let folder = folder(&[LATIN, PLAIN, FIELDS, LATIN]);
    let shown = review(&folder, "y,n,y");
    for wanted in [
        "Message 1 of a.mbox\n  From     a@example.org\n  Subject  x\n  Date     (none)\n",
        "\nText: from iso-8859-1 to utf-8\n- [-caf\\xE9-]\n+ {+café+}\nChange this? [y,n,k,K,s,S,m,M,b,a,q,?] y\n",
        "\nSubject: from iso-8859-1 to utf-8  (1 of 2 in this message)\n- =?[-iso-8859-1?Q?caf=E9-]?=\n",
        "\n2 yes, 1 no in a.mbox.decisions.jsonl.\nAll that would change has an answer.\nTo convert by it:\n",
        "  septet convert --decisions a.mbox.decisions.jsonl -o OUT a.mbox\n",
    ] {
        assert!(shown.contains(wanted), "{wanted}: {shown}");
    }
    assert!(!shown.contains("Message 4"), "the same octets are one message: {shown}");
    let wanted = mbox(&[UTF8, PLAIN, COMMENTS, UTF8]);
    for options in ["-o out a.mbox", "-j4 -o out a.mbox", "-j1 --verify -o out a.mbox", "--keep-original -o out a.mbox"]
    {
        let (output, said) = converted(&folder, options, 0);
        assert_eq!(output, wanted, "{options}: {said}");
        assert!(said.contains("  declined                      1\n"), "{said}");
    }
    let report = converted(&folder, "-n --report r.jsonl a.mbox", 0);
    let report = (fs::read_to_string(folder.path("r.jsonl")).expect("a report"), report.1).0;
    assert!(report.contains("field=Subject left=declined; field=Comments word=iso-8859-1>utf-8"), "{report}");
}

#[test]
fn other_forms_and_standard_input_obey_too() {
    let folder = folder(&[LATIN, FIELDS]);
    review(&folder, "n,n,y");
    converted(&folder, "--output-format eml -o eml a.mbox", 0);
    let made: Vec<Vec<u8>> = crate::convert::names(&folder.path("eml"))
        .iter()
        .filter(|name| name.ends_with(".eml"))
        .map(|name| fs::read(folder.path("eml").join(name)).expect("a file"))
        .collect();
    assert_eq!(made, [LATIN.to_vec(), COMMENTS.to_vec()]);
    let stdin = |messages: &[&[u8]], code: i32| {
        let mut run = convert();
        run.current_dir(folder.path("")).args(["--decisions", FILE, "-o", "out", "-"]).write_stdin(mbox(messages));
        String::from_utf8_lossy(&run.assert().code(code).get_output().stderr).into_owned()
    };
    stdin(&[LATIN, FIELDS], 0);
    assert_eq!(fs::read(folder.path("out")).expect("a file"), mbox(&[LATIN, COMMENTS]));
    let said = stdin(&[LATIN], 65);
    assert!(said.contains("decides of what was not in the input: message 2 of a.mbox"), "{said}");
}

#[test]
fn all_of_a_kind_and_of_a_sender() {
    let other = [b"X-Number: 2\n", LATIN].concat();
    let third = [b"X-Number: 3\n", FIELDS].concat();
    let folder = folder(&[LATIN, FIELDS, &other, &third]);
    let shown = review(&folder, "k,S");
    assert!(shown.contains("  All of this kind are changed: text, from iso-8859-1 to utf-8.\n"), "{shown}");
    assert!(shown.contains("  All in mail from b@example.org is left as it is.\n"), "{shown}");
    assert!(shown.contains("\n0 yes, 0 no, 2 answers for kinds and senders in "), "{shown}");
    let wanted = mbox(&[UTF8, FIELDS, &[b"X-Number: 2\n", UTF8].concat(), &third]);
    assert_eq!(converted(&folder, "-o out a.mbox", 0).0, wanted);
}

#[test]
fn a_review_goes_on_where_it_ended() {
    let folder = folder(&[LATIN, FIELDS]);
    let shown = review(&folder, "y,");
    assert!(shown.ends_with("  septet convert --decisions a.mbox.decisions.jsonl -o OUT a.mbox\n"), "{shown}");
    assert!(shown.contains("What has no answer stays; the same command goes on there."), "{shown}");
    assert_eq!(converted(&folder, "-o out a.mbox", 0).0, mbox(&[UTF8, FIELDS]), "what has no answer stays");
    let shown = review(&folder, "n,b,y,q");
    assert!(shown.starts_with("Going on: a.mbox.decisions.jsonl has 1 answer"), "{shown}");
    assert!(!shown.contains("Message 1"), "{shown}");
    assert_eq!(answers(&folder), ["yes", "yes"]);
    let shown = review(&folder, "a");
    assert!(shown.contains("(2 of 2 in this message)") && shown.contains("What has no answer is changed."), "{shown}");
    let output = converted(&folder, "-o out a.mbox", 0).0;
    let subject = b"Subject: =?utf-8?B?Y2Fmw6k=?=\nComments: =?utf-8?Q?th=C3=A9?=\n\nx\n";
    assert_eq!(output, mbox(&[UTF8, &[&b"From: B <b@example.org>\n"[..], subject].concat()]));
    assert!(review(&folder, "q").contains("Comments"), "what has no answer is asked about again");
}

#[test]
fn ctrl_c_keeps_the_answers() {
    let folder = folder(&[LATIN, FIELDS]);
    let (shown, _) = in_terminal(&folder, 80, "y,\u{3}", &["review", "--color=never", "a.mbox"]);
    assert!(shown.contains("ended by SIGINT: the answers so far are in a.mbox.decisions.jsonl"), "{shown}");
    assert_eq!(
        (answers(&folder), folder.names()),
        (vec!["yes".to_owned()], vec!["a.mbox".to_owned(), FILE.to_owned()])
    );
}

#[test]
fn letters_are_explained() {
    let folder = folder(&[LATIN]);
    let shown = review(&folder, "what,?,b,q");
    for wanted in [
        "One of the letters, and Enter; ? says what they mean.\n",
        "\n  k, K  change, or leave, all of this kind: text, from iso-8859-1 to utf-8\n",
        "\n  s, S  change, or leave, all in mail from this sender: a@example.org\n",
        "\ncharset: a text body is written in another charset",
        "There is no answer to go back to.\n",
    ] {
        assert!(shown.contains(wanted), "{wanted}: {shown}");
    }
    assert!(folder.path(FILE).exists() && answers(&folder).is_empty());
}

#[test]
fn what_else_stays_is_said() {
    let raw = b"Subject: caf\xE9 au lait\nMIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\n\
        Content-Transfer-Encoding: 8bit\n\ncaf\xE9\n";
    let folder = folder(&[raw]);
    let shown = review(&folder, "n");
    assert!(shown.contains("? [y,n,k,K,s,S,m,M,b,a,q,?] n\n  This also leaves: text.\n"), "{shown}");
    assert_eq!(converted(&folder, "-o out a.mbox", 0).0, mbox(&[raw]));
}

#[test]
fn nothing_in_mail_drives_the_terminal() {
    let folder = folder(&[HOSTILE]);
    for columns in [80, 20] {
        let _ = fs::remove_file(folder.path(FILE));
        let (shown, _) = in_terminal(&folder, columns, "?,n,?,q", &["review", "--color=never", "a.mbox"]);
        let is_odd = |it: char| it.is_control() && it != '\n' || ('\u{202A}'..='\u{202E}').contains(&it);
        // The end of the input is echoed.
        let shown = shown.replace("^D\u{8}\u{8}", "");
        assert!(!shown.contains(is_odd), "{shown:?}");
        assert!(shown.contains(r"\u{202E}") && shown.contains(r"\x1B["), "{shown}");
    }
    fs::remove_file(folder.path(FILE)).expect("a file");
    let (painted, _) = in_terminal(&folder, 80, "q", &["review", "a.mbox"]);
    assert!(painted.contains("\x1b[1mMessage 1 of a.mbox\x1b[0m") && !painted.contains("\x1b]0;"), "{painted:?}");
    let text = fs::read_to_string(folder.path(FILE)).expect("a file");
    assert!(!text.contains('\u{1b}'), "{text:?}");
}

#[test]
fn a_narrow_terminal_is_shown_what_fits() {
    let subject = format!("Subject: =?iso-8859-1?Q?{}=E9?=\n\nx\n", "word_".repeat(60));
    let body = [LATIN, &b"\xe9 and more\n".repeat(30)].concat();
    let folder = folder(&[subject.as_bytes(), &body]);
    let (shown, _) = in_terminal(&folder, 30, "y,y", &["review", "--color=never", "a.mbox"]);
    assert!(shown.contains(" more characters)\n") && shown.contains("  Subject  word word word wor…\n"), "{shown}");
    assert!(shown.contains("  and 25 more lines that differ\n"), "{shown}");
}

#[test]
fn without_a_terminal_it_says_what_to_do() {
    let folder = folder(&[LATIN]);
    let mut run = Process::new(cargo_bin("septet"));
    run.args(["review", "a.mbox"]).current_dir(folder.path("")).stdin(Stdio::null());
    let output = run.output().expect("septet runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(64), "{said}");
    assert!(said.contains("standard input is none: `septet convert --dry-run --report report.html`"), "{said}");
    for (args, wanted) in [
        (&["review", "-"][..], "name a file"),
        (&["review", "a.mbox", "a.mbox"], "name it with --decisions FILE"),
        (&["review", "."], "name it with --decisions FILE"),
    ] {
        let (shown, code) = in_terminal(&folder, 80, "", args);
        assert!(code == Some(64) && shown.contains(wanted), "{shown}");
    }
    assert_eq!(folder.names(), ["a.mbox"]);
}

#[test]
fn nothing_to_ask_leaves_no_file() {
    let folder = folder(&[PLAIN]);
    assert_eq!(review(&folder, ""), "Nothing would change.\n");
    assert_eq!(folder.names(), ["a.mbox"]);
}

/// An output or a report took the place of the answers by which it was made.
#[test]
fn answers_are_not_replaced_by_what_is_made_of_them() {
    let folder = folder(&[LATIN, FIELDS]);
    review(&folder, "y,n,y");
    let (before, names) = (answers(&folder), folder.names());
    for place in ["-o", "--dry-run --report"] {
        let (_, said) = converted(&folder, &format!("a.mbox {place} {FILE}"), 64);
        assert!(said.contains("is the file of --decisions"), "{said}");
        assert_eq!((answers(&folder), folder.names()), (before.clone(), names.clone()));
    }
}

#[test]
fn decisions_are_of_one_archive_and_one_profile() {
    let folder = folder(&[LATIN, FIELDS]);
    review(&folder, "n,y,n");
    folder.put("b.mbox", &mbox(&[LATIN]));
    let before = fs::read(folder.path("b.mbox")).expect("a file");
    for options in ["--in-place b.mbox", "--in-place --resume b.mbox", "-o out b.mbox"] {
        let (output, said) = converted(&folder, options, 65);
        assert!(said.contains("message 2 of a.mbox (SHA-256 ") && said.contains("nothing was converted"), "{said}");
        assert!(output.is_empty() && fs::read(folder.path("b.mbox")).expect("a file") == before);
        let _ = fs::remove_file(folder.path("b.mbox.resume"));
    }
    let (_, said) = converted(&folder, "--profile ascii -o out a.mbox", 64);
    assert!(said.contains("decisions of other settings (profile utf8)"), "{said}");
    let text = fs::read_to_string(folder.path(FILE)).expect("a file");
    folder.put(FILE, text.replace("\"Comments\"", "\"Keywords\"").as_bytes());
    let (_, said) = converted(&folder, "-o out a.mbox", 65);
    assert!(said.contains("part=1 field=Keywords of message 2 of a.mbox"), "{said}");
    convert().current_dir(folder.path("")).args(["--decisions", "none", "-o", "out", "a.mbox"]).assert().code(66);
}

#[test]
fn a_run_goes_on_by_the_same_answers_alone() {
    let folder = folder(&[LATIN, FIELDS, PLAIN]);
    review(&folder, "n,y,n");
    fs::create_dir(folder.path("a.mbox~")).expect("a folder");
    let (_, said) = converted(&folder, "--in-place --backup --resume a.mbox", 73);
    assert!(said.contains("with --resume goes on from"), "{said}");
    fs::remove_dir(folder.path("a.mbox~")).expect("a folder");
    let text = fs::read_to_string(folder.path(FILE)).expect("a file");
    folder.put(FILE, text.replace("\"no\"", "\"yes\"").as_bytes());
    let (_, said) = converted(&folder, "--in-place --backup --resume a.mbox", 64);
    assert!(said.contains("belongs to another command"), "{said}");
    folder.put(FILE, text.as_bytes());
    converted(&folder, "--in-place --backup --resume a.mbox", 0);
    let wanted = FIELDS.to_vec();
    let wanted = String::from_utf8(wanted).expect("ASCII").replace("iso-8859-1?Q?caf=E9", "utf-8?B?Y2Fmw6k=");
    assert_eq!(fs::read(folder.path("a.mbox")).expect("a file"), mbox(&[LATIN, wanted.as_bytes(), PLAIN]));
}

#[test]
fn shards_obey_the_same_answers() {
    let many: Vec<&[u8]> = [LATIN, PLAIN, FIELDS].into_iter().cycle().take(60).collect();
    let folder = folder(&many);
    review(&folder, "n,y,n");
    let septet = |words: &str, code: i32| {
        let mut run = assert_cmd::Command::cargo_bin("septet").expect("the program is built");
        run.env_remove("SEPTET_CONFIG").current_dir(folder.path("")).args(words.split_whitespace());
        run.assert().code(code).get_output().clone()
    };
    folder.put("plan.jsonl", &septet("plan --target 2KiB a.mbox", 0).stdout);
    let shards = fs::read_to_string(folder.path("plan.jsonl")).expect("a plan").lines().count();
    assert!(shards > 2, "{shards}");
    for shard in 0..shards {
        septet(&format!("convert --plan plan.jsonl --shard {shard} --out-dir s --decisions {FILE}"), 0);
    }
    let said = septet("join --plan plan.jsonl --out-dir s -o joined", 65).stderr;
    assert!(String::from_utf8_lossy(&said).contains("other decisions"));
    septet(&format!("join --plan plan.jsonl --out-dir s -o joined --decisions {FILE}"), 0);
    let whole = converted(&folder, "-o out a.mbox", 0).0;
    assert!(whole == fs::read(folder.path("joined")).expect("a file") && whole != mbox(&many));
    // An answer to a message that is in no shard.
    let text = fs::read_to_string(folder.path(FILE)).expect("a file");
    let (head, line) = (text.lines().next().expect("a head"), text.lines().nth(1).expect("an answer"));
    let digest = serde_json::from_str::<Value>(line).expect("JSON")["message"].as_str().expect("a sum").to_owned();
    folder.put(FILE, format!("{head}\n{}\n", line.replace(&digest, &"0".repeat(64))).as_bytes());
    for shard in 0..shards {
        septet(&format!("convert --plan plan.jsonl --shard {shard} --out-dir s --decisions {FILE}"), 0);
    }
    let said = septet(&format!("join --plan plan.jsonl --out-dir s -o joined --decisions {FILE}"), 65).stderr;
    assert!(String::from_utf8_lossy(&said).contains("decides of what is in no shard: message 1 of a.mbox"));
}
