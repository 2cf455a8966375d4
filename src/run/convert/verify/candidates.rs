//! What old octets may have meant, where mail-parser can't say: one text for each charset that they may be in.

use std::borrow::Cow;

use mail_parser::{MessagePart, MimeHeaders};
use memchr::memmem;

use crate::coding::charset::Charset;
use crate::coding::encoded_word::{Reader, decode_unstructured, unfold};
use crate::coding::transfer::{base64, quoted_printable};
use crate::rewrite::Profile;

/// The octets of a text in which it says its charset, if it does.
const SAYS_SO: usize = 8 << 10;

/// Reads a body in the charset of its label, in one that it says of itself, and in those that the profile guesses.
pub fn of_body(body: &[u8], part: &MessagePart, profile: &Profile) -> Vec<String> {
    let octets = without_transfer(body, part);
    let mut tried = declared(&octets, part, profile);
    tried.extend(guessed(profile));
    tried.dedup();
    tried.into_iter().map(|charset| charset.decode_lossy(&octets).0.into_owned()).collect()
}

/// Reads a body in the charset of its label alone; none where that is not UTF-7, which mail-parser does not read whole.
pub fn of_utf_7(body: &[u8], part: &MessagePart, profile: &Profile) -> Option<String> {
    let octets = without_transfer(body, part);
    let charset = labelled(part, profile).filter(|charset| charset.utf_7().is_some())?;
    Some(charset.decode_lossy(&octets).0.into_owned())
}

/// Returns the charsets that a part declares, in its label or in its text.
pub fn declared(octets: &[u8], part: &MessagePart, profile: &Profile) -> Vec<Charset> {
    const MARK: &[u8] = b"charset=";
    let head = octets.get(..octets.len().min(SAYS_SO)).unwrap_or_default().to_ascii_lowercase();
    let in_text = memmem::find_iter(&head, MARK).filter_map(|at| {
        let label = head[at + MARK.len()..].trim_ascii_start();
        let label = label.strip_prefix(b"\"").or_else(|| label.strip_prefix(b"'")).unwrap_or(label);
        let end = label.iter().position(|octet| !octet.is_ascii_alphanumeric() && !b"-_.:".contains(octet));
        profile.labels.find(&label[..end.unwrap_or(label.len())])
    });
    labelled(part, profile).into_iter().chain(in_text).collect()
}

fn labelled(part: &MessagePart, profile: &Profile) -> Option<Charset> {
    let label = part.content_type().and_then(|declared| declared.attribute("charset"))?;
    profile.labels.find(label.as_bytes())
}

/// Tells whether a body in quoted-printable has faults.
pub fn has_faults(body: &[u8], part: &MessagePart) -> bool {
    let named = part.content_transfer_encoding().unwrap_or_default().trim();
    named.eq_ignore_ascii_case("quoted-printable") && quoted_printable::decode(body).faults > 0
}

/// Decodes the transfer encoding of a body, as mail-parser knows it.
pub fn without_transfer<'b>(body: &'b [u8], part: &MessagePart) -> Cow<'b, [u8]> {
    // Where it finds a fault, mail-parser says that there is none.
    let named = part.content_transfer_encoding().unwrap_or_default().trim();
    match named.to_ascii_lowercase().as_str() {
        "base64" => base64::decode(body).bytes,
        "quoted-printable" => quoted_printable::decode(body).bytes,
        _ => Cow::Borrowed(body),
    }
}

/// Reads the value of a field: its words decoded, what is raw in charsets of the bodies beside it, and in those that the
/// profile guesses.
pub fn of_field(value: &[u8], beside: &[Charset], profile: &Profile) -> Vec<String> {
    let value = unfold(value);
    let tried = beside.iter().copied().chain(guessed(profile));
    let mut texts: Vec<String> =
        tried.map(|charset| decoded(charset.decode_lossy(&value).0.as_bytes(), profile)).collect();
    texts.push(decoded(&value, profile));
    // Some write an underscore for itself and not for a space.
    texts.push(decoded(String::from_utf8_lossy(&value).replace('_', "=5F").as_bytes(), profile));
    texts
}

/// Decodes the words of a field, as far as they can be.
pub fn decoded(value: &[u8], profile: &Profile) -> String {
    let reader = Reader { lossy: true, ..Reader::new(&profile.labels) };
    decode_unstructured(&unfold(value), reader).text
}

fn guessed(profile: &Profile) -> impl Iterator<Item = Charset> {
    let named = profile.unlabelled.iter().filter_map(|name| profile.labels.find(name.as_bytes()));
    [Charset::UTF_8].into_iter().chain(named)
}
