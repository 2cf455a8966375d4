//! Reads a text in the charset that it is really in.
//!
//! The label decides when its charset reads the octets without a fault. Two kinds of label are not taken at
//! their word: one that nobody knows, and one that the octets refute ([`charset::meant`]). Then UTF-8 is tried, then the
//! profile's `unlabelled` charsets, in order. What none of them reads stays as it is; nothing is guessed silently, for the
//! report names the label that was and the charset that it became.
//!
//! ASCII octets are no proof of ASCII text. Under an unknown label they are only where
//! [`charset::reads_as_ascii`] says so, and without a label a sequence of ISO 2022 in them is a label of its own.

use std::borrow::Cow;

use crate::coding::charset::{self, Charset};
use crate::rewrite::{BodyCharset, Profile, Reason};

/// A text and where it came from.
pub(super) struct Source<'a> {
    /// The charset that it was read in.
    pub charset: Charset,
    /// The label that it had, as reports show it, with the real charset in parentheses where that is another.
    pub from: String,
    /// The text.
    pub text: Cow<'a, str>,
    /// How many faults in it are U+FFFD now.
    pub lost: usize,
}

/// Reads octets as text: by `label`, or else by what the text `declared` of itself, or else by the profile.
pub(super) fn decode<'a>(
    octets: &'a [u8],
    label: Option<&[u8]>,
    declared: Option<&[u8]>,
    profile: &Profile,
) -> Result<Source<'a>, Reason> {
    let declared = declared.filter(|name| !is_refuted(octets, name, profile));
    match label.or(declared) {
        Some(label) => read_labelled(octets, label, profile),
        None if octets.is_ascii() && charset::has_iso_2022_escape(octets) => read_escaped(octets, "none", profile),
        None if octets.is_ascii() => source(Charset::US_ASCII, "", octets),
        None => read_unlabelled(octets, "", profile).unwrap_or(Err(Reason::Unlabelled)),
    }
}

/// Tells whether a text shows that it is not in the charset which it names itself: the name stands there in ASCII, which
/// it would not in UTF-16 (as browsers see it, too), or all of it is UTF-8, and not UTF-7.
fn is_refuted(octets: &[u8], name: &[u8], profile: &Profile) -> bool {
    let Some(charset) = profile.labels.find(name) else { return false };
    let is_utf_8 = || Charset::UTF_8.decode(octets).is_ok() && charset.decode(octets).is_err();
    let reads_its_name = || charset.decode(name).is_ok_and(|text| text.as_bytes() == name);
    !charset.is_ascii_compatible() && (!reads_its_name() || is_utf_8())
}

fn read_labelled<'a>(octets: &'a [u8], label: &[u8], profile: &Profile) -> Result<Source<'a>, Reason> {
    let name = String::from_utf8_lossy(label).trim().to_ascii_lowercase();
    let Some(charset) = profile.labels.find(label) else { return read_unknown(octets, label, &name, profile) };
    if charset == Charset::US_ASCII && octets.is_ascii() && charset::has_iso_2022_escape(octets) {
        return read_escaped(octets, &name, profile);
    }
    let meant = charset::meant(charset, octets);
    if meant != charset {
        return source(meant, &name, octets);
    }
    let fault = match charset.decode(octets) {
        // Where the charset stays, so does the order.
        Ok(text) if profile.charset != BodyCharset::Keep && charset::may_be_visual(charset, &text) => {
            return Err(Reason::VisualOrder);
        }
        Ok(text) => return Ok(Source { charset, from: name, text, lost: 0 }),
        Err(fault) => fault,
    };
    if charset.is_ascii_compatible()
        && let Some(read) = read_unlabelled(octets, &name, profile)
    {
        return read;
    }
    if profile.replaces() {
        let (text, lost) = charset.decode_lossy(octets);
        return Ok(Source { charset, from: name, text, lost });
    }
    Err(malformed(charset, fault))
}

/// Reads text under a label that no table knows.
fn read_unknown<'a>(octets: &'a [u8], label: &[u8], name: &str, profile: &Profile) -> Result<Source<'a>, Reason> {
    if charset::reads_as_ascii(label, octets) {
        return source(Charset::US_ASCII, name, octets);
    }
    if let Some(charset) = charset::escaped_under(label, octets) {
        return source(charset, name, octets);
    }
    let unknown = || Err(Reason::UnknownCharset(name.to_owned()));
    if octets.is_ascii() || charset::has_iso_2022_escape(octets) {
        return unknown();
    }
    read_unlabelled(octets, name, profile).unwrap_or_else(unknown)
}

/// Reads 8-bit text without a good label; none when no charset of the profile reads it. What is UTF-8 but for a few
/// octets is that, with faults.
fn read_unlabelled<'a>(octets: &'a [u8], label: &str, profile: &Profile) -> Option<Result<Source<'a>, Reason>> {
    if let Some(charset) = charset::guess(octets, &profile.unlabelled, &profile.labels) {
        return Some(source(charset, label, octets));
    }
    let fault = Charset::UTF_8.decode(octets).err().filter(|_| charset::is_damaged_utf_8(octets))?;
    if !profile.replaces() {
        return Some(Err(malformed(Charset::UTF_8, fault)));
    }
    let (text, lost) = Charset::UTF_8.decode_lossy(octets);
    Some(Ok(Source { charset: Charset::UTF_8, from: from(label, Charset::UTF_8, &text), text, lost }))
}

/// Reads octets in a charset that is not the one of the label.
fn source<'a>(charset: Charset, label: &str, octets: &'a [u8]) -> Result<Source<'a>, Reason> {
    let text = charset.decode(octets).map_err(|fault| malformed(charset, fault))?;
    Ok(Source { charset, from: from(label, charset, &text), text, lost: 0 })
}

/// Returns a label as reports show it, with the charset in parentheses that the text was read in.
fn from(label: &str, charset: Charset, text: &str) -> String {
    let label = if label.is_empty() { "none" } else { label };
    if text.is_ascii() || label == charset.name() { label.to_owned() } else { format!("{label}({})", charset.name()) }
}

fn malformed(charset: Charset, fault: charset::Malformed) -> Reason {
    Reason::Malformed { charset: charset.name().to_owned(), offset: fault.offset, rule: fault.rule }
}

/// Reads ASCII octets with sequences of ISO 2022 that no label explains: by the first of the profile's `unlabelled`
/// charsets that knows such sequences and reads them all, else as ISO-2022-JP if they are that.
fn read_escaped<'a>(octets: &'a [u8], label: &str, profile: &Profile) -> Result<Source<'a>, Reason> {
    let listed = profile.unlabelled.iter().filter_map(|label| profile.labels.find(label.as_bytes()));
    let reads = |charset: &Charset| charset.decode(octets).is_ok_and(|text| !text.is_ascii());
    let found = listed.filter(|charset| !charset.keeps_ascii()).find(reads);
    source(found.or_else(|| charset::escaped(octets)).ok_or(Reason::Unlabelled)?, label, octets)
}

/// Tells whether ASCII text under this label is read as that by every program: a well-known label of a charset
/// in which ASCII octets mean ASCII.
pub(super) fn is_plain(label: &[u8]) -> bool {
    let known = encoding_rs::Encoding::for_label(label);
    known.is_some_and(|known| known.is_ascii_compatible() && known != encoding_rs::X_USER_DEFINED)
}
