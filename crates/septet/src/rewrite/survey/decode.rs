//! Reads a text in the charset that it is really in, as the judge says ([`crate::coding::evidence`]).

use std::borrow::Cow;

use super::body::Body;
use super::evidence::Evidence;
use super::form::TextForm;
use super::reading::decode_transfer;
use crate::coding::charset::{Charset, MalformedError};
use crate::coding::evidence::{self, Because, DecodeError, Origin, Reading, Witnesses};
use crate::message::Part;
use crate::rewrite::{BodyCharset, Profile, Reason};

/// A text and where it came from.
pub(crate) struct SourceText<'a> {
    /// The charset that it was read in.
    pub charset: Charset,
    /// What it was read from, as reports say it.
    pub from: Origin,
    /// The text.
    pub text: Cow<'a, str>,
    /// How many faults in it are U+FFFD now.
    pub lost: usize,
    /// Whether some of its lines were read in another charset.
    pub is_mixed: bool,
}

impl Body<'_> {
    /// Reads the text from its octets without their transfer encoding, as [`judge_text`](Self::judge_text) does; an
    /// error besides is Hebrew that may be in visual order. What is to be written goes through this; `judge_text` alone
    /// is for what is only read.
    pub fn read_text<'o>(&self, form: TextForm, octets: &'o [u8]) -> Result<SourceText<'o>, Reason> {
        let read = self.judge_text(form, octets)?;
        // Where the charset stays, so does the order; and nobody asks it of what can be read in part alone.
        let is_asked = self.profile.charset != BodyCharset::Keep && read.lost == 0;
        match is_asked && evidence::may_be_visual(read.charset, &read.text) {
            true => Err(Reason::VisualOrder),
            false => Ok(read),
        }
    }

    /// Reads the text from its octets without their transfer encoding: by its label, by what it says of itself and by
    /// what stands beside it, as [`decode`] does.
    fn judge_text<'o>(&self, form: TextForm, octets: &'o [u8]) -> Result<SourceText<'o>, Reason> {
        let declared = self.declared_in(form, octets);
        let document = declared.as_ref().map(|(label, because)| (&label[..], *because));
        decode(octets, self.label().as_deref(), &self.witnesses(document), self.profile)
    }

    /// Returns the witnesses of the text: what it says of itself (`document`), and what stands beside it. Of a body
    /// that [`Body::of`] made nothing stands beside it, so that only a label, the document and the settings count.
    pub fn witnesses<'w>(&'w self, document: Option<(&'w [u8], Because)>) -> Witnesses<'w> {
        Witnesses { document, in_transit: self.is_in_transit(), ..self.beside.witnesses(self.profile) }
    }
}

impl Evidence<'_, '_> {
    /// Reads the body of a part as text, whatever its type; Hebrew in the order in which it came. For reading alone:
    /// what is written goes through [`Body::read_text`]. Its limits are not asked.
    pub fn text_of(&self, part: &Part) -> Result<SourceText<'static>, Reason> {
        let body = self.body(part);
        let octets = decode_transfer(&body.transfer, body.raw)?.octets;
        let SourceText { charset, from, text, lost, is_mixed } =
            body.judge_text(body.kind.unwrap_or(TextForm::Other), &octets)?;
        Ok(SourceText { charset, from, text: Cow::Owned(text.into_owned()), lost, is_mixed })
    }
}

/// Reads octets as text: as the judge says of them under a label, which may be none. The error says why nobody can.
/// Where the profile replaces what can't be read in a body ([`Profile::replaces`]), octets that are ill-formed in their
/// charset become U+FFFD and are counted.
fn decode<'a>(
    octets: &'a [u8],
    label: Option<&[u8]>,
    witnesses: &Witnesses,
    profile: &Profile,
) -> Result<SourceText<'a>, Reason> {
    let named = label.or(witnesses.document.map(|(label, _)| label)).unwrap_or_default();
    let name = String::from_utf8_lossy(named).trim().to_ascii_lowercase();
    // A label that says that nobody knows the charset is believed, and nothing guessed.
    let is_unknown = profile.unknown_8bit && name == Charset::UNKNOWN_8BIT.name();
    let witnesses = &if is_unknown { witnesses.without_statistics() } else { *witnesses };
    let (read, lost) = match evidence::judge(octets, label, witnesses) {
        Ok(read) => (read, 0),
        Err(DecodeError::Malformed(charset, _)) if profile.replaces() => {
            let (text, lost) = charset.decode_lossy(octets);
            let is_label = witnesses.labels.find(named) == Some(charset);
            let because = if is_label { Because::Label } else { Because::Octets };
            (Reading { charset, text, because, second: None }, lost)
        }
        Err(doubt) => return Err(why_text_stays(doubt, &name)),
    };
    // A document that names its charset needs no other word for it.
    let is_document = label.is_none() && witnesses.document.is_some_and(|(_, because)| because == read.because);
    let from = match is_document {
        true => Origin { name, because: Some(read.because) },
        false => Origin::of(if name.is_empty() { "none" } else { &name }, &read),
    };
    Ok(SourceText { charset: read.charset, from, text: read.text, lost, is_mixed: read.second.is_some() })
}

/// Returns why a text stays of which the judge has a doubt; `label` is its charset as the message names it. Places
/// count in the octets without their transfer encoding.
fn why_text_stays(doubt: DecodeError, label: &str) -> Reason {
    match doubt {
        DecodeError::UnknownLabel => Reason::UnknownCharset(label.to_owned()),
        DecodeError::Unlabelled => Reason::Unlabelled,
        DecodeError::Malformed(charset, MalformedError { offset, rule }) => {
            Reason::Malformed { charset: charset.name().to_owned(), offset, rule }
        }
        DecodeError::Ambiguous(one, other) => Reason::Ambiguous(one.name().to_owned(), other.name().to_owned()),
    }
}
