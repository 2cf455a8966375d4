//! A sum of octets, by which a message or a body is known again.

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;

use crate::message::{Kind, Message, Part};

/// A sum of the octets of a message or a body, by which a plan or the proof knows it again. It is fast and no secret:
/// it finds what was mixed up, and nothing that was forged. It is not the same in every version of septet, so it must
/// never be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OctetSum(u64);

impl OctetSum {
    /// Sums up octets.
    pub fn of(octets: &[u8]) -> OctetSum {
        let mut hasher = FixedState::default().build_hasher();
        hasher.write(octets);
        OctetSum(hasher.finish())
    }

    /// Sums up the body of a leaf; other parts have none, since the bodies in them may change. The plan of a body gets
    /// this of the message that it was made for, and the proof asks for the same of the message that it has.
    pub fn of_body(message: &Message, part: &Part) -> Option<OctetSum> {
        (part.kind == Kind::Leaf).then(|| OctetSum::of(message.slice(part.body)))
    }
}
