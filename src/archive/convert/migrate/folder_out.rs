//! A Maildir, or a folder of .eml files, while it is written.
//!
//! It is made beside its place, as `OUT.partial`, flushed to the disk, and renamed: a folder of that name is there whole, or not
//! at all. So it takes no place that is taken. What a run that was killed left of it is known by the file that is made first
//! and locked as long as the run lives; another run goes on with it ([`FolderOut::go_on`]), or it makes room for the next.
//!
//! Names are made of the number of the message, its time and its octets alone, so that the same mailbox file gives the same
//! names, in its order: `000001.eml`, and in a Maildir `000000001.1167609600.0a1b2c3d.septet,S=2048,W=2101:2,S`.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, FileTimes, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use super::folder_sum::FolderSum;
use super::letter::MovedMessage;
use super::origin::{ORIGIN, OriginHead, OriginRecord};
use crate::archive::convert::cursor::SinkCursor;
use crate::archive::convert::error::ConvertError;
use crate::archive::convert::sizes::other_name;
use crate::archive::convert::target::write_error;
use crate::archive::folder::make_maildir;
use crate::archive::interrupt::{self, UnfinishedKind};
use crate::archive::maildir_name::base;
use crate::archive::replace::{folder_of, open_regular_as, sync_folder, with_suffix};
use crate::archive::sha256::Sha256;

/// A folder that is being written.
pub struct FolderOut {
    to: PathBuf,
    partial: PathBuf,
    is_maildir: bool,
    origin: BufWriter<File>,
    /// The octets of what is kept beside the messages.
    origin_octets: u64,
    messages: u64,
    /// Whether another run can go on with it.
    is_resumable: bool,
    /// Its files, where somebody verifies.
    made: Option<FolderSum>,
    placed: bool,
}

impl FolderOut {
    /// Makes the folder under its passing name, locks it, and writes what is known of the mailbox file; with `verifies` what
    /// is written is summed up, for [`difference`](FolderOut::difference). An error
    /// where another run is at work there, or what is there is none of septet's; whether the place itself is free is
    /// asked before ([`check`]). With `is_resumable` what is written stays after an error where going on is worth it.
    pub fn begin(
        to: &Path,
        is_maildir: bool,
        head: &OriginHead,
        verifies: bool,
        is_resumable: bool,
    ) -> Result<FolderOut, ConvertError> {
        let partial = partial_of(to);
        let creating = |source| ConvertError::Create { path: partial.clone(), source };
        fs::create_dir_all(folder_of(to)).map_err(creating)?;
        make_room(&partial)?;
        let origin = interrupt::uninterrupted(|| {
            interrupt::begun(&partial, kind_of(is_resumable));
            DirBuilder::new().mode(0o700).create(&partial)?;
            let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(partial.join(ORIGIN))?;
            // Without locks (some network file systems) nothing is lost but the guard against two runs at once.
            let _ = file.try_lock();
            Ok(file)
        });
        let origin = BufWriter::new(origin.map_err(creating)?);
        let (to, origin_octets, messages) = (to.to_owned(), 0, 0);
        let made = verifies.then(FolderSum::default);
        let mut out =
            FolderOut { to, partial, is_maildir, origin, origin_octets, messages, is_resumable, made, placed: false };
        if is_maildir {
            make_maildir(&out.partial).map_err(|(_, source)| out.failed(source))?;
        }
        out.write_line(head).map_err(|source| out.failed(source))?;
        Ok(out)
    }

