//! Line ends: LF, CRLF, and mixtures of them.

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
