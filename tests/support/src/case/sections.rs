//! The sections of a case's file.

use std::collections::BTreeMap;
use std::fmt;

use crate::escapes;

/// What begins the line of a section's name.
const MARK: &str = "===";

/// The line of a fault, and what it is.
pub type Fault = (usize, String);

/// What a section is called, in the order of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    Why,
    Profile,
    Input,
    Expected,
    Report,
}

impl Name {
    const ALL: [Name; 5] = [Name::Why, Name::Profile, Name::Input, Name::Expected, Name::Report];

    /// Returns the word that a file has for it.
    pub const fn word(self) -> &'static str {
        match self {
            Name::Why => "why",
            Name::Profile => "profile",
            Name::Input => "input",
            Name::Expected => "expected",
            Name::Report => "report",
        }
    }

    fn read(head: &str) -> Option<Name> {
        let word = head.strip_prefix(MARK)?.strip_prefix(' ')?;
        Name::ALL.into_iter().find(|name| name.word() == word)
    }
}

/// A section: its lines as they are written, and the octets that they mean.
struct Section {
    text: String,
    octets: Vec<u8>,
}

impl Section {
    fn of(octets: &[u8]) -> Section {
        let mut text = escapes::written(octets).replace("\n===", "\n\\x3D==");
        if text.starts_with(MARK) {
            text.replace_range(..1, "\\x3D");
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push_str("\\\n");
        }
        Section { text, octets: octets.to_vec() }
    }
}

/// The sections of one file.
pub struct Sections(BTreeMap<Name, Section>);

impl Sections {
    /// Reads the text of a file, or says in which line what is wrong.
    pub fn read(text: &str) -> Result<Sections, Fault> {
        let mut sections = BTreeMap::new();
        for part in parts(text) {
            let (name, section) = part.read()?;
            if sections.last_key_value().is_some_and(|(last, _)| *last >= name) {
                return Err((part.line, format!("{} stands twice, or too late", name.word())));
            }
            sections.insert(name, section);
        }
        let missing = [Name::Why, Name::Input].into_iter().find(|name| !sections.contains_key(name));
        let last = text.lines().count().max(1);
        match missing {
            Some(missing) => Err((last, format!("no section {}", missing.word()))),
            None if !text.ends_with('\n') => Err((last, "no line end".to_owned())),
            None => Ok(Sections(sections)),
        }
    }

    /// Returns the octets of a section, if it is there.
    pub fn octets(&self, name: Name) -> Option<&[u8]> {
        self.0.get(&name).map(|section| &section.octets[..])
    }

    /// Gives a section other octets, or takes it out. One that has these octets stays as it is written.
    pub fn set(&mut self, name: Name, octets: Option<&[u8]>) {
        if self.octets(name) == octets {
            return;
        }
        match octets {
            Some(octets) => self.0.insert(name, Section::of(octets)),
            None => self.0.remove(&name),
        };
    }
}

/// The text of the file.
impl fmt::Display for Sections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(name, section)| write!(f, "{MARK} {}\n{}", name.word(), section.text))
    }
}

/// A section as it is found: the number and the text of its first line, and the lines after it.
struct Part<'t> {
    line: usize,
    head: &'t str,
    text: &'t str,
}

/// Parts a text into its sections. Its first line is one's name, whatever it says.
fn parts(text: &str) -> Vec<Part<'_>> {
    let (mut parts, mut rest, mut line) = (Vec::new(), text, 1);
    while !rest.is_empty() {
        let (head, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let next = if after.starts_with(MARK) { Some(0) } else { after.find("\n===").map(|at| at + 1) };
        let (text, following) = after.split_at(next.unwrap_or(after.len()));
        parts.push(Part { line, head, text });
        line += 1 + text.matches('\n').count();
        rest = following;
    }
    parts
}

impl Part<'_> {
    fn read(&self) -> Result<(Name, Section), Fault> {
        let unknown = || (self.line, format!("no section: {}", self.head.escape_debug()));
        let name = Name::read(self.head).ok_or_else(unknown)?;
        let octets = escapes::read(self.text).map_err(|at| self.no_escape(at))?;
        Ok((name, Section { text: self.text.to_owned(), octets }))
    }

    fn no_escape(&self, at: usize) -> Fault {
        let (before, escape) = self.text.split_at(at);
        let line = self.line + 1 + before.matches('\n').count();
        (line, format!("no escape: {:.20}", escape.lines().next().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Name, Sections};

    /// Every octet, and what has a meaning of its own at the edges of lines and sections.
    fn odd() -> Vec<Vec<u8>> {
        let every: Vec<u8> = (0..=255).collect();
        let pieces: [&[u8]; 14] = [
            b"", b"\n", b"\r", b"\r\n", b" ", b"\t", b"\0", b"===", b"=== input", b"\\", b"\\n", b"\xE9", b"\\\n",
            &every,
        ];
        let pairs = pieces.iter().flat_map(|one| pieces.iter().map(move |other| [*one, *other].concat()));
        pairs.flat_map(|pair| [[&pair[..], &pair].concat(), [&pair, &b"\n"[..], &pair].concat()]).collect()
    }

    #[test]
    fn whatever_the_octets_they_come_back() {
        for raw in odd() {
            let mut sections = Sections::read("=== why\na\n=== input\nb\n").expect("sections");
            sections.set(Name::Input, Some(&raw));
            sections.set(Name::Expected, Some(&raw));
            sections.set(Name::Report, Some(b"c\n"));
            let text = sections.to_string();
            let again = Sections::read(&text).unwrap_or_else(|fault| panic!("{fault:?} in {text}"));
            let has = [Name::Why, Name::Input, Name::Expected, Name::Report].map(|name| again.octets(name));
            assert_eq!(has, [Some(&b"a\n"[..]), Some(&raw), Some(&raw), Some(b"c\n")], "{text}");
            assert_eq!(again.to_string(), text);
        }
    }
}
