//! The lines of a place that differ, before and after, with the tokens marked that do.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::process::sample::{MarkedText, around_difference, differences, visible};

/// How many octets a line may have of which all tokens are compared; of a longer one only those around the first
/// difference are.
const LONGEST: usize = 2000;

/// A line before and after; one of both where the other has none for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangedLine {
    /// As it came.
    pub before: Option<Vec<MarkedText>>,
    /// As it would be.
    pub after: Option<Vec<MarkedText>>,
}

/// Finds the lines that differ: the first `most` of them, and how many more there are. A field is one line, however it
/// is folded.
pub fn changed_lines(before: &[u8], after: &[u8], is_field: bool, most: usize) -> (Vec<ChangedLine>, usize) {
    if is_field {
        return (vec![changed_line(Some(before), Some(after))], 0);
    }
    let (old, new) = (lines(before), lines(after));
    let pairs = pairs(&old, &new);
    let shown = pairs.iter().take(most).map(|(old, new)| changed_line(*old, *new)).collect();
    (shown, pairs.len().saturating_sub(most))
}

/// Splits a text into its lines, without their line ends; nothing is one empty line.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    let lines = text.strip_suffix(b"\n").unwrap_or(text).split(|octet| *octet == b'\n');
    lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect()
}

/// A line before and the line after that stands for it.
type LinePair<'a> = (Option<&'a [u8]>, Option<&'a [u8]>);

/// Pairs the lines that differ: each with the one in its place where there are as many after as before, else as a diff
/// has them.
fn pairs<'a>(old: &[&'a [u8]], new: &[&'a [u8]]) -> Vec<LinePair<'a>> {
    // The usual case: each is written anew where it stood.
    if old.len() == new.len() {
        let pairs = old.iter().zip(new).filter(|(old, new)| old != new);
        return pairs.map(|(old, new)| (Some(*old), Some(*new))).collect();
    }
    let mut pairs = Vec::new();
    for operation in capture_diff_slices(Algorithm::Myers, old, new) {
        if operation.tag() == DiffTag::Equal {
            continue;
        }
        let (old, new) = (&old[operation.old_range()], &new[operation.new_range()]);
        pairs.extend((0..old.len().max(new.len())).map(|at| (old.get(at).copied(), new.get(at).copied())));
    }
    pairs
}

/// Marks what differs in a pair of lines, of which one at least is there.
fn changed_line(before: Option<&[u8]>, after: Option<&[u8]>) -> ChangedLine {
    let (Some(one), Some(other)) = (before, after) else {
        return ChangedLine { before: before.map(whole_marked), after: after.map(whole_marked) };
    };
    let is_long = one.len().max(other.len()) > LONGEST;
    let (before, after) = match around_difference(one, other).filter(|_| is_long) {
        Some(pair) => differences(&visible(pair.one), &visible(pair.other), pair.cut),
        None => differences(&visible(head(one)), &visible(head(other)), false),
    };
    ChangedLine { before: Some(before), after: Some(after) }
}

/// Marks a line that has no other beside it.
fn whole_marked(line: &[u8]) -> Vec<MarkedText> {
    vec![MarkedText { text: visible(head(line)).concat(), marked: true }]
}

/// Returns the first [`LONGEST`] octets.
fn head(line: &[u8]) -> &[u8] {
    line.get(..LONGEST).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(runs: &Option<Vec<MarkedText>>) -> String {
        let run = |run: &MarkedText| if run.marked { format!("[{}]", run.text) } else { run.text.clone() };
        runs.as_ref().map_or("-".to_owned(), |runs| runs.iter().map(run).collect())
    }

    fn shown(before: &[u8], after: &str, is_field: bool, most: usize) -> (Vec<String>, usize) {
        let (lines, more) = changed_lines(before, after.as_bytes(), is_field, most);
        (lines.iter().map(|line| format!("{} > {}", marked(&line.before), marked(&line.after))).collect(), more)
    }

    #[test]
    fn lines_that_differ_are_paired() {
        for (before, after, is_field, wanted) in [
            (
                &b"same\r\ncaf\xe9 noir\r\nend\r\n"[..],
                "same\r\ncafé noir\r\nend\r\n",
                false,
                &[r"[caf\xE9] noir > [café] noir"][..],
            ),
            (b"a\n\xe9\nb\n", "a\né\nnew\nb\n", false, &[r"[\xE9] > [é]", "- > [new]"]),
            (b"a\n b \xe9", "a\n b é", true, &[r"a b [\xE9] > a b [é]"]),
        ] {
            let (lines, more) = shown(before, after, is_field, wanted.len());
            assert!(lines == wanted && more == 0, "{lines:?}, and {more}");
        }
        assert_eq!(shown(b"\xe9\n\xe8\n\xea\n", "é\nè\nê\n", false, 2).1, 1);
    }

    #[test]
    fn a_line_of_a_megabyte_is_not_compared_whole() {
        let (before, after) = ([&vec![b'x'; 1 << 20][..], b" \xe9"].concat(), "x".repeat(1 << 20) + " é");
        let (lines, _) = shown(&before, &after, false, 9);
        assert!(lines[0].len() < 500 && lines[0].contains(r"[\xE9] > "), "{}", lines[0]);
    }
}
