//! One message on its way: planned, and made as its new place has it.

use super::origin::{OriginHead, OriginRecord, in_mailbox};
use super::source::SourceMessage;
use crate::archive::convert::beside::envelope::{from_line, stated_time};
use crate::archive::convert::beside::fields::{marks_of_message, write};
use crate::archive::convert::beside::{KnownKeywords, Loss, MessageMarks};
use crate::archive::convert::work::convert_message;
use crate::archive::convert::{ConvertedMessage, OutputFormat};
use crate::archive::decisions::DecidedProfiles;
use crate::message::Limits;
use crate::protocol::mbox::{Dialect, MboxMessage};
use crate::rewrite::Arrival;

/// What all messages of a mailbox have in common.
#[derive(Debug, Clone)]
pub struct Way {
    /// The form that is asked for.
    pub form: OutputFormat,
    /// The mailbox file that they stand in, or came from.
    pub head: Option<OriginHead>,
    /// The keywords that its first message names.
    pub known: KnownKeywords,
}

impl Way {
    /// Makes it of messages of which it is not known that they have keywords.
    pub fn new(form: OutputFormat, head: Option<OriginHead>) -> Way {
        Way { form, head, known: KnownKeywords::default() }
    }

    /// Returns the dialect that the mailbox file is in, or was in; the usual one, mboxrd, where there is none.
    pub fn origin(&self) -> Dialect {
        self.head.as_ref().map(OriginHead::dialect).unwrap_or_default()
    }

    /// Returns the dialect of a mailbox file that is written of files; nobody writes MMDF's again.
    pub fn dialect(&self) -> Dialect {
        let origin = Some(self.origin()).filter(|origin| *origin != Dialect::Mmdf);
        self.form.dialect().or(origin).unwrap_or_default()
    }

    /// Returns what stands before the first message in a mailbox file that is made of files: what stood there in the
    /// one that they came from, where it is in the dialect in which that was found.
    pub fn before_first(&self) -> &[u8] {
        let head = self.head.as_ref().filter(|_| self.dialect() == self.origin());
        head.map_or(b"", |head| head.before.0.as_slice())
    }
}

/// What a message is in another form.
#[derive(Debug)]
pub struct MovedMessage {
    /// Its octets in its new place.
    pub octets: Vec<u8>,
    /// What was done with it.
    pub state: MessageMarks,
    /// When it came in, in seconds since 1970.
    pub time: i64,
    /// What is kept of the mailbox file that it came from.
    pub kept: Option<OriginRecord>,
    /// The line of that, where the octets are those that stood in the mailbox file.
    pub line: Option<u64>,
    /// What its new place can't say of it.
    pub loss: Loss,
}

/// Makes a message of a mailbox file as a file of its own has it, with what is needed to make the same mailbox file
/// of it again.
pub fn out_of_mailbox(
    raw: &[u8],
    item: &MboxMessage,
    way: &Way,
    profiles: &DecidedProfiles,
) -> (ConvertedMessage, MovedMessage) {
    let dialect = way.origin();
    let limits = profiles.limits();
    let message = item.message_of(dialect);
    let done = convert_message(&message, item.from_line, Some((item, dialect)), profiles);
    // The way back from MMDF's file is to another.
    let stays = done.new.is_none().then_some(raw);
    let kept = (dialect != Dialect::Mmdf).then(|| OriginRecord::new(item, &message, dialect, stays));
    let time = time_of(&message, item.from_line, None, false, limits);
    let octets = done.new.clone().unwrap_or_else(|| message.into_owned());
    let state = marks_of_message(&octets, &way.known, limits);
    (done, MovedMessage { octets, state, time, kept, line: None, loss: Loss::default() })
}

/// Makes a message that is alone in its file as any form has it; in the mailbox file that it came from as it stood
/// there, if it is still the same.
pub fn of_file(found: &SourceMessage, way: &Way, profiles: &DecidedProfiles) -> (ConvertedMessage, MovedMessage) {
    let SourceMessage { state, in_maildir, modified, kept, .. } = found;
    let limits = profiles.limits();
    let (own_line, message) = MboxMessage::split_from_line(&found.octets);
    // A From_ line in the file itself goes before what is kept beside it.
    let kept = kept.as_ref().filter(|_| own_line.is_empty());
    let line = kept.map_or(own_line, |(_, kept)| &kept.from.0);
    let time = time_of(message, line, modified.as_ref().ok().copied(), *in_maildir, limits);
    let done = convert_message(message, line, None, profiles);
    let planned = done.new.as_deref().unwrap_or(message);
    // A Maildir's name, and the marks of MH, say more than the fields that it came with.
    let is_maildir = way.form == OutputFormat::Maildir;
    let told = state.as_ref().filter(|_| !is_maildir).map(|state| write(state, planned, &way.known, limits));
    let nameless = Loss::default().and_keywords(state.as_ref().is_some_and(|state| state.has_nameless));
    let (now, loss) = told.unwrap_or((planned.into(), nameless));
    let state = state.clone().unwrap_or_else(|| marks_of_message(&now, &way.known, limits));
    if !way.form.is_mailbox() {
        let kept = kept.map(|(_, kept)| kept.clone());
        let kept = kept.or_else(|| (!own_line.is_empty()).then(|| OriginRecord::of_line(own_line)));
        let octets = now.into_owned();
        return (done, MovedMessage { octets, state, time, kept, line: None, loss });
    }
    let dialect = way.dialect();
    let original = kept.filter(|_| *now == *message && dialect == way.origin());
    let original = original.and_then(|(at, kept)| Some((*at, kept.original(message, dialect)?)));
    let (at, octets) = original.unzip();
    let octets = octets.unwrap_or_else(|| match line.is_empty() {
        true => in_mailbox(&from_line(&now, time, limits), &now, dialect, b""),
        false => in_mailbox(line, &now, dialect, b""),
    });
    (done, MovedMessage { octets, state, time, kept: None, line: at, loss })
}

/// Tells when a message came in, by its From_ `line` and when its file was `modified`, if it has these. The time of a
/// Maildir's file says it; any other file was saved at some time, so the From_ line says it, else the message itself,
/// and only else the file. It is 1970 where none does.
fn time_of(message: &[u8], line: &[u8], modified: Option<i64>, is_maildir: bool, limits: &Limits) -> i64 {
    let stated = || Arrival::archived(line).from_line.or_else(|| stated_time(message, limits));
    let time = if is_maildir { modified.or_else(stated) } else { stated().or(modified) };
    time.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_when_it_came_where_its_file_can_not() {
        let message = b"Date: Mon, 1 Jan 2007 01:00:00 +0100\n\nx\n";
        let time = |modified, is_maildir| time_of(message, b"", modified, is_maildir, &Limits::default());
        assert_eq!((time(Some(7), true), time(Some(7), false)), (7, 1_167_609_600));
        assert_eq!(time(None, true), 1_167_609_600);
        assert_eq!(time_of(b"", b"", None, true, &Limits::default()), 0);
    }
}
