//! IRIs to URIs (draft-ietf-iri-3987bis-06 §3.3 to §3.6, §5.4, §6.1, §6.2).
//!
//! A reference is cut into components first and each is mapped by its own rule, then nothing needs reassembling:
//! the mapping is a list of edits, and what stands between them is the original punctuation. The result is a
//! valid URI or there is none (§5.4): half a mapping would name something else. That is why a stray `%` or a
//! bracket in a path, which §3.3 leaves alone, refuses the whole reference.

use std::borrow::Cow;
use std::ops::Range;

use thiserror::Error;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::component::{Reference, ReferenceError, UNTOUCHED};
use super::edits::{Edits, apply, spliced};
use super::syntax::REG_NAME;
use super::{HostForm, KnownHosts, host, liberal, mailto, query, suspicious_host, syntax};
use crate::charset::Charset;

/// Which strings count as references.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Syntax {
    /// IRI references, and whatever else percent-encoding makes a URI of (§3.3).
    #[default]
    Iri,
    /// Legacy Extended IRIs, as XML formats have them (§6.1).
    Leiri,
    /// Web Addresses, as HTML attributes have them (§6.2).
    Href,
}

/// How IRIs are mapped to URIs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mapping<'a> {
    /// How the host is mapped (§3.4).
    pub host: HostForm,
    /// The charset of the document that the IRI comes from; none is UTF-8 (§3.5).
    pub document: Option<Charset>,
    /// Which strings count as references.
    pub syntax: Syntax,
    /// The scheme of the base that relative references are resolved against, when it is known.
    pub base: Option<&'a str>,
    /// What is known of the hosts of the same text; none where each host is looked at anew.
    pub hosts: Option<&'a KnownHosts>,
}

impl Mapping<'_> {
    /// Returns the host of a reference that looks like another one, as [`suspicious_host`](super::suspicious_host)
    /// does.
    pub fn suspicious_host(&self, reference: &Reference<'_>) -> Option<String> {
        self.hosts.map_or_else(|| suspicious_host(reference), |hosts| hosts.suspicious(reference))
    }
}

/// Why a reference can't become a URI; it stays whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UriError {
    /// It holds a bidirectional formatting character (§4.1).
    #[error("offset {offset}: bidi control U+{:04X} in an IRI", u32::from(*character))]
    BidiControl {
        /// Octets from the start of the reference.
        offset: usize,
        /// The character.
        character: char,
    },
    /// It holds a character that is not even a LEIRI's (§6.1).
    #[error("offset {offset}: U+{:04X} is in no reference", u32::from(*character))]
    Excluded {
        /// Octets from the start of the reference.
        offset: usize,
        /// The character.
        character: char,
    },
    /// Its scheme names no resource elsewhere: `cid`, `data`, `javascript` and their like are never touched.
    #[error("the scheme is never touched")]
    Untouched,
    /// Its host can't be mapped, or its scheme needs another; a clause.
    #[error("{0}")]
    Host(&'static str),
    /// A query in a legacy charset, and no scheme that says whether §3.5 applies.
    #[error("a relative reference has no scheme that tells its query's charset")]
    Query,
    /// The result would not be a URI (§5.4).
    #[error("the result is no URI: {0}")]
    NotUri(ReferenceError),
}

impl UriError {
    /// Returns the reason without its particulars, as reports show it.
    pub fn clause(&self) -> &'static str {
        match self {
            UriError::BidiControl { .. } => "bidi control",
            UriError::Excluded { .. } => "excluded character",
            UriError::Untouched => "the scheme is never touched",
            UriError::Host(clause) => clause,
            UriError::Query => "relative query in a legacy charset",
            UriError::NotUri(_) => "the result is no URI",
        }
    }
}

