//! What the terminal shows: the message, the change, the prompt, and what the letters mean.

use std::fmt::Write as _;

use super::changed_lines::{ChangedLine, changed_lines};
use super::fit::{FittedText, fit};
use super::key::LETTERS;
use super::reviewed_message::ReviewedMessage;
use super::session::ReviewQuestion;
use super::wording;
use crate::archive::decisions::{changes, is_fix};
use crate::message::Message;
use crate::process::color::{BEFORE, BOLD, CHANGED, FAINT, LEFT, paint};
use crate::process::sample::{MarkedText, Sample, Sampler};
use crate::process::screen_size;
use crate::process::shown::Shown;
use crate::rewrite::{Decision, Outcome, Place};

/// The lines of a screen that are not those of a place: the head, the prompt, and what was answered before.
const OTHERS: usize = 12;

/// The rows that one line of a place may take.
const ROWS: usize = 3;

/// What there is to write on.
#[derive(Debug, Clone, Copy)]
pub struct ReviewScreen {
    /// Lines.
    pub rows: usize,
    /// Characters of a line.
    pub columns: usize,
    /// Whether colour marks what differs; else it stands in `[-…-]` and `{+…+}`.
    pub is_coloured: bool,
}

impl ReviewScreen {
    /// Writes which message it is, who sent it, when and about what.
    pub fn head(&self, message: &ReviewedMessage) -> String {
        let input = Shown(&message.input);
        let title = match message.number {
            Some(number) => format!("Message {number} of {input}"),
            None => input.to_string(),
        };
        let preview = &message.preview;
        let guess = preview.may_be.as_ref().map_or_else(String::new, |it| format!("  (may be {it})"));
        let subject = preview.subject.as_deref().map(|it| format!("{it}{guess}"));
        let fields = [("From", preview.sender.clone()), ("Subject", subject), ("Date", preview.day.clone())];
        let mut text = format!("\n{}\n", paint(BOLD, screen_size::fit(&title, self.columns)));
        for (name, value) in fields {
            let value = value.map_or("(none)".to_owned(), |value| Shown(&value).to_string());
            let value = screen_size::fit(&value, self.columns.saturating_sub(11));
            let _ = writeln!(text, "  {} {value}", paint(FAINT, format!("{name:<8}")));
        }
        text
    }

    /// Writes what is asked about: the place, what would be done there, and its lines before and after.
    pub fn change(&self, question: &ReviewQuestion) -> String {
        let ReviewQuestion { decision, number, count, .. } = question;
        let which = if *count > 1 { format!("  ({number} of {count} in this message)") } else { String::new() };
        let place = capital(&wording::place(&decision.at)) + &media_type(question);
        let which = if which.is_empty() { which } else { paint(FAINT, which) };
        let mut text = format!("\n{}: {}{which}\n", paint(BOLD, place), wording::what(decision));
        text += &self.before_and_after(question);
        if is_fix(decision) {
            let _ = writeln!(text, "  {}", paint(LEFT, "No leaves the whole message as it is."));
        }
        text
    }

    /// Writes the lines of a place before and after, what they read and what they may rather be.
    fn before_and_after(&self, question: &ReviewQuestion) -> String {
        let ReviewQuestion { message, current, decision, .. } = question;
        let after = current.edits.apply(&message.content);
        let sampler = Sampler::new(&message.content, Some(&after), &message.profile.limits);
        let entries = &current.report.entries;
        let Some(at) = entries.iter().position(|entry| {
            let is_at = entry.part == decision.at.part && entry.place == decision.at.place;
            is_at && entry.ordinal == decision.at.ordinal && matches!(entry.outcome, Outcome::Done(_))
        }) else {
            return String::new();
        };
        let is_field = matches!(decision.at.place, Place::Field(_));
        let mut text = String::new();
        if let Some((before, after)) = sampler.octets(entries, at) {
            let most = self.rows.saturating_sub(OTHERS).clamp(2, 16) / 2;
            let (lines, more) = changed_lines(&before, &after, is_field, most);
            lines.iter().for_each(|line| text += &self.line(line));
            if lines.is_empty() {
                let _ = writeln!(text, "  {}", paint(FAINT, "(it reads the same)"));
            }
            if more > 0 {
                let lines = if more == 1 { "line that differs" } else { "lines that differ" };
                let _ = writeln!(text, "  {}", paint(FAINT, format!("and {more} more {lines}")));
            }
        }
        text + &self.readings(sampler.of(entries, at))
    }

