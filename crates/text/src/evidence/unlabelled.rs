//! What octets are that have no label, or one that they disprove: the settings' list of charsets, in its order.
//!
//! Nothing is guessed beyond what the settings list. Each charset of the list is tried and taken if the whole text is
//! well-formed in it, and without C1 controls, which no mail means. That says much of a multi-octet charset and little
//! of a single-octet one, which is why the list's order is the administrator's.
//!
//! [`Unlabelled::Detect`] in the list asks [`statistics`]. Whoever wrote one text of a message wrote the others, so all
//! texts of it that nobody can read are one to them, and what they say holds for each text that has hardly a fault in
//! it then.

use super::faults::{self, Han};
use super::{japanese, statistics};
use crate::charset::{Charset, Labels};
use crate::scan::has_c1;

/// What octets without a good label are tried as: an entry of the settings' list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unlabelled {
    /// Text in a charset, if all of it is well-formed there, without C1 controls.
    Charset(Charset),
    /// What statistics of all unlabelled texts of the message say.
    Detect,
}

impl Unlabelled {
    /// Reads an entry of the settings: `detect`, or a label; none for one that means no charset.
    ///
    /// ```
    /// use septet_text::charset::{Charset, Labels};
    /// use septet_text::evidence::Unlabelled;
    ///
    /// let labels = Labels::default();
    /// assert_eq!(Unlabelled::of("latin1", &labels), Some(Unlabelled::Charset(Charset::WINDOWS_1252)));
    /// assert_eq!(Unlabelled::of("detect", &labels), Some(Unlabelled::Detect));
    /// assert_eq!(Unlabelled::of("x-klingon", &labels), None);
    /// ```
    pub fn of(entry: &str, labels: &Labels) -> Option<Unlabelled> {
        match entry {
            "detect" => Some(Unlabelled::Detect),
            label => labels.find(label.as_bytes()).map(Unlabelled::Charset),
        }
    }

    /// Reads a list of such entries; one that means no charset is left out.
    pub fn list(entries: &[String], labels: &Labels) -> Vec<Unlabelled> {
        entries.iter().filter_map(|entry| Unlabelled::of(entry, labels)).collect()
    }

    /// Returns the charset that it names, if it names one.
    pub fn charset(&self) -> Option<Charset> {
        match self {
            Unlabelled::Charset(charset) => Some(*charset),
            Unlabelled::Detect => None,
        }
    }
}

/// The margins that are enough for texts of one message, and for a text alone (docs/evidence.md has how often they
/// err).
const ENOUGH_OF_MANY: i32 = 40;
const ENOUGH_ALONE: i32 = 70;

/// So many words tell whether two texts are one.
const COMPARED: usize = 8;

/// Returns `true` if a text can be read in a charset, with hardly a fault and without C1 controls. Rare Han characters
/// are no faults here.
pub fn holds(octets: &[u8], charset: Charset) -> bool {
    let text = charset.decode(octets).ok().filter(|text| !has_c1(text));
    text.is_some_and(|text| {
        let text = faults::looked_at(&text);
        faults::are_few(faults::of_witness(text, Han::All), text)
    })
}

/// Says what charsets texts of one message are in, by statistics: first that of them all, then that of those which it
/// does not hold for, and so on. It ends where the best charset is not told apart from the next.
///
/// ```
/// use septet_text::charset::Charset;
/// use septet_text::evidence::detect;
///
/// let texts: Vec<&[u8]> = vec![b"\xEF\xF0\xE8\xE2\xE5\xF2", b"\xCA\xE0\xEA \xE4\xE5\xEB\xE0?"];
/// assert_eq!(detect(texts), [Charset::WINDOWS_1251]);
/// assert!(detect(vec![b"\xE8"]).is_empty(), "è, и or č");
/// ```
pub fn detect(texts: Vec<&[u8]>) -> Vec<Charset> {
    let (mut texts, mut found) = (texts, Vec::new());
    while let Some(charset) = of_all(&texts) {
        let before = texts.len();
        texts.retain(|text| !holds(text, charset));
        if texts.len() == before {
            break;
        }
        found.push(charset);
    }
    found
}

/// Says what charset texts are in if they are in one; none where statistics are not sure enough.
fn of_all(texts: &[&[u8]]) -> Option<Charset> {
    let enough = if texts.len() > 1 { ENOUGH_OF_MANY } else { ENOUGH_ALONE };
    statistics::guess(texts).filter(|found| found.margin >= enough).map(|found| found.charset)
}

/// Says what octets are by statistics, where these are sure and a text that was made of them says something else. UTF-8
/// is not looked at. Nothing is decided by it.
///
/// ```
/// use septet_text::charset::Charset;
/// use septet_text::evidence::looks_otherwise;
///
/// let octets = b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEA\xE0\xEA \xE4\xE5\xEB\xE0?";
/// assert_eq!(looks_otherwise(octets, "Ïðèâåò, êàê äåëà?"), Some(Charset::WINDOWS_1251));
/// assert_eq!(looks_otherwise(octets, "Привет, как дела?"), None);
/// ```
pub fn looks_otherwise(octets: &[u8], text: &str) -> Option<Charset> {
    let is_utf_8 = simdutf8::basic::from_utf8(octets).is_ok();
    let charset = (!is_utf_8).then(|| detect(vec![octets]).pop())??;
    let meant = charset.decode(octets).ok()?;
    // A link in it may have changed, so that not all words need to be there.
    let mut words = meant.split_whitespace().filter(|word| !word.is_ascii()).take(COMPARED);
    (!words.any(|word| text.contains(word))).then_some(charset)
}

/// Guesses what octets look like by statistics alone, however unsure these are, or by sequences of ISO-2022-JP in
/// ASCII. None for any other ASCII, or where the octets are ill-formed in what it would be.
pub fn looks_like(octets: &[u8]) -> Option<Charset> {
    let found = if octets.is_ascii() {
        japanese::escaped(octets)
    } else {
        statistics::guess(&[octets]).map(|found| found.charset)
    };
    found.filter(|found| found.decode(octets).is_ok())
}
