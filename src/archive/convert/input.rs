//! The inputs: what they are, told before anything is written.

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::container::Member;
use super::is_mail::{LINES_OF_CR, has_lines_of_cr, hint, is_mbox, is_message, starts_with_field};
use super::{Compression, ConvertError, FileKey, unpacked};
use crate::archive::file_error::FileError;
use crate::archive::sums::{RunningSum, Summed};
use crate::process::address::opening_error;
use crate::process::stdio;
use crate::protocol::mbox::Dialect;

/// How messages stand in an input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Detect the format: a folder is a Maildir, a file that starts with `From ` an mbox, one that starts with fields
    /// of mail a message (if its name ends in .eml, any field)
    #[default]
    Auto,
    /// A mailbox file: messages one after the other, each with a From_ line; its dialect is told by what is in it
    Mbox,
    /// A mailbox file in which `From ` at the start of a line is quoted by `>`
    Mboxo,
    /// A mailbox file in which `>From ` is quoted as well
    Mboxrd,
    /// A mailbox file whose messages state their Content-Length, and quote
    Mboxcl,
    /// A mailbox file whose messages state their Content-Length, and do not quote
    Mboxcl2,
    /// A folder with cur, new and tmp: a message a file
    Maildir,
    /// A file that is one message: .eml, or Apple Mail's .emlx
    Eml,
}

impl Format {
    /// Returns the dialect that it names; none of all other formats.
    fn dialect(self) -> Option<Dialect> {
        match self {
            Format::Mboxo => Some(Dialect::Mboxo),
            Format::Mboxrd => Some(Dialect::Mboxrd),
            Format::Mboxcl => Some(Dialect::Mboxcl),
            Format::Mboxcl2 => Some(Dialect::Mboxcl2),
            _ => None,
        }
    }

    /// Returns the format without its dialect.
    fn family(self) -> Format {
        if self.dialect().is_some() { Format::Mbox } else { self }
    }
}

/// How a mailbox file is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadAs {
    /// Its dialect.
    pub dialect: Dialect,
    /// Whether somebody said that it is in this dialect.
    pub chosen: bool,
}

/// The octets that tell whether a file is mail.
const HEAD: u64 = 16 << 10;

/// An input that is there, can be read, and is of a known form.
#[derive(Default)]
pub struct Input {
    /// The name that it has in reports: its path as given, or `-`.
    pub name: String,
    /// Its path; none for standard input and for a pipe, which are no places.
    pub path: Option<PathBuf>,
    /// Mbox, Maildir or Eml.
    pub format: Format,
    /// How it is read, if it is a mailbox file.
    pub mailbox: ReadAs,
    /// How it is compressed.
    pub compression: Option<Compression>,
    /// The name that it gets in a folder of outputs, where it is not its own: below the folder that was walked, or with
    /// another end for another compression.
    pub output_name: Option<PathBuf>,
    /// Whether its output goes below OUT: it was found in a folder that was walked, or other inputs of the run are
    /// written there in another format.
    pub walked: bool,
    /// Its octets; 0 where that is not known.
    pub size: u64,
    /// The checksum of its octets as they lie in the file; it counts what is read by [`Input::open`], where it is
    /// wanted.
    sum: RunningSum,
    /// What can be read only once: what was read of it to tell its form, and the rest.
    opened: Option<Contents>,
    /// Which file it is, where it is one without a path: standard input that was opened by a shell; none of a pipe, and
    /// of what has a path.
    pub place: Option<FileKey>,
    /// Where it lies in the file of its path, where that is an archive of files.
    member: Option<Member>,
}

/// The octets of an input, unpacked.
struct Contents {
    head: Vec<u8>,
    rest: Box<dyn Read + Send>,
    /// Whether the head is all.
    whole: bool,
}

impl Contents {
    /// Begins with nothing read.
    fn new(rest: Box<dyn Read + Send>) -> Contents {
        Contents { head: Vec::new(), rest, whole: false }
    }

    /// Reads until the head has so many octets, or is all.
    fn reach(&mut self, octets: u64) -> io::Result<()> {
        let missing = octets.saturating_sub(self.head.len() as u64);
        let read = (&mut self.rest).take(missing).read_to_end(&mut self.head)?;
        self.whole = self.whole || (read as u64) < missing;
        Ok(())
    }

    /// Tells by its head what it is, and how it is read if it is a mailbox file.
    fn tell(&mut self, asked: Format, name: &str) -> Result<(Format, ReadAs), ConvertError> {
        self.reach(HEAD).map_err(FileError::reading(name))?;
        let format = format_of(self, asked, name)?;
        let mut mailbox = ReadAs { dialect: asked.dialect().unwrap_or_default(), chosen: asked.dialect().is_some() };
        if format == Format::Mbox && !mailbox.chosen {
            self.reach(Dialect::SAMPLE as u64).map_err(FileError::reading(name))?;
            mailbox.dialect = Dialect::recognise(&self.head, self.whole);
        }
        Ok((format, mailbox))
    }

