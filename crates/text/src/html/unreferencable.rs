//! Where characters stand in markup that no reference can stand for.
//!
//! In text and in attribute values `&#xE9;` is read as a character. In scripts and style sheets, in CDATA, in names
//! and in declarations it is read as what it looks like, and nowhere as one of U+0080 to U+009F: HTML takes those
//! references for characters of windows-1252. Comments are nobody's text, so they don't count.

use memchr::{memchr, memchr_iter, memchr3, memmem};

/// Elements whose text is read without references (HTML, "raw text elements", and the old ones like them).
const RAW: [&[u8]; 7] = [b"script", b"style", b"xmp", b"iframe", b"noembed", b"noframes", b"plaintext"];

/// Returns the characters outside ASCII that references can't stand for, with their offsets, in order.
pub fn beyond_references(text: &str) -> Vec<(usize, char)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text.get(at..).and_then(|rest| memchr(b'<', rest.as_bytes())).map(|open| at + open) {
        add_c1(text, at..open, &mut found);
        at = match &text.as_bytes()[open..] {
            [b'<', b'!', b'-', b'-', ..] => end_of_comment(text, open + 4),
            [b'<', b'!', b'[', b'C', b'D', ..] => add_non_ascii(text, open, end_of(text, open, b"]]>"), &mut found),
            [b'<', b'?' | b'!', ..] => add_non_ascii(text, open, end_of(text, open, b">"), &mut found),
            [b'<', b'/' | b'a'..=b'z' | b'A'..=b'Z', ..] => tag(text, open, &mut found),
            _ => open + 1,
        };
    }
    add_c1(text, at..text.len(), &mut found);
    found
}

/// Adds the characters from U+0080 to U+009F, which HTML has no reference for.
fn add_c1(text: &str, range: std::ops::Range<usize>, found: &mut Vec<(usize, char)>) {
    let start = range.start;
    let characters = text.get(range).unwrap_or_default().char_indices();
    let c1 = characters.filter(|(_, character)| matches!(character, '\u{80}'..='\u{9F}'));
    found.extend(c1.map(|(at, character)| (start + at, character)));
}

/// Adds all characters that are not ASCII, where references are read as what they look like; gives the end.
fn add_non_ascii(text: &str, start: usize, end: usize, found: &mut Vec<(usize, char)>) -> usize {
    let characters = text.get(start..end).unwrap_or_default().char_indices();
    found.extend(characters.filter(|(_, it)| !it.is_ascii()).map(|(at, character)| (start + at, character)));
    end
}

/// Returns the place behind the next `end`, or the end of the text.
fn end_of(text: &str, from: usize, end: &[u8]) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    memmem::find(rest, end).map_or(text.len(), |at| from + at + end.len())
}

/// Returns the place behind the end of the comment whose text starts at a place, or the end of the text: `-->`, and as
/// browsers read it `--!>`, and `>` or `->` where it has no text.
fn end_of_comment(text: &str, from: usize) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    let mut marks = memchr_iter(b'>', rest).map(|at| (at, &rest[..at]));
    let is_end = |text: &[u8]| text.is_empty() || text == b"-" || text.ends_with(b"--") || text.ends_with(b"--!");
    marks.find(|(_, before)| is_end(before)).map_or(text.len(), |(at, _)| from + at + 1)
}

/// Reads a tag that starts at `open`, and the text of one of the [`RAW`] elements, and adds what no reference can stand
/// for in them. Gives the place behind them, or that of a `<` in the tag, which ends it.
fn tag(text: &str, open: usize, found: &mut Vec<(usize, char)>) -> usize {
    let octets = text.as_bytes();
    let mut at = open + 1;
    // Names and values take turns: a value begins at `=` and ends at its quote, at white space or at the tag's end.
    let close = loop {
        let Some(mark) = memchr3(b'=', b'>', b'<', &octets[at..]).map(|mark| at + mark) else {
            return add_non_ascii(text, at, text.len(), found);
        };
        add_non_ascii(text, at, mark, found);
        if octets[mark] != b'=' {
            break mark;
        }
        let value = mark + 1 + octets[mark + 1..].iter().take_while(|octet| octet.is_ascii_whitespace()).count();
        at = end_of_value(octets, value);
        add_c1(text, value..at, found);
    };
    let after = close + usize::from(octets[close] == b'>');
    let name = octets[open + 1..].split(|octet| !octet.is_ascii_alphanumeric()).next().unwrap_or_default();
    if !RAW.iter().any(|raw| name.eq_ignore_ascii_case(raw)) {
        return after;
    }
    add_non_ascii(text, after, end_of_element(octets, after, name), found)
}

/// Returns where the attribute value at `start` ends, its quotes included; `start` may be the end of the markup, and
/// not behind it.
pub(super) fn end_of_value(octets: &[u8], start: usize) -> usize {
    match octets.get(start) {
        Some(quote @ (b'"' | b'\'')) => {
            memchr(*quote, &octets[start + 1..]).map_or(octets.len(), |end| start + 1 + end + 1)
        }
        _ => {
            let length = octets[start..].iter().position(|octet| octet.is_ascii_whitespace() || *octet == b'>');
            length.map_or(octets.len(), |length| start + length)
        }
    }
}

/// Finds `</name` in any letter case, with white space, `/` or `>` behind; the end of the markup where there is none,
/// and for `plaintext`, which nothing ends.
fn end_of_element(octets: &[u8], from: usize, name: &[u8]) -> usize {
    let mut ends = memmem::find_iter(&octets[from..], b"</").map(|at| from + at);
    let is_end = |at: &usize| {
        let named = octets[at + 2..].split_at_checked(name.len());
        named.is_some_and(|(it, behind)| {
            it.eq_ignore_ascii_case(name)
                && behind.first().is_none_or(|it| it.is_ascii_whitespace() || b"/>".contains(it))
        })
    };
    ends.find(|at| is_end(at) && !name.eq_ignore_ascii_case(b"plaintext")).unwrap_or(octets.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beyond(text: &str) -> String {
        beyond_references(text).into_iter().map(|(_, character)| character).collect()
    }

    #[test]
    fn text_values_and_comments_have_references() {
        assert_eq!(beyond("é<p title='é>' alt=é class = \"é\">é &amp; 1 < é</p><!-- é > é -->é<title>é</title>"), "");
        assert_eq!(beyond("é < é <"), "");
        for comment in ["<!-->", "<!--->", "<!-- é --!>", "<!-- > -- é --->"] {
            assert_eq!(beyond(&format!("{comment}<script>é</script>é")), "é", "{comment}");
        }
    }

    #[test]
    fn scripts_styles_sections_and_names_have_none() {
        assert_eq!(beyond("<script>a='é'</script>é<STYLE type=x>ü</sTyle>ö<scripting>é"), "éü");
        assert_eq!(beyond("<a><![CDATA[é > é]]>ö</a><?pi é?><!DOCTYPE ä>"), "éééä");
        assert_eq!(beyond("<![if x]>é<![endif]><é><a é=1 b=é ü></ö>é"), "éüö");
        assert_eq!(beyond("<style>é"), "é");
        assert_eq!(beyond("<script></scriptx>é</script >ü<plaintext></plaintext>ö"), "éö");
    }

    #[test]
    fn c1_has_none_anywhere() {
        assert_eq!(beyond("\u{85}<a b=\"\u{86}\">\u{A0}<!--\u{87}-->"), "\u{85}\u{86}");
    }
}
