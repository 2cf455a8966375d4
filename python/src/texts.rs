//! Texts, fields and links by themselves: what is asked of octets that are no whole message.

use pyo3::exceptions::{PyLookupError, PyUnicodeError, PyValueError};
use pyo3::prelude::*;
use septet::{header, iri, parts, text};

use crate::octets::Octets;

/// Reads octets as text, by their label if it is good, or else by what they show; gives the text and the charset that they are
/// in, and a UnicodeError where nobody can tell.
#[pyfunction]
#[pyo3(signature = (octets, label = None))]
pub fn decode(py: Python<'_>, octets: Octets<'_>, label: Option<&str>) -> PyResult<(String, &'static str)> {
    let octets = octets.as_slice();
    let read = py.detach(|| text::decode(octets, label).map(|read| (read.text.into_owned(), read.charset.name())));
    read.map_err(|doubt| PyUnicodeError::new_err(doubt.to_string()))
}

/// Writes a text as the value of a field, in encoded-words where it needs them, folded with CRLF; a ValueError for what the field
/// has no place for, a LookupError for an unknown charset.
#[pyfunction]
#[pyo3(signature = (name, text, charset = "utf-8"))]
pub fn encode_header(name: &str, text: &str, charset: &str) -> PyResult<String> {
    let known = septet::text::charset(charset);
    let known = known.ok_or_else(|| PyLookupError::new_err(format!("no charset has the label {charset}")))?;
    header::encode(name, text, known).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Finds the links of running text, as (iri, start, end): `text[start:end]` is where one stands, with the line breaks in it.
#[pyfunction]
pub fn find_iris(py: Python<'_>, text: &str) -> Vec<(String, usize, usize)> {
    py.detach(|| {
        let (mut octet, mut character) = (0, 0);
        let mut count = |to: usize| {
            character += text[octet..to].chars().count();
            octet = to;
            character
        };
        iri::find(text).map(|link| (link.iri, count(link.at.start), count(link.at.end))).collect()
    })
}

/// Maps an IRI reference to a URI reference: the host by punycode, the rest in percent; a ValueError for what can't be mapped.
#[pyfunction]
pub fn to_uri(iri: &str) -> PyResult<String> {
    let mapped = iri::to_uri(iri).map(|uri| uri.into_owned());
    mapped.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Shows a URI reference as people read it; what would not map back to the same URI stays.
#[pyfunction]
pub fn to_iri(uri: &str) -> String {
    iri::to_iri(uri).into_owned()
}

/// Reads the texts that a message shows, as (media type, text); attached files are none of them, and U+FFFD stands where nobody
/// can tell what is meant.
#[pyfunction]
pub fn texts(py: Python<'_>, raw: Octets<'_>) -> Vec<(String, String)> {
    let octets = raw.as_slice();
    py.detach(|| parts::texts(octets)).into_iter().map(|part| (part.media_type, part.text)).collect()
}
