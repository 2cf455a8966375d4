//! The messages of archives, read in order and written nowhere: for commands that only look.
//!
//! They read whatever `convert` reads: mailbox files in every dialect, Maildirs, messages, folders of all of these,
//! compressed or not.

use super::{Batches, FileTasks, Format, Input, SingleMessage, maildir, read_held};
use crate::archive::file_error::FileError;
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::PathBuf;

use super::job::AROUND;
use super::walk::Walk;
use crate::face::in_file::plan_alone;
use crate::face::in_mailbox::{carry_out, plan_item};
use crate::message::Limits;
use crate::process::exit::Failure;
use crate::process::say::say;
use crate::protocol::mbox::{Dialect, MboxMessage};
use crate::rewrite::{Arrival, Plan, Profile};

/// One message as it stands in its file.
#[derive(Debug, Clone, Copy)]
pub struct VisitedMessage<'a> {
    /// The file.
    pub input: &'a str,
    /// Which message of that file, from 1.
    pub message: u64,
    /// Where it starts in that file.
    pub offset: u64,
    /// Its octets in that file; only the first of them where it is not `whole`.
    pub octets: &'a [u8],
    /// Whether they are all of it: it is not larger than what is held.
    pub whole: bool,
    /// The dialect of the mailbox file in which it stands among others; none of a message alone in its file.
    pub mailbox: Option<Dialect>,
    /// Whether a length joins it with its neighbours there, against the From_ lines.
    pub is_covered: bool,
}

impl VisitedMessage<'_> {
    /// Returns the message itself, without what its file puts around it; of a message that is not `whole`, the
    /// beginning.
    pub fn content(&self) -> Cow<'_, [u8]> {
        match self.mailbox {
            Some(dialect) => MboxMessage::of(self.octets).message_of(dialect),
            None => SingleMessage::of(self.octets).message.into(),
        }
    }

    /// Returns the From_ line before it; empty where there is none.
    pub fn from_line(&self) -> &[u8] {
        MboxMessage::split_from_line(self.octets).0
    }

    /// Plans it as `convert` plans a message that it reads; `content` is its [`content`](Self::content). A file whose
    /// stated octets are wrong, or that is still compressed, is planned here, while `convert` leaves it unread.
    pub fn plan(&self, content: &[u8], profile: &Profile) -> Plan {
        let Some(dialect) = self.mailbox else { return plan_alone(content, profile, &self.arrival()) };
        let item = MboxMessage { is_covered: self.is_covered, ..MboxMessage::of(self.octets) };
        let mut plan = plan_item(&item, dialect, content, profile, &self.arrival());
        carry_out(&mut plan, &item, dialect, content);
        plan
    }

    /// Returns the message as `convert` makes it by a plan: in a mailbox file that counts octets with its true
    /// Content-Length, which is not among the edits. `content` and `plan` are those of this message.
    pub fn converted(&self, content: &[u8], plan: &Plan) -> Vec<u8> {
        match self.mailbox.filter(|dialect| dialect.counts() && !plan.edits.is_empty()) {
            Some(dialect) => {
                let new = MboxMessage::of(self.octets).rewritten_in(dialect, content, &plan.edits);
                MboxMessage::of(&new).message_of(dialect).into_owned()
            }
            None => plan.edits.apply(content),
        }
    }

    /// Returns what its file says of its arrival.
    pub fn arrival(&self) -> Arrival {
        Arrival::archived(self.from_line())
    }
}

/// What is visited, and how much of a message is held.
#[derive(Debug, Clone, Copy)]
pub struct VisitedArchives<'a> {
    /// Files and folders; `-` is standard input.
    pub paths: &'a [PathBuf],
    /// How they are read.
    pub format: Format,
    /// The octets up to which a message is whole.
    hold: usize,
}

impl<'a> VisitedArchives<'a> {
    /// Holds messages whole that the profiles may take, with what a file has around them.
    pub fn new(paths: &'a [PathBuf], format: Format, limits: &Limits) -> VisitedArchives<'a> {
        VisitedArchives { paths, format, hold: limits.message_bytes.saturating_add(AROUND) }
    }
}

/// Whether there is more to see, or why the run ends.
type Visited = Result<ControlFlow<()>, Failure>;

/// Shows every message to `each`, many at a time, until it has seen enough. Folders are walked, and what is skipped in
/// them is said on standard error.
pub fn visit(archives: VisitedArchives, each: impl FnMut(&[VisitedMessage]) -> Visited) -> Result<(), Failure> {
    let walk = Walk::of(None, archives.paths, archives.format, true)?;
    walk.said_of_skipped().into_iter().for_each(|skipped| say(format_args!("{skipped}")));
    visit_inputs(walk.inputs, archives.hold, each)
}

/// Shows every message of inputs to `each`, many at a time, until it has seen enough.
pub fn visit_inputs(
    inputs: Vec<Input>,
    hold: usize,
    mut each: impl FnMut(&[VisitedMessage]) -> Visited,
) -> Result<(), Failure> {
    for input in inputs {
        if visit_input(input, hold, &mut each)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// Shows the messages of one input; `Break` where `each` has seen enough, or the error of the first file that can't be
/// read.
fn visit_input(mut input: Input, hold: usize, each: &mut impl FnMut(&[VisitedMessage]) -> Visited) -> Visited {
    match (input.format, input.path.clone()) {
        (Format::Maildir, Some(folder)) => {
            let FileTasks { tasks, left, .. } = maildir::all_tasks(&folder, None, false)?;
            left.iter().for_each(|error| say(format_args!("{error}")));
            for mut task in tasks {
                if single(&mut task.input, hold, each)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        }
        (Format::Mbox, _) => mailbox(&mut input, hold, each),
        _ => single(&mut input, hold, each),
    }
}

/// Shows the message of a file that has no other; of one that is larger than `hold`, one octet more than that.
fn single(input: &mut Input, hold: usize, each: &mut impl FnMut(&[VisitedMessage]) -> Visited) -> Visited {
    let (octets, _) = read_held(input, hold)?;
    let (input, octets, whole) = (&*input.name, &*octets, octets.len() <= hold);
    each(&[VisitedMessage { input, message: 1, offset: 0, octets, whole, mailbox: None, is_covered: false }])
}

/// Shows the messages of a mailbox file, a batch at a time. Of a message that is larger than what is held the first
/// piece is shown, and the others are passed over.
fn mailbox(input: &mut Input, hold: usize, each: &mut impl FnMut(&[VisitedMessage]) -> Visited) -> Visited {
    let mut batches = Batches::new(input.open()?, hold, input.mailbox);
    let mailbox = Some(input.mailbox.dialect);
    let (mut spare, mut message) = (Vec::new(), 0);
    while let Some(batch) = batches.next(spare).map_err(FileError::reading(&input.name))? {
        let octets = batch.octets();
        let mut found = Vec::with_capacity(batch.starts.len());
        for span in batch.spans() {
            message += 1;
            let (offset, is_covered) = (batch.at + span.start as u64, batch.is_covered(&span));
            let (input, octets) = (&*input.name, &octets[span]);
            found.push(VisitedMessage { input, message, offset, octets, whole: true, mailbox, is_covered });
        }
        if let Some(last) = found.last_mut().filter(|_| batch.open) {
            last.whole = false;
        }
        if !found.is_empty() && each(&found)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        spare = batch.into_buffer();
    }
    Ok(ControlFlow::Continue(()))
}
