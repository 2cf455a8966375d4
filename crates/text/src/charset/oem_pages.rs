//! The code pages of DOS, each with its provenance.
//!
//! U+FFFD stands where the page has no character; right-to-left letters and combining signs are written as escapes, so
//! that an editor shows the octets in their order. The differential test compares all with Python's codecs.

use super::single_byte::SingleByte;

/// OEM code page 437 (Unicode's CP437.TXT).
pub(super) const CP437: SingleByte = SingleByte::of_text(IBM_PC);

pub(super) const IBM_PC: &str = concat!(
    "ÇüéâäàåçêëèïîìÄÅ",
    "ÉæÆôöòûùÿÖÜ¢£¥₧ƒ",
    "áíóúñÑªº¿⌐¬½¼¡«»",
    "░▒▓│┤╡╢╖╕╣║╗╝╜╛┐",
    "└┴┬├─┼╞╟╚╔╩╦╠═╬╧",
    "╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀",
    "αßΓπΣσµτΦΘΩδ∞φε∩",
    "≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}",
);

/// OEM code page 720 (Microsoft).
pub(super) const CP720: SingleByte = SingleByte::of_text(IBM_PC).with(&[
    (0x80, "\u{80}\u{81}éâ\u{84}à\u{86}çêëèïî\u{8D}\u{8E}\u{8F}"),
    (0x90, "\u{90}\u{651}\u{652}ô¤\u{640}ûù\u{621}\u{622}\u{623}\u{624}£\u{625}\u{626}\u{627}"),
    (0xA0, "\u{628}\u{629}\u{62A}\u{62B}\u{62C}\u{62D}\u{62E}\u{62F}\u{630}\u{631}\u{632}\u{633}\u{634}\u{635}«»"),
    (0xE0, "\u{636}\u{637}\u{638}\u{639}\u{63A}\u{641}µ\u{642}"),
    (0xE8, "\u{643}\u{644}\u{645}\u{646}\u{647}\u{648}\u{649}\u{64A}"),
    (0xF0, "≡\u{64B}\u{64C}\u{64D}\u{64E}\u{64F}\u{650}≈°∙·√ⁿ²■\u{A0}"),
]);

/// OEM code page 737 (Unicode's CP737.TXT).
pub(super) const CP737: SingleByte = SingleByte::of_text(IBM_PC).with(&[
    (0x80, "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠ"),
    (0x90, "ΡΣΤΥΦΧΨΩαβγδεζηθ"),
    (0xA0, "ικλμνξοπρσςτυφχψ"),
    (0xE0, "ωάέήϊίόύϋώΆΈΉΊΌΎ"),
    (0xF0, "Ώ±≥≤ΪΫ÷≈°∙·√ⁿ²■\u{A0}"),
]);

/// OEM code page 775 (Unicode's CP775.TXT).
pub(super) const CP775: SingleByte = SingleByte::of_text(concat!(
    "ĆüéāäģåćłēŖŗīŹÄÅ",
    "ÉæÆōöĢ¢ŚśÖÜø£Ø×¤",
    "ĀĪóŻżź”¦©®¬½¼Ł«»",
    "░▒▓│┤ĄČĘĖ╣║╗╝ĮŠ┐",
    "└┴┬├─┼ŲŪ╚╔╩╦╠═╬Ž",
    "ąčęėįšųūž┘┌█▄▌▐▀",
    "ÓßŌŃõÕµńĶķĻļņĒŅ’",
    "\u{AD}±“¾¶§÷„°∙·¹³²■\u{A0}",
));

/// OEM code page 850 (Unicode's CP850.TXT).
pub(super) const CP850: SingleByte = SingleByte::of_text(WESTERN);

const WESTERN: &str = concat!(
    "ÇüéâäàåçêëèïîìÄÅ",
    "ÉæÆôöòûùÿÖÜø£Ø×ƒ",
    "áíóúñÑªº¿®¬½¼¡«»",
    "░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐",
    "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤",
    "ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀",
    "ÓßÔÒõÕµþÞÚÛÙýÝ¯´",
    "\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}",
);

/// OEM code page 852 (Unicode's CP852.TXT).
pub(super) const CP852: SingleByte = SingleByte::of_text(concat!(
    "ÇüéâäůćçłëŐőîŹÄĆ",
    "ÉĹĺôöĽľŚśÖÜŤťŁ×č",
    "áíóúĄąŽžĘę¬źČş«»",
    "░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐",
    "└┴┬├─┼Ăă╚╔╩╦╠═╬¤",
    "đĐĎËďŇÍÎě┘┌█▄ŢŮ▀",
    "ÓßÔŃńňŠšŔÚŕŰýÝţ´",
    "\u{AD}˝˛ˇ˘§÷¸°¨˙űŘř■\u{A0}",
));

/// OEM code page 855 (Unicode's CP855.TXT).
pub(super) const CP855: SingleByte = SingleByte::of_text(concat!(
    "ђЂѓЃёЁєЄѕЅіІїЇјЈ",
    "љЉњЊћЋќЌўЎџЏюЮъЪ",
    "аАбБцЦдДеЕфФгГ«»",
    "░▒▓│┤хХиИ╣║╗╝йЙ┐",
    "└┴┬├─┼кК╚╔╩╦╠═╬¤",
    "лЛмМнНоОп┘┌█▄Пя▀",
    "ЯрРсСтТуУжЖвВьЬ№",
    "\u{AD}ыЫзЗшШэЭщЩчЧ§■\u{A0}",
));

