//! What do these octets mean? The one judge of it.
//!
//! Words, parameters, raw header text, bodies and the line tools ask [`judge`], and nothing else decides what a charset
//! is. It hears witnesses, in the order of their weight:
//!
//! | | witness | what it says |
//! |---|---|---|
//! | 1 | the octets | UTF-8 under whatever label, by counting [`faults`]; CESU-8; sequences of ISO 2022; a byte order mark |
//! | 2 | the label | what its charset reads without a fault, but for `us-ascii` over octets above 7F, which disproves it |
//! | 3 | the document's own word | a `meta`, an XML declaration |
//! | 4 | its neighbours in the message | the label of the body beside a header, other texts under the same label: of those that have octets above 7F themselves |
//! | 5 | the octets again | signs on which all charsets of Windows agree, each in its place |
//! | 6 | the settings | `unlabelled`, in its order, statistics among it |
//! | 7 | its neighbours again | the labels of texts in ASCII, unless the octets speak against them |
//!
//! A label is a witness and no law; but it is only overruled by what is *shown*. A text that nobody can read for sure
//! stays as it is, and the [`DecodeError`] says why. A reading that does not simply follow the label says what it was
//! taken for and [`Because`] of what.

mod agreeing;
mod apostrophe;
mod ascii;
mod damaged;
mod disproved;
mod double;
pub mod faults;
mod hearing;
mod japanese;
mod lines;
mod mark;
mod origin;
mod raw;
mod readings;
mod several;
pub mod statistics;
mod unlabelled;
mod utf_7_lines;
mod utf_8;
mod veto;
mod visual;
mod witnesses;

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use ascii::reads_as_ascii;
pub use ascii::{has_iso_2022_escape, says_nothing};
pub use damaged::is_damaged_utf_8;
pub use double::{encoded_once, pieces_encoded_once};
use hearing::find_by_witnesses;
pub use hearing::testifies;
pub use japanese::{ends_in_ascii, escaped, escaped_piece};
pub use mark::begins_with_mark;
pub use origin::Origin;
pub use raw::{RawReading, judge_raw};
pub use readings::readings;
pub use unlabelled::{Unlabelled, detect, holds, looks_like, looks_otherwise};
use utf_8::label_or_utf_8_in_transit;
pub use utf_8::{Utf8Verdict, label_or_utf_8, may_be_wide};
pub use visual::may_be_visual;
pub use witnesses::{Elsewhere, Neighbour, Neighbours, Witnesses, only};

use super::charset::{Charset, MalformedError};

/// Which witness a reading follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Because {
    /// The label.
    Label,
    /// The octets.
    Octets,
    /// The byte order mark.
    Mark,
    /// The `meta` of HTML, or the `@charset` of a style sheet.
    Meta,
    /// The declaration of XML.
    Xml,
    /// An encoded-word of the message.
    Word,
    /// The label of a part of the message.
    Part,
    /// The settings' list.
    Unlabelled,
    /// Statistics.
    Detect,
}

impl Because {
    /// Returns the word that reports have for it.
    pub fn name(self) -> &'static str {
        match self {
            Because::Label => "label",
            Because::Octets => "octets",
            Because::Mark => "mark",
            Because::Meta => "meta",
            Because::Xml => "xml",
            Because::Word => "word",
            Because::Part => "part",
            Because::Unlabelled => "unlabelled",
            Because::Detect => "detect",
        }
    }
}

impl fmt::Display for Because {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// What octets mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading<'o> {
    /// The charset that they are in.
    pub charset: Charset,
    /// The text.
    pub text: Cow<'o, str>,
    /// The witness that was followed.
    pub because: Because,
    /// The second charset, where some lines are in the one and some in the other.
    pub second: Option<Charset>,
}

/// Why nobody can say what octets mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecodeError {
    /// No table has the label.
    UnknownLabel,
    /// There is no label, and nothing else says it.
    Unlabelled,
    /// They are ill-formed in the charset that they are in.
    Malformed(Charset, MalformedError),
    /// They may be in the first of these charsets, which a label names, or in the second.
    Ambiguous(Charset, Charset),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::UnknownLabel => f.write_str("nobody knows the label, and the octets don't tell"),
            DecodeError::Unlabelled => f.write_str("there is no label, and the octets don't tell"),
            DecodeError::Malformed(charset, malformed) => write!(f, "not well-formed in {charset}: {malformed}"),
            DecodeError::Ambiguous(one, other) => write!(f, "they may be in {one}, as a label says, or in {other}"),
        }
    }
}

