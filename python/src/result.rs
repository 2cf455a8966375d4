//! What became of a message.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use septet::{EditList, Plan, Report};

use crate::octets::Octets;
use crate::report;

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
    report: Report,
}

impl Converted {
    /// Carries a plan out on octets of Python's.
    pub fn of_bytes(py: Python<'_>, raw: Octets<'_>, plan: Plan) -> Converted {
        let changed = !plan.edits.is_empty();
        let bytes = match changed {
            true => edited(py, raw.as_slice(), &plan.edits),
            false => raw.into_bytes(),
        };
        Converted { bytes: bytes.unbind(), changed, from_line: None, report: plan.report }
    }

    /// Carries a plan out on a message of a mailbox.
    pub fn of_stored(py: Python<'_>, from_line: &[u8], message: &[u8], plan: Plan) -> Converted {
        let bytes = edited(py, message, &plan.edits).unbind();
        let from_line = Some(PyBytes::new(py, from_line).unbind());
        Converted { bytes, changed: !plan.edits.is_empty(), from_line, report: plan.report }
    }
}

#[pymethods]
impl Converted {
    /// "changed", "left" (something should have been changed and was not) or "unchanged".
    #[getter]
    fn result(&self) -> &'static str {
        self.report.result()
    }

    /// What was done and what was left, one dict an entry, with the keys that a report in JSON has.
    #[getter]
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        report::to_python(py, &self.report)
    }

    fn __bytes__(&self, py: Python<'_>) -> Py<PyBytes> {
        self.bytes.clone_ref(py)
    }

    fn __str__(&self) -> String {
        self.report.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<septet.Result {}: {}>", self.report.result(), self.report)
    }
}

/// Makes Python's octets of an edited message, without another copy of them between.
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
