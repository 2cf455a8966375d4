//! Mailbox files: mbox in its four dialects, and MMDF.

use std::borrow::Cow;

use crate::protocol::mbox::{Chain, Dialect, MboxMessage, Starts};
use crate::rewrite::Plan;

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

    /// Returns the message, without the quoting of the file; borrowed where nothing was quoted.
    pub fn message(&self) -> Cow<'f, [u8]> {
        self.item.message_of(self.dialect)
    }

    /// Returns what stands in the file when a plan of the [`message`](Stored::message) was carried out: its From_ line, the
    /// message, quoted as the rest of the file, and the empty line behind it.
    pub fn rewritten(&self, plan: &Plan) -> Cow<'f, [u8]> {
        match plan.edits.is_empty() {
            true => Cow::Borrowed(self.octets),
            false => Cow::Owned(self.item.rewritten_in(self.dialect, &self.message(), &plan.edits)),
        }
    }
}

/// Splits a mailbox file into its messages, in order; octets before the first one stand for a message without a From_ line.
/// The dialect is told by the start of the file.
///
/// ```
/// use septet::{Profile, mbox, plan};
///
/// let file = b"From a Mon Jan  1 00:00:00 2007\nSubject: =?iso-8859-1?Q?Stra=DFe?=\n\n>From here on\n\n\
///              From b Tue Jan  2 00:00:00 2007\nSubject: two\n\n";
/// let stored: Vec<_> = mbox::messages(file).collect();
/// assert_eq!(stored.len(), 2);
/// assert!(stored[0].message().ends_with(b"\n\nFrom here on\n"));
///
/// let profile = Profile::default();
/// let converted: Vec<u8> =
///     stored.iter().flat_map(|one| one.rewritten(&plan(&one.message(), &profile)).into_owned()).collect();
/// assert!(converted.starts_with(b"From a Mon Jan  1 00:00:00 2007\nSubject: =?utf-8?Q?Stra=C3=9Fe?=\n\n>From here on\n\n"));
/// ```
pub fn messages(file: &[u8]) -> impl Iterator<Item = Stored<'_>> {
    let dialect = Dialect::recognise(file.get(..HEAD).unwrap_or(file), file.len() <= HEAD);
    let starts = starts(file, dialect);
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([file.len()]).collect();
    starts.into_iter().zip(ends).map(move |(start, end)| {
        let octets = file.get(start..end).unwrap_or_default();
        Stored { octets, item: MboxMessage::of(octets), dialect }
    })
}

/// How many octets of a file tell its dialect.
const HEAD: usize = 1 << 20;

/// Finds where the messages of a file start, in order; the first at 0 in any case, unless the file is empty.
fn starts(file: &[u8], dialect: Dialect) -> Vec<usize> {
    let (mut splitter, mut found) = (Starts::of(dialect), Vec::new());
    splitter.feed(file, &mut found);
    splitter.finish(&mut found);
    if dialect.counts() {
        let (mut chain, from_lines) = (Chain::new(), std::mem::take(&mut found));
        chain.add(from_lines);
        chain.decide(file, 0, file.len() as u64, true, &mut found);
    }
    if !file.is_empty() && found.first() != Some(&0) {
        found.insert(0, 0);
    }
    found.into_iter().filter_map(|start| usize::try_from(start).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::messages;

    #[test]
    fn what_stands_before_the_first_message_is_one_and_nothing_is_lost() {
        for file in
            ["", "a: b\n\nc\n", "\n\nFrom a Mon Jan  1 00:00:00 2007\na: b\n\n\n", "From a Mon Jan  1 00:00:00 2007\n"]
        {
            let all: Vec<u8> = messages(file.as_bytes()).flat_map(|one| one.octets.to_vec()).collect();
            assert_eq!(all, file.as_bytes());
        }
    }

    #[test]
    fn a_counted_body_may_hold_a_from_line() {
        let one =
            "From a Mon Jan  1 00:00:00 2007\nContent-Length: 40\n\nFrom b Tue Jan  2 00:00:00 2007\nno: mail\n\n";
        let stored: Vec<_> = messages(one.as_bytes()).collect();
        assert_eq!(stored.len(), 1);
        assert!(stored[0].message().ends_with(b"no: mail\n"));
    }
}
