//! The fields of a header that some reader takes for an X-Septet, whatever stands around their name.

use super::NAME;
use super::host::is_ours;
use super::readable::{BLANK, Readable, is_blank};
use crate::edit::Span;
use crate::message::field_end;

/// A blank that folds a field for some readers, as [`BLANK`] does, and for others is part of a line.
const FORM_FEED: u8 = b'\x0C';

/// A field named [`NAME`] in the eyes of some reader.
pub struct NamedField {
    /// Where it lies, with its folds and its line end.
    pub at: Span,
    /// Whether one of its folds is such a field itself for a reader who takes no such blank for a fold.
    holds_another: bool,
}

impl NamedField {
    /// Returns `true` if the field goes: this host is said to have written it, or it holds another one. Nobody writes
    /// that but to hide one.
    pub fn is_taken_out(&self, head: &[u8], host: &str) -> bool {
        self.holds_another || is_ours(value(self.at.slice(head)), host)
    }
}

/// Finds the fields named [`NAME`] in a header, in the eyes of any reader. A line within one of them is no field of its
/// own here, so that none overlap and each octet is looked at once.
pub fn fields_named(head: &[u8]) -> Vec<NamedField> {
    let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', head).map(|at| at + 1));
    let mut found: Vec<NamedField> = Vec::new();
    for start in starts.filter(|&start| is_start(&head[start..])) {
        match found.last_mut() {
            Some(last) if start < last.at.end => last.holds_another = true,
            _ => {
                let at = Span::new(start, start + end_of_field(&head[start..]));
                found.push(NamedField { at, holds_another: false });
            }
        }
    }
    found
}

/// Returns `true` if a field named [`NAME`] starts a text. What some reader takes for a blank may stand before the name
/// and behind it; but a line that starts with a space or a tab folds the field before it, for every reader.
fn is_start(text: &[u8]) -> bool {
    let is_fold = matches!(Readable(text).next(), Some(b' ' | b'\t'));
    let mut octets = Readable(text).skip_while(|octet| is_blank(*octet) && !matches!(*octet, b'\r' | b'\n'));
    !is_fold
        && NAME.bytes().all(|letter| octets.next().is_some_and(|octet| octet.eq_ignore_ascii_case(&letter)))
        && octets.find(|octet| !is_blank(*octet)) == Some(b':')
}

/// Finds where the first field of a text ends for a reader that drops octets 0 and takes every blank for a fold, and so
/// sees the longest field.
fn end_of_field(text: &[u8]) -> usize {
    let mut end = 0;
    loop {
        let rest = &text[end..];
        let first = Readable(rest).next();
        if rest.is_empty() || end > 0 && !matches!(first, Some(b' ' | b'\t' | BLANK | FORM_FEED)) {
            return end;
        }
        end += field_end(rest);
    }
}

/// Returns what stands behind the colon of a field; all of it where it has none.
fn value(field: &[u8]) -> &[u8] {
    memchr::memchr(b':', field).map_or(field, |colon| &field[colon + 1..])
}

/// Returns `true` if a field's name is [`NAME`], blanks around it aside.
pub fn is_named(name: &[u8]) -> bool {
    is_start(&[name, b":"].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_whatever_stands_around_them() {
        let head = b"X-Septet: a\r\n b\r\nX-Septet-Other: c\r\nTo: d\r\n\tX-Septet: e\r\nx-septet \t: f\r\n";
        let found: Vec<&[u8]> = fields_named(head).iter().map(|field| field.at.slice(head)).collect();
        assert_eq!(found, [&b"X-Septet: a\r\n b\r\n"[..], b"x-septet \t: f\r\n"]);
        assert_eq!(fields_named(b"X-Septet").len() + fields_named(b"").len() + fields_named(b"X-Septet x: y").len(), 0);
        let head = b"To: a\r\n\0X-S\0eptet \0: a\r\n\0\0 b\r\n c\r\n\0\t\0d\r\n\0\r\nX-Septet\0-Other: e\r\n\0";
        let found: Vec<&[u8]> = fields_named(head).iter().map(|field| field.at.slice(head)).collect();
        assert_eq!(found, [b"\0X-S\0eptet \0: a\r\n\0\0 b\r\n c\r\n\0\t\0d\r\n"]);
    }

    #[test]
    fn whatever_a_reader_skips_hides_no_field() {
        let octets: Vec<&[u8]> = vec![
            b"\0", b"\x0B", b"\x0C", b"\xA0", b"\x85", b"\xC2\xA0", b"\xC2\x85", b"\xE1\x9A\x80", b"\xE2\x80\x80",
            b"\xE2\x80\x8A", b"\xE2\x80\x8B", b"\xE2\x80\xA8", b"\xE2\x80\xAF", b"\xE2\x81\x9F", b"\xE2\x81\xA0",
            b"\xE3\x80\x80", b"\xEF\xBB\xBF", b"\0\xC2\xA0\0 \x0B",
        ];
        for odd in octets {
            let with = |text: &str| text.split('_').map(str::as_bytes).collect::<Vec<_>>().join(odd);
            for head in [
                "X-Septet_: a; host=mx\r\n",
                "_X-Septet: a; host=mx\r\n",
                "X-Septet:_host_=_mx_\r\n",
                "X-Septet_:host=mx\r\n",
                "X-Septet: a;_host=mx\r\n",
                "X-Septet: a;\r\n_host=mx\r\n",
                "X-Septet: a; host=mx_; b\r\n",
                "X-Septet: a; host=_\r\n mx\r\n",
                "X-Septet: a; \"_host_\"=(_)mx\r\n",
            ] {
                if odd == b"\0" && head.contains("\n_host") {
                    continue;
                }
                let head = with(head);
                let found: Vec<&[u8]> = fields_named(&head).iter().map(|field| field.at.slice(&head)).collect();
                assert!(found.len() == 1 && is_ours(value(found[0]), "mx"), "{:?}", String::from_utf8_lossy(&head));
            }
            assert!(is_named(&with("_X-Septet_")) && !is_named(&with("X-Septet_a")));
        }
        for word in ["=?utf-8?Q?host=3D=C2=A0mx?=", "=?iso-8859-1?Q?host=A0=3Dmx?=", "=?utf-8?Q?host=3D=E3=80=80mx?="] {
            assert!(is_ours(word.as_bytes(), "mx"), "{word}");
        }
        assert!(fields_named(b"\xA0 X: a\r\n X-Septet: b\r\n\xC3\xA0X-Septet: c\r\n").is_empty());
    }

    #[test]
    fn a_name_is_the_whole_name() {
        assert!(is_named(b"x-SEPTET ") && !is_named(b"X-Septet-Other"));
    }
}
