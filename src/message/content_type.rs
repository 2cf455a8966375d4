//! Content-Type, as spans: media type and parameters (RFC 2045 §5, RFC 2231 §3-4).
//!
//! It is read as mail programs read it: white space and comments anywhere, parameter values with or without
//! quotes, a closing quote that is missing, stray semicolons. Only a value without `type/subtype` is refused.

use std::borrow::Cow;

use crate::edit::Span;

/// A media type and the spans of its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentType {
    /// The type, in lower case: `text`.
    pub main: Cow<'static, str>,
    /// The subtype, in lower case: `plain`.
    pub sub: Cow<'static, str>,
    /// The parameters, in order.
    pub parameters: Vec<Parameter>,
    /// Where `type/subtype` stands in the message; empty when no field says it, or not readably.
    pub media: Span,
    /// Whether a field of the part says so, or it is the default for the part's place.
    pub declared: bool,
}

/// One parameter section, as spans of the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// The name with its RFC 2231 marks, as written: `charset`, `filename*0*`.
    pub name: Span,
    /// The value with its quotes, as written.
    pub value: Span,
}

impl ContentType {
    /// Gives the default for a part: `text/plain`, or `message/rfc822` in a multipart/digest (RFC 2046 §5.1.5).
    pub fn default_in(digest: bool) -> ContentType {
        let (main, sub) = if digest { ("message", "rfc822") } else { ("text", "plain") };
        ContentType {
            main: main.into(),
            sub: sub.into(),
            parameters: Vec::new(),
            media: Span::default(),
            declared: false,
        }
    }

    /// Reads a field's value; none when there is no `type/subtype` in it.
    pub fn read(raw: &[u8], value: Span) -> Option<ContentType> {
        let mut scan = Scan { raw, at: value.start, end: value.end };
        let main = scan.token()?;
        scan.skip(b'/').then_some(())?;
        let sub = scan.token()?;
        let lower = |span: Span| Cow::Owned(String::from_utf8_lossy(span.slice(raw)).to_ascii_lowercase());
        let media = Span::new(main.start, sub.end);
        Some(ContentType { main: lower(main), sub: lower(sub), parameters: scan.parameters(), media, declared: true })
    }

    /// Tells whether it is this type and subtype, both in lower case.
    pub fn is(&self, main: &str, sub: &str) -> bool {
        self.main == main && self.sub == sub
    }

    /// Finds a parameter by its bare name, in any case of letters, and gives its value without quotes.
    ///
    /// A plain parameter wins; else the sections of RFC 2231 are joined, their charset mark and percents
    /// resolved. Meant for `boundary`, `charset`, `format` and their like, whose values are ASCII.
    pub fn parameter<'a>(&self, raw: &'a [u8], name: &str) -> Option<Cow<'a, [u8]>> {
        let plain = self.parameters.iter().find(|p| p.name.slice(raw).eq_ignore_ascii_case(name.as_bytes()));
        match plain {
            Some(plain) => Some(unquote(plain.value.slice(raw))),
            None => self.extended(raw, name).map(Cow::Owned),
        }
    }

    fn extended(&self, raw: &[u8], name: &str) -> Option<Vec<u8>> {
        let mut joined = None;
        for parameter in &self.parameters {
            let (Some((base, mark)), value) = (split_mark(parameter.name.slice(raw)), parameter.value.slice(raw))
            else {
                continue;
            };
            if !base.eq_ignore_ascii_case(name.as_bytes()) {
                continue;
            }
            let joined = joined.get_or_insert_with(Vec::new);
            let value = unquote(value);
            match mark.last() {
                Some(b'*') | None => joined.extend(percent_decoded(without_charset(&value, joined.is_empty()))),
                Some(_) => joined.extend_from_slice(&value),
            }
        }
        joined
    }
}

/// Splits `name*0*` at its first star; none for a plain name.
fn split_mark(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let star = name.iter().position(|&octet| octet == b'*')?;
    Some((&name[..star], &name[star + 1..]))
}

/// Drops the `charset'language'` of a first section.
fn without_charset(value: &[u8], first: bool) -> &[u8] {
    match value.splitn(3, |&octet| octet == b'\'').collect::<Vec<_>>().as_slice() {
        [_, _, text] if first => text,
        _ => value,
    }
}

fn percent_decoded(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(octet) if *first == b'%' => {
                out.push(octet);
                rest = &after[2..];
            }
            _ => {
                out.push(*first);
                rest = after;
            }
        }
    }
    out
}

/// Gives a parameter's value without quotes and backslashes.
pub(crate) fn unquote(value: &[u8]) -> Cow<'_, [u8]> {
    let [b'"', inner @ ..] = value else { return Cow::Borrowed(value) };
    let inner = inner.strip_suffix(b"\"").unwrap_or(inner);
    if !inner.contains(&b'\\') {
        return Cow::Borrowed(inner);
    }
    let mut plain = Vec::with_capacity(inner.len());
    let mut octets = inner.iter();
    while let Some(&octet) = octets.next() {
        plain.push(if octet == b'\\' { *octets.next().unwrap_or(&octet) } else { octet });
    }
    Cow::Owned(plain)
}

