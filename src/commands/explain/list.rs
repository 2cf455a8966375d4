//! Several messages: a line for each that would change or of which something is left, and why.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use rayon::prelude::*;

use super::diff::diff;
use super::one::painted;
use super::{ExplainOptions, plan};
use crate::archive::convert::deleted::is_deleted;
use crate::archive::convert::visit::VisitedMessage;
use crate::archive::report::line::ReportLine;
use crate::archive::report::{MessagePlace, Preview, Tally, message_id};
use crate::process::color::{BOLD, CHANGED, FAINT, LEFT, paint};
use crate::process::decide::reasons;
use crate::process::shown::Shown;
use crate::process::shown_json::shown_json;
use crate::rewrite::{Plan, Reason};

/// How many lines of one message's report are shown.
const ENTRIES: usize = 12;

/// The list so far.
pub struct List<'a> {
    asked: &'a ExplainOptions,
    tally: Tally,
    reasons: BTreeSet<&'static str>,
    /// The number of the first message that would change, or stay with something left.
    first: Option<u64>,
    /// What is written once a second message shows that this is a list.
    held: String,
}

impl<'a> List<'a> {
    /// Starts it.
    pub fn new(asked: &'a ExplainOptions) -> List<'a> {
        List { asked, tally: Tally::default(), reasons: BTreeSet::new(), first: None, held: String::new() }
    }

    /// Returns how many messages there were.
    pub fn messages(&self) -> u64 {
        self.tally.messages
    }

    /// Counts messages that may stay the only ones, and keeps their lines for [`add`](List::add). It is called once at
    /// the most, and first: another call would drop the lines that are kept.
    pub fn hold(&mut self, found: &[VisitedMessage]) {
        self.held = self.lines(found);
    }

    /// Adds messages, and returns what is to be written of them, and before that of those on hold.
    pub fn add(&mut self, found: &[VisitedMessage]) -> String {
        let held = std::mem::take(&mut self.held);
        held + &self.lines(found)
    }

    /// Plans messages, many at a time, counts them, and returns what is to be written of them, in order.
    fn lines(&mut self, found: &[VisitedMessage]) -> String {
        let asked = self.asked;
        let planned: Vec<(Plan, String)> = found
            .par_iter()
            .map(|found| {
                let content = found.content();
                let profile = asked.profiles.of(&content, found.from_line());
                let plan = plan(found, asked, profile);
                let text = text(asked, found, &plan, &profile.name);
                (plan, text)
            })
            .collect();
        let mut text = String::new();
        for (plan, lines) in planned {
            self.tally.add(&plan.report);
            if self.tally.changed + self.tally.left > 0 {
                self.first.get_or_insert(self.tally.messages);
            }
            self.reasons.extend(reasons(&plan.report).map(Reason::code));
            text += &lines;
        }
        text
    }

    /// Ends it: how many there were, and how to learn more; empty for JSON and a diff.
    pub fn end(&self, file: &Path) -> String {
        // Who reads these is a program.
        if self.asked.json || self.asked.diff {
            return String::new();
        }
        let Tally { messages, changed, left, .. } = &self.tally;
        let same = messages - changed - left;
        let mut text = format!(
            "{messages} messages: {changed} would change, {left} would stay with something left, {same} need nothing\n"
        );
        let file = file.display().to_string();
        if let Some(explain) = self.first.and_then(|first| self.asked.same_mail.explain(first, &file)) {
            let _ = writeln!(text, "`{explain}` shows the first of them");
        }
        if !self.reasons.is_empty() {
            let words: Vec<&str> = self.reasons.iter().copied().collect();
            let _ = writeln!(text, "`septet why {}` says what helps", words.join(" "));
        }
        text
    }
}

/// Writes what is to be said of one message: its JSON object in any case, its diff where it would change, or else its
/// lines where its report has any.
fn text(asked: &ExplainOptions, found: &VisitedMessage, plan: &Plan, profile: &str) -> String {
    let content = found.content();
    if asked.json {
        return json(found, plan, profile, &content);
    }
    if asked.diff {
        let name = format!("message {} ", found.message);
        let changes = !plan.edits.is_empty();
        return if changes { diff(&content, &found.converted(&content, plan), &name) } else { String::new() };
    }
    if plan.report.entries.is_empty() { String::new() } else { lines(found, plan, &content) }
}

/// Writes the JSON object of a message, as a report has it.
fn json(found: &VisitedMessage, plan: &Plan, profile: &str, content: &[u8]) -> String {
    let message_id = message_id(content);
    let (message_id, bytes) = (message_id.as_deref(), found.octets.len() as u64);
    let VisitedMessage { input, message, offset, .. } = *found;
    let place = MessagePlace { input, renamed: None, message, offset, bytes, message_id };
    let line = ReportLine { deleted: is_deleted(content), ..ReportLine::of(place, profile, &plan.report) };
    shown_json(&line) + "\n"
}

/// Writes a heading for a message, and the first [`ENTRIES`] lines of its report below it.
fn lines(found: &VisitedMessage, plan: &Plan, content: &[u8]) -> String {
    let Preview { day, subject, may_be, .. } = Preview::of(content);
    let result = plan.report.result();
    let style = match result {
        "changed" => CHANGED,
        "left" => LEFT,
        _ => FAINT,
    };
    let which = if found.mailbox.is_some() { found.message.to_string() } else { Shown(found.input).to_string() };
    let day = day.as_deref().unwrap_or("");
    let guess = may_be.map_or_else(String::new, |charset| format!("  (may be {charset})"));
    let subject = subject.unwrap_or_else(|| "(no subject)".to_owned()) + &guess;
    let mut text = format!(
        "{}  {}  {}  {}\n",
        paint(BOLD, format!("{which:>7}")),
        paint(style, format!("{result:<9}")),
        paint(FAINT, format!("{day:<10}")),
        Shown(&subject)
    );
    for entry in plan.report.entries.iter().take(ENTRIES) {
        let _ = writeln!(text, "         {}", painted(entry));
    }
    if let more @ 1.. = plan.report.entries.len().saturating_sub(ENTRIES) {
        let _ = writeln!(text, "         and {more} more");
    }
    text
}
