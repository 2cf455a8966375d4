//! Octets as signs that can be shown, and the signs that differ.

use anstyle::Style;
use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices};

use super::token::widen;
use crate::process::color::paint;
use crate::process::shown::{Escape, is_hidden};

/// Signs between two marks that are marked with them: fewer say nothing of their own.
const GAP: usize = 2;

/// A stretch of text, marked or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkedText {
    /// The text.
    pub text: String,
    /// Whether it stands out.
    pub marked: bool,
}

/// Writes octets as signs, one for each character; what can't be seen stands as [`Escape`] writes it, and an octet that
/// is no UTF-8 as `\xE9`. Blanks and line ends in a row, as in a fold, are one space. In a text that is hardly UTF-8
/// the characters outside ASCII are there by chance, and stand as octets too.
pub fn visible(octets: &[u8]) -> Vec<String> {
    let by_chance = is_utf8_by_chance(octets);
    let mut signs = Vec::with_capacity(octets.len());
    for chunk in octets.utf8_chunks() {
        let mut characters = chunk.valid().chars().peekable();
        while let Some(character) = characters.next() {
            signs.push(match character {
                '\r' if characters.peek() == Some(&'\n') => continue,
                '\t' | '\n' => " ".to_owned(),
                other if by_chance && !other.is_ascii() => {
                    other.encode_utf8(&mut [0; 4]).bytes().map(|octet| format!("\\x{octet:02X}")).collect()
                }
                hidden if is_hidden(hidden) => Escape(hidden).to_string(),
                other => other.to_string(),
            });
        }
        signs.extend(chunk.invalid().iter().map(|octet| format!("\\x{octet:02X}")));
    }
    signs.dedup_by(|next, before| next == " " && before == " ");
    signs
}

/// Returns `true` if octets that are no UTF-8 outnumber the characters beyond ASCII that are.
fn is_utf8_by_chance(octets: &[u8]) -> bool {
    let counts = octets
        .utf8_chunks()
        .map(|chunk| (chunk.invalid().len(), chunk.valid().chars().filter(|character| !character.is_ascii()).count()));
    let (invalid, valid) = counts.fold((0, 0), |sum, (invalid, valid)| (sum.0 + invalid, sum.1 + valid));
    invalid > valid
}

/// Marks in both texts the tokens ([`widen`]) that differ. Where one of them is `cut`, a difference at their ends is
/// left out of both, since the rest of the other may stand behind the cut; where it is the only difference it stays, or
/// nothing would be marked.
pub fn differences(mut before: &[String], mut after: &[String], cut: bool) -> (Vec<MarkedText>, Vec<MarkedText>) {
    let mut operations = capture_diff_slices(Algorithm::Myers, before, after);
    let earlier = operations.split_last().is_some_and(|(_, earlier)| earlier.iter().any(differs));
    if let Some(last) = operations.pop_if(|last| cut && earlier && differs(last)) {
        (before, after) = (&before[..last.old_range().start], &after[..last.new_range().start]);
    }
    if let Some((one, other)) = ends_without_slid_difference(before, after, &operations).filter(|_| cut) {
        (before, after) = (&before[..one], &after[..other]);
        // The difference, and the equal signs behind it.
        operations.truncate(operations.len() - 2);
    }
    let (mut old, mut new) = (vec![false; before.len()], vec![false; after.len()]);
    for operation in operations {
        if differs(&operation) {
            old[operation.old_range()].fill(true);
            new[operation.new_range()].fill(true);
        }
    }
    widen(before, &mut old);
    widen(after, &mut new);
    (runs(before, old), runs(after, new))
}

/// Returns where both texts end without a difference that belongs at their end, though `operations` have it before the
/// last signs: of `which h` beside `which` they may insert `h ` before the last `h` where ` h` was added behind it.
/// None where there is no such difference, or no other one before it.
fn ends_without_slid_difference(before: &[String], after: &[String], operations: &[DiffOp]) -> Option<(usize, usize)> {
    let [earlier @ .., more, last] = operations else { return None };
    let (old, new) = (more.old_range(), more.new_range());
    let len = last.old_range().len();
    let (signs, start) = match (more.tag(), last.tag()) {
        (DiffTag::Delete, DiffTag::Equal) => (before, old.start),
        (DiffTag::Insert, DiffTag::Equal) => (after, new.start),
        _ => return None,
    };
    let slides = signs.get(start..start + len) == signs.get(signs.len() - len..);
    (slides && earlier.iter().any(differs)).then_some((old.start + len, new.start + len))
}

fn differs(operation: &DiffOp) -> bool {
    operation.tag() != DiffTag::Equal
}

/// Marks what is no ASCII, and what [`visible`] wrote as an escape.
pub fn octets_that_are_not_ascii(signs: &[String]) -> Vec<MarkedText> {
    let marks = signs.iter().map(|sign| !sign.is_ascii() || sign.len() > 1).collect();
    runs(signs, marks)
}

/// Adds an ellipsis, since the text goes on.
pub fn go_on(runs: &mut Vec<MarkedText>) {
    runs.push(MarkedText { text: "…".to_owned(), marked: false });
}

/// Joins runs to the text that they are.
pub fn text(runs: &[MarkedText]) -> String {
    runs.iter().map(|run| run.text.as_str()).collect()
}

