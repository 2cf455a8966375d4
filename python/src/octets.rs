//! Octets as Python hands them in.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PyString};

/// Octets of a message: `bytes` as they are; of a `bytearray`, or whatever else has a buffer, a copy, since another thread
/// may write into it.
pub struct Octets<'py>(Bound<'py, PyBytes>);

impl<'py> Octets<'py> {
    /// Returns them.
    pub fn as_slice(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// Returns Python's object.
    pub fn into_bytes(self) -> Bound<'py, PyBytes> {
        self.0
    }
}

impl<'py> FromPyObject<'_, 'py> for Octets<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Octets<'py>> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Octets(bytes.to_owned()));
        }
        let copy = PyMemoryView::from(&object)?.call_method0("tobytes")?;
        Ok(Octets(copy.cast_into()?))
    }
}

/// The value of a field: octets, or the text that Python's `email` made of them.
pub struct HeaderValue(pub Vec<u8>);

impl<'py> FromPyObject<'_, 'py> for HeaderValue {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<HeaderValue> {
        let Ok(text) = object.cast::<PyString>() else {
            return Octets::extract(object).map(|octets| HeaderValue(octets.as_slice().to_owned()));
        };
        if let Ok(text) = text.to_cow() {
            return Ok(HeaderValue(text.as_bytes().to_owned()));
        }
        octets_of_surrogates(&text).map(HeaderValue)
    }
}

/// Returns the octets of a text with surrogates: `email` hands out octets beyond ASCII so (PEP 383); any others become `?`.
fn octets_of_surrogates(text: &Bound<'_, PyString>) -> PyResult<Vec<u8>> {
    let escaped = text.call_method1("encode", ("utf-8", "surrogateescape"));
    escaped.or_else(|_| text.call_method1("encode", ("utf-8", "replace")))?.extract()
}
