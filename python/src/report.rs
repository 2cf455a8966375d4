//! Reports as lists of dicts, with the keys of a report in JSON.

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use septet::Report;
use serde_json::Value;

/// Makes the list of a report.
pub fn to_python<'py>(py: Python<'py>, report: &Report) -> PyResult<Bound<'py, PyAny>> {
    let value = serde_json::to_value(report).map_err(|error| PyValueError::new_err(error.to_string()))?;
    object(py, value)
}

/// Writes a report in JSON.
pub fn json(report: &Report) -> PyResult<String> {
    serde_json::to_string(report).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Makes the list of a report in JSON; a ValueError for what is no JSON, as in a pickle that somebody else made.
pub fn of_json<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    object(py, serde_json::from_str(json).map_err(|error| PyValueError::new_err(error.to_string()))?)
}

/// Makes an object of a value, None of a number that is not whole; what is in a report is two lists deep and no more.
fn object(py: Python<'_>, value: Value) -> PyResult<Bound<'_, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(it) => it.into_bound_py_any(py),
        Value::Number(it) => it.as_i64().into_bound_py_any(py),
        Value::String(it) => it.into_bound_py_any(py),
        Value::Array(items) => {
            let items: Vec<_> = items.into_iter().map(|item| object(py, item)).collect::<PyResult<_>>()?;
            Ok(PyList::new(py, items)?.into_any())
        }
        Value::Object(keys) => {
            let dict = PyDict::new(py);
            keys.into_iter().try_for_each(|(key, item)| dict.set_item(key, object(py, item)?))?;
            Ok(dict.into_any())
        }
    }
}
