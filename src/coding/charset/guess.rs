//! Text without a good label: the charset that it is read with.
//!
//! Nothing is guessed beyond what the settings list. UTF-8 comes first without being asked for: text in another
//! charset is hardly ever valid UTF-8 by chance. After it each charset of the list is tried in order and taken if
//! the whole text is well-formed in it, and without C1 controls, which no mail means. That says much of a multi-octet charset and little of a single-octet one,
//! which is why the list's order is the administrator's.
//!
//! Text that is UTF-8 but for a few octets is damaged UTF-8, and is never guessed to be anything else.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

use super::{Charset, Labels, is_damaged_utf_8};

/// The entry of the list that asks for statistics instead of naming a charset.
pub const DETECT: &str = "detect";

/// Octets above 7F that statistics need before they say anything.
const ENOUGH: usize = 12;

/// Finds the charset of a text: UTF-8, or the first of the candidates in which the text is well-formed.
///
/// A candidate is a label, or [`DETECT`]; a label that means nothing is passed over. None where nothing fits.
///
/// ```
/// use septet::coding::charset::{Charset, Labels, guess};
///
/// let labels = Labels::default();
/// assert_eq!(guess("Grüße".as_bytes(), &[], &labels), Some(Charset::UTF_8));
/// assert_eq!(guess(b"Gr\xFC\xDFe", &[], &labels), None);
/// assert_eq!(guess(b"Gr\xFC\xDFe", &["latin1".to_owned()], &labels), Some(Charset::WINDOWS_1252));
/// ```
pub fn guess(bytes: &[u8], candidates: &[String], labels: &Labels) -> Option<Charset> {
    if Charset::UTF_8.decode(bytes).is_ok() {
        return Some(Charset::UTF_8);
    }
    if is_damaged_utf_8(bytes) {
        return None;
    }
    let is_c1 = |character: char| matches!(character, '\u{80}'..='\u{9F}');
    let fits = |charset: &Charset| charset.decode(bytes).is_ok_and(|text| !text.contains(is_c1));
    candidates.iter().find_map(|candidate| match candidate.as_str() {
        DETECT => detect(bytes, labels).filter(fits),
        label => labels.find(label.as_bytes()).filter(fits),
    })
}

/// Guesses by statistics; none where there is too little to count.
fn detect(bytes: &[u8], labels: &Labels) -> Option<Charset> {
    if bytes.iter().filter(|octet| !octet.is_ascii()).take(ENOUGH).count() < ENOUGH {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    labels.find(detector.guess(None, Utf8Detection::Deny).name().as_bytes())
}
