//! The file of decisions: JSON Lines, of which the first says what the answers belong to, and each other is an answer.
//!
//! It is written as a whole and then takes its place, so that one that is there is whole whenever it is looked at.

use std::fs;
use std::io::{self, BufRead, BufReader, ErrorKind, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::answer::{AnswerLine, YesNo};
use super::error::DecisionsError;
use crate::archive::file_error::FileError;
use crate::archive::interrupt;
use crate::archive::replace::{TemporaryNames, folder_of, follow_links};
use crate::archive::sha256::Sha256;
use crate::process::ruled_profiles::RuledProfiles;
use crate::process::shown_json::write_shown_json;

/// What the first line says that the file is.
const IS: &str = "decisions";

/// The form of the file.
const VERSION: u32 = 1;

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionsHead {
    /// `decisions`.
    septet: String,
    /// The form of the file.
    version: u32,
    /// The version of septet that wrote it first.
    made_by: String,
    /// The profiles' names, for people.
    profile: String,
    /// The sum of the profiles and rules by which the changes were planned.
    settings: String,
    /// What becomes of changes that nothing else was said of.
    pub rest: YesNo,
}

/// What is in a file of decisions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionsFile {
    /// What the answers belong to, and what becomes of the rest.
    pub head: DecisionsHead,
    /// The answers, in the order in which they were given.
    pub answers: Vec<AnswerLine>,
}

impl DecisionsFile {
    /// Makes one without answers; of the rest nothing changes.
    pub fn new(profiles: &RuledProfiles) -> DecisionsFile {
        let head = DecisionsHead {
            septet: IS.to_owned(),
            version: VERSION,
            made_by: env!("CARGO_PKG_VERSION").to_owned(),
            profile: profiles.names(),
            settings: settings_sum(profiles),
            rest: YesNo::No,
        };
        DecisionsFile { head, answers: Vec::new() }
    }

    /// Reads a file, and returns with it the SHA-256 of its octets. An error where it is not such a file, or where its
    /// answers are to what other settings would change.
    pub fn read(path: &Path, profiles: &RuledProfiles) -> Result<(DecisionsFile, String), DecisionsError> {
        let reading = FileError::reading(path.display());
        let text = fs::read(path).map_err(&reading)?;
        let mut lines = BufReader::new(&*text).lines();
        let first = lines.next().transpose().map_err(&reading)?.unwrap_or_default();
        let not_one = |_| DecisionsError::NoDecisions { path: path.to_owned() };
        let head = check_head(serde_json::from_str(&first).map_err(not_one)?, path, profiles)?;
        let mut answers = Vec::new();
        for (number, line) in (2..).zip(lines) {
            let wrong = |_| DecisionsError::Line { path: path.to_owned(), line: number };
            answers.push(serde_json::from_str(&line.map_err(&reading)?).map_err(wrong)?);
        }
        Ok((DecisionsFile { head, answers }, Sha256::default().with(&text).hex()))
    }

    /// Reads a file to go on with it; a new one where there is none.
    pub fn go_on(path: &Path, profiles: &RuledProfiles) -> Result<DecisionsFile, DecisionsError> {
        match DecisionsFile::read(path, profiles) {
            Err(DecisionsError::File(FileError::Read { source, .. })) if source.kind() == ErrorKind::NotFound => {
                Ok(DecisionsFile::new(profiles))
            }
            read => read.map(|(file, _)| file),
        }
    }

    /// Writes it; what was there before is replaced in one step, and one behind a symbolic link where it stands.
    pub fn write(&self, path: &Path) -> Result<(), FileError> {
        self.replace(&follow_links(path)).map_err(FileError::writing(path.display()))
    }

