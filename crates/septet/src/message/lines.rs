//! Line ends: LF, CRLF, and mixtures of them.

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};
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

/// The octets of a header that are looked through at first for the line that ends it; most have fewer.
const USUAL_HEADER: usize = 2 << 10;

/// Finds where the first empty line of a text ends, be it LF or CRLF; none where there is none. Linear in what stands
/// before it.
pub fn first_empty_line(text: &[u8]) -> Option<usize> {
    let mut end = USUAL_HEADER.min(text.len());
    loop {
        let found = empty_line_in(&text[..end]);
        if found.is_some() || end == text.len() {
            return found;
        }
        end = end.saturating_mul(4).min(text.len());
    }
}

/// Finds where the first empty line ends that stands whole in a text.
fn empty_line_in(text: &[u8]) -> Option<usize> {
    static FEEDS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\n\n"));
    match text {
        [b'\n', ..] => return Some(1),
        [b'\r', b'\n', ..] => return Some(2),
        _ => {}
    }
    let bare = FEEDS.find(text).map(|at| at + 2);
    // One with a CR counts if it comes first. Most texts have none, or one on each line.
    let before = &text[..bare.unwrap_or(text.len())];
    let start = memchr(b'\r', before).map(|at| at.saturating_sub(1));
    let with_return = start.and_then(|start| Some(start + memmem::find(&before[start..], b"\n\r\n")? + 3));
    with_return.or(bare)
}

/// Returns the end of the line that starts at `start`, its line end included; `end` where none comes before that.
pub(super) fn line_end_after(text: &[u8], start: usize, end: usize) -> usize {
    find_near(&text[start..end], b'\n').map_or(end, |at| start + at + 1)
}

/// Returns where the content of the line `start..end` ends: before its LF or CRLF, if it has one.
pub(super) fn content_end(text: &[u8], start: usize, end: usize) -> usize {
    match &text[start..end] {
        [.., b'\r', b'\n'] => end - 2,
        [.., b'\n'] => end - 1,
        _ => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finds it line by line.
    fn plainly(text: &[u8]) -> Option<usize> {
        let mut end = 0;
        for line in text.split_inclusive(|octet| *octet == b'\n') {
            end += line.len();
            if matches!(line, b"\n" | b"\r\n") {
                return Some(end);
            }
        }
        None
    }

    #[test]
    fn the_first_empty_line_ends_a_header_whatever_its_line_ends() {
        let before = ["", "a", "\r", "a\n", "a\r\n", "a\r", &"x\n".repeat(1023), &"x\r\n".repeat(3000)];
        for before in before {
            for number in 0..3_usize.pow(6) {
                let behind = (0..6).map(|place| ['a', '\r', '\n'][number / 3_usize.pow(place) % 3]);
                let text = before.chars().chain(behind).collect::<String>();
                assert_eq!(first_empty_line(text.as_bytes()), plainly(text.as_bytes()), "{text:?}");
            }
        }
    }
}
