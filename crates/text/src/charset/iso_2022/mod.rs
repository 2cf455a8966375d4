//! The 7-bit charsets that switch between sets by escape sequences: iso-2022-jp, -kr and -cn.
//!
//! ISO/IEC 2022 has four registers, G0 to G3. An escape sequence designates a set to one of them; G0 is what octets
//! 21..=7E mean, SO puts G1 in its place until SI, and ESC N takes one character from G2. Each of the charsets here is
//! a choice among these: Japanese mail designates to G0 and never shifts (RFC 1468, RFC 2237, RFC 1554), Korean mail
//! designates KS X 1001 to G1 once and shifts (RFC 1557), Chinese mail designates to G1 and G2 and shifts (RFC 1922).
//!
//! Reading is one walk for all of them that knows every sequence: no sequence means two things, and mail mixes the
//! labels up. What is written under a label holds only what its RFC has.
//!
//! Three things are read that the Encoding Standard calls errors, because mail has them and they are unambiguous:
//! sequences next to one another (they arise when encoded-words are joined), a text that ends outside ASCII, and a
//! space or a control inside a run of two-octet characters. A line that ends outside ASCII breaks the rule of all these
//! RFCs, and readers differ in what the next line means; so it is a fault unless nothing depends on it, because the
//! next text begins with a sequence. SO and SI, of which RFC 1468 knows nothing, are half-width katakana in Japanese
//! mail (code page 50222).

mod cns;
mod decode;
mod encode;
mod set;

pub(super) use decode::decode;
pub(super) use encode::encode;
pub(super) use set::Set;

const ESC: u8 = 0x1B;
const SO: u8 = 0x0E;
const SI: u8 = 0x0F;

/// The rules that octets of 7 bits may break, here and in HZ.
pub(super) const HIGH: &str = "an octet above 7F in a 7-bit charset";
pub(super) const HALF: &str = "half of a two-octet character";
pub(super) const NO_CHARACTER: &str = "octets that are no character of the set";
pub(super) const LINE_END: &str = "a line ends outside ASCII";

/// One charset of the family.
pub(super) struct Flavour {
    /// What G1 holds before anything is designated to it.
    g1: Option<Set>,
    /// Whether octets above 7F beside ASCII are those of code page 932.
    high: bool,
    /// The sets that are written. A character is written in the first that has it, but for ASCII and the set in use,
    /// which come before all.
    sets: &'static [Set],
    /// Whether sets are designated to G1 and shifted to, as in Korean and Chinese mail, or designated to G0. Where they
    /// are shifted to, a line end undoes SO when it is read; what G0 holds stays as it is.
    shifts: bool,
}

/// RFC 1468.
pub(super) static JP: Flavour =
    Flavour { g1: Some(Set::Kana), high: false, sets: &[Set::Jis0208, Set::Roman], shifts: false };

/// RFC 2237.
pub(super) static JP_1: Flavour = Flavour { sets: &[Set::Jis0208, Set::Jis0212, Set::Roman], ..JP };

/// RFC 1554.
pub(super) static JP_2: Flavour = Flavour {
    sets: &[Set::Jis0208, Set::Jis0212, Set::Gb2312, Set::Ksc5601, Set::Latin1, Set::Greek, Set::Roman],
    ..JP
};

/// Windows code pages 50220 to 50222; half-width katakana are written behind their sequence, and read behind SO as
/// well.
pub(super) static JP_MS: Flavour = Flavour { sets: &[Set::Jis0208Wide, Set::Kana, Set::Roman], ..JP };

/// The same with octets of code page 932 between the sequences.
pub(super) static JP_8: Flavour = Flavour { high: true, ..JP_MS };

/// JIS X 0213:2000, annex 2.
///
/// What JIS X 0208 has is written in that, as in the other charsets of this family and with the same six symbols of
/// code page 932: more readers know its sequence.
pub(super) static JP_3: Flavour =
    Flavour { sets: &[Set::Jis0208, Set::Jis0213Of2000, Set::Jis0213Plane2, Set::Roman], ..JP };

/// JIS X 0213:2004, annex 2: the same with ten ideographs more, behind a sequence of their own.
pub(super) static JP_2004: Flavour =
    Flavour { sets: &[Set::Jis0208, Set::Jis0213, Set::Jis0213Plane2, Set::Roman], ..JP };

/// RFC 1557; encoded-words often lack the designation, and there is only one that it could be.
pub(super) static KR: Flavour = Flavour { g1: Some(Set::Ksc5601), high: false, sets: &[Set::Ksc5601], shifts: true };

/// RFC 1922.
pub(super) static CN: Flavour = Flavour { g1: None, sets: &[Set::Gb2312, Set::Cns1, Set::Cns2], ..KR };

/// Returns `true` if octets and text are the same, in either direction: ASCII without sequences and shifts.
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    bytes.is_ascii() && memchr::memchr3(ESC, SO, SI, bytes).is_none()
}
