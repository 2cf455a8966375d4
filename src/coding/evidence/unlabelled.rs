//! What octets are that have no label, or one that they disprove: the settings' list of charsets, in its order.
//!
//! Nothing is guessed beyond what the settings list. Each charset of the list is tried and taken if the whole text is
//! well-formed in it, and without C1 controls, which no mail means. That says much of a multi-octet charset and little of a
//! single-octet one, which is why the list's order is the administrator's.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

use super::{Because, Witnesses};
use crate::coding::charset::{Charset, Labels};

/// The entry of the list that asks for statistics instead of naming a charset.
pub const DETECT: &str = "detect";

/// Octets above 7F that statistics need before they say anything.
const ENOUGH: usize = 12;

/// Finds the first charset of the settings' list in which a text is well-formed; a label that means nothing is passed over.
pub(super) fn listed(octets: &[u8], witnesses: &Witnesses) -> Option<(Charset, Because)> {
    let labels = witnesses.labels;
    let fits = |charset: &Charset| charset.decode(octets).is_ok_and(|text| !text.contains(is_c1));
    witnesses.unlabelled.iter().find_map(|candidate| match candidate.as_str() {
        DETECT => Some((detect(octets, labels).filter(fits)?, Because::Detect)),
        label => Some((labels.find(label.as_bytes()).filter(fits)?, Because::Unlabelled)),
    })
}

pub(super) fn is_c1(character: char) -> bool {
    matches!(character, '\u{80}'..='\u{9F}')
}

/// Guesses what octets look like by statistics alone, however few they are; none for ASCII.
pub fn looks_like(octets: &[u8], labels: &Labels) -> Option<Charset> {
    if octets.is_ascii() && !octets.contains(&0x1B) {
        return None;
    }
    guess(octets, Iso2022JpDetection::Allow, labels).filter(|found| found.decode(octets).is_ok())
}

fn guess(octets: &[u8], japanese: Iso2022JpDetection, labels: &Labels) -> Option<Charset> {
    let mut detector = EncodingDetector::new(japanese);
    detector.feed(octets, true);
    labels.find(detector.guess(None, Utf8Detection::Deny).name().as_bytes())
}

/// Guesses by statistics; none where there is too little to count.
fn detect(octets: &[u8], labels: &Labels) -> Option<Charset> {
    if octets.iter().filter(|octet| !octet.is_ascii()).take(ENOUGH).count() < ENOUGH {
        return None;
    }
    guess(octets, Iso2022JpDetection::Deny, labels)
}
