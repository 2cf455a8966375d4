//! When a label that no table knows may be taken for ASCII, and which sequences in a text speak against that.
//!
//! A text of ASCII octets under a label that nobody knows is plain text in all likelihood, and a reader that stops at
//! the label is helped by a better one. But the label may be the only thing that tells such octets from what they look
//! like. `[` is `Ä` in DIN_66003; `ESC $ B` begins kanji; `&AOk-` is `é` in a mailbox's name; nothing in EBCDIC is what
//! it seems. So a label is taken for ASCII only where a table says that whoever writes it means a superset of ASCII, or
//! means nothing, and where no shift stands in the text. Every other one stays, and with it what it says.

/// Labels that say nothing, or say ASCII in a way of their own. Letters and digits, in lower case.
const MEANINGLESS: [&str; 29] = [
    "0", "7bit", "8bit", "ascii", "asciius", "auto", "binary", "charset", "default", "en", "enus", "english", "iso",
    "isoascii", "none", "null", "other", "plain", "text", "textplain", "undefined", "unknown", "unknown8bit",
    "unspecified", "usascii7", "userdefined", "xunknown", "xuserdefined", "xusascii",
];

/// Beginnings of labels of supersets of ASCII, where a name follows: `windows-greek`, `x-mac-farsi`, `koi8-x`.
const FAMILIES: [&str; 12] =
    ["ansi", "iso8859", "koi8", "latin", "mac", "utf8", "usascii", "win", "windows", "8859", "isolatin", "unicode8"];

/// Beginnings of labels of code pages, where a number follows.
const CODE_PAGES: [&str; 8] = ["ansi", "cp", "codepage", "ibm", "ms", "oem", "win", "windows"];

/// The code pages of IBM and Microsoft that keep ASCII, the first and the last of each run; those that are not here are
/// EBCDIC, ISO 646, shifted or wide.
#[rustfmt::skip]
const KEEP_ASCII: [(u32, u32); 25] = [
    (367, 367), (437, 437), (708, 737), (771, 777), (806, 832), (848, 869), (872, 872), (874, 874), (895, 904),
    (907, 916), (919, 923), (932, 932), (936, 936), (942, 943), (949, 950), (1124, 1125), (1250, 1258), (1361, 1363),
    (1381, 1386), (10_000, 10_082), (20_127, 20_127), (20_866, 20_866), (20_932, 20_949), (21_866, 21_866),
    (28_591, 28_606),
];

/// What in a label speaks against ASCII, whatever it begins with.
const AGAINST: [&str; 12] =
    ["2022", "646", "dingbat", "ebcdic", "imap", "mnemonic", "symbol", "ucs", "utf16", "utf32", "utf7", "viqr"];

/// Returns `true` if octets may be read as ASCII under a label that no table knows.
pub(super) fn reads_as_ascii(label: &[u8], octets: &[u8]) -> bool {
    octets.is_ascii() && is_ascii_label(label) && !has_shifts(octets)
}

/// Returns `true` if a label that no table knows is written by those who mean a superset of ASCII, or nothing.
pub(super) fn is_ascii_label(label: &[u8]) -> bool {
    if says_nothing(label) {
        return true;
    }
    let Some(key) = key(label).filter(|key| !AGAINST.iter().any(|word| key.contains(word))) else { return false };
    let bare = key.strip_prefix('x').unwrap_or(&key);
    code_page_keeps_ascii(bare).unwrap_or_else(|| is_family(bare))
}

/// Returns `true` if a label that no table knows names no charset, not even one that nobody knows: octets under it are
/// what they would be without.
pub fn says_nothing(label: &[u8]) -> bool {
    // A placeholder that nobody filled in: `%CHARSET`, `$charset`, `{charset}`.
    let is_placeholder = label.trim_ascii().first().is_some_and(|first| b"%${<".contains(first));
    is_placeholder || key(label).is_some_and(|key| MEANINGLESS.contains(&&*key))
}

