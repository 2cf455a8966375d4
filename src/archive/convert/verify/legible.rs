//! No text may be worse to read than before: what nobody can read is counted in it before and after, as mail-parser read both.
//!
//! That is asked besides whether it says the same: of two readings that both may be meant, the one that has U+FFFD, controls of
//! ISO 6429 or letters that UTF-8 leaves in windows-1252 is the worse.

use crate::coding::evidence::{encoded_once, looks_otherwise};

/// Says what is worse to read in a text than before; none where nothing is.
pub fn worse(before: &str, after: &str) -> Option<String> {
    // Nothing of that kind is ASCII.
    if before == after || after.is_ascii() {
        return None;
    }
    let rise = |of: fn(char) -> bool, name: &str| {
        let count = |text: &str| text.chars().filter(|character| of(*character)).count();
        let (was, is) = (count(before), count(after));
        (is > was).then(|| format!("{is} {name}, not {was}"))
    };
    rise(|character| character == '\u{fffd}', "characters U+FFFD")
        .or_else(|| rise(is_control, "controls U+0080 to U+009F"))
        .or_else(|| {
            (encoded_once(after).is_some() && encoded_once(before).is_none()).then(|| "it is UTF-8 twice".to_owned())
        })
}

/// Returns `true` if a character is a control of ISO 6429 that no table of windows-1252 gives for an octet.
fn is_control(character: char) -> bool {
    matches!(character, '\u{80}'..='\u{9f}') && !matches!(u32::from(character), 0x81 | 0x8D | 0x8F | 0x90 | 0x9D)
}

/// Says what the octets of a text rather are, where it was read well before and is not after; none where both are as
/// well read, or nobody can tell.
pub fn reads_otherwise(octets: &[u8], before: &str, after: &str) -> Option<String> {
    if after.is_ascii() {
        // It may be escaped.
        return None;
    }
    let charset = looks_otherwise(octets, after).filter(|_| looks_otherwise(octets, before).is_none())?;
    Some(format!("it rather looks like {}", charset.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_can_read_must_not_be_more() {
        for (before, after, is_worse) in [
            ("café", "café", false),
            ("caf\u{fffd}", "café", false),
            ("café", "caf\u{fffd}", true),
            ("\u{fffd}\u{fffd}", "\u{fffd}", false),
            ("it\u{2019}s", "it\u{92}s", true),
            ("its", "it\u{81}s", false),
            ("Grüße", "GrÃ¼ÃŸe", true),
            ("GrÃ¼ÃŸe", "Grüße", false),
            ("日本", "\\u'65E5'\\u'672C'", false),
        ] {
            assert_eq!(worse(before, after).is_some(), is_worse, "{before} {after}");
        }
        let octets = b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEA\xE0\xEA \xE4\xE5\xEB\xE0?";
        let (read, misread) = ("Привет, как дела?", "Ïðèâåò, êàê äåëà?");
        assert_eq!(reads_otherwise(octets, misread, read), None);
        assert_eq!(reads_otherwise(octets, read, "\\u'041F'"), None);
        assert_eq!(reads_otherwise(octets, read, misread).as_deref(), Some("it rather looks like windows-1251"));
    }
}
