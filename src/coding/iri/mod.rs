//! Links: IRIs to URIs and back (draft-ietf-iri-3987bis-06).

use serde::{Deserialize, Serialize};

/// How a link's host is mapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HostForm {
    /// `xn--…` (§3.4.2).
    Punycode,
    /// `%C3%A9` (§3.4.1).
    Percent,
}
