//! What was done to a place.

use std::borrow::Cow;
use std::fmt;

use super::explanation::{Explanation, explained};
use super::safe::Safe;
use crate::coding::charset::Charset;
use crate::coding::evidence::Origin;
use crate::coding::transfer::TransferEncoding;
use crate::message::DefectKind;
use crate::rewrite::dkim2::instance::DRAFT;

/// One way in which a place was changed. Each has a word that reports, counters and documents go by, and that stays.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Change {
    /// A body's charset.
    Charset { from: Origin, to: Charset },
    /// A body's transfer encoding.
    Transfer { from: TransferEncoding, to: TransferEncoding },
    /// Encoded-words or raw 8-bit of a field: `from` and `to` are charsets, `8bit`, `raw` or an escape form.
    Word { from: Origin, to: String },
    /// A parameter's value (RFC 2231), with the parameter's name.
    Parameter { name: String, from: Origin, to: String },
    /// A label made true to the body, which itself stayed.
    Label { what: BodyLabel, from: Origin, to: String },
    /// An address or a clause of a trace that no encoded-word can say: `from` is `utf-8`, `8bit`, or the type `rfc822`,
    /// which no such address has; `to` is the form that it has now, `rfc6857`, `rfc6858`, `xtext` or `comment`.
    Address { from: &'static str, to: &'static str },
    /// The domain of an address in its ASCII form.
    Domain,
    /// Links rewritten: how many.
    Iris { count: usize },
    /// Escapes expanded: how many.
    Unescaped { count: usize },
    /// Charset declarations inside HTML, XML or CSS made true to the body: `from` is what the first one named.
    Meta { from: String, to: Charset },
    /// A field that was added, by name.
    Added { field: Cow<'static, str> },
    /// A field that was taken out, by name: it counts or sums up octets that changed, or it was moved to another.
    Removed { field: Cow<'static, str> },
    /// Faults and characters that were replaced, by U+FFFD or escapes (`on_loss`): how many.
    Replaced { count: usize },
    /// Something that was badly written was repaired: what, in the word that reports have for it.
    Repaired { what: &'static str },
    /// The language tag of words or of a parameter that were written without one: which.
    Untagged { language: String },
    /// Characters of which the closest letters of ASCII were written, which is a loss: how many.
    Transliterated { count: usize },
    /// A defect that has a name was fixed: which.
    Fixed { defect: DefectKind },
    /// A Message-Instance was added, by which DKIM2 can undo all of it: its number, and its octets.
    Instance { number: usize, octets: usize },
}

/// A label of a body, as the header says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BodyLabel {
    /// The charset of its Content-Type.
    Charset,
    /// Its Content-Transfer-Encoding.
    Transfer,
    /// The media type of its Content-Type.
    Type,
}

impl fmt::Display for BodyLabel {
    /// Writes the word that reports have for it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            BodyLabel::Charset => "charset",
            BodyLabel::Transfer => "transfer",
            BodyLabel::Type => "type",
        })
    }
}

