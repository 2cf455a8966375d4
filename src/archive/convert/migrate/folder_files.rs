//! The files of a folder of messages while they are written: a Maildir, or a folder of .eml files.
//!
//! Names are made of the number of the message, its time and its octets alone, so that the same mailbox file gives the
//! same names, in its order: `000001.eml`, and in a Maildir `000000001.1167609600.0a1b2c3d.septet,S=2048,W=2101:2,S`.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, FileTimes, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use super::folder_sum::{FolderSum, each_file};
use super::letter::MovedMessage;
use super::origin::{ORIGIN, OriginHead, OriginRecord};
use crate::archive::convert::MailboxCursor;
use crate::archive::convert::beside::KeywordLetters;
use crate::archive::convert::beside::maildir::KEYWORDS;
use crate::archive::convert::cursor::FolderCursor;
use crate::archive::convert::mailbox::labels::tree_mailbox::TreeMailbox;
use crate::archive::convert::mailbox::plan::PlannedMessage;
use crate::archive::convert::sizes::other_name;
use crate::archive::folder::make_maildir;
use crate::archive::maildir_name::base;
use crate::archive::replace::{open_cut, open_regular_as};
use crate::archive::sha256::Sha256;

/// The files of a folder that is being written.
pub struct FolderFiles {
    folder: PathBuf,
    is_maildir: bool,
    /// What is kept beside the messages; none while it is closed.
    origin: Option<BufWriter<File>>,
    /// How far it is, but for the keywords.
    at: FolderCursor,
    keywords: KeywordLetters,
    /// The files, where somebody verifies.
    made: Option<FolderSum>,
}

impl FolderFiles {
    /// Begins a folder that is there, and in which `origin` is not, or is empty and this run's own: it gets what is
    /// known of the mailbox file. With `verifies` what is written is summed up, for
    /// [`difference`](TreeMailbox::difference).
    pub fn begin(folder: &Path, is_maildir: bool, head: &OriginHead, verifies: bool) -> io::Result<FolderFiles> {
        if is_maildir {
            make_maildir(folder).map_err(|(_, source)| source)?;
        }
        let how = &mut OpenOptions::new();
        let origin = how.append(true).create(true).mode(0o600).open(folder.join(ORIGIN))?;
        let mut files = FolderFiles::of(folder, is_maildir);
        files.at.ino = origin.metadata()?.ino();
        (files.origin, files.made) = (Some(BufWriter::new(origin)), verifies.then(FolderSum::default));
        files.write_line(head)?;
        Ok(files)
    }

    /// Makes it of a folder that is written already, at its first message.
    pub fn of(folder: &Path, is_maildir: bool) -> FolderFiles {
        let (at, keywords) = (FolderCursor::default(), KeywordLetters::default());
        FolderFiles { folder: folder.to_owned(), is_maildir, origin: None, at, keywords, made: None }
    }

    /// Goes on with what a run that was killed left; what came behind is removed. None where something else is there,
    /// or it can't be read. What is written is not summed up, as what was written is not known.
    pub fn go_on(folder: &Path, is_maildir: bool, at: &FolderCursor) -> Option<FolderFiles> {
        open_cut(&folder.join(ORIGIN), at.ino, at.origin).ok()??;
        remove_behind(folder, is_maildir, at.messages).ok()?;
        let keywords = KeywordLetters::go_on(at.keywords.clone());
        Some(FolderFiles { at: at.clone(), keywords, ..FolderFiles::of(folder, is_maildir) })
    }

    /// Writes a line into the file [`ORIGIN`], which is opened where it is closed, and counts it.
    fn write_line(&mut self, line: &impl serde::Serialize) -> io::Result<()> {
        let line = serde_json::to_string(line)? + "\n";
        self.made.iter_mut().for_each(|made| made.add_line(line.as_bytes()));
        self.at.origin += line.len() as u64;
        let origin = match self.origin.take() {
            Some(origin) => origin,
            None => {
                let how = &mut OpenOptions::new();
                BufWriter::new(open_regular_as(how.append(true), &self.folder.join(ORIGIN))?)
            }
        };
        self.origin.insert(origin).write_all(line.as_bytes())
    }
}

impl TreeMailbox for FolderFiles {
    /// Writes a message into a file of its own, and what is kept of it into [`ORIGIN`]; returns `true` if one of its
    /// keywords got no letter.
    fn write(&mut self, message: &PlannedMessage, _: &[u8]) -> io::Result<bool> {
        let Some(moved) = &message.moved else { return Ok(false) };
        self.at.messages += 1;
        let (name, is_all) = name_of(moved, self.at.messages, self.is_maildir, &mut self.keywords);
        let mut how = OpenOptions::new();
        let mut file = how.write(true).create_new(true).mode(0o600).open(self.folder.join(&name))?;
        file.write_all(&moved.octets)?;
        self.made.iter_mut().for_each(|made| made.add_file(&name, &moved.octets));
        let time = UNIX_EPOCH + Duration::from_secs(moved.time.max(0).unsigned_abs());
        file.set_times(FileTimes::new().set_modified(time).set_accessed(time))?;
        if let Some(kept) = &moved.kept {
            let name = name.file_name().unwrap_or_default();
            let name = if self.is_maildir { base(name) } else { name.as_encoded_bytes() };
            self.write_line(&OriginRecord { name: String::from_utf8_lossy(name).into_owned(), ..kept.clone() })?;
        }
        Ok(!is_all)
    }

