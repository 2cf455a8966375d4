//! As much of a status as a terminal has room for.
//!
//! A status is sections with an empty line between them: the name, rates, listeners, what became of messages, other
//! counts, the last decisions. Room is given in the order of their weight, and they stand in their own.

use crate::process::screen_size::{ScreenSize, fit};

/// The sections that come before all others: name, rates, listeners, results.
const FIRST: usize = 4;

/// The lines that the last section gets before those between: a heading and five decisions.
const RECENT: usize = 6;

/// Returns the lines of a picture: no more than there are rows, none longer than a row, the hint last.
pub fn picture(status: &str, hint: &str, size: ScreenSize) -> Vec<String> {
    let sections: Vec<Vec<&str>> = status.trim_end().split("\n\n").map(|section| section.lines().collect()).collect();
    let mut lines: Vec<&str> = Vec::new();
    for (section, room) in sections.iter().zip(rooms(&sections, size.rows.saturating_sub(2))) {
        lines.extend(section.iter().take(room));
        lines.extend((room > 0).then_some(""));
    }
    lines.truncate(size.rows.saturating_sub(1));
    let all = status.lines().filter(|line| !line.is_empty()).count();
    let shown = lines.iter().filter(|line| !line.is_empty()).count();
    let hint = match all - shown {
        0 => hint.to_owned(),
        1 => format!("{hint}, … 1 more line"),
        more => format!("{hint}, … {more} more lines"),
    };
    lines.push(&hint);
    lines.iter().map(|line| fit(line, size.columns)).collect()
}

/// Shares `rows` among the sections, with an empty line between them; a section without room gets 0.
fn rooms(sections: &[Vec<&str>], rows: usize) -> Vec<usize> {
    let mut rooms = vec![0; sections.len()];
    // The last section needs no empty line behind it.
    let mut left = rows + 1;
    for (index, wanted) in claims(sections) {
        let (has, gap) = (rooms[index], usize::from(rooms[index] == 0));
        let room = wanted.min(has + left.saturating_sub(gap));
        // A heading alone tells nothing.
        if room > has && room >= sections[index].len().min(2) {
            left -= room - has + gap;
            rooms[index] = room;
        }
    }
    rooms
}

/// Lists the sections in the order of their weight, each by its index and the lines that it would have; there must be a
/// section. The last one is listed twice: with a few lines, and at the end with all.
fn claims(sections: &[Vec<&str>]) -> Vec<(usize, usize)> {
    let last = sections.len() - 1;
    let lengths = sections.iter().map(Vec::len).enumerate();
    let mut claims: Vec<(usize, usize)> = lengths.clone().take(last.min(FIRST)).collect();
    claims.push((last, sections[last].len().min(RECENT)));
    claims.extend(lengths.skip(last.min(FIRST)));
    claims
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(word: &str, count: usize) -> String {
        (0..count).map(|at| format!("{word}{at}\n")).collect()
    }

    /// A status of a busy septet, with so many lines of changes and decisions.
    fn status(changes: usize, decisions: usize) -> String {
        format!(
            "septet 0.1.0 on mx\n\n9 messages\nmemory 1\n\nLISTENER\ninet:127.0.0.1:8891\n\nRESULTS\nchanged\nleft\n\n\
             CHANGES\n{}\nLEFT\n{}\nAGO\n{}",
            rows("change", changes),
            rows("left", 3),
            rows("decision", decisions)
        )
    }

    fn drawn(status: &str, rows: usize, columns: usize) -> Vec<String> {
        picture(status, "q quits", ScreenSize { rows, columns })
    }

    #[test]
    fn the_head_is_seen_first_and_decisions_fill_the_rest() {
        let lines = drawn(&status(9, 20), 24, 80);
        assert_eq!(
            (lines.len(), lines[0].as_str(), lines[23].as_str()),
            (24, "septet 0.1.0 on mx", "q quits, … 26 more lines")
        );
        for seen in ["9 messages", "inet:127.0.0.1:8891", "left", "decision4", "change1"] {
            assert!(lines.iter().any(|line| line == seen), "{seen}: {lines:?}");
        }
        assert!(!lines.iter().any(|line| line == "decision5"), "{lines:?}");
        let tall = drawn(&status(9, 20), 60, 80);
        assert_eq!((tall.len(), tall.last().map(String::as_str)), (51, Some("q quits")), "{tall:?}");
        assert!(tall.contains(&"decision19".to_owned()) && tall.contains(&"change8".to_owned()), "{tall:?}");
    }

    #[test]
    fn no_terminal_is_too_small() {
        for status in [status(9, 20), status(0, 0), "septet".to_owned(), String::new()] {
            for rows in 1..50 {
                for columns in [1, 2, 10, 80] {
                    let lines = drawn(&status, rows, columns);
                    assert!(lines.len() <= rows, "{rows}: {lines:?}");
                    assert!(lines.iter().all(|line| line.chars().count() <= columns), "{columns}: {lines:?}");
                }
            }
        }
    }
}
