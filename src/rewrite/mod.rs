//! DECIDE: a profile and a message give a plan.
//!
//! One function plans one field and one function plans one body, so edits can't fight.

pub mod links;
mod profile;
mod report;

pub use profile::{
    BUILT_IN, BodyCharset, Dkim, EscapeForm, HeaderForm, HostForm, Iris, LabelTable, OnLoss, Profile, Signed, Transfer,
};
pub use report::{Change, Entry, Note, Outcome, Place, Reason, Report, Safe};

pub use crate::coding::charset::{BuiltIn as BuiltInLabels, Labels};
pub use crate::message::Limits;

use crate::edit::EditList;

/// What is to be done to one message, and why.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// The edits; an empty list means "leave it alone, octet for octet".
    pub edits: EditList,
    /// What was decided.
    pub report: Report,
}

/// Plans what a profile makes of a message; total and pure: every input gives a plan.
///
/// Limits are the profile's: a message beyond one of them gets an empty list of edits and one report entry.
pub fn plan(_raw: &[u8], _profile: &Profile) -> Plan {
    Plan::default()
}
