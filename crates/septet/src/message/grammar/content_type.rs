//! Content-Type, as spans: media type and parameters (RFC 2045 §5).
//!
//! The parameters are read by [`super::parameter`], as those of every other field. What the type is, when it is not
//! `type/subtype`, is another matter: `x-sun-attachment`, `html` or `X-BE2; 12` mean something to somebody, and RFC
//! 2045 §5.2 lets nobody tell what. Such a field is [`Validity::Invalid`]: its part is read as what it says, or as the
//! default as far as it says none, for something must be; but what is decided on that ground is not written down. Where
//! it is clear what was meant, the field is [`Validity::Lenient`].

use std::borrow::Cow;

use super::lexer::{Grammar, Lexer, Token, TokenKind};
use super::parameter::{FieldHead, Sections};
use crate::edit::Span;

/// A media type and the spans of its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentType {
    /// The type, in lower case: `text`.
    pub main: Cow<'static, str>,
    /// The subtype, in lower case: `plain`.
    pub sub: Cow<'static, str>,
    /// Where the field's value stands in the message; empty without a field.
    pub value: Span,
    /// The sections of the parameters, as ranges of the value.
    pub sections: Sections,
    /// Where `type/subtype`, or the type alone, stands in the message; empty when no field says it, or not readably.
    pub media: Span,
    /// Whether a field of the part says so, or it is the default for the part's place.
    pub declared: bool,
    /// Whether the field says a type, so that what was read may be relied on.
    pub validity: Validity,
}

/// Whether a Content-Type says a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Validity {
    /// It does, as RFC 2045 has it; or there is no field, and the default counts.
    Valid,
    /// It does not quite, but what was meant is clear: `text/html charset=x`, `text; charset=x`, `text/plain,
    /// charset=x`, nothing at all. A parameter without its `;` is read and has a doubt: mail programs read it, but
    /// Python and mail-parser take it for a part of the subtype, so that a change of it would be a change of type to
    /// them.
    Lenient,
    /// It does not, or programs disagree.
    Invalid,
}

impl ContentType {
    /// Returns the default for a part: `text/plain`, or `message/rfc822` in a multipart/digest (RFC 2046 §5.1.5).
    pub fn default_in(digest: bool) -> ContentType {
        let (main, sub) = if digest { ("message", "rfc822") } else { ("text", "plain") };
        ContentType {
            main: main.into(),
            sub: sub.into(),
            value: Span::default(),
            sections: Sections::default(),
            media: Span::default(),
            declared: false,
            validity: Validity::Valid,
        }
    }

    /// Reads a field's value, which is a span of `raw`. Where no type can be read it is `text/plain`, in a
    /// multipart/digest too; [`Validity`] tells whether that, or what was read, may be relied on.
    pub fn read(raw: &[u8], value: Span) -> ContentType {
        let octets = value.slice(raw);
        let mut lexer = Lexer::new(octets, Grammar::Mime);
        let head = FieldHead::read(&mut lexer);
        let said = ContentType::of_head(octets, &head, value);
        let (sections, begins_well) = head.read_parameters(octets.len(), lexer);
        let validity = if begins_well { said.validity } else { Validity::Invalid };
        ContentType { sections, validity, ..said }
    }

    /// Makes the type that the head of a field says, without parameters; `value` is where `octets`, the field's value,
    /// stands in the message. `text` alone and an empty value say no type, but leave no doubt.
    fn of_head(octets: &[u8], head: &FieldHead, value: Span) -> ContentType {
        let (validity, media) = match head {
            FieldHead { main: Some(main), sub: Some(sub), next, .. } => {
                return ContentType::named(octets, main, sub, next.as_ref(), value);
            }
            FieldHead { main: Some(main), slash: false, next, .. }
                if next.as_ref().is_none_or(|next| next.is(b';')) && is_text(octets, main) =>
            {
                (Validity::Lenient, main.at.clone())
            }
            _ if octets.trim_ascii().is_empty() => (Validity::Lenient, 0..0),
            _ => (Validity::Invalid, 0..0),
        };
        ContentType { value, media: value.within(media), declared: true, validity, ..ContentType::default_in(false) }
    }

    /// Makes the type of its two words, tokens of `octets`, which stand at `value` in the message; what `next`, the
    /// token behind them, is tells whether the type is sure. A word of other than printable ASCII makes it invalid.
    fn named(octets: &[u8], main: &Token, sub: &Token, next: Option<&Token>, value: Span) -> ContentType {
        let media = value.within(main.at.start..sub.at.end);
        let (main, sub) = (&octets[main.at.clone()], &octets[sub.at.clone()]);
        let graphic = main.iter().chain(sub).all(u8::is_ascii_graphic);
        let validity = match next {
            _ if !graphic => Validity::Invalid,
            None => Validity::Valid,
            Some(next) if next.is(b';') => Validity::Valid,
            Some(next) if next.is(b',') || next.kind == TokenKind::Atom => Validity::Lenient,
            Some(_) => Validity::Invalid,
        };
        let (main, sub, sections) = (lower(main), lower(sub), Sections::default());
        ContentType { main, sub, value, sections, media, declared: true, validity }
    }

