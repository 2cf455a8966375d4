//! Links: IRIs to URIs and back, and where they stand in running text (draft-ietf-iri-3987bis-06).
//!
//! An IRI is a URI that may hold characters outside ASCII; a reference is one of them or a relative part of one.
//! The draft is one of six years after RFC 3987; where its text is damaged or contradicts itself, the module that
//! builds the rule says what was built instead.
//!
//! | module | what | draft |
//! |---|---|---|
//! | `syntax`, `component`, `address` | the grammar, references cut into components | §2.2 |
//! | `to_uri`, `host`, `query`, `mailto` | IRIs to URIs, by component | §3.1 - §3.6, §5.4 |
//! | `usual` | the same, of the usual web address at once | §3.3 |
//! | `to_iri` | URIs to IRIs | §3.7, §5.1 |
//! | `bidi` | right-to-left components | §4 |
//! | `resolve` | references against a base | §5.5 |
//! | `liberal` | Web Addresses | §6 |
//! | `hidden` | what needs no look |  |
//! | `look_alike`, `known_hosts` | hosts and schemes that look like others | §9 |
//! | [`mod@find`] | IRIs in running text | §7.3, UTS #58 |

mod address;
pub mod bidi;
mod component;
mod edits;
pub mod find;
mod hidden;
mod host;
mod known_hosts;
pub mod liberal;
mod look_alike;
mod mailto;
mod query;
mod resolve;
mod syntax;
mod to_iri;
mod to_uri;
mod usual;

pub use address::is_ipv4;
pub use component::{Reference, ReferenceError, is_local, scheme};
pub use edits::{Edits, apply};
pub use find::{Schemeless, find};
pub use hidden::may_hide;
pub use host::punycode;
pub use known_hosts::KnownHosts;
pub use look_alike::{scheme_disguise, suspicious_domain, suspicious_host};
pub use resolve::resolve;
pub use syntax::is_bidi_control;
pub use to_iri::{to_iri, to_iri_edits};
pub use to_uri::{Mapping, Syntax, UriError, add_uri_edits, is_uri, to_uri, to_uri_edits};
pub use usual::{Ampersands, add_usual_edits};

/// How a link's host is mapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum HostForm {
    /// `xn--…` (§3.4.2).
    #[default]
    Punycode,
    /// `%C3%A9` (§3.4.1).
    Percent,
}
