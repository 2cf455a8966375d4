//! Characters written in ASCII (RFC 5137).

use serde::{Deserialize, Serialize};

/// A form of RFC 5137.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EscapeForm {
    /// `\u'00E9'` (§5.1).
    Rfc5137,
    /// `&#xE9;` (§5.2).
    Xml,
    /// `\u00E9`, `\U0001F600` (§6.1).
    C,
    /// `\x{E9}` (§6.2).
    Perl,
    /// `\u00E9`, surrogate pairs (§6.3).
    Java,
}
