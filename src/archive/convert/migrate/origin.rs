//! `septet-origin.jsonl`: what a mailbox file says of its messages and no file of one message can hold, kept beside
//! them.
//!
//! It stands in the folder that was made of the mailbox file, where no mail program looks at it, and has a line of JSON
//! for the mailbox file and one for each message, in order:
//!
//! ```text
//! {"septet_origin":1,"dialect":"mboxrd","before":""}
//! {"name":"000001.eml","from":"From a@example.org Mon Jan  1 00:00:00 2007\n"}
//! {"name":"000002.eml","from":"From b\n","was":{"at":120,"len":1,"with":"","sum":"…"}}
//! ```
//!
//! `before` is what stood before the first message. A mailbox file that septet writes of a message is its From_ line,
//! the message quoted, and an empty line ([`MboxMessage::in_dialect`]). Where the original was otherwise (no empty
//! line, lines that were not quoted, a Content-Length that is wrong), `was` says by one replacement in that how, and
//! the SHA-256 of the message for which it holds. So the way back is octet for octet for each message that stayed as it
//! is, wherever the others are by then, and what was changed or came in since is written as any message.
//!
//! By this file `-r` also knows that the .eml files beside it are messages, however little some look like mail. Who
//! takes it away loses From_ lines and such oddities.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::archive::json_octets::JsonOctets;
use crate::archive::replace::open_regular;
use crate::archive::sha256::Sha256;
use crate::archive::undo::format::{Hunk, differing};
use crate::edit::EditList;
use crate::process::say::warn;
use crate::protocol::mbox::{Dialect, MboxMessage};

/// The name of the file.
pub const ORIGIN: &str = "septet-origin.jsonl";

/// The octets that a line may have.
const LONGEST: u64 = 1 << 30;

/// What is said of the mailbox file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OriginHead {
    septet_origin: u8,
    dialect: String,
    /// What stood before the first message.
    pub before: JsonOctets,
}

const DIALECTS: [(&str, Dialect); 5] = [
    ("mboxo", Dialect::Mboxo),
    ("mboxrd", Dialect::Mboxrd),
    ("mboxcl", Dialect::Mboxcl),
    ("mboxcl2", Dialect::Mboxcl2),
    ("mmdf", Dialect::Mmdf),
];

impl OriginHead {
    /// Makes that of a mailbox file.
    pub fn new(dialect: Dialect, before: Vec<u8>) -> OriginHead {
        let dialect = DIALECTS.iter().find(|(_, known)| *known == dialect).map_or("", |(name, _)| name).to_owned();
        OriginHead { septet_origin: 1, dialect, before: JsonOctets(before) }
    }

    /// Returns the dialect that the mailbox file was in; the usual one, mboxrd, by a name that nobody knows here.
    pub fn dialect(&self) -> Dialect {
        DIALECTS.iter().find(|(name, _)| *name == self.dialect).map(|(_, dialect)| *dialect).unwrap_or_default()
    }
}

/// What is said of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OriginRecord {
    /// The name of its file; in a Maildir up to the first comma or colon, for the rest changes.
    pub name: String,
    /// Its From_ line.
    pub from: JsonOctets,
    /// How the original was otherwise than what is made of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<Was>,
}

/// One replacement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Was {
    at: usize,
    len: usize,
    with: JsonOctets,
    /// The SHA-256 of the message.
    sum: String,
}

impl OriginRecord {
    /// Makes that of a message, which stood so in the mailbox file; `raw` is none where it is another message now.
    pub fn new(item: &MboxMessage, message: &[u8], dialect: Dialect, raw: Option<&[u8]>) -> OriginRecord {
        let from = JsonOctets(item.from_line.to_vec());
        let was = raw.and_then(|raw| Was::new(&in_mailbox(item.from_line, message, dialect, OWN_END), raw, message));
        OriginRecord { name: String::new(), from, was }
    }

    /// Makes that of a message of which nothing is known but its From_ line.
    pub fn of_line(line: &[u8]) -> OriginRecord {
        OriginRecord { name: String::new(), from: JsonOctets(line.to_vec()), was: None }
    }

    /// Returns what stood in the mailbox file of a message; none where it is another message now.
    pub fn original(&self, message: &[u8], dialect: Dialect) -> Option<Vec<u8>> {
        let made = in_mailbox(&self.from.0, message, dialect, OWN_END);
        let Some(was) = &self.was else { return Some(made) };
        let after = was.at.checked_add(was.len).and_then(|end| made.get(end..))?;
        let is_it = was.sum == Sha256::default().with(message).hex();
        is_it.then(|| [&made[..was.at], &was.with.0, after].concat())
    }

