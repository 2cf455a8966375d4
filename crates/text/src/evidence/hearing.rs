//! What the other witnesses say of octets that have no label, or one that is not true, and who of them is believed.

use super::agreeing::are_agreeing_signs;
use super::damaged::is_damaged_utf_8;
use super::disproved::is_disproved;
use super::faults::{self, Han};
use super::unlabelled::{detect, holds};
use super::utf_8::label_or_utf_8;
use super::veto::{reads_otherwise, veto};
use super::{Because, DecodeError, Unlabelled, Utf8Verdict, Witnesses};
use crate::charset::Charset;
use crate::scan::has_c1;

/// Finds the charset of octets above 7F that are no UTF-8 and have no label that is true, by what the other witnesses
/// say: the document, the texts beside it that testify, the signs of Windows, the settings, and where all of these are
/// silent the labels of texts in ASCII.
///
/// # Errors
///
/// [`DecodeError::Ambiguous`] where only such a label reads them, and the octets speak against it.
pub(super) fn find_by_witnesses(
    octets: &[u8],
    witnesses: &Witnesses,
) -> Result<Option<(Charset, Because)>, DecodeError> {
    let found = by_document(octets, witnesses)
        .or_else(|| by_testimony(octets, witnesses))
        .or_else(|| are_agreeing_signs(octets).then_some((Charset::WINDOWS_1252, Because::Octets)))
        .or_else(|| listed(octets, witnesses));
    match found {
        Some(found) => Ok(Some(found)),
        None => by_labels_of_ascii(octets, witnesses),
    }
}

/// Asks the document for its own word; `None` where it has none, or where the octets are no text in that.
fn by_document(octets: &[u8], witnesses: &Witnesses) -> Option<(Charset, Because)> {
    let (label, because) = witnesses.document?;
    let charset = witnesses.labels.find(label)?;
    (charset.keeps_ascii() && holds(octets, charset)).then_some((charset, because))
}

/// Asks the texts beside it that have testified; `None` where the octets are no text in the charset of any.
fn by_testimony(octets: &[u8], witnesses: &Witnesses) -> Option<(Charset, Because)> {
    let mut testified = witnesses.named().into_iter().flatten().filter(|neighbour| neighbour.has_testified);
    let found = testified.find(|neighbour| holds(octets, neighbour.charset))?;
    Some((found.charset, found.because))
}

/// Asks the labels of texts beside it that are ASCII throughout. They say what their writer would have used, no more:
/// so all of them that read the octets must read the same, and nothing may speak against it.
fn by_labels_of_ascii(octets: &[u8], witnesses: &Witnesses) -> Result<Option<(Charset, Because)>, DecodeError> {
    let silent = witnesses.named().into_iter().flatten().filter(|neighbour| !neighbour.has_testified);
    let mut silent = silent.filter(|_| witnesses.hears_silent);
    let Some(first) = silent.find(|neighbour| holds(octets, neighbour.charset)) else { return Ok(None) };
    let (text, _) = first.charset.decode_lossy(octets);
    let mut rivals = silent.map(|neighbour| neighbour.charset).filter(|charset| holds(octets, *charset));
    let rival = rivals.find(|charset| reads_otherwise(octets, *charset, &text));
    match rival.or_else(|| veto(octets, first.charset)) {
        Some(rival) => Err(DecodeError::Ambiguous(first.charset, rival)),
        None => Ok(Some((first.charset, first.because))),
    }
}

/// Returns `true` if octets under a label have what it says: some above 7F, and hardly a fault in its charset. The end
/// of them may be damaged, but UTF-8 that the label makes something else of is no witness for it.
pub fn testifies(octets: &[u8], charset: Charset) -> bool {
    let may_be_utf_8 = matches!(label_or_utf_8(charset, octets), Some(Utf8Verdict::Utf8 | Utf8Verdict::Unknown));
    if octets.is_ascii() || may_be_utf_8 || is_damaged_utf_8(octets) {
        return false;
    }
    let (text, fault) = charset.decode_until_fault(octets);
    match fault.filter(|_| text.chars().filter(|character| !character.is_ascii()).nth(PLENTY).is_none()) {
        None => is_text(&text),
        Some(_) => is_text(&charset.decode_lossy(octets).0),
    }
}

/// So many characters above ASCII tell what a text is, be the rest of it damaged.
const PLENTY: usize = 20;

/// Returns `true` if a text has hardly a fault, and does not disprove its label.
fn is_text(text: &str) -> bool {
    faults::is_text(text, Han::All) && !is_disproved(text)
}

/// Finds the first charset of the settings' list in which a text is well-formed and without C1 controls. What
/// statistics say must hold for the text.
fn listed(octets: &[u8], witnesses: &Witnesses) -> Option<(Charset, Because)> {
    witnesses.unlabelled.iter().find_map(|candidate| match *candidate {
        Unlabelled::Detect => {
            detected(octets, witnesses).filter(|charset| holds(octets, *charset)).map(|found| (found, Because::Detect))
        }
        Unlabelled::Charset(charset) => {
            charset.decode(octets).is_ok_and(|text| !has_c1(&text)).then_some((charset, Because::Unlabelled))
        }
    })
}

/// Asks the rest of the message for statistics, or makes them of the text where it stands alone. The text may still be
/// none in what they say.
fn detected(octets: &[u8], witnesses: &Witnesses) -> Option<Charset> {
    match witnesses.elsewhere {
        Some(elsewhere) => elsewhere.detected(octets),
        None => detect(vec![octets]).pop(),
    }
}
