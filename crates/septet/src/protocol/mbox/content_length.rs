//! The field Content-Length of a message in a mailbox file: how many octets its body has there.
//!
//! mboxcl and mboxcl2 go by it. It counts from behind the empty line that ends the header to the separator, in octets
//! as they stand in the file. It is wrong in many files, so that nobody believes it before they have looked what stands
//! where it leads.

use memchr::memchr;

use crate::message::{LineEnd, line_feeds};

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
    for (start, end) in fields(header) {
        let value = number(&header[start..end])?;
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
    let end = header_end(&message, body);
    if !is_clean(&message[..end]) {
        return message;
    }
    let octets = (message.len() - body).to_string();
    let old: Vec<(usize, usize)> = fields(&message[..end]).collect();
    let is_start = |at: usize| at == 0 || message[at - 1] == b'\n' && !matches!(message[at], b' ' | b'\t');
    let wanted = at.filter(|&at| at <= end && is_start(at));
    let place = old.first().map(|&(start, _)| start).or(wanted).unwrap_or(end);
    let field = ["Content-Length: ", &octets, LineEnd::of(&message).as_str()].concat();
    splice(&message, &old, place, field.as_bytes())
}

/// Takes every Content-Length out of the header of a message, which is all of it where no empty line ends the header.
pub(super) fn remove(message: Vec<u8>) -> Vec<u8> {
    let end = body_start(&message).map_or(message.len(), |body| header_end(&message, body));
    let old: Vec<(usize, usize)> = fields(&message[..end]).collect();
    if old.is_empty() { message } else { splice(&message, &old, end, b"") }
}

/// Returns where the first Content-Length in the header of a message starts; without an empty line all of it is header.
pub(super) fn place(message: &[u8]) -> Option<usize> {
    let end = body_start(message).map_or(message.len(), |body| header_end(message, body));
    fields(&message[..end]).next().map(|(start, _)| start)
}

/// Takes the fields `old` out and puts `field` in at `place`, in one pass; `place` is the start of the first or lies in
/// none.
fn splice(message: &[u8], old: &[(usize, usize)], place: usize, field: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(message.len() + field.len());
    let mut cuts: Vec<(usize, usize, &[u8])> = old.iter().map(|&(start, end)| (start, end, &b""[..])).collect();
    cuts.push((place, place, field));
    cuts.sort_by_key(|&(start, end, _)| (start, end));
    let mut done = 0;
    for (start, end, with) in cuts {
        out.extend_from_slice(&message[done..start]);
        out.extend_from_slice(with);
        done = end;
    }
    out.extend_from_slice(&message[done..]);
    out
}

/// Returns where the empty line starts that ends at `body`.
fn header_end(message: &[u8], body: usize) -> usize {
    body - if message[..body].ends_with(b"\r\n") { 2 } else { 1 }
}

/// Finds the fields Content-Length: where each starts and ends, folds and line end included.
fn fields(header: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let mut lines = lines(header).peekable();
    std::iter::from_fn(move || {
        let (start, mut end) = lines.find(|&(start, end)| is_content_length(&header[start..end]))?;
        while let Some((_, fold)) = lines.next_if(|&(start, _)| matches!(header[start], b' ' | b'\t')) {
            end = fold;
        }
        Some((start, end))
    })
}

/// Returns where each line starts and ends, its line end included.
fn lines(text: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let line = (start, start + line_feeds(rest).next().map_or(rest.len(), |end| end + 1));
        start = line.1;
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

/// Returns the number that a field has; none where it has another value, or one of more than 18 digits.
fn number(field: &[u8]) -> Option<u64> {
    let value = field[memchr(b':', field)? + 1..].trim_ascii();
    let digits = (1..=18).contains(&value.len()) && value.iter().all(u8::is_ascii_digit);
    digits.then(|| str::from_utf8(value).ok()?.parse().ok()).flatten()
}

/// Returns `true` if every line of a header is a field or goes on with one.
fn is_clean(header: &[u8]) -> bool {
    lines(header).all(|(start, end)| {
        let line = &header[start..end];
        let name = line.iter().position(|octet| !matches!(octet, b'!'..=b'9' | b';'..=b'~'));
        let field = name.is_some_and(|end| end > 0 && line[end..].trim_ascii_start().first() == Some(&b':'));
        field || (start > 0 && matches!(line[0], b' ' | b'\t'))
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
