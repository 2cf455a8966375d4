//! Where the mailbox of a label stands: a path below OUT that any file system can have.
//!
//! A `/` is Gmail's own way to nest labels, and leads to a folder in a folder here. All else that could lead elsewhere,
//! hide or be mistaken is written as `%` and two hexadecimal digits: control characters and others that can't be seen,
//! a `.` at the start of a name, a `/` below the eighth folder. So are names that the inside of a mailbox has (`cur`,
//! `x.eml`), by their first letter; and a `%` before two such digits, so that no two labels get one name. What would be
//! longer than a name may be ends with a part of its SHA-256.
//!
//! Labels are the same if they are but for the case of their letters, and for how accents are composed: many file
//! systems have but one file for both, and Gmail has but one label. The first spelling counts.

use std::collections::HashMap;
use std::path::PathBuf;

use unicode_normalization::UnicodeNormalization;

use super::choice::UNLABELLED;
use crate::archive::sha256::Sha256;
use crate::process::shown::is_hidden;

/// The mailboxes that there may be: as many labels as Gmail lets a user have.
const MOST: usize = 10_000;

/// The folders that a name has at most, and the octets of each name: with the end of a mailbox file it has 255.
const DEEPEST: usize = 8;
const LONGEST: usize = 230;

/// What the inside of a mailbox or its folder is called.
const TAKEN: [&str; 5] = ["cur", "new", "tmp", "dovecot-keywords", "septet-origin.jsonl"];

/// The ends of names that files of mail have.
const ENDS: [&str; 6] = [".eml", ".mbox", ".gz", ".zst", ".xz", ".bz2"];

/// The mailboxes so far, by their labels.
#[derive(Debug, Default)]
pub struct MailboxNames {
    numbers: HashMap<String, usize>,
    /// The folders so far, as they were spelled first.
    folders: HashMap<String, String>,
}

/// A mailbox that has a name.
#[derive(Debug, PartialEq, Eq)]
pub enum Named {
    /// It had one before; its number, from 0 in the order in which they came.
    Known(usize),
    /// It is new, and has this path below OUT, without the end of a mailbox file.
    New(PathBuf),
}

impl MailboxNames {
    /// Returns the mailbox of a label. Where there are too many, or nothing is left of the label, it is that of what
    /// has none. Labels come in the order of their messages, so that the same mail gives the same names; `go_on` of
    /// `mailboxes.rs` asks for them in the order of the journal.
    pub fn of(&mut self, label: &str) -> Named {
        let key_of = |parts: &[String]| parts.iter().map(|part| folded(part)).collect::<Vec<_>>().join("/");
        let mut parts = parts(label);
        let mut key = key_of(&parts);
        // There is always room for that of what has no label.
        if parts.is_empty() || (self.numbers.len() >= MOST - 1 && !self.numbers.contains_key(&key)) {
            parts = vec![UNLABELLED.to_owned()];
            key = key_of(&parts);
        }
        if let Some(number) = self.numbers.get(&key) {
            return Named::Known(*number);
        }
        self.numbers.insert(key, self.numbers.len());
        Named::New(self.spelled(&parts))
    }

    /// Makes a path of names, each spelled as it was when its folder came first.
    fn spelled(&mut self, parts: &[String]) -> PathBuf {
        let (mut key, mut path) = (String::new(), PathBuf::new());
        for part in parts {
            key = format!("{key}/{}", folded(part));
            path.push(self.folders.entry(key.clone()).or_insert_with(|| part.clone()));
        }
        path
    }
}

/// Returns the names of the folders and the mailbox of a label, none of them empty.
fn parts(label: &str) -> Vec<String> {
    let label: String = label.nfc().collect();
    let parts: Vec<&str> = label.split('/').map(str::trim).filter(|part| !part.is_empty()).collect();
    let (folders, rest) = parts.split_at(parts.len().min(DEEPEST));
    let mut parts: Vec<String> = folders.iter().map(|part| (*part).to_owned()).collect();
    if let (Some(last), false) = (parts.last_mut(), rest.is_empty()) {
        *last = format!("{last}/{}", rest.join("/"));
    }
    parts.iter().map(|part| safe(part)).collect()
}

