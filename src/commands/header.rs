//! Decodes and encodes header fields, one a line.

use clap::Subcommand;

use crate::coding::charset::{Charset, Labels};
use crate::coding::encoded_word::{TextFault, WordReader, decode_unstructured};
use crate::commands::lines::{LineAnswer, LineInput, LineRefusal, each};
use crate::face::header::decode_field;
use crate::process::exit::{Exit, Failure};
use crate::rewrite::header::encode_value;
use crate::rewrite::{Entry, Outcome};

/// Decode and encode header fields, one a line
#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "Examples:
  echo '=?iso-8859-1?Q?Gr=FC=DFe?=' | septet header decode
      prints Grüße
  echo Grüße | septet header encode --name Subject
      prints =?utf-8?B?R3LDvMOfZQ==?=")]
pub struct Args {
    /// Decode or encode each line
    #[command(subcommand)]
    task: HeaderTask,
}

#[derive(Debug, Subcommand)]
enum HeaderTask {
    Decode(DecodeArgs),
    Encode(EncodeArgs),
}

/// Decode each line, a field body, to the text that a person reads, in UTF-8
///
/// Encoded-words are decoded wherever they stand, or with --name where they may stand in that field. One that can't be
/// read stays as it is; standard error says why (with --json, `left` too), and the exit code is 65. A line with raw
/// octets that are not UTF-8, or with a CR or NUL in it, can't be done.
#[derive(Debug, clap::Args)]
struct DecodeArgs {
    /// Decode the lines as bodies of FIELD: in an address field only names and comments are decoded, in
    /// Content-Disposition only the values of parameters
    #[arg(long, value_name = "FIELD", value_parser = field_name)]
    name: Option<String>,
    #[command(flatten)]
    input: LineInput,
}

/// Encode each line, text in UTF-8, as a field body, in encoded-words where it needs them (RFC 2047)
#[derive(Debug, clap::Args)]
struct EncodeArgs {
    /// Write the words in CHARSET; any label that mail uses
    #[arg(long, default_value = "utf-8", value_name = "CHARSET")]
    charset: String,
    /// Encode for FIELD: in an address field only names and comments are encoded, and the first line is
    /// shorter by the field's name
    #[arg(long, value_name = "FIELD", value_parser = field_name)]
    name: Option<String>,
    /// Fold lines at 76 characters; each line after the first starts with a space
    #[arg(long)]
    fold: bool,
    #[command(flatten)]
    input: LineInput,
}

/// Takes the name of a field: printable ASCII without a colon (RFC 5322 §3.6.8).
fn field_name(name: &str) -> Result<String, &'static str> {
    let is_name = !name.is_empty() && name.bytes().all(|octet| octet.is_ascii_graphic() && octet != b':');
    if is_name { Ok(name.to_owned()) } else { Err("it is not a valid name of a field") }
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    match args.task {
        HeaderTask::Decode(args) => decode(&args),
        HeaderTask::Encode(args) => encode(&args),
    }
}

/// Decodes all lines, with `--name` as bodies of that field.
fn decode(args: &DecodeArgs) -> Result<(), Failure> {
    let labels = Labels::default();
    let reader = WordReader::new(&labels);
    match &args.name {
        Some(name) => each(&args.input, |line| decode_named(name, line)),
        None => each(&args.input, |line| decode_line(line, reader)),
    }
}

/// Decodes a line as the body of a field, as the plan for a message of that field alone has it.
///
/// What the plan leaves stays as it is, and is listed in the answer. Refused are a CR and a NUL, which [`decode_line`]
/// refuses too, and a result that is not UTF-8.
fn decode_named(name: &str, line: &[u8]) -> Result<LineAnswer, LineRefusal> {
    if let Some(offset) = line.iter().position(|octet| matches!(octet, b'\r' | 0)) {
        return Err(format!("offset {offset}: a control character").into());
    }
    let (value, report) = decode_field(name.as_bytes(), line);
    let left = report.entries.iter().filter_map(why_left).collect();
    Ok(with_left(LineAnswer::output(str::from_utf8(&value)?.to_owned()), left))
}

/// Returns the reason for which a place was left; none where it was not.
fn why_left(entry: &Entry) -> Option<String> {
    match &entry.outcome {
        Outcome::Left(reason) => Some(reason.to_string()),
        _ => None,
    }
}

/// Adds to an answer why pieces of its line could not be read, for stderr and for JSON; `left` is no field of JSON
/// where there are none.
fn with_left(answer: LineAnswer, left: Vec<String>) -> LineAnswer {
    let answer = if left.is_empty() { answer } else { answer.with("left", left.clone()) };
    LineAnswer { left, ..answer }
}

/// Decodes the encoded-words of a line wherever they stand; one that can't be read stays, and the answer says why. A
/// raw octet that is not UTF-8, a CR and a NUL refuse the whole line.
fn decode_line(line: &[u8], reader: WordReader<'_>) -> Result<LineAnswer, LineRefusal> {
    let decoded = decode_unstructured(line, reader);
    let mut left = Vec::new();
    for fault in decoded.faults {
        match fault {
            TextFault::Word(_, why) => left.push(why.to_string()),
            TextFault::Raw(malformed) => return Err(malformed.into()),
            TextFault::Control(offset) => return Err(format!("offset {offset}: a control character").into()),
        }
    }
    Ok(with_left(LineAnswer::output(decoded.text), left))
}

/// Encodes all lines; a charset that no encoded-word may be in is wrong usage.
fn encode(args: &EncodeArgs) -> Result<(), Failure> {
    let charset = Labels::default().find_registered(args.charset.as_bytes()).ok_or_else(|| unknown(&args.charset))?;
    // The empty name is that of no field.
    let name = args.name.as_deref().unwrap_or_default();
    encode_value(name, "", charset, None).map_err(|error| Failure::new(Exit::Usage, error.to_string()))?;
    let fold = args.fold.then_some("\n");
    each(&args.input, |line| encode_line(line, name, charset, fold))
}

/// Encodes a line for a field; one that is not UTF-8, or has a control, is refused.
fn encode_line(line: &[u8], name: &str, charset: Charset, fold: Option<&str>) -> Result<LineAnswer, LineRefusal> {
    Ok(LineAnswer::output(encode_value(name, std::str::from_utf8(line)?, charset, fold)?))
}

/// Makes the usage error of a label that means no charset.
fn unknown(label: &str) -> Failure {
    Failure::new(Exit::Usage, format!("no charset is called {label:?}"))
}
