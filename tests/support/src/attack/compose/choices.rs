//! Where the choices come from: a seed, or the octets of a fuzzer.

/// A source of choices: always the same ones for the same seed or octets.
pub struct Choices<'a> {
    octets: &'a [u8],
    state: Option<u64>,
}

impl<'a> Choices<'a> {
    /// Takes the choices from a seed.
    pub fn seeded(seed: u64) -> Choices<'a> {
        Choices { octets: &[], state: Some(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5EED) }
    }

    /// Takes the choices from octets, one for each; after the last one each choice is the first of its list.
    pub fn driven(octets: &'a [u8]) -> Choices<'a> {
        Choices { octets, state: None }
    }

    /// Chooses a number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        match self.state.as_mut() {
            Some(state) => (split_mix(state) % limit as u64) as usize,
            None => usize::from(self.octet()) * limit / 256,
        }
    }

    /// Says yes once in `often` times.
    pub fn one_in(&mut self, often: usize) -> bool {
        self.below(often) == often - 1
    }

    /// Chooses one of a list.
    pub fn of<'l, T: ?Sized>(&mut self, list: &[&'l T]) -> &'l T {
        list[self.below(list.len())]
    }

    fn octet(&mut self) -> u8 {
        let Some((first, rest)) = self.octets.split_first() else { return 0 };
        self.octets = rest;
        *first
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): small, and good enough to be fair.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
