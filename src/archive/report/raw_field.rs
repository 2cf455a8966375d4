//! A field of a message's header as it is written, found without reading the rest; its Message-ID, for reports and
//! logs.

use memchr::memchr2;

use crate::message::field_end;

/// How many octets of a Message-ID are shown.
const LONGEST: usize = 250;

/// Finds the first field of this name in the header of a message, and returns its value with its folds; none where
/// there is none. Linear in the header.
pub fn raw_field<'m>(message: &'m [u8], name: &[u8]) -> Option<&'m [u8]> {
    let mut rest = message;
    while !rest.is_empty() && !rest.starts_with(b"\n") && !rest.starts_with(b"\r\n") {
        let (field, after) = rest.split_at(field_end(rest));
        match value(field, name) {
            None => rest = after,
            found => return found,
        }
    }
    None
}

/// Returns the value of a field that has this name; the colon stands in its first line.
fn value<'m>(field: &'m [u8], name: &[u8]) -> Option<&'m [u8]> {
    let (start, value) = field.split_at(memchr2(b':', b'\n', field)?);
    value.strip_prefix(b":").filter(|_| start.trim_ascii_end().eq_ignore_ascii_case(name))
}

/// Finds the Message-ID of a message as it is written, without white space around it; a long one stands in the second
/// line of its field. It is cut at [`LONGEST`] octets, and ill-formed UTF-8 is U+FFFD; none where neither line has
/// anything. Linear in the header.
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
