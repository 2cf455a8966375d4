//! Parameters and tokens, written in all the ways that readers part differently (RFC 2045 §5.1, RFC 2231).

use super::Choices;

/// Writes `; name=value` in one of many ways; most of them mean the same to whoever reads by the book.
pub fn parameter(choices: &mut Choices, name: &str, value: &str) -> String {
    match choices.below(18) {
        0 => format!(" ; {}={}", name.to_uppercase(), plain(value)),
        1 => format!(";\n {name}={}", quoted(value)),
        2 => format!("; {name}={} (b)", plain(value)),
        3 => format!("; (a) {name} = {}", plain(value)),
        4 => format!("; {name}={}(x)", plain(value)),
        5 => format!("; {name}=\"{}", escaped(value)),
        6 => format!("; {name}=\"{}\"", value.chars().map(|c| format!("\\{c}")).collect::<String>()),
        7 => sections(choices, name, value, false),
        8 => sections(choices, name, value, true),
        9 => format!("; {name}*=us-ascii'en'{}", percent(choices, value)),
        10 => format!("; {name}*=utf-8''{}; {name}={}", percent(choices, value), plain("other")),
        11 => format!("; {name}={}; {name}={}", plain(value), plain("other")),
        12 => format!("; {name}={};; x=y;", plain(value)),
        _ => format!("; {name}={}", plain(value)),
    }
}

/// Writes a value in sections, in order or not, plain or with percent signs.
fn sections(choices: &mut Choices, name: &str, value: &str, extended: bool) -> String {
    let characters: Vec<char> = value.chars().collect();
    let cut = choices.below(characters.len().max(1));
    let (first, second): (String, String) = (characters[..cut].iter().collect(), characters[cut..].iter().collect());
    let mut sections = if extended {
        let first = format!("; {name}*0*=us-ascii''{}", percent(choices, &first));
        vec![first, format!("; {name}*1*={}", percent(choices, &second))]
    } else {
        vec![format!("; {name}*0={}", plain(&first)), format!("; {name}*1={}", plain(&second))]
    };
    match choices.below(4) {
        0 => sections.reverse(),
        1 => sections.push(format!("; {name}*1=again")),
        2 => sections.push(format!("; {name}*3=gap")),
        _ => {}
    }
    sections.concat()
}

fn percent(choices: &mut Choices, value: &str) -> String {
    let octet = |octet: u8| match octet {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' if !choices.one_in(4) => char::from(octet).to_string(),
        _ => format!("%{octet:02X}"),
    };
    value.bytes().map(octet).collect()
}

/// Writes a value as a token where it is one, quoted elsewhere.
fn plain(value: &str) -> String {
    let token = |c: char| c.is_ascii_graphic() && !"()<>@,;:\\\"/[]?=".contains(c);
    if !value.is_empty() && value.chars().all(token) { value.to_owned() } else { quoted(value) }
}

fn quoted(value: &str) -> String {
    format!("\"{}\"", escaped(value))
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Writes a token such as a transfer encoding, with comments, in another case, quoted.
pub fn token(choices: &mut Choices, value: &str) -> String {
    match choices.below(14) {
        0 => value.to_uppercase(),
        1 => format!("(x) {value}"),
        2 => format!("{value} (\\)x)"),
        3 => format!("\"{value}\""),
        4 => format!("{value};"),
        5 => format!("\n {value}"),
        _ => value.to_owned(),
    }
}
