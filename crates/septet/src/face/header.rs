//! Header fields: encoded-words to text and back (RFC 2047, RFC 2231, RFC 5322).

use crate::coding::charset::{Charset, Labels};
use crate::coding::encoded_word::{WordReader, decode_unstructured, unfold};
use crate::message::grammar::address::{AddressList, Mailbox, unquoted};
use crate::message::grammar::parameter::{ParameterForm, read, sections};
use crate::message::{Limits, Message};
pub use crate::rewrite::header::EncodeError;
use crate::rewrite::header::encode_value;
use crate::rewrite::{Profile, Report, plan};

/// A mailbox of an address field.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Address {
    /// The name that is shown, comments in it too; empty where none stands before the angle bracket.
    pub name: String,
    /// `local@domain` as it is written, quotes and all; the local part alone where there is no domain.
    pub address: String,
}

/// Reads the value of an unstructured field, as Subject: folds are undone, and words are read together where they
/// belong together. A word that can't be read stays as it stands; a raw octet that is not UTF-8 becomes U+FFFD, and
/// white space at the ends goes.
///
/// ```
/// use septet::header::decode;
///
/// assert_eq!(decode(b"=?utf-8?Q?caf=C3?= =?utf-8?Q?=A9?= au\r\n lait"), "café au lait");
/// assert_eq!(decode(b"=?x-klingon?Q?Qapla?="), "=?x-klingon?Q?Qapla?=");
/// ```
pub fn decode(value: &[u8]) -> String {
    let labels = Labels::default();
    decode_unstructured(&unfold(value), WordReader::new(&labels)).text.trim().to_owned()
}

/// Reads the mailboxes of an address field, as From or Cc, those of groups too; what is none is left out, and so is an
/// address with white space or a comment within it. Returns none for a value that can't be read as a list. In one that
/// readers take differently (`docs/irregular.md`), as with semicolons between addresses, encoded-words stay.
///
/// ```
/// use septet::header::decode_addresses;
///
/// let read = decode_addresses(b"=?iso-8859-1?Q?J=FCrgen?= <j@example.org>, \"Doe, J.\" <doe@example.org>, x@example.org");
/// let read: Vec<_> = read.iter().map(|one| (one.name.as_str(), one.address.as_str())).collect();
/// assert_eq!(read, [("Jürgen", "j@example.org"), ("Doe, J.", "doe@example.org"), ("", "x@example.org")]);
/// ```
pub fn decode_addresses(value: &[u8]) -> Vec<Address> {
    // Any name of an address field would do: all are decoded alike.
    let (value, _) = decode_field(b"From", unfold(value).trim_ascii());
    let Some(list) = AddressList::read(&value) else { return Vec::new() };
    list.mailboxes.iter().map(|mailbox| public_address(&value, &list, mailbox)).collect()
}

/// Reads a parameter of a field, as the `filename` of a Content-Disposition, by its bare name in any case of letters:
/// its sections are put together, and its charset is undone (RFC 2231), or that of words in it, which no standard
/// allows. Where it stands in both forms, the one with a charset counts. What can't be read is given as UTF-8, with
/// U+FFFD for what is none.
///
/// ```
/// use septet::header::decode_parameter;
///
/// let value = b"attachment; filename*0*=iso-8859-1''Gr%FC%DFe; filename*1=.txt";
/// assert_eq!(decode_parameter(value, "filename").unwrap(), "Grüße.txt");
/// let value = b"attachment; filename=\"=?utf-8?Q?caf=C3=A9?=\"";
/// assert_eq!(decode_parameter(value, "FileName").unwrap(), "café");
/// assert_eq!(decode_parameter(value, "name"), None);
/// ```
pub fn decode_parameter(value: &[u8], name: &str) -> Option<String> {
    let labels = Labels::default();
    let sections = sections(value).slices(value);
    let found = read(&sections, WordReader::new(&labels)).into_iter().filter(|it| it.name.eq_ignore_ascii_case(name));
    let best = found.min_by_key(|it| (it.outcome.is_err(), it.shape == ParameterForm::Plain))?;
    Some(best.outcome.map_or_else(|_| String::from_utf8_lossy(&best.octets).into_owned(), |text| text.text))
}

