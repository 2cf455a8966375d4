//! Texts of two charsets, line by line: a list's footer below a message.
//!
//! Whoever puts a footer below a text, or a text above what it answers, puts whole lines there. So those lines that are
//! UTF-8 and the others are judged apart. Each must be without fault in its own charset. A witness must name the
//! charset of the others; UTF-8 needs none, since its octets are no text in that charset. Else the text is read as one.

use encoding_rs::Encoding;
use memchr::{memchr, memrchr};

use super::damaged::is_damaged_utf_8;
use super::faults::{self, Han};
use super::hearing::find_by_witnesses;
use super::raw::has_words_in_utf_8;
use super::utf_8::{Utf8Verdict, label_or_utf_8};
use super::{Because, Reading, Witnesses};
use crate::charset::Charset;
use crate::scan::any_pair;

/// Reads a text of which some lines are UTF-8, and the others in the charset of their label. `None` where it is none,
/// or must be in one charset.
pub(super) fn under<'o>(octets: &'o [u8], label: Charset, witnesses: &Witnesses) -> Option<Reading<'o>> {
    let lines = witnesses.by_lines.then(|| NonAsciiLines::of(octets))??;
    lines.are_apart(label, label).then(|| lines.reading((label, Charset::UTF_8), label, Because::Octets))
}

/// Reads a text of which some lines are UTF-8, and the others in a charset that a witness names beside the label, which
/// may be none. `None` where it is none, or must be in one charset.
pub(super) fn beside<'o>(octets: &'o [u8], label: Charset, witnesses: &Witnesses) -> Option<Reading<'o>> {
    // Lines of damaged UTF-8 are in no other charset.
    let lines =
        witnesses.by_lines.then(|| NonAsciiLines::of(octets))?.filter(|lines| !is_damaged_utf_8(&lines.others))?;
    let (other, because) = find_by_witnesses(&lines.others, &witnesses.of_lines()).ok()??;
    lines.are_apart(other, label).then(|| lines.reading((Charset::UTF_8, other), other, because))
}

/// Returns `true` if octets stand side by side that begin a character of UTF-8 and go on with it.
pub(super) fn have_utf_8(octets: &[u8]) -> bool {
    any_pair(octets, |octet, next| matches!((octet, next), (0xC2..=0xF4, 0x80..=0xBF)))
}

/// The lines of a text that are not ASCII.
struct NonAsciiLines<'o> {
    octets: &'o [u8],
    /// Those that are UTF-8.
    utf_8: Vec<&'o [u8]>,
    /// Those that are not, as one text.
    others: Vec<u8>,
}

impl<'o> NonAsciiLines<'o> {
    /// Parts the lines of a text; none where all are of one kind, or where its end may be missing.
    fn of(octets: &'o [u8]) -> Option<NonAsciiLines<'o>> {
        if simdutf8::basic::from_utf8(octets).is_ok() || !have_utf_8(octets) {
            return None;
        }
        let mut lines = NonAsciiLines { octets, utf_8: Vec::new(), others: Vec::new() };
        for (line, above) in lines_above_ascii(octets) {
            match matches!(above, [0xC2..=0xF4, 0x80..=0xBF, ..]) && str::from_utf8(above).is_ok() {
                true => lines.utf_8.push(line),
                false => lines.others.extend_from_slice(line),
            }
        }
        (!lines.utf_8.is_empty() && !lines.others.is_empty() && !is_cut(octets)).then_some(lines)
    }

    /// Returns `true` if each line is in one charset alone, UTF-8 or `other`; `label` is that of the text. Where it
    /// names UTF-8, lines that may be either are UTF-8.
    fn are_apart(&self, other: Charset, label: Charset) -> bool {
        let may_be = other.keeps_ascii() && other.begins_anew_after_lf() && other != Charset::UTF_8;
        may_be
            && holds(&self.others, other)
            && !has_words_in_utf_8(&self.others, other)
            && self.utf_8.iter().all(|line| is_utf_8(line, other, label))
    }

    /// Reads the lines that are UTF-8 as such, and all others in `other`, where [`are_apart`](Self::are_apart) holds.
    /// The reading names the two charsets in the order in which they are given.
    fn reading(&self, (charset, second): (Charset, Charset), other: Charset, because: Because) -> Reading<'o> {
        let mut text = String::with_capacity(self.octets.len() + self.octets.len() / 2);
        for line in split(self.octets) {
            match simdutf8::basic::from_utf8(line) {
                Ok(line) => text.push_str(line),
                Err(_) => text.push_str(&other.decode_lossy(line).0),
            }
        }
        Reading { charset, text: text.into(), because, second: Some(second) }
    }
}

/// Returns `true` if the last line of a text ends within a character of UTF-8.
fn is_cut(octets: &[u8]) -> bool {
    split(octets).last().is_some_and(|line| Charset::UTF_8.decode(line).is_err_and(|fault| fault.is_cut()))
}

