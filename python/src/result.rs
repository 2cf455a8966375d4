//! What became of a message.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use septet::{EditList, Plan};

use crate::octets::Octets;
use crate::stored_report::{PickledReport, StoredReport};

/// What became of a message: its octets now, and what was done to it.
#[pyclass(frozen, name = "Result", module = "septet")]
pub struct Converted {
    /// The message as it is now; the very object that came in where nothing was changed.
    #[pyo3(get)]
    bytes: Py<PyBytes>,
    /// True if any octet is another one now.
    #[pyo3(get)]
    changed: bool,
    /// The From_ line of a message in a mailbox, its line end included, b"" where there is none; None for any other message.
    #[pyo3(get)]
    from_line: Option<Py<PyBytes>>,
    report: StoredReport,
}

impl Converted {
    /// Carries a plan out on the octets of Python's that it was made for.
    pub fn of_bytes(py: Python<'_>, raw: Octets<'_>, plan: Plan) -> Converted {
        let changed = !plan.edits.is_empty();
        let bytes = match changed {
            true => edited(py, raw.as_slice(), &plan.edits),
            false => raw.into_bytes(),
        };
        Converted { bytes: bytes.unbind(), changed, from_line: None, report: StoredReport::Made(plan.report) }
    }

    /// Carries a plan out on the message of a mailbox that it was made for.
    pub fn of_stored(py: Python<'_>, from_line: &[u8], message: &[u8], plan: Plan) -> Converted {
        let bytes = edited(py, message, &plan.edits).unbind();
        let from_line = Some(PyBytes::new(py, from_line).unbind());
        Converted { bytes, changed: !plan.edits.is_empty(), from_line, report: StoredReport::Made(plan.report) }
    }
}

#[pymethods]
impl Converted {
    /// "changed", "left" (something should have been changed and was not) or "unchanged".
    #[getter]
    fn result(&self) -> &str {
        self.report.result()
    }

    /// What was done and what was left, one dict an entry, with the keys that a report in JSON has.
    #[getter]
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.report.to_python(py)
    }

    fn __bytes__(&self, py: Python<'_>) -> Py<PyBytes> {
        self.bytes.clone_ref(py)
    }

    fn __str__(&self) -> String {
        self.report.line()
    }

    fn __repr__(&self) -> String {
        format!("<septet.Result {}: {}>", self.report.result(), self.report.line())
    }

    /// Two are equal if their messages and From_ lines are, and what was said of them. The hash must be of no more than that.
    fn __eq__(&self, py: Python<'_>, other: &Converted) -> PyResult<bool> {
        Ok(self.octets(py) == other.octets(py)
            && self.changed == other.changed
            && self.report.pickled()? == other.report.pickled()?)
    }

    fn __hash__(&self, py: Python<'_>) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.octets(py), self.report.line()).hash(&mut hasher);
        hasher.finish()
    }

    /// Makes what a pickle holds: `_result` and its arguments.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ResultParts)> {
        let PickledReport { result, line, json } = self.report.pickled()?;
        let from_line = self.from_line.as_ref().map(|line| line.clone_ref(py));
        let parts = (self.bytes.clone_ref(py), self.changed, from_line, result, line, json);
        Ok((py.import("septet._septet")?.getattr("_result")?, parts))
    }
}

/// What a result is pickled as.
type ResultParts = (Py<PyBytes>, bool, Option<Py<PyBytes>>, String, String, String);

impl Converted {
    /// Returns the octets of the message, and of its From_ line.
    fn octets<'a>(&'a self, py: Python<'a>) -> (&'a [u8], Option<&'a [u8]>) {
        (self.bytes.as_bytes(py), self.from_line.as_ref().map(|line| line.as_bytes(py)))
    }
}

/// Makes a result of what a pickle holds.
#[pyfunction]
pub fn _result(
    bytes: Py<PyBytes>,
    changed: bool,
    from_line: Option<Py<PyBytes>>,
    result: String,
    line: String,
    json: String,
) -> Converted {
    let report = StoredReport::Pickled(PickledReport { result, line, json });
    Converted { bytes, changed, from_line, report }
}

/// Makes Python's octets of an edited message, without another copy of them between. The edits must be of this message.
fn edited<'py>(py: Python<'py>, raw: &[u8], edits: &EditList) -> Bound<'py, PyBytes> {
    if edits.is_empty() {
        return PyBytes::new(py, raw);
    }
    let pieces: Vec<&[u8]> = edits.pieces(raw).collect();
    let length = pieces.iter().map(|piece| piece.len()).sum();
    let fill = |mut room: &mut [u8]| {
        for piece in &pieces {
            let (here, rest) = room.split_at_mut(piece.len());
            here.copy_from_slice(piece);
            room = rest;
        }
        Ok(())
    };
    // It fails for want of memory alone, for which Rust has no other answer either.
    PyBytes::new_with(py, length, fill).unwrap_or_else(|_| PyBytes::new(py, &edits.apply(raw)))
}
