//! The sender of a message without an envelope.
//!
//! It is what Return-Path says, where the server that delivered the message wrote down the envelope's sender (RFC 5321
//! §4.4); else the address of the mailbox's From_ line (RFC 4155); else the first one of the From field. A From_ line
//! that only holds a place is passed over: `MAILER-DAEMON`, which programs write who know no sender, and `…@xxx` of a
//! Google Takeout.

use std::borrow::Cow;

use crate::message::grammar::address::{AddressList, Mailbox};

/// A header field: its name and its value.
type Field<'f> = (&'f [u8], &'f [u8]);

/// Returns the sender, without angle brackets, empty for a bounce; none where nothing says who it is. Of several fields
/// of a name the first counts, and a source that can't be read is passed over for the next one.
pub fn sender_of<'m>(fields: &[Field<'m>], from_line: &'m [u8]) -> Option<Cow<'m, str>> {
    let return_path = first(fields, "Return-Path").and_then(of_return_path);
    let sender = return_path.or_else(|| of_from_line(from_line));
    let sender = sender.or_else(|| first(fields, "From").and_then(first_address));
    sender.map(String::from_utf8_lossy)
}

/// Returns the value of the first field of a name, in any case; none where there is no such field.
fn first<'m>(fields: &[Field<'m>], wanted: &str) -> Option<&'m [u8]> {
    fields.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted.as_bytes())).map(|(_, value)| *value)
}

/// Reads the value of a Return-Path; `<>` is the empty sender. None where the bracket does not close, or where there
/// are neither brackets nor an `@`.
fn of_return_path(value: &[u8]) -> Option<&[u8]> {
    let path = value.trim_ascii();
    match path.strip_prefix(b"<") {
        Some(path) => path.strip_suffix(b">").map(<[u8]>::trim_ascii),
        None => Some(path).filter(|path| path.contains(&b'@')),
    }
}

/// Reads the address of a From_ line; none where it has no `@` or ends with `@xxx`, and so only holds a place.
fn of_from_line(line: &[u8]) -> Option<&[u8]> {
    let mut words = line.strip_prefix(b"From ")?.trim_ascii_start().split(u8::is_ascii_whitespace);
    let address = words.next()?;
    let address = address.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">")).unwrap_or(address);
    (address.contains(&b'@') && !address.ends_with(b"@xxx")).then_some(address)
}

/// Reads the first address of a From field that has a domain; none where there is none, or the field can't be read as a
/// list.
pub fn first_address(value: &[u8]) -> Option<&[u8]> {
    let list = AddressList::read(value)?;
    let Mailbox { local, domain, .. } = list.mailboxes.iter().find(|mailbox| !mailbox.domain.is_empty())?;
    value.get(local.start..domain.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_sent_it_is_asked_of_three() {
        let line = "From b@example.org Sat Nov 21 10:00:00 2026\n";
        let takeout = "From 1598@xxx Sat Nov 21 10:00:00 +0000 2026\n";
        let (path, bounce) = (("Return-Path", " <a@example.org>"), ("return-path", "<>"));
        let from = ("From", " Cé <c@example.org>, d@example.org");
        for (fields, from_line, wanted) in [
            (&[from, path][..], line, Some("a@example.org")),
            (&[from, bounce], line, Some("")),
            (&[from, ("Return-Path", "broken")], line, Some("b@example.org")),
            (&[from], "From <b@example.org> Sat", Some("b@example.org")),
            (&[from], takeout, Some("c@example.org")),
            (&[from], "From MAILER-DAEMON Sat Nov 21 10:00:00 2026\n", Some("c@example.org")),
            (&[from], "From - Sat Nov 21 10:00:00 2026\n", Some("c@example.org")),
            (&[("From", "undisclosed:;")], "", None),
            (&[("From", "\"x")], "", None),
            (&[], "", None),
        ] {
            let fields: Vec<Field> = fields.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
            assert_eq!(sender_of(&fields, from_line.as_bytes()).as_deref(), wanted, "{fields:?} {from_line}");
        }
    }
}
