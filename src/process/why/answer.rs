//! Every word of a report with what is to be known of it: those of the table beside each kind, and the daemon's own.

use serde::Serialize;

use crate::rewrite::{Change, Explanation, Note, Reason};

/// Where a word stands; JSON names it in small letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CodeKind {
    /// Behind `left=`: why something stayed.
    Left,
    /// Before a `=`: a way in which something was changed.
    Change,
    /// Behind `note=`: what a reader wants to know.
    Note,
}

/// Returns what is known of every word: reasons, with those of the daemon, then changes, then notes.
pub fn all() -> impl Iterator<Item = (CodeKind, &'static Explanation)> {
    let reasons = Reason::EXPLANATIONS.iter().chain(&DAEMON).map(|answer| (CodeKind::Left, answer));
    let changes = Change::EXPLANATIONS.iter().map(|answer| (CodeKind::Change, answer));
    reasons.chain(changes).chain(Note::EXPLANATIONS.iter().map(|answer| (CodeKind::Note, answer)))
}

/// What the daemon alone says, of whole messages.
const DAEMON: [Explanation; 3] = [
    Explanation { code: "memory", says: "of a whole message: there was no memory for it", helps: "`limits.memory`" },
    Explanation {
        code: "max-size",
        says: "of a whole message: it would exceed the size that the next server accepts",
        helps: "`limits.max_size`, Postfix's `message_size_limit`, the next hop's SIZE",
    },
    Explanation {
        code: "not-allowed",
        says: "of a whole message: the MTA does not allow the change, or was told before a reload that nothing is wanted",
        helps: "the MTA's settings",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_sentence_of_a_word() {
        assert_eq!(Reason::Unlabelled.explanation().code, "unlabelled");
        for (_, answer) in all() {
            assert!(answer.says.len() > 10 && !answer.says.ends_with('.'), "{}", answer.code);
            assert_eq!(answer.says.matches('`').count() % 2, 0, "{}", answer.code);
            assert_eq!(answer.helps.matches('`').count() % 2, 0, "{}", answer.code);
        }
    }
}
