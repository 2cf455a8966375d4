//! Converts text from one charset to another, like iconv.
//!
//! The input is taken in pieces of whole lines where both charsets begin anew after a line, and else whole: escapes and
//! shifts may be anywhere in it. A piece is decoded, `--unescape` expands, the target's lacks are seen to, and it is
//! encoded. A byte order mark is taken off the very start where the charset is
//! UTF-8, UTF-16 or UTF-32; the names that say the order (`utf-16le`) have none (RFC 2781 §3.3, RFC 3629 §6).
//!
//! With `--strict` the output ends before the first fault, whichever step finds it. Its offset counts octets of the
//! input; where it isn't known from decoding, it is found by decoding ever closer parts of the input.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Cursor, Read, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use rayon::prelude::*;

use crate::archive::report::said::counted;
use crate::coding::charset::{Charset, Labels, MalformedError, MappingError};
use crate::coding::escape::{EscapeForm, escape, escape_into, origin, unescape};
use crate::coding::evidence::readings;
use crate::coding::utf7::{self, Utf7Options};
use crate::coding::utf8;
use crate::commands::lines;
use crate::commands::pieces::Pieces;
use crate::face::text::decode;
use crate::process::exit::{Exit, Failure};
use crate::process::stdio;

/// Convert text from one charset to another, like iconv
///
/// Malformed input gives U+FFFD for each fault, and their number on stderr; so does a character that the target lacks.
/// Where the target lacks U+FFFD, it is "?". With --strict the first of either ends the output, with exit 65.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet text --from koi8-r --to utf-8 letter.txt
      prints it in UTF-8
  septet text --from auto --to utf-8 letter.txt
      says on stderr what it was taken for, and why
  septet text --from utf-8 --to us-ascii --escape rfc5137 letter.txt
      writes other characters as escapes, which --unescape reads back")]
pub struct Args {
    /// Read the input as CHARSET, any label that mail uses; or as what it seems to be, with auto
    ///
    /// For auto the octets are judged as those of a mail without a label are, by statistics at last. Standard error
    /// says what they were read as and why; where nobody can tell, with exit 65, what they may be.
    #[arg(long, value_name = "CHARSET", value_parser = input_charset)]
    from: InputCharset,
    /// Write the output in CHARSET
    #[arg(long, value_name = "CHARSET", value_parser = output_charset)]
    to: Charset,
    /// Write characters that the output's charset lacks as escapes of this FORM
    #[arg(long, value_name = "FORM", value_parser = escape_form())]
    escape: Option<EscapeForm>,
    /// Expand escapes of this FORM in the input
    #[arg(long, value_name = "FORM", value_delimiter = ',', value_parser = escape_form())]
    unescape: Vec<EscapeForm>,
    /// End at the first fault
    #[arg(long)]
    strict: bool,
    /// Write UTF-7's optional characters in this way
    #[arg(long, value_name = "HOW", default_value = "direct")]
    set_o: SetOChoice,
    /// Read FILE; standard input without one, or for -
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

/// How UTF-7's optional characters are written.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum SetOChoice {
    /// Write them as themselves
    Direct,
    /// Write them in a shift
    Encoded,
}

/// How many pieces are converted at once at the most; more would only wait for their turn to be written.
const MOST_AT_ONCE: usize = 8;

/// Where the output ends early, and why.
struct ConversionFault {
    /// The octets of the piece that stand before it.
    offset: usize,
    rule: String,
}

/// What was replaced where the output doesn't end early.
#[derive(Default)]
struct ReplacedCounts {
    faults: usize,
    refused: usize,
    lacking: usize,
}

/// A piece, converted.
struct ConvertedPiece {
    octets: Vec<u8>,
    fault: Option<ConversionFault>,
    replaced: ReplacedCounts,
}

/// What the input is read as.
#[derive(Debug, Clone, Copy)]
enum InputCharset {
    Charset(Charset),
    Auto,
}

impl Args {
    /// Returns the charset of the input, which must not be `auto` any more.
    fn from(&self) -> Charset {
        match self.from {
            InputCharset::Charset(charset) => charset,
            // `run` has put what the input is in its place.
            InputCharset::Auto => Charset::UTF_8,
        }
    }
}

/// Judges by all octets of the input which charset they are in, and says so on stderr unless they are all ASCII; the
/// failure says what they may be.
fn judged(octets: &[u8]) -> Result<Charset, Failure> {
    match decode(octets, None) {
        Ok(read) if octets.is_ascii() => Ok(read.charset),
        Ok(read) => {
            tell(format_args!("read as {} because={}", read.charset, read.because));
            Ok(read.charset)
        }
        Err(_) => {
            let may_be: Vec<&str> = readings(octets).into_iter().map(Charset::name).collect();
            let error = format!("nobody can tell what this is; it may be {}: name one with --from", may_be.join(", "));
            Err(Failure::new(Exit::BadData, error))
        }
    }
}

