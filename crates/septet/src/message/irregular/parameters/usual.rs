//! A Content-Type as most are, in which there are no forms (`irregular/table`): a quick look tells, and the costly
//! [`forms`](super::forms) need not read it.

/// The most parameters of a usual one. One with more is read whole, which takes longer and finds the same.
const MANY: usize = 8;

/// The most octets of a value in a usual one, below the 200 from which on a boundary has a form.
const LONGEST: usize = 100;

/// Returns `true` if a Content-Type is as most are: a type, and parameters of one word or one quoted-string each, with
/// nothing but `;` and white space between, no name twice, none that is a file's. It has no form in
/// [`parameters`](super::parameters), and whatever charset is set in it, all readers take it alike.
pub(crate) fn is_usual_type(value: &[u8]) -> bool {
    let mut pieces = value.split(|octet| *octet == b';').map(<[u8]>::trim_ascii);
    let (main, sub) = split_at(pieces.next().unwrap_or_default(), b'/');
    let mut names = [&b""[..]; MANY];
    // A form feed, which `trim_ascii` takes off too, is of a word in the grammar.
    memchr::memchr(b'\x0C', value).is_none()
        && is_word(main)
        && is_word(sub)
        // Counted before they are looked at: `names` has room for no more.
        && pieces.clone().count() <= MANY
        && pieces.enumerate().all(|(index, piece)| {
            let (name, text) = split_at(piece, b'=');
            let is_new = names.iter().all(|other| !other.eq_ignore_ascii_case(name));
            names[index] = name;
            is_new && is_word(name) && !is_of_file(name) && is_usual_value(name, text)
        })
}

/// Returns `true` if a value, as written, is one that every reader takes alike; a label must be no spoilt one.
fn is_usual_value(name: &[u8], written: &[u8]) -> bool {
    let inner = written.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
    match inner {
        _ if written.len() > LONGEST => false,
        _ if name.eq_ignore_ascii_case(b"charset") => {
            let label = inner.unwrap_or(written);
            is_word(label) && !label.starts_with(b"3D")
        }
        // In quotes all readers take these alike.
        Some(inner) => !inner.is_empty() && inner.iter().all(|octet| is_of_word(octet) || b" :=,/<>@".contains(octet)),
        None => is_word(written),
    }
}

/// Returns `true` if a parameter of this name is a file's, as `name` and `filename` are.
fn is_of_file(name: &[u8]) -> bool {
    name.last_chunk::<4>().is_some_and(|end| end.eq_ignore_ascii_case(b"name"))
}

/// Returns what stands before the first octet of a kind, and what stands behind it; nothing where there is none.
fn split_at(text: &[u8], octet: u8) -> (&[u8], &[u8]) {
    match text.iter().position(|it| *it == octet) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, b""),
    }
}

/// Returns `true` for letters, digits and a few signs, one at least, in which no encoded-word and no mark of a section
/// can be.
fn is_word(octets: &[u8]) -> bool {
    !octets.is_empty() && octets.iter().all(is_of_word)
}

/// Returns `true` for an octet that may stand in a word.
fn is_of_word(octet: &u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'+')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::super::{ParameterForms, forms};
    use super::*;

    const PIECES: [&str; 40] = [
        "text/plain", "text/html", "text", "/", "a", "charset", "CHARSET", "boundary", "name", "format", "=", "\"",
        ";", "; ", ";\r\n\t", " ", "\t", "utf-8", "iso-8859-1", "3Dutf-8", "x", "--=_b", "*", "*0", "'", "%41", "(c)",
        ",", "//", "\\", "=?utf-8?Q?a?=", "\u{e9}", "&quot;", "\x0c", ":", "<a@b>", "delsp=yes", "charset=\"utf-8\"",
        "; boundary=\"a b\"", "+",
    ];

    const VALUES: [&str; 16] = [
        "a", "utf-8", "\"a\"", "\"a \"", "\" a\"", "\"a:b/c\"", "\"a,b\"", "\"//\"", "\"=?a\"", "\"=_?=\"",
        "\"<a@b>\"", "\"\"", "3D", "\"3D\"", "text/plain", "\"text/plain\"",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn one_has_no_form(pieces in prop::collection::vec(select(&PIECES[..]), 0..12)) {
            let value = pieces.concat();
            let is_usual = is_usual_type(value.as_bytes());
            prop_assert!(!is_usual || forms(value.as_bytes(), true) == ParameterForms::default(), "{}", value);
        }

        #[test]
        fn a_likely_one_has_no_form(
            pieces in prop::collection::vec((select(&["charset", "format", "boundary", "x", "type"][..]), select(&VALUES[..])), 0..4),
        ) {
            let parameters: String = pieces.iter().map(|(name, value)| format!("; {name}={value}")).collect();
            let value = format!(" text/plain{parameters}");
            let is_usual = is_usual_type(value.as_bytes());
            prop_assert!(!is_usual || forms(value.as_bytes(), true) == ParameterForms::default(), "{}", value);
        }
    }

    #[test]
    fn most_are_usual() {
        for value in [
            " text/plain",
            " text/plain; charset=iso-8859-1",
            " text/plain;\r\n\tcharset=\"utf-8\"; format=flowed; delsp=yes",
            " multipart/mixed; boundary=\"----=_Part 1:2\"",
        ] {
            assert!(is_usual_type(value.as_bytes()), "{value}");
        }
        for value in [
            " text/plain;",
            " text",
            " text/plain; charset=x; Charset=x",
            " text/plain; name=a",
            " text/plain; charset=3Dutf-8",
            " text/plain; charset=\"utf-8,x\"",
            " text/plain; x=\"\"",
            " text/plain;\x0cx=a",
            " text/plain (c)",
        ] {
            assert!(!is_usual_type(value.as_bytes()), "{value}");
        }
    }
}
