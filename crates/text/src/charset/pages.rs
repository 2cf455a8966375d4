//! The tables of the charsets of one octet a character, each with its provenance.
//!
//! U+FFFD stands where the charset has no character. They are facts taken from the sources named, and the differential
//! test compares them with Python's codecs. Those of DOS are in `oem_pages`.

use super::oem_pages::IBM_PC;
use super::single_byte::SingleByte;

/// ISO-8859-9, as it is written: Latin-1 with six other letters (ISO/IEC 8859-9).
pub(super) const ISO_8859_9: SingleByte =
    SingleByte::LATIN_1.with(&[(0xD0, "Ğ"), (0xDD, "İŞ"), (0xF0, "ğ"), (0xFD, "ış")]);

/// ISO-8859-11: TIS-620 with NO-BREAK SPACE and C1 controls (ISO/IEC 8859-11).
pub(super) const ISO_8859_11: SingleByte = SingleByte::LATIN_1.with(&[(0xA1, THAI)]);

/// KOI8-T, Tajik (glibc `KOI8-T`).
pub(super) const KOI8_T: SingleByte = SingleByte::of_text(concat!(
    "қғ‚Ғ„…†‡�‰ҳ‹ҲҷҶ�",
    "Қ‘’“”•–—�™�›����",
    "�ӯӮё¤ӣ¦§���«¬\u{AD}®�",
    "°±²Ё�Ӣ¶·�№�»���©",
    "юабцдефгхийклмно",
    "пярстужвьызшэщчъ",
    "ЮАБЦДЕФГХИЙКЛМНО",
    "ПЯРСТУЖВЬЫЗШЭЩЧЪ",
));

/// KOI8-RU, Ukrainian and Belarusian (glibc, libiconv and recode `KOI8-RU`): KOI8-U as the web has it, with quotation
/// marks, dashes and signs in the place of nine signs of mathematics and boxes.
pub(super) const KOI8_RU: SingleByte = SingleByte::of_text(concat!(
    "─│┌┐└┘├┤┬┴┼▀▄█▌▐",
    "░▒▓“■∙”—№™\u{A0}»®«·¤",
    "═║╒ёє╔ії╗╘╙╚╛ґў╞",
    "╟╠╡ЁЄ╣ІЇ╦╧╨╩╪ҐЎ©",
    "юабцдефгхийклмно",
    "пярстужвьызшэщчъ",
    "ЮАБЦДЕФГХИЙКЛМНО",
    "ПЯРСТУЖВЬЫЗШЭЩЧЪ",
));

/// ISO-IR-111, the first edition of ECMA-113 (RFC 1345 `ECMA-cyrillic`).
pub(super) const ISO_IR_111: SingleByte = SingleByte::LATIN_1.with(&[
    (0xA0, "\u{A0}ђѓёєѕіїјљњћќ\u{AD}ўџ"),
    (0xB0, "№ЂЃЁЄЅІЇЈЉЊЋЌ¤ЎЏ"),
    (0xC0, "юабцдефгхийклмно"),
    (0xD0, "пярстужвьызшэщчъ"),
    (0xE0, "ЮАБЦДЕФГХИЙКЛМНО"),
    (0xF0, "ПЯРСТУЖВЬЫЗШЭЩЧЪ"),
]);

/// PTCP154, Cyrillic Asian (IANA `PTCP154`).
pub(super) const PTCP154: SingleByte = SingleByte::of_text(concat!(
    "ҖҒӮғ„…ҶҮҲүҠӢҢҚҺҸ",
    "җ‘’“”•–—ҳҷҡӣңқһҹ",
    "\u{A0}ЎўЈӨҘҰ§Ё©Ә«¬ӯ®Ҝ",
    "°ұІіҙө¶·ё№ә»јҪҫҝ",
    "АБВГДЕЖЗИЙКЛМНОП",
    "РСТУФХЦЧШЩЪЫЬЭЮЯ",
    "абвгдежзийклмноп",
    "рстуфхцчшщъыьэюя",
));

/// KZ-1048, Kazakh (IANA `KZ-1048`).
pub(super) const KZ_1048: SingleByte = SingleByte::of_text(concat!(
    "ЂЃ‚ѓ„…†‡€‰Љ‹ЊҚҺЏ",
    "ђ‘’“”•–—�™љ›њқһџ",
    "\u{A0}ҰұӘ¤Ө¦§Ё©Ғ«¬\u{AD}®Ү",
    "°±Ііөµ¶·ё№ғ»әҢңү",
    "АБВГДЕЖЗИЙКЛМНОП",
    "РСТУФХЦЧШЩЪЫЬЭЮЯ",
    "абвгдежзийклмноп",
    "рстуфхцчшщъыьэюя",
));

