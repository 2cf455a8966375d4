//! Converts text from one charset to another, like iconv.
//!
//! The input is read whole: escapes and shifts may be anywhere in it. Then it is decoded, `--unescape` expands, the
//! target's lacks are seen to, and it is encoded. A byte order mark is taken off the very start where the charset is
//! UTF-8, UTF-16 or UTF-32; the names that say the order (`utf-16le`) have none (RFC 2781 §3.3, RFC 3629 §6).
//!
//! With `--strict` the output ends before the first fault, whichever step finds it. Its offset counts octets of the
//! input; where it isn't known from decoding, it is found by decoding ever closer parts of the input.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{Read, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::exit::{Exit, Failure};
use super::{lines, stdio};
use crate::coding::charset::{Charset, Labels, Malformed};
use crate::coding::escape::{EscapeForm, escape, escape_into, origin, unescape};
use crate::coding::utf7::{self, Options};
use crate::coding::utf8;

/// Converts text from one charset to another, like iconv.
///
/// Malformed input gives U+FFFD for each fault, and their number on stderr; a character that the target lacks gives
/// U+FFFD too, or "?". With --strict the first of either ends the output, with exit 65.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The charset of the input; any label that mail uses
    #[arg(long, value_name = "CHARSET", value_parser = source)]
    from: Charset,
    /// The charset of the output
    #[arg(long, value_name = "CHARSET", value_parser = target)]
    to: Charset,
    /// How to write characters that the output's charset lacks
    #[arg(long, value_name = "FORM", value_parser = form())]
    escape: Option<EscapeForm>,
    /// Which escapes of the input to expand
    #[arg(long, value_name = "FORM", value_delimiter = ',', value_parser = form())]
    unescape: Vec<EscapeForm>,
    /// End at the first fault
    #[arg(long)]
    strict: bool,
    /// How UTF-7's optional characters are written
    #[arg(long, value_name = "HOW", default_value = "direct")]
    set_o: SetO,
    /// The file to read; standard input without one, or for "-"
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

/// How UTF-7's optional characters are written.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum SetO {
    /// As themselves
    Direct,
    /// In a shift
    Encoded,
}

/// Where the output ends early, and why.
struct Fault {
    offset: usize,
    rule: String,
}

/// What was replaced where the output doesn't end early.
#[derive(Default)]
struct Replaced {
    faults: usize,
    refused: usize,
    lacking: usize,
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    let mut input = Vec::new();
    let mut source = lines::open(args.file.as_deref())?;
    source.read_to_end(&mut input).map_err(|error| Failure::new(Exit::Io, error))?;
    if args.strict { strictly(&args, &input) } else { leniently(&args, &input) }
}

/// Writes up to the first fault.
fn strictly(args: &Args, input: &[u8]) -> Result<(), Failure> {
    let signed = unsign(args.from, input);
    let (text, malformed) = args.from.decode_until_fault(signed);
    let mut fault = malformed.map(|Malformed { offset, rule }| Fault { offset, rule: rule.to_owned() });
    let mut text = &*text;
    let mut expanded = unescape(text, &args.unescape);
    if let Some(refused) = expanded.first_refused {
        text = text.get(..refused.offset).unwrap_or(text);
        expanded = unescape(text, &args.unescape);
        fault = Some(Fault { offset: place(args.from, signed, text.len()), rule: refused.rule.to_owned() });
    }
    let mut fitted = fit(args, &expanded.text);
    if let Err(lacking) = args.to.encode(&fitted) {
        let kept = fitted.get(..lacking.offset).unwrap_or_default().to_owned();
        let before = origin(text, &args.unescape, kept.len());
        let rule = format!("{} has no U+{:04X}", args.to, u32::from(lacking.character));
        fault = Some(Fault { offset: place(args.from, signed, before), rule });
        fitted = Cow::Owned(kept);
    }
    write(args, &fitted)?;
    match fault {
        None => Ok(()),
        Some(Fault { offset, rule }) => {
            eprintln!("offset {}: {rule}", offset + input.len() - signed.len());
            Err(Failure::told(Exit::BadData))
        }
    }
}

