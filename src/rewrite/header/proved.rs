//! A value that was proved where it was planned, and need not be proved again where it is found.

use crate::coding::evidence::{Neighbour, Neighbours};

/// A value that reads as the one did in whose place it stands, by the planner's profile: that was proved, or the value
/// is written so that nobody reads it otherwise.
///
/// It holds all octets of it: what differs in one of them, or is read in another way, is another value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvedValue {
    octets: Vec<u8>,
    /// The charsets that are declared beside it, in a list, since in nearly all headers there are none.
    declared: Vec<Neighbour>,
    retyped: bool,
}

impl ProvedValue {
    /// Takes a value, and how it was read: beside which charsets that parts declare, and whether it is the Content-Type
    /// and the body asked for another charset or media type. The caller must have proved it, or have written it so that
    /// there is nothing to prove.
    pub(super) fn new(octets: Vec<u8>, declared: Neighbours, retyped: bool) -> ProvedValue {
        ProvedValue { octets, declared: declared.into_iter().flatten().collect(), retyped }
    }

    /// Returns the octets.
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Returns `true` if these octets are it, octet for octet, and are read as it was read.
    pub(super) fn is(&self, octets: &[u8], declared: Neighbours, retyped: bool) -> bool {
        let is_read_so = self.retyped == retyped && self.declared.iter().copied().eq(declared.into_iter().flatten());
        is_read_so && self.octets == octets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coding::charset::Charset;
    use crate::coding::evidence::{Because, only};

    #[test]
    fn one_octet_or_another_way_to_read_makes_another_value() {
        let proved = ProvedValue::new(b"a; b=c".to_vec(), Neighbours::default(), false);
        let named = Neighbour { charset: Charset::KOI8_R, because: Because::Part, has_testified: true };
        let (none, one) = (Neighbours::default(), only(named));
        assert!(proved.is(b"a; b=c", none, false));
        assert!(!proved.is(b"a; b=C", none, false));
        assert!(!proved.is(b"a; b=c ", none, false));
        assert!(!proved.is(b"a; b=c", one, false));
        assert!(!proved.is(b"a; b=c", none, true));
    }
}
