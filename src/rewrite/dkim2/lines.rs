//! Which lines stayed: for each old line, the new one that it may be copied from.
//!
//! Lines that stand once in either text are anchors; the longest run of them in order is kept, and grown up and down over
//! equal neighbours. Between two of them, as many lines as there were before are compared one by one. So it takes little
//! more than one look at each line, and what is not found is said by its octets, which is right, and only longer.

use std::collections::HashMap;

/// The most lines of either text that are compared: in more, none is found.
const MOST: usize = 1 << 18;

/// Returns for each old line the place of a new one that is equal, in rising order; none for those that are gone.
pub fn kept(old: &[&[u8]], new: &[&[u8]]) -> Vec<Option<usize>> {
    let mut found = vec![None; old.len()];
    if old.len() > MOST || new.len() > MOST {
        return found;
    }
    let head = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    (0..head).for_each(|at| found[at] = Some(at));
    (1..=tail).for_each(|back| found[old.len() - back] = Some(new.len() - back));
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let (mut old_at, mut new_at) = (head, head);
    for (in_old, in_new) in anchors(&old[head..old_end], &new[head..new_end]) {
        let (in_old, in_new) = (in_old + head, in_new + head);
        keep_between(old, new, (old_at, in_old), (new_at, in_new), &mut found);
        found[in_old] = Some(in_new);
        (old_at, new_at) = (in_old + 1, in_new + 1);
    }
    keep_between(old, new, (old_at, old_end), (new_at, new_end), &mut found);
    found
}

/// Finds the equal lines of two stretches that lie between lines which stayed.
fn keep_between(
    old: &[&[u8]],
    new: &[&[u8]],
    (old_at, old_end): (usize, usize),
    (new_at, new_end): (usize, usize),
    found: &mut [Option<usize>],
) {
    let (old_count, new_count) = (old_end - old_at, new_end - new_at);
    if old_count == new_count {
        (0..old_count)
            .filter(|&at| old[old_at + at] == new[new_at + at])
            .for_each(|at| found[old_at + at] = Some(new_at + at));
        return;
    }
    let least = old_count.min(new_count);
    let head = (0..least).take_while(|&at| old[old_at + at] == new[new_at + at]).count();
    let tail = (1..=least - head).take_while(|&back| old[old_end - back] == new[new_end - back]).count();
    (0..head).for_each(|at| found[old_at + at] = Some(new_at + at));
    (1..=tail).for_each(|back| found[old_end - back] = Some(new_end - back));
}

/// Returns the places of lines that stand once in either text, old and new, both rising.
fn anchors(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    let (old_lines, new_lines) = (single_lines(old), single_lines(new));
    let both = old.iter().enumerate().filter(|(_, line)| old_lines.get(*line).is_some_and(Option::is_some));
    let pairs: Vec<(usize, usize)> = both.filter_map(|(at, line)| Some((at, (*new_lines.get(line)?)?))).collect();
    longest_rising(&pairs)
}

/// Returns the place of each line; none for one that stands there more than once.
fn single_lines<'l>(lines: &[&'l [u8]]) -> HashMap<&'l [u8], Option<usize>> {
    let mut places = HashMap::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        places.entry(*line).and_modify(|place| *place = None).or_insert(Some(at));
    }
    places
}

/// Returns the longest run of pairs whose second places rise; the first ones do.
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the run of that length that ends lowest: the index of its last pair.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        ends.truncate(ends.len().max(length));
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
