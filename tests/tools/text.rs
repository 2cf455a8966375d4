//! `septet text`: octets in, octets out.

use std::fs;
use std::process::{Command, Output, Stdio};

use septet_support::escapes::octets;
use septet_support::table::cells;

fn text(args: &[&str], input: &[u8]) -> Output {
    super::septet::septet("text", args, input)
}

#[test]
fn the_table_of_cases_holds() {
    let mut wrong = Vec::new();
    for row in cells("tools/text/cases.tsv") {
        let [args, input, output, complaint, exit] = &row[..] else { panic!("five columns: {row:?}") };
        let args: Vec<&str> = args.split(' ').collect();
        let found = text(&args, &octets(input));
        let stderr = String::from_utf8(found.stderr).expect("UTF-8");
        let complaint = String::from_utf8(octets(complaint)).expect("UTF-8");
        let told = match complaint.is_empty() {
            true => stderr.is_empty(),
            // What the contract spells is the whole of stderr; what the parser says stands in more words.
            false if exit == "0" || exit == "65" => stderr == format!("{complaint}\n"),
            false => stderr.contains(&complaint),
        };
        let exit_found = found.status.code().map(|code| code.to_string());
        if found.stdout != octets(output) || !told || exit_found.as_ref() != Some(exit) {
            let stdout = String::from_utf8_lossy(&found.stdout);
            wrong.push(format!("{row:?}\n  gives {stdout:?} {stderr:?} {exit_found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_are_read() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), b"caf\xE9").expect("it is written");
    let path = file.path().to_str().expect("a plain path");
    let output = text(&["--from", "latin1", "--to", "utf-8", path], b"not this");
    assert_eq!((output.stdout.as_slice(), output.status.code()), ("café".as_bytes(), Some(0)));
    let output = text(&["--from", "latin1", "--to", "utf-8", "-"], b"\xE9");
    assert_eq!(output.stdout, "é".as_bytes());
}

/// What one form writes it expands again, whatever the text.
#[test]
fn escapes_come_back() {
    let said = "C:\\dir\\u00E9 & &amp; &#xE9; \\\\ é 日本 \u{1F600} \\u'00E9' \\x{E9}\n";
    for form in ["rfc5137", "xml", "c", "perl", "java"] {
        let down = text(&["--from", "utf-8", "--to", "us-ascii", "--escape", form], said.as_bytes());
        assert!(down.stdout.is_ascii() && down.stderr.is_empty(), "{form}");
        let up = text(&["--from", "us-ascii", "--to", "utf-8", "--unescape", form], &down.stdout);
        assert_eq!(String::from_utf8_lossy(&up.stdout), said, "{form}");
    }
}

/// A large text through several charsets comes back, and the pipe doesn't block.
#[test]
fn large_texts_come_back() {
    let said = "The quick brown fox. Съешь же ещё этих мягких булок.\n日本語 いろはにほへと 漢字\n".repeat(20_000);
    for charset in ["utf-7", "utf-16", "utf-32le", "gb18030", "euc-jp", "iso-2022-jp", "iso-2022-jp-2", "windows-31j"] {
        let there = text(&["--from", "utf-8", "--to", charset, "--strict"], said.as_bytes());
        assert_eq!(there.status.code(), Some(0), "{charset}: {}", String::from_utf8_lossy(&there.stderr));
        let back = text(&["--from", charset, "--to", "utf-8", "--strict"], &there.stdout);
        assert!(back.stdout == said.as_bytes(), "{charset}");
    }
}

/// A large text is converted in pieces, which nobody can tell: offsets and counts are those of the whole.
#[test]
fn pieces_do_not_show() {
    let lines = "1234567 été\n".repeat(30_000);
    let length = lines.len();
    let faulty = [lines.as_bytes(), b"caf\xE9\n", lines.as_bytes(), b"\xC3"].concat();
    let strict = text(&["--from", "utf-8", "--to", "utf-8", "--strict"], &faulty);
    assert_eq!((strict.status.code(), strict.stdout.len()), (Some(65), length + 3));
    assert!(String::from_utf8_lossy(&strict.stderr).starts_with(&format!("offset {}: ", length + 3)));
    let lenient = text(&["--from", "utf-8", "--to", "us-ascii"], &faulty);
    assert_eq!(lenient.stdout, faulty_in_ascii(&lines));
    let told = "2 faults in the input, replaced by ?\n120000 characters that us-ascii lacks, replaced by ?\n";
    assert_eq!(String::from_utf8_lossy(&lenient.stderr), told);
    let lacking = text(&["--from", "utf-8", "--to", "latin1", "--strict"], format!("\u{FEFF}{lines}日").as_bytes());
    assert_eq!(String::from_utf8_lossy(&lacking.stderr), format!("offset {}: iso-8859-1 has no U+65E5\n", length + 3));
}

/// Each prefix of UTF-16 without a mark may look like another order, and the fault was found at another place.
#[test]
fn a_fault_in_utf_16_without_a_mark_is_where_it_is() {
    let octets: Vec<u8> = "ППП本".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (mark, place) in [(&b""[..], 6), (b"\xFF\xFE", 8)] {
        let strict = text(&["--from", "utf-16", "--to", "koi8-r", "--strict"], &[mark, &octets].concat());
        let told = String::from_utf8_lossy(&strict.stderr).into_owned();
        assert_eq!(
            (told, strict.stdout),
            (format!("offset {place}: koi8-r has no U+672C\n"), b"\xF0\xF0\xF0".to_vec())
        );
    }
}

fn faulty_in_ascii(lines: &str) -> Vec<u8> {
    let lines = lines.replace('é', "?");
    [lines.as_bytes(), b"caf?\n", lines.as_bytes(), b"?"].concat()
}

#[test]
fn auto_reads_what_it_can_tell_and_says_why() {
    let auto = |input: &[u8]| super::septet::septet("text", &["--from", "auto", "--to", "utf-8"], input);
    let said = |input: &[u8]| {
        let output = auto(input);
        let (text, why) =
            (String::from_utf8(output.stdout).expect("UTF-8"), String::from_utf8(output.stderr).expect("UTF-8"));
        (text, why, output.status.code())
    };
    assert_eq!(said(b"plain"), ("plain".to_owned(), String::new(), Some(0)));
    assert_eq!(said("é".as_bytes()), ("é".to_owned(), "read as utf-8 because=octets\n".to_owned(), Some(0)));
    let signs = said(b"It\x92s \x93all\x94");
    assert_eq!(signs, ("It’s “all”".to_owned(), "read as windows-1252 because=octets\n".to_owned(), Some(0)));
    let (text, why, code) = said(b"\xE8");
    assert_eq!((text.as_str(), code), ("", Some(65)));
    assert!(why.contains("it may be windows-1252"), "{why}");
}

/// It panicked, and ended with 101.
#[test]
fn a_stderr_that_is_closed_does_not_change_the_exit_code() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), b"caf\xE9").expect("it is written");
    for (args, code) in [
        (&["--from", "utf-8", "--to", "utf-8"][..], 0),
        (&["--from", "utf-8", "--to", "utf-8", "--strict"], 65),
        (&["--from", "auto", "--to", "utf-8"], 0),
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_septet"));
        let ended = command.arg("text").args(args).arg(file.path()).stdout(Stdio::null()).stderr(writer).status();
        assert_eq!(ended.expect("septet runs").code(), Some(code), "{args:?}");
    }
}
