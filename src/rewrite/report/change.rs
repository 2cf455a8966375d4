//! What was done to a place.

use std::borrow::Cow;
use std::fmt;

use super::safe::Safe;
use crate::coding::evidence::Origin;
use crate::message::DefectKind;

/// One way in which a place was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Change {
    /// A body's charset.
    Charset { from: Origin, to: String },
    /// A body's transfer encoding.
    Transfer { from: String, to: String },
    /// Encoded-words or raw 8-bit of a field: `from` and `to` are charsets, `8bit`, `raw` or an escape form.
    Word { from: Origin, to: String },
    /// A parameter's value (RFC 2231), with the parameter's name.
    Parameter { name: String, from: Origin, to: String },
    /// A label made true to the body, which itself stayed: `charset`, `transfer` or `type`.
    Label { what: &'static str, from: Origin, to: String },
    /// An address or a clause of a trace that no encoded-word can say: `from` is `utf-8` or `8bit`, `to` the form that it
    /// has now, `rfc6857`, `rfc6858`, `xtext` or `comment`.
    Address { from: &'static str, to: &'static str },
    /// The domain of an address in its ASCII form.
    Domain,
    /// Links rewritten: how many.
    Iris { count: usize },
    /// Escapes expanded: how many.
    Unescaped { count: usize },
    /// Charset declarations inside HTML, XML or CSS made true to the body: `from` is what the first one named.
    Meta { from: String, to: String },
    /// A field that was added, by name.
    Added { field: Cow<'static, str> },
    /// A field that was taken out, by name: it counts or sums up octets that changed, or it was moved to another.
    Removed { field: Cow<'static, str> },
    /// Faults and characters that were replaced, by U+FFFD or escapes (`on_loss`): how many.
    Replaced { count: usize },
    /// Something that was badly written was repaired: what.
    Repaired { what: &'static str },
    /// Characters of which the closest letters of ASCII were written, which is a loss: how many.
    Transliterated { count: usize },
    /// A defect that has a name was fixed: which.
    Fixed { defect: DefectKind },
}

impl Change {
    /// Returns the kind's stable name, without the particulars: what counters and metrics use.
    pub fn code(&self) -> &'static str {
        match self {
            Change::Charset { .. } => "charset",
            Change::Transfer { .. } => "transfer",
            Change::Word { .. } => "word",
            Change::Parameter { .. } => "parameter",
            Change::Label { .. } => "label",
            Change::Address { .. } => "address",
            Change::Domain => "domain",
            Change::Iris { .. } => "iris",
            Change::Unescaped { .. } => "unescaped",
            Change::Meta { .. } => "meta",
            Change::Added { .. } => "added",
            Change::Removed { .. } => "removed",
            Change::Replaced { .. } => "replaced",
            Change::Repaired { .. } => "repaired",
            Change::Transliterated { .. } => "transliterated",
            Change::Fixed { .. } => "fixed",
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Charset { from, to } => write!(out, "charset={}>{to}{}", Safe(&from.name), Overruled(from)),
            Change::Transfer { from, to } => write!(out, "transfer={}>{to}", Safe(from)),
            Change::Word { from, to } => write!(out, "word={}>{to}{}", Safe(&from.name), Overruled(from)),
            Change::Parameter { name, from, to } => {
                write!(out, "parameter={}:{}>{to}{}", Safe(name), Safe(&from.name), Overruled(from))
            }
            Change::Label { what, from, to } => {
                write!(out, "label={what}:{}>{to}{}", Safe(&from.name), Overruled(from))
            }
            Change::Address { from, to } => write!(out, "address={from}>{to}"),
            Change::Domain => write!(out, "domain=u-label>a-label"),
            Change::Iris { count } => write!(out, "iris={count}"),
            Change::Unescaped { count } => write!(out, "unescaped={count}"),
            Change::Meta { from, to } => write!(out, "meta={}>{to}", Safe(from)),
            Change::Added { field } => write!(out, "added={}", Safe(field)),
            Change::Removed { field } => write!(out, "removed={}", Safe(field)),
            Change::Replaced { count } => write!(out, "replaced={count}"),
            Change::Repaired { what } => write!(out, "repaired={what}"),
            Change::Transliterated { count } => write!(out, "transliterated={count}"),
            Change::Fixed { defect } => write!(out, "fixed={}", defect.name()),
        }
    }
}

/// The witness that was followed in place of a label, as a clause of its own.
struct Overruled<'o>(&'o Origin);

impl fmt::Display for Overruled<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.because {
            Some(because) => write!(out, " because={because}"),
            None => Ok(()),
        }
    }
}

/// Splits what a change came from, as a report writes it, into its label and the charset that it really was, if that is
/// another: `none(windows-1252)`.
pub fn label_and_charset(from: &str) -> (&str, Option<&str>) {
    match from.strip_suffix(')').and_then(|from| from.split_once('(')) {
        Some((label, charset)) => (label, Some(charset)),
        None => (from, None),
    }
}
