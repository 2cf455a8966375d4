//! Puts the octets that were replaced back: of one file, or of the messages of a Maildir.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use super::format::{FileNames, Sides, Sum};
use super::read::{HunkAt, Reader, Record};
use super::{UndoError, is_original, passing_in, ready};
use crate::run::replace::{Existing, Names, Temporary, sync_folder};
use crate::run::say::say;
use crate::run::untrue::remove_untrue;

/// Makes the original of one file, and holds both sides against their checksums.
pub fn undone(reader: &mut Reader, from: impl BufRead, converted: &Path, made: &Temporary) -> Result<Sides, UndoError> {
    let writing = |source| UndoError::Write { path: made.path().to_owned(), source };
    let mut both = Both {
        from,
        converted: Sum::default(),
        original: Sum::default(),
        out: BufWriter::with_capacity(256 << 10, made.file()),
    };
    let reading = |source: io::Error| UndoError::Read { path: converted.to_owned(), source };
    loop {
        match reader.next()? {
            Record::Hunk(hunk) => both.put_back(reader, hunk, converted)?,
            Record::End(sides) => {
                both.keep(u64::MAX, converted)?;
                both.out.flush().map_err(writing)?;
                if both.converted.side() != sides.converted {
                    return Err(UndoError::Changed { path: converted.to_owned() });
                }
                return match both.original.side() == sides.original {
                    true => Ok(sides),
                    false => Err(UndoError::Astray { path: reader.path().to_owned() }),
                };
            }
            _ => return Err(reading(io::ErrorKind::InvalidData.into())),
        }
    }
}

/// Both sides of a file.
struct Both<'o, R> {
    from: R,
    converted: Sum,
    original: Sum,
    out: BufWriter<&'o File>,
}

impl<R: BufRead> Both<'_, R> {
    /// Passes octets that are the same on both sides; to the end where there are fewer.
    fn keep(&mut self, octets: u64, path: &Path) -> Result<(), UndoError> {
        self.pass(octets, path, true)
    }

    fn put_back(&mut self, reader: &mut Reader, hunk: HunkAt, path: &Path) -> Result<(), UndoError> {
        let same = hunk.converted.checked_sub(self.converted.bytes());
        let same = same.ok_or_else(|| reader.damaged("replacements that are not in order"))?;
        if self.original.bytes().checked_add(same) != Some(hunk.original) {
            return Err(reader.damaged("offsets that don't go together"));
        }
        self.keep(same, path)?;
        self.pass(hunk.new, path, false)?;
        if self.converted.bytes() != hunk.converted.saturating_add(hunk.new) {
            return Err(UndoError::Changed { path: path.to_owned() });
        }
        let mut summed = Summed { sum: &mut self.original, out: &mut self.out };
        reader.copy(hunk.old, &mut summed)
    }

    fn pass(&mut self, mut octets: u64, path: &Path, kept: bool) -> Result<(), UndoError> {
        while octets > 0 {
            let buffer = match self.from.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer.map_err(|source| UndoError::Read { path: path.to_owned(), source })?,
            };
            let some = &buffer[..buffer.len().min(usize::try_from(octets).unwrap_or(usize::MAX))];
            if some.is_empty() {
                break;
            }
            self.converted.add(some);
            if kept {
                self.original.add(some);
                self.out.write_all(some).map_err(|source| UndoError::Write { path: path.to_owned(), source })?;
            }
            let count = some.len();
            octets -= count as u64;
            self.from.consume(count);
        }
        Ok(())
    }
}

/// Adds up what it writes.
struct Summed<'s, W> {
    sum: &'s mut Sum,
    out: &'s mut W,
}

impl<W: Write> Write for Summed<'_, W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.out.write_all(octets)?;
        self.sum.add(octets);
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Undoes the messages of a Maildir: all of them are made before any takes its place. Tells what was done, and how many
/// messages are there no more.
pub fn folder(reader: &mut Reader, folder: &Path, output: Option<&Path>) -> Result<(String, usize), UndoError> {
    let there = Messages::of(folder)?;
    if let Some(output) = output {
        make_maildir(output)?;
    }
    let target = output.unwrap_or(folder);
    let (names, mut pending) = (passing_in(&target.join("tmp")), Vec::new());
    let mut undone_of = HashSet::new();
    let (mut whole, mut already, mut gone) = (false, 0, 0);
    while !whole {
        match reader.next() {
            Ok(Record::File(file)) => {
                let at = reader.position()?;
                let Some(now) = there.find_either(&file, folder, reader)? else {
                    reader.sides_from(at)?;
                    gone += 1;
                    continue;
                };
                let made = names.create(&target.join("tmp"), 0o600);
                let made = made.map_err(|source| UndoError::Write { path: target.to_owned(), source })?;
                let old = File::open(&now).map_err(|source| UndoError::Open { path: now.clone(), source })?;
                let like = old.metadata().map_err(|source| UndoError::Open { path: now.clone(), source })?;
                match undone(reader, BufReader::new(old), &now, &made) {
                    // An undo that was killed had done it.
                    Err(UndoError::Changed { .. }) if is_original(&now, &reader.sides_from(at)?) => {
                        already += 1;
                        continue;
                    }
                    done => done?,
                };
                let to = target.join(now_named(&file, &now, folder, reader)?);
                let writing = |source| UndoError::Write { path: to.clone(), source };
                pending.push(ready(made, &to, &like, output.is_none().then_some(&now)).map_err(writing)?);
                undone_of.insert(now);
            }
            Ok(Record::Whole) => whole = true,
            // A conversion that was interrupted has no last line, and all that it did.
            Err(UndoError::Cut { .. }) => whole = true,
            Ok(_) => return Err(reader.damaged("a record without its file")),
            Err(error) => return Err(error),
        }
    }
    pending.iter().try_for_each(|pending| pending.carry_out(&Existing::Replace))?;
    remove_untrue(pending.iter()).iter().for_each(|line| say(format_args!("{line}")));
    if let Some(output) = output {
        there.copy_others(&undone_of, folder, output, &names)?;
    }
    ["cur", "new"].iter().for_each(|sub| sync_folder(&target.join(sub).join("x")));
    Ok((format!("{} messages of {} are what they were", pending.len() + already, folder.display()), gone))
}