    /// Returns `true` if it is this type and subtype, both in lower case.
    pub fn is(&self, main: &str, sub: &str) -> bool {
        self.main == main && self.sub == sub
    }

    /// Returns `true` if a body of this type is a whole message (RFC 2046 §5.2.1, RFC 6532 §3.7, RFC 5537 §5.2).
    pub fn is_message(&self) -> bool {
        self.main == "message" && matches!(&*self.sub, "rfc822" | "global" | "news")
    }

    /// Returns `true` if a body of this type is made of parts, or is a whole message.
    pub fn is_composite(&self) -> bool {
        self.main == "multipart" || self.is_message()
    }

    /// Finds a parameter by its bare name, in any case of letters, and returns its octets; see [`Sections::value`],
    /// which goes through all sections, so that it is not for a loop. `raw` is the message that the type was read from.
    pub fn parameter<'a>(&self, raw: &'a [u8], name: &str) -> Option<Cow<'a, [u8]>> {
        self.sections.value(self.value.slice(raw), name)
    }
}

/// Returns `true` if a token of a value is the word `text`, in any case of letters.
fn is_text(value: &[u8], main: &Token) -> bool {
    value[main.at.clone()].eq_ignore_ascii_case(b"text")
}

/// The words of most media types, which need no memory of their own.
const COMMON: [&str; 21] = [
    "text", "plain", "html", "multipart", "mixed", "alternative", "application", "octet-stream", "image", "jpeg",
    "png", "gif", "related", "message", "rfc822", "pdf", "signed", "report", "delivery-status", "digest", "calendar",
];

/// Returns a word in lower case; octets that are no UTF-8 become U+FFFD.
fn lower(text: &[u8]) -> Cow<'static, str> {
    match COMMON.iter().find(|common| common.as_bytes().eq_ignore_ascii_case(text)) {
        Some(common) => Cow::Borrowed(common),
        None => Cow::Owned(String::from_utf8_lossy(text).to_ascii_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &str) -> (String, Validity, Vec<(String, String)>) {
        let raw = value.as_bytes();
        let read = ContentType::read(raw, Span::new(0, raw.len()));
        let sections = read.sections.list.into_iter();
        let sections = sections.map(|section| (value[section.name].to_owned(), value[section.value].to_owned()));
        (format!("{}/{}", read.main, read.sub), read.validity, sections.collect())
    }

    #[test]
    fn reads_what_mail_programs_read() {
        type Case = (&'static str, &'static str, &'static [(&'static str, &'static str)]);
        let cases: [Case; 7] = [
            ("text/plain", "text/plain", &[]),
            (" TEXT / Plain ; Charset=\"utf-8\"", "text/plain", &[("Charset", "\"utf-8\"")]),
            ("text/plain (a (b) \\) c); charset=us-ascii (d)", "text/plain", &[("charset", "us-ascii")]),
            ("multipart/mixed;\r\n boundary=----_Part_1", "multipart/mixed", &[("boundary", "----_Part_1")]),
            ("text/html;; charset = x ;", "text/html", &[("charset", "x")]),
            ("a/b; name=\"open; c=d", "a/b", &[("name", "\"open; c=d")]),
            ("application/X-Foo+xml", "application/x-foo+xml", &[]),
        ];
        for (value, media, sections) in cases {
            let expected = sections.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect();
            assert_eq!(read(value), (media.to_owned(), Validity::Valid, expected), "{value}");
        }
    }

    /// Hard case 29: lenient where all agree, and nowhere else.
    #[test]
    fn tells_what_is_no_type() {
        let lenient =
            ["", " \r\n", "text", "text;charset=x", "Text (c)", "text/html charset=x", "text/plain, charset=x"];
        for value in lenient {
            let (media, validity, sections) = read(value);
            assert!(media.starts_with("text/") && validity == Validity::Lenient, "{value}: {media} {validity:?}");
            assert_eq!(sections.len(), usize::from(value.contains('=')), "{value}");
        }
        let invalid = [
            "x-sun-attachment", "html", "X-BE2; 12", "multipart; boundary=x", "/plain", "text/", "text/; charset=x",
            "(text/plain)", "\"text/plain\"; charset=x", "text/pl\0ain", "text/plain/x", "text/plain x",
            "text/plain x; charset=x", "text/plain,", "text/plain=x", "text charset=x", "=?utf-8?Q?text?=/plain",
            "text/plain\"; charset=x",
        ];
        for value in invalid {
            assert_eq!(read(value).1, Validity::Invalid, "{value}");
        }
        assert_eq!(read("multipart/mixed x; boundary=b").0, "multipart/mixed", "what there is of it is read");
    }
}