impl Error for DecodeError {}

/// What octets show of themselves, if they show anything.
type Shown<'o> = Result<Option<Reading<'o>>, DecodeError>;

/// Says what octets mean, and why; or why nobody can say.
///
/// ```
/// use septet_text::charset::{Charset, Labels};
/// use septet_text::evidence::{Because, DecodeError, Witnesses, judge};
///
/// let labels = Labels::default();
/// let witnesses = Witnesses::none(&labels);
/// let judged = |octets, label: &str| judge(octets, Some(label.as_bytes()), &witnesses);
/// let read = judged("Úžas".as_bytes(), "iso-8859-1").unwrap();
/// assert_eq!((read.charset, read.because), (Charset::UTF_8, Because::Octets));
/// let read = judged(b"It\x92s", "us-ascii").unwrap();
/// assert_eq!((&*read.text, read.because), ("It’s", Because::Octets));
/// assert_eq!(judged("PŅ".as_bytes(), "windows-1252"), Err(DecodeError::Ambiguous(Charset::WINDOWS_1252, Charset::UTF_8)));
/// assert_eq!(judged(b"caf\xE9", "x-klingon"), Err(DecodeError::UnknownLabel));
/// ```
///
/// # Errors
///
/// The [`DecodeError`].
pub fn judge<'o>(octets: &'o [u8], label: Option<&[u8]>, witnesses: &Witnesses) -> Result<Reading<'o>, DecodeError> {
    let Some(label) = label.filter(|label| !label.trim_ascii().is_empty()) else {
        return of_none(octets, witnesses);
    };
    match witnesses.labels.find(label) {
        Some(charset) => judge_as(octets, charset, witnesses),
        None if several::names_several(label) => several::judge(octets, witnesses),
        None => of_unknown(octets, label, witnesses),
    }
}

/// Says what octets mean whose label means a charset.
///
/// # Errors
///
/// The [`DecodeError`].
pub fn judge_as<'o>(octets: &'o [u8], charset: Charset, witnesses: &Witnesses) -> Result<Reading<'o>, DecodeError> {
    // UTF-16 and UTF-32 take their marks for themselves.
    if let Some(marked) = mark::of(octets, witnesses).filter(|marked| *marked != charset && charset.shows_line_ends()) {
        return read(octets, marked, Because::Mark);
    }
    match charset == Charset::US_ASCII {
        true => of_ascii(octets, witnesses),
        false => of_charset(octets, charset, witnesses),
    }
}

/// Judges octets without a label: by the document's own word, then by a mark, then by the octets and the other
/// witnesses. ASCII is read as if it were its label.
fn of_none<'o>(octets: &'o [u8], witnesses: &Witnesses) -> Result<Reading<'o>, DecodeError> {
    if let Some((label, document)) = witnesses.document.filter(|(label, _)| !is_refuted(octets, label, witnesses)) {
        let read = judge(octets, Some(label), &Witnesses { document: None, ..*witnesses })?;
        let because = if read.because == Because::Label { document } else { read.because };
        return Ok(Reading { because, ..read });
    }
    if let Some(marked) = mark::of(octets, witnesses) {
        return read(octets, marked, Because::Mark);
    }
    if !octets.is_ascii() {
        return of_disproved(octets, Charset::US_ASCII, witnesses)?.ok_or(DecodeError::Unlabelled);
    }
    match has_iso_2022_escape(octets) {
        true => of_escapes(octets, witnesses).ok_or(DecodeError::Unlabelled),
        false => read(octets, Charset::US_ASCII, Because::Label),
    }
}

/// Returns `true` if a text shows that it is not in the charset which it names itself. Of a charset in which an octet
/// of ASCII is nothing else it shows nothing. Another one is refuted where the name stands in ASCII, which it would not
/// in UTF-16 (browsers see it so, too), or where all octets are UTF-8 and ill-formed in that charset.
fn is_refuted(octets: &[u8], name: &[u8], witnesses: &Witnesses) -> bool {
    let Some(charset) = witnesses.labels.find(name) else { return false };
    if charset.is_ascii_compatible() {
        return false;
    }
    let reads_its_name = charset.decode(name).is_ok_and(|text| text.as_bytes() == name);
    !reads_its_name || Charset::UTF_8.decode(octets).is_ok() && charset.decode(octets).is_err()
}

