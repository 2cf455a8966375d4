//! Links over line breaks: soft ones (RFC 3676 §4), and those in angle brackets (RFC 3986 appendix C).

use std::ops::Range;

/// How many lines a link may have.
pub(super) const LINES: usize = 16;

/// Finds the starts of lines for places that only grow, so that all of them together cost one pass.
#[derive(Debug, Clone, Default)]
pub(super) struct LineFinder {
    /// Where the line starts that the last place stands in.
    start: usize,
    /// The last place that was asked for.
    seen: usize,
    /// The start of a line, and how many quote marks that begins with: of the last line that somebody asked it of.
    depth: Option<(usize, usize)>,
}

impl LineFinder {
    /// Returns the start of the line that `at` stands in.
    pub(super) fn start(&mut self, text: &str, at: usize) -> usize {
        let since = text.as_bytes().get(self.seen..at).unwrap_or_default();
        if let Some(found) = memchr::memrchr(b'\n', since) {
            self.start = self.seen + found + 1;
        }
        self.seen = self.seen.max(at);
        self.start
    }

    /// Returns how many quote marks the line begins with that `at` stands in: many links may stand behind many marks.
    pub(super) fn depth(&mut self, text: &str, at: usize) -> usize {
        let line = self.start(text, at);
        let known = self.depth.filter(|(of, _)| *of == line);
        self.depth.insert(known.unwrap_or_else(|| (line, quotes(text, line, usize::MAX).0))).1
    }
}

/// Returns where the line end at `at` ends; none where there is no line end.
fn after_line_end(text: &str, at: usize) -> Option<usize> {
    match text.as_bytes().get(at..)? {
        [b'\r', b'\n', ..] => Some(at + 2),
        [b'\n', ..] => Some(at + 1),
        _ => None,
    }
}

/// Returns the start of the next line and of its content, when the space at `at` makes the end of the line soft that
/// starts at `line`.
///
/// Lines of different quote depths don't flow into one another, and neither does the signature's `-- `.
pub(super) fn after_soft_break(text: &str, line: usize, at: usize) -> Option<(usize, usize)> {
    let next = after_line_end(text, at + 1)?;
    let (depth, content) = unquoted(text, line);
    let signature = text.get(content..at) == Some("--");
    let (next_depth, next_content) = unquoted(text, next);
    (depth == next_depth && !signature).then_some((next, next_content))
}

/// Counts the quote marks of a flowed line and finds its content, after one stuffed space (RFC 3676 §4.4, §4.5).
fn unquoted(text: &str, line: usize) -> (usize, usize) {
    let octets = text.as_bytes().get(line..).unwrap_or_default();
    let depth = octets.iter().take_while(|&&octet| octet == b'>').count();
    let stuffed = usize::from(octets.get(depth) == Some(&b' '));
    (depth, line + depth + stuffed)
}

/// Returns `true` if a `<` stands right before a link that starts at `at`, or before the `URL:` there; whether a `>`
/// closes it is for [`closing`] or [`angled`] to tell.
pub(super) fn is_angled(text: &str, at: usize) -> bool {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    let named = before.len().checked_sub(4).and_then(|start| before.split_at_checked(start));
    let before = match named {
        Some((before, url)) if url.eq_ignore_ascii_case(b"URL:") => before,
        _ => before,
    };
    before.last() == Some(&b'<')
}

/// Follows a link in angle brackets over the ends of its lines, from `body` on, behind its scheme, and returns where it
/// ends, with its breaks; `depth` is how many quote marks its first line begins with. None when it has one line, or
/// more than [`LINES`], holds spaces, or goes on at another quote depth.
pub(super) fn angled(text: &str, depth: usize, body: usize) -> Option<(usize, Vec<Range<usize>>)> {
    let mut breaks = Vec::new();
    let mut at = body;
    for _ in 0..LINES {
        let end = at + piece(text.get(at..)?);
        let edge = end + blanks(text, end);
        if text.as_bytes().get(end) == Some(&b'>') {
            return closed(end, end > at, breaks);
        }
        let next = after_line_end(text, edge).filter(|_| end > at)?;
        let (next_depth, content) = quotes(text, next, depth);
        if next_depth != depth {
            return None;
        }
        breaks.push(end..content);
        at = content;
    }
    None
}

/// Returns the end and the breaks of a link that its bracket closes; unless `filled`, the bracket stands on a line of
/// its own, and the last break is none of the link's.
fn closed(end: usize, filled: bool, mut breaks: Vec<Range<usize>>) -> Option<(usize, Vec<Range<usize>>)> {
    let end = if filled { end } else { breaks.pop()?.start };
    (!breaks.is_empty()).then_some((end, breaks))
}

/// Returns the length of a piece: up to white space, or what ends every link.
fn piece(rest: &str) -> usize {
    rest.find(ends_piece).unwrap_or(rest.len())
}

/// Returns `true` for white space, a control, and what ends every link.
#[inline]
fn ends_piece(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || matches!(character, '<' | '>' | '"' | '\\' | '^' | '`' | '{' | '|' | '}')
}

/// Returns where the angle bracket stands that closes what starts at `body`, when nothing in it ends a link; none where
/// it is empty, too.
pub(super) fn closing(text: &str, body: usize) -> Option<usize> {
    let end = body + piece(text.get(body..)?);
    (end > body && text.as_bytes().get(end) == Some(&b'>')).then_some(end)
}

/// Returns how many spaces and tabs stand at a place.
fn blanks(text: &str, at: usize) -> usize {
    let octets = text.as_bytes().get(at..).unwrap_or_default();
    octets.iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count()
}

/// Counts the quote marks of any line, spaces between them or not, and finds its content; one more mark than
/// `most` is a bracket that closes.
fn quotes(text: &str, line: usize, most: usize) -> (usize, usize) {
    let octets = text.as_bytes().get(line..).unwrap_or_default();
    let (mut depth, mut prefix) = (0, 0);
    for octet in octets {
        match octet {
            b' ' | b'\t' => {}
            b'>' if depth < most => depth += 1,
            _ => break,
        }
        prefix += 1;
    }
    (depth, line + prefix)
}
