//! A sum of octets, by which a message or a body is known again.

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;

use crate::message::{Kind, Message, Part};

/// A sum of the octets of a body, by which the proof knows it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OctetSum(u64);

impl OctetSum {
    /// Sums up the octets of a body.
    pub fn of(body: &[u8]) -> OctetSum {
        let mut hasher = FixedState::default().build_hasher();
        hasher.write(body);
        OctetSum(hasher.finish())
    }

    /// Sums up the body of a leaf; other parts have none, since the bodies in them may change.
    pub fn of_body(message: &Message, part: &Part) -> Option<OctetSum> {
        (part.kind == Kind::Leaf).then(|| OctetSum::of(message.slice(part.body)))
    }
}
