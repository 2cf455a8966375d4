//! References and their components (draft-ietf-iri-3987bis-06 §2.2; RFC 3986 §3, appendix B).
//!
//! A reference is cut at its delimiters first, which any text allows, and each component is checked against
//! its rule after that. No character outside ASCII delimits anything (§2.1): fullwidth slashes and colons are
//! ordinary letters here. As every URI is an IRI, `%HH` may stand in a registered name too, which the draft's
//! grammar forgot.

use std::ops::Range;

use thiserror::Error;

use super::address::is_ip_literal;
use super::syntax::{self, PATH, QUERY, REG_NAME, USERINFO};

/// The schemes whose references carry code or content, or point into the message itself: never touched.
pub(super) const UNTOUCHED: [&str; 9] =
    ["cid", "mid", "data", "javascript", "about", "vbscript", "livescript", "blob", "view-source"];

/// Returns `true` if a reference names a file of a computer or of its network (`file:`, `\\\\server\\share`): what is
/// no address for others stays as its system writes it.
///
/// ```
/// use septet_text::iri::is_local;
///
/// assert!(is_local("file:///C:/é") && is_local(r"\\server\é") && !is_local("http://example.org/é"));
/// ```
pub fn is_local(reference: &str) -> bool {
    reference.starts_with("\\\\") || scheme(reference).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file"))
}

/// What is wrong with a reference, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("offset {offset}: {rule}")]
pub struct ReferenceError {
    /// Octets of UTF-8 from the start of the reference.
    pub offset: usize,
    /// The rule that is broken, a lower-case clause.
    pub rule: &'static str,
}

/// What is held of the characters that stand in no URI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Foreign {
    /// They must be those that an IRI may have where they stand.
    Checked,
    /// They are percent-encoded, and so all are allowed.
    Encoded,
}

/// An IRI reference cut into its components; every component is a range of octets of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference<'a> {
    pub(super) text: &'a str,
    pub(super) scheme: Option<Range<usize>>,
    pub(super) userinfo: Option<Range<usize>>,
    pub(super) host: Option<Range<usize>>,
    pub(super) port: Option<Range<usize>>,
    pub(super) path: Range<usize>,
    pub(super) query: Option<Range<usize>>,
    pub(super) fragment: Option<Range<usize>>,
}

impl<'a> Reference<'a> {
    /// Parses an `IRI-reference` (§2.2); the first character that breaks the grammar is the error.
    ///
    /// Bidirectional formatting characters pass, as they do in the grammar; see [`super::bidi`].
    ///
    /// ```
    /// use septet_text::iri::Reference;
    ///
    /// let reference = Reference::parse("http://me@exämple.org:80/a?b#c").unwrap();
    /// assert_eq!((reference.host(), reference.port(), reference.path()), (Some("exämple.org"), Some("80"), "/a"));
    /// assert_eq!(Reference::parse("http://a b/").unwrap_err().offset, 8);
    /// ```
    pub fn parse(text: &'a str) -> Result<Reference<'a>, ReferenceError> {
        let reference = Reference::split(text);
        reference.validate(Foreign::Checked).map(|()| reference)
    }

    /// Returns `true` if it is a URI reference as it stands (RFC 3986 §4.1).
    pub(super) fn is_uri(&self) -> bool {
        self.text.is_ascii() && self.validate(Foreign::Checked).is_ok()
    }

    /// Returns `true` if a URI comes of it when all that can stand in no URI is percent-encoded (§3.3).
    pub(super) fn encodes_to_uri(&self) -> bool {
        self.validate(Foreign::Encoded).is_ok()
    }

    /// Returns `true` if it lacks the host that its scheme needs (RFC 9110 §4.2.1 and its like).
    pub(super) fn lacks_host(&self) -> bool {
        self.host().is_none_or(str::is_empty) && self.has_scheme(&["http", "https", "ftp", "ws", "wss"])
    }

    /// Cuts any text at its delimiters, without a look at what stands between them.
    pub fn split(text: &'a str) -> Reference<'a> {
        let scheme = scheme_length(text);
        let start = scheme.map_or(0, |length| length + 1);
        let path_end = find(text, start, |rest| memchr::memchr2(b'?', b'#', rest));
        let query = text.as_bytes().get(path_end) == Some(&b'?');
        let end = if query { find(text, path_end, |rest| memchr::memchr(b'#', rest)) } else { path_end };
        let mut reference = Reference {
            text,
            scheme: scheme.map(|length| 0..length),
            userinfo: None,
            host: None,
            port: None,
            path: start..path_end,
            query: query.then(|| path_end + 1..end),
            fragment: (end < text.len()).then(|| end + 1..text.len()),
        };
        if reference.path().starts_with("//") {
            reference.split_authority();
        }
        reference
    }

    /// Parts the authority from a path that starts with `//`, and cuts it.
    fn split_authority(&mut self) {
        let start = self.path.start + 2;
        let end = find(self.text, start, |rest| rest.iter().position(|&octet| octet == b'/')).min(self.path.end);
        self.path.start = end;
        let at = self.slice(start..end).bytes().rposition(|octet| octet == b'@');
        self.userinfo = at.map(|at| start..start + at);
        let host = at.map_or(start, |at| start + at + 1);
        let port = port_colon(self.slice(host..end)).map(|colon| host + colon);
        self.port = port.map(|colon| colon + 1..end);
        self.host = Some(host..port.unwrap_or(end));
    }

    /// Returns the text of a range; empty where that is none of the text's.
    pub(super) fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }

    /// Returns the text of a component that the reference may lack.
    fn component(&self, range: Option<&Range<usize>>) -> Option<&'a str> {
        range.map(|range| self.slice(range.clone()))
    }

