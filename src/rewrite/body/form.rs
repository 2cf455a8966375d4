//! The kinds of texts.

use crate::message::Part;

/// What kind of text a part holds, which decides how links and characters are written in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextForm {
    /// text/plain.
    Plain,
    /// text/html: links in attributes, a charset declaration, `&#x…;`.
    Html,
    /// text/xml: a charset declaration, `&#x…;`.
    Xml,
    /// Any other text.
    Other,
}

impl TextForm {
    pub(super) fn of(part: &Part) -> Option<TextForm> {
        let ty = &part.content_type;
        match (&*ty.main, &*ty.sub) {
            // A header on show is not a text in a charset (RFC 6522 §4), and RTF has escapes of its own.
            ("text", "rfc822-headers" | "rtf" | "x-rtf") => None,
            ("text", "plain") => Some(TextForm::Plain),
            ("text", "html") => Some(TextForm::Html),
            ("text", "xml") => Some(TextForm::Xml),
            ("text", sub) if sub.ends_with("+xml") => Some(TextForm::Xml),
            ("text", _) => Some(TextForm::Other),
            _ => None,
        }
    }

    pub(super) fn is_markup(self) -> bool {
        matches!(self, TextForm::Html | TextForm::Xml)
    }
}
