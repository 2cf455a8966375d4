//! What becomes of the octets of a mailbox file.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::thread;

use super::{Folder, LATIN, PLAIN, UTF8, convert, mbox, sample};
use septet_support::line_ends::with_crlf;

fn output(arguments: &[&str], stdin: Vec<u8>) -> Vec<u8> {
    convert().args(arguments).arg("-").write_stdin(stdin).assert().success().get_output().stdout.clone()
}

#[test]
fn keep_is_the_identity() {
    let sample = fs::read(sample()).expect("the sample");
    let odd: [&[u8]; 8] = [
        b"",
        b"\n\nFrom a Mon Jan  1 00:00:00 2007\nA: b\n",
        b"From a",
        b"From a\r\nA: b\n\r\n\0\xff\n\nFrom now on\n>From b\n\n\n\n",
        b"From a\nA: b\n\nno line end",
        b"From a\n\n\n\nFrom b\nC: d\n\n",
        &sample,
        &with_crlf(&sample),
    ];
    for file in odd {
        for jobs in ["1", "3"] {
            let out = output(&["--format=mbox", "--profile=keep", "--jobs", jobs], file.to_vec());
            assert!(out == file, "{:?}", String::from_utf8_lossy(&file[..file.len().min(80)]));
        }
    }
}

#[test]
fn changes_the_messages_that_need_it_and_no_octet_more() {
    let quoted = b"A: b\n\n>From here on\n>>From there\n";
    let bare = b"A: b\n\nFrom now on\n>From there\n";
    for (order, before, after) in [
        ("first", mbox(&[LATIN, PLAIN]), mbox(&[UTF8, PLAIN])),
        ("last", mbox(&[PLAIN, quoted, LATIN]), mbox(&[PLAIN, quoted, UTF8])),
        ("between", mbox(&[bare, LATIN, quoted]), mbox(&[bare, UTF8, quoted])),
        ("all", mbox(&[LATIN, LATIN]), mbox(&[UTF8, UTF8])),
    ] {
        assert_eq!(output(&[], before.clone()), after, "{order}");
        assert_eq!(output(&[], with_crlf(&before)), with_crlf(&after), "{order}, CRLF");
        let unended = |mut file: Vec<u8>| {
            file.truncate(file.trim_ascii_end().len());
            file
        };
        assert_eq!(output(&[], unended(before)), unended(after), "{order}, no line end at the end");
    }
}

#[test]
fn keeps_what_is_quoted_in_a_message_that_changes() {
    let with = |message: &[u8]| [message, b">From here\n>>From there\n>from\n"].concat();
    let (before, after) = (with(LATIN), with(UTF8));
    assert_eq!(output(&[], mbox(&[&before, PLAIN])), mbox(&[&after, PLAIN]));
}

/// A byte order mark at the start of the file stays, and hides neither the first message nor its header.
#[test]
fn a_byte_order_mark_before_the_first_message_stays() {
    let marked = |file: Vec<u8>| [b"\xef\xbb\xbf".to_vec(), file].concat();
    let (before, after) = (mbox(&[LATIN, PLAIN, LATIN]), mbox(&[UTF8, PLAIN, UTF8]));
    for (before, after) in [(before.clone(), after.clone()), (with_crlf(&before), with_crlf(&after))] {
        assert_eq!(output(&[], marked(before.clone())), marked(after.clone()));
        assert_eq!(output(&["--format=mbox"], marked(before.clone())), marked(after));
        assert_eq!(output(&["--profile=keep"], marked(before.clone())), marked(before));
    }
    let (folder, one) = (Folder::new(), marked(mbox(&[LATIN])));
    let (input, report) = (folder.put("a.mbox", &one), folder.path("r.jsonl"));
    convert().arg("--report").arg(&report).arg(&input).assert().success();
    assert_eq!(super::report::lines(&report)[0]["offset"], 3);
}

