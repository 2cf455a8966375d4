//! Header fields, as spans.

use crate::edit::Span;

/// One header field, as spans of the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// The whole field, its last line end included.
    pub line: Span,
    /// The name, without the colon or white space before it.
    pub name: Span,
    /// The value: from after the colon to before the last line end, folds and leading space included.
    pub value: Span,
}

impl Field {
    /// Tells whether the field has this name, in any case of letters.
    pub fn is(&self, raw: &[u8], name: &str) -> bool {
        self.name.slice(raw).eq_ignore_ascii_case(name.as_bytes())
    }
}
