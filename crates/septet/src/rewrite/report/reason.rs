//! Why a place was left as it is.

use std::fmt;

use super::explanation::{Explanation, explained};
use super::safe::Safe;
use crate::message::irregular::{Form, Site};
use crate::message::{DefectKind, LimitReached, Protection};
use crate::rewrite::defect_action::DefectAction;
use crate::rewrite::dkim2::Dkim2Refusal;

/// Why a place was left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It is signed or encrypted, and a change would break that: how.
    Protected(Protection),
    /// A signature of DKIM, DKIM2 or ARC covers it.
    Dkim,
    /// A DKIM2-Signature covers it, and what would be written could not be undone: why.
    Dkim2(Dkim2Refusal),
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
    /// It may be in the first of these charsets, which a label names, or in the second.
    Ambiguous(String, String),
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
    /// What is left of it would be read in another way once the rest has changed, so that a second run would change
    /// more.
    Unstable,
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
    /// Somebody who was asked did not want the change.
    Declined,
    /// The result did not prove to be what was meant: a fault of septet's own, and what it was.
    Unproved(&'static str),
    /// A fault of septet's own stopped the planning: which.
    Internal(&'static str),
}

explained! { Reason:
    Reason::Protected(_) => "protected",
        "it is signed or encrypted (in brackets how: `signed`, `encrypted`, `smime`, `inline-pgp`), and a change would break that",
        "nothing is wrong; `signed = \"rewrite\"` converts it anyway, if the signatures are no longer needed";
    Reason::Dkim => "dkim",
        "a DKIM, DKIM2 or ARC signature covers it, and `dkim` says to keep that",
        "verify before septet, sign after it, `dkim = \"verified\"`";
    Reason::Dkim2(_) => "dkim2",
        "a DKIM2-Signature covers it, and a change could not be undone by who verifies it (in brackets why: `from`, `line-ends`, `header`, `size`, `length`, `malformed`, `mismatch`)",
        "`septet why 'dkim2(from)'` says what helps for each; `dkim2 = \"off\"` converts it, which breaks the signature";
    Reason::Attachment => "attachment",
        "it is a file (so is a patch by its type, text/x-diff or text/x-patch, even as the whole message), or a text with one in it (uuencode, yEnc, BinHex, a patch): its octets are kept",
        "`attachments = \"text\"` for attached texts";
    Reason::Unlabelled => "unlabelled",
        "8-bit text without a good label that is not valid UTF-8, or only partly; or ISO-2022-JP without a label",
        "`unlabelled = [\"utf-8\", \"windows-1252\"]`, by rule for the senders concerned; `septet advise` tries what fits an archive";
    Reason::UnknownCharset(_) => "unknown-charset",
        "the label is unknown, or names several charsets (`JISAutoDetect`), and the octets do not say what it means; over ASCII it could be something else",
        "`charset_alias = { \"label\" = \"charset\" }`; `septet advise` tries what fits an archive";
    Reason::Malformed { .. } => "malformed",
        "the octets are ill-formed in the charset that they name, from that offset on",
        "`on_loss = \"replace\"`, if U+FFFD is better than nothing; `septet advise` shows what else reads it";
    Reason::Ambiguous(..) => "ambiguous",
        "the text may be in the charset that a label names or in the other one, and nothing in the message says for sure which",
        "`charset_alias = { \"LABEL\" = \"CHARSET\" }` if the text has that label; if it has none, `unlabelled = [\"utf-8\", \"CHARSET\"]`, or with \"detect\" for any charset";
    Reason::VisualOrder => "visual-order",
        "Hebrew labelled iso-8859-8 that may be in visual order (RFC 1556), so that it would have to be reversed",
        "`charset_alias = { \"iso-8859-8\" = \"iso-8859-8-i\" }` for senders who write logical order";
    Reason::Refused { .. } => "refused",
        "the settings refuse a message with this defect; an archive keeps it as it is",
        "`keep` or `fix` for that defect in `[conformance]`, if such mail is wanted";
    Reason::Unfixed { .. } => "unfixed",
        "a defect could not be fixed, for the reason given beside it",
        "nothing is lost; `reject` for that defect in `[conformance]`, if such mail is not wanted";
    Reason::UnknownTransfer(_) => "unknown-transfer",
        "no standard has a transfer encoding of this name (RFC 2045 §6.1): some programs decode it if they know it (`x-uuencode`), others show the body as it stands, so no change of it would be right for both",
        "nothing to set; ask the sender for base64 or quoted-printable";
    Reason::Loss(_) => "loss",
        "the target charset has no way to write this character, or none that is read back as the same",
        "`charset = \"utf-8\"`, which has every character; or `on_loss = \"replace\"`, which writes an escape";
    Reason::Control => "control",
        "decoding it would put a line end, an octet 0 or a delimiter where there was none: some attacks do that, and some programs leave a line feed at the end of a name",
        "nothing to do: encoded as it is, it does no harm";
    Reason::LongLine => "long-line",
        "a line would become longer than 998 octets (RFC 5322 §2.1.1), and there is no place to fold it",
        "nothing to do: it passes unchanged";
    Reason::Stray => "stray",
        "non-ASCII octets in a place where no text is allowed: in an address, an identifier, between fields",
        "`addresses = \"rfc6857\"` writes such addresses in ASCII; other places stay, and pass over SMTPUTF8 as they are";
    Reason::BetweenParts => "between-parts",
        "non-ASCII octets before, between or after the parts, where no charset applies",
        "nothing to do: mail programs do not show them";
    Reason::Limit(_) => "limit",
        "it is beyond a limit of `[limits]`; what stands before it was converted",
        "raise the limit that is named; `limits.on_limit` says how such mail is handled";
    Reason::Irregular(_) => "irregular",
        "programs read this place differently, so a change that is right for one would be wrong for another; `septet why` says of the name in brackets who differs",
        "nothing to set: the place stays as it came, and all others are converted; `limits.on_irregular = \"reject\"` refuses mail whose parts are seen differently";
    Reason::Unstable => "unstable",
        "what must be left would be read in another way once the rest has changed, as where statistics were asked of all texts together and would be asked of the one that is left: so nothing is changed",
        "help for the other places that are left in it, as a `charset_alias` for an unknown label; then all of it is converted. `limits.on_irregular = \"reject\"` refuses such mail";
    Reason::Separator { .. } => "separator",
        "the named line may start another message, so it is uncertain where this one ends and which text its charset applies to",
        "look at that line: where a message begins there, put an empty line before it, and a date as in `From ann@example.org Mon Jan  1 00:00:00 2007`; where it is text, put `>` before it; then run the command again. If it names an option or a command, that one is for the whole file";
    Reason::Declined => "declined",
        "somebody who reviewed the archive did not want this change, or ended the review before it",
        "nothing to do; `septet review` asks again with another file of decisions, and `septet convert` without `--decisions` changes it";
    Reason::Unproved(_) => "unproved",
        "an internal error: the result failed septet's own check and was discarded",
        "**please report it**, with the message if you can";
    Reason::Internal(_) => "internal",
        "an internal error: the message could not be planned, and is unchanged",
        "**please report it**, with the message if you can";
    Reason::Compressed => "compressed",
        "a message of a Maildir that is compressed as a whole, which is not opened there",
        "unpack the files of the Maildir first; mailbox files and messages alone are read as they are";
    Reason::Miscounted => "miscounted",
        "a message of Apple Mail (.emlx) does not end where the first line of its file says, so where it ends is not sure",
        "export the message from Apple Mail anew (File, Save As, Raw Message Source), or copy it without its first line and the list at its end";
}

impl Reason {
    /// Returns `true` if it is septet's own fault and nothing in the mail: somebody should report it. No message may
    /// ever bring one about, whatever is in it.
    pub fn is_ours(&self) -> bool {
        matches!(self, Reason::Unproved(_) | Reason::Internal(_))
    }

    /// Returns `true` if an attacker may want just this outcome, so that an operator should see it and may refuse the
    /// message: a limit, a structure that readers see differently, or a text that reads otherwise once others are
    /// changed.
    pub fn is_suspicious(&self) -> bool {
        match self {
            Reason::Limit(_) | Reason::Unstable => true,
            // What is wrong with one field or body refuses no mail.
            Reason::Irregular(form) => form.row().site == Site::Structure,
            _ => false,
        }
    }

    /// Returns what is to be known of it, of this very case where a reason has several.
    #[doc(hidden)]
    pub fn particulars(&self) -> Explanation {
        match self {
            Reason::Dkim2(why) => why.explanation(),
            _ => self.explanation(),
        }
    }

    /// Returns the name under which metrics count it: its code, but for the structure of messages, of which an operator
    /// may want to be told.
    pub fn counted_as(&self) -> &'static str {
        match self {
            Reason::Irregular(form) if form.row().site == Site::Structure => "structure",
            _ => self.code(),
        }
    }
}

impl fmt::Display for Reason {
    /// Writes its code, and its particulars in brackets: [`EntryLine::reason_detail`](super::EntryLine::reason_detail)
    /// reads them back.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())?;
        match self {
            Reason::UnknownCharset(label) | Reason::UnknownTransfer(label) => write!(out, "({})", Safe(label)),
            Reason::Ambiguous(one, other) => write!(out, "({} or {})", Safe(one), Safe(other)),
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
            Reason::Dkim2(why) => write!(out, "({})", why.word()),
            Reason::Unproved(what) | Reason::Internal(what) => write!(out, "({what})"),
            _ => Ok(()),
        }
    }
}