/// What decoding sets free parts no mailbox, whatever dialect it is in and whoever reads it.
#[test]
fn a_decoded_from_line_starts_no_message() {
    let text = "one\n\nFrom x@y Sat Nov 21 10:00:00 2026\nSubject: forged\n\nFrom z\n";
    let head = "From: a@example.org\nSubject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n";
    let encoded = |text: &str| text.replace('=', "=3D").replace("From ", "=46rom ").replace("one", "=C3=A9ne");
    let message = format!("{head}Content-Transfer-Encoding: quoted-printable\n\n{}", encoded(text));
    let bare = format!("{message}\nFrom now on it is bare\n");
    for (message, lines) in [(&message, 0), (&bare, 1)] {
        let out = output(&["--profile=eai"], mbox(&[message.as_bytes(), PLAIN, message.as_bytes()]));
        let text = String::from_utf8(out).expect("UTF-8");
        let starts = text.lines().filter(|line| line.starts_with("From ")).count();
        assert_eq!(starts, 3 + 2 * lines, "{text}");
        assert_eq!(text.matches("\n>From x@y Sat Nov 21").count(), 2, "{text}");
        assert_eq!(text.matches("\n>From z\n").count(), 2, "{text}");
    }
}

/// No empty line stands before the second From_ line, and the text that is decoded ends in one: some readers saw one
/// message before and two after, and `--verify` refused the whole file.
#[test]
fn a_decoded_text_parts_no_messages_that_no_empty_line_parts() {
    let head = "From: a@example.org\nSubject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\n";
    let message = |text: &str| format!("{head}Content-Transfer-Encoding: base64\n\n{text}\n");
    // `café`, with one line end and with two.
    let (one, two) = (message("Y2Fm6Qo="), message("Y2Fm6QoK"));
    let from = "From a@example.org Mon Jan  1 00:00:00 2007\n";
    let file = [from, &two, from, &one, from, &one, "\n", from, &two, "\n"].concat();
    for options in [&[][..], &["--verify"]] {
        let (folder, report) = (Folder::new(), "r.jsonl");
        let (input, out) = (folder.put("a.mbox", file.as_bytes()), folder.path("out"));
        let mut run = convert();
        let run = run.args(["--profile=eai", "--report"]).arg(folder.path(report)).args(options);
        run.arg(&input).arg("-o").arg(&out).assert().success();
        let out = String::from_utf8(fs::read(&out).expect("an output")).expect("UTF-8");
        assert!(out.starts_with(&[from, &two, from].concat()), "{out}");
        assert_eq!(out.matches("caf\u{e9}").count(), 3, "{out}");
        assert_eq!(out.matches("\n\nFrom ").count(), file.matches("\n\nFrom ").count(), "{out}");
        let results: Vec<_> =
            super::report::lines(&folder.path(report)).into_iter().map(|line| line["result"].clone()).collect();
        assert_eq!(results, ["left", "changed", "changed", "changed"]);
    }
}

/// The splitter goes by lines: a Content-Length, true or not, hides no message and makes none.
#[test]
fn a_content_length_is_not_believed() {
    for length in ["0", "5", "6", "99999", "-1", "18446744073709551616"] {
        let with = |message: &[u8]| [format!("Content-Length: {length}\n").as_bytes(), message].concat();
        let (folder, file) = (Folder::new(), mbox(&[&with(LATIN), PLAIN, &with(LATIN)]));
        let (input, report) = (folder.put("a.mbox", &file), folder.path("r.jsonl"));
        convert().arg("--report").arg(&report).arg(&input).arg("-o").arg(folder.path("out")).assert().success();
        let results: Vec<_> = super::report::lines(&report).into_iter().map(|line| line["result"].clone()).collect();
        assert_eq!(results, ["changed", "unchanged", "changed"], "{length}");
    }
}

#[test]
fn a_second_run_changes_nothing() {
    let sample = fs::read(sample()).expect("the sample");
    let once = output(&[], sample.clone());
    assert_ne!(once, sample);
    assert_eq!(output(&[], once.clone()), once);
}

#[test]
fn order_is_kept_over_many_batches() {
    let numbered = |message: &[u8], n: usize| [message, format!("{n}\n").repeat(n).as_bytes()].concat();
    let messages: Vec<Vec<u8>> = (0..1500).map(|n| numbered(LATIN, n)).collect();
    let expected: Vec<Vec<u8>> = (0..1500).map(|n| numbered(UTF8, n)).collect();
    let joined = |messages: &[Vec<u8>]| mbox(&messages.iter().map(Vec::as_slice).collect::<Vec<_>>());
    assert!(output(&["--jobs=4"], joined(&messages)) == joined(&expected));
}