/// Judges octets under the label of US-ASCII, which those above 7F disprove.
fn of_ascii<'o>(octets: &'o [u8], witnesses: &Witnesses) -> Result<Reading<'o>, DecodeError> {
    let shown = match octets.is_ascii() {
        false => of_disproved(octets, Charset::US_ASCII, witnesses)?,
        true if has_iso_2022_escape(octets) => of_escapes(octets, witnesses),
        true => None,
    };
    shown.map_or_else(|| read(octets, Charset::US_ASCII, Because::Label), Ok)
}

/// Judges octets under the label of another charset than US-ASCII: UTF-8 and others that the octets show, then the
/// label, then, where it is disproved, the other witnesses but for the texts beside it.
fn of_charset<'o>(octets: &'o [u8], charset: Charset, witnesses: &Witnesses) -> Result<Reading<'o>, DecodeError> {
    // In UTF-16 and UTF-32 even ASCII may speak against the label.
    if octets.is_ascii() && charset.shows_line_ends() {
        return read(octets, charset, Because::Label);
    }
    if let Some(shown) = by_octets(octets, charset, witnesses)? {
        return Ok(shown);
    }
    let witnesses = &witnesses.heard_under_label();
    match read(octets, charset, Because::Label) {
        Ok(labelled) if may_be_contradicted(charset) && disproved::is_disproved(&labelled.text) => {
            of_contradicted(octets, labelled, witnesses)
        }
        // A charset in which an octet below 80 may be part of another character is hardly ever a wrong label: its text
        // is damaged.
        Err(doubt) if charset.is_ascii_compatible() => of_disproved(octets, charset, witnesses)?.ok_or(doubt),
        read => read,
    }
}

/// Returns `true` if text of another charset may become letters of another script in one: in any but those of Unicode,
/// of shifts and of Latin alone.
fn may_be_contradicted(charset: Charset) -> bool {
    charset.keeps_ascii() && ![Charset::UTF_8, Charset::CESU_8].contains(&charset) && !disproved::is_latin(charset)
}

/// Reads octets under a label that they show not to be theirs, by what they show; `None` where they show nothing.
///
/// # Errors
///
/// [`DecodeError::Ambiguous`] where they may be UTF-8, if damaged.
fn by_octets<'o>(octets: &'o [u8], charset: Charset, witnesses: &Witnesses) -> Shown<'o> {
    let verdict = if witnesses.in_transit { label_or_utf_8_in_transit } else { label_or_utf_8 };
    let shown = match verdict(charset, octets) {
        Some(Utf8Verdict::Utf8) => Charset::UTF_8,
        Some(Utf8Verdict::Unknown) => return of_ambiguous(octets, charset, witnesses).map(Some),
        _ if charset == Charset::ISO_8859_2_WINDOWS && is_windows_1250(octets) => Charset::WINDOWS_1250,
        _ if japanese::is_iso_2022_jp(charset) && japanese::has_code_page_932(octets) => Charset::ISO_2022_JP_8,
        _ => return by_lines(octets, charset, witnesses),
    };
    read(octets, shown, Because::Octets).map(Some)
}

/// Reads octets of which some lines are UTF-8; `None` where none are.
///
/// # Errors
///
/// [`DecodeError::Ambiguous`] where they are UTF-8 but for a few faults, which their label makes nonsense of.
fn by_lines<'o>(octets: &'o [u8], charset: Charset, witnesses: &Witnesses) -> Result<Option<Reading<'o>>, DecodeError> {
    if !lines::have_utf_8(octets) {
        return Ok(utf_7_lines::under(octets, charset, witnesses));
    }
    match lines::under(octets, charset, witnesses).or_else(|| utf_7_lines::under(octets, charset, witnesses)) {
        None if damaged::is_damaged_under(octets, charset) => Err(DecodeError::Ambiguous(charset, Charset::UTF_8)),
        read => Ok(read),
    }
}

/// Judges octets that are well-formed under their label and a text that nobody writes: another witness is believed
/// whose reading has no fault. Where none is but another charset reads them without a fault, they may be either.
fn of_contradicted<'o>(
    octets: &'o [u8],
    labelled: Reading<'o>,
    witnesses: &Witnesses,
) -> Result<Reading<'o>, DecodeError> {
    if let Some((charset, because)) = find_by_witnesses(octets, witnesses)?
        && charset != labelled.charset
        && disproved::is_good_latin(octets, charset)
    {
        return read(octets, charset, because);
    }
    let mut others = readings(octets).into_iter().filter(|charset| *charset != labelled.charset);
    match others.find(|charset| disproved::is_good_latin(octets, *charset)) {
        Some(other) => Err(DecodeError::Ambiguous(labelled.charset, other)),
        None => Ok(labelled),
    }
}

