//! What planning a message may cost, counted before anything is agreed, in the order of places.

use crate::message::{LimitReached, Part};
use crate::rewrite::{Profile, Reason};

/// How often the octets of a place are read while it is planned, at the most, but for the delimiters around it.
const PASSES: usize = 8;

/// How often more where faults are replaced: each octet may be one, is read again for it, and becomes three that are
/// written and read back.
const REPLACING: usize = 8;

/// The octets of one message that were read so far, of one pass or another.
pub(in crate::rewrite) struct Work {
    octets: usize,
    passes: usize,
    limit: usize,
}

impl Work {
    /// Begins to count, for a profile.
    pub fn of(profile: &Profile) -> Work {
        let passes = if profile.replaces() { PASSES + REPLACING } else { PASSES };
        Work { octets: 0, passes, limit: profile.limits.work() }
    }

    /// Counts the work of planning so many octets of a part; returns why they must not be planned, if that is more than
    /// one message may make. They count even then.
    ///
    /// Octets are read, decoded, changed, written and read back, and looked through for the delimiter of each part
    /// around; where faults are replaced they may be decoded twice, and grow.
    pub fn charge(&mut self, part: &Part, octets: usize) -> Option<Reason> {
        self.octets = self.octets.saturating_add(octets.saturating_mul(self.passes + part.depth));
        (self.octets > self.limit).then_some(Reason::Limit(LimitReached::PlanWork(self.limit)))
    }
}