explained! { Change:
    Change::Charset { .. } => "charset",
        "a text body is written in another charset; in parentheses what it really was, and `because=` who said so",
        "`charset`; `unlabelled` and `charset_alias` say how it is read";
    Change::Transfer { .. } => "transfer",
        "a body has another transfer encoding",
        "`transfer`";
    Change::Word { .. } => "word",
        "text of a header field is written in another charset, in parentheses what it really was (`because=` says who said so), or raw 8-bit became \
         encoded-words (RFC 2047)",
        "`headers`";
    Change::Parameter { .. } => "parameter",
        "the value of a parameter, as a file's name, is written as RFC 2231 asks; in parentheses what it really was, and `because=` who said so",
        "`headers`";
    Change::Label { .. } => "label",
        "a label was made true to the body, which itself stayed",
        "`charset`, `transfer`";
    Change::Address { .. } => "address",
        "an address, or a clause of a Received, was written in ASCII: what only SMTPUTF8 can carry",
        "`addresses`";
    Change::Domain => "domain",
        "a domain of an address is written `xn--…`: the same domain",
        "`headers`";
    Change::Iris { .. } => "iris",
        "links were written so that every program can follow them: how many",
        "`iris`, `iri_host`";
    Change::Unescaped { .. } => "unescaped",
        "escapes became the characters that they mean: how many",
        "`unescape`";
    Change::Meta { .. } => "meta",
        "what a text declares of itself (HTML, XML, CSS) was made true to its octets",
        "`charset`";
    Change::Added { .. } => "added",
        "a field was added, which the change needs",
        "what the change beside it depends on";
    Change::Removed { .. } => "removed",
        "a field was taken out: it counted or summed up octets that changed, or it was moved",
        "what the change beside it depends on";
    Change::Replaced { .. } => "replaced",
        "what could not be read or written became U+FFFD or an escape: how many times",
        "`on_loss`";
    Change::Repaired { .. } => "repaired",
        "a form that breaks a rule was written as the standard has it",
        "`repair`";
    Change::Untagged { .. } => "untagged",
        "a word or a parameter was written without the language tag that it had: many mail programs can't read a word with one",
        "`headers`; what needs no change keeps its tag";
    Change::Transliterated { .. } => "transliterated",
        "the closest letters of ASCII stand for characters, which is a loss: for how many",
        "`escape`, `language`";
    Change::Fixed { .. } => "fixed",
        "a defect that has a name was fixed: which",
        "`[conformance]`";
    Change::Instance { .. } => "dkim2",
        "a Message-Instance was added, by which a verifier of DKIM2 can undo the changes: by which draft of the standard, its number, and its octets",
        "`dkim2`, `dkim2_field`";
}

impl Change {
    /// What is reported of a text whose second encoding is undone. Of a field that reports it the writer does not note
    /// that it is encoded twice (`Writer::note_deceptions`).
    pub(in crate::rewrite) const UNDOUBLED: Change = Change::Repaired { what: "double-encoded" };

    /// Returns the change of a body's label from one transfer encoding to another.
    pub(in crate::rewrite) fn transfer_label(from: &TransferEncoding, to: &TransferEncoding) -> Change {
        Change::Label { what: BodyLabel::Transfer, from: Origin::label(from.name()), to: to.name().to_owned() }
    }
}

impl fmt::Display for Change {
    /// Writes its code, `=`, and its particulars: [`change_code`](super::change_code) reads the code back.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}=", self.code())?;
        match self {
            Change::Charset { from, to } => write!(out, "{}>{to}{}", Safe(&from.name), overruled(from)),
            Change::Word { from, to } => write!(out, "{}>{to}{}", Safe(&from.name), overruled(from)),
            Change::Parameter { name, from, to } => {
                write!(out, "{}:{}>{to}{}", Safe(name), Safe(&from.name), overruled(from))
            }
            Change::Label { what, from, to } => write!(out, "{what}:{}>{to}{}", Safe(&from.name), overruled(from)),
            Change::Transfer { from, to } => write!(out, "{}>{}", Safe(from.name()), to.name()),
            Change::Meta { from, to } => write!(out, "{}>{to}", Safe(from)),
            Change::Address { from, to } => write!(out, "{from}>{to}"),
            Change::Domain => write!(out, "u-label>a-label"),
            Change::Iris { count }
            | Change::Unescaped { count }
            | Change::Replaced { count }
            | Change::Transliterated { count } => write!(out, "{count}"),
            Change::Untagged { language } => write!(out, "{}", Safe(language)),
            Change::Added { field } | Change::Removed { field } => write!(out, "{}", Safe(field)),
            Change::Repaired { what } => write!(out, "{what}"),
            Change::Instance { number, octets } => write!(out, "instance({DRAFT}) m={number} octets={octets}"),
            Change::Fixed { defect } => write!(out, "{}", defect.name()),
        }
    }
}

/// Returns the witness that was followed in place of a label, as a clause of its own, with the blank before it; nothing
/// where none was.
fn overruled(from: &Origin) -> String {
    from.because.map_or_else(String::new, |because| format!(" because={because}"))
}

/// Splits what a change came from, as a report writes it (`none(windows-1252)`), into its label and the charset that it
/// really was, which has no bracket in it; none where the report names no other. It undoes what `Origin::of` and
/// `Origin::raw` write, and must know their form.
pub fn label_and_charset(from: &str) -> (&str, Option<&str>) {
    match from.strip_suffix(')').and_then(|from| from.rsplit_once('(')) {
        Some((label, charset)) => (label, Some(charset)),
        None => (from, None),
    }
}
