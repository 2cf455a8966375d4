//! Characters written in ASCII (RFC 5137).
//!
//! A form has an *introducer*, `\` or `&`, and the introducer itself needs a way to be written (§4): `\\` and
//! `&amp;`. So a text that [`escape`] wrote comes back from [`unescape`] as it was.
//!
//! [`unescape`] also reads texts that somebody else wrote, where `\\server` is no escaped `\server`. It undoes
//! `\\` only in a text that [`escape`] can have written: all ASCII, and each `\` part of a pair or of an
//! escape. `&amp;` likewise, and in one that [`escape_sparingly`] can have written.
//!
//! Escapes hide characters (§7): whoever looks for links or markup must look at the text after [`unescape`].

use std::error::Error;
use std::fmt;
use std::str::FromStr;

mod closest;
mod expand;
mod write;

pub use closest::{Language, closest};
pub use expand::{Pairs, Unescaped, origin, unescape};
pub use write::{escape, escape_also, escape_into, escape_markup, escape_sparingly};

/// A form of RFC 5137.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum EscapeForm {
    /// `\u'00E9'` (§5.1).
    Rfc5137,
    /// `&#xE9;` (§5.2).
    Xml,
    /// `\u00E9`, `\U0001F600` (§6.1).
    C,
    /// `\x{E9}` (§6.2). Perl itself may take the values below 100 for octets.
    Perl,
    /// `\u00E9`, surrogate pairs (§6.3).
    Java,
}

impl EscapeForm {
    /// Every form; the two that the RFC recommends come first.
    pub const ALL: [EscapeForm; 5] =
        [EscapeForm::Rfc5137, EscapeForm::Xml, EscapeForm::C, EscapeForm::Perl, EscapeForm::Java];

    /// Returns its name, as settings and the command line write it.
    pub fn name(self) -> &'static str {
        match self {
            EscapeForm::Rfc5137 => "rfc5137",
            EscapeForm::Xml => "xml",
            EscapeForm::C => "c",
            EscapeForm::Perl => "perl",
            EscapeForm::Java => "java",
        }
    }

    /// Returns the octet that its escapes begin with.
    fn introducer(self) -> u8 {
        if self == EscapeForm::Xml { b'&' } else { b'\\' }
    }

    /// Returns how the introducer itself is written (RFC 5137 §4).
    pub fn pair(self) -> &'static str {
        pair(self.introducer())
    }
}

/// Returns how an introducer is written.
fn pair(introducer: u8) -> &'static str {
    if introducer == b'&' { "&amp;" } else { "\\\\" }
}

impl fmt::Display for EscapeForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no form has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFormError(pub String);

impl fmt::Display for UnknownFormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no escape form is called {:?}, only rfc5137, xml, c, perl and java", self.0)
    }
}

impl Error for UnknownFormError {}

impl FromStr for EscapeForm {
    type Err = UnknownFormError;

    fn from_str(name: &str) -> Result<EscapeForm, UnknownFormError> {
        let found = EscapeForm::ALL.into_iter().find(|form| form.name() == name);
        found.ok_or_else(|| UnknownFormError(name.to_owned()))
    }
}
