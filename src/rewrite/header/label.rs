//! The charset of a Content-Type as most are, set by one splice.

use std::ops::Range;

use crate::coding::encoded_word::LINE_LIMIT;
use crate::message::grammar::parameter::unquote;

/// The most parameters of a value that is spliced.
const MANY: usize = 8;

/// Returns what to write in a value, and where, so that it names a charset, if every reader finds the same parameters
/// before and after: a type and parameters of one word or one quoted string each, each name once, one of them the
/// charset, and no line so long that it would be folded. None for any other value, and for one that names the charset
/// already: it is planned like other fields, and proved. `indent` octets stand on the line before the value.
pub fn splice(value: &[u8], indent: usize, charset: &str) -> Option<(Range<usize>, String)> {
    if !is_usual_type(value) {
        return None;
    }
    let mut names: Vec<&[u8]> = Vec::new();
    let (mut at, mut found) = (0, None);
    for (index, piece) in value.split(|octet| *octet == b';').enumerate() {
        let start = at + piece.len() - piece.trim_ascii_start().len();
        let section = piece.trim_ascii();
        at += piece.len() + 1;
        let (name, text) = split_before(section, b'=');
        if index == 0 {
            continue;
        }
        if names.len() == MANY || names.iter().any(|other| other.eq_ignore_ascii_case(name)) {
            return None;
        }
        names.push(name);
        if name.eq_ignore_ascii_case(b"charset") && unquote(text.get(1..).unwrap_or_default()) != charset.as_bytes() {
            found = Some(start + name.len() + 1..start + section.len());
        }
    }
    let at = found?;
    is_short(value, indent, &at, charset.len()).then(|| (at, charset.to_owned()))
}

/// Returns `true` if a Content-Type is as most are, so that all readers take it alike, whatever charset is set in it: a
/// type, and parameters of one word each or of one quoted string. None may have a name that ends in `name`, as those of
/// files do.
pub fn is_usual_type(value: &[u8]) -> bool {
    let mut pieces = value.split(|octet| *octet == b';').map(<[u8]>::trim_ascii);
    let (main, sub) = split_before(pieces.next().unwrap_or_default(), b'/');
    is_token(main) && is_token(sub.get(1..).unwrap_or_default()) && pieces.all(is_usual_parameter)
}

/// Returns `true` if a piece between semicolons is `name=value` as [`is_usual_type`] wants it.
fn is_usual_parameter(piece: &[u8]) -> bool {
    let (name, value) = split_before(piece, b'=');
    let names_none = !name.to_ascii_lowercase().ends_with(b"name");
    let value = value.get(1..).unwrap_or_default();
    is_token(name) && names_none && (is_token(value) || is_quoted(value))
}

/// Returns what stands before the first octet of this kind, and the rest with it; all of a text and nothing where it
/// does not stand.
fn split_before(text: &[u8], octet: u8) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|it| *it == octet).unwrap_or(text.len()))
}

fn is_token(octets: &[u8]) -> bool {
    !octets.is_empty() && octets.iter().all(is_of_token)
}

fn is_of_token(octet: &u8) -> bool {
    octet.is_ascii_alphanumeric() || b"-._+".contains(octet)
}

fn is_quoted(octets: &[u8]) -> bool {
    let text = octets.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
    text.is_some_and(|text| text.iter().all(|octet| is_of_token(octet) || b" :=,/<>@_".contains(octet)))
}

/// Returns `true` if the line on which a range stands has [`LINE_LIMIT`] octets at most once the range is of another
/// length.
fn is_short(value: &[u8], indent: usize, at: &Range<usize>, length: usize) -> bool {
    let start = memchr::memrchr(b'\n', &value[..at.start]).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', &value[at.end..]).map_or(value.len(), |end| at.end + end);
    let before = if start == 0 { indent } else { 0 };
    before + at.start - start + length + end - at.end <= LINE_LIMIT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usual_type_gets_its_charset_by_one_splice() {
        let spliced =
            |value: &str| splice(value.as_bytes(), 13, "utf-8").map(|(at, with)| (value[at].to_owned(), with));
        let one = |was: &str| Some((was.to_owned(), "utf-8".to_owned()));
        assert_eq!(spliced(" text/plain; charset=iso-8859-1"), one("iso-8859-1"));
        assert_eq!(spliced(" text/plain; format=flowed;\r\n Charset=\"koi8-r\""), one("\"koi8-r\""));
        assert_eq!(spliced(" text/plain"), None, "it has none");
        assert_eq!(spliced(" text/plain; charset=utf-8"), None, "it is right");
        assert_eq!(spliced(" text/plain; CHARSET=\"utf-8\""), None, "in quotes, too");
        assert_eq!(spliced(" text/plain; charset=x; charset=y"), None, "it has two");
        assert_eq!(spliced(" text/plain; charset=x; name=y"), None, "a file");
        assert_eq!(spliced(" text/plain; charset*=x''y"), None, "another form");
        assert_eq!(spliced(&format!(" text/plain; x={}; charset=y", "x".repeat(60))), None, "a long line");
    }
}
