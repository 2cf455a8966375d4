//! Mailbox files, whose octets Python has read.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use septet::{mbox, plan};

use crate::octets::Octets;
use crate::profile::WantedProfile;
use crate::result::Converted;
use crate::stored::StoredMessage;

/// The messages of a mailbox file, converted one by one as they are asked for.
#[pyclass(frozen, module = "septet")]
pub struct Mailbox {
    file: Py<PyBytes>,
    profile: Arc<septet::Profile>,
    left: Mutex<std::vec::IntoIter<StoredMessage>>,
}

#[pymethods]
impl Mailbox {
    #[new]
    #[pyo3(signature = (file, profile = WantedProfile::default()), text_signature = "(file, profile='utf8')")]
    fn new(py: Python<'_>, file: Octets<'_>, profile: WantedProfile<'_>) -> PyResult<Mailbox> {
        let (octets, profile) = (file.as_slice(), profile.find()?);
        let found = py.detach(|| StoredMessage::all(octets));
        Ok(Mailbox { file: file.into_bytes().unbind(), profile, left: Mutex::new(found.into_iter()) })
    }

    fn __iter__(this: PyRef<'_, Mailbox>) -> PyRef<'_, Mailbox> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> Option<Converted> {
        let next = self.left.lock().unwrap_or_else(PoisonError::into_inner).next()?;
        let origin = next.within(self.file.as_bytes(py));
        let plan = py.detach(|| plan(origin.message, &self.profile));
        Some(Converted::of_stored(py, origin, plan))
    }
}

/// Converts a mailbox file and hands its octets to `write`, a batch of messages at a time; returns how many there were.
#[pyfunction]
pub fn rewrite_mbox<'py>(
    py: Python<'py>,
    file: Octets<'py>,
    profile: WantedProfile<'py>,
    write: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let (octets, profile) = (file.as_slice(), profile.find()?);
    let mut stored = py.detach(|| mbox::messages(octets));
    let mut counts = Counts::default();
    loop {
        let batch = py.detach(|| counts.next_batch(&mut stored, &profile));
        if batch.is_empty() {
            return counts.to_python(py);
        }
        write.call1((PyBytes::new(py, &batch),))?;
        py.check_signals()?;
    }
}

/// After how many octets a batch is full.
const BATCH: usize = 1 << 20;

/// How many messages became what.
#[derive(Default)]
struct Counts {
    changed: usize,
    left: usize,
    unchanged: usize,
}

impl Counts {
    /// Converts messages until there is enough to write; what is empty is the end.
    fn next_batch<'f>(
        &mut self,
        stored: &mut impl Iterator<Item = mbox::Stored<'f>>,
        profile: &septet::Profile,
    ) -> Vec<u8> {
        let mut batch = Vec::new();
        while batch.len() < BATCH {
            let Some(one) = stored.next() else { break };
            let plan = plan(&one.message(), profile);
            batch.extend_from_slice(&one.rewritten(&plan));
            match plan.report.result() {
                "changed" => self.changed += 1,
                "left" => self.left += 1,
                _ => self.unchanged += 1,
            }
        }
        batch
    }

    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("messages", self.changed + self.left + self.unchanged)?;
        dict.set_item("changed", self.changed)?;
        dict.set_item("left", self.left)?;
        dict.set_item("unchanged", self.unchanged)?;
        Ok(dict)
    }
}
