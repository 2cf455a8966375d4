//! How fixtures write octets as text: the one grammar of tables, files of fields, and dialogues.
//!
//! | written | means |
//! |---|---|
//! | `\0` `\n` `\r` `\t` `\\` | NUL, LF, CR, TAB, a backslash |
//! | `\s` | a space, where one could not be seen |
//! | `\xHH` | an octet |
//! | `\u{H…}` | a character, in UTF-8 |
//! | `\{N:what}` | `what`, N times |
//!
//! Everything else stands for itself, in UTF-8.

/// Reads text with escapes; panics at an escape that there isn't.
pub fn octets(text: &str) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once('\\') {
        out.extend(before.bytes());
        rest = escape(after, &mut out).unwrap_or_else(|| panic!("no escape: \\{after:.20} in {text:.200}"));
    }
    out.extend(rest.bytes());
    out
}

/// Reads what follows a backslash, and returns what follows that.
fn escape<'a>(text: &'a str, out: &mut Vec<u8>) -> Option<&'a str> {
    let (kind, rest) = text.split_at_checked(1)?;
    match kind {
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
            out.extend(octets(what).repeat(times.parse().ok()?));
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
    use super::octets;

    #[test]
    fn every_escape_is_read() {
        assert_eq!(octets(r"a\0\n\r\t\s\\\xE9\u{20AC}é"), b"a\0\n\r\t \\\xE9\xE2\x82\xAC\xC3\xA9");
        assert_eq!(octets(r"\{3:ab\u{e9}}c\{2:\{2:x}}"), "abéabéabécxxxx".as_bytes());
        assert_eq!(octets("{3*a}"), b"{3*a}");
    }

    #[test]
    #[should_panic(expected = "no escape")]
    fn another_escape_is_a_fault_of_the_fixture() {
        octets(r"\q");
    }
}
