//! The lines of a run's report as they come, and the files that are made of them at the end.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{Access, access};

use super::line::ReportLine;
use super::page::Page;
use super::{Provenance, ReportFormat, Tally, csv};
use crate::archive::file_error::FileError;
use crate::archive::interrupt::UnfinishedKind;
use crate::archive::replace::{Pending, Temporary, TemporaryNames, folder_of, follow_links, open_regular, with_suffix};

/// How old a file is at least that its maker, if he lives, has surely locked.
const SETTLED: Duration = Duration::from_secs(2);

/// Makes the error of a report that can't be written: 73 where another name would do, 74 where the disk is at fault.
fn failing(path: &Path) -> impl Fn(io::Error) -> FileError {
    use std::io::ErrorKind::{AlreadyExists, IsADirectory, NotADirectory, NotFound, PermissionDenied};
    move |source| match source.kind() {
        AlreadyExists | IsADirectory | NotADirectory | NotFound | PermissionDenied => {
            FileError::creating(path.display())(source)
        }
        _ => FileError::writing(path.display())(source),
    }
}

/// Removes a file without lines that nobody writes: it is what a run left that was killed before it wrote its journal.
/// One that was made just now may be another run's, which comes to its lock in no time.
fn remove_empty(path: &Path) {
    let is_old = |there: fs::Metadata| {
        let age = there.modified().ok().and_then(|made| made.elapsed().ok());
        there.len() == 0 && age.is_some_and(|age| age >= SETTLED)
    };
    let is_left = |file: File| file.metadata().is_ok_and(is_old) && file.try_lock().is_ok();
    if open_regular(path).is_ok_and(is_left) {
        // If it can't be removed, it can't be made either, which is said.
        let _ = fs::remove_file(path);
    }
}

/// The report files of a run, and the lines for them.
#[derive(Debug)]
pub struct Reports {
    files: Vec<(PathBuf, ReportFormat)>,
    spool: BufWriter<File>,
    /// The spool's place; none where no report has a place of its own.
    place: Option<Temporary>,
    len: u64,
    /// Whether its lines have what a page shows besides, for one of its files or another report that is made of them.
    pub previews: bool,
}

/// What a report says besides its lines.
#[derive(Debug, Clone, Copy)]
pub struct Around<'a> {
    /// The counts.
    pub tally: &'a Tally,
    /// Where it comes from.
    pub provenance: &'a Provenance,
}

impl Reports {
    /// Returns where the spool of these files is; none where none of them has a place of its own.
    pub fn spool_path(files: &[(PathBuf, ReportFormat)]) -> Option<PathBuf> {
        let places = files.iter().filter(|(path, _)| is_place(path));
        let (path, _) = places.min_by_key(|(_, form)| *form != ReportFormat::Lines)?;
        Some(with_suffix(&follow_links(path), ".partial"))
    }

    /// Begins a report; an error where one of the files can't be written, or another run writes its lines.
    pub fn begin(files: Vec<(PathBuf, ReportFormat)>) -> Result<Reports, FileError> {
        check(&files)?;
        let spool = Reports::spool_path(&files);
        let first = spool.clone().or_else(|| files.first().map(|(path, _)| path.clone())).unwrap_or_default();
        let place = spool.map(|path| {
            remove_empty(&path);
            Temporary::create(path, 0o666, UnfinishedKind::Resumable)
        });
        Reports::with(files, place.transpose().map_err(failing(&first))?, 0).map_err(failing(&first))
    }

    /// Begins a report whose lines have a passing name beside the first of its files: it can't be gone on with.
    pub fn begin_passing(files: Vec<(PathBuf, ReportFormat)>, names: &TemporaryNames) -> Result<Reports, FileError> {
        check(&files)?;
        let path = files.first().map(|(path, _)| path.clone()).unwrap_or_default();
        let place = names.create(folder_of(&path), 0o666).map_err(failing(&path))?;
        Reports::with(files, Some(place), 0).map_err(failing(&path))
    }

    /// Goes on with the report of an interrupted run, whose [`mark`](Reports::mark) is given; none when its lines are
    /// gone.
    pub fn go_on(files: Vec<(PathBuf, ReportFormat)>, (ino, len): (u64, u64)) -> Result<Option<Reports>, FileError> {
        let Some(path) = Reports::spool_path(&files) else { return Ok(None) };
        let Some(place) = Temporary::adopt(&path, ino, len).map_err(failing(&path))? else { return Ok(None) };
        Reports::with(files, Some(place), len).map(Some).map_err(failing(&path))
    }

    /// Makes it of a spool that has `len` octets of lines: `place`, or a file without a name.
    fn with(files: Vec<(PathBuf, ReportFormat)>, place: Option<Temporary>, len: u64) -> io::Result<Reports> {
        let file = match &place {
            Some(place) => place.file().try_clone()?,
            None => tempfile::tempfile()?,
        };
        let previews = files.iter().any(|(_, form)| *form == ReportFormat::Page);
        Ok(Reports { files, spool: BufWriter::with_capacity(1 << 16, file), place, len, previews })
    }

    /// Returns `true` if a page is among them.
    pub fn has_page(&self) -> bool {
        self.files.iter().any(|(_, form)| *form == ReportFormat::Page)
    }

