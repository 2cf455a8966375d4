//! What can be answered, and the letters for it.

use crate::archive::decisions::YesNo;

/// An answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewKey {
    /// To this change.
    This(YesNo),
    /// To all of its kind.
    Kind(YesNo),
    /// To all mail of its sender.
    Sender(YesNo),
    /// To what is still open in its message.
    Message(YesNo),
    /// Back to the answer before.
    Back,
    /// All that is not answered is changed, and the review ends.
    All,
    /// The review ends; what is not answered stays.
    Quit,
    /// What the letters mean.
    Help,
}

/// The letters, as the prompt has them. [`ReviewKey::read`] knows each, and the help (`picture.rs`) says what it means.
pub const LETTERS: &str = "y,n,k,K,s,S,m,M,b,a,q,?";

impl ReviewKey {
    /// Reads what was typed; none where it is no answer.
    pub fn read(typed: &str) -> Option<ReviewKey> {
        use YesNo::{No, Yes};
        Some(match typed.trim() {
            "y" | "Y" | "yes" => ReviewKey::This(Yes),
            "n" | "N" | "no" => ReviewKey::This(No),
            "k" => ReviewKey::Kind(Yes),
            "K" => ReviewKey::Kind(No),
            "s" => ReviewKey::Sender(Yes),
            "S" => ReviewKey::Sender(No),
            "m" => ReviewKey::Message(Yes),
            "M" => ReviewKey::Message(No),
            "b" | "B" | "back" => ReviewKey::Back,
            "a" => ReviewKey::All,
            "q" | "Q" | "quit" => ReviewKey::Quit,
            "?" | "h" | "help" => ReviewKey::Help,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_the_prompt_is_an_answer() {
        assert!(LETTERS.split(',').all(|letter| ReviewKey::read(letter).is_some()));
        for typed in ["", "yy", "x", "1", "\u{1b}[A"] {
            assert_eq!(ReviewKey::read(typed), None, "{typed:?}");
        }
        assert_eq!(ReviewKey::read(" K\r\n"), Some(ReviewKey::Kind(YesNo::No)));
    }
}
