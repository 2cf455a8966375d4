//! Mailbox files: mbox in its four dialects, and MMDF.

use std::borrow::Cow;
use std::ops::Range;

use super::in_mailbox::{carry_out, plan_item};
use crate::protocol::mbox::{Dialect, MboxMessage, covered_by_lengths, span_around, starts_of};
use crate::rewrite::{Arrival, Plan, Profile, Report};

/// Where the messages of a mailbox file are. It knows the file by its offsets alone, so the caller keeps the octets.
///
/// ```
/// use septet::Profile;
/// use septet::mbox::Mailbox;
///
/// let file = b"From a Mon Jan  1 00:00:00 2007\nSubject: =?iso-8859-1?Q?Stra=DFe?=\n\n>From here on\n\n\
///              From b Tue Jan  2 00:00:00 2007\nSubject: two\n\n";
/// let mailbox = Mailbox::of(file);
/// assert_eq!(mailbox.len(), 2);
/// assert!(mailbox.get(file, 0).unwrap().message().ends_with(b"\n\nFrom here on\n"));
///
/// let profile = Profile::default();
/// let converted: Vec<u8> = mailbox.messages(file).flat_map(|one| one.convert(&profile).0.into_owned()).collect();
/// assert!(converted.starts_with(b"From a Mon Jan  1 00:00:00 2007\nSubject: =?utf-8?Q?Stra=C3=9Fe?=\n\n>From here on\n\n"));
/// ```
#[derive(Debug, Clone)]
pub struct Mailbox {
    dialect: Dialect,
    /// Where each message starts, and the end of the file.
    edges: Vec<usize>,
    /// What lengths cover against the From_ lines.
    covered: Vec<Range<u64>>,
}

impl Mailbox {
    /// Finds the messages of a file, whose dialect its first octets tell; what stands before the first From_ line is a
    /// message without one.
    pub fn of(file: &[u8]) -> Mailbox {
        let sample = file.get(..Dialect::SAMPLE).unwrap_or(file);
        let dialect = Dialect::recognise(sample, file.len() < Dialect::SAMPLE);
        let starts = starts_of(file, dialect);
        let covered = covered_by_lengths(file, dialect, &starts);
        let starts = starts.into_iter().filter_map(|start| usize::try_from(start).ok());
        Mailbox { dialect, edges: starts.chain([file.len()]).collect(), covered }
    }

    /// Returns how many messages there are.
    pub fn len(&self) -> usize {
        self.edges.len() - 1
    }

    /// Returns `true` if there is no message.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a message by its number, from 0; none beyond the last one, or where `file` is shorter than it was.
    pub fn get<'f>(&self, file: &'f [u8], number: usize) -> Option<Stored<'f>> {
        let (start, end) = (*self.edges.get(number)?, *self.edges.get(number + 1)?);
        let octets = file.get(start..end)?;
        let is_covered = span_around(&self.covered, start as u64).is_some();
        Some(Stored { octets, item: MboxMessage { is_covered, ..MboxMessage::of(octets) }, dialect: self.dialect })
    }

    /// Returns all messages, in order.
    pub fn messages<'f>(&self, file: &'f [u8]) -> impl Iterator<Item = Stored<'f>> {
        (0..self.len()).map_while(|number| self.get(file, number))
    }
}

/// A message as it stands in a mailbox file.
#[derive(Debug, Clone)]
pub struct Stored<'f> {
    octets: &'f [u8],
    item: MboxMessage<'f>,
    dialect: Dialect,
}

impl<'f> Stored<'f> {
    /// Returns the From_ line, its line end included; empty where there is none.
    pub fn from_line(&self) -> &'f [u8] {
        self.item.from_line
    }

    /// Returns all that the file has of it: the From_ line, the message as it is quoted, and the empty line behind it.
    pub fn octets(&self) -> &'f [u8] {
        self.octets
    }

    /// Returns the message, without the quoting of the file; borrowed where nothing was quoted.
    pub fn message(&self) -> Cow<'f, [u8]> {
        self.item.message_of(self.dialect)
    }

    /// Plans what a profile makes of the [`message`](Stored::message). Where a line may start another message, so that
    /// nobody knows where this one ends, it stays as it is, and the report names the line. The file is not looked at:
    /// [`convert`](Stored::convert) leaves some messages for its sake that this plan changes.
    pub fn plan(&self, profile: &Profile) -> Plan {
        self.plan_of(&self.message(), profile)
    }

    /// Plans the message, which is without the quoting of the file.
    fn plan_of(&self, message: &[u8], profile: &Profile) -> Plan {
        let arrival = Arrival::archived_for(profile, self.item.from_line);
        plan_item(&self.item, self.dialect, message, profile, &arrival)
    }

    /// Converts the message in its file: returns what stands there afterwards (the From_ line, the message, quoted as
    /// the rest of the file, and the empty line behind it), borrowed where nothing changes, and the report. A message
    /// whose new end would be taken for the line between two messages stays, and the report says so.
    pub fn convert(&self, profile: &Profile) -> (Cow<'f, [u8]>, Report) {
        let message = self.message();
        let mut plan = self.plan_of(&message, profile);
        let new = carry_out(&mut plan, &self.item, self.dialect, &message);
        (new.map_or(Cow::Borrowed(self.octets), Cow::Owned), plan.report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_the_first_message_is_one_and_nothing_is_lost() {
        for file in
            ["", "a: b\n\nc\n", "\n\nFrom a Mon Jan  1 00:00:00 2007\na: b\n\n\n", "From a Mon Jan  1 00:00:00 2007\n"]
        {
            let mailbox = Mailbox::of(file.as_bytes());
            let all: Vec<u8> = mailbox.messages(file.as_bytes()).flat_map(|one| one.octets.to_vec()).collect();
            assert_eq!(all, file.as_bytes());
        }
    }

    #[test]
    fn a_counted_body_may_hold_a_from_line() {
        let one =
            "From a Mon Jan  1 00:00:00 2007\nContent-Length: 40\n\nFrom b Tue Jan  2 00:00:00 2007\nno: mail\n\n";
        let mailbox = Mailbox::of(one.as_bytes());
        assert_eq!(mailbox.len(), 1);
        assert!(mailbox.get(one.as_bytes(), 0).is_some_and(|stored| stored.message().ends_with(b"no: mail\n")));
    }

    /// A label is applied to no text behind a line that may start another message, and no message ends in a line that
    /// would part it from the next: as `septet convert` has it.
    #[test]
    fn what_may_be_two_messages_stays() {
        let koi = "Content-Type: text/plain; charset=koi8-r\n\n";
        let two = [koi.as_bytes(), b"\xf0\xd2\nFrom Bob\nSubject: x\nTo: y\n\ncaf\xe9\n"].concat();
        let end = b"Content-Type: text/plain; charset=utf-7\n\ncaf+AOk-\n+AAo-\n".to_vec();
        for (message, code) in [(two, "separator(line 4: From Bob)"), (end, "separator(line 4: its end)")] {
            let from: &[u8] = b"From a Mon Jan  1 00:00:00 2007\n";
            let file = [from, &message, from, b"Subject: b\n\n"].concat();
            let (octets, report) = Mailbox::of(&file).get(&file, 0).expect("one").convert(&Profile::default());
            assert_eq!(
                (report.to_string(), &*octets),
                (format!("message left={code}"), &file[..from.len() + message.len()])
            );
        }
    }
}
