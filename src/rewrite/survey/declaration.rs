//! What a label, and a text itself, say of the text's charset.

use std::borrow::Cow;

use super::form::TextForm;
use super::reading::decoded;
use crate::coding::charset::Charset;
use crate::coding::evidence::Because;
use crate::coding::scan::{head, start};
use crate::message::{Message, Part};
use crate::rewrite::Profile;

/// In so many octets at its start a text is asked for its own charset. Only where its label changes are all
/// declarations looked for.
const HEAD: usize = 4096;

/// Returns the first [`HEAD`] octets of a text, CRs not counted: where the label stays, declarations behind them stay
/// too.
pub(in crate::rewrite) fn head_of(text: &str) -> &str {
    head(text, start(text.as_bytes(), HEAD).len())
}

/// Returns the value of a part's charset parameter, known or not; an empty one counts as none.
pub(in crate::rewrite) fn label_of<'a>(message: &Message<'a>, part: &Part) -> Option<Cow<'a, [u8]>> {
    let label = part.content_type.parameter(message.raw(), "charset")?;
    (!label.trim_ascii().is_empty()).then_some(label)
}

/// Returns the charset that the label of a part names, as the profile reads labels; none where it names none that is
/// known.
pub(in crate::rewrite) fn charset_of(message: &Message, part: &Part, profile: &Profile) -> Option<Charset> {
    let label = part.content_type.parameter(message.raw(), "charset");
    label.and_then(|label| profile.labels.find(&label))
}

/// Returns what HTML, XML or CSS says of its own charset, and what kind of declaration says it. None where the label
/// tells a charset, the text is ASCII, or its transfer encoding is unknown.
pub(in crate::rewrite) fn declared_inside(
    message: &Message,
    part: &Part,
    profile: &Profile,
) -> Option<(Vec<u8>, Because)> {
    let form = TextForm::of(message, part).filter(|form| form.may_declare())?;
    let octets = decoded(message, part).ok()?;
    declared_in_text(label_of(message, part).as_deref(), profile, form, &octets)
}

/// Reads the charset that HTML, XML or CSS declares first within [`HEAD`] octets, CRs not counted. None for ASCII,
/// which needs no charset, and under a label that is known, unless it is US-ASCII: 8-bit octets disprove that.
pub(in crate::rewrite) fn declared_in_text(
    label: Option<&[u8]>,
    profile: &Profile,
    form: TextForm,
    octets: &[u8],
) -> Option<(Vec<u8>, Because)> {
    let named = label.and_then(|label| profile.labels.find(label));
    let tells = named.is_some_and(|charset| charset != Charset::US_ASCII);
    if !form.may_declare() || octets.is_ascii() || tells {
        return None;
    }
    let head = start(octets, HEAD);
    // Declarations are ASCII; one character an octet keeps the offsets.
    let latin: String = head.iter().map(|&octet| if octet.is_ascii() { char::from(octet) } else { '?' }).collect();
    let declared = form.declarations(&latin).first().map(|at| latin.as_bytes()[at.clone()].to_vec())?;
    Some((declared, form.because()))
}
