//! Where boundaries occur last in a message, all of them found in one pass.
//!
//! mail-parser takes a boundary wherever `--` stands before it, in mid-line too, and where more follows it: so at each
//! `--` every boundary is found that the octets behind it start with. The boundaries are sorted; those that a text
//! starts with are then the one before the place of the text, as far as it agrees, and the boundaries that this one
//! starts with.

use memchr::memchr_iter;

/// The boundaries of a message, each with the place of its last delimiter.
pub(super) struct Boundaries {
    /// Sorted, each once.
    sorted: Vec<Vec<u8>>,
    /// For each the longest other one that it starts with.
    starts_with: Vec<Option<usize>>,
    /// Where the last `--` stands that each follows, in the octets that were searched.
    last: Vec<Option<usize>>,
}

impl Boundaries {
    /// Finds the last place of each boundary, given in any order, in one pass over the octets.
    pub fn find(mut sorted: Vec<Vec<u8>>, octets: &[u8]) -> Boundaries {
        sorted.sort_unstable();
        sorted.dedup();
        let (starts_with, last) = (prefixes(&sorted), vec![None; sorted.len()]);
        let mut found = Boundaries { sorted, starts_with, last };
        for at in dashes(octets) {
            if let Some(index) = found.longest_at(&octets[at + 2..]) {
                found.last[index] = Some(at);
            }
        }
        found.pass_places_to_prefixes();
        found
    }

    /// Returns `true` if a boundary occurs at a place or behind it; it must be one of those that were looked for.
    pub fn occurs_from(&self, boundary: &[u8], from: usize) -> bool {
        let index = self.sorted.binary_search_by(|it| it[..].cmp(boundary));
        index.is_ok_and(|index| self.last[index].is_some_and(|last| last >= from))
    }

    /// Finds the longest boundary that a text starts with. It can only be the last one that sorts before the text, or
    /// one that this one starts with.
    fn longest_at(&self, text: &[u8]) -> Option<usize> {
        let before = self.sorted.partition_point(|it| it[..] <= *text).checked_sub(1)?;
        let alike = self.sorted[before].iter().zip(text).take_while(|(one, other)| one == other).count();
        let shorter = std::iter::successors(Some(before), |&index| self.starts_with[index]);
        shorter.into_iter().find(|&index| self.sorted[index].len() <= alike)
    }

    /// Tells each boundary of the places of those that start with it, where it occurs too. The search noted only the
    /// longest at each place; longer ones sort behind those that they start with, so that going backwards reaches all
    /// of these.
    fn pass_places_to_prefixes(&mut self) {
        for index in (0..self.sorted.len()).rev() {
            if let Some(shorter) = self.starts_with[index] {
                self.last[shorter] = self.last[shorter].max(self.last[index]);
            }
        }
    }
}

/// Finds for each boundary, sorted and each once, the longest other one that it starts with, by its index.
fn prefixes(sorted: &[Vec<u8>]) -> Vec<Option<usize>> {
    let (mut found, mut open): (Vec<Option<usize>>, Vec<usize>) = (Vec::with_capacity(sorted.len()), Vec::new());
    for (index, boundary) in sorted.iter().enumerate() {
        while open.last().is_some_and(|&last| !boundary.starts_with(&sorted[last])) {
            open.pop();
        }
        found.push(open.last().copied());
        open.push(index);
    }
    found
}

/// Finds every `--`, those too that share a dash with another.
fn dashes(octets: &[u8]) -> impl Iterator<Item = usize> {
    memchr_iter(b'-', octets).filter(|at| octets.get(at + 1) == Some(&b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last_of(boundaries: &[&str], text: &str) -> Vec<Option<usize>> {
        let found = Boundaries::find(boundaries.iter().map(|it| it.as_bytes().to_vec()).collect(), text.as_bytes());
        let last = |boundary: &&str| (0..text.len()).rev().find(|&at| found.occurs_from(boundary.as_bytes(), at));
        boundaries.iter().map(last).collect()
    }

    #[test]
    fn finds_the_last_place_of_each() {
        let text = "--a\nx--ab and more\n--ab-\n---c\n--A\n-a";
        let found = last_of(&["a", "ab", "abc", "c", "-c", "b"], text);
        assert_eq!(found, [Some(19), Some(19), None, Some(26), Some(25), None]);
    }

    /// Holds it against a search for each by itself, with boundaries that start with each other.
    #[test]
    fn finds_what_a_search_for_each_finds() {
        let words = ["", "a", "aa", "ab", "aab", "aba", "b", "-", "-a", "a-", "--", "a--a", "aaa"];
        let text = "--aab--a--ab---aaa--a--a---b-a--aba--";
        for end in 0..=text.len() {
            let text = &text[..end];
            let naive = |word: &&str| text.rmatch_indices("--").map(|(at, _)| at).next().and(overlapping(text, word));
            assert_eq!(last_of(&words, text), words.iter().map(naive).collect::<Vec<_>>(), "{text}");
        }
    }

    fn overlapping(text: &str, word: &str) -> Option<usize> {
        (0..text.len()).rev().find(|&at| text[at..].starts_with(&format!("--{word}")))
    }
}