/// OEM code page 857 (Unicode's CP857.TXT).
pub(super) const CP857: SingleByte = SingleByte::of_text(concat!(
    "ÇüéâäàåçêëèïîıÄÅ",
    "ÉæÆôöòûùİÖÜø£ØŞş",
    "áíóúñÑĞğ¿®¬½¼¡«»",
    "░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐",
    "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤",
    "ºªÊËÈ�ÍÎÏ┘┌█▄¦Ì▀",
    "ÓßÔÒõÕµ�×ÚÛÙìÿ¯´",
    "\u{AD}±�¾¶§÷¸°¨·¹³²■\u{A0}",
));

/// OEM code page 858 (Microsoft).
pub(super) const CP858: SingleByte = SingleByte::of_text(WESTERN).with(&[(0xD5, "€")]);

/// OEM code page 860 (Unicode's CP860.TXT).
pub(super) const CP860: SingleByte = SingleByte::of_text(IBM_PC).with(&[
    (0x80, "ÇüéâãàÁçêÊèÍÔìÃÂ"),
    (0x90, "ÉÀÈôõòÚùÌÕÜ¢£Ù₧Ó"),
    (0xA0, "áíóúñÑªº¿Ò¬½¼¡«»"),
]);

/// OEM code page 861 (Unicode's CP861.TXT).
pub(super) const CP861: SingleByte = SingleByte::of_text(IBM_PC).with(&[
    (0x80, "ÇüéâäàåçêëèÐðÞÄÅ"),
    (0x90, "ÉæÆôöþûÝýÖÜø£Ø₧ƒ"),
    (0xA0, "áíóúÁÍÓÚ¿⌐¬½¼¡«»"),
]);

/// OEM code page 862 (Unicode's CP862.TXT).
pub(super) const CP862: SingleByte = SingleByte::of_text(IBM_PC).with(&[
    (0x80, "\u{5D0}\u{5D1}\u{5D2}\u{5D3}\u{5D4}\u{5D5}\u{5D6}\u{5D7}"),
    (0x88, "\u{5D8}\u{5D9}\u{5DA}\u{5DB}\u{5DC}\u{5DD}\u{5DE}\u{5DF}"),
    (0x90, "\u{5E0}\u{5E1}\u{5E2}\u{5E3}\u{5E4}\u{5E5}\u{5E6}\u{5E7}"),
    (0x98, "\u{5E8}\u{5E9}\u{5EA}¢£¥₧ƒ"),
]);

/// OEM code page 863 (Unicode's CP863.TXT).
pub(super) const CP863: SingleByte = SingleByte::of_text(IBM_PC).with(&[
    (0x80, "ÇüéâÂà¶çêëèïî‗À§"),
    (0x90, "ÉÈÊôËÏûù¤ÔÜ¢£ÙÛƒ"),
    (0xA0, "¦´óú¨¸³¯Î⌐¬½¼¾«»"),
]);

/// OEM code page 864 (Unicode's CP864.TXT).
pub(super) const CP864: SingleByte = SingleByte::of_text(concat!(
    "°·∙√▒─│┼┤┬├┴┐┌└┘",
    "β∞φ±½¼≈«»\u{FEF7}\u{FEF8}��\u{FEFB}\u{FEFC}�",
    "\u{A0}\u{AD}\u{FE82}£¤\u{FE84}��\u{FE8E}\u{FE8F}\u{FE95}\u{FE99}،\u{FE9D}\u{FEA1}\u{FEA5}",
    "\u{660}\u{661}\u{662}\u{663}\u{664}\u{665}\u{666}\u{667}\u{668}\u{669}\u{FED1}\u{61B}\u{FEB1}\u{FEB5}\u{FEB9}\u{61F}",
    "¢\u{FE80}\u{FE81}\u{FE83}\u{FE85}\u{FECA}\u{FE8B}\u{FE8D}\u{FE91}\u{FE93}\u{FE97}\u{FE9B}\u{FE9F}\u{FEA3}\u{FEA7}\u{FEA9}",
    "\u{FEAB}\u{FEAD}\u{FEAF}\u{FEB3}\u{FEB7}\u{FEBB}\u{FEBF}\u{FEC1}\u{FEC5}\u{FECB}\u{FECF}¦¬÷×\u{FEC9}",
    "\u{640}\u{FED3}\u{FED7}\u{FEDB}\u{FEDF}\u{FEE3}\u{FEE7}\u{FEEB}\u{FEED}\u{FEEF}\u{FEF3}\u{FEBD}\u{FECC}\u{FECE}\u{FECD}\u{FEE1}",
    "\u{FE7D}\u{651}\u{FEE5}\u{FEE9}\u{FEEC}\u{FEF0}\u{FEF2}\u{FED0}\u{FED5}\u{FEF5}\u{FEF6}\u{FEDD}\u{FED9}\u{FEF1}■�",
));

/// OEM code page 865 (Unicode's CP865.TXT).
pub(super) const CP865: SingleByte = SingleByte::of_text(IBM_PC).with(&[(0x9B, "ø"), (0x9D, "Ø"), (0xAF, "¤")]);

/// OEM code page 869 (Unicode's CP869.TXT).
pub(super) const CP869: SingleByte = SingleByte::of_text(concat!(
    "������Ά�·¬¦‘’Έ―Ή",
    "ΊΪΌ��ΎΫ©Ώ²³ά£έήί",
    "ϊΐόύΑΒΓΔΕΖΗ½ΘΙ«»",
    "░▒▓│┤ΚΛΜΝ╣║╗╝ΞΟ┐",
    "└┴┬├─┼ΠΡ╚╔╩╦╠═╬Σ",
    "ΤΥΦΧΨΩαβγ┘┌█▄δε▀",
    "ζηθικλμνξοπρσςτ΄",
    "\u{AD}±υφχ§ψ΅°¨ωϋΰώ■\u{A0}",
));
