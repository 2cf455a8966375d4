//! What was done to a message and what was left, and why: one entry has one stable line of text.
//!
//! The same line is the log line, the line of `septet explain` and the golden file of the tests:
//!
//! ```text
//! part=1.2 body charset=utf-7>utf-8 transfer=7bit>quoted-printable
//! field=Subject word=iso-2022-jp>utf-8
//! part=1.1 body left=signed
//! ```
//!
//! A line holds printable ASCII alone: what comes from the mail (labels, names) is cut to 40 characters and
//! anything else in it becomes `?`, so that a report can't be forged by a message.

use std::borrow::Cow;
use std::fmt;

use super::treatment::Treatment;
use crate::message::{DefectKind, LimitReached, PartNumber};

/// Everything that was decided about one message, in the message's order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// The decisions; empty when there was nothing to decide.
    pub entries: Vec<Entry>,
}

impl Report {
    /// Makes the report of a message that stays whole, for one reason.
    ///
    /// ```
    /// use septet::rewrite::{Reason, Report};
    ///
    /// assert_eq!(Report::whole(Reason::Unlabelled).to_string(), "message left=unlabelled");
    /// ```
    pub fn whole(reason: Reason) -> Report {
        Report {
            entries: vec![Entry { part: PartNumber::root(), place: Place::Message, outcome: Outcome::Left(reason) }],
        }
    }

    /// Adds an entry.
    pub fn push(&mut self, part: PartNumber, place: Place, outcome: Outcome) {
        self.entries.push(Entry { part, place, outcome });
    }

    /// Tells whether anything was changed.
    pub fn changes(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry.outcome, Outcome::Done(_)))
    }

    /// Tells whether something that should have been changed was left.
    pub fn leaves(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry.outcome, Outcome::Left(_)))
    }

    /// Sums the report up in one word: `changed`, `left` or `unchanged`.
    pub fn result(&self) -> &'static str {
        match (self.changes(), self.leaves()) {
            (true, _) => "changed",
            (false, true) => "left",
            (false, false) => "unchanged",
        }
    }
}

impl fmt::Display for Report {
    /// Writes the entries on one line, `; ` between them.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, entry) in self.entries.iter().enumerate() {
            let between = if i == 0 { "" } else { "; " };
            write!(out, "{between}{entry}")?;
        }
        Ok(())
    }
}

/// One decision: where, and what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The part it concerns; 1 is the message itself.
    pub part: PartNumber,
    /// The place in that part.
    pub place: Place,
    /// What was done, or why not.
    pub outcome: Outcome,
}

impl fmt::Display for Entry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Field(name) if self.part.is_root() => write!(out, "field={}", Safe(name))?,
            Place::Field(name) => write!(out, "part={} field={}", self.part, Safe(name))?,
            Place::Body => write!(out, "part={} body", self.part)?,
            Place::Message => write!(out, "message")?,
        }
        match &self.outcome {
            Outcome::Left(reason) => write!(out, " left={reason}"),
            Outcome::Noted(note) => write!(out, " note={note}"),
            Outcome::Done(changes) => changes.iter().try_for_each(|change| write!(out, " {change}")),
        }
    }
}

/// The place in a part that an entry concerns.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Place {
    /// The message as a whole.
    Message,
    /// A header field, by its name as the message writes it.
    Field(String),
    /// The part's body.
    Body,
}

/// What became of a place.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// It was changed, in these ways.
    Done(Vec<Change>),
    /// It should have been changed, and was not.
    Left(Reason),
    /// Nothing was to be done, but a reader wants to know this.
    Noted(Note),
}

