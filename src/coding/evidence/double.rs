//! UTF-8 that was encoded twice: `Ã¼` for `ü`.
//!
//! Some program took the octets of UTF-8 for windows-1252, or for ISO-8859-1, and wrote that text in UTF-8. What came of it is a
//! text like any other; but where all its characters above ASCII are octets of UTF-8 again, and make no sense otherwise,
//! nobody wrote it.

use std::sync::LazyLock;

use encoding_rs::Encoding;

use super::faults::{self, Han};
use super::utf_8::{Utf8Verdict, label_or_utf_8};
use crate::coding::charset::Charset;

/// Returns the text that was meant by one that is encoded twice, or more than that; none for all others.
///
/// ```
/// use septet::coding::evidence::encoded_once;
///
/// assert_eq!(encoded_once("GrÃ¼ÃŸe").as_deref(), Some("Grüße"));
/// assert_eq!(encoded_once("GrÃƒÂ¼e").as_deref(), Some("Grüe"), "three times");
/// assert_eq!(encoded_once("Grüße, AMANHÃ"), None);
/// ```
pub fn encoded_once(text: &str) -> Option<String> {
    let mut meant = undone(text)?;
    // Each time half of the characters go.
    while let Some(again) = undone(&meant) {
        meant = again;
    }
    Some(meant)
}

/// Takes one encoding off a text; `None` where it was not encoded twice in all likelihood. A single character above
/// ASCII is too little to say so, unless the text as it stands has a hard fault.
fn undone(text: &str) -> Option<String> {
    let mut above = text[Encoding::ascii_valid_up_to(text.as_bytes())..].chars();
    // What begins a character of UTF-8 in windows-1252, and what goes on with it.
    above.next().filter(|first| matches!(first, 'Â'..='ô'))?;
    above.next().and_then(octet).filter(|next| matches!(next, 0x80..=0xBF))?;
    let octets: Vec<u8> = text.chars().map(octet).collect::<Option<_>>()?;
    let is_utf_8 = label_or_utf_8(Charset::WINDOWS_1252, &octets) == Some(Utf8Verdict::Utf8);
    let meant = String::from_utf8(octets).ok().filter(|_| is_utf_8)?;
    let are_several = || meant.chars().filter(|character| !character.is_ascii()).nth(1).is_some();
    let has_faults = || faults::of_label(faults::looked_at(text), Han::None).hard > 0;
    (are_several() || has_faults()).then_some(meant)
}

/// Returns the octet of a character in windows-1252, or in ISO-8859-1.
fn octet(character: char) -> Option<u8> {
    static HIGH: LazyLock<Vec<(char, u8)>> = LazyLock::new(|| {
        let character = |octet: u8| Charset::WINDOWS_1252.decode(&[octet]).ok()?.chars().next();
        (0x80..=0x9F).filter_map(|octet| Some((character(octet)?, octet))).collect()
    });
    let of_windows = || HIGH.iter().find(|(high, _)| *high == character).map(|(_, octet)| *octet);
    u8::try_from(u32::from(character)).ok().or_else(of_windows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodes a text in UTF-8, and takes the octets for windows-1252, as browsers do.
    fn twice(text: &str) -> String {
        text.bytes()
            .map(|octet| {
                Charset::WINDOWS_1252.decode(&[octet]).map_or(char::from(octet).into(), |one| one.into_owned())
            })
            .collect()
    }

    #[test]
    fn what_is_encoded_twice_is_found() {
        for text in ["Grüße aus Köln", "it’s “so” …", "Привет, мир", "日本語のテスト", "Łódź à côté", "😀 ok", "één"]
        {
            assert_eq!(encoded_once(&twice(text)).as_deref(), Some(text));
            assert_eq!(encoded_once(&twice(&twice(text))).as_deref(), Some(text));
        }
    }

    #[test]
    fn a_text_is_what_it_is() {
        let texts =
            ["plain", "Grüße", "NESCAFÉ®", "AMANHÃ® – LÃ", "Ã¼ means ü", "Â", "Привет", "PÅ…", "5 € à l’ancienne"];
        for text in texts {
            assert_eq!(encoded_once(text), None, "{text}");
        }
    }
}