/// Maps a reference to a URI reference; a valid URI comes back as it is.
///
/// ```
/// use septet_text::iri::{Mapping, to_uri};
///
/// let mapping = Mapping::default();
/// assert_eq!(to_uri("http://exämple.org/é", &mapping).unwrap(), "http://xn--exmple-cua.org/%C3%A9");
/// assert_eq!(to_uri("http://example.org/", &mapping).unwrap(), "http://example.org/");
/// assert!(to_uri("http://example.org/a\u{202E}b", &mapping).is_err(), "a bidi control");
/// assert!(to_uri("javascript:é", &mapping).is_err(), "never touched");
/// ```
pub fn to_uri<'a>(text: &'a str, mapping: &Mapping<'_>) -> Result<Cow<'a, str>, UriError> {
    if mapping.syntax != Syntax::Href {
        return to_uri_edits(text, mapping).map(|edits| apply(text, &edits));
    }
    if is_uri(text) {
        return Ok(text.into());
    }
    let cleaned = liberal::clean(text).text;
    to_uri_edits(&cleaned, mapping).map(|edits| apply(&cleaned, &edits).into_owned().into())
}

/// Returns `true` if a text is a valid URI reference (RFC 3986 §4.1).
///
/// ```
/// use septet_text::iri::is_uri;
///
/// assert!(is_uri("http://example.org/%C3%A9") && is_uri("../up"));
/// assert!(!is_uri("http://example.org/é") && !is_uri("http://example.org/a b"));
/// ```
pub fn is_uri(text: &str) -> bool {
    text.is_ascii() && Reference::split(text).is_uri()
}

/// Returns the edits that map a reference; a Web Address has to be [cleaned](liberal::clean) before.
pub fn to_uri_edits(text: &str, mapping: &Mapping<'_>) -> Result<Edits, UriError> {
    let mut edits = Edits::new();
    add_uri_edits(text, mapping, &mut edits)?;
    Ok(edits)
}

/// Adds the edits that map a reference to those of others; none of them when it is refused.
pub fn add_uri_edits(text: &str, mapping: &Mapping<'_>, edits: &mut Edits) -> Result<(), UriError> {
    to_uri_pieces(&Reference::split(text), mapping, &[], edits)
}

/// Adds the edits that map a reference in pieces to those of others; none of them when it is refused. No run of
/// characters is encoded across one of the `starts` of pieces.
pub(super) fn to_uri_pieces(
    reference: &Reference<'_>,
    mapping: &Mapping<'_>,
    starts: &[usize],
    edits: &mut Edits,
) -> Result<(), UriError> {
    let done = edits.len();
    let mapped = map_pieces(reference, mapping, starts, edits);
    if mapped.is_err() {
        edits.truncate(done);
    }
    mapped
}

/// Adds the edits that map a reference, as [`to_uri_pieces`] does, but leaves those that it made before it refuses. A
/// URI gets none, whatever its scheme.
fn map_pieces(
    reference: &Reference<'_>,
    mapping: &Mapping<'_>,
    starts: &[usize],
    edits: &mut Edits,
) -> Result<(), UriError> {
    if reference.is_uri() {
        return Ok(());
    }
    let text = reference.as_str();
    refuse_characters(text, mapping.syntax)?;
    if reference.has_scheme(&UNTOUCHED) {
        return Err(UriError::Untouched);
    }
    let legacy = mapping.document.filter(|&charset| !query::is_ucs(charset));
    let only_encodes = mapping.syntax != Syntax::Href;
    let done = edits.len();
    let encoder = PercentEncoder { is_href: mapping.syntax == Syntax::Href, starts };
    let mut mapper = Mapper { mapping, legacy, encoder, edits, done, only_encodes };
    mapper.map(reference)?;
    // Where nothing but percent-encoding was done to what encodes to a URI, the result is one without a look at it.
    if !mapper.only_encodes || reference.lacks_host() || !reference.encodes_to_uri() {
        validate(&spliced(text, mapper.edits.since(done), text.len()))?;
    }
    Ok(())
}