    /// Writes what a field reads then, and what its text may rather be.
    fn readings(&self, sample: Option<Sample>) -> String {
        let Some(Sample { reads, may_be, .. }) = sample else { return String::new() };
        let mut text = String::new();
        for (name, style, read) in
            reads.iter().map(|it| ("reads", FAINT, it)).chain(may_be.iter().map(|it| ("may rather be", LEFT, it)))
        {
            let room = self.columns.saturating_sub(name.len() + 4);
            let _ = writeln!(text, "  {} {}", paint(style, format!("{name}:")), screen_size::fit(read, room));
        }
        text
    }

    /// Writes a line before and after.
    fn line(&self, ChangedLine { before, after }: &ChangedLine) -> String {
        let sides = [("- ", before), ("+ ", after)];
        sides.iter().filter_map(|(sign, runs)| Some(self.side(sign, runs.as_deref()?))).collect()
    }

    /// Writes one side of a line, cut to what fits; `sign` is `- ` for what was before, or `+ `.
    fn side(&self, sign: &str, runs: &[MarkedText]) -> String {
        let (style, open, close) = if sign == "- " { (BEFORE, "[-", "-]") } else { (CHANGED, "{+", "+}") };
        let FittedText { runs, before, after } = fit(runs, self.columns.saturating_sub(sign.len()) * ROWS);
        let mut text = paint(style, sign);
        if before > 0 {
            text += &paint(FAINT, format!("({before} characters) …"));
        }
        for MarkedText { text: run, marked } in runs {
            text += &match (marked, self.is_coloured) {
                (true, true) => paint(style.bold(), run),
                (true, false) => format!("{open}{run}{close}"),
                (false, _) => run,
            };
        }
        if after > 0 {
            text += &paint(FAINT, format!("… ({after} more characters)"));
        }
        text + "\n"
    }

    /// Writes the prompt.
    pub fn prompt(&self) -> String {
        paint(BOLD, format!("Change this? [{LETTERS}]")) + " "
    }

    /// Says what else stays where a change is declined; empty where nothing does.
    pub fn also_stays(&self, also: &[Decision]) -> String {
        let names: Vec<String> = also.iter().map(|it| wording::place(&it.at)).collect();
        match names.is_empty() {
            true => String::new(),
            false => format!("  {}\n", paint(LEFT, format!("This also leaves: {}.", names.join(", ")))),
        }
    }

    /// Writes what the letters mean at a question, and what the change is.
    pub fn help(&self, question: &ReviewQuestion) -> String {
        let kind = wording::kind(&question.decision);
        let sender = question.message.identity.sender.as_deref().unwrap_or("nobody known");
        let sender = Shown(sender);
        let rows = [
            ("y", "change this".to_owned()),
            ("n", "leave it as it is".to_owned()),
            ("k, K", format!("change, or leave, all of this kind: {kind}")),
            ("s, S", format!("change, or leave, all in mail from this sender: {sender}")),
            ("m, M", "change, or leave, what is still open in this message".to_owned()),
            ("b", "go back: take the last answer back, and be asked again".to_owned()),
            ("a", "change all that has no answer yet, and end".to_owned()),
            ("q", "end; what has no answer stays as it is. The same command goes on here".to_owned()),
        ];
        let mut text = String::new();
        for (letter, meaning) in rows {
            let _ = writeln!(text, "  {}  {meaning}", paint(BOLD, format!("{letter:<4}")));
        }
        text += "Answers to a kind or a sender are for all messages, those before this one too,\n\
                 but not for a change that has an answer of its own (y, n, m, M). Where two of\n\
                 them hold, the later one counts.\n";
        for change in changes(&question.decision) {
            let explanation = change.explanation();
            let _ = writeln!(text, "{}: {}.", paint(BOLD, explanation.code), explanation.says.replace('`', ""));
        }
        text
    }
}

/// Says what the text of a part is, as ` (text/html)`; nothing of the text of a message that has no other.
fn media_type(ReviewQuestion { message, decision, .. }: &ReviewQuestion) -> String {
    let view = Message::read(&message.content, &message.profile.limits);
    let part = view.numbered(&decision.at.part).filter(|_| decision.at.place == Place::Body && view.parts().len() > 1);
    part.map_or(String::new(), |part| {
        let media = format!("{}/{}", part.content_type.main, part.content_type.sub);
        format!(" ({})", Shown(&media))
    })
}

/// Writes the first letter of a text as a capital.
fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}
