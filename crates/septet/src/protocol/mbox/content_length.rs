//! The field Content-Length of a message in a mailbox file: how many octets its body has there.
//!
//! mboxcl and mboxcl2 go by it. It counts from behind the empty line that ends the header to the separator, in octets
//! as they stand in the file. It is wrong in many files, so that nobody believes it before they have looked what stands
//! where it leads.

use memchr::memchr;

use crate::edit::{EditList, Span};
use crate::message::{LineEnd, behind_line, line_feeds};

/// The name of the field, in small letters.
const NAME: &[u8] = b"content-length";

/// Finds where the body of a message starts: behind the empty line that ends its header; none when there is no such
/// line.
pub fn body_start(message: &[u8]) -> Option<usize> {
    read_header(message, |_| {})
}

/// Finds where the body of a message starts, as [`body_start`] does, and the length that its header states, if it does.
pub(super) fn body_and_length(message: &[u8]) -> Option<(usize, Option<u64>)> {
    // Hardly any header states one, so that it is looked through once.
    let mut states_one = false;
    let body = read_header(message, |line| states_one |= is_content_length(line))?;
    Some((body, states_one.then(|| stated(&message[..body])).flatten()))
}

/// Shows `look` each line of the header of a message, without its LF, and returns where the body starts.
fn read_header<'m>(message: &'m [u8], mut look: impl FnMut(&'m [u8])) -> Option<usize> {
    let mut start = 0;
    for end in line_feeds(message) {
        match &message[start..end] {
            b"" | b"\r" => return Some(end + 1),
            line => look(line),
        }
        start = end + 1;
    }
    None
}

/// Reads the length that a header states; none when it states none, no number, or two different ones.
pub(super) fn stated(header: &[u8]) -> Option<u64> {
    let mut stated = None;
    for field in fields(header) {
        let value = number(field.slice(header))?;
        if stated.is_some_and(|before| before != value) {
            return None;
        }
        stated = Some(value);
    }
    stated
}

/// Makes a message state its true length, once: in the place of its first Content-Length or, without one, at the place
/// `at` of the header if a field starts there, or else at its end.
///
/// A header that no empty line ends, or that has lines which are no fields, is left alone: where its body starts is
/// seen differently by different readers.
pub(super) fn make_true(message: Vec<u8>, at: Option<usize>) -> Vec<u8> {
    let Some(body) = body_start(&message) else { return message };
    let header = LineEnd::strip(&message[..body]);
    if !is_clean(header) {
        return message;
    }
    let is_start = |at: usize| at == 0 || message[at - 1] == b'\n' && !matches!(message[at], b' ' | b'\t');
    let wanted = at.filter(|&at| at <= header.len() && is_start(at));
    let place = fields(header).next().map(|old| old.start).or(wanted).unwrap_or(header.len());
    let field = format!("Content-Length: {}{}", message.len() - body, LineEnd::of(&message).as_str());
    let mut edits = without_fields(header);
    // It stands before the first field that goes, or in none.
    _ = edits.push(Span::empty(place), field);
    edits.apply(&message)
}

/// Takes every Content-Length out of the header of a message, which is all of it where no empty line ends the header.
pub(super) fn remove(message: Vec<u8>) -> Vec<u8> {
    let edits = without_fields(header(&message));
    if edits.is_empty() { message } else { edits.apply(&message) }
}

/// Returns where the first Content-Length in the header of a message starts; without an empty line all of it is header.
pub(super) fn place(message: &[u8]) -> Option<usize> {
    fields(header(message)).next().map(|field| field.start)
}

/// Returns the header of a message, without the empty line that ends it; all of a message that has no such line.
fn header(message: &[u8]) -> &[u8] {
    body_start(message).map_or(message, |body| LineEnd::strip(&message[..body]))
}

/// Returns the edits that take every Content-Length out of a header.
fn without_fields(header: &[u8]) -> EditList {
    let mut edits = EditList::new();
    // Fields are disjoint.
    fields(header).for_each(|field| _ = edits.push(field, ""));
    edits
}

/// Finds the fields Content-Length, each with its folds and its line end, in order.
fn fields(header: &[u8]) -> impl Iterator<Item = Span> {
    let mut lines = lines(header).peekable();
    std::iter::from_fn(move || {
        let mut field = lines.find(|line| is_content_length(line.slice(header)))?;
        while let Some(fold) = lines.next_if(|line| matches!(header[line.start], b' ' | b'\t')) {
            field.end = fold.end;
        }
        Some(field)
    })
}