/// Judges octets that may be UTF-8 or in the charset of their label, by the other texts under that label.
fn of_ambiguous<'o>(octets: &'o [u8], charset: Charset, witnesses: &Witnesses) -> Result<Reading<'o>, DecodeError> {
    match witnesses.elsewhere.and_then(|elsewhere| elsewhere.verdict(charset)) {
        Some((Utf8Verdict::Utf8, because)) => read(octets, Charset::UTF_8, because),
        Some((Utf8Verdict::Label, _)) => read(octets, charset, Because::Label),
        Some((Utf8Verdict::Unknown, _)) | None => Err(DecodeError::Ambiguous(charset, Charset::UTF_8)),
    }
}

/// Judges octets under a label that no table has. Where the label may be taken for ASCII, ASCII without shifts is that,
/// and ISO-2022-JP is read by its sequences. All other ASCII, and what has such sequences, is unknown. The rest is
/// judged as without a label; the charsets that the texts beside it name are heard only where the label says nothing.
fn of_unknown<'o>(octets: &'o [u8], label: &[u8], witnesses: &Witnesses) -> Result<Reading<'o>, DecodeError> {
    if reads_as_ascii(label, octets) {
        return read(octets, Charset::US_ASCII, Because::Label);
    }
    if octets.is_ascii() || has_iso_2022_escape(octets) {
        let charset = escaped(octets).filter(|_| ascii::is_ascii_label(label)).ok_or(DecodeError::UnknownLabel)?;
        return read(octets, charset, Because::Octets);
    }
    let witnesses = if ascii::says_nothing(label) { *witnesses } else { witnesses.heard_under_label() };
    of_disproved(octets, Charset::US_ASCII, &witnesses)?.ok_or(DecodeError::UnknownLabel)
}

/// Judges octets above 7F whose label is missing or disproved; `label` may be that of some lines all the same. `None`
/// where no witness says more; the errors are the others of [`judge_raw`].
fn of_disproved<'o>(octets: &'o [u8], label: Charset, witnesses: &Witnesses) -> Shown<'o> {
    if let Some(read) = lines::beside(octets, label, witnesses) {
        return Ok(Some(read));
    }
    match judge_raw(octets, witnesses) {
        Ok((charset, because)) => read(octets, charset, because).map(Some),
        Err(DecodeError::Unlabelled) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads ASCII octets with sequences of ISO 2022 that no label explains: by the first charset of the settings that
/// knows such sequences and reads them all, else as ISO-2022-JP if they are that.
fn of_escapes<'o>(octets: &'o [u8], witnesses: &Witnesses) -> Option<Reading<'o>> {
    let mut listed = witnesses.unlabelled.iter().filter_map(Unlabelled::charset).filter(|it| !it.keeps_ascii());
    let found = listed.find(|charset| charset.decode(octets).is_ok_and(|text| !text.is_ascii()));
    read(octets, found.or_else(|| escaped(octets))?, Because::Octets).ok()
}

/// Reads octets in a charset; the error is [`DecodeError::Malformed`] where they are ill-formed there.
fn read(octets: &[u8], charset: Charset, because: Because) -> Result<Reading<'_>, DecodeError> {
    let text = charset.decode(octets).map_err(|fault| DecodeError::Malformed(charset, fault))?;
    Ok(Reading { charset, text, because, second: None })
}

/// Returns `true` if text under the label of ISO-8859-2 has octets of 80..=9F that are letters in windows-1250, and
/// none that is a letter in ISO-8859-2 and a sign in windows-1250.
fn is_windows_1250(octets: &[u8]) -> bool {
    octets.iter().any(|octet| matches!(octet, 0x8A | 0x8C..=0x8F | 0x9A | 0x9C..=0x9F))
        && !octets.iter().any(|octet| matches!(octet, 0xA1 | 0xA6 | 0xA9 | 0xAC | 0xAE | 0xB1 | 0xB5 | 0xB6))
        && Charset::WINDOWS_1250.decode(octets).is_ok()
}

#[cfg(test)]
mod tests;