/// A reader of structured text that steps over white space and comments.
struct Scan<'a> {
    raw: &'a [u8],
    at: usize,
    end: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        (self.at < self.end).then(|| self.raw.get(self.at).copied()).flatten()
    }

    fn space(&mut self) {
        while let Some(octet) = self.peek() {
            match octet {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'(' => self.comment(),
                _ => break,
            }
        }
    }

    /// Steps over a comment; its depth is counted, not recursed into.
    fn comment(&mut self) {
        let mut depth = 0usize;
        while let Some(octet) = self.peek() {
            self.at += 1;
            match octet {
                b'\\' => self.at += 1,
                b'(' => depth += 1,
                b')' if depth == 1 => return,
                b')' => depth -= 1,
                _ => {}
            }
        }
    }

    fn skip(&mut self, octet: u8) -> bool {
        self.space();
        let there = self.peek() == Some(octet);
        self.at += usize::from(there);
        there
    }

    fn token(&mut self) -> Option<Span> {
        self.space();
        self.run(|octet| octet > b' ' && !matches!(octet, b'(' | b')' | b'/' | b';' | b'=' | b'"' | b','))
    }

    fn run(&mut self, belongs: impl Fn(u8) -> bool) -> Option<Span> {
        let start = self.at;
        while self.peek().is_some_and(&belongs) {
            self.at += 1;
        }
        (self.at > start).then(|| Span::new(start, self.at))
    }

    fn parameters(&mut self) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        while self.past_semicolon() {
            let Some(name) = self.token() else { continue };
            if !self.skip(b'=') {
                continue;
            }
            self.space();
            let value = if self.peek() == Some(b'"') { self.quoted() } else { self.bare() };
            parameters.push(Parameter { name, value });
        }
        parameters
    }

    /// Steps behind the next semicolon outside quotes and comments.
    fn past_semicolon(&mut self) -> bool {
        loop {
            self.space();
            match self.peek() {
                None => return false,
                Some(b'"') => drop(self.quoted()),
                Some(octet) => {
                    self.at += 1;
                    if octet == b';' {
                        return true;
                    }
                }
            }
        }
    }

    fn quoted(&mut self) -> Span {
        let start = self.at;
        self.at += 1;
        while let Some(octet) = self.peek() {
            self.at += 1;
            match octet {
                b'\\' => self.at += 1,
                b'"' => break,
                _ => {}
            }
        }
        self.at = self.at.min(self.end);
        Span::new(start, self.at)
    }

    /// Reads a value without quotes: up to white space or a semicolon, whatever else is in it.
    fn bare(&mut self) -> Span {
        let start = self.at;
        self.run(|octet| octet > b' ' && octet != b';').unwrap_or(Span::empty(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &str) -> Option<(String, Vec<(String, String)>)> {
        let raw = value.as_bytes();
        let read = ContentType::read(raw, Span::new(0, raw.len()))?;
        let text = |span: Span| String::from_utf8_lossy(&unquote(span.slice(raw))).into_owned();
        let parameters = read.parameters.iter().map(|p| (text(p.name), text(p.value))).collect();
        Some((format!("{}/{}", read.main, read.sub), parameters))
    }

    #[test]
    fn reads_what_mail_programs_read() {
        type Case = (&'static str, &'static str, &'static [(&'static str, &'static str)]);
        let cases: [Case; 8] = [
            ("text/plain", "text/plain", &[]),
            (" TEXT / Plain ; Charset=\"utf-8\"", "text/plain", &[("Charset", "utf-8")]),
            ("text/plain (a (b) \\) c); charset=us-ascii (d)", "text/plain", &[("charset", "us-ascii")]),
            ("multipart/mixed;\r\n boundary=----=_Part_1", "multipart/mixed", &[("boundary", "----=_Part_1")]),
            ("multipart/mixed; boundary=\"a;b\\\"c\"", "multipart/mixed", &[("boundary", "a;b\"c")]),
            ("text/html;; charset = x ;", "text/html", &[("charset", "x")]),
            ("a/b; name=\"open; c=d", "a/b", &[("name", "open; c=d")]),
            ("a/b junk; c=d", "a/b", &[("c", "d")]),
        ];
        for (value, media, parameters) in cases {
            let expected = parameters.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect();
            assert_eq!(read(value), Some((media.to_owned(), expected)), "{value}");
        }
    }

    #[test]
    fn refuses_what_has_no_type() {
        for value in ["", "text", "text;charset=utf-8", "/plain", "(text/plain)"] {
            assert_eq!(read(value), None, "{value}");
        }
    }

    #[test]
    fn joins_the_sections_of_rfc_2231() {
        let raw = b"a/b; charset*0*=us-ascii'en'ut%66; charset*1=-8";
        let read = ContentType::read(raw, Span::new(0, raw.len())).expect("a type");
        assert_eq!(read.parameter(raw, "Charset").as_deref(), Some(&b"utf-8"[..]));
    }
}