    /// Writes it under a passing name, which then takes the place of `path`, no link; it is its owner's alone, whatever
    /// mode the file had that was there.
    fn replace(&self, path: &Path) -> io::Result<()> {
        let next = TemporaryNames::new("").create(folder_of(path), 0o600)?;
        let mut text = Vec::new();
        // So that a terminal may show it: senders and names of files are others'.
        write_shown_json(&mut text, &self.head)?;
        self.answers.iter().try_for_each(|answer| write_shown_json(&mut text, answer))?;
        next.file().write_all(&text)?;
        interrupt::uninterrupted(|| {
            let written = next.release();
            fs::rename(&written, path)?;
            interrupt::ended(&written);
            Ok(())
        })
    }
}

/// Returns the first line if the file is one of this form, and of these settings. Another version of septet may know
/// more keys, so that the sums differ of what is the same: then the profiles' names count.
fn check_head(head: DecisionsHead, path: &Path, profiles: &RuledProfiles) -> Result<DecisionsHead, DecisionsError> {
    let path = path.to_owned();
    if head.septet != IS {
        return Err(DecisionsError::NoDecisions { path });
    }
    if head.version > VERSION {
        return Err(DecisionsError::Newer { path, version: head.version });
    }
    let is_same = match head.made_by == env!("CARGO_PKG_VERSION") {
        true => head.settings == settings_sum(profiles),
        false => head.profile == profiles.names(),
    };
    if is_same { Ok(head) } else { Err(DecisionsError::OtherSettings { path, profile: head.profile }) }
}

/// Sums up the settings that changes depend on.
fn settings_sum(profiles: &RuledProfiles) -> String {
    Sha256::default().with(profiles.fingerprint()).hex()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::decisions::{PlaceAnswer, PlaceName};
    use crate::rewrite::Profile;

    fn profiles(name: &str) -> RuledProfiles {
        RuledProfiles::one(Profile::built_in(name).expect("a profile"))
    }

    fn answers() -> Vec<AnswerLine> {
        let at = PlaceName { part: "1".into(), place: "field".into(), field: Some("Subject".into()), number: Some(2) };
        let place = PlaceAnswer {
            message: "ab".repeat(32),
            at,
            answer: YesNo::No,
            change: "word=koi8-r>utf-8".into(),
            input: "\u{202E}a.mbox".into(),
            nth: 7,
        };
        let kind = AnswerLine::Kind { kind: "body charset=koi8-r>utf-8".into(), answer: YesNo::Yes };
        vec![AnswerLine::Place(place), kind]
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("d.jsonl");
        let (utf8, eai) = (profiles("utf8"), profiles("eai"));
        let mut file = DecisionsFile::go_on(&path, &utf8).expect("a new one");
        file.answers = answers();
        file.write(&path).expect("written");
        assert_eq!(DecisionsFile::go_on(&path, &utf8).expect("read"), file);
        let text = fs::read_to_string(&path).expect("a text");
        assert!(text.lines().count() == 3 && !text.contains('\u{202E}'), "{text}");
        let other = DecisionsFile::read(&path, &eai).expect_err("another profile");
        assert!(matches!(other, DecisionsError::OtherSettings { profile, .. } if profile == "utf8"));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "no passing file stays");
    }

    #[test]
    fn what_is_no_such_file_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("d.jsonl");
        let utf8 = profiles("utf8");
        DecisionsFile::new(&utf8).write(&path).expect("written");
        let head = fs::read_to_string(&path).expect("a text");
        for (text, wanted) in [
            (String::new(), "is not a file of decisions"),
            ("{\"input\":\"a\"}\n".to_owned(), "is not a file of decisions"),
            (head.replace("decisions", "plan"), "is not a file of decisions"),
            (head.replace("\"version\":1", "\"version\":2"), "is of a newer septet"),
            (
                format!("{head}{{\"kind\":\"x\",\"answer\":\"yes\"}}\n{{\"kind\":\"x\"}}\n"),
                "line 3: it is not an answer",
            ),
            (format!("{head}{{\"kind\":\"x\",\"answer\":\"perhaps\"}}\n"), "line 2: it is not an answer"),
        ] {
            fs::write(&path, &text).expect("written");
            let error = DecisionsFile::read(&path, &utf8).expect_err("no such file").to_string();
            assert!(error.contains(wanted), "{text}: {error}");
        }
    }
}
