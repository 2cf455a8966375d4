//! Messages in a transfer encoding, which mail-parser opens and septet does not (RFC 2046 §5.2.1 does not allow them).

use crate::message::{CONTENT_TRANSFER_ENCODING, CONTENT_TYPE, FieldNames, Kind, Message, Part};

/// Returns `true` if a part may be a message in a transfer encoding, which mail-parser would open: its body must not be
/// shown. An error says what readers differ in, if the part is another thing to septet. `has_digest` says that the
/// message has a multipart/digest, in which a part without a type is a message.
pub(super) fn may_be_opened(message: &Message, part: &Part, has_digest: bool) -> Result<bool, &'static str> {
    let is_message = match part.content_type.declared {
        true => has_one(message, part, CONTENT_TYPE, &["rfc822", "global"]),
        false => has_digest,
    };
    match is_message && has_one(message, part, CONTENT_TRANSFER_ENCODING, &["base64", "quoted-printable"]) {
        true if !part.content_type.declared => Err("what a part without a media type is"),
        true if part.kind != Kind::Leaf => Err("a transfer encoding"),
        opened => Ok(opened),
    }
}

/// Returns `true` if a field of a name holds one of these words, wherever in its value and in any case of letters; it
/// reads no grammar, since none that mail-parser finds may be missed ([`linear`](super::linear) says why), and one too
/// many costs no more than that less is shown.
pub(super) fn has_one(message: &Message, part: &Part, name: FieldNames, words: &[&str]) -> bool {
    let fields = message.fields(part).iter().filter(|field| field.is_one_of(name));
    fields.map(|field| message.slice(field.value)).any(|value| {
        words.iter().any(|word| value.windows(word.len()).any(|it| it.eq_ignore_ascii_case(word.as_bytes())))
    })
}
