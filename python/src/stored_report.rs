//! A report as it is kept: as it was made, or as it came out of a pickle.

use pyo3::prelude::*;
use septet::Report;

use crate::report;

/// The report of a message.
pub enum StoredReport {
    /// As it was made.
    Made(Report),
    /// As another process has pickled it.
    Pickled(PickledReport),
}

/// What a pickle holds of a report.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PickledReport {
    /// "changed", "left" or "unchanged".
    pub result: String,
    /// The report on one line.
    pub line: String,
    /// The report in JSON.
    pub json: String,
}

impl StoredReport {
    /// Returns "changed", "left" or "unchanged".
    pub fn result(&self) -> &str {
        match self {
            StoredReport::Made(report) => report.result(),
            StoredReport::Pickled(pickled) => &pickled.result,
        }
    }

    /// Returns the report on one line.
    pub fn line(&self) -> String {
        match self {
            StoredReport::Made(report) => report.to_string(),
            StoredReport::Pickled(pickled) => pickled.line.clone(),
        }
    }

    /// Makes the list of it.
    pub fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            StoredReport::Made(report) => report::to_python(py, report),
            StoredReport::Pickled(pickled) => report::of_json(py, &pickled.json),
        }
    }

    /// Makes what a pickle holds of it.
    pub fn pickled(&self) -> PyResult<PickledReport> {
        match self {
            StoredReport::Made(report) => Ok(PickledReport {
                result: report.result().to_owned(),
                line: report.to_string(),
                json: report::json(report)?,
            }),
            StoredReport::Pickled(pickled) => Ok(pickled.clone()),
        }
    }
}
