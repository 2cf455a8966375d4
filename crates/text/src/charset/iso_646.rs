//! The national forms of ISO 646: ASCII but for a few letters where other countries have brackets.
//!
//! Mail from before MIME had them by agreement, and RFC 1345 made labels of them. The changes are those of RFC 1345, as
//! glibc has them too. An octet above 7F is none of theirs.

use super::single_byte::{NONE, SingleByte, put};

/// The octets that a nation may put other characters at.
const NATIONAL: [u8; 12] = *b"#$@[\\]^`{|}~";

/// Makes a national form of the characters at these octets.
const fn national(text: &str) -> SingleByte {
    let mut own = [NONE; NATIONAL.len()];
    assert!(put(&mut own, 0, text) == own.len());
    let mut characters = SingleByte::ASCII.characters;
    let mut next = 0;
    while next < own.len() {
        characters[NATIONAL[next] as usize] = own[next];
        next += 1;
    }
    SingleByte::of(characters)
}

/// German (`din_66003`).
pub(super) static DE: SingleByte = national("#$§ÄÖÜ^`äöüß");

/// Swedish (`sen_850200_b`).
pub(super) static SE: SingleByte = national("#¤@ÄÖÅ^`äöå‾");

/// Swedish, for names (`sen_850200_c`).
pub(super) static SE2: SingleByte = national("#¤ÉÄÖÅÜéäöåü");

/// French (`nf_z_62-010`).
pub(super) static FR: SingleByte = national("£$à°ç§^µéùè¨");

/// French, the first edition (`nf_z_62-010_(1973)`).
pub(super) static FR1: SingleByte = national("£$à°ç§^`éùè¨");

/// Italian (`iso646-it`).
pub(super) static IT: SingleByte = national("£$§°çé^ùàòèì");

/// Spanish (`iso646-es`).
pub(super) static ES: SingleByte = national("£$§¡Ñ¿^`°ñç~");

/// Spanish, by IBM (`iso646-es2`).
pub(super) static ES2: SingleByte = national("#$•¡ÑÇ¿`´ñç¨");

/// Portuguese (`iso646-pt`).
pub(super) static PT: SingleByte = national("#$§ÃÇÕ^`ãçõ°");

/// Portuguese, by IBM (`iso646-pt2`).
pub(super) static PT2: SingleByte = national("#$´ÃÇÕ^`ãçõ~");

/// British (`bs_4730`).
pub(super) static GB: SingleByte = national("£$@[\\]^`{|}‾");

/// Norwegian (`ns_4551-1`).
pub(super) static NO: SingleByte = national("#$@ÆØÅ^`æøå‾");

/// Norwegian, the second (`ns_4551-2`).
pub(super) static NO2: SingleByte = national("§$@ÆØÅ^`æøå|");

/// Danish (`ds_2089`).
pub(super) static DK: SingleByte = national("#$@ÆØÅ^`æøå~");

/// Hungarian (`msz_7795.3`).
pub(super) static HU: SingleByte = national("#¤ÁÉÖÜ^áéöü˝");

/// Serbo-Croatian and Slovenian (`jus_i.b1.002`).
pub(super) static YU: SingleByte = national("#$ŽŠĐĆČžšđćč");

/// Canadian (`csa_z243.4-1985-1`).
pub(super) static CA: SingleByte = national("#$àâçêîôéùèû");

/// Japanese, Latin (`jis_c6220-1969-ro`).
pub(super) static JP: SingleByte = national("#$@[¥]^`{|}‾");
