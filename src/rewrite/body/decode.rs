//! Reads a text in the charset that it is really in, as the judge says ([`crate::coding::evidence`]).

use std::borrow::Cow;

use crate::coding::charset::{self, Charset};
use crate::coding::evidence::{self, Because, Doubt, Witnesses};
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
    /// The witness that was followed.
    pub because: Because,
}

/// Reads octets as text: as the judge says of them under a label, which may be none.
pub(super) fn decode<'a>(
    octets: &'a [u8],
    label: Option<&[u8]>,
    witnesses: &Witnesses,
    profile: &Profile,
) -> Result<Source<'a>, Reason> {
    let named = label.or(witnesses.document).unwrap_or_default();
    let name = String::from_utf8_lossy(named).trim().to_ascii_lowercase();
    let read = match evidence::judge(octets, label, witnesses) {
        Ok(read) => read,
        Err(Doubt::Malformed(charset, _)) if profile.replaces() => {
            let (text, lost) = charset.decode_lossy(octets);
            let is_label = witnesses.labels.find(named) == Some(charset);
            let because = if is_label { Because::Label } else { Because::Octets };
            return Ok(Source { charset, from: from(&name, charset, &text, because), text, lost, because });
        }
        Err(doubt) => return Err(reason(doubt, &name)),
    };
    // Where the charset stays, so does the order.
    if profile.charset != BodyCharset::Keep && evidence::may_be_visual(read.charset, &read.text) {
        return Err(Reason::VisualOrder);
    }
    let from = from(&name, read.charset, &read.text, read.because);
    Ok(Source { charset: read.charset, from, text: read.text, lost: 0, because: read.because })
}

fn reason(doubt: Doubt, label: &str) -> Reason {
    match doubt {
        Doubt::UnknownLabel => Reason::UnknownCharset(label.to_owned()),
        Doubt::Unlabelled => Reason::Unlabelled,
        Doubt::Malformed(charset, fault) => malformed(charset, fault),
        Doubt::Ambiguous(charset) => Reason::Ambiguous(charset.name().to_owned()),
    }
}

/// Returns a label as reports show it, with the charset in parentheses that the text was read in, where another witness said
/// so.
fn from(label: &str, charset: Charset, text: &str, because: Because) -> String {
    let label = if label.is_empty() { "none" } else { label };
    let follows = text.is_ascii() || label == charset.name() || matches!(because, Because::Label | Because::Document);
    if follows { label.to_owned() } else { format!("{label}({})", charset.name()) }
}

fn malformed(charset: Charset, fault: charset::Malformed) -> Reason {
    Reason::Malformed { charset: charset.name().to_owned(), offset: fault.offset, rule: fault.rule }
}

/// Tells whether ASCII text under this label is read as that by every program: a well-known label of a charset
/// in which ASCII octets mean ASCII.
pub(super) fn is_plain(label: &[u8]) -> bool {
    let known = encoding_rs::Encoding::for_label(label);
    known.is_some_and(|known| known.is_ascii_compatible() && known != encoding_rs::X_USER_DEFINED)
}
