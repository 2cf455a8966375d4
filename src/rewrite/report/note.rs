//! What a reader wants to know, though nothing was to be done.

use std::fmt;

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
    /// A text has a character that turns its direction, and no need for it.
    Bidi(char),
    /// A word has a character in it that nobody sees.
    Invisible(char),
    /// The name of an address is itself an address, of another domain.
    AddressInName(String),
    /// A link could not be rewritten, or its scheme is disguised: why, or how.
    Link(&'static str),
}

impl Note {
    /// Returns `true` if somebody may have written what it notes to deceive a reader.
    pub fn is_deceptive(&self) -> bool {
        matches!(self, Note::Bidi(_) | Note::Invisible(_) | Note::AddressInName(_) | Note::Homograph(_))
    }

    /// Returns the note's stable name, without the particulars: what counters and metrics use.
    pub fn code(&self) -> &'static str {
        match self {
            Note::Utf7 => "utf-7",
            Note::Utf7Tolerated => "utf-7-tolerated",
            Note::Meta(_) => "meta",
            Note::DoubleEncoded => "double-encoded",
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
            Note::DoubleEncoded => write!(out, "double-encoded"),
            Note::Meta(name) => write!(out, "meta({})", Safe(name)),
            Note::Bidi(character) => write!(out, "bidi(U+{:04X})", u32::from(*character)),
            Note::Invisible(character) => write!(out, "invisible(U+{:04X})", u32::from(*character)),
            Note::AddressInName(address) => write!(out, "address-in-name({})", Safe(address)),
            Note::Homograph(host) => write!(out, "homograph({})", Safe(host)),
            Note::Link(why) => write!(out, "link({why})"),
        }
    }
}
