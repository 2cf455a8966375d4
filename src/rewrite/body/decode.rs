//! Reads a text in the charset that it is really in.
//!
//! The label decides when its charset reads the octets without a fault. Two kinds of label are not taken at
//! their word: one that nobody knows, and one that the octets refute. Then UTF-8 is tried, then the profile's
//! `unlabelled` charsets, in order. What none of them reads stays as it is; nothing is guessed silently, for the
//! report names the label that was and the charset that it became.
//!
//! ASCII octets are no proof of ASCII text. Under an unknown label they are only where
//! [`charset::reads_as_ascii`] says so, and without a label an escape of ISO 2022 in them means a charset that nobody
//! named.

use std::borrow::Cow;

use crate::coding::charset::{self, Charset};
use crate::rewrite::{BodyCharset, OnLoss, Profile, Reason};

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
    match label.or(declared) {
        Some(label) => read_labelled(octets, label, profile),
        None if octets.is_ascii() && charset::has_iso_2022_escape(octets) => read_escaped(octets, "none", profile),
        None if octets.is_ascii() => source(Charset::US_ASCII, "", octets),
        None => read_unlabelled(octets, "", profile).unwrap_or(Err(Reason::Unlabelled)),
    }
}

fn read_labelled<'a>(octets: &'a [u8], label: &[u8], profile: &Profile) -> Result<Source<'a>, Reason> {
    let name = String::from_utf8_lossy(label).trim().to_ascii_lowercase();
    let Some(charset) = profile.labels.find(label) else {
        if charset::reads_as_ascii(label, octets) {
            return source(Charset::US_ASCII, &name, octets);
        }
        if octets.is_ascii() || charset::has_iso_2022_escape(octets) {
            return Err(Reason::UnknownCharset(name));
        }
        return read_unlabelled(octets, &name, profile).unwrap_or(Err(Reason::UnknownCharset(name)));
    };
    if charset::is_mislabelled_utf_8(charset, octets) {
        return source(Charset::UTF_8, &name, octets);
    }
    if charset == Charset::US_ASCII && octets.is_ascii() && charset::has_iso_2022_escape(octets) {
        return read_escaped(octets, &name, profile);
    }
    let fault = match charset.decode(octets) {
        Ok(text) => return Ok(Source { charset, from: name, text, lost: 0 }),
        Err(fault) => fault,
    };
    if charset.is_ascii_compatible()
        && let Some(read) = read_unlabelled(octets, &name, profile)
    {
        return read;
    }
    if profile.on_loss == OnLoss::Replace && profile.charset != BodyCharset::Keep {
        let (text, lost) = charset.decode_lossy(octets);
        return Ok(Source { charset, from: name, text, lost });
    }
    Err(Reason::Malformed { charset: charset.name().to_owned(), offset: fault.offset, rule: fault.rule })
}

/// Reads 8-bit text without a good label; none when no charset of the profile reads it.
fn read_unlabelled<'a>(octets: &'a [u8], label: &str, profile: &Profile) -> Option<Result<Source<'a>, Reason>> {
    let charset = charset::guess(octets, &profile.unlabelled, &profile.labels)?;
    Some(source(charset, label, octets))
}

/// Reads octets in a charset that is not the one of the label.
fn source<'a>(charset: Charset, label: &str, octets: &'a [u8]) -> Result<Source<'a>, Reason> {
    let fault = |fault: charset::Malformed| Reason::Malformed {
        charset: charset.name().to_owned(),
        offset: fault.offset,
        rule: fault.rule,
    };
    let text = charset.decode(octets).map_err(fault)?;
    let label = if label.is_empty() { "none" } else { label };
    let from = if octets.is_ascii() { label.to_owned() } else { format!("{label}({})", charset.name()) };
    Ok(Source { charset, from, text, lost: 0 })
}

/// Reads ASCII octets with escapes of ISO 2022 that no label explains, by the first of the profile's `unlabelled`
/// charsets that knows such escapes and reads them all.
fn read_escaped<'a>(octets: &'a [u8], label: &str, profile: &Profile) -> Result<Source<'a>, Reason> {
    let listed = profile.unlabelled.iter().filter_map(|label| profile.labels.find(label.as_bytes()));
    let read = listed.filter(|charset| !charset.keeps_ascii()).find_map(|charset| {
        let text = charset.decode(octets).ok().filter(|text| !text.is_ascii())?;
        Some(Source { charset, from: format!("{label}({})", charset.name()), text, lost: 0 })
    });
    read.ok_or(Reason::Unlabelled)
}

/// Tells whether ASCII text under this label is read as that by every program: a well-known label of a charset
/// in which ASCII octets mean ASCII.
pub(super) fn is_plain(label: &[u8]) -> bool {
    let known = encoding_rs::Encoding::for_label(label);
    known.is_some_and(|known| known.is_ascii_compatible() && known != encoding_rs::X_USER_DEFINED)
}
