//! The keys of a profile, from a dict to the TOML of the settings.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};
use toml::{Table, Value};

/// The name that a profile made of a dict has.
pub const NAME: &str = "custom";

/// How deep values may be in one another: a key, a table under it, a list in that.
const DEPTH: usize = 4;

/// Writes settings in TOML whose default profile, [`NAME`], has the keys of a dict; a ValueError for what TOML has not. What the
/// keys mean is not asked here.
pub fn settings(keys: &Bound<'_, PyMapping>) -> PyResult<String> {
    let keys = table("", keys, DEPTH)?;
    let profiles = Table::from_iter([(NAME.to_owned(), Value::Table(keys))]);
    Ok(Table::from_iter([
        ("default_profile".to_owned(), Value::String(NAME.to_owned())),
        ("profile".to_owned(), Value::Table(profiles)),
    ])
    .to_string())
}

/// Makes a table of a mapping whose keys are all str; `path` is what errors call it, empty for the whole.
fn table(path: &str, mapping: &Bound<'_, PyMapping>, depth: usize) -> PyResult<Table> {
    let items = mapping.items()?;
    let pairs = items.iter().map(|item| {
        let (key, object): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        let Ok(key) = key.extract::<String>() else { return Err(wrong(path, &key, "a key is a str")) };
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        Ok((key, value(&path, &object, depth)?))
    });
    pairs.collect()
}

/// Makes a value of Python's object, `depth` of which may be in one another; `path` is what errors call it.
fn value(path: &str, object: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    let Some(depth) = depth.checked_sub(1) else { return Err(PyValueError::new_err(format!("{path}: too deep"))) };
    if object.is_instance_of::<PyBool>() {
        return Ok(Value::Boolean(object.extract()?));
    }
    if object.is_instance_of::<PyInt>() {
        let number = object.extract().map_err(|_| wrong(path, object, "the number is too large"))?;
        return Ok(Value::Integer(number));
    }
    if object.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(object.extract()?));
    }
    if object.is_instance_of::<PyString>() {
        let text = object.extract().map_err(|_| wrong(path, object, "that is no text"))?;
        return Ok(Value::String(text));
    }
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        let items = object.try_iter()?.map(|item| value(path, &item?, depth));
        return Ok(Value::Array(items.collect::<PyResult<_>>()?));
    }
    match object.cast::<PyMapping>() {
        Ok(mapping) => table(path, mapping, depth).map(Value::Table),
        Err(_) => Err(wrong(path, object, "a value is a str, a bool, a number, a list or a dict")),
    }
}

/// Makes the error of an object that is none of the settings'.
fn wrong(path: &str, object: &Bound<'_, PyAny>, what: &str) -> PyErr {
    let shown = object.repr().map_or_else(|_| "?".to_owned(), |repr| repr.to_string_lossy().into_owned());
    let path = if path.is_empty() { String::new() } else { format!("{path}: ") };
    PyValueError::new_err(format!("{path}{shown}: {what}"))
}

/// Returns a profile's keys as a mapping, if that is what an object is; a str never is one.
pub fn mapping<'a, 'py>(object: &'a Bound<'py, PyAny>) -> Option<&'a Bound<'py, PyMapping>> {
    match object.is_instance_of::<PyDict>() || !object.is_instance_of::<PyString>() {
        true => object.cast().ok(),
        false => None,
    }
}
