//! Maildir: flags and keywords are letters in the name of a message's file, `1.a.host:2,FSab`.
//!
//! Small letters are keywords, and Dovecot's file `dovecot-keywords` in the Maildir says which: a line `0 work` for
//! `a`, `1 home` for `b`. Without a line for it a letter is a keyword without a name.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use super::marks::MessageMarks;
use crate::archive::maildir_name::split_flags;
use crate::archive::replace::read_regular;

/// The name of Dovecot's file of keywords.
pub const KEYWORDS: &str = "dovecot-keywords";

/// The octets of it that are read.
const LONGEST: u64 = 64 << 10;

/// The keywords of a Maildir, for its letters from `a` on; none where a letter has no name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeywordLetters {
    names: Vec<Option<String>>,
}

impl KeywordLetters {
    /// Reads those of a Maildir; a file that can't be read says nothing.
    pub fn of(maildir: &Path) -> KeywordLetters {
        let octets = read_regular(&maildir.join(KEYWORDS), LONGEST).ok();
        let text = octets.and_then(|octets| String::from_utf8(octets).ok());
        text.map_or_else(KeywordLetters::default, |text| KeywordLetters::read(&text))
    }

    /// Reads the lines of the file. What is no such line is passed over, and a name that is no keyword is none.
    fn read(text: &str) -> KeywordLetters {
        let mut letters = KeywordLetters::default();
        for (number, name) in text.lines().filter_map(|line| line.split_once(' ')) {
            if let Some(number) = number.parse::<usize>().ok().filter(|number| *number < LETTERS) {
                letters.names.resize(letters.names.len().max(number + 1), None);
                letters.names[number] = Some(name.to_owned()).filter(|name| is_keyword(name));
            }
        }
        letters
    }

    /// Goes on with the keywords that a Maildir which is written has so far.
    pub fn go_on(names: Vec<String>) -> KeywordLetters {
        KeywordLetters { names: names.into_iter().map(Some).collect() }
    }

    /// Returns their names, in the order of their letters. A letter without a name is left out, so that they lead back
    /// ([`go_on`](Self::go_on)) only where each has one, as in a Maildir that is written.
    pub fn names(&self) -> Vec<String> {
        self.names.iter().flatten().cloned().collect()
    }

    /// Returns the letters of keywords in a Maildir that is written, and whether that is all of them: each new one gets
    /// the next letter, while there are any.
    pub fn letters_of(&mut self, keywords: &BTreeSet<String>) -> (String, bool) {
        let letters: BTreeSet<char> = keywords.iter().filter_map(|keyword| self.letter_of(keyword)).collect();
        (letters.iter().collect(), letters.len() == keywords.len())
    }

    /// Returns the letter of a keyword, the next one where it has none yet; none where there are no more letters.
    fn letter_of(&mut self, keyword: &str) -> Option<char> {
        let there = self.names.iter().position(|name| name.as_deref() == Some(keyword));
        let at = match there {
            Some(at) => at,
            None if self.names.len() < LETTERS => {
                self.names.push(Some(keyword.to_owned()));
                self.names.len() - 1
            }
            None => return None,
        };
        Some(char::from(b'a' + u8::try_from(at).ok()?))
    }

    /// Makes the file; it is empty without keywords.
    pub fn file(&self) -> String {
        let line = |(number, name): (usize, &Option<String>)| Some(format!("{number} {}\n", name.as_ref()?));
        self.names.iter().enumerate().filter_map(line).collect()
    }
}

/// The letters that there are.
const LETTERS: usize = 26;

/// Returns `true` if a word can be a keyword of IMAP (RFC 9051, `flag-keyword`): so it can stand in any of the places
/// for them.
pub fn is_keyword(word: &str) -> bool {
    let is_atom = |octet: u8| octet.is_ascii_graphic() && !b"(){%*\"\\]".contains(&octet);
    !word.is_empty() && word.bytes().all(is_atom)
}

/// Reads the name of a Maildir's file, `1.a.host:2,FS`; on file systems without colons `;2,FS` or `!2,FS`. With a flag
/// the message is not new.
pub fn marks_of_name(name: &OsStr, is_new: bool, keywords: &KeywordLetters) -> MessageMarks {
    let letters = split_flags(name).1.get(b":2,".len()..).unwrap_or_default();
    let mut marks = MessageMarks::of(|flag| letters.contains(&flag.maildir), !is_new);
    for letter in letters.iter().filter(|letter| letter.is_ascii_lowercase()) {
        match keywords.names.get(usize::from(letter - b'a')).and_then(Option::as_ref) {
            Some(name) => _ = marks.keywords.insert(name.clone()),
            None => marks.has_nameless = true,
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_flags_and_keywords() {
        let letters = KeywordLetters::read("0 $Forwarded\n1 work\n3 a b\n4 b\"c\nx y\n99 far\n");
        for (name, is_new, flags, keywords, has_nameless) in [
            ("1.a:2,FS", false, "FS", "", false),
            ("1.a,S=5;2,RS", false, "RS", "", false),
            ("1.a", true, "", "", false),
            ("1.a!2,SPab", false, "PS", "$Forwarded work", false),
            ("1.a:2,bd", false, "", "work", true),
            ("1.a:2,e", true, "", "", true),
        ] {
            let marks = marks_of_name(name.as_ref(), is_new, &letters);
            let said = marks.keywords.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
            let all = (marks.letters(), said, marks.has_nameless, marks.is_new());
            assert_eq!(all, (flags, keywords.to_owned(), has_nameless, is_new), "{name}");
        }
    }

    #[test]
    fn a_new_keyword_gets_the_next_letter_while_there_are_any() {
        let mut letters = KeywordLetters::default();
        let set = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(letters.letters_of(&set(&["work", "home"])), ("ab".to_owned(), true));
        assert_eq!(letters.letters_of(&set(&["work", "also"])), ("bc".to_owned(), true));
        assert_eq!(letters.file(), "0 home\n1 work\n2 also\n");
        assert_eq!(KeywordLetters::read(&letters.file()), letters);
        assert_eq!(KeywordLetters::go_on(letters.names()), letters);
        let many: BTreeSet<String> = (10..40).map(|number| format!("k{number}")).collect();
        let (given, is_all) = letters.letters_of(&many);
        assert_eq!((given.len(), given.ends_with('z'), is_all), (23, true, false));
    }
}