#[test]
fn giant_messages_among_small_ones_keep_their_places() {
    let (latin, utf8) = (b"caf\xe9 noir\n".repeat(900_000), b"caf\xc3\xa9 noir\n".repeat(900_000));
    let small = |message: &[u8]| mbox(&[message, PLAIN, message].repeat(700));
    let file = |message: &[u8], giant: &[u8]| {
        let giant = mbox(&[&[message, giant].concat()]);
        [small(message), giant.clone(), giant.clone(), small(message), giant].concat()
    };
    let (before, after) = (file(LATIN, &latin), file(UTF8, &utf8));
    for jobs in ["1", "8"] {
        assert!(output(&["--jobs", jobs], before.clone()) == after, "{jobs} jobs");
    }
}

#[test]
fn a_message_over_the_limit_passes_whole() {
    let lines = "a line of a giant message\n".repeat(400_000);
    let giant = [LATIN, lines.as_bytes()].concat();
    let folder = Folder::new();
    let report = folder.path("r.jsonl");
    let report = report.to_str().expect("a name");
    let before = mbox(&[LATIN, &giant, LATIN]);
    let out = output(&["--set=limits.message_bytes=5000000", "--report", report], before.clone());
    assert!(out == mbox(&[UTF8, &giant, UTF8]));
    let rows = super::report::lines(Path::new(report));
    assert_eq!(rows[1]["entries"][0]["left"], "limit");
    assert_eq!(rows[1]["bytes"], mbox(&[&giant]).len());
    assert_eq!(rows[1]["message_id"], "<latin@example.org>");
    assert_eq!(
        (&rows[0]["result"], &rows[1]["result"], &rows[2]["result"]),
        (&"changed".into(), &"left".into(), &"changed".into())
    );
    assert_eq!(rows[2]["offset"], before.len() - mbox(&[LATIN]).len());
    let all = output(&[], before);
    assert!(all == mbox(&[UTF8, &[UTF8, lines.as_bytes()].concat(), UTF8]), "within the limit it is converted");
}

#[test]
fn ends_quietly_when_nobody_reads_on() {
    let mut septet = Process::new(env!("CARGO_BIN_EXE_septet"))
        .args(["convert", "--profile=keep", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = septet.stdin.take().expect("a pipe");
    let file = mbox(&[&[PLAIN, &vec![b'x'; 1 << 20]].concat()]).repeat(20);
    // The program may stop reading at any time: that is no fault here.
    let writer = thread::spawn(move || drop(stdin.write_all(&file)));
    let mut head = [0; 10];
    septet.stdout.take().expect("a pipe").read_exact(&mut head).expect("the head");
    assert_eq!(&head, b"From a@exa");
    let ended = septet.wait_with_output().expect("it ends");
    writer.join().expect("the writer ends");
    assert_eq!((ended.status.code(), String::from_utf8_lossy(&ended.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn gives_real_mail_back_as_it_is() {
    let data = std::env::var_os("SEPTET_DATA").map(std::path::PathBuf::from);
    let data = data.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"));
    let packed = data.join("spamassassin.mbox.xz");
    let Ok(unpacked) = Process::new("xz").arg("-dc").arg(&packed).output() else {
        return println!("skipped: there is no xz");
    };
    if !unpacked.status.success() {
        return println!("skipped: {} can't be read", packed.display());
    }
    let folder = Folder::new();
    let file = folder.put("real.mbox", &unpacked.stdout);
    let keep = convert().arg("--profile=keep").arg(&file).assert().success();
    assert!(keep.get_output().stdout == unpacked.stdout);
    for profile in ["utf8", "eai", "seven-bit", "utf7", "ascii"] {
        let once = convert().arg("--profile").arg(profile).arg(&file).assert().success().get_output().stdout.clone();
        assert!(once != unpacked.stdout, "{profile} changes something");
        assert!(output(&["--profile", profile], once.clone()) == once, "{profile}: a second run changes nothing");
    }
}