/// HP Roman-8 (IANA `hp-roman8`, RFC 1345).
pub(super) const HP_ROMAN8: SingleByte = SingleByte::LATIN_1.with(&[
    (0xA0, "\u{A0}ÀÂÈÊËÎÏ´ˋˆ¨˜ÙÛ₤"),
    (0xB0, "¯Ýý°ÇçÑñ¡¿¤£¥§ƒ¢"),
    (0xC0, "âêôûáéóúàèòùäëöü"),
    (0xD0, "ÅîØÆåíøæÄìÖÜÉïßÔ"),
    (0xE0, "ÁÃãÐðÍÌÓÒÕõŠšÚŸÿ"),
    (0xF0, "Þþ·µ¶¾—¼½ªº«■»±�"),
]);

/// Ukrainian code page 1125 (RST 2018-91), also called 866u.
pub(super) const CP1125: SingleByte = SingleByte::of_text(IBM_PC).with(&[
    (0x80, "АБВГДЕЖЗИЙКЛМНОП"),
    (0x90, "РСТУФХЦЧШЩЪЫЬЭЮЯ"),
    (0xA0, "абвгдежзийклмноп"),
    (0xE0, "рстуфхцчшщъыьэюя"),
    (0xF0, "ЁёҐґЄєІіЇї·√№¤■\u{A0}"),
]);

/// Mac OS Central European (Apple CENTEURO.TXT).
pub(super) const MAC_CENTRAL_EUROPE: SingleByte = SingleByte::of_text(concat!(
    "ÄĀāÉĄÖÜáąČäčĆćéŹ",
    "źĎíďĒēĖóėôöõúĚěü",
    "†°Ę£§•¶ß®©™ę¨≠ģĮ",
    "įĪ≤≥īĶ∂∑łĻļĽľĹĺŅ",
    "ņŃ¬√ńŇ∆«»…\u{A0}ňŐÕőŌ",
    "–—“”‘’÷◊ōŔŕŘ‹›řŖ",
    "ŗŠ‚„šŚśÁŤťÍŽžŪÓÔ",
    "ūŮÚůŰűŲųÝýķŻŁżĢˇ",
));

/// Mac OS Greek (Apple GREEK.TXT).
pub(super) const MAC_GREEK: SingleByte = SingleByte::of_text(concat!(
    "Ä¹²É³ÖÜ΅àâä΄¨çéè",
    "êë£™îï•½‰ôö¦€ùûü",
    "†ΓΔΘΛΞΠß®©ΣΪ§≠°·",
    "Α±≤≥¥ΒΕΖΗΙΚΜΦΫΨΩ",
    "άΝ¬ΟΡ≈Τ«»…\u{A0}ΥΧΆΈœ",
    "–―“”‘’÷ΉΊΌΎέήίόΏ",
    "ύαβψδεφγηιξκλμνο",
    "πώρστθωςχυζϊϋΐΰ\u{AD}",
));

/// Mac OS Roman (Apple ROMAN.TXT), which the others differ from.
const MAC_ROMAN: &str = concat!(
    "ÄÅÇÉÑÖÜáàâäãåçéè",
    "êëíìîïñóòôöõúùûü",
    "†°¢£§•¶ß®©™´¨≠ÆØ",
    "∞±≤≥¥µ∂∑∏π∫ªºΩæø",
    "¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ",
    "–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ",
    "‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ",
    "\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
);

/// Mac OS Turkish (Apple TURKISH.TXT).
pub(super) const MAC_TURKISH: SingleByte = SingleByte::of_text(MAC_ROMAN).with(&[(0xDA, "ĞğİıŞş"), (0xF5, "\u{F8A0}")]);

/// Mac OS Icelandic (Apple ICELAND.TXT).
pub(super) const MAC_ICELANDIC: SingleByte = SingleByte::of_text(MAC_ROMAN).with(&[(0xA0, "Ý"), (0xDC, "ÐðÞþý")]);

/// Mac OS Croatian (Apple CROATIAN.TXT).
pub(super) const MAC_CROATIAN: SingleByte = SingleByte::of_text(concat!(
    "ÄÅÇÉÑÖÜáàâäãåçéè",
    "êëíìîïñóòôöõúùûü",
    "†°¢£§•¶ß®Š™´¨≠ŽØ",
    "∞±≤≥∆µ∂∑∏š∫ªºΩžø",
    "¿¡¬√ƒ≈Ć«Č…\u{A0}ÀÃÕŒœ",
    "Đ—“”‘’÷◊\u{F8FF}©⁄€‹›Æ»",
    "–·‚„‰ÂćÁčÈÍÎÏÌÓÔ",
    "đÒÚÛÙıˆ˜¯πË˚¸Êæˇ",
));

/// Mac OS Romanian (Apple ROMANIAN.TXT).
pub(super) const MAC_ROMANIAN: SingleByte =
    SingleByte::of_text(MAC_ROMAN).with(&[(0xAE, "ĂȘ"), (0xBE, "ăș"), (0xDE, "Țț")]);

