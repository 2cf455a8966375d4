//! The kinds of texts, and what may stand in each: links, references, escapes, declarations. A new kind must answer
//! each question here, and be given its links in `body/text.rs`.

use std::ops::Range;

use crate::coding::evidence::Because;
use crate::coding::html;
use crate::message::{Message, Part};

/// What kind of text a part holds, which decides how links and characters are written in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::rewrite) enum TextForm {
    /// text/plain.
    Plain,
    /// text/html: links in attributes, a charset declaration, `&#x…;`.
    Html,
    /// text/xml: a charset declaration, `&#x…;`.
    Xml,
    /// text/css: a charset declaration.
    Css,
    /// text/calendar: links in properties (RFC 5545).
    Calendar,
    /// Any other text.
    Other,
}

impl TextForm {
    /// Finds the kind of text of a part by its type; none where it is no text, or one that may not be converted. What
    /// is listed is decoded and written anew, so that a type whose octets mean more than characters must be none.
    pub(in crate::rewrite) fn of(message: &Message, part: &Part) -> Option<TextForm> {
        let ty = &part.content_type;
        match (&*ty.main, &*ty.sub) {
            ("text", _) if is_compressed(message, part) => None,
            // A header on show is not a text in a charset (RFC 6522 §4), and RTF has escapes of its own.
            ("text", "rfc822-headers" | "rtf" | "x-rtf") => None,
            ("text", "plain") => Some(TextForm::Plain),
            ("text", "html" | "x-amp-html") => Some(TextForm::Html),
            ("text", "css") => Some(TextForm::Css),
            ("text", "calendar") => Some(TextForm::Calendar),
            ("text", "xml" | "xml-external-parsed-entity" | "xsl" | "x-opml" | "mathml" | "vnd.wap.wml") => {
                Some(TextForm::Xml)
            }
            ("text", sub) if sub.ends_with("+xml") => Some(TextForm::Xml),
            ("text", _) => Some(TextForm::Other),
            _ => None,
        }
    }

    /// Returns `true` if character references are read in a text of this kind, so that what a charset lacks is written
    /// as one, and no other escape is looked for or written.
    pub(in crate::rewrite) fn is_markup(self) -> bool {
        matches!(self, TextForm::Html | TextForm::Xml)
    }

    /// Returns `true` if links are looked for in a text of this kind; how, `link_kind` says in `body/text.rs`.
    pub(in crate::rewrite) fn holds_links(self) -> bool {
        matches!(self, TextForm::Plain | TextForm::Html | TextForm::Calendar)
    }

    /// Returns `true` if escapes of ours may stand in a text of this kind: what has some of its own (`\\,` in a
    /// calendar, `\\A` in a style sheet, `\\n` in what is a program's) would take them for those.
    pub(in crate::rewrite) fn takes_escapes(self) -> bool {
        self.is_markup() || self == TextForm::Plain
    }

    /// Returns `true` if a text of this kind may say what charset it is in: one for which
    /// [`declarations`](Self::declarations) finds anything.
    pub(in crate::rewrite) fn may_declare(self) -> bool {
        self.is_markup() || self == TextForm::Css
    }

    /// Returns what reports call a declaration in it; that of a style sheet is called like that of HTML.
    pub(in crate::rewrite) fn because(self) -> Because {
        if self == TextForm::Xml { Because::Xml } else { Because::Meta }
    }

    /// Finds where a text of this kind declares its charset: the places of the names alone, in order, in octets of the
    /// text. They must be disjoint and cut no character, or `splice` of `body/text.rs` ends the plan.
    pub(in crate::rewrite) fn declarations(self, text: &str) -> Vec<Range<usize>> {
        match self {
            TextForm::Css => css_charset(text).into_iter().collect(),
            _ if self.is_markup() => html::charset_declarations(text),
            _ => Vec::new(),
        }
    }
}

/// Returns `true` if a part is a patch by its type, whatever form that has: its lines must be those of the files that
/// it is for.
pub(in crate::rewrite) fn is_patch(part: &Part) -> bool {
    let ty = &part.content_type;
    ty.main == "text" && matches!(&*ty.sub, "x-diff" | "x-patch" | "diff" | "patch")
}

/// Finds the name in a style sheet's `@charset "…";`, which stands first of all or is none (CSS Syntax §3.2).
fn css_charset(text: &str) -> Option<Range<usize>> {
    let start = "@charset \"".len();
    let name = text.strip_prefix("@charset \"")?;
    let length = name.find('"').filter(|&length| name[length..].starts_with("\";"))?;
    Some(start..start + length)
}

/// Returns `true` if the first Content-Encoding of a part says that it is compressed, as HTTP does (RFC 9110 §8.4.1):
/// its octets are no text then. Mail knows no such field, and senders write transfer encodings there, too.
fn is_compressed(message: &Message, part: &Part) -> bool {
    const CODINGS: [&str; 8] = ["gzip", "x-gzip", "deflate", "compress", "x-compress", "br", "zstd", "bzip2"];
    let named = message.field(part, "Content-Encoding").map(|field| message.slice(field.value).trim_ascii());
    named.is_some_and(|named| CODINGS.iter().any(|coding| named.eq_ignore_ascii_case(coding.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_sheet_declares_its_charset_first_or_not_at_all() {
        assert_eq!(css_charset("@charset \"iso-8859-1\";a{}"), Some(10..20));
        for none in ["", "@charset \"x", "@charset 'x';", " @charset \"x\";", "@charset \"x\" ;", "a{}@charset \"x\";"]
        {
            assert_eq!(css_charset(none), None, "{none}");
        }
    }
}
