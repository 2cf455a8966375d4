//! Puts the octets that were replaced back: of one file, or of the messages of a Maildir.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read as _, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use super::format::{FileNames, Sides};
use super::read::{HunkAt, Record, UndoReader};
use super::{Done, UndoError, is_original, passing_in, ready};
use crate::archive::convert::{ConvertError, refuse};
use crate::archive::file_error::FileError;
use crate::archive::folder::{list, make_maildir};
use crate::archive::interrupt;
use crate::archive::maildir_name::split_flags;
use crate::archive::read_through::read_through;
use crate::archive::replace::{Existing, Pending, Temporary, TemporaryNames, folder_of, open_regular, sync_folder};
use crate::archive::report::said::messages;
use crate::archive::sums::{Checksum, Summation};
use crate::archive::untrue::remove_untrue;
use crate::process::say::say;

/// Makes the original of one file in `made`, of what was `converted` and is read `from` its start, and holds both
/// sides against their checksums, which it returns; none where what was converted is its original already: an undo
/// that was killed had come so far. The reader stands behind the line `file`, and then behind `end`.
pub fn restore(
    reader: &mut UndoReader,
    from: impl BufRead,
    converted: &Path,
    made: &Temporary,
) -> Result<Option<Sides>, UndoError> {
    let out = BufWriter::with_capacity(256 << 10, made.file());
    let [one, other] = [Summation::default(), Summation::default()];
    let mut both = BothSides { from, path: converted, converted: one, original: other, out, made: made.path() };
    let sides = loop {
        match reader.next()? {
            Record::Hunk(hunk) if both.put_back(reader, hunk)? => {}
            Record::Hunk(_) => break reader.sides()?,
            Record::End(sides) => break sides,
            _ => return Err(FileError::reading(converted.display())(io::ErrorKind::InvalidData.into()).into()),
        }
    };
    both.pass(u64::MAX, true)?;
    both.out.flush().map_err(FileError::writing(made.path().display()))?;
    match (both.converted.checksum() == sides.converted, both.original.checksum() == sides.original) {
        (true, true) => Ok(Some(sides)),
        (true, false) => Err(UndoError::Astray { path: reader.path().to_owned() }),
        (false, _) if is_original(converted, &sides) => Ok(None),
        (false, _) => Err(UndoError::Changed { path: converted.to_owned() }),
    }
}

/// Both sides of a file, while the original is made.
struct BothSides<'o, R> {
    from: R,
    /// What is read.
    path: &'o Path,
    converted: Summation,
    original: Summation,
    out: BufWriter<&'o File>,
    /// What is written.
    made: &'o Path,
}

impl<R: BufRead> BothSides<'_, R> {
    /// Passes what is the same up to a replacement, and puts the octets back that were replaced there; returns `false`
    /// where what was converted ends before.
    fn put_back(&mut self, reader: &mut UndoReader, hunk: HunkAt) -> Result<bool, UndoError> {
        let same = hunk.converted.checked_sub(self.converted.bytes());
        let same = same.ok_or_else(|| reader.damaged("replacements that are not in order"))?;
        if self.original.bytes().checked_add(same) != Some(hunk.original) {
            return Err(reader.damaged("offsets that don't go together"));
        }
        self.pass(same, true)?;
        self.pass(hunk.new, false)?;
        let is_whole = self.converted.bytes() == hunk.converted.saturating_add(hunk.new);
        let BothSides { original, out, made, .. } = self;
        reader.hand_on(hunk.old, |octets| {
            original.add(octets);
            Ok(out.write_all(octets).map_err(FileError::writing(made.display()))?)
        })?;
        Ok(is_whole)
    }

    /// Passes octets of what was converted, to the end where there are fewer; those that are `kept` are octets of the
    /// original too.
    fn pass(&mut self, octets: u64, kept: bool) -> Result<(), FileError> {
        let BothSides { from, path, converted, original, out, made } = self;
        read_through(from.by_ref().take(octets), FileError::reading(path.display()), |some| {
            converted.add(some);
            if !kept {
                return Ok(());
            }
            original.add(some);
            out.write_all(some).map_err(FileError::writing(made.display()))
        })
    }
}