/// Returns the lines of a text, each with its line end.
fn lines(text: &[u8]) -> impl Iterator<Item = Span> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let line = (start < text.len()).then(|| Span::new(start, behind_line(text, start)))?;
        start = line.end;
        Some(line)
    })
}

/// Returns `true` if a line begins a Content-Length, perhaps with white space before its colon.
fn is_content_length(line: &[u8]) -> bool {
    // Few lines begin so: the others cost one comparison.
    let is_first = matches!(line.first(), Some(b'c' | b'C'));
    let named = is_first && line.get(..NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME));
    named && line[NAME.len()..].trim_ascii_start().first() == Some(&b':')
}

/// Returns the number that a field has; none where it has another value, or one of more than 18 digits, which no file
/// is as long as.
fn number(field: &[u8]) -> Option<u64> {
    let value = field[memchr(b':', field)? + 1..].trim_ascii();
    let digits = (1..=18).contains(&value.len()) && value.iter().all(u8::is_ascii_digit);
    digits.then(|| str::from_utf8(value).ok()?.parse().ok()).flatten()
}

/// Returns `true` if every line of a header is a field or goes on with one.
fn is_clean(header: &[u8]) -> bool {
    lines(header).all(|at| {
        let line = at.slice(header);
        let name = line.iter().position(|octet| !matches!(octet, b'!'..=b'9' | b';'..=b'~'));
        let field = name.is_some_and(|end| end > 0 && line[end..].trim_ascii_start().first() == Some(&b':'));
        field || (at.start > 0 && matches!(line[0], b' ' | b'\t'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_stated_once_and_as_a_number() {
        for (header, expected) in [
            ("A: b\nContent-Length: 12\n\n", Some(12)),
            ("content-length :\t 012 \r\nA: b\r\n\r\n", Some(12)),
            ("Content-Length:\n 12\n\n", Some(12)),
            ("Content-Length: 12\nContent-Length: 12\n\n", Some(12)),
            ("Content-Length: 12\nContent-Length: 13\n\n", None),
            ("Content-Length: -1\n\n", None),
            ("Content-Length: 1 2\n\n", None),
            ("Content-Length:\n\n", None),
            ("Content-Length: 18446744073709551616\n\n", None),
            ("X-Content-Length: 12\n\n", None),
            ("Content-Lengths: 12\n\n", None),
            ("", None),
        ] {
            assert_eq!(stated(header.as_bytes()), expected, "{header:?}");
        }
    }

    #[test]
    fn is_made_true_where_it_stands() {
        for (message, at, expected) in [
            ("A: b\nContent-Length: 1\nC: d\n\nbody\n", None, "A: b\nContent-Length: 5\nC: d\n\nbody\n"),
            ("content-length:\r\n 1\r\nC: d\r\n\r\n", None, "Content-Length: 0\r\nC: d\r\n\r\n"),
            ("A: b\n\nbody", None, "A: b\nContent-Length: 4\n\nbody"),
            ("A: b\nC: d\n\nbody", Some(5), "A: b\nContent-Length: 4\nC: d\n\nbody"),
            ("A: b\nC: d\n\nbody", Some(6), "A: b\nC: d\nContent-Length: 4\n\nbody"),
            ("Content-Length: 1\nA: b\nContent-Length: 2\n\n", None, "Content-Length: 0\nA: b\n\n"),
            ("\nbody", None, "Content-Length: 4\n\nbody"),
            // Readers differ on where these bodies start.
            ("A: b\nno field\n\nbody", None, "A: b\nno field\n\nbody"),
            (" A: b\n\nbody", None, " A: b\n\nbody"),
            ("A: b\n", None, "A: b\n"),
        ] {
            let made = make_true(message.into(), at);
            assert_eq!(String::from_utf8_lossy(&made), expected, "{message:?}");
        }
        assert_eq!(
            remove(b"A: b\nContent-Length:\n 1\nC: d\n\nContent-Length: 1\n".to_vec()),
            b"A: b\nC: d\n\nContent-Length: 1\n"
        );
        assert_eq!(place(b"A: b\nContent-Length: 1\n\n"), Some(5));
    }
}
