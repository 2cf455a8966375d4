//! A report in a few lines: a message of ten thousand parts, or a field of as many words, needs no more of a log.
//!
//! What somebody should look at stands first: septet's own faults, then structure that readers disagree about and what
//! reads otherwise once the rest is converted, then limits, then what may deceive a reader and defects that were
//! refused or not fixed. Of each kind one stands before all others of them. So no crowd, which a sender may make as
//! large as he likes, can push a kind out of what is shown.

use std::collections::HashSet;
use std::fmt::{self, Write};

use crate::rewrite::{Entry, Outcome, Reason, Report};

/// Decisions of a report, the first ones of many.
#[derive(Debug)]
pub struct Digest {
    /// The decisions that are shown, a line each.
    pub lines: Vec<String>,
    /// How many more there are.
    pub more: usize,
}

impl Digest {
    /// Makes the digest of a report: `shown` decisions at most, each cut to `octets`.
    pub fn of(report: &Report, shown: usize, octets: usize) -> Digest {
        let mut entries: Vec<&Entry> = report.entries.iter().collect();
        entries.sort_by_key(|entry| rank(entry));
        let mut kinds = HashSet::new();
        let (first, others): (Vec<&Entry>, Vec<&Entry>) =
            entries.into_iter().partition(|entry| kind(entry).is_some_and(|kind| kinds.insert(kind)));
        let lines = first.iter().chain(&others).take(shown).map(|entry| cut(entry, octets)).collect();
        Digest { lines, more: report.entries.len().saturating_sub(shown) }
    }
}

/// Returns the word for an entry that somebody should look at; none for the others.
fn kind(entry: &Entry) -> Option<&'static str> {
    match &entry.outcome {
        _ if rank(entry) == HARMLESS => None,
        Outcome::Left(reason) => Some(reason.code()),
        Outcome::Noted(note) => Some(note.code()),
        Outcome::Done(_) => None,
    }
}

/// The rank of what nobody need look at.
const HARMLESS: u8 = 4;

/// Returns the rank of an entry in the digest, 0 for what stands first; entries of one rank stay in the order of the
/// message, as the sort is stable. The order of the arms counts: a limit is suspicious, too.
fn rank(entry: &Entry) -> u8 {
    match &entry.outcome {
        Outcome::Left(reason) if reason.is_ours() => 0,
        Outcome::Left(Reason::Limit(_)) => 2,
        Outcome::Left(reason) if reason.is_suspicious() => 1,
        Outcome::Noted(note) if note.is_deceptive() => 3,
        Outcome::Left(Reason::Refused { .. } | Reason::Unfixed { .. }) => 3,
        _ => HARMLESS,
    }
}

/// Writes something in at most `octets` octets of UTF-8, and `...` behind them if it is longer.
pub fn cut(what: &dyn fmt::Display, octets: usize) -> String {
    let mut out = BoundedText { text: String::new(), room: octets };
    match write!(out, "{what}") {
        Ok(()) => out.text,
        Err(_) => out.text + "...",
    }
}

/// A text that takes no more than there is room for.
struct BoundedText {
    text: String,
    room: usize,
}

impl Write for BoundedText {
    /// Takes what fits of a piece, up to a whole character. An error says that not all of it did, and ends the writing.
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        let mut end = piece.len().min(self.room);
        while !piece.is_char_boundary(end) {
            end -= 1;
        }
        self.text.push_str(&piece[..end]);
        self.room -= end;
        if end < piece.len() { Err(fmt::Error) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coding::evidence::Origin;
    use crate::message::{LimitReached, PartNumber};
    use crate::rewrite::{Change, Place};

    #[test]
    fn many_decisions_and_long_ones_are_cut() {
        let mut report = Report::default();
        let change = Change::Word { from: Origin::label("iso-8859-1"), to: "utf-8".to_owned() };
        report.push(PartNumber::root(), Place::Field("Subject".to_owned()), Outcome::Done(vec![change; 5000]));
        let whole = Digest::of(&report, 2, 1 << 20);
        assert_eq!((whole.lines[0].clone(), whole.more), (report.to_string(), 0));
        (0..30).for_each(|_| report.push(PartNumber::root(), Place::Body, Outcome::Left(Reason::Dkim)));
        let limit = Outcome::Left(Reason::Limit(LimitReached::Depth(100)));
        report.push(PartNumber::root(), Place::Body, limit);
        let digest = Digest::of(&report, 2, 50);
        assert_eq!(digest.lines[0], "part=1 body left=limit(depth 100)");
        assert!(digest.lines[1].len() == 53 && digest.lines[1].ends_with("..."), "{digest:?}");
        assert_eq!(digest.more, 30);
    }
}
