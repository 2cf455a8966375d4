//! Every charset that septet knows: its name, how it is read and written, and its labels.
//!
//! Names are the preferred MIME names of IANA's registry, or what mail calls the charset where IANA has none. The
//! labels come from that registry, from the WHATWG Encoding Standard and, where a line says so, from elsewhere.
//! Labels are compared as [`super::label`] says, without hyphens and case, so that `iso_8859-1` and `ISO8859-1` need no
//! entry of their own.
//!
//! Left out on purpose: `utf-7-imap` (mailbox names, not text); the EBCDIC code pages, which no mail uses.

use encoding_rs::Encoding;

use super::iso_2022::{CN, JP, JP_1, JP_2, JP_3, JP_8, JP_2004, JP_MS, KR};
use super::jis_2004::JisEncoding;
use super::single_byte::{Base, SingleByte};
use super::subset::{EUC_KR, GB2312, SHIFT_JIS};
use super::utf_16::ByteOrder;
use super::{Charset, CharsetEntry, Coder, oem_pages, pages};
use crate::utf7::Variant;

/// What the encoders of Shift_JIS and EUC-JP fold: the yen sign and the overline to ASCII, minus to its wide form.
pub(super) const JAPANESE_FOLDINGS: [char; 3] = ['\u{A5}', '\u{203E}', '\u{2212}'];

/// What GB 18030 had in the private use area until its edition of 2022, which the encoder still writes where the
/// characters went.
const CHINESE_FOLDINGS: [char; 18] = [
    '\u{E78D}', '\u{E78E}', '\u{E78F}', '\u{E790}', '\u{E791}', '\u{E792}', '\u{E793}', '\u{E794}', '\u{E795}',
    '\u{E796}', '\u{E81E}', '\u{E826}', '\u{E82B}', '\u{E82C}', '\u{E832}', '\u{E843}', '\u{E854}', '\u{E864}',
];

macro_rules! charsets {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $coder:expr, [$($label:literal),* $(,)?];)*) => {
        /// The numbers of the charsets.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Number {
            $($constant),*
        }

        impl Charset {
            $(
                $(#[$doc])*
                pub const $constant: Charset =
                    Charset(&CharsetEntry { name: $name, number: Number::$constant as usize, coder: $coder, labels: &[$($label),*] });
            )*

            /// Returns every charset that a label may mean: all but [`Charset::UNKNOWN_8BIT`].
            pub const fn all() -> &'static [Charset] {
                &[$(Charset::$constant),*]
            }
        }
    };
}

/// A charset of the Encoding Standard of one octet a character.
const fn web(encoding: &'static Encoding) -> Coder {
    Coder::SingleByte(SingleByte::of(Base::Web(encoding, encoding)))
}

/// A Windows code page, without the C1 controls that the standard has at the octets which the page leaves undefined
/// (Unicode's bestfit tables, CP125x.TXT).
const fn windows(encoding: &'static Encoding) -> Coder {
    Coder::SingleByte(SingleByte::of(Base::Windows(encoding)))
}

/// A charset of ISO 8859 with the characters of a Windows code page at 80..=9F; what that leaves undefined is the C1
/// control of the same number, and no fault.
const fn with_windows(encoding: &'static Encoding, beside: &'static Encoding) -> Coder {
    Coder::SingleByte(SingleByte::of(Base::Web(encoding, beside)))
}

/// A national form of ISO 646: ASCII but for the characters at the twelve octets that are a nation's own (`#$@[\]^`,
/// the grave accent and `{|}~`), given in this order. Mail from before MIME had them by agreement, and RFC 1345 made
/// labels of them; the forms are those of RFC 1345, as glibc has them too. An octet above 7F is none of theirs.
const fn national(own: &'static str) -> Coder {
    Coder::SingleByte(SingleByte::of(Base::National(own)))
}

