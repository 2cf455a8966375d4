//! mboxrd quoting: a line of any number of `>` and then `From ` gets one `>` more in the file.

use std::borrow::Cow;

use memchr::memmem::{self, find_iter};

const QUOTED: &[u8] = b">From ";
const FROM: &[u8] = b"From ";

/// Takes one `>` from every line of `>` and `From `; borrows when there is none, as in nearly every message.
pub fn unquote(content: &[u8]) -> Cow<'_, [u8]> {
    let mut lines = find_iter(content, QUOTED).filter_map(|at| quote_start(content, at + 1)).peekable();
    if lines.peek().is_none() {
        return Cow::Borrowed(content);
    }
    let mut out = Vec::with_capacity(content.len());
    let mut done = 0;
    for line in lines {
        out.extend_from_slice(&content[done..line]);
        done = line + 1;
    }
    out.extend_from_slice(&content[done..]);
    Cow::Owned(out)
}

/// Adds one `>` to every line of any number of `>` and then `From `; gives the text back when there is none.
pub fn quote(content: Vec<u8>) -> Vec<u8> {
    let lines: Vec<usize> = find_iter(&content, FROM).filter_map(|at| quote_start(&content, at)).collect();
    if lines.is_empty() {
        return content;
    }
    let mut out = Vec::with_capacity(content.len() + lines.len());
    let mut done = 0;
    for line in lines {
        out.extend_from_slice(&content[done..line]);
        out.push(b'>');
        done = line;
    }
    out.extend_from_slice(&content[done..]);
    out
}

/// Tells whether a line of the content starts with `From ` as it is, which mboxrd does not allow.
pub(super) fn has_bare_line(content: &[u8]) -> bool {
    content.starts_with(FROM) || memmem::find(content, b"\nFrom ").is_some()
}

/// Finds the start of the line in which `From ` stands at `at`, if only `>` stands before it.
fn quote_start(content: &[u8], at: usize) -> Option<usize> {
    let marks = content[..at].iter().rev().take_while(|&&octet| octet == b'>').count();
    let start = at - marks;
    (start == 0 || content[start - 1] == b'\n').then_some(start)
}
