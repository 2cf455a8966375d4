//! Why a place was left as it is.

use std::fmt;

use super::safe::Safe;
use crate::message::irregular::{Form, Site};
use crate::message::{DefectKind, LimitReached, Protection};
use crate::rewrite::defect_action::DefectAction;

/// Why a place was left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It is signed or encrypted, and a change would break that: how.
    Protected(Protection),
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
    /// It may be in the charset of its label, which is this one, or in UTF-8.
    Ambiguous(String),
    /// Its Hebrew letters may stand in the order in which they are seen, from left to right (RFC 1556).
    VisualOrder,
    /// Its transfer encoding is unknown.
    UnknownTransfer(String),
    /// The target can't express this character, or not so that it is read back.
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
    /// It has 8-bit octets before, between or after the parts, where no label says what they are.
    BetweenParts,
    /// The settings refuse a message with this defect.
    Refused {
        /// Which.
        defect: DefectKind,
        /// How it is refused.
        treatment: DefectAction,
    },
    /// A defect that was to be fixed was not.
    Unfixed {
        /// Which.
        defect: DefectKind,
        /// Why.
        why: &'static str,
    },
    /// A whole archive is compressed, and was not opened.
    Compressed,
    /// Its file states how many octets the message has, and there it does not end.
    Miscounted,
    /// It has a form that readers of mail take differently, so that whatever is written would be right for some alone.
    Irregular(Form),
    /// Where it ends in its mailbox is not sure: this line of it, counted from 1, may start another message.
    Separator {
        /// Which.
        line: usize,
        /// What it says.
        text: String,
    },
    /// The result did not prove to be what was meant: a fault of septet's own, and what it was.
    Unproved(&'static str),
    /// A fault of septet's own stopped the planning: which.
    Internal(&'static str),
}

impl Reason {
    /// Returns `true` if it is septet's own fault and nothing in the mail: somebody should report it.
    pub fn is_ours(&self) -> bool {
        matches!(self, Reason::Unproved(_) | Reason::Internal(_))
    }

    /// Returns `true` if an attacker may want just this outcome, so that an operator should see it and may refuse the
    /// message: a limit, or a structure that readers see differently.
    pub fn is_suspicious(&self) -> bool {
        match self {
            Reason::Limit(_) => true,
            // What is wrong with one field or body refuses no mail.
            Reason::Irregular(form) => form.row().site == Site::Structure,
            _ => false,
        }
    }

    /// Returns the reason's stable name, without the particulars: what counters and metrics use.
    pub fn code(&self) -> &'static str {
        match self {
            Reason::Protected(_) => "protected",
            Reason::Dkim => "dkim",
            Reason::UnknownCharset(_) => "unknown-charset",
            Reason::Unlabelled => "unlabelled",
            Reason::Malformed { .. } => "malformed",
            Reason::Ambiguous(_) => "ambiguous",
            Reason::VisualOrder => "visual-order",
            Reason::UnknownTransfer(_) => "unknown-transfer",
            Reason::Loss(_) => "loss",
            Reason::Control => "control",
            Reason::LongLine => "long-line",
            Reason::Limit(_) => "limit",
            Reason::Attachment => "attachment",
            Reason::Stray => "stray",
            Reason::BetweenParts => "between-parts",
            Reason::Refused { .. } => "refused",
            Reason::Unfixed { .. } => "unfixed",
            Reason::Compressed => "compressed",
            Reason::Miscounted => "miscounted",
            Reason::Irregular(_) => "irregular",
            Reason::Separator { .. } => "separator",
            Reason::Unproved(_) => "unproved",
            Reason::Internal(_) => "internal",
        }
    }
}

impl Reason {
    /// Returns the name under which metrics count it: its code, but for the structure of messages, of which an operator may
    /// want to be told.
    pub fn counted_as(&self) -> &'static str {
        match self {
            Reason::Irregular(form) if form.row().site == Site::Structure => "structure",
            _ => self.code(),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())?;
        match self {
            Reason::UnknownCharset(label) | Reason::UnknownTransfer(label) => write!(out, "({})", Safe(label)),
            Reason::Ambiguous(charset) => write!(out, "({} or utf-8)", Safe(charset)),
            Reason::Malformed { charset, offset, rule } => write!(out, "({}, offset {offset}: {rule})", Safe(charset)),
            Reason::Separator { line, text } => {
                let words: Vec<String> = text.split_ascii_whitespace().take(8).map(|it| Safe(it).to_string()).collect();
                write!(out, "(line {line}: {})", words.join(" "))
            }
            Reason::Loss(character) => write!(out, "(U+{:04X})", u32::from(*character)),
            Reason::Limit(limit) => write!(out, "({limit})"),
            Reason::Irregular(form) => write!(out, "({})", form.code()),
            Reason::Refused { defect, .. } => write!(out, "({})", defect.name()),
            Reason::Unfixed { defect, why } => write!(out, "({}: {why})", defect.name()),
            Reason::Protected(how) => write!(out, "({})", how.name()),
            Reason::Unproved(what) | Reason::Internal(what) => write!(out, "({what})"),
            _ => Ok(()),
        }
    }
}
