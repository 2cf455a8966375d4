//! The loop that the line tools share: one input line gives exactly one output line.
//!
//! A line that can't be done gives an empty line, its reason on stderr as `line N: reason`, and exit 65 at the end; the
//! lines after it are done all the same. One of which only a part can't be done gives its reason and exit 65 too, and
//! as output what could be done. With `--json` each line is one object: `input`, then what the work answers, `error`
//! where it failed. Lines end with LF or CRLF; the last one may lack its end. A line may hold any octets; `input` shows
//! what is not UTF-8 as U+FFFD. Memory is that of the longest line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::process::address::opening_error;
use crate::process::exit::{Exit, Failure};
use crate::process::shown::Shown;
use crate::process::shown_json::shown_json;
use crate::process::stdio;

/// Where the lines come from and how the answers are written; flatten it into a command's arguments.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct LineInput {
    /// Write one JSON object for each line
    #[arg(long)]
    pub json: bool,
    /// Read FILE; standard input without one, or for -
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// The answer to one line: the text of the plain output, and the JSON fields after `input`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LineAnswer {
    /// The output line; it may hold line ends only where the command's contract says so.
    pub text: String,
    /// The fields of the JSON object.
    pub fields: Map<String, Value>,
    /// What could not be done of it, lower-case clauses: they go to stderr, and the exit code is 65 at the end.
    pub left: Vec<String>,
}

impl LineAnswer {
    /// Makes the answer that is written as `text`, and in JSON as `"output": text`.
    pub fn output(text: impl Into<String>) -> LineAnswer {
        let text = text.into();
        LineAnswer { text: text.clone(), ..LineAnswer::default() }.with("output", text)
    }

    /// Adds a JSON field; one of this name gets the new value.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> LineAnswer {
        self.fields.insert(name.to_owned(), value.into());
        self
    }
}

/// Why a line can't be done, a lower-case clause, and the JSON fields that are known all the same.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LineRefusal {
    /// The reason, as stderr and the JSON field `error` show it.
    pub reason: String,
    /// The fields of the JSON object that stand before `error`.
    pub fields: Map<String, Value>,
}

impl<E: std::fmt::Display> From<E> for LineRefusal {
    /// Makes a refusal of the text of an error, without fields.
    fn from(error: E) -> LineRefusal {
        LineRefusal { reason: error.to_string(), fields: Map::new() }
    }
}

/// Writes what `work` answers to every line of the input on standard output, and each reason on stderr; at the end the
/// failure is exit 65 when a line, or a part of one, could not be done.
pub fn each(input: &LineInput, work: impl FnMut(&[u8]) -> Result<LineAnswer, LineRefusal>) -> Result<(), Failure> {
    let source = open(input.file.as_deref())?;
    let sink = BufWriter::new(stdio::open_stdout().map_err(Failure::of_output)?);
    run(BufReader::with_capacity(1 << 16, source), sink, io::stderr().lock(), input.json, work)
}

/// An input whose errors name it.
struct NamedInput<R> {
    name: String,
    input: R,
}

impl<R: Read> Read for NamedInput<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(into);
        read.map_err(|error| io::Error::new(error.kind(), format!("{} can't be read: {error}", self.name)))
    }
}

/// Opens a file for reading; standard input without one, or for `-`. The failure, which is exit 77 where that is not
/// permitted and else 66, names the file, and says what helps if it is an address; the error of a read names it too.
pub fn open(file: Option<&Path>) -> Result<Box<dyn Read>, Failure> {
    let Some(path) = file.filter(|path| *path != Path::new("-")) else {
        return Ok(Box::new(NamedInput { name: "standard input".to_owned(), input: io::stdin().lock() }));
    };
    match File::open(path) {
        Ok(input) => Ok(Box::new(NamedInput { name: path.display().to_string(), input })),
        Err(error) => {
            let why = opening_error(path, error);
            let exit = if why.kind() == ErrorKind::PermissionDenied { Exit::NoPermission } else { Exit::NoInput };
            Err(Failure::new(exit, format!("{}: {why}", path.display())))
        }
    }
}

