//! Which parts are reports that are made of fields, which of these are to be downgraded, and the types of their twins
//! in ASCII (RFC 6533).

use crate::message::{Message, Part};
use crate::rewrite::Profile;

/// The subtypes of `message`, and the types of their twins. The second reader takes each for the same as its twin
/// (`second_reader/mod.rs`).
pub(in crate::rewrite) const TWINS: [(&str, &str); 3] = [
    ("global-headers", "text/rfc822-headers"),
    ("global-delivery-status", "message/delivery-status"),
    ("global-disposition-notification", "message/disposition-notification"),
];

/// Returns `true` if a body is made of blocks of fields, and of nothing else, by the subtype of `message` (RFC 3464 §2,
/// RFC 3886 §3, RFC 5965 §3.1, RFC 8098 §3, RFC 6533).
pub(super) fn is_made_of_fields(part: &Part) -> bool {
    let is_one = match &*part.content_type.sub {
        "delivery-status" | "disposition-notification" | "feedback-report" | "tracking-status" => true,
        sub => TWINS.iter().any(|(global, _)| *global == sub),
    };
    is_one && part.content_type.main == "message"
}

/// Finds the type of a report of RFC 6533 that is to become its twin in ASCII, and that of the twin. None where the
/// profile downgrades nothing, or the body is ASCII already, as it stands or by its transfer encoding.
pub(in crate::rewrite) fn twin(
    message: &Message,
    part: &Part,
    profile: &Profile,
) -> Option<&'static (&'static str, &'static str)> {
    let is_wanted = profile.downgrades() && part.transfer.is_identity() && !message.slice(part.body).is_ascii();
    TWINS.iter().find(|(sub, _)| is_wanted && part.content_type.is("message", sub))
}
