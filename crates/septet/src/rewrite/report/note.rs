//! What a reader wants to know, though nothing was to be done.

use std::fmt;

use super::explanation::{Explanation, explained};
use super::safe::Safe;

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
    /// A text is UTF-8 that was encoded twice before it came here.
    DoubleEncoded,
    /// A link's host mixes scripts or looks like another.
    Homograph(String),
    /// A text has a character that turns its direction, and no need for it, or that cuts a link in it.
    Bidi(char),
    /// A word has a character in it that nobody sees.
    Invisible(char),
    /// The name of an address is itself an address, of another domain.
    AddressInName(String),
    /// The changes break the signatures of a kind that the message came with: `dkim` or `dkim2`.
    Breaks(&'static str),
    /// A link could not be rewritten, or its scheme is disguised: why, or how.
    Link(&'static str),
}

impl Note {
    /// Returns `true` if somebody may have written what it notes to deceive a reader: a daemon's digest names these
    /// before other notes.
    pub fn is_deceptive(&self) -> bool {
        matches!(self, Note::Bidi(_) | Note::Invisible(_) | Note::AddressInName(_) | Note::Homograph(_))
    }
}

explained! { Note:
    Note::Utf7 => "utf-7",
        "the text was written in UTF-7, which hides it from scanners",
        "scan after septet, which decodes it";
    Note::Utf7Tolerated => "utf-7-tolerated",
        "UTF-7 text has `~` or `\\` unshifted, which RFC 2152 does not allow and every mailer writes",
        "nothing is to be done";
    Note::Meta(_) => "meta",
        "a text declared this charset of itself where the header named another, which was believed",
        "nothing is to be done; look at the text if it reads wrong";
    Note::DoubleEncoded => "double-encoded",
        "a text, or some of its lines, was taken for another charset and encoded once more before it came here (`Ã¼` for `ü`, a control character for `’`)",
        "`double_encoded = \"fix\"` undoes it where bodies become UTF-8, and fields too";
    Note::Homograph(_) => "homograph",
        "a host mixes scripts or looks like another",
        "look where it leads before you follow or answer it";
    Note::Bidi(_) => "bidi",
        "a text has a character that turns its direction, and no need for it; or one cuts a link in it, which leads elsewhere than it looks",
        "look at it in the order of its octets, as `septet explain` writes it, before you believe it";
    Note::Invisible(_) => "invisible",
        "a word has a character in it that nobody sees",
        "look at it as `septet explain` writes it before you believe it";
    Note::AddressInName(_) => "address-in-name",
        "the name of an address is itself an address, of another domain",
        "answer to the address, not to the name; bulk mail does this in good faith";
    Note::Breaks(_) => "breaks",
        "the changes break a signature of the message: that of DKIM2 where `dkim2 = \"off\"`, or a DKIM-Signature beside one of DKIM2",
        "`dkim2 = \"instance\"` with a signer behind; `dkim = \"keep\"` leaves what is signed";
    Note::Link(_) => "link",
        "a link could not be rewritten, and stays",
        "nothing is to be done";
}

impl fmt::Display for Note {
    /// Writes its code, and its particulars in brackets; what comes from the message goes through [`Safe`].
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())?;
        match self {
            Note::Meta(what) | Note::AddressInName(what) | Note::Homograph(what) => write!(out, "({})", Safe(what)),
            Note::Bidi(character) | Note::Invisible(character) => write!(out, "(U+{:04X})", u32::from(*character)),
            Note::Link(what) | Note::Breaks(what) => write!(out, "({what})"),
            Note::Utf7 | Note::Utf7Tolerated | Note::DoubleEncoded => Ok(()),
        }
    }
}