    /// Returns the whole reference.
    pub fn as_str(&self) -> &'a str {
        self.text
    }

    /// Returns the scheme, without its colon; none in a relative reference.
    pub fn scheme(&self) -> Option<&'a str> {
        self.component(self.scheme.as_ref())
    }

    /// Returns what stands before `@` in the authority; none without it.
    pub fn userinfo(&self) -> Option<&'a str> {
        self.component(self.userinfo.as_ref())
    }

    /// Returns the host, with its brackets if it is an address in brackets; none without `//`.
    pub fn host(&self) -> Option<&'a str> {
        self.component(self.host.as_ref())
    }

    /// Returns the port, empty where nothing follows its colon; none without the colon. In a reference that was only
    /// [split](Reference::split) it may be no number.
    pub fn port(&self) -> Option<&'a str> {
        self.component(self.port.as_ref())
    }

    /// Returns the path, which every reference has, if only an empty one.
    pub fn path(&self) -> &'a str {
        self.slice(self.path.clone())
    }

    /// Returns the query, without its `?`; none without it.
    pub fn query(&self) -> Option<&'a str> {
        self.component(self.query.as_ref())
    }

    /// Returns the fragment, without its `#`; none without it.
    pub fn fragment(&self) -> Option<&'a str> {
        self.component(self.fragment.as_ref())
    }

    /// Returns the authority, without its `//`; none without them.
    pub(super) fn authority(&self) -> Option<&'a str> {
        let host = self.host.as_ref()?;
        let start = self.userinfo.as_ref().map_or(host.start, |userinfo| userinfo.start);
        let end = self.port.as_ref().map_or(host.end, |port| port.end);
        Some(self.slice(start..end))
    }

    /// Returns `true` if the scheme is one of these; letter case does not count.
    pub(super) fn has_scheme(&self, names: &[&str]) -> bool {
        self.scheme().is_some_and(|scheme| names.iter().any(|name| scheme.eq_ignore_ascii_case(name)))
    }

    /// Checks each component, in the order of the text.
    fn validate(&self, foreign: Foreign) -> Result<(), ReferenceError> {
        if let Some(userinfo) = &self.userinfo {
            self.validate_component(userinfo, USERINFO, foreign, "is not allowed before \"@\"")?;
        }
        if let Some(host) = &self.host {
            self.validate_host(host, foreign)?;
        }
        if let Some(port) = &self.port {
            let wrong = self.slice(port.clone()).bytes().position(|octet| !octet.is_ascii_digit());
            invalid(wrong.map(|at| port.start + at), "the port is not a number")?;
        }
        self.validate_path(foreign)?;
        if let Some(query) = &self.query {
            self.validate_component(query, QUERY, foreign, "is not allowed in a query")?;
        }
        match &self.fragment {
            Some(fragment) => self.validate_component(fragment, QUERY, foreign, "is not allowed in a fragment"),
            None => Ok(()),
        }
    }

    /// Checks a host: an address in brackets, or a registered name.
    fn validate_host(&self, host: &Range<usize>, foreign: Foreign) -> Result<(), ReferenceError> {
        let text = self.slice(host.clone());
        if text.starts_with('[') {
            let wrong = (!is_ip_literal(text)).then_some(host.start);
            return invalid(wrong, "the address in brackets is not IPv6 or IPvFuture");
        }
        self.validate_component(host, REG_NAME, foreign, "is not allowed in a host")
    }

    /// Checks the path; one that begins a relative reference must not begin like a scheme (RFC 3986 §4.2).
    fn validate_path(&self, foreign: Foreign) -> Result<(), ReferenceError> {
        if self.scheme.is_none() && self.host.is_none() {
            let colon = self.path().split('/').next().and_then(|segment| segment.find(':'));
            invalid(colon, "a colon in the first segment of a relative reference, which is no scheme")?;
        }
        self.validate_component(&self.path, PATH, foreign, "is not allowed in a path")
    }

    /// Checks that a component has no octet beside those of `mask` and `%HH`, and outside ASCII only what `foreign`
    /// allows.
    fn validate_component(
        &self,
        range: &Range<usize>,
        mask: u8,
        foreign: Foreign,
        rule: &'static str,
    ) -> Result<(), ReferenceError> {
        let text = self.slice(range.clone());
        let octets = text.as_bytes();
        // Characters of private use may stand in a query alone.
        let is_query = self.query.as_ref() == Some(range);
        let mask = if foreign == Foreign::Encoded { mask | syntax::FOREIGN } else { mask };
        let mut at = 0;
        while let Some(plain) = octets[at..].iter().position(|&octet| syntax::class(octet) & mask == 0) {
            at += plain;
            at += match octets[at] {
                b'%' if octets.get(at..).is_some_and(syntax::starts_pct) => 3,
                b'%' => return invalid(Some(range.start + at), "\"%\" without two hexadecimal digits"),
                0x80.. => match text.get(at..).and_then(|rest| rest.chars().next()) {
                    Some(character) if syntax::is_ucschar(character) => character.len_utf8(),
                    Some(character) if is_query && syntax::is_iprivate(character) => character.len_utf8(),
                    _ => return invalid(Some(range.start + at), rule),
                },
                _ => return invalid(Some(range.start + at), rule),
            };
        }
        Ok(())
    }
}

