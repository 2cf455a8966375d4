//! Unstructured text with words in it, read whole.

use std::borrow::Cow;
use std::ops::Range;

use super::{TextError, WordPlace, WordReader, is_control, octets, runs, starts, words};
use crate::charset::{Charset, MalformedError};
use crate::evidence::{self, Because, DecodeError, Neighbour, Origin, RawReading, Witnesses};

/// A text as a person reads it, and what could not be read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DecodedText {
    /// The text: unfolded, its words decoded, without CR, LF or NUL. What is no character shows as U+FFFD.
    pub text: String,
    /// What could not be read, in order.
    pub faults: Vec<TextFault>,
}

/// Something in a text that could not be read.
#[derive(Debug, Clone, PartialEq)]
pub enum TextFault {
    /// Words that were left as they are, with their place in the input.
    Word(Range<usize>, TextError),
    /// A raw octet that is not UTF-8; offset in the input.
    Raw(MalformedError),
    /// A raw CR, LF or NUL outside of a fold; offset in the input.
    Control(usize),
}

/// Reads unstructured text: unfolds it, decodes its words, and takes raw 8-bit octets for UTF-8. A line end behind what
/// words say is left out.
///
/// ```
/// use septet_text::charset::Labels;
/// use septet_text::encoded_word::{WordReader, decode_unstructured};
///
/// let labels = Labels::default();
/// let reader = WordReader::new(&labels);
/// // Neighbours of one charset are read together, so a character may be split between them.
/// let decoded = decode_unstructured(b"=?utf-8?Q?caf=C3?= =?utf-8?Q?=A9?= noir", reader);
/// assert_eq!(decoded.text, "café noir");
/// let decoded = decode_unstructured(b"=?x-klingon?Q?Qapla?=", reader);
/// assert_eq!(decoded.text, "=?x-klingon?Q?Qapla?=");
/// assert_eq!(decoded.faults.len(), 1);
/// ```
pub fn decode_unstructured(value: &[u8], reader: WordReader<'_>) -> DecodedText {
    let mut decoded = DecodedText::default();
    let mut from = 0;
    for run in runs(value, WordPlace::Text, reader) {
        let mut after_text = false;
        for group in run.groups {
            let between = from..group.at.start;
            from = group.at.end;
            // White space between words that are both read vanishes (RFC 2047 §6.2).
            let vanishes = after_text && group.outcome.is_ok();
            if !vanishes {
                add_raw_utf_8(value, between, &mut decoded);
            }
            after_text = group.outcome.is_ok();
            match group.outcome {
                Ok(text) => decoded.text.push_str(&text.text),
                Err(left) => {
                    match &group.cut {
                        Some(cut) => decoded.text.extend([&cut.text.text, " ", &cut.half]),
                        None => add_raw_utf_8(value, group.at.clone(), &mut decoded),
                    }
                    decoded.faults.push(TextFault::Word(group.at, left));
                }
            }
        }
    }
    add_raw_utf_8(value, from..value.len(), &mut decoded);
    decoded
}

/// A text that was read without a fault, and what it was made of: without control characters other than TAB.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadText {
    /// The text.
    pub text: String,
    /// The labels of its words as they stand there, and `8bit` for raw octets; empty when it was plain ASCII.
    pub from: Vec<Origin>,
    /// How many faults in it are U+FFFD now; none but for a reader that is lossy.
    pub lost: usize,
    /// Whether its characters stand for octets that nobody can read, [`Charset::UNKNOWN_8BIT`].
    pub unknown: bool,
}

/// Reads unfolded text that must come out whole, such as a parameter's value or what a quoted-string holds: words
/// anywhere in it and raw 8-bit are decoded, and any fault is an error. `read` is what [`raw_charset`] found for the
/// whole that it is a piece of.
pub fn decode_mixed(value: &[u8], read: RawReading, reader: WordReader<'_>) -> Result<ReadText, TextError> {
    let mut mixed = ReadText::default();
    let mut from = 0;
    for run in runs(value, WordPlace::Text, reader) {
        mixed.add_raw(&value[from..run.at.start], read)?;
        for group in run.groups {
            let text = group.outcome?;
            if !text.line_end.is_empty() {
                return Err(TextError::Control);
            }
            mixed.from.push(text.origin(&group.label));
            mixed.text.push_str(&text.text);
            mixed.lost += text.lost;
            mixed.unknown |= text.charset == Charset::UNKNOWN_8BIT;
        }
        from = run.at.end;
    }
    mixed.add_raw(&value[from..], read)?;
    mixed.from.dedup();
    if mixed.text.chars().any(is_control) { Err(TextError::Control) } else { Ok(mixed) }
}

/// Returns a value with blanks in the place of words that have raw octets in them: these octets are read as their word
/// says, and tell nothing of the charset of the others. Who asks [`raw_charset`] about a value that may hold words asks
/// about this.
pub fn raw_text(value: &[u8]) -> Cow<'_, [u8]> {
    let mut text = Cow::Borrowed(value);
    if value.is_ascii() {
        return text;
    }
    let raw_words = words(value).map(|word| word.at).filter(|at| !value[at.clone()].is_ascii());
    raw_words.for_each(|at| text.to_mut()[at].fill(b' '));
    text
}

