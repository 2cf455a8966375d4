//! The label among the parameters: the value of `charset`, as some programs spoil it.
//!
//! One writes a media type where a label is due, and the label behind it as a parameter of its own:
//! `charset=text/plain; charset=utf-8`. Another writes HTML's quotes, the semicolon of which ends the value:
//! `charset=&quot;utf-8&quot;`.

use std::borrow::Cow;
use std::ops::Range;

use super::value::unquote;
use crate::coding::charset::is_media_type;

/// The most octets of a label that are looked at behind HTML's quote: a label is short, and to look no further keeps it
/// linear.
const LONGEST: usize = 64;

/// Returns the label among the values of several plain sections of the name `charset`, of which the first that may be
/// one counts, or else the first of all; `None` without a section. `places` is where they stand in the value of the
/// field. One in HTML's quotes keeps these, but for the last semicolon.
pub(super) fn label(value: &[u8], mut places: impl Iterator<Item = Range<usize>>) -> Option<Cow<'_, [u8]>> {
    let first = places.next()?;
    let at = match may_be_label(&value[first.clone()]) {
        true => first,
        false => places.find(|at| may_be_label(&value[at.clone()])).unwrap_or(first),
    };
    let written = &value[at.clone()];
    let whole = half_encoded(written, &value[at.end..]).and_then(|label| {
        let end = at.end + 1 + label.len() + QUOTE.len();
        value.get(at.start..end)
    });
    Some(whole.map_or_else(|| unquote(written), Cow::Borrowed))
}

/// Returns `true` if the value of a section, as written, is neither empty nor a media type.
fn may_be_label(written: &[u8]) -> bool {
    let text = unquote(written);
    !text.is_empty() && !is_media_type(&text)
}

/// HTML's quote, without the semicolon that ends it, and a value with it.
const QUOTE: &[u8] = b"&quot";

/// Returns what stands between HTML's quotes, if a value is the first of them, and behind the semicolon that ends it
/// the other one follows within [`LONGEST`] octets. `behind` is all that stands behind the value.
pub(in crate::message) fn half_encoded<'v>(written: &[u8], behind: &'v [u8]) -> Option<&'v [u8]> {
    let rest = behind.strip_prefix(b";").filter(|_| written == QUOTE)?;
    let end = rest.iter().take(LONGEST).position(|octet| *octet == b'&')?;
    rest[end..].starts_with(QUOTE).then(|| &rest[..end])
}