/// What becomes of one message of a Maildir.
enum Undone {
    /// It was deleted since, or moved out of the folder.
    Gone,
    /// An undo that was killed had done it.
    Already,
    /// It is made, and stands here now.
    Made(Pending, PathBuf),
}

/// Undoes the messages of a Maildir: all of them are made before any takes its place. The reader stands before the
/// first record; where the undo file ends early, what it has whole is undone.
pub fn undo_maildir(reader: &mut UndoReader, folder: &Path, output: Option<&Path>) -> Result<Done, UndoError> {
    let there = MaildirMessages::of(folder)?;
    if output.is_some_and(|to| to.as_os_str() == "-") {
        refuse("a Maildir can't go to standard output: give -o a folder")?;
    }
    output.map_or(Ok(()), make_folders)?;
    let target = output.unwrap_or(folder);
    let (names, mut pending) = (passing_in(&target.join("tmp")), Vec::new());
    let mut undone_of = HashSet::new();
    let (mut already, mut gone, mut is_cut) = (0, 0, false);
    // A conversion that was interrupted has no last line.
    while !is_cut && !reader.is_at_end()? {
        match undo_next(reader, &there, folder, (target, output.is_none()), &names) {
            Ok(Some(Undone::Gone)) => gone += 1,
            Ok(Some(Undone::Already)) => already += 1,
            Ok(Some(Undone::Made(made, now))) => {
                pending.push(made);
                undone_of.insert(now);
            }
            Ok(None) => break,
            Err(UndoError::Cut { .. }) => is_cut = true,
            Err(error) => return Err(error),
        }
    }
    let others = output.map(|output| there.others(&undone_of, folder, output)).unwrap_or_default();
    check_places(&pending, &others)?;
    let places = pending.iter().map(|it| &it.to).chain(others.iter().map(|(_, to)| to));
    let folders: BTreeSet<PathBuf> = places.map(|to| folder_of(to).to_owned()).collect();
    if output.is_some() {
        // Those of its subfolders.
        folders.iter().try_for_each(|it| make_folders(folder_of(it)))?;
    }
    carry_out(&pending, folder)?;
    remove_untrue(pending.iter()).iter().for_each(|line| say(format_args!("{line}")));
    others.iter().try_for_each(|(path, to)| copy(path, to, &target.join("tmp"), &names))?;
    // It takes the path of a file in the folder, be it there or not.
    folders.iter().for_each(|it| sync_folder(&it.join("x")));
    let said = said_of(pending.len() + already, folder, output);
    Ok(Done { said, gone, is_cut })
}

/// Says what was done with the messages of a Maildir.
fn said_of(count: usize, folder: &Path, output: Option<&Path>) -> String {
    let (folder, messages) = (folder.display(), messages(count as u64));
    match (output, count) {
        (Some(output), 1) => format!("the original of {messages} of {folder} is in {}", output.display()),
        (Some(output), _) => format!("the originals of {messages} of {folder} are in {}", output.display()),
        (None, 1) => format!("{messages} of {folder} is what it was"),
        (None, _) => format!("{messages} of {folder} are what they were"),
    }
}

/// Makes the folders of a Maildir.
fn make_folders(maildir: &Path) -> Result<(), FileError> {
    make_maildir(maildir).map_err(|(path, source)| FileError::writing(path.display())(source))
}

/// Gives messages their places, and says how many have them, should the work end in between.
fn carry_out(pending: &[Pending], folder: &Path) -> Result<(), UndoError> {
    let (total, folder) = (pending.len(), folder.display());
    for (at, pending) in pending.iter().enumerate() {
        interrupt::stands(format!("{at} of {total} messages of {folder} are what they were; the same command goes on"));
        pending.carry_out(&Existing::Replace).map_err(ConvertError::from)?;
    }
    Ok(())
}