/// Returns the value of a field with its characters as they are (profile `eai`) and without folds, and the report of
/// that: it plans a message of this field alone. Limits are raised for a long value; a CR or a NUL in it may end the
/// field, so that what follows is lost. A value that stands behind no name of a field stays as it is.
#[doc(hidden)]
pub fn decode_field(name: &[u8], value: &[u8]) -> (Vec<u8>, Report) {
    let raw = [name, b": ", value, b"\n\n"].concat();
    let octets = raw.len().saturating_mul(4);
    let limits = Limits::default();
    let limits = Limits {
        field_bytes: limits.field_bytes.max(octets),
        header_bytes: limits.header_bytes.max(octets),
        message_bytes: limits.message_bytes.max(octets),
        ..limits
    };
    let profile = Profile { limits, ..Profile::eai() };
    let plan = plan(&raw, &profile);
    let after = plan.edits.apply(&raw);
    let message = Message::read(&after, &limits);
    let field = message.parts().first().and_then(|part| message.fields(part).first());
    let read = field.map(|field| unfold(message.slice(field.value)).trim_ascii().to_owned());
    (read.unwrap_or_else(|| value.to_owned()), plan.report)
}

/// Writes a text as the value of a field, in encoded-words where it is not ASCII, folded with CRLF.
///
/// The name decides where words may stand: in names and comments of an address field, anywhere in Subject; parameters
/// are written as RFC 2231 has them.
///
/// ```
/// use septet::{Charset, header::encode};
///
/// assert_eq!(encode("Subject", "Straße", Charset::UTF_8).unwrap(), "=?utf-8?Q?Stra=C3=9Fe?=");
/// assert_eq!(encode("To", "Jürgen <j@example.org>", Charset::ISO_8859_1).unwrap(), "=?iso-8859-1?Q?J=FCrgen?= <j@example.org>");
/// assert!(encode("To", "jürgen@example.org", Charset::UTF_8).is_err(), "an address has no place for words");
/// assert!(encode("Subject", "Straße", Charset::UTF_16).is_err(), "no word may be in UTF-16");
/// assert!(encode("Subject", "a\r\nBcc: b@example.net", Charset::UTF_8).is_err(), "a line end would begin another field");
/// ```
///
/// # Errors
///
/// [`EncodeError`]: no word may be in the charset (UTF-16, UTF-32), it lacks a character, the field has no place for
/// one, or one is a control character such as a line end.
pub fn encode(name: &str, text: &str, charset: Charset) -> Result<String, EncodeError> {
    encode_value(name, text, charset, Some("\r\n"))
}

fn lossy(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

/// Makes the public form of a mailbox of `list`, which must have been read from `value`; one without a domain gives its
/// local part alone. Octets that are no UTF-8 become U+FFFD.
fn public_address(value: &[u8], list: &AddressList, mailbox: &Mailbox) -> Address {
    let local = lossy(&value[mailbox.local.clone()]);
    let address = match mailbox.domain.is_empty() {
        true => local,
        false => format!("{local}@{}", lossy(&value[mailbox.domain.clone()])),
    };
    Address { name: lossy(&unquoted(&value[list.octets(&mailbox.name)])), address }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_without_a_field_is_not_lost() {
        let (value, report) = decode_field(b"", b"=?utf-8?Q?caf=C3=A9?=");
        assert_eq!((value.as_slice(), report.entries.len()), (&b"=?utf-8?Q?caf=C3=A9?="[..], 0));
    }

    #[test]
    fn a_long_list_is_read_to_its_end() {
        let many = vec!["=?utf-8?Q?J=C3=BCrgen?= <j@example.org>"; 5_000].join(", ");
        let read = decode_addresses(many.as_bytes());
        assert_eq!(read.len(), 5_000);
        assert!(read.iter().all(|one| one.name == "J\u{fc}rgen" && one.address == "j@example.org"));
    }
}
