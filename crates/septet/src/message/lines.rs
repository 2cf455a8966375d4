//! Line ends: LF, CRLF, and mixtures of them.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter};

use crate::coding::masks::{find_near, near_places};

/// The line end that a message uses, and that new lines in it get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LineEnd {
    /// LF alone, as files have it.
    #[default]
    Lf,
    /// CR LF, as the wire has it.
    CrLf,
}

impl LineEnd {
    /// Finds the first line end of a text; LF when there is none.
    pub fn of(text: &[u8]) -> LineEnd {
        match memchr(b'\n', text) {
            Some(at) if at > 0 && text[at - 1] == b'\r' => LineEnd::CrLf,
            _ => LineEnd::Lf,
        }
    }

    /// Returns a line without its line end, LF or CRLF: a CR alone is none.
    pub fn strip(line: &[u8]) -> &[u8] {
        line.strip_suffix(b"\n").map_or(line, |line| line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// Returns it as text.
    pub fn as_str(self) -> &'static str {
        match self {
            LineEnd::Lf => "\n",
            LineEnd::CrLf => "\r\n",
        }
    }

    /// Returns it as octets.
    pub fn as_bytes(self) -> &'static [u8] {
        self.as_str().as_bytes()
    }
}

/// Counts the LFs.
pub fn count_line_feeds(text: &[u8]) -> usize {
    memchr_iter(b'\n', text).count()
}

/// The octets of a stretch in which a sum of ones fits an octet, so that a processor can add up many at a time.
const STRETCH: usize = 255;

/// Counts the CRLFs. One may lie across two stretches, so that each octet is held against the one behind it.
pub fn crlfs(text: &[u8]) -> usize {
    let Some(first) = memchr(b'\r', text) else { return 0 };
    let text = &text[first..];
    let seconds = text.get(1..).unwrap_or_default();
    let stretches = text.chunks(STRETCH).zip(seconds.chunks(STRETCH));
    stretches.map(|(ones, others)| usize::from(count_crlfs_across(ones, others))).sum()
}

/// Counts the places at which a CR stands in one stretch, and an LF in the other. The stretches must have no more than
/// [`STRETCH`] octets, or the sum overflows.
fn count_crlfs_across(ones: &[u8], others: &[u8]) -> u8 {
    ones.iter().zip(others).map(|(first, second)| u8::from(*first == b'\r') & u8::from(*second == b'\n')).sum()
}

/// Returns a text with every LF and CRLF as `end`, which must be one of them; a CR alone stays. Borrowed where nothing
/// changes.
pub fn with_line_ends<'a>(text: &'a [u8], end: &[u8]) -> Cow<'a, [u8]> {
    let crlf = crlfs(text);
    if (end == b"\n" && crlf == 0) || (end != b"\n" && crlf == count_line_feeds(text)) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len() + count_line_feeds(text));
    for line in text.split_inclusive(|&octet| octet == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(content) => {
                out.extend_from_slice(content.strip_suffix(b"\r").unwrap_or(content));
                out.extend_from_slice(end);
            }
            None => out.extend_from_slice(line),
        }
    }
    Cow::Owned(out)
}

/// Returns `true` if a CR stands in a text that no LF follows.
pub fn has_lone_return(text: &[u8]) -> bool {
    memchr_iter(b'\r', text).any(|at| text.get(at + 1) != Some(&b'\n'))
}

/// Returns `true` if a header's lines end with CR alone, as on the classic Mac, and no LF stands in it but at its end:
/// another field starts behind the first CR. To readers for which no CR ends a line all of the message is one field.
pub fn has_lines_of_returns(message: &[u8]) -> bool {
    let lines = message.trim_ascii_end();
    if memchr(b'\n', lines).is_some() {
        return false;
    }
    let second = memchr(b'\r', lines).and_then(|at| lines.get(at + 1..)).unwrap_or_default();
    let name = second.iter().take_while(|octet| matches!(octet, b'!'..=b'9' | b';'..=b'~')).count();
    name > 0 && second.get(name) == Some(&b':')
}

/// Returns the octets of the longest line, its line end left out.
pub fn longest_line(text: &[u8]) -> usize {
    let mut longest = 0;
    let mut start = 0;
    for at in memchr_iter(b'\n', text) {
        let end = if text[start..at].ends_with(b"\r") { at - 1 } else { at };
        longest = longest.max(end - start);
        start = at + 1;
    }
    longest.max(text.len() - start)
}

/// Returns where each line feed stands; made for lines of the usual lengths.
pub fn line_feeds(text: &[u8]) -> impl Iterator<Item = usize> {
    near_places(text, b'\n')
}

/// Returns the end of the line that starts at `start`, its line end included; `end` where none comes before that. A CR
/// alone ends no line, and `start..end` must lie in the text.
#[inline]
pub(super) fn line_end_after(text: &[u8], start: usize, end: usize) -> usize {
    find_near(&text[start..end], b'\n').map_or(end, |at| start + at + 1)
}

/// Returns where the line ends that a place is on, behind its LF; the end of the text where it has none.
pub fn behind_line(text: &[u8], at: usize) -> usize {
    line_end_after(text, at, text.len())
}

/// Returns where the content of the line `start..end` ends: before its LF or CRLF, if it has one.
pub(super) fn content_end(text: &[u8], start: usize, end: usize) -> usize {
    match &text[start..end] {
        [.., b'\r', b'\n'] => end - 2,
        [.., b'\n'] => end - 1,
        _ => end,
    }
}
