//! Text in UTF-7 to which a program added lines in another charset: what a virus scanner writes below a notification.
//!
//! UTF-7 has no octet above 7F, so that a line which has one is not UTF-7, and each other line is. Who wrote the text
//! wrote its letters, and where all of them are letters of Western Europe, so are those of the line, unless statistics
//! speak against it.

use super::disproved::is_good_latin;
use super::hearing::find_by_witnesses;
use super::veto::veto;
use super::{Because, Reading, Witnesses, lines};
use crate::charset::Charset;

/// Reads a text under the label of UTF-7 of which some lines have octets above 7F. `None` where none has, where the
/// others have no letter beyond ASCII, where nothing tells what the lines are, or where the text must be in one
/// charset.
pub(super) fn under<'o>(octets: &'o [u8], label: Charset, witnesses: &Witnesses) -> Option<Reading<'o>> {
    label.utf_7().filter(|_| witnesses.by_lines)?;
    let (own, others): (Vec<&[u8]>, Vec<&[u8]>) = lines::split(octets).partition(|line| line.is_ascii());
    let (own, others) = (own.concat(), others.concat());
    let text = label.decode(&own).ok().filter(|text| !text.is_ascii())?;
    let (other, because) = charset_of(&others, &text, &witnesses.of_lines())?;
    let mut text = String::new();
    for line in lines::split(octets) {
        let charset = if line.is_ascii() { label } else { other };
        text.push_str(&charset.decode_lossy(line).0);
    }
    Some(Reading { charset: label, text: text.into(), because, second: Some(other) })
}

/// Says what charset lines are in that stand beside `text`, the lines in UTF-7. `None` where there are none, or nothing
/// tells.
fn charset_of(others: &[u8], text: &str, witnesses: &Witnesses) -> Option<(Charset, Because)> {
    if others.is_empty() {
        return None;
    }
    if simdutf8::basic::from_utf8(others).is_ok() {
        return Some((Charset::UTF_8, Because::Octets));
    }
    let western = Charset::WINDOWS_1252;
    if let Some(found) = find_by_witnesses(others, witnesses).ok()? {
        return Some(found);
    }
    let is_western = western.encode(text).is_ok() && is_good_latin(others, western) && veto(others, western).is_none();
    is_western.then_some((western, Because::Octets))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charset::Labels;
    use crate::evidence::judge;

    fn read(octets: &[u8]) -> Option<String> {
        let labels = Labels::default();
        let witnesses = Witnesses { by_lines: true, ..Witnesses::none(&labels) };
        judge(octets, Some(b"unicode-1-1-utf-7"), &witnesses).ok().map(|read| read.text.into_owned())
    }

    #[test]
    fn lines_above_7f_are_read_beside_utf_7() {
        assert_eq!(
            read(b"Zustellung +APw-ber K+APY-ln\nGepr\xFCft\n").as_deref(),
            Some("Zustellung über Köln\nGeprüft\n")
        );
        assert_eq!(read("+APw-ber\nGeprüft\n".as_bytes()).as_deref(), Some("über\nGeprüft\n"), "in UTF-8");
        assert_eq!(read(b"+BB8-\nGepr\xFCft\n"), None, "the text is Russian");
        assert_eq!(read(b"plain\nGepr\xFCft\n"), None, "nothing shows that it is UTF-7");
        assert_eq!(read(b"+APw-ber Gepr\xFCft\n"), None, "in one line");
    }
}
