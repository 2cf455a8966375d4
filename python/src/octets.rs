//! Octets as Python hands them in.

use pyo3::exceptions::PyTypeError;
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
        let has_no_buffer = |error: &PyErr| error.is_instance_of::<PyTypeError>(object.py());
        let view = PyMemoryView::from(&object);
        let view = view.map_err(|error| if has_no_buffer(&error) { no_octets(&object) } else { error })?;
        Ok(Octets(view.call_method0("tobytes")?.cast_into()?))
    }
}

/// Makes the error of an object without octets: what to hand over instead, where it has them in some other way.
fn no_octets(object: &Bound<'_, PyAny>) -> PyErr {
    let instead = if object.is_instance_of::<PyString>() {
        ": those of the file, opened as \"rb\", or of text.encode()"
    } else {
        WAYS.iter().find(|(method, _)| has(object, method)).map_or("", |(_, way)| way)
    };
    PyTypeError::new_err(format!("bytes are wanted, not {}{instead}", kind(object)))
}

/// How octets are had of an object with a method.
const WAYS: [(&str, &str); 3] = [
    ("as_bytes", ": message.as_bytes(), or better those of its file"),
    ("read_bytes", ": path.read_bytes()"),
    ("read", ": file.read(), the file opened as \"rb\""),
];

/// Returns true if an object has an attribute of this name; what fails on the way counts as no.
fn has(object: &Bound<'_, PyAny>, method: &str) -> bool {
    object.hasattr(method).unwrap_or(false)
}

/// Returns the name of an object's type.
pub fn kind(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string())
}

/// The value of a field: octets, or the text or `email.header.Header` that Python's `email` made of them.
pub struct HeaderValue(pub Vec<u8>);

impl<'py> FromPyObject<'_, 'py> for HeaderValue {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<HeaderValue> {
        let module = object.py().import("email.header")?;
        if object.is_instance(&module.getattr("Header")?)? {
            return octets_of_header(&module, &object);
        }
        let Ok(text) = object.cast::<PyString>() else {
            if has(&object, "as_bytes") {
                let error = format!("the value of a field is wanted, not {}: message[\"Subject\"]", kind(&object));
                return Err(PyTypeError::new_err(error));
            }
            return Octets::extract(object).map(|octets| HeaderValue(octets.as_slice().to_owned()));
        };
        if let Ok(text) = text.to_cow() {
            return Ok(HeaderValue(text.as_bytes().to_owned()));
        }
        octets_of_surrogates(&text).map(HeaderValue)
    }
}

/// Returns the octets of a `Header`: raw where `email` has read them so, which it calls `unknown-8bit`, else in words.
fn octets_of_header(module: &Bound<'_, PyModule>, header: &Bound<'_, PyAny>) -> PyResult<HeaderValue> {
    let chunks: Vec<(Bound<'_, PyAny>, Option<String>)> = module.call_method1("decode_header", (header,))?.extract()?;
    let is_raw = |charset: &Option<String>| charset.as_deref() == Some("unknown-8bit");
    if !chunks.iter().all(|(_, charset)| is_raw(charset)) {
        return HeaderValue::extract(header.call_method0("encode")?.as_borrowed());
    }
    let octets: PyResult<Vec<Vec<u8>>> = chunks.iter().map(|(octets, _)| octets.extract()).collect();
    Ok(HeaderValue(octets?.concat()))
}

/// Returns the octets of a text with surrogates: `email` hands out octets beyond ASCII so (PEP 383); any others become `?`.
fn octets_of_surrogates(text: &Bound<'_, PyString>) -> PyResult<Vec<u8>> {
    let escaped = text.call_method1("encode", ("utf-8", "surrogateescape"));
    escaped.or_else(|_| text.call_method1("encode", ("utf-8", "replace")))?.extract()
}