/// ARMSCII-8, Armenian (AST 34.002, glibc `ARMSCII-8`).
pub(super) const ARMSCII_8: SingleByte = SingleByte::LATIN_1.with(&[
    (0xA0, "\u{A0}�և։)(»«—.՝,-֊…՜"),
    (0xB0, "՛՞ԱաԲբԳգԴդԵեԶզԷէ"),
    (0xC0, "ԸըԹթԺժԻիԼլԽխԾծԿկ"),
    (0xD0, "ՀհՁձՂղՃճՄմՅյՆնՇշ"),
    (0xE0, "ՈոՉչՊպՋջՌռՍսՎվՏտ"),
    (0xF0, "ՐրՑցՒւՓփՔքՕօՖֆ՚�"),
]);

/// Georgian-PS (glibc `GEORGIAN-PS`).
pub(super) const GEORGIAN_PS: SingleByte = SingleByte::LATIN_1.with(&[
    (0x80, "\u{80}\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}\u{8E}\u{8F}"),
    (0x90, "\u{90}‘’“”•–—˜™š›œ\u{9D}\u{9E}Ÿ"),
    (0xC0, "აბგდევზჱთიკლმნჲო"),
    (0xD0, "პჟრსტჳუფქღყშჩცძწ"),
    (0xE0, "ჭხჴჯჰჵæçèéêëìíîï"),
]);

/// Georgian-Academy (glibc `GEORGIAN-ACADEMY`).
pub(super) const GEORGIAN_ACADEMY: SingleByte = SingleByte::LATIN_1.with(&[
    (0x80, "\u{80}\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}\u{8E}\u{8F}"),
    (0x90, "\u{90}‘’“”•–—˜™š›œ\u{9D}\u{9E}Ÿ"),
    (0xC0, "აბგდევზთიკლმნოპჟ"),
    (0xD0, "რსტუფქღყშჩცძწჭხჯ"),
    (0xE0, "ჰჱჲჳჴჵჶçèéêëìíîï"),
]);

/// TCVN 5712:1993 VN1, Vietnamese (glibc `TCVN5712-1`).
pub(super) const TCVN: SingleByte = SingleByte::of_text(concat!(
    "ÀẢÃÁẠẶẬÈẺẼÉẸỆÌỈĨ",
    "ÍỊÒỎÕÓỌỘỜỞỠỚỢÙỦŨ",
    "\u{A0}ĂÂÊÔƠƯĐăâêôơưđẰ",
    "\u{300}\u{309}\u{303}\u{301}\u{323}àảãáạẲằẳẵắẴ",
    "ẮẦẨẪẤỀặầẩẫấậèỂẻẽ",
    "éẹềểễếệìỉỄẾỒĩíịò",
    "Ổỏõóọồổỗốộờởỡớợù",
    "ỖủũúụừửữứựỳỷỹýỵỐ",
))
.with(&[(0x01, "ÚỤ"), (0x04, "ỪỬỮ"), (0x11, "ỨỰỲỶỸÝỴ")]);

/// VISCII 1.1, Vietnamese (RFC 1456).
pub(super) const VISCII: SingleByte = SingleByte::of_text(concat!(
    "ẠẮẰẶẤẦẨẬẼẸẾỀỂỄỆỐ",
    "ỒỔỖỘỢỚỜỞỊỎỌỈỦŨỤỲ",
    "Õắằặấầẩậẽẹếềểễệố",
    "ồổỗỠƠộờởịỰỨỪỬơớƯ",
    "ÀÁÂÃẢĂẳẵÈÉÊẺÌÍĨỳ",
    "ĐứÒÓÔạỷừửÙÚỹỵÝỡư",
    "àáâãảăữẫèéêẻìíĩỉ",
    "đựòóôõỏọụùúũủýợỮ",
))
.with(&[(0x02, "Ẳ"), (0x05, "ẴẪ"), (0x14, "Ỷ"), (0x19, "Ỹ"), (0x1E, "Ỵ")]);

/// TIS 620-2533, Thai (IANA `TIS-620`).
pub(super) const TIS_620: SingleByte = SingleByte::ASCII.with(&[(0xA1, THAI)]);

/// From A1 on.
const THAI: &str = concat!(
    "กขฃคฅฆงจฉชซฌญฎฏ",
    "ฐฑฒณดตถทธนบปผฝพฟ",
    "ภมยรฤลฦวศษสหฬอฮฯ",
    "ะ\u{E31}าำ\u{E34}\u{E35}\u{E36}\u{E37}\u{E38}\u{E39}\u{E3A}����฿",
    "เแโใไๅๆ\u{E47}\u{E48}\u{E49}\u{E4A}\u{E4B}\u{E4C}\u{E4D}\u{E4E}๏",
    "๐๑๒๓๔๕๖๗๘๙๚๛����",
);