/// Does the lines of `source`, as [`each`] says, and flushes whenever no whole further line is there yet.
fn run(
    mut source: BufReader<impl Read>,
    mut sink: impl Write,
    mut complaints: impl Write,
    json: bool,
    mut work: impl FnMut(&[u8]) -> Result<LineAnswer, LineRefusal>,
) -> Result<(), Failure> {
    let mut line = Vec::new();
    let mut refused = false;
    for number in 1_u64.. {
        line.clear();
        if source.read_until(b'\n', &mut line).map_err(|error| Failure::new(Exit::Io, error))? == 0 {
            break;
        }
        let content = content(&line);
        let answer = work(content);
        let reasons = match &answer {
            Ok(answer) => &answer.left[..],
            Err(refusal) => std::slice::from_ref(&refusal.reason),
        };
        for reason in reasons {
            refused = true;
            // Nobody reads stderr when this fails; the exit code still tells.
            let _ = writeln!(complaints, "line {number}: {}", Shown(reason));
        }
        let text = if json { object(content, answer) } else { answer.map_or_else(|_| String::new(), |done| done.text) };
        writeln!(sink, "{text}").map_err(Failure::of_output)?;
        // A co-process that asks line by line must get its answer before it asks again.
        if memchr::memchr(b'\n', source.buffer()).is_none() {
            sink.flush().map_err(Failure::of_output)?;
        }
    }
    sink.flush().map_err(Failure::of_output)?;
    if refused { Err(Failure::told(Exit::BadData)) } else { Ok(()) }
}

/// Returns a line without its LF or CRLF; without the CR, too, that ends an input.
fn content(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Writes the JSON object of a line: the line, what is known of it, and the reason if it was refused.
fn object(input: &[u8], answer: Result<LineAnswer, LineRefusal>) -> String {
    let mut object = Map::new();
    object.insert("input".to_owned(), String::from_utf8_lossy(input).into());
    match answer {
        Ok(answer) => object.extend(answer.fields),
        Err(refusal) => {
            object.extend(refusal.fields);
            object.insert("error".to_owned(), refusal.reason.into());
        }
    }
    shown_json(&object)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    fn upper(line: &[u8]) -> Result<LineAnswer, LineRefusal> {
        match std::str::from_utf8(line) {
            Ok(text) => Ok(LineAnswer::output(text.to_uppercase()).with("octets", line.len())),
            Err(error) => Err(error.into()),
        }
    }

    fn play(input: &[u8], json: bool) -> (String, String, bool) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let end = run(BufReader::new(input), &mut out, &mut err, json, upper);
        (String::from_utf8_lossy(&out).into(), String::from_utf8_lossy(&err).into(), end.is_ok())
    }

    #[test]
    fn gives_one_line_for_one_line() {
        assert_eq!(play(b"a\r\n\nb", false), ("A\n\nB\n".into(), String::new(), true));
        assert_eq!(play(b"", false), (String::new(), String::new(), true));
    }

    #[test]
    fn goes_on_after_a_line_that_fails() {
        let (out, err, good) = play(b"a\n\xff\nb\n", false);
        assert_eq!((out.as_str(), good), ("A\n\nB\n", false));
        assert!(err.starts_with("line 2: invalid utf-8"), "{err}");
    }

    /// A program that had sent the beginning of its next question waited for the answer to the one before.
    #[test]
    fn an_answer_does_not_wait_for_the_rest_of_the_next_line() {
        let answered = Mutex::new(Vec::new());
        let question = b"a\nb".chain(Asking(&answered));
        // What is read at once is what is there.
        let source = BufReader::new(question);
        let end = run(source, BufWriter::new(Answered(&answered)), io::sink(), false, upper);
        assert!(end.is_ok());
        assert_eq!(*answered.lock().expect("no panic"), b"A\nB\n");
    }

    /// A source that ends, and before that wants the first answer.
    struct Asking<'a>(&'a Mutex<Vec<u8>>);

    impl Read for Asking<'_> {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            let answered = self.0.lock().expect("no panic");
            if answered.starts_with(b"A\n") { Ok(0) } else { Err(io::Error::other("no answer")) }
        }
    }

    struct Answered<'a>(&'a Mutex<Vec<u8>>);

    impl Write for Answered<'_> {
        fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").write(octets)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn writes_one_object_a_line() {
        let (out, _, good) = play(b"a\"\n\xff\n", true);
        let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines[0], serde_json::json!({"input": "a\"", "output": "A\"", "octets": 2}));
        assert_eq!(lines[1]["input"], "\u{FFFD}");
        assert!(lines[1]["error"].as_str().expect("a reason").contains("utf-8"));
        assert!(!good && out.starts_with("{\"input\":"));
    }
}
