//! A field of a message's header as it is written, found without reading the rest.

use memchr::memchr2;

use crate::message::field_end;

/// Finds the first field of this name in the header of a message, and returns its value with its folds; linear in the
/// header.
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