/// Refuses a reference with a character that no form of it may hold, not even percent-encoded.
fn refuse_characters(text: &str, syntax: Syntax) -> Result<(), UriError> {
    // All of them start with one of three octets in UTF-8.
    if memchr::memchr3(0xD8, 0xE2, 0xEF, text.as_bytes()).is_none() {
        return Ok(());
    }
    // Among IRIs is whatever percent-encoding makes a URI of, so that these are encoded there.
    let has_excluded = syntax != Syntax::Iri;
    for (offset, character) in text.char_indices().filter(|(_, character)| !character.is_ascii()) {
        if syntax::is_bidi_control(character) {
            return Err(UriError::BidiControl { offset, character });
        }
        if has_excluded && matches!(character, '\u{FFFE}' | '\u{FFFF}') {
            return Err(UriError::Excluded { offset, character });
        }
    }
    Ok(())
}

/// Refuses a result that is no URI by the generic grammar, or lacks the host that http and its kin demand (§5.4).
fn validate(uri: &str) -> Result<(), UriError> {
    let reference = Reference::parse(uri).map_err(UriError::NotUri)?;
    if reference.lacks_host() {
        return Err(UriError::Host("the scheme needs a host"));
    }
    Ok(())
}

/// What must be percent-encoded.
#[derive(Clone, Copy)]
struct PercentEncoder<'m> {
    /// Whether brackets, number signs and lone percent signs must be, as in a Web Address.
    is_href: bool,
    /// Where pieces start that stand apart.
    starts: &'m [usize],
}

impl PercentEncoder<'_> {
    /// Returns `true` if a run of encoded characters may not go on over a place.
    #[inline]
    fn cuts(self, at: usize) -> bool {
        !self.starts.is_empty() && self.starts.contains(&at)
    }

    /// Adds an edit for every run of characters that can't stand in a URI; `write` appends the run encoded. `offset` is
    /// where `text` starts in the reference, whose places the edits and the `starts` count.
    fn encode(self, text: &str, offset: usize, edits: &mut Edits, write: impl Fn(&mut String, &str)) {
        let octets = text.as_bytes();
        let mut at = 0;
        while let Some(start) = (at..octets.len()).find(|&at| self.must_encode(octets, at, octets[at])) {
            let mut behind = start + 1..octets.len();
            let end = behind.find(|&at| !self.must_encode(octets, at, octets[at]) || self.cuts(offset + at));
            at = end.unwrap_or(octets.len());
            let run = text.get(start..at).unwrap_or_default();
            edits.push_written(offset + start..offset + at, |out| write(out, run));
        }
    }

    /// Returns `true` if an octet is one of a character that must be percent-encoded.
    fn must_encode(self, octets: &[u8], at: usize, octet: u8) -> bool {
        let class = syntax::class(octet);
        let href = class == syntax::ELSEWHERE && self.is_href;
        class == syntax::FOREIGN || href && !octets.get(at..).is_some_and(syntax::starts_pct)
    }
}

/// What maps one reference.
struct Mapper<'m> {
    mapping: &'m Mapping<'m>,
    /// The document's charset, when it is not a form of Unicode.
    legacy: Option<Charset>,
    encoder: PercentEncoder<'m>,
    edits: &'m mut Edits,
    /// How many of the edits are those of other references.
    done: usize,
    /// Whether nothing was done but to percent-encode what can stand in no URI, and to write names of hosts in ASCII.
    only_encodes: bool,
}