/// Makes the next message what it was, as [`undo_message`] does with these arguments; none where the undo file says
/// that it is whole.
fn undo_next(
    reader: &mut UndoReader,
    there: &MaildirMessages,
    folder: &Path,
    (target, in_place): (&Path, bool),
    names: &TemporaryNames,
) -> Result<Option<Undone>, UndoError> {
    match reader.next()? {
        Record::File(file) => undo_message(reader, &file, there, folder, (target, in_place), names).map(Some),
        Record::Whole => Ok(None),
        _ => Err(reader.damaged("a record without its file")),
    }
}

/// Makes one message what it was, under a passing name; the reader stands behind its line `file`, and then behind its
/// `end`, also where the message is gone. One that is what it was already is known by its checksum. `target` is the
/// Maildir that gets it: `folder` itself if it is done `in_place`, and then the converted message is replaced.
fn undo_message(
    reader: &mut UndoReader,
    file: &FileNames,
    there: &MaildirMessages,
    folder: &Path,
    (target, in_place): (&Path, bool),
    names: &TemporaryNames,
) -> Result<Undone, UndoError> {
    let Some(now) = there.find_either(file, folder, reader)? else {
        return reader.sides().map(|_| Undone::Gone);
    };
    let made = names.create(&target.join("tmp"), 0o600).map_err(FileError::writing(target.display()))?;
    let old = open_regular(&now).map_err(FileError::opening(now.display()))?;
    let like = old.metadata().map_err(FileError::opening(now.display()))?;
    if restore(reader, BufReader::new(old), &now, &made)?.is_none() {
        return Ok(Undone::Already);
    }
    let to = target.join(now_named(file, &now, folder, reader)?);
    let made = ready(made, &to, like, in_place.then_some(&now))?;
    Ok(Undone::Made(made, now))
}

/// Sees to it that no place is another message's; what an undo that was killed had put there already is the same.
fn check_places(pending: &[Pending], others: &[(PathBuf, PathBuf)]) -> Result<(), UndoError> {
    let made = pending.iter().filter(|it| it.replaces.as_ref().is_none_or(|old| old.path != it.to));
    let places = made.map(|it| (&it.from, &it.to)).chain(others.iter().map(|(from, to)| (from, to)));
    let mut taken = HashSet::new();
    for (from, to) in places {
        let is_other = || fs::symlink_metadata(to).is_ok() && !has_same_octets(from, to);
        if !taken.insert(to) || is_other() {
            return Err(UndoError::Taken { path: to.clone() });
        }
    }
    Ok(())
}

/// Returns `true` if two files can be read and have the same octets.
fn has_same_octets(one: &Path, other: &Path) -> bool {
    let sum = |path: &Path| open_regular(path).and_then(Checksum::of);
    matches!((sum(one), sum(other)), (Ok(one), Ok(other)) if one == other)
}

/// Copies a message that had not changed to its place, by way of a file in the folder `passing`.
fn copy(path: &Path, to: &Path, passing: &Path, names: &TemporaryNames) -> Result<(), UndoError> {
    let copied = || {
        let (mut from, made) = (open_regular(path)?, names.create(passing, 0o600)?);
        io::copy(&mut from, &mut made.file())?;
        Ok((made, from.metadata()?))
    };
    let (made, like) = copied().map_err(FileError::writing(to.display()))?;
    Ok(ready(made, to, like, None)?.carry_out(&Existing::Replace).map_err(ConvertError::from)?)
}