    /// Adds a message: its line, with its line end.
    pub fn add(&mut self, line: &str) -> Result<(), FileError> {
        self.len += line.len() as u64;
        self.spool.write_all(line.as_bytes()).map_err(|source| self.failed(source))
    }

    /// Adds what is told of a message, as its line.
    pub fn add_line(&mut self, line: &ReportLine) -> Result<(), FileError> {
        let line = line.written().map_err(|source| self.failed(source))?;
        self.add(&line)
    }

    /// Hands all lines to the system, and tells by what they are found again; none without a place.
    pub fn mark(&mut self) -> Result<Option<(u64, u64)>, FileError> {
        self.spool.flush().map_err(|source| self.failed(source))?;
        let ino = self.place.as_ref().map(Temporary::ino).transpose().map_err(|source| self.failed(source))?;
        Ok(ino.map(|ino| (ino, self.len)))
    }

    /// Returns the spool's file, to be flushed to the disk.
    pub fn file(&self) -> &File {
        self.spool.get_ref()
    }

    /// Makes the error of the lines, which names the first of the files.
    fn failed(&self, source: io::Error) -> FileError {
        failing(self.files.first().map_or(Path::new(""), |(path, _)| path))(source)
    }

    /// Makes the files of all lines, ready to take their places; a file without a place of its own (a pipe) is written
    /// at once. Also returns the spool, which the caller discards once all have their places: a run that is interrupted
    /// before goes on with it.
    pub fn finish(
        mut self,
        around: Around,
        names: &TemporaryNames,
    ) -> Result<(Vec<Pending>, Option<Temporary>), FileError> {
        self.spool.flush().map_err(|source| self.failed(source))?;
        let mut pending = Vec::new();
        for file in &self.files {
            pending.extend(self.make(file, around, names).map_err(failing(&file.0))?);
        }
        Ok((pending, self.place))
    }

    /// Makes one file of the spool, ready to take its place, with the mode of the one that is there; none where it has
    /// no place and was written at once.
    fn make(
        &self,
        (path, form): &(PathBuf, ReportFormat),
        around: Around,
        names: &TemporaryNames,
    ) -> io::Result<Option<Pending>> {
        if !is_place(path) {
            let mut out = BufWriter::new(File::options().write(true).open(path)?);
            self.write_form(*form, around, &std::env::temp_dir(), &mut out)?;
            return out.flush().map(|()| None);
        }
        let to = follow_links(path);
        let temporary = names.create(folder_of(&to), 0o666)?;
        let mut out = BufWriter::with_capacity(1 << 16, temporary.file());
        self.write_form(*form, around, folder_of(&to), &mut out)?;
        out.flush()?;
        drop(out);
        if let Ok(there) = fs::metadata(&to) {
            // Another's file: its new content is as private as this user's are.
            let _ = temporary.file().set_permissions(there.permissions());
        }
        temporary.wait_for(&to, None).map(Some)
    }

    /// Writes the spool in a form; `folder` is where a page keeps its rows meanwhile. It is read from its start, and no
    /// line may be added after that.
    fn write_form(&self, form: ReportFormat, around: Around, folder: &Path, out: &mut impl Write) -> io::Result<()> {
        let mut spool = self.file();
        spool.rewind()?;
        match form {
            ReportFormat::Lines if !self.has_page() => io::copy(&mut spool, out).map(drop),
            ReportFormat::Lines => {
                each_line(spool, |line| out.write_all(ReportLine { preview: None, ..line }.written()?.as_bytes()))
            }
            ReportFormat::Csv => {
                out.write_all(csv::HEAD.as_bytes())?;
                each_line(spool, |line| csv::write_row(&line, out))
            }
            ReportFormat::Page => {
                let Around { tally, provenance } = around;
                let mut page = Page::new(folder, provenance.same_mail.clone());
                each_line(spool, |line| page.add(&line))?;
                page.write(tally, provenance, out)
            }
        }
    }
}

/// Finds out now, and not after hours, that a report can't be written.
fn check(files: &[(PathBuf, ReportFormat)]) -> Result<(), FileError> {
    for (path, _) in files {
        match fs::metadata(path) {
            Ok(there) if there.is_dir() => return Err(failing(path)(io::ErrorKind::IsADirectory.into())),
            // Whether it may be written: it is not touched.
            Ok(there) if there.is_file() => drop(File::options().append(true).open(path).map_err(failing(path))?),
            // Not opened: whoever reads a pipe would take it for ended when it is closed.
            Ok(_) => access(path, Access::WRITE_OK).map_err(|error| failing(path)(error.into()))?,
            Err(_) => {
                fs::metadata(folder_of(&follow_links(path))).map_err(failing(path))?;
            }
        }
    }
    Ok(())
}

/// Returns `true` if a report takes a place of its own: its path names a file, or nothing yet, and no device, pipe or
/// folder.
fn is_place(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |there| there.is_file())
}

/// Shows every line of a spool to `each`; a line that can't be read is an error.
pub fn each_line(spool: impl Read, mut each: impl FnMut(ReportLine) -> io::Result<()>) -> io::Result<()> {
    let mut from = BufReader::with_capacity(1 << 16, spool);
    let mut text = String::new();
    while from.read_line(&mut text)? > 0 {
        each(serde_json::from_str(&text)?)?;
        text.clear();
    }
    Ok(())
}
