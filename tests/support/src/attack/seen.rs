//! What a reader that is not ours sees of a message, and the difference between what it sees of two.

use septet::coding::charset::Charset;
use septet::rewrite::{BodyCharset, HeaderForm, Iris, OnLoss, Profile};
use serde::Deserialize;

/// The fields that a change of a body may ask for, where they were missing.
const MAY_COME: [&str; 3] = ["mime-version", "content-type", "content-transfer-encoding"];
/// The fields that count or sum up the octets of a body, and go when it changes.
const MAY_GO: [&str; 3] = ["content-length", "content-md5", "lines"];

/// One part, as some reader sees it.
#[derive(Debug, Clone, PartialEq, Deserialize, Default)]
pub struct Seen {
    /// How deep it lies.
    pub depth: usize,
    /// The media type in lower case; a message is `message/rfc822`, whatever it is called.
    pub media: String,
    /// The boundary of a multipart.
    pub boundary: Option<String>,
    /// The file name, decoded.
    pub name: Option<String>,
    /// The names of its fields, in lower case; none where the reader does not show them all.
    pub fields: Option<Vec<String>>,
    /// Its decoded text as a length and a hash, line ends apart; `unreadable` where it can't be decoded, none where no
    /// reader can be asked.
    pub text: Option<(usize, String)>,
}

/// Finds the first difference that a plan under this profile may not make.
pub fn difference(before: &[Seen], after: &[Seen], profile: &Profile) -> Option<String> {
    if before.len() != after.len() {
        return Some(format!(
            "{} parts, and then {}: |{}| and then |{}|",
            before.len(),
            after.len(),
            list(before),
            list(after)
        ));
    }
    before.iter().zip(after).enumerate().find_map(|(index, (was, is))| {
        let what = part(was, is, profile)?;
        Some(format!("part {index}: {what}"))
    })
}

fn part(was: &Seen, is: &Seen, profile: &Profile) -> Option<String> {
    if (was.depth, in_ascii(&was.media)) != (is.depth, in_ascii(&is.media)) {
        return Some(format!("type |{}|, and then |{}|", was.media, is.media));
    }
    if was.boundary != is.boundary {
        return Some(format!("boundary {:?}, and then {:?}", was.boundary, is.boundary));
    }
    let names = [was, is].map(|part| part.name.as_deref().map(unfolded).filter(|name| !name.is_empty()));
    let differs = match (&names[0], &names[1]) {
        (Some(was), Some(is)) => was != is && is_read(was) && names_stay(profile) && !is_refuted(was, is),
        (was, is) => was.is_some() != is.is_some(),
    };
    if differs {
        return Some(format!("file name {:?}, and then {:?}", names[0], names[1]));
    }
    let texts = || texts_stay(profile).then(|| text(was, is)).flatten();
    fields(was.fields.as_deref().unwrap_or_default(), is.fields.as_deref().unwrap_or_default()).or_else(texts)
}

/// Returns a name with one space for each white space, of which readers keep more or less at folds and empty words.
fn unfolded(name: &str) -> String {
    name.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns `true` if a name was read: nothing of it is lost, and no word is shown as it stands.
fn is_read(name: &str) -> bool {
    !name.contains([char::REPLACEMENT_CHARACTER, '\\']) && !name.contains("=?")
}

/// Returns `true` if a name is UTF-8 that was read under a Western label, which the octets refute.
fn is_refuted(was: &str, is: &str) -> bool {
    let labels = [Charset::WINDOWS_1252, Charset::ISO_8859_1];
    labels.iter().any(|label| label.encode(was).is_ok_and(|octets| *octets == *is.as_bytes()))
}

/// A report has a type for UTF-8 and one for ASCII (RFC 6533).
pub fn in_ascii(media: &str) -> &str {
    match media {
        "message/global-headers" => "text/rfc822-headers",
        "message/global-delivery-status" => "message/delivery-status",
        "message/global-disposition-notification" => "message/disposition-notification",
        other => other,
    }
}

/// What could be read must read the same, where the reader is asked again.
fn text(was: &Seen, is: &Seen) -> Option<String> {
    let (old, new) = (was.text.as_ref()?, is.text.as_ref()?);
    (old.1 != "unreadable" && old != new).then(|| format!("text {old:?}, and then {new:?}"))
}

/// Links, escapes and what can't be read change a text by some settings.
fn texts_stay(profile: &Profile) -> bool {
    let escaped = profile.charset == BodyCharset::UsAscii || !profile.unescape.is_empty();
    profile.iris == Iris::Keep && profile.on_loss == OnLoss::Keep && !escaped
}

/// File names are written in escapes, or lose what can't be read, by some settings.
fn names_stay(profile: &Profile) -> bool {
    profile.headers != HeaderForm::Ascii && profile.on_loss == OnLoss::Keep
}

/// Fields stay, in their order, but for those that a change of the body may add or take away, and those that move to
/// `Downgraded-NAME`, which some readers show among those of MIME.
fn fields(before: &[String], after: &[String]) -> Option<String> {
    let came = |name: &&String| before.contains(name) || !MAY_COME.contains(&name.as_str());
    let gone = |name: &&String| after.contains(name) || !MAY_GO.contains(&name.as_str());
    let moved = |name: &String| bare(name).strip_prefix("downgraded-").map(str::to_owned);
    // One that was there already stays where it was: of its name, the last are new.
    let count = |names: &[String], name: &String| names.iter().filter(|other| *other == name).count();
    let is_new = |index: usize, name: &String| {
        moved(name).is_some() && count(&after[index..], name) + count(before, name) <= count(after, name)
    };
    let new: Vec<bool> = after.iter().enumerate().map(|(index, name)| is_new(index, name)).collect();
    let kept = after.iter().zip(&new).filter(|(_, is_new)| !**is_new).map(|(name, _)| name);
    let mut rest = kept.filter(came).peekable();
    let stays = |name: &&String| rest.next_if_eq(name).is_none();
    let mut gone: Vec<&str> = before.iter().filter(gone).filter(stays).map(|name| bare(name)).collect();
    let mut new: Vec<String> =
        after.iter().zip(&new).filter(|(_, is_new)| **is_new).filter_map(|(name, _)| moved(name)).collect();
    gone.sort_unstable();
    new.sort_unstable();
    (gone != new || rest.next().is_some()).then(|| format!("fields {before:?}, and then {after:?}"))
}

/// Some readers take a byte order mark for a part of a name.
fn bare(name: &str) -> &str {
    name.trim_start_matches('\u{feff}')
}

fn list(parts: &[Seen]) -> String {
    parts.iter().map(|part| format!("{}:{}", part.depth, part.media)).collect::<Vec<_>>().join(" ")
}