    /// Goes on with what a run that was killed left: so many octets beside so many messages, of the file with this number. What
    /// came behind them is removed. It is an error where something else is there. What is written is not summed up, as what
    /// was written is not known.
    pub fn go_on(
        to: &Path,
        is_maildir: bool,
        (ino, origin_octets): (u64, u64),
        messages: u64,
    ) -> Result<FolderOut, ConvertError> {
        let partial = partial_of(to);
        let failing = |source| ConvertError::Create { path: partial.clone(), source };
        let changed = || ConvertError::PartialChanged { path: partial.clone() };
        let mut origin =
            open_regular_as(OpenOptions::new().read(true).write(true), &partial.join(ORIGIN)).map_err(|_| changed())?;
        if origin.try_lock().is_err() {
            return Err(ConvertError::Busy { path: partial });
        }
        let there = origin.metadata().map_err(failing)?;
        if there.ino() != ino || there.len() < origin_octets {
            return Err(changed());
        }
        interrupt::begun(&partial, UnfinishedKind::ResumableFolder);
        origin.set_len(origin_octets).and_then(|()| origin.seek(SeekFrom::End(0))).map_err(failing)?;
        remove_behind(&partial, is_maildir, messages).map_err(failing)?;
        let (to, origin) = (to.to_owned(), BufWriter::new(origin));
        let (is_resumable, made, placed) = (true, None, false);
        Ok(FolderOut { to, partial, is_maildir, origin, origin_octets, messages, is_resumable, made, placed })
    }

    /// Tells how far it is, with all of that flushed to the disk.
    pub fn cursor(&mut self) -> Result<SinkCursor, ConvertError> {
        self.flush()?;
        let ino = self.origin.get_ref().metadata().map_err(|source| self.failed(source))?.ino();
        Ok(SinkCursor::Folder { ino, origin: self.origin_octets, messages: self.messages })
    }

    /// Returns `true` if a run that was killed had given the folder its place, of which the file that is kept beside the messages
    /// has this number.
    pub fn is_placed(to: &Path, ino: u64) -> bool {
        let there = fs::symlink_metadata(to.join(ORIGIN));
        !partial_of(to).exists() && there.is_ok_and(|there| there.ino() == ino)
    }

    /// Returns where it stands until it is whole.
    pub fn path(&self) -> &Path {
        &self.partial
    }

    /// Writes a message.
    pub fn write(&mut self, moved: &MovedMessage) -> Result<(), ConvertError> {
        self.messages += 1;
        let name = name_of(moved, self.messages, self.is_maildir);
        self.write_message(&name, moved).map_err(|source| self.failed(source))
    }

    /// Writes the file of a message, and the line of what is kept beside it.
    fn write_message(&mut self, name: &Path, moved: &MovedMessage) -> io::Result<()> {
        let path = self.partial.join(name);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        file.write_all(&moved.octets)?;
        self.made.iter_mut().for_each(|made| made.add_file(name, &moved.octets));
        let time = UNIX_EPOCH + Duration::from_secs(moved.time.max(0).unsigned_abs());
        file.set_times(FileTimes::new().set_modified(time).set_accessed(time))?;
        let Some(kept) = &moved.kept else { return Ok(()) };
        let name = name.file_name().unwrap_or_default();
        let name = if self.is_maildir { base(name) } else { name.as_encoded_bytes() };
        self.write_line(&OriginRecord { name: String::from_utf8_lossy(name).into_owned(), ..kept.clone() })
    }

    fn write_line(&mut self, line: &impl serde::Serialize) -> io::Result<()> {
        let line = serde_json::to_string(line)? + "\n";
        self.made.iter_mut().for_each(|made| made.add_line(line.as_bytes()));
        self.origin_octets += line.len() as u64;
        self.origin.write_all(line.as_bytes())
    }

    /// Says how what is read back differs from what was written; none where it doesn't. It must be flushed before.
    pub fn difference(&self) -> Result<Option<String>, ConvertError> {
        let Some(made) = &self.made else { return Ok(None) };
        let back = FolderSum::of(&self.partial, self.is_maildir);
        let failing = |source| ConvertError::Read { name: self.partial.display().to_string(), source };
        Ok(made.difference(&back.map_err(failing)?))
    }

    /// Flushes it to the disk, before it may take its place.
    pub fn flush(&mut self) -> Result<(), ConvertError> {
        let flushed = self.origin.flush().and_then(|()| Ok(rustix::fs::syncfs(self.origin.get_ref())?));
        flushed.map_err(|source| self.failed(source))
    }