impl Mapper<'_> {
    /// Maps each component by its own rule. Scheme and port have nothing to map: the result is refused if they are
    /// wrong.
    fn map(&mut self, reference: &Reference<'_>) -> Result<(), UriError> {
        if let Some(userinfo) = &reference.userinfo {
            self.encode_component(reference, userinfo.clone());
        }
        if let Some(host) = &reference.host {
            self.host(reference, host.clone())?;
        }
        match reference.has_scheme(&["mailto"]) {
            true => self.addresses(reference)?,
            false => self.encode_component(reference, reference.path.clone()),
        }
        if let Some(query) = &reference.query {
            self.query(reference, query.clone())?;
        }
        if let Some(fragment) = &reference.fragment {
            self.encode_component(reference, fragment.clone());
        }
        Ok(())
    }

    /// Percent-encodes a component in UTF-8 (§3.3); one from a legacy charset is normalized first (§3.1).
    fn encode_component(&mut self, reference: &Reference<'_>, range: Range<usize>) {
        let text = reference.slice(range.clone());
        if self.legacy.is_some() && is_nfc_quick(text.chars()) != IsNormalized::Yes {
            let normal: String = text.nfc().collect();
            if normal != text {
                let mut edits = Edits::new();
                self.encoder.encode(&normal, 0, &mut edits, utf8);
                self.only_encodes = false;
                return self.edits.join_since(self.done, range, &apply(&normal, &edits));
            }
        }
        self.encoder.encode(text, range.start, self.edits, utf8);
    }

    /// Maps a host as the mapping says; one that a URI may have, and an address in brackets, stays.
    fn host(&mut self, reference: &Reference<'_>, range: Range<usize>) -> Result<(), UriError> {
        let text = reference.slice(range.clone());
        if text.starts_with('[') || text.chars().all(syntax::in_uri) {
            return Ok(());
        }
        let mapped = match self.mapping.host {
            HostForm::Percent => host::percent(text, self.legacy.is_some()),
            HostForm::Punycode => self.punycode(text).map_err(UriError::Host)?,
        };
        // What a name in ASCII is made of ends no component and needs no more encoding.
        self.only_encodes &= !mapped.is_empty() && mapped.bytes().all(|octet| syntax::class(octet) & REG_NAME != 0);
        self.edits.join_since(self.done, range, &mapped);
        Ok(())
    }

    /// Returns a host as a domain name, by what is known of the text's hosts where anything is.
    fn punycode(&self, host: &str) -> Result<String, &'static str> {
        self.mapping.hosts.map_or_else(|| host::punycode(host), |hosts| hosts.punycode(host))
    }

    /// Maps the path of a mailto: each domain as a host, what stands between as any component.
    fn addresses(&mut self, reference: &Reference<'_>) -> Result<(), UriError> {
        let mut done = reference.path.start;
        for domain in mailto::domains(reference.path()).map_err(UriError::Host)? {
            let domain = reference.path.start + domain.start..reference.path.start + domain.end;
            self.encode_component(reference, done..domain.start);
            self.host(reference, domain.clone())?;
            done = domain.end;
        }
        self.encode_component(reference, done..reference.path.end);
        Ok(())
    }

    /// Maps a query: in the document's charset for http and https, else like any component (§3.5). Without a
    /// scheme nobody can tell, which is an error. What the charset lacks is written as its character reference,
    /// percent-encoded; what only a LEIRI or a Web Address may hold is in UTF-8 all the same (§6.1, §6.2).
    fn query(&mut self, reference: &Reference<'_>, range: Range<usize>) -> Result<(), UriError> {
        let text = reference.slice(range.clone());
        let Some(charset) = self.legacy.filter(|_| !text.is_ascii()) else {
            self.encode_component(reference, range);
            return Ok(());
        };
        let scheme = reference.scheme().or(self.mapping.base).ok_or(UriError::Query)?;
        if !["http", "https"].iter().any(|http| scheme.eq_ignore_ascii_case(http)) {
            self.encode_component(reference, range);
            return Ok(());
        }
        let liberal = self.mapping.syntax != Syntax::Iri;
        self.encoder.encode(text, range.start, self.edits, |out, run| query::push(out, run, charset, liberal));
        Ok(())
    }
}

/// Appends a run percent-encoded in UTF-8.
fn utf8(out: &mut String, run: &str) {
    syntax::push_pct(out, run.as_bytes());
}
