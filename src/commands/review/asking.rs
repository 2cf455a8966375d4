//! A review on a terminal: archives are read, questions are asked, and answers written down.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::key::ReviewKey;
use super::reviewed_message::ReviewedMessage;
use super::session::{ReviewQuestion, ReviewReply, ReviewSession};
use super::terminal::{screen, show, typed};
use super::wording;
use crate::archive::convert::visit::{VisitedArchives, VisitedMessage, visit};
use crate::archive::decisions::{DecisionsFile, YesNo};
use crate::archive::interrupt;
use crate::process::exit::Failure;
use crate::process::ruled_profiles::RuledProfiles;
use crate::process::screen_size::{ScreenSize, columns_of, fit};
use crate::process::shown::Shown;

/// How long nothing is said while there is nothing to be asked.
const QUIET: Duration = Duration::from_millis(700);

/// A review on a terminal.
pub struct Review<'p> {
    session: ReviewSession,
    path: &'p Path,
    /// The message whose head is on the screen.
    shown: Option<Arc<ReviewedMessage>>,
    /// Whether it was ended before all was asked.
    has_ended: bool,
    /// How many questions there were.
    asked: usize,
    /// Since when nothing was asked.
    quiet_since: Instant,
    /// The columns of the line that says so, which is still on the screen; 0 where there is none.
    quiet_line: usize,
}

impl<'p> Review<'p> {
    /// Begins a review, or goes on with one whose answers are in a file.
    pub fn new(file: DecisionsFile, path: &'p Path) -> Review<'p> {
        Review {
            session: ReviewSession::new(file),
            path,
            shown: None,
            has_ended: false,
            asked: 0,
            quiet_since: Instant::now(),
            quiet_line: 0,
        }
    }

    /// Goes through the archives, and once more where a rule was taken back. Returns the answers, and whether the
    /// review was ended before all was asked; none where there was nothing to ask, and never was.
    pub fn go_through(
        mut self,
        archives: VisitedArchives,
        profiles: &RuledProfiles,
    ) -> Result<Option<(DecisionsFile, bool)>, Failure> {
        loop {
            visit(archives, |found| self.ask_about(found, profiles))?;
            self.clear_searching()?;
            if self.has_ended || !self.session.goes_again() {
                break;
            }
        }
        let Review { session, has_ended, asked, .. } = self;
        let is_any = asked > 0 || !session.file.answers.is_empty();
        Ok(is_any.then_some((session.file, has_ended)))
    }

    /// Asks about the changes of some messages; `Break` where the review ends.
    fn ask_about(&mut self, found: &[VisitedMessage], profiles: &RuledProfiles) -> Result<ControlFlow<()>, Failure> {
        let planned: Vec<_> = found.par_iter().map(|it| ReviewedMessage::of(it, profiles)).collect();
        planned.into_iter().flatten().for_each(|message| self.session.add(message));
        while let Some(question) = self.session.question() {
            if self.ask(&question)?.is_break() {
                self.has_ended = true;
                return Ok(ControlFlow::Break(()));
            }
        }
        if let Some(last) = found.last().filter(|_| self.quiet_since.elapsed() > QUIET) {
            self.say_searching(last)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Says in a line of its own how far the search for the next change is.
    fn say_searching(&mut self, last: &VisitedMessage) -> Result<(), Failure> {
        self.clear_searching()?;
        let line = format!("Looking for the next change: message {} of {}", last.message, Shown(last.input));
        let line = fit(&line, ScreenSize::now().columns - 1);
        self.quiet_since = Instant::now();
        self.quiet_line = columns_of(&line);
        show(&line)
    }

    /// Takes that line away, if it is there.
    fn clear_searching(&mut self) -> Result<(), Failure> {
        match std::mem::take(&mut self.quiet_line) {
            0 => Ok(()),
            columns => show(&format!("\r{}\r", " ".repeat(columns))),
        }
    }

    /// Asks one question until it has an answer; `Break` where that ends the review. Before the first of all the file
    /// is written.
    fn ask(&mut self, question: &ReviewQuestion) -> Result<ControlFlow<()>, Failure> {
        let screen = screen();
        self.clear_searching()?;
        if self.asked == 0 {
            // Whoever can't write it should know before the first answer.
            self.session.file.write(self.path)?;
            interrupt::stands(format!("the answers so far are in {}", self.path.display()));
        }
        if !self.shown.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, &question.message)) {
            show(&screen.head(&question.message))?;
            self.shown = Some(question.message.clone());
        }
        show(&screen.change(question))?;
        self.asked += 1;
        loop {
            show(&screen.prompt())?;
            // The end of the input is like q.
            let typed = typed()?.unwrap_or_else(|| "q".to_owned());
            let Some(key) = ReviewKey::read(&typed) else {
                show("One of the letters, and Enter; ? says what they mean.\n")?;
                continue;
            };
            match self.session.answer(key, question) {
                ReviewReply::Help => show(&screen.help(question))?,
                ReviewReply::Refused(why) => show(&format!("{why}\n"))?,
                reply => return self.taken(key, question, reply),
            }
        }
    }

    /// Writes an answer down, and says what else it means; `reply` is that of the session, and no help or refusal.
    /// `Break` where the review ends.
    fn taken(
        &mut self,
        key: ReviewKey,
        question: &ReviewQuestion,
        reply: ReviewReply,
    ) -> Result<ControlFlow<()>, Failure> {
        self.session.file.write(self.path)?;
        self.quiet_since = Instant::now();
        match key {
            ReviewKey::This(YesNo::No) | ReviewKey::Kind(YesNo::No) => {
                show(&screen().also_stays(&question.also_stays))?
            }
            _ => {}
        }
        match (key, &reply) {
            (ReviewKey::Kind(answer), _) => {
                let kind = wording::kind(&question.decision);
                show(&format!("  All of this kind are {}: {kind}.\n", wording::done(answer)))?;
            }
            (ReviewKey::Sender(answer), _) => {
                let sender = question.message.identity.sender.as_deref().unwrap_or("this sender");
                show(&format!("  All in mail from {} is {}.\n", Shown(sender), wording::done(answer)))?;
            }
            (_, ReviewReply::Noted(what)) => show(&format!("  {what}\n"))?,
            _ => {}
        }
        Ok(if reply == ReviewReply::Ended { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}