/// Returns the letters and digits of a label in lower case; none where it is no text.
fn key(label: &[u8]) -> Option<String> {
    let label = str::from_utf8(label).ok()?;
    Some(label.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect())
}

/// Returns `true` if the code page whose number a label names keeps ASCII; none where the label names no code page.
fn code_page_keeps_ascii(key: &str) -> Option<bool> {
    let number = CODE_PAGES.iter().find_map(|prefix| key.strip_prefix(prefix)?.parse::<u32>().ok())?;
    Some(KEEP_ASCII.iter().any(|&(first, last)| (first..=last).contains(&number)))
}

/// Returns `true` if a label, without an `x` before it, begins as those of a family do.
fn is_family(key: &str) -> bool {
    FAMILIES.iter().any(|family| key.starts_with(family))
}

/// Returns `true` if ASCII octets may be shifted into other characters: ISO 2022, HZ, UTF-7 or IMAP's form of it.
pub(super) fn has_shifts(octets: &[u8]) -> bool {
    octets.iter().any(|octet| matches!(octet, 0x0E | 0x0F | 0x1B))
        || memchr::memmem::find(octets, b"~{").is_some()
        || has_base64_shift(octets, b'+')
        || has_base64_shift(octets, b'&')
}

/// Returns `true` for a digit of base64, or of the UTF-7 of IMAP.
fn is_digit(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'/' | b',')
}

/// Returns `true` if a mark, digits of base64 that make whole UTF-16 units, and a `-` stand in a text.
fn has_base64_shift(octets: &[u8], mark: u8) -> bool {
    memchr::memchr_iter(mark, octets).any(|at| {
        let rest = octets.get(at + 1..).unwrap_or_default();
        // A longer shift is not found; so bounded, a text of nothing but marks takes linear time.
        let digits = rest.iter().take(512).take_while(|octet| is_digit(**octet)).count();
        // One unit takes three digits, two take six, three take eight.
        digits > 2 && matches!(digits % 8, 0 | 3 | 6) && rest.get(digits) == Some(&b'-')
    })
}

/// Returns `true` if an escape that ISO 2022 designates to G0 by stands among octets: it is a label of its own, which
/// text without one may have.
pub fn has_iso_2022_escape(octets: &[u8]) -> bool {
    memchr::memchr_iter(0x1B, octets).any(|at| matches!(octets.get(at + 1), Some(b'$' | b'(')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_for_ascii_only_what_the_table_says() {
        let yes = "x-unknown default unknown-8bit windows-1249x Windows-Greek cp-1255 cp00850 ibm-858 iso-8859-17 \
                   iso_8859-x latin-23 x-mac-farsi koi8-q ansi-1250 8bit ASCII_US none utf8x UTF_8B %CHARSET% x-cp1252";
        let no = "iso-2022-jp-3 ISO-2022-TW DIN_66003 SEN_850200_B NF_Z_62-010 VIQR x-viqr UTF-7-IMAP IMAP-UTF-7 \
                  EBCDIC-US mnemonic mnem cp037 cp1047 ibm1026 IBM500 cp50220 windows-50221 cp52936 utf-16xe ucs-2x cp1200 \
                  x-mac-symbol x-foo-bar iso646-se ISO-10646-UCS-Basic JUS_I.B1.002 hz cp20261";
        for label in yes.split_whitespace() {
            assert!(is_ascii_label(label.as_bytes()), "{label}");
        }
        for label in no.split_whitespace() {
            assert!(!is_ascii_label(label.as_bytes()), "{label}");
        }
    }

    #[test]
    fn sees_shifts() {
        for shifted in ["\x1b$B", "\x0e", "\x0f", "a ~{<:", "+AOk-", "Entw&APw-rfe", "+ZeVnLIqe-"] {
            assert!(has_shifts(shifted.as_bytes()), "{shifted}");
        }
        for plain in ["C++ - good", "+49-30-1", "a & b - c", "&nbsp;-", "1+1-", "~ {", "+-"] {
            assert!(!has_shifts(plain.as_bytes()), "{plain}");
        }
    }
}
