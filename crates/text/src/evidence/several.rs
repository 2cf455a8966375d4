//! Labels that name several charsets, of which the octets say the one.

use super::faults::{self, Han};
use super::japanese::escaped;
use super::unlabelled::holds;
use super::{Because, DecodeError, Reading, Utf8Verdict, Witnesses, detect, has_iso_2022_escape, label_or_utf_8, read};
use crate::charset::Charset;

/// The charsets beside ISO-2022-JP that Java's `JISAutoDetect` names.
const JAPANESE: [Charset; 2] = [Charset::EUC_JP, Charset::WINDOWS_31J];

/// Returns `true` if a label names several charsets: `JISAutoDetect`, with an `x` before it or without.
pub(super) fn names_several(label: &[u8]) -> bool {
    let key = label.iter().filter(|octet| octet.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase);
    let key: Vec<u8> = key.collect();
    key.strip_prefix(b"x").unwrap_or(&key) == b"jisautodetect"
}

/// Judges octets under such a label: ISO-2022-JP by its sequences, UTF-8 where they are that in spite of the label,
/// else the one of the others that they are a text in. Where they are one in two of them, statistics, the neighbours
/// and the settings are asked which, and a charset that the label does not name is not heard.
///
/// # Errors
///
/// [`DecodeError::UnknownLabel`] where nothing tells which, or they may be UTF-8 as well.
pub(super) fn judge<'o>(octets: &'o [u8], witnesses: &Witnesses) -> Result<Reading<'o>, DecodeError> {
    if octets.is_ascii() && !has_iso_2022_escape(octets) {
        return read(octets, Charset::US_ASCII, Because::Label);
    }
    if octets.is_ascii() {
        return read(octets, escaped(octets).ok_or(DecodeError::UnknownLabel)?, Because::Octets);
    }
    let reads: Vec<Charset> = JAPANESE.into_iter().filter(|charset| charset.decode(octets).is_ok()).collect();
    if simdutf8::basic::from_utf8(octets).is_ok() {
        let is_utf_8 = reads.iter().all(|charset| label_or_utf_8(*charset, octets) == Some(Utf8Verdict::Utf8));
        return if is_utf_8 { read(octets, Charset::UTF_8, Because::Octets) } else { Err(DecodeError::UnknownLabel) };
    }
    let texts: Vec<Charset> = reads.iter().copied().filter(|charset| holds(octets, *charset)).collect();
    let (found, because) = match &texts[..] {
        _ if reads.len() > 1 && is_half_width(octets) => by_names(&reads, witnesses),
        [] => None,
        [found] => Some((*found, Because::Octets)),
        _ => by_octets(octets, &texts).or_else(|| by_names(&texts, witnesses)),
    }
    .ok_or(DecodeError::UnknownLabel)?;
    read(octets, found, because)
}

/// Returns `true` if octets above 7F are half-width katakana in EUC-JP, and nothing else: each pair of them is a kanji
/// of code page 932 as well.
fn is_half_width(octets: &[u8]) -> bool {
    let mut rest = octets.iter().filter(|octet| !octet.is_ascii());
    std::iter::from_fn(|| Some((rest.next()?, rest.next()))).all(|pair| matches!(pair, (0x8E, Some(0xA1..=0xDF))))
}

/// Finds the one of these charsets in which a text has no hard fault, where it has some in all others, or else the one
/// that statistics name.
fn by_octets(octets: &[u8], charsets: &[Charset]) -> Option<(Charset, Because)> {
    let found = by_faults(octets, charsets);
    let found = found.or_else(|| detect(vec![octets]).pop().filter(|charset| charsets.contains(charset)))?;
    Some((found, Because::Octets))
}

/// Finds the one of these charsets in which a text has no hard fault, where it has some in all others.
fn by_faults(octets: &[u8], charsets: &[Charset]) -> Option<Charset> {
    let mut good = charsets.iter().copied().filter(|charset| has_no_hard_fault(octets, *charset));
    good.next().filter(|_| good.next().is_none())
}

