//! The Message-ID of a message, for reports and logs.

use memchr::memchr;

/// The octets of it that are shown.
const LONGEST: usize = 250;

/// Finds the Message-ID of a message as it is written, without white space around it; linear in the header.
pub fn message_id(message: &[u8]) -> Option<String> {
    let mut rest = message;
    while !rest.is_empty() {
        let (line, after) = rest.split_at(memchr(b'\n', rest).map_or(rest.len(), |end| end + 1));
        if line.trim_ascii().is_empty() && !matches!(line.first(), Some(b' ' | b'\t')) {
            return None;
        }
        if let Some(value) = value_of(line) {
            return shown(value).or_else(|| folded(after));
        }
        rest = after;
    }
    None
}

fn value_of(line: &[u8]) -> Option<&[u8]> {
    let (name, value) = line.split_at_checked(memchr(b':', line)?)?;
    name.trim_ascii_end().eq_ignore_ascii_case(b"message-id").then(|| value[1..].trim_ascii())
}

/// Takes the value from a second line, where long ones stand.
fn folded(after: &[u8]) -> Option<String> {
    let line = &after[..memchr(b'\n', after).unwrap_or(after.len())];
    matches!(line.first(), Some(b' ' | b'\t')).then(|| shown(line.trim_ascii())).flatten()
}

fn shown(value: &[u8]) -> Option<String> {
    let cut = &value[..value.len().min(LONGEST)];
    (!cut.is_empty()).then(|| String::from_utf8_lossy(cut).into_owned())
}

#[cfg(test)]
mod tests {
    use super::message_id;

    #[test]
    fn finds_it_in_the_header_alone() {
        for (message, expected) in [
            ("Message-ID: <a@b>\n\n", Some("<a@b>")),
            ("A: b\r\nmessage-id :\t<a@b> \r\nC: d\r\n", Some("<a@b>")),
            ("Message-Id:\n <a@b>\n\n", Some("<a@b>")),
            ("Message-Id:\nTo: x\n\n", None),
            ("Message-Id:", None),
            ("A: b\n \nMessage-ID: <a@b>", Some("<a@b>")),
            ("A: b\n\nMessage-ID: <a@b>\n", None),
            ("X-Message-ID: <a@b>\n\n", None),
            ("", None),
        ] {
            assert_eq!(message_id(message.as_bytes()).as_deref(), expected, "{message:?}");
        }
    }

    #[test]
    fn cuts_a_long_one() {
        let message = format!("Message-ID: <{}>\n\n", "x".repeat(5000));
        assert_eq!(message_id(message.as_bytes()).map(|id| id.len()), Some(250));
    }
}