    /// Reads the file of the next message, and returns `true` if it holds something else than the message; without the
    /// file that is an error.
    fn differs(&mut self, message: &PlannedMessage, _: &[u8]) -> io::Result<bool> {
        let Some(moved) = &message.moved else { return Ok(false) };
        self.at.messages += 1;
        let (name, _) = name_of(moved, self.at.messages, self.is_maildir, &mut self.keywords);
        Ok(fs::read(self.folder.join(name))? != moved.octets)
    }

    /// Tells how far it is, once it is closed.
    fn cursor(&self) -> MailboxCursor {
        MailboxCursor::Folder(FolderCursor { keywords: self.keywords.names(), ..self.at.clone() })
    }

    /// Hands to the system what was written into [`ORIGIN`]; the next line opens it again.
    fn close(&mut self) -> io::Result<()> {
        self.origin.take().map_or(Ok(()), |mut origin| origin.flush())
    }

    /// Writes the file of keywords of a Maildir, if there are any, and closes [`ORIGIN`].
    fn end(&mut self) -> io::Result<()> {
        let keywords = self.keywords.file();
        if self.is_maildir && !keywords.is_empty() {
            // A run that was killed behind this one's end has left it.
            let how = &mut OpenOptions::new();
            let mut file = how.write(true).create(true).truncate(true).mode(0o600).open(self.folder.join(KEYWORDS))?;
            file.write_all(keywords.as_bytes())?;
        }
        self.close()
    }

    /// Says how the folder differs from what was written; none where it doesn't, and where that was not summed up.
    fn difference(&self) -> io::Result<Option<String>> {
        let Some(made) = &self.made else { return Ok(None) };
        Ok(made.difference(&FolderSum::of(&self.folder, self.is_maildir)?))
    }
}

/// Removes the messages of a folder behind the first ones, which are so many.
fn remove_behind(folder: &Path, is_maildir: bool, messages: u64) -> io::Result<()> {
    each_file(folder, is_maildir, |file| {
        let number = file.file_name().and_then(number_of);
        if number.is_some_and(|number| number > messages) { fs::remove_file(folder.join(file)) } else { Ok(()) }
    })
}

/// Returns which message a file is, by the name that [`name_of`] gave it; none of another file.
fn number_of(name: &OsStr) -> Option<u64> {
    let number = name.to_str()?.split('.').next()?;
    number.strip_prefix(|letter: char| letter.is_ascii_lowercase()).unwrap_or(number).parse().ok()
}

/// Returns the path of a message below its folder, and whether all of its keywords stand in it. It depends on nothing
/// but the message, its number and the messages before, for `--verify` finds the file by making the name once more.
fn name_of(moved: &MovedMessage, number: u64, is_maildir: bool, keywords: &mut KeywordLetters) -> (PathBuf, bool) {
    if !is_maildir {
        return (format!("{}.eml", sorting(number, 6)).into(), true);
    }
    let (keywords, is_all) = keywords.letters_of(&moved.state.keywords);
    let sum = Sha256::default().with(&moved.octets).hex();
    let own = format!("{}.{}.{}.septet", sorting(number, 9), moved.time, &sum[..8]);
    let (folder, info) = match moved.state.is_new() {
        true => ("new", String::new()),
        false => ("cur", format!(":2,{}{keywords}", moved.state.letters())),
    };
    let name: OsString = other_name((own + &info).as_ref(), &moved.octets);
    (Path::new(folder).join(name), is_all)
}

/// Writes a number so that texts sort as numbers do: with zeros in front up to so many digits; what has more gets a
/// letter in front, `a` for one more.
pub fn sorting(number: u64, digits: usize) -> String {
    let text = format!("{number:0digits$}");
    match u8::try_from(text.len() - digits) {
        Ok(more @ 1..=26) => format!("{}{text}", char::from(b'a' + more - 1)),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_sort() {
        let numbers = [1, 2, 10, 998, 999, 1000, 1001, 9999, 10_000, 123_456, u64::MAX];
        let names = numbers.map(|number| sorting(number, 3));
        assert!(names.is_sorted(), "{names:?}");
        assert_eq!((sorting(1, 6), sorting(1_000_000, 6)), ("000001".to_owned(), "a1000000".to_owned()));
        for number in numbers {
            let name = |end: &str| OsString::from(sorting(number, 6) + end);
            assert_eq!([name(".eml"), name(".17.ab.septet:2,S")].map(|name| number_of(&name)), [Some(number); 2]);
        }
        assert_eq!([ORIGIN, "x.eml", "ab1.eml"].map(|name| number_of(OsStr::new(name))), [None; 3]);
    }
}
