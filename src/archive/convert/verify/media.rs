//! What the type and the disposition of a part say, as they are compared.

use mail_parser::{ContentType, MessagePart, MimeHeaders, PartType};

/// Returns `true` if lines of a text are folded by their length (RFC 5545, RFC 6350): where is no part of what they say.
pub fn is_folded(part: &MessagePart) -> bool {
    is_one_of(part, &["calendar", "vcard", "x-vcard", "directory"])
}

/// Returns `true` if a part is made of fields: the header of a message that came back, or what a report says to programs.
pub fn is_made_of_fields(part: &MessagePart) -> bool {
    let of_fields = ["delivery-status", "disposition-notification", "feedback-report", "tracking-status"];
    let global = ["global-delivery-status", "global-disposition-notification", "global-headers"];
    is_one_of(part, &["rfc822-headers"]) || is_one_of(part, &of_fields) || is_one_of(part, &global)
}

/// Returns `true` if a part has one of these subtypes, whatever its main type is.
fn is_one_of(part: &MessagePart, subtypes: &[&str]) -> bool {
    let subtype = part.content_type().and_then(ContentType::subtype).unwrap_or_default();
    subtypes.iter().any(|name| subtype.eq_ignore_ascii_case(name))
}

/// Returns what a Content-Disposition says besides the name of a file, which is compared by itself.
pub fn disposition(declared: &ContentType) -> (String, Vec<(String, String)>) {
    let is_name = |name: &str| name.starts_with("filename") || name.starts_with("name");
    let parameters = declared.attributes().into_iter().flatten();
    let kept = parameters.map(|attribute| (attribute.name.to_ascii_lowercase(), attribute.value.to_string()));
    (declared.ctype().to_ascii_lowercase(), kept.filter(|(name, _)| !is_name(name)).collect())
}

/// Returns the name by which a media type is compared: the types of RFC 6532 and RFC 6533 are the old ones with raw UTF-8, and
/// text of no type in particular is plain.
fn media_name(declared: &ContentType) -> String {
    let media = format!("{}/{}", declared.ctype(), declared.subtype().unwrap_or_default()).to_ascii_lowercase();
    match &*media {
        "text/" => "text/plain".to_owned(),
        "message/global" => "message/rfc822".to_owned(),
        "message/global-headers" => "text/rfc822-headers".to_owned(),
        _ => media.replace("message/global-", "message/"),
    }
}

/// Returns the type of a part and its boundary, which is all that is compared of its parameters: a charset goes with
/// the text, and a name is compared by itself.
pub fn media(part: &MessagePart) -> (String, Vec<(String, String)>) {
    let Some(declared) = part.content_type() else {
        // In a digest a part without a type is a message (RFC 2046 §5.1.5).
        let default = if matches!(part.body, PartType::Message(_)) { "message/rfc822" } else { "text/plain" };
        return (default.to_owned(), Vec::new());
    };
    let media = media_name(declared);
    let parameters = declared.attributes().into_iter().flatten();
    let mut kept: Vec<_> = parameters
        .map(|attribute| (attribute.name.to_ascii_lowercase(), attribute.value.to_string()))
        .filter(|(name, value)| name == "boundary" && !value.is_empty())
        .collect();
    kept.sort();
    (media, kept)
}
