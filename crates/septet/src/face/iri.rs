//! Links: IRI references to URI references and back (draft-ietf-iri-3987bis-06, RFC 3987).

use std::borrow::Cow;
use std::ops::Range;

use crate::coding::iri::find::FindOptions;
use crate::coding::iri::{self, Mapping};
pub use crate::coding::iri::{ReferenceError, UriError};

/// A link in running text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// Octets of the text, from the scheme to the end.
    pub at: Range<usize>,
    /// The link as it stands, without the line breaks in it.
    pub iri: String,
}

/// Maps a reference to a URI reference: the host by punycode, the rest in percent; a URI comes back as it is.
///
/// ```
/// use septet::iri::to_uri;
///
/// assert_eq!(to_uri("http://exämple.org/é").unwrap(), "http://xn--exmple-cua.org/%C3%A9");
/// assert!(to_uri("http://example.org/a\u{202E}b").is_err(), "a bidi control");
/// ```
///
/// # Errors
///
/// [`UriError`]: what stands there can't be mapped, or must not be.
pub fn to_uri(reference: &str) -> Result<Cow<'_, str>, UriError> {
    iri::to_uri(reference, &Mapping::default())
}

/// Shows a URI reference as people read it (§3.7); what would not map back to the same URI stays.
///
/// ```
/// use septet::iri::to_iri;
///
/// assert_eq!(to_iri("http://example.org/%C3%A9"), "http://example.org/é");
/// ```
pub fn to_iri(uri: &str) -> Cow<'_, str> {
    iri::to_iri(uri)
}

/// Resolves a reference against a base (§5.5, RFC 3986 §5.2).
///
/// ```
/// use septet::iri::resolve;
///
/// assert_eq!(resolve("http://example.org/ä/", "../b").unwrap(), "http://example.org/b");
/// ```
///
/// # Errors
///
/// [`ReferenceError`]: one of the two is no reference.
pub fn resolve(base: &str, reference: &str) -> Result<String, ReferenceError> {
    iri::resolve(base, reference)
}

/// Finds the links of running text, in order; one whose scheme is disguised is left out.
///
/// ```
/// use septet::iri::find;
///
/// let text = "See http://example.org/été, and <http://example.org/b>.";
/// let links: Vec<_> = find(text).map(|link| link.iri).collect();
/// assert_eq!(links, ["http://example.org/été", "http://example.org/b"]);
/// ```
pub fn find(text: &str) -> impl Iterator<Item = Link> {
    let options = FindOptions { bounded: true, ..FindOptions::default() };
    let honest = iri::find(text, options).filter(|found| found.disguise.is_none());
    honest.map(|found| Link { iri: found.iri(text).into_owned(), at: found.at })
}