/// Writes a line on stderr, as the contract spells it. A stderr that can't be written must not change the exit code.
fn tell(line: fmt::Arguments) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Runs the command.
pub fn run(mut args: Args) -> Result<(), Failure> {
    let mut source = lines::open(args.file.as_deref())?;
    if let InputCharset::Auto = args.from {
        let mut octets = Vec::new();
        source.read_to_end(&mut octets).map_err(|error| Failure::new(Exit::Io, error))?;
        args.from = InputCharset::Charset(judged(&octets)?);
        source = Box::new(Cursor::new(octets));
    }
    convert(&args, source)
}

/// Converts the input to standard output. It ends early only at the first fault under `--strict`, which is a failure.
fn convert(args: &Args, source: Box<dyn Read>) -> Result<(), Failure> {
    let by_lines = args.from().begins_anew_after_lf() && args.to.begins_anew_after_lf() && args.unescape.is_empty();
    let at_once = if by_lines { available_parallelism().map_or(1, NonZeroUsize::get).min(MOST_AT_ONCE) } else { 0 };
    let mut input = Pieces::new(source, at_once);
    let mut out = stdio::open_stdout().map_err(Failure::of_output)?;
    let mut replaced = ReplacedCounts::default();
    let mut before = 0;
    loop {
        let mut pieces = input.next().map_err(|error| Failure::new(Exit::Io, error))?;
        let Some(first) = pieces.first_mut() else { break };
        if before == 0 {
            before = signature_len(args.from(), first);
            *first = &first[before..];
        }
        for (piece, done) in pieces.iter().zip(convert_all(args, &pieces)) {
            let done = done.map_err(|lacking| Failure::new(Exit::Software, lacking))?;
            out.write_all(&done.octets).map_err(Failure::of_output)?;
            if let Some(ConversionFault { offset, rule }) = done.fault {
                tell(format_args!("offset {}: {rule}", before + offset));
                return Err(Failure::told(Exit::BadData));
            }
            replaced.add(&done.replaced);
            before += piece.len();
        }
    }
    replaced.tell(args);
    Ok(())
}

/// Converts pieces, many at a time, and returns them in order; to start threads for one would take longer than to
/// convert it.
fn convert_all(args: &Args, pieces: &[&[u8]]) -> Vec<Result<ConvertedPiece, MappingError>> {
    let convert = if args.strict { convert_strictly } else { convert_leniently };
    match pieces {
        [_, _, ..] => pieces.par_iter().map(|piece| convert(args, piece)).collect(),
        few => few.iter().map(|piece| convert(args, piece)).collect(),
    }
}

/// Converts up to the first fault, which is in the result. The error is a fault of septet's own: even the text before
/// that can't be encoded.
fn convert_strictly(args: &Args, input: &[u8]) -> Result<ConvertedPiece, MappingError> {
    let (text, malformed) = args.from().decode_until_fault(input);
    let mut fault = malformed.map(|MalformedError { offset, rule }| ConversionFault { offset, rule: rule.to_owned() });
    let mut text = &*text;
    let mut expanded = unescape(text, &args.unescape);
    if let Some(refused) = expanded.first_refused {
        text = text.get(..refused.offset).unwrap_or(text);
        expanded = unescape(text, &args.unescape);
        fault = Some(ConversionFault { offset: input_offset(args.from(), input, text), rule: refused.rule.to_owned() });
    }
    let fitted = fit(args, &expanded.text);
    let encoded = encode(args, &fitted).or_else(|lacking| {
        let kept = &fitted[..lacking.offset];
        let before = origin(text, &args.unescape, kept.len());
        let rule = format!("{} has no U+{:04X}", args.to, u32::from(lacking.character));
        fault = Some(ConversionFault { offset: input_offset(args.from(), input, &text[..before]), rule });
        encode(args, kept)
    });
    Ok(ConvertedPiece { octets: encoded?.into_owned(), fault, replaced: ReplacedCounts::default() })
}

/// Converts everything, with U+FFFD for what is malformed and [`replacement_for`] what is lacking, and counts that; an
/// escape of no character stays as it is.
fn convert_leniently(args: &Args, input: &[u8]) -> Result<ConvertedPiece, MappingError> {
    let (text, faults) = args.from().decode_lossy(input);
    let expanded = unescape(&text, &args.unescape);
    let fitted = fit(args, &expanded.text);
    let mut replaced = ReplacedCounts { faults, refused: expanded.refused, lacking: 0 };
    let encoded = encode(args, &fitted).map(Cow::into_owned).or_else(|_| {
        let replacement = replacement_for(args.to);
        let (marked, _) = args.to.fit(&fitted, |character, out| {
            // What stands for a fault is counted already.
            replaced.lacking += usize::from(faults == 0 || character != char::REPLACEMENT_CHARACTER);
            out.push(replacement);
        });
        encode(args, &marked).map(Cow::into_owned)
    });
    Ok(ConvertedPiece { octets: encoded?, fault: None, replaced })
}

