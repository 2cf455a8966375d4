//! Labels that no registry has, and what they turned out to mean: made up by a program, or slips that have spread.
//!
//! Each has one meaning. What a program writes where it knows none (`default`, `default_charset`, `null`, `%charset`)
//! has no row, so that its text is unlabelled.

use super::Charset;

/// The labels, by who writes them.
#[rustfmt::skip]
pub(super) const ALIASES: &[(&str, Charset)] = &[
    // The names that Windows has for code pages 50221 and 50222; Outlook let them out.
    ("_iso-2022-jp$ESC", Charset::ISO_2022_JP_MS), ("_iso-2022-jp$SIO", Charset::ISO_2022_JP_MS),
    // A teletext set by right; seen on Western mail (mikel/mail, ddeboer/imap#451).
    ("ansi_x3.110-1983", Charset::WINDOWS_1252),
    // A slip that is common enough to have spread.
    ("iso-8559-1", Charset::ISO_8859_1),
    // What Windows calls the code page of a Western system.
    ("ansi", Charset::WINDOWS_1252),
    // What Outlook and .NET call UTF-16, and browsers (WHATWG Encoding) too.
    ("unicode", Charset::UTF_16LE),
    // The constants of Windows' fonts, by which Delphi programs label mail, and their numbers.
    ("ansi_charset", Charset::WINDOWS_1252), ("shiftjis_charset", Charset::WINDOWS_31J), ("128", Charset::WINDOWS_31J),
    ("hangul_charset", Charset::WINDOWS_949), ("hangeul_charset", Charset::WINDOWS_949), ("129", Charset::WINDOWS_949),
    ("johab_charset", Charset::JOHAB), ("130", Charset::JOHAB), ("gb2312_charset", Charset::GBK),
    ("gb2312_charset/134", Charset::GBK), ("134", Charset::GBK), ("chinesebig5_charset", Charset::BIG5),
    ("136", Charset::BIG5), ("greek_charset", Charset::WINDOWS_1253), ("161", Charset::WINDOWS_1253),
    ("turkish_charset", Charset::WINDOWS_1254), ("162", Charset::WINDOWS_1254),
    ("vietnamese_charset", Charset::WINDOWS_1258), ("163", Charset::WINDOWS_1258),
    ("hebrew_charset", Charset::WINDOWS_1255), ("177", Charset::WINDOWS_1255),
    ("arabic_charset", Charset::WINDOWS_1256), ("178", Charset::WINDOWS_1256),
    ("baltic_charset", Charset::WINDOWS_1257), ("186", Charset::WINDOWS_1257),
    ("russian_charset", Charset::WINDOWS_1251), ("204", Charset::WINDOWS_1251), ("thai_charset", Charset::WINDOWS_874),
    ("222", Charset::WINDOWS_874), ("easteurope_charset", Charset::WINDOWS_1250), ("238", Charset::WINDOWS_1250),
    ("mac_charset", Charset::MACINTOSH),
    // Windows' names of the national sets of seven bits.
    ("x-ia5", Charset::US_ASCII), ("x-ia5-german", Charset::DIN_66003), ("x-ias-german", Charset::DIN_66003),
    ("x-ia5-swedish", Charset::SEN_850200_B), ("x-ia5-norwegian", Charset::NS_4551_1),
    // Oracle's.
    ("us7ascii", Charset::US_ASCII), ("al32utf8", Charset::UTF_8), ("we8iso8859p1", Charset::ISO_8859_1),
    ("ee8iso8859p2", Charset::ISO_8859_2), ("se8iso8859p3", Charset::ISO_8859_3),
    ("nee8iso8859p4", Charset::ISO_8859_4), ("cl8iso8859p5", Charset::ISO_8859_5),
    ("ar8iso8859p6", Charset::ISO_8859_6), ("el8iso8859p7", Charset::ISO_8859_7), ("iw8iso8859p8", Charset::ISO_8859_8),
    ("we8iso8859p9", Charset::ISO_8859_9), ("ne8iso8859p10", Charset::ISO_8859_10),
    ("blt8iso8859p13", Charset::ISO_8859_13), ("cel8iso8859p14", Charset::ISO_8859_14),
    ("we8iso8859p15", Charset::ISO_8859_15), ("ee8mswin1250", Charset::WINDOWS_1250),
    ("cl8mswin1251", Charset::WINDOWS_1251), ("we8mswin1252", Charset::WINDOWS_1252),
    ("el8mswin1253", Charset::WINDOWS_1253), ("tr8mswin1254", Charset::WINDOWS_1254),
    ("iw8mswin1255", Charset::WINDOWS_1255), ("ar8mswin1256", Charset::WINDOWS_1256),
    ("blt8mswin1257", Charset::WINDOWS_1257), ("vn8mswin1258", Charset::WINDOWS_1258), ("cl8koi8r", Charset::KOI8_R),
    ("cl8koi8u", Charset::KOI8_U), ("ja16sjis", Charset::WINDOWS_31J), ("ja16euc", Charset::EUC_JP),
    ("ko16ksc5601", Charset::EUC_KR), ("ko16mswin949", Charset::WINDOWS_949), ("zhs16cgb231280", Charset::GB2312),
    ("zhs16gbk", Charset::GBK), ("zhs32gb18030", Charset::GB18030), ("zht16big5", Charset::BIG5),
    ("zht16mswin950", Charset::BIG5), ("th8tisascii", Charset::TIS_620), ("us8pc437", Charset::IBM437),
    ("we8pc850", Charset::IBM850), ("ee8pc852", Charset::IBM852), ("ru8pc866", Charset::IBM866),
    // Java's, PHP's, iconv's.
    ("sjis-win", Charset::WINDOWS_31J), ("eucjp-win", Charset::EUC_JP), ("x-windows-949", Charset::WINDOWS_949),
    ("big5-hkscs:2004", Charset::BIG5), ("big5-uao", Charset::BIG5), ("chinesebig5", Charset::BIG5),
    ("eucgb2312_cn", Charset::GB2312), ("iso-gb2312", Charset::GB2312), ("gb18030-2022", Charset::GB18030),
    ("gb18030-2005", Charset::GB18030), ("gb18030-2000", Charset::GB18030), ("gb18030-0", Charset::GB18030),
    ("mac-roman", Charset::MACINTOSH), ("x-mac-japanese", Charset::SHIFT_JIS), ("macjapanese", Charset::SHIFT_JIS),
    ("sjis-mac", Charset::SHIFT_JIS), ("x-mac-korean", Charset::EUC_KR),
    ("x-mac-chinesesimp", Charset::GB2312), ("x-mac-chinesetrad", Charset::BIG5), ("thai", Charset::WINDOWS_874),
    // The number alone.
    ("8859-1", Charset::ISO_8859_1), ("8859-2", Charset::ISO_8859_2), ("8859-3", Charset::ISO_8859_3),
    ("8859-4", Charset::ISO_8859_4), ("8859-5", Charset::ISO_8859_5), ("8859-6", Charset::ISO_8859_6),
    ("8859-7", Charset::ISO_8859_7), ("8859-8", Charset::ISO_8859_8), ("8859-9", Charset::ISO_8859_9),
    ("8859-10", Charset::ISO_8859_10), ("8859-11", Charset::ISO_8859_11), ("8859-13", Charset::ISO_8859_13),
    ("8859-14", Charset::ISO_8859_14), ("8859-15", Charset::ISO_8859_15), ("8859-16", Charset::ISO_8859_16),
];

/// What stands before the number of a code page of Windows, where anything does.
const PREFIXES: [&[u8]; 8] = [b"", b"windowscp", b"window", b"microsoftcp", b"mswin", b"win", b"ms", b"ansi"];

/// The code pages of Windows whose number tells; each has a label of `cp` and the number.
const PAGES: [&str; 18] = [
    "874", "932", "936", "949", "950", "1250", "1251", "1252", "1253", "1254", "1255", "1256", "1257", "1258", "866",
    "20866", "21866", "65001",
];

/// Finds the code page that a label is the number of, alone or behind one of [`PREFIXES`]; `key` is what counts of the
/// label, in lower case and without leading zeros. `None` where it is anything else.
pub(super) fn code_page(key: &[u8]) -> Option<&'static str> {
    let mut numbers = PREFIXES.iter().filter_map(|prefix| key.strip_prefix(*prefix));
    numbers.find_map(|number| PAGES.into_iter().find(|page| page.as_bytes() == number))
}