/// Returns `true` if a line is UTF-8 rather than in `other`; where it may be either, the label of the text decides.
fn is_utf_8(line: &[u8], other: Charset, label: Charset) -> bool {
    match label_or_utf_8(other, line) {
        Some(Utf8Verdict::Utf8) => label == Charset::UTF_8 || has_hard_faults(line, other),
        Some(Utf8Verdict::Unknown) => label == Charset::UTF_8,
        Some(Utf8Verdict::Label) | None => false,
    }
}

/// Returns `true` if octets are a text in a charset. Unlike [`super::unlabelled::holds`] it counts rare Han characters,
/// and a C1 control as one fault among others.
fn holds(octets: &[u8], charset: Charset) -> bool {
    charset.decode(octets).is_ok_and(|text| faults::is_text(&text, Han::of(charset)))
}

/// Returns `true` if a line, read in a charset, has a fault that a text which is meant so hardly ever has.
fn has_hard_faults(line: &[u8], charset: Charset) -> bool {
    faults::of_label(faults::looked_at(&charset.decode_lossy(line).0), Han::of(charset)).hard > 0
}

/// Returns the lines of a text that are not ASCII, each with its end, and with what of it stands from the first octet
/// on that is none.
fn lines_above_ascii(octets: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let first = at + Encoding::ascii_valid_up_to(&octets[at..]);
        let start = memrchr(b'\n', &octets[at..first]).map_or(at, |before| at + before + 1);
        at = memchr(b'\n', &octets[first..]).map_or(octets.len(), |length| first + length + 1);
        (first < octets.len()).then(|| (&octets[start..at], &octets[first..at]))
    })
}

/// Returns the lines of a text, each with its end.
pub(super) fn split(octets: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    octets.split_inclusive(|octet| *octet == b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charset::Labels;
    use crate::evidence::{Neighbour, judge, only};

    /// Reads a text under a label, beside a text in windows-1252.
    fn read(octets: &[u8], label: &str) -> Option<(String, Option<Charset>, Because)> {
        let labels = Labels::default();
        let latin = Neighbour { charset: Charset::WINDOWS_1252, because: Because::Part, has_testified: true };
        let named = only(latin);
        let witnesses = Witnesses { neighbours: named, by_lines: true, ..Witnesses::none(&labels) };
        let read = judge(octets, Some(label.as_bytes()), &witnesses).ok()?;
        Some((read.text.into_owned(), read.second, read.because))
    }

    fn second(octets: &[u8], label: &str) -> Option<Charset> {
        read(octets, label)?.1
    }

    fn lines(lines: &[(&str, Charset)]) -> Vec<u8> {
        lines.iter().flat_map(|(line, charset)| charset.encode(line).expect("a line").into_owned()).collect()
    }

    const LATIN: Charset = Charset::WINDOWS_1252;

    #[test]
    fn each_line_is_read_in_its_charset() {
        let octets = lines(&[("Grüße\n", Charset::UTF_8), ("plain\n", LATIN), ("Abmelden: für Köln\n", LATIN)]);
        let text = "Grüße\nplain\nAbmelden: für Köln\n";
        assert_eq!(read(&octets, "utf-8"), Some((text.to_owned(), Some(LATIN), Because::Part)));
        assert_eq!(read(&octets, "iso-8859-1"), Some((text.to_owned(), Some(Charset::UTF_8), Because::Octets)));
    }

    #[test]
    fn a_text_that_may_be_one_is_read_as_one() {
        let within = lines(&[("Grüße ", Charset::UTF_8), ("für Köln\n", LATIN), ("Öl\n", Charset::UTF_8)]);
        assert_eq!(second(&within, "utf-8"), None, "two charsets in a line");
        let cut = [lines(&[("Grüße\n", Charset::UTF_8), ("aus K", LATIN)]), b"\xC3".to_vec()].concat();
        assert_eq!(second(&cut, "utf-8"), None, "the end is missing");
        let damaged = [&lines(&[("Grüße\n", Charset::UTF_8)])[..], b"Gr\xC3\nIt\xE2\x80 is\n"].concat();
        assert_eq!(second(&damaged, "utf-8"), None, "damaged, and no text in windows-1252");
        let ambiguous = lines(&[("P\u{145}\n", Charset::UTF_8), ("Köln\n", LATIN)]);
        assert_eq!(second(&ambiguous, "windows-1252"), None, "PÅ…");
        assert_eq!(second(&lines(&[("Köln\n", LATIN), ("für\n", LATIN)]), "windows-1252"), None);
        let labels = Labels::default();
        let octets = lines(&[("Grüße\n", Charset::UTF_8), ("Köln\n", LATIN)]);
        let alone = Witnesses { by_lines: true, ..Witnesses::none(&labels) };
        assert!(judge(&octets, Some(b"utf-8"), &alone).is_err(), "no witness");
        assert!(judge(&octets, Some(b"iso-8859-1"), &Witnesses::none(&labels)).is_err(), "not asked");
    }
}
