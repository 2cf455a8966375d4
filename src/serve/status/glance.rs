//! What became of messages, at a glance: a bar and its numbers, in the colours of the report page.

use crate::process::bar::widths;

/// What became of messages, with the actions that the metrics count as it, and its class in the style.
const KINDS: [(&str, &str, &[&str]); 4] = [
    ("changed", "changed", &["changed"]),
    ("left", "left", &["left"]),
    ("unchanged", "same", &["unchanged", "skipped"]),
    ("failed or refused", "fault", &["error", "reject", "tempfail"]),
];

/// One kind of result.
#[derive(Debug)]
pub struct ResultBar {
    /// Its class in the style.
    pub class: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How many messages.
    pub count: u64,
    /// Where it begins, in hundredths of the bar.
    pub x: String,
    /// Its part of the bar, in hundredths.
    pub width: String,
}

/// Returns how many messages had one of these actions.
fn count(actions: &[(String, u64)], words: &[&str]) -> u64 {
    actions.iter().filter(|(word, _)| words.contains(&word.as_str())).map(|(_, count)| count).sum()
}

/// Returns the pieces of the bar from left to right, one for each kind of result, by what the metrics count for each
/// action; a kind of which there is none is left out.
pub fn pieces(actions: &[(String, u64)]) -> Vec<ResultBar> {
    let counts = KINDS.map(|(_, _, words)| count(actions, words));
    let mut x = 0.0;
    let mut pieces = Vec::new();
    for ((name, class, _), (count, width)) in KINDS.into_iter().zip(counts.into_iter().zip(widths(&counts))) {
        if count > 0 {
            pieces.push(ResultBar { class, name, count, x: format!("{x:.3}"), width: format!("{width:.3}") });
        }
        x += width;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_is_of_one_kind() {
        for action in ["changed", "error", "left", "reject", "skipped", "tempfail", "unchanged"] {
            assert_eq!(KINDS.iter().filter(|(_, _, words)| words.contains(&action)).count(), 1, "{action}");
        }
    }

    #[test]
    fn pieces_fill_the_bar() {
        let actions = [("changed", 3), ("unchanged", 1), ("skipped", 4)].map(|(word, count)| (word.to_owned(), count));
        let shown = pieces(&actions);
        let shown: Vec<_> = shown.iter().map(|of| (of.class, of.count, &*of.x, &*of.width)).collect();
        assert_eq!(shown, [("changed", 3, "0.000", "37.500"), ("same", 5, "37.500", "62.500")]);
        assert!(pieces(&[]).is_empty());
    }
}
