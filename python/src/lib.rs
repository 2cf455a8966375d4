//! septet for Python: what `septet._septet` has, each a few lines over the library's face.
//!
//! Nothing here does I/O but the reading of a settings file: mailbox files are opened and replaced in Python, where errors
//! of files are those that people know. All planning is done without the GIL.

mod keys;
mod mailbox;
mod octets;
mod planned;
mod profile;
mod report;
mod result;
mod stored_report;
mod texts;

use pyo3::prelude::*;
use septet::header;

use octets::{HeaderValue, Octets};
use planned::planned;
use profile::WantedProfile;
use result::Converted;

/// What is compiled of the package `septet`.
#[pymodule]
mod _septet {
    #[pymodule_export]
    use super::mailbox::{Mailbox, rewrite_mbox};
    #[pymodule_export]
    use super::profile::{_profile, Profile};
    #[pymodule_export]
    use super::result::{_result, Converted};
    #[pymodule_export]
    use super::texts::{decode, encode_header, find_iris, texts, to_iri, to_uri};
    #[pymodule_export]
    use super::{convert, decode_addresses, decode_header, detect, explain};

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}

/// Converts a message: its octets, what was changed, what was left and why.
#[pyfunction]
#[pyo3(signature = (raw, profile = WantedProfile::default()), text_signature = "(raw, profile='utf8')")]
fn convert(py: Python<'_>, raw: Octets<'_>, profile: WantedProfile<'_>) -> PyResult<Converted> {
    let (octets, profile) = (raw.as_slice(), profile.find()?);
    let plan = py.detach(|| planned(|| septet::plan(octets, &profile)));
    Ok(Converted::of_bytes(py, raw, plan))
}

/// Says what convert would do with a message: the report alone.
#[pyfunction]
#[pyo3(signature = (raw, profile = WantedProfile::default()), text_signature = "(raw, profile='utf8')")]
fn explain<'py>(py: Python<'py>, raw: Octets<'py>, profile: WantedProfile<'py>) -> PyResult<Bound<'py, PyAny>> {
    let (octets, profile) = (raw.as_slice(), profile.find()?);
    let plan = py.detach(|| planned(|| septet::plan(octets, &profile)));
    report::to_python(py, &plan.report)
}

/// Reads the value of an unstructured field, as Subject; a word that can't be read stays as it stands.
#[pyfunction]
fn decode_header(py: Python<'_>, value: HeaderValue) -> String {
    py.detach(|| header::decode(&value.0))
}

/// Reads the mailboxes of an address field, as (name, address); what is none is left out, and a list that is never closed
/// gives nothing.
#[pyfunction]
fn decode_addresses(py: Python<'_>, value: HeaderValue) -> Vec<(String, String)> {
    let read = py.detach(|| header::decode_addresses(&value.0));
    read.into_iter().map(|one| (one.name, one.address)).collect()
}

/// Finds out which charset octets without a label are in; None where nobody can tell.
#[pyfunction]
fn detect(py: Python<'_>, octets: Octets<'_>) -> Option<&'static str> {
    let octets = octets.as_slice();
    py.detach(|| septet::detect(octets)).map(septet::Charset::name)
}
