//! Which parts are reports of RFC 6533 that are to be planned, and the types of their twins in ASCII.

use crate::message::{Message, Part};
use crate::rewrite::Profile;

/// The subtypes of `message`, and the types of their twins.
const TWINS: [(&str, &str); 3] = [
    ("global-headers", "text/rfc822-headers"),
    ("global-delivery-status", "message/delivery-status"),
    ("global-disposition-notification", "message/disposition-notification"),
];

/// Returns `true` if a part is a report of RFC 6533 that is planned field by field, and not as a body.
pub(in crate::rewrite) fn is_planned(message: &Message, part: &Part, profile: &Profile) -> bool {
    twin(message, part, profile).is_some()
}

/// Finds the type of a report that is to be planned, and its twin's. None where the profile downgrades nothing, or the
/// body is ASCII already, as it stands or by its transfer encoding.
pub(super) fn twin(message: &Message, part: &Part, profile: &Profile) -> Option<&'static (&'static str, &'static str)> {
    let is_wanted = profile.downgrades() && part.transfer.is_identity() && !message.slice(part.body).is_ascii();
    TWINS.iter().find(|(sub, _)| is_wanted && part.content_type.is("message", sub))
}
