//! Mailbox files, whose octets Python has read.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use septet::{Report, mbox};

use crate::octets::Octets;
use crate::planned::{converted, planned};
use crate::profile::WantedProfile;
use crate::result::Converted;

/// The messages of a mailbox file, converted one by one as they are asked for.
#[pyclass(frozen, module = "septet")]
pub struct Mailbox {
    file: Py<PyBytes>,
    messages: mbox::Mailbox,
    profile: Arc<septet::Profile>,
    next: AtomicUsize,
}

#[pymethods]
impl Mailbox {
    #[new]
    #[pyo3(signature = (file, profile = WantedProfile::default()), text_signature = "(file, profile='utf8')")]
    fn new(py: Python<'_>, file: Octets<'_>, profile: WantedProfile<'_>) -> PyResult<Mailbox> {
        let (octets, profile) = (file.as_slice(), profile.find()?);
        let messages = py.detach(|| mbox::Mailbox::of(octets));
        Ok(Mailbox { file: file.into_bytes().unbind(), messages, profile, next: AtomicUsize::new(0) })
    }

    fn __iter__(this: PyRef<'_, Mailbox>) -> PyRef<'_, Mailbox> {
        this
    }

    /// Converts the next message; None behind the last one.
    fn __next__(&self, py: Python<'_>) -> Option<Converted> {
        // Each number is handed out once, whichever of several threads asks.
        let stored = self.messages.get(self.file.as_bytes(py), self.next.fetch_add(1, Ordering::Relaxed))?;
        let (message, plan) = py.detach(|| (stored.message(), planned(|| stored.plan(&self.profile))));
        Some(Converted::of_stored(py, stored.from_line(), &message, plan))
    }
}

/// Converts a mailbox file and hands its octets to `write`, a batch of messages at a time; returns how many there were. What
/// `write` raises ends it.
#[pyfunction]
pub fn rewrite_mbox<'py>(
    py: Python<'py>,
    file: Octets<'py>,
    profile: WantedProfile<'py>,
    write: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let (octets, profile) = (file.as_slice(), profile.find()?);
    let mailbox = py.detach(|| mbox::Mailbox::of(octets));
    let (mut stored, mut counts) = (mailbox.messages(octets), Counts::default());
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
            let (octets, report) = converted(&one, profile);
            batch.extend_from_slice(&octets);
            self.count(&report);
        }
        batch
    }

    /// Counts a message by the one word of its report.
    fn count(&mut self, report: &Report) {
        match report.result() {
            "changed" => self.changed += 1,
            "left" => self.left += 1,
            _ => self.unchanged += 1,
        }
    }

    /// Makes the dict that Python gets: how many there were in all, and of each result.
    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("messages", self.changed + self.left + self.unchanged)?;
        dict.set_item("changed", self.changed)?;
        dict.set_item("left", self.left)?;
        dict.set_item("unchanged", self.unchanged)?;
        Ok(dict)
    }
}
