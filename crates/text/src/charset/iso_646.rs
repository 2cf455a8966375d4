//! The national forms of ISO 646: ASCII but for a few letters where other countries have brackets.
//!
//! Mail from before MIME had them by agreement, and RFC 1345 made labels of them. The changes are those of RFC 1345, as
//! glibc has them too. An octet above 7F is none of theirs.

use super::single_byte::SingleByte;

/// German (`din_66003`).
pub(super) const DE: SingleByte = SingleByte::national("#$§ÄÖÜ^`äöüß");

/// Swedish (`sen_850200_b`).
pub(super) const SE: SingleByte = SingleByte::national("#¤@ÄÖÅ^`äöå‾");

/// Swedish, for names (`sen_850200_c`).
pub(super) const SE2: SingleByte = SingleByte::national("#¤ÉÄÖÅÜéäöåü");

/// French (`nf_z_62-010`).
pub(super) const FR: SingleByte = SingleByte::national("£$à°ç§^µéùè¨");

/// French, the first edition (`nf_z_62-010_(1973)`).
pub(super) const FR1: SingleByte = SingleByte::national("£$à°ç§^`éùè¨");

/// Italian (`iso646-it`).
pub(super) const IT: SingleByte = SingleByte::national("£$§°çé^ùàòèì");

/// Spanish (`iso646-es`).
pub(super) const ES: SingleByte = SingleByte::national("£$§¡Ñ¿^`°ñç~");

/// Spanish, by IBM (`iso646-es2`).
pub(super) const ES2: SingleByte = SingleByte::national("#$•¡ÑÇ¿`´ñç¨");

/// Portuguese (`iso646-pt`).
pub(super) const PT: SingleByte = SingleByte::national("#$§ÃÇÕ^`ãçõ°");

/// Portuguese, by IBM (`iso646-pt2`).
pub(super) const PT2: SingleByte = SingleByte::national("#$´ÃÇÕ^`ãçõ~");

/// British (`bs_4730`).
pub(super) const GB: SingleByte = SingleByte::national("£$@[\\]^`{|}‾");

/// Norwegian (`ns_4551-1`).
pub(super) const NO: SingleByte = SingleByte::national("#$@ÆØÅ^`æøå‾");

/// Norwegian, the second (`ns_4551-2`).
pub(super) const NO2: SingleByte = SingleByte::national("§$@ÆØÅ^`æøå|");

/// Danish (`ds_2089`).
pub(super) const DK: SingleByte = SingleByte::national("#$@ÆØÅ^`æøå~");

/// Hungarian (`msz_7795.3`).
pub(super) const HU: SingleByte = SingleByte::national("#¤ÁÉÖÜ^áéöü˝");

/// Serbo-Croatian and Slovenian (`jus_i.b1.002`).
pub(super) const YU: SingleByte = SingleByte::national("#$ŽŠĐĆČžšđćč");

/// Canadian (`csa_z243.4-1985-1`).
pub(super) const CA: SingleByte = SingleByte::national("#$àâçêîôéùèû");

/// Japanese, Latin (`jis_c6220-1969-ro`).
pub(super) const JP: SingleByte = SingleByte::national("#$@[¥]^`{|}‾");
