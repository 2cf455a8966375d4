//! How fixtures write octets as text: the one grammar of tables, files of fields, and dialogues.
//!
//! | written | means |
//! |---|---|
//! | `\0` `\n` `\r` `\t` `\\` | NUL, LF, CR, TAB, a backslash |
//! | `\s` | a space, where one could not be seen |
//! | `\xHH` | an octet |
//! | `\u{H…}` | a character, in UTF-8 |
//! | `\{N:what}` | `what`, N times |
//! | `\` before a line end | nothing: the line goes on |
//!
//! Everything else stands for itself, in UTF-8.

/// Reads text with escapes; panics at an escape that there isn't.
pub fn octets(text: &str) -> Vec<u8> {
    read(text).unwrap_or_else(|at| panic!("no escape: {:.20} in {text:.200}", &text[at..]))
}

/// Reads text with escapes, or gives where one stands that there isn't.
pub fn read(text: &str) -> Result<Vec<u8>, usize> {
    let (mut out, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once('\\') {
        out.extend(before.bytes());
        rest = escape(after, &mut out).ok_or(text.len() - after.len() - 1)?;
    }
    out.extend(rest.bytes());
    Ok(out)
}

/// Writes octets as text that [`octets`] reads: line ends, and what can be seen, stand for themselves.
///
/// A line that isn't UTF-8 has all of its octets beyond ASCII escaped, so that none of them passes for a character.
pub fn written(octets: &[u8]) -> String {
    let end = |last: usize| if last == 0 { "" } else { "\n" };
    let last = octets.iter().filter(|octet| **octet == b'\n').count();
    let lines = octets.split(|octet| *octet == b'\n').enumerate();
    lines.map(|(number, line)| written_line(line) + end(last - number)).collect()
}

/// Writes a line without its end.
fn written_line(octets: &[u8]) -> String {
    let (seen, blank) = octets.strip_suffix(b" ").map_or((octets, ""), |seen| (seen, "\\s"));
    let octet = |octet: &u8| match octet {
        0..=0x7f => character(char::from(*octet)),
        _ => format!("\\x{octet:02X}"),
    };
    let line: String = match std::str::from_utf8(seen) {
        Ok(text) => text.chars().map(character).collect(),
        Err(_) => seen.iter().map(octet).collect(),
    };
    line + blank
}

fn character(character: char) -> String {
    match character {
        '\0' => "\\0".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        '\\' => "\\\\".to_owned(),
        ' '..='~' => character.to_string(),
        _ if character.is_ascii() => format!("\\x{:02X}", u32::from(character)),
        _ if is_seen(character) => character.to_string(),
        _ => format!("\\u{{{:X}}}", u32::from(character)),
    }
}

/// Returns `true` if a character beyond ASCII shows by itself: no control, format or blank, none that joins another.
/// Fillers are letters that show nothing.
fn is_seen(character: char) -> bool {
    !matches!(character, '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}')
        && character.escape_debug().eq([character])
}

/// Reads what follows a backslash, and returns what follows that.
fn escape<'a>(text: &'a str, out: &mut Vec<u8>) -> Option<&'a str> {
    let (kind, rest) = text.split_at_checked(1)?;
    match kind {
        "\n" => {}
        "0" => out.push(0),
        "n" => out.push(b'\n'),
        "r" => out.push(b'\r'),
        "t" => out.push(b'\t'),
        "s" => out.push(b' '),
        "\\" => out.push(b'\\'),
        "x" => {
            let (digits, rest) = rest.split_at_checked(2)?;
            out.push(u8::from_str_radix(digits, 16).ok()?);
            return Some(rest);
        }
        "u" => {
            let (digits, rest) = rest.strip_prefix('{')?.split_once('}')?;
            let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
            out.extend(character.to_string().bytes());
            return Some(rest);
        }
        "{" => {
            let (times, rest) = rest.split_once(':')?;
            let (what, rest) = rest.split_at_checked(closing(rest)?)?;
            out.extend(read(what).ok()?.repeat(times.parse().ok()?));
            return Some(&rest[1..]);
        }
        _ => return None,
    }
    Some(rest)
}

/// Finds the brace that closes a repetition: one of `\u{…}` is none, nor is one of a repetition in it.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, octet) in text.bytes().enumerate() {
        match octet {
            b'{' => depth += 1,
            b'}' if depth == 0 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{octets, read, written};

    #[test]
    fn every_escape_is_read() {
        assert_eq!(octets(r"a\0\n\r\t\s\\\xE9\u{20AC}é"), b"a\0\n\r\t \\\xE9\xE2\x82\xAC\xC3\xA9");
        assert_eq!(octets(r"\{3:ab\u{e9}}c\{2:\{2:x}}"), "abéabéabécxxxx".as_bytes());
        assert_eq!(octets("{3*a}"), b"{3*a}");
        assert_eq!(octets("a\\\nb\n\\\n"), b"ab\n");
    }

    #[test]
    #[should_panic(expected = "no escape")]
    fn another_escape_is_a_fault_of_the_fixture() {
        octets(r"\q");
    }

    #[test]
    fn a_fault_has_its_place() {
        assert_eq!(read(r"a\n\q"), Err(3));
        assert_eq!(read(r"a\{2:b\q}"), Err(1));
        assert_eq!(read("é\\"), Err(2));
    }

    #[test]
    fn what_is_seen_is_written_as_it_is() {
        let cases: [(&[u8], &str); 9] = [
            (b"a: b\n\nc", "a: b\n\nc"),
            ("Grüße, Ελλάδα, 日本語".as_bytes(), "Grüße, Ελλάδα, 日本語"),
            (b"Gr\xFC\xC3\x9Fe", r"Gr\xFC\xC3\x9Fe"),
            (b"\xE9\n\xC3\xA9\n", "\\xE9\né\n"),
            (b"a\r\n\tb\0\x1B\x7F\\n", "a\\r\n\\tb\\0\\x1B\\x7F\\\\n"),
            (b" \n  \nb \r\n", "\\s\n \\s\nb \\r\n"),
            ("\u{202e}a\u{a0}e\u{301}\u{feff}\u{85}".as_bytes(), r"\u{202E}a\u{A0}e\u{301}\u{FEFF}\u{85}"),
            ("\u{3164}\u{e000}\u{200b}".as_bytes(), r"\u{3164}\u{E000}\u{200B}"),
            (b"", ""),
        ];
        for (raw, text) in cases {
            assert_eq!(written(raw), text);
            assert_eq!(octets(text), raw, "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let odd = [0, 9, 10, 13, 32, 61, 92, 110, 120, 123, 125, 0x7f, 0x80, 0xa9, 0xc2, 0xe2, 0xff];
        for first in odd {
            for second in odd {
                for third in odd {
                    let raw = [first, second, third, b'x', third];
                    assert_eq!(octets(&written(&raw)), raw);
                }
            }
        }
    }
}
