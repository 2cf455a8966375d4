//! The national forms of ISO 646: ASCII but for a few letters where other countries have brackets.
//!
//! Mail from before MIME had them by agreement, and RFC 1345 made labels of them. The changes are those of RFC 1345, as
//! glibc has them too. An octet above 7F is none of theirs.

use super::single_byte::{NONE, SingleByte};

/// Makes a national form of what differs from ASCII.
const fn national(changes: &[(u8, char)]) -> SingleByte {
    SingleByte::of(&[NONE; 128]).with(changes)
}

/// German (`din_66003`).
pub(super) static DE: SingleByte = national(&[
    (b'@', '§'),
    (b'[', 'Ä'),
    (b'\\', 'Ö'),
    (b']', 'Ü'),
    (b'{', 'ä'),
    (b'|', 'ö'),
    (b'}', 'ü'),
    (b'~', 'ß'),
]);

/// Swedish (`sen_850200_b`).
pub(super) static SE: SingleByte = national(&[
    (b'$', '¤'),
    (b'[', 'Ä'),
    (b'\\', 'Ö'),
    (b']', 'Å'),
    (b'{', 'ä'),
    (b'|', 'ö'),
    (b'}', 'å'),
    (b'~', '‾'),
]);

/// Swedish, for names (`sen_850200_c`).
pub(super) static SE2: SingleByte = national(&[
    (b'$', '¤'),
    (b'@', 'É'),
    (b'[', 'Ä'),
    (b'\\', 'Ö'),
    (b']', 'Å'),
    (b'^', 'Ü'),
    (b'`', 'é'),
    (b'{', 'ä'),
    (b'|', 'ö'),
    (b'}', 'å'),
    (b'~', 'ü'),
]);

/// French (`nf_z_62-010`).
pub(super) static FR: SingleByte = national(&[
    (b'#', '£'),
    (b'@', 'à'),
    (b'[', '°'),
    (b'\\', 'ç'),
    (b']', '§'),
    (b'`', 'µ'),
    (b'{', 'é'),
    (b'|', 'ù'),
    (b'}', 'è'),
    (b'~', '¨'),
]);

/// French, the first edition (`nf_z_62-010_(1973)`).
pub(super) static FR1: SingleByte = national(&[
    (b'#', '£'),
    (b'@', 'à'),
    (b'[', '°'),
    (b'\\', 'ç'),
    (b']', '§'),
    (b'{', 'é'),
    (b'|', 'ù'),
    (b'}', 'è'),
    (b'~', '¨'),
]);

/// Italian (`iso646-it`).
pub(super) static IT: SingleByte = national(&[
    (b'#', '£'),
    (b'@', '§'),
    (b'[', '°'),
    (b'\\', 'ç'),
    (b']', 'é'),
    (b'`', 'ù'),
    (b'{', 'à'),
    (b'|', 'ò'),
    (b'}', 'è'),
    (b'~', 'ì'),
]);

/// Spanish (`iso646-es`).
pub(super) static ES: SingleByte = national(&[
    (b'#', '£'),
    (b'@', '§'),
    (b'[', '¡'),
    (b'\\', 'Ñ'),
    (b']', '¿'),
    (b'{', '°'),
    (b'|', 'ñ'),
    (b'}', 'ç'),
]);

/// Spanish, by IBM (`iso646-es2`).
pub(super) static ES2: SingleByte = national(&[
    (b'@', '•'),
    (b'[', '¡'),
    (b'\\', 'Ñ'),
    (b']', 'Ç'),
    (b'^', '¿'),
    (b'{', '´'),
    (b'|', 'ñ'),
    (b'}', 'ç'),
    (b'~', '¨'),
]);

/// Portuguese (`iso646-pt`).
pub(super) static PT: SingleByte = national(&[
    (b'@', '§'),
    (b'[', 'Ã'),
    (b'\\', 'Ç'),
    (b']', 'Õ'),
    (b'{', 'ã'),
    (b'|', 'ç'),
    (b'}', 'õ'),
    (b'~', '°'),
]);

/// Portuguese, by IBM (`iso646-pt2`).
pub(super) static PT2: SingleByte =
    national(&[(b'@', '´'), (b'[', 'Ã'), (b'\\', 'Ç'), (b']', 'Õ'), (b'{', 'ã'), (b'|', 'ç'), (b'}', 'õ')]);

/// British (`bs_4730`).
pub(super) static GB: SingleByte = national(&[(b'#', '£'), (b'~', '‾')]);

/// Norwegian (`ns_4551-1`).
pub(super) static NO: SingleByte =
    national(&[(b'[', 'Æ'), (b'\\', 'Ø'), (b']', 'Å'), (b'{', 'æ'), (b'|', 'ø'), (b'}', 'å'), (b'~', '‾')]);

/// Norwegian, the second (`ns_4551-2`).
pub(super) static NO2: SingleByte = national(&[
    (b'#', '§'),
    (b'[', 'Æ'),
    (b'\\', 'Ø'),
    (b']', 'Å'),
    (b'{', 'æ'),
    (b'|', 'ø'),
    (b'}', 'å'),
    (b'~', '|'),
]);

/// Danish (`ds_2089`).
pub(super) static DK: SingleByte =
    national(&[(b'[', 'Æ'), (b'\\', 'Ø'), (b']', 'Å'), (b'{', 'æ'), (b'|', 'ø'), (b'}', 'å')]);

/// Hungarian (`msz_7795.3`).
pub(super) static HU: SingleByte = national(&[
    (b'$', '¤'),
    (b'@', 'Á'),
    (b'[', 'É'),
    (b'\\', 'Ö'),
    (b']', 'Ü'),
    (b'`', 'á'),
    (b'{', 'é'),
    (b'|', 'ö'),
    (b'}', 'ü'),
    (b'~', '˝'),
]);

/// Serbo-Croatian and Slovenian (`jus_i.b1.002`).
pub(super) static YU: SingleByte = national(&[
    (b'@', 'Ž'),
    (b'[', 'Š'),
    (b'\\', 'Đ'),
    (b']', 'Ć'),
    (b'^', 'Č'),
    (b'`', 'ž'),
    (b'{', 'š'),
    (b'|', 'đ'),
    (b'}', 'ć'),
    (b'~', 'č'),
]);

/// Canadian (`csa_z243.4-1985-1`).
pub(super) static CA: SingleByte = national(&[
    (b'@', 'à'),
    (b'[', 'â'),
    (b'\\', 'ç'),
    (b']', 'ê'),
    (b'^', 'î'),
    (b'`', 'ô'),
    (b'{', 'é'),
    (b'|', 'ù'),
    (b'}', 'è'),
    (b'~', 'û'),
]);

/// Japanese, Latin (`jis_c6220-1969-ro`).
pub(super) static JP: SingleByte = national(&[(b'\\', '¥'), (b'~', '‾')]);
