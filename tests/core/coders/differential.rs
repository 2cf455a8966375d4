//! What independent coders make of the same input: Python's `utf-7`, `quopri` and `base64`, and ICU's `uconv`.
//!
//! Every difference must be one that is explained here. A coder that is not installed is skipped, and the test says so.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use septet::coding::transfer::{base64, quoted_printable};
use septet::coding::utf7::{self, Utf7Options, Variant};

use super::rows;

/// Reads lines `OPERATION HEX`, writes lines `HEX`, or `!` for an error.
const PYTHON: &str = r#"
import sys, re, base64, quopri
def utf7(octets): return octets.decode('utf-7').encode('utf-8', 'surrogatepass')
def to_utf7(octets): return octets.decode('utf-8').encode('utf-7')
def group(octets):
    digits = re.sub(rb'[^A-Za-z0-9+/]', b'', octets)
    return base64.b64decode(digits[:-1] if len(digits) % 4 == 1 else digits + b'==')
def groups(octets): return b''.join(group(part) for part in octets.split(b'='))
work = {'utf7': utf7, 'to-utf7': to_utf7, 'qp': quopri.decodestring,
        'base64': groups, 'to-base64': base64.encodebytes}
for line in sys.stdin:
    operation, _, octets = line.rstrip('\n').partition(' ')
    try: print(work[operation](bytes.fromhex(octets)).hex())
    except (UnicodeError, ValueError): print('!')
"#;

/// Runs a program over an input and gives its output; `None`, said on stderr, when it is not installed.
fn run(program: &str, arguments: &[&str], input: Vec<u8>) -> Option<Output> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        println!("skipped: {program} is not installed");
        return None;
    };
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || _ = stdin.write_all(&input));
    let output = child.wait_with_output().expect("its output");
    writer.join().expect("the writer");
    Some(output)
}

fn python(operation: &str, inputs: &[Vec<u8>]) -> Option<Vec<Option<Vec<u8>>>> {
    let lines: String = inputs.iter().map(|input| format!("{operation} {}\n", hex(input))).collect();
    let output = run("python3", &["-c", PYTHON], lines.into_bytes())?.stdout;
    let results: Vec<_> = String::from_utf8(output).expect("hex").lines().map(unhex).collect();
    assert_eq!(results.len(), inputs.len(), "python3 answered them all");
    Some(results)
}

fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

fn unhex(line: &str) -> Option<Vec<u8>> {
    let octet = |at| u8::from_str_radix(&line[at..at + 2], 16).expect("hex");
    (line != "!").then(|| (0..line.len()).step_by(2).map(octet).collect())
}

/// The same inputs in each run.
fn samples(count: usize, patterns: &[&'static str]) -> Vec<Vec<u8>> {
    let mut runner = TestRunner::deterministic();
    let strategies: Vec<_> = patterns.iter().map(|&pattern| pattern.prop_map(String::into_bytes).boxed()).collect();
    (0..count).map(|at| strategies[at % strategies.len()].new_tree(&mut runner).expect("a sample").current()).collect()
}

/// Texts for both ways; no control characters and no `~` or `\`, which ICU refuses to read outside a shift.
fn texts() -> Vec<Vec<u8>> {
    samples(
        3000,
        &[
            "[ -\\[\\]-}\n\u{A0}-\u{24F}]{0,40}",
            "[A-Za-z0-9+/-]{0,4}[\u{3040}-\u{9FFF}]{0,9}[-+a/.\n]{0,2}",
            "\\PC{0,20}",
        ],
    )
}

fn read(input: &[u8]) -> Result<String, &'static str> {
    utf7::decode(input, Variant::Rfc2152).map(|text| text.into_owned()).map_err(|fault| fault.rule)
}

fn write(text: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(text).expect("a text");
    utf7::encode(text, Utf7Options::default()).expect("UTF-16 has them all").into_owned()
}

#[test]
fn python_reads_and_writes_the_same_utf_7() {
    let texts = texts();
    let written: Vec<Vec<u8>> = texts.iter().map(|text| write(text)).collect();
    let Some(theirs) = python("utf7", &written) else { return };
    for ((text, written), theirs) in texts.iter().zip(&written).zip(theirs) {
        assert_eq!(theirs.as_ref(), Some(text), "{}", written.escape_ascii());
    }
    for (text, theirs) in texts.iter().zip(python("to-utf7", &texts).expect("as before")) {
        assert_eq!(read(&theirs.expect("UTF-7")).expect("well-formed").as_bytes(), text);
    }
}

/// Python differs in three things: it takes a `+` at the very end for nothing, it gives half a pair as a lone
/// surrogate (and joins halves of two shifts), and it takes control characters for themselves.
#[test]
fn python_refuses_the_same_utf_7() {
    let inputs = samples(
        9000,
        &["[+AGEPQ2D3c/9 ~.\n-]{0,24}", "(\\+(2D3|3AU|AOk|A)[A-Za-z0-9+/]{0,6}-?){1,3}", "[a+\\x00-\\x7F]{0,8}"],
    );
    let Some(theirs) = python("utf7", &inputs) else { return };
    let mut refused = 0;
    for (input, theirs) in inputs.iter().zip(theirs) {
        let explained = |rule: &str| {
            rule.contains("surrogate")
                || rule.contains("control character")
                || (rule.contains("\"+\"") && input.ends_with(b"+"))
        };
        match (read(input), theirs) {
            (Ok(ours), Some(theirs)) => assert_eq!(ours.as_bytes(), theirs, "{}", input.escape_ascii()),
            (Ok(_), None) => panic!("only Python refuses {}", input.escape_ascii()),
            (Err(rule), Some(_)) => assert!(explained(rule), "only we refuse {}: {rule}", input.escape_ascii()),
            (Err(_), None) => refused += 1,
        }
    }
    assert!(refused > 1000, "{refused} ill-formed inputs");
}