    /// Returns `true` if its From_ line is one, with the lines of hosts behind it: nobody but septet writes this file,
    /// and anybody can.
    fn is_sound(&self) -> bool {
        let line = &self.from.0;
        line.is_empty() || (line.starts_with(b"From ") && MboxMessage::split_from_line(line).1.is_empty())
    }
}

impl Was {
    /// Finds the one replacement that makes `raw`, which stood in the mailbox file, of `made`, which septet writes;
    /// none where they are the same.
    fn new(made: &[u8], raw: &[u8], message: &[u8]) -> Option<Was> {
        let Hunk { old, new: octets } = differing(made, raw);
        let (at, len, with) = (old.start, old.len(), JsonOctets(raw[old.start..old.start + octets].to_vec()));
        (made != raw).then(|| Was { at, len, with, sum: Sha256::default().with(message).hex() })
    }
}

/// The `separator` of [`in_mailbox`] with which the empty line ends as the lines of the message do, which is what most
/// mailbox files have.
const OWN_END: &[u8] = b"\r\n";

/// Writes a message as it stands in a mailbox file. The empty line behind it ends with LF alone where the `separator`
/// is empty ([`MboxMessage::in_dialect`]).
pub fn in_mailbox(from_line: &[u8], message: &[u8], dialect: Dialect, separator: &[u8]) -> Vec<u8> {
    let item = MboxMessage { from_line, content: message, separator, may_hold_from: true, is_covered: false };
    item.in_dialect(dialect, message, &EditList::new())
}

/// Reads the file beside the messages of a folder, which come in the order of their names.
#[derive(Debug)]
pub struct OriginReader {
    /// What is said of the mailbox file.
    pub head: OriginHead,
    lines: BufReader<File>,
    /// The number of the line that was read last, and what it says.
    next: Option<(u64, OriginRecord)>,
    line: u64,
    path: String,
}

impl OriginReader {
    /// Opens it; none where there is none. One that can't be read is named, and passed over.
    pub fn open(folder: &Path) -> Option<OriginReader> {
        let path = folder.join(ORIGIN);
        let file = open_regular(&path).ok()?;
        let (mut lines, path) = (BufReader::new(file), path.display().to_string());
        let Ok(Some(head)) = read_line::<OriginHead>(&mut lines) else {
            warn(format_args!("{path} can't be read: From_ lines are made anew"));
            return None;
        };
        let mut reader = OriginReader { head, lines, next: None, line: 1, path };
        reader.advance();
        Some(reader)
    }

    /// Returns what is said of the message of this name, and in which line; names must come in order.
    pub fn find(&mut self, name: &[u8]) -> Option<(u64, OriginRecord)> {
        while self.next.as_ref().is_some_and(|(_, kept)| kept.name.as_bytes() < name) {
            self.advance();
        }
        self.next.clone().filter(|(_, kept)| kept.name.as_bytes() == name)
    }

    /// Reads the next line into `next`; at the end, and from a line on that can't be read, there is none any more.
    fn advance(&mut self) {
        self.line += 1;
        self.next = match read_line::<OriginRecord>(&mut self.lines) {
            Ok(Some(kept)) if kept.is_sound() => Some((self.line, kept)),
            Ok(None) => None,
            _ => {
                let (path, line) = (&self.path, self.line);
                warn(format_args!("{path}, line {line} can't be read: the From_ lines from there on are made anew"));
                None
            }
        };
    }
}

/// Reads a line; none at the end, an error where it is too long or not what it should be.
fn read_line<T: for<'de> Deserialize<'de>>(lines: &mut impl BufRead) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    lines.take(LONGEST).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&line)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_original_comes_back_octet_for_octet() {
        for raw in [
            &b"From a Mon Jan  1 00:00:00 2007\nA: b\n\n>From x\n\n"[..],
            b"From a\nA: b\n\nFrom x\n>From y\n\n",
            b"From a\r\nA: b\n\nno end",
            b"From a\nA: b\n\nno separator\n",
            b"From a\nContent-Length: 99\n\nwrong\n\n",
            b"From \xff\xfe\n\xff\n\n\n\n",
            b"From a\n\n",
            b"From a\n",
            b"From a",
        ] {
            for dialect in DIALECTS.map(|(_, dialect)| dialect) {
                let item = MboxMessage::of(raw);
                let message = item.message_of(dialect);
                let kept = OriginRecord::new(&item, &message, dialect, Some(raw));
                let line = serde_json::to_vec(&kept).expect("a line");
                let read: OriginRecord = serde_json::from_slice(&line).expect("a line");
                assert!(read.is_sound());
                let back = read.original(&message, dialect).expect("an original");
                assert!(back == raw, "{} {dialect:?}", String::from_utf8_lossy(raw));
                assert!(read.was.is_none() || read.original(b"other", dialect).is_none(), "of another message");
            }
        }
    }
}
