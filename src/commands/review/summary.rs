//! What is said at the end of a review: how many answers there are, and the command that obeys them.

use std::path::Path;

use crate::archive::decisions::{AnswerLine, DecisionsFile, PlaceAnswer, YesNo};
use crate::archive::report::same_mail::SameMail;
use crate::process::color::{BOLD, paint};
use crate::process::shown::Shown;

/// Says what was answered, what becomes of the rest, where the review was ended before all was asked, and the command
/// that comes next, where it can be typed.
pub fn summary(file: &DecisionsFile, path: &Path, has_ended: bool, same: &SameMail) -> String {
    let rest = match (has_ended, file.head.rest) {
        (false, _) => "All that would change has an answer.",
        (true, YesNo::Yes) => "What has no answer is changed.",
        (true, YesNo::No) => "What has no answer stays; the same command goes on there.",
    };
    let next = same.convert_by(path).map_or_else(String::new, |command| format!("To convert by it:\n  {command}\n"));
    let path = path.display().to_string();
    let counts = format!("{} in {}.", counts(&file.answers), Shown(&path));
    format!("\n{}\n{rest}\n{next}", paint(BOLD, counts))
}

/// Counts answers.
fn counts(answers: &[AnswerLine]) -> String {
    let (mut yes, mut no, mut rules) = (0, 0, 0);
    for line in answers {
        match line {
            AnswerLine::Place(PlaceAnswer { answer: YesNo::Yes, .. }) => yes += 1,
            AnswerLine::Place(PlaceAnswer { answer: YesNo::No, .. }) => no += 1,
            _ => rules += 1,
        }
    }
    let rules = match rules {
        0 => String::new(),
        1 => ", 1 answer for a kind or a sender".to_owned(),
        _ => format!(", {rules} answers for kinds and senders"),
    };
    format!("{yes} yes, {no} no{rules}")
}
