//! Where writers put an apostrophe within a word, or at its end.

/// What it stands before in English.
const ENGLISH: [&str; 8] = ["s", "t", "re", "ve", "ll", "d", "m", "em"];

/// What it stands behind in French, Italian and Catalan, before a vowel or an `h`.
const ELIDED: [&str; 26] = [
    "c", "d", "j", "l", "m", "n", "s", "t", "z", "v", "gl", "un", "qu", "dell", "nell", "all", "dall", "sull", "quell",
    "bell", "jusqu", "lorsqu", "puisqu", "aujourd", "quelqu", "presqu",
];

/// The letters that one stands before in these.
const VOWELS: &str = "aeiouyhàáâäèéêëìíîïòóôöøœæùúûü";

/// Returns `true` if an apostrophe may stand between letters, which come in lower case: before an ending of English,
/// where another language leaves a vowel out, or in a name as that of O’Brien; `is_capital` says of the letter behind
/// it that it is one.
pub(super) fn is_elision(before: &str, behind: &str, is_capital: bool) -> bool {
    ENGLISH.contains(&behind)
        || before == "o" && is_capital
        || behind.starts_with(|letter| VOWELS.contains(letter)) && ELIDED.contains(&before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vowels_are_left_out_before_vowels() {
        assert!(is_elision("it", "s", false) && is_elision("l", "eau", false) && is_elision("dell", "anno", false));
        assert!(is_elision("o", "brien", true));
        assert!(!is_elision("l", "nea", false), "línea in the charset of the Macintosh");
        assert!(!is_elision("p", "xeles", false));
    }
}