/// Returns the path that a message had, with the flags that it has now; never one outside of the folder.
fn now_named(file: &FileNames, now: &Path, folder: &Path, reader: &Reader) -> Result<PathBuf, UndoError> {
    let (Some(name), true) = (file.was.0.file_name(), is_below(&file.was.0)) else {
        return Err(reader.damaged("a name outside of the folder"));
    };
    let name_now = now.file_name().unwrap_or_default().as_bytes();
    let flags = name_now.iter().position(|&octet| octet == b':').map_or(&b""[..], |at| &name_now[at..]);
    let own = name.as_bytes().split(|&octet| octet == b':').next().unwrap_or_default();
    let name = std::ffi::OsStr::from_bytes(&[own, flags].concat()).to_owned();
    let below = now.strip_prefix(folder).ok().and_then(Path::parent).unwrap_or(Path::new("cur"));
    Ok(below.join(name))
}

/// The messages that are in a Maildir now.
struct Messages {
    /// By what comes before the flags in their names.
    by_own_name: HashMap<Vec<u8>, PathBuf>,
}

impl Messages {
    fn of(folder: &Path) -> Result<Messages, UndoError> {
        let mut by_own_name = HashMap::new();
        for folder in folders(folder) {
            let opening = |source| UndoError::Open { path: folder.clone(), source };
            for entry in fs::read_dir(&folder).map_err(opening)? {
                let path = entry.map_err(opening)?.path();
                if path.is_file() {
                    by_own_name.insert(own_name(&path), path);
                }
            }
        }
        Ok(Messages { by_own_name })
    }

    /// Finds a message by the name that it has now, or by that which it had: an undo that was killed may have given it that.
    /// None where it was deleted since, or moved out of the folder.
    fn find_either(&self, file: &FileNames, folder: &Path, reader: &Reader) -> Result<Option<PathBuf>, UndoError> {
        let (name, was) = (&file.name.0, &file.was.0);
        if !is_below(name) {
            return Err(reader.damaged("a name outside of the folder"));
        }
        Ok(self.find(name, folder).or_else(|| self.find(was, folder).filter(|_| is_below(was))))
    }

    fn find(&self, name: &Path, folder: &Path) -> Option<PathBuf> {
        let exact = folder.join(name);
        // It may have got flags since, or moved to cur.
        if exact.is_file() { Some(exact) } else { self.by_own_name.get(&own_name(name)).cloned() }
    }

    /// Copies the messages that had not changed.
    fn copy_others(&self, undone: &HashSet<PathBuf>, folder: &Path, to: &Path, names: &Names) -> Result<(), UndoError> {
        for path in self.by_own_name.values().filter(|path| !undone.contains(*path)) {
            let target = to.join(path.strip_prefix(folder).unwrap_or(path));
            let writing = |source| UndoError::Write { path: target.clone(), source };
            let copy = || {
                let (mut from, made) = (File::open(path)?, names.create(&to.join("tmp"), 0o600)?);
                io::copy(&mut from, &mut made.file())?;
                ready(made, &target, &from.metadata()?, None)
            };
            copy().map_err(writing)?.carry_out(&Existing::Replace)?;
        }
        Ok(())
    }
}

/// Tells whether a path stays in the folder that it is put behind.
fn is_below(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

fn own_name(path: &Path) -> Vec<u8> {
    let name = path.file_name().unwrap_or_default().as_bytes();
    name.split(|&octet| octet == b':').next().unwrap_or_default().to_vec()
}

/// Returns the folders of a Maildir that hold messages, those of its subfolders too.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let subs = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let subs = subs.filter(|path| path.join("cur").is_dir());
    let all = [folder.to_owned()].into_iter().chain(subs);
    all.flat_map(|folder| [folder.join("cur"), folder.join("new")]).filter(|folder| folder.is_dir()).collect()
}

fn make_maildir(folder: &Path) -> Result<(), UndoError> {
    for sub in ["cur", "new", "tmp"] {
        let path = folder.join(sub);
        fs::create_dir_all(&path).map_err(|source| UndoError::Write { path, source })?;
    }
    Ok(())
}