/// Joins runs to the text that they are, with those that are marked painted.
pub fn painted(runs: &[MarkedText], style: Style) -> String {
    runs.iter().map(|run| if run.marked { paint(style, &run.text) } else { run.text.clone() }).collect()
}

/// Joins signs to runs by their marks, of which there are as many as signs. A short gap between two marks is marked too
/// ([`close_gaps`]).
fn runs(signs: &[String], mut marks: Vec<bool>) -> Vec<MarkedText> {
    close_gaps(&mut marks);
    joined(signs.iter().map(String::as_str).zip(marks))
}

/// Joins texts to runs by their marks.
pub fn joined<T>(texts: impl Iterator<Item = (T, bool)>) -> Vec<MarkedText>
where
    String: Extend<T> + FromIterator<T>,
{
    let mut runs: Vec<MarkedText> = Vec::new();
    for (text, marked) in texts {
        match runs.last_mut() {
            Some(last) if last.marked == marked => last.text.extend([text]),
            _ => runs.push(MarkedText { text: String::from_iter([text]), marked }),
        }
    }
    runs
}

/// Marks what stands between two marks where that is no more than [`GAP`] signs.
fn close_gaps(marks: &mut [bool]) {
    let mut last = None;
    for at in 0..marks.len() {
        if !marks[at] {
            continue;
        }
        if let Some(before) = last.filter(|before| at - before <= GAP + 1) {
            marks[before..at].fill(true);
        }
        last = Some(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(runs: &[MarkedText]) -> String {
        runs.iter().map(|run| if run.marked { format!("[{}]", run.text) } else { run.text.clone() }).collect()
    }

    #[test]
    fn what_differs_is_marked_and_nothing_else() {
        for (before, after, old, new) in [
            (&b"caf\xe9 noir"[..], "café noir".as_bytes(), r"[caf\xE9] noir", "[café] noir"),
            (b"a\xe9b\xe9c, and more", "aébéc, and more".as_bytes(), r"[a\xE9b\xE9c], and more", "[aébéc], and more"),
            (b"\x1b$B\r\n x", "日 x".as_bytes(), r"[\x1B$B] x", "[日] x"),
            (b"same", b"same", "same", "same"),
            (b"", b"new", "", "[new]"),
            (b"a\xe9bcdef g", "aébcdef".as_bytes(), r"[a\xE9bcdef g]", "[aébcdef]"),
            (
                b"=?unicode-1-1-utf-7?Q?Gr+APwA3w-e?= <a@b.c>",
                "=?utf-8?B?R3LDvMOfZQ==?= <a@b.c>".as_bytes(),
                "=?[unicode-1-1-utf-7?Q?Gr+APwA3w-e]?= <a@b.c>",
                "=?[utf-8?B?R3LDvMOfZQ==]?= <a@b.c>",
            ),
            (b"=?x?Q?a?= =?x?Q?b?= c", b"=?y?Q?a?= =?x?Q?b?= c", "=?[x]?Q?a?= =?x?Q?b?= c", "=?[y]?Q?a?= =?x?Q?b?= c"),
            (
                "http://bücher.example/a".as_bytes(),
                b"http://xn--bcher-kva.example/a",
                "http://[bücher].example/a",
                "http://[xn--bcher-kva].example/a",
            ),
            ("日本語".as_bytes(), "日木語".as_bytes(), "日[本]語", "日[木]語"),
        ] {
            let (before, after) = differences(&visible(before), &visible(after), false);
            assert_eq!((marked(&before), marked(&after)), (old.to_owned(), new.to_owned()));
        }
        let (before, after) = differences(&visible(b"a\xe9bcdef g"), &visible("aébcdef".as_bytes()), true);
        assert_eq!(
            (marked(&before), marked(&after)),
            (r"[a\xE9bcdef]".to_owned(), "[aébcdef]".to_owned()),
            "it goes on"
        );
        let (before, after) = differences(&visible(b"a\xe9 which h"), &visible("aé which".as_bytes()), true);
        assert_eq!((marked(&before), marked(&after)), (r"[a\xE9] which".to_owned(), "[aé] which".to_owned()), "slid");
        assert_eq!(marked(&octets_that_are_not_ascii(&visible(b"a\xe9b"))), r"a[\xE9]b");
    }

    #[test]
    fn characters_by_chance_are_octets() {
        assert_eq!(visible(b"\xa5\xbc\xa9R\xdb\xac").concat(), r"\xA5\xBC\xA9R\xDB\xAC");
        assert_eq!(visible("é\u{202E} café".as_bytes()).concat(), r"é\u{202E} café");
        assert_eq!(visible(b"caf\xc3\xa9, cr\xc3\xa8me \x96 th\xc3\xa9").concat(), r"café, crème \x96 thé");
    }

    #[test]
    fn nothing_drives_a_terminal() {
        let signs = visible("\u{1b}[31m\u{9b}0m\u{85}\0\u{7f}".as_bytes()).concat();
        assert_eq!(signs, r"\x1B[31m\u{9B}0m\u{85}\x00\x7F");
        assert!(visible(&(0..=255).collect::<Vec<u8>>()).concat().chars().all(|c| !c.is_control()));
    }
}
