//! What mail-parser finds for a file name in a field, before and after a change.
//!
//! Parameters that are broken are read in as many ways as there are readers: what one takes for part of a name, or for
//! nothing, is a file's name to the other once something in the field is written anew. Septet knows many of these ways and
//! leaves such a parameter by itself. For those that it does not know it asks a reader that is not its own: a file that had a
//! name must have the same one, and one that had none must not get one.

use std::panic::catch_unwind;
use std::sync::LazyLock;

use mail_parser::{HeaderValue, MessageParser, MimeHeaders};

use crate::coding::charset::Charset;
use crate::rewrite::{HeaderForm, OnLoss, Profile};

/// Why a field stays whose file name mail-parser would find otherwise.
const ANOTHER: &str = "another reader would find another file name";

/// What reads the fields that name files; one for all of them, since its table of fields takes time to make.
static PARSER: LazyLock<MessageParser> =
    LazyLock::new(|| MessageParser::new().with_mime_headers().default_header_ignore());

/// Says so where mail-parser finds another file name in the value of a field as it is than in the value as it was, or
/// finds one in one of them alone.
///
/// What it could not read before, it may read now: that of a value with a fold behind an equals sign, too. And what a
/// profile writes that mail-parser can't read (UTF-7, escapes, what stands for lost characters) need only be there.
pub fn difference(name: &[u8], was: &[u8], now: &[u8], profile: &Profile) -> Option<&'static str> {
    let is_fold = |octet: &u8| matches!(octet, b'\r' | b'\n');
    let unfolded = || was.iter().copied().filter(|octet| !is_fold(octet)).collect::<Vec<u8>>();
    let now = found(name, now);
    let differs = |was: Option<String>| match (&was, &now) {
        (Some(was), Some(now)) => was != now && is_read(was) && stays(profile) && !is_refuted(was, now),
        (was, now) => was.is_some() != now.is_some(),
    };
    let is_another = differs(found(name, was)) && (!was.iter().any(is_fold) || differs(found(name, &unfolded())));
    is_another.then_some(ANOTHER)
}

/// Returns the file name that mail-parser finds in a field, if it finds one that is not empty; none as well where it panics.
fn found(name: &[u8], value: &[u8]) -> Option<String> {
    let field = [name, b":", value, b"\r\n\r\n"].concat();
    let parse = || {
        let message = PARSER.parse_headers(&field)?;
        let part = message.parts.first()?;
        let named = |value: &HeaderValue, name: &str| value.as_content_type()?.attribute(name).map(str::to_owned);
        let disposition = part.headers.iter().find_map(|header| named(&header.value, "filename"));
        disposition.or_else(|| part.content_type()?.attribute("name").map(str::to_owned))
    };
    catch_unwind(parse).ok().flatten().filter(|file| !file.is_empty())
}

/// Tells whether a name is what it was meant to be: nothing in it is lost, or still in a word or a percent form.
fn is_read(name: &str) -> bool {
    !name.contains([char::REPLACEMENT_CHARACTER, '\\', '%']) && !name.contains("=?")
}

/// Tells whether what a name was read as is a new one's UTF-8 under a Western label, which the octets refute.
fn is_refuted(was: &str, now: &str) -> bool {
    let labels = [Charset::WINDOWS_1252, Charset::ISO_8859_1];
    labels.iter().any(|label| label.encode(was).is_ok_and(|octets| *octets == *now.as_bytes()))
}

/// Tells whether a profile writes names that mail-parser reads as they were.
fn stays(profile: &Profile) -> bool {
    let is_utf_7 = [Charset::UTF_7, Charset::UNICODE_1_1_UTF_7].contains(&profile.headers_charset());
    profile.headers != HeaderForm::Ascii && profile.on_loss == OnLoss::Keep && !is_utf_7
}
