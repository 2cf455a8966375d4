//! UTF-8 with a few faults.
//!
//! Limits that count octets cut UTF-8 within a character, programs lose an octet of it, and a signature in another
//! charset stands below. The rest is UTF-8 as plainly as before: what continues a character stands where UTF-8 wants
//! it, octet for octet.

use super::faults::{self, Han};
use crate::charset::Charset;
use crate::scan;

/// So many octets have to continue a character before a text is called UTF-8 in spite of faults.
const MANY: usize = 3;

/// So many are enough where the only fault is that the last character is cut.
const CUT: usize = 2;

/// So many octets have to continue a character for each fault.
const MOSTLY: usize = 4;

/// So many octets of a text are looked at before all of it.
const START: usize = 1024;

/// The most faults of a text that another charset reads.
const FEW: usize = 2;

/// Returns `true` if octets are UTF-8 with a few faults in it: cut by a filter that counted octets, or with a signature
/// in another charset below. It is `false` for UTF-8 without faults. To take them for another charset would make
/// nonsense of all that is good.
pub fn is_damaged_utf_8(octets: &[u8]) -> bool {
    if !may_be_damaged_utf_8(octets) {
        return false;
    }
    let Utf8Octets { continuing, faults } = Utf8Octets::of(octets);
    let is_cut = continuing >= CUT && faults == 1 && ends_within_a_character(octets);
    faults > 0 && (continuing >= MANY && continuing >= faults * MOSTLY || is_cut)
}

/// Returns `true` if octets are UTF-8 but for their last character, behind which nothing but white space stands.
fn ends_within_a_character(octets: &[u8]) -> bool {
    Charset::UTF_8.decode(octets.trim_ascii_end()).is_err_and(|fault| fault.is_cut())
}

/// Returns `true` if octets are UTF-8 but for one fault or two, or for a few among many characters, and a charset that
/// reads them makes more faults of them than that.
pub(super) fn is_damaged_under(octets: &[u8], label: Charset) -> bool {
    if !label.keeps_ascii() || [Charset::UTF_8, Charset::CESU_8].contains(&label) {
        return false;
    }
    // The start of a long text tells that it is nothing of the kind.
    let start = octets.get(..START.min(octets.len())).unwrap_or(octets);
    if !Utf8Octets::of(start).are_mostly_whole() || !may_be_damaged_utf_8(octets) {
        return false;
    }
    let found = Utf8Octets::of(octets);
    let faults = found.faults;
    if faults == 0 || !found.are_mostly_whole() || found.continuing <= faults {
        return false;
    }
    let (text, _) = label.decode_lossy(octets);
    faults::of_label(faults::looked_at(&text), Han::of(label)).hard > faults
}

/// What there is of UTF-8 in octets.
struct Utf8Octets {
    /// The octets that continue a character, at its end or before it was cut.
    continuing: usize,
    /// The places where a character is missing an octet or an octet is none of any; the last character may be cut, and
    /// what continues it counts.
    faults: usize,
}

impl Utf8Octets {
    /// Returns `true` if there are a fault or two, or few for what is good.
    fn are_mostly_whole(&self) -> bool {
        self.faults <= FEW || self.continuing >= self.faults * MOSTLY
    }

    /// Counts them.
    fn of(octets: &[u8]) -> Utf8Octets {
        let mut found = Utf8Octets { continuing: 0, faults: 0 };
        for chunk in octets.utf8_chunks() {
            found.continuing += chunk.valid().chars().map(continuing).sum::<usize>();
            found.continuing += chunk.invalid().len().saturating_sub(1);
            found.faults += usize::from(!chunk.invalid().is_empty());
        }
        found
    }
}

/// Returns how many octets continue a character. Three of them count for four: a run of that form is hardly ever
/// anything else, so that one emoji is enough for a fault behind it ([`MOSTLY`]).
fn continuing(character: char) -> usize {
    match character.len_utf8() {
        4 => 4,
        length => length - 1,
    }
}

/// Returns `true` if octets may be UTF-8 with a few faults, by two counts, which cost less than to read them: those
/// that start a character (C0 and above) and those that continue one (80 to BF). A character has one of the first and
/// at least one of the second, a fault no more than one of the first, and callers allow fewer faults than octets that
/// continue.
fn may_be_damaged_utf_8(octets: &[u8]) -> bool {
    let starts = scan::count(octets, |octet| octet >= 0xC0);
    let others = scan::count(octets, |octet| octet & 0xC0 == 0x80);
    others > 0 && others * 2 >= starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_faults_in_utf_8_are_damage() {
        assert!(is_damaged_utf_8("Grüße aus Köln, Jürg\u{E9}".as_bytes().split_last().unwrap().1));
        assert!(is_damaged_utf_8(b"Great deal \xF0\x9F\x8E\x89 for you \xF0\x9F\x98"), "an emoji is cut");
        assert!(is_damaged_utf_8(b"Gr\xC3\xBC\xC3\x9Fe \xC3"), "the last letter is cut");
        assert!(is_damaged_utf_8(b"Gr\xC3\xBC\xC3\x9Fe \xC3\n"), "before the end of the line");
        assert!(!is_damaged_utf_8(b"Gr\xFC\xDFe aus K\xF6ln"));
        assert!(!is_damaged_utf_8("Grüße aus Köln".as_bytes()), "there is no fault");
    }

    #[test]
    fn damage_is_seen_under_a_label_that_makes_nonsense_of_it() {
        assert!(is_damaged_under(b"Gr\xC3\xBC\xC3\x9Fe aus K\xC3ln", Charset::WINDOWS_1252));
        assert!(!is_damaged_under(b"Gr\xFC\xDFe aus K\xF6ln", Charset::WINDOWS_1252));
        assert!(
            !is_damaged_under(b"AMANH\xC3\xAE, caf\xE9", Charset::WINDOWS_1252),
            "one of two, and nonsense nowhere"
        );
        let russian = Charset::WINDOWS_1251.encode("Её моё «США» – ёлка, Ещё её").expect("Cyrillic");
        assert!(!is_damaged_under(&russian, Charset::WINDOWS_1251));
    }

    #[test]
    fn a_sum_rules_out_no_text_that_is_damaged() {
        let letters: [&[u8]; 7] =
            [b"a", "\u{E9}".as_bytes(), "\u{20AC}".as_bytes(), "\u{1F600}".as_bytes(), b"\xE9", b"\x84", b"\xE2\x82"];
        for number in 0..7usize.pow(8) {
            let text: Vec<u8> = (0..8).flat_map(|at| letters[number / 7usize.pow(at) % 7]).copied().collect();
            let Utf8Octets { continuing, faults } = Utf8Octets::of(&text);
            let is_damaged = continuing > faults && (faults <= FEW || continuing >= faults * MOSTLY);
            assert!(may_be_damaged_utf_8(&text) || !is_damaged, "{}", text.escape_ascii());
        }
    }
}
