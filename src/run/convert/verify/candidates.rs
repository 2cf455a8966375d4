//! What old octets may have meant, where mail-parser can't say: one text for each charset that they may be in.

use mail_parser::{Encoding, MessagePart, MimeHeaders};

use crate::coding::charset::Charset;
use crate::coding::encoded_word::{Reader, decode_unstructured};
use crate::coding::transfer::{base64, quoted_printable};
use crate::rewrite::Profile;

/// Reads a body in the charset of its label, and in those that the profile guesses.
pub fn of_body(body: &[u8], part: &MessagePart, profile: &Profile) -> Vec<String> {
    let octets = match part.encoding {
        Encoding::Base64 => base64::decode(body).bytes.into_owned(),
        Encoding::QuotedPrintable => quoted_printable::decode(body).bytes.into_owned(),
        Encoding::None => body.to_vec(),
    };
    let label = part.content_type().and_then(|declared| declared.attribute("charset"));
    let labelled = label.and_then(|label| profile.labels.find(label.as_bytes()));
    charsets(profile, labelled).map(|charset| charset.decode_lossy(&octets).0.into_owned()).collect()
}

/// Reads the value of a field: its words decoded, what is raw in the charsets that the profile guesses.
pub fn of_field(value: &[u8], profile: &Profile) -> Vec<String> {
    let whole = charsets(profile, None).map(|charset| {
        let reader = Reader { labels: &profile.labels, guess: None, lossy: true, declared: Some(charset) };
        decode_unstructured(value, reader).text
    });
    let mut texts: Vec<String> = whole.collect();
    texts.push(decoded(value, profile));
    texts
}

/// Decodes the words of a field, as far as they can be.
pub fn decoded(value: &[u8], profile: &Profile) -> String {
    let reader = Reader { labels: &profile.labels, guess: None, lossy: true, declared: None };
    decode_unstructured(value, reader).text
}

fn charsets(profile: &Profile, labelled: Option<Charset>) -> impl Iterator<Item = Charset> {
    let guessed: Vec<Charset> =
        profile.unlabelled.iter().filter_map(|name| profile.labels.find(name.as_bytes())).collect();
    labelled.into_iter().chain([Charset::UTF_8]).chain(guessed)
}