/// One way in which a place was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Change {
    /// A body's charset.
    Charset { from: String, to: String },
    /// A body's transfer encoding.
    Transfer { from: String, to: String },
    /// Encoded-words or raw 8-bit of a field: `from` and `to` are charsets, `8bit`, `raw` or an escape form.
    Word { from: String, to: String },
    /// A parameter's value (RFC 2231), with the parameter's name.
    Parameter { name: String, from: String, to: String },
    /// A label made true to the body, which itself stayed: `charset` or `transfer`.
    Label { what: &'static str, from: String, to: String },
    /// An address or a clause of a trace that no encoded-word can say: `from` is `utf-8` or `8bit`, `to` the form that it
    /// has now, `rfc6857`, `rfc6858`, `xtext` or `comment`.
    Address { from: &'static str, to: &'static str },
    /// The domain of an address in its ASCII form.
    Domain,
    /// Links rewritten: how many.
    Iris { count: usize },
    /// Escapes expanded: how many.
    Unescaped { count: usize },
    /// A charset declaration inside HTML or XML made true to the body.
    Meta { from: String, to: String },
    /// A field that was added, by name.
    Added { field: Cow<'static, str> },
    /// A field that was taken out, by name: it counts or sums up octets that changed, or it was moved to another.
    Removed { field: Cow<'static, str> },
    /// Faults and characters that were replaced, by U+FFFD or escapes (`on_loss`): how many.
    Replaced { count: usize },
    /// A form that no standard knows was repaired: which.
    Repaired { what: &'static str },
    /// Characters of which the closest letters of ASCII were written, which is a loss: how many.
    Transliterated { count: usize },
    /// A defect that has a name was mended: which.
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
            Change::Charset { from, to } => write!(out, "charset={}>{to}", Safe(from)),
            Change::Transfer { from, to } => write!(out, "transfer={}>{to}", Safe(from)),
            Change::Word { from, to } => write!(out, "word={}>{to}", Safe(from)),
            Change::Parameter { name, from, to } => write!(out, "parameter={}:{}>{to}", Safe(name), Safe(from)),
            Change::Label { what, from, to } => write!(out, "label={what}:{}>{to}", Safe(from)),
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

/// Why a place was left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It lies in a multipart/signed, and a change would break the signature.
    Signed,
    /// It lies in a multipart/encrypted.
    Encrypted,
    /// It is an S/MIME object (application/pkcs7-mime).
    SMime,
    /// It holds an inline PGP message or signature.
    InlinePgp,
    /// A DKIM-Signature covers it.
    Dkim,
    /// No coder knows the charset's label.
    UnknownCharset(String),
    /// It has 8-bit octets, no good label, and none of the `unlabelled` charsets fits.
    Unlabelled,
    /// It is ill-formed in the charset that it names, `offset` octets into the decoded text.
    Malformed {
        /// The charset's name.
        charset: String,
        /// Octets from the start of the text.
        offset: usize,
        /// The rule that it breaks.
        rule: &'static str,
    },
    /// Its Hebrew letters may stand in the order in which they are seen, from left to right (RFC 1556).
    VisualOrder,
    /// Its transfer encoding is unknown.
    UnknownTransfer(String),
    /// Its transfer encoding is damaged beyond what can be decoded without loss.
    DamagedTransfer(&'static str),
    /// The target can't express this character.
    Loss(char),
    /// Decoding it would set free a CR, LF, NUL or boundary.
    Control,
    /// A line would be over 998 octets, and nothing allows to fold it.
    LongLine,
    /// It is beyond a limit.
    Limit(LimitReached),
    /// It is a file, whose octets are kept (`attachments = "keep"`).
    Attachment,
    /// It has 8-bit octets where its grammar has no text: in an address, an identifier, a boundary.
    Stray,
    /// A quote or parenthesis opens in it and never closes, so that readers part it differently.
    Unclosed,
    /// A parameter can't be read as one value: why.
    Parameter(&'static str),
    /// It has 8-bit octets before, between or after the parts, where no label says what they are.
    BetweenParts,
    /// It is made of parts, or is a message, and may not have a transfer encoding of its own (RFC 2045 §6.4).
    EncodedComposite,
    /// Two fields say different things of it, or a field says nothing that can be understood: which.
    Contradiction(&'static str),
    /// Readers end the header at different places: why.
    HeaderEnd(&'static str),
    /// Its charset can't be written so that it reads back as the same text.
    OneWay,
    /// The settings refuse a message with this defect.
    Refused {
        /// Which.
        defect: DefectKind,
        /// How it is refused.
        treatment: Treatment,
    },
    /// A defect that was to be mended was not.
    Unfixed {
        /// Which.
        defect: DefectKind,
        /// Why.
        why: &'static str,
    },
    /// A whole archive is compressed, and was not opened.
    Compressed,
    /// Independent readers see different things in the message as it came: which.
    Disputed(&'static str),
    /// The result did not prove to be what was meant: a fault of septet's own, and what it was.
    Unproved(&'static str),
    /// A fault of septet's own stopped the planning: which.
    Internal(&'static str),
}

impl Reason {
    /// Whether it is septet's own fault and nothing in the mail: somebody should report it.
    pub fn is_ours(&self) -> bool {
        matches!(self, Reason::Unproved(_) | Reason::Internal(_))
    }

    /// Whether an attacker may want just this outcome, so that an operator should see it and may refuse the message.
    pub fn is_suspicious(&self) -> bool {
        matches!(self, Reason::Limit(_) | Reason::Disputed(_))
    }
}

impl Reason {
    /// Returns the reason's stable name, without the particulars: what counters and metrics use.
    pub fn code(&self) -> &'static str {
        match self {
            Reason::Signed => "signed",
            Reason::Encrypted => "encrypted",
            Reason::SMime => "smime",
            Reason::InlinePgp => "inline-pgp",
            Reason::Dkim => "dkim",
            Reason::UnknownCharset(_) => "unknown-charset",
            Reason::Unlabelled => "unlabelled",
            Reason::Malformed { .. } => "malformed",
            Reason::VisualOrder => "visual-order",
            Reason::UnknownTransfer(_) => "unknown-transfer",
            Reason::DamagedTransfer(_) => "damaged-transfer",
            Reason::Loss(_) => "loss",
            Reason::Control => "control",
            Reason::LongLine => "long-line",
            Reason::Limit(_) => "limit",
            Reason::Attachment => "attachment",
            Reason::Stray => "stray",
            Reason::Unclosed => "unclosed",
            Reason::Parameter(_) => "parameter",
            Reason::BetweenParts => "between-parts",
            Reason::EncodedComposite => "encoded-composite",
            Reason::Contradiction(_) => "contradiction",
            Reason::HeaderEnd(_) => "header-end",
            Reason::OneWay => "one-way",
            Reason::Refused { .. } => "refused",
            Reason::Unfixed { .. } => "unfixed",
            Reason::Compressed => "compressed",
            Reason::Disputed(_) => "disputed",
            Reason::Unproved(_) => "unproved",
            Reason::Internal(_) => "internal",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())?;
        match self {
            Reason::UnknownCharset(label) | Reason::UnknownTransfer(label) => write!(out, "({})", Safe(label)),
            Reason::Malformed { charset, offset, rule } => write!(out, "({}, offset {offset}: {rule})", Safe(charset)),
            Reason::Loss(character) => write!(out, "(U+{:04X})", u32::from(*character)),
            Reason::Limit(limit) => write!(out, "({limit})"),
            Reason::Refused { defect, .. } => write!(out, "({})", defect.name()),
            Reason::Unfixed { defect, why } => write!(out, "({}: {why})", defect.name()),
            Reason::DamagedTransfer(what)
            | Reason::Parameter(what)
            | Reason::Contradiction(what)
            | Reason::HeaderEnd(what)
            | Reason::Disputed(what)
            | Reason::Unproved(what)
            | Reason::Internal(what) => write!(out, "({what})"),
            _ => Ok(()),
        }
    }
}

/// Something that was not changed and is no fault of ours, but that a reader wants to know.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// The text was written in UTF-7, which hides it from scanners.
    Utf7,
    /// UTF-7 text has `~` or `\` unshifted, which RFC 2152 does not allow and every mailer writes.
    Utf7Tolerated,
    /// A text declared this charset of itself where the header named another, which was believed.
    Meta(String),
    /// A link's host mixes scripts or looks like another.
    Homograph(String),
    /// A text has a character that turns its direction, and no need for it.
    Bidi(char),
    /// A word has a character in it that nobody sees.
    Invisible(char),
    /// The name of an address is itself an address, of another domain.
    AddressInName(String),
    /// A link could not be rewritten: why.
    Link(&'static str),
}

impl Note {
    /// Whether somebody may have written it to deceive a reader.
    pub fn is_deceptive(&self) -> bool {
        matches!(self, Note::Bidi(_) | Note::Invisible(_) | Note::AddressInName(_) | Note::Homograph(_))
    }

    /// Returns the note's stable name, without the particulars: what counters and metrics use.
    pub fn code(&self) -> &'static str {
        match self {
            Note::Utf7 => "utf-7",
            Note::Utf7Tolerated => "utf-7-tolerated",
            Note::Meta(_) => "meta",
            Note::Homograph(_) => "homograph",
            Note::Bidi(_) => "bidi",
            Note::Invisible(_) => "invisible",
            Note::AddressInName(_) => "address-in-name",
            Note::Link(_) => "link",
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Utf7 => write!(out, "utf-7"),
            Note::Utf7Tolerated => write!(out, "utf-7-tolerated"),
            Note::Meta(name) => write!(out, "meta({})", Safe(name)),
            Note::Bidi(character) => write!(out, "bidi(U+{:04X})", u32::from(*character)),
            Note::Invisible(character) => write!(out, "invisible(U+{:04X})", u32::from(*character)),
            Note::AddressInName(address) => write!(out, "address-in-name({})", Safe(address)),
            Note::Homograph(host) => write!(out, "homograph({})", Safe(host)),
            Note::Link(why) => write!(out, "link({why})"),
        }
    }
}

/// Text from a message made safe for one line of a log.
pub struct Safe<'a>(pub &'a str);

impl fmt::Display for Safe<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return out.write_str("none");
        }
        for character in self.0.chars().take(40) {
            let safe = character.is_ascii_graphic() && !matches!(character, ';' | '"');
            write!(out, "{}", if safe { character } else { '?' })?;
        }
        Ok(())
    }
}
