//! Messages in a transfer encoding, which mail-parser opens and septet does not (RFC 2046 §5.2.1 does not allow them).

use crate::message::{CONTENT_TRANSFER_ENCODING, CONTENT_TYPE, Kind, Message, Part};

/// Returns `true` if a part may be a message in a transfer encoding, which mail-parser would open: its body must not be
/// shown. An error says what readers differ in, if the part is another thing to septet. `has_digest` says that the
/// message has a multipart/digest, in which a part without a type is a message.
pub(super) fn may_be_opened(message: &Message, part: &Part, has_digest: bool) -> Result<bool, &'static str> {
    let has = |names, words: [&str; 2]| {
        let mut fields = message.fields(part).iter().filter(|field| field.is_one_of(names));
        fields.any(|field| holds_one(message.slice(field.value), words))
    };
    let is_message = match part.content_type.declared {
        true => has(CONTENT_TYPE, ["rfc822", "global"]),
        false => has_digest,
    };
    match is_message && has(CONTENT_TRANSFER_ENCODING, ["base64", "quoted-printable"]) {
        true if !part.content_type.declared => Err("what a part without a media type is"),
        true if part.kind != Kind::Leaf => Err("a transfer encoding"),
        opened => Ok(opened),
    }
}

/// Returns `true` if a value holds one of these words, wherever in it and in any case of letters; it reads no grammar,
/// since none that mail-parser finds may be missed ([`linear`](super::linear) says why), and one too many costs no more
/// than that less is shown.
fn holds_one(value: &[u8], words: [&str; 2]) -> bool {
    words.iter().any(|word| value.windows(word.len()).any(|it| it.eq_ignore_ascii_case(word.as_bytes())))
}
