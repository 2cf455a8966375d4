//! What of a message became other octets: few and short stretches, so that the undo file stays small.
//!
//! The plan's edits say it, unless quoting moved octets too; then all between the first and the last octet that differ is
//! one stretch. Whichever it is, it is held against both messages before it is used.

use super::format::Hunk;
use crate::edit::EditList;

/// Finds the stretches of a message that were replaced; `shift` is where the edited octets start in `old`.
pub fn hunks(old: &[u8], new: &[u8], edits: &EditList, shift: usize) -> Vec<Hunk> {
    let of_plan: Vec<Hunk> = edits
        .as_slice()
        .iter()
        .map(|edit| Hunk { old: edit.at.start + shift..edit.at.end + shift, new: edit.with.len() })
        .collect();
    if explains(&of_plan, old, new) { of_plan } else { vec![whole(old, new)] }
}

/// Returns `true` if all between the stretches is the same on both sides.
fn explains(hunks: &[Hunk], old: &[u8], new: &[u8]) -> bool {
    let (mut at_old, mut at_new) = (0, 0);
    for hunk in hunks {
        let Some(same) = old.get(at_old..hunk.old.start) else { return false };
        if new.get(at_new..at_new + same.len()) != Some(same) || hunk.old.end > old.len() {
            return false;
        }
        at_new += same.len() + hunk.new;
        at_old = hunk.old.end;
    }
    old.get(at_old..).is_some_and(|rest| new.get(at_new..) == Some(rest))
}

/// Takes all between the first and the last octet that differ.
fn whole(old: &[u8], new: &[u8]) -> Hunk {
    let front = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let (rest_old, rest_new) = (&old[front..], &new[front..]);
    let back = rest_old.iter().rev().zip(rest_new.iter().rev()).take_while(|(one, other)| one == other).count();
    Hunk { old: front..old.len() - back, new: rest_new.len() - back }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Span;

    #[test]
    fn edits_are_used_where_they_are_all_and_else_what_differs() {
        let mut edits = EditList::new();
        edits.push(Span::new(2, 3), b"XY".to_vec()).expect("an edit");
        edits.push(Span::empty(5), b"Z".to_vec()).expect("an edit");
        let both = [Hunk { old: 2..3, new: 2 }, Hunk { old: 5..5, new: 1 }];
        assert_eq!(hunks(b"abcdef", b"abXYdeZf", &edits, 0), both);
        assert_eq!(hunks(b"abcdef", b"abXYdeZf!", &edits, 0), [Hunk { old: 2..6, new: 7 }], "more differs");
        assert_eq!(hunks(b"--abcdef", b"--abXYdeZf", &edits, 2)[0].old, 4..5, "behind a From_ line");
        assert_eq!(hunks(b"aa", b"aaa", &EditList::new(), 0), [Hunk { old: 2..2, new: 1 }]);
        assert_eq!(hunks(b"", b"x", &edits, 9), [Hunk { old: 0..0, new: 1 }]);
    }
}
