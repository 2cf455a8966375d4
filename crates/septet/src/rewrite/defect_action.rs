//! What becomes of each named defect: the settings of conformance. What is fixed is fixed by `conformance/`.

use serde::{Deserialize, Serialize};

use crate::message::{DefectKind, NAMED};

/// What becomes of a defect of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum DefectAction {
    /// It stays, and nothing is said of it.
    #[default]
    Keep,
    /// It is fixed, where that takes no guess.
    Fix,
    /// The message is refused for good; where nothing can be refused, the report says so.
    Reject,
    /// The client is told to come again later.
    Tempfail,
}

/// What becomes of each defect that has a name.
///
/// ```
/// use septet::Profile;
/// use septet::message::DefectKind;
/// use septet::rewrite::DefectAction;
///
/// let mut profile = Profile::default();
/// profile.conformance.set(DefectKind::Nul, DefectAction::Reject);
/// assert_eq!(profile.conformance.of(DefectKind::LongLine), DefectAction::Keep);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Conformance([DefectAction; NAMED.len()]);

impl Conformance {
    /// Returns what becomes of a defect; one without a name stays.
    pub fn of(&self, kind: DefectKind) -> DefectAction {
        let at = NAMED.iter().position(|named| *named == kind);
        at.map_or(DefectAction::Keep, |at| self.0[at])
    }

    /// Sets what becomes of a defect; does nothing for one without a name, which always stays.
    pub fn set(&mut self, kind: DefectKind, treatment: DefectAction) {
        if let Some(at) = NAMED.iter().position(|named| *named == kind) {
            self.0[at] = treatment;
        }
    }

    /// Returns `true` if any defect is fixed. Where none is, nothing is planned in rounds (`fix_once_more` of
    /// `stability.rs`), and a plan keeps no facts of a message's arrival.
    pub(super) fn fixes(&self) -> bool {
        NAMED.iter().any(|kind| self.fixes_kind(*kind))
    }

    /// Returns `true` if a defect is fixed: one that only a guess would fix is not, whoever asks for it.
    pub(super) fn fixes_kind(&self, kind: DefectKind) -> bool {
        self.of(kind) == DefectAction::Fix && why_not_fixed(kind).is_none()
    }

    /// Returns `true` if every defect stays, so that none need be looked for. One that is set and can't be fixed is
    /// still looked for, since the report says why it stays.
    pub fn is_keep(&self) -> bool {
        self.0.iter().all(|treatment| *treatment == DefectAction::Keep)
    }
}

/// Says why a defect can't be fixed without guessing, for whoever would ask for it. Every other named defect has a step
/// of `conformance/` that fixes it; one without must be named here, or it would stay without a word.
///
/// ```
/// use septet::message::DefectKind;
/// use septet::rewrite::why_not_fixed;
///
/// assert!(why_not_fixed(DefectKind::NoEmptyLine).is_some());
/// assert!(why_not_fixed(DefectKind::Nul).is_none());
/// ```
pub fn why_not_fixed(kind: DefectKind) -> Option<&'static str> {
    match kind {
        DefectKind::UnusedBoundary => Some("another boundary would show parts that no scanner has seen before"),
        DefectKind::MissingColon => Some("a line that begins with the name of a field may be text"),
        DefectKind::NoEmptyLine => Some("readers end such a header at different lines"),
        DefectKind::Base64Footer => Some("where the base64 ends and the text begins is not sure"),
        _ => None,
    }
}
