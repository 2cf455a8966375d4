//! What of a message mail-parser is shown: all that can be a boundary.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr_iter, memmem, memrchr};

use super::encoded::may_be_opened;
use crate::edit::{EditList, Span};
use crate::message::{Kind, LineEnd, Message, Part, behind_line};

/// The octets of a body, carriage returns not counted here and below, beyond which lines without `--` are left out, for
/// nobody's boundary stands in them.
const SHORT: usize = 1 << 10;

/// The octets beyond which a message in a transfer encoding is shown without them.
const LONG_MESSAGE: usize = 4 << 10;

/// The octets that must be left out in a row to be worth an edit.
const CUT: usize = 256;

/// Leaves out the bodies that were not opened, and all behind the place where reading stopped; and of long bodies every
/// line that no reader can take for a boundary. Returns the edits that leave it out, too; an error says what readers
/// differ in, if that is clear before they read.
pub(super) fn excerpt<'a>(message: &Message<'a>) -> Result<(Cow<'a, [u8]>, EditList), &'static str> {
    let end = message.unread().map_or(message.raw().len(), |at| end_before(message, at));
    let mut parts = message.parts().iter();
    let has_digest = parts.any(|part| part.kind == Kind::Multipart && part.content_type.sub == "digest");
    let mut cuts = EditList::new();
    for part in message.parts() {
        let is_long = part.limit.is_none() && is_longer(message.slice(part.body), LONG_MESSAGE);
        let unneeded = match is_long && may_be_opened(message, part, has_digest)? {
            true if holds_a_delimiter(message, part) => return Err("where a body ends"),
            true => vec![part.body],
            false if part.kind == Kind::Leaf => unneeded(message, part),
            false => Vec::new(),
        };
        // Bodies of leaves end at `end` or before. They are disjoint; were they not, the message would be shown with
        // more and not with less.
        unneeded.into_iter().for_each(|at| _ = cuts.push(at, ""));
    }
    let shown = match cuts.is_empty() && end == message.raw().len() {
        true => Cow::Borrowed(message.raw()),
        false => Cow::Owned(cuts.apply(&message.raw()[..end])),
    };
    Ok((shown, cuts))
}

/// Returns where the text before the delimiter ends at which reading stopped: without the line end before it, which
/// belongs to the delimiter, but not before the body of the last part.
fn end_before(message: &Message, delimiter: usize) -> usize {
    let read = LineEnd::strip(&message.raw()[..delimiter]).len();
    message.parts().last().map_or(0, |part| part.body.start.max(read))
}

/// Finds what need not be shown of the body of a leaf: all that a limit kept from being read, and else, in a long one,
/// what can hold no boundary.
fn unneeded(message: &Message, part: &Part) -> Vec<Span> {
    if part.limit.is_some() {
        return vec![part.body];
    }
    let body = message.slice(part.body);
    let may_go = is_longer(body, SHORT) && !holds_a_delimiter(message, part);
    let lines = if may_go { lines_without_dashes(body) } else { Vec::new() };
    lines.into_iter().map(|at| part.body.within(at)).collect()
}

/// Returns `true` if a body holds a delimiter of a multipart around it, or of one before it that nothing closes, in a
/// place where it is none to us. To a reader that finds one there, what stands behind it makes a part, so that nothing
/// of it may be left out.
fn holds_a_delimiter(message: &Message, part: &Part) -> bool {
    let body = message.slice(part.body);
    let mut delimiters = message.delimiters_around(part).into_iter().filter(|it| it.len() <= body.len());
    delimiters.any(|delimiter| memmem::find(body, delimiter).is_some())
}

/// Finds the stretches of whole lines without `--` in a body that are longer than [`CUT`]. The first and the last line
/// are in none of them.
fn lines_without_dashes(body: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = behind_line(body, 0);
    let last = line_start(body, body.len().saturating_sub(1));
    for at in memmem::find_iter(body, b"--").chain([last]) {
        if at < start {
            continue;
        }
        let kept = line_start(body, at).min(last);
        if body.get(start..kept).is_some_and(|lines| is_longer(lines, CUT)) {
            found.push(start..kept);
        }
        start = behind_line(body, at);
    }
    found
}

/// Returns `true` if a text has more than so many octets, carriage returns left out: what mail-parser is shown, and so
/// what it says, must not depend on how lines end.
pub(super) fn is_longer(text: &[u8], octets: usize) -> bool {
    text.len() > octets && text.len() - memchr_iter(b'\r', text).count() > octets
}

/// Returns where the line starts that a place is on; an LF is on the line that it ends.
fn line_start(text: &[u8], at: usize) -> usize {
    memrchr(b'\n', &text[..at]).map_or(0, |before| before + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Limits;

    /// Returns what mail-parser is shown of a message, its line ends LF.
    fn shown(raw: &str) -> Vec<u8> {
        let message = Message::read(raw.as_bytes(), &Limits::default());
        let (shown, _) = excerpt(&message).unwrap();
        shown.iter().copied().filter(|octet| *octet != b'\r').collect()
    }

    #[test]
    fn as_much_is_shown_whatever_ends_the_lines() {
        let mut cut = 0;
        for lines in 1..120 {
            let [before, behind] = [lines, 120 - lines].map(|count| "some text\n".repeat(count));
            let raw = format!("Subject: s\n\n{before}-- \n{behind}end\n");
            let seen = shown(&raw);
            assert_eq!(seen, shown(&raw.replace('\n', "\r\n")), "{lines} lines before the dashes");
            cut += usize::from(seen.len() < raw.len());
        }
        assert_eq!(cut, 119);
    }
}
