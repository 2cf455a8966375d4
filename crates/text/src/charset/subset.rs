//! East Asian charsets as they are registered, narrower than the code pages that are read in their place.
//!
//! Windows writes its own additions under the registered labels, so that mail is read with the code page
//! ([`super::Labels::find`]); but what is written under `gb2312` or `shift_jis` must hold only characters that every
//! reader of that label knows.

use encoding_rs::Encoding;

use super::sink::{Flow, NO_CHARACTER, TextSink, encode_each};
use super::whatwg;
use crate::fault::MappingError;

/// A charset that has some of the two-octet characters of an encoding, and all of its other ones.
pub(super) struct Subset {
    pub base: &'static Encoding,
    /// Whether an octet begins a character of two.
    pub is_lead: fn(u8) -> bool,
    /// Whether the charset has the character of two octets.
    pub has: fn(u8, u8) -> bool,
    /// Whether an octet below 80 may end a character of two.
    pub ascii_trails: bool,
    /// Characters that the base's encoder folds to others.
    pub folded: &'static [char],
}

/// GB 2312-80 in EUC form: rows 1..=9 with their holes, hanzi in rows 16..=87.
pub(super) static GB2312: Subset =
    Subset { base: encoding_rs::GBK, is_lead: is_high, has: is_gb2312, ascii_trails: false, folded: &[] };

/// KS X 1001 in EUC form.
pub(super) static EUC_KR: Subset = Subset {
    base: encoding_rs::EUC_KR,
    is_lead: is_high,
    has: |lead, trail| (0xA1..=0xFE).contains(&lead) && (0xA1..=0xFE).contains(&trail),
    ascii_trails: false,
    folded: &[],
};

/// JIS X 0201 and JIS X 0208: rows 1..=8 and 16..=84.
pub(super) static SHIFT_JIS: Subset = Subset {
    base: encoding_rs::SHIFT_JIS,
    is_lead: |octet| matches!(octet, 0x81..=0x9F | 0xE0..=0xFC),
    has: |lead, trail| matches!((lead, trail), (0x81..=0x84 | 0x89..=0x9F | 0xE0..=0xEA, 0x40..) | (0x88, 0x9F..)),
    ascii_trails: true,
    folded: &super::JAPANESE_FOLDINGS,
};

/// Returns `true` if an octet may begin a character of two, in EUC and the code pages that extend it.
fn is_high(octet: u8) -> bool {
    octet >= 0x81
}

/// Returns `true` if two octets are a character of GB 2312-80.
pub(super) fn is_gb2312(lead: u8, trail: u8) -> bool {
    match (lead, trail) {
        (_, ..=0xA0 | 0xFF) => false,
        (0xA1 | 0xA3, _) | (0xB0..=0xD6 | 0xD8..=0xF7, _) => true,
        (0xA2, 0xB1..=0xE2 | 0xE5..=0xEE | 0xF1..=0xFC) => true,
        (0xA4, ..=0xF3) | (0xA5, ..=0xF6) | (0xA6, ..=0xB8 | 0xC1..=0xD8) => true,
        (0xA7, ..=0xC1 | 0xD1..=0xF1) | (0xA8, ..=0xBA | 0xC5..=0xE9) | (0xA9, 0xA4..=0xEF) => true,
        (0xD7, ..=0xF9) => true,
        _ => false,
    }
}

impl Subset {
    /// Decodes octets: the base's decoder reads the runs of characters that the charset has, and each that it lacks is
    /// a fault between them.
    pub fn decode(&self, bytes: &[u8], sink: &mut TextSink) -> Flow {
        let (mut from, mut at) = (0, 0);
        while let Some(octet) = bytes.get(at) {
            let trail = match (self.is_lead)(*octet) {
                true => bytes.get(at + 1).copied(),
                false => None,
            };
            at += 1;
            let trail = match trail {
                Some(trail) => trail,
                // The Encoding Standard reads it as a euro sign, or as itself; `has` says that it is neither.
                None if *octet == 0x80 => 0,
                // One octet, or a lead octet at the end, which the base's decoder finds to be cut.
                None => continue,
            };
            if (self.has)(*octet, trail) {
                at += 1;
                continue;
            }
            whatwg::decode(self.base, bytes.get(from..at - 1).unwrap_or_default(), from, sink)?;
            sink.fault(at - 1, NO_CHARACTER)?;
            // An octet of ASCII is never part of a fault: it may be a line end or a quote.
            at += usize::from(!trail.is_ascii());
            from = at;
        }
        let rest = bytes.get(from..).unwrap_or_default();
        whatwg::decode(self.base, rest, from, sink)
    }

    /// Encodes text; the first character that the charset lacks is an error.
    pub fn encode(&self, text: &str) -> Result<Vec<u8>, MappingError> {
        encode_each(text, |character, out| {
            let found = Some(character).filter(|character| !self.folded.contains(character))?;
            match whatwg::encode_one(self.base, found)? {
                ([octet, ..], 1) if octet != 0x80 => out.push(octet),
                ([lead, trail, ..], 2) if (self.has)(lead, trail) => out.extend([lead, trail]),
                _ => return None,
            }
            Some(())
        })
    }
}