/// Returns what all spellings of a name have in common: names are the same where these are.
fn folded(name: &str) -> String {
    name.to_lowercase().nfc().collect()
}

/// Makes a part of a label the name of a file or folder, with what could lead elsewhere, hide or be mistaken written as
/// `%2E`.
fn safe(text: &str) -> String {
    let mut name = String::new();
    let own = folded(text);
    let is_taken = TAKEN.contains(&own.as_str()) || ENDS.iter().any(|end| own.ends_with(end));
    for (at, character) in text.char_indices() {
        let rest = &text.as_bytes()[at..];
        let is_escape = matches!(rest, [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
        let is_first = at == 0 && (character == '.' || is_taken);
        match is_escape || is_first || character == '/' || character.is_control() || is_hidden(character) {
            true => character.encode_utf8(&mut [0; 4]).bytes().for_each(|octet| name += &format!("%{octet:02X}")),
            false => name.push(character),
        }
    }
    if name.len() <= LONGEST {
        return name;
    }
    let sum = Sha256::default().with(text).hex();
    // With `~` and eight digits behind it that is all it may have.
    let cut = (0..=LONGEST - 9).rev().find(|at| name.is_char_boundary(*at)).unwrap_or_default();
    format!("{}~{}", &name[..cut], &sum[..8])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(label: &str) -> String {
        match MailboxNames::default().of(label) {
            Named::New(path) => path.display().to_string(),
            Named::Known(number) => panic!("{label} is {number}"),
        }
    }

    #[test]
    fn a_name_leads_nowhere_else_and_shows_what_it_is() {
        for (label, wanted) in [
            ("Work", "Work"),
            ("Work/Apollo", "Work/Apollo"),
            ("a, b: \"c\"?", "a, b: \"c\"?"),
            (" /Work// a /", "Work/a"),
            ("../../etc/passwd", "%2E./%2E./etc/passwd"),
            (".", "%2E"),
            (".hidden", "%2Ehidden"),
            ("/", "unlabelled"),
            ("", "unlabelled"),
            ("a\u{0}b\nc\u{202e}d", "a%00b%0Ac%E2%80%AEd"),
            ("100%", "100%"),
            ("%2Ex", "%252Ex"),
            ("Cur", "%43ur"),
            ("a/new", "a/%6Eew"),
            ("1.EML/x", "%31.EML/x"),
            ("a.mbox", "%61.mbox"),
            ("Cafe\u{301}", "Caf\u{e9}"),
            ("1/2/3/4/5/6/7/8/9/10", "1/2/3/4/5/6/7/8%2F9%2F10"),
        ] {
            assert_eq!(name(label), wanted, "{label:?}");
        }
    }

    #[test]
    fn long_names_are_cut_and_stay_apart() {
        let long = |end: &str| format!("{}{end}", "ä".repeat(150));
        let (one, other) = (name(&long("x")), name(&long("y")));
        assert!(one.len() <= LONGEST && one.starts_with("ää") && one != other, "{one} {other}");
        let controls = name(&"\u{1}".repeat(300));
        assert!(controls.len() <= LONGEST, "{controls}");
    }

    #[test]
    fn labels_that_a_file_system_takes_for_one_are_one() {
        let mut names = MailboxNames::default();
        assert_eq!(names.of("Work"), Named::New("Work".into()));
        assert_eq!(names.of("work"), Named::Known(0));
        assert_eq!(names.of("WORK/a"), Named::New("Work/a".into()));
        assert_eq!(names.of("Maße"), Named::New("Maße".into()));
        assert_eq!(names.of("Masse"), Named::New("Masse".into()));
        assert_eq!(names.of("ÜBER"), Named::New("ÜBER".into()));
        assert_eq!(names.of("u\u{308}ber"), Named::Known(4));
        assert_eq!(names.of("work/A"), Named::Known(1));
        assert_eq!(names.of(""), Named::New("unlabelled".into()));
    }

    #[test]
    fn there_are_not_more_mailboxes_than_gmail_has_labels() {
        let mut names = MailboxNames::default();
        let new = (0..MOST + 5).filter(|number| matches!(names.of(&number.to_string()), Named::New(_))).count();
        assert_eq!(new, MOST);
        assert!(matches!(names.of("unlabelled"), Named::Known(_)) && names.of("7") == Named::Known(7));
    }
}