/// Returns `true` if a text that is read in a charset has no hard fault.
fn has_no_hard_fault(octets: &[u8], charset: Charset) -> bool {
    let (text, _) = charset.decode_lossy(octets);
    faults::of_label(faults::looked_at(&text), Han::All).hard == 0
}

/// Finds the first of these charsets that a neighbour or the settings name.
fn by_names(charsets: &[Charset], witnesses: &Witnesses) -> Option<(Charset, Because)> {
    let mut testified = witnesses.named().into_iter().flatten().filter(|neighbour| neighbour.has_testified);
    if let Some(neighbour) = testified.find(|neighbour| charsets.contains(&neighbour.charset)) {
        return Some((neighbour.charset, neighbour.because));
    }
    let mut listed = witnesses.unlabelled.iter().filter_map(|entry| entry.charset());
    Some((listed.find(|charset| charsets.contains(charset))?, Because::Unlabelled))
}

#[cfg(test)]
mod tests {
    use super::super::{Neighbour, judge, only};
    use super::*;
    use crate::charset::Labels;

    fn judged(octets: &[u8], witnesses: &Witnesses) -> Result<(Charset, Because), DecodeError> {
        let read = judge(octets, Some(b"x-JISAutoDetect"), witnesses)?;
        Ok((read.charset, read.because))
    }

    #[test]
    fn the_octets_say_which_of_the_three() {
        let labels = Labels::default();
        let none = Witnesses::none(&labels);
        let texts = ["明日の会議は三時からです。", "テスト", "了解しました", "ﾃｽﾄです", "東京都", "あ"];
        for charset in [Charset::ISO_2022_JP_MS, Charset::EUC_JP, Charset::WINDOWS_31J] {
            for text in texts {
                let octets = charset.encode(text).expect("Japanese");
                if let Ok(read) = judge(&octets, Some(b"JISAutoDetect"), &none) {
                    assert_eq!(read.text, text, "{}", charset.name());
                }
            }
        }
        let euc = Charset::EUC_JP.encode(texts[0]).expect("Japanese");
        assert_eq!(judged(&euc, &none), Ok((Charset::EUC_JP, Because::Octets)));
        let sjis = Charset::WINDOWS_31J.encode(texts[0]).expect("Japanese");
        assert_eq!(judged(&sjis, &none), Ok((Charset::WINDOWS_31J, Because::Octets)));
        assert_eq!(judged("会議".as_bytes(), &none), Ok((Charset::UTF_8, Because::Octets)));
        assert_eq!(judged(b"plain", &none), Ok((Charset::US_ASCII, Because::Label)));
        assert_eq!(judged(b"Gr\xFC\xDFe aus K\xF6ln", &none), Err(DecodeError::UnknownLabel), "none of the three");
    }

    /// Half-width katakana in pairs are kanji in EUC-JP.
    #[test]
    fn what_the_octets_do_not_tell_a_witness_does_if_the_label_names_its_charset() {
        let labels = Labels::default();
        let (octets, none) = (b"\xB6\xC5\xC3\xBD", Witnesses::none(&labels));
        assert_eq!(judged(octets, &none), Err(DecodeError::UnknownLabel));
        assert_eq!(judged(b"\x8E\xC3\x8E\xBD\x8E\xC4", &none), Err(DecodeError::UnknownLabel), "or three kanji");
        for (charset, wanted) in [
            (Charset::WINDOWS_1252, Err(DecodeError::UnknownLabel)),
            (Charset::WINDOWS_31J, Ok((Charset::WINDOWS_31J, Because::Part))),
        ] {
            let testified = Neighbour { charset, because: Because::Part, has_testified: true };
            assert_eq!(judged(octets, &Witnesses { neighbours: only(testified), ..none }), wanted);
        }
    }
}
