//! Text that is cut to what a terminal has room for, with a count of what is not shown.

use crate::process::sample::MarkedText;
use crate::process::sample::mark::joined;
use crate::process::screen_size::width_of;

/// How many signs are shown before the first that is marked, where what stands before them is left out.
const BEFORE: usize = 20;

/// A text that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FittedText {
    /// What is shown.
    pub runs: Vec<MarkedText>,
    /// How many characters stand before and are left out.
    pub before: usize,
    /// How many follow that are left out.
    pub after: usize,
}

/// Cuts a text to so many columns: from its start, or from shortly before the first mark where that would not be seen.
/// Text must be printable.
pub fn fit(runs: &[MarkedText], columns: usize) -> FittedText {
    let signs: Vec<(char, bool)> = runs.iter().flat_map(|run| run.text.chars().map(|it| (it, run.marked))).collect();
    let first = signs.iter().position(|(_, marked)| *marked).unwrap_or(0);
    let seen: usize = signs.iter().take(first + BEFORE).map(|(sign, _)| width_of(*sign)).sum();
    let start = if seen > columns { first.saturating_sub(BEFORE) } else { 0 };
    let (mut end, mut width) = (start, 0);
    while let Some((sign, _)) = signs.get(end) {
        width += width_of(*sign);
        if width > columns {
            break;
        }
        end += 1;
    }
    FittedText { runs: joined(signs[start..end].iter().copied()), before: start, after: signs.len() - end }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, marked: bool) -> MarkedText {
        MarkedText { text: text.to_owned(), marked }
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let whole = [run("caf", false), run("é", true), run(" noir", false)];
        assert_eq!(fit(&whole, 40), FittedText { runs: whole.to_vec(), before: 0, after: 0 });
        let cut = fit(&whole, 6);
        assert_eq!((cut.runs.len(), cut.before, cut.after), (3, 0, 3));
        let far = [run(&"x".repeat(100), false), run("é", true), run(&"y".repeat(50), false)];
        let cut = fit(&far, 30);
        assert_eq!((cut.before, cut.after), (80, 41));
        assert_eq!(cut.runs[0].text.len(), BEFORE);
        assert_eq!(fit(&[run("日本語", true)], 4).after, 1, "each takes two columns");
        assert_eq!(fit(&[], 4), FittedText { runs: Vec::new(), before: 0, after: 0 });
    }
}
