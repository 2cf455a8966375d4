//! Which lines stayed: for each old line, the new one that it may be copied from.
//!
//! Lines that stand once in either text are anchors; the longest run of them in order is kept, and grown up and down
//! over equal neighbours. Between two of them, as many lines as there were before are compared one by one. So it takes
//! little more than one look at each line, and what is not found is said by its octets, which is right, and only
//! longer.

use std::collections::HashMap;

/// The most lines of either text that are compared: in more, none is found.
const MOST: usize = 1 << 18;

/// The places of an old line and of a new one.
type LinePlaces = (usize, usize);

/// Returns for each old line the place of a new one that is equal, in rising order; none for those that are gone or not
/// found, and for all of more than [`MOST`].
pub fn kept(old: &[&[u8]], new: &[&[u8]]) -> Vec<Option<usize>> {
    let mut kept = KeptLines { old, new, found: vec![None; old.len()] };
    if old.len() <= MOST && new.len() <= MOST {
        let [mut from, to] = kept.keep_ends((0, 0), (old.len(), new.len()));
        for anchor in kept.anchors(from, to).into_iter().chain([to]) {
            kept.keep_between(from, anchor);
            from = anchor;
        }
    }
    kept.found
}

/// Two texts, and what was found so far.
struct KeptLines<'t, 'l> {
    old: &'t [&'l [u8]],
    new: &'t [&'l [u8]],
    found: Vec<Option<usize>>,
}

impl<'l> KeptLines<'_, 'l> {
    /// Keeps the equal lines at both ends of two stretches, and returns where those between them start and end.
    fn keep_ends(&mut self, mut from: LinePlaces, mut to: LinePlaces) -> [LinePlaces; 2] {
        while from.0 < to.0 && from.1 < to.1 && self.old[from.0] == self.new[from.1] {
            self.found[from.0] = Some(from.1);
            from = (from.0 + 1, from.1 + 1);
        }
        while from.0 < to.0 && from.1 < to.1 && self.old[to.0 - 1] == self.new[to.1 - 1] {
            to = (to.0 - 1, to.1 - 1);
            self.found[to.0] = Some(to.1);
        }
        [from, to]
    }

    /// Keeps the equal lines of two stretches, from one anchor on and before the next: those at both ends, and, where
    /// as many are left of either, those between that stand in the same place.
    fn keep_between(&mut self, from: LinePlaces, to: LinePlaces) {
        let [from, to] = self.keep_ends(from, to);
        if to.0 - from.0 == to.1 - from.1 {
            let pairs = (from.0..to.0).zip(from.1..to.1);
            let equal = pairs.filter(|&(at, place)| self.old[at] == self.new[place]);
            equal.for_each(|(at, place)| self.found[at] = Some(place));
        }
    }

    /// Returns the places of lines that stand once in the old stretch and once in the new one: the longest run of them
    /// in which both rise.
    fn anchors(&self, from: LinePlaces, to: LinePlaces) -> Vec<LinePlaces> {
        let old_lines = single_lines(self.old, from.0, to.0);
        let new_lines = single_lines(self.new, from.1, to.1);
        let old = self.old.iter().enumerate().take(to.0).skip(from.0);
        let pairs = old.filter_map(|(at, line)| Some((at, old_lines.get(line)?.and(*new_lines.get(line)?)?)));
        longest_rising(&pairs.collect::<Vec<_>>())
    }
}

/// Returns the place of each line of a stretch; none for one that stands there more than once. `from` may not lie
/// behind `to`.
fn single_lines<'l>(lines: &[&'l [u8]], from: usize, to: usize) -> HashMap<&'l [u8], Option<usize>> {
    let mut places = HashMap::with_capacity(to - from);
    for (at, line) in lines.iter().enumerate().take(to).skip(from) {
        places.entry(*line).and_modify(|place| *place = None).or_insert(Some(at));
    }
    places
}

/// Returns the longest run of pairs whose second places rise; the first ones do.
fn longest_rising(pairs: &[LinePlaces]) -> Vec<LinePlaces> {
    // For each length, the run of that length that ends lowest: the index of its last pair.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut run: Vec<_> = std::iter::successors(ends.last().copied(), |&at| before[at]).map(|at| pairs[at]).collect();
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(old: &str, new: &str) -> Vec<Option<usize>> {
        let [old, new] = [old, new].map(|text| text.split(' ').map(str::as_bytes).collect::<Vec<_>>());
        kept(&old, &new)
    }

    #[test]
    fn finds_what_stayed() {
        assert_eq!(of("a b c", "a x c"), [Some(0), None, Some(2)]);
        assert_eq!(of("a b c d", "x c a b y"), [Some(2), Some(3), None, None]);
        assert_eq!(of("a - b - c", "a - - b2 - c"), [Some(0), Some(1), None, Some(4), Some(5)]);
        assert_eq!(of("q", "a b"), [None]);
        assert_eq!(kept(&[], &[b"a"]), []);
    }

    #[test]
    fn what_is_found_is_equal_and_rises() {
        let mut seed = 1_u64;
        for _ in 0..20_000 {
            let mut text = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (0..(seed >> 60)).map(|at| &b"abcde"[((seed >> (at * 3)) % 5) as usize..][..1]).collect::<Vec<_>>()
            };
            let (old, new) = (text(), text());
            let found = kept(&old, &new);
            let places: Vec<usize> = found.iter().copied().flatten().collect();
            assert!(places.is_sorted_by(|one, other| one < other), "{old:?} {new:?} {found:?}");
            assert!(found.iter().zip(&old).all(|(place, line)| place.is_none_or(|at| new[at] == *line)));
        }
    }
}