#[test]
fn icu_reads_and_writes_the_same_utf_7() {
    let text = texts().join(&b'\n');
    let Some(theirs) = run("uconv", &["-f", "utf-7", "-t", "utf-8"], write(&text)) else { return };
    assert!(theirs.stdout == text, "ICU reads what we write");
    let written = run("uconv", &["-f", "utf-8", "-t", "utf-7"], text.clone()).expect("as before").stdout;
    assert!(read(&written).expect("well-formed").as_bytes() == text, "we read what ICU writes");
}

/// ICU passes over bits at a shift's end that make no character, and joins halves of pairs over two shifts;
/// UCS-2 it does not know. Of what it refuses it says so on stderr, sometimes with status 0.
#[test]
fn icu_refuses_the_same_utf_7() {
    for row in rows("utf7/ill-formed.tsv") {
        let input = row.octets(1);
        let Some(theirs) = run("uconv", &["-f", "utf-7", "-t", "utf-8"], input.clone()) else { return };
        let refused = !theirs.status.success() || !theirs.stderr.is_empty();
        let rule = row.text(3);
        let explained = ["carries no bit", "odd number", "UCS-2"].contains(&rule.as_str())
            || input == b"+2D0-+3AU-"
            || input.ends_with(b"+");
        assert!(refused || explained, "{}: ICU reads {} ({rule})", row.place, input.escape_ascii());
    }
}

/// Python keeps blanks at the ends of lines (so they are cut for it here), takes `==` for one `=`, and what
/// follows `=` and a lone CR it drops up to the line end.
#[test]
fn python_reads_the_same_quoted_printable() {
    let inputs = samples(
        9000,
        &["[=A-F0-9a-z \t\r\n.]{0,24}", "([=a ]|=[0-9A-F]{2}| {0,2}\r?\n|=[ \t]{0,3}\r?\n){0,16}", "[ -~\\n]{0,60}"],
    );
    let lone_cr = |text: &[u8]| {
        text.windows(3).any(|three| three.starts_with(b"=\r") && three[2] != b'\n') || text.ends_with(b"=\r")
    };
    let doubled = |text: &[u8]| text.windows(2).any(|two| two == b"==");
    let differs = |input: &[u8]| lone_cr(input) || lone_cr(&trimmed(input)) || doubled(&trimmed(input));
    let inputs: Vec<Vec<u8>> = inputs.into_iter().filter(|input| !differs(input)).collect();
    assert!(inputs.len() > 4000, "{} inputs", inputs.len());
    let Some(theirs) = python("qp", &inputs.iter().map(|input| trimmed(input)).collect::<Vec<_>>()) else { return };
    for (input, theirs) in inputs.iter().zip(theirs) {
        let ours = quoted_printable::decode(input).bytes;
        let theirs = theirs.expect("it reads anything");
        assert_eq!(ours.escape_ascii().to_string(), theirs.escape_ascii().to_string(), "{}", input.escape_ascii());
    }
}

/// Cuts the blanks before each line end and the end.
fn trimmed(text: &[u8]) -> Vec<u8> {
    let cut = |line: &[u8]| match line.strip_suffix(b"\r") {
        Some(line) => [blanks_cut(line), b"\r"].concat(),
        None => blanks_cut(line).to_vec(),
    };
    let mut lines: Vec<Vec<u8>> = text.split(|octet| *octet == b'\n').map(cut).collect();
    // A CR that no LF follows ends no line.
    if let (Some(last), Some(raw)) = (lines.last_mut(), text.rsplit(|octet| *octet == b'\n').next()) {
        *last = blanks_cut(raw).to_vec();
    }
    lines.join(&b'\n')
}

fn blanks_cut(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|octet| !b" \t".contains(octet)).map_or(0, |last| last + 1);
    &line[..end]
}

#[test]
fn python_reads_the_quoted_printable_and_base64_that_we_write() {
    let texts = samples(2000, &["\\PC{0,200}", "[ -~\n\t]{0,300}", "(From |\\.|=|[a-z \n]){0,90}"]);
    let qp: Vec<Vec<u8>> = texts.iter().map(|text| quoted_printable::encode(text, b"\n")).collect();
    let base64: Vec<Vec<u8>> = texts.iter().map(|text| base64::encode(text, b"\n")).collect();
    let Some(from_qp) = python("qp", &qp) else { return };
    for (text, theirs) in texts.iter().zip(from_qp) {
        assert_eq!(theirs.as_ref(), Some(text));
    }
    for (base64, theirs) in base64.iter().zip(python("to-base64", &texts).expect("as before")) {
        assert_eq!(theirs.as_ref(), Some(base64));
    }
}

/// Python stops at the first padding and refuses missing padding, so it gets each group of the text by
/// itself, padded, and without a digit that stands alone.
#[test]
fn python_reads_the_same_base64() {
    let inputs =
        samples(6000, &["[A-D]{0,12}={0,2}", "[A-Za-z0-9+/=\n !]{0,24}", "([A-Za-z0-9+/]{2,5}={0,2}\n?){0,6}"]);
    let Some(theirs) = python("base64", &inputs) else { return };
    for (input, theirs) in inputs.iter().zip(theirs) {
        assert_eq!(Some(base64::decode(input).bytes.into_owned()), theirs, "{}", input.escape_ascii());
    }
}