    /// Reads all of it: what was looked at, then the rest.
    fn reader(self) -> Box<dyn Read + Send> {
        Box::new(Cursor::new(self.head).chain(self.rest))
    }
}

impl Input {
    /// Opens the octets from `start` up to `end`, of what is unpacked. What can be read only once, is compressed or
    /// is summed up is read from its start, and what stands before `start` is passed over.
    pub fn open_range(&mut self, start: u64, end: Option<u64>) -> Result<Box<dyn Read + Send>, FileError> {
        let name = self.name.clone();
        let failing = FileError::reading(&name);
        // What is summed up is read from its start as well.
        let file = if self.is_summed() { None } else { self.open_file()? };
        let source: Box<dyn Read + Send> = match (start, file) {
            (0, _) | (_, None) => {
                let mut source = self.open()?;
                io::copy(&mut (&mut source).take(start), &mut io::sink()).map_err(&failing)?;
                source
            }
            (_, Some(mut file)) => {
                file.seek(SeekFrom::Start(start)).map_err(&failing)?;
                Box::new(file)
            }
        };
        Ok(match end {
            Some(end) => Box::new(source.take(end.saturating_sub(start))),
            None => source,
        })
    }

    /// Looks at an input; `-` is standard input. A file is opened anew when it is read; what can be read only once is
    /// read on from what was looked at.
    pub fn look(path: &Path, asked: Format) -> Result<Input, ConvertError> {
        let name = path.display().to_string();
        if path.as_os_str() == "-" {
            return Input::look_once(open(None, &name)?, name, asked);
        }
        let metadata = fs::metadata(path).map_err(|error| opening_error(path, error));
        let metadata = metadata.map_err(FileError::opening(&name))?;
        if metadata.is_dir() {
            return Input::new(name, Some(path.to_owned()), Format::Maildir).checked_folder(asked);
        }
        let file = open(Some(path), &name)?;
        if !metadata.is_file() {
            return Input::look_once(file, name, asked);
        }
        let seen = Input::look_once(file, name, asked)?;
        let size = if seen.compression.is_some() { 0 } else { metadata.len() };
        Ok(Input { path: Some(path.to_owned()), size, opened: None, place: None, ..seen })
    }

    /// Takes a file without looking into it: its format is believed, and it counts as not compressed. An error where it
    /// is not there.
    pub fn of_file(path: PathBuf, format: Format) -> Result<Input, ConvertError> {
        let name = path.display().to_string();
        let size = fs::metadata(&path).map_err(FileError::opening(&name))?.len();
        Ok(Input { size, ..Input::new(name, Some(path), format) })
    }

    /// Makes one of which nothing else is known.
    fn new(name: String, path: Option<PathBuf>, format: Format) -> Input {
        Input { name, path, format, ..Input::default() }
    }

    /// Looks at a file in an archive of files, `name` being its path there.
    pub fn look_at_member(archive: &Path, name: &Path, member: Member, asked: Format) -> Result<Input, ConvertError> {
        let shown = archive.join(name).display().to_string();
        let file = open(Some(archive), &shown)?;
        let mut opened = Contents::new(member.open(file).map_err(FileError::reading(&shown))?);
        let (format, mailbox) = opened.tell(asked, &shown)?;
        let input = Input::new(shown, Some(archive.to_owned()), format);
        Ok(Input { mailbox, size: member.size, member: Some(member), ..input })
    }

    /// Returns `true` if it is a file in an archive of files, which is no place that could be written to.
    pub fn is_member(&self) -> bool {
        self.member.is_some()
    }

    /// Returns the path that nothing but it has; none of what has no path, and of a file in an archive of files.
    pub fn path_alone(&self) -> Option<&Path> {
        self.path.as_deref().filter(|_| !self.is_member())
    }

    /// Returns what a journal knows it by: its path, or its name where it has none that is its own.
    pub fn known_by(&self) -> &Path {
        self.path_alone().unwrap_or(self.name.as_ref())
    }

    /// Returns its own name, without the folder that it is in; of a link the name of what it leads to. None of what has
    /// no path, or is gone.
    pub fn own_name(&self) -> Option<PathBuf> {
        self.path.as_deref()?.canonicalize().ok()?.file_name().map(PathBuf::from)
    }

    /// Returns the name that its output has in a folder; none where it has no name, as standard input.
    pub fn name_in_folder(&self) -> Option<PathBuf> {
        self.output_name.clone().or_else(|| self.own_name())
    }