/// Returns the path that a message had, with the flags that it has now; never one outside of the folder.
fn now_named(file: &FileNames, now: &Path, folder: &Path, reader: &UndoReader) -> Result<PathBuf, UndoError> {
    let (Some(name), true) = (file.was.0.file_name(), is_below(&file.was.0)) else {
        return Err(reader.damaged("a name outside of the folder"));
    };
    let (_, flags) = split_flags(now.file_name().unwrap_or_default());
    let (own, _) = split_flags(name);
    let name = std::ffi::OsStr::from_bytes(&[own, flags].concat()).to_owned();
    let below = now.strip_prefix(folder).ok().and_then(Path::parent).unwrap_or(Path::new("cur"));
    Ok(below.join(name))
}

/// The messages that are in a Maildir now.
struct MaildirMessages {
    /// By what comes before the flags in their names, which several may have, in any folder.
    by_own_name: HashMap<Vec<u8>, Vec<PathBuf>>,
}

impl MaildirMessages {
    /// Lists the files of a Maildir; what is a link, or no file, is no message.
    fn of(folder: &Path) -> Result<MaildirMessages, UndoError> {
        let mut by_own_name: HashMap<_, Vec<_>> = HashMap::new();
        for folder in folders(folder) {
            let entries = list(&folder).map_err(FileError::opening(folder.display()))?;
            let files = entries.into_iter().filter(|(_, kind)| kind.is_file());
            files.for_each(|(path, _)| by_own_name.entry(own_name(&path)).or_default().push(path));
        }
        Ok(MaildirMessages { by_own_name })
    }

    /// Finds a message by the name that it has now, or by that which it had: an undo that was killed may have given it
    /// that. None where it was deleted since, or moved out of the folder.
    fn find_either(&self, file: &FileNames, folder: &Path, reader: &UndoReader) -> Result<Option<PathBuf>, UndoError> {
        let (name, was) = (&file.name.0, &file.was.0);
        if !is_below(name) {
            return Err(reader.damaged("a name outside of the folder"));
        }
        Ok(self.find(name, folder).or_else(|| is_below(was).then(|| self.find(was, folder)).flatten()))
    }

    /// Finds a message by its name, or else by what comes before the flags there: of several the last.
    fn find(&self, name: &Path, folder: &Path) -> Option<PathBuf> {
        let exact = folder.join(name);
        // It may have got flags since, or moved to cur.
        if is_message(&exact, folder) {
            return Some(exact);
        }
        self.by_own_name.get(&own_name(name))?.last().cloned()
    }

    /// Returns the messages that had not changed, and where each belongs in another folder.
    fn others(&self, undone: &HashSet<PathBuf>, folder: &Path, to: &Path) -> Vec<(PathBuf, PathBuf)> {
        let others = self.by_own_name.values().flatten().filter(|path| !undone.contains(*path));
        others.map(|path| (path.clone(), to.join(path.strip_prefix(folder).unwrap_or(path)))).collect()
    }
}

/// Returns `true` if a path below a folder is a file, and no symbolic link is on the way: who owns a Maildir may set
/// links to what is not his, and may write the undo file too.
fn is_message(path: &Path, folder: &Path) -> bool {
    let mut between = path.ancestors().skip(1).take_while(|it| *it != folder);
    between.all(is_real_folder) && fs::symlink_metadata(path).is_ok_and(|there| there.is_file())
}

/// Returns `true` if a path stays in the folder that it is put behind.
fn is_below(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// Returns the name of a message without its flags.
fn own_name(path: &Path) -> Vec<u8> {
    split_flags(path.file_name().unwrap_or_default()).0.to_vec()
}

/// Returns the folders of a Maildir that hold messages, those of its subfolders too, as far as it can be listed; none
/// that is a symbolic link.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let subs = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let subs = subs.filter(|path| is_real_folder(path) && path.join("cur").is_dir());
    let all = [folder.to_owned()].into_iter().chain(subs);
    all.flat_map(|folder| [folder.join("cur"), folder.join("new")]).filter(|folder| is_real_folder(folder)).collect()
}

/// Returns `true` if a path names a folder, and no symbolic link to one.
fn is_real_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|there| there.is_dir())
}
