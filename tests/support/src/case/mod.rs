//! The cases of `fixtures/rewrite`: a message, its profile, and what comes of it; one file each, `TOPIC/CASE.case`.
//!
//! ```text
//! === why
//! A word in UTF-7 becomes one in UTF-8.
//! === profile
//! base = "utf8"
//! === input
//! Subject: =?utf-7?Q?+ANw-ber?=
//!
//! === expected
//! Subject: =?utf-8?B?w5xiZXI=?=
//!
//! === report
//! field=Subject word=utf-7>utf-8
//! ```
//!
//! A line that begins with `===` begins a section, and the lines up to the next are the section's octets, written with
//! [`escapes`](crate::escapes): `\` at the end of the last line means that no line end stands there, and `\x3D==`
//! begins a line with `===`. The sections stand in this order. Without `profile` the profile has no keys, without
//! `expected` the message stays, without `report` there is nothing to report.

mod sections;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use self::sections::{Name, Sections};

/// A case, as its file has it.
pub struct Case {
    /// `TOPIC/CASE`.
    pub name: String,
    sections: Sections,
}

/// What is wrong with the file of a case, and where.
#[derive(Debug)]
pub struct Fault {
    file: String,
    line: usize,
    what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}

/// Reads all cases, sorted by name; panics at a file that is none.
pub fn all() -> Vec<Case> {
    let root = crate::fixture("rewrite");
    let mut cases: Vec<Case> = entries(&root).iter().flat_map(|topic| entries(topic)).map(|file| open(&file)).collect();
    assert!(!cases.is_empty(), "no cases in {}", root.display());
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    cases
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    read.map(|entry| entry.expect("an entry").path()).collect()
}

fn open(file: &Path) -> Case {
    let below = file.strip_prefix(crate::fixture("rewrite")).expect("a file of the cases").display().to_string();
    let name = below.strip_suffix(".case").unwrap_or_else(|| panic!("{below}: not named CASE.case"));
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{below}: {error}"));
    Case::read(name, &text).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Gives the name of a case's file below `fixtures`.
fn file(name: &str) -> String {
    format!("rewrite/{name}.case")
}

impl Case {
    /// Reads the text of a case's file.
    pub fn read(name: &str, text: &str) -> Result<Case, Fault> {
        let sections = Sections::read(text).map_err(|(line, what)| Fault {
            file: format!("fixtures/{}", file(name)),
            line,
            what,
        })?;
        Ok(Case { name: name.to_owned(), sections })
    }

    /// Returns what the case is there for.
    pub fn why(&self) -> &str {
        self.text(Name::Why)
    }

    /// Returns the keys of its profile, in TOML.
    pub fn profile(&self) -> &str {
        self.text(Name::Profile)
    }

    /// Returns the message.
    pub fn input(&self) -> &[u8] {
        self.sections.octets(Name::Input).unwrap_or_default()
    }

    /// Returns what the message shall become.
    pub fn expected(&self) -> &[u8] {
        self.sections.octets(Name::Expected).unwrap_or(self.input())
    }

    /// Returns the lines that the report shall have.
    pub fn report(&self) -> &str {
        self.text(Name::Report)
    }

    fn text(&self, name: Name) -> &str {
        let octets = self.sections.octets(name).unwrap_or_default();
        std::str::from_utf8(octets).unwrap_or_else(|_| panic!("{}: {} is not UTF-8", self.name, name.word()))
    }

    /// Notes what came of the message. A section that says so already stays as it is written.
    pub fn bless(&mut self, output: &[u8], report: &str) {
        let changed = output != self.input();
        self.sections.set(Name::Expected, changed.then_some(output));
        self.sections.set(Name::Report, Some(report.as_bytes()));
    }

    /// Writes its file.
    pub fn write(&self) {
        let file = crate::fixture(file(&self.name));
        fs::write(&file, self.sections.to_string()).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}

#[cfg(test)]
mod tests {
    use super::Case;

    const CASE: &str = "=== why\nA café.\n=== profile\nbase = \"utf8\"\n=== input\nA: \\xE9\n\n=== report\n";

    fn read(text: &str) -> Case {
        Case::read("topic/case", text).unwrap_or_else(|fault| panic!("{fault}"))
    }

    #[test]
    fn a_case_is_read() {
        let case = read(CASE);
        assert_eq!((case.why(), case.profile(), case.report()), ("A café.\n", "base = \"utf8\"\n", ""));
        assert_eq!((case.input(), case.expected()), (&b"A: \xE9\n\n"[..], &b"A: \xE9\n\n"[..]));
        let changed = read(&CASE.replace("=== report\n", "=== expected\nA: é\\\n=== report\nx\n"));
        assert_eq!((changed.expected(), changed.report()), ("A: é".as_bytes(), "x\n"));
        assert_eq!(read("=== why\n=== input\n").profile(), "");
    }

    #[test]
    fn a_fault_names_file_and_line() {
        let says = |text: &str| Case::read("topic/case", text).err().map(|fault| fault.to_string());
        let faults = [
            ("", "1: no section why"),
            ("why\n=== input\n", "1: no section: why"),
            ("=== why\n=== inputs\n=== report\n", "2: no section: === inputs"),
            ("=== why\na\n==== a\n", "3: no section: ==== a"),
            ("=== why\r\n=== input\n", "1: no section: === why\\r"),
            ("=== why\na\n=== input\nb\n\\q c\nd\n", "5: no escape: \\q c"),
            ("=== why\n\\\\{2:\n=== input\n\n\\{2:\na\n", "5: no escape: \\{2:"),
            ("=== input\n=== why\n", "2: why stands twice, or too late"),
            ("=== why\n=== why\n", "2: why stands twice, or too late"),
            ("=== why\na\n=== report\n", "3: no section input"),
            ("=== why\n=== input\na", "3: no line end"),
        ];
        for (text, what) in faults {
            assert_eq!(
                says(text).as_deref(),
                Some(format!("fixtures/rewrite/topic/case.case:{what}").as_str()),
                "{text}"
            );
        }
    }

    #[test]
    fn blessing_leaves_what_is_true() {
        let text = CASE.replace("=== report\n", "=== expected\n\\{3:a}\\x41\n=== report\n\\x41\n");
        let mut case = read(&text);
        case.bless(b"aaaA\n", "A\n");
        assert_eq!(case.sections.to_string(), text);
        case.bless(b"=== b \xE9", "A\n");
        assert_eq!(
            case.sections.to_string(),
            CASE.replace("=== report\n", "=== expected\n\\x3D== b \\xE9\\\n=== report\n\\x41\n")
        );
        case.bless(b"A: \xE9\n\n", "");
        assert_eq!(case.sections.to_string(), CASE);
    }
}
