//! The fields of a delivery report that was written for SMTPUTF8, in ASCII (RFC 6533 §4).

use std::ops::Range;

use super::ascii::{Ascii, Downgrade};
use super::encapsulate::{encode_as_unstructured, without_blanks};
use super::typed_address::downgrade;
use crate::coding::domain;
use crate::coding::evidence::Origin;
use crate::message::{Field, Message};
use crate::rewrite::survey::evidence::beside::Beside;
use crate::rewrite::{Change, HeaderForm, Profile, Reason};

/// Returns the value of a report's field in ASCII, and what was done: a host or an address that names its type gets its
/// own form, and anything else becomes unstructured text. The value must not be ASCII. Around a host or an address
/// other characters may stay, and no line is measured: that all of the report is ASCII and fits is for the caller to
/// check.
pub fn downgrade_report_value(
    message: &Message,
    profile: &Profile,
    field: &Field,
    beside: Beside,
) -> Result<(String, Change), Reason> {
    let value = message.slice(field.value);
    if let Some((at, to, change)) = own_ascii_form(value) {
        let text = str::from_utf8(value).map_err(|_| Reason::Unlabelled)?;
        return Ok((format!("{}{to}{}", &text[..at.start], &text[at.end..]), change));
    }
    let form =
        if profile.headers == HeaderForm::Ascii { profile.escape.name() } else { profile.headers_charset().name() };
    let indent = message.slice(field.name).len() + ": ".len();
    let end = message.line_end_at(field.line.start).as_str();
    // Diagnostic-Code stands for whatever field it is: that one is text, where the field's own name may promise an address
    // with its type.
    let text = encode_as_unstructured(end, profile, b"Diagnostic-Code", without_blanks(value), indent, beside)?;
    Ok((format!(" {text}"), Change::Word { from: Origin::raw(None), to: form.to_owned() }))
}

/// Finds what has a form in ASCII of its own in the value of a report's field, a host or an address that names its type,
/// and returns where it stands, that form, and what there is to say; none where there is no such thing.
pub fn own_ascii_form(value: &[u8]) -> Option<(Range<usize>, String, Change)> {
    match downgrade(value).or_else(|| downgrade_host(value))? {
        Downgrade { at, to: Ascii::Same(to), change } => Some((at, to, change)),
        _ => None,
    }
}

/// Finds the host in `dns; bücher.example`, and its A-labels; none for another type, and where it is ASCII or has none.
fn downgrade_host(value: &[u8]) -> Option<Downgrade> {
    let text = str::from_utf8(value).ok()?;
    let semicolon = text.find(';').filter(|&at| text[..at].trim_ascii().eq_ignore_ascii_case("dns"))?;
    let name = text[semicolon + 1..].trim_ascii();
    let start = text.len() - text[semicolon + 1..].trim_ascii_start().len();
    let to = Ascii::Same(domain::to_ascii(name).ok().filter(|_| !name.is_ascii())?);
    Some(Downgrade { at: start..start + name.len(), to, change: Change::Domain })
}