/// Finds the charset of raw 8-bit octets: UTF-8 where they are that, none where it is damaged or stands beside others,
/// else the one that the texts beside them or the words among them name if it reads them, else what the reader guesses.
/// Where that would be none, it is [`Charset::UNKNOWN_8BIT`] if the reader allows it and no words stand among them.
///
/// # Errors
///
/// The doubt that is left.
pub fn raw_charset(value: &[u8], reader: WordReader<'_>) -> RawReading {
    // Words of the field itself are heard last, in the last place.
    let mut neighbours = reader.witnesses.neighbours;
    let [.., last] = &mut neighbours;
    *last = in_words(value, reader);
    match evidence::judge_raw(value, &Witnesses { neighbours, ..reader.witnesses }) {
        // Beside words that say their charset nothing is called unknown: both may have to be written as one text.
        Err(_) if reader.unknown_8bit && starts(value).next().is_none() => Ok((Charset::UNKNOWN_8BIT, Because::Label)),
        read => read,
    }
}

/// Finds the one charset that the encoded-words of a value are in by their labels; none where they differ, or where it
/// is US-ASCII or hides ASCII.
fn in_words(value: &[u8], reader: WordReader<'_>) -> Option<Neighbour> {
    let mut charsets = words(value).map(|word| reader.witnesses.labels.find(value.get(word.label)?));
    let charset = charsets.next()?.filter(|charset| charset.keeps_ascii() && *charset != Charset::US_ASCII)?;
    let said: Vec<u8> = words(value).flat_map(|word| octets(value, &word)).collect();
    let has_testified = evidence::testifies(&said, charset);
    let is_one = charsets.all(|other| other == Some(charset));
    is_one.then_some(Neighbour { charset, because: Because::Word, has_testified })
}

/// Decodes raw octets; `read` is what [`raw_charset`] found for the whole that they are a piece of.
pub fn decode_raw(octets: &[u8], read: RawReading) -> Result<Cow<'_, str>, TextError> {
    if octets.is_ascii() {
        return Ok(String::from_utf8_lossy(octets));
    }
    match read {
        Ok((charset, _)) => charset.decode(octets).map_err(|_| unlabelled(octets)),
        Err(DecodeError::UnknownLabel | DecodeError::Unlabelled) => Err(unlabelled(octets)),
        Err(doubt) => Err(TextError::of(doubt, b"")),
    }
}

/// Says where the first octet above 127 is, whose charset nothing tells.
fn unlabelled(octets: &[u8]) -> TextError {
    let offset = octets.iter().position(|octet| !octet.is_ascii()).unwrap_or(octets.len());
    TextError::Unlabelled(MalformedError { offset, rule: "a raw octet that is not UTF-8" })
}

impl ReadText {
    /// Adds raw octets; those in sequences of ISO-2022-JP say their charset themselves.
    fn add_raw(&mut self, octets: &[u8], read: RawReading) -> Result<(), TextError> {
        if let Some(escaped) = evidence::escaped_piece(octets) {
            self.from.push(Origin::label(escaped.name()));
            let text = escaped.decode(octets);
            self.text.push_str(&text.map_err(|fault| TextError::of(DecodeError::Malformed(escaped, fault), b""))?);
            return Ok(());
        }
        if !octets.is_ascii() {
            self.from.push(Origin::raw(read.ok()));
            self.unknown |= read.is_ok_and(|(charset, _)| charset == Charset::UNKNOWN_8BIT);
        }
        self.text.push_str(&decode_raw(octets, read)?);
        Ok(())
    }
}

/// Adds raw text as UTF-8, unfolded, and notes what could not be read.
fn add_raw_utf_8(value: &[u8], range: Range<usize>, decoded: &mut DecodedText) {
    let mut at = range.start;
    for chunk in value[range].utf8_chunks() {
        for (offset, character) in chunk.valid().char_indices() {
            match character {
                '\r' | '\n' if is_fold(&value[at + offset..]) => {}
                '\r' | '\n' | '\0' => {
                    decoded.text.push('\u{FFFD}');
                    decoded.faults.push(TextFault::Control(at + offset));
                }
                other => decoded.text.push(other),
            }
        }
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            decoded.text.push('\u{FFFD}');
            let rule = "a raw octet that is not UTF-8";
            decoded.faults.push(TextFault::Raw(MalformedError { offset: at, rule }));
        }
        at += chunk.invalid().len();
    }
}

/// Returns `true` if a text begins with a line end that white space follows.
fn is_fold(rest: &[u8]) -> bool {
    matches!(rest, [b'\r', b'\n', b' ' | b'\t', ..] | [b'\n', b' ' | b'\t', ..])
}

/// Takes line ends out of a text, as unfolding does (RFC 5322 §2.2.3), be there white space behind them or not; white
/// space stays, and so does a CR alone.
///
/// ```
/// use septet_text::encoded_word::unfold;
///
/// assert_eq!(*unfold(b"one\r\n two"), *b"one two");
/// ```
pub fn unfold(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\n', value).is_none() {
        return Cow::Borrowed(value);
    }
    let lines = value.split_inclusive(|&octet| octet == b'\n');
    let texts = lines.map(|line| line.strip_suffix(b"\r\n").or(line.strip_suffix(b"\n")).unwrap_or(line));
    Cow::Owned(texts.collect::<Vec<&[u8]>>().concat())
}

/// Returns `true` if a text can't stand raw in an ASCII field: it has other characters, or what a reader would
/// take for a word.
#[inline]
pub fn needs_words(text: &[u8]) -> bool {
    !text.is_ascii() || starts(text).next().is_some()
}
