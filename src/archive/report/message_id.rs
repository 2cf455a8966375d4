//! The Message-ID of a message, for reports and logs.

use super::raw_field::raw_field;

/// The octets of it that are shown.
const LONGEST: usize = 250;

/// Finds the Message-ID of a message as it is written, without white space around it; a long one stands in the second
/// line of its field. Linear in the header.
pub fn message_id(message: &[u8]) -> Option<String> {
    let lines = raw_field(message, b"message-id")?.split(|octet| *octet == b'\n');
    let id = lines.take(2).map(<[u8]>::trim_ascii).find(|line| !line.is_empty())?;
    Some(String::from_utf8_lossy(&id[..id.len().min(LONGEST)]).into_owned())
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