    /// Tells what an open file holds by its first octets, which are kept for [`Input::open`].
    fn look_once(mut file: File, name: String, asked: Format) -> Result<Input, ConvertError> {
        let place = FileKey::of_file(&file);
        let mut magic = Vec::new();
        (&mut file).take(8).read_to_end(&mut magic).map_err(FileError::opening(&name))?;
        let compression = Compression::of(&magic);
        // What is compressed and comes through a pipe goes by now or never.
        let sum = RunningSum::new(compression.is_some());
        let packed = Summed::new(Cursor::new(magic).chain(file), sum.clone());
        let mut opened = Contents::new(unpacked(packed, compression).map_err(FileError::reading(&name))?);
        let (format, mailbox) = opened.tell(asked, &name)?;
        Ok(Input { mailbox, compression, opened: Some(opened), place, sum, ..Input::new(name, None, format) })
    }

    /// Refuses a folder that is no Maildir, or that was asked for as something else.
    fn checked_folder(self, asked: Format) -> Result<Input, ConvertError> {
        let Some(path) = &self.path else { return Ok(self) };
        match asked {
            Format::Auto | Format::Maildir if is_maildir(path) => Ok(self),
            Format::Auto | Format::Maildir => Err(ConvertError::NotMaildir { name: self.name }),
            _ => Err(FileError::opening(&self.name)(io::ErrorKind::IsADirectory.into()).into()),
        }
    }

    /// Has what is read from now on summed up, where that is `wanted`; returns the sum. What is compressed and can be
    /// read only once keeps the sum that it has from its first octet on: some of it has gone by.
    pub fn sum_up(&mut self, wanted: RunningSum) -> RunningSum {
        if self.opened.is_none() || self.compression.is_none() {
            self.sum = wanted;
        }
        self.sum.clone()
    }

    /// Returns `true` if what is read is summed up.
    pub fn is_summed(&self) -> bool {
        self.sum.is_wanted()
    }

    /// Opens it, to be read from its start, unpacked. What can be read only once is opened once. It must not be asked
    /// of that again: without a path standard input would be read, or what is left of it.
    pub fn open(&mut self) -> Result<Box<dyn Read + Send>, FileError> {
        if let Some(opened) = self.opened.take() {
            return Ok(match self.compression {
                Some(_) => opened.reader(),
                None => Box::new(Summed::new(opened.reader(), self.sum.clone())),
            });
        }
        let file = open(self.path.as_deref(), &self.name)?;
        if let Some(member) = &self.member {
            let member = member.open(file).map_err(FileError::reading(&self.name))?;
            return Ok(Box::new(Summed::new(member, self.sum.clone())));
        }
        let file = Summed::new(file, self.sum.clone());
        unpacked(file, self.compression).map_err(FileError::reading(&self.name))
    }

    /// Opens it once more, from its start; none where it can be read only once, or is compressed.
    pub fn open_file(&self) -> Result<Option<File>, FileError> {
        let path = self.path_alone().filter(|_| self.compression.is_none());
        path.map(|path| open(Some(path), &self.name)).transpose()
    }
}

/// Returns `true` if a folder is a Maildir.
pub fn is_maildir(folder: &Path) -> bool {
    folder.join("cur").is_dir() && folder.join("new").is_dir()
}

/// Opens a file, or standard input where there is no path.
fn open(path: Option<&Path>, name: &str) -> Result<File, FileError> {
    path.map_or_else(stdio::stdin, File::open).map_err(FileError::opening(name))
}

/// Returns `true` if a file is a message by its name: `x.eml`, compressed (`x.eml.gz`) or not.
fn is_named_message(name: &str) -> bool {
    let is_eml = |path: &Path| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("eml"));
    is_eml(Path::new(name)) || Path::new(name).file_stem().is_some_and(|stem| is_eml(Path::new(stem)))
}

/// Tells the format of a file by its head, or holds the one that was asked for against it; that a file is one message
/// is believed. An empty file is a mailbox file.
fn format_of(opened: &Contents, asked: Format, name: &str) -> Result<Format, ConvertError> {
    let Contents { head, whole, .. } = opened;
    let name = || name.to_owned();
    match asked.family() {
        Format::Auto | Format::Mbox | Format::Eml if has_lines_of_cr(head, *whole) => {
            Err(ConvertError::NotMail { name: name(), hint: LINES_OF_CR })
        }
        Format::Auto if is_mbox(head) || head.is_empty() => Ok(Format::Mbox),
        Format::Auto if is_message(head, *whole) => Ok(Format::Eml),
        Format::Auto if is_named_message(&name()) && starts_with_field(head, *whole) => Ok(Format::Eml),
        Format::Auto => Err(ConvertError::NotMail { name: name(), hint: hint(head) }),
        Format::Mbox if !is_mbox(head) && !head.is_empty() => Err(ConvertError::NotMbox { name: name() }),
        Format::Maildir => Err(ConvertError::NotMaildir { name: name() }),
        asked => Ok(asked),
    }
}