charsets! {
    /// UTF-8 (RFC 3629).
    UTF_8 = "utf-8", Coder::Utf8, [
        "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8", "csUTF8", "cp65001", "utf8mb4",
    ];
    /// CESU-8 (Unicode Technical Report 26): UTF-8 of surrogates.
    CESU_8 = "cesu-8", Coder::Cesu8, ["csCESU-8"];
    /// US-ASCII (RFC 20): an octet above 7F is malformed.
    US_ASCII = "us-ascii", Coder::Ascii, [
        "ascii", "ansi_x3.4-1968", "ansi_x3.4-1986", "iso_646.irv:1991", "iso-ir-6", "iso646-us", "us", "ibm367",
        "cp367", "csASCII", "cp20127",
    ];
    /// UTF-7 with surrogate pairs (RFC 2152).
    UTF_7 = "utf-7", Coder::Utf7(Variant::Rfc2152), ["csUTF7", "unicode-2-0-utf-7", "cp65000"];
    /// UTF-7 of UCS-2 alone (RFC 1642).
    UNICODE_1_1_UTF_7 = "unicode-1-1-utf-7", Coder::Utf7(Variant::Rfc1642), ["csUnicode11UTF7"];
    /// UTF-16 with a byte order mark; without one it is read in the order that the text shows, and big-endian where it
    /// shows none (RFC 2781 §4.3).
    UTF_16 = "utf-16", Coder::Utf16(ByteOrder::Marked), ["csUTF16", "iso-10646-ucs-2", "csUnicode", "ucs-2"];
    /// UTF-16, big-endian (RFC 2781).
    UTF_16BE = "utf-16be", Coder::Utf16(ByteOrder::Big), ["csUTF16BE", "unicodefffe", "cp1201", "ucs-2be"];
    /// UTF-16, little-endian (RFC 2781).
    UTF_16LE = "utf-16le", Coder::Utf16(ByteOrder::Little), ["csUTF16LE", "unicodefeff", "cp1200", "ucs-2le"];
    /// UTF-32 with a byte order mark; without one it is read as UTF-16 is.
    UTF_32 = "utf-32", Coder::Utf32(ByteOrder::Marked), ["csUTF32", "iso-10646-ucs-4", "csUCS4", "ucs-4"];
    /// UTF-32, big-endian.
    UTF_32BE = "utf-32be", Coder::Utf32(ByteOrder::Big), ["csUTF32BE", "ucs-4be", "cp12001"];
    /// UTF-32, little-endian.
    UTF_32LE = "utf-32le", Coder::Utf32(ByteOrder::Little), ["csUTF32LE", "ucs-4le", "cp12000"];

    /// Latin-1 with C1 controls, as it is registered; mail is read as windows-1252.
    ISO_8859_1 = "iso-8859-1", Coder::SingleByte(SingleByte::LATIN_1), [
        "iso-ir-100", "iso_8859-1:1987", "latin1", "l1", "ibm819", "cp819", "csISOLatin1", "cp28591",
        "iso-latin-1",
    ];
    /// Latin-2, Central European.
    ISO_8859_2 = "iso-8859-2", web(encoding_rs::ISO_8859_2), [
        "iso-ir-101", "iso_8859-2:1987", "latin2", "l2", "csISOLatin2", "cp912", "cp28592",
    ];
    /// Latin-3, South European.
    ISO_8859_3 = "iso-8859-3", web(encoding_rs::ISO_8859_3), [
        "iso-ir-109", "iso_8859-3:1988", "latin3", "l3", "csISOLatin3", "cp28593",
    ];
    /// Latin-4, North European.
    ISO_8859_4 = "iso-8859-4", web(encoding_rs::ISO_8859_4), [
        "iso-ir-110", "iso_8859-4:1988", "latin4", "l4", "csISOLatin4", "cp28594",
    ];
    /// Cyrillic.
    ISO_8859_5 = "iso-8859-5", web(encoding_rs::ISO_8859_5), [
        "iso-ir-144", "iso_8859-5:1988", "cyrillic", "csISOLatinCyrillic", "cp915", "cp28595",
    ];
    /// Arabic.
    ISO_8859_6 = "iso-8859-6", web(encoding_rs::ISO_8859_6), [
        "iso-ir-127", "iso_8859-6:1987", "ecma-114", "asmo-708", "arabic", "csISOLatinArabic", "iso-8859-6-e",
        "csISO88596E", "iso-8859-6-i", "csISO88596I", "cp28596",
    ];
    /// Greek.
    ISO_8859_7 = "iso-8859-7", web(encoding_rs::ISO_8859_7), [
        "iso-ir-126", "iso_8859-7:1987", "elot_928", "ecma-118", "greek", "greek8", "sun_eu_greek",
        "csISOLatinGreek", "cp28597",
    ];
    /// Hebrew, in visual order.
    ISO_8859_8 = "iso-8859-8", web(encoding_rs::ISO_8859_8), [
        "iso-ir-138", "iso_8859-8:1988", "hebrew", "visual", "csISOLatinHebrew", "iso-8859-8-e", "csISO88598E",
        "cp28598",
    ];
    /// Hebrew, in logical order.
    ISO_8859_8_I = "iso-8859-8-i", web(encoding_rs::ISO_8859_8_I), ["csISO88598I", "logical", "cp38598"];
    /// Latin-5, Turkish, as it is registered; mail is read as windows-1254.
    ISO_8859_9 = "iso-8859-9", Coder::SingleByte(pages::ISO_8859_9), [
        "iso-ir-148", "iso_8859-9:1989", "latin5", "l5", "csISOLatin5", "cp920", "cp28599",
    ];
    /// Latin-6, Nordic.
    ISO_8859_10 = "iso-8859-10", web(encoding_rs::ISO_8859_10), [
        "iso-ir-157", "iso_8859-10:1992", "latin6", "l6", "csISOLatin6",
    ];
    /// Thai, as it is registered; mail is read as windows-874.
    ISO_8859_11 = "iso-8859-11", Coder::SingleByte(pages::ISO_8859_11), ["iso_8859-11:2001"];
    /// Latin-7, Baltic.
    ISO_8859_13 = "iso-8859-13", web(encoding_rs::ISO_8859_13), ["latin7", "l7", "csISO885913", "cp28603"];
    /// Latin-8, Celtic.
    ISO_8859_14 = "iso-8859-14", web(encoding_rs::ISO_8859_14), [
        "iso-ir-199", "iso_8859-14:1998", "iso-celtic", "latin8", "l8", "csISO885914",
    ];
    /// Latin-9: Latin-1 with the euro sign.
    ISO_8859_15 = "iso-8859-15", web(encoding_rs::ISO_8859_15), [
        "latin-9", "l9", "latin0", "csISOLatin9", "csISO885915", "cp923", "cp28605",
    ];
    /// Latin-10, South-Eastern European.
    ISO_8859_16 = "iso-8859-16", web(encoding_rs::ISO_8859_16), [
        "iso-ir-226", "iso_8859-16:2001", "latin10", "l10", "csISO885916",
    ];

    /// ISO-8859-2 as mail has it: with the quotes and dashes of windows-1250.
    ISO_8859_2_WINDOWS = "iso-8859-2-windows", with_windows(encoding_rs::ISO_8859_2, encoding_rs::WINDOWS_1250), [];
    /// ISO-8859-3 as mail has it: with the quotes and dashes of windows-1252.
    ISO_8859_3_WINDOWS = "iso-8859-3-windows", with_windows(encoding_rs::ISO_8859_3, encoding_rs::WINDOWS_1252), [];
    /// ISO-8859-4 as mail has it: with the quotes and dashes of windows-1257.
    ISO_8859_4_WINDOWS = "iso-8859-4-windows", with_windows(encoding_rs::ISO_8859_4, encoding_rs::WINDOWS_1257), [];
    /// ISO-8859-5 as mail has it: with the quotes and dashes of windows-1251.
    ISO_8859_5_WINDOWS = "iso-8859-5-windows", with_windows(encoding_rs::ISO_8859_5, encoding_rs::WINDOWS_1251), [];
    /// ISO-8859-6 as mail has it: with the quotes and dashes of windows-1256.
    ISO_8859_6_WINDOWS = "iso-8859-6-windows", with_windows(encoding_rs::ISO_8859_6, encoding_rs::WINDOWS_1256), [];
    /// ISO-8859-7 as mail has it: with the quotes and dashes of windows-1253.
    ISO_8859_7_WINDOWS = "iso-8859-7-windows", with_windows(encoding_rs::ISO_8859_7, encoding_rs::WINDOWS_1253), [];
    /// ISO-8859-8 as mail has it: with the quotes and dashes of windows-1255.
    ISO_8859_8_WINDOWS = "iso-8859-8-windows", with_windows(encoding_rs::ISO_8859_8, encoding_rs::WINDOWS_1255), [];
    /// ISO-8859-8-I as mail has it: with the quotes and dashes of windows-1255.
    ISO_8859_8_I_WINDOWS = "iso-8859-8-i-windows", with_windows(encoding_rs::ISO_8859_8_I, encoding_rs::WINDOWS_1255), [];
    /// ISO-8859-10 as mail has it: with the quotes and dashes of windows-1252.
    ISO_8859_10_WINDOWS = "iso-8859-10-windows", with_windows(encoding_rs::ISO_8859_10, encoding_rs::WINDOWS_1252), [];
    /// ISO-8859-13 as mail has it: with the quotes and dashes of windows-1257.
    ISO_8859_13_WINDOWS = "iso-8859-13-windows", with_windows(encoding_rs::ISO_8859_13, encoding_rs::WINDOWS_1257), [];
    /// ISO-8859-14 as mail has it: with the quotes and dashes of windows-1252.
    ISO_8859_14_WINDOWS = "iso-8859-14-windows", with_windows(encoding_rs::ISO_8859_14, encoding_rs::WINDOWS_1252), [];
    /// ISO-8859-15 as mail has it: with the quotes and dashes of windows-1252.
    ISO_8859_15_WINDOWS = "iso-8859-15-windows", with_windows(encoding_rs::ISO_8859_15, encoding_rs::WINDOWS_1252), [];
    /// ISO-8859-16 as mail has it: with the quotes and dashes of windows-1250.
    ISO_8859_16_WINDOWS = "iso-8859-16-windows", with_windows(encoding_rs::ISO_8859_16, encoding_rs::WINDOWS_1250), [];

    /// Windows, Thai.
    WINDOWS_874 = "windows-874", windows(encoding_rs::WINDOWS_874), ["dos-874", "cp874", "ibm874", "ms874", "cswindows874"];
    /// Windows, Central European.
    WINDOWS_1250 = "windows-1250", windows(encoding_rs::WINDOWS_1250), [
        "cp1250", "cswindows1250", "iso-8859-2-windows-latin-2", "csWindows31Latin2",
    ];
    /// Windows, Cyrillic.
    WINDOWS_1251 = "windows-1251", windows(encoding_rs::WINDOWS_1251), ["cp1251", "cswindows1251"];
    /// Windows, Western.
    WINDOWS_1252 = "windows-1252", web(encoding_rs::WINDOWS_1252), [
        "cp1252", "cswindows1252", "ms-ansi", "iso-8859-1-windows-3.0-latin-1", "csWindows30Latin1",
        "iso-8859-1-windows-3.1-latin-1", "csWindows31Latin1",
    ];
    /// Windows, Greek.
    WINDOWS_1253 = "windows-1253", windows(encoding_rs::WINDOWS_1253), ["cp1253", "cswindows1253"];
    /// Windows, Turkish.
    WINDOWS_1254 = "windows-1254", web(encoding_rs::WINDOWS_1254), [
        "cp1254", "cswindows1254", "iso-8859-9-windows-latin-5", "csWindows31Latin5",
    ];
    /// Windows, Hebrew.
    WINDOWS_1255 = "windows-1255", windows(encoding_rs::WINDOWS_1255), ["cp1255", "cswindows1255"];
    /// Windows, Arabic.
    WINDOWS_1256 = "windows-1256", web(encoding_rs::WINDOWS_1256), ["cp1256", "cswindows1256"];
    /// Windows, Baltic.
    WINDOWS_1257 = "windows-1257", windows(encoding_rs::WINDOWS_1257), ["cp1257", "cswindows1257"];
    /// Windows, Vietnamese: letters and combining tone marks.
    WINDOWS_1258 = "windows-1258", windows(encoding_rs::WINDOWS_1258), ["cp1258", "cswindows1258"];

    /// KOI8-R, Russian (RFC 1489).
    KOI8_R = "koi8-r", web(encoding_rs::KOI8_R), ["koi", "koi8", "csKOI8R", "cp20866"];
    /// KOI8-U, Ukrainian (RFC 2319).
    KOI8_U = "koi8-u", web(encoding_rs::KOI8_U), ["csKOI8U", "cp21866"];
    /// KOI8-RU, Ukrainian and Belarusian: the Encoding Standard reads it as KOI8-U, whose signs it does not have.
    KOI8_RU = "koi8-ru", Coder::SingleByte(pages::KOI8_RU), [];
    /// KOI8-T, Tajik.
    KOI8_T = "koi8-t", Coder::SingleByte(pages::KOI8_T), [];
    /// Cyrillic Asian.
    PTCP154 = "ptcp154", Coder::SingleByte(pages::PTCP154), ["csPTCP154", "pt154", "cp154", "cyrillic-asian"];
    /// Kazakh.
    KZ_1048 = "kz-1048", Coder::SingleByte(pages::KZ_1048), ["strk1048-2002", "rk1048", "csKZ1048"];
    /// TIS-620, Thai, as it is registered; mail is read as windows-874.
    TIS_620 = "tis-620", Coder::SingleByte(pages::TIS_620), ["iso-ir-166", "tis620.2533", "csTIS620"];
    /// ECMA-113 in its first edition, Cyrillic: KOI8-E.
    ISO_IR_111 = "iso-ir-111", Coder::SingleByte(pages::ISO_IR_111), [
        "ecma-cyrillic", "koi8-e", "csISO111ECMACyrillic",
    ];
    /// VISCII, Vietnamese (RFC 1456): six letters stand on control codes.
    VISCII = "viscii", Coder::SingleByte(pages::VISCII), ["csVISCII"];
    /// TCVN 5712, Vietnamese.
    TCVN = "tcvn", Coder::SingleByte(pages::TCVN), ["tcvn5712-1", "tcvn5712-1:1993", "tcvn-5712", "x-viet-tcvn5712"];
    /// ARMSCII-8, Armenian.
    ARMSCII_8 = "armscii-8", Coder::SingleByte(pages::ARMSCII_8), [];
    /// Georgian-PS.
    GEORGIAN_PS = "georgian-ps", Coder::SingleByte(pages::GEORGIAN_PS), [];
    /// Georgian-Academy.
    GEORGIAN_ACADEMY = "georgian-academy", Coder::SingleByte(pages::GEORGIAN_ACADEMY), [];
    /// HP Roman-8.
    HP_ROMAN8 = "hp-roman8", Coder::SingleByte(pages::HP_ROMAN8), ["roman8", "r8", "csHPRoman8"];

    /// ISO 646, German.
    DIN_66003 = "din_66003", national("#$§ÄÖÜ^`äöüß"), ["iso-ir-21", "iso646-de", "csISO21German"];
    /// ISO 646, Swedish.
    SEN_850200_B = "sen_850200_b", national("#¤@ÄÖÅ^`äöå‾"), ["iso-ir-10", "iso646-se", "iso646-fi", "csISO10Swedish", "ss636127"];
    /// ISO 646, Swedish, for names.
    SEN_850200_C = "sen_850200_c", national("#¤ÉÄÖÅÜéäöåü"), ["iso-ir-11", "iso646-se2", "csISO11SwedishForNames"];
    /// ISO 646, French.
    NF_Z_62_010 = "nf_z_62-010", national("£$à°ç§^µéùè¨"), ["iso-ir-69", "iso646-fr", "csISO69French"];
    /// ISO 646, French, the first edition.
    NF_Z_62_010_1973 = "nf_z_62-010_(1973)", national("£$à°ç§^`éùè¨"), ["iso-ir-25", "iso646-fr1", "csISO25French"];
    /// ISO 646, Italian.
    ISO646_IT = "iso646-it", national("£$§°çé^ùàòèì"), ["iso-ir-15", "csISO15Italian"];
    /// ISO 646, Spanish.
    ISO646_ES = "iso646-es", national("£$§¡Ñ¿^`°ñç~"), ["iso-ir-17", "csISO17Spanish"];
    /// ISO 646, Spanish, by IBM.
    ISO646_ES2 = "iso646-es2", national("#$•¡ÑÇ¿`´ñç¨"), ["iso-ir-85", "csISO85Spanish2"];
    /// ISO 646, Portuguese.
    ISO646_PT = "iso646-pt", national("#$§ÃÇÕ^`ãçõ°"), ["iso-ir-16", "csISO16Portuguese"];
    /// ISO 646, Portuguese, by IBM.
    ISO646_PT2 = "iso646-pt2", national("#$´ÃÇÕ^`ãçõ~"), ["iso-ir-84", "csISO84Portuguese2"];
    /// ISO 646, British.
    BS_4730 = "bs_4730", national("£$@[\\]^`{|}‾"), ["iso-ir-4", "iso646-gb", "csISO4UnitedKingdom"];
    /// ISO 646, Norwegian.
    NS_4551_1 = "ns_4551-1", national("#$@ÆØÅ^`æøå‾"), ["iso-ir-60", "iso646-no", "csISO60DanishNorwegian", "csISO60Norwegian1"];
    /// ISO 646, Norwegian, the second.
    NS_4551_2 = "ns_4551-2", national("§$@ÆØÅ^`æøå|"), ["iso-ir-61", "iso646-no2", "csISO61Norwegian2"];
    /// ISO 646, Danish.
    DS_2089 = "ds_2089", national("#$@ÆØÅ^`æøå~"), ["iso646-dk", "csISO646Danish"];
    /// ISO 646, Hungarian.
    MSZ_7795_3 = "msz_7795.3", national("#¤ÁÉÖÜ^áéöü˝"), ["iso-ir-86", "iso646-hu", "csISO86Hungarian"];
    /// ISO 646, Serbo-Croatian and Slovenian.
    JUS_I_B1_002 = "jus_i.b1.002", national("#$ŽŠĐĆČžšđćč"), ["iso-ir-141", "iso646-yu", "csISO141JUSIB1002"];
    /// ISO 646, Canadian.
    CSA_Z243_4_1985_1 = "csa_z243.4-1985-1", national("#$àâçêîôéùèû"), ["iso-ir-121", "iso646-ca", "csa7-1", "csISO121Canadian1"];
    /// ISO 646, Japanese, Latin.
    JIS_C6220_1969_RO = "jis_c6220-1969-ro", national("#$@[¥]^`{|}‾"), ["iso-ir-14", "iso646-jp", "csISO14JISC6220ro"];

    /// Mac OS Roman.
    MACINTOSH = "macintosh", web(encoding_rs::MACINTOSH), ["mac", "x-mac-roman", "csMacintosh", "cp10000"];
    /// Mac OS Cyrillic and Ukrainian.
    X_MAC_CYRILLIC = "x-mac-cyrillic", web(encoding_rs::X_MAC_CYRILLIC), [
        "mac-cyrillic", "x-mac-ukrainian", "mac-ukrainian", "mac-ukraine", "cp10007", "cp10017",
    ];
    /// Mac OS Central European.
    X_MAC_CE = "x-mac-ce", Coder::SingleByte(pages::MAC_CENTRAL_EUROPE), [
        "mac-ce", "x-mac-centraleurroman", "mac-centraleurope", "mac-latin2", "cp10029",
    ];
    /// Mac OS Greek.
    X_MAC_GREEK = "x-mac-greek", Coder::SingleByte(pages::MAC_GREEK), ["mac-greek", "cp10006"];
    /// Mac OS Turkish.
    X_MAC_TURKISH = "x-mac-turkish", Coder::SingleByte(pages::MAC_TURKISH), ["mac-turkish", "cp10081"];
    /// Mac OS Icelandic.
    X_MAC_ICELANDIC = "x-mac-icelandic", Coder::SingleByte(pages::MAC_ICELANDIC), [
        "mac-icelandic", "mac-iceland", "cp10079",
    ];
    /// Mac OS Croatian.
    X_MAC_CROATIAN = "x-mac-croatian", Coder::SingleByte(pages::MAC_CROATIAN), ["mac-croatian", "cp10082"];
    /// Mac OS Romanian.
    X_MAC_ROMANIAN = "x-mac-romanian", Coder::SingleByte(pages::MAC_ROMANIAN), ["mac-romanian", "mac-romania", "cp10010"];

    /// OEM, United States.
    IBM437 = "ibm437", Coder::SingleByte(oem_pages::CP437), ["cp437", "437", "csPC8CodePage437", "dos-437"];
    /// OEM, Arabic.
    CP720 = "cp720", Coder::SingleByte(oem_pages::CP720), ["dos-720", "720"];
    /// OEM, Greek.
    CP737 = "cp737", Coder::SingleByte(oem_pages::CP737), ["ibm737", "dos-737", "737"];
    /// OEM, Baltic.
    IBM775 = "ibm775", Coder::SingleByte(oem_pages::CP775), ["cp775", "775", "csPC775Baltic", "dos-775"];
    /// OEM, Western.
    IBM850 = "ibm850", Coder::SingleByte(oem_pages::CP850), ["cp850", "850", "csPC850Multilingual", "dos-850"];
    /// OEM, Central European.
    IBM852 = "ibm852", Coder::SingleByte(oem_pages::CP852), ["cp852", "852", "csPCp852", "dos-852"];
    /// OEM, Cyrillic.
    IBM855 = "ibm855", Coder::SingleByte(oem_pages::CP855), ["cp855", "855", "csIBM855", "dos-855"];
    /// OEM, Turkish.
    IBM857 = "ibm857", Coder::SingleByte(oem_pages::CP857), ["cp857", "857", "csIBM857", "dos-857"];
    /// OEM, Western with the euro sign.
    IBM00858 = "ibm00858", Coder::SingleByte(oem_pages::CP858), [
        "cp00858", "ccsid00858", "858", "pc-multilingual-850+euro", "csIBM00858", "dos-858",
    ];
    /// OEM, Portuguese.
    IBM860 = "ibm860", Coder::SingleByte(oem_pages::CP860), ["cp860", "860", "csIBM860", "dos-860"];
    /// OEM, Icelandic.
    IBM861 = "ibm861", Coder::SingleByte(oem_pages::CP861), ["cp861", "861", "cp-is", "csIBM861", "dos-861"];
    /// OEM, Hebrew.
    IBM862 = "ibm862", Coder::SingleByte(oem_pages::CP862), ["cp862", "862", "csPC862LatinHebrew", "dos-862"];
    /// OEM, Canadian French.
    IBM863 = "ibm863", Coder::SingleByte(oem_pages::CP863), ["cp863", "863", "csIBM863", "dos-863"];
    /// OEM, Arabic in presentation forms.
    IBM864 = "ibm864", Coder::SingleByte(oem_pages::CP864), ["cp864", "864", "csIBM864", "dos-864"];
    /// OEM, Nordic.
    IBM865 = "ibm865", Coder::SingleByte(oem_pages::CP865), ["cp865", "865", "csIBM865", "dos-865"];
    /// OEM, Russian.
    IBM866 = "ibm866", web(encoding_rs::IBM866), ["cp866", "866", "csIBM866", "dos-866"];
    /// OEM, Modern Greek.
    IBM869 = "ibm869", Coder::SingleByte(oem_pages::CP869), ["cp869", "869", "cp-gr", "csIBM869", "dos-869"];
    /// OEM, Ukrainian.
    CP1125 = "cp1125", Coder::SingleByte(pages::CP1125), ["ibm1125", "cp866u", "ruscii"];

    /// Simplified Chinese, as it is registered; mail is read as gb18030.
    GB2312 = "gb2312", Coder::Subset(&GB2312), [
        "gb_2312-80", "csISO58GB231280", "iso-ir-58", "chinese", "csGB2312", "euc-cn", "cn-gb",
        // Windows' number and IBM's.
        "cp20936", "cp1383", "ibm1383",
    ];
    /// Simplified Chinese, code page 936; mail is read as gb18030.
    GBK = "gbk", Coder::Whatwg(encoding_rs::GBK, &CHINESE_FOLDINGS), [
        "cp936", "ms936", "windows-936", "csGBK",
        // IBM's numbers, which have GB 2312 and less of the rest.
        "cp1381", "ibm1381", "cp1386", "ibm1386",
    ];
    /// Chinese, all of Unicode (GB 18030).
    GB18030 = "gb18030", Coder::Whatwg(encoding_rs::GB18030, &CHINESE_FOLDINGS), ["csGB18030", "cp54936"];
    /// HZ: GB 2312 in 7 bits (RFC 1843).
    HZ_GB_2312 = "hz-gb-2312", Coder::Hz, ["hz", "cp52936"];
    /// Chinese in 7 bits (RFC 1922), read with the -EXT's designations as far as the tables go.
    ISO_2022_CN = "iso-2022-cn", Coder::Iso2022(&CN), [
        "csISO2022CN", "iso-2022-cn-ext", "csISO2022CNEXT",
        // Java's.
        "iso-2022-cn-gb",
    ];
    /// Traditional Chinese, read with the additions of Hong Kong and ETEN.
    BIG5 = "big5", Coder::Whatwg(encoding_rs::BIG5, &[]), [
        "csBig5", "cn-big5", "x-x-big5", "big5-hkscs", "csBig5HKSCS", "big5-eten", "big-five", "cp950",
        "windows-950",
        // Java's, and IBM's number.
        "big5-hkscs-2001", "big5-solaris", "ms950-hkscs", "ibm950",
    ];

    /// Traditional Chinese, EUC: CNS 11643, planes 1 and 2.
    EUC_TW = "euc-tw", Coder::EucTw, [
        "csEUCTW", "cns11643",
        // IBM's number.
        "cp964", "ibm964",
    ];

    /// Japanese, EUC.
    EUC_JP = "euc-jp", Coder::Whatwg(encoding_rs::EUC_JP, &JAPANESE_FOLDINGS), [
        "extended_unix_code_packed_format_for_japanese", "csEUCPkdFmtJapanese", "ujis", "eucjp-ms", "cp51932",
        // Java's, and IBM's numbers.
        "eucjp-open", "euc-jp-linux", "euc-jp-solaris", "cp33722", "ibm33722", "cp33722c", "ibm33722c",
    ];
    /// Japanese, as it is registered; mail is read as windows-31j.
    SHIFT_JIS = "shift_jis", Coder::Subset(&SHIFT_JIS), ["ms_kanji", "sjis", "csShiftJIS"];
    /// Japanese, code page 932.
    WINDOWS_31J = "windows-31j", Coder::Whatwg(encoding_rs::SHIFT_JIS, &JAPANESE_FOLDINGS), [
        "csWindows31J", "cp932", "ms932", "windows-932", "ms-cp932",
        // IBM's code page 932 with another order of its extensions, which Windows' has as well; and what Solaris calls
        // it.
        "cp943", "ibm943", "cp943c", "ibm943c", "pck",
    ];
    /// Japanese in 7 bits (RFC 1468).
    ISO_2022_JP = "iso-2022-jp", Coder::Iso2022(&JP), ["csISO2022JP", "jis", "jis7"];
    /// Japanese in 7 bits, with JIS X 0212 (RFC 2237).
    ISO_2022_JP_1 = "iso-2022-jp-1", Coder::Iso2022(&JP_1), [];
    /// Multilingual in 7 bits (RFC 1554).
    ISO_2022_JP_2 = "iso-2022-jp-2", Coder::Iso2022(&JP_2), ["csISO2022JP2"];
    /// Japanese in 7 bits as Windows writes it: NEC's row 13, IBM's kanji, half-width katakana.
    ISO_2022_JP_MS = "iso-2022-jp-ms", Coder::Iso2022(&JP_MS), [
        "cp50220", "cp50221", "cp50222", "windows-50220", "windows-50221", "windows-50222", "x-windows-iso2022jp",
        // PHP's.
        "cp50220raw", "jis-ms",
    ];
    /// Japanese in 7 bits, with JIS X 0213:2000; what the edition of 2004 added is read, too.
    ISO_2022_JP_3 = "iso-2022-jp-3", Coder::Iso2022(&JP_3), [];
    /// Japanese in 7 bits, with JIS X 0213:2004.
    ISO_2022_JP_2004 = "iso-2022-jp-2004", Coder::Iso2022(&JP_2004), [];
    /// Japanese with sequences and, between them, octets of code page 932, as mail has it under the label of the
    /// former.
    ISO_2022_JP_8 = "iso-2022-jp-8bit", Coder::Iso2022(&JP_8), [];
    /// Japanese, Shift_JIS with JIS X 0213.
    SHIFT_JISX0213 = "shift_jisx0213", Coder::Jis2004(JisEncoding::ShiftJis), ["shift_jis-2004", "shift_jis-3", "sjis-0213"];
    /// Japanese, EUC with JIS X 0213.
    EUC_JISX0213 = "euc-jisx0213", Coder::Jis2004(JisEncoding::Euc), ["euc-jis-2004"];

    /// Korean, as it is registered; mail is read as windows-949.
    EUC_KR = "euc-kr", Coder::Subset(&EUC_KR), [
        "csEUCKR", "cp51949",
        // Windows' number and IBM's.
        "cp20949", "cp970", "ibm970",
    ];
    /// Korean, code page 949, which mail calls `ks_c_5601-1987`.
    WINDOWS_949 = "windows-949", Coder::Whatwg(encoding_rs::EUC_KR, &[]), [
        "ks_c_5601-1987", "ks_c_5601-1989", "ksc_5601", "iso-ir-149", "korean", "csKSC56011987", "cp949", "ms949",
        "uhc",
        // IBM's page of the same number, without most of the syllables that KS X 1001 lacks.
        "cp949c", "ibm949", "ibm949c",
    ];
    /// Korean in 7 bits (RFC 1557).
    ISO_2022_KR = "iso-2022-kr", Coder::Iso2022(&KR), ["csISO2022KR", "cp50225"];
    /// Korean, Johab (KS X 1001, annex 3): all syllables, by their letters.
    JOHAB = "johab", Coder::Johab, ["cp1361", "ms1361", "windows-1361"];
}