/// Returns where the component from `from` on ends: at the octet that `end` finds, or with the text.
fn find(text: &str, from: usize, end: impl Fn(&[u8]) -> Option<usize>) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    from + end(rest).unwrap_or(rest.len())
}

/// Returns the error of a rule that is broken at an offset, if there is one.
fn invalid(offset: Option<usize>, rule: &'static str) -> Result<(), ReferenceError> {
    offset.map_or(Ok(()), |offset| Err(ReferenceError { offset, rule }))
}

/// Returns the scheme that a text starts with, when its colon follows; else none.
pub fn scheme(text: &str) -> Option<&str> {
    scheme_length(text).and_then(|length| text.get(..length))
}

/// Returns the length of `scheme`, when the text starts with one and its colon; else none.
fn scheme_length(text: &str) -> Option<usize> {
    let octets = text.as_bytes();
    let end = octets.iter().position(|&octet| !is_scheme_octet(octet))?;
    (octets.get(end) == Some(&b':') && octets.first().is_some_and(u8::is_ascii_alphabetic)).then_some(end)
}

/// Returns `true` if an octet may stand in a scheme after its first letter.
pub(super) fn is_scheme_octet(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.')
}

/// Finds the colon before the port; colons within brackets are the address's own. None where there is no other, or the
/// bracket is not closed.
fn port_colon(host: &str) -> Option<usize> {
    let after = match host.strip_prefix('[') {
        Some(address) => address.find(']').map_or(host.len(), |bracket| bracket + 2),
        None => 0,
    };
    host.as_bytes().get(after..)?.iter().rposition(|&octet| octet == b':').map(|colon| after + colon)
}