/// Returns what stands for a character that a charset lacks: U+FFFD, or `?` where it lacks that too.
fn replacement_for(to: Charset) -> char {
    if to.has(char::REPLACEMENT_CHARACTER) { char::REPLACEMENT_CHARACTER } else { '?' }
}

impl ReplacedCounts {
    fn add(&mut self, other: &ReplacedCounts) {
        self.faults += other.faults;
        self.refused += other.refused;
        self.lacking += other.lacking;
    }

    /// Says on stderr what was replaced; nothing where nothing was. With `--escape` nothing is lacking.
    fn tell(&self, args: &Args) {
        let to = args.to;
        let shown = if replacement_for(to) == '?' && args.escape.is_none() { "?" } else { "U+FFFD" };
        let replaced = [
            (self.faults, "fault", format!(" in the input, replaced by {shown}")),
            (self.refused, "escape", " of no character, left alone".to_owned()),
            (self.lacking, "character", format!(" that {to} lacks, replaced by {shown}")),
        ];
        for (count, what, how) in replaced.iter().filter(|(count, ..)| *count > 0) {
            tell(format_args!("{}{how}", counted(*count as u64, what)));
        }
    }
}

/// Writes what the target lacks in the form of `--escape`; without that option, the text stays.
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

/// Encodes text; a character that the target lacks is the error.
fn encode<'t>(args: &Args, text: &'t str) -> Result<Cow<'t, [u8]>, MappingError> {
    match (args.to.utf_7(), args.set_o) {
        (Some(variant), SetOChoice::Encoded) => utf7::encode(text, Utf7Options { variant, set_o: utf7::SetO::Encoded }),
        _ => args.to.encode(text),
    }
}

/// Returns the length of UTF-8's byte order mark at the start of the input. It is 0 for all other charsets: where they
/// have a mark, decoding takes it off.
fn signature_len(from: Charset, input: &[u8]) -> usize {
    if from == Charset::UTF_8 { input.len() - utf8::strip_signature(input).len() } else { 0 }
}

/// Finds where in the input the octets end of which `text`, the beginning of what it says, was decoded: the fewest, by
/// halving. Without a mark the octets of UTF-16 and UTF-32 tell their order only as a whole: there the text is encoded.
fn input_offset(from: Charset, input: &[u8], text: &str) -> usize {
    if [Charset::UTF_16, Charset::UTF_32].contains(&from)
        && let Ok(octets) = from.encode_like(text, input)
    {
        return octets.len();
    }
    let (mut low, mut high) = (0, input.len());
    while low < high {
        let middle = low + (high - low) / 2;
        if from.decode_until_fault(input.get(..middle).unwrap_or(input)).0.len() >= text.len() {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// Finds the charset to read for a label: the wider one as which mail under it is read.
fn input_charset(label: &str) -> Result<InputCharset, String> {
    match label.eq_ignore_ascii_case("auto") {
        true => Ok(InputCharset::Auto),
        false => Labels::default().find(label.as_bytes()).map(InputCharset::Charset).ok_or_else(|| unknown(label)),
    }
}

/// Finds the charset to write for a label: the one that is registered, and no wider one, whose characters others would
/// misread.
fn output_charset(label: &str) -> Result<Charset, String> {
    Labels::default().find_registered(label.as_bytes()).ok_or_else(|| unknown(label))
}

/// Says that a label means nothing, and which names share the longest start with it.
fn unknown(label: &str) -> String {
    let label = label.to_ascii_lowercase();
    let mut starts = (1..=label.len()).rev().filter_map(|len| label.get(..len));
    match starts.find_map(names_with) {
        Some(names) => format!("no charset that septet knows has this label; near it are {}", names.join(", ")),
        None => "no charset that septet knows has this label; it is one that mail uses, such as utf-8".to_owned(),
    }
}

/// Lists the charsets whose names start so, in lower case; `None` where there are none.
fn names_with(start: &str) -> Option<Vec<&'static str>> {
    let names = Charset::all().iter().map(|charset| charset.name()).filter(|name| name.starts_with(start));
    Some(names.collect()).filter(|names: &Vec<&str>| !names.is_empty())
}

/// Makes the parser of a form's name, which offers all of them.
fn escape_form() -> impl TypedValueParser<Value = EscapeForm> {
    PossibleValuesParser::new(EscapeForm::ALL.map(EscapeForm::name)).try_map(|name| name.parse::<EscapeForm>())
}
