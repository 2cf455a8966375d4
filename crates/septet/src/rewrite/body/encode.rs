//! Writes a body's text in the charset that it goes out in, and says what that cost.
//!
//! What the charset lacks ends the plan, or under `on_loss = "replace"` is written as an escape; where an escape
//! would be read as another character, or as itself, it counts as lost all the same.

use std::borrow::Cow;

use crate::coding::charset::Charset;
use crate::coding::escape::{escape_into, escape_markup, escape_sparingly};
use crate::coding::html;
use crate::rewrite::survey::decode::SourceText;
use crate::rewrite::{BodyCharset, OnLoss, Profile, Reason};

/// The octets of a text in its charset, and how many characters were replaced because the charset lacks them.
pub(super) type Encoded<'t> = (Cow<'t, [u8]>, usize);

/// Encodes a text in the target. What US-ASCII lacks is written in escapes, which lose nothing and are not counted, in
/// markup by [`encode_with_references`]; what another charset lacks is an error, or under `on_loss = "replace"` an
/// escape that counts as lost. `came`, the octets of the source, matters only where the charset is kept: what can be
/// written in more than one way is written as it was.
pub(super) fn encode<'t>(
    text: &'t str,
    target: Charset,
    markup: bool,
    profile: &Profile,
    (source, came): (&SourceText, &[u8]),
) -> Result<Encoded<'t>, Reason> {
    if target == Charset::US_ASCII && !text.is_ascii() {
        return if markup {
            encode_with_references(text, profile.on_loss)
        } else {
            Ok((octets_of(escape_sparingly(text, profile.escape)), 0))
        };
    }
    let is_kept = target == source.charset && profile.charset == BodyCharset::Keep;
    let written = if is_kept { target.encode_like(text, came) } else { target.encode(text) };
    let octets = match written {
        Ok(octets) => octets,
        Err(_) if profile.on_loss == OnLoss::Replace => {
            let written = target.encode_with(text, |character, out| escape_into(out, character, profile.escape));
            return written.map_err(|lost| Reason::Loss(lost.character));
        }
        Err(lost) => return Err(Reason::Loss(lost.character)),
    };
    // A charset that is kept must read as the same text: shift states can be written in more than one way.
    if is_kept {
        let again = target.decode(&octets);
        if again.as_deref().ok() != Some(text) {
            return Err(Reason::Loss(first_lost(text, again.as_deref().unwrap_or_default())));
        }
    }
    Ok((octets, 0))
}

/// Writes markup in ASCII, with a character reference for each other character. One that no reference can stand for is
/// an error under `on_loss = "keep"`, and else counts as lost: what would be read as a letter of windows-1252 becomes
/// U+FFFD; what stands where no reference is read, as in a script, is written as one all the same, where that is
/// possible at all.
fn encode_with_references(text: &str, on_loss: OnLoss) -> Result<Encoded<'_>, Reason> {
    let lost = html::beyond_references(text);
    if let Some(&(_, character)) = lost.first()
        && on_loss == OnLoss::Keep
    {
        return Err(Reason::Loss(character));
    }
    let text = match text.contains(is_misread_as_reference) {
        true => Cow::Owned(text.replace(is_misread_as_reference, "\u{FFFD}")),
        false => Cow::Borrowed(text),
    };
    let written = escape_markup(&text).map_err(|lost| Reason::Loss(lost.character))?.into_owned();
    Ok((Cow::Owned(written.into_bytes()), lost.len()))
}

/// Returns `true` if a reference to a character is read as a letter of windows-1252, as HTML has it for the controls of
/// ISO 8859-1. `html::beyond_references` counts these among those lost.
fn is_misread_as_reference(character: char) -> bool {
    matches!(character, '\u{80}'..='\u{9F}')
}

/// Returns the octets of a text, which are moved and not copied.
fn octets_of(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// Returns the first character of a text that is another one in what was read back, or is missing at its end. Where
/// neither is, the first that is not ASCII, for which the whole is taken for another charset; U+FFFD where there is
/// none.
pub(super) fn first_lost(text: &str, again: &str) -> char {
    let differs = text.chars().zip(again.chars()).find(|(was, is)| was != is).map(|(was, _)| was);
    differs
        .or_else(|| text.chars().nth(again.chars().count()))
        .or_else(|| text.chars().find(|character| !character.is_ascii()))
        .unwrap_or('\u{FFFD}')
}