/// Writes everything, with U+FFFD for what is malformed or lacking, and says how often.
fn leniently(args: &Args, input: &[u8]) -> Result<(), Failure> {
    let (text, faults) = args.from.decode_lossy(unsign(args.from, input));
    let expanded = unescape(&text, &args.unescape);
    let mut replaced = Replaced { faults, refused: expanded.refused, lacking: 0 };
    let fitted = fit(args, &expanded.text);
    let mark = if args.to.has(char::REPLACEMENT_CHARACTER) { char::REPLACEMENT_CHARACTER } else { '?' };
    let (fitted, _) = args.to.fit(&fitted, |character, out| {
        // What stands for a fault is counted already.
        replaced.lacking += usize::from(faults == 0 || character != char::REPLACEMENT_CHARACTER);
        out.push(mark);
    });
    write(args, &fitted)?;
    replaced.tell(args.to, mark);
    Ok(())
}

impl Replaced {
    fn tell(&self, to: Charset, mark: char) {
        let tell = |count: usize, one: &str, more: &str, what: &dyn Display| match count {
            0 => {}
            1 => eprintln!("1 {one}{what}"),
            _ => eprintln!("{count} {more}{what}"),
        };
        tell(self.faults, "fault", "faults", &" in the input, replaced by U+FFFD");
        tell(self.refused, "escape", "escapes", &" of no character, left alone");
        let mark = if mark == '?' { "?" } else { "U+FFFD" };
        tell(self.lacking, "character", "characters", &format!(" that {to} lacks, replaced by {mark}"));
    }
}

/// Writes what the target lacks in the form asked for.
///
/// In US-ASCII the form's introducer is doubled, so that expanding gives the same text back. In other charsets it
/// isn't: expanding couldn't tell such a text from one that nobody escaped.
fn fit<'a>(args: &Args, text: &'a str) -> Cow<'a, str> {
    match args.escape {
        None => Cow::Borrowed(text),
        Some(form) if args.to == Charset::US_ASCII => escape(text, form),
        Some(form) => args.to.fit(text, |character, out| escape_into(out, character, form)).0,
    }
}

/// Writes text that the target has all of.
fn write(args: &Args, text: &str) -> Result<(), Failure> {
    let octets = match (args.to.utf_7(), args.set_o) {
        (Some(variant), SetO::Encoded) => utf7::encode(text, Options { variant, set_o: utf7::SetO::Encoded }),
        _ => args.to.encode(text),
    };
    let octets = octets.map_err(|error| Failure::new(Exit::Software, error))?;
    stdio::stdout().and_then(|mut out| out.write_all(&octets)).map_err(Failure::of_output)
}

/// Takes off a byte order mark, where the charset has one and decoding leaves it.
fn unsign(from: Charset, input: &[u8]) -> &[u8] {
    if from == Charset::UTF_8 { utf8::strip_signature(input) } else { input }
}

/// Finds how many octets of the input give so much of the text: the fewest, by halving.
fn place(from: Charset, input: &[u8], text: usize) -> usize {
    let (mut low, mut high) = (0, input.len());
    while low < high {
        let middle = low + (high - low) / 2;
        if from.decode_until_fault(input.get(..middle).unwrap_or(input)).0.len() >= text {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

fn source(label: &str) -> Result<Charset, String> {
    Labels::default().find(label.as_bytes()).ok_or_else(|| unknown(label))
}

fn target(label: &str) -> Result<Charset, String> {
    Labels::default().find_registered(label.as_bytes()).ok_or_else(|| unknown(label))
}

/// Says that a label means nothing, and which names begin like it.
fn unknown(label: &str) -> String {
    let label = label.to_ascii_lowercase();
    let names = |len: usize| -> Vec<&str> {
        let start = label.get(..len).filter(|start| !start.is_empty());
        let all = Charset::all().iter().map(|charset| charset.name());
        all.filter(|name| start.is_some_and(|start| name.starts_with(start))).collect()
    };
    let near = (1..=label.len()).rev().map(names).find(|names| !names.is_empty());
    match near {
        Some(names) => format!("no charset that septet knows has this label; near it are {}", names.join(", ")),
        None => "no charset that septet knows has this label; it is one that mail uses, such as utf-8".to_owned(),
    }
}

fn form() -> impl TypedValueParser<Value = EscapeForm> {
    PossibleValuesParser::new(EscapeForm::ALL.map(EscapeForm::name)).try_map(|name| name.parse::<EscapeForm>())
}