    /// Gives it its place.
    pub fn place(mut self) -> Result<(), ConvertError> {
        interrupt::uninterrupted(|| {
            fs::rename(&self.partial, &self.to).map_err(|source| match source.kind() {
                ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
                    ConvertError::OutputThere { path: self.to.clone() }
                }
                _ => ConvertError::Create { path: self.to.clone(), source },
            })?;
            self.placed = true;
            interrupt::ended(&self.partial);
            Ok::<(), ConvertError>(())
        })?;
        sync_folder(&self.to);
        Ok(())
    }

    fn failed(&self, source: io::Error) -> ConvertError {
        write_error(&self.partial.display().to_string(), source)
    }
}

impl Drop for FolderOut {
    fn drop(&mut self) {
        let is_kept = self.is_resumable && interrupt::is_worth_keeping();
        if !self.placed && !is_kept {
            // That it can't be removed could be told to nobody.
            let _ = fs::remove_dir_all(&self.partial);
            interrupt::ended(&self.partial);
        }
    }
}

/// Returns what is done with the folder when the work ends early.
fn kind_of(is_resumable: bool) -> UnfinishedKind {
    if is_resumable { UnfinishedKind::ResumableFolder } else { UnfinishedKind::PassingFolder }
}

/// Removes the messages of a folder behind the first ones.
fn remove_behind(partial: &Path, is_maildir: bool, messages: u64) -> io::Result<()> {
    let below: &[&str] = if is_maildir { &["cur", "new"] } else { &[""] };
    for part in below {
        for entry in fs::read_dir(partial.join(part))? {
            let entry = entry?;
            if number_of(&entry.file_name()).is_some_and(|number| number > messages) {
                fs::remove_file(entry.path())?;
            }
        }
    }
    Ok(())
}

/// Returns which message a file is, by the name that [`name_of`] gave it; none of another file.
fn number_of(name: &OsStr) -> Option<u64> {
    let number = name.to_str()?.split('.').next()?;
    number.strip_prefix(|letter: char| letter.is_ascii_lowercase()).unwrap_or(number).parse().ok()
}

fn partial_of(to: &Path) -> PathBuf {
    with_suffix(to, ".partial")
}

/// Removes what a run that was killed left; what somebody still writes, or is none, stays and is an error.
fn make_room(partial: &Path) -> Result<(), ConvertError> {
    if fs::symlink_metadata(partial).is_err() {
        return Ok(());
    }
    let creating = |source| ConvertError::Create { path: partial.to_owned(), source };
    let begun = open_regular_as(OpenOptions::new().read(true), &partial.join(ORIGIN));
    let begun = begun.map_err(|_| creating(ErrorKind::AlreadyExists.into()))?;
    if begun.try_lock().is_err() {
        return Err(ConvertError::Busy { path: partial.to_owned() });
    }
    fs::remove_dir_all(partial).map_err(creating)
}

/// Refuses a place that is taken; an empty folder is a place.
pub fn check(to: &Path) -> Result<(), ConvertError> {
    let is_free = match fs::read_dir(to) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) => fs::symlink_metadata(to).is_err(),
    };
    if is_free { Ok(()) } else { Err(ConvertError::OutputThere { path: to.to_owned() }) }
}

/// Returns the path of a message below its folder. It depends on nothing but the message and its number, for
/// `--verify` finds the file by making the name once more.
pub fn name_of(moved: &MovedMessage, number: u64, is_maildir: bool) -> PathBuf {
    if !is_maildir {
        return format!("{}.eml", sorting(number, 6)).into();
    }
    let sum = Sha256::default().with(&moved.octets).hex();
    let own = format!("{}.{}.{}.septet", sorting(number, 9), moved.time, &sum[..8]);
    let (folder, info) = match moved.state.is_new() {
        true => ("new", String::new()),
        false => ("cur", format!(":2,{}", moved.state.letters())),
    };
    let name: OsString = other_name((own + &info).as_ref(), &moved.octets);
    Path::new(folder).join(name)
}

/// Writes a number so that texts sort as numbers do: what has more digits gets a letter in front.
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
